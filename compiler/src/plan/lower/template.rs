//! Templates: parameters, rows and what belongs to each.

use super::Lowering;
use crate::check::Cell;
use crate::hir::{self, TemplateId};
use crate::level::Level;
use crate::plan::instances::{Fork, Members, Parameter, Template};
use crate::plan::{Tree, Value, ValueKind};

impl Lowering<'_> {
    /// The templates that have instances. Nothing is planned for the others.
    pub(super) fn templates(&mut self) {
        for (id, template) in self.program.templates.iter() {
            let instances = self.types.instances(id);
            if instances.is_empty() {
                continue;
            }
            let parameters = template.parameters.iter().map(|id| {
                let parameter = self.program.parameters.at(*id);
                let lowered = Parameter {
                    name: parameter.name.value.clone(),
                    ty: parameter.ty,
                };
                (*id, lowered)
            });
            let rows = instances.iter().map(|instance| {
                let cells = instance.cells.iter();
                cells.map(|cell| self.cell(cell, instance)).collect()
            });
            let lowered = Template {
                name: template.name.value.clone(),
                parameters: parameters.collect(),
                rows: rows.collect(),
                members: Members::default(),
                docs: template.docs.clone(),
                span: template.span,
            };
            self.plan.templates.insert(id, lowered);
        }
        for (id, predicate) in self.program.predicates.iter() {
            self.member(predicate.template, |members| members.predicates.push(id));
        }
    }

    fn cell(&self, cell: &Cell, instance: &crate::check::Instance) -> Value {
        match cell {
            Cell::Known(literal) => Value {
                kind: ValueKind::Literal(literal.clone()),
                ty: crate::cel::Type::Dyn,
                level: Level::Const,
                span: instance.span,
            },
            Cell::Config(expression) => self.value(*expression),
        }
    }

    /// Whether what belongs to a template is planned: it has an instance.
    pub(super) fn is_made(&self, template: Option<TemplateId>) -> bool {
        template.is_none_or(|id| self.plan.templates.contains_key(&id))
    }

    /// Notes what belongs to a template.
    pub(super) fn member(&mut self, template: Option<TemplateId>, add: impl FnOnce(&mut Members)) {
        let template = template.and_then(|id| self.plan.templates.get_mut(&id));
        if let Some(template) = template {
            add(&mut template.members);
        }
    }

    /// The name of a node, behind that of its template: `link.out`.
    pub(super) fn name_in(&self, template: Option<TemplateId>, name: &str) -> String {
        match template.and_then(|id| self.plan.templates.get(&id)) {
            Some(template) => format!("{}.{name}", template.name),
            None => name.to_owned(),
        }
    }

    /// What happens behind the heads of a chain.
    pub(super) fn chain(&mut self, chain: &hir::Chain) -> Tree {
        if !self.is_made(chain.template) {
            return Tree::Nothing;
        }
        self.template = chain.template;
        let tree = self.steps(&chain.steps, None);
        self.template = None;
        tree
    }

    /// What a source does with a chain: one outside of the chain's template comes to every instance.
    pub(super) fn forked(&self, chain: &hir::Chain, source: hir::SourceId, tree: &Tree) -> Tree {
        let outside = self.program.sources.at(source).template.is_none();
        match chain
            .template
            .filter(|id| outside && self.is_made(Some(*id)))
        {
            Some(template) => Tree::Fork(Fork {
                template,
                key: None,
                body: Box::new(tree.clone()),
                span: chain.span,
            }),
            None => tree.clone(),
        }
    }
}
