"""The épreuve of a torneo-epreuve-v1 scenario, worked out without a framework.

emitter.py calls epreuve() and writes what it returns. To test a framework of your own, replace the body of epreuve(): let the framework hold the
épreuve that the scenario tells (docs/scenarios-torneo.md explains each field), and return the text that it wrote.
"""

import json
from collections import Counter
from itertools import combinations

BOXES = (
    "corpus_frozen_before_collection",
    "test_and_threshold_preregistered",
    "no_tool_withdrawn_after_the_fact",
    "disagreements_arbitrated_by_the_written_rule",
    "third_party_can_replay_from_the_frozen_corpus",
)
RULES = {
    "most-wins-then-fewest-losses": "Most wins; among those, fewest losses. A tie, or no win at all, leaves the title vacant.",
    "beats-every-other": "The tool that beat each of the others.",
}
DRAWS = ("insufficient_precision", "equivalent_within_margin", "unspecified")


def epreuve(run):
    return json.dumps(document(run), ensure_ascii=False, indent=2) + "\n"


def document(run):
    tools = running(run)
    dimensions = run["dimensions"]
    matches = played(run, tools)
    tables = {dimension: table(dimension, tools, matches) for dimension in dimensions}
    winners = {dimension: winner(run["winner_rule"], tables[dimension]) for dimension in dimensions}
    dominations = [pair for pair in map(domination, matches) if pair]
    result = {
        "schema_version": "epreuve.v1",
        "epreuve_id": run["epreuve_id"],
        "category": run["category"],
        "status": run["status"],
        "observed_at": run["observed_at"],
        "tools": [enrolled["tool"] for enrolled in run["tools"]],
        "tool_vendors": {enrolled["tool"]: enrolled["vendor"] for enrolled in run["tools"] if "vendor" in enrolled},
        "withdrawn": [{"tool": enrolled["tool"], **enrolled["withdrawn"]} for enrolled in run["tools"] if "withdrawn" in enrolled],
        "corpus": run["corpus"],
        "preregistration": run["preregistration"],
        "multiplicity": run["multiplicity"],
        "alpha": run["alpha"],
        "dimensions": dimensions,
        "matches": matches,
        "standings": [{"dimension": dimension, "table": rows} for dimension, rows in tables.items()],
        "pareto_set": pareto_set(tools, dominations),
        "dominance_basis": [basis(*pair) for pair in dominations],
        "dominance_cycles": cycles(tools, dominations),
        "epreuve_winner_rule": RULES[run["winner_rule"]],
        "epreuve_winners": winners,
        "champion": champion(run, tools, matches, winners),
        "denominators": denominators(dimensions, matches),
        "validators": [validator(signature) for signature in run.get("validators", [])],
    }
    for optional in ("arbitration_rule", "replay"):
        if optional in run:
            result[optional] = run[optional]
    return result


def running(run):
    return [enrolled["tool"] for enrolled in run["tools"] if "withdrawn" not in enrolled]


# ── The round ──


def played(run, tools):
    """The matches: each two running tools, once."""
    comparisons = {(frozenset(one["pair"]), one["dimension"]): one for one in run["comparisons"]}
    if len(comparisons) < len(run["comparisons"]):
        raise ValueError("two tools are compared twice on a dimension")
    pairs = list(combinations(tools, 2))
    largest = {}  # dimension → the largest p-value that is significant
    for dimension in run["dimensions"]:
        tested = [one["p_value"] for one in run["comparisons"] if one["dimension"] == dimension and "p_value" in one]
        largest[dimension] = largest_significant(run["multiplicity"], run["alpha"], len(pairs), tested)
    return [
        {
            "schema_version": "match.v1",
            "match_id": "-vs-".join(pair),
            "tools": list(pair),
            "dimensions": [outcome(comparisons[frozenset(pair), one], largest[one]) for one in run["dimensions"]],
        }
        for pair in pairs
    ]


def largest_significant(correction, alpha, family, p_values):
    """The p-value up to which a family's tests are significant; less than 0 where none is."""
    if correction == "none":
        return alpha
    if correction == "bonferroni":
        return alpha / family
    largest = -1
    for smaller, p_value in enumerate(sorted(p_values)):
        if p_value > alpha / (family - smaller):
            break
        largest = p_value
    return largest


def outcome(comparison, largest):
    """What a match says of one dimension."""
    result = comparison["result"]
    if result == "not_measured":
        return {"dimension": comparison["dimension"], "outcome": "not_measured", "reason": comparison["reason"]}
    kind = comparison.get("draw_kind")
    if result == "tested":
        result, kind = (comparison["better"], None) if comparison["p_value"] <= largest else ("draw", "insufficient_precision")
    entry = {"dimension": comparison["dimension"]}
    if result == "draw":
        entry.update({"outcome": "draw", "draw_kind": kind} if kind else {"outcome": "draw"})
    else:
        entry.update(outcome="win", winner=comparison["pair"][("first", "second").index(result)])
    if "p_value" in comparison:
        entry["p_value"] = comparison["p_value"]
    return entry


