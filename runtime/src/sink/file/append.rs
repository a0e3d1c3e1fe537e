//! A file that only grows by whole requests.
//!
//! Input: payloads. Output: all of them at the end of the file, or the file as it was.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write as _};
use std::path::Path;

use super::FileFormat;
use crate::otlp::{Fields, write_varint};
use crate::payload::Payload;

/// How far back one step looks for the end of a line.
const BLOCK: u64 = 64 << 10;

/// An open file and the length up to which it holds whole requests.
pub(super) struct AppendFile {
    file: File,
    good_length: u64,
    /// A failed write could not be cut off yet.
    torn: bool,
}

impl AppendFile {
    /// Opens or creates `path` and cuts off a half-written request at its end. Fails while another sink
    /// or process writes to the file: the two would write over each other's requests.
    pub(super) fn open(path: &Path, format: FileFormat) -> io::Result<Self> {
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        lock(&file, path)?;
        let length = file.metadata()?.len();
        let good_length = match format {
            FileFormat::OtlpJson => whole_lines(&mut file, length)?,
            FileFormat::OtlpProtobuf => whole_messages(&mut file, length)?,
        };
        if good_length < length {
            tracing::warn!(
                path = %path.display(),
                bytes = length - good_length,
                "a half-written request at the end of the file is cut off; it was never accepted"
            );
            file.set_len(good_length)?;
        }
        Ok(Self {
            file,
            good_length,
            torn: false,
        })
    }

    /// Appends `payloads`; after an error nothing of them is left.
    pub(super) fn append(
        &mut self,
        payloads: &[Payload],
        format: FileFormat,
        fsync: bool,
    ) -> io::Result<()> {
        let mut content = Vec::new();
        for payload in payloads {
            encode(&mut content, payload, format);
        }
        self.seek_to_end()?;
        let written = self.file.write_all(&content).and_then(|()| {
            if fsync {
                self.file.sync_data()
            } else {
                self.file.flush()
            }
        });
        match written {
            Ok(()) => {
                self.good_length = self.good_length.saturating_add(content.len() as u64);
                Ok(())
            }
            Err(error) => {
                self.torn = self.file.set_len(self.good_length).is_err();
                Err(error)
            }
        }
    }

    /// Goes to the end of the last whole request. Another program may have shortened the file (log
    /// rotation does) or appended to it, and what it left is the end then.
    fn seek_to_end(&mut self) -> io::Result<()> {
        if self.torn {
            self.file.set_len(self.good_length)?;
            self.torn = false;
        }
        self.good_length = self.file.seek(SeekFrom::End(0))?;
        Ok(())
    }
}

/// Claims `file` until it is closed. Where the file system knows no locks, nothing is claimed.
fn lock(file: &File, path: &Path) -> io::Result<()> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(io::Error::new(
            io::ErrorKind::ResourceBusy,
            "another sink or process writes to the same file",
        )),
        Err(TryLockError::Error(error)) => {
            tracing::warn!(path = %path.display(), %error, "the file cannot be locked; nothing else may write to it");
            Ok(())
        }
    }
}

fn encode(content: &mut Vec<u8>, payload: &Payload, format: FileFormat) {
    let bytes = payload.bytes();
    match format {
        FileFormat::OtlpJson => {
            crate::json::write_request(content, payload.signal(), Fields::new(&bytes));
            content.push(b'\n');
        }
        FileFormat::OtlpProtobuf => {
            write_varint(bytes.len() as u64, content);
            content.extend_from_slice(&bytes);
        }
    }
}

/// The length up to the last line end.
fn whole_lines(file: &mut File, length: u64) -> io::Result<u64> {
    let mut end = length;
    while end > 0 {
        let start = end.saturating_sub(BLOCK);
        let mut block = Vec::new();
        file.seek(SeekFrom::Start(start))?;
        Read::by_ref(file)
            .take(end - start)
            .read_to_end(&mut block)?;
        if let Some(at) = block.iter().rposition(|byte| *byte == b'\n') {
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

/// The length up to the last message that is there as a whole.
fn whole_messages(file: &mut File, length: u64) -> io::Result<u64> {
    let mut reader = BufReader::new(file);
    reader.seek(SeekFrom::Start(0))?;
    let mut at: u64 = 0;
    while at < length {
        let Some((size, prefix)) = read_length(&mut reader)? else {
            break;
        };
        let next = at.saturating_add(prefix).saturating_add(size);
        if next > length {
            break;
        }
        let skip = i64::try_from(size).map_err(io::Error::other)?;
        reader.seek_relative(skip)?;
        at = next;
    }
    Ok(at)
}

/// A varint and how many bytes it took; `None` when it is cut short or too long.
fn read_length(reader: &mut impl Read) -> io::Result<Option<(u64, u64)>> {
    let mut value: u64 = 0;
    for position in 0..10u32 {
        let mut byte = [0];
        if reader.read(&mut byte)? == 0 {
            return Ok(None);
        }
        let [byte] = byte;
        value |= u64::from(byte & 0x7f) << (7 * position);
        if byte & 0x80 == 0 {
            return Ok(Some((value, u64::from(position) + 1)));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests;
