//! Expressions as text, for messages and the changes they offer.
//!
//! In: an expression of the syntax tree. Out: text that means the same, on one line, with the parentheses that it
//! needs and no others. Comments are not part of the tree, so they are not part of the text.

use watershed_lang::ast::{Expr, ExprKind, ListElement, Literal, MapEntry};
use watershed_lang::span::Name;

/// How strongly what a text is binds; a text stands in parentheses where something stronger is needed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Conditional,
    Or,
    And,
    Relation,
    Sum,
    Product,
    Sign,
    Postfix,
}

/// The text of an expression.
pub(crate) fn print(expr: &Expr) -> String {
    let mut text = String::new();
    write(expr, Strength::Conditional, &mut text);
    text
}

/// The text of an expression with something such as `.name` or `[…]` behind it.
pub(crate) fn print_operand(expr: &Expr) -> String {
    let mut text = String::new();
    write(expr, Strength::Postfix, &mut text);
    text
}

/// The text of an expression as one side of a comparison.
pub(crate) fn print_side(expr: &Expr) -> String {
    let mut text = String::new();
    write(expr, Strength::Sum, &mut text);
    text
}

/// A text in double quotes.
pub(crate) fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            control if control.is_control() => {
                quoted.push_str(&format!("\\U{:08x}", u32::from(control)))
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

/// The name of a field behind a dot, in backticks when it is no plain name.
pub(crate) fn field_text(name: &str) -> String {
    let is_plain = name
        .chars()
        .all(|character| character.is_ascii_alphanumeric() || character == '_');
    if is_plain {
        name.to_owned()
    } else {
        format!("`{name}`")
    }
}

fn write(expr: &Expr, needed: Strength, text: &mut String) {
    let is_weak = strength(&expr.kind) < needed;
    if is_weak {
        text.push('(');
    }
    write_kind(&expr.kind, text);
    if is_weak {
        text.push(')');
    }
}

fn strength(kind: &ExprKind) -> Strength {
    match kind {
        ExprKind::Conditional { .. } => Strength::Conditional,
        ExprKind::Or(_) => Strength::Or,
        ExprKind::And(_) => Strength::And,
        ExprKind::Binary { op, .. } => match op.symbol() {
            "+" | "-" => Strength::Sum,
            "*" | "/" | "%" => Strength::Product,
            _ => Strength::Relation,
        },
        ExprKind::Not { .. } | ExprKind::Negate { .. } => Strength::Sign,
        ExprKind::Literal(Literal::Int(i64::MIN..=-1)) => Strength::Sign,
        ExprKind::Literal(Literal::Double(value)) if value.is_sign_negative() => Strength::Sign,
        _ => Strength::Postfix,
    }
}

fn write_kind(kind: &ExprKind, text: &mut String) {
    match kind {
        ExprKind::Literal(literal) => text.push_str(&print_literal(literal)),
        ExprKind::Ident { name, leading_dot } => {
            text.push_str(if *leading_dot { "." } else { "" });
            text.push_str(name);
        }
        ExprKind::Select {
            operand,
            field,
            optional,
            backticked,
        } => {
            write(operand, Strength::Postfix, text);
            text.push_str(if *optional { ".?" } else { "." });
            text.push_str(&print_field(field, *backticked));
        }
        ExprKind::Index {
            operand,
            index,
            optional,
        } => {
            write(operand, Strength::Postfix, text);
            text.push_str(if *optional { "[?" } else { "[" });
            write(index, Strength::Conditional, text);
            text.push(']');
        }
        ExprKind::Call {
            receiver,
            function,
            leading_dot,
            args,
        } => {
            if let Some(receiver) = receiver {
                write(receiver, Strength::Postfix, text);
            }
            text.push_str(if receiver.is_some() || *leading_dot {
                "."
            } else {
                ""
            });
            text.push_str(&function.value);
            text.push('(');
            separated(args, text, |arg, text| {
                write(arg, Strength::Conditional, text)
            });
            text.push(')');
        }
        ExprKind::Not { times, operand } => signed('!', *times, operand, text),
        ExprKind::Negate { times, operand } => signed('-', *times, operand, text),
        ExprKind::Binary {
            op, left, right, ..
        } => {
            let own = strength(kind);
            write(left, own, text);
            text.push_str(&format!(" {} ", op.symbol()));
            write(right, stronger(own), text);
        }
        ExprKind::And(operands) => joined(operands, " && ", Strength::Relation, text),
        ExprKind::Or(operands) => joined(operands, " || ", Strength::And, text),
        ExprKind::Conditional { arms, otherwise } => {
            for (condition, value) in arms {
                write(condition, Strength::Or, text);
                text.push_str(" ? ");
                write(value, Strength::Or, text);
                text.push_str(" : ");
            }
            write(otherwise, Strength::Or, text);
        }
        ExprKind::List(elements) => write_list(elements, text),
        ExprKind::Map(entries) => write_map(entries, text),
        ExprKind::Record { name, fields } => {
            text.push_str(&name.value);
            text.push('{');
            separated(fields, text, |field, text| {
                text.push_str(if field.optional { "?" } else { "" });
                text.push_str(&format!("{}: ", field.name.value));
                write(&field.value, Strength::Conditional, text);
            });
            text.push('}');
        }
        ExprKind::Error => text.push('…'),
    }
}

/// What the right operand of a left-associative operator needs.
const fn stronger(own: Strength) -> Strength {
    match own {
        Strength::Relation => Strength::Sum,
        Strength::Sum => Strength::Product,
        _ => Strength::Sign,
    }
}

fn signed(sign: char, times: u32, operand: &Expr, text: &mut String) {
    text.extend((0..times).map(|_| sign));
    // A sign directly before a number would become part of it.
    let needed = match operand.kind {
        ExprKind::Literal(_) if sign == '-' => {
            text.push('(');
            write(operand, Strength::Conditional, text);
            text.push(')');
            return;
        }
        _ => Strength::Postfix,
    };
    write(operand, needed, text);
}

fn joined(operands: &[Expr], between: &str, needed: Strength, text: &mut String) {
    for (position, operand) in operands.iter().enumerate() {
        text.push_str(if position > 0 { between } else { "" });
        write(operand, needed, text);
    }
}

fn separated<T>(items: &[T], text: &mut String, write: impl Fn(&T, &mut String)) {
    for (position, item) in items.iter().enumerate() {
        text.push_str(if position > 0 { ", " } else { "" });
        write(item, text);
    }
}

fn write_list(elements: &[ListElement], text: &mut String) {
    text.push('[');
    separated(elements, text, |element, text| {
        text.push_str(if element.optional { "?" } else { "" });
        write(&element.value, Strength::Conditional, text);
    });
    text.push(']');
}

fn write_map(entries: &[MapEntry], text: &mut String) {
    text.push('{');
    separated(entries, text, |entry, text| {
        text.push_str(if entry.optional { "?" } else { "" });
        write(&entry.key, Strength::Conditional, text);
        text.push_str(": ");
        write(&entry.value, Strength::Conditional, text);
    });
    text.push('}');
}

fn print_field(field: &Name, backticked: bool) -> String {
    if backticked {
        format!("`{}`", field.value)
    } else {
        field.value.clone()
    }
}

fn print_literal(literal: &Literal) -> String {
    match literal {
        Literal::Null => "null".to_owned(),
        Literal::Bool(value) => value.to_string(),
        Literal::Int(value) => value.to_string(),
        Literal::Uint(value) => format!("{value}u"),
        Literal::Double(value) => format!("{value:?}"),
        Literal::String(value) => quote(value),
        Literal::Bytes(bytes) => {
            let digits: String = bytes.iter().map(|byte| format!("\\x{byte:02x}")).collect();
            match std::str::from_utf8(bytes) {
                Ok(plain) if plain.bytes().all(|byte| (b' '..=b'~').contains(&byte)) => {
                    format!("b{}", quote(plain))
                }
                _ => format!("b\"{digits}\""),
            }
        }
        Literal::Duration(nanoseconds) => print_duration(*nanoseconds),
        Literal::Size(bytes) => print_size(*bytes),
    }
}

/// The largest unit of which it is a whole number; `ns` is none of the literals, so it goes through a text.
pub(crate) fn print_duration(nanoseconds: i64) -> String {
    const UNITS: [(&str, i64); 4] = [
        ("h", 3_600_000_000_000),
        ("m", 60_000_000_000),
        ("s", 1_000_000_000),
        ("ms", 1_000_000),
    ];
    let whole = UNITS.iter().find(|(_, unit)| nanoseconds % unit == 0);
    match whole {
        Some((name, unit)) => format!("{}{name}", nanoseconds / unit),
        None => format!("duration(\"{nanoseconds}ns\")"),
    }
}

pub(crate) fn print_size(bytes: u64) -> String {
    const UNITS: [(&str, u64); 3] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    match UNITS.iter().find(|(_, unit)| bytes.is_multiple_of(*unit)) {
        Some((name, unit)) => format!("{}{name}", bytes / unit),
        None => bytes.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use watershed_lang::diagnostic::Diagnostics;
    use watershed_lang::parse::parse_expression;
    use watershed_lang::span::FileId;

    use super::*;

    fn parsed(text: &str) -> Expr {
        let mut diagnostics = Diagnostics::new();
        let expression = parse_expression(FileId(0), text, &mut diagnostics);
        assert!(!diagnostics.has_errors(), "{text}: {diagnostics:?}");
        expression
    }

    #[test]
    fn text_in_normal_form_stays() {
        for text in [
            "a.b.?c[?\"d\"][0].f(1, x)",
            "(a + b) * c - (d - e) / -f",
            "!(a && b) || c && (d || e)",
            "(a ? b : c) ? d : e ? f : g",
            "[1, ?x, -2.5, 3u, true, null]",
            "{\"k\": 1, ?2: optional.of(b\"x\")}",
            "Order{id: \"a\\n\\\"\", ?total: x}",
            "-(1) == -x.y",
            "a.`b-c` < 5m && b <= 64KiB",
            ".math.abs(-1) in (a == b)[0]",
            "(-1).f() == (a + b).g()",
        ] {
            assert_eq!(print(&parsed(text)), text);
        }
    }

    #[test]
    fn other_text_means_the_same() {
        for text in [
            "'a' + (b)",
            "((a)) == 'x\\'y'",
            "a ? (b ? c : d) : e",
            "--a",
            "!!a",
            "b'\\xff\\000'",
        ] {
            let printed = print(&parsed(text));
            assert_eq!(print(&parsed(&printed)), printed, "{text}");
        }
    }
}
