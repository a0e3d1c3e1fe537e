//! A readable, stable text of a syntax tree, for `--emit ast` and for tests.
//!
//! One line for each item, option, argument, step and arm, indented by what it belongs to, with its byte range;
//! expressions stand on their line as nested lists: `a.b == 1 && c` is `(&& (== (. a b) 1) c)`.

mod expression;

use std::fmt::Write;

use super::{
    Arg, Arm, Branch, Chain, File, Item, ItemKind, NodeItem, OptionBlock, OptionValue, StageCall,
    Step, StepKind, TableRef,
};
use crate::span::Span;

pub use expression::dump_expression;

/// Writes a whole file.
///
/// ```
/// use watershed_lang::{ast::dump::dump, diagnostic::Diagnostics, parse::parse, span::FileId};
///
/// let mut diagnostics = Diagnostics::new();
/// let file = parse(FileId(0), "ingest.logs -> filter(log.body == \"x\") -> out;", &mut diagnostics);
/// assert_eq!(dump(&file), "\
/// chain 0..46
///   head ingest.logs 0..11
///   call filter 15..38
///     arg (== (. log body) \"x\")
///   name out 42..45
/// ");
/// ```
#[must_use]
pub fn dump(file: &File) -> String {
    let mut dumper = Dumper {
        text: String::new(),
        depth: 0,
    };
    for item in &file.items {
        dumper.item(item);
    }
    for trivia in &file.trivia {
        dumper.line(&format!("trivia {:?}", trivia.kind), Some(trivia.span));
    }
    dumper.text
}

struct Dumper {
    text: String,
    depth: usize,
}

impl Dumper {
    fn line(&mut self, text: &str, span: Option<Span>) {
        let indent = self.depth * 2;
        // Writing to a string does not fail.
        let _ = match span {
            Some(span) => writeln!(
                self.text,
                "{:indent$}{text} {}..{}",
                "", span.start, span.end
            ),
            None => writeln!(self.text, "{:indent$}{text}", ""),
        };
    }

    fn nested(&mut self, inner: impl FnOnce(&mut Self)) {
        self.depth += 1;
        inner(self);
        self.depth -= 1;
    }

    fn item(&mut self, item: &Item) {
        for doc in &item.docs {
            self.line(&format!("doc {:?}", doc.value), Some(doc.span));
        }
        let span = Some(item.span);
        match &item.kind {
            ItemKind::Config(config) => {
                let default = config
                    .default
                    .as_ref()
                    .map(|value| format!(" = {}", dump_expression(value)));
                let default = default.unwrap_or_default();
                self.line(
                    &format!("config {}: {}{default}", config.name.value, config.ty.value),
                    span,
                );
            }
            ItemKind::Const(item) => {
                self.line(
                    &format!(
                        "const {} = {}",
                        item.name.value,
                        dump_expression(&item.value)
                    ),
                    span,
                );
            }
            ItemKind::Predicate(item) => {
                self.line(
                    &format!(
                        "predicate {} = {}",
                        item.name.value,
                        dump_expression(&item.value)
                    ),
                    span,
                );
            }
            ItemKind::Connection(node) => self.node("connection", node, item.span),
            ItemKind::Source(node) => self.node("source", node, item.span),
            ItemKind::Sink(node) => self.node("sink", node, item.span),
            ItemKind::Stage(stage) => {
                self.line(&format!("stage {}", stage.name.value), span);
                self.nested(|inner| inner.call(&stage.call));
            }
            ItemKind::Chain(chain) => {
                self.line("chain", span);
                self.nested(|inner| inner.chain(chain));
            }
            ItemKind::Template(template) => {
                let parameters = template.parameters.iter();
                let parameters: Vec<_> = parameters
                    .map(|parameter| format!("{}: {}", parameter.name.value, parameter.ty.value))
                    .collect();
                self.line(
                    &format!(
                        "template {}({})",
                        template.name.value,
                        parameters.join(", ")
                    ),
                    span,
                );
                self.nested(|inner| template.items.iter().for_each(|item| inner.item(item)));
            }
            ItemKind::For(item) => {
                let table = match &item.table {
                    TableRef::Const(name) => name.value.clone(),
                    TableRef::File { format, path } => {
                        format!("{}({:?})", format.value, path.value)
                    }
                };
                self.line(&format!("for {} in {table}", item.row.value), span);
                self.nested(|inner| item.items.iter().for_each(|item| inner.item(item)));
            }
            ItemKind::Use(call) => {
                self.line("use", span);
                self.nested(|inner| inner.call(call));
            }
            ItemKind::Unsupported(keyword) => {
                self.line(&format!("unsupported {}", keyword.value), span)
            }
            ItemKind::Error => self.line("error", span),
        }
    }

