//! The text of a plan, for `--emit plan` and for snapshots. It holds no places, so a macro and a file that mean
//! the same have the same text.

mod template;

use std::fmt::Write as _;

use super::edit::{Edit, EditKind};
use super::expr::{Condition, ConditionKind, Constant, TextTest, Value, ValueKind};
use super::expression::Expression;
use super::tree::{Arm, Guard, Outcome, Tree};
use super::{BatchId, Config, Node, Options, Plan, Reads, SettingValue, Sink, Target, Walk};
use crate::hir::{ConfigType, Literal};

/// The plan as text: nodes first, then what happens to each edge and behind each batch.
#[must_use]
pub fn dump(plan: &Plan) -> String {
    let printer = Printer { plan };
    let mut text = String::new();
    for config in plan.configs.values() {
        text.push_str(&printer.config(config));
    }
    for connection in plan.connections.values() {
        text.push_str(&printer.node("connection", connection, None));
    }
    for template in plan.templates.values() {
        text.push_str(&printer.template(template));
    }
    for source in plan.sources.values() {
        text.push_str(&printer.node("source", source, None));
    }
    for sink in plan.sinks.values() {
        text.push_str(&printer.sink(sink));
    }
    for predicate in plan.predicates.values() {
        let condition = printer.condition(&predicate.condition);
        let level = predicate.condition.level.name();
        let _ = writeln!(text, "predicate {} = {condition} [{level}]", predicate.name);
    }
    for walk in &plan.walks {
        let _ = writeln!(text, "\nwalk {}", printer.edges(walk));
        printer.reads(&walk.reads, &mut text);
        printer.tree(&walk.tree, 1, &mut text);
    }
    for (id, batch) in &plan.batches {
        let options = printer.options(&batch.options);
        let _ = writeln!(
            text,
            "\nbatch {}({options}) of {}",
            plan.batch_name(*id),
            batch.walk.signals
        );
        printer.reads(&batch.walk.reads, &mut text);
        printer.tree(&batch.walk.tree, 1, &mut text);
    }
    text
}

/// A condition as text of moderate length, for messages.
#[must_use]
pub fn condition_text(plan: &Plan, condition: &Condition) -> String {
    let text = Printer { plan }.condition(condition);
    match text.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

/// How many characters of a condition a message shows.
const MAX_TEXT: usize = 80;

/// Writes the parts of one plan.
struct Printer<'p> {
    plan: &'p Plan,
}

