"""baseltest itself: lives through a project and hands back the bytes that it wrote."""

import tempfile
from importlib.metadata import version
from pathlib import Path

from baseltest.contract import TransformError
from baseltest.declarative import Bindings, optimize as run_optimizations

import delivery
from clock import Clock
from project import FACTORY, SCORER, STEPPER
from script import Script

VERSION = version("baseltest")
CLOCK = Clock()
CLOCK.install("baseltest")


def optimize(project):
    CLOCK.restart()
    with tempfile.TemporaryDirectory(prefix="baseltest-") as folder:
        folder = Path(folder)
        (folder / "contract.yaml").write_text(project.contract, encoding="utf-8")
        (folder / "mavai-services.yaml").write_text(project.services, encoding="utf-8")
        (outcome,) = run_optimizations(
            folder / "contract.yaml",
            samples_per_iteration=project.samples,
            optimizations_dir=folder / "optimizations",
            emit=False,
            bindings=bindings(project),
        )
        if outcome.path is None:
            raise RuntimeError(f"the run was aborted and wrote nothing: {outcome.defect}")
        return outcome.path.read_bytes()


def bindings(project):
    """What an author registers in mavai-bindings.py, played back from the script."""
    script = Script(project.run)
    registered = Bindings()

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
