//! Counts attribute keys that stand more than once in one list.
//!
//! Almost every list is short and free of duplicates, so a filter of 64 bits answers first; only when
//! two keys share a bit are the keys read again and compared. Long lists are sorted: hostile input costs n log n.

/// Up to this many keys are compared pairwise.
const PAIRWISE: usize = 32;

/// A filter over the keys of one list of attributes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Keys {
    /// A bit for each key.
    filter: u64,
    /// The bits that more than one key has.
    shared: u64,
}

impl Keys {
    /// Adds the key of the next attribute.
    #[inline(always)]
    pub(super) fn add(&mut self, key: &[u8]) {
        let bit = 1_u64.wrapping_shl(fingerprint(key));
        self.shared |= self.filter & bit;
        self.filter |= bit;
    }

    /// Whether a key may have stood before in the list; makes ready for the next list.
    #[inline(always)]
    pub(super) fn finish(&mut self) -> bool {
        std::mem::take(self).shared != 0
    }
}

/// A few bits of the length and the ends of a key.
#[inline(always)]
fn fingerprint(key: &[u8]) -> u32 {
    match (key.first(), key.last()) {
        (Some(first), Some(last)) => {
            u32::from(*first) + 5 * u32::from(*last) + 9 * (key.len() as u32)
        }
        _ => 0,
    }
}

/// How many of `keys` equal an earlier one.
#[cold]
pub(super) fn count(mut keys: Vec<&[u8]>) -> u32 {
    if keys.len() > PAIRWISE {
        keys.sort_unstable();
        return keys
            .windows(2)
            .filter(|pair| pair.first() == pair.last())
            .count() as u32;
    }
    let mut rest: &[&[u8]] = &keys;
    let mut duplicates = 0;
    while let [earlier @ .., key] = rest {
        duplicates += u32::from(earlier.contains(key));
        rest = earlier;
    }
    duplicates
}

#[cfg(test)]
mod tests {
    use super::{Keys, count};

    /// Counts as the walk does: only when the filter asks for it.
    fn duplicates(keys: &[&str]) -> u32 {
        let mut filter = Keys::default();
        keys.iter().for_each(|key| filter.add(key.as_bytes()));
        let counted = count(keys.iter().map(|key| key.as_bytes()).collect());
        let suspicious = filter.finish();
        assert!(suspicious || counted == 0);
        counted
    }

    #[test]
    fn counts_every_key_that_stood_before() {
        assert_eq!(duplicates(&[]), 0);
        assert_eq!(duplicates(&["a", "b", "c"]), 0);
        assert_eq!(duplicates(&["a", "b", "a", "a", "", ""]), 3);
    }

    #[test]
    fn long_lists_count_the_same() {
        let names: Vec<String> = (0..200)
            .map(|number| format!("key.{}", number % 150))
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert_eq!(duplicates(&names), 50);
    }

    #[test]
    fn a_list_starts_empty_after_the_last() {
        let mut list = Keys::default();
        list.add(b"a");
        assert!(!list.finish());
        list.add(b"a");
        assert!(!list.finish());
        list.add(b"a");
        list.add(b"a");
        assert!(list.finish());
    }
}
