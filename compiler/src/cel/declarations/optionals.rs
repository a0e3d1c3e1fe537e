//! Values that may be absent.

use super::{Function, Library, Overload, Shape, function, global, member};
use crate::cel::failure::Failure;

/// Making and reading optional values.
pub(super) const LIBRARY: Library = Library {
    name: "optionals",
    functions: LIBRARY_FUNCTIONS,
};

const LIBRARY_FUNCTIONS: &[Function] = &[
    function(
        "optional.of",
        "an optional that holds the value",
        "optional.of(1).hasValue()",
        &[global(
            Overload::OptionalOf,
            &[Shape::A],
            Shape::Optional(&Shape::A),
        )],
    ),
    function(
        "optional.ofNonZeroValue",
        "an optional that holds the value unless it is zero, empty or null",
        "!optional.ofNonZeroValue(0).hasValue()",
        &[global(
            Overload::OptionalOfNonZero,
            &[Shape::A],
            Shape::Optional(&Shape::A),
        )],
    ),
    function(
        "optional.none",
        "an optional without a value",
        "optional.none() == optional.none()",
        &[global(
            Overload::OptionalNone,
            &[],
            Shape::Optional(&Shape::A),
        )],
    ),
    function(
        "optional.unwrap",
        "the values of the optionals that have one",
        "optional.unwrap([optional.of(1), optional.none()]) == [1]",
        &[global(
            Overload::OptionalUnwrap,
            &[Shape::List(&Shape::Optional(&Shape::A))],
            Shape::List(&Shape::A),
        )],
    ),
    function(
        "unwrapOpt",
        "the values of the optionals that have one",
        "[optional.of(1), optional.none()].unwrapOpt() == [1]",
        &[member(
            Overload::UnwrapOptionals,
            &[Shape::List(&Shape::Optional(&Shape::A))],
            Shape::List(&Shape::A),
        )],
    ),
    function(
        "value",
        "the value, which must be there",
        "optional.of(1).value() == 1",
        &[member(
            Overload::OptionalValue,
            &[Shape::Optional(&Shape::A)],
            Shape::A,
        )
        .fails(Failure::EmptyOptional)],
    ),
    function(
        "hasValue",
        "whether there is a value",
        "optional.of(1).hasValue()",
        &[member(
            Overload::OptionalHasValue,
            &[Shape::Optional(&Shape::A)],
            Shape::Bool,
        )],
    ),
    function(
        "or",
        "the optional when it has a value, else the other",
        "optional.none().or(optional.of(1)) == optional.of(1)",
        &[member(
            Overload::OptionalOr,
            &[Shape::Optional(&Shape::A), Shape::Optional(&Shape::A)],
            Shape::Optional(&Shape::A),
        )],
    ),
    function(
        "orValue",
        "the value when there is one, else the other",
        "optional.none().orValue(1) == 1",
        &[member(
            Overload::OptionalOrValue,
            &[Shape::Optional(&Shape::A), Shape::A],
            Shape::A,
        )],
    ),
    function(
        "first",
        "the first element when there is one",
        "[1, 2].first().orValue(0) == 1",
        &[member(
            Overload::ListFirst,
            &[Shape::List(&Shape::A)],
            Shape::Optional(&Shape::A),
        )],
    ),
    function(
        "last",
        "the last element when there is one",
        "[1, 2].last().orValue(0) == 2",
        &[member(
            Overload::ListLast,
            &[Shape::List(&Shape::A)],
            Shape::Optional(&Shape::A),
        )],
    ),
];
