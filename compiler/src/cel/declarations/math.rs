//! Numbers beyond arithmetic.

use super::{Function, Library, Overload, Shape, function, global};
use crate::cel::failure::Failure;

/// More functions on numbers.
pub(super) const LIBRARY: Library = Library {
    name: "math extension",
    functions: LIBRARY_FUNCTIONS,
};

const LIBRARY_FUNCTIONS: &[Function] = &[
    function(
        "math.greatest",
        "the greatest of the numbers, or of the numbers of a list",
        "math.greatest(1, 3, 2) == 3",
        &[
            global(Overload::GreatestDouble, &[Shape::Double], Shape::Double),
            global(Overload::GreatestInt, &[Shape::Int], Shape::Int),
            global(Overload::GreatestUint, &[Shape::Uint], Shape::Uint),
            global(
                Overload::GreatestDoubleDouble,
                &[Shape::Double, Shape::Double],
                Shape::Double,
            ),
            global(
                Overload::GreatestDoubleInt,
                &[Shape::Double, Shape::Int],
                Shape::Dyn,
            ),
            global(
                Overload::GreatestDoubleUint,
                &[Shape::Double, Shape::Uint],
                Shape::Dyn,
            ),
            global(
                Overload::GreatestIntDouble,
                &[Shape::Int, Shape::Double],
                Shape::Dyn,
            ),
            global(
                Overload::GreatestIntInt,
                &[Shape::Int, Shape::Int],
                Shape::Int,
            ),
            global(
                Overload::GreatestIntUint,
                &[Shape::Int, Shape::Uint],
                Shape::Dyn,
            ),
            global(
                Overload::GreatestUintDouble,
                &[Shape::Uint, Shape::Double],
                Shape::Dyn,
            ),
            global(
                Overload::GreatestUintInt,
                &[Shape::Uint, Shape::Int],
                Shape::Dyn,
            ),
            global(
                Overload::GreatestUintUint,
                &[Shape::Uint, Shape::Uint],
                Shape::Uint,
            ),
            global(
                Overload::GreatestListDouble,
                &[Shape::List(&Shape::Double)],
                Shape::Double,
            )
            .fails(Failure::InvalidArgument),
            global(
                Overload::GreatestListInt,
                &[Shape::List(&Shape::Int)],
                Shape::Int,
            )
            .fails(Failure::InvalidArgument),
            global(
                Overload::GreatestListUint,
                &[Shape::List(&Shape::Uint)],
                Shape::Uint,
            )
            .fails(Failure::InvalidArgument),
        ],
    ),
    function(
        "math.least",
        "the least of the numbers, or of the numbers of a list",
        "math.least(2, 1, 3) == 1",
        &[
            global(Overload::LeastDouble, &[Shape::Double], Shape::Double),
            global(Overload::LeastInt, &[Shape::Int], Shape::Int),
            global(Overload::LeastUint, &[Shape::Uint], Shape::Uint),
            global(
                Overload::LeastDoubleDouble,
                &[Shape::Double, Shape::Double],
                Shape::Double,
            ),
            global(
                Overload::LeastDoubleInt,
                &[Shape::Double, Shape::Int],
                Shape::Dyn,
            ),
            global(
                Overload::LeastDoubleUint,
                &[Shape::Double, Shape::Uint],
                Shape::Dyn,
            ),
            global(
                Overload::LeastIntDouble,
                &[Shape::Int, Shape::Double],
                Shape::Dyn,
            ),
            global(Overload::LeastIntInt, &[Shape::Int, Shape::Int], Shape::Int),
            global(
                Overload::LeastIntUint,
                &[Shape::Int, Shape::Uint],
                Shape::Dyn,
            ),
            global(
                Overload::LeastUintDouble,
                &[Shape::Uint, Shape::Double],
                Shape::Dyn,
            ),
            global(
                Overload::LeastUintInt,
                &[Shape::Uint, Shape::Int],
                Shape::Dyn,
            ),
            global(
                Overload::LeastUintUint,
                &[Shape::Uint, Shape::Uint],
                Shape::Uint,
            ),
            global(
                Overload::LeastListDouble,
                &[Shape::List(&Shape::Double)],
                Shape::Double,
            )
            .fails(Failure::InvalidArgument),
            global(
                Overload::LeastListInt,
                &[Shape::List(&Shape::Int)],
                Shape::Int,
            )
            .fails(Failure::InvalidArgument),
            global(
                Overload::LeastListUint,
                &[Shape::List(&Shape::Uint)],
                Shape::Uint,
            )
            .fails(Failure::InvalidArgument),
        ],
    ),
    function(
        "math.ceil",
        "the least whole number that is not below",
        "math.ceil(1.2) == 2.0",
        &[global(Overload::Ceil, &[Shape::Double], Shape::Double)],
    ),
    function(
        "math.floor",
        "the greatest whole number that is not above",
        "math.floor(1.8) == 1.0",
        &[global(Overload::Floor, &[Shape::Double], Shape::Double)],
    ),
    function(
        "math.round",
        "the nearest whole number, halves away from zero",
        "math.round(1.5) == 2.0",
        &[global(Overload::Round, &[Shape::Double], Shape::Double)],
    ),
    function(
        "math.trunc",
        "the number without its fraction",
        "math.trunc(-1.3) == -1.0",
        &[global(Overload::Trunc, &[Shape::Double], Shape::Double)],
    ),
    function(
        "math.sqrt",
        "the square root, NaN of a negative number",
        "math.sqrt(81.0) == 9.0",
        &[
            global(Overload::SqrtDouble, &[Shape::Double], Shape::Double),
            global(Overload::SqrtInt, &[Shape::Int], Shape::Double),
            global(Overload::SqrtUint, &[Shape::Uint], Shape::Double),
        ],
    ),
    function(
        "math.isInf",
        "whether it is infinite",
        "math.isInf(1.0 / 0.0)",
        &[global(Overload::IsInf, &[Shape::Double], Shape::Bool)],
    ),
    function(
        "math.isNaN",
        "whether it is not a number",
        "math.isNaN(0.0 / 0.0)",
        &[global(Overload::IsNan, &[Shape::Double], Shape::Bool)],
    ),
    function(
        "math.isFinite",
        "whether it is a finite number",
        "math.isFinite(1.2)",
        &[global(Overload::IsFinite, &[Shape::Double], Shape::Bool)],
    ),
    function(
        "math.abs",
        "the number without its sign",
        "math.abs(-1) == 1",
        &[
            global(Overload::AbsDouble, &[Shape::Double], Shape::Double),
            global(Overload::AbsInt, &[Shape::Int], Shape::Int).fails(Failure::Overflow),
            global(Overload::AbsUint, &[Shape::Uint], Shape::Uint),
        ],
    ),
    function(
        "math.sign",
        "-1, 0 or 1",
        "math.sign(-42) == -1",
        &[
            global(Overload::SignDouble, &[Shape::Double], Shape::Double),
            global(Overload::SignInt, &[Shape::Int], Shape::Int),
            global(Overload::SignUint, &[Shape::Uint], Shape::Uint),
        ],
    ),
    function(
        "math.bitAnd",
        "the bits that both have",
        "math.bitAnd(3, 5) == 1",
        &[
            global(Overload::BitAndInt, &[Shape::Int, Shape::Int], Shape::Int),
            global(
                Overload::BitAndUint,
                &[Shape::Uint, Shape::Uint],
                Shape::Uint,
            ),
        ],
    ),
    function(
        "math.bitOr",
        "the bits that either has",
        "math.bitOr(1, 2) == 3",
        &[
            global(Overload::BitOrInt, &[Shape::Int, Shape::Int], Shape::Int),
            global(
                Overload::BitOrUint,
                &[Shape::Uint, Shape::Uint],
                Shape::Uint,
            ),
        ],
    ),
    function(
        "math.bitXor",
        "the bits that only one has",
        "math.bitXor(3, 5) == 6",
        &[
            global(Overload::BitXorInt, &[Shape::Int, Shape::Int], Shape::Int),
            global(
                Overload::BitXorUint,
                &[Shape::Uint, Shape::Uint],
                Shape::Uint,
            ),
        ],
    ),
    function(
        "math.bitNot",
        "the bits that it does not have",
        "math.bitNot(1) == -2",
        &[
            global(Overload::BitNotInt, &[Shape::Int], Shape::Int),
            global(Overload::BitNotUint, &[Shape::Uint], Shape::Uint),
        ],
    ),
    function(
        "math.bitShiftLeft",
        "the bits moved up; 0 when all are moved out",
        "math.bitShiftLeft(1, 2) == 4",
        &[
            global(
                Overload::BitShiftLeftInt,
                &[Shape::Int, Shape::Int],
                Shape::Int,
            )
            .fails(Failure::InvalidArgument),
            global(
                Overload::BitShiftLeftUint,
                &[Shape::Uint, Shape::Int],
                Shape::Uint,
            )
            .fails(Failure::InvalidArgument),
        ],
    ),
    function(
        "math.bitShiftRight",
        "the bits moved down; 0 comes in, also for negative numbers",
        "math.bitShiftRight(1024, 2) == 256",
        &[
            global(
                Overload::BitShiftRightInt,
                &[Shape::Int, Shape::Int],
                Shape::Int,
            )
            .fails(Failure::InvalidArgument),
            global(
                Overload::BitShiftRightUint,
                &[Shape::Uint, Shape::Int],
                Shape::Uint,
            )
            .fails(Failure::InvalidArgument),
        ],
    ),
];
