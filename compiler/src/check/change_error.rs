//! Mistakes of `set` and `remove`: facts first, words below.

use watershed_lang::diagnostic::{Code, Diagnostic, IntoDiagnostic};
use watershed_lang::span::Span;

use super::unchangeable::Unchangeable;
use crate::catalog::signals::{FieldSpec, Reader};
use crate::cel::Type;
use crate::level::Level;

/// A change that cannot be made.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ChangeError {
    /// A path to nothing that can be changed.
    NotChangeable {
        /// What the path names.
        what: Unchangeable,
        /// The path.
        span: Span,
    },
    /// A field that can be removed and not set.
    NotSettable {
        /// The field.
        field: &'static FieldSpec,
        /// The path.
        span: Span,
    },
    /// A value of another type.
    WrongType {
        /// What is changed: a field, or the map that holds the attribute.
        field: &'static FieldSpec,
        /// Whether any scalar would do.
        is_any: bool,
        /// The type of the value.
        found: Type,
        /// The value.
        span: Span,
    },
    /// A constant that does not fit.
    OutOfBounds {
        /// The field.
        field: &'static FieldSpec,
        /// The constant.
        number: i128,
        /// The least and the greatest that it holds.
        bounds: (i64, i64),
        /// The constant.
        span: Span,
    },
    /// A value that is known later than what is changed.
    TooDeep {
        /// What is changed: a field, or the map that holds the attribute.
        field: &'static FieldSpec,
        /// The level of the value.
        level: Level,
        /// The value.
        span: Span,
    },
}

impl IntoDiagnostic for ChangeError {
    fn into_diagnostic(self) -> Diagnostic {
        match self {
            Self::NotChangeable { what, span } => not_changeable(&what, span),
            Self::NotSettable { field, span } => not_settable(field, span),
            Self::WrongType {
                field,
                is_any,
                found,
                span,
            } => wrong_type(field, is_any, &found, span),
            Self::OutOfBounds {
                field,
                number,
                bounds,
                span,
            } => out_of_bounds(field, number, bounds, span),
            Self::TooDeep { field, level, span } => too_deep(field, level, span),
        }
    }
}

fn not_changeable(what: &Unchangeable, span: Span) -> Diagnostic {
    let (label, help) = match what {
        Unchangeable::Map(map) => (
            "these are all attributes at once".to_owned(),
            format!("name the one that is meant: `{map}[\"team\"]`"),
        ),
        Unchangeable::Key(map) => (
            "the data say which attribute this is".to_owned(),
            format!("give a key that is known at build time: `{map}[\"team\"]`"),
        ),
        Unchangeable::Computed(field) => (
            format!("`{field}` is computed and stands nowhere"),
            format!(
                "change what it is computed from, or set an attribute to it: `set({}.attributes[\"{}\"], …)`",
                field.root.name(),
                field.name
            ),
        ),
        Unchangeable::OfKind(field) => (
            "lies in another place for each kind of metric".to_owned(),
            format!(
                "attributes of data points can be changed: `datapoint.attributes[\"{}\"]`",
                field.name
            ),
        ),
        Unchangeable::Messages(field) => (
            format!("`{field}` is a list of messages"),
            "set an attribute of the span itself: `span.attributes[\"team\"]`".to_owned(),
        ),
        Unchangeable::Part(field) => (
            format!("a part of the value of `{field}`"),
            match field.reader {
                Reader::Attributes => format!("set the whole attribute: `{field}[\"team\"]`"),
                _ => format!("set all of it: `{field}`"),
            },
        ),
        Unchangeable::Other => (
            "neither a field of one value nor an attribute with a constant key".to_owned(),
            "write it as it is read: `log.attributes[\"team\"]`, `log.severity_text`".to_owned(),
        ),
    };
    Diagnostic::new(Code::NotChangeable, "this cannot be changed", span)
        .label(label)
        .help(help)
}

fn not_settable(field: &FieldSpec, span: Span) -> Diagnostic {
    Diagnostic::new(
        Code::NotChangeable,
        format!("`{field}` cannot be set"),
        span,
    )
    .label("ids belong to who made them")
    .help(format!("`remove({field})` leaves it out"))
}

fn wrong_type(field: &FieldSpec, is_any: bool, found: &Type, span: Span) -> Diagnostic {
    let (what, wanted) = match is_any {
        true => (
            "an attribute or a body".to_owned(),
            "`string`, `bool`, `int`, `double` or `bytes`".to_owned(),
        ),
        false => (format!("`{field}`"), format!("`{}`", field.ty())),
    };
    Diagnostic::new(
        Code::TypeMismatch,
        format!("{what} takes {wanted}, and this is `{found}`"),
        span,
    )
    .label(format!("has type `{found}`"))
    .help("convert it, for example with `string(…)` or `int(…)`")
}

fn out_of_bounds(
    field: &FieldSpec,
    number: i128,
    (least, most): (i64, i64),
    span: Span,
) -> Diagnostic {
    let nearest = number.clamp(i128::from(least), i128::from(most));
    let suffix = if field.ty() == Type::Uint { "u" } else { "" };
    Diagnostic::new(
        Code::OutOfBounds,
        format!("`{field}` cannot hold {number}"),
        span,
    )
    .label(format!("not within {least} to {most}"))
    .help(format!(
        "the field has 32 bits; the nearest value is `{nearest}{suffix}`"
    ))
}

fn too_deep(field: &FieldSpec, level: Level, span: Span) -> Diagnostic {
    Diagnostic::new(
        Code::OptionTooDeep,
        format!(
            "`{field}` is one for each {}, and this is known only for each {}",
            field.level().name(),
            level.name()
        ),
        span,
    )
    .label(format!("reads at level {}", level.name()))
    .help(format!(
        "set an attribute of the {} instead, or give a value that is the same for all of the {}",
        match level {
            Level::Scope => "scope",
            Level::Metric => "data points",
            _ => "log record, span or data point",
        },
        field.level().name()
    ))
}
