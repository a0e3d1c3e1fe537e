//! Regular expressions: what CEL means by a pattern, written for the `regex` crate.
//!
//! In: a pattern of RE2, the syntax that CEL names. Out: a pattern that matches the same texts in the `regex` crate,
//! or a fault. The two differ in places that nobody would notice: `\d`, `\w`, `\s` and `\b` are ASCII in RE2 and
//! Unicode in the crate; `[a&&b]` is three characters in one and an intersection in the other. What means the same
//! is kept, what can be said otherwise is rewritten, everything else is refused: nothing is matched differently.

mod literal;

use std::fmt;

use regex_syntax::ast::{
    self, Assertion, AssertionKind, Ast, ClassPerl, ClassPerlKind, ClassSetBinaryOp, ClassSetItem,
    ClassUnicode, ClassUnicodeKind, Flag, Flags, FlagsItemKind, GroupKind, HexLiteralKind, Literal,
    LiteralKind, RepetitionKind, RepetitionOp, RepetitionRange, Span, Visitor,
};

/// RE2 refuses to repeat anything more often than this, nested repetitions multiplied.
const MAX_REPEAT: u64 = 1000;

/// How many characters and classes a pattern may come to when its repetitions are written out, so that it always
/// compiles within the limits of the `regex` crate.
const MAX_WEIGHT: u64 = 20_000;

/// How much more a Unicode class weighs than a character.
const CLASS_WEIGHT: u64 = 50;

/// Why a pattern is not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It is malformed, and why.
    Malformed(String),
    /// It has something that RE2 refuses.
    Refused(&'static str),
    /// It has something that RE2 and the `regex` crate read differently.
    Differs(&'static str),
    /// It is too large.
    TooLarge,
}

/// What follows "the regular expression".
impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(reason) => write!(formatter, "is malformed: {reason}"),
            Self::Refused(what) => write!(formatter, "has {what}, which RE2 refuses"),
            Self::Differs(what) => write!(formatter, "has {what}, which is not supported yet"),
            Self::TooLarge => {
                formatter.write_str("is too large when its repetitions are written out")
            }
        }
    }
}

/// The pattern for the `regex` crate (as `Regex::new` takes it).
pub(crate) fn rewrite(pattern: &str) -> Result<String, Fault> {
    let pattern = &*literal::escape(pattern);
    let parsed = ast::parse::Parser::new().parse(pattern);
    let tree = parsed.map_err(|error| Fault::Malformed(error.kind().to_string()))?;
    let rewriter = Rewriter {
        pattern,
        changes: Vec::new(),
        repeats: vec![1],
        weight: 0,
    };
    let rewritten = ast::visit(&tree, rewriter)?;
    let checked = regex_syntax::Parser::new().parse(&rewritten);
    checked.map_err(|error| {
        Fault::Malformed(
            error
                .to_string()
                .lines()
                .last()
                .unwrap_or_default()
                .to_owned(),
        )
    })?;
    Ok(rewritten)
}

struct Rewriter<'a> {
    pattern: &'a str,
    /// Byte ranges with what takes their place, in the order of the text.
    changes: Vec<(Span, &'static str)>,
    /// How often what is visited now repeats, one entry a repetition around it.
    repeats: Vec<u64>,
    weight: u64,
}

