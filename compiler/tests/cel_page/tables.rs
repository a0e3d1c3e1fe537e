//! The tables of the page, made from the compiler's own.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use watershed_compiler::catalog::signals::{
    ELEMENT_FIELDS, Element, FIELDS, Reader, Root, fields_of,
};
use watershed_compiler::cel::declarations::{Function, LIBRARIES, MACROS, Signature};
use watershed_compiler::cel::{Fails, Type};

use super::telemetry;

/// What macros are made of and no one writes.
const INTERNAL: &str = "@sortByAssociatedKeys";

/// The text of every generated part, by the name in its markers.
pub(crate) fn tables() -> BTreeMap<String, String> {
    let libraries = LIBRARIES
        .iter()
        .map(|library| (library.name.to_owned(), functions(library.functions)));
    let roots = std::iter::once(Root::Payload).chain(Root::WITH_FIELDS);
    let roots = roots.map(|root| (format!("fields of {}", root.name()), fields(root)));
    let elements = Element::ALL.iter();
    let elements = elements.map(|one| (format!("fields of {}", one.name()), elements_of(*one)));
    libraries
        .chain(roots)
        .chain(elements)
        .chain([("macros".to_owned(), macros())])
        .collect()
}

/// Text as the cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn macros() -> String {
    let mut table = "| macro | gives | example |\n| --- | --- | --- |\n".to_owned();
    for one in MACROS {
        let forms: Vec<String> = one.forms.iter().map(|form| format!("`{form}`")).collect();
        let (forms, help, example) = (forms.join("<br>"), cell(one.help), cell(one.example));
        writeln!(table, "| {forms} | {help} | `{example}` |").unwrap();
    }
    table
}

fn fields(root: Root) -> String {
    let mut table =
        "| field | type | when unset | what it is |\n| --- | --- | --- | --- |\n".to_owned();
    for field in fields_of(root) {
        let (ty, is_total) = match field.reader {
            // Such a list is no value by itself.
            Reader::Messages(_) => (field.ty(), true),
            _ => {
                let checked = telemetry::checked(&field.to_string()).unwrap();
                (
                    checked.ty().clone(),
                    checked.tree.root_node().fails.is_total(),
                )
            }
        };
        let unset = if is_total {
            unset(field.reader)
        } else {
            "is an error"
        };
        let help = cell(field.help);
        writeln!(table, "| `{field}` | `{ty}` | {unset} | {help} |").unwrap();
    }
    table
}

/// The fields of an element of a list, behind the name that a macro gives it.
fn elements_of(element: Element) -> String {
    let mut table =
        "| field | type | when unset | what it is |\n| --- | --- | --- | --- |\n".to_owned();
    for field in ELEMENT_FIELDS
        .iter()
        .filter(|field| field.element == element)
    {
        let (name, ty, unset) = (field.name, field.ty(), unset(field.reader));
        let help = cell(field.help);
        writeln!(table, "| `{name}` | `{ty}` | {unset} | {help} |").unwrap();
    }
    table
}

/// What a field gives that the sender did not set.
const fn unset(reader: Reader) -> &'static str {
    match reader {
        Reader::Text => "`\"\"`",
        Reader::Bytes => "`b\"\"`",
        Reader::Unsigned | Reader::Fixed32 | Reader::Fixed64 => "`0u`",
        Reader::Enumeration => "`0`",
        Reader::Boolean => "`false`",
        Reader::AnyValue => "`null`",
        Reader::Attributes => "`{}`",
        Reader::Messages(_) => "`[]`",
        Reader::SpanDuration => "`0s`",
        Reader::SignalName => "is always set",
    }
}

fn functions(functions: &[Function]) -> String {
    let mut table = "| call | gives | example |\n| --- | --- | --- |\n".to_owned();
    for function in functions.iter().filter(|one| one.name != INTERNAL) {
        let forms = forms(function);
        let calls: Vec<String> = forms.iter().map(Form::to_string).collect();
        let mut help = cell(function.help);
        for failure in forms
            .iter()
            .fold(Fails::NEVER, |fails, form| fails.or(form.fails))
            .iter()
        {
            write!(help, "<br>\\* {}", failure.describe()).unwrap();
        }
        let (calls, example) = (cell(&calls.join("<br>")), cell(function.example));
        writeln!(table, "| {calls} | {help} | `{example}` |").unwrap();
    }
    table
}

