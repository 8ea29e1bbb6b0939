#!/usr/bin/env python3
"""Emitters of explore and baseline documents that are each wrong in one way: `python3 mavai_siblings_faults.py NAME` is the Python
template with one fault.

Each replaces one function of the template or spoils its finished documents; mavai_siblings.toml says in which scenario a fault shows and
which obligations it trips. Without a name, the names are listed.
"""

import sys

sys.dont_write_bytecode = True
from register import Faults  # noqa: E402

import mavai  # noqa: E402
import mavai_siblings as siblings  # noqa: E402

faults = Faults(siblings)
instead_of = faults.instead_of


# ── Explore: what the documents of one experiment have in common ──


@instead_of("configurations")
def configuration_repeated(original, run):
    """Every document is named after the configuration that was tried first."""
    documents = original(run)
    return [{**document, "configuration": documents[0]["configuration"]} for document in documents]


@instead_of("configurations")
def configurations_swapped(original, run):
    """Names are dealt out in another order than factors."""
    documents = original(run)
    names = [document["configuration"] for document in documents]
    return [{**document, "configuration": name} for document, name in zip(documents, names[::-1])]


@instead_of("configuration")
def every_one_a_base(original, run, entry):
    return original(run, {**entry, "base": True})


@instead_of("configuration")
def first_one_the_base(original, run, entry):
    return original(run, {**entry, "base": entry is run["configurations"][0]})


@instead_of("configuration")
def factors_missing(original, run, entry):
    """Factors are known from the configuration's name."""
    result = original(run, entry)
    result.pop("factors", None)
    return result


@instead_of("configurations")
def factors_where_they_change(original, run):
    """After the first document, only those factors are stated whose value is another than there."""
    first, *others = original(run)
    for document in others:
        document["factors"] = {name: value for name, value in document["factors"].items() if first["factors"][name] != value}
    return [first, *others]


@instead_of("configurations")
def no_document_without_samples(original, run):
    return [document for document in original(run) if document["execution"]["samplesExecuted"]]


@instead_of("configurations")
def counts_of_the_first(original, run):
    """One tally for the whole experiment, which the first configuration fills."""
    first, *others = original(run)
    return [first, *({**document, "statistics": first["statistics"], "latency": first["latency"]} for document in others)]


@instead_of("configuration")
def experiment_of_each(original, run, entry):
    """Every configuration is an experiment of its own."""
    return original({**run, "experiment": f"{run['experiment']}-{entry['configuration']}"}, entry)


@instead_of("explore")
def one_stream(original, run):
    return "---\n".join(original(run).values())


# ── Baseline: counts ──


@instead_of("measured")
def undelivered_are_no_trials(original, run):
    result = original(run)
    undelivered = sum("event" in trial for trial in run["trials"])
    for block in result["criteria"].values():
        block["trials"] -= undelivered
        block["failureDistribution"] = [entry for entry in block["failureDistribution"] if entry["kind"] != "delivery"]
        if block["mode"] == "inferential":
            block.update(siblings.inferred(block["successes"], block["trials"], run["confidenceLevel"]))
    return result


@instead_of("concluded")
def reason_of_delivery(original, run, criterion, reasons):
    """Every entry states a reason, those of trials that were never judged too."""
    result = original(run, criterion, reasons)
    for entry in result.get("failureDistribution", []):
        entry["reason"] = "condition"
    return result


@instead_of("measured")
def latency_of_all_trials(original, run):
    result = original(run)
    result.update(mavai.latency([trial["latencyMs"] for trial in run["trials"]], len(run["trials"]), siblings.PERCENTILES))
    return result


@instead_of("percentile", mavai)
def ninetieth_floored(original, vector, percentage):
    """The rank is floor(p·n), counted from zero."""
    return vector[len(vector) * percentage // 100] if percentage == 90 else original(vector, percentage)


# ── Baseline: inference ──


@instead_of("lower_bound")
def bound_two_sided(original, successes, trials, confidence):
    return original(successes, trials, (1 + confidence) / 2)


@instead_of("lower_bound")
def bound_at_the_usual_confidence(original, successes, trials, confidence):
    return original(successes, trials, 0.95)


@instead_of("lower_bound")
def bound_null_where_it_is_zero(original, successes, trials, confidence):
    return original(successes, trials, confidence) or None


@instead_of("inferred")
def bound_zero_from_nothing(original, successes, trials, confidence):
    return original(successes, trials, confidence) if trials else {"wilsonLowerBound": 0.0}


@instead_of("inferred")
def rate_from_nothing(original, successes, trials, confidence):
    return {"observedPassRate": mavai.share(successes, trials), **original(successes, trials, confidence)}


@instead_of("concluded")
def observational_with_a_bound(original, run, criterion, reasons):
    result = original(run, criterion, reasons)
    result.update(siblings.inferred(result["successes"], result["trials"], run["confidenceLevel"]))
    return result


@instead_of("concluded")
def everything_inferential(original, run, criterion, reasons):
    return original(run, {**criterion, "mode": "inferential"}, reasons)


# ── Baseline: identity ──


@instead_of("fingerprint")
def fingerprint_without_the_last_line_end(original, text):
    return original(text.rstrip("\n"))


@instead_of("expiration")
def expiry_counts_the_first_day(original, generated_at, days):
    return {**original(generated_at, days - 1), "expiresInDays": days}


@instead_of("measured")
def expiry_left_out(original, run):
    result = original(run)
    result.pop("expiration", None)
    return result


@instead_of("inputs_identity")
def identity_of_the_list(original, inputs):
    return siblings.digest("\n".join(inputs))


@instead_of("inputs_identity")
def identity_of_the_number(original, inputs):
    return siblings.digest(str(len(inputs)))


if __name__ == "__main__":
    faults.main()
