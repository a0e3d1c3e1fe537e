//! The words for mistakes in expressions.

mod call;

use watershed_lang::diagnostic::suggest;
use watershed_lang::diagnostic::{Code, Diagnostic, IntoDiagnostic};
use watershed_lang::span::{Name, Span};

use super::CheckError;
use crate::cel::mend::{Mend, MendKind};
use crate::cel::types::Type;
use crate::words::{and_list, or_list};

/// How many names or signatures a message lists.
const MAX_LISTED: usize = 4;

impl IntoDiagnostic for CheckError {
    fn into_diagnostic(self) -> Diagnostic {
        match self {
            Self::UnknownName {
                name,
                field,
                candidates,
            } => unknown_name(&name, field, &candidates),
            Self::UnknownField {
                record,
                field,
                attribute,
                candidates,
            } => unknown_field(&record, &field, attribute, &candidates),
            Self::NotSelectable { ty, field, span } => not_selectable(&ty, &field, span),
            Self::NotBool {
                place,
                ty,
                span,
                mend,
            } => mended(not_bool(place, &ty, span), mend),
            Self::ConditionalTypes { first, second } => conditional_types(&first, &second),
            Self::HasArgument {
                indexed,
                span,
                mend,
            } => has_argument(indexed, span, mend),
            Self::RecordAlone {
                record,
                fields,
                span,
                mend,
            } => record_alone(&record, &fields, span, mend),
            Self::ListAlone { span } => list_alone(span),
            Self::NeedsProtobuf { what, span } => needs_protobuf(&what, span),
            Self::InvalidRegex {
                reason,
                span,
                fault,
            } => invalid_regex(&reason, span, fault),
            Self::TypeTooLarge { span } => {
                let message = "the type of this expression has too many parts";
                Diagnostic::new(Code::UnsupportedExpression, message, span)
                    .label("lists and maps within each other")
                    .help("write `dyn(…)` around a part of it")
            }
            other => other.into_call_diagnostic(),
        }
    }
}

impl CheckError {
    /// Values of the wrong type, and arguments of macros.
    fn into_type_diagnostic(self) -> Diagnostic {
        let mismatch = |wanted: &str, ty: &Type, span| {
            let message = format!("{wanted} is needed here, and this is `{ty}`");
            Diagnostic::new(Code::TypeMismatch, message, span).label(format!("this is `{ty}`"))
        };
        let argument =
            |message: &str, span| Diagnostic::new(Code::InvalidMacroArgument, message, span);
        match self {
            Self::NotNumeric { function, ty, span } => {
                let message = format!("`{function}` takes numbers, and this is `{ty}`");
                Diagnostic::new(Code::TypeMismatch, message, span).label(format!("this is `{ty}`"))
            }
            Self::NotOptional { ty, span } => mismatch("an optional", &ty, span)
                .help("write `optional.of(…)`, or `[?…]` and `.?` where it is read"),
            Self::NotIterable { ty, span } => mismatch("a list or a map", &ty, span),
            Self::LoopBody { sorts, ty, span } => {
                let wanted = if sorts {
                    "something that has an order"
                } else {
                    "a map with one entry"
                };
                mismatch(wanted, &ty, span)
            }
            Self::FieldType {
                field,
                wanted,
                found,
                span,
            } => {
                let message = format!("the field `{}` is `{wanted}`, not `{found}`", field.value);
                Diagnostic::new(Code::TypeMismatch, message, span)
                    .label(format!("this is `{found}`"))
            }
            Self::MacroVariable { span } => {
                argument("a macro needs a plain name for its variable", span)
                    .label("not a plain name")
                    .help("name the variable first, as in `xs.exists(x, x > 1)`")
            }
            Self::GeneratedName { span } => argument("this takes whole numbers as literals", span),
            Self::UnboundGenerated { function, span } => argument(
                &format!("this `cel.{function}` is bound to nothing here"),
                span,
            ),
            Self::BlockBindings { span } => {
                argument("`cel.block` takes a list literal without `?` first", span)
            }
            _ => Diagnostic::new(Code::Internal, "a mistake without words", Span::default()),
        }
    }
}

/// Adds a change with its words.
pub(crate) fn mended(diagnostic: Diagnostic, mend: Option<Mend>) -> Diagnostic {
    let Some(Mend { span, text, kind }) = mend else {
        return diagnostic;
    };
    let what = match kind {
        MendKind::Literal(ty) => format!("write it as `{ty}`"),
        MendKind::Conversion(ty) => format!("make it `{ty}`"),
        MendKind::Default => "say what stands for an absent one".to_owned(),
        MendKind::Comparison => "compare it".to_owned(),
        MendKind::Size => "ask for its size".to_owned(),
        MendKind::Presence => "ask whether it is there".to_owned(),
        MendKind::Contains => "look for a part of a text".to_owned(),
        MendKind::Character => "take a character of a text".to_owned(),
        MendKind::Key => "ask the map for the key".to_owned(),
        MendKind::Attributes => "attributes are keys of".to_owned(),
        MendKind::Call => "write".to_owned(),
        MendKind::Present => "take it as it is".to_owned(),
    };
    let colon = match what.as_str() {
        "write" | "attributes are keys of" => "",
        _ => ":",
    };
    diagnostic
        .help(format!("{what}{colon} `{text}`"))
        .fix(span, text)
}

