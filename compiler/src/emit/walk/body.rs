//! The body of a select function: statements that stand as far out as what they read allows.
//!
//! In: the steps of a walk. Out: nested loops over resources, scopes and records, with each test at its own level.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::WalkCode;
use super::instances::{ForkLoop, KnownInstances};
use super::place::Place;
use crate::catalog::signals::{Root, Signal, Signals};
use crate::emit::code::Bool;
use crate::emit::condition::{Expressions, Variables};
use crate::emit::context::Context;
use crate::emit::once::OnceParts;
use crate::emit::outputs::{Output, Step};
use crate::emit::statements::{add_words, lone_if};
use crate::emit::subject;
use crate::level::Level;
use crate::plan::reads::Reads;
use crate::plan::{Target, Test, Value};

/// A look-up of a switch that was made before a loop.
pub(super) struct KnownCase {
    /// The table.
    pub(super) table: Ident,
    /// The value that was looked up.
    pub(super) on: Value,
    /// The variable that holds the case.
    pub(super) variable: Ident,
}

/// A function body on its way.
pub(super) struct Body<'b, 'p> {
    pub(super) context: &'b Context<'p>,
    pub(super) code: &'b WalkCode<'b>,
    /// Look-ups that were made before the loop.
    pub(super) cases: Vec<KnownCase>,
    /// Parts of tests that stand before a loop.
    pub(super) once: OnceParts,
    /// Outputs whose subject handle is known here.
    pub(super) subjects: Vec<usize>,
    /// Outputs whose changes of the resource, scope or metric are made here, with the place where they are.
    pub(super) edited: Vec<(usize, Place)>,
    /// Instances that were looked up before the loop.
    pub(super) found: Vec<KnownInstances>,
    /// How the fork around goes over its instances.
    pub(super) fork: Option<ForkLoop>,
    /// The lists of outputs that switches choose from, as statements of the function.
    pub(super) chosen: Vec<TokenStream>,
}