impl Printer<'_> {
    fn config(&self, config: &Config) -> String {
        let default = match &config.default {
            // A secret has no default in a `.flow`; should one slip through, it is still not shown.
            Some(_) if config.ty == ConfigType::Secret => " = …".to_owned(),
            Some(value) => format!(" = {}", self.value(value)),
            None => String::new(),
        };
        format!("config {}: {}{default}\n", config.name, config.ty.name())
    }

    fn node(&self, what: &str, node: &Node, subject: Option<&Value>) -> String {
        let mut options = self.options(&node.options);
        if let Some(subject) = subject {
            let comma = if options.is_empty() { "" } else { ", " };
            let _ = write!(
                options,
                "{comma}subject: {} [{}]",
                self.value(subject),
                subject.level.name()
            );
        }
        format!(
            "{what} {} = {} {{ {options} }}\n",
            node.name, node.connector.name
        )
    }

    fn sink(&self, sink: &Sink) -> String {
        self.node("sink", &sink.node, sink.subject.as_ref())
    }

    fn options(&self, options: &Options) -> String {
        let list: Vec<_> = options
            .iter()
            .map(|(name, setting)| format!("{name}: {}", self.setting(&setting.value)))
            .collect();
        list.join(", ")
    }

    fn setting(&self, value: &SettingValue) -> String {
        match value {
            SettingValue::Value(value) => self.value(value),
            SettingValue::Word(word) => (*word).to_owned(),
            SettingValue::Connection(id) => self
                .plan
                .connections
                .get(id)
                .map_or_else(String::new, |node| node.name.clone()),
        }
    }

    fn edges(&self, walk: &Walk) -> String {
        let list: Vec<_> = walk
            .edges
            .iter()
            .map(|edge| {
                let name = self
                    .plan
                    .sources
                    .get(&edge.source)
                    .map_or("?", |node| node.name.as_str());
                format!("{name} ({})", edge.signals)
            })
            .collect();
        list.join(", ")
    }

    /// What a walk reads, a line a level; nothing where it is not known yet.
    fn reads(&self, reads: &Reads, text: &mut String) {
        for (root, keys) in reads.by_level() {
            let keys: Vec<_> = keys.iter().map(ToString::to_string).collect();
            let _ = writeln!(
                text,
                "  reads {} [{}]",
                keys.join(", "),
                root.level().name()
            );
        }
    }

    fn tree(&self, tree: &Tree, depth: usize, text: &mut String) {
        let indent = "  ".repeat(depth);
        match tree {
            Tree::Nothing => _ = writeln!(text, "{indent}nothing"),
            Tree::Keep(target) => {
                _ = writeln!(text, "{indent}-> {}", self.plan.target_name(*target))
            }
            Tree::Filter { guard, then } => {
                let _ = writeln!(text, "{indent}when {}", self.guard(guard));
                self.tree(then, depth + 1, text);
            }
            Tree::FanOut(branches) => {
                let _ = writeln!(text, "{indent}all of");
                branches
                    .iter()
                    .for_each(|branch| self.tree(branch, depth + 1, text));
            }
            Tree::Route { arms, otherwise } => {
                let _ = writeln!(text, "{indent}first of");
                self.arms(arms, depth + 1, text);
                let _ = writeln!(text, "{indent}  else");
                self.tree(otherwise, depth + 2, text);
            }
            Tree::Split(arms) => {
                let _ = writeln!(text, "{indent}each of");
                self.arms(arms, depth + 1, text);
            }
            Tree::Fork(fork) => {
                let _ = writeln!(text, "{indent}{}", self.fork(fork));
                self.tree(&fork.body, depth + 1, text);
            }
            Tree::Refuse(refusal) => {
                let failed = if refusal.failed { "not checked: " } else { "" };
                let _ = writeln!(text, "{indent}refuse {failed}{:?}", refusal.reason);
            }
            Tree::Edit { edit, then } => {
                let _ = writeln!(text, "{indent}{}", self.edit(edit));
                self.tree(then, depth, text);
            }
            Tree::Limit { limit, then } => {
                let _ = writeln!(text, "{indent}limit {} per {}ns", limit.records, limit.per);
                self.tree(then, depth, text);
            }
            Tree::Switch {
                on,
                cases,
                otherwise,
            } => {
                let _ = writeln!(text, "{indent}by {} [{}]", self.value(on), on.level.name());
                for case in cases {
                    let keys: Vec<_> = case.keys.iter().map(literal_text).collect();
                    let _ = writeln!(text, "{indent}  is {}", keys.join(", "));
                    self.tree(&case.then, depth + 2, text);
                }
                let _ = writeln!(text, "{indent}  else");
                self.tree(otherwise, depth + 2, text);
            }
        }
    }

    fn edit(&self, edit: &Edit) -> String {
        let (what, value) = match &edit.kind {
            EditKind::Remove { path } => return format!("remove {path}"),
            EditKind::Set { path, value } => (path.to_string(), value),
            EditKind::Subject(value) => ("subject".to_owned(), value),
        };
        format!(
            "set {what} = {} [{}]",
            self.value(value),
            value.level.name()
        )
    }

    fn arms(&self, arms: &[Arm], depth: usize, text: &mut String) {
        let indent = "  ".repeat(depth);
        for arm in arms {
            let _ = writeln!(text, "{indent}when {}", self.guard(&arm.guard));
            self.tree(&arm.then, depth + 1, text);
        }
    }

    fn guard(&self, guard: &Guard) -> String {
        let tests: Vec<_> = guard
            .tests
            .iter()
            .map(|test| {
                let condition = self.condition(&test.condition);
                let outcome = match test.outcome {
                    Outcome::True => condition,
                    Outcome::NotTrue => format!("not true({condition})"),
                    Outcome::False => format!("false({condition})"),
                    Outcome::NotFalse => format!("not false({condition})"),
                };
                format!("{outcome} [{}]", test.condition.level.name())
            })
            .collect();
        if tests.is_empty() {
            "always".to_owned()
        } else {
            tests.join(" then ")
        }
    }

    fn condition(&self, condition: &Condition) -> String {
        match &condition.kind {
            ConditionKind::Constant(Constant::True) => "true".to_owned(),
            ConditionKind::Constant(Constant::False) => "false".to_owned(),
            ConditionKind::Constant(Constant::Error) => "error".to_owned(),
            ConditionKind::Not(operand) => format!("!({})", self.condition(operand)),
            ConditionKind::All(operands) => self.conditions(operands, " && "),
            ConditionKind::Any(operands) => self.conditions(operands, " || "),
            ConditionKind::If { arms, otherwise } => {
                let arms: String = arms
                    .iter()
                    .map(|(when, then)| {
                        format!("{} ? {} : ", self.condition(when), self.condition(then))
                    })
                    .collect();
                format!("({arms}{})", self.condition(otherwise))
            }
            ConditionKind::Once(part) => {
                format!("once[{}]({})", part.level.name(), self.condition(part))
            }
            ConditionKind::Predicate(id) => self
                .plan
                .predicates
                .get(id)
                .map_or_else(|| "?".to_owned(), |predicate| predicate.name.clone()),
            ConditionKind::Compare { op, left, right } => {
                format!("{} {} {}", self.value(left), op.symbol(), self.value(right))
            }
            ConditionKind::OneOf { element, list } => {
                format!("{} in [{}]", self.value(element), self.values(list, ", "))
            }
            ConditionKind::ContainedIn { element, container } => {
                format!("{} in {}", self.value(element), self.value(container))
            }
            ConditionKind::HasAttribute(value) => format!("has({})", self.value(value)),
            ConditionKind::HasKey { operand, key } => {
                format!("has({}[{key:?}])", self.value(operand))
            }
            ConditionKind::HasField(value) => format!("has({})", self.value(value)),
            ConditionKind::TextTest { test, text, part } => {
                format!("{}.{}({})", self.value(text), test.name(), self.value(part))
            }
            ConditionKind::Matches { text, pattern } => {
                format!("{}.matches({pattern:?})", self.value(text))
            }
            ConditionKind::Boolean(value) => self.value(value),
            ConditionKind::Expression(expression) => self.expression(expression),
            ConditionKind::Sampled {
                threshold,
                trace_id,
                ..
            } => {
                let by = trace_id
                    .as_ref()
                    .map_or("chance".to_owned(), |id| self.value(id));
                format!("sampled({by}, {threshold:#x})")
            }
        }
    }

    fn conditions(&self, operands: &[Condition], between: &str) -> String {
        let list: Vec<_> = operands
            .iter()
            .map(|operand| self.condition(operand))
            .collect();
        format!("({})", list.join(between))
    }

    fn value(&self, value: &Value) -> String {
        match &value.kind {
            ValueKind::Literal(literal) => literal_text(literal),
            ValueKind::Config(id) => self
                .plan
                .configs
                .get(id)
                .map_or_else(|| "?".to_owned(), |config| config.name.clone()),
            ValueKind::Field(field) => field.to_string(),
            ValueKind::Attribute { map, key } => format!("{}[{key:?}]", map),
            ValueKind::Index { operand, index } => {
                format!("{}[{}]", self.value(operand), self.value(index))
            }
            ValueKind::Or { value, default } => {
                format!("{}.orValue({})", self.value(value), self.value(default))
            }
            ValueKind::OrTyped { value, default } => {
                format!(
                    "{}.or({}, {})",
                    self.value(value),
                    default.ty,
                    self.value(default)
                )
            }
            ValueKind::Concatenate(parts) => format!("({})", self.values(parts, " + ")),
            ValueKind::Add(left, right) => {
                format!("({} + {})", self.value(left), self.value(right))
            }
            ValueKind::Size(operand) => format!("size({})", self.value(operand)),
            ValueKind::If { arms, otherwise } => {
                let arms: String = arms
                    .iter()
                    .map(|(when, then)| {
                        format!("{} ? {} : ", self.condition(when), self.value(then))
                    })
                    .collect();
                format!("({arms}{})", self.value(otherwise))
            }
            ValueKind::Expression(expression) => self.expression(expression),
            ValueKind::Condition(condition) => self.condition(condition),
            ValueKind::Parameter(id) => self.parameter(*id),
            ValueKind::Dynamic(value) => format!("dyn({})", self.value(value)),
            ValueKind::Within { value, least, most } => {
                format!("within({}, {least}, {most})", self.value(value))
            }
            ValueKind::Failed => "error".to_owned(),
        }
    }

    /// What has no form of its own, by what it reads.
    fn expression(&self, expression: &Expression) -> String {
        let reads = expression.reads.values().map(|read| self.value(read));
        let reads: Vec<_> = reads.collect();
        format!("cel<{}>({})", expression.node().ty, reads.join(", "))
    }

    fn values(&self, values: &[Value], between: &str) -> String {
        let list: Vec<_> = values.iter().map(|value| self.value(value)).collect();
        list.join(between)
    }
}

