//! Values with a default for what is absent, for what is of another type and for what fails: they cannot fail.

use super::{Function, Library, Overload, Shape, function, member};

/// `orString` and its kin, which CEL itself does not have.
pub(super) const LIBRARY: Library = Library {
    name: "total look-ups",
    functions: LIBRARY_FUNCTIONS,
};

const LIBRARY_FUNCTIONS: &[Function] = &[
    function(
        "orString",
        "the value when there is one and it is a text, else the other",
        "{\"a\": dyn(1)}[?\"a\"].orString(\"d\") == \"d\"",
        &[member(
            Overload::OrString,
            &[Shape::Optional(&Shape::A), Shape::String],
            Shape::String,
        )],
    ),
    function(
        "orInt",
        "the value when there is one and it is an int, else the other",
        "{\"a\": dyn(1)}[?\"a\"].orInt(2) == 1",
        &[member(
            Overload::OrInt,
            &[Shape::Optional(&Shape::A), Shape::Int],
            Shape::Int,
        )],
    ),
    function(
        "orUint",
        "the value when there is one and it is a uint, else the other",
        "{\"a\": dyn(1u)}[?\"a\"].orUint(2u) == 1u",
        &[member(
            Overload::OrUint,
            &[Shape::Optional(&Shape::A), Shape::Uint],
            Shape::Uint,
        )],
    ),
    function(
        "orDouble",
        "the value when there is one and it is a double, else the other",
        "{\"a\": dyn(1.5)}[?\"b\"].orDouble(0.0) == 0.0",
        &[member(
            Overload::OrDouble,
            &[Shape::Optional(&Shape::A), Shape::Double],
            Shape::Double,
        )],
    ),
    function(
        "orBool",
        "the value when there is one and it is a bool, else the other",
        "{\"a\": dyn(true)}[?\"a\"].orBool(false)",
        &[member(
            Overload::OrBool,
            &[Shape::Optional(&Shape::A), Shape::Bool],
            Shape::Bool,
        )],
    ),
];
