//! YAML 1.2 into the value tree, by way of a parser's events: the parser knows the grammar; types, keys, aliases, tags and
//! limits are decided here.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use granit_parser::{ErrorKind, Event, Parser, ScalarStyle, ScanError, Span, StrInput, StructureStyle, Tag};

use super::Limits;
use super::builder::{Builder, Written};
use super::mask;
use super::notes::{Note, Notes};
use super::rules::{ALIAS, EMPTY, KEY_LENGTH, ONE_DOCUMENT, PARSE};
use super::scalar_node::{self, Scalar};
use super::tree::{Kind, NodeId, Style};
use super::yaml_fault;

/// Characters that a key without `?` may have (YAML 1.2.2, section 8.2.2), where a document without longer ones stops.
const KEY_CHARACTERS: usize = 1024;

/// Characters of the longest key that is read at all.
const LONGEST_KEY: usize = 1 << 16;

/// Reads the first document of a YAML stream. The tree is there if the document ends well.
pub(super) fn read(source: &str, limits: &Limits) -> (Option<Builder>, Notes) {
    let mut control_characters = Notes::default();
    let printable = mask::control_characters(source, &mut control_characters);
    let printable = printable.as_deref().unwrap_or(source);
    let mut pass = attempt(source, printable, limits, KEY_CHARACTERS);
    let mut text = Cow::Borrowed(printable);
    let mut lookahead = KEY_CHARACTERS;
    if pass.is_stopped_by(is_half_pair) {
        text = Cow::Owned(mask::lone_surrogates(printable, None));
        pass = attempt(source, &text, limits, lookahead);
    }
    // A key is one line.
    if pass.stopped.is_some() && source.split('\n').any(|line| line.len() > KEY_CHARACTERS) {
        let patient = attempt(source, &text, limits, LONGEST_KEY);
        if patient.notes.count(&KEY_LENGTH) > 0 || patient.stopped.is_none() {
            pass = patient;
            lookahead = LONGEST_KEY;
        }
        if pass.is_stopped_by(is_half_pair) {
            text = Cow::Owned(mask::lone_surrogates(printable, None));
            pass = attempt(source, &text, limits, lookahead);
        }
    }
    if let Cow::Owned(_) = text {
        // Only double-quoted text has escapes: elsewhere the same letters are what they are.
        let only = std::mem::take(&mut pass.lone_surrogates);
        pass = attempt(source, &mask::lone_surrogates(printable, Some(&only)), limits, lookahead);
    }
    if let Some(error) = pass.stopped.take() {
        pass.notes.push(yaml_fault::note(&error, source, limits));
    }
    pass.notes.append(control_characters);
    (pass.complete.then_some(pass.builder), pass.notes)
}

fn is_half_pair(kind: &ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::InvalidLowSurrogate
            | ErrorKind::InvalidLowSurrogateHexEscape
            | ErrorKind::MissingLowSurrogate
            | ErrorKind::UnpairedLowSurrogate
            | ErrorKind::InvalidUnicodeEscape
    )
}

/// Reads `text`, which is `source` but for masked characters; the tree refers to `source`.
fn attempt(source: &str, text: &str, limits: &Limits, lookahead: usize) -> Pass {
    let pass = Pass {
        builder: Builder::new(source.len()),
        notes: Notes::default(),
        lone_surrogates: Vec::new(),
        complete: false,
        stopped: None,
    };
    let mut reading = Reading { source, text, limits, pass, anchors: HashMap::new(), open: Vec::new(), alias_nodes: 0 };
    let mut options = granit_parser::options! {
        simple_key_max_lookahead: lookahead,
        flow_nesting_limit: limits.depth,
        block_nesting_limit: limits.depth,
    };
    options.set_emit_comments(false);
    let mut parser = Parser::new_from_str_with_options(text, options);
    reading.events(&mut parser);
    reading.pass
}

/// What came of one pass over a stream's events.
struct Pass {
    builder: Builder,
    notes: Notes,
    /// Where halves of surrogate pairs stand in double-quoted scalars.
    lone_surrogates: Vec<usize>,
    /// Whether the first document has been read to its end.
    complete: bool,
    /// The error that stopped the parser.
    stopped: Option<ScanError>,
}

impl Pass {
    fn is_stopped_by(&self, test: fn(&ErrorKind) -> bool) -> bool {
        self.stopped.as_ref().is_some_and(|error| test(error.kind()))
    }
}

/// One pass over a stream's events.
struct Reading<'t> {
    source: &'t str,
    text: &'t str,
    limits: &'t Limits,
    pass: Pass,
    anchors: HashMap<usize, Anchor>,
    open: Vec<Open>,
    alias_nodes: usize,
}

/// What an alias repeats: a range of nodes, and how deep they nest.
#[derive(Clone, Copy)]
struct Anchor {
    first: NodeId,
    end: NodeId,
    height: usize,
}

