//! The prose of `--help`: what the tool is for, examples, exit codes.

pub const ABOUT: &str = "Says whether a program that emits interchange documents keeps its promises";

pub const LONG_ABOUT: &str = "\
Says whether a program that emits interchange documents keeps its promises.

conform runs an emitter (your program) over declared scenarios and judges every document that it emits: against the \
document's JSON Schema, and against the obligations that no schema can state (sums that must agree, tables that must follow \
from the raw data, signatures that must verify). Every finding names the obligation, its basis, and the line.";

pub const MAIN_SHORT: &str = "\
Examples:
  conform --emitter ./my-emitter            every suite that the emitter claims
  conform --emitter ./my-emitter delivery   scenarios whose name contains \"delivery\"
  conform check out/                        documents already emitted; no emitter needed

`conform --help` says more: examples, exit codes, how to read a finding.";

pub const MAIN: &str = "\
Examples:
  conform --emitter reference               the emitter built into conform, on every suite
  conform --emitter ./my-emitter            every suite that the emitter claims
  conform --emitter 'python3 emit.py' --suite mavai-optimize-1 delivery
                                            one suite, scenarios whose name contains \"delivery\"
  conform --emitter ./my-emitter --exact mavai-optimize-1/delivery-causes -v
                                            one scenario, with everything that is known about it
  conform --emitter ./my-emitter --report junit=report.xml --report json=results.json
                                            reports for a build server, beside the output for people
  conform check out/ '**/*.yaml' -          documents already emitted: folders, globs, standard input
  conform explain ID                        what the obligation in a finding demands, and why

A filter is looked for in `suite/scenario`. Where it is also the name of a command (`list`, say), put it after
--emitter: `conform --emitter ./my-emitter list`.

Exit codes:
   0  conformant
   1  not conformant: an error was found, or the emitter failed in a scenario
   2  usage or configuration error
   3  incomplete: nothing failed, but something required was not judged
   4  nothing selected
   5  the emitter could not be started
  70  a fault of conform's own";

pub const CHECK: &str = "\
Examples:
  conform check run.yaml                    one document; its version field names its suite
  conform check out/                        every .json, .yaml and .yml below a folder (entries that start with a dot are
                                            left out)
  conform check 'out/**/*.yaml'             a glob; quote it, so that conform and not the shell expands it
  my-emitter | conform check -              standard input
  conform check out/ --format json | jq .summary
  conform check out/ --report junit=report.xml

Exit codes: 0 all pass, 1 an error was found, 2 usage error, 4 no document selected.";

pub const LIST: &str = "\
Examples:
  conform list                              the suites, with the number of their obligations and scenarios
  conform list obligations latency          obligations whose id contains \"latency\"
  conform list scenarios --suite mavai-optimize-1
  conform list obligations --format json";

pub const EXPLAIN: &str = "\
Examples:
  conform explain mavai/percentile-gate
  conform explain schema/required";

pub const DERIVE: &str = "\
Examples:
  conform derive result.json                what the tables in the document should say
  conform derive result.json | diff - mine  against what another program derived";
