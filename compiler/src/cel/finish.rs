//! The end of a check: type variables get their types, then every node its level, failures and constant.
//!
//! In: the state of a checker. Out: the finished tree. Nodes stand after the nodes below them, so one walk over the
//! arena is enough.

use super::check::{Checked, Checker};
use super::environment::Environment;
use super::error::CheckError;
use super::failure::Fails;
use super::fold::{self, Constant};
use super::totality;
use super::typed::{LocalRole, NodeId, NodeKind, Tree};
use super::types::Type;
use crate::check::types::Level;

/// Finishes the tree below `root`.
pub(super) fn finish(checker: Checker<'_>, root: NodeId) -> Checked {
    let Checker { environment, bindings, mut nodes, mut locals, mut errors, .. } = checker;
    let ids: Vec<NodeId> = nodes.ids().collect();
    for id in &ids {
        nodes[*id].ty = bindings.finish(&nodes[*id].ty);
    }
    for id in locals.ids().collect::<Vec<_>>() {
        locals[id].ty = bindings.finish(&locals[id].ty);
    }
    let mut tree = Tree { nodes, locals, root };
    for id in ids {
        annotate(&mut tree, id);
    }
    records_alone(&tree, environment, &mut errors);
    Checked { tree, errors }
}

/// Finds level, failures and constant of one node; those below it have theirs.
fn annotate(tree: &mut Tree, id: NodeId) {
    let node = tree.node(id);
    let mut level = node.level;
    let mut fails = node.fails.or(totality::own(tree, node));
    for child in node.kind.children() {
        let child = tree.node(child);
        level = level.max(child.level);
        fails = fails.or(child.fails);
    }
    if let NodeKind::Local(local) = &node.kind {
        let local = tree.local(*local);
        level = level.max(tree.node(local.source).level);
    }
    let constant = node.constant.clone().or_else(|| fold::fold(tree, node)).filter(Constant::is_small);
    match &constant {
        Some(Constant::Failed(failure)) => (level, fails) = (Level::Const, Fails::because(*failure)),
        Some(_) => (level, fails) = (Level::Const, Fails::NEVER),
        None => {}
    }
    let node = &mut tree.nodes[id];
    node.level = level;
    node.fails = fails;
    node.constant = constant;
}

/// Reports records that are read in place and used for anything but their fields.
fn records_alone(tree: &Tree, environment: &Environment, errors: &mut Vec<CheckError>) {
    let mut alone = vec![tree.root()];
    for (_, node) in tree.nodes() {
        let reads_fields = matches!(node.kind, NodeKind::Field { .. } | NodeKind::HasField { .. });
        if !reads_fields {
            alone.extend(node.kind.children());
        }
    }
    for id in alone {
        let node = tree.node(id);
        // What macros make of a record has been reported where the record stands.
        let is_source = matches!(node.kind, NodeKind::Variable(_) | NodeKind::Field { .. });
        let Type::Record(name) = &node.ty else { continue };
        let Some(record) = environment.records.get(name).filter(|record| is_source && !record.is_value) else {
            continue;
        };
        let fields = record.fields.keys().map(|field| format!("`{name}.{field}`")).collect();
        errors.push(CheckError::RecordAlone { record: name.clone(), fields, span: node.span });
    }
}

/// The constant of a local variable that stands for its whole source.
pub(super) fn constant_of_local(tree: &Tree, id: super::typed::LocalId) -> Option<Constant> {
    let local = tree.local(id);
    match local.role {
        LocalRole::Whole => tree.node(local.source).constant.clone(),
        _ => None,
    }
}
