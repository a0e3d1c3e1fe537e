//! The end of a check: type variables get their types, then every node its level, failures and constant.
//!
//! In: the state of a checker. Out: the finished tree. Nodes stand after the nodes below them, so one walk over the
//! arena is enough.

use indexmap::IndexMap;
use watershed_lang::span::Span;

use super::check::{Checked, Checker, Mode};
use super::declarations::Overload;
use super::environment::Environment;
use super::error::CheckError;
use super::failure::{Fails, Failure};
use super::fold::{self, Constant};
use super::typed::{Callee, ComprehensionKind, LocalId, LocalRole, Node, NodeId, NodeKind, Tree};
use super::types::Type;
use super::{pattern, totality};
use crate::level::Level;

/// Finishes the tree below `root`.
pub(super) fn finish(checker: Checker<'_>, root: NodeId) -> Checked {
    let Checker {
        environment,
        mode,
        bindings,
        mut nodes,
        mut locals,
        mut errors,
        ..
    } = checker;
    let ids: Vec<NodeId> = nodes.ids().collect();
    for id in &ids {
        nodes.at_mut(*id).ty = bindings.finish(&nodes.at(*id).ty);
    }
    for id in locals.ids().collect::<Vec<_>>() {
        locals.at_mut(id).ty = bindings.finish(&locals.at(id).ty);
    }
    let mut tree = Tree {
        nodes,
        locals,
        root,
        regexes: IndexMap::new(),
        too_large: None,
    };
    for id in ids {
        if let Some(error) = regex(&mut tree, id) {
            refused_regex(&mut tree, id, error, mode, &mut errors);
        }
        annotate(&mut tree, id);
    }
    records_alone(&tree, environment, &mut errors);
    Checked { tree, errors }
}

/// Rewrites the pattern of a call of `matches`, when it is known. Gives what is wrong with it.
fn regex(tree: &mut Tree, id: NodeId) -> Option<CheckError> {
    let NodeKind::Call {
        callee: Callee::Language(overloads),
        args,
    } = &tree.node(id).kind
    else {
        return None;
    };
    let ([Overload::Matches | Overload::MatchesMember], [_, pattern]) =
        (overloads.as_slice(), args.as_slice())
    else {
        return None;
    };
    let pattern = tree.node(*pattern);
    let Some(Constant::String(written)) = &pattern.constant else {
        return None;
    };
    match pattern::rewrite(written) {
        Ok(rewritten) => {
            tree.regexes.insert(id, rewritten);
            None
        }
        Err(fault) => Some(CheckError::InvalidRegex {
            fault: fault
                .offset
                .and_then(|offset| place_in_literal(pattern, written, offset)),
            reason: fault.reason,
            span: pattern.span,
        }),
    }
}

/// Where a byte of a text stands in its literal, when the literal is nothing but the text in quotes.
fn place_in_literal(literal: &Node, text: &str, offset: usize) -> Option<Span> {
    let is_literal = matches!(literal.kind, NodeKind::Literal(_));
    let Span { file, start, end } = literal.span;
    let quoted = u32::try_from(text.len()).ok()?.checked_add(2)?;
    let character = text.get(offset..)?.chars().next()?;
    if !is_literal || end.checked_sub(start)? != quoted {
        return None;
    }
    let at = start + 1 + u32::try_from(offset).ok()?;
    let length = u32::try_from(character.len_utf8()).ok()?;
    Some(Span::new(file, at, at + length))
}

/// A pattern that is not taken is a mistake, or fails at run time when mistakes are left to the run.
fn refused_regex(
    tree: &mut Tree,
    id: NodeId,
    error: CheckError,
    mode: Mode,
    errors: &mut Vec<CheckError>,
) {
    if mode == Mode::Dynamic {
        tree.nodes.at_mut(id).constant = Some(Constant::Failed(Failure::InvalidRegex));
    } else {
        errors.push(error);
    }
}

/// Finds level, failures and constant of one node; those below it have theirs.
fn annotate(tree: &mut Tree, id: NodeId) {
    let node = tree.node(id);
    let mut level = node.level;
    let mut fails = node.fails.or(totality::own(tree, node));
    if tree.regexes.contains_key(&id) {
        fails = fails.without(Failure::InvalidRegex);
    }
    for child in node.kind.children() {
        level = level.max(tree.node(child).level);
    }
    for child in totality::failing_children(&node.kind) {
        fails = fails.or(tree.node(child).fails);
    }
    if let NodeKind::Local(local) = &node.kind {
        let local = tree.local(*local);
        level = level.max(tree.node(local.source).level);
    }
    let known = node.constant.clone().or_else(|| fold::fold(tree, node));
    let is_too_large = known.as_ref().is_some_and(|known| !known.is_small());
    let constant = known.filter(|_| !is_too_large);
    match &constant {
        Some(Constant::Failed(failure)) => {
            (level, fails) = (Level::Const, Fails::because(*failure))
        }
        Some(_) => (level, fails) = (Level::Const, Fails::NEVER),
        None => {}
    }
    if is_too_large {
        tree.too_large = tree.too_large.or(Some(id));
    }
    let node = tree.nodes.at_mut(id);
    node.level = level;
    node.fails = fails;
    node.constant = constant;
}

