//! The words for calls and operators: a wrong name, a wrong number of arguments, types that do not fit.

use watershed_lang::diagnostic::{Code, Diagnostic};
use watershed_lang::span::{Name, Span};

use super::{MAX_LISTED, mended, suggested};
use crate::cel::error::CheckError;
use crate::cel::mend::Mend;
use crate::cel::types::Type;
use crate::words::{and_list, or_list};

impl CheckError {
    /// Mistakes in the form and the types of a call.
    pub(super) fn into_call_diagnostic(self) -> Diagnostic {
        match self {
            Self::UnknownFunction { name, candidates } => unknown_function(&name, &candidates),
            Self::MacroArguments {
                name,
                wanted,
                given,
            } => macro_arguments(&name, wanted, given),
            Self::WrongStyle {
                name,
                needs_receiver,
                mend,
            } => mended(wrong_style(&name, needs_receiver), mend),
            Self::WrongArity {
                function,
                member,
                span,
                given,
                accepted,
            } => wrong_arity(&function, member, span, given, &accepted),
            Self::NoOverload {
                function,
                member,
                span,
                args,
                accepted,
                mend,
            } => NoOverload {
                function: &function,
                member,
                args: &args,
                accepted: &accepted,
            }
            .say(span, mend),
            other => other.into_type_diagnostic(),
        }
    }
}

fn unknown_function(name: &Name, candidates: &[String]) -> Diagnostic {
    let message = format!("no function is named `{}`", name.value);
    let error =
        Diagnostic::new(Code::UnknownFunction, message, name.span).label("not a function of CEL");
    if let Some(error) = suggested(error.clone(), name, candidates) {
        return error;
    }
    let ending = format!(".{}", name.value);
    match candidates
        .iter()
        .find(|candidate| candidate.ends_with(&ending))
    {
        Some(qualified) => error.help(format!("there is `{qualified}`")),
        None => error,
    }
}

fn macro_arguments(name: &Name, wanted: &str, given: usize) -> Diagnostic {
    let (count, what) = wanted.split_once(": ").unwrap_or((wanted, ""));
    let noun = if count == "one" {
        "argument"
    } else {
        "arguments"
    };
    let message = format!("`{}` takes {count} {noun} and got {given}", name.value);
    let error = Diagnostic::new(Code::InvalidMacroArgument, message, name.span)
        .label("wrong number of arguments");
    if what.is_empty() {
        error
    } else {
        error.help(format!("it takes {what}"))
    }
}

fn wrong_style(name: &Name, needs_receiver: bool) -> Diagnostic {
    let (message, label) = if needs_receiver {
        (
            format!("`{}` is called on a value", name.value),
            "no function without a value before it has this name",
        )
    } else {
        (
            format!("`{}` is not called on a value", name.value),
            "no function with a value before it has this name",
        )
    };
    Diagnostic::new(Code::UnknownFunction, message, name.span).label(label)
}

fn wrong_arity(
    function: &str,
    member: bool,
    span: Span,
    given: usize,
    accepted: &[Vec<Type>],
) -> Diagnostic {
    let mut counts: Vec<usize> = accepted
        .iter()
        .map(|types| types.len().saturating_sub(usize::from(member)))
        .collect();
    counts.sort_unstable();
    counts.dedup();
    let words: Vec<String> = counts.iter().map(|count| number(*count)).collect();
    let noun = if counts == [1] {
        "argument"
    } else {
        "arguments"
    };
    let message = format!(
        "`{function}` takes {} {noun} and got {given}",
        or_list(&words)
    );
    let error = Diagnostic::new(Code::NoOverload, message, span).label("wrong number of arguments");
    match signatures(function, member, accepted) {
        Some(help) => error.help(help),
        None => error,
    }
}

/// A small number in words.
fn number(count: usize) -> String {
    match count {
        0 => "no".to_owned(),
        1 => "one".to_owned(),
        2 => "two".to_owned(),
        3 => "three".to_owned(),
        4 => "four".to_owned(),
        more => more.to_string(),
    }
}

/// The ways to call a function, unless they are too many to help.
fn signatures(function: &str, member: bool, accepted: &[Vec<Type>]) -> Option<String> {
    if function.starts_with(['_', '@', '!', '-']) || accepted.len() > MAX_LISTED {
        return None;
    }
    let signature = |types: &Vec<Type>| {
        let texts: Vec<String> = types.iter().map(Type::to_string).collect();
        match texts.split_first() {
            Some((receiver, rest)) if member => {
                format!("`{receiver}.{function}({})`", rest.join(", "))
            }
            _ => format!("`{function}({})`", texts.join(", ")),
        }
    };
    let signatures: Vec<String> = accepted.iter().map(signature).collect();
    (!signatures.is_empty()).then(|| format!("it is {}", or_list(&signatures)))
}

/// A call that no overload takes.
struct NoOverload<'a> {
    function: &'a str,
    member: bool,
    args: &'a [(Type, Span)],
    accepted: &'a [Vec<Type>],
}

