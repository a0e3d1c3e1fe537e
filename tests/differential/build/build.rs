//! Writes random flows and compiles them in two ways.
//!
//! In: a seed, from `WATERSHED_DIFFERENTIAL_SEED` or fixed, and how many predicates, from
//! `WATERSHED_DIFFERENTIAL_PREDICATES`. Out: `flows.rs`, with a module for each flow and way, and a table of the
//! predicates with what the oracle reads in their place. `WATERSHED_DIFFERENTIAL_FOCUS` is the number of a predicate:
//! then only that one and the conditions inside it are compiled, which shows the smallest that disagrees.

mod conditions;
mod expression;
mod flow;
mod generator;
mod macros;
#[path = "../src/pools.rs"]
#[allow(dead_code, unreachable_pub, reason = "the library has this file too")]
mod pools;
mod values;

use std::fmt::Write;
use std::path::PathBuf;
use std::{env, fs};

use anyhow::{Context, Result, ensure};

use expression::Expression;
use flow::{Flow, Predicate, Shape, Way};
use generator::Generator;

/// The seed of the ordinary run.
const SEED: u64 = 20_260_101;
/// How many predicates the ordinary run has.
const PREDICATES: u64 = 240;
/// How many predicates are compiled together.
const FLOW_SIZE: usize = 20;
/// How deep expressions nest.
const MAX_DEPTH: u32 = 4;

fn main() -> Result<()> {
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=src/pools.rs");
    let seed = setting("SEED")?.unwrap_or(SEED);
    let count = setting("PREDICATES")?.unwrap_or(PREDICATES);
    let focus = setting("FOCUS")?;

    let mut flows = random_flows(seed, usize::try_from(count)?);
    if let Some(number) = focus {
        flows = vec![focused(&flows, usize::try_from(number)?)?];
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").context("Cargo sets OUT_DIR")?);
    fs::write(out.join("flows.rs"), library(seed, &flows)?)?;
    Ok(())
}

/// A number from the environment.
fn setting(name: &str) -> Result<Option<u64>> {
    let name = format!("WATERSHED_DIFFERENTIAL_{name}");
    println!("cargo::rerun-if-env-changed={name}");
    let Ok(text) = env::var(&name) else {
        return Ok(None);
    };
    let number = text
        .parse()
        .with_context(|| format!("{name} is a number"))?;
    Ok(Some(number))
}

fn random_flows(seed: u64, count: usize) -> Vec<Flow> {
    let mut generator = Generator::new(seed);
    let mut flows = Vec::new();
    let mut left = count;
    while left > 0 {
        let size = left.min(FLOW_SIZE);
        flows.push(random_flow(&mut generator, size));
        left -= size;
    }
    flows
}

fn random_flow(generator: &mut Generator, size: usize) -> Flow {
    let mut shared = Vec::new();
    generator.named.clear();
    for name in ["first", "second"] {
        let expression = generator.predicate(2);
        let mut use_of_it = Expression {
            flow: name.to_owned(),
            oracle: format!("({})", expression.oracle),
            binding: expression::Binding::Primary,
            ..expression.clone()
        };
        use_of_it.conditions = expression.closed_conditions();
        generator.named.push(use_of_it);
        shared.push((name.to_owned(), expression));
    }
    let predicates = (0..size)
        .map(|place| {
            let depth = generator.random.u32(1..=MAX_DEPTH);
            Predicate {
                expression: generator.predicate(depth),
                shape: Shape::at(place),
                is_named: generator.one_in(3),
            }
        })
        .collect();
    Flow { shared, predicates }
}

/// The predicate with a number, and the conditions inside it.
fn focused(flows: &[Flow], number: usize) -> Result<Flow> {
    let (flow, place) = (flows.get(number / FLOW_SIZE), number % FLOW_SIZE);
    let flow = flow.context("WATERSHED_DIFFERENTIAL_FOCUS is the number of a predicate")?;
    let whole = flow
        .predicates
        .get(place)
        .context("WATERSHED_DIFFERENTIAL_FOCUS is the number of a predicate")?;
    let mut predicates: Vec<_> = whole
        .expression
        .conditions
        .iter()
        .map(|condition| Predicate {
            expression: condition.clone(),
            shape: Shape::Split,
            is_named: false,
        })
        .collect();
    predicates.sort_by_key(|predicate| predicate.expression.flow.len());
    predicates.dedup_by(|one, other| one.expression.flow == other.expression.flow);
    predicates.push(whole.clone());
    Ok(Flow {
        shared: flow.shared.clone(),
        predicates,
    })
}

/// What the test includes.
fn library(seed: u64, flows: &[Flow]) -> Result<String> {
    let (mut modules, mut calls, mut table) = (String::new(), String::new(), String::new());
    let mut refused = String::new();
    for (position, flow) in flows.iter().enumerate() {
        for (way, name) in [
            (Way::Optimised, format!("optimised_{position}")),
            (Way::Flat, format!("flat_{position}")),
        ] {
            match flow.module(&name, way) {
                Ok(module) => writeln!(modules, "{module}")?,
                Err(_) => refused.push_str(&flow.refused(way)),
            }
        }
        writeln!(
            calls,
            "Ways {{ optimised: optimised_{position}::run, flat: flat_{position}::run }},"
        )?;
        for predicate in &flow.predicates {
            let Expression {
                flow: text,
                oracle,
                traits,
                ..
            } = &predicate.expression;
            let keeps_errors = matches!(predicate.shape, Shape::Keep);
            writeln!(
                table,
                "Predicate {{ flow: {position}, text: {text:?}, oracle: {oracle:?}, keeps_errors: {keeps_errors}, \
                 orders_doubles: {}, computes_doubles: {}, writes_doubles: {} }},",
                traits.orders_doubles, traits.computes_doubles, traits.writes_doubles
            )?;
        }
    }
    ensure!(
        refused.is_empty(),
        "seed {seed}: random flows do not compile\n{refused}"
    );
    Ok(format!(
        "/// The seed of the predicates.\npub const SEED: u64 = {seed};
        {modules}
        /// Every flow, in both ways.\npub static FLOWS: &[Ways] = &[{calls}];
        /// Every predicate, in the order of the flows.\npub static PREDICATES: &[Predicate] = &[{table}];"
    ))
}
