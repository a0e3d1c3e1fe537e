//! The conversion that would make a call fit: which argument, into which type, and how it is written.

use watershed_lang::ast::{Expr, ExprKind, Literal};

use super::Checker;
use super::calls::Style;
use crate::cel::error::Conversion;
use crate::cel::excerpt::excerpt;
use crate::cel::types::Type;

impl Checker<'_> {
    /// The mildest conversion of one argument after which an overload fits.
    pub(super) fn conversion(
        &mut self,
        name: &str,
        style: Style,
        types: &[Type],
        sources: &[&Expr],
    ) -> Option<Conversion> {
        let mut best: Option<(u8, Conversion)> = None;
        for (position, (ty, source)) in types.iter().zip(sources).enumerate() {
            for (target, function, loss) in conversions(ty) {
                if best.as_ref().is_some_and(|(least, _)| *least <= loss) {
                    continue;
                }
                let mut converted = types.to_vec();
                if let Some(slot) = converted.get_mut(position) {
                    *slot = target.clone();
                }
                if self.resolve(name, style, &converted).is_some() {
                    best = Some((loss, write(source, ty, target, function)));
                }
            }
        }
        best.map(|(_, conversion)| conversion)
    }
}

/// The types that a value can be converted to, with the function that does it and how much that may lose.
fn conversions(from: &Type) -> Vec<(Type, &'static str, u8)> {
    let to_text = (Type::String, "string", 3);
    match from {
        Type::Int => vec![(Type::Double, "double", 0), (Type::Uint, "uint", 2), to_text],
        Type::Uint => vec![(Type::Double, "double", 0), (Type::Int, "int", 1), to_text],
        Type::Double => vec![(Type::Int, "int", 5), to_text],
        Type::String => vec![
            (Type::Duration, "duration", 4),
            (Type::Timestamp, "timestamp", 4),
            (Type::Int, "int", 4),
            (Type::Double, "double", 5),
            (Type::Bytes, "bytes", 4),
        ],
        Type::Bool | Type::Bytes | Type::Timestamp | Type::Duration | Type::Ip | Type::Cidr => vec![to_text],
        _ => Vec::new(),
    }
}

fn write(source: &Expr, from: &Type, to: Type, function: &str) -> Conversion {
    let literal = match (&source.kind, &to) {
        (ExprKind::Literal(Literal::Int(value)), Type::Double) => Some(format!("{value}.0")),
        (ExprKind::Literal(Literal::Int(value @ 0..)), Type::Uint) => Some(format!("{value}u")),
        (ExprKind::Literal(Literal::Uint(value)), Type::Double) => Some(format!("{value}.0")),
        (ExprKind::Literal(Literal::Uint(value)), Type::Int) => i64::try_from(*value).ok().map(|value| value.to_string()),
        _ => None,
    };
    let (text, is_exact) = match literal {
        Some(text) => (text, true),
        None => {
            let excerpt = excerpt(source);
            (format!("{function}({})", excerpt.text), excerpt.is_exact)
        }
    };
    Conversion { span: source.span, from: from.clone(), to, text, is_exact }
}
