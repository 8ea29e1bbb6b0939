"""Speaks conform's emitter protocol on behalf of baseltest.

The first line of standard input tells the mode: a greeting opens a session, a scenario is the one to emit (docs/adapters.md).
"""

import json
import os
import sys

from project import Unsupported

UNSUPPORTED = 77


def main():
    # The framework prints to standard output, where only documents and answers may be: its output goes to standard error.
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    first = sys.stdin.buffer.readline()
    message = json.loads(first + (b"" if is_greeting(first) else sys.stdin.buffer.read()))
    return session(out) if "conform" in message else single(message, out)


def is_greeting(line):
    try:
        return "conform" in json.loads(line)
    except ValueError:
        return False


def single(scenario, out):
    try:
        text = emit(scenario["input"])
    except Unsupported as reason:
        print(reason, file=sys.stderr)
        return UNSUPPORTED
    out.write(text)
    out.flush()
    return 0


def session(out):
    from framework import VERSION

    def answer(message):
        out.write(json.dumps(message).encode("utf-8") + b"\n")
        out.flush()

    answer({"conform": 1, "emitter": {"name": "baseltest", "version": VERSION}, "suites": ["mavai-optimize-1"]})
    for line in sys.stdin.buffer:
        request = json.loads(line)
        try:
            # JSON carries text: a document that is no UTF-8 could not be handed on as it is.
            text = emit(request["input"]).decode("utf-8")
            result = {"documents": [{"name": "document.yaml", "text": text}]}
        except Unsupported as reason:
            result = {"unsupported": str(reason)}
        except Exception as error:  # what the framework refuses or breaks on fails this scenario and no other
            result = {"error": f"{type(error).__name__}: {error}"}
        answer({"id": request["id"], **result})
    sys.stderr.flush()
    # Taking down the numeric libraries that the framework loads can last longer than a session's end may.
    os._exit(0)


def emit(run):
    from project import plan

    project = plan(run)
    # Imported only now: a scenario that is not supported needs no framework.
    import framework

    return framework.optimize(project)


if __name__ == "__main__":
    sys.exit(main())
