"""baseltest itself: lives through a scenario and hands back the bytes that it wrote."""

import contextlib
import tempfile
from importlib.metadata import version
from pathlib import Path

from baseltest import declarative as framework
from baseltest.contract import TransformError

import delivery
from clock import Clock
from project import FACTORY, SCORER, STEPPER, Unsupported
from script import Script

VERSION = version("baseltest")
CONTRACT = "contract.yaml"
CLOCK = Clock()
CLOCK.install("baseltest")


def emit(suite, planned):
    """The documents that the framework writes of what was planned for a suite: bytes by the names of their files."""
    return SUITES[suite](planned)


def optimize(project):
    with written(project) as folder:
        (outcome,) = framework.optimize(
            folder / CONTRACT,
            samples_per_iteration=project.samples,
            optimizations_dir=folder / "optimizations",
            emit=False,
            bindings=bindings(project),
        )
        if outcome.path is None:
            raise RuntimeError(f"the run was aborted and wrote nothing: {outcome.defect}")
        return {outcome.path.name: outcome.path.read_bytes()}


def explore(planned):
    project, configurations = planned
    with written(project) as folder:
        explored = framework.explore(
            folder / CONTRACT,
            samples_per_config=project.samples,
            explorations_dir=folder / "explorations",
            emit=False,
            bindings=bindings(project),
        )
        for aborted in explored.aborted:
            raise RuntimeError(f"a configuration was aborted and wrote nothing: {aborted.diagnosis}")
        for configuration, own in zip(configurations, explored):
            if own.path.stem != configuration["configuration"]:
                raise Unsupported(f"a configuration is named after its factors, as here {own.path.stem}")
        return {own.path.name: own.path.read_bytes() for own in explored}


def measure(projects):
    documents = {}
    for at, project in enumerate(projects):
        with written(project) as folder:
            baselines = folder / "baselines"
            framework.run(
                folder / CONTRACT, "measure", samples=project.samples, baseline_dir=baselines, emit=False, bindings=bindings(project)
            )
            (path,) = baselines.iterdir()
            # The same inputs in another order have the same file name.
            documents[f"{at}-{path.name}"] = path.read_bytes()
    return documents


SUITES = {"mavai-optimize-1": optimize, "mavai-explore-1": explore, "mavai-baseline-1": measure}


@contextlib.contextmanager
def written(project):
    """A folder with the project's files, which is gone afterwards."""
    CLOCK.restart()
    with tempfile.TemporaryDirectory(prefix="baseltest-") as folder:
        folder = Path(folder)
        (folder / CONTRACT).write_text(project.contract, encoding="utf-8")
        (folder / "mavai-services.yaml").write_text(project.services, encoding="utf-8")
        yield folder


def bindings(project):
    """What an author registers in mavai-bindings.py, played back from the script."""
    script = Script(project.run, project.trials)
    registered = framework.Bindings()

    @registered.binding_factory(FACTORY)
    def scripted(**_configuration):
        def invoke(_input):
            trial = script.next_trial()
            CLOCK.advance(trial["latencyMs"])
            return delivery.fail(trial["event"]) if "event" in trial else trial["response"]

        return invoke

    @registered.stepper(STEPPER)
    def stepper():
        return lambda _current, context: script.factors(context.iteration)

    @registered.scorer(SCORER)
    def scorer(_summary):
        return script.next_score()

    for name in {check["name"] for criterion in project.run["criteria"] for check in criterion["checks"]}:
        registered.check(name)(lambda subject, name=name: script.passes(name, subject))

    for view in project.views:

        def transform(response, view=view):
            if script.skips_after(view):
                raise TransformError("the scenario's transform fails here")
            return response

        registered.transform(view.name)(transform)

    return registered