/// A container that is being read.
struct Open {
    id: NodeId,
    anchor: usize,
    /// How deep its members nest so far.
    height: usize,
}

/// Reading stops: the notes say why.
struct Stop;

impl<'t> Reading<'t> {
    fn events(&mut self, parser: &mut Parser<'t, StrInput<'t>>) {
        while let Some(next) = parser.next_event() {
            let (event, span) = match next {
                Ok(next) => next,
                Err(error) => {
                    self.pass.stopped = Some(error);
                    return;
                }
            };
            if self.event(event, span).is_err() {
                return;
            }
        }
    }

    fn event(&mut self, event: Event<'t>, span: Span) -> Result<(), Stop> {
        let range = span.byte_range().unwrap_or(0..0);
        match event {
            Event::Scalar(value, style, anchor, tag) => {
                let len = match style {
                    ScalarStyle::Literal | ScalarStyle::Folded => self.block_scalar_len(range.clone()),
                    _ => range.len(),
                };
                let written = Written { offset: range.start, len };
                let scalar = Scalar { value, style, tag: tag.as_deref(), written };
                self.scalar(scalar, anchor, tag_place(&span));
            }
            Event::SequenceStart(style, anchor, tag) => {
                let offset = match style {
                    StructureStyle::Block => self.sequence_start(range.start),
                    StructureStyle::Flow => range.start,
                };
                self.container(Kind::Array, offset, anchor)?;
                self.container_tag("seq", tag.as_deref(), &span);
            }
            Event::MappingStart(_, anchor, tag) => {
                self.container(Kind::Object, range.start, anchor)?;
                self.container_tag("map", tag.as_deref(), &span);
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(),
            Event::Alias(id) => self.alias(id, range.start, range.len())?,
            Event::DocumentStart(..) if self.pass.complete => {
                self.pass.notes.push(
                    Note::new(&ONE_DOCUMENT, range.start, range.len(), "a second document starts here")
                        .help("write each document to a file of its own; only the first is judged"),
                );
                return Err(Stop);
            }
            Event::DocumentEnd => {
                self.pass.complete = true;
                if self.pass.builder.is_nothing() {
                    self.pass.complete = false;
                    return Err(self.nothing());
                }
            }
            Event::StreamEnd if !self.pass.complete => return Err(self.nothing()),
            _ => {}
        }
        Ok(())
    }

    fn nothing(&mut self) -> Stop {
        self.pass.notes.push(
            Note::new(&EMPTY, 0, 1, "there is no document: nothing but white space, comments or document marks")
                .help("check that the emitter ran to its end and closed its output"),
        );
        Stop
    }

    fn scalar(&mut self, mut scalar: Scalar<'_, 't>, anchor: usize, tag_at: (usize, usize)) {
        let Written { offset, len } = scalar.written;
        let id = self.pass.builder.next_id();
        let key = self.pass.builder.awaits_key();
        if scalar.style == ScalarStyle::DoubleQuoted && matches!(scalar.value, Cow::Owned(_)) {
            let written = self.source.get(offset..offset + len).unwrap_or_default();
            mask::note_surrogates(written, offset, id, &mut self.pass.notes, &mut self.pass.lone_surrogates);
            // Text without escapes is taken from the document itself; this was made of the copy.
            let masked = self.text.get(offset..offset + len).unwrap_or_default();
            if let Some(value) = (masked != written).then(|| mask::restored(&scalar.value, written, masked)).flatten() {
                scalar.value = Cow::Owned(value);
            }
        }
        if key {
            self.check_key_length(offset, len, id);
            scalar_node::push_key(scalar, self.text, &mut self.pass.builder, &mut self.pass.notes, tag_at);
        } else {
            scalar_node::push_value(scalar, self.text, &mut self.pass.builder, &mut self.pass.notes, tag_at);
        }
        self.anchor(anchor, Anchor { first: id, end: id + 1, height: 0 });
    }

    fn check_key_length(&mut self, offset: usize, len: usize, id: NodeId) {
        if len <= KEY_CHARACTERS {
            return;
        }
        let characters = self.source.get(offset..offset + len).map_or(0, |key| key.chars().count());
        // A key after `?` ends its line; any other is followed by its colon.
        let rest = self.source.get(offset + len..).unwrap_or_default();
        if characters > KEY_CHARACTERS && rest.trim_start_matches([' ', '\t']).starts_with(':') {
            self.pass.notes.add(&KEY_LENGTH, offset, || {
                let message = format!("the key's written form has {characters} characters, where YAML allows 1024");
                Note::new(&KEY_LENGTH, offset, 40, message)
                    .help("keep free text out of keys: name it by a number or give it as a value")
                    .node(id)
            });
        }
    }

    /// Length of a block scalar without the next line's indentation, which the parser sometimes counts in.
    fn block_scalar_len(&self, range: Range<usize>) -> usize {
        let written = self.text.get(range.clone()).unwrap_or_default();
        let trimmed = written.trim_end_matches(' ');
        if trimmed.ends_with(['\n', '\r']) { trimmed.len() } else { range.len() }
    }

    /// The parser places a sequence that is a mapping's value and is not indented behind its first `- `.
    fn sequence_start(&self, offset: usize) -> usize {
        if !self.pass.builder.awaits_value() {
            return offset;
        }
        let bytes = self.text.as_bytes();
        let before = bytes.get(..offset).unwrap_or_default();
        let line = before.iter().rposition(|&byte| byte == b'\n' || byte == b'\r').map_or(0, |at| at + 1);
        let first = line + bytes[line..].iter().take_while(|&&byte| byte == b' ').count();
        if first < offset && bytes.get(first) == Some(&b'-') { first } else { offset }
    }

    fn container(&mut self, kind: Kind, offset: usize, anchor: usize) -> Result<(), Stop> {
        if self.pass.builder.awaits_key() {
            let what = if kind == Kind::Array { "a sequence" } else { "a mapping" };
            let note = Note::new(&PARSE, offset, 1, format!("a key is {what}, where a string is expected"));
            self.pass.notes.push(note.help("put text that starts with a bracket in quotes"));
            return Err(Stop);
        }
        if self.pass.builder.depth() >= self.limits.depth {
            self.pass.notes.push(yaml_fault::depth(offset, self.limits));
            return Err(Stop);
        }
        let id = self.pass.builder.start(kind, offset);
        self.open.push(Open { id, anchor, height: 1 });
        if anchor != 0 {
            self.anchors.remove(&anchor);
        }
        Ok(())
    }

    fn container_tag(&mut self, own: &str, tag: Option<&Tag>, span: &Span) {
        let Some(tag) = tag else { return };
        if !tag.is_yaml_core_schema_tag(own) && tag.original() != "!" {
            let kind = if own == "seq" { "a sequence" } else { "a mapping" };
            let (at, width) = tag_place(span);
            scalar_node::note_tag(&mut self.pass.notes, tag, kind, at, width);
        }
    }

    fn end(&mut self) {
        self.pass.builder.end(self.source);
        let Some(closed) = self.open.pop() else { return };
        let end = self.pass.builder.next_id();
        self.anchor(closed.anchor, Anchor { first: closed.id, end, height: closed.height });
        self.grow(closed.height);
    }

    /// A member of this height now belongs to the innermost container.
    fn grow(&mut self, height: usize) {
        if let Some(open) = self.open.last_mut() {
            open.height = open.height.max(height + 1);
        }
    }

    fn anchor(&mut self, id: usize, anchor: Anchor) {
        if id != 0 {
            self.anchors.insert(id, anchor);
        }
    }

    fn alias(&mut self, id: usize, offset: usize, len: usize) -> Result<(), Stop> {
        let Some(&anchor) = self.anchors.get(&id) else {
            let note = Note::new(&ALIAS, offset, len, "the alias stands inside of what it repeats: it would never end");
            self.pass.notes.push(note.help("write the value out"));
            return Err(Stop);
        };
        if self.pass.builder.awaits_key() {
            return self.alias_key(anchor, offset, len);
        }
        self.alias_nodes += (anchor.end - anchor.first) as usize;
        if self.alias_nodes > self.limits.alias_nodes {
            let message = format!("aliases repeat more than {} values", self.limits.alias_nodes);
            let note = Note::new(&ALIAS, offset, len, message);
            self.pass.notes.push(note.help("write values out, or raise the limit with --max-alias-nodes"));
            return Err(Stop);
        }
        if self.pass.builder.depth() + anchor.height > self.limits.depth {
            self.pass.notes.push(yaml_fault::depth(offset, self.limits));
            return Err(Stop);
        }
        self.pass.builder.copy(anchor.first, anchor.end);
        self.grow(anchor.height);
        Ok(())
    }

    /// An alias as a key: of a scalar, it is that scalar's text.
    fn alias_key(&mut self, anchor: Anchor, offset: usize, len: usize) -> Result<(), Stop> {
        let target = self.pass.builder.node(anchor.first).copied();
        match target {
            Some(node) if node.kind == Kind::String => {
                self.pass.builder.copy(anchor.first, anchor.end);
                Ok(())
            }
            Some(node) if !matches!(node.kind, Kind::Array | Kind::Object | Kind::Null) => {
                let written = Written { offset: node.offset as usize, len: node.written as usize };
                self.pass.builder.source_string(written.offset, written.len, Style::Plain, written);
                Ok(())
            }
            _ => {
                let note =
                    Note::new(&PARSE, offset, len, "a key is an alias of what is no text, where a string is expected");
                self.pass.notes.push(note.help("write the key out"));
                Err(Stop)
            }
        }
    }
}

/// Offset and width of a node's tag, or of the node.
fn tag_place(span: &Span) -> (usize, usize) {
    let range = span.tag_span().and_then(|tag| tag.byte_range()).or_else(|| span.byte_range()).unwrap_or(0..0);
    (range.start, range.len())
}
