//! Conversions between types. None of them is ever made silently.

use super::{Function, Library, Overload, Shape, function, global};
use crate::cel::failure::Failure;

/// Conversions, `dyn` and `type`.
pub(super) const LIBRARY: Library = Library {
    name: "conversions",
    functions: LIBRARY_FUNCTIONS,
};

const LIBRARY_FUNCTIONS: &[Function] = &[
    function(
        "bool",
        "the truth value, also of a text such as `true`, `True`, `t` and `1`",
        "bool(\"true\")",
        &[
            global(Overload::BoolToBool, &[Shape::Bool], Shape::Bool),
            global(Overload::StringToBool, &[Shape::String], Shape::Bool)
                .fails(Failure::Conversion),
        ],
    ),
    function(
        "bytes",
        "the bytes, of a text in UTF-8",
        "bytes(\"a\") == b\"a\"",
        &[
            global(Overload::BytesToBytes, &[Shape::Bytes], Shape::Bytes),
            global(Overload::StringToBytes, &[Shape::String], Shape::Bytes),
        ],
    ),
    function(
        "double",
        "the number as a double, also of a text",
        "double(3) == 3.0",
        &[
            global(Overload::DoubleToDouble, &[Shape::Double], Shape::Double),
            global(Overload::IntToDouble, &[Shape::Int], Shape::Double),
            global(Overload::StringToDouble, &[Shape::String], Shape::Double)
                .fails(Failure::Conversion),
            global(Overload::UintToDouble, &[Shape::Uint], Shape::Double),
        ],
    ),
    function(
        "duration",
        "the duration, of a text such as `1h30m`",
        "duration(\"90s\") == duration(\"1m30s\")",
        &[
            global(
                Overload::DurationToDuration,
                &[Shape::Duration],
                Shape::Duration,
            ),
            global(
                Overload::StringToDuration,
                &[Shape::String],
                Shape::Duration,
            )
            .fails(Failure::Conversion),
        ],
    ),
    function(
        "dyn",
        "the same value with its type forgotten",
        "dyn(1) == 1.0",
        &[global(Overload::ToDyn, &[Shape::A], Shape::Dyn)],
    ),
    function(
        "int",
        "the number as an int, cut towards zero; of a timestamp the seconds since 1970",
        "int(3.9) == 3",
        &[
            global(Overload::DoubleToInt, &[Shape::Double], Shape::Int).fails(Failure::Overflow),
            global(Overload::DurationToInt, &[Shape::Duration], Shape::Int),
            global(Overload::IntToInt, &[Shape::Int], Shape::Int),
            global(Overload::StringToInt, &[Shape::String], Shape::Int).fails(Failure::Conversion),
            global(Overload::TimestampToInt, &[Shape::Timestamp], Shape::Int),
            global(Overload::UintToInt, &[Shape::Uint], Shape::Int).fails(Failure::Overflow),
        ],
    ),
    function(
        "string",
        "the value as text",
        "string(1.5) == \"1.5\"",
        &[
            global(Overload::BoolToString, &[Shape::Bool], Shape::String),
            global(Overload::BytesToString, &[Shape::Bytes], Shape::String)
                .fails(Failure::Conversion),
            global(Overload::DoubleToString, &[Shape::Double], Shape::String),
            global(
                Overload::DurationToString,
                &[Shape::Duration],
                Shape::String,
            ),
            global(Overload::IntToString, &[Shape::Int], Shape::String),
            global(Overload::StringToString, &[Shape::String], Shape::String),
            global(
                Overload::TimestampToString,
                &[Shape::Timestamp],
                Shape::String,
            ),
            global(Overload::UintToString, &[Shape::Uint], Shape::String),
            global(Overload::IpToString, &[Shape::Ip], Shape::String),
            global(Overload::CidrToString, &[Shape::Cidr], Shape::String),
        ],
    ),
    function(
        "timestamp",
        "the moment, of a text in RFC 3339 or of seconds since 1970",
        "timestamp(0) == timestamp(\"1970-01-01T00:00:00Z\")",
        &[
            global(Overload::IntToTimestamp, &[Shape::Int], Shape::Timestamp)
                .fails(Failure::Overflow),
            global(
                Overload::StringToTimestamp,
                &[Shape::String],
                Shape::Timestamp,
            )
            .fails(Failure::Conversion),
            global(
                Overload::TimestampToTimestamp,
                &[Shape::Timestamp],
                Shape::Timestamp,
            ),
        ],
    ),
    function(
        "uint",
        "the number as a uint, cut towards zero",
        "uint(3.9) == 3u",
        &[
            global(Overload::DoubleToUint, &[Shape::Double], Shape::Uint).fails(Failure::Overflow),
            global(Overload::IntToUint, &[Shape::Int], Shape::Uint).fails(Failure::Overflow),
            global(Overload::StringToUint, &[Shape::String], Shape::Uint)
                .fails(Failure::Conversion),
            global(Overload::UintToUint, &[Shape::Uint], Shape::Uint),
        ],
    ),
    function(
        "type",
        "the type of the value",
        "type(1) == int",
        &[global(
            Overload::TypeOf,
            &[Shape::A],
            Shape::Type(&Shape::A),
        )],
    ),
];
