//! Plans of more topologies than can be compiled: the plan after every pass delivers what the plan before does, and what
//! the interpreter says.

use std::collections::BTreeMap;

use watershed_model::evaluator::Planned;
use watershed_model::generator::Generator;
use watershed_model::interpreter::{Interpreter, Record};
use watershed_model::requests::Requests;
use watershed_model::topology::Signal;
use watershed_topologies::SEED;

use crate::setting;

/// Topologies of the ordinary run.
const PLANS: usize = 300;
/// Records that each of them sees.
const RECORDS: usize = 64;

#[test]
fn plans_mean_the_same_before_and_after_every_pass() {
    let mut interpreter = Interpreter::new();
    let mut requests = Requests::new(SEED);
    let records: BTreeMap<&str, Vec<Record>> = Signal::ALL
        .into_iter()
        .map(|signal| {
            let request = requests.request(signal, RECORDS);
            (signal.name(), interpreter.records(&request))
        })
        .collect();
    println!("plans: seed {SEED}");
    let count = setting("PLANS").unwrap_or(PLANS);
    // Others than those that are compiled.
    let mut generator = Generator::new(SEED ^ 0x5eed);
    let mut cases = 0;
    for _ in 0..count {
        let planned = Planned::new(generator.topology());
        for record in &records[planned.topology().signal.name()] {
            planned.deliveries(record, &mut interpreter);
            cases += 1;
        }
    }
    println!("plans: {count} topologies, {cases} cases");
}
