"""The mavai part of the template: the optimize document of a mavai-optimize-1 scenario, and what its siblings share with it.

optimize() gets what happened in a run (docs/scenarios.md explains each field) and returns the document's text. To test a framework,
replace it as emitter.py says:
  1. set the framework up so that exactly this happens: a service that plays back `response`s and `event`s in order, checks that
     answer as each trial's `checks` say, a stepper that proposes each iteration's `factors`;
  2. run the framework's own optimize experiment on them;
  3. return the file that it wrote, byte for byte. The text is what is under test.
Where it cannot be set up so, say so:
  raise Unsupported("latencies are measured and cannot be set")     # for run["clock"] == "virtual"
  raise Unsupported("there is no deadline")                         # for the event deadline-elapsed
"""

import json
import re
from collections import Counter, defaultdict
from datetime import datetime, timezone

DELIVERY_CAUSES = {
    "name-resolution-failed": "unreachable",
    "connection-refused": "unreachable",
    "deadline-elapsed": "client-deadline",
    "http-500": "server-error",
    "http-502": "server-error",
    "http-503": "server-error",
    "http-504": "peer-timeout",
    "empty-body": "unusable-response",
}
PERCENTILES = (("p50Ms", 50, 5), ("p95Ms", 95, 20), ("p99Ms", 99, 100))  # name, percentage, fewest samples that state it
LONGEST = 256  # characters in a key, an identity or an excerpt
EXEMPLARS = 4  # most exemplars in a row


def optimize(run):
    return to_yaml(document(run))


def document(run):
    iterations = [iteration(run, index, entry) for index, entry in enumerate(run["iterations"])]
    result = {
        "schemaVersion": "mavai-optimize-1",
        "serviceContractId": identity(run["contract"]),
        "experimentId": identity(run["experiment"]),
        "objective": run["objective"],
    }
    if run["scorer"] == "observed-pass-rate":
        result["scorer"] = run["scorer"]
    result["generatedAt"] = now()
    result["inputs"] = inputs(run)
    result["iterations"] = iterations
    result["convergence"] = convergence(run["objective"], iterations)
    return result


def inputs(run):
    return [{"inputIndex": index, "inputExcerpt": excerpt(text)} for index, text in enumerate(run["inputs"])]


def iteration(run, index, entry):
    blocks = counted(run, entry)
    passed = share(blocks["statistics"]["successes"], len(entry["trials"]))
    return {
        "iteration": index,
        "factors": factors(entry),
        "score": entry["score"] if run["scorer"] == "stated" else passed,
        **blocks,
    }


def factors(entry):
    return {identity(name): value for name, value in entry["factors"].items()}


def counted(run, entry):
    """What one configuration's trials come to: execution, statistics, cost, and latency where a trial passed."""
    trials = entry["trials"]
    # One reason for each trial and criterion (None where it passes), worked out once and counted in several ways.
    reasons = [[judge(criterion, trial) for criterion in run["criteria"]] for trial in trials]
    verdicts = [attribute(by_criterion) for by_criterion in reasons]
    successes = verdicts.count(None)
    statistics = {"observed": share(successes, len(trials)), "successes": successes, "failures": len(trials) - successes}
    statistics.update(distribution(run, verdicts))
    statistics["criteria"] = {}
    for position, criterion in enumerate(run["criteria"]):
        own = [by_criterion[position] for by_criterion in reasons]
        passed = own.count(None)
        block = {"observedPassRate": share(passed, len(own)), "pass": passed, "fail": len(own) - passed}
        block.update(distribution(run, own))
        block["standings"] = standings(run, criterion, trials)
        statistics["criteria"][identity(criterion["name"])] = block
    return {
        "execution": execution(run, entry),
        "statistics": statistics,
        "cost": cost(trials),
        **latency([trial["latencyMs"] for trial, reason in zip(trials, verdicts) if reason is None], len(trials)),
    }


def execution(run, entry):
    return {
        "samplesPlanned": run["samplesPlanned"],
        "samplesExecuted": len(entry["trials"]),
        "terminationReason": entry.get("termination", "COMPLETED"),
    }


