//! Why a pattern is refused.

use std::fmt;

/// A pattern that RE2 refuses, or that is too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub problem: Problem,
    /// Where in the pattern, in bytes.
    pub offset: usize,
}

/// What can be wrong with a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// `[` without `]`.
    MissingBracket,
    /// `(` without `)`.
    MissingParenthesis,
    /// `)` without `(`.
    UnexpectedParenthesis,
    /// A backslash at the end.
    TrailingBackslash,
    /// An escape that does not exist, such as `\y` or a reference to a group.
    UnknownEscape,
    /// A range of characters that ends before it starts, or a class such as `[:word:]` of an unknown name.
    InvalidClass,
    /// `\p{…}` that is no category and no script of Unicode.
    UnknownProperty,
    /// `*`, `+`, `?` or `{2}` with nothing before it.
    NothingToRepeat,
    /// A repetition of a repetition, such as `a**` or `a*+`.
    RepeatedRepetition,
    /// A repetition of more than 1000, nested ones multiplied, or one that ends before it starts.
    RepetitionTooLarge,
    /// `(?` with something that is no flag of RE2, such as look-around.
    UnknownFlag,
    /// A group without a valid name between its angle brackets.
    InvalidGroupName,
    /// More than 100 groups inside of each other.
    TooDeep,
    /// Too many characters and classes when repetitions are written out.
    TooLarge,
}

/// What follows "the regular expression".
impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = match self.problem {
            Problem::MissingBracket => "has `[` without `]`",
            Problem::MissingParenthesis => "has `(` without `)`",
            Problem::UnexpectedParenthesis => "has `)` without `(`",
            Problem::TrailingBackslash => "ends in a backslash",
            Problem::UnknownEscape => "has an escape that RE2 does not know",
            Problem::InvalidClass => "has an invalid class or range of characters",
            Problem::UnknownProperty => "has a property of Unicode that RE2 does not know",
            Problem::NothingToRepeat => "has a repetition of nothing",
            Problem::RepeatedRepetition => "has a repetition of a repetition, which RE2 refuses",
            Problem::RepetitionTooLarge => "has a repetition of more than 1000, which RE2 refuses",
            Problem::UnknownFlag => "has `(?` with something that RE2 does not know",
            Problem::InvalidGroupName => "has a group with an invalid name",
            Problem::TooDeep => "nests more than 100 groups",
            Problem::TooLarge => "is too large when its repetitions are written out",
        };
        formatter.write_str(words)
    }
}

impl std::error::Error for Fault {}
