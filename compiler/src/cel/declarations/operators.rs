//! Operators on values: arithmetic, comparison, negation.

use super::{Function, Library, Overload, Shape, function, global};
use crate::cel::failure::Failure;

/// Arithmetic and comparisons.
pub(super) const LIBRARY: Library = Library {
    name: "operators",
    functions: LIBRARY_FUNCTIONS,
};

const LIBRARY_FUNCTIONS: &[Function] = &[
    function(
        "_+_",
        "the sum, or both joined",
        "1 + 2 == 3 && \"a\" + \"b\" == \"ab\"",
        &[
            global(
                Overload::AddBytes,
                &[Shape::Bytes, Shape::Bytes],
                Shape::Bytes,
            ),
            global(
                Overload::AddDouble,
                &[Shape::Double, Shape::Double],
                Shape::Double,
            ),
            global(
                Overload::AddDurationDuration,
                &[Shape::Duration, Shape::Duration],
                Shape::Duration,
            )
            .fails(Failure::Overflow),
            global(
                Overload::AddDurationTimestamp,
                &[Shape::Duration, Shape::Timestamp],
                Shape::Timestamp,
            )
            .fails(Failure::Overflow),
            global(
                Overload::AddTimestampDuration,
                &[Shape::Timestamp, Shape::Duration],
                Shape::Timestamp,
            )
            .fails(Failure::Overflow),
            global(Overload::AddInt, &[Shape::Int, Shape::Int], Shape::Int)
                .fails(Failure::Overflow),
            global(
                Overload::AddList,
                &[Shape::List(&Shape::A), Shape::List(&Shape::A)],
                Shape::List(&Shape::A),
            ),
            global(
                Overload::AddString,
                &[Shape::String, Shape::String],
                Shape::String,
            ),
            global(Overload::AddUint, &[Shape::Uint, Shape::Uint], Shape::Uint)
                .fails(Failure::Overflow),
        ],
    ),
    function(
        "_-_",
        "the difference",
        "3 - 2 == 1",
        &[
            global(
                Overload::SubtractDouble,
                &[Shape::Double, Shape::Double],
                Shape::Double,
            ),
            global(
                Overload::SubtractDurationDuration,
                &[Shape::Duration, Shape::Duration],
                Shape::Duration,
            )
            .fails(Failure::Overflow),
            global(Overload::SubtractInt, &[Shape::Int, Shape::Int], Shape::Int)
                .fails(Failure::Overflow),
            global(
                Overload::SubtractTimestampDuration,
                &[Shape::Timestamp, Shape::Duration],
                Shape::Timestamp,
            )
            .fails(Failure::Overflow),
            global(
                Overload::SubtractTimestampTimestamp,
                &[Shape::Timestamp, Shape::Timestamp],
                Shape::Duration,
            )
            .fails(Failure::Overflow),
            global(
                Overload::SubtractUint,
                &[Shape::Uint, Shape::Uint],
                Shape::Uint,
            )
            .fails(Failure::Overflow),
        ],
    ),
    function(
        "_*_",
        "the product",
        "3 * 2 == 6",
        &[
            global(
                Overload::MultiplyDouble,
                &[Shape::Double, Shape::Double],
                Shape::Double,
            ),
            global(Overload::MultiplyInt, &[Shape::Int, Shape::Int], Shape::Int)
                .fails(Failure::Overflow),
            global(
                Overload::MultiplyUint,
                &[Shape::Uint, Shape::Uint],
                Shape::Uint,
            )
            .fails(Failure::Overflow),
        ],
    ),
    function(
        "_/_",
        "the quotient; whole numbers are cut towards zero",
        "7 / 2 == 3 && 7.0 / 2.0 == 3.5",
        &[
            global(
                Overload::DivideDouble,
                &[Shape::Double, Shape::Double],
                Shape::Double,
            ),
            global(Overload::DivideInt, &[Shape::Int, Shape::Int], Shape::Int)
                .fails(Failure::DivisionByZero)
                .fails(Failure::Overflow),
            global(
                Overload::DivideUint,
                &[Shape::Uint, Shape::Uint],
                Shape::Uint,
            )
            .fails(Failure::DivisionByZero),
        ],
    ),
    function(
        "_%_",
        "the remainder, with the sign of the first number",
        "-7 % 2 == -1",
        &[
            global(
                Overload::RemainderInt,
                &[Shape::Int, Shape::Int],
                Shape::Int,
            )
            .fails(Failure::DivisionByZero)
            .fails(Failure::Overflow),
            global(
                Overload::RemainderUint,
                &[Shape::Uint, Shape::Uint],
                Shape::Uint,
            )
            .fails(Failure::DivisionByZero),
        ],
    ),
    function(
        "-_",
        "the number with the other sign",
        "-(1 + 2) == -3",
        &[
            global(Overload::NegateDouble, &[Shape::Double], Shape::Double),
            global(Overload::NegateInt, &[Shape::Int], Shape::Int).fails(Failure::Overflow),
        ],
    ),
    function(
        "!_",
        "the other truth value",
        "!false",
        &[global(Overload::Not, &[Shape::Bool], Shape::Bool)],
    ),
    function(
        "_==_",
        "whether both are equal; numbers of any kind by value",
        "[1, 2] == [1, 2]",
        &[global(Overload::Equals, &[Shape::A, Shape::A], Shape::Bool)],
    ),
    function(
        "_!=_",
        "whether both differ",
        "\"a\" != \"b\"",
        &[global(
            Overload::NotEquals,
            &[Shape::A, Shape::A],
            Shape::Bool,
        )],
    ),
    function(
        "_<_",
        "whether the first comes before the second",
        "1 < 2 && \"a\" < \"b\"",
        &[
            global(Overload::LessBool, &[Shape::Bool, Shape::Bool], Shape::Bool),
            global(Overload::LessInt, &[Shape::Int, Shape::Int], Shape::Bool),
            global(Overload::LessUint, &[Shape::Uint, Shape::Uint], Shape::Bool),
            global(
                Overload::LessDouble,
                &[Shape::Double, Shape::Double],
                Shape::Bool,
            ),
            global(
                Overload::LessString,
                &[Shape::String, Shape::String],
                Shape::Bool,
            ),
            global(
                Overload::LessBytes,
                &[Shape::Bytes, Shape::Bytes],
                Shape::Bool,
            ),
            global(
                Overload::LessTimestamp,
                &[Shape::Timestamp, Shape::Timestamp],
                Shape::Bool,
            ),
            global(
                Overload::LessDuration,
                &[Shape::Duration, Shape::Duration],
                Shape::Bool,
            ),
        ],
    ),
    function(
        "_<=_",
        "whether the first does not come after the second",
        "2 <= 2",
        &[
            global(
                Overload::LessEqualsBool,
                &[Shape::Bool, Shape::Bool],
                Shape::Bool,
            ),
            global(
                Overload::LessEqualsInt,
                &[Shape::Int, Shape::Int],
                Shape::Bool,
            ),
            global(
                Overload::LessEqualsUint,
                &[Shape::Uint, Shape::Uint],
                Shape::Bool,
            ),
            global(
                Overload::LessEqualsDouble,
                &[Shape::Double, Shape::Double],
                Shape::Bool,
            ),
            global(
                Overload::LessEqualsString,
                &[Shape::String, Shape::String],
                Shape::Bool,
            ),
            global(
                Overload::LessEqualsBytes,
                &[Shape::Bytes, Shape::Bytes],
                Shape::Bool,
            ),
            global(
                Overload::LessEqualsTimestamp,
                &[Shape::Timestamp, Shape::Timestamp],
                Shape::Bool,
            ),
            global(
                Overload::LessEqualsDuration,
                &[Shape::Duration, Shape::Duration],
                Shape::Bool,
            ),
        ],
    ),
    function(
        "_>_",
        "whether the first comes after the second",
        "3 > 2",
        &[
            global(
                Overload::GreaterBool,
                &[Shape::Bool, Shape::Bool],
                Shape::Bool,
            ),
            global(Overload::GreaterInt, &[Shape::Int, Shape::Int], Shape::Bool),
            global(
                Overload::GreaterUint,
                &[Shape::Uint, Shape::Uint],
                Shape::Bool,
            ),
            global(
                Overload::GreaterDouble,
                &[Shape::Double, Shape::Double],
                Shape::Bool,
            ),
            global(
                Overload::GreaterString,
                &[Shape::String, Shape::String],
                Shape::Bool,
            ),
            global(
                Overload::GreaterBytes,
                &[Shape::Bytes, Shape::Bytes],
                Shape::Bool,
            ),
            global(
                Overload::GreaterTimestamp,
                &[Shape::Timestamp, Shape::Timestamp],
                Shape::Bool,
            ),
            global(
                Overload::GreaterDuration,
                &[Shape::Duration, Shape::Duration],
                Shape::Bool,
            ),
        ],
    ),
    function(
        "_>=_",
        "whether the first does not come before the second",
        "2 >= 2",
        &[
            global(
                Overload::GreaterEqualsBool,
                &[Shape::Bool, Shape::Bool],
                Shape::Bool,
            ),
            global(
                Overload::GreaterEqualsInt,
                &[Shape::Int, Shape::Int],
                Shape::Bool,
            ),
            global(
                Overload::GreaterEqualsUint,
                &[Shape::Uint, Shape::Uint],
                Shape::Bool,
            ),
            global(
                Overload::GreaterEqualsDouble,
                &[Shape::Double, Shape::Double],
                Shape::Bool,
            ),
            global(
                Overload::GreaterEqualsString,
                &[Shape::String, Shape::String],
                Shape::Bool,
            ),
            global(
                Overload::GreaterEqualsBytes,
                &[Shape::Bytes, Shape::Bytes],
                Shape::Bool,
            ),
            global(
                Overload::GreaterEqualsTimestamp,
                &[Shape::Timestamp, Shape::Timestamp],
                Shape::Bool,
            ),
            global(
                Overload::GreaterEqualsDuration,
                &[Shape::Duration, Shape::Duration],
                Shape::Bool,
            ),
        ],
    ),
];
