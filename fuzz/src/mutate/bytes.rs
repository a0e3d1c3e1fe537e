//! Changes that know nothing of what the bytes mean.

use fastrand::Rng;

/// One change: a bit, a byte, a word, a stretch that is gone or stands twice.
pub(super) fn change(mut input: Vec<u8>, words: &[Vec<u8>], random: &mut Rng) -> Vec<u8> {
    let start = random.usize(..=input.len());
    let end = (start + random.usize(1..=8)).min(input.len());
    match random.u8(..5) {
        0 => {
            if let Some(byte) = input.get_mut(start) {
                *byte ^= 1 << random.u8(..8);
            }
        }
        1 => input.insert(start, random.u8(..)),
        2 => {
            let word = random.choice(words).cloned().unwrap_or_default();
            input.splice(start..start, word);
        }
        3 => drop(input.drain(start..end)),
        _ => {
            let stretch = input.get(start..end).unwrap_or_default().to_vec();
            input.splice(end..end, stretch);
        }
    }
    input
}
