//! Packing evidence into one archive. The same files make the same archive, whenever and by whomever it is packed.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::Path;

use super::shelf::Shelf;
use super::ustar;

/// Packs a folder of evidence, in the order of the paths.
///
/// # Errors
/// Where a file cannot be read, does not fit into an archive, or the archive cannot be written.
pub fn pack(folder: &Path, archive: &mut File) -> io::Result<()> {
    let shelf = Shelf::open(folder).map_err(|fault| io::Error::other(fault.to_string()))?;
    let mut out = BufWriter::new(archive);
    for (place, size) in shelf.files() {
        let mut file = BufReader::new(File::open(folder.join(place))?);
        ustar::append(&mut out, place, size, &mut file)?;
    }
    ustar::finish(&mut out)?;
    out.flush()
}
