//! Walks: one function for each that goes through a request once and marks what each target gets.
//!
//! A test is made at the level of what it reads: a resource that decides everything is kept or skipped whole and
//! its records are never read. What is left undecided for several branches is decided in one loop over the
//! records, with what the resource says computed before it.

mod body;
mod branches;
mod choice;
mod edits;
mod instances;
mod leaf;
mod openings;
mod place;
mod route;
mod switch;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use body::Body;
pub(super) use instances::Given;

use super::Item;
use super::context::{Context, WalkNames};
use super::outputs::{Goal, Output, Step, plan_outputs};
use crate::catalog::signals::Root;
use crate::level::Level;
use crate::plan::reads::Reads;
use crate::plan::{Edit, Walk};

/// A walk with the names of what is generated for it.
pub(super) struct WalkCode<'w> {
    /// Its position among all walks.
    pub(super) position: usize,
    pub(super) walk: &'w Walk,
    /// `ingest_logs`
    pub(super) name: String,
    /// `IngestLogs`
    pub(super) stage: String,
    pub(super) outputs: Vec<Output>,
    step: Step,
    pub(super) reads: Reads,
}

impl<'w> WalkCode<'w> {
    /// Prepares a walk.
    pub(super) fn new(context: &Context<'_>, position: usize, walk: &'w Walk) -> Self {
        let WalkNames {
            function: name,
            stage,
        } = context.walk_names(position);
        let (outputs, step) = plan_outputs(context, &walk.tree);
        let reads = walk.reads.clone();
        Self {
            position,
            walk,
            name,
            stage,
            outputs,
            step,
            reads,
        }
    }

    /// The function that selects.
    pub(super) fn function(&self, context: &Context<'_>) -> Ident {
        context.ident(&format!("select_{}", self.name))
    }

    /// The struct of outputs, which a walk with several has.
    pub(super) fn outputs_struct(&self) -> Ident {
        format_ident!("{}Outputs", self.stage)
    }

    /// The struct of outputs and the selecting function; nothing when nothing is ever kept.
    pub(super) fn emit(&self, context: &Context<'_>) -> Vec<Item> {
        let mut items = Vec::new();
        let parameter = match self.outputs.as_slice() {
            [] => return items,
            [output] => {
                let (name, ty) = (context.ident(&output.name), output.type_in_walk());
                quote!(#name: &mut #ty)
            }
            _ => {
                items.push(Item::new(self.emit_outputs(context), Some(self.walk.span)));
                let name = self.outputs_struct();
                quote!(out: &mut #name<'a>)
            }
        };
        let mut given: Vec<_> = self
            .reads
            .config
            .then(|| quote!(, config: &Config))
            .into_iter()
            .collect();
        given.extend(self.given(context).iter().map(Given::parameter));
        let function = self.function(context);
        let statements = Body::of_walk(context, self);
        let place = context.place(self.walk.span);
        let docs = context.docs(
            &[],
            &format!("Marks what each target of `{}` gets{place}.", self.name),
        );
        let tokens = quote!(#docs fn #function<'a>(request: Request<'a>, #parameter #(#given)*) { #statements });
        items.push(Item::new(tokens, Some(self.walk.span)));
        items
    }

    fn emit_outputs(&self, context: &Context<'_>) -> TokenStream {
        let name = self.outputs_struct();
        let docs = context.docs(&[], &format!("What each target of `{}` gets.", self.name));
        let fields = self.outputs.iter().map(|output| {
            let (field, ty) = (context.ident(&output.name), output.type_in_walk());
            quote!(#field: #ty)
        });
        let lifetime = self
            .outputs
            .iter()
            .any(|output| !matches!(output.goal, Goal::Count(_)))
            .then(|| quote!(<'a>));
        quote!(#docs #[derive(Default)] struct #name #lifetime { #(#fields,)* })
    }

    /// The level that `step` must come to before it is decided and every subject in it is known.
    fn depth(&self, step: &Step) -> Level {
        let mut depth = Level::Const;
        step.for_each_test(&mut |test| depth = depth.max(test.condition.level));
        step.for_each_fork(&mut |fork| {
            let key = fork
                .key
                .as_ref()
                .map_or(Level::Const, |key| key.value.level);
            depth = depth.max(key);
        });
        step.for_each_switch(&mut |on, _| depth = depth.max(on.level));
        step.for_each_keep(&mut |keep| {
            let output = self.outputs.get(keep.output).map(Output::level);
            depth = depth.max(keep.level()).max(output.unwrap_or(Level::Const));
        });
        depth
    }

    /// Whether a test or subject below `steps` reads something of a root.
    fn reads_root(&self, context: &Context<'_>, steps: &[Step], root: Root) -> bool {
        let mut found = false;
        for step in steps {
            step.for_each_test(&mut |test| {
                found |= Reads::of_condition(context.plan, &test.condition).reads(root);
            });
            step.for_each_fork(&mut |fork| {
                let key = fork.key.as_ref();
                found |=
                    key.is_some_and(|key| Reads::of_value(context.plan, &key.value).reads(root));
            });
            step.for_each_switch(&mut |on, _| {
                found |= Reads::of_value(context.plan, on).reads(root);
            });
            step.for_each_keep(&mut |keep| {
                let Some(output) = self.outputs.get(keep.output) else {
                    return;
                };
                let edits = || output.edits.iter().chain(&keep.edits);
                // The scopes cannot be passed over where one changes.
                let paths = edits().filter_map(Edit::path);
                found |= paths
                    .map(|path| path.field().root)
                    .any(|changed| changed == root);
                let values = edits().filter_map(Edit::value);
                found |= values
                    .chain(output.subject_of(context.plan))
                    .any(|value| Reads::of_value(context.plan, value).reads(root));
            });
        }
        found
    }
}

impl Output {
    /// The type that makes a new selection.
    pub(super) fn new_selection(&self) -> Ident {
        if self.forked {
            format_ident!("Instanced")
        } else {
            self.selection()
        }
    }

    /// The type of its selection, or of that of each instance.
    fn selection(&self) -> Ident {
        format_ident!(
            "{}",
            match self.goal {
                Goal::Count(_) => "Count",
                Goal::Deliver(_) if self.subject.is_some() => "SubjectSelection",
                Goal::Deliver(_) | Goal::Refuse(_) => "Selection",
            }
        )
    }

    /// The type with the lifetime of what is walked, where it has one.
    fn type_in_walk(&self) -> TokenStream {
        let ty = self.selection();
        match self.goal {
            Goal::Count(_) => quote!(#ty),
            Goal::Deliver(_) | Goal::Refuse(_) if self.forked => quote!(Instanced<#ty<'a>>),
            Goal::Deliver(_) | Goal::Refuse(_) => quote!(#ty<'a>),
        }
    }
}
