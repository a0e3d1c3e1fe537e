//! RE2 patterns, as CEL names them, written for the `regex` crate.
//!
//! In: a pattern in RE2 syntax. Out: a pattern for `regex::bytes::Regex` that finds the same texts, or a [`Fault`].
//! The two languages look alike and differ where nobody would notice: `\d`, `\w`, `\s` and `\b` are ASCII in RE2
//! and Unicode in the crate; `[a&&b]` is three characters in one and an intersection in the other; `\<` is a
//! character in one and a boundary in the other. So every construct of RE2 is read here and written anew, and what
//! RE2 refuses is refused.
//!
//! Both the compiler (for literal patterns) and the runtime (for the others) use it. It depends on nothing. What it
//! writes still has to be compiled, which fails for a script of Unicode that does not exist and for a group name
//! that repeats.
//!
//! ```
//! use watershed_re2::{Problem, rewrite};
//!
//! assert_eq!(rewrite(r"^\d+$").unwrap(), "^[0-9]+$");
//! assert_eq!(rewrite(r"[a&&b]").unwrap(), r"[a\&\&b]");
//! let fault = rewrite("ab*+").unwrap_err();
//! assert_eq!((fault.problem, fault.offset), (Problem::RepeatedRepetition, 3));
//! ```

mod class;
mod escape;
mod fault;
mod group;
mod reader;
mod rewriter;

pub use fault::{Fault, Problem};
pub use rewriter::rewrite;
