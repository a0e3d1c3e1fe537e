//! The places where expressions stand: conditions, values, constants.
//!
//! A condition must be a `bool` and may fail; a value must be typed and may not. What would make it right is made
//! here, from the expression itself.

use super::Checker;
use super::type_error::{Rewrite, TypeError};
use super::types::{Fails, Failure, Level, Type, Typed};
use crate::hir::{CompareOp, Config, ConfigType, ExprId, ExprKind, Function, Literal, print};
use crate::resolve::NotSupportedYet;

impl Checker<'_> {
    /// A condition: of a predicate, a filter, an arm.
    pub(super) fn predicate_position(&mut self, id: ExprId) {
        self.infer_refusing_sums(id);
        match self.table.ty(id).clone() {
            Type::Bool => {}
            Type::Error => {}
            other => {
                let (span, rewrite) = (self.span(id), self.bool_form(id));
                self.report(TypeError::NotBool {
                    ty: other,
                    span,
                    rewrite,
                });
                *self.table.exprs.at_mut(id) = Typed {
                    ty: Type::Bool,
                    ..Typed::ERROR
                };
            }
        }
    }

    /// A value that must be known at build time.
    pub(super) fn constant_position(&mut self, id: ExprId, what: impl Fn() -> String) {
        self.infer_refusing_sums(id);
        let typed = self.table.get(id).clone();
        if typed.ty == Type::Error {
            return;
        }
        let span = self.span(id);
        if typed.level > Level::Const {
            self.report(TypeError::NotConstant {
                what: what(),
                level: typed.level,
                span,
            });
            *self.table.exprs.at_mut(id) = Typed::ERROR;
        } else if typed.constant.is_none() {
            self.report(NotSupportedYet {
                what: "a constant of this form".to_owned(),
                span,
            });
            *self.table.exprs.at_mut(id) = Typed::ERROR;
        }
    }

    /// The default of a config.
    pub(super) fn default(&mut self, config: &Config) {
        let Some(id) = config.default else { return };
        self.constant_position(id, || format!("the default of `{}`", config.name.value));
        let wanted = super::infer::config_type(config.ty);
        let found = self.table.ty(id).clone();
        if found != Type::Error && found != wanted && config.ty != ConfigType::Secret {
            let (config_name, wanted, span) =
                (config.name.clone(), config.ty.name(), self.span(id));
            self.report(TypeError::WrongDefault {
                config: config_name,
                wanted,
                found,
                span,
            });
        }
    }

    /// A value: of an option. `position` names what needs it.
    pub(super) fn value_position(&mut self, id: ExprId, position: &str, wanted: &Type) {
        self.open_sums.clear();
        self.infer(id);
        let sums = std::mem::take(&mut self.open_sums);
        let ty = self.table.ty(id).clone();
        if ty == Type::Error {
            return;
        }
        if let Some((part, fails)) = self.weak_part(id, &sums, wanted) {
            let rewrite = self.total_form(part, wanted);
            let (position, span) = (position.to_owned(), self.span(part));
            self.report(TypeError::Fallible {
                position,
                span,
                fails,
                rewrite,
            });
            *self.table.exprs.at_mut(id) = Typed::ERROR;
        }
    }

    /// The first part that keeps a value from being total and typed, with the reasons.
    fn weak_part(&self, id: ExprId, sums: &[ExprId], wanted: &Type) -> Option<(ExprId, Fails)> {
        let of_any_type = |part: ExprId| {
            (
                part,
                self.table
                    .fails(part)
                    .or(Fails::because(Failure::WrongType)),
            )
        };
        if let Some(open) = sums.first() {
            return Some(of_any_type(*open));
        }
        if !self.table.fails(id).is_total() {
            let part = self.first_failing(id);
            return Some(match self.table.ty(part) {
                Type::Dyn if *wanted != Type::Dyn => of_any_type(part),
                _ => (part, self.table.fails(part)),
            });
        }
        match self.table.ty(id) {
            Type::Dyn => Some(of_any_type(id)),
            Type::Optional(_) => Some((id, Fails::because(Failure::MissingKey))),
            _ => None,
        }
    }

    /// The smallest part that can fail by itself; a look-up with all look-ups that it stands on.
    fn first_failing(&self, id: ExprId) -> ExprId {
        let kind = &self.program.exprs.at(id).kind;
        if matches!(kind, ExprKind::Index { .. }) {
            return id;
        }
        let failing = kind
            .children()
            .into_iter()
            .find(|child| !self.table.fails(*child).is_total());
        failing.map_or(id, |child| self.first_failing(child))
    }

    /// Fills in an expression in whose place a sum with an operand of any type cannot stand.
    fn infer_refusing_sums(&mut self, id: ExprId) {
        self.open_sums.clear();
        self.infer(id);
        for open in std::mem::take(&mut self.open_sums) {
            let span = self.span(open);
            self.report(NotSupportedYet {
                what: "`+` on a value that can be of any type".to_owned(),
                span,
            });
            *self.table.exprs.at_mut(id) = Typed {
                ty: Type::Bool,
                ..Typed::ERROR
            };
        }
    }

    /// The form of a look-up that always has a value of the wanted type.
    fn total_form(&self, part: ExprId, wanted: &Type) -> Option<Rewrite> {
        let (value, wanted) = match &self.program.exprs.at(part).kind {
            ExprKind::Call {
                function: Function::OrValue,
                args,
                ..
            } => (*args.first()?, wanted.clone()),
            _ => (
                part,
                self.compared_with(part).unwrap_or_else(|| wanted.clone()),
            ),
        };
        let (function, default) = match wanted {
            Type::String => (Function::OrString, "\"unknown\""),
            Type::Int => (Function::OrInt, "0"),
            Type::Double => (Function::OrDouble, "0.0"),
            Type::Bool => (Function::OrBool, "false"),
            _ => return None,
        };
        let text = format!(
            "{}.{}({default})",
            self.optional_form(value)?,
            function.name()
        );
        Some(Rewrite {
            span: self.span(part),
            help: format!("say what stands for it: `{text}`"),
            text,
        })
    }

    /// The type of the other side, when the part is compared with something.
    fn compared_with(&self, part: ExprId) -> Option<Type> {
        self.program
            .exprs
            .iter()
            .find_map(|(_, expr)| match &expr.kind {
                ExprKind::Compare { left, right, .. } if *left == part => {
                    Some(self.table.ty(*right).clone())
                }
                ExprKind::Compare { left, right, .. } if *right == part => {
                    Some(self.table.ty(*left).clone())
                }
                _ => None,
            })
    }

    /// `a["x"]["y"]` as `a[?"x"][?"y"]`; other values as they are.
    fn optional_form(&self, id: ExprId) -> Option<String> {
        match &self.program.exprs.at(id).kind {
            ExprKind::Index { operand, index, .. } => {
                let operand = self.optional_form(*operand)?;
                Some(format!("{operand}[?{}]", print::expr(self.program, *index)))
            }
            ExprKind::Error => None,
            _ => Some(print::operand(self.program, id)),
        }
    }

    /// How to make a `bool` of a value.
    pub(super) fn bool_form(&self, id: ExprId) -> Option<Rewrite> {
        let span = self.span(id);
        let text = print::operand(self.program, id);
        let (text, help) = match self.table.ty(id) {
            Type::Dyn => (
                format!("{text} {} true", CompareOp::Equal.symbol()),
                "compare it",
            ),
            Type::Optional(_) => (
                format!("{text}.orBool(false)"),
                "say what an absent one stands for",
            ),
            Type::Int if !self.is_literal(id) => (format!("{text} != 0"), "compare it"),
            Type::Uint if !self.is_literal(id) => (format!("{text} != 0u"), "compare it"),
            Type::String if !self.is_literal(id) => (format!("{text} != \"\""), "compare it"),
            _ => return None,
        };
        Some(Rewrite {
            span,
            help: format!("{help}: `{text}`"),
            text,
        })
    }

    fn is_literal(&self, id: ExprId) -> bool {
        matches!(
            self.program.exprs.at(id).kind,
            ExprKind::Literal(Literal::Int(_) | Literal::Uint(_) | Literal::String(_))
        )
    }
}
