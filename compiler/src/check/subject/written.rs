//! What every value of a subject has in common, read from the left.
//!
//! In: the typed tree of a subject. Out: the first fault that some value would have, with its place. Where a
//! condition chooses between texts, what is known behind them is the worst of either, so the work is no more than
//! the expression is long.

use watershed_lang::span::Span;

use crate::cel::Tree;
use crate::cel::fold::Constant;
use crate::cel::typed::{NodeId, NodeKind};
use crate::check::option_error::SubjectFault;

/// The most bytes of one token.
const MAX_TOKEN: usize = 128;

/// The most bytes of a subject.
const MAX_SUBJECT: usize = 1024;

/// A fault and the part that has it.
type Found = (SubjectFault, Span);

/// Finds the first fault of a subject.
pub(super) fn check(tree: &Tree) -> Result<(), Found> {
    let span = tree.root_node().span;
    let mut written = Written {
        first: Some(String::new()),
        empty: Some(span),
        token: 0,
        subject: 0,
    };
    written.value(tree, tree.root())?;
    written.end_token(span)
}

/// What is known at some place of a subject.
#[derive(Clone)]
struct Written {
    /// The first token as far as it is written; `None` behind it.
    first: Option<String>,
    /// The part behind which the token may still be empty; `None` when it is not.
    empty: Option<Span>,
    /// The most bytes that the token may have so far.
    token: usize,
    /// The most bytes that the subject may have so far.
    subject: usize,
}

impl Written {
    /// Writes the operands of a concatenation, or the one value there is.
    fn value(&mut self, tree: &Tree, id: NodeId) -> Result<(), Found> {
        for part in tree.joined_parts(id) {
            let node = tree.node(part);
            match (&node.constant, &node.kind) {
                (Some(Constant::String(text)), _) => self.text(text, node.span)?,
                _ if self.first.is_some() => {
                    return Err((SubjectFault::OpenFirstToken(node.level), node.span));
                }
                (None, NodeKind::Conditional { arms, otherwise }) => {
                    let values = arms.iter().map(|(_, value)| *value).chain([*otherwise]);
                    self.one_of(tree, values)?;
                }
                // A value becomes a token or a piece of one, and is never empty.
                _ => self.bytes(1, node.span)?,
            }
        }
        Ok(())
    }

    /// Writes one of several values, whichever the data chooses.
    fn one_of(&mut self, tree: &Tree, values: impl Iterator<Item = NodeId>) -> Result<(), Found> {
        let mut worst: Option<Self> = None;
        for value in values {
            let mut next = self.clone();
            next.value(tree, value)?;
            worst = Some(match worst {
                Some(worst) => worst.or(next),
                None => next,
            });
        }
        if let Some(worst) = worst {
            *self = worst;
        }
        Ok(())
    }

    /// The worst of two.
    fn or(self, other: Self) -> Self {
        Self {
            first: self.first.or(other.first),
            empty: self.empty.or(other.empty),
            token: self.token.max(other.token),
            subject: self.subject.max(other.subject),
        }
    }

    /// Writes text as it stands: its dots separate tokens.
    fn text(&mut self, text: &str, span: Span) -> Result<(), Found> {
        if let Some(bad) = text.chars().find(|character| is_bad(*character)) {
            return Err((SubjectFault::BadCharacter(bad), span));
        }
        if text.is_empty() {
            self.empty = self.empty.map(|_| span);
        }
        for (position, piece) in text.split('.').enumerate() {
            if position > 0 {
                self.end_token(span)?;
                (self.empty, self.token) = (Some(span), 0);
                self.subject += 1;
            }
            if !piece.is_empty() {
                if let Some(first) = &mut self.first {
                    first.push_str(piece);
                }
                self.bytes(piece.len(), span)?;
            }
        }
        Ok(())
    }

    /// Writes so many bytes of a token.
    fn bytes(&mut self, count: usize, span: Span) -> Result<(), Found> {
        self.empty = None;
        self.token += count;
        self.subject += count;
        if self.token > MAX_TOKEN || self.subject > MAX_SUBJECT {
            return Err((SubjectFault::TooLong, span));
        }
        Ok(())
    }

    /// Ends a token; `span` is the part that ends it.
    fn end_token(&mut self, span: Span) -> Result<(), Found> {
        if let Some(empty) = self.empty {
            return Err((SubjectFault::EmptyToken, empty));
        }
        match self.first.take() {
            Some(first) if first.starts_with('$') || first.starts_with("_INBOX") => {
                Err((SubjectFault::ReservedFirstToken, span))
            }
            _ => Ok(()),
        }
    }
}

fn is_bad(character: char) -> bool {
    character.is_whitespace() || character.is_control() || matches!(character, '*' | '>')
}

#[cfg(test)]
mod tests {
    use watershed_lang::diagnostic::Diagnostics;
    use watershed_lang::parse::parse_expression;
    use watershed_lang::span::FileId;

    use super::*;
    use crate::cel::environment::{Environment, Variable, VariableId};
    use crate::cel::{Mode, Type};
    use crate::level::Level;

