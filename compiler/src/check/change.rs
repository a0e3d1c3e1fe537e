//! `set` and `remove`: what can be changed, and to what.
//!
//! In: the path and the value of a stage. Out: errors; the plan makes of a path what [`changeable`] found in it. A
//! path is a field or an attribute of the data, written as it is read; a value must be of its type, cannot fail and
//! reads nothing that is deeper than what it changes.

use std::fmt;

use watershed_lang::span::Span;

use super::Checker;
use super::change_error::ChangeError;
use super::unchangeable::unchangeable;
use crate::catalog::signals::{FieldSpec, Reader, Root};
use crate::cel::declarations::Overload;
use crate::cel::fold::Constant;
use crate::cel::telemetry;
use crate::cel::typed::{Callee, NodeId, NodeKind};
use crate::cel::{Tree, Type};
use crate::hir::ExprId;

/// What a path names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changeable {
    /// A field.
    Field(&'static FieldSpec),
    /// An attribute.
    Attribute {
        /// The map that holds it.
        map: &'static FieldSpec,
        /// Its key.
        key: String,
    },
}

/// `log.severity_text`, `log.attributes["team"]`
impl fmt::Display for Changeable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(field) => write!(formatter, "{field}"),
            Self::Attribute { map, key } => write!(formatter, "{map}[{key:?}]"),
        }
    }
}

impl Changeable {
    /// What is changed: a field, or the map of attributes.
    #[must_use]
    pub const fn field(&self) -> &'static FieldSpec {
        match self {
            Self::Field(field) => field,
            Self::Attribute { map, .. } => map,
        }
    }
}

/// What the expression of a path names; `None` when it is no path to something that can be changed.
#[must_use]
pub fn changeable(tree: &Tree) -> Option<Changeable> {
    changeable_at(tree, tree.root())
}

/// As [`changeable`], of a part of an expression.
pub(super) fn changeable_at(tree: &Tree, id: NodeId) -> Option<Changeable> {
    if let Some(field) = field_at(tree, id) {
        return is_changeable(field).then_some(Changeable::Field(field));
    }
    let (map, key) = match &tree.node(id).kind {
        NodeKind::Select { operand, key, .. } => (*operand, key.clone()),
        NodeKind::Call {
            callee: Callee::Language(overloads),
            args,
        } => match (overloads.as_slice(), args.as_slice()) {
            ([Overload::IndexMap], [map, key]) => match &tree.node(*key).constant {
                Some(Constant::String(key)) => (*map, key.to_string()),
                _ => return None,
            },
            _ => return None,
        },
        _ => return None,
    };
    let map = field_at(tree, map).filter(|field| field.reader == Reader::Attributes)?;
    Some(Changeable::Attribute { map, key })
}

/// The attribute that a node reads or asks for.
pub(super) fn attribute_at(tree: &Tree, id: NodeId) -> Option<Changeable> {
    let (map, key) = match &tree.node(id).kind {
        NodeKind::Select { operand, key, .. } | NodeKind::Has { operand, key } => {
            (*operand, key.clone())
        }
        NodeKind::Call {
            callee: Callee::Language(overloads),
            args,
        } => {
            let (map, key) = match (overloads.as_slice(), args.as_slice()) {
                ([Overload::IndexMap | Overload::MapOptionalIndex], [map, key])
                | ([Overload::InMap], [key, map]) => (*map, *key),
                _ => return None,
            };
            match &tree.node(key).constant {
                Some(Constant::String(key)) => (map, key.clone()),
                _ => return None,
            }
        }
        _ => return None,
    };
    let map = field_at(tree, map).filter(|field| field.reader == Reader::Attributes)?;
    Some(Changeable::Attribute { map, key })
}

/// The field that a node is.
pub(super) fn field_at(tree: &Tree, id: NodeId) -> Option<&'static FieldSpec> {
    match &tree.node(id).kind {
        NodeKind::Field {
            field,
            optional: false,
            ..
        } => telemetry::field(*field),
        _ => None,
    }
}

