//! Conditions by polarity: for each boolean expression the plain boolean "it is true" and the plain boolean "it
//! is false", without a value for errors. An error is where neither holds.
//!
//! | e | T(e) | F(e) |
//! | --- | --- | --- |
//! | `a && b` | T(a) and T(b) | F(a) or F(b) |
//! | `a \|\| b` | T(a) or T(b) | F(a) and F(b) |
//! | `!a` | F(a) | T(a) |
//! | `c ? x : y` | T(c) and T(x), or F(c) and T(y) | T(c) and F(x), or F(c) and F(y) |
//! | `k == v` | k is there and equal | k is there and not equal |

use proc_macro2::TokenStream;
use quote::quote;

use super::code::{Bool, Code, Form};
use super::context::{Context, Polarity};
use super::once::OnceParts;
use super::statics::Static;
use crate::catalog::signals::Root;
use crate::hir::{Literal, PredicateId};
use crate::plan::reads::Reads;
use crate::plan::{
    CompareOp, Condition, ConditionKind, Constant, Outcome, Predicate, Test, TextTest, Value,
    ValueKind,
};

/// How the structs of fields stand in the surrounding function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variables {
    /// As variables of their own: a walk.
    Owned,
    /// As parameters that borrow them: a predicate or a subject.
    Borrowed,
}

/// Emits expressions inside one kind of function.
pub(super) struct Expressions<'c, 'p> {
    pub(super) context: &'c Context<'p>,
    pub(super) variables: Variables,
    /// In a walk: what stands before its loops.
    pub(super) once: Option<&'c OnceParts>,
}

impl Expressions<'_, '_> {
    /// Whether a record passes a test. One that reads nothing of the innermost loop is a variable before it.
    pub(super) fn test(&self, test: &Test) -> Bool {
        self.passes(test, |polarity| self.once(&test.condition, polarity))
    }

    /// As [`Self::test`], but only parts that are marked are variables.
    pub(super) fn test_in_place(&self, test: &Test) -> Bool {
        self.passes(test, |polarity| self.condition(&test.condition, polarity))
    }

    fn passes(&self, test: &Test, is: impl Fn(Polarity) -> Bool) -> Bool {
        // What cannot be an error is true or false, and "not true" is "false".
        let total = !self.can_fail(&test.condition);
        match test.outcome {
            Outcome::NotTrue if total => is(Polarity::False),
            Outcome::NotFalse if total => is(Polarity::True),
            Outcome::True => is(Polarity::True),
            Outcome::NotTrue => is(Polarity::True).not(),
            Outcome::False => is(Polarity::False),
            Outcome::NotFalse => is(Polarity::False).not(),
        }
    }

