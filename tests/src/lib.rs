//! What the tests over real processes share: servers that start and stop, a sender, and readers of what arrived.
//!
//! Nothing here uses the runtime's own reader or writer. Requests are made and read with the published schema
//! (`opentelemetry-proto`), so that a mistake of the runtime cannot hide itself. A test that needs a program
//! which is not installed says so on standard error and passes; with `CI=true` it fails.

pub mod flow;
pub mod nats;
pub mod process;
pub mod program;
pub mod sender;
pub mod wire;
