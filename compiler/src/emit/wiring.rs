//! Wiring: the `Flow` that a program builds and starts. It connects what the flow names and then does nothing.

use indexmap::IndexMap;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::Item;
use super::config;
use super::connector::{
    batch_options, connection, duration, method, number_token, options, sink_options,
};
use super::context::Context;
use super::stage::{is_shared, limits, targets};
use super::walk::WalkCode;
use crate::catalog::signals::Signal;
use crate::hir::SourceId;
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
    let mut uses = Uses::count(walks);
    let connections: TokenStream = plan
        .connections
        .values()
        .map(|node| open(context, node, &options(context, node)))
        .collect();
    let sinks: TokenStream = plan
        .sinks
        .values()
        .map(|sink| open(context, &sink.node, &sink_options(context, sink)))
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
    // A batch is built before what feeds it, so the last comes first.
    for (id, batch) in plan.batches.iter().rev() {
        let Some(walk) = walks
            .iter()
            .find(|walk| std::ptr::eq(walk.walk, &batch.walk))
        else {
            continue;
        };
        let variable = context.ident(context.target_name(Target::Batch(*id)));
        let place = plan.batch_name(*id);
        let options = batch_options(context, &batch.options);
        let stage = stage_literal(context, walk, &mut uses);
        wiring.extend(quote!(let #variable = runtime.batch(#place, #options, #stage)?;));
    }
    for walk in walks.iter().filter(|walk| !walk.walk.edges.is_empty()) {
        let variable = context.ident(&walk.name);
        let stage = stage_literal(context, walk, &mut uses);
        wiring.extend(quote!(let #variable = #stage;));
    }
    let sources: TokenStream = plan
        .sources
        .iter()
        .map(|(id, node)| source(context, *id, node, walks, &mut uses))
        .collect();
    let config = if uses_config(&connections, &sinks, &wiring, &sources) {
        quote!(let config =)
    } else {
        quote!()
    };
    quote! {
        #config Config::resolve(self.values)?;
        let mut runtime = Runtime::new(#name)?;
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
    quote!(let #variable = runtime.#method(#name, #connection #options).await?;)
}

/// `runtime.otlp_source("ingest", …, OtlpStages { … }).await?;`
fn source(
    context: &Context<'_>,
    id: SourceId,
    node: &Node,
    walks: &[WalkCode<'_>],
    uses: &mut Uses,
) -> TokenStream {
    let (name, method, options) = (&node.name, method(node.connector), options(context, node));
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
    let stages = quote!(OtlpStages { #(#stages),* });
    quote!(runtime.#method(#name, #options, #stages).await?;)
}

/// `AfterBatch1 { team0: team0.clone(), rest }`
fn stage_literal(context: &Context<'_>, walk: &WalkCode<'_>, uses: &mut Uses) -> TokenStream {
    let name = walk.stage_ident();
    let mut fields: Vec<_> = targets(walk)
        .into_iter()
        .map(|target| {
            let field = context.ident(context.target_name(target));
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
    if fields.is_empty() {
        quote!(#name {})
    } else {
        quote!(#name { #(#fields),* })
    }
}

fn uses_config(
    connections: &TokenStream,
    sinks: &TokenStream,
    wiring: &TokenStream,
    sources: &TokenStream,
) -> bool {
    [connections, sinks, wiring, sources]
        .into_iter()
        .any(|tokens| mentions(tokens.clone(), "config"))
}

fn mentions(tokens: TokenStream, word: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        proc_macro2::TokenTree::Ident(ident) => ident == word,
        proc_macro2::TokenTree::Group(group) => mentions(group.stream(), word),
        proc_macro2::TokenTree::Punct(_) | proc_macro2::TokenTree::Literal(_) => false,
    })
}

/// How often each handle is still needed: all but the last use get a copy.
struct Uses {
    targets: IndexMap<Target, usize>,
    stages: IndexMap<usize, usize>,
}

impl Uses {
    fn count(walks: &[WalkCode<'_>]) -> Self {
        let mut uses = Self {
            targets: IndexMap::new(),
            stages: IndexMap::new(),
        };
        for walk in walks {
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
