"""The register of one script's faults. Each is one fault in a module of the Python template, which can be imported after this."""

import copy
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))


class Faults:
    def __init__(self, module):
        self.module = module
        self.installers = {}

    def instead_of(self, function, module=None):
        """The decorated function takes the place of the template's, which it is given as its first argument."""
        module = module or self.module

        def register(fault):
            def install():
                original = getattr(module, function)
                setattr(module, function, lambda *arguments: fault(original, *arguments))

            self.installers[fault.__name__.replace("_", "-")] = install
            return fault

        return register

    def spoils(self, function):
        """The decorated function changes what a function of the template returns, given that one's last argument."""

        def register(fault):
            def spoiled(original, *arguments):
                result = copy.deepcopy(original(*arguments))
                fault(result, arguments[-1])
                return result

            spoiled.__name__ = fault.__name__
            self.instead_of(function)(spoiled)
            return fault

        return register

    def main(self):
        """Runs the template with the fault that the command line names."""
        import emitter

        if len(sys.argv) != 2 or sys.argv[1] not in self.installers:
            names = "\n  ".join(sorted(self.installers))
            sys.exit(f"usage: {Path(sys.argv[0]).name} NAME, where NAME is one of\n  {names}")
        self.installers[sys.argv[1]]()
        sys.exit(emitter.main())
