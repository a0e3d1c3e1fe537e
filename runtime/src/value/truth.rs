//! The three outcomes of a CEL boolean.

/// What a boolean expression evaluates to: true, false or an error (a missing key, a wrong type).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// It is true.
    True,
    /// It is false.
    False,
    /// It has no value.
    Error,
}

impl Truth {
    /// T(e): the expression evaluates to true.
    #[inline(always)]
    pub fn is_true(self) -> bool {
        self == Self::True
    }

    /// F(e): the expression evaluates to false.
    #[inline(always)]
    pub fn is_false(self) -> bool {
        self == Self::False
    }

    /// The expression evaluates to an error.
    #[inline(always)]
    pub fn is_error(self) -> bool {
        self == Self::Error
    }

    /// The outcome of an optional answer: `None` is an error.
    #[inline(always)]
    pub fn from_option(answer: Option<bool>) -> Self {
        answer.map_or(Self::Error, Self::from)
    }
}

impl From<bool> for Truth {
    #[inline(always)]
    fn from(value: bool) -> Self {
        if value { Self::True } else { Self::False }
    }
}

impl std::ops::Not for Truth {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            Self::Error => Self::Error,
        }
    }
}
