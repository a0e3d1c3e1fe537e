//! The words for mistakes in expressions.

use watershed_lang::diagnostic::suggest;
use watershed_lang::diagnostic::{Code, Diagnostic, IntoDiagnostic};
use watershed_lang::span::{Name, Span};

use super::{CheckError, Conversion};
use crate::cel::types::Type;
use crate::check::words::or_list;

/// How many accepted signatures a message lists.
const MAX_ACCEPTED: usize = 4;

impl IntoDiagnostic for CheckError {
    fn into_diagnostic(self) -> Diagnostic {
        match self {
            Self::UnknownName { name, candidates } => {
                unknown(Code::UnknownName, "name", &name, &candidates)
            }
            Self::UnknownFunction { name, candidates } => {
                unknown(Code::UnknownFunction, "function", &name, &candidates)
            }
            Self::UnknownField {
                record,
                field,
                candidates,
            } => unknown_field(&record, &field, &candidates),
            Self::MacroArguments { name, wanted } => {
                let message = format!("`{}` takes {wanted}", name.value);
                Diagnostic::new(Code::InvalidMacroArgument, message, name.span)
            }
            Self::NotSelectable { ty, field, span } => not_selectable(&ty, &field, span),
            Self::NoOverload {
                function,
                member,
                span,
                args,
                accepted,
                conversion,
            } => NoOverload {
                function: &function,
                member,
                args: &args,
                accepted: &accepted,
            }
            .say(span, conversion),
            Self::NotBool { place, ty, span } => not_bool(place, &ty, span),
            Self::ConditionalTypes {
                first,
                second,
                span,
            } => conditional_types(&first, &second, span),
            Self::RecordAlone {
                record,
                fields,
                span,
            } => record_alone(&record, &fields, span),
            Self::NeedsProtobuf { what, span } => {
                let message =
                    format!("`{what}` needs protobuf messages, which expressions here do not have");
                Diagnostic::new(Code::UnsupportedExpression, message, span)
            }
            Self::InvalidRegex { reason, span } => Diagnostic::new(
                Code::InvalidRegex,
                format!("the regular expression {reason}"),
                span,
            ),
            Self::TypeTooLarge { span } => Diagnostic::new(
                Code::UnsupportedExpression,
                "the type of this expression has too many parts",
                span,
            ),
            other => other.into_type_diagnostic(),
        }
    }
}

