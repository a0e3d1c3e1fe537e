//! Why an expression can fail.
//!
//! In: nothing. Out: [`Failure`], a reason, and [`Fails`], a set of reasons. An expression whose set is empty is
//! total: it has a value for every record.

use std::fmt;

/// Makes the enum, its texts and [`Failure::ALL`] from one table.
macro_rules! failures {
    ($($name:ident = $text:literal;)*) => {
        /// One reason why an evaluation has no value.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Failure {
            $(#[doc = concat!("It can fail: ", $text, ".")] $name,)*
        }

        impl Failure {
            /// Every reason, in the order of the bits of [`Fails`].
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The reason in words, after "it can fail:".
            #[must_use]
            pub const fn describe(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }
        }
    };
}

failures! {
    MissingKey = "the key may be missing";
    WrongType = "the value may be of another type";
    OutOfRange = "the position may be outside";
    Overflow = "the number may not fit";
    DivisionByZero = "the divisor may be zero";
    Conversion = "the value may not be convertible";
    InvalidArgument = "an argument may be out of its range";
    InvalidRegex = "the regular expression may be malformed";
    InvalidFormat = "the template may not fit its arguments";
    UnknownTimeZone = "the time zone may not exist";
    EmptyOptional = "the optional may be empty";
    InvalidKey = "a key may be of a type that no key can have";
    DuplicateKey = "a key may stand twice";
    Unresolved = "a name or a function does not exist";
    MixedNull = "the value may be `null` where its type says otherwise, or the other way round";
    Elsewhere = "what it refers to may fail";
}

/// The set of reasons why an expression can fail; empty means that it is total.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Fails(u16);

impl Fails {
    /// It cannot fail.
    pub const NEVER: Self = Self(0);

    /// It can fail for this reason alone.
    #[must_use]
    pub const fn because(failure: Failure) -> Self {
        Self(1 << failure as u16)
    }

    /// It can fail for the reasons of both.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// It can fail for these reasons, this one left out.
    #[must_use]
    pub const fn without(self, failure: Failure) -> Self {
        Self(self.0 & !(1 << failure as u16))
    }

    /// Whether it cannot fail.
    #[must_use]
    pub const fn is_total(self) -> bool {
        self.0 == 0
    }

    /// Whether this is one of the reasons.
    #[must_use]
    pub const fn contains(self, failure: Failure) -> bool {
        self.0 & (1 << failure as u16) != 0
    }

    /// The reasons.
    pub fn iter(self) -> impl Iterator<Item = Failure> {
        Failure::ALL
            .iter()
            .copied()
            .filter(move |failure| self.contains(*failure))
    }
}

impl fmt::Debug for Fails {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_has_a_bit_of_its_own() {
        for failure in Failure::ALL {
            let only = Fails::because(*failure);
            assert_eq!(only.iter().collect::<Vec<_>>(), [*failure]);
            assert!(only.without(*failure).is_total());
        }
    }
}
