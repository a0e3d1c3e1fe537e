//! What would mend an expression that the checker refuses, and how that is written.
//!
//! In: a call with the types of its arguments and how it was written. Out: a [`Mend`] that an overload takes, when
//! there is one that its author may have meant.

use watershed_lang::ast::{Expr, ExprKind, ListElement, Literal};
use watershed_lang::span::{Name, Span};

use super::Checker;
use super::calls::Style;
use super::overloads::Call;
use crate::cel::error::ATTRIBUTES;
use crate::cel::fold;
use crate::cel::mend::{Mend, MendKind, default_of, in_place, to_bool};
use crate::cel::print::{print, print_operand, quote};
use crate::cel::types::Type;

impl Checker<'_> {
    /// What would mend a call whose types do not fit.
    pub(super) fn mend(&mut self, call: &Call<'_>) -> Option<Mend> {
        self.other_form(call).or_else(|| self.conversion(call))
    }

    /// Another way to say what some calls seem to want.
    fn other_form(&self, call: &Call<'_>) -> Option<Mend> {
        let ([left, right], [left_type, right_type]) = (call.sources, call.types) else {
            return None;
        };
        let (kind, text) = match (call.name, left_type, right_type) {
            ("@in", Type::String, Type::String) => {
                let text = format!("{}.contains({})", print_operand(right), print(left));
                (MendKind::Contains, text)
            }
            ("_[_]", Type::String, Type::Int) => {
                let text = format!("{}.charAt({})", print_operand(left), print(right));
                (MendKind::Character, text)
            }
            ("orString", Type::String, _)
            | ("orInt", Type::Int, _)
            | ("orUint", Type::Uint, _)
            | ("orDouble", Type::Double, _)
            | ("orBool", Type::Bool, _) => (MendKind::Present, print_operand(left)),
            ("orValue", Type::Optional(_) | Type::Dyn | Type::Error, _) => return None,
            ("orValue", value, default) if value == default => {
                (MendKind::Present, print_operand(left))
            }
            ("_==_" | "_!=_", Type::Null, _) => self.is_set(call.name, right)?,
            ("_==_" | "_!=_", _, Type::Null) => self.is_set(call.name, left)?,
            _ => return None,
        };
        let span = call.span;
        Some(Mend { span, text, kind })
    }

    /// `has(field)` for `field != null`: a field of the data is never `null`.
    fn is_set(&self, operator: &str, field: &Expr) -> Option<(MendKind, String)> {
        let ExprKind::Select {
            optional: false, ..
        } = field.kind
        else {
            return None;
        };
        let not = if operator == "_==_" { "!" } else { "" };
        Some((MendKind::Presence, format!("{not}has({})", print(field))))
    }

    /// A function without its receiver, or with one, written the other way round.
    pub(super) fn other_style(&self, call: &Call<'_>) -> Option<Mend> {
        let style = Style {
            member: !call.style.member,
            ..call.style
        };
        let fits = |accepted: &Vec<Type>| accepted.len() == call.sources.len();
        if !self.accepted(call.name, style).iter().any(fits) {
            return None;
        }
        if call.style.member {
            let arguments: Vec<String> = call.sources.iter().map(|arg| print(arg)).collect();
            return Some(Mend {
                span: call.span,
                text: format!("{}({})", call.name, arguments.join(", ")),
                kind: MendKind::Call,
            });
        }
        let (receiver, rest) = call.sources.split_first()?;
        let name = Name::new(call.name.to_owned(), call.name_span);
        let rest: Vec<Expr> = rest.iter().map(|arg| (*arg).clone()).collect();
        self.written_on(receiver, &name, &rest, call.span)
    }

    /// `receiver.function(rest)` for `function(receiver, rest)`.
    pub(super) fn written_on(
        &self,
        receiver: &Expr,
        function: &Name,
        rest: &[Expr],
        span: Span,
    ) -> Option<Mend> {
        let rest: Vec<String> = rest.iter().map(print).collect();
        let receiver = print_operand(receiver);
        Some(Mend {
            span,
            text: format!("{receiver}.{}({})", function.value, rest.join(", ")),
            kind: MendKind::Call,
        })
    }

    /// A `bool` made of `operand`, in the place of `part`.
    pub(super) fn bool_mend(
        &self,
        operand: &Expr,
        part: Span,
        ty: &Type,
        negated: bool,
    ) -> Option<Mend> {
        let (text, kind) = to_bool(operand, ty, negated)?;
        Some(Mend {
            span: part,
            text: in_place(self.whole, part, text),
            kind,
        })
    }

    /// `key in container` for `has(container[key])`, the whole of which stands at `span`.
    pub(super) fn key_mend(
        &self,
        operand: &Expr,
        container: &Type,
        key: &Expr,
        span: Span,
    ) -> Option<Mend> {
        let mut text = print_operand(operand);
        match container {
            Type::Map(..) | Type::Dyn => {}
            ty if self.is_read_in_place(ty) => text = format!("{text}.{ATTRIBUTES}"),
            _ => return None,
        }
        Some(Mend {
            span,
            text: in_place(self.whole, span, format!("{} in {text}", print(key))),
            kind: MendKind::Key,
        })
    }

    /// The mildest conversion of one argument after which an overload fits.
    fn conversion(&mut self, call: &Call<'_>) -> Option<Mend> {
        let (types, sources) = (call.types, call.sources);
        // A single argument is what the function is about: converted, it would be about something else.
        if types.len() < 2 {
            return None;
        }
        let mut best: Option<(u8, Mend)> = None;
        for (position, (ty, source)) in types.iter().zip(sources).enumerate() {
            for candidate in conversions(source, ty) {
                let is_better = best
                    .as_ref()
                    .is_none_or(|(least, _)| candidate.loss < *least);
                if !is_better || is_far_fetched(call.name, &candidate) {
                    continue;
                }
                let mut converted = types.to_vec();
                if let Some(slot) = converted.get_mut(position) {
                    *slot = candidate.to.clone();
                }
                if self.resolve(call.name, call.style, &converted).is_some() {
                    best = Some((candidate.loss, candidate.write(source)));
                }
            }
        }
        best.map(|(_, mend)| mend)
    }
}

