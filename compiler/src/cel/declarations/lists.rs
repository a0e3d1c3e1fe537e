//! Lists beyond look-ups.

use super::{Function, Library, Overload, Shape, function, global, member};
use crate::cel::failure::Failure;

/// More functions on lists.
pub(super) const LIBRARY: Library = Library {
    name: "lists extension",
    functions: LIBRARY_FUNCTIONS,
};

const LIBRARY_FUNCTIONS: &[Function] = &[
    function(
        "distinct",
        "the elements, each once",
        "[1, 2, 1].distinct() == [1, 2]",
        &[member(
            Overload::Distinct,
            &[Shape::List(&Shape::A)],
            Shape::List(&Shape::A),
        )],
    ),
    function(
        "flatten",
        "the elements of the lists in a list, one level or several",
        "[[1], [2, 3]].flatten() == [1, 2, 3]",
        &[
            member(
                Overload::Flatten,
                &[Shape::List(&Shape::List(&Shape::A))],
                Shape::List(&Shape::A),
            ),
            member(
                Overload::FlattenDepth,
                &[Shape::List(&Shape::Dyn), Shape::Int],
                Shape::List(&Shape::Dyn),
            )
            .fails(Failure::InvalidArgument),
        ],
    ),
    function(
        "lists.range",
        "the numbers from 0 up to, and without, the given one",
        "lists.range(3) == [0, 1, 2]",
        &[
            global(Overload::Range, &[Shape::Int], Shape::List(&Shape::Int))
                .fails(Failure::InvalidArgument),
        ],
    ),
    function(
        "reverse",
        "the elements from the last to the first",
        "[1, 2].reverse() == [2, 1]",
        &[member(
            Overload::ReverseList,
            &[Shape::List(&Shape::A)],
            Shape::List(&Shape::A),
        )],
    ),
    function(
        "slice",
        "the elements from one position up to, and without, another",
        "[1, 2, 3].slice(1, 3) == [2, 3]",
        &[member(
            Overload::Slice,
            &[Shape::List(&Shape::A), Shape::Int, Shape::Int],
            Shape::List(&Shape::A),
        )
        .fails(Failure::OutOfRange)],
    ),
    function(
        "sort",
        "the elements in their order",
        "[2, 1].sort() == [1, 2]",
        &[
            member(
                Overload::SortBool,
                &[Shape::List(&Shape::Bool)],
                Shape::List(&Shape::Bool),
            ),
            member(
                Overload::SortInt,
                &[Shape::List(&Shape::Int)],
                Shape::List(&Shape::Int),
            ),
            member(
                Overload::SortUint,
                &[Shape::List(&Shape::Uint)],
                Shape::List(&Shape::Uint),
            ),
            member(
                Overload::SortDouble,
                &[Shape::List(&Shape::Double)],
                Shape::List(&Shape::Double),
            ),
            member(
                Overload::SortString,
                &[Shape::List(&Shape::String)],
                Shape::List(&Shape::String),
            ),
            member(
                Overload::SortBytes,
                &[Shape::List(&Shape::Bytes)],
                Shape::List(&Shape::Bytes),
            ),
            member(
                Overload::SortTimestamp,
                &[Shape::List(&Shape::Timestamp)],
                Shape::List(&Shape::Timestamp),
            ),
            member(
                Overload::SortDuration,
                &[Shape::List(&Shape::Duration)],
                Shape::List(&Shape::Duration),
            ),
        ],
    ),
    function(
        "@sortByAssociatedKeys",
        "the elements in the order of their keys; written `sortBy`",
        "[\"bb\", \"a\"].sortBy(text, text.size()) == [\"a\", \"bb\"]",
        &[
            member(
                Overload::SortByBool,
                &[Shape::List(&Shape::A), Shape::List(&Shape::Bool)],
                Shape::List(&Shape::A),
            ),
            member(
                Overload::SortByInt,
                &[Shape::List(&Shape::A), Shape::List(&Shape::Int)],
                Shape::List(&Shape::A),
            ),
            member(
                Overload::SortByUint,
                &[Shape::List(&Shape::A), Shape::List(&Shape::Uint)],
                Shape::List(&Shape::A),
            ),
            member(
                Overload::SortByDouble,
                &[Shape::List(&Shape::A), Shape::List(&Shape::Double)],
                Shape::List(&Shape::A),
            ),
            member(
                Overload::SortByString,
                &[Shape::List(&Shape::A), Shape::List(&Shape::String)],
                Shape::List(&Shape::A),
            ),
            member(
                Overload::SortByBytes,
                &[Shape::List(&Shape::A), Shape::List(&Shape::Bytes)],
                Shape::List(&Shape::A),
            ),
            member(
                Overload::SortByTimestamp,
                &[Shape::List(&Shape::A), Shape::List(&Shape::Timestamp)],
                Shape::List(&Shape::A),
            ),
            member(
                Overload::SortByDuration,
                &[Shape::List(&Shape::A), Shape::List(&Shape::Duration)],
                Shape::List(&Shape::A),
            ),
        ],
    ),
];
