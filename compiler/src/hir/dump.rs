//! The resolved program as text, for `--emit hir` and for snapshots.
//!
//! One line an item or step, ids where the program has ids, expressions as CEL.

use std::fmt::Write;

use super::{
    Arm, Branch, Condition, Edge, Options, Program, Setting, SettingValue, Stage, StageKind, Step,
    StepKind, TableSource,
};
use crate::catalog::Role;
use crate::cel::print::print;
use crate::hir::ExprId;

/// The whole program as text; equal programs give equal text.
#[must_use]
pub fn dump(program: &Program) -> String {
    let mut dump = Dump {
        program,
        text: String::new(),
    };
    dump.values();
    dump.templates();
    dump.nodes();
    dump.chains();
    dump.text
}

struct Dump<'a> {
    program: &'a Program,
    text: String,
}

impl Dump<'_> {
    fn line(&mut self, depth: usize, line: &str) {
        // Writing to a `String` cannot fail.
        let _ = writeln!(self.text, "{:width$}{line}", "", width = depth * 2);
    }

    fn values(&mut self) {
        let program = self.program;
        for (id, config) in program.configs.iter() {
            let default = config.default.map_or(String::new(), |value| {
                format!(" = {}", expression(self.program, value))
            });
            self.line(
                0,
                &format!(
                    "{id:?} {}: {}{default}",
                    config.name.value,
                    config.ty.name()
                ),
            );
        }
        for (id, item) in program.consts.iter() {
            self.line(
                0,
                &format!(
                    "{id:?} {} = {}",
                    item.name.value,
                    expression(self.program, item.value)
                ),
            );
        }
        for (id, item) in program.predicates.iter() {
            self.line(
                0,
                &format!(
                    "{id:?} {} = {}",
                    item.name.value,
                    expression(self.program, item.value)
                ),
            );
        }
    }

    fn templates(&mut self) {
        let program = self.program;
        for (id, template) in program.templates.iter() {
            let parameters = template.parameters.iter().map(|id| {
                let parameter = program.parameters.at(*id);
                format!("{id:?} {}: {}", parameter.name.value, parameter.ty.name())
            });
            let parameters: Vec<_> = parameters.collect();
            let line = format!("{id:?} {}({})", template.name.value, parameters.join(", "));
            self.line(0, &line);
        }
        for (id, table) in program.tables.iter() {
            let source = match &table.source {
                TableSource::Const(id) => format!("{id:?}"),
                TableSource::File { format, path } => {
                    format!("{}({:?})", format.name(), path.value)
                }
            };
            self.line(0, &format!("{id:?} {source}"));
        }
        for one in &program.uses {
            let arguments = one.arguments.iter();
            let arguments = arguments.map(|argument| match argument {
                Some(id) => expression(program, *id),
                None => "?".to_owned(),
            });
            let arguments: Vec<_> = arguments.collect();
            let rows = one.rows.as_ref();
            let rows = rows.map(|(name, table)| format!(" for {} in {table:?}", name.value));
            let rows = rows.unwrap_or_default();
            let line = format!("use {:?}({}){rows}", one.template, arguments.join(", "));
            self.line(0, &line);
        }
    }

    fn nodes(&mut self) {
        let program = self.program;
        let connections = program
            .connections
            .iter()
            .map(|(id, node)| (format!("{id:?}"), Role::Connection, node));
        let sources = program
            .sources
            .iter()
            .map(|(id, node)| (format!("{id:?}"), Role::Source, node));
        let sinks = program
            .sinks
            .iter()
            .map(|(id, node)| (format!("{id:?}"), Role::Sink, node));
        for (id, _, node) in connections.chain(sources).chain(sinks) {
            let connector = node.connector.map_or("?", |connector| connector.name);
            let options = self.options(&node.options);
            self.line(
                0,
                &format!("{id} {} = {connector} {{ {options} }}", node.name.value),
            );
        }
        for (id, item) in program.stages.iter() {
            let stage = self.stage(&item.stage);
            self.line(0, &format!("{id:?} {} = {stage}", item.name.value));
        }
    }

    fn options(&self, options: &Options) -> String {
        let options: Vec<_> = options
            .iter()
            .map(|(name, setting)| format!("{name}: {}", self.setting(setting)))
            .collect();
        options.join(", ")
    }

    fn setting(&self, setting: &Setting) -> String {
        match setting.value {
            SettingValue::Expr(value) => expression(self.program, value),
            SettingValue::Word(word) => word.to_owned(),
            SettingValue::Connection(id) => format!("{id:?}"),
            SettingValue::Error => "?".to_owned(),
        }
    }

    fn stage(&self, stage: &Stage) -> String {
        match &stage.kind {
            StageKind::Filter(condition) => format!("filter({})", self.condition(condition)),
            StageKind::Drop(condition) => format!("drop({})", self.condition(condition)),
            StageKind::Batch(options) => format!("batch({})", self.options(options)),
            StageKind::Set { path, value } => format!(
                "set({}, {})",
                expression(self.program, *path),
                expression(self.program, *value)
            ),
            StageKind::Remove { path } => format!("remove({})", expression(self.program, *path)),
            StageKind::Sample { ratio } => format!("sample({})", self.setting(ratio)),
            StageKind::Limit { records, per } => format!(
                "limit({}, per: {})",
                self.setting(records),
                self.setting(per)
            ),
            StageKind::Validate { condition, reason } => format!(
                "validate({}, reason: {})",
                expression(self.program, *condition),
                self.setting(reason)
            ),
            StageKind::Error => "?".to_owned(),
        }
    }

    fn condition(&self, condition: &Condition) -> String {
        let policy = condition.on_error.map_or(String::new(), |policy| {
            format!(", on_error: {}", policy.name())
        });
        format!("{}{policy}", expression(self.program, condition.value))
    }

    fn chains(&mut self) {
        for chain in &self.program.chains {
            let heads: Vec<_> = chain.heads.iter().map(edge).collect();
            self.line(0, &format!("chain {}", heads.join(", ")));
            self.steps(1, &chain.steps);
        }
    }

    fn steps(&mut self, depth: usize, steps: &[Step]) {
        for step in steps {
            let id = step.id;
            match &step.kind {
                StepKind::Sink(sink) => self.line(depth, &format!("{id:?} {sink:?}")),
                StepKind::Named(stage) => self.line(depth, &format!("{id:?} {stage:?}")),
                StepKind::Stage(stage) => {
                    let stage = self.stage(stage);
                    self.line(depth, &format!("{id:?} {stage}"));
                }
                StepKind::FanOut(branches) => {
                    self.line(depth, &format!("{id:?} fan-out"));
                    branches
                        .iter()
                        .for_each(|branch| self.branch(depth + 1, "branch", branch));
                }
                StepKind::Route(arms) => self.arms(depth, &format!("{id:?} route"), arms),
                StepKind::Split(arms) => self.arms(depth, &format!("{id:?} split"), arms),
                StepKind::Error => self.line(depth, &format!("{id:?} ?")),
            }
        }
    }

    fn arms(&mut self, depth: usize, head: &str, arms: &[Arm]) {
        self.line(depth, head);
        for arm in arms {
            let head = match arm.condition {
                Some(condition) => format!("if {}", expression(self.program, condition)),
                None => "else".to_owned(),
            };
            self.branch(depth + 1, &head, &arm.branch);
        }
    }

    fn branch(&mut self, depth: usize, head: &str, branch: &Branch) {
        self.line(depth, head);
        self.steps(depth + 1, &branch.steps);
    }
}

fn edge(edge: &Edge) -> String {
    match edge.source {
        Some(source) => format!("{source:?} {:?}", edge.signals),
        None => "?".to_owned(),
    }
}

fn expression(program: &Program, id: ExprId) -> String {
    print(program.exprs.at(id))
}
