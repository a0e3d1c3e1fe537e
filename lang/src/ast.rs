//! The syntax tree: what the parser makes of a text, before any name means anything.
//!
//! In: text (`crate::parse`). Out: [`File`], which the resolver of `watershed-compiler` reads. Everything that
//! was written is kept: comments and blank lines as [`Trivia`] beside the tree, forms that mean the same as
//! different nodes only where a formatter must tell them apart. What could not be parsed is a diagnostic and an
//! [`ItemKind::Error`] or [`ExprKind::Error`] node, so later phases go on with the rest.

pub mod dump;
mod template;

use serde::Serialize;

use crate::span::{Name, Span};

pub use template::{ForItem, Parameter, TableRef, TemplateItem};

/// One `.flow` file or the body of one `pipeline!`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct File {
    /// Declarations and chains, in the order of the text.
    pub items: Vec<Item>,
    /// Comments and blank lines, in the order of the text.
    pub trivia: Vec<Trivia>,
}

/// A comment or a blank line: nothing to the compiler, something to the reader.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Trivia {
    /// Which of them.
    pub kind: TriviaKind,
    /// Where it stands, delimiters included.
    pub span: Span,
}

/// The kinds of [`Trivia`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum TriviaKind {
    /// `// …`
    LineComment,
    /// `/* … */`
    BlockComment,
    /// One or more empty lines.
    BlankLine,
}

/// A declaration or a chain, with the doc comment before it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Item {
    /// The lines of the `///` comment, without the slashes and one leading space.
    pub docs: Vec<Name>,
    /// What it is.
    pub kind: ItemKind,
    /// From the first token of the item to its `;`, docs left out.
    pub span: Span,
}

/// The kinds of items.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum ItemKind {
    /// `config name: type = default;`
    Config(ConfigItem),
    /// `const name = expression;`
    Const(ConstItem),
    /// `predicate name = expression;`
    Predicate(PredicateItem),
    /// `connection name = kind { … };`
    Connection(NodeItem),
    /// `source name: Type = kind { … };`
    Source(NodeItem),
    /// `sink name = kind { … };`
    Sink(NodeItem),
    /// `stage name = batch(…);`
    Stage(StageItem),
    /// `head -> step -> step;`
    Chain(Chain),
    /// `template name(parameter: type) { … }`
    Template(TemplateItem),
    /// `for row in table { … }`
    For(ForItem),
    /// `name(argument, argument);`: one instance of a template.
    Use(StageCall),
    /// An item of the language that this version does not compile yet, by its keyword (`function`, `observe` …).
    Unsupported(Name),
    /// Text that is no item; its diagnostic has been reported.
    Error,
}

/// `config nats_url: string = "nats://127.0.0.1:4222";`
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConfigItem {
    /// The name, also of the builder method and the environment variable.
    pub name: Name,
    /// `string`, `int`, `double`, `bool`, `duration`, `bytes` (a size), `secret`.
    pub ty: Name,
    /// What it is when nothing else says it.
    pub default: Option<Expr>,
}

/// `const noisy = ["healthz", "readyz"];`
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConstItem {
    /// The name.
    pub name: Name,
    /// The value, which reads nothing but other constants.
    pub value: Expr,
}

/// `predicate prod = resource.attributes["deployment.environment"] == "prod";`
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PredicateItem {
    /// The name.
    pub name: Name,
    /// The condition.
    pub value: Expr,
}

/// A connection, source or sink: a name, a connector kind and its options.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NodeItem {
    /// The name.
    pub name: Name,
    /// The declared type of a source of events (`source orders: Order = …`).
    pub ty: Option<Name>,
    /// The connector kind, such as `otlp`.
    pub kind: Name,
    /// Its options; `None` when no braces were written.
    pub options: Option<OptionBlock>,
}

/// `{ name: value, name: value }`
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OptionBlock {
    /// The options, in the order of the text.
    pub options: Vec<OptionItem>,
    /// From `{` to `}`.
    pub span: Span,
}

