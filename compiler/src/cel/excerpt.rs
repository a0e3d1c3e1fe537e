//! A short form of an expression for messages.
//!
//! In: an expression of the syntax tree. Out: its text when it is short and simple, else `…` in place of the parts
//! that are not; a message with it says whether it can be put back into the program.

use watershed_lang::ast::{Expr, ExprKind, Literal};

/// What an expression looks like.
pub(super) struct Excerpt {
    /// The text.
    pub(super) text: String,
    /// Whether the text means the same as the expression.
    pub(super) is_exact: bool,
}

/// How many links of a selection are shown.
const MAX_LINKS: usize = 6;

/// The short form of an expression.
pub(super) fn excerpt(expr: &Expr) -> Excerpt {
    match write(expr, MAX_LINKS) {
        Some(text) => Excerpt {
            text,
            is_exact: true,
        },
        None => Excerpt {
            text: "…".to_owned(),
            is_exact: false,
        },
    }
}

fn write(expr: &Expr, links: usize) -> Option<String> {
    match &expr.kind {
        ExprKind::Ident { name, leading_dot } => {
            Some(format!("{}{name}", if *leading_dot { "." } else { "" }))
        }
        ExprKind::Literal(literal) => write_literal(literal),
        ExprKind::Select {
            operand,
            field,
            optional,
            backticked: false,
        } => {
            let operand = write(operand, links.checked_sub(1)?)?;
            Some(format!(
                "{operand}.{}{}",
                if *optional { "?" } else { "" },
                field.value
            ))
        }
        ExprKind::Index {
            operand,
            index,
            optional,
        } => {
            let ExprKind::Literal(literal) = &index.kind else {
                return None;
            };
            let operand = write(operand, links.checked_sub(1)?)?;
            Some(format!(
                "{operand}[{}{}]",
                if *optional { "?" } else { "" },
                write_literal(literal)?
            ))
        }
        _ => None,
    }
}

/// Numbers, truth values, and texts that need no escapes.
fn write_literal(literal: &Literal) -> Option<String> {
    match literal {
        Literal::Null => Some("null".to_owned()),
        Literal::Bool(value) => Some(value.to_string()),
        Literal::Int(value) => Some(value.to_string()),
        Literal::Uint(value) => Some(format!("{value}u")),
        Literal::String(text)
            if text.len() <= 40
                && !text.contains(['"', '\\'])
                && !text.contains(char::is_control) =>
        {
            Some(format!("\"{text}\""))
        }
        _ => None,
    }
}
