//! The layout of CEL expressions.
//!
//! An expression that does not fit on its line ends lines before its weakest operators, then before stronger ones;
//! `c ? a : b` before `?` and `:`; calls of several methods before each of them; lists and arguments behind each
//! element. Parentheses stay as they were written.

use super::doc::Seq;
use super::layout::{INDENT, Layout, Style};

/// An expression and what it is to the construct around it.
pub(super) struct Expression<'a> {
    pub(super) seq: Seq<'a>,
    form: Form,
}

/// What the layout of the construct around an expression depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// A list or a map.
    List,
    /// One token, a call of a function or a record: nothing is won by beginning it on a line of its own.
    Compact,
    /// Anything else.
    Other,
}

/// A binary operator, how strongly it binds, and its right operand.
struct Operation<'a> {
    strength: u8,
    operator: Seq<'a>,
    right: Expression<'a>,
}

impl<'a> Layout<'a> {
    /// An expression as an element of something.
    pub(super) fn element(&mut self, seq: &mut Seq<'a>) {
        let expression = self.expression();
        seq.append(expression.seq);
    }

    /// What stands behind a `=` or a `:`.
    pub(super) fn value(&mut self, seq: &mut Seq<'a>) {
        let value = self.expression();
        if value.form != Form::Other {
            seq.space();
            seq.append(value.seq);
            return;
        }
        let mut nested = Seq::new();
        nested.line(" ", false);
        nested.append(value.seq);
        let mut group = Seq::new();
        group.nest(INDENT, nested);
        seq.group(group);
    }

    /// Any expression.
    pub(super) fn expression(&mut self) -> Expression<'a> {
        let first = self.binary();
        if !self.is("?") {
            return first;
        }
        let mut branches = Seq::new();
        while self.is("?") {
            self.branch_of_condition(&mut branches);
            self.branch_of_condition(&mut branches);
        }
        let mut seq = first.seq;
        seq.nest(INDENT, branches);
        Expression {
            seq: seq.grouped(),
            form: Form::Other,
        }
    }

    /// `? value` or `: value`.
    fn branch_of_condition(&mut self, seq: &mut Seq<'a>) {
        seq.line(" ", false);
        self.take(seq);
        seq.space();
        seq.append(self.binary().seq);
    }

    /// Operands with operators between them.
    fn binary(&mut self) -> Expression<'a> {
        let first = self.unary();
        let mut operations = Vec::new();
        while let Some(strength) = strength(self.text(0)) {
            let mut operator = Seq::new();
            self.take(&mut operator);
            operations.push(Operation {
                strength,
                operator,
                right: self.unary(),
            });
        }
        by_strength(first, operations)
    }

    /// Signs, an operand and what hangs on it.
    fn unary(&mut self) -> Expression<'a> {
        let start = self.position();
        let mut seq = Seq::new();
        while self.is("!") || self.is("-") {
            self.take(&mut seq);
        }
        let signed = self.position() > start;
        let form = match self.text(0) {
            "[" | "{" => Form::List,
            "(" => Form::Other,
            _ => Form::Compact,
        };
        self.primary(&mut seq);
        let alone = !matches!(self.text(0), "." | "[") && !signed;
        self.members(&mut seq);
        Expression {
            seq,
            form: if alone { form } else { Form::Other },
        }
    }

    fn primary(&mut self, seq: &mut Seq<'a>) {
        let inner = match self.text(0) {
            "(" => self.list(Style::ARGUMENTS, Self::element),
            "[" => self.list(Style::LIST, Self::optional_element),
            "{" => self.list(Style::LIST, Self::entry),
            // Nothing of an expression begins here; the caller knows what to do with it.
            "" | ")" | "]" | "}" | ";" | "," | ":" | "=>" => return,
            _ => {
                self.take_if(".", seq);
                self.take(seq);
                if !self.is("(") {
                    return;
                }
                self.list(Style::ARGUMENTS, Self::element)
            }
        };
        seq.append(inner);
    }

    /// Fields, calls of methods, indices and the fields of records. When there are several calls, each may stand on
    /// a line of its own.
    fn members(&mut self, seq: &mut Seq<'a>) {
        let mut members = Vec::new();
        let mut calls = 0;
        while let Some((member, call)) = self.member() {
            calls += usize::from(call);
            members.push((member, call));
        }
        let mut links = Seq::new();
        let mut broken = false;
        for (member, call) in members {
            broken |= call && calls > 1;
            if broken && call {
                links.line("", false);
            }
            let target = if broken { &mut links } else { &mut *seq };
            target.append(member);
        }
        if broken {
            let mut chain = std::mem::take(seq);
            chain.nest(INDENT, links);
            seq.group(chain);
        }
    }

    /// One member and whether it is a call.
    fn member(&mut self) -> Option<(Seq<'a>, bool)> {
        let mut seq = Seq::new();
        match self.text(0) {
            "." => {
                self.take(&mut seq);
                self.take_if("?", &mut seq);
                self.take(&mut seq);
                let call = self.is("(");
                if call {
                    seq.append(self.list(Style::ARGUMENTS, Self::element));
                }
                return Some((seq, call));
            }
            "[" => seq.append(self.list(Style::ARGUMENTS, Self::optional_element)),
            "{" => seq.append(self.list(Style::LIST, Self::entry)),
            _ => return None,
        }
        Some((seq, false))
    }

    /// `element` or `?element`.
    fn optional_element(&mut self, seq: &mut Seq<'a>) {
        self.take_if("?", seq);
        self.element(seq);
    }

    /// `key: value` or `?key: value`, in a map or a record.
    fn entry(&mut self, seq: &mut Seq<'a>) {
        self.optional_element(seq);
        if self.take_if(":", seq) {
            self.value(seq);
        }
    }
}

/// How strongly a binary operator binds.
fn strength(operator: &str) -> Option<u8> {
    Some(match operator {
        "||" => 0,
        "&&" => 1,
        "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" => RELATION,
        "+" | "-" => 3,
        "*" | "/" | "%" => 4,
        _ => return None,
    })
}

const RELATION: u8 = 2;

/// One group for the weakest operators, with groups for stronger ones in it. There are five strengths, so this calls
/// itself at most five times deep.
fn by_strength<'a>(first: Expression<'a>, operations: Vec<Operation<'a>>) -> Expression<'a> {
    let weakest = operations.iter().map(|operation| operation.strength).min();
    let Some(weakest) = weakest else {
        return first;
    };
    let mut operand = (first, Vec::new());
    let mut group = Seq::new();
    let mut operator: Option<Seq<'a>> = None;
    let mut add = |operator: Option<Seq<'a>>, operand: Expression<'a>| {
        let Some(operator) = operator else {
            group.append(operand.seq);
            return;
        };
        // A list behind a relation is better broken inside than put on a line of its own.
        let hangs = weakest == RELATION && operand.form == Form::List;
        let mut part = Seq::new();
        if hangs {
            part.space();
        } else {
            part.line(" ", false);
        }
        part.append(operator);
        part.space();
        part.append(operand.seq);
        group.nest(if hangs { 0 } else { INDENT }, part);
    };
    for operation in operations {
        if operation.strength == weakest {
            let (first, stronger) = std::mem::replace(&mut operand, (operation.right, Vec::new()));
            add(operator.take(), by_strength(first, stronger));
            operator = Some(operation.operator);
        } else {
            operand.1.push(operation);
        }
    }
    add(operator, by_strength(operand.0, operand.1));
    Expression {
        seq: group.grouped(),
        form: Form::Other,
    }
}
