//! Parts of moments and durations.

use super::{Function, Library, Overload, Shape, function, member};
use crate::cel::failure::Failure;

/// Parts of timestamps and durations.
pub(super) const LIBRARY: Library = Library {
    name: "time",
    functions: LIBRARY_FUNCTIONS,
};

const LIBRARY_FUNCTIONS: &[Function] = &[
    function(
        "getFullYear",
        "the year; in UTC or in a time zone",
        "timestamp(\"2026-03-01T23:30:45.25Z\").getFullYear() == 2026",
        &[
            member(Overload::TimestampYear, &[Shape::Timestamp], Shape::Int),
            member(
                Overload::TimestampYearIn,
                &[Shape::Timestamp, Shape::String],
                Shape::Int,
            )
            .fails(Failure::UnknownTimeZone),
        ],
    ),
    function(
        "getMonth",
        "the month, January is 0; in UTC or in a time zone",
        "timestamp(\"2026-03-01T23:30:45.25Z\").getMonth() == 2",
        &[
            member(Overload::TimestampMonth, &[Shape::Timestamp], Shape::Int),
            member(
                Overload::TimestampMonthIn,
                &[Shape::Timestamp, Shape::String],
                Shape::Int,
            )
            .fails(Failure::UnknownTimeZone),
        ],
    ),
    function(
        "getDayOfYear",
        "the day of the year, the first is 0; in UTC or in a time zone",
        "timestamp(\"2026-03-01T23:30:45.25Z\").getDayOfYear() == 59",
        &[
            member(
                Overload::TimestampDayOfYear,
                &[Shape::Timestamp],
                Shape::Int,
            ),
            member(
                Overload::TimestampDayOfYearIn,
                &[Shape::Timestamp, Shape::String],
                Shape::Int,
            )
            .fails(Failure::UnknownTimeZone),
        ],
    ),
    function(
        "getDayOfMonth",
        "the day of the month, the first is 0; in UTC or in a time zone",
        "timestamp(\"2026-03-01T23:30:45.25Z\").getDayOfMonth() == 0",
        &[
            member(
                Overload::TimestampDayOfMonth,
                &[Shape::Timestamp],
                Shape::Int,
            ),
            member(
                Overload::TimestampDayOfMonthIn,
                &[Shape::Timestamp, Shape::String],
                Shape::Int,
            )
            .fails(Failure::UnknownTimeZone),
        ],
    ),
    function(
        "getDate",
        "the day of the month, the first is 1; in UTC or in a time zone",
        "timestamp(\"2026-03-01T23:30:45.25Z\").getDate() == 1",
        &[
            member(Overload::TimestampDate, &[Shape::Timestamp], Shape::Int),
            member(
                Overload::TimestampDateIn,
                &[Shape::Timestamp, Shape::String],
                Shape::Int,
            )
            .fails(Failure::UnknownTimeZone),
        ],
    ),
    function(
        "getDayOfWeek",
        "the day of the week, Sunday is 0; in UTC or in a time zone",
        "timestamp(\"2026-03-01T23:30:45.25Z\").getDayOfWeek() == 0",
        &[
            member(
                Overload::TimestampDayOfWeek,
                &[Shape::Timestamp],
                Shape::Int,
            ),
            member(
                Overload::TimestampDayOfWeekIn,
                &[Shape::Timestamp, Shape::String],
                Shape::Int,
            )
            .fails(Failure::UnknownTimeZone),
        ],
    ),
    function(
        "getHours",
        "the hour of a timestamp, or all the hours of a duration",
        "timestamp(\"2026-03-01T23:30:00Z\").getHours(\"+02:00\") == 1",
        &[
            member(Overload::TimestampHours, &[Shape::Timestamp], Shape::Int),
            member(
                Overload::TimestampHoursIn,
                &[Shape::Timestamp, Shape::String],
                Shape::Int,
            )
            .fails(Failure::UnknownTimeZone),
            member(Overload::DurationHours, &[Shape::Duration], Shape::Int),
        ],
    ),
    function(
        "getMinutes",
        "the minute of a timestamp, or all the minutes of a duration",
        "duration(\"1h30m\").getMinutes() == 90",
        &[
            member(Overload::TimestampMinutes, &[Shape::Timestamp], Shape::Int),
            member(
                Overload::TimestampMinutesIn,
                &[Shape::Timestamp, Shape::String],
                Shape::Int,
            )
            .fails(Failure::UnknownTimeZone),
            member(Overload::DurationMinutes, &[Shape::Duration], Shape::Int),
        ],
    ),
    function(
        "getSeconds",
        "the second of a timestamp, or all the seconds of a duration",
        "timestamp(\"2026-03-01T23:30:45.25Z\").getSeconds() == 45",
        &[
            member(Overload::TimestampSeconds, &[Shape::Timestamp], Shape::Int),
            member(
                Overload::TimestampSecondsIn,
                &[Shape::Timestamp, Shape::String],
                Shape::Int,
            )
            .fails(Failure::UnknownTimeZone),
            member(Overload::DurationSeconds, &[Shape::Duration], Shape::Int),
        ],
    ),
    function(
        "getMilliseconds",
        "the milliseconds within the second",
        "timestamp(\"2026-03-01T23:30:45.25Z\").getMilliseconds() == 250",
        &[
            member(
                Overload::TimestampMilliseconds,
                &[Shape::Timestamp],
                Shape::Int,
            ),
            member(
                Overload::TimestampMillisecondsIn,
                &[Shape::Timestamp, Shape::String],
                Shape::Int,
            )
            .fails(Failure::UnknownTimeZone),
            member(
                Overload::DurationMilliseconds,
                &[Shape::Duration],
                Shape::Int,
            ),
        ],
    ),
];
