//! The outputs of a walk: one selection for each target, and a second one for a target that a record can come
//! to twice (`split { p => a, q => a }` delivers what passes both to `a` twice).

use indexmap::IndexMap;

use super::context::Context;
use super::names::Names;
use crate::hir::{Literal, TemplateId};
use crate::level::Level;
use crate::plan::instances::Key;
use crate::plan::{Guard, Plan, Target, Test, Tree, Value};

/// Where a leaf of a walk keeps records.
#[derive(Clone, Debug)]
pub(super) struct Output {
    /// The name of the selection.
    pub(super) name: String,
    /// Whose parts it makes.
    pub(super) target: Target,
    /// The level of its subject; `None` when the target has no subjects.
    pub(super) subject: Option<Level>,
    /// Whether records come to it through the instances of a template: it has a selection for each.
    pub(super) forked: bool,
}

/// A decision tree whose leaves are outputs, with every `split` as a fan-out of filters.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// It is dropped.
    Nothing,
    /// It is kept in an output, by position.
    Keep(usize),
    /// It goes on when all tests pass.
    Filter(Vec<Test>, Box<Step>),
    /// It takes every branch.
    FanOut(Vec<Step>),
    /// It takes the first arm whose tests all pass, else the last step.
    Route(Vec<(Vec<Test>, Step)>, Box<Step>),
    /// It takes the case that one value says, else the last step.
    Switch {
        /// The value.
        on: Value,
        /// The keys of each case and what happens then.
        cases: Vec<(Vec<Literal>, Step)>,
        /// What happens in all other cases.
        otherwise: Box<Step>,
    },
    /// It goes to instances of a template.
    Fork(ForkStep),
}

/// A fork over the steps of its body.
#[derive(Clone, Debug)]
pub(super) struct ForkStep {
    pub(super) template: TemplateId,
    /// The value that finds the instances.
    pub(super) key: Option<Key>,
    pub(super) body: Box<Step>,
}

/// The outputs of a tree and the tree over them.
pub(super) fn plan_outputs(context: &Context<'_>, tree: &Tree) -> (Vec<Output>, Step) {
    let mut outputs = Outputs {
        context,
        names: Names::fresh(),
        list: Vec::new(),
        by_target: IndexMap::new(),
        forked: false,
    };
    let mut taken = Taken::new();
    let step = outputs.step(tree, &mut taken);
    (outputs.list, step)
}

struct Outputs<'c, 'p> {
    context: &'c Context<'p>,
    names: Names,
    list: Vec<Output>,
    /// The outputs of each target, by position, in the order in which they were made.
    by_target: IndexMap<Leaf, Vec<usize>>,
    /// Whether the tree stands in a fork.
    forked: bool,
}

/// A target, and whether it is come to through a fork.
type Leaf = (Target, bool);

/// How many outputs of each target a record may have been kept in: always the first ones.
type Taken = IndexMap<Leaf, usize>;

impl Outputs<'_, '_> {
    /// `taken` are the outputs that a record may have been kept in before it comes here; those that it may have
    /// been kept in afterwards are added.
    fn step(&mut self, tree: &Tree, taken: &mut Taken) -> Step {
        match tree {
            Tree::Nothing => Step::Nothing,
            Tree::Keep(target) => {
                let taken = taken.entry((*target, self.forked)).or_default();
                let output = self.output(*target, *taken);
                *taken += 1;
                Step::Keep(output)
            }
            Tree::Filter { guard, then } => filter(guard, self.step(then, taken)),
            Tree::FanOut(branches) => Step::FanOut(
                branches
                    .iter()
                    .map(|branch| self.step(branch, taken))
                    .collect(),
            ),
            Tree::Split(arms) => Step::FanOut(
                arms.iter()
                    .map(|arm| filter(&arm.guard, self.step(&arm.then, taken)))
                    .collect(),
            ),
            Tree::Route { arms, otherwise } => {
                let thens = arms.iter().map(|arm| &arm.then).chain([otherwise.as_ref()]);
                let (steps, otherwise) = self.one_of(thens, taken);
                let tests = arms.iter().map(|arm| arm.guard.tests.clone());
                Step::Route(tests.zip(steps).collect(), otherwise)
            }
            Tree::Switch {
                on,
                cases,
                otherwise,
            } => {
                let thens = cases.iter().map(|case| &case.then);
                let (steps, otherwise) = self.one_of(thens.chain([otherwise.as_ref()]), taken);
                let keys = cases.iter().map(|case| case.keys.clone());
                Step::Switch {
                    on: on.clone(),
                    cases: keys.zip(steps).collect(),
                    otherwise,
                }
            }
            Tree::Fork(fork) => {
                self.forked = true;
                let body = self.step(&fork.body, taken);
                self.forked = false;
                Step::Fork(ForkStep {
                    template: fork.template,
                    key: fork.key.clone(),
                    body: Box::new(body),
                })
            }
        }
    }

    /// A record takes one of these, so all may use the same outputs. The last stands for all other records.
    fn one_of<'t>(
        &mut self,
        trees: impl Iterator<Item = &'t Tree>,
        taken: &mut Taken,
    ) -> (Vec<Step>, Box<Step>) {
        let before = taken.clone();
        let mut steps = Vec::new();
        for tree in trees {
            let mut of_branch = before.clone();
            steps.push(self.step(tree, &mut of_branch));
            for (target, count) in of_branch {
                let known = taken.entry(target).or_default();
                *known = count.max(*known);
            }
        }
        let otherwise = steps.pop().unwrap_or(Step::Nothing);
        (steps, Box::new(otherwise))
    }

    /// The output of a target behind so many others that a record may be in.
    fn output(&mut self, target: Target, taken: usize) -> usize {
        let leaf = (target, self.forked);
        let known = self.by_target.get(&leaf);
        if let Some(position) = known.and_then(|known| known.get(taken)) {
            return *position;
        }
        let plan: &Plan = self.context.plan;
        let name = self.names.give(self.context.target_name(target));
        let subject = plan.subject(target).map(|subject| subject.level);
        self.list.push(Output {
            name,
            target,
            subject,
            forked: self.forked,
        });
        let position = self.list.len() - 1;
        self.by_target.entry(leaf).or_default().push(position);
        position
    }
}

