//! What something that is read may be: a set of values of all kinds that the data can have, and "absent".
//!
//! In: literals and operators. Out: the values for which a comparison is true and those for which it is false; for all
//! others it is an error.

use std::rc::Rc;

use super::intervals::{Cut, Intervals};
use crate::cel::Type;
use crate::hir::Literal;
use crate::plan::CompareOp;

/// Integers up to this are doubles too. Greater ones compare with doubles as the doubles nearest to them, which is no
/// order of values any more.
const EXACT: i128 = 1 << 53;

/// A number of any kind: what is below it and whole, and the bits of the rest, which order as the rest does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Number {
    whole: i128,
    rest: u64,
}

/// A text by its bytes: CEL orders texts by them.
type Text = Rc<[u8]>;

/// Kinds of values that are all in a set or all out of it, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kinds(u8);

impl Kinds {
    const NONE: Self = Self(0);
    const ABSENT: Self = Self(1);
    const NULL: Self = Self(1 << 1);
    const TRUE: Self = Self(1 << 2);
    const FALSE: Self = Self(1 << 3);
    const NAN: Self = Self(1 << 4);
    /// Bytes, lists and maps.
    const OTHER: Self = Self(1 << 5);
    const ALL: Self = Self((Self::OTHER.0 << 1) - 1);
}

/// A set of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Domain {
    kinds: Kinds,
    numbers: Intervals<Number>,
    texts: Intervals<Text>,
}

impl Domain {
    /// Nothing.
    pub(super) const fn none() -> Self {
        Self::of_kinds(Kinds::NONE)
    }

    /// Every value, and "absent".
    pub(super) fn anything() -> Self {
        Self {
            kinds: Kinds::ALL,
            numbers: Intervals::all(),
            texts: Intervals::from(Cut::below(Rc::from([].as_slice()))),
        }
    }

    /// Every value.
    pub(super) fn present() -> Self {
        Self::absent().complement()
    }

    /// "Absent" alone.
    pub(super) const fn absent() -> Self {
        Self::of_kinds(Kinds::ABSENT)
    }

    /// `null` alone.
    pub(super) const fn null() -> Self {
        Self::of_kinds(Kinds::NULL)
    }

    /// `true` or `false` alone.
    pub(super) const fn boolean(value: bool) -> Self {
        Self::of_kinds(if value { Kinds::TRUE } else { Kinds::FALSE })
    }

    const fn of_kinds(kinds: Kinds) -> Self {
        Self {
            kinds,
            numbers: Intervals::none(),
            texts: Intervals::none(),
        }
    }

    const fn of_numbers(numbers: Intervals<Number>) -> Self {
        Self {
            kinds: Kinds::NONE,
            numbers,
            texts: Intervals::none(),
        }
    }

    const fn of_texts(texts: Intervals<Text>) -> Self {
        Self {
            kinds: Kinds::NONE,
            numbers: Intervals::none(),
            texts,
        }
    }

    /// Every value of a type; `None` for a type whose values are not told apart here.
    pub(super) fn of_type(ty: &Type) -> Option<Self> {
        Some(match ty {
            Type::Dyn => Self::present(),
            Type::Bool => Self::boolean(true).union(&Self::boolean(false)),
            Type::Int | Type::Duration => Self::of_numbers(Intervals::all()),
            Type::Uint => Self::of_numbers(Intervals::from(Cut::below(Number::whole(0)))),
            Type::Double => Self {
                kinds: Kinds::NAN,
                ..Self::of_numbers(Intervals::all())
            },
            Type::String => Self {
                kinds: Kinds::NONE,
                numbers: Intervals::none(),
                ..Self::anything()
            },
            _ => return None,
        })
    }

    /// What equals a literal, where something of type `ty` is compared with it.
    pub(super) fn equal_to(literal: &Literal, ty: &Type) -> Option<Self> {
        Some(match literal {
            Literal::Null => Self::null(),
            Literal::Bool(value) => Self::boolean(*value),
            Literal::String(text) => {
                let text: Text = Rc::from(text.as_bytes());
                let (low, high) = (Cut::below(Rc::clone(&text)), Cut::above(text));
                Self::of_texts(Intervals::between(low, high))
            }
            number => {
                let number = Number::of(number, ty)?;
                let (low, high) = (Cut::below(number), number.above(ty));
                Self::of_numbers(Intervals::between(low, high))
            }
        })
    }

    /// What `value op literal` is true for and false for; `None` for a literal without an order here.
    pub(super) fn ordered(op: CompareOp, literal: &Literal, ty: &Type) -> Option<(Self, Self)> {
        if let Literal::String(text) = literal {
            let text: Text = Rc::from(text.as_bytes());
            let (low, high) = (Cut::below(Rc::clone(&text)), Cut::above(text));
            let holds = Self::of_texts(range(op, low, high)?);
            let all = Self::of_type(&Type::String)?;
            return Some((holds.intersect(&all), all.without(&holds)));
        }
        let number = Number::of(literal, ty)?;
        let holds = Self::of_numbers(range(op, Cut::below(number), number.above(ty))?);
        // A comparison with NaN is false.
        let all = Self::of_type(&Type::Double)?;
        let fails = all.without(&holds);
        Some((holds, fails))
    }

