//! Expressions of the plan: typed, levelled, and split into conditions and values.
//!
//! In: nothing (lowering builds them). Out: what the passes rewrite and the emitter prints. A [`Condition`] is
//! emitted by polarity ("is true", "is false"), so it has no error value; a [`Value`] of type `dyn` says "error"
//! by being missing, and any other value that can fail is emitted as an `Option`. Each node carries its level:
//! the deepest thing that it reads. Expressions that mean the same are equal, wherever they stand.

mod compare;

use watershed_lang::span::Span;

pub use compare::CompareOp;

use super::expression::Expression;
use crate::catalog::signals::{FieldSpec, Reader};
use crate::cel::Type;
use crate::hir::{ConfigId, Literal, ParameterId, PredicateId, StepId};
use crate::level::Level;

/// A boolean expression.
#[derive(Clone, Debug)]
pub struct Condition {
    /// What it is.
    pub kind: ConditionKind,
    /// The deepest thing that it reads.
    pub level: Level,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of conditions.
#[derive(Clone, Debug, PartialEq)]
pub enum ConditionKind {
    /// Decided at build time.
    Constant(Constant),
    /// `!c`
    Not(Box<Condition>),
    /// `a && b && …`
    All(Vec<Condition>),
    /// `a || b || …`
    Any(Vec<Condition>),
    /// `c ? a : …` of conditions.
    If {
        /// Conditions and what holds under them.
        arms: Vec<(Condition, Condition)>,
        /// What holds when no condition does.
        otherwise: Box<Condition>,
    },
    /// A part of a deeper condition that is computed once for all that share what it reads, before the loop.
    Once(Box<Condition>),
    /// A predicate with a name.
    Predicate(PredicateId),
    /// `left == right` and the like.
    Compare {
        /// The operator.
        op: CompareOp,
        /// The left operand.
        left: Value,
        /// The right operand.
        right: Value,
    },
    /// `element in [a, b]`
    OneOf {
        /// What is looked for.
        element: Value,
        /// The elements of the list.
        list: Vec<Value>,
    },
    /// `element in container`: a key of a map or an element of a list, both only known at run time.
    ContainedIn {
        /// What is looked for.
        element: Value,
        /// A dyn value.
        container: Value,
    },
    /// `"key" in resource.attributes`: never an error.
    HasAttribute(Value),
    /// `has(operand.key)`: an error when the operand is not a map.
    HasKey {
        /// What should hold the key.
        operand: Value,
        /// The key.
        key: String,
    },
    /// `has(log.body)`: whether a field differs from its default.
    HasField(Value),
    /// `text.startsWith(part)` and the like.
    TextTest {
        /// Which.
        test: TextTest,
        /// The text.
        text: Value,
        /// The part looked for.
        part: Value,
    },
    /// `text.matches("literal")`
    Matches {
        /// The text.
        text: Value,
        /// The pattern, known to be valid.
        pattern: String,
    },
    /// A `bool` or `dyn` value that stands as a condition.
    Boolean(Box<Value>),
    /// A part of an expression that has no form of its own here.
    Expression(Expression),
    /// Whether a record is in a sample.
    Sampled {
        /// The stage: two of them draw by themselves.
        step: StepId,
        /// The trace ids that are kept: those whose last 56 bits are not less.
        threshold: u64,
        /// The trace id; where there is none, chance decides.
        trace_id: Option<Value>,
    },
}

/// What a condition is when it is decided at build time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constant {
    /// Always true.
    True,
    /// Always false.
    False,
    /// Always an error: neither true nor false.
    Error,
}

/// Tests of a text against a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextTest {
    /// `startsWith`
    StartsWith,
    /// `endsWith`
    EndsWith,
    /// `contains`
    Contains,
}

