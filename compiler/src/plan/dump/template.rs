//! Templates, their rows, and the forks that lead to them.

use std::fmt::Write as _;

use super::Printer;
use crate::hir::ParameterId;
use crate::plan::{Fork, Template};

impl Printer<'_> {
    /// `link.tenant`
    pub(super) fn parameter(&self, id: ParameterId) -> String {
        let known = self.plan.parameter(id);
        let template = known.and_then(|(id, _)| self.plan.templates.get(&id));
        let template = template.map_or("?", |template| template.name.as_str());
        let name = known.map_or("?", |(_, parameter)| parameter.name.as_str());
        format!("{template}.{name}")
    }

    pub(super) fn fork(&self, fork: &Fork) -> String {
        let template = self.plan.templates.get(&fork.template);
        let name = template.map_or("?", |template| template.name.as_str());
        match &fork.key {
            None => format!("to each {name}"),
            Some(key) => {
                let parameter = template.and_then(|one| one.parameters.get(&key.parameter));
                format!(
                    "to each {name} by {} == {name}.{} [{}]",
                    self.value(&key.value),
                    parameter.map_or("?", |parameter| parameter.name.as_str()),
                    key.value.level.name()
                )
            }
        }
    }

    /// A template with its first rows: what differs between instances, and how many there are.
    pub(super) fn template(&self, template: &Template) -> String {
        const SHOWN: usize = 3;
        let parameters: Vec<_> = template
            .parameters
            .values()
            .map(|parameter| format!("{}: {}", parameter.name, parameter.ty.name()))
            .collect();
        let count = template.rows.len();
        let mut text = format!(
            "template {}({}) of {count}\n",
            template.name,
            parameters.join(", ")
        );
        for row in template.rows.iter().take(SHOWN) {
            let _ = writeln!(text, "  ({})", self.values(row, ", "));
        }
        if count > SHOWN {
            text.push_str("  …\n");
        }
        text
    }
}
