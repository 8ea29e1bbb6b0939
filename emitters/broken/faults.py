#!/usr/bin/env python3
"""Emitters that are each wrong in one way, for a harness to catch: `python3 faults.py NAME` is the Python template with one fault.

Most of the faults were seen in released emitters. Each replaces one function of the template or spoils its finished document;
faults.toml says in which scenario a fault shows and which obligations it trips. Without a name, the names are listed.
"""

import sys
from datetime import datetime, timedelta, timezone

sys.dont_write_bytecode = True
from register import Faults  # noqa: E402

import mavai  # noqa: E402

faults = Faults(mavai)
instead_of = faults.instead_of
spoils = faults.spoils("document")


# ── Counts ──


@spoils
def count_off(document, run):
    """A success that did not happen, as where a retried trial is counted twice."""
    document["iterations"][0]["statistics"]["successes"] += 1


@spoils
def observed_two_decimals(document, run):
    for iteration in document["iterations"]:
        iteration["statistics"]["observed"] = round(iteration["statistics"]["observed"], 2)


@spoils
def criterion_rate_of_judged(document, run):
    """A criterion's rate is of its judged trials, where undelivered ones count as well."""
    for iteration, entry in zip(document["iterations"], run["iterations"]):
        undelivered = sum("event" in trial for trial in entry["trials"])
        for block in iteration["statistics"]["criteria"].values():
            block["observedPassRate"] = mavai.share(block["pass"], block["pass"] + block["fail"] - undelivered)


@spoils
def zero_samples_without_criteria(document, run):
    for iteration in document["iterations"]:
        if iteration["execution"]["samplesExecuted"] == 0:
            iteration["statistics"]["criteria"] = {}


# ── Failure distribution and delivery ──


@instead_of("iteration")
def counted_once_a_criterion(original, run, index, entry):
    """A trial that fails three criteria is counted three times."""
    result = original(run, index, entry)
    reasons = [mavai.judge(criterion, trial) for trial in entry["trials"] for criterion in run["criteria"]]
    result["statistics"].update(mavai.distribution(run, reasons))
    return result


@instead_of("attribute")
def attributed_to_the_last(original, by_criterion):
    return original(by_criterion[::-1])


@instead_of("judge")
def delivery_cause_free_text(original, criterion, trial):
    reason = original(criterion, trial)
    if reason and reason[0] == "delivery":
        return ("delivery", f"http://basket.example: {trial['event']}", None)
    return reason


@spoils
def delivery_kind_missing(document, run):
    """Entries of judged trials state their kind, and those of undelivered ones do not."""
    for iteration in document["iterations"]:
        statistics = iteration["statistics"]
        for block in [statistics, *statistics["criteria"].values()]:
            for entry in block.get("failureDistribution", []):
                if entry["kind"] == "delivery":
                    del entry["kind"]


@instead_of("judge")
def undelivered_look_judged(original, criterion, trial):
    reason = original(criterion, trial)
    if reason and reason[0] == "delivery":
        return ("evaluated", criterion["checks"][0]["name"], None)
    return reason


@spoils
def undelivered_missing_from_criteria(document, run):
    for iteration, entry in zip(document["iterations"], run["iterations"]):
        undelivered = sum("event" in trial for trial in entry["trials"])
        for block in iteration["statistics"]["criteria"].values():
            block["fail"] -= undelivered
            block["observedPassRate"] = mavai.share(block["pass"], block["pass"] + block["fail"])
            if "failureDistribution" in block:
                block["failureDistribution"] = [one for one in block["failureDistribution"] if one["kind"] != "delivery"]


@instead_of("judge")
def gateway_timeout_as_own_deadline(original, criterion, trial):
    reason = original(criterion, trial)
    return ("delivery", "client-deadline", None) if trial.get("event") == "http-504" else reason


# ── Standings ──


@instead_of("row")
def fraction_without_skipped(original, check, index, outcomes):
    result = original(check, index, outcomes)
    result["observedFraction"] = mavai.share(result["passed"], result["passed"] + result["failed"])
    return result


@instead_of("standings")
def shared_check_twice(original, run, criterion, trials):
    """A check that two criteria share gets a row for each of them in both."""
    result = original(run, criterion, trials)
    names = [check["name"] for other in run["criteria"] for check in other["checks"]]
    result["rows"] = [row for row in result["rows"] for _ in range(names.count(row["check"]))]
    return result


@instead_of("standings")
def shared_check_counted_twice(original, run, criterion, trials):
    """Tallies are kept by a check's name, so that two criteria that share it both add to the one."""
    result = original(run, criterion, trials)
    names = [check["name"] for other in run["criteria"] for check in other["checks"]]
    for row in result["rows"]:
        for tally in ("passed", "failed", "skipped"):
            row[tally] *= names.count(row["check"])
    return result


@instead_of("iteration")
def cursor_not_reset(original, run, index, entry):
    """Inputs go on from where the last iteration ended."""
    start = sum(len(earlier["trials"]) for earlier in run["iterations"][:index])
    trials = [dict(trial, input=(start + i) % len(run["inputs"])) for i, trial in enumerate(entry["trials"])]
    return original(run, index, dict(entry, trials=trials))


