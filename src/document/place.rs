//! Lines and columns of a source text.

use std::sync::OnceLock;

/// Byte offsets at which lines start. A line ends with LF, CR LF or a lone CR, as in YAML.
pub struct LineIndex {
    starts: Vec<u32>,
    /// Characters before every [`STRIDE`]th byte: a minified document is one line, and counting it from its start for every
    /// place in it would take time in the square of its length.
    characters: OnceLock<Vec<u32>>,
}

/// Bytes between two counts of characters.
const STRIDE: usize = 1 << 12;

impl LineIndex {
    pub(super) fn new(source: &str) -> Self {
        let bytes = source.as_bytes();
        let mut starts = vec![0];
        starts.extend(
            memchr::memchr2_iter(b'\n', b'\r', bytes)
                .filter(|&at| bytes[at] == b'\n' || bytes.get(at + 1) != Some(&b'\n'))
                .map(|at| at as u32 + 1),
        );
        LineIndex { starts, characters: OnceLock::new() }
    }

    /// Line and column, both from 1, of a byte offset; the column counts characters. An offset past the end is the end.
    pub fn line_column(&self, source: &str, offset: usize) -> (u32, u32) {
        let offset = source.floor_char_boundary(offset);
        let line = self.starts.partition_point(|&start| start as usize <= offset);
        let start = self.starts[line - 1] as usize;
        let column = if offset - start <= STRIDE {
            characters(&source.as_bytes()[start..offset])
        } else {
            self.characters_before(source, offset) - self.characters_before(source, start)
        };
        (line as u32, column as u32 + 1)
    }

    fn characters_before(&self, source: &str, offset: usize) -> usize {
        let bytes = source.as_bytes();
        let counts = self.characters.get_or_init(|| {
            let mut sum = 0u32;
            let before = |chunk: &[u8]| {
                let here = sum;
                sum += characters(chunk) as u32;
                here
            };
            bytes.chunks(STRIDE).map(before).collect()
        });
        let stride = offset / STRIDE;
        let from = counts.get(stride).map_or_else(|| characters(bytes), |&count| count as usize);
        from + characters(bytes.get(stride * STRIDE..offset).unwrap_or_default())
    }

    /// Byte offset at which a line (from 1) starts; 0 for a line that there is not.
    pub fn start(&self, line: u32) -> usize {
        (line as usize).checked_sub(1).and_then(|at| self.starts.get(at)).map_or(0, |&start| start as usize)
    }

    /// The text of a line (from 1) without its line break; empty past the end.
    pub fn text<'s>(&self, source: &'s str, line: u32) -> &'s str {
        let Some(&start) = (line as usize).checked_sub(1).and_then(|at| self.starts.get(at)) else { return "" };
        let end = self.starts.get(line as usize).map_or(source.len(), |&next| next as usize);
        source[start as usize..end].trim_end_matches(['\n', '\r'])
    }
}

/// Number of characters in a piece of UTF-8, whose first and last may be cut: a character counts where its first byte stands.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0xc0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_a_long_line_count_characters() {
        let source = format!("a\n{}", "é€𝄞x".repeat(5_000));
        let index = LineIndex::new(&source);
        for (nth, (offset, _)) in source[2..].char_indices().enumerate() {
            assert_eq!(index.line_column(&source, offset + 2), (2, nth as u32 + 1));
        }
        let end = source.chars().count() as u32 - 1;
        assert_eq!(index.line_column(&source, source.len() + 10), (2, end));
    }

    #[test]
    fn the_end_of_a_source_of_whole_strides_has_a_column() {
        let source = "x".repeat(2 * STRIDE);
        let index = LineIndex::new(&source);
        assert_eq!(index.line_column(&source, source.len()), (1, 2 * STRIDE as u32 + 1));
    }
}
