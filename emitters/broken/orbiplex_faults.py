#!/usr/bin/env python3
"""Emitters that are each wrong in one way: `python3 orbiplex_faults.py NAME` is the Python template with one fault in its Orbiplex part.

Each replaces one function of the template, or spoils its record before or after it is sealed; orbiplex.toml says in which scenario a
fault shows and which obligations it trips. Without a name, the names are listed.
"""

import base64
import hashlib
import json
import sys
import unicodedata
from datetime import datetime, timezone

sys.dont_write_bytecode = True
from register import Faults  # noqa: E402

import orbiplex  # noqa: E402

faults = Faults(orbiplex)
instead_of = faults.instead_of
before_sealing = faults.spoils("record")
after_sealing = faults.spoils("seal")


def another_seed(seed):
    return hashlib.sha256(seed).digest()


# ── What is hashed ──


@after_sealing
def edited_after_signing(record, seed):
    record["plan/ref"] += "-corrected"


@instead_of("seal")
def adoption_not_covered(original, unsealed, seed):
    """The adoption is looked up once the record is sealed."""
    adoption = unsealed.pop("candidate/adoption-ref")
    return {**original(unsealed, seed), "candidate/adoption-ref": adoption}


@instead_of("seal")
def ref_of_the_signed_record(original, unsealed, seed):
    """The ref is made last, of a record that has its signature already."""
    signed = {**unsealed, "signature": orbiplex.signature(orbiplex.canonical(unsealed), seed)}
    return {**signed, "execution/ref": orbiplex.REF_PREFIX + orbiplex.digest(orbiplex.canonical(signed))}


@instead_of("seal")
def ref_of_the_signed_message(original, unsealed, seed):
    """The ref is the digest with the domain in it, which is what the signature is made of."""
    ref = orbiplex.REF_PREFIX + "sha256:" + orbiplex.base64url(orbiplex.message(orbiplex.canonical(unsealed)))
    named = {**unsealed, "execution/ref": ref}
    return {**named, "signature": orbiplex.signature(orbiplex.canonical(named), seed)}


