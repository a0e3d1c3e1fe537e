//! The resolved program: what the syntax tree says once every name of an item stands for something.
//!
//! In: nothing (the resolver builds it, [`crate::resolve`]). Out: what the checker and the planner read. Items are
//! ids, options are settings of a known option, and expressions stay as they were parsed: their names are looked up
//! together with their types. What could not be resolved is a [`StepKind::Error`] or an error node of the syntax tree;
//! its diagnostic has been reported.

mod dump;
mod ids;
mod template;

use indexmap::IndexMap;
use watershed_lang::span::{Name, Span};

pub use crate::arena::{Arena, Id};
pub use dump::dump;
pub use ids::{
    ConfigId, ConnectionId, ConstId, ExprId, ParameterId, PredicateId, SinkId, SourceId, StageId,
    StepId, TableId, TemplateId,
};
pub use template::{Parameter, Table, TableSource, Template, TemplateUse};
pub use watershed_lang::ast::{Expr, Literal};

use crate::catalog::signals::{Signal, Signals};
use crate::catalog::{ConnectorSpec, OptionSpec};

/// One `.flow` file, resolved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// Every expression that an item, an option or a step owns, as it was parsed; names in it are looked up by the
    /// checker.
    pub exprs: Arena<ExprId, Expr>,
    /// `config` items.
    pub configs: Arena<ConfigId, Config>,
    /// `const` items.
    pub consts: Arena<ConstId, Const>,
    /// `predicate` items.
    pub predicates: Arena<PredicateId, Predicate>,
    /// `connection` items.
    pub connections: Arena<ConnectionId, Node>,
    /// `source` items.
    pub sources: Arena<SourceId, Node>,
    /// `sink` items.
    pub sinks: Arena<SinkId, Node>,
    /// `stage` items.
    pub stages: Arena<StageId, NamedStage>,
    /// `template` items.
    pub templates: Arena<TemplateId, Template>,
    /// The parameters of templates.
    pub parameters: Arena<ParameterId, Parameter>,
    /// The tables of `for` items.
    pub tables: Arena<TableId, Table>,
    /// The uses of templates, in the order of the text.
    pub uses: Vec<TemplateUse>,
    /// Chains, in the order of the text.
    pub chains: Vec<Chain>,
    /// Constants and predicates so that each comes after those it reads. What takes part in a cycle is left out.
    pub order: Vec<Definition>,
    /// How many steps there are in all chains; their ids count from 0.
    pub step_count: u32,
}

/// A definition that expressions can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Definition {
    /// A `const`.
    Const(ConstId),
    /// A `predicate`.
    Predicate(PredicateId),
}

/// The lines of a `///` comment.
pub type Docs = Vec<String>;

/// `config name: type = default;`
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// The name, also of the builder method.
    pub name: Name,
    /// The declared type.
    pub ty: ConfigType,
    /// The default, which reads constants only.
    pub default: Option<ExprId>,
    /// Its doc comment.
    pub docs: Docs,
    /// The whole item.
    pub span: Span,
}

/// The types a `config` can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfigType {
    /// Text.
    String,
    /// A 64-bit signed number.
    Int,
    /// A 64-bit floating-point number.
    Double,
    /// `true` or `false`.
    Bool,
    /// A length of time.
    Duration,
    /// A size in bytes.
    Bytes,
    /// Text that is shown nowhere.
    Secret,
}

/// `const name = value;`
#[derive(Clone, Debug, PartialEq)]
pub struct Const {
    /// The name.
    pub name: Name,
    /// The value.
    pub value: ExprId,
    /// Its doc comment.
    pub docs: Docs,
    /// The whole item.
    pub span: Span,
}

/// `predicate name = condition;`
#[derive(Clone, Debug, PartialEq)]
pub struct Predicate {
    /// The name.
    pub name: Name,
    /// The condition.
    pub value: ExprId,
    /// The template that it belongs to.
    pub template: Option<TemplateId>,
    /// Its doc comment.
    pub docs: Docs,
    /// The whole item.
    pub span: Span,
}

/// A connection, a source or a sink.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The name.
    pub name: Name,
    /// Its row of the catalog; `None` when the connector is unknown, which has been reported.
    pub connector: Option<&'static ConnectorSpec>,
    /// What was set, by option name, in the order of the text. Defaults are not filled in.
    pub options: Options,
    /// The template that it belongs to.
    pub template: Option<TemplateId>,
    /// Its doc comment.
    pub docs: Docs,
    /// The whole item.
    pub span: Span,
}

/// Options that were set, by name.
pub type Options = IndexMap<&'static str, Setting>;

/// One option that was set.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The option's row of the catalog.
    pub spec: &'static OptionSpec,
    /// Where the option's name stands; the value's place when it has no name.
    pub name_span: Span,
    /// What it was set to.
    pub value: SettingValue,
    /// Where the value stands.
    pub span: Span,
}