/// An expression that yields something.
#[derive(Clone, Debug)]
pub struct Value {
    /// What it is.
    pub kind: ValueKind,
    /// Its static type; never an optional.
    pub ty: Type,
    /// The deepest thing that it reads.
    pub level: Level,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of values.
#[derive(Clone, Debug, PartialEq)]
pub enum ValueKind {
    /// A literal.
    Literal(Literal),
    /// A configuration value.
    Config(ConfigId),
    /// A parameter of a template.
    Parameter(ParameterId),
    /// A field of the data, such as `log.severity_number`.
    Field(&'static FieldSpec),
    /// `resource.attributes["key"]`: looked up while the attributes are read.
    Attribute {
        /// The attribute map.
        map: &'static FieldSpec,
        /// The key.
        key: String,
    },
    /// `operand[index]`; missing when it is not there.
    Index {
        /// A dyn value.
        operand: Box<Value>,
        /// The key or position.
        index: Box<Value>,
    },
    /// `attributes[?key].orValue(default)`
    Or {
        /// The value that may be absent.
        value: Box<Value>,
        /// What stands for an absent value.
        default: Box<Value>,
    },
    /// `value.orString(default)` and the like: never an error.
    OrTyped {
        /// The value that may be absent or of another type.
        value: Box<Value>,
        /// What stands for it then; its type says which values count.
        default: Box<Value>,
    },
    /// `a + b + …` of texts.
    Concatenate(Vec<Value>),
    /// `a + b` of numbers of one type; an error on overflow.
    Add(Box<Value>, Box<Value>),
    /// `size(x)`
    Size(Box<Value>),
    /// `c ? a : …` of values.
    If {
        /// Conditions and their values.
        arms: Vec<(Condition, Value)>,
        /// The value when no condition holds.
        otherwise: Box<Value>,
    },
    /// A condition whose value is wanted.
    Condition(Box<Condition>),
    /// A part of an expression that has no form of its own here.
    Expression(Expression),
    /// A value of a known type where any type is wanted: it is read in the place of an attribute.
    Dynamic(Box<Value>),
    /// A whole number, or the nearest one that the field holds to which it is set.
    Within {
        /// The number.
        value: Box<Value>,
        /// The least that fits.
        least: i64,
        /// The greatest that fits.
        most: i64,
    },
    /// An expression that always fails.
    Failed,
}

/// The place of a condition is no part of what it decides.
impl PartialEq for Condition {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind && self.level == other.level
    }
}

/// The place of a value is no part of what it yields.
impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind && self.ty == other.ty && self.level == other.level
    }
}

impl Condition {
    /// What the condition is when it is decided at build time.
    #[must_use]
    pub const fn constant(&self) -> Option<Constant> {
        match self.kind {
            ConditionKind::Constant(constant) => Some(constant),
            _ => None,
        }
    }

    /// The conditions directly below.
    #[must_use]
    pub fn operands(&self) -> Vec<&Self> {
        match &self.kind {
            ConditionKind::Not(operand) | ConditionKind::Once(operand) => vec![operand],
            ConditionKind::All(operands) | ConditionKind::Any(operands) => {
                operands.iter().collect()
            }
            ConditionKind::If { arms, otherwise } => arms
                .iter()
                .flat_map(|(when, then)| [when, then])
                .chain([otherwise.as_ref()])
                .collect(),
            _ => Vec::new(),
        }
    }

    /// The conditions directly below, to be changed.
    pub fn operands_mut(&mut self) -> Vec<&mut Self> {
        match &mut self.kind {
            ConditionKind::Not(operand) | ConditionKind::Once(operand) => vec![operand],
            ConditionKind::All(operands) | ConditionKind::Any(operands) => {
                operands.iter_mut().collect()
            }
            ConditionKind::If { arms, otherwise } => arms
                .iter_mut()
                .flat_map(|(when, then)| [when, then])
                .chain([otherwise.as_mut()])
                .collect(),
            _ => Vec::new(),
        }
    }