impl Rewriter<'_> {
    fn weigh(&mut self, weight: u64) -> Result<(), Fault> {
        let times = self.repeats.last().copied().unwrap_or(1);
        self.weight = self.weight.saturating_add(weight.saturating_mul(times));
        if self.weight > MAX_WEIGHT {
            Err(Fault::TooLarge)
        } else {
            Ok(())
        }
    }

    fn literal(&mut self, literal: &Literal) -> Result<(), Fault> {
        match literal.kind {
            LiteralKind::HexFixed(HexLiteralKind::UnicodeShort | HexLiteralKind::UnicodeLong)
            | LiteralKind::HexBrace(HexLiteralKind::UnicodeShort | HexLiteralKind::UnicodeLong) => {
                Err(Fault::Refused("an escape `\\u` or `\\U`"))
            }
            _ => self.weigh(1),
        }
    }

    fn assertion(&mut self, assertion: &Assertion) -> Result<(), Fault> {
        let change = match assertion.kind {
            AssertionKind::StartLine
            | AssertionKind::EndLine
            | AssertionKind::StartText
            | AssertionKind::EndText => {
                return Ok(());
            }
            AssertionKind::WordBoundary => "(?-u:\\b)",
            AssertionKind::NotWordBoundary => "(?-u:\\B)",
            // An escaped angle bracket is the bracket itself in RE2.
            AssertionKind::WordBoundaryStartAngle => "<",
            AssertionKind::WordBoundaryEndAngle => ">",
            AssertionKind::WordBoundaryStart
            | AssertionKind::WordBoundaryEnd
            | AssertionKind::WordBoundaryStartHalf
            | AssertionKind::WordBoundaryEndHalf => {
                return Err(Fault::Refused("a boundary such as `\\b{start}`"));
            }
        };
        self.changes.push((assertion.span, change));
        Ok(())
    }

    /// `\d` and its kin are ASCII; outside of brackets they bring their own.
    fn perl(&mut self, class: &ClassPerl, bracketed: bool) -> Result<(), Fault> {
        let change = match (&class.kind, class.negated, bracketed) {
            (ClassPerlKind::Digit, true, _) => "[^0-9]",
            (ClassPerlKind::Digit, false, true) => "0-9",
            (ClassPerlKind::Digit, false, false) => "[0-9]",
            (ClassPerlKind::Word, true, _) => "[^0-9A-Za-z_]",
            (ClassPerlKind::Word, false, true) => "0-9A-Za-z_",
            (ClassPerlKind::Word, false, false) => "[0-9A-Za-z_]",
            (ClassPerlKind::Space, true, _) => "[^\\t\\n\\f\\r ]",
            (ClassPerlKind::Space, false, true) => "\\t\\n\\f\\r ",
            (ClassPerlKind::Space, false, false) => "[\\t\\n\\f\\r ]",
        };
        self.changes.push((class.span, change));
        self.weigh(1)
    }

    /// Names of one or two letters mean the same in both, apart from "other", which RE2 counts differently.
    fn unicode(&mut self, class: &ClassUnicode) -> Result<(), Fault> {
        const CATEGORIES: &[&str] = &[
            "L", "Ll", "Lm", "Lo", "Lt", "Lu", "M", "Mc", "Me", "Mn", "N", "Nd", "Nl", "No", "P",
            "Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "S", "Sc", "Sk", "Sm", "So", "Z", "Zl", "Zp",
            "Zs",
        ];
        const SCRIPTS: &[&str] = &[
            "Arabic",
            "Armenian",
            "Cyrillic",
            "Devanagari",
            "Georgian",
            "Greek",
            "Han",
            "Hangul",
            "Hebrew",
            "Hiragana",
            "Katakana",
            "Latin",
            "Thai",
        ];
        let known = match &class.kind {
            ClassUnicodeKind::OneLetter(letter) => {
                CATEGORIES.contains(&letter.to_string().as_str())
            }
            ClassUnicodeKind::Named(name) => {
                CATEGORIES.contains(&name.as_str()) || SCRIPTS.contains(&name.as_str())
            }
            ClassUnicodeKind::NamedValue { .. } => {
                return Err(Fault::Refused("a class such as `\\p{name=value}`"));
            }
        };
        if !known {
            return Err(Fault::Differs("a Unicode class of an uncommon name"));
        }
        self.weigh(CLASS_WEIGHT)
    }

    fn flags(flags: &Flags) -> Result<(), Fault> {
        let refused = flags.items.iter().any(|item| {
            matches!(
                item.kind,
                FlagsItemKind::Flag(Flag::Unicode | Flag::CRLF | Flag::IgnoreWhitespace)
            )
        });
        if refused {
            Err(Fault::Refused("a flag other than `i`, `m`, `s` and `U`"))
        } else {
            Ok(())
        }
    }

    fn repetition(&mut self, operator: &RepetitionOp, repeated: &Ast) -> Result<(), Fault> {
        if matches!(repeated, Ast::Repetition(_)) {
            return Err(Fault::Refused("a repetition of a repetition"));
        }
        let times = match operator.kind {
            RepetitionKind::Range(
                RepetitionRange::Exactly(times) | RepetitionRange::AtLeast(times),
            ) => times,
            RepetitionKind::Range(RepetitionRange::Bounded(_, times)) => times,
            RepetitionKind::ZeroOrOne | RepetitionKind::ZeroOrMore | RepetitionKind::OneOrMore => 1,
        };
        let around = self.repeats.last().copied().unwrap_or(1);
        let product = around.saturating_mul(u64::from(times).max(1));
        if product > MAX_REPEAT {
            return Err(Fault::Refused("a repetition of more than 1000"));
        }
        self.repeats.push(product);
        Ok(())
    }
}

