//! Changes that would mend a mistake, made from the expression itself.
//!
//! In: the expression that was written and what is wrong with it. Out: [`Mend`], the text that takes the place of a
//! part, and what kind of change that is. The words for it are made beside the words of the mistakes.

use watershed_lang::ast::{Expr, ExprKind};
use watershed_lang::span::Span;

use super::print::{print, print_operand, print_side};
use super::types::Type;

/// A change that would mend a mistake.
#[derive(Clone, Debug, PartialEq)]
pub struct Mend {
    /// What is replaced.
    pub span: Span,
    /// What stands there afterwards.
    pub text: String,
    /// What the change is.
    pub kind: MendKind,
}

/// What a change is.
#[derive(Clone, Debug, PartialEq)]
pub enum MendKind {
    /// A literal written as this type.
    Literal(Type),
    /// A conversion to this type around an operand.
    Conversion(Type),
    /// A value that stands for an absent one.
    Default,
    /// A comparison of what is no `bool`.
    Comparison,
    /// A look at the size.
    Size,
    /// A question whether an optional has a value, or a field is set.
    Presence,
    /// `text.contains(part)` for `part in text`.
    Contains,
    /// `text.charAt(position)` for `text[position]`.
    Character,
    /// `"key" in m` for `has(m["key"])`.
    Key,
    /// The attributes of a record for the record.
    Attributes,
    /// The same call with or without a value before the dot.
    Call,
    /// The value itself, which needs no default.
    Present,
}

/// A `bool` made of a value of another type; with `negated`, the opposite of it.
pub(crate) fn to_bool(expr: &Expr, ty: &Type, negated: bool) -> Option<(String, MendKind)> {
    let side = || print_side(expr);
    let equal = if negated { "==" } else { "!=" };
    let is_literal = matches!(expr.kind, ExprKind::Literal(_));
    Some(match ty {
        Type::Dyn => (
            format!("{} {} true", side(), if negated { "!=" } else { "==" }),
            MendKind::Comparison,
        ),
        Type::Int if !is_literal => (format!("{} {equal} 0", side()), MendKind::Comparison),
        Type::Uint if !is_literal => (format!("{} {equal} 0u", side()), MendKind::Comparison),
        Type::Double if !is_literal => (format!("{} {equal} 0.0", side()), MendKind::Comparison),
        Type::String if !is_literal => (format!("{} {equal} \"\"", side()), MendKind::Comparison),
        Type::List(_) | Type::Map(..) => {
            let compare = if negated { "==" } else { ">" };
            (format!("size({}) {compare} 0", print(expr)), MendKind::Size)
        }
        Type::Optional(inner) => {
            let not = if negated { "!" } else { "" };
            let operand = print_operand(expr);
            if inner.is_open() || **inner == Type::Bool {
                (format!("{not}{operand}.orBool(false)"), MendKind::Default)
            } else {
                (format!("{not}{operand}.hasValue()"), MendKind::Presence)
            }
        }
        _ => return None,
    })
}

/// The function that gives an optional a default of this type, and a default.
pub(crate) const fn default_of(ty: &Type) -> Option<(&'static str, &'static str)> {
    Some(match ty {
        Type::String => ("orString", "\"unknown\""),
        Type::Int => ("orInt", "0"),
        Type::Uint => ("orUint", "0u"),
        Type::Double => ("orDouble", "0.0"),
        Type::Bool => ("orBool", "false"),
        _ => return None,
    })
}

/// A text that binds like a comparison, with the brackets that the place of the part needs which it replaces.
pub(crate) fn in_place(whole: &Expr, part: Span, text: String) -> String {
    let binds_stronger = parent(whole, part).is_some_and(|parent| match &parent.kind {
        ExprKind::Not { .. }
        | ExprKind::Negate { .. }
        | ExprKind::Binary { .. }
        | ExprKind::Select { .. } => true,
        ExprKind::Index { operand, .. } => operand.span == part,
        ExprKind::Call { receiver, .. } => receiver
            .as_ref()
            .is_some_and(|receiver| receiver.span == part),
        _ => false,
    });
    if binds_stronger {
        format!("({text})")
    } else {
        text
    }
}

/// The expression directly around the part with this place.
fn parent(expr: &Expr, part: Span) -> Option<&Expr> {
    let children = expr.kind.children();
    if children.iter().any(|child| child.span == part) {
        return Some(expr);
    }
    children.into_iter().find_map(|child| parent(child, part))
}

#[cfg(test)]
mod tests {
    use watershed_lang::diagnostic::Diagnostics;
    use watershed_lang::parse::parse_expression;
    use watershed_lang::span::FileId;

    use super::*;

    #[test]
    fn brackets_stand_where_the_place_needs_them() {
        for (text, expected) in [
            ("part", "a < b"),
            ("part && c", "a < b"),
            ("!part", "(a < b)"),
            ("part == c", "(a < b)"),
            ("part ? c : d", "a < b"),
            ("part.size()", "(a < b)"),
            ("f(part)", "a < b"),
            ("m[part]", "a < b"),
        ] {
            let whole = parse_expression(FileId(0), text, &mut Diagnostics::new());
            let start = u32::try_from(text.find("part").unwrap()).unwrap();
            let part = Span::new(FileId(0), start, start + 4);
            assert_eq!(
                in_place(&whole, part, "a < b".to_owned()),
                expected,
                "{text}"
            );
        }
    }
}
