//! Random uses of macros: what is done for each element of a list or for each key of a map.

use crate::expression::{Binding, Expression, Kind};
use crate::generator::{Generator, Variable};

/// Names of variables. They are few, so that inner macros shadow outer ones.
const NAMES: &[&str] = &["e", "k", "v"];

impl Generator {
    /// `all`, `exists`, `exists_one` and what is asked of lists that are made.
    pub(crate) fn quantified(&mut self, depth: u32) -> Expression {
        if self.one_in(4) {
            return self.over_entries(depth);
        }
        let (range, kind) = self.range(depth);
        let name = self.pick(NAMES);
        match self.random.u32(0..6) {
            0..4 => {
                let function = self.pick(&["all", "exists", "exists_one"]);
                let template = format!("$0.{function}({name}, $1)");
                self.over(&range, (name, kind), Kind::Bool, &template, depth)
            }
            4 => {
                let template = format!("$0.filter({name}, $1)");
                let kept = self.over(&range, (name, kind), Kind::Bool, &template, depth);
                let count = self.random.u32(0..3);
                Expression::join(
                    Kind::Bool,
                    Binding::Relation,
                    &format!("size($0) > {count}"),
                    &[&kept],
                )
            }
            _ => {
                let made = self.pick(&[Kind::Int, Kind::Text, Kind::Any]);
                let template = format!("$0.map({name}, $1)");
                let list = self.over(&range, (name, kind), made, &template, depth);
                let element = self.make(made, 0).at(Binding::Sum);
                Expression::join(
                    Kind::Bool,
                    Binding::Relation,
                    "$0 in $1",
                    &[&element, &list],
                )
            }
        }
    }

    /// What a macro goes over, and the kind of its elements.
    fn range(&mut self, depth: u32) -> (Expression, Kind) {
        match self.random.u32(0..5) {
            0 => (self.attributes(), Kind::Text),
            1 => {
                let kind = self.pick(&[Kind::Int, Kind::Text, Kind::Any]);
                (self.list(kind, depth), kind)
            }
            _ => (
                self.varying(Kind::Any, depth).at(Binding::Primary),
                Kind::Any,
            ),
        }
    }

    /// A macro over a range.
    fn over(
        &mut self,
        range: &Expression,
        (name, kind): (&'static str, Kind),
        made: Kind,
        template: &str,
        depth: u32,
    ) -> Expression {
        self.scope.push(variable(name, kind, name, range));
        let body = self.varying(made, depth);
        self.scope.pop();
        let kind = if made == Kind::Bool {
            Kind::Bool
        } else {
            Kind::Any
        };
        let body = body.binds(&[name]);
        Expression::join(kind, Binding::Primary, template, &[range, &body])
    }

    /// A macro with a variable for keys and one for values, which the oracle does not have: it looks values up.
    fn over_entries(&mut self, depth: u32) -> Expression {
        let range = self.attributes();
        let function = self.pick(&["all", "exists"]);
        let value = format!("{}[key]", range.oracle);
        self.scope.push(variable("key", Kind::Text, "key", &range));
        self.scope
            .push(variable("value", Kind::Any, &value, &range));
        let body = self.varying(Kind::Bool, depth);
        self.scope.truncate(self.scope.len() - 2);
        let body = body.binds(&["key", "value"]);
        let (flow, oracle) = (
            format!("$0.{function}(key, value, $1)"),
            format!("$0.{function}(key, $1)"),
        );
        Expression::translate(
            Kind::Bool,
            Binding::Primary,
            &flow,
            &oracle,
            &[&range, &body],
        )
    }

    /// A list of up to four elements.
    pub(crate) fn list(&mut self, kind: Kind, depth: u32) -> Expression {
        let count = self.random.usize(1..=4);
        let elements: Vec<_> = (0..count).map(|_| self.make(kind, depth.min(1))).collect();
        let places: Vec<_> = (0..count).map(|place| format!("${place}")).collect();
        let parts: Vec<_> = elements.iter().collect();
        let template = format!("[{}]", places.join(", "));
        Expression::join(Kind::Any, Binding::Primary, &template, &parts)
    }
}

/// A variable of a macro. It is constant when what the macro goes over is.
fn variable(name: &'static str, kind: Kind, oracle: &str, range: &Expression) -> Variable {
    let mut expression = Expression::translate(kind, Binding::Primary, name, oracle, &[]);
    expression.is_constant = range.is_constant;
    expression.variables.insert(name.to_owned());
    Variable { expression, name }
}
