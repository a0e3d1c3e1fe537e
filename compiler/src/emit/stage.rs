//! Stages: one struct for each walk, which holds its targets and delivers an event to them.

use indexmap::IndexSet;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::Item;
use super::connector::handle_type;
use super::context::Context;
use super::outputs::{Goal, Output};
use super::walk::{Given, WalkCode};
use crate::hir::StepId;
use crate::plan::{Target, Walk};

/// Deliveries that one tuple can hold.
const TUPLE: usize = 12;

/// The struct of a walk with its implementation of `Stage`.
pub(super) fn emit(context: &Context<'_>, code: &WalkCode<'_>) -> Item {
    let name = format_ident!("{}", code.stage);
    let docs = context.docs(&[], &description(context, code));
    let fields = targets(code).into_iter().map(|target| {
        let field = context.ident(context.target_name(target));
        let ty = target_type(context, target);
        if code.is_each(context, target) {
            quote!(#field: Vec<#ty>)
        } else {
            quote!(#field: #ty)
        }
    });
    let quotas = limits(code).into_iter().map(|limit| {
        let field = context.ident(context.limit_name(limit));
        quote!(#field: Quota)
    });
    let config = code.reads.config.then(|| quote!(config: Config,));
    let given: Vec<_> = code.given(context).iter().map(Given::field).collect();
    let derive = is_shared(code.walk).then(|| quote!(#[derive(Clone)]));
    let body = deliver(context, code);
    let tokens = quote! {
        #docs
        #derive
        struct #name { #(#fields,)* #(#quotas,)* #config #(#given,)* }

        impl Stage for #name {
            async fn deliver(&self, event: Event) -> Verdicts { #body }
        }
    };
    Item::new(tokens, Some(code.walk.span))
}

/// The targets of a walk, each once.
pub(super) fn targets(code: &WalkCode<'_>) -> IndexSet<Target> {
    code.outputs.iter().filter_map(Output::target).collect()
}

/// The quotas of a walk, in the order in which an event comes to them.
pub(super) fn limits(code: &WalkCode<'_>) -> Vec<StepId> {
    let limits = code.outputs.iter().filter_map(|output| match output.goal {
        Goal::Count(limit) => Some(limit),
        Goal::Deliver(_) | Goal::Refuse(_) => None,
    });
    limits.collect()
}

/// Whether several signals of sources go through one walk, each with a copy of its stage.
pub(super) fn is_shared(walk: &Walk) -> bool {
    walk.edges
        .iter()
        .map(|edge| edge.signals.iter().count())
        .sum::<usize>()
        > 1
}

/// The type that delivers to a target.
fn target_type(context: &Context<'_>, target: Target) -> TokenStream {
    match target {
        Target::Sink(id) => {
            let ty = context
                .plan
                .sinks
                .get(&id)
                .map(|sink| handle_type(sink.node.connector));
            quote!(#ty)
        }
        Target::Batch(id) => {
            let stage = context.stage_after(id);
            quote!(Batch<#stage>)
        }
    }
}

fn description(context: &Context<'_>, code: &WalkCode<'_>) -> String {
    let place = context.place(code.walk.span);
    if code.walk.edges.is_empty() {
        return format!(
            "What happens to {} behind the batch `{}`{place}.",
            code.walk.signals,
            code.batch_name()
        );
    }
    let edges: Vec<_> = code
        .walk
        .edges
        .iter()
        .filter_map(|edge| {
            let source = context.plan.sources.get(&edge.source)?;
            Some(format!("{} from `{}`", edge.signals, source.name))
        })
        .collect();
    format!("What happens to {}{place}.", edges.join(", to "))
}

fn deliver(context: &Context<'_>, code: &WalkCode<'_>) -> TokenStream {
    if code.outputs.is_empty() {
        let comment = context.comment("everything is dropped");
        return quote!(#comment deliver(&event, ()).await);
    }
    let select = code.function(context);
    let mut given: Vec<_> = code
        .reads
        .config
        .then(|| quote!(, &self.config))
        .into_iter()
        .collect();
    given.extend(code.given(context).iter().map(Given::argument));
    if let [output] = code.outputs.as_slice() {
        let (name, selection) = (context.ident(&output.name), output.new_selection());
        let quota = quota(context, output, &quote!(#name));
        // What is delivered is finished under its own name, so that the tuple stays short.
        let finish = output.target().map(|_| quote!(let #name = #name.finish();));
        let kept = quote!(#name);
        let delivery = match output.target() {
            Some(target) => Some(receive(context, code, output, target, &kept)),
            None => delivery(context, code, output, &kept),
        };
        let deliveries = tuple(delivery.into_iter().collect());
        return quote! {
            let mut #name = #selection::new();
            for request in event.payload().requests() {
                #select(request, &mut #name #(#given)*);
            }
            #quota
            #finish
            deliver(&event, #deliveries).await
        };
    }
    let outputs = code.outputs_struct();
    let name = |output: &Output| {
        let name = context.ident(&output.name);
        quote!(out.#name)
    };
    let quotas: TokenStream = code
        .outputs
        .iter()
        .filter_map(|output| quota(context, output, &name(output)))
        .collect();
    // What is refused comes first: it counts on every edge.
    let is_refused = |output: &&Output| matches!(output.goal, Goal::Refuse(_));
    let (refused, others): (Vec<_>, Vec<_>) = code.outputs.iter().partition(is_refused);
    let deliveries = refused
        .into_iter()
        .chain(others)
        .filter_map(|output| delivery(context, code, output, &name(output)))
        .collect();
    let deliveries = tuple(deliveries);
    quote! {
        let mut out = #outputs::default();
        for request in event.payload().requests() {
            #select(request, &mut out #(#given)*);
        }
        #quotas
        let deliveries = #deliveries;
        deliver(&event, deliveries).await
    }
}

/// What pairs a target with its parts: one delivery, or one for each instance that the event reaches.
fn receive(
    context: &Context<'_>,
    code: &WalkCode<'_>,
    output: &Output,
    target: Target,
    parts: &TokenStream,
) -> TokenStream {
    let field = context.ident(context.target_name(target));
    if !output.forked {
        quote!(self.#field.receive(#parts))
    } else if code.is_each(context, target) {
        quote!(#parts.each(&self.#field))
    } else {
        quote!(#parts.all(&self.#field))
    }
}

/// Answers an event that is over a quota.
fn quota(context: &Context<'_>, output: &Output, counted: &TokenStream) -> Option<TokenStream> {
    let Goal::Count(limit) = output.goal else {
        return None;
    };
    let field = context.ident(context.limit_name(limit));
    Some(quote! {
        if let Some(refusal) = self.#field.refuse(&event, #counted.records()) {
            return refusal;
        }
    })
}

/// What becomes of what was kept in an output.
fn delivery(
    context: &Context<'_>,
    code: &WalkCode<'_>,
    output: &Output,
    kept: &TokenStream,
) -> Option<TokenStream> {
    match &output.goal {
        Goal::Deliver(target) => {
            let parts = quote!(#kept.finish());
            Some(receive(context, code, output, *target, &parts))
        }
        Goal::Refuse(refusal) => {
            let reason = &refusal.reason;
            let method = match refusal.failed {
                true => quote!(not_checked),
                false => quote!(invalid),
            };
            Some(quote!(Refused::#method(#kept, #reason)))
        }
        Goal::Count(_) => None,
    }
}

/// Deliveries as a tuple, nested where one tuple cannot hold them.
fn tuple(mut deliveries: Vec<TokenStream>) -> TokenStream {
    while deliveries.len() > TUPLE {
        deliveries = deliveries
            .chunks(TUPLE)
            .map(|chunk| quote!((#(#chunk,)*)))
            .collect();
    }
    quote!((#(#deliveries,)*))
}

impl WalkCode<'_> {
    /// The name of the stage struct.
    pub(super) fn stage_ident(&self) -> Ident {
        format_ident!("{}", self.stage)
    }

    /// The name of the batch in front of the walk.
    fn batch_name(&self) -> &str {
        self.name.strip_prefix("after_").unwrap_or(&self.name)
    }
}
