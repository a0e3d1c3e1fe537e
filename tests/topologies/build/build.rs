//! Compiles random topologies in two ways.
//!
//! In: a seed, from `WATERSHED_TOPOLOGIES_SEED` or fixed, and how many, from `WATERSHED_TOPOLOGIES_COMPILED`. Out:
//! `flows.rs`, with a module for each topology and way and a table of them.

#[path = "../../model/src/generator.rs"]
#[allow(
    dead_code,
    unreachable_pub,
    reason = "the crate `watershed-model` has this file too"
)]
mod generator;
mod module;
#[path = "../../model/src/topology.rs"]
#[allow(
    dead_code,
    unreachable_pub,
    reason = "the crate `watershed-model` has this file too"
)]
mod topology;

use std::fmt::Write;
use std::path::PathBuf;
use std::{env, fs};

use anyhow::{Context, Result};

use generator::Generator;
use module::Way;
use topology::{Chain, Condition, End, Signal, Stage, Topology};

/// The seed of the ordinary run.
const SEED: u64 = 20_260_202;
/// How many topologies the ordinary run compiles.
const COMPILED: u64 = 80;

fn main() -> Result<()> {
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=../model/src/generator.rs");
    println!("cargo::rerun-if-changed=../model/src/topology.rs");
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
    let keep_all = keep_all(&mut modules)?;
    let text = format!(
        "/// The seed of the topologies.\npub const SEED: u64 = {seed};
        {modules}
        /// The first topologies, in both ways.\npub static COMPILED: &[Ways] = &[{table}];
        /// Filters that keep all of what the sampler makes.
        pub static KEEP_ALL: &[KeepAll] = &[{keep_all}];"
    );
    let out = PathBuf::from(env::var_os("OUT_DIR").context("Cargo sets OUT_DIR")?);
    fs::write(out.join("flows.rs"), text)?;
    Ok(())
}

/// Adds flows that keep everything that the sampler makes, with a condition at each level, and gives the rows of their
/// table.
fn keep_all(modules: &mut String) -> Result<String> {
    let mut table = String::new();
    for signal in Signal::ALL {
        let record = match signal {
            Signal::Logs => "\"team\" in log.attributes",
            Signal::Traces => "\"team\" in span.attributes",
            Signal::Metrics => "\"team\" in datapoint.attributes",
        };
        let resource = "\"team\" in resource.attributes";
        let levels = [resource, "scope.name == \"orders\"", record];
        for (level, condition) in levels.into_iter().enumerate() {
            let filter = Stage::Filter(Condition::Atom(condition.to_owned()), None);
            let chain = Chain {
                stages: vec![filter],
                end: End::Sinks(vec![0]),
            };
            let topology = Topology {
                signal,
                predicates: Vec::new(),
                chains: vec![chain],
            };
            let name = format!("keep_all_{}_{level}", signal.name());
            modules.push_str(&module::module(&name, &topology, Way::Optimised)?);
            writeln!(
                table,
                "KeepAll {{ signal: Signal::{signal:?}, condition: {condition:?}, run: {name}::run }},"
            )?;
        }
    }
    Ok(table)
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
