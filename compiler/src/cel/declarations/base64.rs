//! Bytes as text.

use super::{Function, Library, Overload, Shape, function, global};
use crate::cel::failure::Failure;

/// Base 64.
pub(super) const LIBRARY: Library = Library {
    name: "encoders extension",
    functions: LIBRARY_FUNCTIONS,
};

const LIBRARY_FUNCTIONS: &[Function] = &[
    function(
        "base64.decode",
        "the bytes that the text stands for, with or without padding",
        "base64.decode(\"aGVsbG8=\") == b\"hello\"",
        &[
            global(Overload::Base64Decode, &[Shape::String], Shape::Bytes)
                .fails(Failure::Conversion),
        ],
    ),
    function(
        "base64.encode",
        "the bytes as text",
        "base64.encode(b\"hello\") == \"aGVsbG8=\"",
        &[global(
            Overload::Base64Encode,
            &[Shape::Bytes],
            Shape::String,
        )],
    ),
];
