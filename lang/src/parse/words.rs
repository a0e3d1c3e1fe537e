//! The words for mistakes of syntax; the only place where they are made.

use super::build::SYNTAX_WORDS;
use super::diagnose::KEYWORDS;
use super::error::{EscapeProblem, NumberProblem, Role, Slip, SlipKind, SyntaxError};
use super::scan::Bracket;
use super::{MAX_DEPTH, MAX_NESTING};
use crate::diagnostic::suggest::nearest;
use crate::diagnostic::{Code, Diagnostic, IntoDiagnostic};
use crate::span::{Name, Span};

impl IntoDiagnostic for SyntaxError {
    fn into_diagnostic(self) -> Diagnostic {
        match self {
            Self::FileTooLarge { file } => Diagnostic::new(
                Code::FileTooLarge,
                "a file of 4 GiB or more is refused",
                file,
            ),
            Self::UnclosedString { string } => unclosed_string(string),
            Self::UnclosedComment { opener } => unclosed_comment(opener),
            Self::NestedTooDeeply { opener } => nested_too_deeply(opener),
            Self::ExpressionTooDeep { expression } => expression_too_deep(expression),
            Self::UnclosedBracket {
                bracket,
                opener,
                before,
            } => unclosed_bracket(bracket, opener, before),
            Self::Stray { token, closes } => stray(&token, closes),
            Self::MissingSemicolon { item, after } => missing_semicolon(item, after),
            Self::UnknownItem { word } => unknown_item(&word),
            Self::NestedBlock { keyword } => nested_block(&keyword),
            Self::Unsupported { keyword } => unsupported(&keyword),
            Self::ReservedWord { word, role } => reserved_word(&word, role),
            Self::FieldsWithoutType { operand } => Diagnostic::new(
                Code::UnexpectedToken,
                "fields in braces need the name of a type before them",
                operand,
            )
            .label("this names no type"),
            Self::InvalidNumber {
                text,
                span,
                problem,
            } => invalid_number(&text, span, &problem),
            Self::InvalidEscape {
                text,
                span,
                problem,
                raw_fits,
            } => invalid_escape(&text, span, problem, raw_fits),
            Self::UnknownCharacter { character } => unknown_character(&character),
            Self::Unexpected {
                expected,
                after,
                found,
                at,
            } => unexpected(expected, after, found, at),
            Self::Slip(slip) => slipped(&slip),
        }
    }
}

fn unclosed_string(string: Span) -> Diagnostic {
    Diagnostic::new(Code::UnclosedString, "a string is not closed", string)
        .label("the string begins here")
        .help("end it with the quotation mark that it began with; a string ends on its line unless it is raw (`r\"…\"`)")
}

fn unclosed_comment(opener: Span) -> Diagnostic {
    Diagnostic::new(Code::UnclosedComment, "a comment is not closed", opener)
        .label("the comment begins here")
        .help("end it with `*/`; comments nest, so each `/*` needs its own")
}

fn nested_too_deeply(opener: Span) -> Diagnostic {
    Diagnostic::new(
        Code::TooDeep,
        format!("brackets and comments nest at most {MAX_NESTING} deep"),
        opener,
    )
    .label("this goes deeper")
    .help("give an inner part a name with `predicate`, `const` or `stage`")
}

fn expression_too_deep(expression: Span) -> Diagnostic {
    Diagnostic::new(
        Code::TooDeep,
        format!("an expression is at most {MAX_DEPTH} operations deep"),
        expression,
    )
    .label("this goes deeper")
    .help("give a part of it a name with `predicate` or `const`")
}

fn unclosed_bracket(bracket: Bracket, opener: Span, before: Option<Span>) -> Diagnostic {
    let closer = bracket.closer();
    let found = Diagnostic::new(
        Code::UnclosedBracket,
        format!("`{}` is not closed", bracket.opener()),
        opener,
    )
    .label("opened here")
    .help(format!("close it with `{closer}`"));
    match before {
        Some(before) => found.also(before, format!("`{closer}` is missing before this")),
        None => found,
    }
}

fn nested_block(keyword: &Name) -> Diagnostic {
    Diagnostic::new(
        Code::MisplacedItem,
        format!("a `{}` cannot stand in braces", keyword.value),
        keyword.span,
    )
    .help("write it beside the item around it: templates do not use templates, and a `for` has one table")
}

