"""Delivery events, as the framework's own language-model service meets them.

What a failed request is called is the framework's decision. So the request is made by its own code, and only the answer of
the network is scripted.
"""

import contextlib
import io
import json
import os
import socket
import urllib.error
import urllib.request

from baseltest.declarative import Bindings

from project import Unsupported

ENDPOINT = "http://model.invalid/v1/chat/completions"


def fail(event):
    """Raises what the framework's service raises at an event. If it delivers something instead, that is returned."""
    with network(event):
        return invoker()("prompt")


def invoker():
    os.environ["MAVAI_LLM_ENDPOINT"] = ENDPOINT
    os.environ.pop("MAVAI_LLM_API_KEY", None)
    kind = Bindings()._registry.find_type("language-model")
    return kind.invoker(kind.parse("service", {"model": "scripted", "system-prompt": "scripted"}, "configuration"))


@contextlib.contextmanager
def network(event):
    original = urllib.request.urlopen
    urllib.request.urlopen = lambda request, data=None, timeout=None, **_: happens(event, request, timeout)
    try:
        yield
    finally:
        urllib.request.urlopen = original


def happens(event, request, timeout):
    if event == "name-resolution-failed":
        raise urllib.error.URLError(socket.gaierror(socket.EAI_NONAME, "Name or service not known"))
    if event == "connection-refused":
        raise urllib.error.URLError(ConnectionRefusedError(111, "Connection refused"))
    if event == "deadline-elapsed":
        if timeout is None:
            raise Unsupported("this version waits for an answer without a deadline of its own")
        raise TimeoutError("timed out")
    if event == "empty-body":
        # A complete answer of the right shape that holds no text.
        return io.BytesIO(json.dumps({"choices": [{"message": {"role": "assistant", "content": None}}]}).encode())
    if event.startswith("http-"):
        status = int(event.removeprefix("http-"))
        raise urllib.error.HTTPError(request.full_url, status, "scripted", {}, io.BytesIO(b""))
    raise RuntimeError(f"no such event: {event}")
