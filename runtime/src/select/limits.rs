//! What the outputs of one event may come to (delivery rules, section 5). A selection and the plan of an
//! event keep to the same numbers: the selection before it copies, the plan over all that goes out.

/// Most subjects of one event.
pub(crate) const MAX_SUBJECTS: usize = 1_024;

/// A target may get this many times the bytes that its records come from: envelopes repeat for each subject.
const INPUT_FACTOR: u64 = 4;

/// And this much more, so that small events with long envelopes pass.
const EXTRA_BYTES: u64 = 1 << 20;

/// How many bytes one target may get of requests of `input` bytes.
pub(crate) fn output_limit(input: u64) -> u64 {
    input
        .saturating_mul(INPUT_FACTOR)
        .saturating_add(EXTRA_BYTES)
}
