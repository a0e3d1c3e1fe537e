//! The standard-output sink: one export request a line, in the JSON form of OTLP.
//!
//! Records are accepted once the operating system has the line. A reader that goes away makes every
//! delivery fail, as a full disk would.

use std::io::{self, Write as _};
use std::sync::Arc;

use super::writer::{Write, Writer};
use crate::delivery::{Event, Failure, Sent, Target};
use crate::otlp::Fields;
use crate::payload::Payload;
use crate::select::Part;
use crate::telemetry::Node;

/// A standard-output sink has no options yet.
#[derive(Clone, Debug, Default)]
pub struct StdoutSinkOptions {}

/// A standard-output sink. Clones are the same sink.
#[derive(Clone)]
pub struct StdoutSink {
    writer: Arc<Writer<StandardOutput>>,
}

struct StandardOutput;

impl StdoutSink {
    pub(crate) fn new(node: Node, _options: &StdoutSinkOptions) -> Self {
        Self {
            writer: Arc::new(Writer::new(node, StandardOutput)),
        }
    }
}

impl Write for StandardOutput {
    fn write(&mut self, payloads: &[Payload]) -> io::Result<()> {
        let mut lines = Vec::new();
        for payload in payloads {
            crate::json::write_request(&mut lines, payload.signal(), Fields::new(&payload.bytes()));
            lines.push(b'\n');
        }
        let mut output = io::stdout().lock();
        output.write_all(&lines)?;
        output.flush()
    }
}

impl Target for StdoutSink {
    fn node(&self) -> &Node {
        self.writer.node()
    }

    fn check(&self) -> Result<(), Failure> {
        self.writer.check()
    }

    fn begin(&self) {
        self.writer.begin();
    }

    async fn send(&self, parts: Vec<Part>, event: &Event) -> Sent {
        self.writer.send(parts, event).await
    }
}
