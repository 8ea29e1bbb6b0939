//! A one-pass reader for the YAML that emitters write: block mappings and sequences, scalars and flow collections of one line,
//! literal blocks, comments.
//!
//! It gives up at the first thing that it is not sure of, and the full parser reads the text from the start. What it accepts, it
//! must read as the full parser does, to the last offset and warning; tests hold the two against each other.

use super::Limits;
use super::builder::{Builder, Written};
use super::inline::{Cursor, NotSure};
use super::mask;
use super::notes::Notes;
use super::tree::{Kind, Style};

/// Reads a text, if it is one that this reader is sure of.
pub(super) fn read(source: &str, limits: &Limits) -> Option<(Builder, Notes)> {
    if !mask::is_plainly_printable(source) {
        return None;
    }
    let mut reader = Reader { cursor: Cursor::new(source, limits.depth), frames: Vec::new(), started: false };
    reader.lines().ok()?;
    Some((reader.cursor.builder, reader.cursor.notes))
}

/// An open block collection.
#[derive(Clone, Copy)]
struct Frame {
    column: usize,
    kind: Kind,
    /// A `- ` or a `key:` has been read, and its value not yet.
    awaits: bool,
    /// Where the colon of the awaited value stands: an absent value is a null there.
    colon: usize,
}

struct Reader<'s> {
    cursor: Cursor<'s>,
    frames: Vec<Frame>,
    /// Whether a collection has been opened: there is one root.
    started: bool,
}