impl<'b, 'p> Body<'b, 'p> {
    /// The statements of a whole function.
    pub(super) fn of_walk(context: &'b Context<'p>, code: &'b WalkCode<'b>) -> TokenStream {
        let mut body = Self {
            context,
            code,
            cases: Vec::new(),
            once: OnceParts::default(),
            subjects: Vec::new(),
            edited: Vec::new(),
            found: Vec::new(),
            fork: None,
            chosen: Vec::new(),
        };
        let statements = body.block(&code.step, Place::Request, true);
        let lists = &body.chosen;
        quote!(#(#lists)* #statements)
    }

    /// The statements that decide `step`. `last` says that nothing follows them in the loop's body, so that
    /// `continue` may leave it.
    pub(super) fn block(&mut self, step: &Step, place: Place, last: bool) -> TokenStream {
        match step {
            Step::Nothing => TokenStream::new(),
            Step::Keep(_) if self.code.depth(step) > self.level(place) => {
                self.descend(vec![step.clone()], place, last)
            }
            Step::Keep(keep) => self.keep(keep, place),
            Step::Filter(tests, then) => self.filter(tests, then, place, last),
            Step::Route(arms, otherwise) => self.route(arms, otherwise, place, last),
            Step::FanOut(branches) => self.fan_out(branches, place, last),
            Step::Fork(fork) => self.fork(fork, place, last),
            Step::Switch {
                on,
                cases,
                otherwise,
            } => self.switch(on, cases, otherwise, place, last),
        }
    }

    /// `let team0_subject = out.team0.subject(…);`
    pub(super) fn subject(&self, output: &Output) -> TokenStream {
        let (variable, selection) = (subject_variable(output), self.selection(output));
        if let Some(changed) = output.changed_subject() {
            let written = subject::write(&self.expressions(), changed);
            return quote!(let #variable = #selection.subject(|subject| { #written }););
        }
        let Some(Target::Sink(sink)) = output.target() else {
            return TokenStream::new();
        };
        let function = self.context.subject_function(sink);
        let reads = self
            .context
            .plan
            .subject(Target::Sink(sink))
            .map(|value| Reads::of_value(self.context.plan, value));
        let arguments = self.expressions().arguments(&reads.unwrap_or_default());
        if arguments.is_empty() {
            return quote!(let #variable = #selection.subject(#function););
        }
        quote!(let #variable = #selection.subject(|subject| #function(subject, #(#arguments),*));)
    }

    /// The selection of an output, as an expression.
    pub(super) fn selection(&self, output: &Output) -> TokenStream {
        let name = self.context.ident(&output.name);
        let selection = if self.code.outputs.len() == 1 {
            quote!(#name)
        } else {
            quote!(out.#name)
        };
        if output.forked {
            quote!(#selection.at(instance))
        } else {
            selection
        }
    }

    fn filter(&mut self, tests: &[Test], then: &Step, place: Place, last: bool) -> TokenStream {
        let (now, later): (Vec<_>, Vec<_>) = tests
            .iter()
            .cloned()
            .partition(|test| self.is_known(test, place));
        let rest = if later.is_empty() {
            then.clone()
        } else {
            Step::Filter(later, Box::new(then.clone()))
        };
        if now.is_empty() {
            return self.descend(vec![rest], place, last);
        }
        let holds = self.all(&now);
        let decided = self.code.depth(&rest) <= self.level(place);
        if decided || !last {
            let inside = self.block(&rest, place, false);
            // One `if` in the other and nothing else is one `if`.
            if let Some((condition, body)) = lone_if(&inside) {
                let both = Bool::all(vec![holds, Bool::atom(quote!((#condition)))]).tokens;
                return quote!(if #both #body);
            }
            let holds = holds.tokens;
            return quote!(if #holds { #inside });
        }
        let fails = holds.not().tokens;
        let leave = self.leave(place, true);
        let after = self.block(&rest, place, last);
        quote!(if #fails { #leave } #after)
    }

    /// Branches that are decided here come first; the others share one loop.
    pub(super) fn fan_out(&mut self, branches: &[Step], place: Place, last: bool) -> TokenStream {
        let (decided, open): (Vec<_>, Vec<_>) = branches
            .iter()
            .cloned()
            .partition(|branch| self.code.depth(branch) <= self.level(place));
        let found = self.found.len();
        let mut statements = self.hoist_shared_look_ups(branches, place);
        for branch in &decided {
            statements.extend(self.block(branch, place, false));
        }
        statements.extend(match open.as_slice() {
            [] => TokenStream::new(),
            [only] => self.block(only, place, last),
            _ => self.descend(open, place, last),
        });
        self.found.truncate(found);
        statements
    }

    /// A loop one level deeper that decides `steps`, behind what can be computed before it.
    pub(super) fn descend(&mut self, steps: Vec<Step>, place: Place, last: bool) -> TokenStream {
        let (cases, subjects) = (self.cases.len(), self.subjects.len());
        let (edited, found) = (self.edited.len(), self.found.len());
        let looked_up = self.hoist_cases(&steps, place);
        let found_first = self.hoist_look_ups(&steps, place);
        let outputs = steps.iter().flat_map(Step::outputs);
        let made = self.make_subjects(outputs, place);
        let outputs = steps.iter().flat_map(Step::outputs);
        let edits = self.make_edits(outputs, place);
        let inner = self.deeper(&steps, place);
        let read = self.read(&steps, inner);
        let branches = self.many_branches(&steps, place, inner);
        let outside = self.once.enter(self.level(place));
        let body = match (&branches, steps.as_slice()) {
            (Some(branches), _) => self.inside_branches(branches, inner),
            (None, [only]) => self.block(only, inner, true),
            (None, _) => self.fan_out(&steps, inner, true),
        };
        let closed = match &branches {
            Some(branches) if last && branches.others.is_empty() => {
                Some(quote!(open_branches.is_empty()))
            }
            None if last && !is_lone_fork(&steps) => self.no_branch_is_open(&steps, place),
            _ => None,
        };
        let open = branches.map(|branches| self.list_branches(branches, outside));
        let uses = [Some(&body), closed.as_ref(), open.as_ref()];
        let tests = self.tests_before(outside, uses.into_iter().flatten());
        let leave = closed.map(|closed| {
            let leave = self.leave(place, true);
            quote!(if #closed { #leave })
        });
        let (item, items) = (self.handle(inner), self.items(place, inner));
        self.cases.truncate(cases);
        self.found.truncate(found);
        self.subjects.truncate(subjects);
        self.edited.truncate(edited);
        quote!(#tests #open #found_first #leave #looked_up #made #edits for #item in #items { #read #body })
    }

    /// `let … = …;` for each test of the loop that was just emitted, unless an outer loop can make it. What was asked for and
    /// then left out, beside something that decides, stands in none of the `uses`.
    fn tests_before<'u>(
        &self,
        outside: Option<Level>,
        uses: impl Iterator<Item = &'u TokenStream>,
    ) -> TokenStream {
        let mut statements = TokenStream::new();
        let mut used = BTreeSet::new();
        for tokens in uses {
            add_words(tokens, &mut used);
        }
        for part in self.once.leave(outside) {
            let variable = part.variable;
            if !used.contains(&variable.to_string()) {
                continue;
            }
            let holds = self.expressions().condition(&part.condition, part.polarity);
            let holds = holds.tokens;
            statements.extend(quote!(let #variable = #holds;));
        }
        statements
    }

    /// The subject handles of outputs as far as they can be made here and are not made yet.
    pub(super) fn make_subjects(
        &mut self,
        outputs: impl Iterator<Item = usize>,
        place: Place,
    ) -> TokenStream {
        let mut statements = TokenStream::new();
        for output in outputs {
            let Some(known) = self.code.outputs.get(output) else {
                continue;
            };
            if !self.may_make_subject(known) {
                continue;
            }
            let ready = known
                .subject
                .is_some_and(|level| level <= self.level(place));
            if ready && !self.subjects.contains(&output) {
                statements.extend(self.subject(known));
                self.subjects.push(output);
            }
        }
        statements
    }

    /// `continue;`, or `return;` outside of every loop.
    pub(super) fn leave(&self, place: Place, decided: bool) -> TokenStream {
        let what = match place {
            // The body of a loop over instances is left as that of any other loop.
            Place::Request if self.fork.is_some() => "",
            Place::Request => return quote!(return;),
            Place::Resource => "decided by the resource: no record is read",
            Place::Scope => "decided by the scope: no record is read",
            Place::Record if self.code.walk.signals.contains(Signal::Metrics) => {
                "decided by the metric: no point is read"
            }
            Place::Record | Place::Point => "",
        };
        if decided && !what.is_empty() {
            let comment = self.context.comment(what);
            quote!(#comment continue;)
        } else {
            quote!(continue;)
        }
    }

    /// All tests as one boolean.
    pub(super) fn all(&self, tests: &[Test]) -> Bool {
        let expressions = self.expressions();
        Bool::all(tests.iter().map(|test| expressions.test(test)).collect())
    }

    pub(super) fn is_known(&self, test: &Test, place: Place) -> bool {
        test.condition.level <= self.level(place)
    }

    pub(super) fn expressions(&self) -> Expressions<'_, '_> {
        Expressions {
            context: self.context,
            variables: Variables::Owned,
            once: Some(&self.once),
        }
    }

    pub(super) const fn context(&self) -> &'b Context<'p> {
        self.context
    }

    /// The deepest level that can be read at a place.
    pub(super) fn level(&self, place: Place) -> Level {
        match place {
            Place::Request => Level::Payload,
            Place::Resource => Level::Resource,
            Place::Scope => Level::Scope,
            Place::Record if self.code.walk.signals.contains(Signal::Metrics) => Level::Metric,
            Place::Record | Place::Point => Level::Record,
        }
    }

    /// The place one loop deeper: scopes are passed over where nothing reads them.
    fn deeper(&self, steps: &[Step], place: Place) -> Place {
        match place {
            Place::Request => Place::Resource,
            Place::Resource if self.code.reads_root(self.context, steps, Root::Scope) => {
                Place::Scope
            }
            Place::Resource | Place::Scope => Place::Record,
            Place::Record | Place::Point => Place::Point,
        }
    }

    /// The handle that a loop gives.
    pub(super) fn handle(&self, place: Place) -> Ident {
        let signals = self.code.walk.signals;
        format_ident!(
            "{}",
            match place {
                Place::Request => "request",
                Place::Resource if signals == Signals::only(Signal::Logs) => "logs",
                Place::Resource if signals == Signals::only(Signal::Metrics) => "metrics",
                Place::Resource if signals == Signals::only(Signal::Traces) => "spans",
                Place::Resource => "group",
                Place::Scope => "scoped",
                Place::Record => "record",
                Place::Point => "point",
            }
        )
    }

    /// What a loop goes over.
    fn items(&self, place: Place, inner: Place) -> TokenStream {
        let handle = self.handle(place);
        let method = match inner {
            Place::Request | Place::Resource => "resources",
            Place::Scope => "scopes",
            Place::Record => "records",
            Place::Point => "data_points",
        };
        let method = format_ident!("{method}");
        quote!(#handle.#method())
    }

    /// Reads what `steps` need of what a loop has come to.
    fn read(&self, steps: &[Step], place: Place) -> TokenStream {
        let handle = self.handle(place);
        let signals = self.code.walk.signals;
        let (root, view) = match place {
            Place::Request => return TokenStream::new(),
            Place::Resource => (Root::Resource, quote!(#handle.resource())),
            Place::Scope => (Root::Scope, quote!(#handle.scope())),
            Place::Record if signals.contains(Signal::Metrics) => {
                (Root::Metric, quote!(#handle.metric()))
            }
            Place::Record if signals.contains(Signal::Traces) => {
                (Root::Span, quote!(#handle.span()))
            }
            Place::Record => (Root::Log, quote!(#handle.log())),
            Place::Point => (Root::DataPoint, quote!(#handle.point())),
        };
        if !self.code.reads_root(self.context, steps, root) {
            return TokenStream::new();
        }
        let Some(fields) = self.context.structs.of_walk(self.code.position, root) else {
            return TokenStream::new();
        };
        let (variable, fields) = (
            self.context.ident(root.name()),
            format_ident!("{}", fields.name),
        );
        quote!(let #variable = #fields::read(#view);)
    }
}

/// A fork alone is looked up where it stands.
const fn is_lone_fork(steps: &[Step]) -> bool {
    matches!(steps, [Step::Fork(_)])
}

/// The variable that holds the subject handle of an output.
pub(super) fn subject_variable(output: &Output) -> Ident {
    format_ident!("{}_subject", output.name)
}
