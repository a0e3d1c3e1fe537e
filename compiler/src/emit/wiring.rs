//! Wiring: the `Flow` that a program builds and starts. It connects what the flow names and then does nothing.

use indexmap::{IndexMap, IndexSet};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::Item;
use super::config;
use super::connector::{
    batch_options, connection, duration, method, named, number_token, options, sink_options,
};
use super::context::Context;
use super::stage::{is_shared, limits, targets};
use super::template_wiring;
use super::walk::{Given, WalkCode};
use crate::catalog::signals::Signal;
use crate::hir::{SourceId, TemplateId};
use crate::plan::{Node, Target};

/// The `Flow` struct with its builder and its start.
pub(super) fn emit(context: &Context<'_>, walks: &[WalkCode<'_>]) -> Item {
    let flow = context.options.flow;
    let setters = config::setters(context);
    let start = start(context, walks);
    let docs = context.docs(
        &[],
        &format!("The flow of {flow}: set its configuration, then start it."),
    );
    let builder_docs = context.docs(
        &[],
        &format!("A flow configured by the environment and the defaults of {flow}."),
    );
    let tokens = quote! {
        #docs
        #[derive(Debug, Default)]
        pub struct Flow { values: ConfigValues }

        #[allow(dead_code, reason = "a program calls the methods that it needs")]
        impl Flow {
            #builder_docs
            #[must_use]
            pub fn builder() -> Self { Self::default() }

            #(#setters)*

            /// Sets any configuration value by its name, in the notation of `.flow` files.
            #[must_use]
            pub fn set(mut self, name: &str, value: &str) -> Self {
                self.values.set(name, value);
                self
            }

            /// Connects every sink, then opens every source.
            ///
            /// # Errors
            /// When a configuration value is missing or malformed, a sink cannot be reached or an address is taken.
            pub async fn start(self) -> Result<Running, StartError> { #start }

            /// Starts, serves until SIGINT or SIGTERM, then delivers what was accepted.
            ///
            /// # Errors
            /// As [`Flow::start`], and when not everything that was accepted could be delivered.
            pub async fn run(self) -> Result<(), RunError> { self.start().await?.until_signal().await }
        }
    };
    Item::new(tokens, None)
}

fn start(context: &Context<'_>, walks: &[WalkCode<'_>]) -> TokenStream {
    let name = context.options.name;
    let plan = context.plan;
    let mut uses = Uses::count(context, walks);
    let rows = template_wiring::rows(context);
    let connections: TokenStream = plan
        .connections
        .iter()
        .filter(|(id, _)| plan.template_of_connection(**id).is_none())
        .map(|(_, node)| open(context, node, &options(context, node)))
        .collect();
    let sinks: TokenStream = plan
        .sinks
        .iter()
        .filter(|(id, _)| plan.template_of_target(Target::Sink(**id)).is_none())
        .map(|(_, sink)| open(context, &sink.node, &sink_options(context, sink)))
        .collect();
    let mut wiring: TokenStream = plan
        .limits()
        .enumerate()
        .map(|(position, limit)| {
            let variable = context.ident(context.limit_name(limit.id));
            let (name, per) = (limit.name_at(position), duration(limit.per));
            let records = number_token(limit.records);
            quote!(let #variable = runtime.quota(#name, #records, #per);)
        })
        .collect();
    wiring.extend(template_wiring::open(context, walks));
    // A batch is built before what feeds it, so the last comes first.
    let outer = |target| plan.template_of_target(target).is_none();
    for (id, batch) in plan.batches.iter().rev() {
        if !outer(Target::Batch(*id)) {
            continue;
        }
        let Some(walk) = walks
            .iter()
            .find(|walk| std::ptr::eq(walk.walk, &batch.walk))
        else {
            continue;
        };
        let variable = context.ident(context.target_name(Target::Batch(*id)));
        let place = plan.batch_name(*id);
        let (set, options) = named(&batch_options(context, &batch.options));
        let stage = stage_literal(context, walk, &mut uses);
        wiring.extend(quote!(#set let #variable = runtime.batch(#place, #options, #stage)?;));
    }
    for walk in walks
        .iter()
        .filter(|walk| !walk.walk.edges.is_empty() && walk.template(context).is_none())
    {
        let variable = context.ident(&walk.name);
        let stage = stage_literal(context, walk, &mut uses);
        wiring.extend(quote!(let #variable = #stage;));
    }
    let mut sources: TokenStream = plan
        .sources
        .iter()
        .filter(|(id, _)| plan.template_of_source(**id).is_none())
        .map(|(id, node)| source(context, *id, node, walks, &mut uses))
        .collect();
    sources.extend(template_wiring::sources(context, walks));
    let everything = [&rows, &connections, &sinks, &wiring, &sources];
    let config = if everything
        .into_iter()
        .any(|tokens| mentions(tokens.clone(), "config"))
    {
        quote!(let config =)
    } else {
        quote!()
    };
    quote! {
        #config Config::resolve(self.values)?;
        let mut runtime = Runtime::new(#name)?;
        #rows
        #connections
        #sinks
        #wiring
        #sources
        Ok(runtime.running())
    }
}

/// `let team0 = runtime.nats_sink("team0", &bus, …).await?;`
fn open(context: &Context<'_>, node: &Node, options: &TokenStream) -> TokenStream {
    let variable = context.ident_at(context.node_name(node), node.span);
    let (name, method) = (&node.name, method(node.connector));
    let connection = connection(node)
        .and_then(|id| context.plan.connections.get(&id))
        .map(|connection| {
            let variable = context.ident(context.node_name(connection));
            quote!(&#variable,)
        });
    let (set, options) = named(options);
    quote!(#set let #variable = runtime.#method(#name, #connection #options).await?;)
}

/// `runtime.otlp_source("ingest", …, OtlpStages { … }).await?;`
fn source(
    context: &Context<'_>,
    id: SourceId,
    node: &Node,
    walks: &[WalkCode<'_>],
    uses: &mut Uses,
) -> TokenStream {
    let (name, method) = (&node.name, method(node.connector));
    let (set, options) = named(&options(context, node));
    let stages = source_stages(context, id, walks, uses);
    quote!(#set runtime.#method(#name, #options, #stages).await?;)
}

/// `OtlpStages { logs: ingest_logs, metrics: Unconnected, traces: Unconnected }`
pub(super) fn source_stages(
    context: &Context<'_>,
    id: SourceId,
    walks: &[WalkCode<'_>],
    uses: &mut Uses,
) -> TokenStream {
    let stages = Signal::ALL.into_iter().map(|signal| {
        let field = format_ident!("{}", signal.name());
        let takes = |walk: &&WalkCode<'_>| {
            walk.walk
                .edges
                .iter()
                .any(|edge| edge.source == id && edge.signals.contains(signal))
        };
        let Some(walk) = walks.iter().find(takes) else {
            return quote!(#field: Unconnected);
        };
        let variable = context.ident(&walk.name);
        let copy = uses.stage(walk);
        if *variable.to_string() == *signal.name() {
            quote!(#field #copy)
        } else {
            quote!(#field: #variable #copy)
        }
    });
    quote!(OtlpStages { #(#stages),* })
}

/// `AfterBatch1 { team0: team0.clone(), rest }`
pub(super) fn stage_literal(
    context: &Context<'_>,
    walk: &WalkCode<'_>,
    uses: &mut Uses,
) -> TokenStream {
    let name = walk.stage_ident();
    let mut fields: Vec<_> = targets(walk)
        .into_iter()
        .map(|target| {
            let field = context.ident(context.target_name(target));
            if walk.is_each(context, target) {
                let template = context.plan.template_of_target(target);
                let every = template.map(|id| context.template(id).every(target));
                return if uses.target(target) {
                    quote!(#field: #every.clone())
                } else {
                    quote!(#field: #every)
                };
            }
            if uses.target(target) {
                quote!(#field: #field.clone())
            } else {
                quote!(#field)
            }
        })
        .collect();
    for limit in limits(walk) {
        let field = context.ident(context.limit_name(limit));
        fields.push(quote!(#field: #field.clone()));
    }
    if walk.reads.config {
        fields.push(quote!(config: config.clone()));
    }
    fields.extend(walk.given(context).iter().map(Given::initializer));
    if fields.is_empty() {
        quote!(#name {})
    } else {
        quote!(#name { #(#fields),* })
    }
}

fn mentions(tokens: TokenStream, word: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        proc_macro2::TokenTree::Ident(ident) => ident == word,
        proc_macro2::TokenTree::Group(group) => mentions(group.stream(), word),
        proc_macro2::TokenTree::Punct(_) | proc_macro2::TokenTree::Literal(_) => false,
    })
}

/// How often each handle is still needed: all but the last use get a copy.
pub(super) struct Uses {
    /// How many uses of each target are left; one that is used again afterwards counts one more.
    targets: IndexMap<Target, usize>,
    /// Targets that every pass of a loop uses.
    shared: IndexSet<Target>,
    stages: IndexMap<usize, usize>,
}

impl Uses {
    /// The uses outside of templates.
    fn count(context: &Context<'_>, walks: &[WalkCode<'_>]) -> Self {
        let mut uses = Self::of(context, walks, None);
        // Every pass of a loop over instances needs another copy of what stands outside.
        for walk in walks.iter().filter(|walk| walk.template(context).is_some()) {
            for target in targets(walk) {
                if context.plan.template_of_target(target).is_none() {
                    uses.shared.insert(target);
                }
            }
        }
        uses
    }

    /// The uses in one pass of the loop over the instances of a template.
    pub(super) fn of_template(
        context: &Context<'_>,
        walks: &[WalkCode<'_>],
        template: TemplateId,
    ) -> Self {
        let mut uses = Self::of(context, walks, Some(template));
        for (target, count) in &mut uses.targets {
            let own = context.plan.template_of_target(*target) == Some(template);
            if !own {
                uses.shared.insert(*target);
            } else if walks.iter().any(|walk| {
                walk.template(context).is_none()
                    && walk
                        .outputs
                        .iter()
                        .any(|output| output.target() == Some(*target))
            }) {
                *count += 1;
            }
        }
        uses
    }

    fn of(context: &Context<'_>, walks: &[WalkCode<'_>], template: Option<TemplateId>) -> Self {
        let mut uses = Self {
            targets: IndexMap::new(),
            shared: IndexSet::new(),
            stages: IndexMap::new(),
        };
        for walk in walks
            .iter()
            .filter(|walk| walk.template(context) == template)
        {
            for target in targets(walk) {
                *uses.targets.entry(target).or_default() += 1;
            }
            if is_shared(walk.walk) {
                let signals = walk
                    .walk
                    .edges
                    .iter()
                    .map(|edge| edge.signals.iter().count())
                    .sum();
                uses.stages.insert(walk.position, signals);
            }
        }
        uses
    }

    /// Whether this use of a target is not the last.
    fn target(&mut self, target: Target) -> bool {
        if self.shared.contains(&target) {
            return true;
        }
        self.targets.get_mut(&target).is_some_and(|left| {
            *left -= 1;
            *left > 0
        })
    }

    /// `.clone()` where this use of a stage is not the last.
    fn stage(&mut self, walk: &WalkCode<'_>) -> TokenStream {
        let again = self.stages.get_mut(&walk.position).is_some_and(|left| {
            *left -= 1;
            *left > 0
        });
        if again { quote!(.clone()) } else { quote!() }
    }
}
