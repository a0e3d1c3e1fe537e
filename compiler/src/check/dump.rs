//! The table as text, for `--emit types` and for snapshots.
//!
//! For each expression that an item or a step owns a line and, below it, one for each of its parts that is neither a
//! literal nor a plain name: type, level, why it can fail, value. Then the signals of steps and sinks.

use std::fmt::Write;

use indexmap::IndexSet;
use watershed_lang::ast::{Expr, ExprKind};

use super::types::TypeTable;
use crate::cel::print::print;
use crate::cel::typed::{NodeId, Tree};
use crate::cel::value::find;
use crate::hir::Program;

/// The table as text; equal programs give equal text.
#[must_use]
pub fn dump(program: &Program, table: &TypeTable) -> String {
    let mut text = String::new();
    for (id, expr) in program.exprs.iter() {
        match table.tree(id) {
            Some(tree) => expression(&mut text, &format!("{id:?}"), expr, tree),
            None => {
                let _ = writeln!(text, "{id:?} {}: ?", print(expr));
            }
        }
    }
    for (id, signals) in table.steps.iter() {
        let _ = writeln!(text, "{id:?} {signals:?}");
    }
    for (id, sink) in program.sinks.iter() {
        let _ = writeln!(text, "{id:?} {} {:?}", sink.name.value, table.sink(id));
    }
    text
}

/// The whole first, then its parts in the order of the text.
fn expression(text: &mut String, name: &str, whole: &Expr, tree: &Tree) {
    line(text, name, whole, tree, tree.root());
    let mut parts: Vec<(&Expr, NodeId)> = tree
        .nodes()
        .filter_map(|(id, node)| Some((find(whole, node.span)?, id)))
        .filter(|(part, _)| !matches!(part.kind, ExprKind::Literal(_) | ExprKind::Ident { .. }))
        .collect();
    parts.sort_by_key(|(part, _)| (part.span.start, std::cmp::Reverse(part.span.end)));
    let mut seen = IndexSet::from([whole.span]);
    for (part, id) in parts {
        if seen.insert(part.span) {
            line(text, " ", part, tree, id);
        }
    }
}

fn line(text: &mut String, name: &str, expr: &Expr, tree: &Tree, id: NodeId) {
    let node = tree.node(id);
    let _ = write!(
        text,
        "{name} {}: {} @ {}",
        print(expr),
        node.ty,
        node.level.name()
    );
    if !node.fails.is_total() {
        let _ = write!(text, " fails {:?}", node.fails);
    }
    if let Some(constant) = &node.constant {
        let _ = write!(text, " = {constant:?}");
    }
    if let Some(regex) = tree.regex(id) {
        let _ = write!(text, " regex {regex}");
    }
    text.push('\n');
}
