//! Tables of texts that a flow lists: which case of a switch a text leads to, found by one look-up.
//!
//! In: the keys, as a static of the generated code. Out: the number of the case. The table is laid out when the program is
//! compiled, so nothing is built at start and a look-up costs the same for ten keys and for ten thousand.

use super::{AnyValue, Text};

/// Texts with the case that each leads to, in `SLOTS` slots: a power of two, and at least twice as many as there are texts.
///
/// ```
/// use watershed::generated::{AnyValue, TextTable};
///
/// static TEAMS: TextTable<8> = TextTable::new(&[("red", 0), ("green", 1), ("blue", 0)]);
/// assert_eq!(TEAMS.find("blue"), Some(0));
/// assert_eq!(TEAMS.find("black"), None);
/// assert_eq!(TEAMS.find_value(AnyValue::Int(1)), None);
/// ```
#[derive(Clone, Debug)]
pub struct TextTable<const SLOTS: usize> {
    entries: &'static [(&'static str, u16)],
    slots: [Slot; SLOTS],
}

/// A place for one text. Texts that want the same place stand one behind the other.
#[derive(Clone, Copy, Debug)]
struct Slot {
    /// Bits of the hash that did not choose the place: most other texts differ in them.
    tag: u16,
    /// The position of the text plus one; zero when the slot is free.
    entry: u16,
}

impl<const SLOTS: usize> TextTable<SLOTS> {
    /// The table of these texts, which all differ.
    ///
    /// # Panics
    ///
    /// When there are more texts than half of the slots or than 65,535, or the slots are no power of two. In a static
    /// this is an error at build time.
    #[allow(
        clippy::indexing_slicing,
        reason = "it runs when the program is compiled, where a wrong index is an error"
    )]
    pub const fn new(entries: &'static [(&'static str, u16)]) -> Self {
        assert!(SLOTS.is_power_of_two() && entries.len() * 2 <= SLOTS);
        assert!(entries.len() < u16::MAX as usize);
        let mut slots = [Slot { tag: 0, entry: 0 }; SLOTS];
        let mut position = 0;
        while position < entries.len() {
            let hash = hash(entries[position].0.as_bytes());
            let mut at = place(hash, SLOTS);
            while slots[at].entry != 0 {
                at = (at + 1) % SLOTS;
            }
            slots[at] = Slot {
                tag: tag(hash),
                entry: position as u16 + 1,
            };
            position += 1;
        }
        Self { entries, slots }
    }

    /// The case of a text; `None` when it is no key.
    #[inline]
    pub fn find<'a>(&self, text: impl Into<Text<'a>>) -> Option<u16> {
        let text = text.into();
        let hash = hash(text.as_bytes());
        let tag = tag(hash);
        let mut at = place(hash, SLOTS);
        loop {
            let slot = self.slots.get(at)?;
            // A free slot has entry zero, which is no position.
            let position = usize::from(slot.entry).checked_sub(1)?;
            if slot.tag == tag
                && let Some((known, case)) = self.entries.get(position)
                && is_equal(known.as_bytes(), text.as_bytes())
            {
                return Some(*case);
            }
            at = (at + 1) % SLOTS;
        }
    }

    /// The case of a value; `None` when it is missing, no text or no key.
    #[inline]
    pub fn find_value(&self, value: AnyValue<'_>) -> Option<u16> {
        match value {
            AnyValue::Text(text) => self.find(text),
            _ => None,
        }
    }
}

impl AnyValue<'_> {
    /// The whole number that this is equal to, of any kind of number; `None` for everything else. Beyond 2^53 doubles
    /// are only near to whole numbers and give `None`.
    #[inline]
    pub fn whole_number(self) -> Option<i64> {
        const EXACT: f64 = 9_007_199_254_740_992.0;
        match self {
            Self::Int(number) => Some(number),
            Self::Uint(number) => i64::try_from(number).ok(),
            Self::Double(number) if number.abs() <= EXACT && number.trunc() == number => {
                Some(number as i64)
            }
            _ => None,
        }
    }
}

/// Odd, and with as many ones as zeros.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// With as many ones as zeros, too.
const OTHER: u64 = 0xd1b5_4a32_d192_ed03;

/// A hash of all bytes: one multiplication for every sixteen of them, since each waits for the one before. It need not
/// resist attacks: the keys are known, and what does not meet them costs no more than the longest row of slots.
#[inline]
const fn hash(bytes: &[u8]) -> u64 {
    let mut state = bytes.len() as u64 ^ FACTOR;
    let mut rest = bytes;
    while rest.len() > 16
        && let Some((low, behind)) = rest.split_first_chunk::<8>()
        && let Some((high, behind)) = behind.split_first_chunk::<8>()
    {
        state = mix(
            state ^ u64::from_le_bytes(*low),
            OTHER ^ u64::from_le_bytes(*high),
        );
        rest = behind;
    }
    let (low, high) = ends(rest);
    mix(state ^ low, OTHER ^ high)
}

