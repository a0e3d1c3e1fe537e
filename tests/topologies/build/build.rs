//! Compiles random topologies in two ways.
//!
//! In: a seed, from `WATERSHED_TOPOLOGIES_SEED` or fixed, and how many, from `WATERSHED_TOPOLOGIES_COMPILED`. Out:
//! `flows.rs`, with a module for each topology and way and a table of them.

#[path = "../src/generator.rs"]
#[allow(dead_code, unreachable_pub, reason = "the library has this file too")]
mod generator;
mod module;
#[path = "../src/topology.rs"]
#[allow(dead_code, unreachable_pub, reason = "the library has this file too")]
mod topology;

use std::fmt::Write;
use std::path::PathBuf;
use std::{env, fs};

use anyhow::{Context, Result};

use generator::Generator;
use module::Way;

/// The seed of the ordinary run.
const SEED: u64 = 20_260_202;
/// How many topologies the ordinary run compiles.
const COMPILED: u64 = 200;

fn main() -> Result<()> {
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=src");
    let seed = setting("SEED")?.unwrap_or(SEED);
    let count = setting("COMPILED")?.unwrap_or(COMPILED);
    let mut generator = Generator::new(seed);
    let (mut modules, mut table) = (String::new(), String::new());
    for number in 0..count {
        let topology = generator.topology();
        for (way, name) in [(Way::Optimised, "optimised"), (Way::Naive, "naive")] {
            let module = module::module(&format!("{name}_{number}"), &topology, way);
            let module = module.with_context(|| format!("seed {seed}, {number}:\n{topology}"))?;
            modules.push_str(&module);
        }
        writeln!(
            table,
            "Ways {{ optimised: optimised_{number}::run, naive: naive_{number}::run }},"
        )?;
    }
    let text = format!(
        "/// The seed of the topologies.\npub const SEED: u64 = {seed};
        {modules}
        /// The first topologies, in both ways.\npub static COMPILED: &[Ways] = &[{table}];"
    );
    let out = PathBuf::from(env::var_os("OUT_DIR").context("Cargo sets OUT_DIR")?);
    fs::write(out.join("flows.rs"), text)?;
    Ok(())
}

/// A number from the environment.
fn setting(name: &str) -> Result<Option<u64>> {
    let name = format!("WATERSHED_TOPOLOGIES_{name}");
    println!("cargo::rerun-if-env-changed={name}");
    let Ok(text) = env::var(&name) else {
        return Ok(None);
    };
    let number = text.parse();
    Ok(Some(number.with_context(|| format!("{name} is a number"))?))
}
