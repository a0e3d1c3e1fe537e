//! Templates and their uses.
//!
//! A template is resolved once, as what it holds would be outside, in a scope of its own. A use says which arguments
//! stand for which parameters; how many instances it makes is known when its table has been read.

use watershed_lang::ast::{self, TableRef};
use watershed_lang::span::{Name, Span};

use super::Resolver;
use super::scope::{Entity, belongs};
use super::template_error::TemplateError;
use crate::hir::{
    ConfigType, Docs, Parameter, ParameterId, Table, TableId, TableSource, Template, TemplateId,
    TemplateUse,
};
use crate::table::Format;

impl Resolver<'_> {
    pub(super) fn template(&mut self, item: &ast::TemplateItem, docs: Docs, span: Span) {
        let id = self.next_template();
        let parameters = item.parameters.iter();
        let parameters: Vec<_> = parameters
            .enumerate()
            .map(|(position, parameter)| self.parameter(id, position, parameter))
            .collect();
        if parameters.is_empty() {
            let name = item.name.clone();
            self.report(TemplateError::WithoutParameters { name });
        }
        self.program.templates.push(Template {
            name: item.name.clone(),
            parameters,
            docs,
            span,
        });
        self.scope.enter(id);
        for inner in &item.items {
            if belongs(&inner.kind) {
                self.item(inner);
            } else {
                self.misplaced(inner, "template");
            }
        }
        self.scope.leave();
    }

    fn next_template(&self) -> TemplateId {
        TemplateId(u32::try_from(self.program.templates.len()).unwrap_or(u32::MAX))
    }

    fn parameter(
        &mut self,
        template: TemplateId,
        position: usize,
        parameter: &ast::Parameter,
    ) -> ParameterId {
        let ty = self.config_type(&parameter.ty);
        if ty == ConfigType::Secret {
            let ty = parameter.ty.clone();
            self.report(TemplateError::SecretParameter { ty });
        } else if position == 0 && !matches!(ty, ConfigType::String | ConfigType::Int) {
            let ty = parameter.ty.clone();
            self.report(TemplateError::KeyType { ty });
        }
        self.program.parameters.push(Parameter {
            name: parameter.name.clone(),
            ty,
            template,
        })
    }

    /// An item in braces that cannot stand there; what is no item at all has been reported.
    fn misplaced(&mut self, item: &ast::Item, around: &'static str) {
        let found = match &item.kind {
            ast::ItemKind::Unsupported(_) | ast::ItemKind::Error => return,
            ast::ItemKind::Config(_) => "config",
            ast::ItemKind::Const(_) => "const",
            ast::ItemKind::Use(_) => "use of a template",
            ast::ItemKind::Predicate(_) => "predicate",
            ast::ItemKind::Connection(_) => "connection",
            ast::ItemKind::Source(_) => "source",
            ast::ItemKind::Sink(_) => "sink",
            ast::ItemKind::Stage(_) => "stage",
            ast::ItemKind::Chain(_) => "chain",
            ast::ItemKind::Template(_) => "template",
            ast::ItemKind::For(_) => "for",
        };
        let span = item.span;
        self.report(TemplateError::Misplaced {
            found,
            around,
            span,
        });
    }

    pub(super) fn for_item(&mut self, item: &ast::ForItem) {
        if let Some(declared) = self.scope.get(&item.row.value) {
            self.report(super::error::NameError::Duplicate {
                name: item.row.clone(),
                first: declared.span,
            });
        }
        let table = self.table(&item.table);
        for inner in &item.items {
            match (&inner.kind, table) {
                (ast::ItemKind::Use(call), Some(table)) => {
                    self.template_use(call, Some((item.row.clone(), table)));
                }
                (ast::ItemKind::Use(_), None) => {}
                _ => self.misplaced(inner, "for"),
            }
        }
    }

    fn table(&mut self, table: &TableRef) -> Option<TableId> {
        let (source, span) = match table {
            TableRef::Const(name) => (self.constant_table(name)?, name.span),
            TableRef::File { format, path } => {
                let Some(known) = Format::from_name(&format.value) else {
                    let name = format.clone();
                    self.report(TemplateError::UnknownFormat { name });
                    return None;
                };
                let source = TableSource::File {
                    format: known,
                    path: path.clone(),
                };
                (source, format.span.to(path.span))
            }
        };
        Some(self.program.tables.push(Table {
            source,
            rows: None,
            span,
        }))
    }

    fn constant_table(&mut self, name: &Name) -> Option<TableSource> {
        match self.scope.get(&name.value) {
            Some(declaration) => match declaration.entity {
                Entity::Const(id) => return Some(TableSource::Const(id)),
                other => self.report(super::error::NameError::WrongKind {
                    name: name.clone(),
                    found: other.noun(),
                    wanted: "const",
                    declared: declaration.span,
                    instead: None,
                }),
            },
            None => {
                let candidates = self
                    .scope
                    .names_of(|entity| matches!(entity, Entity::Const(_)));
                self.report(super::error::NameError::Unknown {
                    name: name.clone(),
                    wanted: "const",
                    candidates,
                });
            }
        }
        None
    }

    /// A use of a template, for each row of a table or once.
    pub(super) fn template_use(&mut self, call: &ast::StageCall, rows: Option<(Name, TableId)>) {
        let Some(template) = self.used_template(&call.kind) else {
            return;
        };
        let parameters = self.scope.parameters_of(template);
        let mut arguments = vec![None; parameters.len()];
        for (position, argument) in call.args.iter().enumerate() {
            let value = self.expr(&argument.value);
            let place = match &argument.name {
                None => position,
                Some(name) => match parameters.iter().position(|known| *known == name.value) {
                    Some(place) => place,
                    None => {
                        self.report(TemplateError::UnknownParameter {
                            name: name.clone(),
                            candidates: parameters.clone(),
                        });
                        continue;
                    }
                },
            };
            match arguments.get_mut(place) {
                None => self.report(TemplateError::TooManyArguments {
                    template: call.kind.clone(),
                    expected: parameters.len(),
                    span: argument.value.span,
                }),
                Some(Some(_)) => self.report(TemplateError::ArgumentTwice {
                    parameter: parameters.get(place).cloned().unwrap_or_default(),
                    span: argument.value.span,
                }),
                Some(open) => *open = Some(value),
            }
        }
        self.require_arguments(call, &parameters, &arguments);
        self.program.uses.push(TemplateUse {
            template,
            arguments,
            rows,
            span: call.span,
        });
    }

    fn require_arguments(
        &mut self,
        call: &ast::StageCall,
        parameters: &[String],
        arguments: &[Option<crate::hir::ExprId>],
    ) {
        let missing: Vec<String> = parameters
            .iter()
            .zip(arguments)
            .filter(|(_, argument)| argument.is_none())
            .map(|(parameter, _)| parameter.clone())
            .collect();
        if !missing.is_empty() {
            self.report(TemplateError::MissingArguments {
                template: call.kind.clone(),
                missing,
                span: call.span,
            });
        }
    }

    fn used_template(&mut self, name: &Name) -> Option<TemplateId> {
        let declared = self.scope.get(&name.value);
        if let Some(declaration) = declared
            && let Entity::Template(id) = declaration.entity
        {
            return Some(id);
        }
        let candidates = self
            .scope
            .names_of(|entity| matches!(entity, Entity::Template(_)));
        self.report(TemplateError::UnknownTemplate {
            name: name.clone(),
            declared: declared.map(|declaration| (declaration.entity.noun(), declaration.span)),
            candidates,
        });
        None
    }
}
