"""The Orbiplex part of the template: the signed record of a task-pack execution, an orbiplex-task-pack-execution-v1 document.

execution() gets what a host knows about a run (docs/scenarios-orbiplex.md explains each field) and returns the record's text. To
test a host, replace it as emitter.py says: give the host the test key of run["signingSeed"], have it record exactly this run, and
return its record byte for byte. A record that is parsed and written again may still verify, and hides what the host wrote.
"""

import base64
import hashlib
import json

import ed25519

REF_PREFIX = "corpus-task-pack-execution:"
DOMAIN = b"corpus-experiment-task-pack-execution.v1"  # of the signature; not the prefix of the ref
MULTICODEC = b"\xed\x01"  # what says that the bytes after it are an Ed25519 public key

ENDINGS = {
    ("verifier", "yes"): ("verified", None),
    ("verifier", "no"): ("verification-failed", None),
    ("verifier", "timed-out"): ("refused", "verifier/timeout"),
    ("verifier", "check-missing"): ("refused", "verifier/check-missing"),
    ("verifier", "mutated"): ("refused", "verifier/mutation-not-admitted"),
    ("verifier", "unavailable"): ("refused", "verifier/unavailable"),
    ("breach", "isolation"): ("refused", "environment/not-contained"),
    ("breach", "egress"): ("refused", "environment/runtime-egress-denied"),
}


def execution(run):
    return to_json(seal(record(run), bytes.fromhex(run["signingSeed"])))


def record(run):
    """The record but for its ref and its signature, which follow from the rest."""
    result = {"schema/v": 1, "query/id": run["query"], "room/id": run["room"]}
    for name in ("proposal", "review", "decision"):
        result[f"{name}/ref"] = run[name]
        result[f"{name}/digest"] = run[name][run[name].rindex("sha256:") :]
    result["candidate"] = {
        "artifact/type": "operator-task-experiment-candidate.v1",
        "ref": run["candidate"]["ref"],
        "artifact-ref": address(run["candidate"]["digest"]),
        "digest": run["candidate"]["digest"],
    }
    result["target"] = {
        "task-profile/ref": run["target"]["profile"],
        "task-profile/digest": run["target"]["profileDigest"],
        "binding/ref": run["target"]["binding"],
    }
    if "adoption" in run:
        result["candidate/adoption-ref"] = run["adoption"]
    result["plan/ref"] = run["plan"]["ref"]
    result["plan/digest"] = run["plan"]["digest"]
    result["run/ref"] = run["run"]
    if "environment" in run:
        result["environment/ref"] = run["environment"]
    result["outcome"], code = ending(run["ended"])
    if code is not None:
        result["refusal/code"] = code
    result["result/digest"] = run["result"]
    result["evidence"] = [item(step) for step in evidence(run)]
    result["host/node-id"] = "node:did:key:" + multibase(ed25519.public_key(bytes.fromhex(run["signingSeed"])))
    result["recorded-at"] = run["recordedAt"]
    result["idempotency/key"] = run["idempotencyKey"]
    return result


def ending(ended):
    """The outcome, and the code of a refusal or None. What is uncertain stays unknown."""
    ((how, what),) = ended.items()
    if how == "refused":
        return "refused", what
    if how in ("cancelled", "uncertain"):
        return {"cancelled": "cancelled", "uncertain": "unknown"}[how], None
    return ENDINGS[how, what]


def evidence(run):
    """The answers that are evidence of the run, in order: those of its own instance that may be listed."""
    return [step for step in run["steps"] if step["listed"] and step["environment"] == run.get("environment")]


def item(step):
    """Where an answer is kept, and nothing of what it says."""
    return {
        "step/id": step["id"],
        "artifact-ref": address(step["artifact"]),
        "digest": step["artifact"],
        "environment/ref": step["environment"],
    }


def address(digest):
    return f"object-store:{digest}"


# The seal: first the ref, over everything else; then the signature, over everything else and the ref.


def seal(unsealed, seed):
    named = {**unsealed, "execution/ref": REF_PREFIX + digest(canonical(unsealed))}
    return {**named, "signature": signature(canonical(named), seed)}


def signature(payload, seed):
    return {
        "alg": "ed25519+domain-v1",
        "key/public": multibase(ed25519.public_key(seed)),
        "value": base64url(ed25519.sign(seed, message(payload))),
    }


def message(payload):
    """The 32 bytes that are signed in the payload's stead: it is wrapped with its domain, each after its length, and hashed."""
    wrapped = b"orbiplex-sig-v1\0" + len(DOMAIN).to_bytes(4, "big") + DOMAIN + len(payload).to_bytes(8, "big") + payload
    return hashlib.sha256(wrapped).digest()


def canonical(value):
    """A record's canonical bytes (RFC 8785): members sorted by UTF-16, no spaces, UTF-8, and only those escapes that JSON demands."""
    return json.dumps(in_order(value), ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def in_order(value):
    if isinstance(value, dict):
        return {name: in_order(value[name]) for name in sorted(value, key=lambda name: name.encode("utf-16-be"))}
    return [in_order(one) for one in value] if isinstance(value, list) else value


def digest(data):
    return "sha256:" + base64url(hashlib.sha256(data).digest())


def base64url(data):
    return base64.urlsafe_b64encode(data).decode("ascii").rstrip("=")


def multibase(key):
    """A public key as text: z, for base58btc, and the digits of its bytes read as one number."""
    value, text = int.from_bytes(MULTICODEC + key, "big"), ""
    while value:
        value, rest = divmod(value, 58)
        text = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"[rest] + text
    return "z" + text


def to_json(value):
    """The document. Its layout is free: what is signed is the canonical form, whatever the document looks like."""
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
