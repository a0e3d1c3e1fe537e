//! The commands of `flowc`, one file each.

pub(crate) mod build;
pub(crate) mod check;
pub(crate) mod emit;
pub(crate) mod explain;
pub(crate) mod fmt;
pub(crate) mod graph;
pub(crate) mod run;
