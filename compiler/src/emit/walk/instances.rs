//! Forks: the place in a walk where a record goes to the instances of a template.
//!
//! In: a fork over the steps of its body. Out: one loop over the instances that a look-up finds, or over all where
//! there is none, and what a walk must be given for it. The loop stands as far out as what decides first allows.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::WalkCode;
use super::body::Body;
use super::place::Place;
use crate::emit::context::Context;
use crate::emit::outputs::{ForkStep, Output, Step};
use crate::hir::{ConfigType, ParameterId, TemplateId};
use crate::level::Level;
use crate::plan::instances::Key;
use crate::plan::{Target, Value};

/// How a fork goes over its instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ForkLoop {
    /// Over those that a look-up found.
    Found,
    /// Over all.
    All,
}

/// Instances that were looked up before a loop.
pub(super) struct KnownInstances {
    /// What they were looked up in.
    instances: Ident,
    /// The value that was looked up.
    key: Value,
    /// The variable that holds them.
    variable: Ident,
}

/// Something of a template that a walk is given.
pub(in crate::emit) struct Given {
    /// The variable and field.
    name: Ident,
    /// Its type.
    ty: TokenStream,
    /// What it is made of when the flow starts.
    pub(in crate::emit) value: TokenStream,
}

impl Given {
    /// `, link: &Link`
    pub(in crate::emit) fn parameter(&self) -> TokenStream {
        let (name, ty) = (&self.name, &self.ty);
        quote!(, #name: &#ty)
    }

    /// `link: Link`
    pub(in crate::emit) fn field(&self) -> TokenStream {
        let (name, ty) = (&self.name, &self.ty);
        quote!(#name: #ty)
    }

    /// `, &self.link`
    pub(in crate::emit) fn argument(&self) -> TokenStream {
        let name = &self.name;
        quote!(, &self.#name)
    }

    /// `link: link.clone()`
    pub(in crate::emit) fn initializer(&self) -> TokenStream {
        let (name, value) = (&self.name, &self.value);
        quote!(#name: #value)
    }
}

impl WalkCode<'_> {
    /// The template whose instances each have this walk for themselves.
    pub(in crate::emit) fn template(&self, context: &Context<'_>) -> Option<TemplateId> {
        context.plan.template_of_walk(self.walk)
    }

    /// Whether a target stands for one of each instance.
    pub(in crate::emit) fn is_each(&self, context: &Context<'_>, target: Target) -> bool {
        self.template(context).is_none() && context.plan.template_of_target(target).is_some()
    }

    /// What the walk needs of templates: the parameters of its own instance, or the instances of its forks.
    pub(in crate::emit) fn given(&self, context: &Context<'_>) -> Vec<Given> {
        if let Some(id) = self.template(context) {
            let own = self.reads.template.map(|_| own_row(context, id));
            return own.into_iter().collect();
        }
        let mut given: Vec<Given> = Vec::new();
        self.step.for_each_fork(&mut |fork| {
            let one = of_fork(context, fork);
            if given.iter().all(|known| known.name != one.name) {
                given.push(one);
            }
        });
        given
    }
}

fn own_row(context: &Context<'_>, id: TemplateId) -> Given {
    let names = context.template(id);
    let (name, ty) = (context.ident(&names.row), context.ident(&names.ty));
    Given {
        value: quote!(#name.clone()),
        ty: quote!(#ty),
        name,
    }
}

fn of_fork(context: &Context<'_>, fork: &ForkStep) -> Given {
    let names = context.template(fork.template);
    let (all, ty) = (context.ident(&names.all), context.ident(&names.ty));
    let Some(key) = &fork.key else {
        return Given {
            value: quote!(#all.clone()),
            ty: quote!(Instances<#ty>),
            name: all,
        };
    };
    let row = context.ident(&names.row);
    let field = names.field(key.parameter);
    let (value, ty) = if is_int(context, key.parameter) {
        (
            quote!(#all.by_int(|#row| #row.#field)),
            quote!(InstancesByInt<#ty>),
        )
    } else {
        (
            quote!(#all.by_text(|#row| &#row.#field)),
            quote!(InstancesByText<#ty>),
        )
    };
    Given {
        name: names.index(key.parameter),
        ty,
        value,
    }
}

fn is_int(context: &Context<'_>, parameter: ParameterId) -> bool {
    let known = context.plan.parameter(parameter);
    known.is_some_and(|(_, parameter)| parameter.ty == ConfigType::Int)
}

impl Body<'_, '_> {
    /// The loop over the instances of a fork, at the place where the first decision is made.
    pub(super) fn fork(&mut self, fork: &ForkStep, place: Place, last: bool) -> TokenStream {
        if self.opening(fork) > self.level(place) {
            return self.descend(vec![Step::Fork(fork.clone())], place, last);
        }
        let given = of_fork(self.context, fork);
        let (instances, row) = (
            given.name,
            self.context
                .ident(&self.context.template(fork.template).row),
        );
        let (over, kind) = match &fork.key {
            Some(key) => {
                let found = self
                    .found(&instances, key)
                    .map(|variable| quote!(#variable));
                let found = found.unwrap_or_else(|| self.look_up_instances(&instances, key));
                (found, ForkLoop::Found)
            }
            None => (quote!(#instances.all()), ForkLoop::All),
        };
        let (subjects, edited) = (self.subjects.len(), self.edited.len());
        self.fork = Some(kind);
        // What reads a parameter can stand in front of no loop outside of this one.
        let inner = self.once.inside_fork();
        let outer = std::mem::replace(&mut self.once, inner);
        let body = self.block(&fork.body, place, true);
        let inner = std::mem::replace(&mut self.once, outer);
        self.once.behind_fork(&inner);
        self.fork = None;
        self.subjects.truncate(subjects);
        self.edited.truncate(edited);
        let row = if mentions(&body, &row) {
            quote!(#row)
        } else {
            quote!(_)
        };
        quote!(for (instance, #row) in #over { #body })
    }

    /// `link_by_tenant.find(resource.tenant)`
    fn look_up_instances(&self, instances: &Ident, key: &Key) -> TokenStream {
        let value = self.expressions().value(&key.value).tokens;
        quote!(#instances.find(#value))
    }

    /// The variable that holds what a look-up found.
    fn found(&self, instances: &Ident, key: &Key) -> Option<&Ident> {
        let mut known = self.found.iter();
        known
            .find(|known| known.instances == *instances && known.key == key.value)
            .map(|known| &known.variable)
    }

    /// `let … = link_by_tenant.find(…);` for each fork below whose key is known here: it is looked up once, and not in
    /// each pass of the loop that follows.
    pub(super) fn hoist_look_ups(&mut self, steps: &[Step], place: Place) -> TokenStream {
        self.hoist_wanted(self.look_ups(steps, place))
    }

    /// The same for look-ups that several branches make.
    pub(super) fn hoist_shared_look_ups(&mut self, steps: &[Step], place: Place) -> TokenStream {
        let all = self.look_ups(steps, place);
        let times = |(instances, key): &(Ident, &Key)| {
            let same = all
                .iter()
                .filter(|(other, other_key)| other == instances && other_key.value == key.value);
            same.count()
        };
        let shared = all.iter().filter(|one| times(one) > 1).cloned().collect();
        self.hoist_wanted(shared)
    }

    /// The look-ups below that can be made here.
    fn look_ups<'s>(&self, steps: &'s [Step], place: Place) -> Vec<(Ident, &'s Key)> {
        let mut wanted = Vec::new();
        for step in steps {
            step.for_each_fork(&mut |fork| {
                if let Some(key) = &fork.key
                    && key.value.level <= self.level(place)
                {
                    wanted.push((of_fork(self.context, fork).name, key));
                }
            });
        }
        wanted
    }

    fn hoist_wanted(&mut self, wanted: Vec<(Ident, &Key)>) -> TokenStream {
        let mut statements = TokenStream::new();
        for (instances, key) in wanted {
            if self.found(&instances, key).is_some() {
                continue;
            }
            let look_up = self.look_up_instances(&instances, key);
            let variable = format_ident!("found_{}", self.found.len() + 1);
            statements.extend(quote!(let #variable = #look_up;));
            self.found.push(KnownInstances {
                instances,
                key: key.value.clone(),
                variable,
            });
        }
        statements
    }

    /// The variable that is empty when the look-up of a fork found nothing, where it was made already.
    pub(super) fn found_nothing(&self, step: &Step) -> Option<Ident> {
        let Step::Fork(fork) = step else { return None };
        let key = fork.key.as_ref()?;
        let instances = of_fork(self.context, fork).name;
        self.found(&instances, key).cloned()
    }

    /// The level at which something about an instance can be decided: that of its look-up, else of the first test of
    /// the data.
    fn opening(&self, fork: &ForkStep) -> Level {
        if let Some(key) = &fork.key {
            return key.value.level;
        }
        let mut first: Option<Level> = None;
        fork.body.for_each_test(&mut |test| {
            let level = test.condition.level;
            if level <= Level::Instance {
                return;
            }
            first = Some(first.map_or(level, |known| known.min(level)));
        });
        first.unwrap_or(Level::Const)
    }

    /// Whether the selection of an output is known: that of an instance is in the loop over the instances.
    pub(super) const fn has_selection(&self, output: &Output) -> bool {
        !output.forked || self.fork.is_some()
    }

    /// Whether the subject of an output may be made before a loop. Of instances only where a look-up found them:
    /// making it opens a selection, and an event must not cost what it does not reach.
    pub(super) fn may_make_subject(&self, output: &Output) -> bool {
        !output.forked || self.fork == Some(ForkLoop::Found)
    }
}

fn mentions(tokens: &TokenStream, word: &Ident) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        proc_macro2::TokenTree::Ident(ident) => ident == *word,
        proc_macro2::TokenTree::Group(group) => mentions(&group.stream(), word),
        proc_macro2::TokenTree::Punct(_) | proc_macro2::TokenTree::Literal(_) => false,
    })
}