/// What an option was set to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SettingValue {
    /// An expression; how deep it may read, the option's row says.
    Expr(ExprId),
    /// One of the words that the option's row lists.
    Word(&'static str),
    /// A connection.
    Connection(ConnectionId),
    /// Something else, which has been reported.
    Error,
}

/// `stage name = batch(…);` Each use has its own state.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedStage {
    /// The name.
    pub name: Name,
    /// What it stands for.
    pub stage: Stage,
    /// The template that it belongs to.
    pub template: Option<TemplateId>,
    /// Its doc comment.
    pub docs: Docs,
    /// The whole item.
    pub span: Span,
}

/// A stage with its arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// Which, with its arguments.
    pub kind: StageKind,
    /// From the kind to `)`.
    pub span: Span,
}

/// The stages of a chain, apart from `route` and `split`.
#[derive(Clone, Debug, PartialEq)]
pub enum StageKind {
    /// `filter(p)`: keeps what is true.
    Filter(Condition),
    /// `drop(p)`: drops what is true.
    Drop(Condition),
    /// `batch(…)`: collects records of several events.
    Batch(Options),
    /// `set(path, value)`: gives a field or an attribute another value.
    Set {
        /// What is changed.
        path: ExprId,
        /// What it becomes.
        value: ExprId,
    },
    /// `remove(path)`: leaves a field or an attribute out.
    Remove {
        /// What is left out.
        path: ExprId,
    },
    /// `sample(ratio)`: keeps a part of the records.
    Sample {
        /// Which part.
        ratio: Setting,
    },
    /// `limit(records, per: …)`: lets only so many records pass in some time.
    Limit {
        /// How many records.
        records: Setting,
        /// In which time.
        per: Setting,
    },
    /// `validate(p, reason: …)`: refuses the records that a condition is not true for.
    Validate {
        /// The condition.
        condition: ExprId,
        /// What the sender is told.
        reason: Setting,
    },
    /// An unknown stage or one without its condition; reported.
    Error,
}

/// The condition of a filter or drop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Condition {
    /// The predicate.
    pub value: ExprId,
    /// What happens to a record on which it fails; `None` when the flow does not say (then "not true").
    pub on_error: Option<OnError>,
}

/// What happens to a record on which a predicate fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnError {
    /// It passes.
    Keep,
    /// It is dropped.
    Drop,
    /// Its event fails.
    Fail,
}

/// `heads -> step -> step;`
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    /// Where the data comes from; several when the heads stood in brackets. They share everything behind them.
    pub heads: Vec<Edge>,
    /// What happens to it.
    pub steps: Vec<Step>,
    /// The template that it belongs to.
    pub template: Option<TemplateId>,
    /// Its doc comment.
    pub docs: Docs,
    /// The whole item.
    pub span: Span,
}

/// An edge that leaves a source.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// The source; `None` when the name is not one, which has been reported.
    pub source: Option<SourceId>,
    /// The signal, when one is named.
    pub signal: Option<Signal>,
    /// Everything that the edge carries.
    pub signals: Signals,
    /// Where it stands.
    pub span: Span,
}

/// One step of a chain.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Its id, unique in the program.
    pub id: StepId,
    /// What it is.
    pub kind: StepKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of steps.
#[derive(Clone, Debug, PartialEq)]
pub enum StepKind {
    /// A sink.
    Sink(SinkId),
    /// A stage with a name; this use has its own state.
    Named(StageId),
    /// A stage written in place.
    Stage(Stage),
    /// `[a, b]`: every branch gets all of it.
    FanOut(Vec<Branch>),
    /// `route { … }`: the first arm that is true.
    Route(Vec<Arm>),
    /// `split { … }`: every arm that is true.
    Split(Vec<Arm>),
    /// No step; reported.
    Error,
}

/// A chain without a head.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// Its steps.
    pub steps: Vec<Step>,
    /// Where it stands.
    pub span: Span,
}

/// `condition => branch` or `else => branch`.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// The predicate; `None` for `else`.
    pub condition: Option<ExprId>,
    /// Where the condition, or `else`, stands.
    pub head: Span,
    /// Where the data goes.
    pub branch: Branch,
}

impl ConfigType {
    /// Every type, in the order in which messages list them.
    pub const ALL: [Self; 7] = [
        Self::String,
        Self::Int,
        Self::Double,
        Self::Bool,
        Self::Duration,
        Self::Bytes,
        Self::Secret,
    ];

    /// The type as it is written.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Int => "int",
            Self::Double => "double",
            Self::Bool => "bool",
            Self::Duration => "duration",
            Self::Bytes => "bytes",
            Self::Secret => "secret",
        }
    }
}

impl OnError {
    /// The policy with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "keep" => Some(Self::Keep),
            "drop" => Some(Self::Drop),
            "fail" => Some(Self::Fail),
            _ => None,
        }
    }

    /// The policy as it is written.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Drop => "drop",
            Self::Fail => "fail",
        }
    }
}
