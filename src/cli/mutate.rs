//! `conform mutate`: invalid documents made of valid ones, and how well the suites catch them.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::json;

use super::args::{MutateArgs, TableFormat};
use super::error::Error;
use super::exit::Exit;
use super::{judging, output};
use crate::check::nearest;
use crate::document::{self, Limits};
use crate::mutation::base::pretty;
use crate::mutation::choice::{Choice, Seeded};
use crate::mutation::score::{MUTANTS, Score};
use crate::mutation::{Base, Examiner, Mutant, Operator, mutant, operators, source};
use crate::report::words::{counted, harmless};
use crate::suite::{self, Suite};

/// Makes mutants, or says what there is.
pub fn run(args: &MutateArgs) -> Result<Exit, Error> {
    let suites: Vec<&'static Suite> = match &args.suite {
        Some(id) => vec![judging::suite(id)?],
        None => suite::all().collect(),
    };
    if args.list {
        return list(&suites, args);
    }
    if args.score {
        return score(&suites, args);
    }
    if let Some(count) = args.valid {
        return valid(&suites, args, count);
    }
    mutants(args)
}

fn list(suites: &[&'static Suite], args: &MutateArgs) -> Result<Exit, Error> {
    let examiner = examiner(Vec::new())?;
    let mut text = String::new();
    let mut rows = Vec::new();
    for suite in suites {
        let _ = writeln!(text, "{}", suite.id);
        for operator in selected(operators(suite, examiner.schemas()), &args.operator)? {
            let (name, layer, id) = (operator.name, operator.layer().as_str(), operator.obligation());
            let _ = writeln!(text, "  {name:<30} {layer:<11} {id:<36} {}", operator.what);
            rows.push(json!({
                "suite": suite.id, "operator": name, "layer": layer, "obligation": id, "also": operator.breaks.get(1..), "what": operator.what,
            }));
        }
    }
    let _ = writeln!(text, "{}", counted(rows.len(), "operator"));
    if args.format == TableFormat::Json {
        text = pretty(&rows.into());
    }
    output::print(&text)?;
    Ok(Exit::Conformant)
}

fn score(suites: &[&'static Suite], args: &MutateArgs) -> Result<Exit, Error> {
    let scores: Vec<Score> = suites
        .iter()
        .map(|suite| Score::of(suite, args.seed, args.count.unwrap_or(MUTANTS)))
        .collect::<Result<_, _>>()
        .map_err(Error::Fault)?;
    let full = scores.iter().all(Score::is_full);
    let text = if args.format == TableFormat::Json {
        let rows = serde_json::to_value(&scores).map_err(|error| Error::Fault(error.to_string()))?;
        pretty(&rows)
    } else {
        scores.iter().map(|score| score_table(score, args.seed)).collect()
    };
    output::print(&text)?;
    Ok(if full { Exit::Conformant } else { Exit::NotConformant })
}

/// Mutants when documents are mutated.
const MADE: usize = 20;

fn score_table(score: &Score, seed: u64) -> String {
    let (killed, all) = score.killed();
    let percent = if all == 0 { 0.0 } else { 100.0 * killed as f64 / all as f64 };
    let mut text = format!("{} (seed {seed})\n", score.suite);
    for (obligation, lines) in score.by_obligation() {
        let _ = writeln!(text, "  {obligation}");
        for line in lines {
            let mark = if line.is_killed() { "killed" } else { "SURVIVED" };
            let _ = writeln!(
                text,
                "    {:<32} {mark:<9} {:>4} of {:<4} {}",
                line.operator, line.killed, line.mutants, line.what
            );
            for survivor in &line.survivors {
                let missed = said("not reported", &survivor.missed);
                let stray = said("reported besides", &survivor.stray);
                let _ = writeln!(text, "      {} at {:?}{missed}{stray}", survivor.base, survivor.pointer);
            }
        }
    }
    for id in &score.uncovered {
        let _ = writeln!(text, "  {id}\n    NO OPERATOR");
    }
    for (id, why) in score.beyond {
        let _ = writeln!(text, "  {id}\n    left out: {why}");
    }
    let _ = writeln!(text, "  {killed} of {} killed: {percent:.0} %\n", counted(all, "operator"));
    text
}

fn said(what: &str, ids: &[String]) -> String {
    if ids.is_empty() { String::new() } else { format!("; {what}: {}", ids.join(", ")) }
}

/// Generates valid documents and looks for false alarms.
fn valid(suites: &[&'static Suite], args: &MutateArgs, count: u64) -> Result<Exit, Error> {
    let mut text = String::new();
    let mut alarms = 0;
    for suite in suites {
        let examiner = examiner(source::related(suite).map_err(Error::Fault)?)?;
        let mut found = 0;
        for at in 0..count {
            let seed = args.seed.wrapping_add(at);
            let base = source::generated_document(suite, &mut Seeded::new(seed)).map_err(Error::Fault)?;
            // In both notations, in turn.
            let document = if at % 2 == 0 { base.json() } else { base.yaml() };
            let errors = examiner.false_alarms(&base, document.as_bytes().to_vec()).map_err(Error::Fault)?;
            if let Some(first) = errors.first() {
                found += 1;
                let place = first.place.as_ref().map_or("", |place| place.pointer.as_str());
                let _ =
                    writeln!(text, "  seed {seed}: {} at {place:?}: {}", first.obligation, harmless(&first.message));
            }
        }
        let _ = writeln!(text, "{}: {count} valid documents, {found} refused", suite.id);
        alarms += found;
    }
    output::print(&text)?;
    Ok(if alarms == 0 { Exit::Conformant } else { Exit::NotConformant })
}

fn mutants(args: &MutateArgs) -> Result<Exit, Error> {
    let (bases, chosen) = bases(args)?;
    let schemas = examiner(Vec::new())?;
    let mut made = Vec::new();
    for at in 0..args.count.unwrap_or(MADE) as u64 {
        let seed = args.seed.wrapping_add(at);
        let mut choice = Seeded::new(seed);
        let base = &bases[choice.below(bases.len())];
        let mut candidates = selected(operators(base.suite, schemas.schemas()), &args.operator)?;
        // What only a scenario shows cannot be seen in the document.
        candidates.retain(|operator| !mutant::is_told_by_scenario(operator, base.suite));
        while !candidates.is_empty() {
            let operator = candidates.swap_remove(choice.below(candidates.len()));
            if let Some(mutant) = mutant::break_by(operator, base, schemas.schemas(), &mut choice) {
                made.push((seed, base, mutant));
                break;
            }
        }
    }
    if made.is_empty() {
        let which = if args.operator.is_empty() { "any operator".to_owned() } else { args.operator.join(", ") };
        return Err(Error::NothingSelected(format!("{chosen} offers no place for {which}")));
    }
    match &args.out {
        Some(folder) => write(folder, &made)?,
        None => show(&made)?,
    }
    Ok(Exit::Conformant)
}

/// The documents to break: those that were named, or, for a suite without any, those that it carries.
fn bases(args: &MutateArgs) -> Result<(Vec<Base>, String), Error> {
    let chosen = args.suite.as_deref().map(judging::suite).transpose()?;
    if args.documents.is_empty() {
        let Some(suite) = chosen else {
            return Err(Error::Usage(
                "name a document to break, or a suite with --suite to break its own documents".to_owned(),
            ));
        };
        return Ok((source::fixed(suite).map_err(Error::Fault)?, format!("no document of {}", suite.id)));
    }
    let examiner = examiner(Vec::new())?;
    let limits = Limits::default();
    let mut bases = Vec::new();
    for source in judging::sources(&args.documents)? {
        let name = &source.name;
        let bytes = source.load(&limits).map_err(|finding| Error::Usage(format!("{name}: {}", finding.message)))?;
        let reading = document::read(bytes.clone(), &limits);
        let document = reading.document.ok_or_else(|| {
            let why = reading.findings.first().map_or("it is no document", |finding| finding.message.as_str());
            Error::Usage(format!("{name} cannot be read: {why}"))
        })?;
        let suite = chosen
            .or_else(|| suite::of(&document))
            .ok_or_else(|| Error::Usage(format!("no suite claims {name}; name one with --suite")))?;
        let base = Base::new(suite, name.clone(), document.root().to_json(), None);
        let errors = examiner.false_alarms(&base, bytes).map_err(Error::Fault)?;
        if let Some(error) = errors.first() {
            let problem = format!("{name} is not valid ({}: {})", error.obligation, error.message);
            return Err(Error::Usage(format!("{problem}; mutants are made of valid documents, so correct it first")));
        }
        bases.push(base);
    }
    let named = args.documents.join(", ");
    Ok((bases, named))
}

/// The operators whose names were given, all of them without any.
fn selected(all: Vec<&'static Operator>, names: &[String]) -> Result<Vec<&'static Operator>, Error> {
    let picked: Vec<_> = all
        .iter()
        .copied()
        .filter(|operator| {
            names.is_empty()
                || names.iter().any(|name| name == operator.name || operator.breaks.contains(&name.as_str()))
        })
        .collect();
    if picked.is_empty() {
        let name = names.first().map_or("", String::as_str);
        let advice = match nearest(name, all.iter().map(|operator| operator.name)) {
            Some(near) => format!("did you mean {near}?"),
            None => "`conform mutate --list` lists them; an obligation's id selects all that are for it".to_owned(),
        };
        return Err(Error::Usage(format!("no operator {name}; {advice}")));
    }
    Ok(picked)
}

fn show(made: &[(u64, &Base, Mutant)]) -> Result<(), Error> {
    if let [(_, _, mutant)] = made {
        return output::print(&String::from_utf8_lossy(&text(mutant)));
    }
    let mut table = String::new();
    for (seed, base, mutant) in made {
        let (name, id) = (mutant.operator.name, mutant.operator.breaks.join(" "));
        let _ =
            writeln!(table, "{seed:>6}  {name:<30} {id:<40} {}  {}", harmless(&mutant.pointer), harmless(&base.name));
    }
    let _ = writeln!(table, "--out DIR writes them; --seed N --count 1 prints the one with that seed");
    output::print(&table)
}

fn text(mutant: &Mutant) -> Vec<u8> {
    mutant.document.as_ref().map_or_else(|| mutant.bytes.clone(), |document| pretty(document).into_bytes())
}

fn write(folder: &Path, made: &[(u64, &Base, Mutant)]) -> Result<(), Error> {
    let refused =
        |path: &Path, error: std::io::Error| Error::Usage(format!("cannot write {}: {error}", path.display()));
    fs::create_dir_all(folder).map_err(|error| refused(folder, error))?;
    let mut manifest = "file\tsuite\toperator\tobligation\tpointer\tseed\n".to_owned();
    for (at, (seed, _, mutant)) in made.iter().enumerate() {
        let stem = format!("{at:04}-{}", mutant.operator.name);
        let bytes = text(mutant);
        let extension = if bytes.trim_ascii_start().starts_with(b"{") { "json" } else { "yaml" };
        let file = format!("{stem}.{extension}");
        let path = folder.join(&file);
        fs::write(&path, bytes).map_err(|error| refused(&path, error))?;
        if let Some(twin) = &mutant.twin {
            let path = folder.join(format!("{stem}.beside.json"));
            fs::write(&path, pretty(twin)).map_err(|error| refused(&path, error))?;
        }
        let obligations = mutant.operator.breaks.join(" ");
        let fields =
            [&file, mutant.suite.id, mutant.operator.name, &obligations, &tsv(&mutant.pointer), &seed.to_string()];
        let _ = writeln!(manifest, "{}", fields.join("\t"));
    }
    let path = folder.join("cases.tsv");
    fs::write(&path, manifest).map_err(|error| refused(&path, error))?;
    output::print(&format!("{} in {}, listed in {}\n", counted(made.len(), "mutant"), folder.display(), path.display()))
}

/// A field of a table with tabs: what would break the line is written as an escape.
fn tsv(field: &str) -> String {
    field.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r")
}

fn examiner(related: Vec<(String, document::Document)>) -> Result<Examiner, Error> {
    Examiner::new(related).map_err(Error::Fault)
}
