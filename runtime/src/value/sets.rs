//! Sets that a flow lists, as statics of the generated code.

use super::{AnyValue, Text, Truth};

/// Texts in ascending order of their bytes, each once: `log.body in ["a", "b", …]`.
///
/// ```
/// use watershed::generated::TextSet;
///
/// static NOISY: TextSet = TextSet::sorted(&["healthz", "livez", "readyz"]);
/// assert!(NOISY.contains("livez"));
/// assert!(!NOISY.contains("live"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TextSet(&'static [&'static str]);

impl TextSet {
    /// The set of these texts, which are sorted and differ.
    pub const fn sorted(texts: &'static [&'static str]) -> Self {
        Self(texts)
    }

    /// Whether the text is in the set: a binary search.
    #[inline]
    pub fn contains<'a>(&self, text: impl Into<Text<'a>>) -> bool {
        let text = text.into();
        let found = self
            .0
            .binary_search_by(|known| known.as_bytes().cmp(text.as_bytes()));
        found.is_ok()
    }
}

/// Whole numbers in ascending order, each once: `log.severity_number in [9, 13, …]`.
#[derive(Clone, Copy, Debug)]
pub struct IntSet(&'static [i64]);

impl IntSet {
    /// The set of these numbers, which are sorted and differ.
    pub const fn sorted(numbers: &'static [i64]) -> Self {
        Self(numbers)
    }

    /// Whether the number is in the set: a binary search.
    #[inline]
    pub fn contains(&self, number: i64) -> bool {
        self.0.binary_search(&number).is_ok()
    }
}

impl AnyValue<'_> {
    /// `value in ["a", "b", …]`: an error when this is missing.
    #[inline]
    pub fn is_one_of_texts(self, set: &TextSet) -> Truth {
        match self {
            Self::Missing => Truth::Error,
            Self::Text(text) => Truth::from(set.contains(text)),
            _ => Truth::False,
        }
    }

    /// `value in [1, 2, …]`, over all kinds of numbers: an error when this is missing.
    pub fn is_one_of_ints(self, set: &IntSet) -> Truth {
        match self {
            Self::Missing => Truth::Error,
            Self::Int(number) => Truth::from(set.contains(number)),
            Self::Uint(number) => {
                Truth::from(i64::try_from(number).is_ok_and(|number| set.contains(number)))
            }
            // Large numbers are equal to a double that is near, so each is compared.
            Self::Double(_) => Truth::from(set.0.iter().any(|number| self.is_int(*number))),
            _ => Truth::False,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static TEXTS: TextSet = TextSet::sorted(&["", "a", "b", "é"]);
    static INTS: IntSet = IntSet::sorted(&[-5, 0, 9, 9_007_199_254_740_993]);

    #[test]
    fn texts_are_found_and_nothing_else() {
        for (text, is_in) in [("", true), ("é", true), ("ab", false), ("c", false)] {
            assert_eq!(
                AnyValue::from(text).is_one_of_texts(&TEXTS),
                Truth::from(is_in)
            );
        }
        assert_eq!(AnyValue::Int(1).is_one_of_texts(&TEXTS), Truth::False);
        assert_eq!(AnyValue::Missing.is_one_of_texts(&TEXTS), Truth::Error);
    }

    #[test]
    fn sets_of_numbers_agree_with_equality() {
        let numbers = [
            AnyValue::Int(9),
            AnyValue::Int(8),
            AnyValue::Uint(9),
            AnyValue::Uint(u64::MAX),
            AnyValue::Double(9.0),
            AnyValue::Double(9.5),
            AnyValue::Double(f64::NAN),
            AnyValue::Double(9_007_199_254_740_992.0),
            AnyValue::Null,
            AnyValue::from("9"),
        ];
        for number in numbers {
            let equal = number.is_one_of([-5_i64, 0, 9, 9_007_199_254_740_993]);
            assert_eq!(number.is_one_of_ints(&INTS), equal, "{number:?}");
        }
        assert_eq!(AnyValue::Missing.is_one_of_ints(&INTS), Truth::Error);
    }
}
