//! What each instance of a template has of its own, put together when the flow starts: one loop over the rows that
//! opens connections, sinks and batches, and behind everything else one that opens sources.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::connector::{batch_options, connection, method, named, options, sink_options};
use super::context::Context;
use super::outputs::Output;
use super::template::{has_open_keys, reads_config};
use super::walk::WalkCode;
use super::wiring::{Uses, source_stages, stage_literal};
use crate::hir::{SourceId, TemplateId};
use crate::plan::instances::Template;
use crate::plan::{Node, Target};

/// `let link_instances = Link::instances();`, for every template. Keys that come from configuration may be the same: `?`.
pub(super) fn rows(context: &Context<'_>) -> TokenStream {
    let templates = context.plan.templates.iter();
    templates
        .map(|(id, template)| {
            let names = context.template(*id);
            let (all, ty) = (context.ident(&names.all), context.ident(&names.ty));
            let config = reads_config(context.plan, *id, template).then(|| quote!(&config));
            let mark = has_open_keys(template).then(|| quote!(?));
            quote!(let #all = #ty::instances(#config)#mark;)
        })
        .collect()
}

/// The loops that open everything but sources.
pub(super) fn open(context: &Context<'_>, walks: &[WalkCode<'_>]) -> TokenStream {
    each(context, walks).map(|one| one.open()).collect()
}

/// The loops that open sources.
pub(super) fn sources(context: &Context<'_>, walks: &[WalkCode<'_>]) -> TokenStream {
    each(context, walks).map(|one| one.sources()).collect()
}

/// Every template.
fn each<'c, 'p>(
    context: &'c Context<'p>,
    walks: &'c [WalkCode<'c>],
) -> impl Iterator<Item = One<'c, 'p>> {
    let templates = context.plan.templates.iter();
    templates.map(move |(id, template)| One {
        context,
        walks,
        id: *id,
        template,
    })
}

/// One template.
struct One<'w, 'p> {
    context: &'w Context<'p>,
    walks: &'w [WalkCode<'w>],
    id: TemplateId,
    template: &'p Template,
}

