//! Subjects of NATS that are made of constants and of data.
//!
//! A body published to a subject such as `$JS.API.…` is a command to the server, so data never decides where a
//! subject begins: the first token is constant. What comes from data becomes one token each when the flow runs.

use super::Checker;
use super::option_error::{OptionError, SubjectFault};
use crate::cel::fold::Constant;
use crate::hir::{ExprId, Setting};

/// The most bytes of one token.
const MAX_TOKEN: usize = 128;

/// The most bytes of a subject.
const MAX_SUBJECT: usize = 1024;

/// Stands for a value that is not known yet; no constant part can hold it, because control characters are refused.
const OPEN: char = '\0';

impl Checker<'_> {
    /// Checks the value of a subject option, which is total and text.
    pub(super) fn subject(&mut self, setting: &Setting, id: ExprId) {
        let Some(tree) = self.table.tree(id).cloned() else {
            return;
        };
        let parts = tree.joined_parts(tree.root());
        let mut template = String::new();
        for part in &parts {
            let part = tree.node(*part);
            match &part.constant {
                Some(Constant::String(text)) => {
                    if let Some(bad) = text.chars().find(|character| is_bad(*character)) {
                        let (fault, span) = (SubjectFault::BadCharacter(bad), part.span);
                        return self.report(OptionError::Subject { fault, span });
                    }
                    template.push_str(text);
                }
                _ => template.push(OPEN),
            }
        }
        if let Some(fault) = fault(&template) {
            let mut parts = parts.iter().map(|part| tree.node(*part));
            let open = parts.find(|part| part.constant.is_none());
            let span = match (&fault, open) {
                (SubjectFault::OpenFirstToken, Some(open)) => open.span,
                _ => setting.span,
            };
            self.report(OptionError::Subject { fault, span });
        }
    }
}

fn is_bad(character: char) -> bool {
    character.is_whitespace() || character.is_control() || matches!(character, '*' | '>')
}

/// What is wrong with a subject whose open parts are marked.
fn fault(template: &str) -> Option<SubjectFault> {
    let first = template.split('.').next().unwrap_or_default();
    if first.contains(OPEN) {
        return Some(SubjectFault::OpenFirstToken);
    }
    if first.starts_with('$') || first.starts_with("_INBOX") {
        return Some(SubjectFault::ReservedFirstToken);
    }
    if template.split('.').any(str::is_empty) {
        return Some(SubjectFault::EmptyToken);
    }
    let too_long =
        template.len() > MAX_SUBJECT || template.split('.').any(|token| token.len() > MAX_TOKEN);
    too_long.then_some(SubjectFault::TooLong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects_begin_with_a_constant_token() {
        for (template, expected) in [
            ("team0.\0", None),
            ("team0.all", None),
            ("a.x-\0.b", None),
            ("\0.a", Some(SubjectFault::OpenFirstToken)),
            ("team\0.a", Some(SubjectFault::OpenFirstToken)),
            ("$JS.API", Some(SubjectFault::ReservedFirstToken)),
            ("_INBOX.a", Some(SubjectFault::ReservedFirstToken)),
            ("", Some(SubjectFault::EmptyToken)),
            ("a..b", Some(SubjectFault::EmptyToken)),
            ("a.", Some(SubjectFault::EmptyToken)),
        ] {
            assert_eq!(fault(template), expected, "{template:?}");
        }
        assert_eq!(fault(&"x".repeat(129)), Some(SubjectFault::TooLong));
    }
}
