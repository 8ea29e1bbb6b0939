#!/usr/bin/env python3
"""A conform emitter: reads one scenario, writes its document, or its documents. Which kind, the scenario's suite says.

Start your own adapter from this file. It needs Python 3.9 and nothing else. As it is shipped it conforms: each family's module works the
documents out by itself. Replace what the module of your family does by a call of your framework, drop the others from emit(), and
keep the rest.

    echo '{"suite": …, "input": …}' | python3 emitter.py

Standard output: the document; several documents are files in the folder that CONFORM_OUT names. Exit code 0: emitted; 77: this emitter
does not support the scenario, and says why on standard error; any other: it failed.
"""

import json
import os
import sys
from pathlib import Path

import mavai
import mavai_siblings
import orbiplex
import torneo
from unsupported import Unsupported

UNSUPPORTED = 77


def emit(scenario):
    """What a scenario comes to, a dict with `suite`, `scenario` (its name) and `input`: one text, or texts by the names of their files."""
    suites = {
        "mavai-optimize-1": mavai.optimize,
        "mavai-explore-1": mavai_siblings.explore,
        "mavai-baseline-1": mavai_siblings.baseline,
        "torneo-epreuve-v1": torneo.epreuve,
        "orbiplex-task-pack-execution-v1": orbiplex.execution,
    }
    if scenario["suite"] not in suites:
        raise Unsupported(f"suite {scenario['suite']} is none of {', '.join(suites)}")
    return suites[scenario["suite"]](scenario["input"])


def main():
    try:
        emitted = emit(json.loads(sys.stdin.buffer.read().decode("utf-8")))
    except Unsupported as reason:
        print(reason, file=sys.stderr)
        return UNSUPPORTED
    except (KeyError, TypeError, ValueError) as error:
        print(f"this is no scenario of a suite that this emitter knows: {error!r}", file=sys.stderr)
        return 1
    # As bytes: a document is UTF-8 whatever the locale, and its line ends are not translated.
    texts = [emitted] if isinstance(emitted, str) else list(emitted.values())
    if len(texts) == 1:
        sys.stdout.buffer.write(texts[0].encode("utf-8"))
        return 0
    for name, text in emitted.items():
        (Path(os.environ["CONFORM_OUT"]) / name).write_bytes(text.encode("utf-8"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
