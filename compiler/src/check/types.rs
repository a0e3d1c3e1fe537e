//! Types, levels and the table that the checker fills in.
//!
//! In: nothing. Out: what the planner asks about each expression, each step and each sink.

use std::fmt;

use indexmap::IndexMap;

use super::constant::Constant;
use crate::catalog::signals::Signals;
use crate::hir::{Arena, ExprId, SinkId, StepId};

/// The type of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// `null` alone.
    Null,
    /// `true`, `false`.
    Bool,
    /// 64-bit signed.
    Int,
    /// 64-bit unsigned.
    Uint,
    /// 64-bit floating point.
    Double,
    /// Text.
    String,
    /// Bytes.
    Bytes,
    /// A length of time, in nanoseconds of 64 bits.
    Duration,
    /// Known only when it is read: an attribute value, a log body.
    Dyn,
    /// A list.
    List(Box<Self>),
    /// A map whose keys are strings.
    Map(Box<Self>),
    /// A value that may be absent: `m[?"k"]`.
    Optional(Box<Self>),
    /// A `config` that is shown nowhere; only options take it.
    Secret,
    /// What an error has been reported for; it goes with everything.
    Error,
}

/// `list(string)`, as CEL writes types.
impl fmt::Display for Type {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => formatter.write_str("null"),
            Self::Bool => formatter.write_str("bool"),
            Self::Int => formatter.write_str("int"),
            Self::Uint => formatter.write_str("uint"),
            Self::Double => formatter.write_str("double"),
            Self::String => formatter.write_str("string"),
            Self::Bytes => formatter.write_str("bytes"),
            Self::Duration => formatter.write_str("duration"),
            Self::Dyn => formatter.write_str("dyn"),
            Self::List(element) => write!(formatter, "list({element})"),
            Self::Map(value) => write!(formatter, "map(string, {value})"),
            Self::Optional(value) => write!(formatter, "optional({value})"),
            Self::Secret => formatter.write_str("secret"),
            Self::Error => formatter.write_str("error"),
        }
    }
}

impl Type {
    /// Whether any value may come out of it, or nothing more can be said.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        matches!(self, Self::Dyn | Self::Error)
    }
}

/// The deepest thing that an expression reads. What is less deep is evaluated less often.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Known at build time.
    Const,
    /// Known when the flow starts.
    Config,
    /// Known for one instance of a template.
    Instance,
    /// Known for one event.
    Payload,
    /// Known for one resource.
    Resource,
    /// Known for one instrumentation scope.
    Scope,
    /// Known for one metric.
    Metric,
    /// Known for one log record, span or data point.
    Record,
}

impl Level {
    /// The level in lower case, as dumps and messages show it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Const => "const",
            Self::Config => "config",
            Self::Instance => "instance",
            Self::Payload => "payload",
            Self::Resource => "resource",
            Self::Scope => "scope",
            Self::Metric => "metric",
            Self::Record => "record",
        }
    }
}

/// Why an expression can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Failure {
    /// A key that the map does not hold.
    MissingKey,
    /// A dyn value of another type than the operation takes.
    WrongType,
    /// A position outside of a list.
    OutOfRange,
    /// A number that does not fit.
    Overflow,
    /// Division by zero.
    DivisionByZero,
}

impl Failure {
    /// Every reason, in the order of the bits of [`Fails`].
    pub const ALL: [Self; 5] = [
        Self::MissingKey,
        Self::WrongType,
        Self::OutOfRange,
        Self::Overflow,
        Self::DivisionByZero,
    ];

    /// The reason in words, after "it can fail:".
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::MissingKey => "the key may be missing",
            Self::WrongType => "the value may be of another type",
            Self::OutOfRange => "the position may be outside of the list",
            Self::Overflow => "the number may not fit",
            Self::DivisionByZero => "the divisor may be zero",
        }
    }
}

/// The set of reasons why an expression can fail; empty means that it is total.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Fails(u8);

impl Fails {
    /// It cannot fail.
    pub const NEVER: Self = Self(0);

