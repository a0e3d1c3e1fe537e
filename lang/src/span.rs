//! Where a piece of syntax stands: byte offsets into one file of a compilation.
//!
//! A [`Span`] is 12 bytes and `Copy`, so every node of every later stage can carry one. Lines and columns are
//! made from it only when a message is rendered ([`crate::source::SourceFile`]).

use serde::Serialize;

/// One file of a compilation; the index into [`crate::source::SourceMap`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct FileId(pub u32);

/// A half-open range of bytes in one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Span {
    /// The file that both offsets count in.
    pub file: FileId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset of the byte after the last one.
    pub end: u32,
}

impl Span {
    /// A span from `start` to `end` (bytes) of `file`.
    #[must_use]
    pub const fn new(file: FileId, start: u32, end: u32) -> Self {
        Self { file, start, end }
    }

    /// The smallest span that covers `self` and `other`, which stand in the same file.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self {
            file: self.file,
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// The empty span just behind this one: where something is missing.
    #[must_use]
    pub const fn after(self) -> Self {
        Self {
            file: self.file,
            start: self.end,
            end: self.end,
        }
    }

    /// Whether `offset` (bytes) lies inside.
    #[must_use]
    pub const fn contains(self, offset: u32) -> bool {
        self.start <= offset && offset < self.end
    }
}

/// A value and where it was written.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spanned<T> {
    /// What was written.
    pub value: T,
    /// Where it stands.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// `value`, written at `span`.
    pub const fn new(value: T, span: Span) -> Self {
        Self { value, span }
    }
}

/// An identifier as it was written.
pub type Name = Spanned<String>;
