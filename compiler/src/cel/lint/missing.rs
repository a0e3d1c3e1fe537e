//! Comparisons that are not true when a key is missing, where their author may want them to be.
//!
//! In: a finished tree. Out: the comparisons with the look-ups that may find nothing. A look-up that the rest of the
//! condition needs anyway is none of them: `m.k >= 400 && m.k != 404` is plainly about records that have the key.

use indexmap::{IndexMap, IndexSet};

use super::super::declarations::Overload;
use super::super::totality::failing_children;
use super::super::typed::{Callee, Comprehension, ComprehensionKind, Node, NodeId, NodeKind, Tree};
use super::super::types::Type;
use super::{Constant, Lint, called};

/// The traps of a tree by the comparison.
pub(super) fn traps(tree: &Tree) -> IndexMap<NodeId, Lint> {
    let negated = negated(tree);
    let mut found: IndexMap<NodeId, Vec<NodeId>> = IndexMap::new();
    for (id, node) in tree.nodes() {
        if let Some(lookups) = lookups(tree, node, negated.contains(&id)) {
            found.insert(id, lookups);
        }
    }
    if found.is_empty() {
        return IndexMap::new();
    }
    let needs = Needs::new(tree, &negated, |id| found.contains_key(&id));
    let traps = found.iter().filter_map(|(id, lookups)| {
        let open = lookups
            .iter()
            .filter(|lookup| !needs.elsewhere(*id, **lookup));
        let lookups: Vec<_> = open.map(|lookup| tree.node(*lookup).span).collect();
        let span = tree.node(*id).span;
        if lookups.is_empty() {
            return None;
        }
        let lint = if negated.contains(id) {
            Lint::MissingKeyNegated { span, lookups }
        } else {
            Lint::MissingKeyDiffers { span, lookups }
        };
        Some((*id, lint))
    });
    traps.collect()
}

/// The look-ups of a comparison that is a trap: "is not" in a condition, "is" in what a condition negates. One with
/// `null` asks whether something is there, so it is none.
fn lookups(tree: &Tree, node: &Node, is_negated: bool) -> Option<Vec<NodeId>> {
    let (overload, args) = called(node)?;
    let is_trap = match overload {
        Overload::NotEquals => !is_negated,
        Overload::Equals | Overload::InList => is_negated,
        _ => false,
    };
    let is_null = |id: &NodeId| tree.node(*id).constant == Some(Constant::Null);
    if !is_trap || args.iter().any(is_null) {
        return None;
    }
    args.iter().find_map(|arg| missing_keys(tree, *arg))
}

/// The nodes that make the whole true when they are false: those below an odd number of `!`.
fn negated(tree: &Tree) -> IndexSet<NodeId> {
    let mut negated = IndexSet::new();
    // Nodes stand behind those below them.
    for (id, node) in tree.nodes().rev() {
        let here = negated.contains(&id);
        let (below, flips) = match &node.kind {
            NodeKind::And(operands) | NodeKind::Or(operands) => (operands.clone(), false),
            NodeKind::Conditional { arms, otherwise } => {
                let values = arms.iter().map(|(_, value)| *value);
                (values.chain([*otherwise]).collect(), false)
            }
            NodeKind::Bind { body, .. } | NodeKind::Block { body, .. } => (vec![*body], false),
            NodeKind::Comprehension(Comprehension {
                kind: ComprehensionKind::All | ComprehensionKind::Exists,
                body,
                ..
            }) => (vec![*body], false),
            _ => match called(node) {
                Some((Overload::Not, operands)) => (operands.to_vec(), true),
                _ => continue,
            },
        };
        if here != flips {
            negated.extend(below);
        }
    }
    negated
}

/// The look-ups whose keys may be missing, when the operand is made of such look-ups, outermost container first.
fn missing_keys(tree: &Tree, id: NodeId) -> Option<Vec<NodeId>> {
    let mut found = Vec::new();
    let mut next = id;
    while let Some((container, _)) = looked_up(tree, next) {
        found.push(next);
        next = container;
    }
    found.reverse();
    (!found.is_empty()).then_some(found)
}

/// The key of a look-up.
enum Key<'t> {
    Name(&'t str),
    Node(NodeId),
}

/// What a look-up with a key that may be missing looks in, and its key. A number may be a position, for which no one
/// can ask.
fn looked_up(tree: &Tree, id: NodeId) -> Option<(NodeId, Key<'_>)> {
    match &tree.node(id).kind {
        NodeKind::Select {
            operand,
            optional: false,
            key,
        } if !matches!(tree.node(*operand).ty, Type::Optional(_)) => {
            Some((*operand, Key::Name(key)))
        }
        NodeKind::Call {
            callee: Callee::Language(overloads),
            args,
        } if overloads.contains(&Overload::IndexMap) => match args.as_slice() {
            [operand, key] if overloads.len() == 1 || tree.node(*key).ty == Type::String => {
                Some((*operand, Key::Node(*key)))
            }
            _ => None,
        },
        _ => None,
    }
}