impl CheckError {
    /// Values of the wrong type, and arguments of macros.
    fn into_type_diagnostic(self) -> Diagnostic {
        let mismatch = |message: String, span| Diagnostic::new(Code::TypeMismatch, message, span);
        let argument =
            |message: &str, span| Diagnostic::new(Code::InvalidMacroArgument, message, span);
        match self {
            Self::NotNumeric { function, ty, span } => mismatch(
                format!("`{function}` takes numbers, and this is `{ty}`"),
                span,
            ),
            Self::NotOptional { ty, span } => mismatch(
                format!("an optional is needed here, and this is `{ty}`"),
                span,
            )
            .help("write `optional.of(…)`, or `[?…]` and `.?` where it is read"),
            Self::NotIterable { ty, span } => mismatch(
                format!("a list or a map is needed here, and this is `{ty}`"),
                span,
            ),
            Self::LoopBody { sorts, ty, span } => {
                let wanted = if sorts {
                    "something that has an order"
                } else {
                    "a map with one entry"
                };
                mismatch(format!("{wanted} is needed here, and this is `{ty}`"), span)
            }
            Self::FieldType {
                field,
                wanted,
                found,
                span,
            } => mismatch(
                format!(
                    "the field `{}` is `{wanted}`, and this is `{found}`",
                    field.value
                ),
                span,
            ),
            Self::HasArgument { indexed, span } => {
                let error = argument("`has` takes a field, such as `m.k`", span);
                match indexed {
                    true => error.help("ask for a key with `\"key\" in m`"),
                    false => error,
                }
            }
            Self::MacroVariable { span } => argument(
                "a plain name is needed here, for the variable of the macro",
                span,
            ),
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

fn unknown(code: Code, what: &str, name: &Name, candidates: &[String]) -> Diagnostic {
    let message = format!("there is no {what} `{}`", name.value);
    suggested(Diagnostic::new(code, message, name.span), name, candidates)
}

fn suggested(error: Diagnostic, name: &Name, candidates: &[String]) -> Diagnostic {
    match suggest::nearest(&name.value, candidates.iter().map(String::as_str)) {
        Some(close) => error
            .help(format!("did you mean `{close}`?"))
            .fix(name.span, close),
        None => error,
    }
}

fn unknown_field(record: &str, field: &Name, candidates: &[String]) -> Diagnostic {
    let message = format!("`{record}` has no field `{}`", field.value);
    suggested(
        Diagnostic::new(Code::UnknownField, message, field.span),
        field,
        candidates,
    )
}

fn not_selectable(ty: &Type, field: &Name, span: Span) -> Diagnostic {
    let message = format!("`{ty}` has no fields, so no `{}`", field.value);
    Diagnostic::new(Code::TypeMismatch, message, field.span).also(span, format!("`{ty}`"))
}

fn not_bool(place: &str, ty: &Type, span: Span) -> Diagnostic {
    let place = match place {
        "&&" | "||" | "?:" => format!("`{place}`"),
        other => other.to_owned(),
    };
    let error = Diagnostic::new(
        Code::TypeMismatch,
        format!("{place} needs `bool`, and this is `{ty}`"),
        span,
    );
    match ty {
        Type::String => error.help("compare it: `… != \"\"`"),
        Type::Int => error.help("compare it: `… != 0`"),
        Type::Uint => error.help("compare it: `… != 0u`"),
        Type::List(_) | Type::Map(..) => error.help("ask for its size: `size(…) > 0`"),
        Type::Optional(_) => error.help("ask whether it is there: `….hasValue()`"),
        _ => error,
    }
}

fn conditional_types(first: &(Type, Span), second: &(Type, Span), span: Span) -> Diagnostic {
    let message = format!("the values of `?:` are `{}` and `{}`", first.0, second.0);
    Diagnostic::new(Code::TypeMismatch, message, span)
        .also(first.1, format!("`{}`", first.0))
        .also(second.1, format!("`{}`", second.0))
        .help("give them one type, or write `dyn(…)` around one")
}

fn record_alone(record: &str, fields: &[String], span: Span) -> Diagnostic {
    let message = format!("`{record}` cannot be used whole; a field is needed");
    let error = Diagnostic::new(Code::TypeMismatch, message, span);
    let names: Vec<&str> = fields
        .iter()
        .take(MAX_ACCEPTED)
        .map(String::as_str)
        .collect();
    if names.is_empty() {
        error
    } else {
        error.help(format!("fields are {}", or_list(&names)))
    }
}

/// A call that no overload takes.
struct NoOverload<'a> {
    function: &'a str,
    member: bool,
    args: &'a [(Type, Span)],
    accepted: &'a [Vec<Type>],
}

impl NoOverload<'_> {
    fn say(&self, span: Span, conversion: Option<Conversion>) -> Diagnostic {
        let mut error = Diagnostic::new(Code::NoOverload, self.message(), span);
        for (ty, place) in self.args.iter().take(2) {
            error = error.also(*place, format!("`{ty}`"));
        }
        match conversion {
            Some(conversion) => {
                let error = error.help(format!("write `{}`", conversion.text));
                error.fix(conversion.span, conversion.text)
            }
            None => match self.help() {
                Some(help) => error.help(help),
                None => error,
            },
        }
    }

    fn message(&self) -> String {
        let types: Vec<String> = self.args.iter().map(|(ty, _)| format!("`{ty}`")).collect();
        match (self.function, types.as_slice()) {
            ("_[_]" | "_[?_]", [container, index]) => {
                format!("{container} cannot be indexed with {index}")
            }
            ("@in", [element, container]) => {
                format!("`in` does not look for {element} in {container}")
            }
            ("!_", [operand]) => format!("`!` needs `bool`, and this is {operand}"),
            ("-_", [operand]) => format!("`-` does not take {operand}"),
            ("_==_" | "_!=_", [left, right]) => {
                format!(
                    "`{}` does not compare {left} with {right}",
                    self.function.trim_matches('_')
                )
            }
            (function, [left, right]) if function.starts_with('_') => {
                format!(
                    "`{}` does not take {left} and {right}",
                    function.trim_matches('_')
                )
            }
            (function, [receiver, rest @ ..]) if self.member => {
                format!("`{function}` of {receiver} does not take {}", list(rest))
            }
            (function, all) => format!("`{function}` does not take {}", list(all)),
        }
    }

    /// The signatures there are, unless they are too many to help.
    fn help(&self) -> Option<String> {
        if self.function.starts_with(['_', '@', '!', '-']) || self.accepted.len() > MAX_ACCEPTED {
            return None;
        }
        let signatures: Vec<String> = self
            .accepted
            .iter()
            .map(|types| self.signature(types))
            .collect();
        let signatures: Vec<&str> = signatures.iter().map(String::as_str).collect();
        (!signatures.is_empty()).then(|| format!("it is {}", or_list(&signatures)))
    }

    fn signature(&self, types: &[Type]) -> String {
        let texts: Vec<String> = types.iter().map(Type::to_string).collect();
        match texts.split_first() {
            Some((receiver, rest)) if self.member => {
                format!("`{receiver}.{}({})`", self.function, rest.join(", "))
            }
            _ => format!("`{}({})`", self.function, texts.join(", ")),
        }
    }
}

fn list(types: &[String]) -> String {
    match types {
        [] => "no arguments".to_owned(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
