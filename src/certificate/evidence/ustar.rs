//! Archives in the ustar format of POSIX.1-1988, which every `tar` reads: only regular files, and only one way to write each.

use std::io::{self, Read, Write};

/// Bytes of a block, in which everything is padded.
pub(super) const BLOCK: usize = 512;

/// Bytes of the header's name and prefix fields.
const NAME: usize = 100;
const PREFIX: usize = 155;

/// The largest file that the size field holds.
pub(super) const LARGEST: u64 = (1 << 33) - 1;

/// Whether a path fits into a header.
pub(super) fn fits(path: &str) -> bool {
    split(path).is_some()
}

/// A path in the two fields that a header has for it: what is before the last slash goes into the prefix if need be.
fn split(path: &str) -> Option<(&str, &str)> {
    if path.len() <= NAME {
        return Some(("", path));
    }
    let (prefix, name) = path.rsplit_once('/')?;
    (prefix.len() <= PREFIX && name.len() <= NAME).then_some((prefix, name))
}

/// The header of a regular file: mode 644, no owner, no time.
///
/// # Errors
/// Where the path or the size do not fit.
pub(super) fn header(path: &str, size: u64) -> io::Result<[u8; BLOCK]> {
    let (prefix, name) =
        split(path).ok_or_else(|| io::Error::other(format!("the path {path} is too long for an archive")))?;
    if size > LARGEST {
        return Err(io::Error::other(format!("{path} is too large for an archive")));
    }
    let mut block = [0; BLOCK];
    let mut put = |at: usize, bytes: &[u8]| {
        if let Some(field) = block.get_mut(at..at + bytes.len()) {
            field.copy_from_slice(bytes);
        }
    };
    put(0, name.as_bytes());
    put(100, b"0000644\0");
    put(108, b"0000000\0");
    put(116, b"0000000\0");
    put(124, format!("{size:011o}\0").as_bytes());
    put(136, b"00000000000\0");
    put(148, b"        ");
    put(156, b"0");
    put(257, b"ustar\x0000");
    put(345, prefix.as_bytes());
    let sum: u32 = block.iter().map(|&byte| u32::from(byte)).sum();
    if let Some(field) = block.get_mut(148..156) {
        field.copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    }
    Ok(block)
}

/// Writes a file's header, its bytes and the padding.
///
/// # Errors
/// Where the writer refuses, or there are not as many bytes as announced.
pub(super) fn append(out: &mut impl Write, path: &str, size: u64, bytes: &mut impl Read) -> io::Result<()> {
    out.write_all(&header(path, size)?)?;
    let copied = io::copy(&mut bytes.take(size), out)?;
    if copied != size || bytes.read(&mut [0])? != 0 {
        return Err(io::Error::other(format!("{path} changed while it was read")));
    }
    out.write_all(&[0; BLOCK][..padding(size)])
}

/// Writes the end of an archive.
///
/// # Errors
/// Where the writer refuses.
pub(super) fn finish(out: &mut impl Write) -> io::Result<()> {
    out.write_all(&[0; 2 * BLOCK])
}

/// Bytes between a file's end and the next block.
pub(super) fn padding(size: u64) -> usize {
    let over = (size % BLOCK as u64) as usize;
    if over == 0 { 0 } else { BLOCK - over }
}

/// The entry that a header is of.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Entry {
    File {
        path: String,
        size: u64,
    },
    Folder,
    /// The zeros at the end.
    End,
}

/// Reads a header. Other programs fill the fields that say nothing here (owner, times, mode) as they like.
///
/// # Errors
/// Where it is none, or of something else than a regular file or a folder; the text says what.
pub(super) fn entry(block: &[u8; BLOCK]) -> Result<Entry, String> {
    if block.iter().all(|&byte| byte == 0) {
        return Ok(Entry::End);
    }
    let field = |at: usize, length: usize| block.get(at..at + length).unwrap_or_default();
    let sum: u64 =
        block.iter().enumerate().map(|(at, &byte)| if (148..156).contains(&at) { 32 } else { u64::from(byte) }).sum();
    if octal(field(148, 8)) != Some(sum) {
        return Err("a header's checksum is wrong: the archive is damaged, or no tar archive".to_owned());
    }
    if field(257, 5) != b"ustar" {
        return Err("a header is not in the ustar format; pack the files with `tar --format=ustar`".to_owned());
    }
    let name = text(field(0, NAME)).ok_or("a name is no UTF-8")?;
    // What GNU tar calls ustar has a space here, and times where POSIX has the prefix.
    let prefix = if field(257, 6) == b"ustar\0" { text(field(345, PREFIX)).ok_or("a name is no UTF-8")? } else { "" };
    let path = if prefix.is_empty() { name.to_owned() } else { format!("{prefix}/{name}") };
    let size = octal(field(124, 12)).ok_or_else(|| format!("the size of {path:?} is no octal number"))?;
    match block.get(156) {
        Some(b'0' | 0) => Ok(Entry::File { path, size }),
        Some(b'5') if size == 0 => Ok(Entry::Folder),
        Some(kind) => Err(format!("{path:?} is {}, where only regular files may be", described(*kind))),
        None => Err("a header is cut short".to_owned()),
    }
}

fn described(kind: u8) -> String {
    match kind {
        b'1' => "a hard link".to_owned(),
        b'2' => "a symbolic link".to_owned(),
        b'3' | b'4' => "a device".to_owned(),
        b'5' => "a folder with content".to_owned(),
        b'6' => "a named pipe".to_owned(),
        b'x' | b'g' | b'L' | b'K' => "an extension of another tar format (pack with `tar --format=ustar`)".to_owned(),
        other => format!("of the unknown type {:?}", char::from(other)),
    }
}

/// A field's text, up to the first NUL.
fn text(field: &[u8]) -> Option<&str> {
    let end = field.iter().position(|&byte| byte == 0).unwrap_or(field.len());
    std::str::from_utf8(field.get(..end)?).ok()
}

/// An octal number, ended by a NUL or a space.
fn octal(field: &[u8]) -> Option<u64> {
    let text = text(field)?.trim();
    let digits = !text.is_empty() && text.bytes().all(|byte| (b'0'..=b'7').contains(&byte));
    if digits { u64::from_str_radix(text, 8).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read_as_they_were_written() {
        for (path, size) in
            [("a", 0), ("suite/scenario/stdout", 513), (&format!("{}/{}", "p".repeat(155), "n".repeat(100)), LARGEST)]
        {
            let block = header(path, size).unwrap();
            assert_eq!(entry(&block), Ok(Entry::File { path: path.to_owned(), size }));
        }
        assert!(header(&"n".repeat(101), 0).is_err());
        assert!(header(&format!("{}/n", "p".repeat(156)), 0).is_err());
        assert!(header("a", LARGEST + 1).is_err());
    }

    #[test]
    fn every_changed_byte_of_a_header_is_found() {
        let block = header("suite/scenario/stdout", 12).unwrap();
        for at in 0..BLOCK {
            let mut changed = block;
            changed[at] ^= 1;
            let read = entry(&changed);
            // Only in the checksum itself may a byte stand differently and mean the same.
            assert!(read.is_err() || (148..156).contains(&at), "{at}: {read:?}");
        }
    }
}
