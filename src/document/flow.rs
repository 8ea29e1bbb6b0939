//! Flow collections that stand on one line, for the block reader.

use std::ops::Range;

use super::inline::{Cursor, NotSure};
use super::tree::Kind;

impl Cursor<'_> {
    /// A flow collection of one line, whose members are all written out.
    pub fn flow(&mut self) -> Result<(), NotSure> {
        // Whether the open collections are objects.
        let mut open: Vec<bool> = Vec::new();
        loop {
            let start = self.at;
            let mut whole = true;
            match self.peek().ok_or(NotSure)? {
                bracket @ (b'{' | b'[') => {
                    let object = bracket == b'{';
                    self.start(if object { Kind::Object } else { Kind::Array }, start)?;
                    open.push(object);
                    self.at += 1;
                    self.skip_spaces();
                    if self.peek() == Some(if object { b'}' } else { b']' }) {
                        self.at += 1;
                        open.pop();
                        self.end();
                    } else {
                        whole = false;
                        if object {
                            self.flow_key()?;
                        }
                    }
                }
                quote @ (b'"' | b'\'') => {
                    let scalar = self.quoted(quote)?;
                    self.push_quoted(&scalar);
                }
                _ => {
                    let range = self.flow_plain()?;
                    self.push_plain(range)?;
                }
            }
            while whole {
                let Some(&object) = open.last() else { return Ok(()) };
                self.skip_spaces();
                match (self.peek(), object) {
                    (Some(b','), _) => {
                        self.at += 1;
                        self.skip_spaces();
                        if object {
                            self.flow_key()?;
                        }
                        whole = false;
                    }
                    (Some(b'}'), true) | (Some(b']'), false) => {
                        self.at += 1;
                        open.pop();
                        self.end();
                    }
                    _ => return Err(NotSure),
                }
            }
        }
    }

    /// A key of a flow mapping with its colon and what parts it from its value.
    fn flow_key(&mut self) -> Result<(), NotSure> {
        let start = self.at;
        match self.peek().ok_or(NotSure)? {
            quote @ (b'"' | b'\'') => {
                let scalar = self.quoted(quote)?;
                self.push_quoted(&scalar);
            }
            _ => {
                let range = self.flow_plain()?;
                self.push_plain_key(range)?;
            }
        }
        if !self.is_at_colon(start)? {
            return Err(NotSure);
        }
        self.at += 1;
        if self.skip_spaces() == 0 { Err(NotSure) } else { Ok(()) }
    }

    /// A plain scalar in a flow collection, of characters that mean nothing else there.
    fn flow_plain(&mut self) -> Result<Range<usize>, NotSure> {
        let start = self.at;
        let plain =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'+' | b'-' | b'/' | b' ' | 0x80..);
        while self.peek().is_some_and(plain) {
            self.at += 1;
        }
        let range = self.trimmed(start, self.at);
        self.at = range.end;
        match self.bytes.get(range.start) {
            _ if range.is_empty() => Err(NotSure),
            Some(b'-') if !self.bytes.get(range.start + 1).is_some_and(u8::is_ascii_alphanumeric) => Err(NotSure),
            _ => Ok(range),
        }
    }
}
