//! Makes topologies from a seed. The build script of `tests/topologies` includes the file, so it makes the same ones.

use fastrand::Rng;

use crate::topology::{Chain, Condition, End, SINKS, Signal, Stage, Topology};

/// Texts that attributes and fields have.
pub const TEXTS: [&str; 8] = ["a", "ab", "b", "c", "d", "e", "f", ""];
/// Keys of attributes.
pub const KEYS: [&str; 4] = ["team", "k", "n", "absent"];

/// How deep chains nest.
const MAX_NESTING: u32 = 3;
/// How deep conditions nest.
const MAX_DEPTH: u32 = 3;

/// Makes topologies.
#[derive(Debug)]
pub struct Generator {
    random: Rng,
    signal: Signal,
    /// How many predicates have a name so far.
    named: usize,
    /// Whether the topology has its batch.
    has_batch: bool,
}

impl Generator {
    /// Topologies that depend on `seed` and on nothing else.
    pub fn new(seed: u64) -> Self {
        Self {
            random: Rng::with_seed(seed),
            signal: Signal::Logs,
            named: 0,
            has_batch: false,
        }
    }

    /// The next one.
    pub fn topology(&mut self) -> Topology {
        let signal = self.pick(&Signal::ALL).unwrap_or(Signal::Logs);
        self.topology_of(signal)
    }

    /// The next one of a signal.
    pub fn topology_of(&mut self, signal: Signal) -> Topology {
        self.signal = signal;
        (self.named, self.has_batch) = (0, false);
        let mut predicates = Vec::new();
        for _ in 0..self.random.usize(0..=2) {
            predicates.push(self.condition(2));
            self.named += 1;
        }
        let count = self.random.usize(1..=3);
        let chains = (0..count).map(|_| self.chain(0, true)).collect();
        Topology {
            signal: self.signal,
            predicates,
            chains,
        }
    }

    /// `may_batch` says that nothing before the chain has split the records up: one batch is enough, and there it is
    /// filled once.
    fn chain(&mut self, nesting: u32, may_batch: bool) -> Chain {
        let mut stages = Vec::new();
        while self.one_in(2) && stages.len() < 3 {
            stages.push(self.stage());
        }
        if may_batch && !self.has_batch && self.one_in(4) {
            self.has_batch = true;
            stages.push(Stage::Batch);
            while self.one_in(2) && stages.len() < 5 {
                stages.push(self.stage());
            }
        }
        Chain {
            stages,
            end: self.end(nesting),
        }
    }

    fn stage(&mut self) -> Stage {
        let condition = self.condition(MAX_DEPTH);
        let keep = [None, Some(true), Some(false)];
        let keep = self.pick(&keep).unwrap_or_default();
        if self.one_in(2) {
            Stage::Filter(condition, keep)
        } else {
            Stage::Drop(condition, keep)
        }
    }

    fn end(&mut self, nesting: u32) -> End {
        let below = nesting + 1;
        match self.random.u32(0..10) {
            _ if nesting >= MAX_NESTING => self.sinks(),
            0..2 => self.sinks(),
            2 | 3 => {
                let arms = self.arms(below);
                End::Route(arms, Box::new(self.chain(below, false)))
            }
            4 => {
                let arms = self.keyed_arms(below);
                End::Route(arms, Box::new(self.chain(below, false)))
            }
            5 => End::Split(self.arms(below)),
            6 => End::Split(self.keyed_arms(below)),
            7 => self.guarded_branches(),
            8 => self.choice(),
            _ => {
                let count = self.random.usize(2..=3);
                End::FanOut((0..count).map(|_| self.chain(below, false)).collect())
            }
        }
    }

    fn sinks(&mut self) -> End {
        let mut sinks: Vec<usize> = (0..SINKS).collect();
        self.random.shuffle(&mut sinks);
        sinks.truncate(if self.one_in(4) { 2 } else { 1 });
        End::Sinks(sinks)
    }

    fn arms(&mut self, nesting: u32) -> Vec<(Condition, Chain)> {
        let count = self.random.usize(1..=4);
        let arms = (0..count).map(|_| (self.condition(MAX_DEPTH), self.chain(nesting, false)));
        arms.collect()
    }

    /// Many arms that ask for one value, some of them for the same, and at times another one between them.
    fn keyed_arms(&mut self, nesting: u32) -> Vec<(Condition, Chain)> {
        let value = self.value();
        let count = self.random.usize(3..=8);
        let mut arms = Vec::new();
        for _ in 0..count {
            let condition = if self.one_in(8) {
                self.condition(1)
            } else if self.one_in(3) {
                let list = [self.literal(&value), self.literal(&value)];
                Condition::Atom(format!("{value} in [{}]", list.join(", ")))
            } else {
                let literal = self.literal(&value);
                Condition::Atom(format!("{value} == {literal}"))
            };
            let chain = if self.one_in(4) {
                self.chain(nesting.max(2), false)
            } else {
                let end = self.sinks();
                let stages = Vec::new();
                Chain { stages, end }
            };
            arms.push((condition, chain));
        }
        arms
    }

