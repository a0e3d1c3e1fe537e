//! What every part of the emitter asks: names, places, the structs that fields are read into, and what has been
//! used so far.

use std::cell::RefCell;
use std::collections::BTreeMap;

use indexmap::{IndexMap, IndexSet};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use watershed_lang::span::Span;

use super::EmitOptions;
use super::cel::Unsupported;
use super::fields::FieldStructs;
use super::names::{self, Names};
use super::statics::{Static, Statics};
use super::template::{TemplateNames, Templates};
use crate::catalog::signals::Signals;
use crate::hir::{ConfigId, PredicateId, SinkId, StepId, TemplateId};
use crate::plan::{BatchId, Node, Plan, Predicate, Target, Walk};

/// Which plain boolean of a condition is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Polarity {
    /// "Is true."
    True,
    /// "Is false."
    False,
}

impl Polarity {
    /// The other one.
    pub(super) const fn flipped(self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
        }
    }
}

/// The plan with the names that its parts have in the generated code.
pub(super) struct Context<'p> {
    pub(super) plan: &'p Plan,
    pub(super) options: &'p EmitOptions<'p>,
    pub(super) structs: FieldStructs,
    walks: Vec<WalkNames>,
    configs: IndexMap<ConfigId, String>,
    nodes: IndexMap<String, String>,
    sinks: IndexMap<SinkId, String>,
    batches: IndexMap<BatchId, String>,
    limits: IndexMap<StepId, String>,
    predicates: IndexMap<PredicateId, [String; 2]>,
    subjects: IndexMap<SinkId, String>,
    templates: Templates,
    used: RefCell<Used>,
    /// Whether each predicate that has been asked for can be an error.
    fallible: RefCell<BTreeMap<PredicateId, bool>>,
}

/// The names of what is generated for a walk.
#[derive(Clone, Debug)]
pub(super) struct WalkNames {
    /// `ingest_logs`
    pub(super) function: String,
    /// `IngestLogs`
    pub(super) stage: String,
}

/// What emitted expressions name, so that nothing unused is emitted.
#[derive(Default)]
struct Used {
    predicates: IndexSet<(PredicateId, Polarity)>,
    statics: Statics,
    subjects: IndexSet<SinkId>,
    unsupported: Vec<Unsupported>,
}

impl<'p> Context<'p> {
    /// Gives every part of the plan its name.
    pub(super) fn new(plan: &'p Plan, options: &'p EmitOptions<'p>) -> Self {
        let (mut values, mut types) = (Names::values(), Names::types());
        let connections = plan.connections.values();
        let nodes = connections.chain(plan.sinks.values().map(|sink| &sink.node));
        let nodes: IndexMap<_, _> = nodes
            .map(|node| (node.name.clone(), values.give_value(&node.name)))
            .collect();
        // A sink may be called `out`, as the outputs of a walk are: it is a field there. Nothing else may.
        values.give("out");
        let sinks = plan
            .sinks
            .iter()
            .filter_map(|(id, sink)| Some((*id, nodes.get(&sink.node.name)?.clone())))
            .collect();
        let batches = plan
            .batches
            .keys()
            .map(|id| (*id, values.give_value(&plan.batch_name(*id))))
            .collect();
        let limits = plan
            .limits()
            .enumerate()
            .map(|(position, limit)| (limit.id, values.give_value(&limit.name_at(position))))
            .collect();
        let walks = walk_names(plan, &mut values, &mut types);
        let predicates = predicate_names(plan, &mut values);
        let with_subject = plan.sinks.iter().filter(|(_, sink)| sink.subject.is_some());
        let subjects = with_subject
            .map(|(id, sink)| {
                let wanted = format!("subject_{}", sink.node.name);
                (*id, values.give_value(&wanted))
            })
            .collect();
        let mut methods = Names::methods();
        let configs = plan
            .configs
            .iter()
            .map(|(id, config)| (*id, methods.give_value(&config.name)))
            .collect();
        let targets = sinks_and_batches(&sinks, &batches);
        let templates = Templates::new(plan, &mut values, &mut types, &targets);
        let structs = FieldStructs::new(plan, &mut types);
        let used = RefCell::default();
        Self {
            plan,
            options,
            structs,
            walks,
            configs,
            nodes,
            sinks,
            batches,
            limits,
            predicates,
            subjects,
            templates,
            used,
            fallible: RefCell::default(),
        }
    }