@instead_of("canonical")
def members_unsorted(original, value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


@instead_of("canonical")
def spaces_hashed(original, value):
    """Python's own separators, `", "` and `": "`."""
    return json.dumps(orbiplex.in_order(value), ensure_ascii=False).encode("utf-8")


@instead_of("canonical")
def escapes_for_ascii(original, value):
    return json.dumps(orbiplex.in_order(value), separators=(",", ":")).encode("utf-8")


@instead_of("canonical")
def normalised_for_hashing(original, value):
    """The document keeps its text, and what is hashed and signed is the composed form."""
    return unicodedata.normalize("NFC", original(value).decode("utf-8")).encode("utf-8")


@instead_of("canonical")
def slashes_escaped(original, value):
    return original(value).replace(b"/", b"\\/")


# ── What is signed, and by whom ──


@instead_of("seal")
def ref_not_signed(original, unsealed, seed):
    return {**original(unsealed, seed), "signature": orbiplex.signature(orbiplex.canonical(unsealed), seed)}


@instead_of("signature")
def domain_of_the_ref(original, payload, seed):
    orbiplex.DOMAIN = b"corpus-task-pack-execution.v1"
    return original(payload, seed)


@instead_of("message")
def payload_signed_raw(original, payload):
    return payload


@instead_of("message")
def digest_signed(original, payload):
    return hashlib.sha256(payload).digest()


@instead_of("message")
def lengths_little_endian(original, payload):
    domain = orbiplex.DOMAIN
    wrapped = b"orbiplex-sig-v1\0" + len(domain).to_bytes(4, "little") + domain + len(payload).to_bytes(8, "little") + payload
    return hashlib.sha256(wrapped).digest()


@instead_of("message")
def lengths_swapped(original, payload):
    domain = orbiplex.DOMAIN
    wrapped = b"orbiplex-sig-v1\0" + len(domain).to_bytes(8, "big") + domain + len(payload).to_bytes(4, "big") + payload
    return hashlib.sha256(wrapped).digest()


@instead_of("seal")
def other_key_than_host(original, unsealed, seed):
    """A service signs for the host, with the service's key."""
    return original(unsealed, another_seed(seed))


@after_sealing
def signed_by_another_key(record, seed):
    """The record names the host's key, and a key that was in use before has signed."""
    payload = orbiplex.canonical({name: value for name, value in record.items() if name != "signature"})
    record["signature"]["value"] = orbiplex.signature(payload, another_seed(seed))["value"]


@instead_of("multibase")
def leading_zero_dropped(original, key):
    """The key is kept as a number, whose leading zeros are lost."""
    return original(key.lstrip(b"\0"))


@instead_of("multibase")
def key_without_its_kind(original, key):
    orbiplex.MULTICODEC = b""
    return original(key)


# ── Texts of digests and signatures ──


def loosened(text):
    """The same bytes to a lenient reader: one of the low bits of the last character, which mean nothing, is set."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    return text[:-1] + alphabet[alphabet.index(text[-1]) + 1]


@after_sealing
def signature_not_canonical(record, seed):
    record["signature"]["value"] = loosened(record["signature"]["value"])


@before_sealing
def digest_not_canonical(record, run):
    record["plan/digest"] = loosened(record["plan/digest"])


@after_sealing
def signature_padded(record, seed):
    record["signature"]["value"] += "=="


@before_sealing
def digest_in_hexadecimal(record, run):
    data = base64.urlsafe_b64decode(run["result"][len("sha256:") :] + "=")
    record["result/digest"] = "sha256:" + data.hex()


@before_sealing
def digest_of_the_ref(record, run):
    """The digest beside a ref is made of the ref's text, instead of being its end."""
    record["review/digest"] = orbiplex.digest(record["review/ref"].encode("utf-8"))


# ── Evidence ──


@instead_of("evidence")
def evidence_of_all_instances(original, run):
    return [step for step in run["steps"] if step["listed"]]


@instead_of("evidence")
def evidence_adopted(original, run):
    """What another instance said is listed as if the run's own had said it."""
    return [{**step, "environment": run["environment"]} for step in run["steps"] if step["listed"]]


@instead_of("evidence")
def evidence_that_may_not_be_listed(original, run):
    return original({**run, "steps": [{**step, "listed": True} for step in run["steps"]]})


@instead_of("evidence")
def evidence_cut_to_31(original, run):
    return original(run)[:31]


@instead_of("evidence")
def evidence_once_a_digest(original, run):
    return list({step["artifact"]: step for step in original(run)}.values())


@instead_of("evidence")
def evidence_sorted(original, run):
    return sorted(original(run), key=lambda step: step["id"])


@before_sealing
def evidence_digest_of_another(record, run):
    """The digests have slipped by one, and the addresses have not."""
    digests = [item["digest"] for item in record["evidence"]]
    for item, digest in zip(record["evidence"], digests[1:] + digests[:1]):
        item["digest"] = digest


@instead_of("item")
def output_inline(original, step):
    return {**original(step), "output": step["output"]}


# ── How the run ended ──


@instead_of("ending")
def no_with_a_code(original, ended):
    outcome, code = original(ended)
    return outcome, "verifier/check-missing" if outcome == "verification-failed" else code


@instead_of("ending")
def timeout_as_a_no(original, ended):
    return ("verification-failed", None) if ended == {"verifier": "timed-out"} else original(ended)


@instead_of("ending")
def timeout_as_a_no_with_a_code(original, ended):
    return ("verification-failed", "verifier/timeout") if ended == {"verifier": "timed-out"} else original(ended)


@instead_of("ending")
def breach_as_a_no(original, ended):
    return ("verification-failed", None) if "breach" in ended else original(ended)


@instead_of("ending")
def unknown_as_cancelled(original, ended):
    return ("cancelled", None) if "uncertain" in ended else original(ended)


@instead_of("ending")
def exit_124_as_timeout(original, ended):
    return ("refused", "verifier/timeout") if "uncertain" in ended else original(ended)


@instead_of("ending")
def unknown_with_a_made_up_code(original, ended):
    return ("unknown", "run/retry-execution") if "uncertain" in ended else original(ended)


@instead_of("ending")
def cancelled_with_its_code(original, ended):
    return ("cancelled", "run/cancelled") if "cancelled" in ended else original(ended)


@instead_of("ending")
def refused_without_a_code(original, ended):
    return original(ended)[0], None


@before_sealing
def instance_made_up(record, run):
    record.setdefault("environment/ref", run["run"].replace("operator-task-run:", "environment:"))


# ── Texts and times ──


@before_sealing
def text_normalised(record, run):
    record["idempotency/key"] = unicodedata.normalize("NFC", record["idempotency/key"])


@before_sealing
def text_cut_to_256_bytes(record, run):
    record["idempotency/key"] = record["idempotency/key"].encode("utf-8")[:256].decode("utf-8", "ignore")


@before_sealing
def time_made_utc(record, run):
    instant = datetime.fromisoformat(record["recorded-at"].replace("Z", "+00:00"))
    record["recorded-at"] = instant.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")


@before_sealing
def adoption_left_out(record, run):
    record.pop("candidate/adoption-ref", None)


if __name__ == "__main__":
    faults.main()
