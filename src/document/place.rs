//! Lines and columns of a source text.

/// Byte offsets at which lines start. A line ends with LF, CR LF or a lone CR, as in YAML.
pub struct LineIndex {
    starts: Vec<u32>,
}

impl LineIndex {
    pub(super) fn new(source: &str) -> Self {
        let bytes = source.as_bytes();
        let mut starts = vec![0];
        starts.extend(
            memchr::memchr2_iter(b'\n', b'\r', bytes)
                .filter(|&at| bytes[at] == b'\n' || bytes.get(at + 1) != Some(&b'\n'))
                .map(|at| at as u32 + 1),
        );
        LineIndex { starts }
    }

    /// Line and column, both from 1, of a byte offset; the column counts characters. An offset past the end is the end.
    pub fn line_column(&self, source: &str, offset: usize) -> (u32, u32) {
        let offset = source.floor_char_boundary(offset);
        let line = self.starts.partition_point(|&start| start as usize <= offset);
        let start = self.starts[line - 1] as usize;
        let column = source[start..offset].chars().count();
        (line as u32, column as u32 + 1)
    }

    /// The text of a line (from 1) without its line break; empty past the end.
    pub fn text<'s>(&self, source: &'s str, line: u32) -> &'s str {
        let Some(&start) = (line as usize).checked_sub(1).and_then(|at| self.starts.get(at)) else { return "" };
        let end = self.starts.get(line as usize).map_or(source.len(), |&next| next as usize);
        source[start as usize..end].trim_end_matches(['\n', '\r'])
    }
}
