//! The outputs of a walk: one selection for each target, and a second one for a target that a record can come
//! to twice (`split { p => a, q => a }` delivers what passes both to `a` twice). How a record itself changes is said where it
//! is kept, so records with and without changes stand in one output, in their order. What comes to a target with other changes
//! of what surrounds it has an output of its own: it leaves with another resource, scope or metric. Records that are refused or
//! counted have outputs too.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::context::Context;
use super::names::Names;
use crate::hir::{Literal, StepId, TemplateId};
use crate::level::Level;
use crate::plan::instances::Key;
use crate::plan::{Edit, EditKind, Guard, Plan, Refusal, Target, Test, Tree, Value};

/// Where a leaf of a walk keeps records.
#[derive(Clone, Debug)]
pub(super) struct Output {
    /// The name of the selection.
    pub(super) name: String,
    /// What it is for.
    pub(super) goal: Goal,
    /// The level of its subject; `None` when the target has no subjects.
    pub(super) subject: Option<Level>,
    /// Whether records come to it through the instances of a template: it has a selection for each.
    pub(super) forked: bool,
    /// How what surrounds the records in it changes, each path once, and what its subject is then.
    pub(super) edits: Vec<Edit>,
}

/// A record is kept in an output.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Keep {
    /// The output, by position.
    pub(super) output: usize,
    /// How the record itself changes: each path once.
    pub(super) edits: Vec<Edit>,
}

/// What an output is for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Goal {
    /// Its parts are delivered.
    Deliver(Target),
    /// Its records are refused.
    Refuse(Refusal),
    /// Its records are counted for a quota.
    Count(StepId),
}

impl Output {
    /// Whose parts it makes.
    pub(super) const fn target(&self) -> Option<Target> {
        match self.goal {
            Goal::Deliver(target) => Some(target),
            Goal::Refuse(_) | Goal::Count(_) => None,
        }
    }

    /// The subject that it has because of a change; `None` where it is that of its target.
    pub(super) fn changed_subject(&self) -> Option<&Value> {
        self.edits.iter().find_map(|edit| match &edit.kind {
            EditKind::Subject(value) => Some(value),
            EditKind::Set { .. } | EditKind::Remove { .. } => None,
        })
    }

    /// The subject that its records are kept under.
    pub(super) fn subject_of<'o>(&'o self, plan: &'o Plan) -> Option<&'o Value> {
        let of_target = || self.target().and_then(|target| plan.subject(target));
        self.changed_subject().or_else(of_target)
    }

    /// The level at which something can be kept in it: where its subject is known and what changes is read.
    pub(super) fn level(&self) -> Level {
        let edits = self.edits.iter().filter_map(level_of);
        edits.chain(self.subject).max().unwrap_or(Level::Const)
    }
}

impl Keep {
    /// The level at which what changes is read.
    pub(super) fn level(&self) -> Level {
        let edits = self.edits.iter().filter_map(level_of);
        edits.max().unwrap_or(Level::Const)
    }
}

/// The level of what is changed; `None` for a subject.
fn level_of(edit: &Edit) -> Option<Level> {
    edit.path().map(|path| path.field().level())
}

/// A decision tree whose leaves are outputs, with every `split` as a fan-out of filters.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Step {
    /// It is dropped.
    Nothing,
    /// It is kept in an output.
    Keep(Keep),
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
#[derive(Clone, Debug, PartialEq)]
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
        leaves: Vec::new(),
        forked: false,
    };
    let mut taken = Taken::new();
    let step = outputs.step(tree, &[], &mut taken);
    (outputs.list, step)
}

struct Outputs<'c, 'p> {
    context: &'c Context<'p>,
    names: Names,
    list: Vec<Output>,
    /// The outputs of each leaf, by position, in the order in which they were made.
    leaves: Vec<(Leaf, Vec<usize>)>,
    /// Whether the tree stands in a fork.
    forked: bool,
}

