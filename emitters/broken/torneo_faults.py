#!/usr/bin/env python3
"""Emitters of épreuves that are each wrong in one way: `python3 torneo_faults.py NAME` is the Python template with one fault.

Each fault replaces one function of the template or spoils its finished document; torneo.toml says in which scenario it shows and
which obligations it trips. Without a name, the names are listed.
"""

import sys
from itertools import combinations

sys.dont_write_bytecode = True
from register import Faults  # noqa: E402

import torneo  # noqa: E402

faults = Faults(torneo)
instead_of = faults.instead_of
spoils = faults.spoils("document")


# ── The round ──


@instead_of("played")
def match_missing(original, run, tools):
    """The last two tools never met, and everything is derived from what there is."""
    return original(run, tools)[:-1]


@instead_of("played")
def pair_twice(original, run, tools):
    """Two tools met again in a return match."""
    matches = original(run, tools)
    return [*matches, dict(matches[0], match_id=matches[0]["match_id"] + "-return")]


@spoils
def withdrawn_plays(document, run):
    """A tool that withdrew is still paired with all the others, and nothing measured."""
    gone = document["withdrawn"][0]["tool"]
    for tool in torneo.running(run):
        entries = [{"dimension": one, "outcome": "not_measured", "reason": "withdrawn"} for one in document["dimensions"]]
        match = {"schema_version": "match.v1", "match_id": f"{gone}-vs-{tool}", "tools": [gone, tool], "dimensions": entries}
        document["matches"].append(match)


@spoils
def match_ids_by_first_tool(document, run):
    for match in document["matches"]:
        match["match_id"] = match["tools"][0]


@spoils
def unmeasured_dimension_left_out(document, run):
    """A match carries only the dimensions that were measured."""
    for match in document["matches"]:
        match["dimensions"] = [entry for entry in match["dimensions"] if entry["outcome"] != "not_measured"]


@spoils
def winner_numbered_from_one(document, run):
    """Winners are numbered from one, and looked up from nought."""
    tools = torneo.running(run)
    for match in document["matches"]:
        for entry in match["dimensions"]:
            if "winner" in entry:
                entry["winner"] = tools[(tools.index(entry["winner"]) + 1) % len(tools)]


@spoils
def dimensions_of_every_match(document, run):
    document["dimensions"] = [entry["dimension"] for match in document["matches"] for entry in match["dimensions"]]


@spoils
def draw_kinds_lost(document, run):
    """Every draw is of the one kind that the emitter knows, in all that it says."""
    matches = document["matches"]
    for match in matches:
        for entry in match["dimensions"]:
            if entry["outcome"] == "draw":
                entry["draw_kind"] = "insufficient_precision"
    document["denominators"] = torneo.denominators(document["dimensions"], matches)
    document["dominance_basis"] = [torneo.basis(*pair) for pair in map(torneo.domination, matches) if pair]


@instead_of("outcome")
def second_of_the_pair_wins(original, comparison, largest):
    """The two sides of a comparison are taken for each other."""
    return original(dict(comparison, pair=comparison["pair"][::-1]), largest)


# ── Multiplicity ──


@instead_of("largest_significant")
def correction_ignored(original, correction, alpha, family, p_values):
    return alpha


@instead_of("largest_significant")
def bonferroni_for_holm(original, correction, alpha, family, p_values):
    return alpha / family


@instead_of("largest_significant")
def family_of_measured_tests(original, correction, alpha, family, p_values):
    """The correction is for the tests that could be carried out."""
    return original(correction, alpha, len(p_values), p_values)


@instead_of("largest_significant")
def family_of_every_dimension(original, correction, alpha, family, p_values):
    """One family for the whole épreuve, here of two dimensions."""
    return original(correction, alpha, 2 * family, p_values)


# ── Withdrawal and vendors ──


@spoils
def withdrawn_struck_from_the_list(document, run):
    """A tool that withdraws is removed from the enrolled ones."""
    gone = {entry["tool"] for entry in document["withdrawn"]}
    document["tools"] = [tool for tool in document["tools"] if tool not in gone]


@spoils
def vendors_of_the_whole_catalogue(document, run):
    document["tool_vendors"]["mason"] = "Elm Brothers"


# ── Standings ──

ENTERED = {"quality": ((2, 0, 1), (1, 1, 1), (1, 1, 1), (1, 0, 2)), "cost": ((2, 1, 0), (1, 1, 1), (0, 1, 2), (1, 1, 1))}


@spoils
def standings_entered(document, run):
    """The tables of scenario twin-one, entered once and for all."""
    for standing in document["standings"]:
        for row, (wins, draws, losses) in zip(standing["table"], ENTERED[standing["dimension"]]):
            row.update(wins=wins, draws=draws, losses=losses)


@spoils
def standings_of_a_withdrawn_tool(document, run):
    for standing in document["standings"]:
        for entry in document["withdrawn"]:
            standing["table"].append({"tool": entry["tool"], "wins": 0, "draws": 0, "losses": 0})


@spoils
def standings_without_unmeasured_dimension(document, run):
    document["standings"] = [
        standing for standing in document["standings"] if any(row["wins"] or row["draws"] for row in standing["table"])
    ]


@instead_of("table")
def losses_not_counted(original, dimension, tools, matches):
    return [dict(row, losses=0) for row in original(dimension, tools, matches)]


@instead_of("table")
def tools_matched_by_prefix(original, dimension, tools, matches):
    """A win counts for every tool whose id the winner's id begins with."""
    rows = original(dimension, tools, matches)
    for row in rows:
        row["wins"] = sum(entry.get("winner", "").startswith(row["tool"]) for _, entry in torneo.on(dimension, matches))
    return rows