    /// T(condition) or F(condition).
    pub(super) fn condition(&self, condition: &Condition, polarity: Polarity) -> Bool {
        let is_true = polarity == Polarity::True;
        match &condition.kind {
            ConditionKind::Constant(Constant::Error) => Bool::literal(false),
            ConditionKind::Constant(constant) => {
                Bool::literal((*constant == Constant::True) == is_true)
            }
            ConditionKind::Not(operand) => self.condition(operand, polarity.flipped()),
            ConditionKind::All(operands) if is_true => {
                Bool::all(self.conditions(operands, polarity))
            }
            ConditionKind::All(operands) => Bool::any(self.conditions(operands, polarity)),
            ConditionKind::Any(operands) if is_true => {
                Bool::any(self.conditions(operands, polarity))
            }
            ConditionKind::Any(operands) => Bool::all(self.conditions(operands, polarity)),
            ConditionKind::If { arms, otherwise } => self.conditional(arms, otherwise, polarity),
            ConditionKind::Once(part) => self.once(part, polarity),
            ConditionKind::Predicate(id) => self.predicate(*id, polarity),
            ConditionKind::Compare { op, left, right } => self.compare(*op, left, right, polarity),
            ConditionKind::OneOf { element, list } => self.membership(element, list, polarity),
            ConditionKind::ContainedIn { element, container } => {
                let element = self.value(element).into_any();
                let container = self.value(container).into_any_argument();
                truth(&quote!(#element.contained_in(#container)), polarity)
            }
            ConditionKind::HasAttribute(value) => {
                let value = self.value(value).tokens;
                plain(Bool::atom(quote!(#value.is_present())), polarity)
            }
            ConditionKind::HasKey { operand, key } => {
                let operand = self.value(operand).into_any();
                truth(&quote!(#operand.has(#key)), polarity)
            }
            ConditionKind::HasField(value) => plain(self.has_field(value), polarity),
            ConditionKind::TextTest { test, text, part } => {
                self.text_test(*test, text, part, polarity)
            }
            ConditionKind::Matches { text, pattern } => self.matches(text, pattern, polarity),
            ConditionKind::Boolean(value) => self.boolean(self.value(value), polarity),
            ConditionKind::Expression(expression) => self.expression_truth(expression, polarity),
            ConditionKind::Sampled { .. } => plain(self.sampled(condition), polarity),
        }
    }

    /// T(part) or F(part), as a variable where what it reads is known outside of the loop.
    fn once(&self, part: &Condition, polarity: Polarity) -> Bool {
        // What cannot be an error needs one variable for both.
        if polarity == Polarity::False && !self.can_fail(part) {
            return self.once(part, Polarity::True).not();
        }
        let predicate = match part.kind {
            ConditionKind::Predicate(id) => self.context.plan.predicates.get(&id),
            _ => None,
        };
        let name = predicate.map(|predicate| predicate.name.as_str());
        let known = self
            .once
            .and_then(|parts| parts.variable(part, polarity, name));
        known.unwrap_or_else(|| self.condition(part, polarity))
    }

    fn conditions(&self, operands: &[Condition], polarity: Polarity) -> Vec<Bool> {
        operands
            .iter()
            .map(|operand| self.condition(operand, polarity))
            .collect()
    }

    fn conditional(
        &self,
        arms: &[(Condition, Condition)],
        otherwise: &Condition,
        polarity: Polarity,
    ) -> Bool {
        arms.iter().rev().fold(
            self.condition(otherwise, polarity),
            |below, (when, then)| {
                let taken = Bool::all(vec![
                    self.condition(when, Polarity::True),
                    self.condition(then, polarity),
                ]);
                let passed = Bool::all(vec![self.condition(when, Polarity::False), below]);
                Bool::any(vec![taken, passed])
            },
        )
    }

    fn predicate(&self, id: PredicateId, polarity: Polarity) -> Bool {
        let function = self.context.predicate_function(id, polarity);
        let reads = self.context.plan.predicates.get(&id);
        let reads =
            reads.map(|predicate| Reads::of_condition(self.context.plan, &predicate.condition));
        let arguments = self.arguments(&reads.unwrap_or_default());
        Bool::atom(quote!(#function(#(#arguments),*)))
    }

    /// What a function that reads this is called with.
    pub(super) fn arguments(&self, reads: &Reads) -> Vec<TokenStream> {
        let mut arguments = Vec::new();
        if reads.config {
            arguments.push(quote!(config));
        }
        if let Some(template) = reads.template {
            let row = self.context.ident(&self.context.template(template).row);
            arguments.push(quote!(#row));
        }
        if reads.request {
            arguments.push(quote!(request));
        }
        for root in Root::WITH_FIELDS
            .into_iter()
            .filter(|root| reads.reads(*root))
        {
            let variable = self.context.ident(root.name());
            arguments.push(match self.variables {
                Variables::Owned => quote!(&#variable),
                Variables::Borrowed => quote!(#variable),
            });
        }
        arguments
    }

    fn has_field(&self, value: &Value) -> Bool {
        let code = self.value(value);
        let tokens = code.tokens;
        if value.is_map_of_attributes() || value.is_list_of_messages() {
            return Bool::atom(quote!(#tokens.is_empty())).not();
        }
        match code.form {
            Form::Any => Bool::atom(quote!(#tokens.is_not_null())),
            Form::Text | Form::Bytes | Form::Str | Form::Owned => {
                Bool::atom(quote!(#tokens.is_empty())).not()
            }
            Form::Double => Bool::comparison(quote!(#tokens != 0.0)),
            Form::Bool => Bool::atom(tokens),
            Form::Int | Form::Uint => Bool::comparison(quote!(#tokens != 0)),
        }
    }

    fn text_test(&self, test: TextTest, text: &Value, part: &Value, polarity: Polarity) -> Bool {
        if let (TextTest::Contains, Some(Literal::String(needle))) = (test, part.literal()) {
            let needle = self.context.prepared(Static::Needle(needle.clone()));
            let text = self.value(text);
            if text.form == Form::Any {
                let text = text.tokens;
                return truth(&quote!(#text.has_text(&#needle)), polarity);
            }
            return lift_text(text, polarity, |text| quote!(#text.has(&#needle)));
        }
        let (text, part) = (self.value(text), self.value(part));
        if part.form == Form::Any || part.fallible {
            // The part comes from the data: it must be text, else the test is an error.
            let part = part.into_any();
            let inner = Code::total(quote!(part), Form::Text);
            let holds = text_holds(test, text, inner, polarity).tokens;
            return Bool::atom(quote!(#part.as_text().is_some_and(|part| #holds)));
        }
        text_holds(test, text, part, polarity)
    }

    fn matches(&self, text: &Value, pattern: &str, polarity: Polarity) -> Bool {
        let pattern = self.context.prepared(Static::Pattern(pattern.to_owned()));
        let text = self.value(text);
        let holds = match text.form {
            Form::Any => {
                let text = text.tokens;
                truth(&quote!(#text.matches(pattern)), polarity)
            }
            _ => lift_text(text, polarity, |text| quote!(#text.matches(pattern))),
        };
        let holds = holds.tokens;
        Bool::atom(quote!(#pattern.as_ref().is_some_and(|pattern| #holds)))
    }

    fn boolean(&self, code: Code, polarity: Polarity) -> Bool {
        let is_true = polarity == Polarity::True;
        let tokens = code.tokens;
        match (code.form, code.fallible) {
            (Form::Any, _) => truth(&quote!(#tokens.truth()), polarity),
            (_, true) => Bool::comparison(quote!(#tokens == Some(#is_true))),
            (_, false) => plain(Bool::atom(tokens), polarity),
        }
    }

    /// Whether a value may be an error or not be there.
    fn may_be_missing(&self, value: &Value) -> bool {
        match &value.kind {
            ValueKind::Field(field) => !field.is_always_there(),
            ValueKind::Literal(_) | ValueKind::Config(_) => false,
            _ => self.value(value).can_fail(),
        }
    }

    /// Whether a condition can be an error.
    pub(super) fn can_fail(&self, condition: &Condition) -> bool {
        match &condition.kind {
            ConditionKind::Constant(constant) => *constant == Constant::Error,
            ConditionKind::Predicate(id) => {
                let decide = |predicate: &Predicate| self.can_fail(&predicate.condition);
                self.context.can_fail(*id, decide)
            }
            ConditionKind::HasAttribute(_)
            | ConditionKind::HasField(_)
            | ConditionKind::Sampled { .. } => false,
            ConditionKind::Expression(expression) => !expression.node().fails.is_total(),
            ConditionKind::HasKey { .. }
            | ConditionKind::ContainedIn { .. }
            | ConditionKind::Matches { .. } => true,
            // Whatever is there is equal or not; an order and a test of text need the right type.
            ConditionKind::Compare {
                op: CompareOp::Equal | CompareOp::NotEqual,
                ..
            }
            | ConditionKind::OneOf { .. } => {
                let mut values = condition.values().into_iter();
                values.any(|value| self.may_be_missing(value))
            }
            _ => {
                condition
                    .operands()
                    .into_iter()
                    .any(|operand| self.can_fail(operand))
                    || condition
                        .values()
                        .into_iter()
                        .any(|value| self.value(value).can_fail())
            }
        }
    }
}

/// A boolean that cannot fail, by polarity.
fn plain(code: Bool, polarity: Polarity) -> Bool {
    match polarity {
        Polarity::True => code,
        Polarity::False => code.not(),
    }
}

/// A `Truth` by polarity.
pub(super) fn truth(tokens: &TokenStream, polarity: Polarity) -> Bool {
    Bool::atom(match polarity {
        Polarity::True => quote!(#tokens.is_true()),
        Polarity::False => quote!(#tokens.is_false()),
    })
}

/// A boolean over one value that may be an error: then it is neither true nor false.
pub(super) fn lift(value: Code, polarity: Polarity, holds: impl Fn(TokenStream) -> Bool) -> Bool {
    let tokens = value.tokens;
    if value.fallible {
        let inner = plain(holds(quote!(value)), polarity).tokens;
        Bool::atom(quote!(#tokens.is_some_and(|value| #inner)))
    } else {
        plain(holds(tokens), polarity)
    }
}

/// [`lift`] for a method of `Text`.
fn lift_text(text: Code, polarity: Polarity, holds: impl Fn(TokenStream) -> TokenStream) -> Bool {
    let form = text.form;
    lift(text, polarity, |tokens| {
        Bool::atom(holds(Code::total(tokens, form).into_text()))
    })
}

fn text_holds(test: TextTest, text: Code, part: Code, polarity: Polarity) -> Bool {
    let part = part.into_text_argument();
    if text.form == Form::Any {
        let text = text.tokens;
        return match test {
            TextTest::StartsWith => truth(&quote!(#text.starts_with(#part)), polarity),
            TextTest::EndsWith => truth(&quote!(#text.ends_with(#part)), polarity),
            TextTest::Contains => truth(&quote!(#text.contains_text(#part)), polarity),
        };
    }
    lift_text(text, polarity, |text| match test {
        TextTest::StartsWith => quote!(#text.starts_with(#part)),
        TextTest::EndsWith => quote!(#text.ends_with(#part)),
        TextTest::Contains => quote!(#text.contains(#part)),
    })
}