/// A look-up as text that does not depend on how it is written; `None` for what has no such text.
fn path(tree: &Tree, id: NodeId) -> Option<String> {
    if let Some((container, key)) = looked_up(tree, id) {
        let key = match key {
            Key::Name(name) => format!("{name:?}"),
            Key::Node(key) => match &tree.node(key).constant {
                Some(Constant::String(text)) => format!("{text:?}"),
                Some(known) => format!("{known:?}"),
                None => path(tree, key)?,
            },
        };
        return Some(format!("{}[{key}]", path(tree, container)?));
    }
    match &tree.node(id).kind {
        NodeKind::Variable(variable) => Some(format!("{variable:?}")),
        NodeKind::Local(local) => Some(format!("{local:?}")),
        NodeKind::Field { operand, field, .. } => {
            Some(format!("{}.{field:?}", path(tree, *operand)?))
        }
        _ => None,
    }
}

/// What a condition needs to come out as wanted.
struct Needs<'t> {
    tree: &'t Tree,
    negated: &'t IndexSet<NodeId>,
    /// The look-ups without which a node is not true, or not false where that is wanted.
    of: IndexMap<NodeId, IndexSet<String>>,
    /// The node that a part of a condition stands in.
    above: IndexMap<NodeId, NodeId>,
}

impl<'t> Needs<'t> {
    fn new(
        tree: &'t Tree,
        negated: &'t IndexSet<NodeId>,
        is_trap: impl Fn(NodeId) -> bool,
    ) -> Self {
        let mut needs = Self {
            tree,
            negated,
            of: IndexMap::new(),
            above: IndexMap::new(),
        };
        for (id, node) in tree.nodes() {
            let of = if is_trap(id) {
                IndexSet::new()
            } else {
                needs.of(id, node)
            };
            needs.of.insert(id, of);
            let is_condition = match &node.kind {
                NodeKind::And(_)
                | NodeKind::Or(_)
                | NodeKind::Conditional { .. }
                | NodeKind::Bind { .. }
                | NodeKind::Block { .. } => true,
                _ => is_not(node),
            };
            let parts = node.kind.children().into_iter();
            needs
                .above
                .extend(parts.filter(|_| is_condition).map(|part| (part, id)));
        }
        needs
    }

    /// The needs of a node, those of the nodes below it being known.
    fn of(&self, id: NodeId, node: &Node) -> IndexSet<String> {
        let below = |id: &NodeId| self.of.get(id).cloned().unwrap_or_default();
        match &node.kind {
            NodeKind::And(operands) | NodeKind::Or(operands) if self.is_joint(id) => {
                operands.iter().flat_map(below).collect()
            }
            NodeKind::And(operands) | NodeKind::Or(operands) => {
                let mut all = operands.iter().map(below);
                let first = all.next().unwrap_or_default();
                all.fold(first, |common, next| &common & &next)
            }
            NodeKind::Conditional { arms, .. } => {
                let first = arms.first().filter(|(when, _)| self.is_plain(*when));
                first.map(|(when, _)| below(when)).unwrap_or_default()
            }
            NodeKind::Comprehension(comprehension) => below(&comprehension.range),
            NodeKind::Bind { body, .. } | NodeKind::Block { body, .. } => below(body),
            NodeKind::OptionalMap { target, .. } => below(target),
            kind => {
                let children = failing_children(kind).into_iter();
                let strict = children.filter(|child| is_not(node) || self.is_plain(*child));
                let mut needed: IndexSet<String> = strict.flat_map(|child| below(&child)).collect();
                if looked_up(self.tree, id).is_some() {
                    needed.extend(path(self.tree, id));
                }
                needed
            }
        }
    }

    /// Whether whatever it comes out as, it needs the same.
    fn is_plain(&self, id: NodeId) -> bool {
        !matches!(
            self.tree.node(id).kind,
            NodeKind::And(_) | NodeKind::Or(_) | NodeKind::Conditional { .. }
        )
    }

    /// Whether every operand must come out as wanted: of `&&`, or of `||` that is wanted false.
    fn is_joint(&self, id: NodeId) -> bool {
        let is_and = matches!(self.tree.node(id).kind, NodeKind::And(_));
        is_and != self.negated.contains(&id)
    }

    /// Whether a condition that is evaluated before `part` has the needs: one that is true for `part`, or one that
    /// needs the same when it is false.
    fn is_passed(
        &self,
        arms: &[(NodeId, NodeId)],
        part: NodeId,
        needs: impl Fn(NodeId) -> bool,
    ) -> bool {
        for (when, value) in arms {
            if *when == part {
                return false;
            }
            if (*value == part || self.is_plain(*when)) && needs(*when) {
                return true;
            }
            if *value == part {
                return false;
            }
        }
        false
    }

    /// Whether something beside the comparison needs the look-up too.
    fn elsewhere(&self, comparison: NodeId, lookup: NodeId) -> bool {
        let Some(path) = path(self.tree, lookup) else {
            return false;
        };
        let needs = |id: NodeId| self.of.get(&id).is_some_and(|of| of.contains(&path));
        let mut part = comparison;
        while let Some(above) = self.above.get(&part).copied() {
            let is_needed = match &self.tree.node(above).kind {
                NodeKind::And(_) | NodeKind::Or(_) => self.is_joint(above) && needs(above),
                NodeKind::Conditional { arms, .. } => self.is_passed(arms, part, needs),
                _ => false,
            };
            if is_needed {
                return true;
            }
            part = above;
        }
        false
    }
}

fn is_not(node: &Node) -> bool {
    matches!(called(node), Some((Overload::Not, _)))
}
