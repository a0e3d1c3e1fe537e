//! Texts. Positions and sizes count code points.

use super::{Function, Library, Overload, Shape, function, global, member};
use crate::cel::failure::Failure;

/// Functions on texts that every CEL has.
pub(super) const STANDARD: Library = Library {
    name: "strings",
    functions: STANDARD_FUNCTIONS,
};

const STANDARD_FUNCTIONS: &[Function] = &[
    function(
        "contains",
        "whether the text holds the other",
        "\"tacocat\".contains(\"coca\")",
        &[member(
            Overload::Contains,
            &[Shape::String, Shape::String],
            Shape::Bool,
        )],
    ),
    function(
        "endsWith",
        "whether the text ends with the other",
        "\"tacocat\".endsWith(\"cat\")",
        &[member(
            Overload::EndsWith,
            &[Shape::String, Shape::String],
            Shape::Bool,
        )],
    ),
    function(
        "startsWith",
        "whether the text begins with the other",
        "\"tacocat\".startsWith(\"taco\")",
        &[member(
            Overload::StartsWith,
            &[Shape::String, Shape::String],
            Shape::Bool,
        )],
    ),
    function(
        "matches",
        "whether the regular expression (RE2) is found somewhere in the text",
        "\"tacocat\".matches(\"^t.*t$\")",
        &[
            global(
                Overload::Matches,
                &[Shape::String, Shape::String],
                Shape::Bool,
            )
            .fails(Failure::InvalidRegex),
            member(
                Overload::MatchesMember,
                &[Shape::String, Shape::String],
                Shape::Bool,
            )
            .fails(Failure::InvalidRegex),
        ],
    ),
];

/// More functions on texts.
pub(super) const EXTENDED: Library = Library {
    name: "strings extension",
    functions: EXTENDED_FUNCTIONS,
};

const EXTENDED_FUNCTIONS: &[Function] = &[
    function(
        "charAt",
        "the character at a position; empty right behind the end",
        "\"hello\".charAt(4) == \"o\"",
        &[member(
            Overload::CharAt,
            &[Shape::String, Shape::Int],
            Shape::String,
        )
        .fails(Failure::OutOfRange)],
    ),
    function(
        "format",
        "the template with its verbs `%s %d %f %e %b %x %X %o` filled in",
        "\"%s: %d\".format([\"a\", 1]) == \"a: 1\"",
        &[member(
            Overload::Format,
            &[Shape::String, Shape::List(&Shape::Dyn)],
            Shape::String,
        )
        .fails(Failure::InvalidFormat)],
    ),
    function(
        "indexOf",
        "where the other text begins, or -1",
        "\"hello\".indexOf(\"l\") == 2",
        &[
            member(
                Overload::IndexOf,
                &[Shape::String, Shape::String],
                Shape::Int,
            ),
            member(
                Overload::IndexOfFrom,
                &[Shape::String, Shape::String, Shape::Int],
                Shape::Int,
            )
            .fails(Failure::OutOfRange),
        ],
    ),
    function(
        "lastIndexOf",
        "where the other text begins for the last time, or -1",
        "\"hello\".lastIndexOf(\"l\") == 3",
        &[
            member(
                Overload::LastIndexOf,
                &[Shape::String, Shape::String],
                Shape::Int,
            ),
            member(
                Overload::LastIndexOfTo,
                &[Shape::String, Shape::String, Shape::Int],
                Shape::Int,
            )
            .fails(Failure::OutOfRange),
        ],
    ),
    function(
        "join",
        "the texts one after the other, with a separator between them",
        "[\"a\", \"b\"].join(\"-\") == \"a-b\"",
        &[
            member(
                Overload::Join,
                &[Shape::List(&Shape::String)],
                Shape::String,
            ),
            member(
                Overload::JoinWith,
                &[Shape::List(&Shape::String), Shape::String],
                Shape::String,
            ),
        ],
    ),
    function(
        "lowerAscii",
        "the text with the letters A to Z made small",
        "\"TacoCÆt\".lowerAscii() == \"tacocÆt\"",
        &[member(
            Overload::LowerAscii,
            &[Shape::String],
            Shape::String,
        )],
    ),
    function(
        "upperAscii",
        "the text with the letters a to z made large",
        "\"tacocæt\".upperAscii() == \"TACOCæT\"",
        &[member(
            Overload::UpperAscii,
            &[Shape::String],
            Shape::String,
        )],
    ),
    function(
        "strings.quote",
        "the text in double quotes, with escapes",
        "strings.quote(\"a\\nb\") == \"\\\"a\\\\nb\\\"\"",
        &[global(Overload::Quote, &[Shape::String], Shape::String)],
    ),
    function(
        "replace",
        "the text with one part replaced by another, everywhere or a number of times",
        "\"hello\".replace(\"l\", \"r\", 1) == \"herlo\"",
        &[
            member(
                Overload::Replace,
                &[Shape::String, Shape::String, Shape::String],
                Shape::String,
            ),
            member(
                Overload::ReplaceTimes,
                &[Shape::String, Shape::String, Shape::String, Shape::Int],
                Shape::String,
            ),
        ],
    ),
    function(
        "reverse",
        "the characters from the last to the first",
        "\"abc\".reverse() == \"cba\"",
        &[member(
            Overload::ReverseString,
            &[Shape::String],
            Shape::String,
        )],
    ),
    function(
        "split",
        "the parts between separators, at most a number of them",
        "\"a-b-c\".split(\"-\", 2) == [\"a\", \"b-c\"]",
        &[
            member(
                Overload::Split,
                &[Shape::String, Shape::String],
                Shape::List(&Shape::String),
            ),
            member(
                Overload::SplitTimes,
                &[Shape::String, Shape::String, Shape::Int],
                Shape::List(&Shape::String),
            ),
        ],
    ),
    function(
        "substring",
        "the text from a position on, up to another",
        "\"tacocat\".substring(0, 4) == \"taco\"",
        &[
            member(
                Overload::Substring,
                &[Shape::String, Shape::Int],
                Shape::String,
            )
            .fails(Failure::OutOfRange),
            member(
                Overload::SubstringTo,
                &[Shape::String, Shape::Int, Shape::Int],
                Shape::String,
            )
            .fails(Failure::OutOfRange),
        ],
    ),
    function(
        "trim",
        "the text without white space at its ends",
        "\" a \".trim() == \"a\"",
        &[member(Overload::Trim, &[Shape::String], Shape::String)],
    ),
];