/// Filters one behind the other are one filter, the shallowest test first.
fn filter(guard: &Guard, then: Step) -> Step {
    let mut tests = guard.tests.clone();
    let then = match then {
        Step::Filter(more, then) => {
            tests.extend(more);
            *then
        }
        then => then,
    };
    tests.sort_by_key(|test| test.condition.level);
    if tests.is_empty() {
        then
    } else {
        Step::Filter(tests, Box::new(then))
    }
}

impl Step {
    /// Applies `visit` to every list of tests.
    pub(super) fn for_each_test<'s>(&'s self, visit: &mut impl FnMut(&'s Test)) {
        match self {
            Self::Nothing | Self::Keep(_) => {}
            Self::Filter(tests, then) => {
                tests.iter().for_each(&mut *visit);
                then.for_each_test(visit);
            }
            Self::FanOut(branches) => branches
                .iter()
                .for_each(|branch| branch.for_each_test(visit)),
            Self::Route(arms, otherwise) => {
                for (tests, then) in arms {
                    tests.iter().for_each(&mut *visit);
                    then.for_each_test(visit);
                }
                otherwise.for_each_test(visit);
            }
            Self::Fork(fork) => fork.body.for_each_test(visit),
            Self::Switch {
                cases, otherwise, ..
            } => {
                cases.iter().for_each(|(_, then)| then.for_each_test(visit));
                otherwise.for_each_test(visit);
            }
        }
    }

    /// The same outside of forks: what stands inside reads the parameters of an instance.
    pub(super) fn for_each_outer_test<'s>(&'s self, visit: &mut impl FnMut(&'s Test)) {
        match self {
            Self::Nothing | Self::Keep(_) | Self::Fork(_) => {}
            Self::FanOut(branches) => branches
                .iter()
                .for_each(|branch| branch.for_each_outer_test(visit)),
            Self::Filter(tests, then) => {
                tests.iter().for_each(&mut *visit);
                then.for_each_outer_test(visit);
            }
            Self::Route(arms, otherwise) => {
                for (tests, then) in arms {
                    tests.iter().for_each(&mut *visit);
                    then.for_each_outer_test(visit);
                }
                otherwise.for_each_outer_test(visit);
            }
            Self::Switch {
                cases, otherwise, ..
            } => {
                cases
                    .iter()
                    .for_each(|(_, then)| then.for_each_outer_test(visit));
                otherwise.for_each_outer_test(visit);
            }
        }
    }

    /// Applies `visit` to every fork.
    pub(super) fn for_each_fork<'s>(&'s self, visit: &mut impl FnMut(&'s ForkStep)) {
        match self {
            Self::Nothing | Self::Keep(_) => {}
            Self::Filter(_, then) => then.for_each_fork(visit),
            Self::FanOut(branches) => branches
                .iter()
                .for_each(|branch| branch.for_each_fork(visit)),
            Self::Route(arms, otherwise) => {
                arms.iter().for_each(|(_, then)| then.for_each_fork(visit));
                otherwise.for_each_fork(visit);
            }
            Self::Switch {
                cases, otherwise, ..
            } => {
                cases.iter().for_each(|(_, then)| then.for_each_fork(visit));
                otherwise.for_each_fork(visit);
            }
            Self::Fork(fork) => {
                visit(fork);
                fork.body.for_each_fork(visit);
            }
        }
    }

    /// Applies `visit` to the value and the cases of every switch.
    pub(super) fn for_each_switch<'s>(
        &'s self,
        visit: &mut impl FnMut(&'s Value, &'s [(Vec<Literal>, Step)]),
    ) {
        match self {
            Self::Nothing | Self::Keep(_) => {}
            Self::Filter(_, then) => then.for_each_switch(visit),
            Self::FanOut(branches) => branches
                .iter()
                .for_each(|branch| branch.for_each_switch(visit)),
            Self::Route(arms, otherwise) => {
                arms.iter()
                    .for_each(|(_, then)| then.for_each_switch(visit));
                otherwise.for_each_switch(visit);
            }
            Self::Fork(fork) => fork.body.for_each_switch(visit),
            Self::Switch {
                on,
                cases,
                otherwise,
            } => {
                visit(on, cases);
                cases
                    .iter()
                    .for_each(|(_, then)| then.for_each_switch(visit));
                otherwise.for_each_switch(visit);
            }
        }
    }

    /// The outputs of its leaves, each once.
    pub(super) fn outputs(&self) -> Vec<usize> {
        let mut found = match self {
            Self::Nothing => Vec::new(),
            Self::Keep(output) => vec![*output],
            Self::Filter(_, then) => then.outputs(),
            Self::FanOut(branches) => branches.iter().flat_map(Self::outputs).collect(),
            Self::Route(arms, otherwise) => arms
                .iter()
                .flat_map(|(_, then)| then.outputs())
                .chain(otherwise.outputs())
                .collect(),
            Self::Fork(fork) => fork.body.outputs(),
            Self::Switch {
                cases, otherwise, ..
            } => cases
                .iter()
                .flat_map(|(_, then)| then.outputs())
                .chain(otherwise.outputs())
                .collect(),
        };
        found.sort_unstable();
        found.dedup();
        found
    }
}
