//! The front end for expressions: from a syntax tree to a typed tree.
//!
//! In: [`watershed_lang::ast::Expr`] and an [`environment::Environment`]. Out: a [`typed::Tree`] in which every node
//! has a type, a level, the reasons why it can fail and its value when that is known, and every call its overloads.
//! The language is all of CEL with the extensions for strings, numbers, lists, encodings, networks, optionals and
//! two-variable macros; what needs protobuf messages is an error.
//!
//! * [`types`] and `unify` are the types and how they go together.
//! * [`declarations`] are the functions and operators, as tables.
//! * [`environment`] is what the place of the expression declares.
//! * [`telemetry`] declares what the signals carry.
//! * `free_names` finds what an expression takes from around it, `print` writes one as text.
//! * `macros` tells which calls are macros; [`check`] makes the tree; [`mend`] is how to write what is wrong with it.
//! * `totality` finds how nodes fail, [`limits`] is what the run time refuses for its size, [`fold`] what they are worth, [`lint`] what their author hardly wanted, [`value`]
//!   what keeps an expression from being a value.
//!
//! Nothing here reads files, the environment of the process or a clock, and nothing is iterated in an order that
//! could change.

pub mod check;
pub mod declarations;
pub mod environment;
pub mod error;
pub mod failure;
mod finish;
pub mod fold;
pub mod format;
pub(crate) mod free_names;
pub mod given;
pub mod limits;
pub mod lint;
mod macros;
pub mod mend;
mod pattern;
pub(crate) mod print;
pub mod telemetry;
mod totality;
pub mod typed;
pub mod types;
mod unify;
pub mod value;

pub use check::{Checked, Mode, check};
pub use environment::Environment;
pub use error::CheckError;
pub use failure::{Fails, Failure};
pub use typed::Tree;
pub use types::Type;
