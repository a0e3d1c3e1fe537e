//! The driver: all phases in their order, and nothing else. The macro, the build helper and `flowc` are front
//! doors to it.
//!
//! It reads no files, no environment and no clock: the same sources give the same bytes.

use std::str::FromStr;

use proc_macro2::TokenStream;
use watershed_lang::ast;
use watershed_lang::diagnostic::{Code, Diagnostic, Diagnostics};
use watershed_lang::parse::parse;
use watershed_lang::source::{SourceFile, SourceMap};
use watershed_lang::span::{FileId, Span};

use crate::check::{self, TypeTable};
use crate::emit::{EmitOptions, Emitted, emit, skeleton};
use crate::hir::{self, Program};
use crate::plan::{Plan, PlanLog, dump, lower, passes};
use crate::render::{Rendered, render};
use crate::resolve::resolve;
use crate::table::read_tables;

/// The path of the runtime crate in generated code, unless a user renamed it.
pub const RUNTIME_PATH: &str = "::watershed";

/// How a flow is compiled.
pub struct CompileOptions<'a> {
    /// The path of the runtime crate.
    pub runtime_path: &'a str,
    /// For a macro: where rustc shall report a mistake in what stands at a span. Without it a file is rendered.
    pub spans: Option<&'a dyn Fn(Span) -> proc_macro2::Span>,
    /// The text of the file at a path that a flow names in `csv("…")` or `json("…")`, or why it cannot be had. The
    /// path is as it is written, so it is relative to the flow.
    pub read_table: &'a dyn Fn(&str) -> Result<String, String>,
}

impl Default for CompileOptions<'_> {
    fn default() -> Self {
        Self {
            runtime_path: RUNTIME_PATH,
            spans: None,
            read_table: &|_| Err("no files can be read here".to_owned()),
        }
    }
}

/// What became of a flow: the result of every phase that was reached.
#[derive(Clone, Debug, Default)]
pub struct Compilation {
    /// Everything that was found, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// The syntax tree.
    pub ast: ast::File,
    /// The resolved program.
    pub program: Option<Program>,
    /// What the checker knows.
    pub types: Option<TypeTable>,
    /// The plan as the text says it.
    pub naive_plan: Option<Plan>,
    /// The plan after every pass.
    pub plan: Option<Plan>,
    /// What the passes changed.
    pub log: PlanLog,
    /// The generated items.
    pub emitted: Option<Emitted>,
    /// The generated file; a macro has none.
    pub rendered: Option<Rendered>,
    /// The files that were asked for, readable or not, as the flow writes their paths: what is made depends on them.
    pub tables: Vec<TableFile>,
}

/// A file that a flow reads when it is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableFile {
    /// The path as it is written.
    pub path: String,
    /// Its text; `None` when it cannot be read.
    pub text: Option<String>,
}

/// Compiles one file. It never fails: what is wrong with the flow is among the diagnostics. Text, names and types
/// are looked at in any case; nothing is planned or generated for a flow with errors.
///
/// ```
/// use watershed_compiler::driver::{CompileOptions, compile};
/// use watershed_lang::source::{SourceFile, SourceMap};
///
/// let mut sources = SourceMap::new();
/// let text = "source ingest = otlp; sink out = stdout; ingest.logs -> out;";
/// let file = sources.add(SourceFile::new("tiny.flow", text));
/// let compilation = compile(&sources, file, &CompileOptions::default());
/// assert!(compilation.diagnostics.is_empty());
/// assert!(compilation.rendered.unwrap().text.contains("pub struct Flow"));
/// ```
#[must_use]
pub fn compile(sources: &SourceMap, file: FileId, options: &CompileOptions<'_>) -> Compilation {
    let mut compilation = Compilation::default();
    let mut diagnostics = Diagnostics::new();
    // `None` says that a phase found an error: what the phases before it made stands in the compilation.
    let _ = phases(sources, file, options, &mut compilation, &mut diagnostics);
    compilation.diagnostics = diagnostics.into_sorted();
    compilation
}

fn phases(
    sources: &SourceMap,
    file: FileId,
    options: &CompileOptions<'_>,
    made: &mut Compilation,
    diagnostics: &mut Diagnostics,
) -> Option<()> {
    let source = sources.get(file)?;
    made.ast = parse(file, source.text(), diagnostics);
    // Names and types are looked at in what could be parsed too, so that one run tells everything.
    let program = made.program.insert(resolve(&made.ast, diagnostics));
    made.tables = read_tables(program, options.read_table, diagnostics);
    let types = made.types.insert(check::check(program, diagnostics));
    diagnostics.retain(|found| !follows_from_syntax(found, &made.ast, source));
    stop_if_errors(diagnostics)?;
    let naive = made
        .naive_plan
        .insert(lower::lower(program, types, diagnostics));
    stop_if_errors(diagnostics)?;
    let plan = made
        .plan
        .insert(passes::optimise(naive.clone(), &mut made.log));
    warn(&made.log, diagnostics);
    let flow = file_name(source.path());
    let describe = |span: Span| place(sources, span);
    let no_spans = |_| proc_macro2::Span::call_site();
    let emitted = made.emitted.insert(emit(
        plan,
        &EmitOptions {
            flow,
            name: flow
                .strip_suffix(".flow")
                .unwrap_or(flow)
                .trim_end_matches('!'),
            runtime_path: options.runtime_path,
            spans: options.spans.unwrap_or(&no_spans),
            describe: if options.spans.is_some() {
                &|_| None
            } else {
                &describe
            },
            comments: options.spans.is_none(),
        },
    ));
    for unsupported in &emitted.unsupported {
        let (message, span) = (unsupported.to_string(), unsupported.span);
        diagnostics.push(Diagnostic::new(Code::UnsupportedExpression, message, span));
    }
    stop_if_errors(diagnostics)?;
    if options.spans.is_none() {
        made.rendered = render(emitted, sources, &made.tables, flow)
            .map_err(|error| diagnostics.push(internal(file, &error)))
            .ok();
    }
    Some(())
}

