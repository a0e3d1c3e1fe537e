//! Resolved CEL expressions.
//!
//! Different spellings of one thing are one node here: `m.k`, `` m.`k` `` and `m["k"]` are an [`ExprKind::Index`]
//! with the key as an expression, `matches(s, p)` and `s.matches(p)` are one call. Chains of `&&`, `||` and `?:`
//! stay lists, so no later phase recurses once a link.

use watershed_lang::span::Span;

use super::arena::{ConfigId, ConstId, ExprId, PredicateId};
use crate::catalog::signals::FieldSpec;

pub use watershed_lang::ast::Literal;

/// An expression and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of resolved expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A literal.
    Literal(Literal),
    /// A constant by name.
    Const(ConstId),
    /// A configuration value by name.
    Config(ConfigId),
    /// A predicate by name.
    Predicate(PredicateId),
    /// A field of the data, such as `log.body` or `resource.attributes`; `signal` too.
    Field(&'static FieldSpec),
    /// `has(log.body)`: whether the field differs from its default.
    HasField(&'static FieldSpec),
    /// `operand[index]`, `operand[?index]`, `operand.key`, `operand.?key`.
    Index {
        /// A map, a list or a dyn value; an optional of one when the operand was optional.
        operand: ExprId,
        /// The key or position.
        index: ExprId,
        /// Whether it gives an optional: `[?…]` or `.?`.
        optional: bool,
    },
    /// `has(operand.key)`: whether the last step is there.
    Has {
        /// What should hold the key.
        operand: ExprId,
        /// The key; always a string literal.
        key: ExprId,
    },
    /// A function of the standard library with its arguments, the receiver first.
    Call {
        /// Which.
        function: Function,
        /// Where the function's name stands.
        function_span: Span,
        /// Receiver, then arguments; as many as [`Function::arity`] says.
        args: Vec<ExprId>,
    },
    /// `!operand`
    Not(ExprId),
    /// `-operand`
    Negate(ExprId),
    /// `left + right` and the like.
    Arithmetic {
        /// The operator.
        op: ArithmeticOp,
        /// Where it stands.
        op_span: Span,
        /// The left operand.
        left: ExprId,
        /// The right operand.
        right: ExprId,
    },
    /// `left == right` and the like.
    Compare {
        /// The operator.
        op: CompareOp,
        /// Where it stands.
        op_span: Span,
        /// The left operand.
        left: ExprId,
        /// The right operand.
        right: ExprId,
    },
    /// `element in container`
    In {
        /// Where `in` stands.
        op_span: Span,
        /// What is looked for.
        element: ExprId,
        /// A list, a map (its keys) or a dyn value.
        container: ExprId,
    },
    /// `a && b && …`
    And(Vec<ExprId>),
    /// `a || b || …`
    Or(Vec<ExprId>),
    /// `c ? a : …`
    Conditional {
        /// Conditions and their values.
        arms: Vec<(ExprId, ExprId)>,
        /// The value when no condition holds.
        otherwise: ExprId,
    },
    /// `[a, b]`
    List(Vec<ExprId>),
    /// What could not be resolved or is not compiled yet; reported.
    Error,
}

/// Arithmetic operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArithmeticOp {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
}

impl ArithmeticOp {
    /// The operator as it is written.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
        }
    }
}

/// Comparison operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareOp {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

impl CompareOp {
    /// The operator as it is written.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
        }
    }

    /// Whether it asks for an order and not only for equality.
    #[must_use]
    pub const fn is_ordering(self) -> bool {
        !matches!(self, Self::Equal | Self::NotEqual)
    }
}

/// Functions that this version compiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Function {
    /// `text.startsWith(prefix)`
    StartsWith,
    /// `text.endsWith(suffix)`
    EndsWith,
    /// `text.contains(part)`
    Contains,
    /// `text.matches(pattern)`
    Matches,
    /// `size(x)`, `x.size()`
    Size,
    /// `optional.orValue(default)`
    OrValue,
    /// `x.orString(default)`: `x` when it is there and a string, else the default. Cannot fail.
    OrString,
    /// `x.orInt(default)`
    OrInt,
    /// `x.orDouble(default)`
    OrDouble,
    /// `x.orBool(default)`
    OrBool,
}

impl Function {
    /// Every function, in the order of the reference.
    pub const ALL: [Self; 10] = [
        Self::StartsWith,
        Self::EndsWith,
        Self::Contains,
        Self::Matches,
        Self::Size,
        Self::OrValue,
        Self::OrString,
        Self::OrInt,
        Self::OrDouble,
        Self::OrBool,
    ];

    /// The name as CEL writes it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::StartsWith => "startsWith",
            Self::EndsWith => "endsWith",
            Self::Contains => "contains",
            Self::Matches => "matches",
            Self::Size => "size",
            Self::OrValue => "orValue",
            Self::OrString => "orString",
            Self::OrInt => "orInt",
            Self::OrDouble => "orDouble",
            Self::OrBool => "orBool",
        }
    }

    /// How many arguments it takes, the receiver counted.
    #[must_use]
    pub const fn arity(self) -> usize {
        match self {
            Self::Size => 1,
            _ => 2,
        }
    }

    /// Whether it can be called without a receiver, as `size(x)` can.
    #[must_use]
    pub const fn is_global(self) -> bool {
        matches!(self, Self::Size | Self::Matches)
    }

    /// The function with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|function| function.name() == name)
    }
}

impl ExprKind {
    /// The expressions directly below this one, in the order of the text.
    #[must_use]
    pub fn children(&self) -> Vec<ExprId> {
        match self {
            Self::Literal(_)
            | Self::Const(_)
            | Self::Config(_)
            | Self::Predicate(_)
            | Self::Field(_)
            | Self::HasField(_)
            | Self::Error => Vec::new(),
            Self::Index { operand, index, .. } => vec![*operand, *index],
            Self::Has { operand, key } => vec![*operand, *key],
            Self::Call { args, .. } => args.clone(),
            Self::Not(operand) | Self::Negate(operand) => vec![*operand],
            Self::Arithmetic { left, right, .. } | Self::Compare { left, right, .. } => {
                vec![*left, *right]
            }
            Self::In {
                element, container, ..
            } => vec![*element, *container],
            Self::And(operands) | Self::Or(operands) | Self::List(operands) => operands.clone(),
            Self::Conditional { arms, otherwise } => arms
                .iter()
                .flat_map(|(condition, value)| [*condition, *value])
                .chain([*otherwise])
                .collect(),
        }
    }
}
