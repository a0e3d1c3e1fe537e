//! What the language knows about the world: connectors, stages and the fields of OTLP.
//!
//! One file per connector and per stage kind, each with one `const` table. The checker, `flowc help`, the
//! reference page and the editor read the same tables, so they cannot disagree.

pub mod connector;
pub mod option;
pub mod reserved;
pub mod signals;
pub mod stage;

pub use connector::{ConnectorSpec, Role};
pub use option::{OptionSpec, OptionType};
pub use stage::StageSpec;