/// Reports records that are read in place and used for anything but their fields, and lists of such records that are
/// used for anything but going through them.
fn records_alone(tree: &Tree, environment: &Environment, errors: &mut Vec<CheckError>) {
    let mut alone = vec![(tree.root(), false)];
    for (_, node) in tree.nodes() {
        match &node.kind {
            NodeKind::Field { .. } | NodeKind::HasField { .. } => {}
            NodeKind::Comprehension(comprehension) => {
                let children = node.kind.children().into_iter();
                alone.extend(children.map(|child| (child, child == comprehension.range)));
            }
            kind => alone.extend(kind.children().into_iter().map(|child| (child, false))),
        }
    }
    for (id, keyed) in alone {
        let node = tree.node(id);
        // What macros make of a record has been reported where the record stands, but an element of a list stands nowhere.
        let is_source = match &node.kind {
            NodeKind::Variable(_) | NodeKind::Field { .. } => true,
            NodeKind::Local(local) => {
                let source = tree.node(tree.local(*local).source);
                !matches!(source.ty, Type::Record(_))
                    || matches!(source.kind, NodeKind::Call { .. })
            }
            _ => false,
        };
        let Type::Record(name) = &node.ty else {
            continue;
        };
        let record = environment.records.get(name);
        if let Some(record) = record.filter(|record| is_source && !record.is_value) {
            let name = match node.kind {
                NodeKind::Local(local) => &tree.local(local).name,
                _ => name,
            };
            errors.push(CheckError::record_alone(name, record, node.span, keyed));
        }
    }
    lists_alone(tree, environment, errors);
}

/// Reports lists of records that are read in place, and what is taken out of them, where they would have to be values.
fn lists_alone(tree: &Tree, environment: &Environment, errors: &mut Vec<CheckError>) {
    let is_in_place = |ty: &Type| {
        let Type::Record(name) = ty else { return false };
        let record = environment.records.get(name);
        record.is_some_and(|record| !record.is_value)
    };
    let mut misused = Vec::new();
    let mut look = |id: NodeId, user: Option<&NodeKind>| {
        let node = tree.node(id);
        let is_list = holds(&node.ty, &is_in_place);
        // A record that is taken out of a list; one that is named is reported above.
        let is_taken = is_in_place(&node.ty) && matches!(node.kind, NodeKind::Call { .. });
        let may = match user {
            _ if !is_list && !is_taken => true,
            Some(NodeKind::Field { .. } | NodeKind::HasField { .. }) if is_taken => true,
            Some(NodeKind::Bind { value, .. }) => is_taken && *value == id,
            Some(user) => is_list_of(&node.ty, &is_in_place) && goes_through(user, id),
            None => false,
        };
        if !may {
            misused.push(node.span);
        }
    };
    look(tree.root(), None);
    for (_, node) in tree.nodes() {
        let children = node.kind.children().into_iter();
        children.for_each(|child| look(child, Some(&node.kind)));
    }
    misused.dedup();
    errors.extend(
        misused
            .into_iter()
            .map(|span| CheckError::ListAlone { span }),
    );
}

/// Whether a type is a list of just such elements.
fn is_list_of(ty: &Type, wanted: &impl Fn(&Type) -> bool) -> bool {
    matches!(ty, Type::List(element) if wanted(element))
}

/// Whether a type has such a type within it, at any depth.
fn holds(ty: &Type, wanted: &impl Fn(&Type) -> bool) -> bool {
    let parameters = ty.parameters().into_iter();
    parameters
        .into_iter()
        .any(|inner| wanted(inner) || holds(inner, wanted))
}

/// Whether a node looks at a list from its first element to its last, counts them or takes one.
fn goes_through(user: &NodeKind, list: NodeId) -> bool {
    match user {
        NodeKind::Comprehension(comprehension) => {
            let keeps = !matches!(comprehension.kind, ComprehensionKind::SortBy(_));
            comprehension.range == list && keeps
        }
        NodeKind::Call {
            callee: Callee::Language(overloads),
            args,
        } => {
            let is_first = args.first() == Some(&list);
            let takes = [Overload::SizeList, Overload::ListSize, Overload::IndexList];
            is_first && overloads.iter().all(|overload| takes.contains(overload))
        }
        _ => false,
    }
}

/// The constant of a local variable that stands for its whole source.
pub(super) fn constant_of_local(tree: &Tree, id: LocalId) -> Option<Constant> {
    let local = tree.local(id);
    match local.role {
        LocalRole::Whole => tree.node(local.source).constant.clone(),
        _ => None,
    }
}
