"""The experiments of a scenario, one way for each suite, as projects of baseltest."""

import re
from importlib.metadata import version

from project import SCORER, STEPPER, Unsupported, project

# What the framework demands of a run's id, which names the file, and of a configuration's keys.
RUN_ID = re.compile(r"[A-Za-z0-9._-]+")
# The contract's own confidence is that of a test's verdict, and not of a baseline.
CONFIDENCE = 0.95
# Version 0.16 takes a configuration's name for a factor.
NAMES = tuple(int(part) for part in version("baseltest").split(".")[:2]) > (0, 16)
RESERVED_FACTORS = {"binding", "runMode", "serviceType", "taskFile", "taskFormat"}


def optimization(run):
    if not RUN_ID.fullmatch(run["experiment"]):
        raise Unsupported("a run's id has letters, digits, dots, underscores and hyphens only")
    iterations = run["iterations"]
    for iteration in iterations:
        allowed(iteration["factors"], "factor")
    declared = {
        "id": run["experiment"],
        "stepper": STEPPER,
        "objective": run["objective"].lower(),
        "max-iterations": len(iterations),
    }
    if run["scorer"] == "stated":
        declared["scorer"] = SCORER
    services = {"configuration": iterations[0]["factors"], "optimizations": [declared]}
    return project(run, [iteration["trials"] for iteration in iterations], services)


def exploration(run):
    """An exploration, and its configurations in the order in which they are tried: the base comes first."""
    configurations = sorted(run["configurations"], key=lambda configuration: not configuration.get("base", False))
    if any(configuration.get("termination", "COMPLETED") != "COMPLETED" for configuration in configurations):
        raise Unsupported("as many samples are executed as are planned; none can be cut short")
    base, *others = configurations
    services = {"configuration": base.get("factors", {})}
    if others:
        services["explorations"] = [entry(configuration) for configuration in others]
    for configuration in configurations:
        allowed(configuration.get("factors", {}), "factor")
    return project(run, [configuration["trials"] for configuration in configurations], services), configurations


def entry(configuration):
    factors = configuration.get("factors", {})
    return {"configurationName": configuration["name"], **factors} if "name" in configuration and NAMES else factors


def measurements(run):
    """A project for each time that the service is measured."""
    if "expiresInDays" in run:
        raise Unsupported("a baseline does not expire")
    if run["confidenceLevel"] != CONFIDENCE:
        raise Unsupported(f"a baseline is always at a confidence of {CONFIDENCE}")
    if any(criterion["mode"] != "inferential" for criterion in run["criteria"]):
        raise Unsupported("every criterion is inferential")
    if run.get("termination", "COMPLETED") != "COMPLETED":
        raise Unsupported("as many samples are executed as are planned; none can be cut short")
    allowed(run["covariates"], "covariate")
    measured = [run, {**run, **run["again"]}] if "again" in run else [run]
    return [project(one, [one["trials"]], {"configuration": one["covariates"]}, one["service"]) for one in measured]


def allowed(names, noun):
    reserved = RESERVED_FACTORS.intersection(names)
    if reserved:
        raise Unsupported(f"the {noun} {min(reserved)} is a name that the framework keeps for itself")


PLANS = {"mavai-optimize-1": optimization, "mavai-explore-1": exploration, "mavai-baseline-1": measurements}
