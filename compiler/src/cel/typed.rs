//! The typed tree: what the checker makes of an expression and the planner and emitter read.
//!
//! In: nodes from the checker. Out: [`Tree`], an arena in which every node stands after the nodes below it, so a
//! walk in the order of the arena sees operands before what is made of them. Macros stay what they are (a
//! [`Comprehension`], a [`NodeKind::Bind`]); no node is a fold with an accumulator.
//!
//! A node below another may have a more precise type than the place wants (`1` in a `list(dyn)`, a `string` before
//! a `dyn` overload); whoever makes code of it boxes the value there.

use indexmap::IndexMap;
use watershed_lang::ast::Literal;
use watershed_lang::span::Span;

use super::declarations::Overload;
use super::environment::{FieldId, FunctionId, VariableId};
use super::failure::Fails;
use super::fold::Constant;
use super::types::Type;
use crate::arena::{Arena, Id, ids};
use crate::level::Level;

ids! {
    /// A node of a typed tree.
    NodeId = "n";
    /// A variable that the expression itself makes: of a comprehension, of `cel.bind`, of `cel.block`.
    LocalId = "local#";
}

/// A checked expression.
#[derive(Clone, Debug)]
pub struct Tree {
    pub(super) nodes: Arena<NodeId, Node>,
    pub(super) locals: Arena<LocalId, Local>,
    pub(super) root: NodeId,
    pub(super) regexes: IndexMap<NodeId, String>,
    pub(super) too_large: Option<NodeId>,
}

impl Tree {
    /// The whole expression.
    #[must_use]
    pub const fn root(&self) -> NodeId {
        self.root
    }

    /// The node with this id.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        self.nodes.at(id)
    }

    /// The whole expression as a node.
    #[must_use]
    pub fn root_node(&self) -> &Node {
        self.node(self.root)
    }

    /// Nodes with their ids; operands stand before what is made of them.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = (NodeId, &Node)> + ExactSizeIterator {
        self.nodes.iter()
    }

    /// The pattern of a call of `matches` whose pattern is known, as the `regex` crate takes it: it means there what
    /// RE2 means by the pattern that was written.
    #[must_use]
    pub fn regex(&self, call: NodeId) -> Option<&str> {
        self.regexes.get(&call).map(String::as_str)
    }

    /// Where the first part stands whose value is known and too large to be kept, so that it is made at run time.
    #[must_use]
    pub fn too_large(&self) -> Option<Span> {
        self.too_large.map(|part| self.node(part).span)
    }

    /// The operands of `a + b + …` of texts, from left to right and however it is bracketed; the node itself when it
    /// is no such chain. What is known at build time is one part.
    #[must_use]
    pub fn joined_parts(&self, id: NodeId) -> Vec<NodeId> {
        let (mut parts, mut waiting) = (Vec::new(), vec![id]);
        while let Some(next) = waiting.pop() {
            let node = self.node(next);
            match &node.kind {
                NodeKind::Call {
                    callee: Callee::Language(overloads),
                    args,
                } if overloads.as_slice() == [Overload::AddString] && node.constant.is_none() => {
                    waiting.extend(args.iter().rev());
                }
                _ => parts.push(next),
            }
        }
        parts
    }

    /// The variable with this id.
    #[must_use]
    pub fn local(&self, id: LocalId) -> &Local {
        self.locals.at(id)
    }

    /// The variables that the expression makes, in the order in which they were declared.
    pub fn locals(&self) -> impl ExactSizeIterator<Item = (LocalId, &Local)> {
        self.locals.iter()
    }
}

/// A variable that the expression itself makes.
#[derive(Clone, Debug, PartialEq)]
pub struct Local {
    /// Its name, as it is written.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// What its values come from: the range of a comprehension, the value of a binding.
    pub source: NodeId,
    /// What part of the source it is.
    pub role: LocalRole,
}

