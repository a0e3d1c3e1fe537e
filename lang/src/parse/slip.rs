//! Slips that are common enough to be known: what was meant is clear, so the message can say how to mend it.
//!
//! In: the place where a text goes wrong. Out: the error for a known slip, if it is one. Each function knows one
//! family; the first that recognises the place wins.

use super::diagnose::{Context, KEYWORDS, Site};
use super::error::{Slip, SlipKind, SyntaxError};
use super::scan::{Bracket, TokenKind};
use crate::span::{Span, Spanned};

/// Recognises the slip at a place.
pub(super) fn find(site: &Site<'_>) -> Option<SyntaxError> {
    const FAMILIES: [fn(&Site<'_>) -> Option<Slip>; 11] = [
        quote,
        comment,
        semicolon,
        extra_comma,
        colon,
        equals,
        arm_arrow,
        arrow,
        operator,
        comma,
        missing_arrow,
    ];
    if matches!(site.context, Context::Template | Context::For) {
        return unknown_character(site);
    }
    unknown_item(site)
        .or_else(|| {
            FAMILIES
                .iter()
                .find_map(|family| family(site))
                .map(SyntaxError::Slip)
        })
        .or_else(|| unknown_character(site))
}

/// `snk x = …`: two words and a sign that only declarations have.
fn unknown_item(site: &Site<'_>) -> Option<SyntaxError> {
    let first = site.first;
    let word = site.text(first);
    let declares = site.is(first, TokenKind::Word)
        && site.is(first + 1, TokenKind::Word)
        && matches!(site.text(first + 2), "=" | ":" | "{" | "(")
        && site.at <= first + 2;
    // `ingest filter(…)` is a chain without its arrow, and not an item that is called `ingest`.
    let chain = site.text(first + 2) == "(" && has_arrow_ahead(site);
    let unknown = site.context == Context::Item && declares && !chain && !KEYWORDS.contains(&word);
    unknown.then(|| SyntaxError::UnknownItem {
        word: Spanned::new(word.to_owned(), site.span(first)),
    })
}

fn has_arrow_ahead(site: &Site<'_>) -> bool {
    (site.at..site.end).any(|index| site.text(index) == "->")
}

/// A character that no token has.
fn unknown_character(site: &Site<'_>) -> Option<SyntaxError> {
    let character = Spanned::new(site.text(site.at).to_owned(), site.span(site.at));
    (site.at < site.end && site.is(site.at, TokenKind::Unknown))
        .then_some(SyntaxError::UnknownCharacter { character })
}

fn slip(kind: SlipKind, span: Span, found: &str, replacement: impl Into<String>) -> Slip {
    Slip {
        kind,
        span,
        found: found.to_owned(),
        mend: span,
        replacement: replacement.into(),
    }
}

/// A slip that is the token at the place.
fn replace(site: &Site<'_>, kind: SlipKind, replacement: &str) -> Slip {
    slip(kind, site.span(site.at), site.text(site.at), replacement)
}

/// `“prod”`, as word processors write it.
fn quote(site: &Site<'_>) -> Option<Slip> {
    let opener = site.text(site.at);
    if !matches!(opener, "“" | "”" | "„" | "«" | "‘" | "’" | "‚") {
        return None;
    }
    let span = site.span(site.at);
    let line = site.text_from(site.at).lines().next().unwrap_or("");
    let inner = line.get(opener.len()..).unwrap_or("");
    let Some(end) = inner.find(['”', '“', '»', '’', '‘']) else {
        return Some(slip(SlipKind::Quote, span, opener, "\""));
    };
    let closer = inner
        .get(end..)
        .and_then(|tail| tail.chars().next())
        .map_or(0, char::len_utf8);
    let length = opener.len() + end + closer;
    let whole = Span {
        end: span.start + super::offset(length),
        ..span
    };
    let body = inner.get(..end).unwrap_or("");
    Some(slip(SlipKind::Quote, whole, opener, format!("\"{body}\"")))
}

/// `# …`, as shells have it.
fn comment(site: &Site<'_>) -> Option<Slip> {
    (site.text(site.at) == "#").then(|| replace(site, SlipKind::Comment, "//"))
}

/// `{ a: 1; b: 2 }`
fn semicolon(site: &Site<'_>) -> Option<Slip> {
    let inside = site.at < site.end && site.text(site.at) == ";";
    inside.then(|| replace(site, SlipKind::SemicolonForComma, ","))
}

/// `name = value` and `name value` in blocks and arguments, `config name type`.
fn colon(site: &Site<'_>) -> Option<Slip> {
    let name = match site.context {
        Context::Option => site.first,
        Context::Argument if !takes_predicate(site) => site.first,
        Context::Item if site.keyword() == Some("config") => site.first + 1,
        Context::Item if site.keyword() == Some("source") && site.text(site.at + 1) == "=" => {
            site.first + 1
        }
        _ => return None,
    };
    if site.at != name + 1 || !site.is(name, TokenKind::Word) {
        return None;
    }
    let (name_span, name) = (site.span(name), site.text(name));
    if site.text(site.at) == "=" && site.context != Context::Item {
        let found = replace(site, SlipKind::EqualsForColon, ":");
        return Some(Slip {
            mend: name_span.after().to(found.span),
            ..found
        });
    }
    let word_operator =
        site.context == Context::Argument && word_operator(site.text(site.at)).is_some();
    let value = site.begins_operand() && !word_operator;
    value.then(|| slip(SlipKind::MissingColon, name_span.after(), name, ":"))
}

/// `sink name connector` without `=`.
fn equals(site: &Site<'_>) -> Option<Slip> {
    let declares = site.keyword().is_some_and(|keyword| keyword != "config");
    let name = site.first + 1;
    let missing =
        declares && site.at == name + 1 && site.is(name, TokenKind::Word) && site.begins_operand();
    missing.then(|| {
        slip(
            SlipKind::MissingEquals,
            site.span(name).after(),
            site.text(name),
            " =",
        )
    })
}

/// `a,, b`
fn extra_comma(site: &Site<'_>) -> Option<Slip> {
    let double =
        site.before().is_some_and(|before| site.text(before) == ",") && site.text(site.at) == ",";
    double.then(|| replace(site, SlipKind::ExtraComma, ""))
}

/// Whether the argument belongs to a stage whose argument is a condition.
fn takes_predicate(site: &Site<'_>) -> bool {
    let stage = site
        .first
        .checked_sub(2)
        .map_or("", |stage| site.text(stage));
    matches!(stage, "filter" | "drop" | "validate")
}

/// `p -> sink` and `p: sink` in a `route`.
fn arm_arrow(site: &Site<'_>) -> Option<Slip> {
    if let Some(before) = site
        .before()
        .filter(|before| site.text(*before) == "else" && site.begins_operand())
    {
        let found = replace(site, SlipKind::ArmArrow, " =>");
        return Some(Slip {
            mend: site.span(before).after(),
            ..found
        });
    }
    let head = site.context == Context::Arm && site.innermost().is_none() && !site.has_before("=>");
    let wrong = matches!(site.text(site.at), "->" | ":" | "=") && site.at < site.end;
    // A lone `=` is `==` misspelt when the arrow comes later.
    let compares =
        site.text(site.at) == "=" && (site.at..site.end).any(|index| site.text(index) == "=>");
    let before = site
        .before()
        .filter(|_| head && wrong && !compares && site.follows_operand())?;
    let found = replace(site, SlipKind::ArmArrow, " =>");
    Some(Slip {
        mend: site.span(before).after().to(found.span),
        ..found
    })
}

/// `source => sink`, `source |> sink`, `source → sink`.
fn arrow(site: &Site<'_>) -> Option<Slip> {
    if !in_chain(site) || site.at >= site.end || !site.follows_operand() {
        return None;
    }
    let text = site.text(site.at);
    let joint =
        site.span(site.at).end == site.span(site.at + 1).start && site.text(site.at + 1) == ">";
    match text {
        "=>" | "→" | "⇒" | ">" | "<" => Some(replace(site, SlipKind::Arrow, "->")),
        "|" if joint => {
            let span = site.span(site.at).to(site.span(site.at + 1));
            Some(slip(SlipKind::Arrow, span, "|>", "->"))
        }
        "|" | "-" => Some(replace(site, SlipKind::Arrow, "->")),
        _ => None,
    }
}

/// Whether the place stands between two steps of a chain.
fn in_chain(site: &Site<'_>) -> bool {
    let chain = match site.context {
        Context::Item => site.keyword().is_none(),
        Context::Step | Context::Branch => true,
        Context::Arm => site.has_before("=>"),
        Context::Template | Context::For => false,
        Context::Option | Context::Argument | Context::Expression => false,
    };
    chain && site.innermost().is_none()
}

/// The CEL operator that a word of other languages stands for.
fn word_operator(word: &str) -> Option<&'static str> {
    match word.to_ascii_lowercase().as_str() {
        "and" => Some("&&"),
        "or" => Some("||"),
        _ => None,
    }
}

