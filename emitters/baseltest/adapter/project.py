"""A scenario as a project of baseltest: the files that an author would write, or the reason why there can be none.

Only what the framework has no way to live through is refused here. What it lives through and then writes down wrongly is for
conform to find.
"""

import json
from dataclasses import dataclass

SERVICE = "service"
FACTORY = "scripted"
STEPPER = "scripted"
SCORER = "stated"


class Unsupported(Exception):
    """The framework cannot be brought to live through the scenario; the message says why, in one line."""


@dataclass(frozen=True)
class View:
    """A view of the response whose transform fails where the script says so, taking the checks after it along."""

    name: str
    criterion: int
    check: int


@dataclass(frozen=True)
class Project:
    """An experiment of a scenario: what happens in it, and the two files that declare it."""

    run: dict
    trials: list
    samples: int
    contract: str
    services: str
    views: tuple


def project(run, groups, services, service=SERVICE):
    """The project of an experiment whose trials come in such groups, each of which executes all samples that are planned."""
    trials = [trial for group in groups for trial in group]
    refuse(run, groups, trials)
    views = tuple(View(f"view-{at}-{check}", at, check) for at, check in sorted(transforms(run, trials)))
    named = {(view.criterion, view.check): view.name for view in views}
    return Project(
        run=run,
        trials=trials,
        samples=run["samplesPlanned"],
        contract=to_yaml(contract(run, service, named)),
        services=to_yaml({"format": "mavai-services/1", "services": {service: {"type": FACTORY, **services}}}),
        views=views,
    )


def refuse(run, groups, trials):
    planned = run["samplesPlanned"]
    if any(len(group) != planned for group in groups):
        raise Unsupported("as many samples are executed as are planned; none can be cut short")
    if run["clock"] == "virtual" and any(trial["latencyMs"] != int(trial["latencyMs"]) for trial in trials):
        raise Unsupported("latencies are recorded in whole milliseconds")
    if planned == 0:
        raise Unsupported("at least one sample is executed")
    per_input = any("input" in check for criterion in run["criteria"] for check in criterion["checks"])
    if per_input and len(run["criteria"]) > 1:
        raise Unsupported("an input's own expectations need a contract with a single criterion")
    for criterion in run["criteria"]:
        own = ["input" in check for check in criterion["checks"]]
        if own != sorted(own):
            raise Unsupported("an input's own expectations are always judged after the criterion's checks")
        if all(own):
            raise Unsupported("a criterion has at least one check of its own beside its inputs' expectations")


def transforms(run, trials):
    """The checks, by criterion and position, that must fail for want of a view: all after them are skipped."""
    found = set()
    for trial in (trial for trial in trials if "checks" in trial):
        for at, criterion in enumerate(run["criteria"]):
            applied = [check for check in criterion["checks"] if check.get("input", trial["input"]) == trial["input"]]
            outcomes = [trial["checks"][check["name"]] for check in applied]
            if "skip" not in outcomes:
                continue
            first = outcomes.index("skip")
            if outcomes[first - 1] != "fail" or set(outcomes[first:]) != {"skip"} or first == 0:
                raise Unsupported("checks are skipped only from a failed transform to the criterion's last check")
            found.add((at, criterion["checks"].index(applied[first - 1])))
    return found


def contract(run, service, views):
    criteria = []
    for at, criterion in enumerate(run["criteria"]):
        entry = {"name": criterion["name"]}
        if "optionalSlack" in criterion:
            slack = criterion["optionalSlack"]
            entry["optional-slack"] = slack if slack.endswith("%") else int(slack)
        entry["postconditions"] = [
            form(check, views.get((at, position)))
            for position, check in enumerate(criterion["checks"])
            if "input" not in check
        ]
        criteria.append(entry)
    result = {"format": "mavai-contract/1", "contract": run["contract"], "service": service}
    if views:
        result["transforms"] = {name: name for name in views.values()}
    result["inputs"] = [
        stated(text, [form(check, None) for check in run["criteria"][0]["checks"] if check.get("input") == index])
        for index, text in enumerate(run["inputs"])
    ]
    result["criteria"] = criteria
    return result


def form(check, view):
    entry = {"satisfies": check["name"]}
    if view:
        entry["in"] = view
    if check.get("optional", False):
        entry["optional"] = True
    return entry


def stated(text, expected):
    return {"input": text, "expected": expected} if expected else text


# JSON is YAML, except that a character beyond U+FFFF is two escaped surrogates in JSON, and one escape of its own in YAML.
def to_yaml(value):
    text = json.dumps(value, ensure_ascii=False)
    return "".join(character if " " <= character < "\x7f" else escaped(ord(character)) for character in text)


def escaped(code):
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
