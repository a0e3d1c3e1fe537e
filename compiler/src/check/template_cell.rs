//! Values of rows as values of parameters.

use watershed_lang::ast::{ExprKind, Literal};
use watershed_lang::diagnostic::Diagnostics;
use watershed_lang::parse::parse_expression;
use watershed_lang::span::FileId;

use crate::cel::fold::Constant;
use crate::hir::ConfigType;

/// A value that a parameter cannot have.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CellFault {
    /// The value, as messages show it.
    pub(super) found: String,
}

/// The value of a parameter. Where `texts` says so, a text may stand for a value of another type: all values of a CSV
/// file are texts, and JSON has no durations and sizes.
pub(super) fn cell(
    constant: &Constant,
    wanted: ConfigType,
    texts: bool,
) -> Result<Literal, CellFault> {
    let fits = match (wanted, constant) {
        (ConfigType::String, Constant::String(text)) => Some(Literal::String(text.clone())),
        (ConfigType::Int, Constant::Int(value)) => Some(Literal::Int(*value)),
        (ConfigType::Double, Constant::Double(value)) => Some(Literal::Double(*value)),
        #[expect(clippy::cast_precision_loss, reason = "JSON writes 1.0 as 1")]
        (ConfigType::Double, Constant::Int(value)) => Some(Literal::Double(*value as f64)),
        (ConfigType::Bool, Constant::Bool(value)) => Some(Literal::Bool(*value)),
        (ConfigType::Duration, Constant::Duration(value)) => Some(Literal::Duration(*value)),
        (ConfigType::Bytes, Constant::Int(value)) => u64::try_from(*value).ok().map(Literal::Size),
        (_, Constant::String(text)) if texts => read(text, wanted),
        _ => None,
    };
    fits.ok_or_else(|| CellFault {
        found: shown(constant),
    })
}

/// A text as the notation of a value.
fn read(text: &str, wanted: ConfigType) -> Option<Literal> {
    let text = text.trim();
    match wanted {
        ConfigType::Int => text.parse().ok().map(Literal::Int),
        ConfigType::Double => text.parse().ok().map(Literal::Double),
        ConfigType::Bool => text.parse().ok().map(Literal::Bool),
        ConfigType::Bytes => match text.parse() {
            Ok(bytes) => Some(Literal::Size(bytes)),
            Err(_) => literal(text).filter(|found| matches!(found, Literal::Size(_))),
        },
        ConfigType::Duration => literal(text).filter(|found| matches!(found, Literal::Duration(_))),
        ConfigType::String | ConfigType::Secret => None,
    }
}

/// `10ms`, `64KiB`: as in a flow.
fn literal(text: &str) -> Option<Literal> {
    let mut diagnostics = Diagnostics::new();
    let expression = parse_expression(FileId(0), text, &mut diagnostics);
    match expression.kind {
        ExprKind::Literal(literal) if diagnostics.is_empty() => Some(literal),
        _ => None,
    }
}

fn shown(constant: &Constant) -> String {
    match constant {
        Constant::String(text) => format!("{text:?}"),
        Constant::Int(value) => value.to_string(),
        Constant::Uint(value) => format!("{value}u"),
        Constant::Double(value) => value.to_string(),
        Constant::Bool(value) => value.to_string(),
        Constant::Null => "null".to_owned(),
        Constant::List(_) => "a list".to_owned(),
        Constant::Map(_) => "a map".to_owned(),
        _ => "another value".to_owned(),
    }
}

/// The key of an instance as text.
pub(super) fn text(literal: &Literal) -> String {
    match literal {
        Literal::String(text) => text.clone(),
        Literal::Int(value) => value.to_string(),
        other => format!("{other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_files_are_read_as_the_type_that_is_wanted() {
        let text = |text: &str| Constant::String(text.to_owned());
        for (wanted, written, found) in [
            (ConfigType::Int, "-7", Literal::Int(-7)),
            (ConfigType::Double, "0.5", Literal::Double(0.5)),
            (ConfigType::Bool, "true", Literal::Bool(true)),
            (ConfigType::Duration, "10ms", Literal::Duration(10_000_000)),
            (ConfigType::Bytes, "64KiB", Literal::Size(65_536)),
            (ConfigType::Bytes, "64", Literal::Size(64)),
            (ConfigType::String, "64", Literal::String("64".to_owned())),
        ] {
            assert_eq!(cell(&text(written), wanted, true), Ok(found));
        }
        for (wanted, written) in [
            (ConfigType::Int, "x"),
            (ConfigType::Int, ""),
            (ConfigType::Duration, "10"),
            (ConfigType::Bytes, "-1"),
        ] {
            assert!(cell(&text(written), wanted, true).is_err(), "{written}");
        }
    }

    #[test]
    fn texts_of_a_flow_are_texts() {
        let fault = cell(&Constant::String("7".to_owned()), ConfigType::Int, false);
        assert_eq!(fault.unwrap_err().found, "\"7\"");
    }
}
