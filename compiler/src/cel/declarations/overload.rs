//! The overloads of all functions, as one enum.
//!
//! A `match` over [`Overload`] that leaves one out does not compile, so the emitter cannot forget a function.

/// Makes the enum, its names and [`Overload::ALL`] from one table.
macro_rules! overloads {
    ($($name:ident = $text:literal;)*) => {
        /// One way to call one function, with fixed types up to type parameters. The text form is the name that the
        /// reference implementation gives it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Overload {
            $(#[doc = concat!("`", $text, "`")] $name,)*
        }

        impl Overload {
            /// Every overload, in the order of the libraries.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The name, such as `add_int64`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }
        }
    };
}

overloads! {
    AddBytes = "add_bytes";
    AddDouble = "add_double";
    AddDurationDuration = "add_duration_duration";
    AddDurationTimestamp = "add_duration_timestamp";
    AddTimestampDuration = "add_timestamp_duration";
    AddInt = "add_int64";
    AddList = "add_list";
    AddString = "add_string";
    AddUint = "add_uint64";
    SubtractDouble = "subtract_double";
    SubtractDurationDuration = "subtract_duration_duration";
    SubtractInt = "subtract_int64";
    SubtractTimestampDuration = "subtract_timestamp_duration";
    SubtractTimestampTimestamp = "subtract_timestamp_timestamp";
    SubtractUint = "subtract_uint64";
    MultiplyDouble = "multiply_double";
    MultiplyInt = "multiply_int64";
    MultiplyUint = "multiply_uint64";
    DivideDouble = "divide_double";
    DivideInt = "divide_int64";
    DivideUint = "divide_uint64";
    RemainderInt = "modulo_int64";
    RemainderUint = "modulo_uint64";
    NegateDouble = "negate_double";
    NegateInt = "negate_int64";
    Not = "logical_not";
    Equals = "equals";
    NotEquals = "not_equals";
    LessBool = "less_bool";
    LessInt = "less_int64";
    LessUint = "less_uint64";
    LessDouble = "less_double";
    LessString = "less_string";
    LessBytes = "less_bytes";
    LessTimestamp = "less_timestamp";
    LessDuration = "less_duration";
    LessEqualsBool = "less_equals_bool";
    LessEqualsInt = "less_equals_int64";
    LessEqualsUint = "less_equals_uint64";
    LessEqualsDouble = "less_equals_double";
    LessEqualsString = "less_equals_string";
    LessEqualsBytes = "less_equals_bytes";
    LessEqualsTimestamp = "less_equals_timestamp";
    LessEqualsDuration = "less_equals_duration";
    GreaterBool = "greater_bool";
    GreaterInt = "greater_int64";
    GreaterUint = "greater_uint64";
    GreaterDouble = "greater_double";
    GreaterString = "greater_string";
    GreaterBytes = "greater_bytes";
    GreaterTimestamp = "greater_timestamp";
    GreaterDuration = "greater_duration";
    GreaterEqualsBool = "greater_equals_bool";
    GreaterEqualsInt = "greater_equals_int64";
    GreaterEqualsUint = "greater_equals_uint64";
    GreaterEqualsDouble = "greater_equals_double";
    GreaterEqualsString = "greater_equals_string";
    GreaterEqualsBytes = "greater_equals_bytes";
    GreaterEqualsTimestamp = "greater_equals_timestamp";
    GreaterEqualsDuration = "greater_equals_duration";
    IndexList = "index_list";
    IndexMap = "index_map";
    OptionalListIndex = "optional_list_index_int";
    OptionalMapIndex = "optional_map_index_value";
    ListOptionalIndex = "list_optindex_optional_int";
    OptionalListOptionalIndex = "optional_list_optindex_optional_int";
    MapOptionalIndex = "map_optindex_optional_value";
    OptionalMapOptionalIndex = "optional_map_optindex_optional_value";
    InList = "in_list";
    InMap = "in_map";
    SizeBytes = "size_bytes";
    SizeList = "size_list";
    SizeMap = "size_map";
    SizeString = "size_string";
    BytesSize = "bytes_size";
    ListSize = "list_size";
    MapSize = "map_size";
    StringSize = "string_size";
    BoolToBool = "bool_to_bool";
    StringToBool = "string_to_bool";
    BytesToBytes = "bytes_to_bytes";
    StringToBytes = "string_to_bytes";
    DoubleToDouble = "double_to_double";
    IntToDouble = "int64_to_double";
    StringToDouble = "string_to_double";
    UintToDouble = "uint64_to_double";
    DurationToDuration = "duration_to_duration";
    StringToDuration = "string_to_duration";
    ToDyn = "to_dyn";
    DoubleToInt = "double_to_int64";
    DurationToInt = "duration_to_int64";
    IntToInt = "int64_to_int64";
    StringToInt = "string_to_int64";
    TimestampToInt = "timestamp_to_int64";
    UintToInt = "uint64_to_int64";
    BoolToString = "bool_to_string";
    BytesToString = "bytes_to_string";
    DoubleToString = "double_to_string";
    DurationToString = "duration_to_string";
    IntToString = "int64_to_string";
    StringToString = "string_to_string";
    TimestampToString = "timestamp_to_string";
    UintToString = "uint64_to_string";
    IpToString = "ip_to_string";
    CidrToString = "cidr_to_string";
    IntToTimestamp = "int64_to_timestamp";
    StringToTimestamp = "string_to_timestamp";
    TimestampToTimestamp = "timestamp_to_timestamp";
    DoubleToUint = "double_to_uint64";
    IntToUint = "int64_to_uint64";
    StringToUint = "string_to_uint64";
    UintToUint = "uint64_to_uint64";
    TypeOf = "type";
    Contains = "contains_string";
    EndsWith = "ends_with_string";
    StartsWith = "starts_with_string";
    Matches = "matches";
    MatchesMember = "matches_string";
    CharAt = "string_char_at_int";
    Format = "string_format";
    IndexOf = "string_index_of_string";
    IndexOfFrom = "string_index_of_string_int";
    LastIndexOf = "string_last_index_of_string";
    LastIndexOfTo = "string_last_index_of_string_int";
    Join = "list_join";
    JoinWith = "list_join_string";
    LowerAscii = "string_lower_ascii";
    UpperAscii = "string_upper_ascii";
    Quote = "strings_quote";
    Replace = "string_replace_string_string";
    ReplaceTimes = "string_replace_string_string_int";
    ReverseString = "string_reverse";
    Split = "string_split_string";
    SplitTimes = "string_split_string_int";
    Substring = "string_substring_int";
    SubstringTo = "string_substring_int_int";
    Trim = "string_trim";
    TimestampYear = "timestamp_to_year";
    TimestampYearIn = "timestamp_to_year_with_tz";
    TimestampMonth = "timestamp_to_month";
    TimestampMonthIn = "timestamp_to_month_with_tz";
    TimestampDayOfYear = "timestamp_to_day_of_year";
    TimestampDayOfYearIn = "timestamp_to_day_of_year_with_tz";
    TimestampDayOfMonth = "timestamp_to_day_of_month";
    TimestampDayOfMonthIn = "timestamp_to_day_of_month_with_tz";
    TimestampDate = "timestamp_to_day_of_month_1_based";
    TimestampDateIn = "timestamp_to_day_of_month_1_based_with_tz";
    TimestampDayOfWeek = "timestamp_to_day_of_week";
    TimestampDayOfWeekIn = "timestamp_to_day_of_week_with_tz";
    TimestampHours = "timestamp_to_hours";
    TimestampHoursIn = "timestamp_to_hours_with_tz";
    DurationHours = "duration_to_hours";
    TimestampMinutes = "timestamp_to_minutes";
    TimestampMinutesIn = "timestamp_to_minutes_with_tz";
    DurationMinutes = "duration_to_minutes";
    TimestampSeconds = "timestamp_to_seconds";
    TimestampSecondsIn = "timestamp_to_seconds_tz";
    DurationSeconds = "duration_to_seconds";
    TimestampMilliseconds = "timestamp_to_milliseconds";
    TimestampMillisecondsIn = "timestamp_to_milliseconds_with_tz";
    DurationMilliseconds = "duration_to_milliseconds";
    GreatestDouble = "math_@max_double";
    GreatestInt = "math_@max_int";
    GreatestUint = "math_@max_uint";
    GreatestDoubleDouble = "math_@max_double_double";
    GreatestDoubleInt = "math_@max_double_int";
    GreatestDoubleUint = "math_@max_double_uint";
    GreatestIntDouble = "math_@max_int_double";
    GreatestIntInt = "math_@max_int_int";
    GreatestIntUint = "math_@max_int_uint";
    GreatestUintDouble = "math_@max_uint_double";
    GreatestUintInt = "math_@max_uint_int";
    GreatestUintUint = "math_@max_uint_uint";
    GreatestListDouble = "math_@max_list_double";
    GreatestListInt = "math_@max_list_int";
    GreatestListUint = "math_@max_list_uint";
    LeastDouble = "math_@min_double";
    LeastInt = "math_@min_int";
    LeastUint = "math_@min_uint";
    LeastDoubleDouble = "math_@min_double_double";
    LeastDoubleInt = "math_@min_double_int";
    LeastDoubleUint = "math_@min_double_uint";
    LeastIntDouble = "math_@min_int_double";
    LeastIntInt = "math_@min_int_int";
    LeastIntUint = "math_@min_int_uint";
    LeastUintDouble = "math_@min_uint_double";
    LeastUintInt = "math_@min_uint_int";
    LeastUintUint = "math_@min_uint_uint";
    LeastListDouble = "math_@min_list_double";
    LeastListInt = "math_@min_list_int";
    LeastListUint = "math_@min_list_uint";
    Ceil = "math_ceil_double";
    Floor = "math_floor_double";
    Round = "math_round_double";
    Trunc = "math_trunc_double";
    SqrtDouble = "math_sqrt_double";
    SqrtInt = "math_sqrt_int";
    SqrtUint = "math_sqrt_uint";
    IsInf = "math_isInf_double";
    IsNan = "math_isNaN_double";
    IsFinite = "math_isFinite_double";
    AbsDouble = "math_abs_double";
    AbsInt = "math_abs_int";
    AbsUint = "math_abs_uint";
    SignDouble = "math_sign_double";
    SignInt = "math_sign_int";
    SignUint = "math_sign_uint";
    BitAndInt = "math_bitAnd_int_int";
    BitAndUint = "math_bitAnd_uint_uint";
    BitOrInt = "math_bitOr_int_int";
    BitOrUint = "math_bitOr_uint_uint";
    BitXorInt = "math_bitXor_int_int";
    BitXorUint = "math_bitXor_uint_uint";
    BitNotInt = "math_bitNot_int_int";
    BitNotUint = "math_bitNot_uint_uint";
    BitShiftLeftInt = "math_bitShiftLeft_int_int";
    BitShiftLeftUint = "math_bitShiftLeft_uint_int";
    BitShiftRightInt = "math_bitShiftRight_int_int";
    BitShiftRightUint = "math_bitShiftRight_uint_int";
    Distinct = "list_distinct";
    Flatten = "list_flatten";
    FlattenDepth = "list_flatten_int";
    Range = "lists_range";
    ReverseList = "list_reverse";
    Slice = "list_slice";
    SortBool = "list_bool_sort";
    SortInt = "list_int_sort";
    SortUint = "list_uint_sort";
    SortDouble = "list_double_sort";
    SortString = "list_string_sort";
    SortBytes = "list_bytes_sort";
    SortTimestamp = "list_google.protobuf.Timestamp_sort";
    SortDuration = "list_google.protobuf.Duration_sort";
    SortByBool = "list_bool_sortByAssociatedKeys";
    SortByInt = "list_int_sortByAssociatedKeys";
    SortByUint = "list_uint_sortByAssociatedKeys";
    SortByDouble = "list_double_sortByAssociatedKeys";
    SortByString = "list_string_sortByAssociatedKeys";
    SortByBytes = "list_bytes_sortByAssociatedKeys";
    SortByTimestamp = "list_google.protobuf.Timestamp_sortByAssociatedKeys";
    SortByDuration = "list_google.protobuf.Duration_sortByAssociatedKeys";
    Base64Decode = "base64_decode_string";
    Base64Encode = "base64_encode_bytes";
    StringToIp = "string_to_ip";
    CidrIp = "cidr_ip";
    IsIp = "is_ip";
    IpIsCanonical = "ip_is_canonical";
    IpFamily = "ip_family";
    IpIsLoopback = "ip_is_loopback";
    IpIsGlobalUnicast = "ip_is_global_unicast";
    IpIsLinkLocalMulticast = "ip_is_link_local_multicast";
    IpIsLinkLocalUnicast = "ip_is_link_local_unicast";
    IpIsUnspecified = "ip_is_unspecified";
    StringToCidr = "string_to_cidr";
    IsCidr = "is_cidr";
    CidrContainsIp = "cidr_contains_ip";
    CidrContainsIpString = "cidr_contains_ip_string";
    CidrContainsCidr = "cidr_contains_cidr";
    CidrContainsCidrString = "cidr_contains_cidr_string";
    CidrMasked = "cidr_masked";
    CidrPrefixLength = "cidr_prefix_length";
    OptionalOf = "optional_of";
    OptionalOfNonZero = "optional_ofNonZeroValue";
    OptionalNone = "optional_none";
    OptionalUnwrap = "optional_unwrap";
    UnwrapOptionals = "optional_unwrapOpt";
    OptionalValue = "optional_value";
    OptionalHasValue = "optional_hasValue";
    OptionalOr = "optional_or_optional";
    OptionalOrValue = "optional_orValue_value";
    ListFirst = "list_first";
    ListLast = "list_last";
    OrString = "or_string";
    OrInt = "or_int";
    OrUint = "or_uint";
    OrDouble = "or_double";
    OrBool = "or_bool";
}

impl Overload {
    /// Whether it takes its default when its first argument has no value, for whatever reason.
    #[must_use]
    pub const fn is_total_form(self) -> bool {
        matches!(
            self,
            Self::OrString | Self::OrInt | Self::OrUint | Self::OrDouble | Self::OrBool
        )
    }
}