/// The first and the last bytes of at most sixteen, which overlap when there are fewer.
#[inline]
const fn ends(bytes: &[u8]) -> (u64, u64) {
    if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        return (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
        return (first as u64, last as u64);
    }
    match bytes {
        [one] => (*one as u64, 0),
        [one, two] => (*one as u64, *two as u64),
        [one, two, three] => ((*one as u64) << 8 | *two as u64, *three as u64),
        _ => (0, 0),
    }
}

/// Whether two texts are equal. Keys are short as a rule: those of up to 32 bytes are compared by words that overlap, which
/// is less work than the call that compares texts of any length.
#[inline]
fn is_equal(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    if one.len() <= 16 {
        return ends(one) == ends(other);
    }
    if one.len() > 32 {
        return one == other;
    }
    one.first_chunk::<16>() == other.first_chunk::<16>()
        && one.last_chunk::<16>() == other.last_chunk::<16>()
}

#[inline]
const fn mix(one: u64, other: u64) -> u64 {
    let product = one as u128 * other as u128;
    product as u64 ^ (product >> 64) as u64
}

/// The slot where a text is looked for first.
#[inline]
const fn place(hash: u64, slots: usize) -> usize {
    hash as usize % slots
}

#[inline]
const fn tag(hash: u64) -> u16 {
    (hash >> 48) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_found_and_nothing_else() {
        static KEYS: TextTable<32> = TextTable::new(&[
            ("", 0),
            ("a", 1),
            ("ab", 2),
            ("abc", 3),
            ("abcd", 4),
            ("abcdefg", 5),
            ("abcdefgh", 6),
            ("abcdefgh-abcdefgh", 7),
            ("abcdefgh+abcdefgh", 8),
            ("é", 9),
            ("a\0", 10),
            ("ba", 11),
            ("abcdefghijklmnopqrstuvwxyz012345", 12),
            ("abcdefghijklmnopqrstuvwxyz0123456789", 13),
        ]);
        for (text, case) in KEYS.entries {
            assert_eq!(KEYS.find(*text), Some(*case), "{text:?}");
        }
        for text in [
            "b",
            "abcdefgh.abcdefgh",
            "abce",
            "a\0\0",
            "abcdefghi",
            "abcdefghijklmnopqrstuvwxyz012346",
            "abcdefghijklmnopqrstuvwxyz0123456780",
        ] {
            assert_eq!(KEYS.find(text), None, "{text:?}");
        }
        assert_eq!(KEYS.find_value(AnyValue::from("ab")), Some(2));
        assert_eq!(KEYS.find_value(AnyValue::Missing), None);
        assert_eq!(KEYS.find_value(AnyValue::Bytes(b"ab")), None);
    }

    #[test]
    fn texts_are_equal_when_every_byte_is() {
        for length in 0..40 {
            let text: Vec<u8> = (0..length).collect();
            assert!(is_equal(&text, &text.clone()), "{length}");
            assert!(!is_equal(&text, &[text.as_slice(), b"x"].concat()));
            for at in 0..text.len() {
                let mut other = text.clone();
                other[at] ^= 1;
                assert!(!is_equal(&text, &other), "{length} {at}");
            }
        }
    }

    #[test]
    fn texts_that_are_alike_get_places_of_their_own() {
        let distances = [10, 100, 1_000, 10_000].map(|count: usize| {
            let mut slots = vec![0_usize; (2 * count).next_power_of_two()];
            for number in 0..count {
                let text = format!("tenant-{number:06}-production");
                let slot = place(hash(text.as_bytes()), slots.len());
                slots[slot] += 1;
            }
            slots.into_iter().max().unwrap()
        });
        assert!(distances.iter().all(|most| *most <= 8), "{distances:?}");
    }

    #[test]
    fn whole_numbers_agree_with_equality() {
        for key in [-3_i64, 0, 9, 1 << 53] {
            for value in [
                AnyValue::Int(9),
                AnyValue::Int(-3),
                AnyValue::Uint(9),
                AnyValue::Uint(u64::MAX),
                AnyValue::Double(9.0),
                AnyValue::Double(-0.0),
                AnyValue::Double(9.5),
                AnyValue::Double(f64::NAN),
                AnyValue::Double(f64::INFINITY),
                AnyValue::Double(9_007_199_254_740_992.0),
                AnyValue::Double(9_007_199_254_740_994.0),
                AnyValue::from("9"),
                AnyValue::Null,
                AnyValue::Missing,
            ] {
                let found = value.whole_number() == Some(key);
                assert_eq!(found, value.is_int(key), "{value:?} {key}");
            }
        }
    }
}
