//! Changes to inputs: from one that makes sense to one that nearly does.
//!
//! In: an input, another one, words, and numbers by chance. Out: an input with a few changes. Bytes that are changed
//! blindly get no further than the first check of a parser, so changes are made to tokens of a text and to fields of a
//! message; some are made to bytes all the same.

mod bytes;
mod protobuf;
mod text;

use fastrand::Rng;

use crate::{Target, dictionary};

/// What inputs are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Tokens of a text.
    Text,
    /// Fields of a message, behind a head.
    Protobuf {
        /// The length of the head, in bytes.
        head: usize,
    },
}

/// Changes are made to this one at most so often.
const MAX_CHANGES: usize = 4;

/// The longest input that is made, in bytes.
const MAX_LENGTH: usize = 4_096;

/// Makes inputs from seeds.
#[derive(Debug)]
pub struct Mutator<'s> {
    form: Form,
    seeds: &'s [Vec<u8>],
    words: Vec<Vec<u8>>,
    random: Rng,
}

impl<'s> Mutator<'s> {
    /// A mutator whose output depends on its arguments alone.
    #[must_use]
    pub fn new(target: &Target, seeds: &'s [Vec<u8>], seed: u64) -> Self {
        Self {
            form: target.form,
            seeds,
            words: dictionary::words(target.dictionary),
            random: Rng::with_seed(seed),
        }
    }

    /// The next input.
    ///
    /// ```
    /// use watershed_fuzz::{mutate::Mutator, target_named};
    ///
    /// let target = target_named("parse").unwrap();
    /// let seeds = [b"a -> b;".to_vec()];
    /// let made = Mutator::new(target, &seeds, 7).next_input();
    /// assert_eq!(made, Mutator::new(target, &seeds, 7).next_input());
    /// ```
    pub fn next_input(&mut self) -> Vec<u8> {
        let mut input = self.seed();
        for _ in 0..self.random.usize(1..=MAX_CHANGES) {
            let other = self.seed();
            input = match self.form {
                _ if self.random.u8(..16) == 0 => {
                    bytes::change(input, &self.words, &mut self.random)
                }
                Form::Text => text::change(&input, &other, &self.words, &mut self.random),
                Form::Protobuf { head } => protobuf::change(&input, &other, head, &mut self.random),
            };
            input.truncate(MAX_LENGTH);
        }
        input
    }

    fn seed(&mut self) -> Vec<u8> {
        self.random.choice(self.seeds).cloned().unwrap_or_default()
    }
}

/// Changes the input in the first `size` bytes of `data`, for libFuzzer, and gives its new length.
pub fn in_place(
    target: &Target,
    data: &mut [u8],
    size: usize,
    max_size: usize,
    seed: u32,
) -> usize {
    let input = data.get(..size).unwrap_or_default().to_vec();
    let mut made = Mutator::new(target, &[input], u64::from(seed)).next_input();
    made.truncate(max_size.min(data.len()));
    if let Some(place) = data.get_mut(..made.len()) {
        place.copy_from_slice(&made);
    }
    made.len()
}
