//! Mistakes in expressions, as data. The words are made in [`text`](self) beside it.

mod text;

use watershed_lang::span::{Name, Span};

use super::types::Type;

/// A conversion that would make a call fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Conversion {
    /// The argument.
    pub span: Span,
    /// Its type.
    pub from: Type,
    /// The type that it should have.
    pub to: Type,
    /// What to write in its place.
    pub text: String,
}

/// What is wrong with an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum CheckError {
    /// A name that is not declared.
    UnknownName {
        /// The name.
        name: Name,
        /// The names that are.
        candidates: Vec<String>,
    },
    /// A field that a record does not have.
    UnknownField {
        /// The record.
        record: String,
        /// The field.
        field: Name,
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
        /// How many it takes, in words.
        wanted: &'static str,
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
        conversion: Option<Conversion>,
    },
    /// A condition that is not a `bool`.
    NotBool {
        /// The operator or the place that wants one.
        place: &'static str,
        /// The type.
        ty: Type,
        /// The condition.
        span: Span,
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
        /// The whole conditional.
        span: Span,
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
    },
    /// A regular expression that is malformed or that RE2 refuses.
    InvalidRegex {
        /// What is wrong, behind "the regular expression".
        reason: String,
        /// The pattern.
        span: Span,
    },
    /// A type with too many parts.
    TypeTooLarge {
        /// The expression.
        span: Span,
    },
}
