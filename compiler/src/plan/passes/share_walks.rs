//! One walk an edge: all chains that begin at one signal of a source become the branches of one walk, which has one
//! output a leaf. Whatever several of them read is read once. Edges that take the same chains share the walk too.
//!
//! before:  walk ingest (logs) -> a, walk ingest (logs, traces) -> b
//! after:   walk ingest (logs) all of -> a, -> b; walk ingest (traces) -> b
//!
//! The emitter takes plans of this form alone, so this pass always runs. It changes no decision: branches stand in the
//! order of the text.

use watershed_lang::span::Span;

use crate::catalog::signals::{Signal, Signals};
use crate::hir::SourceId;
use crate::plan::{Edge, Plan, PlanLog, Reads, Tree, Walk};

/// The pass in logs.
pub const NAME: &str = "share_walks";

/// Returns `plan` with one walk for each set of chains that some signal of some source takes.
#[must_use]
pub fn run(mut plan: Plan, log: &mut PlanLog) -> Plan {
    let chains = std::mem::take(&mut plan.walks);
    let mut shared: Vec<Shared> = Vec::new();
    for source in plan.sources.keys().copied() {
        for signal in Signal::ALL {
            let taken = chains_of(&chains, source, signal);
            if taken.is_empty() {
                continue;
            }
            match shared.iter_mut().find(|known| known.chains == taken) {
                Some(known) => known.add(source, signal),
                None => {
                    let mut new = Shared::of(taken);
                    new.add(source, signal);
                    shared.push(new);
                }
            }
        }
    }
    plan.walks = shared.into_iter().map(Shared::walk).collect();
    note(&plan, &chains, log);
    plan
}

/// Chains that are taken together, and what takes them.
struct Shared<'c> {
    chains: Vec<Chain<'c>>,
    edges: Vec<Edge>,
    signals: Signals,
}

/// A chain as one of its walks shows it. The walks of its other sources have the same span and the same tree, so two
/// chains are equal when they are one.
#[derive(PartialEq)]
struct Chain<'c> {
    span: Span,
    tree: &'c Tree,
}

/// The chains that a signal of a source takes, in the order of the text.
fn chains_of(walks: &[Walk], source: SourceId, signal: Signal) -> Vec<Chain<'_>> {
    let takes = |walk: &&Walk| {
        let mut edges = walk.edges.iter();
        edges.any(|edge| edge.source == source && edge.signals.contains(signal))
    };
    let taken = walks.iter().filter(takes);
    taken
        .map(|walk| Chain {
            span: walk.span,
            tree: &walk.tree,
        })
        .collect()
}

impl<'c> Shared<'c> {
    fn of(chains: Vec<Chain<'c>>) -> Self {
        Self {
            chains,
            edges: Vec::new(),
            signals: Signals::NONE,
        }
    }

    fn add(&mut self, source: SourceId, signal: Signal) {
        let signals = Signals::only(signal);
        self.signals = self.signals.union(signals);
        match self.edges.iter_mut().find(|edge| edge.source == source) {
            Some(edge) => edge.signals = edge.signals.union(signals),
            None => self.edges.push(Edge { source, signals }),
        }
    }

    fn walk(self) -> Walk {
        let span = self.chains.first().map(|chain| chain.span);
        let tree = match self.chains.as_slice() {
            [only] => only.tree.clone(),
            several => Tree::FanOut(several.iter().map(|chain| chain.tree.clone()).collect()),
        };
        Walk {
            edges: self.edges,
            signals: self.signals,
            tree,
            reads: Reads::default(),
            span: span.unwrap_or_default(),
        }
    }
}

/// Notes at each chain what it shares a walk with.
fn note(plan: &Plan, chains: &[Walk], log: &mut PlanLog) {
    for walk in &plan.walks {
        for edge in &walk.edges {
            let of_edge = |chain: &&Walk| {
                let mut edges = chain.edges.iter();
                edges.any(|taken| taken.source == edge.source && taken.signals.covers(edge.signals))
            };
            let together: Vec<&Walk> = chains.iter().filter(of_edge).collect();
            let source = plan.sources.get(&edge.source);
            let (Some(first), true, Some(source)) = (together.first(), together.len() > 1, source)
            else {
                continue;
            };
            let (count, name, signals) = (together.len(), &source.name, edge.signals);
            let reason =
                format!("the {count} chains of `{name}` ({signals}) are decided in one walk");
            log.note(NAME, first.span, reason);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::passes::testing::{compare, naive};

    #[test]
    fn the_chains_of_an_edge_are_one_walk() {
        let plan = naive(
            "source other = otlp { http: \"127.0.0.1:0\" };\n\
             ingest.logs -> filter(log.flags == 1u) -> a;\n\
             [ingest.logs, other.logs] -> batch(timeout: 1s) -> b;\n\
             [ingest, other.logs] -> c;\n\
             ingest.logs -> route { log.flags == 2u => [a, b], else => split { log.flags == 3u => c } };",
        );
        insta::assert_snapshot!(compare(plan, &[run]));
    }

    #[test]
    fn sources_of_one_chain_share_its_walk() {
        let plan = naive(
            "source other = otlp { http: \"127.0.0.1:0\" };\n\
             [ingest.logs, ingest.logs, other.logs] -> a;\n[other.traces, ingest.traces] -> b;\n\
             ingest.metrics -> b;\nother.metrics -> b;",
        );
        insta::assert_snapshot!(compare(plan, &[run]));
    }
}