/// Whether an unknown name may have been declared by an item that could not be parsed.
fn follows_from_syntax(found: &Diagnostic, ast: &ast::File, source: &SourceFile) -> bool {
    let name = source.slice(found.primary.span);
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    found.code == Code::UnknownName
        && ast.items.iter().any(|item| {
            is_unread(item)
                && source
                    .slice(item.span)
                    .split(|character| !is_word(character))
                    .any(|word| word == name)
        })
}

/// Whether an item, or one in its braces, could not be parsed.
fn is_unread(item: &ast::Item) -> bool {
    match &item.kind {
        ast::ItemKind::Error | ast::ItemKind::Unsupported(_) => true,
        ast::ItemKind::Template(template) => template.items.iter().any(is_unread),
        ast::ItemKind::For(item) => item.items.iter().any(is_unread),
        _ => false,
    }
}

fn stop_if_errors(diagnostics: &Diagnostics) -> Option<()> {
    (!diagnostics.has_errors()).then_some(())
}

/// Reports what the passes removed, unless the checker has said it already.
fn warn(log: &PlanLog, diagnostics: &mut Diagnostics) {
    for warning in log.warnings() {
        // The checker points at the name of what a pass knows as a whole item.
        let whole = warning.primary.span;
        let known = diagnostics.iter().any(|other| {
            let span = other.primary.span;
            other.code == warning.code && whole.to(span) == whole && whole.file == span.file
        });
        if !known {
            diagnostics.push(warning);
        }
    }
}

fn internal(file: FileId, error: &syn::Error) -> Diagnostic {
    let message = format!("the generated code is not Rust: {error}");
    Diagnostic::new(Code::Internal, message, Span::new(file, 0, 0))
        .help("this is a mistake of the compiler: please report it")
}

/// `split.flow:14`
fn place(sources: &SourceMap, span: Span) -> Option<String> {
    let file = sources.get(span.file)?;
    Some(format!(
        "{}:{}",
        file_name(file.path()),
        file.line_column(span.start).line
    ))
}

/// The last part of a path: generated code names no folders, so it does not depend on where it was made.
#[must_use]
pub fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

impl Compilation {
    /// Whether the flow has errors.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// The generated items, or the skeleton that stands for a flow with errors.
    #[must_use]
    pub fn tokens(&self, runtime_path: &str) -> TokenStream {
        let emitted = self.emitted.clone().filter(|_| !self.has_errors());
        emitted
            .unwrap_or_else(|| skeleton(&self.ast, runtime_path))
            .into_tokens()
    }

    /// What a phase made, as text; `None` when the phase was not reached.
    #[must_use]
    pub fn dump(&self, what: Dump) -> Option<String> {
        match what {
            Dump::Ast => Some(ast::dump::dump(&self.ast)),
            Dump::Hir => self.program.as_ref().map(hir::dump),
            Dump::Types => self
                .program
                .as_ref()
                .zip(self.types.as_ref())
                .map(|(program, types)| check::dump(program, types)),
            Dump::NaivePlan => self.naive_plan.as_ref().map(dump::dump),
            Dump::Plan => self
                .plan
                .as_ref()
                .map(|plan| format!("{}{}", dump::dump(plan), self.log_text())),
            Dump::Rust => self.rendered.as_ref().map(|rendered| rendered.text.clone()),
        }
    }

    fn log_text(&self) -> String {
        if self.log.changes().is_empty() {
            String::new()
        } else {
            format!("\nlog\n{}", self.log.to_text())
        }
    }
}

/// A phase whose result can be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dump {
    /// The syntax tree.
    Ast,
    /// The resolved program.
    Hir,
    /// Types and levels.
    Types,
    /// The plan before the passes.
    NaivePlan,
    /// The plan after the passes, with what they changed.
    Plan,
    /// The generated file.
    Rust,
}

impl Dump {
    /// Every phase with the name that `--emit` takes.
    pub const ALL: [(&'static str, Self); 6] = [
        ("ast", Self::Ast),
        ("hir", Self::Hir),
        ("types", Self::Types),
        ("plan=0", Self::NaivePlan),
        ("plan", Self::Plan),
        ("rust", Self::Rust),
    ];
}

impl FromStr for Dump {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|(name, _)| *name == text);
        found.map(|(_, dump)| dump).ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|(name, _)| *name).collect();
            format!("no phase is named `{text}`; there are {}", names.join(", "))
        })
    }
}
