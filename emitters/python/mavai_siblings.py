"""The mavai siblings: explore documents, one a configuration, and baseline documents, one a measurement.

explore() and baseline() get what happened in an experiment (docs/scenarios-mavai-siblings.md explains each field) and return the
documents' texts by the names of their files, in order. To test a framework, replace them as mavai.py says of optimize(): run the
framework's own explore or measure experiment, and return each file that it wrote, byte for byte.
"""

import hashlib
from datetime import datetime, timedelta
from statistics import NormalDist

import mavai

PERCENTILES = (mavai.PERCENTILES[0], ("p90Ms", 90, 10), *mavai.PERCENTILES[1:])  # those of a baseline


def explore(run):
    # Named by number: a configuration's name need not be one that a file can have.
    return {f"configuration-{index:04}.yaml": mavai.to_yaml(document) for index, document in enumerate(configurations(run))}


def configurations(run):
    return [configuration(run, entry) for entry in run["configurations"]]


def configuration(run, entry):
    result = {
        "schemaVersion": "mavai-explore-1",
        "serviceContractId": mavai.identity(run["contract"]),
        "experimentId": mavai.identity(run["experiment"]),
        "configuration": mavai.identity(entry["configuration"]),
    }
    if "name" in entry:
        result["configurationName"] = mavai.identity(entry["name"])
    if entry.get("base", False):
        result["baseConfiguration"] = True
    result["generatedAt"] = mavai.now()
    if "factors" in entry:
        result["factors"] = mavai.factors(entry)
    result["inputs"] = mavai.inputs(run)
    result.update(mavai.counted(run, entry))
    return result


def baseline(run):
    # A second measurement is the first one but for its inputs and its trials.
    measurements = [run, {**run, **run["again"]}] if "again" in run else [run]
    return {f"measurement-{index}.yaml": sealed(measured(one)) for index, one in enumerate(measurements)}


def sealed(document):
    """The document's text, whose last line is the digest of the text before it."""
    text = mavai.to_yaml(document)
    return text + mavai.to_yaml({"contentFingerprint": fingerprint(text)})


def fingerprint(text):
    return "sha256:" + digest(text)


def digest(text):
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def measured(run):
    trials = run["trials"]
    reasons = [[mavai.judge(criterion, trial) for criterion in run["criteria"]] for trial in trials]
    passing = [trial["latencyMs"] for trial, own in zip(trials, reasons) if mavai.attribute(own) is None]
    result = {
        "schemaVersion": "mavai-baseline-1",
        "serviceContractId": mavai.identity(run["contract"]),
        "serviceName": mavai.identity(run["service"]),
        "generatedAt": mavai.now(),
        "confidenceLevel": run["confidenceLevel"],
        "inputsIdentity": inputs_identity(run["inputs"]),
        "inputs": mavai.inputs(run),
        "covariateProfile": {mavai.identity(name): value for name, value in run["covariates"].items()},
        "execution": mavai.execution(run, run),
        "criteria": {
            mavai.identity(criterion["name"]): concluded(run, criterion, [own[position] for own in reasons])
            for position, criterion in enumerate(run["criteria"])
        },
        "cost": mavai.cost(trials),
        **mavai.latency(passing, len(trials), PERCENTILES),
    }
    if "expiresInDays" in run:
        result["expiration"] = expiration(result["generatedAt"], run["expiresInDays"])
    return result


def inputs_identity(inputs):
    """The same for the same inputs in any order: the digest of the inputs' own digests, sorted."""
    return digest("".join(sorted(digest(text) for text in inputs)))


def concluded(run, criterion, reasons):
    trials, successes = len(reasons), reasons.count(None)
    block = {"mode": criterion["mode"]}
    if "procedure" in criterion:
        block["procedure"] = criterion["procedure"]
    block.update(trials=trials, successes=successes)
    if criterion["mode"] == "inferential":
        block.update(inferred(successes, trials, run["confidenceLevel"]))
    block.update(mavai.distribution(run, reasons))
    for entry in block.get("failureDistribution", []):
        if entry["kind"] == "evaluated":
            entry["reason"] = "condition"
    block["standings"] = mavai.standings(run, criterion, run["trials"])
    return block


def inferred(successes, trials, confidence):
    """The rate and its bound. From no trials nothing follows: no rate, and no bound, which is stated as such."""
    if not trials:
        return {"wilsonLowerBound": None}
    return {"observedPassRate": mavai.share(successes, trials), "wilsonLowerBound": lower_bound(successes, trials, confidence)}


def lower_bound(successes, trials, confidence):
    """Wilson's one-sided lower bound of a rate."""
    if not successes:
        return 0.0
    rate, z = successes / trials, NormalDist().inv_cdf(confidence)
    centre = rate + z * z / (2 * trials)
    margin = z * (rate * (1 - rate) / trials + z * z / (4 * trials * trials)) ** 0.5
    return min(max((centre - margin) / (1 + z * z / trials), 0.0), 1.0)


def expiration(generated_at, days):
    instant = datetime.strptime(generated_at, "%Y-%m-%dT%H:%M:%SZ") + timedelta(days=days)
    return {"expiresInDays": days, "expiresAt": instant.strftime("%Y-%m-%dT%H:%M:%SZ")}
