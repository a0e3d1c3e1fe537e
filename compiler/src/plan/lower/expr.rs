//! Lowers expressions: what the checker computed becomes a literal, what is `bool` a condition, the rest a value.

use watershed_lang::diagnostic::{Code, Diagnostic};
use watershed_lang::span::Span;

use super::Lowering;
use crate::catalog::signals::{FieldSpec, Reader};
use crate::check::constant::Constant as Computed;
use crate::check::types::{Level, Type};
use crate::hir::{ArithmeticOp, ExprId, ExprKind, Function, Literal};
use crate::plan::{Condition, ConditionKind, Constant, TextTest, Value, ValueKind};

impl Lowering<'_> {
    /// An expression of type `bool`, or a `dyn` one that stands where a `bool` is needed.
    pub(super) fn condition(&mut self, id: ExprId) -> Condition {
        let span = self.program.exprs.at(id).span;
        let kind = match self.types.constant(id) {
            Some(Computed::Bool(true)) => ConditionKind::Constant(Constant::True),
            Some(Computed::Bool(false)) => ConditionKind::Constant(Constant::False),
            Some(_) => ConditionKind::Constant(Constant::Error),
            None => self.condition_kind(id),
        };
        Condition {
            kind,
            level: self.types.level(id),
            span,
        }
    }

    fn condition_kind(&mut self, id: ExprId) -> ConditionKind {
        let program = self.program;
        match &program.exprs.at(id).kind {
            ExprKind::Const(constant) => self.condition_kind(program.consts.at(*constant).value),
            ExprKind::Predicate(predicate) => ConditionKind::Predicate(*predicate),
            ExprKind::Not(operand) => ConditionKind::Not(Box::new(self.condition(*operand))),
            ExprKind::And(operands) => ConditionKind::All(self.conditions(operands)),
            ExprKind::Or(operands) => ConditionKind::Any(self.conditions(operands)),
            ExprKind::Conditional { arms, otherwise } => ConditionKind::If {
                arms: arms
                    .iter()
                    .map(|(when, then)| (self.condition(*when), self.condition(*then)))
                    .collect(),
                otherwise: Box::new(self.condition(*otherwise)),
            },
            ExprKind::Compare {
                op, left, right, ..
            } => ConditionKind::Compare {
                op: *op,
                left: self.value(*left),
                right: self.value(*right),
            },
            ExprKind::In {
                element, container, ..
            } => self.membership(*element, *container),
            ExprKind::HasField(field) => {
                ConditionKind::HasField(field_value(field, program.exprs.at(id).span))
            }
            ExprKind::Has { operand, key } => self.has(*operand, *key),
            ExprKind::Call { function, args, .. } => self.call_condition(id, *function, args),
            _ => ConditionKind::Boolean(Box::new(self.value(id))),
        }
    }

    fn conditions(&mut self, ids: &[ExprId]) -> Vec<Condition> {
        ids.iter().map(|id| self.condition(*id)).collect()
    }

    fn call_condition(&mut self, id: ExprId, function: Function, args: &[ExprId]) -> ConditionKind {
        let test = match function {
            Function::StartsWith => TextTest::StartsWith,
            Function::EndsWith => TextTest::EndsWith,
            Function::Contains => TextTest::Contains,
            Function::Matches => return self.matches(id, args),
            _ => return ConditionKind::Boolean(Box::new(self.value(id))),
        };
        match args {
            [text, part] => ConditionKind::TextTest {
                test,
                text: self.value(*text),
                part: self.value(*part),
            },
            _ => ConditionKind::Constant(Constant::Error),
        }
    }

    fn matches(&mut self, id: ExprId, args: &[ExprId]) -> ConditionKind {
        match (args, self.types.regex(id)) {
            ([text, _], Some(pattern)) => ConditionKind::Matches {
                text: self.value(*text),
                pattern: pattern.to_owned(),
            },
            _ => {
                self.unsupported(id, "a regular expression that is only known at run time");
                ConditionKind::Constant(Constant::Error)
            }
        }
    }

    fn membership(&mut self, element: ExprId, container: ExprId) -> ConditionKind {
        if let Some((map, key)) = self.attribute(container, element) {
            let span = self.program.exprs.at(element).span;
            return ConditionKind::HasAttribute(attribute_value(map, key, span));
        }
        let element = self.value(element);
        let container = self.value(container);
        match container.kind {
            ValueKind::List(list) => ConditionKind::OneOf { element, list },
            _ => ConditionKind::ContainedIn { element, container },
        }
    }

    fn has(&mut self, operand: ExprId, key: ExprId) -> ConditionKind {
        if let Some((map, key)) = self.attribute(operand, key) {
            let span = self.program.exprs.at(operand).span;
            return ConditionKind::HasAttribute(attribute_value(map, key, span));
        }
        let key = match self.types.constant(key) {
            Some(Computed::String(key)) => key.clone(),
            _ => String::new(),
        };
        ConditionKind::HasKey {
            operand: self.value(operand),
            key,
        }
    }

    /// An expression whose value is wanted.
    pub(super) fn value(&mut self, id: ExprId) -> Value {
        let span = self.program.exprs.at(id).span;
        // An absent value is a missing one, so an optional is its value.
        let ty = match self.types.ty(id) {
            Type::Optional(value) => value.as_ref().clone(),
            ty => ty.clone(),
        };
        if let Some(computed) = self.types.constant(id) {
            return computed_value(computed, ty, span);
        }
        let kind = if ty == Type::Bool && self.is_condition(id) {
            ValueKind::Condition(Box::new(self.condition(id)))
        } else {
            self.value_kind(id)
        };
        Value {
            kind,
            ty,
            level: self.types.level(id),
            span,
        }
    }

    /// Whether an expression of type `bool` is made of operators and tests, and not read from somewhere.
    fn is_condition(&self, id: ExprId) -> bool {
        match &self.program.exprs.at(id).kind {
            ExprKind::Config(_) | ExprKind::Field(_) | ExprKind::Index { .. } => false,
            ExprKind::Call { function, .. } => {
                matches!(
                    function,
                    Function::StartsWith
                        | Function::EndsWith
                        | Function::Contains
                        | Function::Matches
                )
            }
            _ => true,
        }
    }

    fn value_kind(&mut self, id: ExprId) -> ValueKind {
        let program = self.program;
        match &program.exprs.at(id).kind {
            ExprKind::Const(constant) => self.value_kind(program.consts.at(*constant).value),
            ExprKind::Config(config) => ValueKind::Config(*config),
            ExprKind::Field(field) if field.reader == Reader::Attributes => {
                self.unsupported(id, "a whole map of attributes as a value")
            }
            ExprKind::Field(field) => ValueKind::Field(field),
            ExprKind::Index { operand, index, .. } => self.index(id, *operand, *index),
            ExprKind::Call { function, args, .. } => self.call_value(id, *function, args),
            ExprKind::Arithmetic {
                op, left, right, ..
            } => self.arithmetic(id, *op, *left, *right),
            ExprKind::Conditional { arms, otherwise } => ValueKind::If {
                arms: arms
                    .iter()
                    .map(|(when, then)| (self.condition(*when), self.value(*then)))
                    .collect(),
                otherwise: Box::new(self.value(*otherwise)),
            },
            ExprKind::List(elements) => ValueKind::List(
                elements
                    .iter()
                    .map(|element| self.value(*element))
                    .collect(),
            ),
            ExprKind::Negate(_) => self.unsupported(id, "the negative of a value"),
            _ => self.unsupported(id, "this expression as a value"),
        }
    }

    fn index(&mut self, id: ExprId, operand: ExprId, index: ExprId) -> ValueKind {
        if let Some((map, key)) = self.attribute(operand, index) {
            return ValueKind::Attribute { map, key };
        }
        match self.types.ty(operand) {
            Type::Map(_) => self.unsupported(id, "a key that is only known at run time"),
            _ => ValueKind::Index {
                operand: Box::new(self.value(operand)),
                index: Box::new(self.value(index)),
            },
        }
    }

    /// `resource.attributes` and a key that is known, as one look-up.
    fn attribute(&self, map: ExprId, key: ExprId) -> Option<(&'static FieldSpec, String)> {
        match (&self.program.exprs.at(map).kind, self.types.constant(key)) {
            (ExprKind::Field(field), Some(Computed::String(key)))
                if field.reader == Reader::Attributes =>
            {
                Some((field, key.clone()))
            }
            _ => None,
        }
    }

    fn call_value(&mut self, id: ExprId, function: Function, args: &[ExprId]) -> ValueKind {
        match (function, args) {
            (Function::Size, [operand]) => ValueKind::Size(Box::new(self.value(*operand))),
            (
                Function::OrString | Function::OrInt | Function::OrDouble | Function::OrBool,
                [value, default],
            ) => ValueKind::OrTyped {
                value: Box::new(self.value(*value)),
                default: Box::new(self.value(*default)),
            },
            (Function::OrValue, [value, default]) => ValueKind::Or {
                value: Box::new(self.value(*value)),
                default: Box::new(self.value(*default)),
            },
            _ => self.unsupported(id, "this function as a value"),
        }
    }

    fn arithmetic(
        &mut self,
        id: ExprId,
        op: ArithmeticOp,
        left: ExprId,
        right: ExprId,
    ) -> ValueKind {
        match (op, self.types.ty(id)) {
            (ArithmeticOp::Add, Type::String) => {
                let mut parts = Vec::new();
                self.concatenation(left, &mut parts);
                self.concatenation(right, &mut parts);
                ValueKind::Concatenate(parts)
            }
            (ArithmeticOp::Add, Type::Int | Type::Uint | Type::Double) => {
                ValueKind::Add(Box::new(self.value(left)), Box::new(self.value(right)))
            }
            _ => self.unsupported(id, &format!("`{}` here", op.symbol())),
        }
    }

    /// The texts of `a + b + …`, however it is bracketed.
    fn concatenation(&mut self, id: ExprId, parts: &mut Vec<Value>) {
        match self.program.exprs.at(id).kind {
            ExprKind::Arithmetic {
                op: ArithmeticOp::Add,
                left,
                right,
                ..
            } if self.types.constant(id).is_none() => {
                self.concatenation(left, parts);
                self.concatenation(right, parts);
            }
            _ => parts.push(self.value(id)),
        }
    }

    /// Reports a form that this version cannot compile and stands in for it.
    fn unsupported(&mut self, id: ExprId, what: &str) -> ValueKind {
        let span = self.program.exprs.at(id).span;
        let message = format!("{what} is not supported yet");
        self.diagnostics
            .push(Diagnostic::new(Code::UnsupportedExpression, message, span));
        ValueKind::Failed
    }
}

