//! Resolved expressions as CEL text again, for fixes, messages and dumps.
//!
//! The text means the same as what was written, in one spelling: `["key"]` for keys that are no identifiers, double
//! quotes, no redundant parentheses.

use std::fmt::Write;

use super::{ArithmeticOp, ExprId, ExprKind, Literal, Program};

/// How tightly an expression binds; a looser one inside a tighter one needs parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Conditional,
    Or,
    And,
    Relation,
    Sum,
    Product,
    Unary,
    Member,
}

/// The expression as text.
#[must_use]
pub fn expr(program: &Program, id: ExprId) -> String {
    let mut printer = Printer {
        program,
        text: String::new(),
    };
    printer.expr(id, Binding::Conditional);
    printer.text
}

/// The expression as text that can stand before `.` or `[`.
#[must_use]
pub fn operand(program: &Program, id: ExprId) -> String {
    let mut printer = Printer {
        program,
        text: String::new(),
    };
    printer.expr(id, Binding::Member);
    printer.text
}

/// A string literal with its quotes and escapes; only escapes that Rust knows too.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

/// Whether a key can stand behind a dot.
#[must_use]
pub fn is_identifier(text: &str) -> bool {
    let mut characters = text.chars();
    characters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && characters.all(|rest| rest.is_ascii_alphanumeric() || rest == '_')
        && !matches!(text, "in" | "true" | "false" | "null")
}

struct Printer<'a> {
    program: &'a Program,
    text: String,
}

impl Printer<'_> {
    fn expr(&mut self, id: ExprId, around: Binding) {
        let kind = &self.program.exprs.at(id).kind;
        let parentheses = binding(kind) < around;
        if parentheses {
            self.text.push('(');
        }
        self.kind(kind);
        if parentheses {
            self.text.push(')');
        }
    }

    fn kind(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::Literal(literal) => self.literal(literal),
            ExprKind::Const(id) => self.text.push_str(&self.program.consts.at(*id).name.value),
            ExprKind::Config(id) => self.text.push_str(&self.program.configs.at(*id).name.value),
            ExprKind::Predicate(id) => self
                .text
                .push_str(&self.program.predicates.at(*id).name.value),
            ExprKind::Field(field) => self.write(format_args!("{field}")),
            ExprKind::HasField(field) => self.write(format_args!("has({field})")),
            ExprKind::Index {
                operand,
                index,
                optional,
            } => self.index(*operand, *index, *optional),
            ExprKind::Has { operand, key } => self.has(*operand, *key),
            ExprKind::Call { function, args, .. } => self.call(function.name(), args),
            ExprKind::Not(operand) => self.prefix("!", *operand),
            ExprKind::Negate(operand) => self.prefix("-", *operand),
            ExprKind::Arithmetic {
                op, left, right, ..
            } => {
                let (own, next) = match op {
                    ArithmeticOp::Add | ArithmeticOp::Subtract => (Binding::Sum, Binding::Product),
                    _ => (Binding::Product, Binding::Unary),
                };
                self.binary(op.symbol(), (*left, own), (*right, next));
            }
            ExprKind::Compare {
                op, left, right, ..
            } => {
                self.binary(
                    op.symbol(),
                    (*left, Binding::Relation),
                    (*right, Binding::Sum),
                );
            }
            ExprKind::In {
                element, container, ..
            } => {
                self.binary(
                    "in",
                    (*element, Binding::Relation),
                    (*container, Binding::Sum),
                );
            }
            ExprKind::And(operands) => self.joined(operands, " && ", Binding::Relation),
            ExprKind::Or(operands) => self.joined(operands, " || ", Binding::And),
            ExprKind::Conditional { arms, otherwise } => {
                for (condition, value) in arms {
                    self.expr(*condition, Binding::Or);
                    self.text.push_str(" ? ");
                    self.expr(*value, Binding::Or);
                    self.text.push_str(" : ");
                }
                self.expr(*otherwise, Binding::Or);
            }
            ExprKind::List(elements) => {
                self.text.push('[');
                self.joined(elements, ", ", Binding::Conditional);
                self.text.push(']');
            }
            ExprKind::Error => self.text.push('…'),
        }
    }

    fn write(&mut self, arguments: std::fmt::Arguments<'_>) {
        // Writing to a `String` cannot fail.
        let _ = self.text.write_fmt(arguments);
    }

    fn literal(&mut self, literal: &Literal) {
        match literal {
            Literal::Null => self.text.push_str("null"),
            Literal::Bool(value) => self.write(format_args!("{value}")),
            Literal::Int(value) => self.write(format_args!("{value}")),
            Literal::Uint(value) => self.write(format_args!("{value}u")),
            Literal::Double(value) => self.write(format_args!("{value:?}")),
            Literal::String(value) => self.text.push_str(&quoted(value)),
            Literal::Bytes(value) => self.write(format_args!("b\"{}\"", value.escape_ascii())),
            Literal::Duration(nanoseconds) => self.text.push_str(&duration(*nanoseconds)),
            Literal::Size(bytes) => self.text.push_str(&size(*bytes)),
        }
    }

    fn index(&mut self, operand: ExprId, index: ExprId, optional: bool) {
        if !optional {
            return self.member(operand, index);
        }
        self.expr(operand, Binding::Member);
        self.text.push_str("[?");
        self.expr(index, Binding::Conditional);
        self.text.push(']');
    }

    /// `operand.key` for keys of values, `operand["key"]` for attributes, whose names usually have dots.
    fn member(&mut self, operand: ExprId, index: ExprId) {
        self.expr(operand, Binding::Member);
        let is_field = matches!(self.program.exprs.at(operand).kind, ExprKind::Field(_));
        match &self.program.exprs.at(index).kind {
            ExprKind::Literal(Literal::String(key)) if is_identifier(key) && !is_field => {
                self.write(format_args!(".{key}"));
            }
            _ => {
                self.text.push('[');
                self.expr(index, Binding::Conditional);
                self.text.push(']');
            }
        }
    }

    /// `has(operand.key)`; a key that is no identifier needs backticks.
    fn has(&mut self, operand: ExprId, key: ExprId) {
        self.text.push_str("has(");
        self.expr(operand, Binding::Member);
        if let ExprKind::Literal(Literal::String(key)) = &self.program.exprs.at(key).kind {
            let quote = if is_identifier(key) { "" } else { "`" };
            self.write(format_args!(".{quote}{key}{quote}"));
        }
        self.text.push(')');
    }

    fn call(&mut self, name: &str, args: &[ExprId]) {
        let Some((receiver, rest)) = args.split_first() else {
            return;
        };
        self.expr(*receiver, Binding::Member);
        self.write(format_args!(".{name}("));
        self.joined(rest, ", ", Binding::Conditional);
        self.text.push(')');
    }

    fn prefix(&mut self, operator: &str, operand: ExprId) {
        self.text.push_str(operator);
        self.expr(operand, Binding::Unary);
    }

    fn binary(&mut self, operator: &str, left: (ExprId, Binding), right: (ExprId, Binding)) {
        self.expr(left.0, left.1);
        self.write(format_args!(" {operator} "));
        self.expr(right.0, right.1);
    }

    fn joined(&mut self, operands: &[ExprId], separator: &str, around: Binding) {
        for (position, operand) in operands.iter().enumerate() {
            if position > 0 {
                self.text.push_str(separator);
            }
            self.expr(*operand, around);
        }
    }
}

