//! The file sink: one file per signal in a directory.
//!
//! Input: parts. Output: `logs.jsonl`, `traces.jsonl` and `metrics.jsonl` with one export request a
//! line in the JSON form of OTLP, or `logs.binpb` and so on with export requests in protobuf, each
//! behind its length as a varint. Records are accepted once the operating system has them; with
//! `fsync`, once the disk has them.
//!
//! A write that fails half-way is cut off again, so that a file holds whole requests only. What a
//! crash left half-written was never accepted; it is cut off when the file is opened.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::writer::{Write, Writer};
use crate::delivery::{Event, Failure, Sent, Target};
use crate::error::StartError;
use crate::payload::{Payload, Signal};
use crate::select::Part;
use crate::telemetry::Node;

mod append;

use append::AppendFile;

/// How requests are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FileFormat {
    /// OTLP JSON lines: one export request a line.
    #[default]
    OtlpJson,
    /// Export requests in protobuf, each behind its length as a varint.
    OtlpProtobuf,
}

impl FileFormat {
    fn extension(self) -> &'static str {
        match self {
            Self::OtlpJson => "jsonl",
            Self::OtlpProtobuf => "binpb",
        }
    }
}

/// Where and how a file sink writes.
#[derive(Clone, Debug)]
pub struct FileSinkOptions {
    /// The directory; it is made when it does not exist.
    pub path: String,
    /// How requests are written. Default OTLP JSON lines.
    pub format: FileFormat,
    /// Wait for the disk before accepting. Default off: data survives a crash of the process, not
    /// one of the machine.
    pub fsync: bool,
}

impl FileSinkOptions {
    /// The defaults for files in the directory `path`.
    ///
    /// ```
    /// use watershed::sink::{FileFormat, FileSinkOptions};
    ///
    /// let options = FileSinkOptions::new("archive");
    /// assert_eq!(options.path, "archive");
    /// assert!(options.format == FileFormat::OtlpJson && !options.fsync);
    /// ```
    pub fn new(path: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            ..Self::default()
        }
    }
}

impl Default for FileSinkOptions {
    fn default() -> Self {
        Self {
            path: ".".into(),
            format: FileFormat::default(),
            fsync: false,
        }
    }
}

/// A file sink. Clones are the same sink.
#[derive(Clone)]
pub struct FileSink {
    writer: Arc<Writer<Directory>>,
}

impl FileSink {
    /// Makes the directory. Files are opened when their signal comes.
    pub(crate) fn open(node: Node, options: FileSinkOptions) -> Result<Self, StartError> {
        std::fs::create_dir_all(&options.path).map_err(|source| StartError::Directory {
            node: node.name().to_owned(),
            path: options.path.clone(),
            source,
        })?;
        let directory = Directory {
            path: PathBuf::from(&options.path),
            options,
            files: Vec::new(),
        };
        Ok(Self {
            writer: Arc::new(Writer::new(node, directory)),
        })
    }
}

impl Target for FileSink {
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

/// The open files of a directory.
struct Directory {
    path: PathBuf,
    options: FileSinkOptions,
    files: Vec<(Signal, AppendFile)>,
}

impl Write for Directory {
    fn write(&mut self, payloads: &[Payload]) -> io::Result<()> {
        let Some(signal) = payloads.first().map(Payload::signal) else {
            return Ok(());
        };
        let (format, fsync) = (self.options.format, self.options.fsync);
        self.file(signal)?.append(payloads, format, fsync)
    }
}

impl Directory {
    fn file(&mut self, signal: Signal) -> io::Result<&mut AppendFile> {
        let known = self.files.iter().position(|(of, _)| *of == signal);
        let index = match known {
            Some(index) => index,
            None => {
                let path = file_path(&self.path, signal, self.options.format);
                let file = AppendFile::open(&path, self.options.format)?;
                self.files.push((signal, file));
                self.files.len() - 1
            }
        };
        let file = self.files.get_mut(index).map(|(_, file)| file);
        file.ok_or_else(|| io::Error::other("the file is not open"))
    }
}

fn file_path(directory: &Path, signal: Signal, format: FileFormat) -> PathBuf {
    directory.join(format!("{}.{}", signal.name(), format.extension()))
}
