//! Writes the seeds of a target as files, one each: what libFuzzer starts from.
//!
//! ```sh
//! cargo run --package watershed-fuzz --example seeds -- parse fuzz/corpus/parse
//! ```

use std::path::PathBuf;
use std::{env, fs, io};

use watershed_fuzz::{seeds, target_named};

fn main() -> io::Result<()> {
    let mut arguments = env::args().skip(1);
    let target = arguments.next().and_then(|name| target_named(&name));
    let (Some(target), Some(folder)) = (target, arguments.next().map(PathBuf::from)) else {
        return Err(io::Error::other("usage: seeds <target> <folder>"));
    };
    fs::create_dir_all(&folder)?;
    for (number, seed) in seeds::of(target)?.into_iter().enumerate() {
        fs::write(folder.join(format!("seed-{number:03}")), seed)?;
    }
    Ok(())
}
