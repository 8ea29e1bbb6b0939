#!/usr/bin/env node
// A conform emitter: reads one scenario from standard input, writes one mavai-optimize-1 document to standard output.
//
// It needs nothing but Node 18. As it is, it conforms: optimize() works the document out by itself. Put a call of your framework
// in its place and keep the rest. Exit code 0: emitted; 77: not supported, and standard error says why; any other: failed.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

class Unsupported extends Error {}

function emit(scenario) {
  if (scenario.suite !== 'mavai-optimize-1') throw new Unsupported(`there is nothing here for the suite ${scenario.suite}`);
  return optimize(scenario.input);
}

// ─────────────────────────────── your framework goes here ───────────────────────────────
// optimize() gets what happened in a run, trial by trial, and returns the document's text. To test a framework, set it up so that exactly
// this happens (a service that plays back each `response` and `event`, checks that answer as `checks` say, a search that
// proposes each iteration's `factors`), run its own experiment, and return what it wrote, byte for byte.
// What it has no way to do:   throw new Unsupported('latencies are measured and cannot be set');

const CAUSES = {
  'name-resolution-failed': 'unreachable',
  'connection-refused': 'unreachable',
  'deadline-elapsed': 'client-deadline',
  'http-500': 'server-error',
  'http-502': 'server-error',
  'http-503': 'server-error',
  'http-504': 'peer-timeout',
  'empty-body': 'unusable-response',
};
const PERCENTILES = [['p50Ms', 50, 5], ['p95Ms', 95, 20], ['p99Ms', 99, 100]]; // name, percentage, fewest samples that state it
const LONGEST = 256;
const EXEMPLARS = 4;

function optimize(run) {
  const iterations = run.iterations.map((entry, index) => iteration(run, entry, index));
  const scores = iterations.map((entry) => entry.score);
  const best = scores.indexOf(run.objective === 'MAXIMIZE' ? Math.max(...scores) : Math.min(...scores));
  const document = {
    schemaVersion: 'mavai-optimize-1',
    serviceContractId: identity(run.contract),
    experimentId: identity(run.experiment),
    objective: run.objective,
    ...(run.scorer === 'observed-pass-rate' && { scorer: run.scorer }),
    generatedAt: new Date().toISOString(),
    inputs: run.inputs.map((text, inputIndex) => ({ inputIndex, inputExcerpt: excerpt(text) })),
    iterations,
    convergence: {
      totalIterations: iterations.length,
      bestIteration: best,
      bestScore: scores[best],
      bestFactors: iterations[best].factors,
    },
  };
  return JSON.stringify(document, null, 2) + '\n'; // JSON is YAML
}

function iteration(run, entry, index) {
  const { trials } = entry;
  const reasons = trials.map((trial) => run.criteria.map((criterion) => judge(criterion, trial)));
  const firsts = reasons.map((byCriterion) => byCriterion.find(Boolean));
  const successes = firsts.filter((reason) => !reason).length;
  const criteria = run.criteria.map((criterion, at) => {
    const own = reasons.map((byCriterion) => byCriterion[at]);
    const pass = own.filter((reason) => !reason).length;
    const block = { observedPassRate: share(pass, own.length), pass, fail: own.length - pass };
    return [identity(criterion.name), { ...block, ...distribution(run, own), standings: standings(run, criterion, trials) }];
  });
  const totalTimeMs = Math.round(trials.reduce((sum, trial) => sum + trial.latencyMs, 0));
  return {
    iteration: index,
    factors: Object.fromEntries(Object.entries(entry.factors).map(([name, value]) => [identity(name), value])),
    score: run.scorer === 'stated' ? entry.score : share(successes, trials.length),
    execution: {
      samplesPlanned: run.samplesPlanned,
      samplesExecuted: trials.length,
      terminationReason: entry.termination ?? 'COMPLETED',
    },
    statistics: {
      observed: share(successes, trials.length),
      successes,
      failures: trials.length - successes,
      ...distribution(run, firsts),
      criteria: Object.fromEntries(criteria),
    },
    cost: { totalTimeMs, avgTimePerSampleMs: trials.length ? Math.floor(totalTimeMs / trials.length) : 0 },
    ...latency(trials.filter((_, at) => !firsts[at]).map((trial) => trial.latencyMs), trials.length),
  };
}

const applies = (check, input) => check.input === undefined || check.input === input;

