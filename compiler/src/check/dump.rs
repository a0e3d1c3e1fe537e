//! The table as text, for `--emit types` and for snapshots.
//!
//! One line for each expression that an item or a step owns and, below it, for its parts: type, level, why it can
//! fail, value. Then the signals of steps and sinks.

use std::fmt::Write;

use super::types::TypeTable;
use crate::hir::{Program, print};

/// The table as text; equal programs give equal text.
#[must_use]
pub fn dump(program: &Program, table: &TypeTable) -> String {
    let mut text = String::new();
    for (id, typed) in table.iter() {
        let mut line = format!(
            "{id:?} {}: {} @ {}",
            print::expr(program, id),
            typed.ty,
            typed.level.name()
        );
        if !typed.fails.is_total() {
            let _ = write!(line, " fails {:?}", typed.fails);
        }
        if let Some(constant) = &typed.constant {
            let _ = write!(line, " = {constant:?}");
        }
        if let Some(regex) = table.regex(id) {
            let _ = write!(line, " regex {regex}");
        }
        text.push_str(&line);
        text.push('\n');
    }
    for (id, signals) in table.steps.iter() {
        let _ = writeln!(text, "{id:?} {signals:?}");
    }
    for (id, sink) in program.sinks.iter() {
        let _ = writeln!(text, "{id:?} {} {:?}", sink.name.value, table.sink(id));
    }
    text
}