    /// Whether a predicate can be an error: asked of `decide` once, however often the predicate is named.
    pub(super) fn can_fail(
        &self,
        id: PredicateId,
        decide: impl FnOnce(&Predicate) -> bool,
    ) -> bool {
        let known = self.fallible.borrow().get(&id).copied();
        known.unwrap_or_else(|| {
            let fallible = self.plan.predicates.get(&id).is_none_or(decide);
            self.fallible.borrow_mut().insert(id, fallible);
            fallible
        })
    }

    /// The names of what is generated for a template.
    pub(super) fn template(&self, id: TemplateId) -> &TemplateNames {
        self.templates.names(id)
    }

    /// The names of the walk at this position among all walks.
    pub(super) fn walk_names(&self, position: usize) -> WalkNames {
        let missing = || WalkNames {
            function: "missing".to_owned(),
            stage: "Missing".to_owned(),
        };
        self.walks.get(position).cloned().unwrap_or_else(missing)
    }

    /// The stage behind a batch.
    pub(super) fn stage_after(&self, id: BatchId) -> Ident {
        let position = self.plan.walks.len() + self.plan.batches.get_index_of(&id).unwrap_or(0);
        self.ident(&self.walk_names(position).stage)
    }

    /// The field and builder method of a configuration value.
    pub(super) fn config_name(&self, id: ConfigId) -> &str {
        self.configs.get(&id).map_or("missing", String::as_str)
    }

    /// The variable of a connection or sink.
    pub(super) fn node_name(&self, node: &Node) -> &str {
        self.nodes.get(&node.name).map_or("missing", String::as_str)
    }

    /// The user's place of a span, as rustc knows it.
    pub(super) fn span(&self, span: Span) -> proc_macro2::Span {
        (self.options.spans)(span)
    }

    /// An identifier of ours.
    pub(super) fn ident(&self, name: &str) -> Ident {
        names::ident(name, proc_macro2::Span::call_site())
    }

    /// An identifier that the user wrote at `span`.
    pub(super) fn ident_at(&self, name: &str, span: Span) -> Ident {
        names::ident(name, self.span(span))
    }

    /// The variable and field that stands for a target.
    pub(super) fn target_name(&self, target: Target) -> &str {
        let name = match target {
            Target::Sink(id) => self.sinks.get(&id),
            Target::Batch(id) => self.batches.get(&id),
        };
        name.map_or("missing", String::as_str)
    }

    /// The variable and field of a quota.
    pub(super) fn limit_name(&self, id: StepId) -> &str {
        self.limits.get(&id).map_or("missing", String::as_str)
    }

    /// The function that tests a predicate, which is emitted because it is named here.
    pub(super) fn predicate_function(&self, id: PredicateId, polarity: Polarity) -> Ident {
        self.used.borrow_mut().predicates.insert((id, polarity));
        let names = self.predicates.get(&id);
        let name = names.map_or("missing", |[when_true, when_false]| match polarity {
            Polarity::True => when_true,
            Polarity::False => when_false,
        });
        self.ident(name)
    }

    /// Whether some emitted expression names this test of a predicate.
    pub(super) fn is_predicate_used(&self, id: PredicateId, polarity: Polarity) -> bool {
        self.used.borrow().predicates.contains(&(id, polarity))
    }

    /// The function that writes the subject of a sink, which is emitted because it is named here.
    pub(super) fn subject_function(&self, id: SinkId) -> Ident {
        self.used.borrow_mut().subjects.insert(id);
        self.ident(self.subjects.get(&id).map_or("missing", String::as_str))
    }

    /// Whether some emitted walk writes the subject of this sink.
    pub(super) fn is_subject_used(&self, id: SinkId) -> bool {
        self.used.borrow().subjects.contains(&id)
    }