/// Whether a field is one value of its message, or of the status of a span. Points and what only some kinds of metrics have
/// are read by name, because the kinds number fields each in another way.
fn is_changeable(field: &FieldSpec) -> bool {
    let is_single = !matches!(
        field.reader,
        Reader::Attributes | Reader::Messages(_) | Reader::SpanDuration | Reader::SignalName
    );
    let is_own = matches!(field.path, [_] | ["STATUS", _]);
    is_single && is_own && field.root != Root::DataPoint
}

/// Whether a flow can say what the field is: ids have lengths that nothing else has.
fn is_settable(field: &FieldSpec) -> bool {
    field.reader != Reader::Bytes
}

impl Checker<'_> {
    /// `set(path, value)`
    pub(super) fn set_stage(&mut self, path: ExprId, value: ExprId) {
        let target = self.path(path);
        // What is wrong with the value is told also where the path is wrong.
        let wanted = match &target {
            Some(Changeable::Field(field)) if field.reader != Reader::AnyValue => field.ty(),
            _ => Type::String,
        };
        self.value_position(value, "`set`", &wanted);
        let (Some(target), Some(tree)) = (target, self.table.tree(value)) else {
            return;
        };
        let (found, level) = (tree.root_node().ty.clone(), tree.root_node().level);
        let (field, span) = (target.field(), self.span(value));
        if !is_settable(field) {
            let span = self.span(path);
            self.report(ChangeError::NotSettable { field, span });
        } else if !takes(&target, &found) {
            let is_any = takes_any(&target);
            self.report(ChangeError::WrongType {
                field,
                is_any,
                found,
                span,
            });
        } else if level > field.level() {
            self.report(ChangeError::TooDeep { field, level, span });
        } else if let (Changeable::Field(field), Some(bounds)) = (&target, field.reader.bounds()) {
            for (number, span) in out_of_bounds(tree, bounds) {
                self.report(ChangeError::OutOfBounds {
                    field,
                    number,
                    bounds,
                    span,
                });
            }
        }
    }

    /// `remove(path)`
    pub(super) fn remove_stage(&mut self, path: ExprId) {
        self.path(path);
    }

    fn path(&mut self, id: ExprId) -> Option<Changeable> {
        self.path_position(id);
        let tree = self.table.tree(id)?;
        let found = changeable(tree);
        if found.is_none() {
            let (what, span) = (unchangeable(tree), self.span(id));
            self.report(ChangeError::NotChangeable { what, span });
        }
        found
    }
}

/// Whether any scalar can stand there.
fn takes_any(target: &Changeable) -> bool {
    match target {
        Changeable::Attribute { .. } => true,
        Changeable::Field(field) => field.reader == Reader::AnyValue,
    }
}

/// The constants that a value can be and that do not lie within the bounds, each with its place.
fn out_of_bounds(tree: &Tree, (least, most): (i64, i64)) -> Vec<(i128, Span)> {
    let (mut found, mut open) = (Vec::new(), vec![tree.root()]);
    while let Some(id) = open.pop() {
        let node = tree.node(id);
        let number = match &node.constant {
            Some(Constant::Int(number)) => i128::from(*number),
            Some(Constant::Uint(number)) => i128::from(*number),
            _ => {
                if let NodeKind::Conditional { arms, otherwise } = &node.kind {
                    open.push(*otherwise);
                    open.extend(arms.iter().rev().map(|(_, then)| *then));
                }
                continue;
            }
        };
        if number < i128::from(least) || number > i128::from(most) {
            found.push((number, node.span));
        }
    }
    found
}

fn takes(target: &Changeable, found: &Type) -> bool {
    let is_scalar = matches!(
        found,
        Type::String | Type::Bool | Type::Int | Type::Double | Type::Bytes
    );
    match takes_any(target) {
        true => is_scalar,
        false => *found == target.field().ty(),
    }
}
