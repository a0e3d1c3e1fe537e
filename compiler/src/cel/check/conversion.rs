//! The conversion that would make a call fit: which argument, into which type, and how it is written.

use watershed_lang::ast::{Expr, ExprKind, Literal};

use super::Checker;
use super::calls::Style;
use crate::cel::error::Conversion;
use crate::cel::fold;
use crate::cel::print::{print, quote};
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
            for candidate in conversions(source, ty) {
                if best
                    .as_ref()
                    .is_some_and(|(least, _)| *least <= candidate.loss)
                {
                    continue;
                }
                let mut converted = types.to_vec();
                if let Some(slot) = converted.get_mut(position) {
                    *slot = candidate.to.clone();
                }
                if self.resolve(name, style, &converted).is_some() {
                    best = Some((candidate.loss, candidate.write(source, ty)));
                }
            }
        }
        best.map(|(_, conversion)| conversion)
    }
}

/// A conversion of one argument.
struct Candidate {
    /// The type that it gives.
    to: Type,
    /// The function that makes it.
    function: &'static str,
    /// How much it may lose, or how far it is from what was meant; the least wins.
    loss: u8,
    /// What to write instead of a literal.
    literal: Option<String>,
}

impl Candidate {
    fn write(self, source: &Expr, from: &Type) -> Conversion {
        let text = self
            .literal
            .unwrap_or_else(|| format!("{}({})", self.function, print(source)));
        Conversion {
            span: source.span,
            from: from.clone(),
            to: self.to,
            text,
        }
    }
}

/// The types that an argument can be converted to.
fn conversions(source: &Expr, from: &Type) -> Vec<Candidate> {
    let candidate = |to, function, loss| Candidate {
        to,
        function,
        loss,
        literal: None,
    };
    let to_text = candidate(Type::String, "string", 4);
    match (&source.kind, from) {
        (ExprKind::Literal(literal), _) => literals(literal),
        (_, Type::Int) => {
            vec![
                candidate(Type::Double, "double", 1),
                candidate(Type::Uint, "uint", 3),
                to_text,
            ]
        }
        (_, Type::Uint) => vec![
            candidate(Type::Double, "double", 1),
            candidate(Type::Int, "int", 2),
            to_text,
        ],
        (_, Type::Double) => vec![candidate(Type::Int, "int", 6), to_text],
        (_, Type::String) => vec![
            candidate(Type::Duration, "duration", 5),
            candidate(Type::Timestamp, "timestamp", 5),
            candidate(Type::Int, "int", 5),
            candidate(Type::Double, "double", 6),
            candidate(Type::Bytes, "bytes", 5),
        ],
        (
            _,
            Type::Bool | Type::Bytes | Type::Timestamp | Type::Duration | Type::Ip | Type::Cidr,
        ) => vec![to_text],
        _ => Vec::new(),
    }
}

/// What a literal could have been written as.
fn literals(literal: &Literal) -> Vec<Candidate> {
    let candidate = |to, text: String| Candidate {
        to,
        function: "",
        loss: 0,
        literal: Some(text),
    };
    match literal {
        Literal::Int(value) => {
            let unsigned = (*value >= 0).then(|| candidate(Type::Uint, format!("{value}u")));
            let double = candidate(Type::Double, format!("{value}.0"));
            [double, candidate(Type::String, format!("\"{value}\""))]
                .into_iter()
                .chain(unsigned)
                .collect()
        }
        Literal::Uint(value) => {
            let double = candidate(Type::Double, format!("{value}.0"));
            let int = i64::try_from(*value)
                .ok()
                .map(|value| candidate(Type::Int, value.to_string()));
            [double, candidate(Type::String, format!("\"{value}\""))]
                .into_iter()
                .chain(int)
                .collect()
        }
        Literal::String(text) => {
            let mut found = vec![candidate(Type::Bytes, format!("b{}", quote(text)))];
            if fold::parse_duration(text).is_some() {
                found.push(candidate(
                    Type::Duration,
                    format!("duration({})", quote(text)),
                ));
            }
            if fold::parse_timestamp(text).is_some() {
                found.push(candidate(
                    Type::Timestamp,
                    format!("timestamp({})", quote(text)),
                ));
            }
            if let Ok(number) = text.parse::<i64>() {
                found.push(candidate(Type::Int, number.to_string()));
                found.push(candidate(Type::Double, format!("{number}.0")));
            }
            found
        }
        _ => Vec::new(),
    }
}