/// What part of its source a local variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalRole {
    /// The source as it is: `cel.bind`, `cel.block`.
    Whole,
    /// The value within an optional: `optMap`, `optFlatMap`.
    Inner,
    /// An element of a list or a key of a map: comprehensions with one variable.
    Element,
    /// The position in a list or the key in a map: the first of two variables.
    IndexOrKey,
    /// The element of a list or the value in a map: the second of two variables.
    Value,
}

/// An expression with all that is known of it.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// Its type.
    pub ty: Type,
    /// Where it stands.
    pub span: Span,
    /// The deepest thing that it reads.
    pub level: Level,
    /// Why it can fail.
    pub fails: Fails,
    /// Its value when that is known at build time: also a value that is a failure.
    pub constant: Option<Constant>,
}

/// The kinds of nodes.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeKind {
    /// A literal.
    Literal(Literal),
    /// A type as a value: `int`, `net.IP`.
    TypeValue(Type),
    /// A variable of the environment.
    Variable(VariableId),
    /// A variable that the expression makes.
    Local(LocalId),
    /// `operand.field` of a record.
    Field {
        /// A record, or an optional of one.
        operand: NodeId,
        /// Which field.
        field: FieldId,
        /// Whether the value is an optional, empty for the field's default: `.?`, or the operand is an optional.
        optional: bool,
    },
    /// `has(operand.field)` of a record: whether the field differs from its default.
    HasField {
        /// A record.
        operand: NodeId,
        /// Which field.
        field: FieldId,
    },
    /// `operand.key`, `operand.?key` of a map, a dyn value or an optional of one.
    Select {
        /// What should hold the key.
        operand: NodeId,
        /// The key.
        key: String,
        /// Whether the value is an optional: `.?`, or the operand is an optional.
        optional: bool,
    },
    /// `has(operand.key)`: whether the last step is there.
    Has {
        /// What should hold the key.
        operand: NodeId,
        /// The key.
        key: String,
    },
    /// A function or an operator.
    Call {
        /// What is called, by the ways in which it may be called.
        callee: Callee,
        /// The arguments, the receiver first.
        args: Vec<NodeId>,
    },
    /// `a && b && …`
    And(Vec<NodeId>),
    /// `a || b || …`
    Or(Vec<NodeId>),
    /// `c ? a : …`
    Conditional {
        /// Conditions and their values.
        arms: Vec<(NodeId, NodeId)>,
        /// The value when no condition holds.
        otherwise: NodeId,
    },
    /// `[a, ?b]`
    List(Vec<Element>),
    /// `{k: v, ?k: v}`
    Map(Vec<Entry>),
    /// `Quote{field: value}`
    Record {
        /// The record's name in the environment.
        record: String,
        /// The fields that are given.
        fields: Vec<FieldValue>,
    },
    /// A macro that goes through a list or a map.
    Comprehension(Comprehension),
    /// `cel.bind(name, value, body)`
    Bind {
        /// The variable.
        local: LocalId,
        /// Its value.
        value: NodeId,
        /// What is made with it.
        body: NodeId,
    },
    /// `cel.block([a, b], body)`: variables that later ones and the body read; each is evaluated once, when needed.
    Block {
        /// Variables with their values.
        bindings: Vec<(LocalId, NodeId)>,
        /// What is made with them.
        body: NodeId,
    },
    /// `target.optMap(name, body)`, `target.optFlatMap(name, body)`
    OptionalMap {
        /// The optional.
        target: NodeId,
        /// The variable for the value within.
        local: LocalId,
        /// What is made of it.
        body: NodeId,
        /// Whether the body gives an optional itself.
        flat: bool,
    },
    /// What always fails at run time; only a check without static types leaves it.
    Unresolved(Unresolved),
    /// What a mistake has been reported for.
    Error,
}

