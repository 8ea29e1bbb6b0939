"""Speaks conform's emitter protocol on behalf of baseltest.

The name of a scenario in the environment means that there is this one, on standard input. Without it there is a session: a
greeting, and then a request on each line (docs/adapters.md).
"""

import json
import os
import sys
from pathlib import Path

from experiments import PLANS
from project import Unsupported

UNSUPPORTED = 77


def main():
    # The framework prints to standard output, where only documents and answers may be: its output goes to standard error.
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    if "CONFORM_SCENARIO" in os.environ:
        return single(json.load(sys.stdin.buffer))
    return session(sys.stdin.buffer, out)


def single(scenario):
    try:
        documents = emit(scenario)
    except Unsupported as reason:
        print(reason, file=sys.stderr)
        return UNSUPPORTED
    for name, text in documents.items():
        (Path(os.environ["CONFORM_OUT"]) / name).write_bytes(text)
    return 0


def session(requests, out):
    from framework import VERSION

    def answer(message):
        out.write(json.dumps(message).encode("utf-8") + b"\n")
        out.flush()

    requests.readline()
    answer({"conform": 1, "emitter": {"name": "baseltest", "version": VERSION}, "suites": list(PLANS)})
    for line in requests:
        request = json.loads(line)
        try:
            # JSON carries text: a document that is no UTF-8 could not be handed on as it is.
            documents = [{"name": name, "text": text.decode("utf-8")} for name, text in emit(request).items()]
            result = {"documents": documents}
        except Unsupported as reason:
            result = {"unsupported": str(reason)}
        except Exception as error:  # what the framework refuses or breaks on fails this scenario and no other
            result = {"error": f"{type(error).__name__}: {error}"}
        answer({"id": request["id"], **result})
    sys.stderr.flush()
    # Taking down the numeric libraries that the framework loads can last longer than a session's end may.
    os._exit(0)


def emit(scenario):
    planned = PLANS[scenario["suite"]](scenario["input"])
    # Imported only now: a scenario that is not supported needs no framework.
    import framework

    return framework.emit(scenario["suite"], planned)


if __name__ == "__main__":
    sys.exit(main())