# ── Dominance ──


@spoils
def pareto_of_title_holders(document, run):
    document["pareto_set"] = sorted({tool for tool in document["epreuve_winners"].values() if tool})


@instead_of("domination")
def dominance_by_majority(original, match):
    """Whoever wins more dimensions than it loses dominates."""
    first, second = match["tools"]
    won = [entry.get("winner") for entry in match["dimensions"]]
    lead = won.count(first) - won.count(second)
    return (first if lead > 0 else second, match) if lead else None


@instead_of("basis")
def basis_without_the_undecided(original, dominant, match):
    return dict(original(dominant, match), undecided=[])


@spoils
def cycle_not_named(document, run):
    document["dominance_cycles"] = []


@instead_of("cycles")
def cycles_run_together(original, tools, dominations):
    groups = original(tools, dominations)
    return [[tool for group in groups for tool in group]] if groups else []


@instead_of("cycles")
def cycles_of_three_only(original, tools, dominations):
    """Circles are sought among three tools, so that a longer one falls apart or is missed."""
    wins = {(dominant, torneo.other(match, dominant)) for dominant, match in dominations}
    circles = [{(a, b), (b, c), (c, a)} <= wins or {(a, c), (c, b), (b, a)} <= wins for a, b, c in combinations(tools, 3)]
    return [list(three) for three, circle in zip(combinations(tools, 3), circles) if circle]


# ── Titles ──


@instead_of("champion")
def champion_over_one_vendor(original, run, tools, matches, winners):
    """Who sells the tools is not asked."""
    return original(dict(run, tools=[{"tool": tool, "vendor": tool} for tool in tools]), tools, matches, winners)


@instead_of("champion")
def champion_over_the_unknown_vendor(original, run, tools, matches, winners):
    """A tool without a vendor is taken for another vendor's."""
    return original(dict(run, tools=[dict({"vendor": ""}, **enrolled) for enrolled in run["tools"]]), tools, matches, winners)


@instead_of("champion")
def champion_over_a_withdrawn_vendor(original, run, tools, matches, winners):
    return original(run, [enrolled["tool"] for enrolled in run["tools"]], matches, winners)


@instead_of("champion")
def champion_of_what_was_measured(original, run, tools, matches, winners):
    return original(run, tools, [], winners)


@instead_of("champion")
def champion_of_most_titles(original, run, tools, matches, winners):
    titles = [tool for tool in winners.values() if tool]
    return max(titles, key=titles.count) if titles else None


@instead_of("champion")
def champion_never_named(original, run, tools, matches, winners):
    return None


@instead_of("winner")
def title_for_want_of_another(original, rule, rows):
    """Somebody must have won: the first of the best, even where nobody won anything."""
    return max(rows, key=lambda row: (row["wins"], -row["losses"]))["tool"]


@instead_of("winner")
def title_to_the_last_in_the_table(original, rule, rows):
    """The table is sorted the wrong way round."""
    return min(rows, key=lambda row: (row["wins"], -row["losses"]))["tool"]


@instead_of("winner")
def title_by_most_wins_always(original, rule, rows):
    """The preregistered rule is not the one that is applied."""
    return original("most-wins-then-fewest-losses", rows)


@spoils
def title_of_a_withdrawn_tool(document, run):
    """The reigning holder keeps a title though it withdrew."""
    document["epreuve_winners"][document["dimensions"][0]] = document["withdrawn"][0]["tool"]


@spoils
def winner_rule_unstated(document, run):
    del document["epreuve_winner_rule"]


# ── Denominators ──


@spoils
def matches_counted_once_a_dimension(document, run):
    document["denominators"]["matches_played"] *= len(document["dimensions"])


@instead_of("denominators")
def unmeasured_counted_as_played(original, dimensions, matches):
    result = original(dimensions, matches)
    for counts in result["per_dimension"].values():
        counts["played"] += counts["not_measured"]
    result["comparisons_played"] = len(dimensions) * len(matches)
    return result


# ── Time and conduct ──


def tick(document, box):
    for validator in document["validators"]:
        validator["checks"][box] = True


@spoils
def late_withdrawal_denied(document, run):
    tick(document, "no_tool_withdrawn_after_the_fact")


@spoils
def arbitration_ticked_without_a_rule(document, run):
    tick(document, "disagreements_arbitrated_by_the_written_rule")


@spoils
def replay_ticked_without_one(document, run):
    tick(document, "third_party_can_replay_from_the_frozen_corpus")


@spoils
def corpus_frozen_when_published(document, run):
    """The digest is taken, and dated, when the épreuve is signed."""
    document["corpus"]["frozen_at"] = document["validators"][0]["signed_at"]


@spoils
def preregistered_with_the_results(document, run):
    document["preregistration"]["frozen_at"] = document["observed_at"]


@spoils
def midnight_as_twenty_four(document, run):
    """Midnight is the end of the day before, which RFC 3339 does not know."""
    for entry in document["withdrawn"]:
        entry["withdrawn_at"] = entry["withdrawn_at"].replace("05-11T00:", "05-10T24:")


@spoils
def signed_beforehand(document, run):
    for validator in document["validators"]:
        validator["signed_at"] = document["corpus"]["frozen_at"]


@spoils
def one_signature_a_box(document, run):
    """A validator signs again for every box that it ticks."""
    document["validators"] = [
        dict(validator, checks={other: other == box for other in validator["checks"]})
        for validator in document["validators"]
        for box, ticked in validator["checks"].items()
        if ticked
    ]


@spoils
def reason_left_out(document, run):
    del document["replay"]["unavailability_reason"]


if __name__ == "__main__":
    faults.main()