/// What tells outputs apart.
#[derive(Clone, Debug, PartialEq)]
struct Leaf {
    goal: Goal,
    edits: Vec<Edit>,
    /// Whether it is come to through the instances of a template.
    forked: bool,
}

/// How many outputs of each leaf, by position, a record may have been kept in: always the first ones.
type Taken = IndexMap<usize, usize>;

impl Outputs<'_, '_> {
    /// `edits` are the changes in front of the tree. `taken` are the outputs that a record may have been kept in
    /// before it comes here; those that it may have been kept in afterwards are added.
    fn step(&mut self, tree: &Tree, edits: &[Edit], taken: &mut Taken) -> Step {
        match tree {
            Tree::Nothing => Step::Nothing,
            Tree::Keep(target) => self.keep(Goal::Deliver(*target), edits, taken),
            Tree::Refuse(refusal) => self.keep(Goal::Refuse(refusal.clone()), &[], taken),
            Tree::Edit { edit, then } => self.step(then, &with(edits, edit), taken),
            Tree::Limit { limit, then } => Step::FanOut(vec![
                self.keep(Goal::Count(limit.id), &[], taken),
                self.step(then, edits, taken),
            ]),
            Tree::Filter { guard, then } => filter(guard, self.step(then, edits, taken)),
            Tree::FanOut(branches) => Step::FanOut(
                branches
                    .iter()
                    .map(|branch| self.step(branch, edits, taken))
                    .collect(),
            ),
            Tree::Split(arms) => Step::FanOut(
                arms.iter()
                    .map(|arm| filter(&arm.guard, self.step(&arm.then, edits, taken)))
                    .collect(),
            ),
            Tree::Route { arms, otherwise } => {
                let thens = arms.iter().map(|arm| &arm.then).chain([otherwise.as_ref()]);
                let (steps, otherwise) = self.one_of(thens, edits, taken);
                let tests = arms.iter().map(|arm| arm.guard.tests.clone());
                Step::Route(tests.zip(steps).collect(), otherwise)
            }
            Tree::Switch {
                on,
                cases,
                otherwise,
            } => {
                let thens = cases.iter().map(|case| &case.then);
                let (steps, otherwise) =
                    self.one_of(thens.chain([otherwise.as_ref()]), edits, taken);
                let keys = cases.iter().map(|case| case.keys.clone());
                Step::Switch {
                    on: on.clone(),
                    cases: keys.zip(steps).collect(),
                    otherwise,
                }
            }
            Tree::Fork(fork) => {
                self.forked = true;
                let body = self.step(&fork.body, edits, taken);
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
        edits: &[Edit],
        taken: &mut Taken,
    ) -> (Vec<Step>, Box<Step>) {
        let before = taken.clone();
        let mut steps = Vec::new();
        for tree in trees {
            let mut of_branch = before.clone();
            steps.push(self.step(tree, edits, &mut of_branch));
            for (leaf, count) in of_branch {
                let known = taken.entry(leaf).or_default();
                *known = count.max(*known);
            }
        }
        let otherwise = steps.pop().unwrap_or(Step::Nothing);
        (steps, Box::new(otherwise))
    }

    fn keep(&mut self, goal: Goal, edits: &[Edit], taken: &mut Taken) -> Step {
        let (of_record, around): (Vec<_>, Vec<_>) = edits
            .iter()
            .cloned()
            .partition(|edit| level_of(edit) == Some(Level::Record));
        let leaf = Leaf {
            goal,
            edits: around,
            forked: self.forked,
        };
        let known = self.leaves.iter().position(|(known, _)| *known == leaf);
        let position = known.unwrap_or_else(|| {
            self.leaves.push((leaf.clone(), Vec::new()));
            self.leaves.len() - 1
        });
        let taken = taken.entry(position).or_default();
        let output = self.output(position, leaf, *taken);
        *taken += 1;
        Step::Keep(Keep {
            output,
            edits: of_record,
        })
    }

    /// The output of a leaf behind so many others that a record may be in.
    fn output(&mut self, position: usize, leaf: Leaf, taken: usize) -> usize {
        let known = self.leaves.get(position).map(|(_, known)| known);
        if let Some(output) = known.and_then(|known| known.get(taken)) {
            return *output;
        }
        let wanted = match &leaf.goal {
            Goal::Deliver(target) => self.context.target_name(*target),
            Goal::Refuse(_) => "refused",
            Goal::Count(limit) => self.context.limit_name(*limit),
        };
        let mut output = Output {
            name: self.names.give(wanted),
            goal: leaf.goal,
            subject: None,
            forked: leaf.forked,
            edits: leaf.edits,
        };
        output.subject = output
            .subject_of(self.context.plan)
            .map(|subject| subject.level);
        self.list.push(output);
        let last = self.list.len() - 1;
        if let Some((_, known)) = self.leaves.get_mut(position) {
            known.push(last);
        }
        last
    }
}

/// The changes with one more behind them: of what is changed twice, the last change counts.
fn with(edits: &[Edit], edit: &Edit) -> Vec<Edit> {
    let changes_same = |known: &&Edit| edit.path().is_none() || known.path() != edit.path();
    let mut with: Vec<Edit> = edits.iter().filter(changes_same).cloned().collect();
    with.push(edit.clone());
    with
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
    /// The steps directly below.
    fn children(&self) -> Vec<&Self> {
        match self {
            Self::Nothing | Self::Keep(_) => Vec::new(),
            Self::Filter(_, then) => vec![then],
            Self::FanOut(branches) => branches.iter().collect(),
            Self::Route(arms, otherwise) => {
                let thens = arms.iter().map(|(_, then)| then);
                thens.chain([otherwise.as_ref()]).collect()
            }
            Self::Switch {
                cases, otherwise, ..
            } => {
                let thens = cases.iter().map(|(_, then)| then);
                thens.chain([otherwise.as_ref()]).collect()
            }
            Self::Fork(fork) => vec![&fork.body],
        }
    }

    /// Applies `visit` to every step, each before those below it.
    fn for_each<'s>(&'s self, visit: &mut impl FnMut(&'s Self)) {
        visit(self);
        for child in self.children() {
            child.for_each(visit);
        }
    }

    /// Applies `visit` to every test.
    pub(super) fn for_each_test<'s>(&'s self, visit: &mut impl FnMut(&'s Test)) {
        self.for_each(&mut |step| match step {
            Self::Filter(tests, _) => tests.iter().for_each(&mut *visit),
            Self::Route(arms, _) => arms
                .iter()
                .flat_map(|(tests, _)| tests)
                .for_each(&mut *visit),
            _ => {}
        });
    }

    /// Applies `visit` to every fork.
    pub(super) fn for_each_fork<'s>(&'s self, visit: &mut impl FnMut(&'s ForkStep)) {
        self.for_each(&mut |step| {
            if let Self::Fork(fork) = step {
                visit(fork);
            }
        });
    }

    /// Applies `visit` to the value and the cases of every switch.
    pub(super) fn for_each_switch<'s>(
        &'s self,
        visit: &mut impl FnMut(&'s Value, &'s [(Vec<Literal>, Step)]),
    ) {
        self.for_each(&mut |step| {
            if let Self::Switch { on, cases, .. } = step {
                visit(on, cases);
            }
        });
    }

    /// Applies `visit` to every leaf that keeps records.
    pub(super) fn for_each_keep<'s>(&'s self, visit: &mut impl FnMut(&'s Keep)) {
        self.for_each(&mut |step| {
            if let Self::Keep(keep) = step {
                visit(keep);
            }
        });
    }

    /// How many of its leaves keep records in each output.
    pub(super) fn leaves(&self) -> BTreeMap<usize, usize> {
        let mut leaves = BTreeMap::new();
        self.for_each_keep(&mut |keep| *leaves.entry(keep.output).or_default() += 1);
        leaves
    }

    /// The outputs of its leaves, each once.
    pub(super) fn outputs(&self) -> Vec<usize> {
        self.leaves().into_keys().collect()
    }
}
