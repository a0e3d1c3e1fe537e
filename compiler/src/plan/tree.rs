//! Decision trees: what a walk decides about a record.

use watershed_lang::span::Span;

use super::Target;
use super::edit::{Edit, Limit, Refusal};
use super::expr::{Condition, ConditionKind, Constant, Value};
use super::instances::Fork;
use crate::hir::Literal;
use crate::level::Level;

/// What happens to a record that comes here.
#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    /// It is dropped, and counts as accepted.
    Nothing,
    /// It goes to a target.
    Keep(Target),
    /// It goes on when the guard holds and is dropped otherwise.
    Filter {
        /// The guard.
        guard: Guard,
        /// What happens to what passes.
        then: Box<Tree>,
    },
    /// It takes every branch.
    FanOut(Vec<Tree>),
    /// It takes the first arm whose guard holds.
    Route {
        /// The arms, `else` left out.
        arms: Vec<Arm>,
        /// What happens to a record that no arm takes.
        otherwise: Box<Tree>,
    },
    /// It takes every arm whose guard holds.
    Split(Vec<Arm>),
    /// It goes to instances of a template.
    Fork(Fork),
    /// It is refused for good, and its sender is told why.
    Refuse(Refusal),
    /// It goes on with a change.
    Edit {
        /// The change.
        edit: Box<Edit>,
        /// What happens to it then.
        then: Box<Tree>,
    },
    /// It goes on when its event keeps to a quota; else nothing of the event is delivered.
    Limit {
        /// The quota.
        limit: Limit,
        /// What happens to what passes.
        then: Box<Tree>,
    },
    /// It takes the case that one value says, found by one look-up however many cases there are.
    Switch {
        /// The value, looked at once.
        on: Value,
        /// The cases; no key stands twice.
        cases: Vec<Case>,
        /// What happens when the value is none of the keys, is missing or has another type.
        otherwise: Box<Tree>,
    },
}

/// A case of a switch.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The values that lead here: texts, or whole numbers.
    pub keys: Vec<Literal>,
    /// What happens then.
    pub then: Tree,
}

/// An arm of a `route` or `split`.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// When it is taken.
    pub guard: Guard,
    /// What happens then.
    pub then: Tree,
}

/// Tests that must all hold, the cheapest first. Without a test it always holds. Guards with the same tests are equal,
/// wherever they stand.
#[derive(Clone, Debug)]
pub struct Guard {
    /// The tests.
    pub tests: Vec<Test>,
    /// The predicate that they were made from.
    pub span: Span,
}

/// A condition at a boundary: the place where "true", "false" and "error" become yes or no.
#[derive(Clone, Debug, PartialEq)]
pub struct Test {
    /// The condition.
    pub condition: Condition,
    /// Which of its outcomes mean yes.
    pub outcome: Outcome,
}

/// The outcomes of a condition that pass a boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// True passes: `filter`, `route` and `split`.
    True,
    /// False and error pass: `drop`.
    NotTrue,
    /// False passes: `drop(…, on_error: drop)`.
    False,
    /// True and error pass: `filter(…, on_error: keep)`.
    NotFalse,
}

impl PartialEq for Guard {
    fn eq(&self, other: &Self) -> bool {
        self.tests == other.tests
    }
}

impl Outcome {
    /// Whether a condition that is decided at build time passes.
    #[must_use]
    pub const fn admits(self, constant: Constant) -> bool {
        match self {
            Self::True => matches!(constant, Constant::True),
            Self::NotTrue => !matches!(constant, Constant::True),
            Self::False => matches!(constant, Constant::False),
            Self::NotFalse => !matches!(constant, Constant::False),
        }
    }
}

impl Outcome {
    /// The outcome of a condition that means the same as this outcome of its negation.
    #[must_use]
    pub const fn of_negation(self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            Self::NotTrue => Self::NotFalse,
            Self::NotFalse => Self::NotTrue,
        }
    }
}

impl Test {
    /// What the test comes to when its condition is decided at build time.
    #[must_use]
    pub const fn decided(&self) -> Option<bool> {
        match self.condition.kind {
            ConditionKind::Constant(constant) => Some(self.outcome.admits(constant)),
            _ => None,
        }
    }
}

