//! Puts new values in the places where they are read: afterwards a read of the plan means the bytes that came in.
//!
//! before:  set log.attributes["team"] = "a"; when log.attributes["team"] == "b"
//! after:   set log.attributes["team"] = "a"; when dyn("a") == "b"
//!
//! What stands behind a `set` reads the value that was set, behind a `remove` nothing; so what is known at build time
//! folds, and nothing is read that was just written. A named predicate that reads something changed becomes another
//! predicate, and a subject a change of its own in front of its sink. All attributes at once cannot be read behind a
//! change of one of them: that is an error. Behind a batch the bytes themselves have changed.

use indexmap::IndexMap;
use watershed_lang::diagnostic::{Code, Diagnostic, Diagnostics};
use watershed_lang::span::Span;

use super::stages::unset;
use crate::catalog::signals::{FieldSpec, Reader, Root, field};
use crate::cel::Type;
use crate::check::Changeable;
use crate::hir::{Literal, PredicateId};
use crate::level::Level;
use crate::plan::{
    CompareOp, Condition, ConditionKind, Constant, Edit, EditKind, Plan, Target, Tree, Value,
    ValueKind,
};

/// How many parts a new value may have, those of the values that it reads included.
const MAX_VALUE: usize = 200;

/// Puts the values of all changes in their places.
pub(super) fn apply(plan: &mut Plan, diagnostics: &mut Diagnostics) {
    let mut trees = Vec::new();
    plan.for_each_walk(|walk| trees.push(std::mem::replace(&mut walk.tree, Tree::Nothing)));
    let mut applying = Applying {
        plan,
        diagnostics,
        predicates: IndexMap::new(),
        states: 0,
        refused: Vec::new(),
        in_subject: false,
    };
    for tree in &mut trees {
        applying.tree(tree, &State::default());
    }
    let mut trees = trees.into_iter();
    plan.for_each_walk(|walk| walk.tree = trees.next().unwrap_or(Tree::Nothing));
}

/// What is changed at some place of a tree.
#[derive(Clone, Debug, Default)]
struct State {
    /// Which state it is; 0 when nothing is changed.
    number: u32,
    /// The new values; `None` for what is removed.
    values: Vec<(Changeable, Option<Value>, Span)>,
}

impl State {
    fn find(
        &self,
        wanted: impl Fn(&Changeable) -> bool,
    ) -> Option<&(Changeable, Option<Value>, Span)> {
        self.values.iter().find(|(path, ..)| wanted(path))
    }

    /// The change of a field.
    fn of_field(&self, spec: &FieldSpec) -> Option<&(Changeable, Option<Value>, Span)> {
        self.find(|path| matches!(path, Changeable::Field(field) if *field == spec))
    }

    /// The change of an attribute.
    fn of_attribute(
        &self,
        of: &FieldSpec,
        name: &str,
    ) -> Option<&(Changeable, Option<Value>, Span)> {
        self.find(
            |path| matches!(path, Changeable::Attribute { map, key } if *map == of && key == name),
        )
    }

    /// A change of some part of what a field is made of.
    fn inside(&self, spec: &FieldSpec) -> Option<Span> {
        let is_inside = |path: &Changeable| match (path, spec.reader) {
            (Changeable::Attribute { map, .. }, Reader::Attributes) => *map == spec,
            (Changeable::Field(changed), Reader::SpanDuration) => {
                ["start_time_unix_nano", "end_time_unix_nano"]
                    .into_iter()
                    .any(|name| field(Root::Span, name) == Some(*changed))
            }
            _ => false,
        };
        self.find(is_inside).map(|(.., span)| *span)
    }
}

struct Applying<'p> {
    plan: &'p mut Plan,
    diagnostics: &'p mut Diagnostics,
    /// By state and predicate: the predicate that takes its place, which is the same where nothing is read.
    predicates: IndexMap<(u32, PredicateId), PredicateId>,
    states: u32,
    /// The reads that are reported, each with the change before it.
    refused: Vec<(Span, Span)>,
    /// Whether a subject is changed: in it, nothing of the data becomes text of the flow.
    in_subject: bool,
}

