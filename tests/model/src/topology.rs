//! A topology as data: its text as a flow, and what it does with a record.
//!
//! [`Topology::deliveries`] is the oracle. It follows the text: three-valued logic as CEL has it, the first arm of a route,
//! every arm of a split, and an error at a boundary as the stage says. It knows nothing of levels, walks or plans.

use std::fmt;

/// What a condition comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// It holds.
    True,
    /// It does not hold.
    False,
    /// It is an error.
    Error,
}

/// A signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Log records.
    Logs,
    /// Spans.
    Traces,
    /// Metrics with their data points.
    Metrics,
}

impl Signal {
    /// Every signal.
    pub const ALL: [Self; 3] = [Self::Logs, Self::Traces, Self::Metrics];

    /// Its name in chains.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Logs => "logs",
            Self::Traces => "traces",
            Self::Metrics => "metrics",
        }
    }
}

/// A condition.
#[derive(Clone, Debug)]
pub enum Condition {
    /// A comparison or the like, in CEL.
    Atom(String),
    /// A named predicate, by number.
    Named(usize),
    /// `!a`
    Not(Box<Self>),
    /// `a && b && …`
    All(Vec<Self>),
    /// `a || b || …`
    Any(Vec<Self>),
    /// `a ? b : c`
    If(Box<[Self; 3]>),
}

/// A stage of a chain.
#[derive(Clone, Debug)]
pub enum Stage {
    /// Keeps what is true, and errors if so told.
    Filter(Condition, Option<bool>),
    /// Drops what is true, and errors if so told.
    Drop(Condition, Option<bool>),
    /// Collects.
    Batch,
}

/// How a chain ends.
#[derive(Clone, Debug)]
pub enum End {
    /// Every one of these sinks has it.
    Sinks(Vec<usize>),
    /// The first arm that holds has it, else the last chain.
    Route(Vec<(Condition, Chain)>, Box<Chain>),
    /// Every arm that holds has it.
    Split(Vec<(Condition, Chain)>),
    /// Every chain has it.
    FanOut(Vec<Chain>),
}

/// Stages and an end.
#[derive(Clone, Debug)]
pub struct Chain {
    /// The stages.
    pub stages: Vec<Stage>,
    /// The end.
    pub end: End,
}

/// A whole flow of one signal.
#[derive(Clone, Debug)]
pub struct Topology {
    /// Its signal.
    pub signal: Signal,
    /// Its named predicates, each naming earlier ones only.
    pub predicates: Vec<Condition>,
    /// Its chains, all from one source.
    pub chains: Vec<Chain>,
}

/// How many sinks a topology has.
pub const SINKS: usize = 6;

impl Topology {
    /// The sinks that a record comes to, repeated where it comes twice. `atom` answers for an atom of a condition.
    pub fn deliveries(&self, atom: &mut dyn FnMut(&str) -> Answer) -> Vec<usize> {
        let mut sinks = Vec::new();
        for chain in &self.chains {
            self.chain(chain, atom, &mut sinks);
        }
        sinks.sort_unstable();
        sinks
    }

    fn chain(&self, chain: &Chain, atom: &mut dyn FnMut(&str) -> Answer, sinks: &mut Vec<usize>) {
        for stage in &chain.stages {
            let passes = match stage {
                Stage::Filter(condition, keep) => match self.answer(condition, atom) {
                    Answer::True => true,
                    Answer::False => false,
                    Answer::Error => keep.unwrap_or(false),
                },
                Stage::Drop(condition, keep) => match self.answer(condition, atom) {
                    Answer::True => false,
                    Answer::False => true,
                    Answer::Error => keep.unwrap_or(true),
                },
                Stage::Batch => true,
            };
            if !passes {
                return;
            }
        }
        match &chain.end {
            End::Sinks(all) => sinks.extend(all),
            End::Route(arms, otherwise) => {
                let taken = arms
                    .iter()
                    .find(|(condition, _)| self.answer(condition, atom) == Answer::True);
                self.chain(taken.map_or(otherwise, |(_, chain)| chain), atom, sinks);
            }
            End::Split(arms) => {
                for (condition, chain) in arms {
                    if self.answer(condition, atom) == Answer::True {
                        self.chain(chain, atom, sinks);
                    }
                }
            }
            End::FanOut(chains) => {
                for chain in chains {
                    self.chain(chain, atom, sinks);
                }
            }
        }
    }