    /// The values directly below.
    #[must_use]
    pub fn values(&self) -> Vec<&Value> {
        match &self.kind {
            ConditionKind::Compare { left, right, .. } => vec![left, right],
            ConditionKind::OneOf { element, list } => [element].into_iter().chain(list).collect(),
            ConditionKind::ContainedIn { element, container } => vec![element, container],
            ConditionKind::HasAttribute(value)
            | ConditionKind::HasField(value)
            | ConditionKind::HasKey { operand: value, .. }
            | ConditionKind::Matches { text: value, .. } => vec![value],
            ConditionKind::Boolean(value) => vec![value],
            ConditionKind::TextTest { text, part, .. } => vec![text, part],
            ConditionKind::Expression(expression) => expression.reads.values().collect(),
            ConditionKind::Sampled { trace_id, .. } => trace_id.iter().collect(),
            _ => Vec::new(),
        }
    }

    /// The values directly below, to be changed.
    pub fn values_mut(&mut self) -> Vec<&mut Value> {
        match &mut self.kind {
            ConditionKind::Compare { left, right, .. } => vec![left, right],
            ConditionKind::OneOf { element, list } => [element].into_iter().chain(list).collect(),
            ConditionKind::ContainedIn { element, container } => vec![element, container],
            ConditionKind::HasAttribute(value)
            | ConditionKind::HasField(value)
            | ConditionKind::HasKey { operand: value, .. }
            | ConditionKind::Matches { text: value, .. } => vec![value],
            ConditionKind::Boolean(value) => vec![value],
            ConditionKind::TextTest { text, part, .. } => vec![text, part],
            ConditionKind::Expression(expression) => expression.reads.values_mut().collect(),
            ConditionKind::Sampled { trace_id, .. } => trace_id.iter_mut().collect(),
            _ => Vec::new(),
        }
    }

    /// Sets the level to the deepest of what stands below. A named predicate keeps its own, and a sample is one of
    /// records whatever it reads.
    pub fn refresh_level(&mut self) {
        if matches!(
            self.kind,
            ConditionKind::Predicate(_) | ConditionKind::Sampled { .. }
        ) {
            return;
        }
        let operands = self.operands().into_iter().map(|operand| operand.level);
        let values = self.values().into_iter().map(|value| value.level);
        self.level = operands.chain(values).max().unwrap_or(Level::Const);
    }

    /// Calls `visit` with every value below, at any depth, each before its own operands.
    pub fn for_each_value(&self, visit: &mut impl FnMut(&Value)) {
        self.values()
            .into_iter()
            .for_each(|value| value.for_each(visit));
        self.operands()
            .into_iter()
            .for_each(|operand| operand.for_each_value(visit));
    }

    /// Calls `visit` with this condition and every one below, at any depth.
    pub fn for_each_condition(&self, visit: &mut impl FnMut(&Self)) {
        visit(self);
        self.operands()
            .into_iter()
            .for_each(|operand| operand.for_each_condition(visit));
        self.values()
            .into_iter()
            .for_each(|value| value.for_each_condition(visit));
    }
}

impl Value {
    /// Whether it is all attributes of something, as one map.
    #[must_use]
    pub fn is_map_of_attributes(&self) -> bool {
        matches!(self.kind, ValueKind::Field(field) if field.reader == Reader::Attributes)
    }

    /// Whether it is a list of messages that are read where they lie.
    #[must_use]
    pub fn is_list_of_messages(&self) -> bool {
        matches!(self.kind, ValueKind::Field(field) if matches!(field.reader, Reader::Messages(_)))
    }

    /// The literal that it is, when it is one.
    #[must_use]
    pub const fn literal(&self) -> Option<&Literal> {
        match &self.kind {
            ValueKind::Literal(literal) => Some(literal),
            _ => None,
        }
    }

