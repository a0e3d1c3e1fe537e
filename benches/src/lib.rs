//! What the criterion benches and the `watershed-benches` program share.
//!
//! [`works`] lists the pieces of work: each is a compiled flow, run through the functions that the compiler generated
//! for it, beside the same work done by hand ([`hand_written`]) and with prost ([`baseline`]). [`expressions`] has predicates alone, beside the same
//! predicates by hand and in the `cel` crate. [`measure`] times them side by side, [`ratios`] reports.
//! [`scaling`] and [`budgets`] look at what grows with a flow, at run time and at build time.

pub mod baseline;
pub mod budgets;
pub mod expressions;
pub mod flows;
pub mod hand_written;
pub mod measure;
pub mod ratios;
pub mod repeat;
pub mod scaling;
pub mod table;
pub mod works;
