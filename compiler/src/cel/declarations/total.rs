//! Values with a default for what is absent and for what is of another type: they cannot fail.

use super::{Function, Library, Overload, Shape, function, member};

/// `orString` and its kin, which CEL itself does not have.
pub(super) const LIBRARY: Library = Library {
    name: "total look-ups",
    functions: LIBRARY_FUNCTIONS,
};

const LIBRARY_FUNCTIONS: &[Function] = &[
    function(
        "orString",
        "the value when it is there and a text, else the other",
        "{\"a\": dyn(1)}[?\"a\"].orString(\"d\") == \"d\"",
        &[member(
            Overload::OrString,
            &[Shape::A, Shape::String],
            Shape::String,
        )],
    ),
    function(
        "orInt",
        "the value when it is there and a int, else the other",
        "{\"a\": dyn(1)}[?\"a\"].orInt(2) == 1",
        &[member(Overload::OrInt, &[Shape::A, Shape::Int], Shape::Int)],
    ),
    function(
        "orUint",
        "the value when it is there and a uint, else the other",
        "{\"a\": dyn(1u)}[?\"a\"].orUint(2u) == 1u",
        &[member(
            Overload::OrUint,
            &[Shape::A, Shape::Uint],
            Shape::Uint,
        )],
    ),
    function(
        "orDouble",
        "the value when it is there and a double, else the other",
        "{\"a\": dyn(1.5)}[?\"b\"].orDouble(0.0) == 0.0",
        &[member(
            Overload::OrDouble,
            &[Shape::A, Shape::Double],
            Shape::Double,
        )],
    ),
    function(
        "orBool",
        "the value when it is there and a bool, else the other",
        "{\"a\": dyn(true)}[?\"a\"].orBool(false)",
        &[member(
            Overload::OrBool,
            &[Shape::A, Shape::Bool],
            Shape::Bool,
        )],
    ),
];