/// Whether a number would become a text only to be put in order or to be looked up.
fn is_far_fetched(function: &str, candidate: &Candidate) -> bool {
    matches!(function, "_<_" | "_<=_" | "_>_" | "_>=_" | "_[_]" | "_[?_]")
        && candidate.to == Type::String
        && !matches!(candidate.form, Form::Default(_))
}

/// A conversion of one argument.
struct Candidate {
    /// The type that it gives.
    to: Type,
    /// How it is written.
    form: Form,
    /// How much it may lose, or how far it is from what was meant; the least wins.
    loss: u8,
}

/// How a conversion is written.
enum Form {
    /// `function(argument)`
    Function(&'static str),
    /// This, in the place of a literal.
    Literal(String),
    /// `argument` with this behind it.
    Default(String),
}

impl Candidate {
    fn write(self, source: &Expr) -> Mend {
        let (text, kind) = match self.form {
            Form::Function(function) => (
                format!("{function}({})", print(source)),
                MendKind::Conversion(self.to),
            ),
            Form::Literal(text) => (text, MendKind::Literal(self.to)),
            Form::Default(behind) => (
                format!("{}{behind}", print_operand(source)),
                MendKind::Default,
            ),
        };
        Mend {
            span: source.span,
            text,
            kind,
        }
    }
}

/// The types that an argument can be converted to.
fn conversions(source: &Expr, from: &Type) -> Vec<Candidate> {
    let candidate = |to, function, loss| Candidate {
        to,
        form: Form::Function(function),
        loss,
    };
    let to_text = candidate(Type::String, "string", 4);
    match (&source.kind, from) {
        (ExprKind::Literal(literal), _) => literals(literal),
        (ExprKind::List(elements), Type::List(_)) => list_literals(elements),
        (_, Type::Optional(inner)) => defaults(inner),
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

/// What an optional could stand for, with a value for an absent one.
fn defaults(inner: &Type) -> Vec<Candidate> {
    let types = [
        Type::String,
        Type::Int,
        Type::Uint,
        Type::Double,
        Type::Bool,
    ];
    let fitting = types
        .into_iter()
        .filter(|ty| inner.is_open() || inner == ty);
    fitting
        .filter_map(|to| {
            let (function, default) = default_of(&to)?;
            Some(Candidate {
                to,
                form: Form::Default(format!(".{function}({default})")),
                loss: 0,
            })
        })
        .collect()
}

/// What a list of literals could have been written as: every element in the same way.
fn list_literals(elements: &[ListElement]) -> Vec<Candidate> {
    let written: Option<Vec<Vec<Candidate>>> = elements
        .iter()
        .map(|element| match &element.value.kind {
            ExprKind::Literal(literal) if !element.optional => Some(literals(literal)),
            _ => None,
        })
        .collect();
    let Some([first, rest @ ..]) = written.as_deref() else {
        return Vec::new();
    };
    let same = |to: &Type| {
        let texts = rest.iter().map(|ways| literal_as(ways, to));
        let texts: Option<Vec<&str>> = [literal_as(first, to)].into_iter().chain(texts).collect();
        texts.map(|texts| format!("[{}]", texts.join(", ")))
    };
    let candidates = first.iter().filter_map(|candidate| {
        Some(Candidate {
            to: Type::list(candidate.to.clone()),
            form: Form::Literal(same(&candidate.to)?),
            loss: 0,
        })
    });
    candidates.collect()
}

/// How a literal is written as this type.
fn literal_as<'a>(ways: &'a [Candidate], wanted: &Type) -> Option<&'a str> {
    ways.iter().find_map(|way| match &way.form {
        Form::Literal(text) if way.to == *wanted => Some(text.as_str()),
        _ => None,
    })
}

/// What a literal could have been written as.
fn literals(literal: &Literal) -> Vec<Candidate> {
    let candidate = |to, text: String| Candidate {
        to,
        form: Form::Literal(text),
        loss: 0,
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