/// One `name: value`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OptionItem {
    /// The option's name.
    pub name: Name,
    /// Its value.
    pub value: OptionValue,
}

/// What an option can be.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum OptionValue {
    /// An expression (a bare word such as `otlp_json` is an identifier).
    Expr(Expr),
    /// A block of its own.
    Block(OptionBlock),
}

/// `stage hot = batch(max_records: 1000);`
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StageItem {
    /// The name.
    pub name: Name,
    /// What it stands for.
    pub call: StageCall,
}

/// A stage with its arguments: `filter(prod)`, `batch(max_records: 1000, timeout: 10ms)`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StageCall {
    /// The stage kind.
    pub kind: Name,
    /// The arguments, in the order of the text.
    pub args: Vec<Arg>,
    /// From the kind to `)`.
    pub span: Span,
}

/// An argument of a stage, with or without a name.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Arg {
    /// The name before the colon.
    pub name: Option<Name>,
    /// The value.
    pub value: Expr,
}

/// `ingest.logs -> filter(prod) -> [a, b];`
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Chain {
    /// Where the data comes from: one edge, or several in brackets.
    pub heads: Vec<Edge>,
    /// Whether the heads stood in brackets.
    pub bracketed: bool,
    /// What happens to it.
    pub steps: Vec<Step>,
}

/// A source and, where one is named, its signal: `ingest`, `ingest.logs`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Edge {
    /// The source's name.
    pub source: Name,
    /// `logs`, `metrics` or `traces`.
    pub signal: Option<Name>,
    /// Both together.
    pub span: Span,
}

/// One step of a chain.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Step {
    /// What it is.
    pub kind: StepKind,
    /// Where it stands, the arrow before it left out.
    pub span: Span,
}

/// The kinds of steps.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum StepKind {
    /// A sink or a named stage.
    Name(Name),
    /// A stage with its arguments.
    Call(StageCall),
    /// `[a, b -> c]`: every branch gets all of it.
    FanOut(Vec<Branch>),
    /// `route { p => chain, else => chain }`: the first arm that is true.
    Route(Vec<Arm>),
    /// `split { p => chain }`: every arm that is true.
    Split(Vec<Arm>),
    /// Text that is no step; its diagnostic has been reported.
    Error,
}

/// A chain without a head, inside a fan-out or an arm.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Branch {
    /// Its steps; at least one.
    pub steps: Vec<Step>,
    /// From the first step to the last.
    pub span: Span,
}

/// `p => chain` or `else => chain`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Arm {
    /// The condition; `None` for `else`.
    pub condition: Option<Expr>,
    /// Where the condition, or `else`, stands.
    pub head: Span,
    /// Where the data goes.
    pub branch: Branch,
}

/// A CEL expression.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands, parentheses around it left out.
    pub span: Span,
}