@spoils
def exemplars_unordered(document, run):
    for iteration in document["iterations"]:
        for block in iteration["statistics"]["criteria"].values():
            for row in block["standings"]["rows"]:
                row.get("observed", []).reverse()


@spoils
def exemplars_overcounted(document, run):
    """Every exemplar is counted as often as the whole row."""
    for iteration in document["iterations"]:
        for block in iteration["statistics"]["criteria"].values():
            for row in block["standings"]["rows"]:
                for exemplar in row.get("observed", []):
                    exemplar["count"] = row["passed"] + row["failed"] + row["skipped"]


@spoils
def inputs_only_where_failing(document, run):
    failing = set()
    for iteration in document["iterations"]:
        for block in iteration["statistics"]["criteria"].values():
            failing.update(row["inputIndex"] for row in block["standings"]["rows"] if row["failed"])
    document["inputs"] = [entry for entry in document["inputs"] if entry["inputIndex"] in failing]


@instead_of("allowance")
def slack_ignored(original, slack, applicable):
    return 0


@instead_of("allowance")
def percentage_rounded_up(original, slack, applicable):
    return -(-int(slack[:-1]) * applicable // 100) if slack.endswith("%") else int(slack)


# ── Latency and cost ──


@instead_of("latency")
def median_of_four(original, passing, total):
    result = original(passing, total)
    if result and len(passing) < 5:
        result["latency"]["p50Ms"] = mavai.percentile(sorted(passing), 50)
    return result


@instead_of("percentile")
def percentile_interpolated(original, vector, percentage):
    place = (len(vector) - 1) * percentage / 100
    below = int(place)
    above = min(below + 1, len(vector) - 1)
    return vector[below] + (vector[above] - vector[below]) * (place - below)


@instead_of("iteration")
def latency_of_all_samples(original, run, index, entry):
    result = original(run, index, entry)
    if "latency" in result:
        result.update(mavai.latency([trial["latencyMs"] for trial in entry["trials"]], len(entry["trials"])))
    return result


@instead_of("iteration")
def latency_without_a_pass(original, run, index, entry):
    result = original(run, index, entry)
    if "latency" not in result:
        result.update(mavai.latency([trial["latencyMs"] for trial in entry["trials"]], len(entry["trials"])))
    return result


@instead_of("iteration")
def latency_unsorted(original, run, index, entry):
    result = original(run, index, entry)
    if "latency" in result:
        result["latency"]["sortedPassingLatenciesMs"].reverse()
    return result


@spoils
def cost_average_of_passes(document, run):
    for iteration in document["iterations"]:
        if iteration["statistics"]["successes"]:
            iteration["cost"]["avgTimePerSampleMs"] = iteration["cost"]["totalTimeMs"] // iteration["statistics"]["successes"]


# ── Iterations and convergence ──


@spoils
def iterations_from_one(document, run):
    for iteration in document["iterations"]:
        iteration["iteration"] += 1


@instead_of("optimum")
def tie_to_the_later(original, objective, scores):
    return len(scores) - 1 - original(objective, scores[::-1])


@instead_of("optimum")
def best_is_the_last(original, objective, scores):
    return len(scores) - 1


@instead_of("optimum")
def minimize_ignored(original, objective, scores):
    return original("MAXIMIZE", scores)


@spoils
def total_iterations_off(document, run):
    """The attempt that ended the search is counted as an iteration."""
    document["convergence"]["totalIterations"] += 1


@spoils
def score_rounded(document, run):
    for entry in [*document["iterations"], document["convergence"]]:
        name = "score" if "score" in entry else "bestScore"
        entry[name] = round(entry[name], 4)


# ── Keys, text and time ──


@spoils
def response_as_key(document, run):
    for iteration, entry in zip(document["iterations"], run["iterations"]):
        iteration["resultProjection"] = {trial["response"]: trial["checks"] for trial in entry["trials"] if "response" in trial}


@instead_of("identity")
def names_cut_short(original, name):
    """Long names are cut, and two that begin alike become one."""
    return name[:256]


@instead_of("identity")
def names_unbounded(original, name):
    return name


@instead_of("quoted")
def controls_raw(original, text):
    """JSON's escapes only, which leave U+007F and everything above as it is."""
    return mavai.json.dumps(text, ensure_ascii=False)


@instead_of("scalar")
def strings_bare(original, value):
    """Factors as a writer has them that does not ask what a reader takes them for."""
    return value if isinstance(value, str) and value and value.replace("-", "").replace(":", "").isalnum() else original(value)


@instead_of("now")
def local_time_without_zone(original):
    return datetime.now(timezone(timedelta(hours=2))).strftime("%Y-%m-%dT%H:%M:%S")


@instead_of("now")
def local_time_with_offset(original):
    return datetime.now(timezone(timedelta(hours=2))).isoformat(timespec="seconds")


if __name__ == "__main__":
    faults.main()
