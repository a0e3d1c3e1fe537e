//! Values and keys that records and expressions share, so that what is compared is often equal.
//!
//! Both sides of the test include this file: the build script, which writes expressions, and the library, which makes
//! records.

/// Keys of attributes and of maps in bodies. What stands under the named ones is mostly of the type of the name.
pub const KEYS: &[&str] = &[
    "a",
    "b",
    "n",
    "x",
    "flag",
    "list",
    "map",
    "http.status_code",
    "é",
    "absent",
];

/// Texts: empty, of several lengths in bytes and code points, and some that read as other types.
pub const TEXTS: &[&str] = &[
    "",
    "a",
    "ab",
    "abc",
    "b",
    "prod",
    "ERROR",
    "é",
    "e\u{301}",
    "日本",
    "😀",
    "a b",
    "a.b",
    "42",
    "-7",
    "17",
    "1.5",
    "true",
    "9223372036854775807",
    "9223372036854775808",
    "2024-02-29T12:34:56Z",
    "1h30m",
    "say \"hi\"\\n",
    "two\nlines",
];

/// Integers, extremes and the border of exact doubles among them.
pub const INTS: &[i64] = &[
    0,
    1,
    -1,
    2,
    3,
    7,
    9,
    17,
    42,
    -7,
    500,
    1_700_000_000,
    2_147_483_647,
    9_007_199_254_740_992,
    9_007_199_254_740_993,
    i64::MAX,
    i64::MIN,
];

/// Unsigned integers.
pub const UINTS: &[u64] = &[
    0,
    1,
    2,
    3,
    17,
    255,
    4_294_967_295,
    9_007_199_254_740_993,
    9_223_372_036_854_775_808,
    u64::MAX,
];

/// Doubles that have a literal.
pub const DOUBLES: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    1.5,
    2.0,
    -1.5,
    17.0,
    500.0,
    0.1,
    1e300,
    -1e300,
    9_007_199_254_740_992.0,
    9_223_372_036_854_775_808.0,
];

/// Bytes, identifiers among them.
pub const BYTES: &[&[u8]] = &[
    b"",
    b"\x00",
    b"\x00\x01",
    b"a",
    b"ab",
    b"\xff",
    TRACE_ID,
    SPAN_ID,
];

/// The trace of records that have one.
pub const TRACE_ID: &[u8] = b"\x00trace\xff of spans";
/// The span of records that have one.
pub const SPAN_ID: &[u8] = b"span \x00\x80\xff";

/// The value of `config limit` of every flow.
pub const LIMIT: i64 = 17;
/// The value of `config ratio`.
pub const RATIO: f64 = 1.5;
/// The value of `config word`.
pub const WORD: &str = "ab";
/// The value of `config enabled`.
pub const ENABLED: bool = true;
/// The value of `config patience`, in seconds.
pub const PATIENCE: i64 = 90;
