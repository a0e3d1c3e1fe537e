//! The resolver: every name of an item becomes the id of what it stands for.
//!
//! In: [`ast::File`]. Out: [`Program`] and diagnostics. It never fails: what has no meaning becomes an error node
//! with a diagnostic, and everything else is resolved all the same. First all items are declared, so that the order
//! of the text does not matter; then each is resolved.

mod connector_error;
mod error;
mod expr;
mod expr_error;
mod flow;
mod flow_error;
mod node;
mod order;
mod scope;
mod template;
mod template_error;

use watershed_lang::ast;
use watershed_lang::diagnostic::{Diagnostics, IntoDiagnostic};
use watershed_lang::span::Name;

use crate::catalog::Role;
use crate::hir::{self, ConfigType, Program};
use connector_error::ConnectorError;
use error::NameError;
use expr_error::NotSupportedYet;
use scope::Scope;

/// Resolves one file. Findings are added to `diagnostics`.
///
/// ```
/// use watershed_compiler::resolve::resolve;
/// use watershed_lang::{ast, diagnostic::Diagnostics};
///
/// let mut diagnostics = Diagnostics::new();
/// let program = resolve(&ast::File::default(), &mut diagnostics);
/// assert!(program.chains.is_empty() && diagnostics.is_empty());
/// ```
#[must_use]
pub fn resolve(file: &ast::File, diagnostics: &mut Diagnostics) -> Program {
    let scope = Scope::declare(file, diagnostics);
    let mut resolver = Resolver {
        scope,
        program: Program::default(),
        diagnostics,
    };
    file.items.iter().for_each(|item| resolver.item(item));
    let Resolver {
        scope, mut program, ..
    } = resolver;
    program.order = order::order(&program, &scope, diagnostics);
    program
}

/// The state of one resolution.
struct Resolver<'a> {
    /// What every name stands for.
    scope: Scope,
    /// What has been resolved so far.
    program: Program,
    /// Where findings go.
    diagnostics: &'a mut Diagnostics,
}

impl Resolver<'_> {
    /// Reports a finding.
    fn report(&mut self, error: impl IntoDiagnostic) {
        self.diagnostics.push(error);
    }

    /// Resolves one item. Items are pushed in the order in which the scope counted them.
    fn item(&mut self, item: &ast::Item) {
        let docs: hir::Docs = item.docs.iter().map(|line| line.value.clone()).collect();
        let span = item.span;
        match &item.kind {
            ast::ItemKind::Config(config) => self.config(config, docs, span),
            ast::ItemKind::Const(constant) => {
                let value = self.expr(&constant.value);
                self.program.consts.push(hir::Const {
                    name: constant.name.clone(),
                    value,
                    docs,
                    span,
                });
            }
            ast::ItemKind::Predicate(predicate) => {
                let value = self.expr(&predicate.value);
                self.program.predicates.push(hir::Predicate {
                    name: predicate.name.clone(),
                    value,
                    template: self.scope.inside(),
                    docs,
                    span,
                });
            }
            ast::ItemKind::Connection(node) => {
                let node = self.node(Role::Connection, node, docs, span);
                self.program.connections.push(node);
            }
            ast::ItemKind::Source(node) => {
                let node = self.node(Role::Source, node, docs, span);
                self.program.sources.push(node);
            }
            ast::ItemKind::Sink(node) => {
                let node = self.node(Role::Sink, node, docs, span);
                self.program.sinks.push(node);
            }
            ast::ItemKind::Stage(stage) => {
                let call = self.stage(&stage.call);
                self.program.stages.push(hir::NamedStage {
                    name: stage.name.clone(),
                    stage: call,
                    template: self.scope.inside(),
                    docs,
                    span,
                });
            }
            ast::ItemKind::Chain(chain) => {
                let chain = self.chain(chain, docs, span);
                self.program.chains.push(chain);
            }
            ast::ItemKind::Template(template) => self.template(template, docs, span),
            ast::ItemKind::For(item) => self.for_item(item),
            ast::ItemKind::Use(call) => self.template_use(call, None),
            // The parser has reported both.
            ast::ItemKind::Unsupported(_) | ast::ItemKind::Error => {}
        }
    }

    fn config(
        &mut self,
        config: &ast::ConfigItem,
        docs: hir::Docs,
        span: watershed_lang::span::Span,
    ) {
        let ty = self.config_type(&config.ty);
        let default = config.default.as_ref().map(|default| self.expr(default));
        if let (ConfigType::Secret, Some(default)) = (ty, &config.default) {
            self.report(ConnectorError::SecretLiteral {
                config: config.name.clone(),
                default: default.span,
            });
        }
        self.program.configs.push(hir::Config {
            name: config.name.clone(),
            ty,
            default,
            docs,
            span,
        });
    }

    /// The type of a `config` with this name.
    fn config_type(&mut self, name: &Name) -> ConfigType {
        let found = ConfigType::ALL
            .into_iter()
            .find(|ty| ty.name() == name.value);
        found.unwrap_or_else(|| {
            self.report(NameError::UnknownType { name: name.clone() });
            ConfigType::String
        })
    }

    /// Reports a name in an expression that means something later.
    fn not_supported(&mut self, what: impl Into<String>, span: watershed_lang::span::Span) {
        self.report(NotSupportedYet {
            what: what.into(),
            span,
        });
    }
}
