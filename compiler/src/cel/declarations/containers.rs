//! Lists, maps and everything that has a size.

use super::{Function, Library, Overload, Shape, function, global, member};
use crate::cel::failure::Failure;

/// Look-ups, membership and sizes.
pub(super) const LIBRARY: Library = Library {
    name: "containers",
    functions: LIBRARY_FUNCTIONS,
};

const LIBRARY_FUNCTIONS: &[Function] = &[
    function(
        "_[_]",
        "the element at a position, or the value of a key",
        "[5, 6][1] == 6 && {\"a\": 1}[\"a\"] == 1",
        &[
            global(
                Overload::IndexList,
                &[Shape::List(&Shape::A), Shape::Int],
                Shape::A,
            )
            .fails(Failure::OutOfRange),
            global(
                Overload::IndexMap,
                &[Shape::Map(&Shape::A, &Shape::B), Shape::A],
                Shape::B,
            )
            .fails(Failure::MissingKey),
            global(
                Overload::OptionalListIndex,
                &[Shape::Optional(&Shape::List(&Shape::A)), Shape::Int],
                Shape::Optional(&Shape::A),
            ),
            global(
                Overload::OptionalMapIndex,
                &[Shape::Optional(&Shape::Map(&Shape::A, &Shape::B)), Shape::A],
                Shape::Optional(&Shape::B),
            ),
        ],
    ),
    function(
        "_[?_]",
        "the element or the value when it is there",
        "{\"a\": 1}[?\"b\"].orValue(2) == 2",
        &[
            global(
                Overload::ListOptionalIndex,
                &[Shape::List(&Shape::A), Shape::Int],
                Shape::Optional(&Shape::A),
            ),
            global(
                Overload::OptionalListOptionalIndex,
                &[Shape::Optional(&Shape::List(&Shape::A)), Shape::Int],
                Shape::Optional(&Shape::A),
            ),
            global(
                Overload::MapOptionalIndex,
                &[Shape::Map(&Shape::A, &Shape::B), Shape::A],
                Shape::Optional(&Shape::B),
            ),
            global(
                Overload::OptionalMapOptionalIndex,
                &[Shape::Optional(&Shape::Map(&Shape::A, &Shape::B)), Shape::A],
                Shape::Optional(&Shape::B),
            ),
        ],
    ),
    function(
        "@in",
        "whether a list holds the value, or a map the key",
        "1 in [1, 2] && \"a\" in {\"a\": 1}",
        &[
            global(
                Overload::InList,
                &[Shape::A, Shape::List(&Shape::A)],
                Shape::Bool,
            ),
            global(
                Overload::InMap,
                &[Shape::A, Shape::Map(&Shape::A, &Shape::B)],
                Shape::Bool,
            ),
        ],
    ),
    function(
        "size",
        "how many code points, bytes, elements or entries it has",
        "size(\"é\") == 1 && [1, 2].size() == 2",
        &[
            global(Overload::SizeBytes, &[Shape::Bytes], Shape::Int),
            global(Overload::SizeList, &[Shape::List(&Shape::A)], Shape::Int),
            global(
                Overload::SizeMap,
                &[Shape::Map(&Shape::A, &Shape::B)],
                Shape::Int,
            ),
            global(Overload::SizeString, &[Shape::String], Shape::Int),
            member(Overload::BytesSize, &[Shape::Bytes], Shape::Int),
            member(Overload::ListSize, &[Shape::List(&Shape::A)], Shape::Int),
            member(
                Overload::MapSize,
                &[Shape::Map(&Shape::A, &Shape::B)],
                Shape::Int,
            ),
            member(Overload::StringSize, &[Shape::String], Shape::Int),
        ],
    ),
];
