//! The order of definitions: each constant and predicate after those it reads.
//!
//! In: the resolved items. Out: [`Program::order`], with cycles reported and left out. The search keeps its own
//! stack, because a chain of definitions may be as long as the file.

use indexmap::{IndexMap, IndexSet};
use watershed_lang::diagnostic::Diagnostics;
use watershed_lang::span::Name;

use super::error::NameError;
use super::scope::{Entity, Scope};
use crate::cel::free_names::free_names;
use crate::hir::{Definition, ExprId, Program};

/// How many definitions may stand on each other. It bounds the nesting of everything that is made of them.
pub(super) const MAX_DEPTH: u32 = 96;

/// Where the search is with one definition.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    /// On the stack: meeting it again is a cycle.
    Open,
    /// Done, standing on so many others.
    Done(u32),
}

/// One definition on the stack, with the definitions it reads that have not been visited.
struct Frame {
    definition: Definition,
    rest: Vec<Definition>,
    depth: u32,
}

/// The definitions in order. Reports cycles and definitions that stand on too many others.
pub(super) fn order(
    program: &Program,
    scope: &Scope,
    diagnostics: &mut Diagnostics,
) -> Vec<Definition> {
    let mut search = Search {
        program,
        scope,
        diagnostics,
        marks: IndexMap::new(),
        stack: Vec::new(),
        order: Vec::new(),
    };
    let consts = program.consts.ids().map(Definition::Const);
    let predicates = program.predicates.ids().map(Definition::Predicate);
    consts
        .chain(predicates)
        .for_each(|definition| search.from(definition));
    search.order
}

struct Search<'a> {
    program: &'a Program,
    scope: &'a Scope,
    diagnostics: &'a mut Diagnostics,
    marks: IndexMap<Definition, Mark>,
    stack: Vec<Frame>,
    order: Vec<Definition>,
}

impl Search<'_> {
    fn from(&mut self, definition: Definition) {
        if self.marks.contains_key(&definition) {
            return;
        }
        self.open(definition);
        while let Some(frame) = self.stack.last_mut() {
            match frame.rest.pop() {
                Some(next) => self.visit(next),
                None => self.close(),
            }
        }
    }

    fn open(&mut self, definition: Definition) {
        self.marks.insert(definition, Mark::Open);
        let mut rest = reads(self.program, self.scope, definition);
        rest.reverse();
        self.stack.push(Frame {
            definition,
            rest,
            depth: 0,
        });
    }

    fn visit(&mut self, next: Definition) {
        match self.marks.get(&next) {
            None => self.open(next),
            Some(Mark::Open) => self.cycle(next),
            Some(Mark::Done(depth)) => {
                let below = depth + 1;
                if let Some(frame) = self.stack.last_mut() {
                    frame.depth = frame.depth.max(below);
                }
            }
        }
    }

    fn close(&mut self) {
        let Some(frame) = self.stack.pop() else {
            return;
        };
        self.marks.insert(frame.definition, Mark::Done(frame.depth));
        if frame.depth == MAX_DEPTH {
            self.diagnostics.push(NameError::TooDeep {
                name: name(self.program, frame.definition),
            });
        }
        if let Some(parent) = self.stack.last_mut() {
            parent.depth = parent.depth.max(frame.depth + 1);
        }
        if frame.depth < MAX_DEPTH {
            self.order.push(frame.definition);
        }
    }

    fn cycle(&mut self, first: Definition) {
        let start = self
            .stack
            .iter()
            .position(|frame| frame.definition == first)
            .unwrap_or(0);
        let circle = self.stack.get(start..).unwrap_or_default();
        let names = circle
            .iter()
            .map(|frame| name(self.program, frame.definition))
            .collect();
        self.diagnostics.push(NameError::Cycle { names });
    }
}

/// The value of a definition.
fn value(program: &Program, definition: Definition) -> ExprId {
    match definition {
        Definition::Const(id) => program.consts.at(id).value,
        Definition::Predicate(id) => program.predicates.at(id).value,
    }
}

fn name(program: &Program, definition: Definition) -> Name {
    match definition {
        Definition::Const(id) => program.consts.at(id).name.clone(),
        Definition::Predicate(id) => program.predicates.at(id).name.clone(),
    }
}

/// The definitions that an expression names, in the order of the text, each once.
fn reads(program: &Program, scope: &Scope, definition: Definition) -> Vec<Definition> {
    let names = free_names(program.exprs.at(value(program, definition))).into_iter();
    let template = match definition {
        Definition::Const(_) => None,
        Definition::Predicate(id) => program.predicates.at(id).template,
    };
    let found: IndexSet<Definition> = names
        .filter_map(|name| match scope.get_in(template, &name.value)?.entity {
            Entity::Const(id) => Some(Definition::Const(id)),
            Entity::Predicate(id) => Some(Definition::Predicate(id)),
            _ => None,
        })
        .collect();
    found.into_iter().collect()
}