// Why a trial fails a criterion; undefined where it passes.
function judge(criterion, trial) {
  if (trial.event) return { condition: CAUSES[trial.event], kind: 'delivery' };
  const checks = criterion.checks.filter((check) => applies(check, trial.input));
  const missed = checks.filter((check) => trial.checks[check.name] !== 'pass');
  const required = missed.find((check) => !check.optional);
  const skipped = missed.some((check) => trial.checks[check.name] === 'skip');
  const allowed = allowance(criterion.optionalSlack ?? '0', checks.filter((check) => check.optional).length);
  const culprit = required ?? (skipped || missed.length > allowed ? missed[0] : undefined);
  return culprit && { condition: culprit.name, kind: 'evaluated', input: culprit.input };
}

// How many optional checks may fail: "2" is two, "20%" is a fifth of those that apply, rounded down.
const allowance = (slack, applicable) =>
  slack.endsWith('%') ? Math.floor((parseInt(slack, 10) * applicable) / 100) : parseInt(slack, 10);

function distribution(run, reasons) {
  const entries = new Map();
  for (const reason of reasons.filter(Boolean)) {
    const key = JSON.stringify([reason.kind, reason.condition, reason.input]);
    const own = reason.input !== undefined && { inputIndex: reason.input, inputExcerpt: excerpt(run.inputs[reason.input]) };
    const entry = entries.get(key) ?? { condition: identity(reason.condition), kind: reason.kind, ...own, count: 0 };
    entry.count += 1;
    entries.set(key, entry);
  }
  return entries.size ? { failureDistribution: [...entries.values()] } : {};
}

function standings(run, criterion, trials) {
  const rows = run.inputs.flatMap((_, inputIndex) =>
    criterion.checks
      .filter((check) => applies(check, inputIndex))
      .map((check) => row(check, inputIndex, trials.filter((trial) => trial.input === inputIndex))),
  );
  return { ...(criterion.optionalSlack && { optionalSlack: criterion.optionalSlack }), rows };
}

function row(check, inputIndex, trials) {
  const counts = { pass: 0, fail: 0, skip: 0 };
  const seen = new Map();
  for (const trial of trials) {
    const outcome = trial.checks?.[check.name] ?? 'skip';
    counts[outcome] += 1;
    if (outcome === 'skip') continue;
    const held = outcome === 'pass';
    const key = JSON.stringify([held, excerpt(trial.response)]);
    const exemplar = seen.get(key) ?? { excerpt: excerpt(trial.response), count: 0, held };
    exemplar.count += 1;
    seen.set(key, exemplar);
  }
  // Failing ones come first.
  const shown = [...seen.values()].sort((a, b) => a.held - b.held).slice(0, EXEMPLARS);
  const elided = trials.length - shown.reduce((sum, exemplar) => sum + exemplar.count, 0);
  return {
    inputIndex,
    check: identity(check.name),
    provenance: check.input === undefined ? 'criterion' : 'input',
    optional: check.optional ?? false,
    passed: counts.pass,
    failed: counts.fail,
    skipped: counts.skip,
    observedFraction: share(counts.pass, trials.length),
    ...(shown.length && { observed: shown }),
    ...(elided && { elided }),
  };
}

function latency(passing, totalSamples) {
  if (!passing.length) return {};
  const vector = passing.sort((a, b) => a - b);
  const stated = PERCENTILES.filter(([, , fewest]) => vector.length >= fewest).map(([name, percentage]) => [
    name,
    vector[Math.ceil((percentage * vector.length) / 100) - 1], // the rank counts from one; nothing is interpolated
  ]);
  const block = { basis: 'passing-samples', contributingSamples: vector.length, totalSamples, ...Object.fromEntries(stated) };
  return { latency: { ...block, sortedPassingLatenciesMs: vector } };
}

const share = (part, whole) => (whole ? part / whole : 0);
const characters = (text) => Array.from(text);
const excerpt = (text) => (characters(text).length <= LONGEST ? text : characters(text).slice(0, LONGEST - 1).join('') + '…');

// A declared name; where it is too long, its beginning and a digest of the whole, so that names that begin alike stay apart.
function identity(name) {
  if (characters(name).length <= LONGEST) return name;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 16);
  return `${characters(name).slice(0, LONGEST - 17).join('')}~${digest}`;
}

// ─────────────────────────────── end of your framework's part ───────────────────────────────

try {
  process.stdout.write(emit(JSON.parse(readFileSync(0, 'utf8'))));
} catch (error) {
  console.error(error instanceof Unsupported ? error.message : error);
  process.exitCode = error instanceof Unsupported ? 77 : 1;
}
