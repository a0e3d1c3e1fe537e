//! Text to syntax tree.

use crate::ast::File;
use crate::diagnostic::Diagnostics;
use crate::span::FileId;

/// Parses one file; never fails.
pub fn parse(_file: FileId, _text: &str, _diagnostics: &mut Diagnostics) -> File {
    File::default()
}