def other(match, tool):
    first, second = match["tools"]
    return second if tool == first else first


def on(dimension, matches):
    """Each match with its entry for a dimension."""
    return [(match, entry) for match in matches for entry in match["dimensions"] if entry["dimension"] == dimension]


# ── What follows from the matches ──


def table(dimension, tools, matches):
    rows = {tool: {"tool": tool, "wins": 0, "draws": 0, "losses": 0, "not_measured": 0} for tool in tools}
    for match, entry in on(dimension, matches):
        if entry["outcome"] == "win":
            rows[entry["winner"]]["wins"] += 1
            rows[other(match, entry["winner"])]["losses"] += 1
        else:
            for tool in match["tools"]:
                rows[tool]["draws" if entry["outcome"] == "draw" else "not_measured"] += 1
    return list(rows.values())


def domination(match):
    """(dominant, match) where one of the two won something and lost nothing, else None."""
    winners = {entry["winner"] for entry in match["dimensions"] if entry["outcome"] == "win"}
    return (winners.pop(), match) if len(winners) == 1 else None


def pareto_set(tools, dominations):
    dominated = {other(match, dominant) for dominant, match in dominations}
    return [tool for tool in tools if tool not in dominated]


def basis(dominant, match):
    entries = match["dimensions"]
    return {
        "dominant": dominant,
        "dominated": other(match, dominant),
        "won": [one["dimension"] for one in entries if one["outcome"] == "win"],
        "undecided": [
            {"dimension": one["dimension"], "draw_kind": one.get("draw_kind")} for one in entries if one["outcome"] == "draw"
        ],
        "not_measured": [one["dimension"] for one in entries if one["outcome"] == "not_measured"],
    }


def cycles(tools, dominations):
    """The groups of tools in which each reaches each by dominations."""
    below = {tool: {other(match, dominant) for dominant, match in dominations if dominant == tool} for tool in tools}
    reached = {}
    for tool in tools:
        seen, waiting = set(), list(below[tool])
        while waiting:
            found = waiting.pop()
            if found not in seen:
                seen.add(found)
                waiting.extend(below[found])
        reached[tool] = seen
    groups = []
    for tool in tools:
        group = [mate for mate in tools if mate in reached[tool] and tool in reached[mate]]
        if group and group not in groups:
            groups.append(group)
    return groups


def winner(rule, rows):
    if rule == "beats-every-other":
        best = [row["tool"] for row in rows if row["wins"] == len(rows) - 1]
    else:
        top = max((row["wins"], -row["losses"]) for row in rows)
        best = [row["tool"] for row in rows if (row["wins"], -row["losses"]) == top and row["wins"] > 0]
    return best[0] if len(best) == 1 else None


def champion(run, tools, matches, winners):
    holders = set(winners.values())
    measured = all(entry["outcome"] != "not_measured" for match in matches for entry in match["dimensions"])
    vendors = {enrolled["vendor"] for enrolled in run["tools"] if enrolled["tool"] in tools and "vendor" in enrolled}
    return holders.pop() if len(holders) == 1 and measured and len(vendors) > 1 else None


def denominators(dimensions, matches):
    per_dimension = {}
    for dimension in dimensions:
        entries = [entry for _, entry in on(dimension, matches)]
        outcomes = Counter(entry["outcome"] for entry in entries)
        draws = Counter(entry.get("draw_kind") or "unspecified" for entry in entries if entry["outcome"] == "draw")
        per_dimension[dimension] = {
            "played": outcomes["win"] + outcomes["draw"],
            "concluded": outcomes["win"],
            **{f"draws_{kind}": draws[kind] for kind in DRAWS},
            "not_measured": outcomes["not_measured"],
        }
    return {
        "comparisons_played": sum(counts["played"] for counts in per_dimension.values()),
        "comparisons_concluded": sum(counts["concluded"] for counts in per_dimension.values()),
        "matches_played": len(matches),
        "matches_concluded": sum(any(entry["outcome"] == "win" for entry in match["dimensions"]) for match in matches),
        "per_dimension": per_dimension,
    }


def validator(signature):
    ticked = signature.get("ticked", [])
    return {
        "validator_id": signature["validator_id"],
        "signed_at": signature["signed_at"],
        "charter_version": signature["charter_version"],
        "checks": {box: box in ticked for box in BOXES},
    }
