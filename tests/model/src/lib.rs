//! What a flow means, said a second time: slowly, over decoded messages, and without any plan or walk.
//!
//! In: a seed. Out: topologies ([`generator`]), requests for them ([`requests`]), the same in every unusual form that OTLP
//! allows ([`disturb`], [`rows`]), and what must become of each record, from an interpreter of CEL ([`interpreter`]) and
//! from a plan as it stands ([`evaluator`]). `tests/topologies` compares compiled flows with that, `fuzz` plans.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "what does not hold must stop the test"
)]

pub mod disturb;
pub mod evaluator;
pub mod fields;
pub mod generator;
pub mod interpreter;
pub mod requests;
pub mod rows;
pub mod topology;
