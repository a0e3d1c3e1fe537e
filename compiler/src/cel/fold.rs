//! Constants: what an expression is worth when nothing needs to be read.
//!
//! In: a node whose operands are finished. Out: its value, or that it always fails. Arithmetic is checked; what fails
//! stays a failure and is not a mistake of the program by itself, for `||` may absorb it. What only the run-time
//! library can do (regular expressions, time zones) stays unknown.

mod calls;
mod conversions;
mod texts;
mod time;
mod values;

use watershed_lang::ast::Literal;

use super::failure::Failure;
use super::finish::constant_of_local;
use super::typed::{
    Callee, Comprehension, ComprehensionKind, Element, Entry, Node, NodeId, NodeKind, Tree,
};
use super::types::Type;

pub use time::{parse_duration, parse_timestamp};
pub(super) use values::are_distinct;

/// A value that is known at build time.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// `42`; sizes too, in bytes.
    Int(i64),
    /// `42u`
    Uint(u64),
    /// `4.2`
    Double(f64),
    /// Text.
    String(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// Nanoseconds.
    Duration(i64),
    /// Nanoseconds since 1970.
    Timestamp(i128),
    /// A list.
    List(Vec<Self>),
    /// A map, in the order in which it was written; keys differ.
    Map(Vec<(Self, Self)>),
    /// An expression that always fails, and why.
    Failed(Failure),
}

/// How many values and bytes a constant may have; larger ones are made at run time.
pub(crate) const MAX_WEIGHT: usize = 1 << 16;

impl Constant {
    /// Whether it is small enough to be kept.
    pub(super) fn is_small(&self) -> bool {
        let mut weight = 0;
        let mut waiting = vec![self];
        while let Some(next) = waiting.pop() {
            weight += match next {
                Self::String(text) => text.len() + 1,
                Self::Bytes(bytes) => bytes.len() + 1,
                Self::List(elements) => {
                    waiting.extend(elements);
                    1
                }
                Self::Map(entries) => {
                    waiting.extend(entries.iter().flat_map(|(key, value)| [key, value]));
                    1
                }
                _ => 1,
            };
            if weight > MAX_WEIGHT {
                return false;
            }
        }
        true
    }

    /// The truth value, when it is one.
    #[must_use]
    pub const fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }
}

/// The value of a node; `None` when it is not known.
pub(super) fn fold(tree: &Tree, node: &Node) -> Option<Constant> {
    let constant = |id: &NodeId| tree.node(*id).constant.as_ref();
    match &node.kind {
        NodeKind::Literal(literal) => Some(literal_value(literal)),
        NodeKind::Local(local) => constant_of_local(tree, *local),
        NodeKind::Select {
            operand,
            key,
            optional: false,
        } => selected(constant(operand)?, key),
        NodeKind::Has { operand, key } => has(constant(operand)?, key),
        NodeKind::Call {
            callee: Callee::Language(overloads),
            args,
        } => {
            let args: Vec<Option<&Constant>> = args.iter().map(constant).collect();
            calls::call(overloads, &args)
        }
        NodeKind::And(operands) => logical(operands.iter().map(constant), false),
        NodeKind::Or(operands) => logical(operands.iter().map(constant), true),
        NodeKind::Conditional { arms, otherwise } => conditional(tree, arms, *otherwise),
        NodeKind::List(elements) => list(tree, elements),
        NodeKind::Map(entries) => map(tree, entries),
        NodeKind::Comprehension(comprehension) => empty_loop(tree, comprehension),
        NodeKind::Bind { body, .. } | NodeKind::Block { body, .. } => constant(body).cloned(),
        NodeKind::Unresolved(_) => Some(Constant::Failed(Failure::Unresolved)),
        _ => None,
    }
}

fn literal_value(literal: &Literal) -> Constant {
    match literal {
        Literal::Null => Constant::Null,
        Literal::Bool(value) => Constant::Bool(*value),
        Literal::Int(value) => Constant::Int(*value),
        Literal::Uint(value) => Constant::Uint(*value),
        Literal::Double(value) => Constant::Double(*value),
        Literal::String(value) => Constant::String(value.clone()),
        Literal::Bytes(value) => Constant::Bytes(value.clone()),
        Literal::Duration(nanoseconds) => Constant::Duration(*nanoseconds),
        Literal::Size(bytes) => {
            i64::try_from(*bytes).map_or(Constant::Failed(Failure::Overflow), Constant::Int)
        }
    }
}

fn selected(operand: &Constant, key: &str) -> Option<Constant> {
    match operand {
        Constant::Map(entries) => {
            let found = values::find(entries, &Constant::String(key.to_owned())).cloned();
            Some(found.unwrap_or(Constant::Failed(Failure::MissingKey)))
        }
        Constant::Failed(failure) => Some(Constant::Failed(*failure)),
        _ => Some(Constant::Failed(Failure::WrongType)),
    }
}

