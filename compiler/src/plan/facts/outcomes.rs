//! The outcomes that a condition can have: true, false and error, in any number.

use crate::plan::{Constant, Outcome};

/// A set of outcomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcomes {
    /// Whether "true" is one.
    pub is_true: bool,
    /// Whether "false" is one.
    pub is_false: bool,
    /// Whether "error" is one.
    pub error: bool,
}

impl Outcomes {
    /// Nothing is known.
    pub const ANY: Self = Self::new(true, true, true);
    /// True alone.
    pub const TRUE: Self = Self::new(true, false, false);
    /// False alone.
    pub const FALSE: Self = Self::new(false, true, false);
    /// False and error.
    pub const NOT_TRUE: Self = Self::TRUE.others();
    /// True and error.
    pub const NOT_FALSE: Self = Self::FALSE.others();

    const fn new(is_true: bool, is_false: bool, error: bool) -> Self {
        Self {
            is_true,
            is_false,
            error,
        }
    }

    /// The outcomes that are not in the set.
    #[must_use]
    pub const fn others(self) -> Self {
        Self::new(!self.is_true, !self.is_false, !self.error)
    }

    /// What `!` makes of them.
    #[must_use]
    pub const fn negated(self) -> Self {
        Self::new(self.is_false, self.is_true, self.error)
    }

    /// The outcomes in both sets.
    #[must_use]
    pub const fn intersect(self, other: Self) -> Self {
        Self::new(
            self.is_true && other.is_true,
            self.is_false && other.is_false,
            self.error && other.error,
        )
    }

    /// The outcomes in either set.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        self.others().intersect(other.others()).others()
    }

    /// Whether every outcome of the set is in `other`.
    #[must_use]
    pub fn is_subset(self, other: Self) -> bool {
        self.intersect(other) == self
    }

    /// The outcomes of `a && b`: an error stays unless the other side is false.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self::new(
            self.is_true && other.is_true,
            self.is_false || other.is_false,
            self.error && (other.is_true || other.error) || other.error && self.is_true,
        )
    }

    /// The outcomes of `c ? a : b`.
    #[must_use]
    pub const fn choose(self, taken: Self, passed: Self) -> Self {
        Self::new(
            self.is_true && taken.is_true || self.is_false && passed.is_true,
            self.is_true && taken.is_false || self.is_false && passed.is_false,
            self.error || self.is_true && taken.error || self.is_false && passed.error,
        )
    }

    /// The one outcome, when there is but one.
    #[must_use]
    pub const fn only(self) -> Option<Constant> {
        match (self.is_true, self.is_false, self.error) {
            (true, false, false) => Some(Constant::True),
            (false, true, false) => Some(Constant::False),
            (false, false, true) => Some(Constant::Error),
            _ => None,
        }
    }
}

impl From<Constant> for Outcomes {
    fn from(constant: Constant) -> Self {
        match constant {
            Constant::True => Self::TRUE,
            Constant::False => Self::FALSE,
            Constant::Error => Self::new(false, false, true),
        }
    }
}

/// The outcomes that pass a boundary.
impl From<Outcome> for Outcomes {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::True => Self::TRUE,
            Outcome::NotTrue => Self::NOT_TRUE,
            Outcome::False => Self::FALSE,
            Outcome::NotFalse => Self::NOT_FALSE,
        }
    }
}
