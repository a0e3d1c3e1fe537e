//! Random conditions.

use crate::expression::{Binding, Expression, Kind, quoted, words};
use crate::generator::{Generator, Reach};
use crate::pools;

/// Regular expressions that mean the same in RE2 and in the oracle, and those that need a translation: the classes of
/// RE2 are ASCII.
const PATTERNS: &[(&str, &str)] = &[
    ("^a", "^a"),
    ("b$", "b$"),
    ("[0-9]+", "[0-9]+"),
    ("^(a|ab)*c?$", "^(a|ab)*c?$"),
    ("^.{2}$", "^.{2}$"),
    ("(?i)ERR|prod", "(?i)ERR|prod"),
    ("a\\.b", "a\\.b"),
    ("^[^a]", "^[^a]"),
    ("é|日", "é|日"),
    ("^\\d+$", "^[0-9]+$"),
    ("\\w", "[0-9A-Za-z_]"),
    ("^\\S+$", "^[^\\t\\n\\f\\r ]+$"),
    ("", ""),
];

const ORDERS: &[&str] = &["<", "<=", ">", ">="];
const EQUALITIES: &[&str] = &["==", "!="];

impl Generator {
    pub(crate) fn condition(&mut self, depth: u32) -> Expression {
        match self.random.u32(0..24) {
            0..6 => self.connective(depth),
            6 | 7 => self.negation(depth),
            8 => self.choice(Kind::Bool, depth),
            9..13 => self.comparison(depth),
            13 | 14 => self.membership(depth),
            15 => self.presence(),
            16 | 17 => self.text_test(depth),
            18 => self.matches(depth),
            19 | 20 => self.quantified(depth),
            21 => self.type_test(depth),
            22 => self.list_equality(depth),
            _ => {
                let operand = self.varying(Kind::Any, depth).at(Binding::Primary);
                Expression::join(Kind::Bool, Binding::Primary, "bool($0)", &[&operand])
            }
        }
    }

    /// `a && b && …`, `a || b || …`
    fn connective(&mut self, depth: u32) -> Expression {
        let (binding, operator) = self.pick(&[(Binding::And, "&&"), (Binding::Or, "||")]);
        let count = self.random.usize(2..=4);
        let operands: Vec<_> = (0..count)
            .map(|_| {
                let operand = self.shallower(|generator| generator.operand(depth));
                operand.at(binding)
            })
            .collect();
        let places: Vec<_> = (0..count).map(|place| format!("${place}")).collect();
        let template = places.join(&format!(" {operator} "));
        let parts: Vec<_> = operands.iter().collect();
        Expression::join(Kind::Bool, binding, &template, &parts)
    }

    /// A condition, or a value that the data may have as one.
    fn operand(&mut self, depth: u32) -> Expression {
        if self.one_in(10) {
            return self.read(Kind::Any);
        }
        self.varying(Kind::Bool, depth)
    }

    fn negation(&mut self, depth: u32) -> Expression {
        let operand = self.operand(depth).at(Binding::Unary);
        Expression::join(Kind::Bool, Binding::Unary, "!$0", &[&operand])
    }

    pub(crate) fn comparison(&mut self, depth: u32) -> Expression {
        const KINDS: &[Kind] = &[
            Kind::Int,
            Kind::Int,
            Kind::Uint,
            Kind::Double,
            Kind::Text,
            Kind::Text,
            Kind::Bytes,
            Kind::Bool,
            Kind::Any,
            Kind::Any,
            Kind::Any,
            Kind::Timestamp,
            Kind::Duration,
        ];
        let kind = self.pick(KINDS);
        let is_order = self.random.bool();
        // What the data decides is compared with every other kind.
        let other = match kind {
            Kind::Any if !self.one_in(4) => self.pick(KINDS),
            _ => kind,
        };
        let operator = self.pick(if is_order { ORDERS } else { EQUALITIES });
        let mut left = self.varying(kind, depth).at(Binding::Sum);
        let mut right = self.make(other, depth).at(Binding::Sum);
        if self.random.bool() {
            std::mem::swap(&mut left, &mut right);
        }
        let template = format!("$0 {operator} $1");
        let compared = Expression::join(Kind::Bool, Binding::Relation, &template, &[&left, &right]);
        let doubles = |kind| matches!(kind, Kind::Double | Kind::Any);
        let orders_doubles = is_order && doubles(kind) && doubles(other)
            || is_order && (kind == Kind::Any || other == Kind::Any);
        compared.with(|traits| traits.orders_doubles |= orders_doubles)
    }