/// Closing brackets and semicolons between items; `token` is the first of them.
fn stray(token: &Name, closes: bool) -> Diagnostic {
    let (code, verb) = if closes {
        (Code::UnmatchedBracket, "closes")
    } else {
        (Code::UnexpectedToken, "ends")
    };
    let several = token.span.end - token.span.start > 1;
    let help = if several {
        "remove them".to_owned()
    } else {
        format!("remove the `{}`", token.value)
    };
    Diagnostic::new(
        code,
        format!("`{}` {verb} nothing", token.value),
        token.span,
    )
    .help(help)
    .fix(token.span, "")
}

fn missing_semicolon(item: &str, after: Span) -> Diagnostic {
    Diagnostic::new(
        Code::MissingSemicolon,
        format!("expected `;` after the {item}"),
        after.after(),
    )
    .label("`;` is missing")
    .help("end every item with `;`")
    .fix(after.after(), ";")
}

fn unknown_item(word: &Name) -> Diagnostic {
    let found = Diagnostic::new(
        Code::UnknownItem,
        format!("`{}` begins no declaration", word.value),
        word.span,
    )
    .label("not a keyword");
    match nearest(&word.value, KEYWORDS) {
        Some(keyword) => found
            .help(format!("did you mean `{keyword}`?"))
            .fix(word.span, keyword),
        None => found.help(format!(
            "declarations begin with `{}`; chains with a source and `->`",
            KEYWORDS.join("`, `")
        )),
    }
}

fn unsupported(keyword: &Name) -> Diagnostic {
    Diagnostic::new(
        Code::NotSupportedYet,
        format!("`{}` is not supported yet", keyword.value),
        keyword.span,
    )
    .label("this version does not compile it")
}

fn reserved_word(word: &Name, role: Role) -> Diagnostic {
    let text = &word.value;
    let (message, help) = match role {
        Role::Declaration => (
            format!("`{text}` is a reserved word and names nothing"),
            "choose another name".to_owned(),
        ),
        Role::Variable if SYNTAX_WORDS.contains(&text.as_str()) => (
            format!("`{text}` is part of the syntax and names no variable"),
            "choose another name".to_owned(),
        ),
        Role::Variable => (
            format!("`{text}` is a reserved word of CEL and names no variable"),
            format!("as a field it is fine: `event.{text}`"),
        ),
        Role::Field => (
            format!("`{text}` is part of the syntax and names no field"),
            format!("write `[\"{text}\"]` in place of `.{text}`"),
        ),
    };
    Diagnostic::new(Code::ReservedWord, message, word.span).help(help)
}

/// Units of sizes and durations, for "did you mean"; of equally near ones the first is suggested.
const UNITS: [&str; 11] = [
    "KiB", "MiB", "GiB", "TiB", "B", "ns", "us", "ms", "s", "m", "h",
];

fn invalid_number(text: &str, span: Span, problem: &NumberProblem) -> Diagnostic {
    let number = |message: String| Diagnostic::new(Code::InvalidNumber, message, span);
    let quantity = |message: String| Diagnostic::new(Code::InvalidUnit, message, span);
    match problem {
        NumberProblem::Malformed => number(format!("`{text}` is no number")),
        NumberProblem::IntRange => number(format!("`{text}` is out of the range of `int`")).help(
            format!("an `int` lies between {} and {}", i64::MIN, i64::MAX),
        ),
        NumberProblem::UintRange => number(format!("`{text}` is out of the range of `uint`"))
            .help(format!("a `uint` lies between 0u and {}u", u64::MAX)),
        NumberProblem::DoubleRange => number(format!("`{text}` is out of the range of `double`")),
        NumberProblem::Grouped => number(format!("`{text}` groups its digits with `_`"))
            .help("write the digits without `_`")
            .fix(span, text.replace('_', "")),
        NumberProblem::DurationRange => quantity(format!("the duration `{text}` is too long"))
            .help("a duration has less than 293 years"),
        NumberProblem::SizeRange => quantity(format!("the size `{text}` is too large"))
            .help("a size has less than 16777216TiB"),
        NumberProblem::Fraction => quantity(format!("`{text}` has a point and a unit"))
            .help("write whole numbers with a smaller unit: `1500ms`, `1h30m`"),
        NumberProblem::Unit(unit) => invalid_unit(
            quantity(format!("`{unit}` in `{text}` is no unit")),
            text,
            unit,
        ),
    }
}

fn invalid_unit(found: Diagnostic, text: &str, unit: &str) -> Diagnostic {
    match (nearest(unit, UNITS), text.strip_suffix(unit)) {
        (Some(meant), Some(count)) => {
            let span = found.primary.span;
            found.help(format!("did you mean `{count}{meant}`?")).fix(span, format!("{count}{meant}"))
        }
        _ => found.help(
            "durations are written with `ns`, `us`, `ms`, `s`, `m`, `h`; sizes with `B`, `KiB`, `MiB`, `GiB`, `TiB`",
        ),
    }
}