impl Visitor for Rewriter<'_> {
    type Output = String;
    type Err = Fault;

    fn finish(self) -> Result<String, Fault> {
        let mut rewritten = String::with_capacity(self.pattern.len());
        let mut done = 0;
        for (span, change) in &self.changes {
            rewritten.push_str(
                self.pattern
                    .get(done..span.start.offset)
                    .unwrap_or_default(),
            );
            rewritten.push_str(change);
            done = span.end.offset;
        }
        rewritten.push_str(self.pattern.get(done..).unwrap_or_default());
        Ok(rewritten)
    }

    fn visit_pre(&mut self, ast: &Ast) -> Result<(), Fault> {
        match ast {
            Ast::Literal(literal) => self.literal(literal),
            Ast::Assertion(assertion) => self.assertion(assertion),
            Ast::ClassPerl(class) => self.perl(class, false),
            Ast::ClassUnicode(class) => self.unicode(class),
            Ast::Flags(set) => Self::flags(&set.flags),
            Ast::Group(group) => match &group.kind {
                GroupKind::NonCapturing(flags) => Self::flags(flags),
                GroupKind::CaptureIndex(_) | GroupKind::CaptureName { .. } => Ok(()),
            },
            Ast::Repetition(repetition) => self.repetition(&repetition.op, &repetition.ast),
            Ast::Dot(_) | Ast::ClassBracketed(_) => self.weigh(CLASS_WEIGHT),
            Ast::Empty(_) | Ast::Alternation(_) | Ast::Concat(_) => Ok(()),
        }
    }

    fn visit_post(&mut self, ast: &Ast) -> Result<(), Fault> {
        if matches!(ast, Ast::Repetition(_)) {
            self.repeats.pop();
        }
        Ok(())
    }

    fn visit_class_set_item_pre(&mut self, item: &ClassSetItem) -> Result<(), Fault> {
        match item {
            ClassSetItem::Literal(literal) => self.literal(literal),
            ClassSetItem::Range(range) => {
                self.literal(&range.start)?;
                self.literal(&range.end)
            }
            ClassSetItem::Unicode(class) => self.unicode(class),
            ClassSetItem::Perl(class) => self.perl(class, true),
            // A bracket inside of brackets has been escaped.
            ClassSetItem::Bracketed(_)
            | ClassSetItem::Empty(_)
            | ClassSetItem::Ascii(_)
            | ClassSetItem::Union(_) => Ok(()),
        }
    }

    fn visit_class_set_binary_op_pre(&mut self, _: &ClassSetBinaryOp) -> Result<(), Fault> {
        Err(Fault::Differs("`--` inside of brackets"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_that_mean_the_same_stay() {
        for pattern in [
            "",
            "abc",
            "^a.*b$",
            "(?i)error|fatal",
            "(?P<name>x)",
            "[a-z]{2,10}?",
            "[^]a]",
            "\\x41\\x{1F600}",
            "[[:alpha:]]",
            "\\pL\\p{Greek}\\PN",
            "(?m)^x$",
            "\\A\\z",
            "a||b",
            "\\.\\%",
            "é+",
        ] {
            assert_eq!(rewrite(pattern).as_deref(), Ok(pattern));
        }
    }

    #[test]
    fn perl_classes_become_ascii() {
        for (pattern, rewritten) in [
            ("\\d+", "[0-9]+"),
            ("\\D", "[^0-9]"),
            ("\\w", "[0-9A-Za-z_]"),
            ("\\W", "[^0-9A-Za-z_]"),
            ("\\s\\S", "[\\t\\n\\f\\r ][^\\t\\n\\f\\r ]"),
            ("[\\d.]", "[0-9.]"),
            ("[x\\W]", "[x[^0-9A-Za-z_]]"),
            ("\\bx\\B", "(?-u:\\b)x(?-u:\\B)"),
            ("\\<x\\>", "<x>"),
            ("é\\dé", "é[0-9]é"),
            ("[a&&b]", "[a&\\&b]"),
            ("[[\\d]", "[\\[0-9]"),
            ("\\Q.\\E\\d{,3}", "\\.[0-9]\\{,3}"),
        ] {
            assert_eq!(rewrite(pattern).as_deref(), Ok(rewritten), "{pattern}");
        }
    }

    #[test]
    fn what_re2_refuses_or_reads_differently_is_refused() {
        for pattern in [
            "a*+",
            "a**",
            "a{2}{3}",
            "(?x)a b",
            "(?u:a)",
            "(?R)a",
            "a{1001}",
            "(a{100}){100}",
            "[a--z]",
            "\\u0041",
            "\\C",
            "(a",
            "a)",
            "\\1",
            "(?=a)",
            "\\p{Alphabetic}",
            "\\p{sc=Greek}",
            "\\pC",
            "*",
        ] {
            let result = rewrite(pattern);
            assert!(result.is_err(), "{pattern} became {result:?}");
        }
    }

    #[test]
    fn large_patterns_are_refused() {
        let pattern = "\\pL{900}".repeat(2);
        assert_eq!(rewrite(&pattern), Err(Fault::TooLarge));
    }
}
