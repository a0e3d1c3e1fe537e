//! Random values that are no conditions.

use crate::expression::{Binding, Expression, Kind, quoted};
use crate::generator::{Generator, Reach};

impl Generator {
    pub(crate) fn int(&mut self, depth: u32) -> Expression {
        match self.random.u32(0..13) {
            0..4 => self.arithmetic(Kind::Int, depth),
            4 | 5 => {
                let kind = self.pick(&[Kind::Uint, Kind::Double, Kind::Text, Kind::Any]);
                self.convert(Kind::Int, "int", kind, depth)
            }
            6 | 7 => self.size(depth),
            8 => self.choice(Kind::Int, depth),
            9 => self.getter(depth),
            10 => {
                let (one, other) = (self.make(Kind::Int, depth), self.make(Kind::Int, depth));
                let key = self.varying(Kind::Text, depth);
                let template = "{\"a\": $0, \"ab\": $1}[$2]";
                Expression::join(Kind::Int, Binding::Primary, template, &[&one, &other, &key])
            }
            11 => {
                let list = self.list(Kind::Int, depth);
                let index = self.varying(Kind::Int, depth);
                Expression::join(Kind::Int, Binding::Primary, "$0[$1]", &[&list, &index])
            }
            _ => self.negated(Kind::Int, depth),
        }
    }

    pub(crate) fn uint(&mut self, depth: u32) -> Expression {
        match self.random.u32(0..6) {
            0..3 => self.arithmetic(Kind::Uint, depth),
            3 | 4 => {
                let kind = self.pick(&[Kind::Int, Kind::Double, Kind::Text, Kind::Any]);
                self.convert(Kind::Uint, "uint", kind, depth)
            }
            _ => self.choice(Kind::Uint, depth),
        }
    }

    pub(crate) fn double(&mut self, depth: u32) -> Expression {
        match self.random.u32(0..7) {
            0..3 => self.arithmetic(Kind::Double, depth),
            3 | 4 => {
                let kind = self.pick(&[Kind::Int, Kind::Uint, Kind::Text, Kind::Any]);
                self.convert(Kind::Double, "double", kind, depth)
            }
            5 => self.negated(Kind::Double, depth),
            _ => self.choice(Kind::Double, depth),
        }
    }

    fn arithmetic(&mut self, kind: Kind, depth: u32) -> Expression {
        let (operator, binding) = self.pick(&[
            ("+", Binding::Sum),
            ("-", Binding::Sum),
            ("*", Binding::Product),
            ("/", Binding::Product),
            ("%", Binding::Product),
        ]);
        let operator = match (operator, kind) {
            ("%", Kind::Double) => "/",
            _ => operator,
        };
        let mut left = self.varying(kind, depth);
        let mut right = self.make(kind, depth);
        if self.random.bool() {
            std::mem::swap(&mut left, &mut right);
        }
        let tighter = if binding == Binding::Sum {
            Binding::Product
        } else {
            Binding::Unary
        };
        let (left, right) = (left.at(binding), right.at(tighter));
        let template = format!("$0 {operator} $1");
        Expression::join(kind, binding, &template, &[&left, &right])
            .with(|traits| traits.computes_doubles |= kind == Kind::Double)
    }

    fn negated(&mut self, kind: Kind, depth: u32) -> Expression {
        let operand = self.varying(kind, depth).at(Binding::Primary);
        Expression::join(kind, Binding::Unary, "-$0", &[&operand])
    }

    fn convert(&mut self, to: Kind, function: &str, from: Kind, depth: u32) -> Expression {
        let operand = self.varying(from, depth);
        let template = format!("{function}($0)");
        Expression::join(to, Binding::Primary, &template, &[&operand])
            .with(|traits| traits.computes_doubles |= to == Kind::Double)
    }

    fn size(&mut self, depth: u32) -> Expression {
        let operand = match self.random.u32(0..5) {
            0 => self.varying(Kind::Text, depth),
            1 => self.varying(Kind::Bytes, depth),
            2 => self.list(Kind::Any, depth),
            3 => self.attributes(),
            _ => self.varying(Kind::Any, depth),
        };
        if self.random.bool() {
            return Expression::join(Kind::Int, Binding::Primary, "size($0)", &[&operand]);
        }
        let operand = operand.at(Binding::Primary);
        Expression::join(Kind::Int, Binding::Primary, "$0.size()", &[&operand])
    }

    /// A part of a time, or of a duration.
    fn getter(&mut self, depth: u32) -> Expression {
        let (kind, function) = self.pick(&[
            (Kind::Timestamp, "getFullYear"),
            (Kind::Timestamp, "getMonth"),
            (Kind::Timestamp, "getDayOfMonth"),
            (Kind::Timestamp, "getDate"),
            (Kind::Timestamp, "getDayOfWeek"),
            (Kind::Timestamp, "getDayOfYear"),
            (Kind::Timestamp, "getHours"),
            (Kind::Timestamp, "getMinutes"),
            (Kind::Timestamp, "getSeconds"),
            (Kind::Duration, "getHours"),
            (Kind::Duration, "getMinutes"),
            (Kind::Duration, "getSeconds"),
        ]);
        let operand = self.varying(kind, depth).at(Binding::Primary);
        let template = format!("$0.{function}()");
        Expression::join(Kind::Int, Binding::Primary, &template, &[&operand])
    }