impl Applying<'_> {
    fn tree(&mut self, tree: &mut Tree, state: &State) {
        match tree {
            Tree::Nothing | Tree::Refuse(_) => {}
            Tree::Keep(target) => {
                if let Some(subject) = self.subject(*target, state) {
                    let span = subject.span;
                    let kind = EditKind::Subject(subject);
                    *tree = Tree::Edit {
                        edit: Box::new(Edit { kind, span }),
                        then: Box::new(Tree::Keep(*target)),
                    };
                }
            }
            Tree::Filter { guard, then } => {
                for test in &mut guard.tests {
                    self.condition(&mut test.condition, state);
                }
                self.tree(then, state);
            }
            Tree::FanOut(branches) => {
                for branch in branches {
                    self.tree(branch, state);
                }
            }
            Tree::Route { arms, otherwise } => {
                self.arms(arms, state);
                self.tree(otherwise, state);
            }
            Tree::Split(arms) => self.arms(arms, state),
            Tree::Limit { then, .. } => self.tree(then, state),
            Tree::Fork(fork) => {
                if let Some(key) = &mut fork.key {
                    self.value(&mut key.value, state);
                }
                self.tree(&mut fork.body, state);
            }
            Tree::Switch {
                on,
                cases,
                otherwise,
            } => {
                self.value(on, state);
                for case in cases {
                    self.tree(&mut case.then, state);
                }
                self.tree(otherwise, state);
            }
            Tree::Edit { edit, then } => {
                let behind = self.behind(edit, state);
                self.tree(then, &behind);
            }
        }
    }

    fn arms(&mut self, arms: &mut [crate::plan::Arm], state: &State) {
        for arm in arms {
            for test in &mut arm.guard.tests {
                self.condition(&mut test.condition, state);
            }
            self.tree(&mut arm.then, state);
        }
    }

    /// What is changed behind `edit`, whose own value reads what was changed before it.
    fn behind(&mut self, edit: &mut Edit, state: &State) -> State {
        let span = edit.span;
        let (path, value) = match &mut edit.kind {
            EditKind::Set { path, value } => {
                self.value(value, state);
                (path.clone(), Some(self.bounded(value, span)))
            }
            EditKind::Remove { path } => (path.clone(), None),
            EditKind::Subject(_) => return state.clone(),
        };
        self.states += 1;
        let mut values = state.values.clone();
        values.retain(|(known, ..)| *known != path);
        values.push((path, value, span));
        State {
            number: self.states,
            values,
        }
    }

    /// A new value, as it is put in the place of reads. One that reads its own field several times grows with each `set`
    /// behind another, so there is a bound.
    fn bounded(&mut self, value: &Value, span: Span) -> Value {
        let mut size = 0;
        value.for_each(&mut |_| size += 1);
        value.for_each_condition(&mut |_| size += 1);
        if size <= MAX_VALUE {
            return value.clone();
        }
        let message =
            "this value has grown too large: it reads what was set before it again and again";
        let help = "put a `batch` in front of it: behind a batch the bytes themselves have changed";
        let found = Diagnostic::new(Code::UnsupportedExpression, message, span);
        self.diagnostics.push(found.help(help));
        Value {
            kind: ValueKind::Failed,
            ..value.clone()
        }
    }

    /// The subject of a target where it reads something changed.
    fn subject(&mut self, target: Target, state: &State) -> Option<Value> {
        let before = self.plan.subject(target).filter(|_| state.number > 0)?;
        let before = before.clone();
        let mut subject = before.clone();
        self.in_subject = true;
        self.value(&mut subject, state);
        self.in_subject = false;
        (subject != before).then_some(subject)
    }

    fn condition(&mut self, condition: &mut Condition, state: &State) {
        if state.number == 0 {
            return;
        }
        let new = match &mut condition.kind {
            ConditionKind::Constant(_) => None,
            ConditionKind::Not(operand) => {
                self.condition(operand, state);
                None
            }
            ConditionKind::All(operands) | ConditionKind::Any(operands) => {
                for operand in operands {
                    self.condition(operand, state);
                }
                None
            }
            ConditionKind::If { arms, otherwise } => {
                for (when, then) in arms {
                    self.condition(when, state);
                    self.condition(then, state);
                }
                self.condition(otherwise, state);
                None
            }
            ConditionKind::Predicate(id) => {
                *id = self.predicate(*id, state);
                let named = self.plan.predicates.get(id);
                condition.level = named.map_or(condition.level, |named| named.condition.level);
                None
            }
            ConditionKind::HasAttribute(value) => has_attribute(value, state),
            ConditionKind::HasField(value) => has_field(value, state),
            _ => None,
        };
        match new {
            Some(kind) => condition.kind = kind,
            None => {
                for value in condition.values_mut() {
                    self.value(value, state);
                }
            }
        }
        condition.refresh_level();
    }

    /// The predicate that says of the bytes that came in what `id` says of the changed ones.
    fn predicate(&mut self, id: PredicateId, state: &State) -> PredicateId {
        if let Some(known) = self.predicates.get(&(state.number, id)) {
            return *known;
        }
        let Some(before) = self.plan.predicates.get(&id).cloned() else {
            return id;
        };
        let mut after = before.clone();
        self.condition(&mut after.condition, state);
        let made = self.predicates.iter().filter(|((_, of), _)| *of == id);
        let same = made.map(|(_, new)| *new).find(|new| {
            let known = self.plan.predicates.get(new);
            known.is_some_and(|known| known.condition == after.condition)
        });
        // The sources of one chain have a tree each, and trees of one chain stay equal.
        let new = if after.condition == before.condition {
            id
        } else if let Some(same) = same {
            same
        } else {
            let last = self.plan.predicates.keys().max();
            let new = PredicateId(last.map_or(0, |last| last.0 + 1));
            self.plan.predicates.insert(new, after);
            let template = self.plan.template_of_predicate(id);
            let template = template.and_then(|id| self.plan.templates.get_mut(&id));
            if let Some(template) = template {
                template.members.predicates.push(new);
            }
            new
        };
        self.predicates.insert((state.number, id), new);
        new
    }

    fn value(&mut self, value: &mut Value, state: &State) {
        if state.number == 0 {
            return;
        }
        match &mut value.kind {
            ValueKind::Attribute { map, key } => {
                if let Some((path, new, _)) = state.of_attribute(map, key) {
                    *value = self.read(value, path.field(), new.as_ref());
                }
                return;
            }
            ValueKind::Field(field) => {
                let field = *field;
                if let Some((path, new, _)) = state.of_field(field) {
                    *value = self.read(value, path.field(), new.as_ref());
                } else if let Some(changed) = state.inside(field) {
                    self.refuse(field, value.span, changed);
                }
                return;
            }
            ValueKind::If { arms, .. } => {
                for (when, _) in arms {
                    self.condition(when, state);
                }
            }
            ValueKind::Condition(condition) => self.condition(condition, state),
            _ => {}
        }
        for operand in value.operands_mut() {
            self.value(operand, state);
        }
        value.refresh_level();
    }

    /// What is read in the place of `before`.
    fn read(&self, before: &Value, field: &FieldSpec, new: Option<&Value>) -> Value {
        let is_any = matches!(field.reader, Reader::Attributes | Reader::AnyValue);
        let (kind, level) = match new {
            Some(new) if is_any => (ValueKind::Dynamic(Box::new(new.clone())), new.level),
            Some(new) => (new.kind.clone(), new.level),
            None if field.reader == Reader::Attributes => (ValueKind::Failed, Level::Const),
            None => (ValueKind::Literal(unset(field.reader)), Level::Const),
        };
        let read = Value {
            kind,
            ty: before.ty.clone(),
            level,
            span: before.span,
        };
        if self.in_subject {
            as_data(read, before.level)
        } else {
            read
        }
    }

    fn refuse(&mut self, field: &FieldSpec, read: Span, changed: Span) {
        // Several branches may read it.
        if self.refused.contains(&(read, changed)) {
            return;
        }
        self.refused.push((read, changed));
        let diagnostic = Diagnostic::new(
            Code::ChangedMapRead,
            format!("`{field}` is read as a whole behind a change of a part of it"),
            read,
        )
        .label("would have to be put together again for each read")
        .also(changed, "the change stands here")
        .help("read it before the change, or put a `batch` between them");
        self.diagnostics.push(diagnostic);
    }
}