impl NoOverload<'_> {
    fn say(&self, span: Span, mend: Option<Mend>) -> Diagnostic {
        if let Some(error) = self.not_indexable() {
            return mended(error, mend);
        }
        let mut error = Diagnostic::new(Code::NoOverload, self.message(), span);
        for (ty, place) in self.args.iter().take(2) {
            error = error.also(*place, format!("`{ty}`"));
        }
        match (&mend, self.help()) {
            (None, Some(help)) => error.help(help),
            _ => mended(error, mend),
        }
    }

    /// An index on something that has neither keys nor positions: what is wrong is not the index.
    fn not_indexable(&self) -> Option<Diagnostic> {
        match (self.function, self.args) {
            ("_[_]" | "_[?_]", [(Type::List(_) | Type::Map(..), _), _]) => None,
            ("_[_]" | "_[?_]", [(ty, place), _]) => {
                let message = format!("`{ty}` has no keys and no positions");
                let error = Diagnostic::new(Code::NoOverload, message, *place);
                Some(error.label(format!("this is `{ty}`")))
            }
            _ => None,
        }
    }

    fn message(&self) -> String {
        let types: Vec<String> = self.args.iter().map(|(ty, _)| format!("`{ty}`")).collect();
        if let Some(message) = self.index_message().or_else(|| self.default_message()) {
            return message;
        }
        match (self.function, types.as_slice()) {
            ("@in", [element, container]) => {
                format!("`in` does not look for {element} in {container}")
            }
            ("-_", [operand]) => format!("`-` does not take {operand}"),
            ("_==_" | "_!=_", [left, right]) => {
                let operator = self.function.trim_matches('_');
                format!("`{operator}` does not compare {left} with {right}")
            }
            (function, [left, right]) if function.starts_with('_') => {
                let operator = function.trim_matches('_');
                format!("`{operator}` does not take {left} and {right}")
            }
            (function, [receiver, rest @ ..]) if self.member => match self.other_receivers() {
                Some(receivers) => {
                    format!("`{function}` is called on {receivers}, not on {receiver}")
                }
                None => format!(
                    "`{function}` of {receiver} does not take {}",
                    and_list(rest)
                ),
            },
            (function, all) => format!("`{function}` does not take {}", and_list(all)),
        }
    }

    fn index_message(&self) -> Option<String> {
        match (self.function, self.args) {
            ("_[_]" | "_[?_]", [(container @ Type::Map(key, _), _), (index, _)]) => Some(format!(
                "the keys of a `{container}` are `{key}`, not `{index}`"
            )),
            ("_[_]" | "_[?_]", [(Type::List(_), _), (index, _)]) => {
                Some(format!("the positions of a list are `int`, not `{index}`"))
            }
            _ => None,
        }
    }

    /// A default for a value that is never absent.
    fn default_message(&self) -> Option<String> {
        let (receiver, _) = self.args.first().filter(|_| self.member)?;
        let is_default = matches!(
            self.function,
            "orBool" | "orDouble" | "orInt" | "orString" | "orUint" | "orValue"
        );
        let may_be_absent = matches!(receiver, Type::Optional(_) | Type::Dyn | Type::Error);
        (is_default && !may_be_absent).then(|| {
            format!(
                "`{}` is for what may be absent, and this is always `{receiver}`",
                self.function
            )
        })
    }

    /// The types that a function is called on, when none of them is that of the receiver.
    fn other_receivers(&self) -> Option<String> {
        let (receiver, _) = self.args.first()?;
        let mut receivers: Vec<&Type> = Vec::new();
        for accepted in self.accepted.iter().filter_map(|types| types.first()) {
            if is_same_kind(accepted, receiver) {
                return None;
            }
            if !receivers.contains(&accepted) {
                receivers.push(accepted);
            }
        }
        let receivers: Vec<String> = receivers.iter().map(|ty| format!("`{ty}`")).collect();
        (!receivers.is_empty()).then(|| or_list(&receivers))
    }

    /// What to do, when there is no change to offer.
    fn help(&self) -> Option<String> {
        let has = |wanted: &Type| self.args.iter().any(|(ty, _)| ty == wanted);
        if self.default_message().is_some() {
            let help = format!("take it as it is, without `{}`", self.function);
            return Some(help);
        }
        let is_operator = self.function.starts_with('_');
        if is_operator && has(&Type::Duration) && (has(&Type::Int) || has(&Type::Uint)) {
            return Some("write a duration with its unit, such as `5s`".to_owned());
        }
        if self.function == "_+_" && has(&Type::String) {
            return Some("nothing is turned into text by itself".to_owned());
        }
        signatures(self.function, self.member, self.accepted)
    }
}

/// Whether a receiver of the second type may be what the first asks for.
fn is_same_kind(wanted: &Type, found: &Type) -> bool {
    match (wanted, found) {
        (Type::Dyn | Type::Parameter(_), _) | (_, Type::Dyn | Type::Error) => true,
        (Type::List(_), Type::List(_))
        | (Type::Map(..), Type::Map(..))
        | (Type::Optional(_), Type::Optional(_)) => true,
        (wanted, found) => wanted == found,
    }
}