impl Reader<'_> {
    fn lines(&mut self) -> Result<(), NotSure> {
        if self.cursor.rest().starts_with("---\n") {
            self.cursor.at += 4;
        }
        while !self.cursor.is_at_end() {
            let start = self.cursor.at;
            let column = self.cursor.skip_spaces();
            match self.cursor.peek() {
                None => break,
                Some(b'\n') => self.cursor.at += 1,
                Some(b'#') => self.cursor.skip_line(),
                Some(_) => {
                    let rest = self.cursor.rest();
                    if column == 0 && (rest.starts_with("---") || rest.starts_with("...")) {
                        return Err(NotSure);
                    }
                    self.line(start, column)?;
                }
            }
        }
        while !self.frames.is_empty() {
            self.close()?;
        }
        if self.started { Ok(()) } else { Err(NotSure) }
    }

    /// Reads a line from its first character that is no space.
    fn line(&mut self, line: usize, mut column: usize) -> Result<(), NotSure> {
        let mut after_dash = false;
        while self.cursor.is_at_dash() {
            self.belong(column, Kind::Array)?;
            self.await_value(0)?;
            self.cursor.at += 1;
            self.cursor.skip_spaces();
            column = self.cursor.at - line;
            after_dash = true;
        }
        let start = self.cursor.at;
        match self.cursor.peek().ok_or(NotSure)? {
            quote @ (b'"' | b'\'') => {
                let scalar = self.cursor.quoted(quote)?;
                if self.cursor.is_at_colon(start)? {
                    self.belong_at(column, Kind::Object, start)?;
                    self.cursor.push_quoted(&scalar);
                    return self.value();
                }
                self.only_after(after_dash)?;
                self.cursor.push_quoted(&scalar);
                self.cursor.line_end()?;
            }
            b'{' | b'[' => {
                self.only_after(after_dash)?;
                self.cursor.flow()?;
                self.cursor.line_end()?;
            }
            b'|' => {
                self.only_after(after_dash)?;
                self.literal()?;
            }
            _ => {
                let plain = self.cursor.plain()?;
                if plain.is_key {
                    self.belong_at(column, Kind::Object, start)?;
                    self.cursor.push_plain_key(plain.range)?;
                    return self.value();
                }
                self.only_after(after_dash)?;
                self.cursor.push_plain(plain.range)?;
                self.cursor.line_end()?;
            }
        }
        self.got_value();
        Ok(())
    }

    /// A scalar may stand behind a dash; on a line of its own it may go on where this reader does not follow.
    fn only_after(&self, dash: bool) -> Result<(), NotSure> {
        if dash { Ok(()) } else { Err(NotSure) }
    }

    /// Reads what follows a key, from its colon on.
    fn value(&mut self) -> Result<(), NotSure> {
        let colon = self.cursor.at;
        self.await_value(colon)?;
        self.cursor.at += 1;
        self.cursor.skip_spaces();
        match self.cursor.peek() {
            None | Some(b'\n') => {
                self.cursor.skip_line();
                return Ok(());
            }
            Some(b'#') if self.cursor.at > colon + 1 => {
                self.cursor.skip_line();
                return Ok(());
            }
            Some(quote @ (b'"' | b'\'')) => {
                let scalar = self.cursor.quoted(quote)?;
                self.cursor.push_quoted(&scalar);
                self.cursor.line_end()?;
            }
            Some(b'{' | b'[') => {
                self.cursor.flow()?;
                self.cursor.line_end()?;
            }
            Some(b'|') => self.literal()?,
            Some(_) => {
                let plain = self.cursor.plain()?;
                if plain.is_key {
                    return Err(NotSure);
                }
                self.cursor.push_plain(plain.range)?;
                self.cursor.line_end()?;
            }
        }
        self.got_value();
        Ok(())
    }

    fn belong(&mut self, column: usize, kind: Kind) -> Result<(), NotSure> {
        self.belong_at(column, kind, self.cursor.at)
    }

    /// Finds or opens the collection that an entry at a column belongs to, and closes those that end before it.
    fn belong_at(&mut self, column: usize, kind: Kind, offset: usize) -> Result<(), NotSure> {
        while let Some(&top) = self.frames.last() {
            if top.column < column {
                break;
            }
            if top.column > column {
                self.close()?;
                continue;
            }
            match (top.kind, kind) {
                (Kind::Array, Kind::Array) if !top.awaits => return Ok(()),
                (Kind::Object, Kind::Object) => {
                    self.absent_value()?;
                    return Ok(());
                }
                // A sequence may stand in the column of the key that it is the value of.
                (Kind::Object, _) if top.awaits => break,
                (Kind::Array, Kind::Object) if self.is_in_key_column() => self.close()?,
                _ => return Err(NotSure),
            }
        }
        match self.frames.last() {
            Some(top) if !top.awaits => return Err(NotSure),
            None if self.started => return Err(NotSure),
            _ => {}
        }
        self.cursor.start(kind, offset)?;
        self.started = true;
        self.frames.push(Frame { column, kind, awaits: false, colon: 0 });
        Ok(())
    }

    /// Whether the innermost collection is a sequence in the column of its key.
    fn is_in_key_column(&self) -> bool {
        matches!(self.frames.as_slice(), [.., key, sequence] if key.column == sequence.column)
    }

    fn await_value(&mut self, colon: usize) -> Result<(), NotSure> {
        let top = self.frames.last_mut().ok_or(NotSure)?;
        if top.awaits {
            return Err(NotSure);
        }
        top.awaits = true;
        top.colon = colon;
        Ok(())
    }

    fn got_value(&mut self) {
        if let Some(top) = self.frames.last_mut() {
            top.awaits = false;
        }
    }

    /// A key without a value has a null.
    fn absent_value(&mut self) -> Result<(), NotSure> {
        let top = self.frames.last_mut().ok_or(NotSure)?;
        if !top.awaits {
            return Ok(());
        }
        if top.kind == Kind::Array {
            return Err(NotSure);
        }
        top.awaits = false;
        self.cursor.builder.scalar(Kind::Null, 0, Written { offset: top.colon, len: 0 });
        Ok(())
    }

    fn close(&mut self) -> Result<(), NotSure> {
        self.absent_value()?;
        self.frames.pop();
        self.cursor.end();
        self.got_value();
        Ok(())
    }

    /// A literal block (`|`, `|-`, `|+`) from its indicator on.
    fn literal(&mut self) -> Result<(), NotSure> {
        let parent = self.frames.last().ok_or(NotSure)?.column;
        let rest = self.cursor.rest();
        let (header, chomp) = match rest.as_bytes() {
            [b'|', b'\n', ..] => (2, Chomp::Clip),
            [b'|', b'-', b'\n', ..] => (3, Chomp::Strip),
            [b'|', b'+', b'\n', ..] => (3, Chomp::Keep),
            _ => return Err(NotSure),
        };
        self.cursor.at += header;
        let first = self.cursor.at;
        let indent = self.cursor.skip_spaces();
        if indent <= parent || matches!(self.cursor.peek(), None | Some(b'\n' | b'\t')) {
            return Err(NotSure);
        }
        let start = self.cursor.at;
        self.cursor.at = first;
        let mut text = String::new();
        loop {
            let line = self.cursor.at;
            let spaces = self.cursor.skip_spaces();
            match self.cursor.peek() {
                // Without a last line break, or with spaces after it, readers differ.
                None if spaces > 0 => return Err(NotSure),
                None => break,
                Some(b'\n') if spaces <= indent => self.cursor.at += 1,
                Some(_) if spaces >= indent => {
                    self.cursor.skip_line();
                    let content = self.cursor.slice(line + indent, self.cursor.at);
                    if !content.ends_with('\n') {
                        return Err(NotSure);
                    }
                    text.push_str(content);
                    continue;
                }
                Some(b'\t') => return Err(NotSure),
                Some(_) if spaces <= parent => {
                    self.cursor.at = line;
                    break;
                }
                Some(_) => return Err(NotSure),
            }
            text.push('\n');
        }
        let written = Written { offset: start, len: self.cursor.at - start };
        let content = text.trim_end_matches('\n').len();
        match chomp {
            Chomp::Strip => text.truncate(content),
            Chomp::Clip => text.truncate(content + 1),
            Chomp::Keep => {}
        }
        self.cursor.builder.string(&text, Style::Quoted, written);
        Ok(())
    }
}

/// What becomes of the line breaks at the end of a literal block.
enum Chomp {
    Strip,
    Clip,
    Keep,
}