    /// The static that holds what is prepared once; it is emitted because it is named here.
    pub(super) fn prepared(&self, wanted: Static) -> Ident {
        let mut used = self.used.borrow_mut();
        names::ident(used.statics.name(wanted), proc_macro2::Span::call_site())
    }

    /// What `make` makes of each static that emitted code names, in the order in which they were first named.
    pub(super) fn statics<T>(&self, make: impl Fn(&Static, &str) -> T) -> Vec<T> {
        let used = self.used.borrow();
        used.statics
            .all()
            .map(|(one, name)| make(one, name))
            .collect()
    }

    /// Notes what has no Rust; the driver reports it.
    pub(super) fn refuse(&self, unsupported: Unsupported) {
        let mut used = self.used.borrow_mut();
        if !used.unsupported.contains(&unsupported) {
            used.unsupported.push(unsupported);
        }
    }

    /// What has no Rust.
    pub(super) fn unsupported(&self) -> Vec<Unsupported> {
        self.used.borrow().unsupported.clone()
    }

    /// `, split.flow:14`, or nothing where places have no lines.
    pub(super) fn place(&self, span: Span) -> String {
        (self.options.describe)(span).map_or_else(String::new, |place| format!(", {place}"))
    }

    /// A doc comment: the lines that the user wrote, then ours.
    pub(super) fn docs(&self, user: &[String], ours: &str) -> TokenStream {
        let mut lines: Vec<String> = user.iter().map(|line| format!(" {line}")).collect();
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.extend(ours.lines().map(|line| {
            if line.is_empty() {
                String::new()
            } else {
                format!(" {line}")
            }
        }));
        quote!(#(#[doc = #lines])*)
    }

    /// A comment inside a function. Tokens cannot hold one, so it stands as a statement that the renderer turns
    /// into a comment; where tokens are handed to rustc as they are, there is none.
    pub(super) fn comment(&self, text: &str) -> TokenStream {
        if self.options.comments {
            let marker = self.ident(super::COMMENT_MARKER);
            quote!(#marker!(#text);)
        } else {
            TokenStream::new()
        }
    }
}

/// The name of every target.
fn sinks_and_batches(
    sinks: &IndexMap<SinkId, String>,
    batches: &IndexMap<BatchId, String>,
) -> IndexMap<Target, String> {
    let sinks = sinks
        .iter()
        .map(|(id, name)| (Target::Sink(*id), name.clone()));
    let batches = batches
        .iter()
        .map(|(id, name)| (Target::Batch(*id), name.clone()));
    sinks.chain(batches).collect()
}

/// Names every walk: by its edges, or by the batch in front of it.
fn walk_names(plan: &Plan, values: &mut Names, types: &mut Names) -> Vec<WalkNames> {
    let of_edges = plan.walks.iter().map(|walk| edges_name(plan, walk));
    let of_batches = plan
        .batches
        .keys()
        .map(|id| format!("after_{}", plan.batch_name(*id)));
    of_edges
        .chain(of_batches)
        .map(|wanted| {
            let function = values.give_value(&wanted);
            values.give(&format!("select_{function}"));
            let stage = types.give(&names::camel_case(&function)).replace('_', "");
            types.give(&format!("{stage}Outputs"));
            WalkNames { function, stage }
        })
        .collect()
}

/// The names of each predicate's test for true and for false.
fn predicate_names(plan: &Plan, values: &mut Names) -> IndexMap<PredicateId, [String; 2]> {
    let name = |(id, predicate): (&PredicateId, &Predicate)| {
        let when_true = values.give_value(&predicate.name);
        let when_false = values.give_value(&format!("{}_is_false", predicate.name));
        (*id, [when_true, when_false])
    };
    plan.predicates.iter().map(name).collect()
}

/// `ingest_logs`; `ingest` alone where the walk takes all that the source has.
fn edges_name(plan: &Plan, walk: &Walk) -> String {
    let mut words = Vec::new();
    for edge in &walk.edges {
        words.extend(
            plan.sources
                .get(&edge.source)
                .map(|source| source.name.clone()),
        );
        if edge.signals != Signals::ALL {
            words.extend(edge.signals.iter().map(|signal| signal.name().to_owned()));
        }
    }
    words.join("_")
}
