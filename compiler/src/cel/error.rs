//! Mistakes in expressions, as data. The words are made in [`text`](self) beside it.

mod text;

use watershed_lang::span::{Name, Span};

use super::environment::Record;
use super::mend::{Mend, MendKind};
use super::types::Type;

pub(crate) use text::mended;

/// What is wrong with an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum CheckError {
    /// A name that is not declared.
    UnknownName {
        /// The name.
        name: Name,
        /// The field of a record that has this name: `log.body`.
        field: Option<String>,
        /// The names that are.
        candidates: Vec<String>,
    },
    /// A field that a record does not have.
    UnknownField {
        /// The record.
        record: String,
        /// The field.
        field: Name,
        /// How an attribute of this name is read, behind the record and a dot: `attributes["team"]`.
        attribute: Option<String>,
        /// The fields that it has.
        candidates: Vec<String>,
    },
    /// A function that does not exist.
    UnknownFunction {
        /// Its name.
        name: Name,
        /// The functions that do.
        candidates: Vec<String>,
    },
    /// A macro with a wrong number of arguments.
    MacroArguments {
        /// The macro.
        name: Name,
        /// How many it takes and what they are, in words.
        wanted: &'static str,
        /// How many it got.
        given: usize,
    },
    /// A function that is only called on a value, called without one; or the other way round.
    WrongStyle {
        /// Its name.
        name: Name,
        /// Whether a value must stand before it.
        needs_receiver: bool,
        /// How to call it.
        mend: Option<Mend>,
    },
    /// A function with too many or too few arguments.
    WrongArity {
        /// Its name in the tables.
        function: String,
        /// Whether a receiver stands before it, which does not count.
        member: bool,
        /// Where its name stands.
        span: Span,
        /// How many it got.
        given: usize,
        /// The types that it takes, the receiver first.
        accepted: Vec<Vec<Type>>,
    },
    /// A field of something that has none.
    NotSelectable {
        /// Its type.
        ty: Type,
        /// The field.
        field: Name,
        /// What the field is taken of.
        span: Span,
    },
    /// An operator or function that does not take these types.
    NoOverload {
        /// Its name in the tables: `_+_`, `startsWith`.
        function: String,
        /// Whether a receiver stands before it; then the first of `args` is the receiver.
        member: bool,
        /// Where the operator or the name of the function stands.
        span: Span,
        /// The types that it got, with their places.
        args: Vec<(Type, Span)>,
        /// The types that it takes.
        accepted: Vec<Vec<Type>>,
        /// What would mend it.
        mend: Option<Mend>,
    },
    /// A condition that is not a `bool`.
    NotBool {
        /// The operator or the place that wants one.
        place: &'static str,
        /// The type.
        ty: Type,
        /// The condition.
        span: Span,
        /// How to make a `bool` of it.
        mend: Option<Mend>,
    },
    /// Something that is no number among the arguments of `math.greatest` or `math.least`.
    NotNumeric {
        /// Which of them.
        function: &'static str,
        /// The type.
        ty: Type,
        /// The argument.
        span: Span,
    },
    /// Values of a conditional that have no common type.
    ConditionalTypes {
        /// The type of an earlier value and its place.
        first: (Type, Span),
        /// The type of the values behind it and the place of the last.
        second: (Type, Span),
    },
    /// Something that is no optional where one is needed.
    NotOptional {
        /// The type.
        ty: Type,
        /// Where it stands.
        span: Span,
    },
    /// A macro over something that is neither list nor map.
    NotIterable {
        /// The type.
        ty: Type,
        /// What it goes through.
        span: Span,
    },
    /// The body of `transformMapEntry` that is no map, or the key of `sortBy` that has no order.
    LoopBody {
        /// Whether it is `sortBy`.
        sorts: bool,
        /// The type.
        ty: Type,
        /// The body.
        span: Span,
    },
    /// The variable of a macro that is not a plain name.
    MacroVariable {
        /// What stands there.
        span: Span,
    },
    /// `has` of something that is no field.
    HasArgument {
        /// Whether it is `m["k"]`, which CEL writes otherwise.
        indexed: bool,
        /// What stands there.
        span: Span,
        /// How to ask for the key.
        mend: Option<Mend>,
    },
    /// `cel.index`, `cel.iterVar` or `cel.accuVar` without the numbers that they need.
    GeneratedName {
        /// The call.
        span: Span,
    },
    /// `cel.index` and its kin where nothing has been bound to it.
    UnboundGenerated {
        /// Which of them.
        function: String,
        /// The call.
        span: Span,
    },
    /// `cel.block` whose first argument is not a list literal.
    BlockBindings {
        /// What stands there.
        span: Span,
    },
    /// A field of a record literal with a value of another type.
    FieldType {
        /// The field.
        field: Name,
        /// Its type.
        wanted: Type,
        /// The type of the value.
        found: Type,
        /// The value.
        span: Span,
    },
    /// Something that only protobuf messages have.
    NeedsProtobuf {
        /// What was written.
        what: String,
        /// Where.
        span: Span,
    },
    /// A record that is read in place, used whole.
    RecordAlone {
        /// The record.
        record: String,
        /// Its fields.
        fields: Vec<String>,
        /// Where it stands.
        span: Span,
        /// Its attributes, where keys are looked for in it.
        mend: Option<Mend>,
    },
    /// A list of records that are read in place, or one taken out of it, where a value is wanted.
    ListAlone {
        /// Where it stands.
        span: Span,
    },
    /// A regular expression that is malformed or that RE2 refuses.
    InvalidRegex {
        /// What is wrong, behind "the regular expression".
        reason: String,
        /// The pattern.
        span: Span,
        /// The place of the fault in it, where that is known.
        fault: Option<Span>,
    },
    /// A type with too many parts.
    TypeTooLarge {
        /// The expression.
        span: Span,
    },
}

impl CheckError {
    /// A record that is read in place, used whole; with `keyed`, as if it had keys.
    pub(super) fn record_alone(name: &str, record: &Record, span: Span, keyed: bool) -> Self {
        let has_attributes = matches!(
            record.fields.get(ATTRIBUTES).map(|field| &field.ty),
            Some(Type::Map(..))
        );
        let mend = (keyed && has_attributes).then(|| Mend {
            span,
            text: format!("{name}.{ATTRIBUTES}"),
            kind: MendKind::Attributes,
        });
        let fields = record.fields.keys();
        Self::RecordAlone {
            record: name.to_owned(),
            fields: fields.map(|field| format!("{name}.{field}")).collect(),
            span,
            mend,
        }
    }
}

/// The field in which telemetry keeps what has no field of its own.
pub(super) const ATTRIBUTES: &str = "attributes";