fn binding(kind: &ExprKind) -> Binding {
    match kind {
        ExprKind::Conditional { .. } => Binding::Conditional,
        ExprKind::Or(_) => Binding::Or,
        ExprKind::And(_) => Binding::And,
        ExprKind::Compare { .. } | ExprKind::In { .. } => Binding::Relation,
        ExprKind::Arithmetic {
            op: ArithmeticOp::Add | ArithmeticOp::Subtract,
            ..
        } => Binding::Sum,
        ExprKind::Arithmetic { .. } => Binding::Product,
        ExprKind::Not(_) | ExprKind::Negate(_) => Binding::Unary,
        _ => Binding::Member,
    }
}

/// A duration as the language writes it, with the largest unit that divides it.
#[must_use]
pub fn duration(nanoseconds: i64) -> String {
    const UNITS: [(i64, &str); 6] = [
        (3_600_000_000_000, "h"),
        (60_000_000_000, "m"),
        (1_000_000_000, "s"),
        (1_000_000, "ms"),
        (1_000, "us"),
        (1, "ns"),
    ];
    let unit = UNITS
        .iter()
        .find(|(unit, _)| nanoseconds != 0 && nanoseconds % unit == 0);
    match unit {
        Some((unit, name)) => format!("{}{name}", nanoseconds / unit),
        None => "0s".to_owned(),
    }
}

/// A size as the language writes it, with the largest unit that divides it.
#[must_use]
pub fn size(bytes: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    let unit = UNITS
        .iter()
        .find(|(unit, _)| bytes != 0 && bytes.is_multiple_of(*unit));
    match unit {
        Some((unit, name)) => format!("{}{name}", bytes / unit),
        None => bytes.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_and_sizes_take_the_largest_unit() {
        assert_eq!(duration(10_000_000), "10ms");
        assert_eq!(duration(90_000_000_000), "90s");
        assert_eq!(duration(0), "0s");
        assert_eq!(size(64 << 20), "64MiB");
        assert_eq!(size(1_000), "1000");
    }

    #[test]
    fn keys_are_identifiers_or_not() {
        assert!(is_identifier("team"));
        assert!(!is_identifier("service.name"));
        assert!(!is_identifier("in"));
    }
}
