//! How a node can fail by itself, when what is below it has a value.
//!
//! In: a node whose operands are finished. Out: [`Fails`]. The analysis may name a reason that never comes up; it
//! never leaves one out. It is not flow-sensitive: a key that an earlier `in` has looked for may still be missing.

use super::declarations::{self, Overload, Shape};
use super::failure::{Fails, Failure};
use super::fold::{self, Constant};
use super::format;
use super::limits;
use super::typed::{Callee, Comprehension, ComprehensionKind, Node, NodeId, NodeKind, Tree};
use super::types::Type;

/// The reasons that the node adds to those of its operands.
pub(super) fn own(tree: &Tree, node: &Node) -> Fails {
    let wrong_type_when_open = |id: NodeId| wrong_type_when(tree.node(id).ty.is_open());
    match &node.kind {
        NodeKind::Select {
            operand, optional, ..
        } => {
            let missing = if *optional {
                Fails::NEVER
            } else {
                Fails::because(Failure::MissingKey)
            };
            missing.or(wrong_type_when(is_open_within(&tree.node(*operand).ty)))
        }
        NodeKind::Has { operand, .. } => wrong_type_when(is_open_within(&tree.node(*operand).ty)),
        NodeKind::Call {
            callee: Callee::Language(overloads),
            args,
        } => call(tree, overloads, args),
        NodeKind::And(operands) | NodeKind::Or(operands) => {
            operands.iter().fold(Fails::NEVER, |fails, operand| {
                fails.or(wrong_type_when_open(*operand))
            })
        }
        NodeKind::Conditional { arms, .. } => {
            arms.iter().fold(Fails::NEVER, |fails, (condition, _)| {
                fails.or(wrong_type_when_open(*condition))
            })
        }
        NodeKind::List(elements) => {
            let optional = elements.iter().filter(|element| element.optional);
            optional.fold(Fails::NEVER, |fails, element| {
                fails.or(wrong_type_when_open(element.value))
            })
        }
        NodeKind::Map(entries) => {
            let optional = entries.iter().filter(|entry| entry.optional);
            let values = optional.fold(Fails::NEVER, |fails, entry| {
                fails.or(wrong_type_when_open(entry.value))
            });
            let keys: Vec<NodeId> = entries.iter().map(|entry| entry.key).collect();
            values.or(map_keys(tree, &keys))
        }
        NodeKind::Record { fields, .. } => {
            let optional = fields.iter().filter(|field| field.optional);
            optional.fold(Fails::NEVER, |fails, field| {
                fails.or(wrong_type_when_open(field.value))
            })
        }
        NodeKind::Comprehension(comprehension) => comprehension_fails(tree, comprehension),
        NodeKind::OptionalMap {
            target, body, flat, ..
        } => {
            let body = if *flat {
                wrong_type_when_open(*body)
            } else {
                Fails::NEVER
            };
            wrong_type_when_open(*target).or(body)
        }
        NodeKind::Unresolved(_) => Fails::because(Failure::Unresolved),
        _ => Fails::NEVER,
    }
}

/// The nodes below this one whose failures are failures of this one.
pub(super) fn failing_children(kind: &NodeKind) -> Vec<NodeId> {
    let children = kind.children();
    match kind {
        NodeKind::Call {
            callee: Callee::Language(overloads),
            ..
        } if overloads.iter().all(|overload| overload.is_total_form()) => {
            children.into_iter().skip(1).collect()
        }
        _ => children,
    }
}

const fn wrong_type_when(open: bool) -> Fails {
    if open {
        Fails::because(Failure::WrongType)
    } else {
        Fails::NEVER
    }
}

/// Whether the value itself, or what is within the optional, can be of any type.
fn is_open_within(ty: &Type) -> bool {
    match ty {
        Type::Optional(inner) => inner.is_open(),
        other => other.is_open(),
    }
}

fn call(tree: &Tree, overloads: &[Overload], args: &[NodeId]) -> Fails {
    if let ([only], [_, default]) = (overloads, args)
        && only.is_total_form()
    {
        return wrong_type_when(tree.node(*default).ty.is_open());
    }
    let mut fails = Fails::NEVER;
    for overload in overloads {
        let Some(signature) = declarations::signature(*overload) else {
            continue;
        };
        fails = fails.or(signature.fails);
        let pairs = args.iter().zip(signature.parameters);
        let mismatch = pairs
            .into_iter()
            .any(|(arg, shape)| may_mismatch(&tree.node(*arg).ty, *shape));
        fails = fails.or(wrong_type_when(mismatch));
    }
    if overloads.len() > 1 {
        // The types left it open which; that some argument is of no type that any takes cannot be excluded.
        fails = fails.or(Fails::because(Failure::WrongType));
    }
    let constants: Vec<Option<&Constant>> = args
        .iter()
        .map(|arg| tree.node(*arg).constant.as_ref())
        .collect();
    match overloads {
        [Overload::Format] => fails_of_format(tree, args, fails),
        [only] => known_arguments(*only, &constants, fails),
        _ => fails,
    }
}

