//! The ids of a resolved program. Phases after the resolver keep ids and never names.

use crate::arena::{Id, ids};

ids! {
    /// An expression.
    ExprId = "e";
    /// A `config`.
    ConfigId = "config#";
    /// A `const`.
    ConstId = "const#";
    /// A `predicate`.
    PredicateId = "predicate#";
    /// A `connection`.
    ConnectionId = "connection#";
    /// A `source`.
    SourceId = "source#";
    /// A `sink`.
    SinkId = "sink#";
    /// A `stage` with a name.
    StageId = "stage#";
    /// A `template`.
    TemplateId = "template#";
    /// A parameter of a template.
    ParameterId = "parameter#";
    /// The table of a `for`.
    TableId = "table#";
    /// A step of a chain, at any depth.
    StepId = "s";
}