    fn membership(&mut self, depth: u32) -> Expression {
        let in_list = "$0 in $1";
        let (element, container) = match self.random.u32(0..6) {
            0 => {
                let key = self.make(Kind::Text, depth);
                (key, self.attributes())
            }
            1 => (self.make(Kind::Text, depth), self.varying(Kind::Any, depth)),
            2 => (
                self.varying(Kind::Any, depth),
                self.varying(Kind::Any, depth),
            ),
            3 => {
                let kind = self.pick(&[Kind::Text, Kind::Int]);
                let list = self.literal_list(kind);
                (self.varying(kind, depth), list)
            }
            4 => {
                let kind = self.pick(&[Kind::Text, Kind::Int, Kind::Double]);
                let list = self.literal_list(kind);
                (self.varying(Kind::Any, depth), list)
            }
            _ => {
                let kind = self.pick(&[Kind::Text, Kind::Int, Kind::Any, Kind::Uint]);
                let list = self.list(kind, depth);
                (self.varying(kind, depth), list)
            }
        };
        let (element, container) = (element.at(Binding::Sum), container.at(Binding::Sum));
        Expression::join(
            Kind::Bool,
            Binding::Relation,
            in_list,
            &[&element, &container],
        )
    }

    /// A set that is known when the flow is compiled.
    fn literal_list(&mut self, kind: Kind) -> Expression {
        if kind == Kind::Text && self.one_in(4) {
            return words();
        }
        let count = if self.one_in(3) {
            self.random.usize(8..=20)
        } else {
            self.random.usize(1..=4)
        };
        let elements: Vec<_> = (0..count).map(|_| self.literal(kind).flow).collect();
        Expression::constant(Kind::Any, format!("[{}]", elements.join(", ")))
    }

    /// `has(…)`, `"k" in m`
    pub(crate) fn presence(&mut self) -> Expression {
        let is_record = self.reach == Reach::Record;
        match self.random.u32(0..6) {
            0 | 1 => {
                let (key, attributes) = (quoted(self.key()), self.attributes());
                let template = format!("{key} in $0");
                Expression::join(Kind::Bool, Binding::Relation, &template, &[&attributes])
            }
            2 if is_record => {
                let key = self.pick(&["a", "n", "map", "list"]);
                Expression::leaf(Kind::Bool, format!("has(log.body.{key})"))
            }
            3 if is_record => {
                // The oracle's record has every field; an unset one has its default.
                let (flow, oracle) = self.pick(&[
                    ("has(log.severity_text)", "(log.severity_text != \"\")"),
                    ("has(log.severity_number)", "(log.severity_number != 0)"),
                    ("has(log.flags)", "(log.flags != 0u)"),
                    ("has(log.trace_id)", "(log.trace_id != b\"\")"),
                    ("has(log.body)", "(log.body != null)"),
                    ("has(scope.name)", "(scope.name != \"\")"),
                ]);
                Expression::translate(Kind::Bool, Binding::Primary, flow, oracle, &[]).reads()
            }
            4 => {
                let (key, attributes) = (quoted(self.key()), self.attributes());
                let template = format!("$0[?{key}].hasValue()");
                Expression::join(Kind::Bool, Binding::Primary, &template, &[&attributes])
            }
            _ => {
                let attributes = self.attributes();
                let key = self.pick(&["a", "n", "flag", "absent"]);
                let template = format!("has($0.{key})");
                Expression::join(Kind::Bool, Binding::Primary, &template, &[&attributes])
            }
        }
    }

