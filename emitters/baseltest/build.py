"""Installs one version of baseltest into a virtual environment of its own, for the adapter beside this file.

The version is BASELTEST_VERSION (0.27.0 unless it is set); the environment is `.environments/<version>` beside this file, or
below BASELTEST_ENVIRONMENTS. An environment that is already complete is left as it is.
"""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

OLDEST = (3, 11)


def main():
    if sys.version_info < OLDEST:
        found, wanted = (".".join(map(str, version[:2])) for version in (sys.version_info, OLDEST))
        sys.exit(f"this is Python {found}; baseltest needs {wanted} or later as `python3`")
    version = os.environ.get("BASELTEST_VERSION", "0.27.0")
    folder = Path(os.environ.get("BASELTEST_ENVIRONMENTS", Path(__file__).resolve().parent / ".environments"))
    environment = folder / version
    # Written last, so that an installation that was interrupted is not taken for a whole one.
    complete = environment / "complete"
    if complete.exists():
        print(f"baseltest {version} is there: {environment}")
        return
    shutil.rmtree(environment, ignore_errors=True)
    venv.create(environment, with_pip=True)
    python = environment / "bin" / "python"
    install = [python, "-m", "pip", "install", "--disable-pip-version-check", "--quiet", f"baseltest[declarative]=={version}"]
    if subprocess.run(install).returncode != 0:
        sys.exit(f"pip could not install baseltest {version} into {environment}")
    # Compiled once here, and not by several processes at a time when scenarios run.
    subprocess.run([python, "-c", "import baseltest.declarative"], check=True)
    complete.touch()
    print(f"baseltest {version} was installed: {environment}")


if __name__ == "__main__":
    main()