    /// The fault of a subject, with the text that has it. `c` is a condition, `v` a text and `any` a value from the
    /// data, `k` a config.
    fn fault(text: &str) -> Option<(SubjectFault, &str)> {
        let mut environment = Environment::default();
        for (id, name, ty, level) in [
            (0, "c", Type::Bool, Level::Record),
            (1, "v", Type::String, Level::Record),
            (2, "k", Type::String, Level::Config),
            (3, "any", Type::Dyn, Level::Record),
        ] {
            let variable = Variable::new(VariableId(id), ty, level);
            environment.variables.insert(name.to_owned(), variable);
        }
        let expression = parse_expression(FileId(0), text, &mut Diagnostics::new());
        let checked = crate::cel::check(&expression, &environment, Mode::Static);
        assert_eq!(checked.errors, [], "{text}");
        let (fault, span) = check(&checked.tree).err()?;
        Some((fault, &text[span.start as usize..span.end as usize]))
    }

    #[test]
    fn good_subjects_have_no_fault() {
        for text in [
            "'team0.' + v",
            "'team0.all'",
            "'a.x-' + v + '.b'",
            "'a.' + (c ? 'b' : v)",
            "'a.' + (c ? 'b.c' : 'd') + '.e'",
            "'a.x' + (c ? '' : '.y')",
            "'a.' + (c ? '' : 'y') + v",
            "'a.' + k + '.b'",
            "'a.' + any.orString('* >')",
            "'a' + (true ? '.b' : '* >')",
        ] {
            assert_eq!(fault(text), None, "{text}");
        }
    }

    #[test]
    fn subjects_begin_with_a_constant_token() {
        let open = |level| SubjectFault::OpenFirstToken(level);
        for (text, expected, place) in [
            ("v + '.a'", open(Level::Record), "v"),
            ("'team' + v + '.a'", open(Level::Record), "v"),
            ("k + '.a'", open(Level::Config), "k"),
            (
                "(c ? 'a.' : 'b.') + v",
                open(Level::Record),
                "c ? 'a.' : 'b.'",
            ),
            ("'$JS.API'", SubjectFault::ReservedFirstToken, "'$JS.API'"),
            (
                "'_INBOX.' + v",
                SubjectFault::ReservedFirstToken,
                "'_INBOX.'",
            ),
            ("'_INBOX'", SubjectFault::ReservedFirstToken, "'_INBOX'"),
        ] {
            assert_eq!(fault(text), Some((expected, place)), "{text}");
        }
    }

    #[test]
    fn no_token_is_empty_whatever_a_condition_chooses() {
        for (text, place) in [
            ("''", "''"),
            ("'a..b'", "'a..b'"),
            ("'a.'", "'a.'"),
            ("'a.' + v + '.'", "'.'"),
            ("'a.' + v + '..b'", "'..b'"),
            ("'a.' + (c ? 'x' : '')", "''"),
            ("'a.' + (c ? '' : 'x') + '.b'", "''"),
            ("'a.' + (c ? '.x' : 'x')", "'a.'"),
            ("'a.b' + (c ? '.' : 'x')", "'.'"),
            ("'a.' + (c ? (v == 'x' ? 'y' : 'z.') : 'x') + '.b'", "'z.'"),
        ] {
            assert_eq!(
                fault(text),
                Some((SubjectFault::EmptyToken, place)),
                "{text}"
            );
        }
    }

    #[test]
    fn texts_that_a_condition_chooses_are_no_wildcards() {
        for (text, bad, place) in [
            ("'x.' + (c ? 'a b.*.>' : 'y')", ' ', "'a b.*.>'"),
            ("'x.' + (c ? 'y' : v == 'a' ? 'z' : '*')", '*', "'*'"),
            ("'x.' + (c ? 'y' + v + '.>' : 'z')", '>', "'.>'"),
            (
                "'x.' + (c ? 'y' : 'z.' + (v == 'a' ? '\\t' : 'b'))",
                '\t',
                "'\\t'",
            ),
            ("'*'", '*', "'*'"),
        ] {
            let expected = SubjectFault::BadCharacter(bad);
            assert_eq!(fault(text), Some((expected, place)), "{text}");
        }
    }

    #[test]
    fn lengths_are_bounded_whatever_a_condition_chooses() {
        let long = "x".repeat(100);
        let too_long =
            |text: &str| fault(text).map(|(fault, _)| fault) == Some(SubjectFault::TooLong);
        assert!(too_long(&format!("'{}'", "x".repeat(129))));
        assert!(!too_long(&format!("'{}'", "x".repeat(128))));
        assert!(too_long(&format!("'a.{long}' + (c ? 'b' : '{long}')")));
        assert!(!too_long(&format!("'a.{long}' + (c ? 'b' : '.{long}')")));
        let half = vec!["x"; 256].join(".");
        assert!(too_long(&format!(
            "'a.{half}' + (c ? 'b' : '.{half}') + '.b'"
        )));
    }
}