    /// More branches than are tested one by one, each of which a resource opens or closes.
    fn guarded_branches(&mut self) -> End {
        let count = self.random.usize(8..=11);
        let branches = (0..count).map(|_| {
            let text = self.pick(&TEXTS).unwrap_or_default();
            let guard = Condition::Atom(format!("resource.attributes[\"team\"] == {text:?}"));
            let rest = self.condition(1);
            Chain {
                stages: vec![Stage::Filter(Condition::All(vec![guard, rest]), None)],
                end: self.sinks(),
            }
        });
        End::FanOut(branches.collect())
    }

    /// A route that chooses one sink for each text of a value, and another one for all others.
    fn choice(&mut self) -> End {
        let key = self.pick(&["team", "k"]).unwrap_or_default();
        let value = format!("{}[\"{key}\"]", self.map());
        let mut texts = TEXTS;
        self.random.shuffle(&mut texts);
        let mut chains = (0..SINKS).map(|sink| Chain {
            stages: Vec::new(),
            end: End::Sinks(vec![sink]),
        });
        let others = chains.next();
        let arms = texts.iter().zip(chains).map(|(text, chain)| {
            let condition = Condition::Atom(format!("{value} == {text:?}"));
            (condition, chain)
        });
        let arms: Vec<_> = arms.collect();
        match others {
            Some(others) => End::Route(arms, Box::new(others)),
            None => self.sinks(),
        }
    }

    fn condition(&mut self, depth: u32) -> Condition {
        if depth == 0 || self.one_in(3) {
            if self.named > 0 && self.one_in(5) {
                return Condition::Named(self.random.usize(0..self.named));
            }
            return Condition::Atom(self.atom());
        }
        let below = depth - 1;
        let some = |this: &mut Self| {
            let count = this.random.usize(2..=3);
            (0..count).map(|_| this.condition(below)).collect()
        };
        match self.random.u32(0..7) {
            0 => Condition::Not(Box::new(self.condition(below))),
            1..=3 => Condition::All(some(self)),
            4 | 5 => Condition::Any(some(self)),
            _ => Condition::If(Box::new([
                self.condition(below),
                self.condition(below),
                self.condition(below),
            ])),
        }
    }

    fn atom(&mut self) -> String {
        let value = self.value();
        let literal = self.literal(&value);
        let is_number = is_number(&value);
        match self.random.u32(0..8) {
            0..3 => format!("{value} == {literal}"),
            3 => format!("{value} != {literal}"),
            4 => {
                let other = self.literal(&value);
                format!("{value} in [{literal}, {other}]")
            }
            5 if is_number => format!("{value} >= {literal}"),
            6 if is_number => format!("{value} < {literal}"),
            5 | 6 => format!("{value}.startsWith(\"a\")"),
            _ => {
                let (map, key) = (self.map(), self.pick(&KEYS).unwrap_or_default());
                format!("\"{key}\" in {map}")
            }
        }
    }

    /// A field or attribute of some level.
    fn value(&mut self) -> String {
        let fields: &[&str] = match self.signal {
            Signal::Logs => &["log.severity_number", "log.body", "log.event_name"],
            Signal::Traces => &["span.kind", "span.name", "span.trace_state"],
            Signal::Metrics => &["metric.name", "metric.unit", "metric.description"],
        };
        match self.random.u32(0..5) {
            0 => (*self.random.choice(fields).unwrap_or(&"")).to_owned(),
            1 => self
                .pick(&["scope.name", "scope.version"])
                .unwrap_or_default()
                .to_owned(),
            _ => {
                let (map, key) = (self.map(), self.pick(&KEYS).unwrap_or_default());
                format!("{map}[\"{key}\"]")
            }
        }
    }

    fn map(&mut self) -> &'static str {
        let record = match self.signal {
            Signal::Logs => "log.attributes",
            Signal::Traces => "span.attributes",
            Signal::Metrics => "datapoint.attributes",
        };
        let maps = [
            "resource.attributes",
            "resource.attributes",
            "scope.attributes",
            record,
        ];
        self.pick(&maps).unwrap_or_default()
    }

    /// A literal of the type that the value mostly has.
    fn literal(&mut self, value: &str) -> String {
        if is_number(value) {
            return self.random.i64(0..8).to_string();
        }
        format!("{:?}", self.pick(&TEXTS).unwrap_or_default())
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> Option<T> {
        self.random.choice(choices).copied()
    }

    fn one_in(&mut self, chances: u32) -> bool {
        self.random.u32(..chances) == 0
    }
}

/// Whether a value mostly is a number.
fn is_number(value: &str) -> bool {
    value.ends_with("[\"n\"]") || value.ends_with("severity_number") || value.ends_with("kind")
}
