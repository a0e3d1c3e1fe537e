//! Fuzz targets: what holds for every input of what reads text or bytes.
//!
//! In: any bytes. Out: nothing, or a panic that says what does not hold. A target is a function of this crate, so that
//! it runs in two ways: for hours under libFuzzer (`fuzz_targets`, which need a nightly compiler), and for seconds in
//! the test of this crate, over the seeds and over changes that [`mutate`] makes to them. Both start from the same
//! [`seeds`] and know the same words ([`dictionary`]).

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "what does not hold must stop the fuzzer"
)]

mod constants;
mod decoded;
pub mod dictionary;
pub mod expression;
pub mod format;
pub mod mutate;
pub mod otlp;
pub mod parse;
pub mod program;
mod reading;
pub mod regex;
mod rust;
pub mod seeds;
pub mod subject;
pub mod tokens;
pub mod topology;
pub mod values;

use mutate::Form;

/// A fuzz target.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, which is that of its module and of its program.
    pub name: &'static str,
    /// Checks one input. It panics when something does not hold.
    pub run: fn(&[u8]),
    /// What its inputs are made of.
    pub form: Form,
    /// The words that its inputs are made of, in the form of libFuzzer.
    pub dictionary: &'static str,
}

const FLOW: &str = include_str!("../dictionaries/flow.dict");
const OTLP: &str = include_str!("../dictionaries/otlp.dict");

/// Every target.
pub const TARGETS: &[Target] = &[
    target("parse", parse::run, Form::Text, FLOW),
    target("expression", expression::run, Form::Text, FLOW),
    target("program", program::run, Form::Text, FLOW),
    target("tokens", tokens::run, Form::Text, FLOW),
    target("format", format::run, Form::Text, FLOW),
    target(
        "regex",
        regex::run,
        Form::Text,
        include_str!("../dictionaries/regex.dict"),
    ),
    target(
        "values",
        values::run,
        Form::Text,
        include_str!("../dictionaries/values.dict"),
    ),
    target("otlp", otlp::run, Form::Protobuf { head: 1 }, OTLP),
    target(
        "topology",
        topology::run,
        Form::Protobuf {
            head: topology::HEAD,
        },
        OTLP,
    ),
    target(
        "subject",
        subject::run,
        Form::Text,
        include_str!("../dictionaries/subject.dict"),
    ),
];

const fn target(
    name: &'static str,
    run: fn(&[u8]),
    form: Form,
    dictionary: &'static str,
) -> Target {
    Target {
        name,
        run,
        form,
        dictionary,
    }
}

/// The target with this name.
///
/// ```
/// let target = watershed_fuzz::target_named("subject").unwrap();
/// (target.run)(b"any bytes: \xff");
/// ```
#[must_use]
pub fn target_named(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// The program of a target for libFuzzer: half of its inputs are changed by libFuzzer, half by [`mutate`].
#[macro_export]
macro_rules! program {
    ($name:ident) => {
        libfuzzer_sys::fuzz_target!(|input: &[u8]| $crate::$name::run(input));

        libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
            let target = $crate::target_named(stringify!($name));
            match target.filter(|_| seed.is_multiple_of(2)) {
                Some(target) => $crate::mutate::in_place(target, data, size, max_size, seed),
                None => libfuzzer_sys::fuzzer_mutate(data, size, max_size),
            }
        });
    };
}