fn suggested(error: Diagnostic, name: &Name, candidates: &[String]) -> Option<Diagnostic> {
    let close = suggest::nearest(&name.value, candidates.iter().map(String::as_str))?;
    let help = format!("did you mean `{close}`?");
    Some(error.help(help).fix(name.span, close))
}

fn unknown_name(name: &Name, field: Option<String>, candidates: &[String]) -> Diagnostic {
    let message = format!("no value is named `{}`", name.value);
    let error =
        Diagnostic::new(Code::UnknownName, message, name.span).label("not found in this file");
    match field {
        Some(field) => error
            .help(format!("did you mean the field `{field}`?"))
            .fix(name.span, field),
        None => suggested(error.clone(), name, candidates).unwrap_or(error),
    }
}

fn unknown_field(
    record: &str,
    field: &Name,
    attribute: Option<String>,
    candidates: &[String],
) -> Diagnostic {
    let message = format!("`{record}` has no field `{}`", field.value);
    let error = Diagnostic::new(Code::UnknownField, message, field.span)
        .label(format!("not a field of `{record}`"));
    if let Some(error) = suggested(error.clone(), field, candidates) {
        return error;
    }
    match attribute {
        // An element of a list is read by the name that a macro gives it.
        Some(attribute) if record.contains('.') => error
            .help(format!("an attribute is read as `{attribute}`"))
            .fix(field.span, attribute),
        Some(attribute) => error
            .help(format!("an attribute is read as `{record}.{attribute}`"))
            .fix(field.span, attribute),
        None if candidates.is_empty() => error,
        None => {
            let names: Vec<String> = candidates.iter().map(|name| format!("`{name}`")).collect();
            error.help(format!("its fields are {}", and_list(&names)))
        }
    }
}

fn not_selectable(ty: &Type, field: &Name, span: Span) -> Diagnostic {
    let message = format!("`{ty}` has no fields, so no `{}`", field.value);
    Diagnostic::new(Code::TypeMismatch, message, field.span).also(span, format!("`{ty}`"))
}

fn not_bool(place: &str, ty: &Type, span: Span) -> Diagnostic {
    let place = match place {
        "&&" | "||" | "?:" | "!" => format!("`{place}`"),
        other => other.to_owned(),
    };
    let message = format!("{place} takes `bool`, and this is `{ty}`");
    Diagnostic::new(Code::NoOverload, message, span)
        .label("no value counts as true or false by itself")
}

fn conditional_types(first: &(Type, Span), second: &(Type, Span)) -> Diagnostic {
    let message = format!("the values of `?:` are `{}` and `{}`", first.0, second.0);
    Diagnostic::new(Code::TypeMismatch, message, second.1)
        .label(format!("this is `{}`", second.0))
        .also(first.1, format!("this is `{}`", first.0))
        .help("give both the same type, or write `dyn(…)` around one")
}

fn has_argument(indexed: bool, span: Span, mend: Option<Mend>) -> Diagnostic {
    let error = |message: &str| Diagnostic::new(Code::InvalidMacroArgument, message, span);
    if !indexed {
        return error("`has` takes one field")
            .label("not a selection of a field")
            .help("write `has(log.body)`, or `\"key\" in map` for a key");
    }
    let error = error("`has` takes a field, not an index").label("a key in brackets");
    match mend {
        None => error.help("ask a map for a key: `\"key\" in map`"),
        mend => mended(error, mend),
    }
}

fn record_alone(record: &str, fields: &[String], span: Span, mend: Option<Mend>) -> Diagnostic {
    if mend.is_some() {
        let message = format!("`{record}` has fields and no keys");
        let error = Diagnostic::new(Code::WrongNameKind, message, span).label("not a map");
        return mended(error, mend);
    }
    let message = format!("`{record}` is not a value by itself");
    let error = Diagnostic::new(Code::WrongNameKind, message, span).label("a field must follow");
    let names: Vec<String> = fields.iter().map(|field| format!("`{field}`")).collect();
    match names.as_slice() {
        [] => error,
        few if few.len() <= MAX_LISTED => error.help(format!("read {}", or_list(few))),
        [first, ..] => error.help(format!("read one of its fields, such as {first}")),
    }
}

fn list_alone(span: Span) -> Diagnostic {
    let message = "what is read in place here is not a value by itself";
    Diagnostic::new(Code::WrongNameKind, message, span)
        .label("a list of records, or one of them")
        .help("go through it with `exists`, `all`, `exists_one`, `filter` or `map`, take its `size()`, or read a field of one element")
}

fn needs_protobuf(what: &str, span: Span) -> Diagnostic {
    let message = format!("`{what}` needs protobuf messages, which expressions here do not have");
    Diagnostic::new(Code::UnsupportedExpression, message, span)
        .label("part of CEL that this version does not compile")
}

fn invalid_regex(reason: &str, span: Span, fault: Option<Span>) -> Diagnostic {
    let message = format!("the regular expression {reason}");
    match fault {
        Some(fault) => Diagnostic::new(Code::InvalidRegex, message, fault).label("here"),
        None => Diagnostic::new(Code::InvalidRegex, message, span).label("in this pattern"),
    }
}