    /// The texts that start with a text, and all others.
    pub(super) fn starting_with(prefix: &str) -> Option<(Self, Self)> {
        let low = Cut::below(Rc::from(prefix.as_bytes()));
        let texts = match behind_all_with_prefix(prefix.as_bytes()) {
            Some(high) => Intervals::between(low, Cut::below(high)),
            None => Intervals::from(low),
        };
        let holds = Self::of_texts(texts);
        let fails = Self::of_type(&Type::String)?.without(&holds);
        Some((holds, fails))
    }

    /// All other values, "absent" included.
    pub(super) fn complement(self) -> Self {
        Self {
            kinds: Kinds(Kinds::ALL.0 & !self.kinds.0),
            numbers: self.numbers.complement(),
            texts: self.texts.complement(),
        }
    }

    /// What is in both sets.
    pub(super) fn intersect(&self, other: &Self) -> Self {
        Self {
            kinds: Kinds(self.kinds.0 & other.kinds.0),
            numbers: self.numbers.intersect(&other.numbers),
            texts: self.texts.intersect(&other.texts),
        }
    }

    /// Leaves out what is not in `other`, in place.
    pub(super) fn narrow(&mut self, other: &Self) {
        self.kinds = Kinds(self.kinds.0 & other.kinds.0);
        self.numbers.narrow(&other.numbers);
        self.texts.narrow(&other.texts);
    }

    /// What is in either set.
    pub(super) fn union(&self, other: &Self) -> Self {
        Self {
            kinds: Kinds(self.kinds.0 | other.kinds.0),
            numbers: self.numbers.union(&other.numbers),
            texts: self.texts.union(&other.texts),
        }
    }

    /// What is not in `other`.
    pub(super) fn without(&self, other: &Self) -> Self {
        self.intersect(&other.clone().complement())
    }

    /// Whether nothing is in the set.
    pub(super) fn is_empty(&self) -> bool {
        self.kinds == Kinds::NONE && self.numbers.is_empty() && self.texts.is_empty()
    }

    /// Whether nothing is in both sets.
    pub(super) fn is_disjoint(&self, other: &Self) -> bool {
        self.kinds.0 & other.kinds.0 == 0
            && self.numbers.is_disjoint(&other.numbers)
            && self.texts.is_disjoint(&other.texts)
    }

    /// Whether everything in the set is in `other`.
    pub(super) fn is_subset(&self, other: &Self) -> bool {
        self.kinds.0 & !other.kinds.0 == 0
            && self.numbers.is_subset(&other.numbers)
            && self.texts.is_subset(&other.texts)
    }
}

/// The values for which an order holds against one that lies between two places.
fn range<T: Ord + Clone>(op: CompareOp, low: Cut<T>, high: Cut<T>) -> Option<Intervals<T>> {
    Some(match op {
        CompareOp::Less => Intervals::up_to(low),
        CompareOp::LessEqual => Intervals::up_to(high),
        CompareOp::Greater => Intervals::from(high),
        CompareOp::GreaterEqual => Intervals::from(low),
        CompareOp::Equal | CompareOp::NotEqual => return None,
    })
}

/// The first bytes behind all that start with a prefix; `None` where there are none behind them.
fn behind_all_with_prefix(prefix: &[u8]) -> Option<Text> {
    let mut bytes = prefix.to_vec();
    while let Some(last) = bytes.pop() {
        if let Some(next) = last.checked_add(1) {
            bytes.push(next);
            return Some(Rc::from(bytes));
        }
    }
    None
}

impl Number {
    const fn whole(whole: i128) -> Self {
        Self { whole, rest: 0 }
    }

    /// The number that a literal is, where something of type `ty` is compared with it.
    fn of(literal: &Literal, ty: &Type) -> Option<Self> {
        let is_duration = *ty == Type::Duration;
        let number = match literal {
            Literal::Int(value) if !is_duration => Self::whole(i128::from(*value)),
            Literal::Uint(value) if !is_duration => Self::whole(i128::from(*value)),
            Literal::Duration(value) if is_duration => Self::whole(i128::from(*value)),
            Literal::Double(value) if !is_duration && value.abs() <= EXACT as f64 => {
                let whole = value.floor();
                Self {
                    whole: whole as i128,
                    rest: (value - whole).to_bits(),
                }
            }
            _ => return None,
        };
        let is_exact = is_integer(ty) || (-EXACT..=EXACT).contains(&number.whole);
        is_exact.then_some(number)
    }

    /// The place above the number: among integers that below the next one.
    const fn above(self, ty: &Type) -> Cut<Self> {
        if is_integer(ty) && self.rest == 0 {
            Cut::below(Self::whole(self.whole + 1))
        } else {
            Cut::above(self)
        }
    }
}

/// Whether nothing lies between a number of this type and the next.
const fn is_integer(ty: &Type) -> bool {
    matches!(ty, Type::Int | Type::Uint | Type::Duration)
}