    /// It can fail for this reason alone.
    #[must_use]
    pub const fn because(failure: Failure) -> Self {
        Self(1 << failure as u8)
    }

    /// It can fail for the reasons of both.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether it cannot fail.
    #[must_use]
    pub const fn is_total(self) -> bool {
        self.0 == 0
    }

    /// Whether this is one of the reasons.
    #[must_use]
    pub const fn contains(self, failure: Failure) -> bool {
        self.0 & (1 << failure as u8) != 0
    }

    /// The reasons.
    pub fn iter(self) -> impl Iterator<Item = Failure> {
        Failure::ALL
            .into_iter()
            .filter(move |failure| self.contains(*failure))
    }
}

impl fmt::Debug for Fails {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.iter()).finish()
    }
}

/// What the checker found out about one expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Typed {
    /// Its type.
    pub ty: Type,
    /// The deepest thing that it reads.
    pub level: Level,
    /// Why it can fail.
    pub fails: Fails,
    /// Its value, when it is known at build time: of each expression of level const, and of deeper ones that one
    /// operand decides, such as `false && log.body == 1`.
    pub constant: Option<Constant>,
}

impl Typed {
    /// What stands for an expression with a reported error.
    pub const ERROR: Self = Self {
        ty: Type::Error,
        level: Level::Const,
        fails: Fails::NEVER,
        constant: None,
    };
}

/// The result of the checker.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TypeTable {
    pub(super) exprs: Arena<ExprId, Typed>,
    pub(super) steps: Arena<StepId, Signals>,
    pub(super) sinks: Arena<SinkId, Signals>,
    pub(super) regexes: IndexMap<ExprId, String>,
}

impl TypeTable {
    /// What is known of an expression.
    #[must_use]
    pub fn get(&self, id: ExprId) -> &Typed {
        self.exprs.get(id).unwrap_or(&Typed::ERROR)
    }

    /// The type of an expression.
    #[must_use]
    pub fn ty(&self, id: ExprId) -> &Type {
        &self.get(id).ty
    }

    /// The level of an expression.
    #[must_use]
    pub fn level(&self, id: ExprId) -> Level {
        self.get(id).level
    }

    /// Why an expression can fail.
    #[must_use]
    pub fn fails(&self, id: ExprId) -> Fails {
        self.get(id).fails
    }

    /// The value of an expression, when it is known at build time.
    #[must_use]
    pub fn constant(&self, id: ExprId) -> Option<&Constant> {
        self.get(id).constant.as_ref()
    }

    /// What arrives at a step: the signals of the edge before it.
    #[must_use]
    pub fn step(&self, id: StepId) -> Signals {
        self.steps.get(id).copied().unwrap_or_default()
    }

    /// What arrives at a sink, over all chains.
    #[must_use]
    pub fn sink(&self, id: SinkId) -> Signals {
        self.sinks.get(id).copied().unwrap_or_default()
    }

    /// The pattern of a `matches` call as the `regex` crate takes it: it means there what RE2 means by the
    /// pattern that was written. Keyed by the call.
    #[must_use]
    pub fn regex(&self, call: ExprId) -> Option<&str> {
        self.regexes.get(&call).map(String::as_str)
    }

    /// How many expressions are known.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.exprs.len()
    }

    /// Whether no expression is known.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.exprs.is_empty()
    }

    /// Makes room for a program with so many expressions, steps and sinks.
    pub(super) fn with_size(exprs: usize, steps: u32, sinks: usize) -> Self {
        let mut table = Self::default();
        (0..exprs).for_each(|_| {
            table.exprs.push(Typed::ERROR);
        });
        (0..steps).for_each(|_| {
            table.steps.push(Signals::NONE);
        });
        (0..sinks).for_each(|_| {
            table.sinks.push(Signals::NONE);
        });
        table
    }

    /// The expressions with what is known of them, in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = (ExprId, &Typed)> {
        self.exprs.iter()
    }
}
