//! What can be wrong with the syntax, as facts. The words for them stand in `words.rs`.

use super::scan::Bracket;
use crate::span::{Name, Span};

/// A mistake of syntax.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SyntaxError {
    /// The text has 4 GiB or more, so that offsets do not fit.
    FileTooLarge { file: Span },
    /// A string runs to the end of its line or of the text.
    UnclosedString { string: Span },
    /// A block comment runs to the end of the text.
    UnclosedComment { opener: Span },
    /// Brackets or block comments nest too deeply; the first that is too deep.
    NestedTooDeeply { opener: Span },
    /// An expression with too many links in one chain.
    ExpressionTooDeep { expression: Span },
    /// A bracket is not closed `before` something else closes or begins.
    UnclosedBracket {
        bracket: Bracket,
        opener: Span,
        before: Option<Span>,
    },
    /// A `;` or a closing bracket that ends or closes nothing.
    Stray { token: Name, closes: bool },
    /// An item that is whole but for its `;`.
    MissingSemicolon { item: &'static str, after: Span },
    /// A word that begins no item.
    UnknownItem { word: Name },
    /// A `template` or `for` in the braces of another.
    NestedBlock { keyword: Name },
    /// An item that this version does not compile.
    Unsupported { keyword: Name },
    /// A CEL or syntax word in a role that it cannot have.
    ReservedWord { word: Name, role: Role },
    /// `{…}` behind an expression that names no type.
    FieldsWithoutType { operand: Span },
    /// A number that has no value.
    InvalidNumber {
        text: String,
        span: Span,
        problem: NumberProblem,
    },
    /// An escape that means nothing; `raw_fits` when a raw string could hold the text.
    InvalidEscape {
        text: String,
        span: Span,
        problem: EscapeProblem,
        raw_fits: bool,
    },
    /// Something else was expected, `after` a short token; nothing is `found` at the end of the text.
    Unexpected {
        expected: &'static str,
        after: Option<String>,
        found: Option<String>,
        at: Span,
    },
    /// A character that no token of the language has.
    UnknownCharacter { character: Name },
    /// A slip that is known well enough to say how to mend it.
    Slip(Slip),
}

/// What a reserved word was used as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// The name of an item.
    Declaration,
    /// A variable or a function.
    Variable,
    /// A field of a value.
    Field,
}

/// Why a number has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NumberProblem {
    /// Digits that make no number.
    Malformed,
    /// Not a 64-bit signed integer.
    IntRange,
    /// Not a 64-bit unsigned integer.
    UintRange,
    /// Too large for a double.
    DoubleRange,
    /// More than 64 bits of nanoseconds.
    DurationRange,
    /// More than 64 bits of bytes.
    SizeRange,
    /// A unit after a number with a point.
    Fraction,
    /// Digits grouped with `_`.
    Grouped,
    /// A suffix that is no unit.
    Unit(String),
}

/// Why an escape means nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EscapeProblem {
    /// No escape begins like this.
    Unknown,
    /// Too few digits.
    Digits { wanted: usize, radix: u32 },
    /// A code that is no Unicode character.
    NotACharacter,
}

/// A slip with a known remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Slip {
    /// What kind of slip.
    pub(super) kind: SlipKind,
    /// What was written, or where something is missing.
    pub(super) span: Span,
    /// What was written.
    pub(super) found: String,
    /// What is replaced to mend it: the same place, or a little more.
    pub(super) mend: Span,
    /// What stands there afterwards.
    pub(super) replacement: String,
}

/// The kinds of slips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SlipKind {
    /// An operator of another language: `and`, `=`, `&`, `<>` …
    Operator,
    /// A typographic quotation mark.
    Quote,
    /// A comment that begins with `#`.
    Comment,
    /// `=` between a name and its value.
    EqualsForColon,
    /// No `:` between a name and its value.
    MissingColon,
    /// No `=` in a declaration.
    MissingEquals,
    /// `=>`, `|>` or another sign where `->` stands.
    Arrow,
    /// Two steps without `->` between them.
    MissingArrow,
    /// An arm with `->` or `:` in place of `=>`.
    ArmArrow,
    /// Two parts of a list without `,` between them.
    MissingComma,
    /// Two `,` side by side.
    ExtraComma,
    /// `;` between the parts of a block.
    SemicolonForComma,
}