impl Guard {
    /// The guard that is one test.
    #[must_use]
    pub fn one(condition: Condition, outcome: Outcome) -> Self {
        let span = condition.span;
        Self {
            tests: vec![Test { condition, outcome }],
            span,
        }
    }

    /// The deepest level of its tests.
    #[must_use]
    pub fn level(&self) -> Level {
        self.tests
            .iter()
            .map(|test| test.condition.level)
            .max()
            .unwrap_or(Level::Const)
    }

    /// What the guard comes to when that is known at build time.
    #[must_use]
    pub fn decided(&self) -> Option<bool> {
        let decided: Vec<_> = self.tests.iter().map(Test::decided).collect();
        if decided.contains(&Some(false)) {
            return Some(false);
        }
        decided.iter().all(|one| *one == Some(true)).then_some(true)
    }
}

impl Tree {
    /// Whether it is what a validation that stands at `span` does with the records that do not pass it.
    #[must_use]
    pub fn refuses_at(&self, span: Span) -> bool {
        matches!(self, Self::Refuse(refusal) if refusal.span == span)
    }

    /// The trees directly below.
    #[must_use]
    pub fn children(&self) -> Vec<&Self> {
        match self {
            Self::Nothing | Self::Keep(_) | Self::Refuse(_) => Vec::new(),
            Self::Filter { then, .. } | Self::Edit { then, .. } | Self::Limit { then, .. } => {
                vec![then]
            }
            Self::FanOut(branches) => branches.iter().collect(),
            Self::Route { arms, otherwise } => arms
                .iter()
                .map(|arm| &arm.then)
                .chain([otherwise.as_ref()])
                .collect(),
            Self::Split(arms) => arms.iter().map(|arm| &arm.then).collect(),
            Self::Fork(fork) => vec![&fork.body],
            Self::Switch {
                cases, otherwise, ..
            } => cases
                .iter()
                .map(|case| &case.then)
                .chain([otherwise.as_ref()])
                .collect(),
        }
    }

    /// The trees directly below, to be changed.
    pub fn children_mut(&mut self) -> Vec<&mut Self> {
        match self {
            Self::Nothing | Self::Keep(_) | Self::Refuse(_) => Vec::new(),
            Self::Filter { then, .. } | Self::Edit { then, .. } | Self::Limit { then, .. } => {
                vec![then]
            }
            Self::FanOut(branches) => branches.iter_mut().collect(),
            Self::Route { arms, otherwise } => arms
                .iter_mut()
                .map(|arm| &mut arm.then)
                .chain([otherwise.as_mut()])
                .collect(),
            Self::Split(arms) => arms.iter_mut().map(|arm| &mut arm.then).collect(),
            Self::Fork(fork) => vec![&mut fork.body],
            Self::Switch {
                cases, otherwise, ..
            } => cases
                .iter_mut()
                .map(|case| &mut case.then)
                .chain([otherwise.as_mut()])
                .collect(),
        }
    }

    /// The value that is looked at directly here, besides guards.
    #[must_use]
    pub const fn looks_at(&self) -> Option<&Value> {
        match self {
            Self::Switch { on, .. } => Some(on),
            Self::Fork(Fork { key: Some(key), .. }) => Some(&key.value),
            _ => None,
        }
    }

    /// The guards directly below, in the order of the text.
    #[must_use]
    pub fn guards(&self) -> Vec<&Guard> {
        match self {
            Self::Nothing
            | Self::Keep(_)
            | Self::FanOut(_)
            | Self::Refuse(_)
            | Self::Edit { .. }
            | Self::Limit { .. }
            | Self::Switch { .. }
            | Self::Fork(_) => Vec::new(),
            Self::Filter { guard, .. } => vec![guard],
            Self::Route { arms, .. } | Self::Split(arms) => {
                arms.iter().map(|arm| &arm.guard).collect()
            }
        }
    }