/// Whether an attribute is there when it was set or removed.
fn has_attribute(value: &Value, state: &State) -> Option<ConditionKind> {
    let ValueKind::Attribute { map, key } = &value.kind else {
        return None;
    };
    let (_, new, _) = state.of_attribute(map, key)?;
    let constant = if new.is_some() {
        Constant::True
    } else {
        Constant::False
    };
    Some(ConditionKind::Constant(constant))
}

/// Whether a field differs from its default when it was set or removed.
fn has_field(value: &Value, state: &State) -> Option<ConditionKind> {
    let ValueKind::Field(field) = value.kind else {
        return None;
    };
    let (_, new, _) = state.of_field(field)?;
    Some(match new {
        None => ConditionKind::Constant(Constant::False),
        Some(_) if field.reader == Reader::AnyValue => ConditionKind::Constant(Constant::True),
        Some(new) => ConditionKind::Compare {
            op: CompareOp::NotEqual,
            left: new.clone(),
            right: Value {
                kind: ValueKind::Literal(unset(field.reader)),
                ty: field.ty(),
                level: Level::Const,
                span: value.span,
            },
        },
    })
}

/// A read of a subject, which is one token of it whatever was set: it is neither a literal of the flow nor known
/// before the data is.
fn as_data(read: Value, level: Level) -> Value {
    let level = read.level.max(level);
    if read.ty != Type::String {
        return Value { level, ..read };
    }
    let (ty, span) = (read.ty.clone(), read.span);
    let text = Value {
        kind: ValueKind::Dynamic(Box::new(read)),
        ty: Type::Dyn,
        level,
        span,
    };
    let default = Value {
        kind: ValueKind::Literal(Literal::String(String::new())),
        ty: ty.clone(),
        level: Level::Const,
        span,
    };
    Value {
        kind: ValueKind::OrTyped {
            value: Box::new(text),
            default: Box::new(default),
        },
        ty,
        level,
        span,
    }
}