def cost(trials):
    total = int(sum(trial["latencyMs"] for trial in trials) + 0.5)
    return {"totalTimeMs": total, "avgTimePerSampleMs": total // len(trials) if trials else 0}


def applies(check, trial_input):
    return check.get("input", trial_input) == trial_input


def judge(criterion, trial):
    """Why a trial fails a criterion, as (kind, condition, input index or None); None where it passes."""
    if "event" in trial:
        return ("delivery", DELIVERY_CAUSES[trial["event"]], None)
    checks = [check for check in criterion["checks"] if applies(check, trial["input"])]
    missed = [check for check in checks if trial["checks"][check["name"]] != "pass"]
    required = [check for check in missed if not check.get("optional", False)]
    optional = [check for check in missed if check.get("optional", False)]
    if required:
        culprit = required[0]
    elif any(trial["checks"][check["name"]] == "skip" for check in optional):
        culprit = optional[0]
    elif len(optional) > allowance(criterion.get("optionalSlack", "0"), sum(check.get("optional", False) for check in checks)):
        culprit = optional[0]
    else:
        return None
    return ("evaluated", culprit["name"], culprit.get("input"))


def allowance(slack, applicable):
    """How many of the optional checks that apply may fail: "2" is two, "20%" is a fifth of them, rounded down."""
    return int(slack[:-1]) * applicable // 100 if slack.endswith("%") else int(slack)


def attribute(by_criterion):
    """What a trial's failure counts under: the first criterion that fails it."""
    return next((reason for reason in by_criterion if reason is not None), None)


def distribution(run, reasons):
    """{"failureDistribution": …}, or nothing where nothing failed."""
    entries = []
    for (kind, condition, own_input), count in Counter(reason for reason in reasons if reason is not None).items():
        entry = {"condition": identity(condition), "kind": kind}
        if own_input is not None:
            entry.update(inputIndex=own_input, inputExcerpt=excerpt(run["inputs"][own_input]))
        entry["count"] = count
        entries.append(entry)
    return {"failureDistribution": entries} if entries else {}


def standings(run, criterion, trials):
    outcomes = defaultdict(list)  # (input index, check's position) → [(outcome, response or None)], in one pass over the trials
    for trial in trials:
        for position, check in enumerate(criterion["checks"]):
            if applies(check, trial["input"]):
                outcome = trial["checks"][check["name"]] if "checks" in trial else "skip"
                outcomes[trial["input"], position].append((outcome, trial.get("response")))
    rows = [
        row(check, index, outcomes[index, position])
        for index in range(len(run["inputs"]))
        for position, check in enumerate(criterion["checks"])
        if applies(check, index)
    ]
    if "optionalSlack" in criterion:
        return {"optionalSlack": criterion["optionalSlack"], "rows": rows}
    return {"rows": rows}


def row(check, index, outcomes):
    counts = Counter(outcome for outcome, _ in outcomes)
    result = {
        "inputIndex": index,
        "check": identity(check["name"]),
        "provenance": "input" if "input" in check else "criterion",
        "optional": check.get("optional", False),
        "passed": counts["pass"],
        "failed": counts["fail"],
        "skipped": counts["skip"],
        "observedFraction": share(counts["pass"], len(outcomes)),
    }
    # Grouped by excerpt, so that long responses that begin alike are one exemplar; failing ones come first.
    seen = Counter((outcome == "pass", excerpt(response)) for outcome, response in outcomes if outcome != "skip")
    shown = sorted(seen.items(), key=lambda item: item[0][0])[:EXEMPLARS]
    if shown:
        result["observed"] = [{"excerpt": text, "count": count, "held": held} for (held, text), count in shown]
    elided = len(outcomes) - sum(count for _, count in shown)
    if elided:
        result["elided"] = elided
    return result


def latency(passing, total, percentiles=PERCENTILES):
    """{"latency": …} of the passing trials' latencies, or nothing where none passed."""
    if not passing:
        return {}
    vector = sorted(passing)
    block = {"basis": "passing-samples", "contributingSamples": len(vector), "totalSamples": total}
    for name, percentage, fewest in percentiles:
        if len(vector) >= fewest:
            block[name] = percentile(vector, percentage)
    block["sortedPassingLatenciesMs"] = vector
    return {"latency": block}


def percentile(vector, percentage):
    """The element of rank ceil(percentage/100 · n), counted from one; no interpolation."""
    return vector[-(-len(vector) * percentage // 100) - 1]


def convergence(objective, iterations):
    best = optimum(objective, [entry["score"] for entry in iterations])
    return {
        "totalIterations": len(iterations),
        "bestIteration": best,
        "bestScore": iterations[best]["score"],
        "bestFactors": iterations[best]["factors"],
    }


def optimum(objective, scores):
    """The index of the best score; of equal ones the first."""
    return scores.index(max(scores) if objective == "MAXIMIZE" else min(scores))


def share(part, whole):
    return part / whole if whole else 0.0


def now():
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def excerpt(text):
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def identity(name):
    """A declared name, or, where it is too long, its beginning and a hash of the whole: names that begin alike stay apart."""
    if len(name) <= LONGEST:
        return name
    digest = 0xCBF29CE484222325  # FNV-1a
    for byte in name.encode("utf-8"):
        digest = (digest ^ byte) * 0x100000001B3 % 2**64
    return f"{name[: LONGEST - 17]}~{digest:016x}"


# YAML. Any writer will do; what matters is that readers of YAML 1.1 and of YAML 1.2 get the same values.
#  - Every string is quoted, keys too: 'yes', '1:20' and '2026-01-01' have other types where they are bare.
#  - JSON's escapes for characters beyond U+FFFF are pairs of surrogates, which YAML does not know: such characters are
#    written as they are. Controls, line separators and noncharacters may not stand in YAML and are escaped.
#  - A key that is longer than 1,024 as it is written needs the `? ` form.
#  - A number such as 1e-07 is a string for YAML 1.1: it wants 1.0e-07.

HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\xa0\xad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\uf8ff\ufdd0-\ufdef\ufeff\ufff9-\uffff"
    + "".join(chr(plane << 16 | 0xFFFE) + chr(plane << 16 | 0xFFFF) for plane in range(1, 17))
    + "]"
)


def to_yaml(value):
    return "".join(line + "\n" for line in block(value, ""))


def block(value, indent):
    """The lines of a mapping or a sequence that is not empty."""
    if isinstance(value, dict):
        for key, item in value.items():
            key = quoted(key)
            if len(key.encode("utf-8")) > 1024:
                yield f"{indent}? {key}"
                key = ""
            yield from entry(f"{indent}{key}:", item, indent)
    else:
        for item in value:
            if isinstance(item, dict) and item:
                lines = block(item, indent + "  ")
                yield f"{indent}- {next(lines).lstrip(' ')}"
                yield from lines
            else:
                yield from entry(f"{indent}-", item, indent)


def entry(head, item, indent):
    if isinstance(item, (dict, list)) and item:
        yield head
        yield from block(item, indent + "  ")
    else:
        yield f"{head} {scalar(item)}"


def scalar(value):
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, float):
        return re.sub(r"^(-?\d+)e", r"\1.0e", repr(value))
    return json.dumps(value)


def quoted(text):
    text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return '"' + HIDDEN.sub(lambda found: escape(ord(found[0])), text) + '"'


def escape(code):
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
