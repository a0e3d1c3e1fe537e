//! Subjects of NATS that are made of constants and of data.
//!
//! A body published to a subject such as `$JS.API.…` is a command to the server, so data never decides where a
//! subject begins: the first token is constant. What comes from data becomes one token each when the flow runs. The
//! texts of `c ? "a" : "b"` are the author's own and are written as they stand, so each of them is checked in the
//! place where it would be written.

mod written;

use super::Checker;
use super::option_error::OptionError;
use crate::hir::ExprId;

impl Checker<'_> {
    /// Checks the value of a subject option, which is total and text.
    pub(super) fn subject(&mut self, id: ExprId) {
        let Some(tree) = self.table.tree(id).cloned() else {
            return;
        };
        if let Err((fault, span)) = written::check(&tree) {
            self.report(OptionError::Subject { fault, span });
        }
    }
}