    fn node(&mut self, keyword: &str, node: &NodeItem, span: Span) {
        let ty = node
            .ty
            .as_ref()
            .map(|ty| format!(": {}", ty.value))
            .unwrap_or_default();
        self.line(
            &format!("{keyword} {}{ty} = {}", node.name.value, node.kind.value),
            Some(span),
        );
        if let Some(options) = &node.options {
            self.nested(|inner| inner.block(options));
        }
    }

    fn block(&mut self, block: &OptionBlock) {
        for option in &block.options {
            match &option.value {
                OptionValue::Expr(value) => {
                    self.line(
                        &format!("option {}: {}", option.name.value, dump_expression(value)),
                        None,
                    );
                }
                OptionValue::Block(inner) => {
                    self.line(&format!("option {}", option.name.value), Some(inner.span));
                    self.nested(|nested| nested.block(inner));
                }
            }
        }
    }

    fn call(&mut self, call: &StageCall) {
        self.line(&format!("call {}", call.kind.value), Some(call.span));
        self.nested(|inner| call.args.iter().for_each(|arg| inner.arg(arg)));
    }

    fn arg(&mut self, arg: &Arg) {
        let name = arg
            .name
            .as_ref()
            .map(|name| format!("{}: ", name.value))
            .unwrap_or_default();
        self.line(&format!("arg {name}{}", dump_expression(&arg.value)), None);
    }

    fn chain(&mut self, chain: &Chain) {
        for head in &chain.heads {
            let signal = head
                .signal
                .as_ref()
                .map(|signal| format!(".{}", signal.value))
                .unwrap_or_default();
            self.line(
                &format!("head {}{signal}", head.source.value),
                Some(head.span),
            );
        }
        self.steps(&chain.steps);
    }

    fn steps(&mut self, steps: &[Step]) {
        for step in steps {
            match &step.kind {
                StepKind::Name(name) => self.line(&format!("name {}", name.value), Some(step.span)),
                StepKind::Call(call) => self.call(call),
                StepKind::FanOut(branches) => {
                    self.line("fan-out", Some(step.span));
                    self.nested(|inner| branches.iter().for_each(|branch| inner.branch(branch)));
                }
                StepKind::Route(arms) => self.arms("route", arms, step.span),
                StepKind::Split(arms) => self.arms("split", arms, step.span),
                StepKind::Error => self.line("error", Some(step.span)),
            }
        }
    }

    fn branch(&mut self, branch: &Branch) {
        self.line("branch", Some(branch.span));
        self.nested(|inner| inner.steps(&branch.steps));
    }

    fn arms(&mut self, keyword: &str, arms: &[Arm], span: Span) {
        self.line(keyword, Some(span));
        self.nested(|inner| {
            for arm in arms {
                let head = arm
                    .condition
                    .as_ref()
                    .map_or_else(|| "else".to_owned(), dump_expression);
                inner.line(&format!("arm {head}"), Some(arm.head));
                inner.nested(|steps| steps.steps(&arm.branch.steps));
            }
        });
    }
}
