#!/bin/sh
# Stands in for a framework. It does not read the scenario: it writes what follows from the one scenario that it knows, one-sample
# (one trial of one millisecond, whose only check passes), so that there is something that conforms to replace.
set -eu
cat <<DOCUMENT
schemaVersion: "mavai-optimize-1"
serviceContractId: "basket"
experimentId: "one-sample"
objective: "MAXIMIZE"
scorer: "observed-pass-rate"
generatedAt: "$(date -u +%Y-%m-%dT%H:%M:%SZ)"
inputs:
  - inputIndex: 0
    inputExcerpt: "Put two apples in the basket"
iterations:
  - iteration: 0
    factors:
      "temperature": 0.2
    score: 1.0
    execution:
      samplesPlanned: 1
      samplesExecuted: 1
      terminationReason: "COMPLETED"
    statistics:
      observed: 1.0
      successes: 1
      failures: 0
      criteria:
        "delivered":
          observedPassRate: 1.0
          pass: 1
          fail: 0
          standings:
            rows:
              - inputIndex: 0
                check: "lists the apples"
                provenance: "criterion"
                optional: false
                passed: 1
                failed: 0
                skipped: 0
                observedFraction: 1.0
                observed:
                  - excerpt: "Two apples are in your basket."
                    count: 1
                    held: true
    cost:
      totalTimeMs: 1
      avgTimePerSampleMs: 1
    latency:
      basis: "passing-samples"
      contributingSamples: 1
      totalSamples: 1
      sortedPassingLatenciesMs:
        - 1
convergence:
  totalIterations: 1
  bestIteration: 0
  bestScore: 1.0
  bestFactors:
    "temperature": 0.2
DOCUMENT
