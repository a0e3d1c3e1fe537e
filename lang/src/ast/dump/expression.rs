//! Expressions as nested lists.

use std::fmt::Write;

use crate::ast::{Expr, ExprKind, ListElement, Literal, MapEntry, RecordField};

/// Writes one expression on one line. `?` marks optional fields, indices and entries.
#[must_use]
pub fn dump_expression(expr: &Expr) -> String {
    let mut text = String::new();
    write(&mut text, expr);
    text
}

/// Writes `(head part part …)`.
fn list<'a>(text: &mut String, head: &str, parts: impl IntoIterator<Item = &'a Expr>) {
    text.push('(');
    text.push_str(head);
    for part in parts {
        text.push(' ');
        write(text, part);
    }
    text.push(')');
}

fn write(text: &mut String, expr: &Expr) {
    match &expr.kind {
        ExprKind::Literal(literal) => write_literal(text, literal),
        ExprKind::Ident { name, leading_dot } => {
            text.push_str(dot(*leading_dot));
            text.push_str(name);
        }
        ExprKind::Select {
            operand,
            field,
            optional,
            backticked,
        } => {
            text.push_str(if *optional { "(.? " } else { "(. " });
            write(text, operand);
            let quote = if *backticked { "`" } else { "" };
            // Writing to a string does not fail.
            let _ = write!(text, " {quote}{}{quote})", field.value);
        }
        ExprKind::Index {
            operand,
            index,
            optional,
        } => {
            list(
                text,
                if *optional { "[?]" } else { "[]" },
                [&**operand, &**index],
            );
        }
        ExprKind::Call {
            receiver,
            function,
            leading_dot,
            args,
        } => {
            let method = if receiver.is_some() {
                "."
            } else {
                dot(*leading_dot)
            };
            let head = format!("call {method}{}", function.value);
            list(text, &head, receiver.as_deref().into_iter().chain(args));
        }
        ExprKind::Not { times, operand } => list(text, &"!".repeat(*times as usize), [&**operand]),
        ExprKind::Negate { times, operand } => {
            list(text, &"-".repeat(*times as usize), [&**operand])
        }
        ExprKind::Binary {
            op, left, right, ..
        } => list(text, op.symbol(), [&**left, &**right]),
        ExprKind::And(operands) => list(text, "&&", operands),
        ExprKind::Or(operands) => list(text, "||", operands),
        ExprKind::Conditional { arms, otherwise } => {
            let arms = arms
                .iter()
                .flat_map(|(condition, value)| [condition, value]);
            list(text, "?:", arms.chain([&**otherwise]));
        }
        ExprKind::List(elements) => write_list(text, elements),
        ExprKind::Map(entries) => write_map(text, entries),
        ExprKind::Record { name, fields } => write_record(text, &name.value, fields),
        ExprKind::Error => text.push_str("<error>"),
    }
}

const fn dot(leading: bool) -> &'static str {
    if leading { "." } else { "" }
}

const fn mark(optional: bool) -> &'static str {
    if optional { " ?" } else { " " }
}

fn write_list(text: &mut String, elements: &[ListElement]) {
    text.push_str("(list");
    for element in elements {
        text.push_str(mark(element.optional));
        write(text, &element.value);
    }
    text.push(')');
}

fn write_map(text: &mut String, entries: &[MapEntry]) {
    text.push_str("(map");
    for entry in entries {
        text.push_str(mark(entry.optional));
        list(text, "entry", [&entry.key, &entry.value]);
    }
    text.push(')');
}

fn write_record(text: &mut String, name: &str, fields: &[RecordField]) {
    text.push_str("(record ");
    text.push_str(name);
    for field in fields {
        text.push_str(mark(field.optional));
        list(text, &field.name.value, [&field.value]);
    }
    text.push(')');
}

fn write_literal(text: &mut String, literal: &Literal) {
    // Writing to a string does not fail.
    let _ = match literal {
        Literal::Null => write!(text, "null"),
        Literal::Bool(value) => write!(text, "{value}"),
        Literal::Int(value) => write!(text, "{value}"),
        Literal::Uint(value) => write!(text, "{value}u"),
        Literal::Double(value) => write!(text, "{value:?}"),
        Literal::String(value) => write!(text, "{value:?}"),
        Literal::Bytes(value) => write!(text, "b\"{}\"", value.escape_ascii()),
        Literal::Duration(value) => write!(text, "{value}ns"),
        Literal::Size(value) => write!(text, "{value}B"),
    };
}