    fn text_test(&mut self, depth: u32) -> Expression {
        let function = self.pick(&["startsWith", "endsWith", "contains"]);
        let kind = self.pick(&[Kind::Text, Kind::Any]);
        let text = self.varying(kind, depth).at(Binding::Primary);
        let kind = self.pick(&[Kind::Text, Kind::Text, Kind::Text, Kind::Any]);
        let part = self.make(kind, depth);
        let template = format!("$0.{function}($1)");
        Expression::join(Kind::Bool, Binding::Primary, &template, &[&text, &part])
    }

    fn matches(&mut self, depth: u32) -> Expression {
        let kind = self.pick(&[Kind::Text, Kind::Any]);
        let text = self.varying(kind, depth);
        let (ours, theirs) = self.pick(PATTERNS);
        let (ours, theirs) = (quoted(ours), quoted(theirs));
        if self.one_in(4) {
            let (flow, oracle) = (
                format!("matches($0, {ours})"),
                format!("matches($0, {theirs})"),
            );
            return Expression::translate(Kind::Bool, Binding::Primary, &flow, &oracle, &[&text]);
        }
        let text = text.at(Binding::Primary);
        let (flow, oracle) = (
            format!("$0.matches({ours})"),
            format!("$0.matches({theirs})"),
        );
        Expression::translate(Kind::Bool, Binding::Primary, &flow, &oracle, &[&text])
    }

    /// `m[?"k"].orString("d")` and its kin, which the oracle does not have.
    pub(crate) fn typed_attribute(&mut self, kind: Kind) -> Expression {
        let (function, ty) = match kind {
            Kind::Int => ("orInt", "int"),
            Kind::Double => ("orDouble", "double"),
            Kind::Bool => ("orBool", "bool"),
            _ => ("orString", "string"),
        };
        let default = self.literal(kind);
        if self.reach == Reach::Record && self.one_in(4) {
            return self.typed_part_of_body(kind, (function, ty), &default);
        }
        let attributes = self.attributes();
        let key = quoted(self.pick(pools::KEYS));
        let flow = format!("$0[?{key}].{function}($1)");
        let oracle =
            format!("[$0[?{key}].orValue(null)].map(found, type(found) == {ty} ? found : $1)[0]");
        let parts = [&attributes, &default];
        Expression::translate(kind, Binding::Primary, &flow, &oracle, &parts)
    }

    /// The same of something in a body, which may be of any type: what is no map or list has no parts.
    fn typed_part_of_body(
        &mut self,
        kind: Kind,
        (function, ty): (&str, &str),
        default: &Expression,
    ) -> Expression {
        let (index, container) = if self.one_in(3) {
            (self.random.u32(0..3).to_string(), "list")
        } else {
            (quoted(self.key()), "map")
        };
        let flow = format!("log.body[?{index}].{function}($0)");
        let oracle = format!(
            "(type(log.body) == {container} ? [log.body[?{index}].orValue(null)]\
             .map(found, type(found) == {ty} ? found : $0)[0] : $0)"
        );
        Expression::translate(kind, Binding::Primary, &flow, &oracle, &[default]).reads()
    }

    /// `type(x) == int`
    fn type_test(&mut self, depth: u32) -> Expression {
        let operand = self.varying(Kind::Any, depth);
        let ty = self.pick(&[
            "bool",
            "int",
            "double",
            "string",
            "bytes",
            "list",
            "map",
            "null_type",
        ]);
        let template = format!("type($0) == {ty}");
        Expression::join(Kind::Bool, Binding::Relation, &template, &[&operand])
    }

    /// `m == [1, 2]`
    fn list_equality(&mut self, depth: u32) -> Expression {
        let left = self.varying(Kind::Any, depth).at(Binding::Sum);
        let kind = self.pick(&[Kind::Int, Kind::Text, Kind::Any]);
        let right = self.list(kind, depth);
        let operator = self.pick(EQUALITIES);
        let template = format!("$0 {operator} $1");
        Expression::join(Kind::Bool, Binding::Relation, &template, &[&left, &right])
    }
}