    /// The values directly below.
    #[must_use]
    pub fn operands(&self) -> Vec<&Self> {
        match &self.kind {
            ValueKind::Index {
                operand: left,
                index: right,
            }
            | ValueKind::Or {
                value: left,
                default: right,
            }
            | ValueKind::OrTyped {
                value: left,
                default: right,
            }
            | ValueKind::Add(left, right) => vec![left, right],
            ValueKind::Concatenate(parts) => parts.iter().collect(),
            ValueKind::Expression(expression) => expression.reads.values().collect(),
            ValueKind::Size(operand)
            | ValueKind::Dynamic(operand)
            | ValueKind::Within { value: operand, .. } => vec![operand],
            ValueKind::If { arms, otherwise } => arms
                .iter()
                .map(|(_, then)| then)
                .chain([otherwise.as_ref()])
                .collect(),
            ValueKind::Literal(_)
            | ValueKind::Config(_)
            | ValueKind::Parameter(_)
            | ValueKind::Field(_)
            | ValueKind::Attribute { .. }
            | ValueKind::Condition(_)
            | ValueKind::Failed => Vec::new(),
        }
    }

    /// The values directly below, to be changed.
    pub fn operands_mut(&mut self) -> Vec<&mut Self> {
        match &mut self.kind {
            ValueKind::Index {
                operand: left,
                index: right,
            }
            | ValueKind::Or {
                value: left,
                default: right,
            }
            | ValueKind::OrTyped {
                value: left,
                default: right,
            }
            | ValueKind::Add(left, right) => vec![left, right],
            ValueKind::Concatenate(parts) => parts.iter_mut().collect(),
            ValueKind::Expression(expression) => expression.reads.values_mut().collect(),
            ValueKind::Size(operand)
            | ValueKind::Dynamic(operand)
            | ValueKind::Within { value: operand, .. } => vec![operand],
            ValueKind::If { arms, otherwise } => arms
                .iter_mut()
                .map(|(_, then)| then)
                .chain([otherwise.as_mut()])
                .collect(),
            ValueKind::Literal(_)
            | ValueKind::Config(_)
            | ValueKind::Parameter(_)
            | ValueKind::Field(_)
            | ValueKind::Attribute { .. }
            | ValueKind::Condition(_)
            | ValueKind::Failed => Vec::new(),
        }
    }

    /// The conditions directly below.
    #[must_use]
    pub fn conditions(&self) -> Vec<&Condition> {
        match &self.kind {
            ValueKind::If { arms, .. } => arms.iter().map(|(when, _)| when).collect(),
            ValueKind::Condition(condition) => vec![condition],
            _ => Vec::new(),
        }
    }

    /// Sets the level to the deepest of what stands below. What reads something itself keeps its own.
    pub fn refresh_level(&mut self) {
        let reads = matches!(
            self.kind,
            ValueKind::Config(_)
                | ValueKind::Parameter(_)
                | ValueKind::Field(_)
                | ValueKind::Attribute { .. }
        );
        if reads {
            return;
        }
        let operands = self.operands().into_iter().map(|operand| operand.level);
        let conditions = self
            .conditions()
            .into_iter()
            .map(|condition| condition.level);
        self.level = operands.chain(conditions).max().unwrap_or(Level::Const);
    }

    /// Calls `visit` with this value and every one below, at any depth, those in conditions too.
    pub fn for_each(&self, visit: &mut impl FnMut(&Self)) {
        visit(self);
        self.operands()
            .into_iter()
            .for_each(|operand| operand.for_each(visit));
        self.conditions()
            .into_iter()
            .for_each(|condition| condition.for_each_value(visit));
    }

    /// Calls `visit` with every condition below, at any depth.
    pub fn for_each_condition(&self, visit: &mut impl FnMut(&Condition)) {
        self.operands()
            .into_iter()
            .for_each(|operand| operand.for_each_condition(visit));
        self.conditions()
            .into_iter()
            .for_each(|condition| condition.for_each_condition(visit));
    }
}
