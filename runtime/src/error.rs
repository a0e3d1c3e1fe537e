//! Why a flow does not start, or does not end well: facts first, words in one place.

use std::fmt;
use std::time::Duration;

use crate::config::ConfigError;

/// Why a flow does not start. Nothing was received yet.
#[derive(Debug)]
pub enum StartError {
    /// Configuration values are missing or wrong.
    Config(ConfigError),
    /// An address cannot be listened on.
    Listen {
        /// The source, or `telemetry`.
        node: String,
        /// The address as it was given.
        address: String,
        /// What the operating system says.
        source: std::io::Error,
    },
    /// A batch could hold a request longer than its sender waits.
    BatchTimeout {
        /// The batch.
        node: String,
        /// Its timeout.
        timeout: Duration,
        /// The deadline of an event.
        deadline: Duration,
    },
    /// An option has a value that makes no sense.
    Option {
        /// The node.
        node: String,
        /// The option.
        option: &'static str,
        /// What it must be, in words.
        expected: &'static str,
    },
    /// The directory of a file sink cannot be used.
    Directory {
        /// The sink.
        node: String,
        /// The path as it was given.
        path: String,
        /// What the operating system says.
        source: std::io::Error,
    },
    /// Two instances of a template have one key, which comes from configuration.
    SameKey {
        /// The template.
        template: String,
        /// The key.
        key: String,
        /// The first of them, counted from 1 in the order of the flow.
        first: usize,
        /// The second.
        second: usize,
    },
    /// A NATS server cannot be reached.
    Connect {
        /// The connection.
        node: String,
        /// The URL without credentials.
        url: String,
        /// What the client says.
        reason: String,
    },
    /// The stream of a sink does not exist.
    StreamMissing {
        /// The sink.
        node: String,
        /// The stream.
        stream: String,
        /// The URL without credentials.
        url: String,
    },
    /// The server cannot be asked about a stream.
    StreamUnknown {
        /// The sink.
        node: String,
        /// The stream.
        stream: String,
        /// The URL without credentials.
        url: String,
        /// Why.
        reason: String,
    },
    /// The stream does not store what the sink sends.
    StreamSubjects {
        /// The sink.
        node: String,
        /// The stream.
        stream: String,
        /// How every subject of the sink begins.
        prefix: String,
        /// The subjects of the stream.
        subjects: Vec<String>,
    },
}

impl StartError {
    /// A stable code for scripts and searches.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Config(_) => "R0101",
            Self::Listen { .. } => "R0102",
            Self::BatchTimeout { .. } => "R0103",
            Self::Option { .. } => "R0104",
            Self::Directory { .. } => "R0105",
            Self::SameKey { .. } => "R0107",
            Self::Connect { .. } => "R0201",
            Self::StreamMissing { .. } => "R0202",
            Self::StreamUnknown { .. } => "R0203",
            Self::StreamSubjects { .. } => "R0204",
        }
    }
}

impl fmt::Display for StartError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Config(error) => write!(formatter, "{error}"),
            Self::Listen {
                node,
                address,
                source,
            } => write!(formatter, "`{node}` cannot listen on {address}: {source}"),
            Self::BatchTimeout {
                node,
                timeout,
                deadline,
            } => write!(
                formatter,
                "the timeout of `{node}` ({timeout:?}) is not shorter than the event deadline ({deadline:?})"
            ),
            Self::Option {
                node,
                option,
                expected,
            } => write!(
                formatter,
                "option `{option}` of `{node}` must be {expected}"
            ),
            Self::Directory { node, path, source } => {
                write!(
                    formatter,
                    "`{node}` cannot write to directory {path}: {source}"
                )
            }
            Self::SameKey {
                template,
                key,
                first,
                second,
            } => write!(
                formatter,
                "instances {first} and {second} of template `{template}`, in the order of the flow, are both called \
                 `{template}[{key:?}]`: their first arguments must differ"
            ),
            Self::Connect { node, url, reason } => {
                write!(formatter, "`{node}` cannot connect to {url}: {reason}")
            }
            Self::StreamMissing { node, stream, url } => write!(
                formatter,
                "`{node}` needs stream {stream}, which does not exist at {url}"
            ),
            Self::StreamUnknown {
                node,
                stream,
                url,
                reason,
            } => write!(
                formatter,
                "`{node}` cannot ask for stream {stream} at {url}: {reason}"
            ),
            Self::StreamSubjects {
                node,
                stream,
                prefix,
                subjects,
            } => write!(
                formatter,
                "`{node}` sends subjects that begin with `{prefix}`, but stream {stream} stores only {}",
                subjects.join(", ")
            ),
        }
    }
}

impl std::error::Error for StartError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Config(error) => Some(error),
            Self::Listen { source, .. } | Self::Directory { source, .. } => Some(source),
            _ => None,
        }
    }
}

impl From<ConfigError> for StartError {
    fn from(error: ConfigError) -> Self {
        Self::Config(error)
    }
}

/// Why a flow does not end well.
#[derive(Debug)]
pub enum RunError {
    /// It did not start.
    Start(StartError),
    /// Signals of the operating system cannot be received.
    Signal(std::io::Error),
    /// The deadline passed before everything was delivered: its senders have no answer and will
    /// send it again.
    Unfinished {
        /// Events that were not finished.
        events: usize,
        /// The deadline.
        deadline: Duration,
    },
}

impl RunError {
    /// A stable code for scripts and searches.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Start(error) => error.code(),
            Self::Signal(_) => "R0301",
            Self::Unfinished { .. } => "R0302",
        }
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(error) => write!(formatter, "{error}"),
            Self::Signal(error) => write!(formatter, "cannot wait for signals: {error}"),
            Self::Unfinished { events, deadline } => write!(
                formatter,
                "{events} events were not finished within {deadline:?} of shutting down"
            ),
        }
    }
}

impl std::error::Error for RunError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Start(error) => Some(error),
            Self::Signal(error) => Some(error),
            Self::Unfinished { .. } => None,
        }
    }
}

impl From<StartError> for RunError {
    fn from(error: StartError) -> Self {
        Self::Start(error)
    }
}