/// Operators of other languages.
fn operator(site: &Site<'_>) -> Option<Slip> {
    let before = site.before()?;
    let text = site.text(site.at);
    let joint = site.span(before).end == site.span(site.at).start;
    let both = site.span(before).to(site.span(site.at));
    if site.text(before).eq_ignore_ascii_case("not") && site.begins_operand() {
        let not = slip(
            SlipKind::Operator,
            site.span(before),
            site.text(before),
            "!",
        );
        let end = site.span(site.at).start;
        return Some(Slip {
            mend: Span { end, ..not.span },
            ..not
        });
    }
    if site.at >= site.end {
        return None;
    }
    match (site.text(before), text) {
        ("==", "=") if joint => return Some(slip(SlipKind::Operator, both, "===", "==")),
        ("!=", "=") if joint => return Some(slip(SlipKind::Operator, both, "!==", "!=")),
        ("<", ">") if joint => return Some(slip(SlipKind::Operator, both, "<>", "!=")),
        _ => {}
    }
    if !site.follows_operand() || !in_expression(site) {
        return None;
    }
    match text {
        "=" => Some(replace(site, SlipKind::Operator, "==")),
        "&" => Some(replace(site, SlipKind::Operator, "&&")),
        "|" => Some(replace(site, SlipKind::Operator, "||")),
        word => word_operator(word).map(|operator| replace(site, SlipKind::Operator, operator)),
    }
}