/// Whether a value of this type can be of a type that the parameter does not take.
fn may_mismatch(ty: &Type, shape: Shape) -> bool {
    match (ty, shape) {
        (_, Shape::A | Shape::B | Shape::Dyn) => false,
        (Type::Dyn | Type::Error, _) => true,
        (Type::List(element), Shape::List(shape))
        | (Type::Optional(element), Shape::Optional(shape)) => may_mismatch(element, *shape),
        (Type::Map(key, value), Shape::Map(key_shape, value_shape)) => {
            may_mismatch(key, *key_shape) || may_mismatch(value, *value_shape)
        }
        (Type::Null, shape) => shape != Shape::Null,
        _ => false,
    }
}

/// Takes out the reasons that constants among the arguments exclude.
fn known_arguments(overload: Overload, constants: &[Option<&Constant>], fails: Fails) -> Fails {
    match (overload, constants) {
        (Overload::DivideInt | Overload::RemainderInt, [_, Some(Constant::Int(divisor))])
            if *divisor != 0 =>
        {
            let fails = fails.without(Failure::DivisionByZero);
            if *divisor == -1 {
                fails
            } else {
                fails.without(Failure::Overflow)
            }
        }
        (Overload::DivideUint | Overload::RemainderUint, [_, Some(Constant::Uint(1..))]) => {
            fails.without(Failure::DivisionByZero)
        }
        (
            Overload::BitShiftLeftInt
            | Overload::BitShiftLeftUint
            | Overload::BitShiftRightInt
            | Overload::BitShiftRightUint,
            [_, Some(Constant::Int(0..))],
        )
        | (Overload::FlattenDepth, [_, Some(Constant::Int(0..=limits::MAX_FLATTEN))])
        | (Overload::Range, [Some(Constant::Int(..=limits::MAX_RANGE))]) => {
            fails.without(Failure::InvalidArgument)
        }
        (_, [_, Some(Constant::String(zone))])
            if fails.contains(Failure::UnknownTimeZone) && zone == "UTC" =>
        {
            fails.without(Failure::UnknownTimeZone)
        }
        _ => fails,
    }
}

/// A literal template whose verbs fit the types of its arguments cannot fail.
fn fails_of_format(tree: &Tree, args: &[NodeId], fails: Fails) -> Fails {
    let [template, arguments] = args else {
        return fails;
    };
    let (template, arguments) = (tree.node(*template), tree.node(*arguments));
    let (Some(Constant::String(template)), NodeKind::List(elements)) =
        (&template.constant, &arguments.kind)
    else {
        return fails;
    };
    let types: Vec<&Type> = elements
        .iter()
        .map(|element| &tree.node(element.value).ty)
        .collect();
    let is_plain = elements.iter().all(|element| !element.optional);
    match format::check(template, &types) {
        format::Verdict::Fits if is_plain => fails.without(Failure::InvalidFormat),
        _ => fails,
    }
}

/// Keys of a map literal: they must be of a type that keys can have, and differ.
fn map_keys(tree: &Tree, keys: &[NodeId]) -> Fails {
    let mut fails = Fails::NEVER;
    for key in keys {
        if !matches!(
            tree.node(*key).ty,
            Type::Bool | Type::Int | Type::Uint | Type::String
        ) {
            fails = fails.or(Fails::because(Failure::InvalidKey));
        }
    }
    let constants: Option<Vec<&Constant>> = keys
        .iter()
        .map(|key| tree.node(*key).constant.as_ref())
        .collect();
    let distinct =
        keys.len() < 2 || constants.is_some_and(|constants| fold::are_distinct(&constants));
    if distinct {
        fails
    } else {
        fails.or(Fails::because(Failure::DuplicateKey))
    }
}

fn comprehension_fails(tree: &Tree, comprehension: &Comprehension) -> Fails {
    let open = |id: NodeId| tree.node(id).ty.is_open();
    let condition = comprehension.condition.is_some_and(open);
    let mut fails = wrong_type_when(open(comprehension.range) || condition);
    match &comprehension.kind {
        ComprehensionKind::All
        | ComprehensionKind::Exists
        | ComprehensionKind::ExistsOne
        | ComprehensionKind::Filter => {
            fails = fails.or(wrong_type_when(open(comprehension.body)));
        }
        ComprehensionKind::Entries => {
            fails = fails
                .or(Fails::because(Failure::DuplicateKey))
                .or(wrong_type_when(open(comprehension.body)));
        }
        ComprehensionKind::SortBy(overloads) => {
            fails = fails.or(wrong_type_when(
                open(comprehension.body) || overloads.len() > 1,
            ));
        }
        ComprehensionKind::List | ComprehensionKind::Map => {}
    }
    fails
}