/// The kinds of expressions. Chains that could be long are lists, so that no later phase recurses once a link.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum ExprKind {
    /// A literal.
    Literal(Literal),
    /// A name, with or without the leading dot that means the root scope.
    Ident {
        /// The name.
        name: String,
        /// Whether it was written `.name`.
        leading_dot: bool,
    },
    /// `operand.field`, `operand.?field`, or with a backticked field.
    Select {
        /// What the field is taken of.
        operand: Box<Expr>,
        /// The field's name, backticks removed.
        field: Name,
        /// Whether it was written `.?`.
        optional: bool,
        /// Whether the field stood in backticks.
        backticked: bool,
    },
    /// `operand[index]` or `operand[?index]`.
    Index {
        /// What is indexed.
        operand: Box<Expr>,
        /// The key or position.
        index: Box<Expr>,
        /// Whether it was written `[?…]`.
        optional: bool,
    },
    /// `function(args)` or `receiver.function(args)`; macros such as `has` too.
    Call {
        /// What stood before the dot. A qualified name (`math.greatest`) is a receiver too; the resolver decides.
        receiver: Option<Box<Expr>>,
        /// The function's name.
        function: Name,
        /// Whether a global function was written `.function(…)`.
        leading_dot: bool,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// `!x`, `!!x`.
    Not {
        /// How many `!` were written.
        times: u32,
        /// What they apply to.
        operand: Box<Expr>,
    },
    /// `-x`, `--x`.
    Negate {
        /// How many `-` were written.
        times: u32,
        /// What they apply to.
        operand: Box<Expr>,
    },
    /// `left op right` for arithmetic and relations.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// Where the operator stands.
        op_span: Span,
        /// The left operand.
        left: Box<Expr>,
        /// The right operand.
        right: Box<Expr>,
    },
    /// `a && b && c`; two operands at least.
    And(Vec<Expr>),
    /// `a || b || c`; two operands at least.
    Or(Vec<Expr>),
    /// `c1 ? a1 : c2 ? a2 : otherwise`.
    Conditional {
        /// Conditions and their values, one at least.
        arms: Vec<(Expr, Expr)>,
        /// The value when no condition holds.
        otherwise: Box<Expr>,
    },
    /// `[a, ?b]`
    List(Vec<ListElement>),
    /// `{k: v, ?k: v}`
    Map(Vec<MapEntry>),
    /// `Quote{field: value}`
    Record {
        /// The type's name, its dots included.
        name: Name,
        /// The fields.
        fields: Vec<RecordField>,
    },
    /// Text that is no expression; its diagnostic has been reported.
    Error,
}

/// An element of a list literal.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ListElement {
    /// Whether it was written `?element`.
    pub optional: bool,
    /// The element.
    pub value: Expr,
}

/// An entry of a map literal.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MapEntry {
    /// Whether it was written `?key: value`.
    pub optional: bool,
    /// The key.
    pub key: Expr,
    /// The value.
    pub value: Expr,
}

/// A field of a record literal.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RecordField {
    /// Whether it was written `?field: value`.
    pub optional: bool,
    /// The field.
    pub name: Name,
    /// The value.
    pub value: Expr,
}

/// Binary operators that are not `&&` and `||`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum BinaryOp {
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
    /// `in`
    In,
}

impl BinaryOp {
    /// The operator as it is written.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::In => "in",
        }
    }
}

/// A literal with its value; escapes are resolved.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Literal {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// `42`, `0x2A`; a sign directly before it is part of it, so `-9223372036854775808` is one literal.
    Int(i64),
    /// `42u`
    Uint(u64),
    /// `4.2`
    Double(f64),
    /// `"text"`, raw and triple-quoted forms too.
    String(String),
    /// `b"bytes"`
    Bytes(Vec<u8>),
    /// `10ms`, in nanoseconds.
    Duration(i64),
    /// `64MiB`, in bytes.
    Size(u64),
}

impl ExprKind {
    /// The expressions directly below this one, in the order of the text.
    #[must_use]
    pub fn children(&self) -> Vec<&Expr> {
        match self {
            Self::Literal(_) | Self::Ident { .. } | Self::Error => Vec::new(),
            Self::Select { operand, .. }
            | Self::Not { operand, .. }
            | Self::Negate { operand, .. } => vec![operand],
            Self::Index { operand, index, .. } => vec![operand, index],
            Self::Call { receiver, args, .. } => {
                receiver.iter().map(Box::as_ref).chain(args).collect()
            }
            Self::Binary { left, right, .. } => vec![left, right],
            Self::And(operands) | Self::Or(operands) => operands.iter().collect(),
            Self::Conditional { arms, otherwise } => arms
                .iter()
                .flat_map(|(condition, value)| [condition, value])
                .chain([otherwise.as_ref()])
                .collect(),
            Self::List(elements) => elements.iter().map(|element| &element.value).collect(),
            Self::Map(entries) => entries
                .iter()
                .flat_map(|entry| [&entry.key, &entry.value])
                .collect(),
            Self::Record { fields, .. } => fields.iter().map(|field| &field.value).collect(),
        }
    }
}