impl One<'_, '_> {
    fn open(&self) -> TokenStream {
        let (context, plan, members) = (self.context, self.context.plan, &self.template.members);
        let connections = members.connections.iter();
        let connections = connections
            .filter_map(|id| plan.connections.get(id))
            .map(|node| self.node(node, &options(context, node)));
        let sinks = members.sinks.iter().filter_map(|id| plan.sinks.get(id));
        let sinks = sinks.map(|sink| self.node(&sink.node, &sink_options(context, sink)));
        let mut inside: TokenStream = connections.chain(sinks).collect();
        // Every instance has handles of its own, and only those that something outside takes leave the loop.
        let mut uses = Uses::of_template(context, self.walks, self.id);
        inside.extend(self.batches(&mut uses));
        inside.extend(self.stages(&mut uses));
        if inside.is_empty() {
            return inside;
        }
        let mut before = TokenStream::new();
        for target in self.wanted_outside() {
            let (every, one) = (
                context.template(self.id).every(target),
                context.ident(context.target_name(target)),
            );
            before.extend(quote!(let mut #every = Vec::new();));
            inside.extend(quote!(#every.push(#one);));
        }
        for walk in self.source_walks() {
            let every = every_stage(walk);
            let one = context.ident(&walk.name);
            before.extend(quote!(let mut #every = Vec::new();));
            inside.extend(quote!(#every.push(#one);));
        }
        let names = context.template(self.id);
        let (row, all) = (context.ident(&names.row), context.ident(&names.all));
        quote!(#before for #row in #all.iter() { #inside })
    }

    /// `let link_out = runtime.file_sink(&link.node("out"), …).await?;`
    fn node(&self, node: &Node, options: &TokenStream) -> TokenStream {
        let context = self.context;
        let variable = context.ident_at(context.node_name(node), node.span);
        let (name, method) = (self.node_name(&node.name), method(node.connector));
        let connection = connection(node)
            .and_then(|id| context.plan.connections.get(&id))
            .map(|connection| {
                let variable = context.ident(context.node_name(connection));
                quote!(&#variable,)
            });
        let (set, options) = named(options);
        quote!(#set let #variable = runtime.#method(&#name, #connection #options).await?;)
    }

    /// `link.node("out")`
    fn node_name(&self, name: &str) -> TokenStream {
        let row = self.context.ident(&self.context.template(self.id).row);
        let prefix = format!("{}.", self.template.name);
        let name = name.strip_prefix(&prefix).unwrap_or(name);
        quote!(#row.node(#name))
    }

    /// A batch is built before what feeds it, so the last comes first.
    fn batches(&self, uses: &mut Uses) -> TokenStream {
        let (context, plan) = (self.context, self.context.plan);
        let own = plan.batches.iter().rev();
        let own = own.filter(|(id, _)| self.template.members.batches.contains(id));
        own.filter_map(|(id, batch)| {
            let walk = self
                .walks
                .iter()
                .find(|walk| std::ptr::eq(walk.walk, &batch.walk))?;
            let variable = context.ident(context.target_name(Target::Batch(*id)));
            let name = self.node_name(&plan.batch_name(*id));
            let (set, options) = named(&batch_options(context, &batch.options));
            let stage = stage_literal(context, walk, uses);
            Some(quote!(#set let #variable = runtime.batch(&#name, #options, #stage)?;))
        })
        .collect()
    }

    /// The stages of the template's own sources.
    fn stages(&self, uses: &mut Uses) -> TokenStream {
        let context = self.context;
        self.source_walks()
            .map(|walk| {
                let variable = context.ident(&walk.name);
                let stage = stage_literal(context, walk, uses);
                quote!(let #variable = #stage;)
            })
            .collect()
    }

    fn source_walks(&self) -> impl Iterator<Item = &WalkCode<'_>> {
        self.walks.iter().filter(|walk| {
            !walk.walk.edges.is_empty() && walk.template(self.context) == Some(self.id)
        })
    }

    /// The targets that walks outside of the template deliver to.
    fn wanted_outside(&self) -> Vec<Target> {
        let mut wanted = Vec::new();
        for walk in self
            .walks
            .iter()
            .filter(|walk| walk.template(self.context).is_none())
        {
            for target in walk.outputs.iter().filter_map(Output::target) {
                let own = self.context.plan.template_of_target(target) == Some(self.id);
                if own && !wanted.contains(&target) {
                    wanted.push(target);
                }
            }
        }
        wanted
    }

    fn sources(&self) -> TokenStream {
        let (context, members) = (self.context, &self.template.members);
        let own: Vec<(SourceId, &Node)> = members
            .sources
            .iter()
            .filter_map(|id| Some((*id, context.plan.sources.get(id)?)))
            .collect();
        if own.is_empty() {
            return TokenStream::new();
        }
        let mut uses = Uses::of_template(context, self.walks, self.id);
        let open = own.iter().map(|(id, node)| {
            let (name, method) = (self.node_name(&node.name), method(node.connector));
            let (set, options) = named(&options(context, node));
            let stages = source_stages(context, *id, self.walks, &mut uses);
            quote!(#set runtime.#method(&#name, #options, #stages).await?;)
        });
        let open: Vec<_> = open.collect();
        let names = context.template(self.id);
        let (row, all) = (context.ident(&names.row), context.ident(&names.all));
        let (mut pattern, mut over) = (quote!(#row), quote!(#all.iter()));
        for walk in self.source_walks() {
            let (one, every) = (context.ident(&walk.name), every_stage(walk));
            pattern = quote!((#pattern, #one));
            over = quote!(#over.zip(#every));
        }
        quote!(for #pattern in #over { #(#open)* })
    }
}

fn every_stage(walk: &WalkCode<'_>) -> proc_macro2::Ident {
    format_ident!("every_{}", walk.name)
}