    /// How many nodes and tests it has.
    #[must_use]
    pub fn size(&self) -> usize {
        let tests = self.guards().into_iter().map(|guard| guard.tests.len());
        let below = self.children().into_iter().map(Self::size);
        1 + tests.chain(below).sum::<usize>()
    }

    /// Every target that a record can come to, in the order of the text, repeated where it stands twice.
    #[must_use]
    pub fn targets(&self) -> Vec<Target> {
        match self {
            Self::Keep(target) => vec![*target],
            _ => self
                .children()
                .into_iter()
                .flat_map(Self::targets)
                .collect(),
        }
    }

    /// Applies `change` to every guard of the tree.
    pub fn for_each_guard(&mut self, change: &mut impl FnMut(&mut Guard)) {
        match self {
            Self::Nothing | Self::Keep(_) | Self::Refuse(_) => {}
            Self::Edit { then, .. } | Self::Limit { then, .. } => then.for_each_guard(change),
            Self::Filter { guard, then } => {
                change(guard);
                then.for_each_guard(change);
            }
            Self::FanOut(branches) => branches
                .iter_mut()
                .for_each(|branch| branch.for_each_guard(change)),
            Self::Route { arms, otherwise } => {
                for arm in arms {
                    change(&mut arm.guard);
                    arm.then.for_each_guard(change);
                }
                otherwise.for_each_guard(change);
            }
            Self::Split(arms) => {
                for arm in arms {
                    change(&mut arm.guard);
                    arm.then.for_each_guard(change);
                }
            }
            Self::Fork(fork) => fork.body.for_each_guard(change),
            Self::Switch {
                cases, otherwise, ..
            } => {
                for case in cases {
                    case.then.for_each_guard(change);
                }
                otherwise.for_each_guard(change);
            }
        }
    }

    /// Applies `change` to every fork of the tree, each before those inside of it.
    pub fn for_each_fork(&mut self, change: &mut impl FnMut(&mut Fork)) {
        if let Self::Fork(fork) = self {
            change(fork);
        }
        for child in self.children_mut() {
            child.for_each_fork(change);
        }
    }

    /// Applies `apply` to every change of the tree.
    pub fn for_each_edit(&mut self, apply: &mut impl FnMut(&mut Edit)) {
        if let Self::Edit { edit, .. } = self {
            apply(edit);
        }
        self.children_mut()
            .into_iter()
            .for_each(|child| child.for_each_edit(apply));
    }

    /// Calls `visit` with every quota of the tree.
    pub fn for_each_limit<'t>(&'t self, visit: &mut impl FnMut(&'t Limit)) {
        if let Self::Limit { limit, .. } = self {
            visit(limit);
        }
        self.children()
            .into_iter()
            .for_each(|child| child.for_each_limit(visit));
    }

    /// The value that the change which the tree begins with reads.
    fn changed_value(&self) -> Option<&Value> {
        match self {
            Self::Edit { edit, .. } => edit.value(),
            _ => None,
        }
    }

    /// Calls `visit` with every value that a guard or a change of the tree reads, at any depth.
    pub fn for_each_value(&self, visit: &mut impl FnMut(&Value)) {
        if let Some(value) = self.changed_value() {
            value.for_each(visit);
        }
        for test in self.guards().into_iter().flat_map(|guard| &guard.tests) {
            test.condition.for_each_value(visit);
        }
        if let Some(value) = self.looks_at() {
            value.for_each(visit);
        }
        self.children()
            .into_iter()
            .for_each(|child| child.for_each_value(visit));
    }

    /// Calls `visit` with every condition of a guard or a change of the tree, at any depth.
    pub fn for_each_condition(&self, visit: &mut impl FnMut(&Condition)) {
        if let Some(value) = self.changed_value() {
            value.for_each_condition(visit);
        }
        for test in self.guards().into_iter().flat_map(|guard| &guard.tests) {
            test.condition.for_each_condition(visit);
        }
        if let Some(value) = self.looks_at() {
            value.for_each_condition(visit);
        }
        self.children()
            .into_iter()
            .for_each(|child| child.for_each_condition(visit));
    }
}