/// What the checker computed, as a value.
fn computed_value(computed: &Computed, ty: Type, span: Span) -> Value {
    let kind = match computed {
        Computed::Null => ValueKind::Literal(Literal::Null),
        Computed::Bool(value) => ValueKind::Literal(Literal::Bool(*value)),
        Computed::Int(value) => ValueKind::Literal(Literal::Int(*value)),
        Computed::Uint(value) => ValueKind::Literal(Literal::Uint(*value)),
        Computed::Double(value) => ValueKind::Literal(Literal::Double(*value)),
        Computed::String(value) => ValueKind::Literal(Literal::String(value.clone())),
        Computed::Bytes(value) => ValueKind::Literal(Literal::Bytes(value.clone())),
        Computed::Duration(value) => ValueKind::Literal(Literal::Duration(*value)),
        Computed::List(elements) => ValueKind::List(
            elements
                .iter()
                .map(|element| computed_value(element, element.ty(), span))
                .collect(),
        ),
        Computed::Failed(_) => ValueKind::Failed,
    };
    Value {
        kind,
        ty,
        level: Level::Const,
        span,
    }
}

fn field_value(field: &'static FieldSpec, span: Span) -> Value {
    Value {
        kind: ValueKind::Field(field),
        ty: field.ty(),
        level: field.level(),
        span,
    }
}

fn attribute_value(map: &'static FieldSpec, key: String, span: Span) -> Value {
    Value {
        kind: ValueKind::Attribute { map, key },
        ty: Type::Dyn,
        level: map.level(),
        span,
    }
}
