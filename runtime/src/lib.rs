//! What compiled flows run on.
//!
//! The core reads OTLP without decoding it: [`Piece::validate`] checks an export request once, cursors
//! ([`otlp`]) walk its bytes, predicates look at [`AnyValue`]s where they lie, and a [`Selection`] copies
//! what is kept, once, with exact lengths.

pub mod generated;
pub mod otlp;
mod payload;
pub mod select;
mod subject;
pub mod value;

pub use otlp::{Fault, Malformed};
pub use payload::{Payload, Piece, Signal};
pub use select::{
    Part, Parts, RejectReason, RejectedRecords, Rejection, Selection, SubjectSelection,
};
pub use subject::{Subject, SubjectWriter};
pub use value::{AnyValue, Text, Truth};