/// What a call calls.
#[derive(Clone, Debug, PartialEq)]
pub enum Callee {
    /// A function of the language. One overload is called directly; several are told apart by the values.
    Language(Vec<Overload>),
    /// A function of the environment, by the ways that fit.
    Custom(Vec<FunctionId>),
}

/// Why something always fails at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unresolved {
    /// A name that is not declared.
    Name,
    /// A function that is not declared.
    Function,
    /// Arguments that no overload takes.
    Overload,
    /// A field of something that has none.
    Field,
}

/// An element of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// Whether it was written `?element`: an optional that is left out when it is empty.
    pub optional: bool,
    /// The element.
    pub value: NodeId,
}

/// An entry of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Whether it was written `?key: value`: left out when the value is empty.
    pub optional: bool,
    /// The key.
    pub key: NodeId,
    /// The value.
    pub value: NodeId,
}

/// A field of a record literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldValue {
    /// Which field.
    pub field: FieldId,
    /// Whether it was written `?field: value`: left out when the value is empty.
    pub optional: bool,
    /// The value.
    pub value: NodeId,
}

/// A macro that goes through a list or a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Comprehension {
    /// What it makes.
    pub kind: ComprehensionKind,
    /// What it goes through.
    pub range: NodeId,
    /// The variables: one or two.
    pub locals: Vec<LocalId>,
    /// Which elements it takes, where that is said apart: `map` with three arguments and its kin.
    pub condition: Option<NodeId>,
    /// The predicate, the value, the key or the entry for each element.
    pub body: NodeId,
}

/// What a comprehension makes.
#[derive(Clone, Debug, PartialEq)]
pub enum ComprehensionKind {
    /// `all`: whether the predicate holds for every element; a false one absorbs errors.
    All,
    /// `exists`: whether it holds for some element; a true one absorbs errors.
    Exists,
    /// `exists_one`, `existsOne`: whether it holds for exactly one; any error is an error.
    ExistsOne,
    /// `filter`: the list of the elements for which it holds.
    Filter,
    /// `map`, `transformList`: the list of the values.
    List,
    /// `transformMap`: the map from the same keys to the values.
    Map,
    /// `transformMapEntry`: the map of the entries, each a map itself; no key may come twice.
    Entries,
    /// `sortBy`: the list in the order of the keys.
    SortBy(Vec<Overload>),
}

impl NodeKind {
    /// The nodes directly below this one, in the order in which they are evaluated.
    #[must_use]
    pub fn children(&self) -> Vec<NodeId> {
        match self {
            Self::Literal(_)
            | Self::TypeValue(_)
            | Self::Variable(_)
            | Self::Local(_)
            | Self::Unresolved(_)
            | Self::Error => Vec::new(),
            Self::Field { operand, .. }
            | Self::HasField { operand, .. }
            | Self::Select { operand, .. }
            | Self::Has { operand, .. } => vec![*operand],
            Self::Call { args, .. } => args.clone(),
            Self::And(operands) | Self::Or(operands) => operands.clone(),
            Self::Conditional { arms, otherwise } => arms
                .iter()
                .flat_map(|(condition, value)| [*condition, *value])
                .chain([*otherwise])
                .collect(),
            Self::List(elements) => elements.iter().map(|element| element.value).collect(),
            Self::Map(entries) => entries
                .iter()
                .flat_map(|entry| [entry.key, entry.value])
                .collect(),
            Self::Record { fields, .. } => fields.iter().map(|field| field.value).collect(),
            Self::Comprehension(comprehension) => {
                let Comprehension {
                    range,
                    condition,
                    body,
                    ..
                } = comprehension;
                [*range]
                    .into_iter()
                    .chain(*condition)
                    .chain([*body])
                    .collect()
            }
            Self::Bind { value, body, .. } => vec![*value, *body],
            Self::Block { bindings, body } => bindings
                .iter()
                .map(|(_, value)| *value)
                .chain([*body])
                .collect(),
            Self::OptionalMap { target, body, .. } => vec![*target, *body],
        }
    }
}