/// Whether the place stands behind a value inside an expression.
fn in_expression(site: &Site<'_>) -> bool {
    match site.context {
        Context::Item => site.keyword().is_some() && site.has_before("="),
        Context::Option => site.at > site.first + 1,
        Context::Arm => !site.has_before("=>"),
        Context::Argument | Context::Expression => true,
        Context::Step | Context::Branch => site.innermost().is_some(),
        Context::Template | Context::For => false,
    }
}

/// `[a b]`, and two options, arguments or arms side by side.
fn comma(site: &Site<'_>) -> Option<Slip> {
    let before = site.before()?;
    if !site.follows_operand() || !site.begins_operand() {
        return None;
    }
    let next = site.text(site.at + 1);
    let missing = match (site.innermost(), site.context) {
        (Some(Bracket::Square | Bracket::Round), _) => {
            !site.is(site.at, TokenKind::Open(Bracket::Curly))
        }
        (Some(Bracket::Curly), _) => (site.at..site.end).any(|index| site.text(index) == ":"),
        (None, Context::Option | Context::Argument) => next == ":",
        // A step behind `[` or `,` is a branch of a fan-out; one before `=>` is the condition of another arm.
        (None, Context::Step) => {
            let opener = site
                .first
                .checked_sub(1)
                .map_or("", |opener| site.text(opener));
            matches!(opener, "[" | ",") || (site.at..site.end).any(|index| site.text(index) == "=>")
        }
        (None, Context::Branch) => true,
        (None, Context::Arm) => {
            site.has_before("=>") && (site.at..site.end).any(|index| site.text(index) == "=>")
        }
        (None, _) => false,
    };
    missing.then(|| {
        slip(
            SlipKind::MissingComma,
            site.span(before).after(),
            site.text(before),
            ",",
        )
    })
}

/// `source filter(p)`: two steps side by side.
fn missing_arrow(site: &Site<'_>) -> Option<Slip> {
    let before = site.before()?;
    let step =
        site.is(site.at, TokenKind::Word) || site.is(site.at, TokenKind::Open(Bracket::Square));
    let missing = in_chain(site) && site.at < site.end && step && site.follows_operand();
    missing.then(|| {
        slip(
            SlipKind::MissingArrow,
            site.span(before).after(),
            site.text(before),
            " ->",
        )
    })
}