    fn answer(&self, condition: &Condition, atom: &mut dyn FnMut(&str) -> Answer) -> Answer {
        match condition {
            Condition::Atom(text) => atom(text),
            Condition::Named(number) => self
                .predicates
                .get(*number)
                .map_or(Answer::Error, |named| self.answer(named, atom)),
            Condition::Not(operand) => self.answer(operand, atom).negated(),
            Condition::All(operands) => {
                let answers = operands.iter().map(|operand| self.answer(operand, atom));
                Answer::decided_by(answers, Answer::False)
            }
            Condition::Any(operands) => {
                let answers = operands.iter().map(|operand| self.answer(operand, atom));
                Answer::decided_by(answers, Answer::True)
            }
            Condition::If(parts) => {
                let [when, then, otherwise] = parts.as_ref();
                match self.answer(when, atom) {
                    Answer::True => self.answer(then, atom),
                    Answer::False => self.answer(otherwise, atom),
                    Answer::Error => Answer::Error,
                }
            }
        }
    }
}

impl Answer {
    /// `!a`
    #[must_use]
    pub const fn negated(self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            Self::Error => Self::Error,
        }
    }

    /// `&&` and `||`: one operand that comes to `decisive` decides; else an error stays.
    #[must_use]
    pub fn decided_by(answers: impl Iterator<Item = Self>, decisive: Self) -> Self {
        let answers: Vec<_> = answers.collect();
        if answers.contains(&decisive) {
            decisive
        } else if answers.contains(&Self::Error) {
            Self::Error
        } else {
            decisive.negated()
        }
    }
}

impl fmt::Display for Topology {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "source ingest = otlp;")?;
        for sink in 0..SINKS {
            writeln!(f, "sink s{sink} = file {{ path: \"s{sink}\" }};")?;
        }
        for (number, predicate) in self.predicates.iter().enumerate() {
            writeln!(f, "predicate p{number} = {predicate};")?;
        }
        for chain in &self.chains {
            writeln!(f, "ingest.{} -> {chain};", self.signal.name())?;
        }
        Ok(())
    }
}

impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for stage in &self.stages {
            write!(f, "{stage} -> ")?;
        }
        match &self.end {
            End::Sinks(sinks) => {
                let names: Vec<_> = sinks.iter().map(|sink| format!("s{sink}")).collect();
                match names.as_slice() {
                    [one] => f.write_str(one),
                    _ => write!(f, "[{}]", names.join(", ")),
                }
            }
            End::Route(arms, otherwise) => {
                write!(f, "route {{ {}else => {otherwise} }}", Arms(arms))
            }
            End::Split(arms) => write!(f, "split {{ {}}}", Arms(arms)),
            End::FanOut(chains) => {
                let chains: Vec<_> = chains.iter().map(ToString::to_string).collect();
                write!(f, "[{}]", chains.join(", "))
            }
        }
    }
}

struct Arms<'a>(&'a [(Condition, Chain)]);

impl fmt::Display for Arms<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|(condition, chain)| write!(f, "{condition} => {chain}, "))
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, condition, keep) = match self {
            Self::Filter(condition, keep) => ("filter", condition, keep),
            Self::Drop(condition, keep) => ("drop", condition, keep),
            Self::Batch => return f.write_str("batch(timeout: 1s)"),
        };
        let on_error = match keep {
            None => "",
            Some(true) => ", on_error: keep",
            Some(false) => ", on_error: drop",
        };
        write!(f, "{name}({condition}{on_error})")
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let join = |operands: &[Self], between: &str| {
            let operands: Vec<_> = operands.iter().map(|one| format!("({one})")).collect();
            operands.join(between)
        };
        match self {
            Self::Atom(text) => f.write_str(text),
            Self::Named(number) => write!(f, "p{number}"),
            Self::Not(operand) => write!(f, "!({operand})"),
            Self::All(operands) => f.write_str(&join(operands, " && ")),
            Self::Any(operands) => f.write_str(&join(operands, " || ")),
            Self::If(parts) => {
                let [when, then, otherwise] = parts.as_ref();
                write!(f, "(({when}) ? ({then}) : ({otherwise}))")
            }
        }
    }
}
