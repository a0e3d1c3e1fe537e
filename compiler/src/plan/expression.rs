//! Parts of expressions that have no form of their own in the plan.
//!
//! In: nothing (lowering builds them). Out: [`Expression`], a node of a typed tree together with what it reads. The
//! plan knows the reads (so levels, fields and predicates are counted as everywhere) and leaves the rest to the
//! emitter of CEL.

use std::sync::Arc;

use indexmap::IndexMap;

use super::expr::Value;
use crate::cel::Tree;
use crate::cel::typed::{Node, NodeId};

/// A part of a typed tree, which reads the values of the plan below it and makes something of them.
#[derive(Clone, Debug)]
pub struct Expression {
    /// The tree that the part belongs to.
    pub tree: Arc<Tree>,
    /// The part.
    pub root: NodeId,
    /// What is read, by the node that reads it, in the order of the text.
    pub reads: IndexMap<NodeId, Value>,
}

impl Expression {
    /// The part with all that is known of it.
    #[must_use]
    pub fn node(&self) -> &Node {
        self.tree.node(self.root)
    }
}

/// Parts are equal when they are the same part and read the same: trees themselves are not compared.
impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.tree, &other.tree) && self.root == other.root && self.reads == other.reads
    }
}