impl Plan {
    /// A condition as dumps show it. What has no form of its own there stands as `cel<type>(what it reads)`.
    #[must_use]
    pub fn condition_text(&self, condition: &Condition) -> String {
        Printer { plan: self }.condition(condition)
    }

    /// The name of a batch: that of its stage, else its number in the plan.
    #[must_use]
    pub fn batch_name(&self, id: BatchId) -> String {
        let name = self.batches.get(&id).and_then(|batch| batch.name.clone());
        let name = name.unwrap_or_else(|| {
            format!("batch_{}", self.batches.get_index_of(&id).unwrap_or(0) + 1)
        });
        let template = self.template_of_target(Target::Batch(id));
        match template.and_then(|id| self.templates.get(&id)) {
            Some(template) => format!("{}.{name}", template.name),
            None => name,
        }
    }

    /// The name of a target.
    #[must_use]
    pub fn target_name(&self, target: Target) -> String {
        match target {
            Target::Sink(id) => self
                .sinks
                .get(&id)
                .map_or_else(|| "?".to_owned(), |sink| sink.node.name.clone()),
            Target::Batch(id) => self.batch_name(id),
        }
    }
}

impl TextTest {
    /// The function's name in CEL.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::StartsWith => "startsWith",
            Self::EndsWith => "endsWith",
            Self::Contains => "contains",
        }
    }
}

/// A literal in a form that tells its type.
#[must_use]
pub fn literal_text(literal: &Literal) -> String {
    match literal {
        Literal::Null => "null".to_owned(),
        Literal::Bool(value) => value.to_string(),
        Literal::Int(value) => value.to_string(),
        Literal::Uint(value) => format!("{value}u"),
        Literal::Double(value) => format!("{value:?}"),
        Literal::String(value) => format!("{value:?}"),
        Literal::Bytes(value) => format!("b\"{}\"", value.escape_ascii()),
        Literal::Duration(nanoseconds) => format!("{nanoseconds}ns"),
        Literal::Size(bytes) => format!("{bytes}B"),
    }
}
