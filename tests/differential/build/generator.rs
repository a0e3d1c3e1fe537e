//! Random typed expressions.
//!
//! In: a random generator, a kind and a depth. Out: an [`Expression`]. The grammar is that of the checker: whatever is
//! made here must compile. Constant parts never fail, because that is a compile error: what may fail gets at least one
//! operand that reads something.

use fastrand::Rng;

use crate::expression::{Binding, Expression, Kind, byte_literal, double_literal, quoted};
use crate::pools;

/// Which parts of a request an expression may read: what reads only the outer ones is tested once for many records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reach {
    Resource,
    Scope,
    Record,
}

/// A variable of a macro.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) expression: Expression,
    pub(crate) name: &'static str,
}

/// Makes expressions.
#[derive(Debug)]
pub(crate) struct Generator {
    pub(crate) random: Rng,
    pub(crate) reach: Reach,
    /// The variables of the macros around the current place, the outermost first.
    pub(crate) scope: Vec<Variable>,
    /// Named predicates, as conditions that are already translated.
    pub(crate) named: Vec<Expression>,
}

impl Generator {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            random: Rng::with_seed(seed),
            reach: Reach::Record,
            scope: Vec::new(),
            named: Vec::new(),
        }
    }

    /// A condition for the top of a flow: it reads something.
    pub(crate) fn predicate(&mut self, depth: u32) -> Expression {
        self.varying(Kind::Bool, depth)
    }

    /// An expression of a kind; macros and calls nest to `depth`.
    pub(crate) fn make(&mut self, kind: Kind, depth: u32) -> Expression {
        if depth == 0 || self.one_in(6) {
            return self.leaf(kind);
        }
        let depth = depth - 1;
        match kind {
            Kind::Bool => self.condition(depth),
            Kind::Int => self.int(depth),
            Kind::Uint => self.uint(depth),
            Kind::Double => self.double(depth),
            Kind::Text => self.text(depth),
            Kind::Bytes => self.bytes(depth),
            Kind::Any => self.any(depth),
            Kind::Timestamp => self.timestamp(depth),
            Kind::Duration => self.duration(depth),
        }
    }

    /// An expression that reads something, so that it is not evaluated when the flow is compiled.
    pub(crate) fn varying(&mut self, kind: Kind, depth: u32) -> Expression {
        let made = self.make(kind, depth);
        if made.is_constant {
            self.read(kind)
        } else {
            made
        }
    }

    /// `a ? b : c`
    pub(crate) fn choice(&mut self, kind: Kind, depth: u32) -> Expression {
        let when = self.varying(Kind::Bool, depth).at(Binding::Or);
        let then = self.make(kind, depth).at(Binding::Or);
        let otherwise = self.make(kind, depth);
        let parts = [&when, &then, &otherwise];
        Expression::join(kind, Binding::Conditional, "$0 ? $1 : $2", &parts)
    }

    /// A literal, or something that is read.
    fn leaf(&mut self, kind: Kind) -> Expression {
        let may_be_literal = !matches!(kind, Kind::Bool | Kind::Any);
        if may_be_literal && self.random.bool() {
            self.literal(kind)
        } else {
            self.read(kind)
        }
    }

    /// A literal of a kind.
    pub(crate) fn literal(&mut self, kind: Kind) -> Expression {
        let constant = |text: String| Expression::constant(kind, text);
        match kind {
            Kind::Bool => constant(self.random.bool().to_string()),
            Kind::Int => {
                let literal = constant(self.pick(pools::INTS).to_string());
                negative(literal)
            }
            Kind::Uint => constant(format!("{}u", self.pick(pools::UINTS))),
            Kind::Double => {
                let literal = constant(double_literal(self.pick(pools::DOUBLES)));
                negative(literal)
            }
            Kind::Text => constant(quoted(self.pick(pools::TEXTS))),
            Kind::Bytes => constant(byte_literal(self.pick(pools::BYTES))),
            Kind::Any => {
                let kind = self.pick(&[Kind::Bool, Kind::Int, Kind::Double, Kind::Text]);
                let literal = self.literal(kind);
                Expression::join(Kind::Any, Binding::Primary, "dyn($0)", &[&literal])
            }
            Kind::Timestamp => {
                let text = self.pick(&[
                    "2024-02-29T12:34:56Z",
                    "1970-01-01T00:00:00Z",
                    "2023-11-14T23:13:20.5+01:00",
                ]);
                constant(format!("timestamp({})", quoted(text)))
            }
            Kind::Duration => {
                let text = self.pick(&["0s", "1h30m", "-1.5h", "90s", "1ms", "-7s"]);
                constant(format!("duration({})", quoted(text)))
            }
        }
    }

    /// Something that is read: a variable, a field, an attribute, a value of the configuration.
    pub(crate) fn read(&mut self, kind: Kind) -> Expression {
        if let Some(variable) = self.variable(kind).filter(|_| !self.one_in(4)) {
            return variable;
        }
        match kind {
            Kind::Bool => self.read_condition(),
            Kind::Int => self.read_int(),
            Kind::Uint => {
                let field = self.pick_in_reach(&[
                    (Reach::Resource, "resource.dropped_attributes_count"),
                    (Reach::Scope, "scope.dropped_attributes_count"),
                    (Reach::Record, "log.flags"),
                    (Reach::Record, "log.dropped_attributes_count"),
                    (Reach::Record, "log.time_unix_nano"),
                ]);
                Expression::leaf(kind, field)
            }
            Kind::Double if self.random.bool() => Expression::leaf(kind, "ratio"),
            Kind::Double => self.typed_attribute(Kind::Double),
            Kind::Text => self.read_text(),
            Kind::Bytes if self.reach == Reach::Record => {
                Expression::leaf(kind, self.pick(&["log.trace_id", "log.span_id"]))
            }
            Kind::Bytes => {
                let text = self.read_text();
                Expression::join(kind, Binding::Primary, "bytes($0)", &[&text])
            }
            Kind::Any => self.attribute(),
            Kind::Timestamp => {
                let seconds = self.read_int();
                seconds.as_time()
            }
            Kind::Duration => Expression::leaf(kind, "patience"),
        }
    }

    fn read_int(&mut self) -> Expression {
        match self.random.u32(0..4) {
            0 => Expression::leaf(Kind::Int, "limit"),
            1 => self.typed_attribute(Kind::Int),
            2 => {
                let text = self.read_text();
                Expression::join(Kind::Int, Binding::Primary, "size($0)", &[&text])
            }
            _ if self.reach == Reach::Record => Expression::leaf(Kind::Int, "log.severity_number"),
            _ => {
                let attributes = self.attributes();
                Expression::join(Kind::Int, Binding::Primary, "$0.size()", &[&attributes])
            }
        }
    }

    fn read_text(&mut self) -> Expression {
        if self.one_in(3) {
            return self.typed_attribute(Kind::Text);
        }
        let field = self.pick_in_reach(&[
            (Reach::Resource, "word"),
            (Reach::Resource, "signal"),
            (Reach::Scope, "scope.name"),
            (Reach::Scope, "scope.version"),
            (Reach::Record, "log.severity_text"),
            (Reach::Record, "log.event_name"),
        ]);
        Expression::leaf(Kind::Text, field)
    }

    fn read_condition(&mut self) -> Expression {
        if !self.named.is_empty() && self.reach == Reach::Record && self.one_in(4) {
            let position = self.random.usize(..self.named.len());
            if let Some(named) = self.named.get(position) {
                return named.clone();
            }
        }
        match self.random.u32(0..5) {
            0 => Expression::leaf(Kind::Bool, "enabled"),
            1 => self.typed_attribute(Kind::Bool),
            2 => self.presence(),
            _ => self.comparison(0),
        }
    }

    /// A visible variable of a kind.
    fn variable(&mut self, kind: Kind) -> Option<Expression> {
        let scope = &self.scope;
        let visible = scope.iter().enumerate().filter(|(position, variable)| {
            variable.expression.kind == kind
                && !scope
                    .iter()
                    .skip(position + 1)
                    .any(|inner| inner.name == variable.name)
        });
        let found: Vec<Expression> = visible
            .map(|(_, variable)| variable.expression.clone())
            .collect();
        self.random.choice(&found).cloned()
    }

    /// A map of attributes.
    pub(crate) fn attributes(&mut self) -> Expression {
        let field = self.pick_in_reach(&[
            (Reach::Resource, "resource.attributes"),
            (Reach::Scope, "scope.attributes"),
            (Reach::Record, "log.attributes"),
            (Reach::Record, "log.attributes"),
        ]);
        Expression::leaf(Kind::Any, field)
    }

    /// The value of an attribute, which may be absent.
    pub(crate) fn attribute(&mut self) -> Expression {
        if self.reach == Reach::Record && self.one_in(4) {
            return Expression::leaf(Kind::Any, "log.body");
        }
        let (attributes, key) = (self.attributes(), self.key());
        let is_name = key.chars().all(|character| character.is_ascii_alphabetic());
        let text = if is_name && self.one_in(3) {
            format!("$0.{key}")
        } else {
            format!("$0[{}]", quoted(key))
        };
        Expression::join(Kind::Any, Binding::Primary, &text, &[&attributes])
    }

    pub(crate) fn key(&mut self) -> &'static str {
        self.pick(pools::KEYS)
    }

    /// Makes something that reads no deeper than a random reach.
    pub(crate) fn shallower<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.reach;
        let reach = self.pick(&[Reach::Resource, Reach::Scope, Reach::Record]);
        self.reach = reach.min(before);
        let made = make(self);
        self.reach = before;
        made
    }

    fn pick_in_reach(&mut self, choices: &[(Reach, &'static str)]) -> &'static str {
        let reachable: Vec<_> = choices
            .iter()
            .filter(|(reach, _)| *reach <= self.reach)
            .map(|(_, text)| *text)
            .collect();
        self.random.choice(reachable).unwrap_or("word")
    }

    #[allow(
        clippy::indexing_slicing,
        reason = "there is something to choose from at every call"
    )]
    pub(crate) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.random.usize(..choices.len())]
    }

    pub(crate) fn one_in(&mut self, chances: u32) -> bool {
        self.random.u32(..chances) == 0
    }
}

/// A literal with a sign is an operator and its operand to the grammar.
fn negative(literal: Expression) -> Expression {
    let binding = if literal.flow.starts_with('-') {
        Binding::Unary
    } else {
        Binding::Primary
    };
    Expression { binding, ..literal }
}
