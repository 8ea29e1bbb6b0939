//! The prose of `--help`: what the tool is for, examples, exit codes.

use crate::report::Format;

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

`conform --help` says more: examples, how to read a finding, exit codes.";

// Lines of at most 98 characters: help is that wide where no terminal says otherwise, and examples do not survive wrapping.
pub const MAIN: &str = "\
Examples:
  conform --emitter reference               the emitter built into conform, on every suite
  conform --emitter ./my-emitter            every suite that the emitter claims
  conform --emitter 'python3 emit.py' --suite mavai-optimize-1 delivery
                                            one suite, scenarios whose name contains \"delivery\"
  conform --emitter ./my-emitter --exact mavai-optimize-1/delivery-none -v
                                            one scenario, with everything that is known about it
  conform --emitter ./my-emitter --report junit=report.xml --report json=results.json
                                            reports for a build server, beside what people read
  conform check out/ '**/*.yaml' -          documents already emitted: folders, globs, stdin
  conform explain ID                        what the obligation in a finding demands, and why
  conform init python                       a working emitter to start an adapter from

A filter is looked for in `suite/scenario`. Where it is also the name of a command (`list`, say),
put it after --emitter: `conform --emitter ./my-emitter list`.

How to read a finding:
  FAIL out/run.yaml                                       what failed
    mavai/trials-counted (derived): successes 2 + failures 0 = 2, but samplesExecuted is 1
                                                          obligation, its basis, what is wrong
      ╭─ out/run.yaml:21:18   /iterations/0/statistics/successes
   17 │       samplesExecuted: 1                           the lines that disagree
      │                        ^ executed
   21 │       successes: 2
      │                  ^
      = help: count every executed trial once             what to do about it

The basis says how hard it binds: stated (the schema or the standard says so), derived (follows
from that), family (the released emitters do so), reading (how conform reads what is left open),
advisory. Only errors make a verdict `fail`; warnings and notes do not.

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
  conform check out/                        every .json, .yaml and .yml below a folder
                                            (what starts with a dot is left out)
  conform check 'out/**/*.yaml'             a glob, in quotes: conform expands it, not the shell
  my-emitter | conform check -              standard input
  conform check out/ --format json | jq .summary
  conform check out/ --report junit=report.xml

Exit codes: 0 all pass, 1 an error was found, 2 usage error, 4 no document selected.";

pub const LIST: &str = "\
Examples:
  conform list                              the suites, with their obligations and scenarios
  conform list obligations latency          obligations whose id contains \"latency\"
  conform list scenarios --suite mavai-optimize-1
  conform list obligations --format json";

pub const EXPLAIN: &str = "\
Examples:
  conform explain mavai/trials-counted
  conform explain process/timeout";

pub const DERIVE: &str = "\
Examples:
  conform derive result.json                what the tables in the document should say
  conform derive result.json | diff - mine  against what another program derived";

/// The help of `conform report`, with every format there is.
pub fn report() -> String {
    let mut text = String::from(
        "Examples:
  conform report results.json --as html=report.html --as sarif=report.sarif
  conform report results.json --as markdown >> \"$GITHUB_STEP_SUMMARY\"
  conform report results.json --as html=report.html --previous last-week.json

Formats:
",
    );
    for format in Format::all() {
        text.push_str(&format!("  {:<9} {}\n", format.name(), format.purpose()));
    }
    text.push_str("\nExit codes: 0 written, 2 usage error or unusable results.");
    text
}

pub const MERGE: &str = "\
Examples:
  conform --emitter ./my-emitter --shard 1/2 --report json=1.json      on one machine
  conform --emitter ./my-emitter --shard 2/2 --report json=2.json      on another
  conform merge 1.json 2.json --report html=report.html

The shards must be of one run: same emitter, same conform, same suites and scenarios, same terms, and each shard once.
The exit code is that of the whole run.";

pub const MUTATE: &str = "\
Examples:
  conform mutate --list                     the operators, with the obligation that each breaks
  conform mutate run.yaml --count 50 --seed 7 --out mutants/
                                            invalid documents, and cases.tsv, which says what is wrong
  conform mutate run.yaml --operator rate-swapped --count 1
                                            one mutant, printed
  conform mutate --score                    the suites' own documents, broken by every operator
  conform mutate --valid 10000              generated valid documents: none may be refused

Exit codes: 0 done (with --score: every mutant caught), 1 a mutant survived or a valid document was
refused, 2 usage error, 4 no place for the operator in the documents.";

pub const EXPECTED_UPDATE: &str = "\
Examples:
  conform --emitter ./my-emitter --expected expected.toml --report json=results.json
  conform expected update expected.toml results.json
                                            take out what no longer fails
  conform expected update expected.toml results.json --reason \"rounding, see #12\" \
    --issue https://example.org/issues/12 --expires 2027-01-31
                                            and declare what fails anew

Comments stay. A declaration:
  [[expected]]
  emitter = \"my-emitter\"                   a glob; all emitters if left out
  scenario = \"mavai-optimize-1/delivery-*\" a glob
  obligation = \"mavai/trials-counted\"      a glob
  reason = \"counts retries twice\"
  issue = \"https://example.org/issues/12\"  optional, and so are the next three
  owner = \"Ada\"
  expires = 2027-01-31
  flaky = true                              fails at times, passes at others";
pub const INIT: &str = "\
Examples:
  conform init python                       an emitter in my-emitter/, in Python
  conform init rust adapters/mine           in a folder of that name, in Rust

What is there already is never overwritten. The emitters in python, rust and node work their
documents out by themselves and conform; the one in shell shows the protocol and hands over to a
program.";

pub const VERIFY: &str = "\
Examples:
  conform --emitter ./my-emitter --certificate run.json
  conform verify run.json                   the evidence is beside it, in run.json.evidence/
  conform verify run.json --key conform.pub the signature, too
  conform verify run.json --evidence run.json.evidence.tar

Every document of the evidence is judged again, and every verdict and finding compared with
what the certificate says. A certificate that says `not conformant` verifies if that is true.

Exit codes: 0 verified, 1 something differs, 2 usage error, 3 not everything could be checked (a
signature without --key, a suite that misses faults).";

pub const KEYGEN: &str = "\
Examples:
  conform keygen keys/
  conform --emitter ./my-emitter --certificate run.json --sign keys/conform.key
  conform verify run.json --key keys/conform.pub";