/// Signatures that differ in one type alone.
struct Form {
    /// The call, with `T` for the type.
    call: String,
    /// The call of the first signature, as it stands.
    concrete: String,
    /// The types that `T` stands for; empty when there is no `T`.
    types: Vec<String>,
    fails: Fails,
}

impl std::fmt::Display for Form {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mark = if self.fails.is_total() { "" } else { " \\*" };
        match self.types.as_slice() {
            [] | [_] => write!(formatter, "`{}`{mark}", self.concrete),
            types => write!(
                formatter,
                "`{}`{mark} for `{}`",
                self.call,
                types.join("`, `")
            ),
        }
    }
}

/// The signatures of a function, those together that differ in one type alone.
fn forms(function: &Function) -> Vec<Form> {
    let name = function.name;
    let alike = |call: &String, fails: Fails| {
        let others = function.signatures.iter();
        others
            .filter(|other| other.fails == fails)
            .filter(|other| abstract_calls(name, other).contains(call))
            .count()
    };
    let mut forms: Vec<Form> = Vec::new();
    for signature in function.signatures {
        let calls = abstract_calls(name, signature).into_iter().rev();
        let best = calls.max_by_key(|call: &String| alike(call, signature.fails));
        let concrete = concrete_call(name, signature);
        let call = best.unwrap_or_else(|| concrete.clone());
        let ty = varying(signature).map(|ty| ty.to_string());
        let same = |form: &&mut Form| form.call == call && form.fails == signature.fails;
        match forms.iter_mut().find(same) {
            Some(form) => form.types.extend(ty),
            None => forms.push(Form {
                call,
                concrete,
                types: ty.into_iter().collect(),
                fails: signature.fails,
            }),
        }
    }
    forms
}

fn parameters(signature: &Signature) -> Vec<Type> {
    let shapes = signature.parameters.iter();
    shapes.map(|shape| shape.to_type()).collect()
}

fn concrete_call(name: &str, signature: &Signature) -> String {
    let parameters = parameters(signature);
    call(name, signature, &parameters, &signature.result.to_type())
}

/// The call with `T` for the type that varies: also in its result, and in its parameters alone.
fn abstract_calls(name: &str, signature: &Signature) -> Vec<String> {
    let Some(varying) = varying(signature) else {
        return Vec::new();
    };
    let parameters: Vec<Type> = parameters(signature)
        .iter()
        .map(|ty| without(ty, &varying))
        .collect();
    let result = signature.result.to_type();
    [without(&result, &varying), result]
        .map(|result| call(name, signature, &parameters, &result))
        .into()
}

/// The first type among the parameters, or of the elements of a list there, that is made of no others.
fn varying(signature: &Signature) -> Option<Type> {
    let parameters = parameters(signature).into_iter();
    let candidates = parameters.map(|ty| match ty {
        Type::List(element) => *element,
        other => other,
    });
    candidates
        .into_iter()
        .find(|ty| ty.parameters().is_empty() && !matches!(ty, Type::Parameter(_) | Type::Dyn))
}

fn without(ty: &Type, varying: &Type) -> Type {
    if ty == varying {
        Type::Parameter("T".to_owned())
    } else {
        ty.map_parameters(|part| without(part, varying))
    }
}

fn call(name: &str, signature: &Signature, parameters: &[Type], result: &Type) -> String {
    let texts: Vec<String> = parameters.iter().map(Type::to_string).collect();
    let call = match (name, texts.as_slice()) {
        ("_[_]", [container, index]) => format!("{container}[{index}]"),
        ("_[?_]", [container, index]) => format!("{container}[?{index}]"),
        ("@in", [element, container]) => format!("{element} in {container}"),
        ("-_" | "!_", [operand]) => format!("{}{operand}", name.trim_matches('_')),
        (name, [left, right]) if name.starts_with('_') => {
            format!("{left} {} {right}", name.trim_matches('_'))
        }
        (name, [receiver, rest @ ..]) if signature.member => {
            format!("{receiver}.{name}({})", rest.join(", "))
        }
        (name, all) => format!("{name}({})", all.join(", ")),
    };
    format!("{call} -> {result}")
}

/// Every field of the catalog stands in one of the tables.
pub(crate) fn missing_fields(tables: &BTreeMap<String, String>) -> Vec<String> {
    let all: String = tables.values().map(String::as_str).collect();
    let missing = FIELDS
        .iter()
        .filter(|field| !all.contains(&format!("| `{field}` |")));
    missing.map(ToString::to_string).collect()
}