    pub(crate) fn text(&mut self, depth: u32) -> Expression {
        match self.random.u32(0..8) {
            0..3 => {
                let left = self.make(Kind::Text, depth).at(Binding::Sum);
                let right = self.make(Kind::Text, depth).at(Binding::Product);
                Expression::join(Kind::Text, Binding::Sum, "$0 + $1", &[&left, &right])
            }
            3 | 4 => {
                let kind = self.pick(&[Kind::Int, Kind::Uint, Kind::Bool, Kind::Bytes, Kind::Any]);
                let operand = self.varying(kind, depth);
                Expression::join(Kind::Text, Binding::Primary, "string($0)", &[&operand])
                    .with(|traits| traits.writes_doubles |= kind == Kind::Any)
            }
            5 => self.changed_text(depth),
            _ => self.choice(Kind::Text, depth),
        }
    }

    /// Functions that make a text of a text.
    fn changed_text(&mut self, depth: u32) -> Expression {
        let text = self.varying(Kind::Text, depth).at(Binding::Primary);
        let number = self.make(Kind::Int, 0);
        let part = self.make(Kind::Text, 0);
        let template = self.pick(&[
            "$0.lowerAscii()",
            "$0.upperAscii()",
            "$0.trim()",
            "$0.charAt($1)",
            "$0.substring($1)",
            "$0.replace($2, \"-\")",
        ]);
        Expression::join(
            Kind::Text,
            Binding::Primary,
            template,
            &[&text, &number, &part],
        )
    }

    pub(crate) fn bytes(&mut self, depth: u32) -> Expression {
        if self.random.bool() {
            return self.choice(Kind::Bytes, depth);
        }
        let text = self.varying(Kind::Text, depth);
        Expression::join(Kind::Bytes, Binding::Primary, "bytes($0)", &[&text])
    }

    pub(crate) fn timestamp(&mut self, depth: u32) -> Expression {
        match self.random.u32(0..5) {
            0 => {
                let seconds = self.varying(Kind::Int, depth);
                seconds.as_time()
            }
            1 => self.convert(Kind::Timestamp, "timestamp", Kind::Text, depth),
            2 | 3 => {
                let time = self.varying(Kind::Timestamp, depth).at(Binding::Sum);
                let duration = self.make(Kind::Duration, depth).at(Binding::Product);
                let template = self.pick(&["$0 + $1", "$0 - $1"]);
                Expression::join(Kind::Timestamp, Binding::Sum, template, &[&time, &duration])
            }
            _ => self.choice(Kind::Timestamp, depth),
        }
    }

    pub(crate) fn duration(&mut self, depth: u32) -> Expression {
        match self.random.u32(0..4) {
            0 => self.convert(Kind::Duration, "duration", Kind::Text, depth),
            1 => {
                let (left, right) = (
                    self.varying(Kind::Timestamp, depth).at(Binding::Sum),
                    self.make(Kind::Timestamp, depth).at(Binding::Product),
                );
                Expression::join(Kind::Duration, Binding::Sum, "$0 - $1", &[&left, &right])
            }
            2 => {
                let (left, right) = (
                    self.varying(Kind::Duration, depth).at(Binding::Sum),
                    self.make(Kind::Duration, depth).at(Binding::Product),
                );
                let template = self.pick(&["$0 + $1", "$0 - $1"]);
                Expression::join(Kind::Duration, Binding::Sum, template, &[&left, &right])
            }
            _ => self.choice(Kind::Duration, depth),
        }
    }

    /// A value whose type the data decides.
    pub(crate) fn any(&mut self, depth: u32) -> Expression {
        match self.random.u32(0..10) {
            0..3 if self.reach == Reach::Record => self.looked_up(),
            3 | 4 => {
                let attributes = self.attributes();
                let key = quoted(self.key());
                let default = self.make(Kind::Any, depth);
                let flow = format!("$0[?{key}].orValue($1)");
                // The oracle evaluates the default even where it is not needed.
                let oracle = format!("({key} in $0 ? $0[{key}] : ($1))");
                let parts = [&attributes, &default];
                Expression::translate(Kind::Any, Binding::Primary, &flow, &oracle, &parts)
            }
            5 => self.choice(Kind::Any, depth),
            6 => {
                let kind =
                    self.pick(&[Kind::Int, Kind::Uint, Kind::Double, Kind::Text, Kind::Bool]);
                let operand = self.varying(kind, depth);
                Expression::join(Kind::Any, Binding::Primary, "dyn($0)", &[&operand])
            }
            7 => {
                let operator = self.pick(&["+", "-", "*"]);
                let left = self.varying(Kind::Any, depth).at(Binding::Product);
                let right = self.make(Kind::Int, depth).at(Binding::Unary);
                let template = format!("dyn($0 {operator} $1)");
                Expression::join(Kind::Any, Binding::Primary, &template, &[&left, &right])
            }
            8 => {
                let attributes = self.attributes();
                let key = self.varying(Kind::Text, depth);
                Expression::join(Kind::Any, Binding::Primary, "$0[$1]", &[&attributes, &key])
            }
            _ => self.attribute(),
        }
    }

    /// Something inside a body.
    fn looked_up(&mut self) -> Expression {
        let mut path = String::from("log.body");
        for _ in 0..self.random.u32(1..=2) {
            let step = match self.random.u32(0..3) {
                0 => format!("[{}]", self.random.u32(0..3)),
                1 => format!(".{}", self.pick(&["a", "n", "map", "list", "x"])),
                _ => format!("[{}]", quoted(self.key())),
            };
            path.push_str(&step);
        }
        Expression::leaf(Kind::Any, path)
    }
}