fn has(operand: &Constant, key: &str) -> Option<Constant> {
    match operand {
        Constant::Map(entries) => Some(Constant::Bool(
            values::find(entries, &Constant::String(key.to_owned())).is_some(),
        )),
        Constant::Failed(failure) => Some(Constant::Failed(*failure)),
        _ => Some(Constant::Failed(Failure::WrongType)),
    }
}

/// `&&` when `absorbing` is false, `||` when it is true: one such operand decides, whatever the others do.
fn logical<'a>(
    operands: impl Iterator<Item = Option<&'a Constant>>,
    absorbing: bool,
) -> Option<Constant> {
    let mut all_known = true;
    let mut failure = None;
    for operand in operands {
        match operand {
            Some(Constant::Bool(value)) if *value == absorbing => {
                return Some(Constant::Bool(absorbing));
            }
            Some(Constant::Bool(_)) => {}
            Some(Constant::Failed(why)) => failure = failure.or(Some(*why)),
            Some(_) => failure = failure.or(Some(Failure::WrongType)),
            None => all_known = false,
        }
    }
    all_known.then(|| failure.map_or(Constant::Bool(!absorbing), Constant::Failed))
}

fn conditional(tree: &Tree, arms: &[(NodeId, NodeId)], otherwise: NodeId) -> Option<Constant> {
    for (condition, value) in arms {
        match tree.node(*condition).constant.as_ref()? {
            Constant::Bool(true) => return tree.node(*value).constant.clone(),
            Constant::Bool(false) => {}
            Constant::Failed(failure) => return Some(Constant::Failed(*failure)),
            _ => return Some(Constant::Failed(Failure::WrongType)),
        }
    }
    tree.node(otherwise).constant.clone()
}

fn list(tree: &Tree, elements: &[Element]) -> Option<Constant> {
    let mut values = Vec::with_capacity(elements.len());
    for element in elements {
        let value = tree.node(element.value).constant.as_ref()?;
        if let Constant::Failed(failure) = value {
            return Some(Constant::Failed(*failure));
        }
        if element.optional {
            return None;
        }
        values.push(value.clone());
    }
    Some(Constant::List(values))
}

fn map(tree: &Tree, entries: &[Entry]) -> Option<Constant> {
    let mut values: Vec<(Constant, Constant)> = Vec::with_capacity(entries.len());
    for entry in entries {
        let key = tree.node(entry.key).constant.as_ref()?;
        let value = tree.node(entry.value).constant.as_ref()?;
        match (key, value) {
            (Constant::Failed(failure), _) | (_, Constant::Failed(failure)) => {
                return Some(Constant::Failed(*failure));
            }
            (Constant::Bool(_) | Constant::Int(_) | Constant::Uint(_) | Constant::String(_), _) => {
            }
            _ => return Some(Constant::Failed(Failure::InvalidKey)),
        }
        if entry.optional {
            return None;
        }
        if values::find(&values, key).is_some() {
            return Some(Constant::Failed(Failure::DuplicateKey));
        }
        values.push((key.clone(), value.clone()));
    }
    Some(Constant::Map(values))
}

/// A loop over nothing, or over something that fails.
fn empty_loop(tree: &Tree, comprehension: &Comprehension) -> Option<Constant> {
    match tree.node(comprehension.range).constant.as_ref()? {
        Constant::Failed(failure) => return Some(Constant::Failed(*failure)),
        Constant::List(elements) if elements.is_empty() => {}
        Constant::Map(entries) if entries.is_empty() => {}
        Constant::List(_) | Constant::Map(_) => return None,
        _ => return Some(Constant::Failed(Failure::WrongType)),
    }
    Some(match comprehension.kind {
        ComprehensionKind::All => Constant::Bool(true),
        ComprehensionKind::Exists | ComprehensionKind::ExistsOne => Constant::Bool(false),
        ComprehensionKind::Filter | ComprehensionKind::List | ComprehensionKind::SortBy(_) => {
            Constant::List(Vec::new())
        }
        ComprehensionKind::Map | ComprehensionKind::Entries => Constant::Map(Vec::new()),
    })
}

impl Constant {
    /// The type of the value; of a list or a map, what all have in common.
    #[must_use]
    pub fn ty(&self) -> Type {
        match self {
            Self::Null => Type::Null,
            Self::Bool(_) => Type::Bool,
            Self::Int(_) => Type::Int,
            Self::Uint(_) => Type::Uint,
            Self::Double(_) => Type::Double,
            Self::String(_) => Type::String,
            Self::Bytes(_) => Type::Bytes,
            Self::Duration(_) => Type::Duration,
            Self::Timestamp(_) => Type::Timestamp,
            Self::List(elements) => Type::list(common(elements.iter())),
            Self::Map(entries) => Type::map(
                common(entries.iter().map(|(key, _)| key)),
                common(entries.iter().map(|(_, value)| value)),
            ),
            Self::Failed(_) => Type::Error,
        }
    }
}

fn common<'a>(values: impl Iterator<Item = &'a Constant>) -> Type {
    let mut types = values.map(Constant::ty);
    let first = types.next().unwrap_or(Type::Dyn);
    if types.all(|ty| ty == first) {
        first
    } else {
        Type::Dyn
    }
}
