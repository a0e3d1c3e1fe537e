//! What is wrong with a request, as data; the words stand in one place.

/// Why a request is refused, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// Byte offset in the request. It is that of the tag of the offending field; for a varint, a length
    /// or a text it is the offset of its first byte or of its first invalid byte.
    pub offset: usize,
    /// What is wrong there.
    pub fault: Fault,
}

/// What makes a request malformed or not canonical (delivery rules, section 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// The bytes end inside a field.
    Truncated,
    /// A varint of more than ten bytes or 64 bits.
    VarintTooLong,
    /// A tag that is not written in its shortest form, or a field number above 2^29 - 1.
    TagTooLong,
    /// Field number 0.
    FieldNumberZero,
    /// A group, or one of the wire types that protobuf does not define.
    WireTypeUnknown,
    /// A known field with the wire type of something else.
    WireTypeWrong,
    /// A length that reaches past the end of the message around it.
    LengthPastEnd,
    /// A singular field for the second time.
    FieldRepeated,
    /// A second member of a oneof.
    OneofRepeated,
    /// A trace id that has neither 0 nor 16 bytes.
    TraceIdLength,
    /// A span id that has neither 0 nor 8 bytes.
    SpanIdLength,
    /// A string that is not UTF-8.
    InvalidUtf8,
    /// Packed scalars whose length is not a multiple of their size.
    PackedLength,
    /// Messages nested more than 100 deep.
    TooDeep,
    /// A request of 4 GiB or more.
    TooLarge,
}

impl Fault {
    /// A stable word for metrics and logs.
    pub fn code(self) -> &'static str {
        match self {
            Self::Truncated => "truncated",
            Self::VarintTooLong => "varint_too_long",
            Self::TagTooLong => "tag_too_long",
            Self::FieldNumberZero => "field_number_zero",
            Self::WireTypeUnknown => "wire_type_unknown",
            Self::WireTypeWrong => "wire_type_wrong",
            Self::LengthPastEnd => "length_past_end",
            Self::FieldRepeated => "field_repeated",
            Self::OneofRepeated => "oneof_repeated",
            Self::TraceIdLength => "trace_id_length",
            Self::SpanIdLength => "span_id_length",
            Self::InvalidUtf8 => "invalid_utf8",
            Self::PackedLength => "packed_length",
            Self::TooDeep => "too_deep",
            Self::TooLarge => "too_large",
        }
    }

    /// What is wrong, in words.
    fn text(self) -> &'static str {
        match self {
            Self::Truncated => "the data ends inside a field",
            Self::VarintTooLong => "a varint has more than ten bytes or 64 bits",
            Self::TagTooLong => "a tag is not written in its shortest form",
            Self::FieldNumberZero => "a field has the number 0",
            Self::WireTypeUnknown => "a field is a group or has an undefined wire type",
            Self::WireTypeWrong => "a field has a wire type that its schema does not allow",
            Self::LengthPastEnd => "a field reaches past the end of its message",
            Self::FieldRepeated => "a singular field is present twice",
            Self::OneofRepeated => "two members of a oneof are present",
            Self::TraceIdLength => "a trace id has neither 0 nor 16 bytes",
            Self::SpanIdLength => "a span id has neither 0 nor 8 bytes",
            Self::InvalidUtf8 => "a string is not UTF-8",
            Self::PackedLength => "packed numbers end inside a number",
            Self::TooDeep => "messages are nested more than 100 deep",
            Self::TooLarge => "the request has 4 GiB or more",
        }
    }
}

impl std::fmt::Display for Malformed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} at byte {}", self.fault.text(), self.offset)
    }
}

impl std::error::Error for Malformed {}