fn invalid_escape(text: &str, span: Span, problem: EscapeProblem, raw_fits: bool) -> Diagnostic {
    let message = match problem {
        EscapeProblem::Unknown => format!("`{text}` is no escape"),
        EscapeProblem::Digits { wanted, radix: 8 } => {
            format!("`{text}` needs {wanted} octal digits")
        }
        EscapeProblem::Digits { wanted, .. } => {
            format!("`{text}` needs {wanted} hexadecimal digits")
        }
        EscapeProblem::NotACharacter => format!("`{text}` is no Unicode character"),
    };
    let found = Diagnostic::new(Code::InvalidEscape, message, span);
    match (problem, raw_fits) {
        (EscapeProblem::Unknown, true) => found
            .help("double the backslash, or write a raw string: `r\"…\"`")
            .fix(span, format!("\\{text}")),
        (EscapeProblem::Unknown, false) => found
            .help("double the backslash")
            .fix(span, format!("\\{text}")),
        _ => found,
    }
}

fn unknown_character(character: &Name) -> Diagnostic {
    Diagnostic::new(
        Code::UnexpectedCharacter,
        format!("`{}` has no meaning here", character.value.escape_debug()),
        character.span,
    )
}

fn unexpected(
    expected: &str,
    after: Option<String>,
    found: Option<String>,
    at: Span,
) -> Diagnostic {
    let after = after
        .map(|after| format!(" after `{after}`"))
        .unwrap_or_default();
    let found = match found {
        // Strings can be long, and their text is seen in the source anyway.
        Some(found) if found.ends_with(['"', '\'']) => "a string".to_owned(),
        Some(found) => format!("`{found}`"),
        None => "the end of the text".to_owned(),
    };
    Diagnostic::new(
        Code::UnexpectedToken,
        format!("expected {expected}{after}, found {found}"),
        at,
    )
    .label(format!("expected {expected}"))
}

fn slipped(slip: &Slip) -> Diagnostic {
    let (found, replacement) = (&slip.found, &slip.replacement);
    let (code, message, help) = match slip.kind {
        SlipKind::Operator => (
            Code::WrongOperator,
            format!("`{found}` is not an operator of CEL"),
            format!("write `{replacement}`"),
        ),
        SlipKind::Quote => (
            Code::WrongQuote,
            format!("`{found}` is a typographic quotation mark"),
            "strings stand in plain quotation marks: `\"…\"`".to_owned(),
        ),
        SlipKind::Comment => (
            Code::WrongComment,
            "`#` begins no comment".to_owned(),
            "comments begin with `//`".to_owned(),
        ),
        SlipKind::EqualsForColon => (
            Code::MissingColon,
            "expected `:` between a name and its value, found `=`".to_owned(),
            "options and arguments are written `name: value`".to_owned(),
        ),
        SlipKind::MissingColon => (
            Code::MissingColon,
            format!("expected `:` after `{found}`"),
            format!("write `{found}: …`"),
        ),
        SlipKind::MissingEquals => (
            Code::UnexpectedToken,
            format!("expected `=` after `{found}`"),
            "a declaration is written `keyword name = …`".to_owned(),
        ),
        SlipKind::ExtraComma => (
            Code::UnexpectedToken,
            "one `,` is too many".to_owned(),
            "remove it".to_owned(),
        ),
        SlipKind::Arrow => (
            Code::MissingArrow,
            format!("expected `->`, found `{found}`"),
            "steps are joined by `->`".to_owned(),
        ),
        SlipKind::MissingArrow => (
            Code::MissingArrow,
            format!("expected `->` after `{found}`"),
            "steps are joined by `->`".to_owned(),
        ),
        SlipKind::ArmArrow => (
            Code::MissingArrow,
            format!("expected `=>` after the condition of an arm, found `{found}`"),
            "an arm is written `condition => chain`".to_owned(),
        ),
        SlipKind::MissingComma => (
            Code::MissingComma,
            format!("expected `,` after `{found}`"),
            "separate the parts with `,`".to_owned(),
        ),
        SlipKind::SemicolonForComma => (
            Code::MissingComma,
            "expected `,`, found `;`".to_owned(),
            "inside brackets the parts are separated by `,`".to_owned(),
        ),
    };
    Diagnostic::new(code, message, slip.span)
        .help(help)
        .fix(slip.mend, replacement.clone())
}
