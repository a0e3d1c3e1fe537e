//! The places where expressions stand: conditions, values, constants.
//!
//! A condition must be a `bool` and may fail; a value must be typed and may not. What would make it right is made
//! from the expression itself.

use std::sync::Arc;

use watershed_lang::ast::ExprKind;
use watershed_lang::span::Span;

use super::Checker;
use super::names::{Binding, config_type};
use super::type_error::{Rewrite, TypeError};
use crate::cel::lint::{Lint, lints};
use crate::cel::mend::{Mend, to_bool};
use crate::cel::typed::NodeKind;
use crate::cel::{self, Mode, Tree, Type, value};
use crate::hir::{Config, ConfigType, ExprId, Setting, SettingValue};
use crate::level::Level;

impl Checker<'_> {
    /// A condition: of a predicate, a filter, an arm.
    pub(super) fn predicate_position(&mut self, id: ExprId) {
        let Some(tree) = self.tree(id) else { return };
        let ty = &tree.root_node().ty;
        if matches!(ty, Type::Bool | Type::Error) {
            return self.keep(id, tree);
        }
        let expr = self.program.exprs.at(id);
        let mend = to_bool(expr, ty, false).map(|(text, kind)| Mend {
            span: expr.span,
            text,
            kind,
        });
        self.report(TypeError::NotBool {
            ty: ty.clone(),
            span: expr.span,
            mend,
        });
    }

    /// A value that must be known at build time.
    pub(super) fn constant_position(&mut self, id: ExprId, what: impl Fn() -> String) {
        let Some(tree) = self.tree(id) else { return };
        let root = tree.root_node();
        let span = self.span(id);
        if root.level > Level::Const {
            self.report(TypeError::NotConstant {
                what: what(),
                level: root.level,
                span,
            });
        } else if root.constant.is_none() && root.ty != Type::Error {
            self.report(match tree.too_large() {
                Some(span) => TypeError::ConstantTooLarge { span },
                None => TypeError::NotComputed { what: what(), span },
            });
        } else {
            self.keep(id, tree);
        }
    }

    /// An option whose value must be known at build time.
    pub(super) fn known_setting(&mut self, setting: &Setting) {
        self.setting(setting);
        let SettingValue::Expr(id) = setting.value else {
            return;
        };
        let level = self.table.level(id);
        if self.table.tree(id).is_some()
            && level == Level::Const
            && self.table.constant(id).is_none()
        {
            let (what, span) = (format!("`{}`", setting.spec.name), setting.span);
            self.report(TypeError::NotComputed { what, span });
        }
    }

    /// The path of a change: what it names is looked at and not read.
    pub(super) fn path_position(&mut self, id: ExprId) {
        if let Some(tree) = self.tree(id) {
            self.keep(id, tree);
        }
    }

    /// The default of a config.
    pub(super) fn default(&mut self, config: &Config) {
        let Some(id) = config.default else { return };
        self.constant_position(id, || format!("the default of `{}`", config.name.value));
        let wanted = config_type(config.ty);
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
        let Some(tree) = self.tree(id) else { return };
        let expr = self.program.exprs.at(id);
        let Some(weak) = value::weak_part(expr, &tree, wanted) else {
            return self.keep(id, tree);
        };
        let rewrite = weak.total_form.map(|text| Rewrite {
            span: weak.span,
            help: format!("say what stands for it: `{text}`"),
            text,
        });
        self.report(TypeError::Fallible {
            position: position.to_owned(),
            span: weak.span,
            fails: weak.fails,
            rewrite,
        });
    }

    /// Whether an expression is nothing but the name of a secret, which some options take.
    pub(super) fn is_secret(&self, id: ExprId) -> bool {
        let ExprKind::Ident { name, .. } = &self.program.exprs.at(id).kind else {
            return false;
        };
        let variable = self.table.names.environment().variables.get(name);
        variable.is_some_and(|variable| self.stands_for_secret(self.table.binding(variable.id)))
    }

    /// Takes the name of a secret as the value of an option.
    pub(super) fn keep_secret(&mut self, id: ExprId) {
        let environment = self.table.names.environment();
        let checked = cel::check(self.program.exprs.at(id), environment, Mode::Static);
        self.keep(id, Arc::new(checked.tree));
    }

    fn stands_for_secret(&self, binding: Binding) -> bool {
        match binding {
            Binding::Config(id) => self.program.configs.at(id).ty == ConfigType::Secret,
            _ => false,
        }
    }

    /// The typed tree of an expression; `None` when something is wrong with it, which is reported.
    fn tree(&mut self, id: ExprId) -> Option<Arc<Tree>> {
        let expr = self.program.exprs.at(id);
        let checked = cel::check(expr, self.table.names.environment(), Mode::Static);
        let is_broken = !checked.errors.is_empty() || self.refuse_secrets(&checked.tree);
        checked
            .errors
            .into_iter()
            .for_each(|error| self.report(error));
        // A part with a reported mistake says nothing about the rest.
        let is_open = checked.tree.nodes().any(|(_, node)| node.ty == Type::Error);
        if is_broken || is_open || self.refuse_failures(&checked.tree) {
            return None;
        }
        Some(Arc::new(checked.tree))
    }

    fn keep(&mut self, id: ExprId, tree: Arc<Tree>) {
        self.table.trees.insert(id, tree);
    }

    /// Secrets are values of options, never operands.
    fn refuse_secrets(&mut self, tree: &Tree) -> bool {
        let secrets: Vec<Span> = tree
            .nodes()
            .filter_map(|(_, node)| match node.kind {
                NodeKind::Variable(id) if self.stands_for_secret(self.table.binding(id)) => {
                    Some(node.span)
                }
                _ => None,
            })
            .collect();
        for span in &secrets {
            self.report(TypeError::SecretRead { span: *span });
        }
        !secrets.is_empty()
    }

    /// A part that fails whatever is read is a mistake, also where something else would absorb it.
    fn refuse_failures(&mut self, tree: &Tree) -> bool {
        let mut found = false;
        for lint in lints(tree) {
            let error = match lint {
                Lint::AlwaysFails { span, failure } => TypeError::ConstantFails { failure, span },
                Lint::FormatFails { span, problem } => TypeError::FormatFails { problem, span },
                Lint::MissingKeyDiffers { .. }
                | Lint::MissingKeyNegated { .. }
                | Lint::AlwaysSame { .. } => continue,
            };
            self.report(error);
            found = true;
        }
        found
    }
}
