//! Flows made of predicates, and the Rust that they become in two ways: with every pass of the compiler, so that each
//! part of a predicate is tested at its own level, and without any, so that each predicate is tested whole at every
//! record.

use std::fmt::Write;

use anyhow::{Context, Result, bail, ensure};
use watershed_compiler::driver::{Compilation, CompileOptions, RUNTIME_PATH, compile};
use watershed_compiler::emit::{EmitOptions, emit};
use watershed_compiler::plan::passes::arrange;
use watershed_compiler::render::render;
use watershed_lang::diagnostic::render::human::{self, Style};
use watershed_lang::source::{SourceFile, SourceMap};

use crate::expression::{Expression, Kind, configs, quoted, word_list};

/// How a predicate is asked. Each shape gives two outputs, from which true, false and error can be told.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    /// Arms of one `split`: what is true, and what is false.
    Split,
    /// `filter` and `drop` that drop on errors: what is true, and what is false.
    Filter,
    /// A `route`: what is true, else what is false.
    Route,
    /// `filter` and `drop` that keep on errors: what is not false, and what is not true.
    Keep,
}

impl Shape {
    /// The shape of a predicate by its place: all shapes in turn.
    pub(crate) const fn at(place: usize) -> Self {
        match place % 4 {
            0 => Self::Split,
            1 => Self::Filter,
            2 => Self::Route,
            _ => Self::Keep,
        }
    }
}

/// A predicate of a flow.
#[derive(Clone, Debug)]
pub(crate) struct Predicate {
    pub(crate) expression: Expression,
    pub(crate) shape: Shape,
    /// Whether the flow names it first and then uses its name.
    pub(crate) is_named: bool,
}

/// Predicates that are compiled together.
#[derive(Clone, Debug)]
pub(crate) struct Flow {
    /// The predicates that others name.
    pub(crate) shared: Vec<(String, Expression)>,
    pub(crate) predicates: Vec<Predicate>,
}

/// The two ways in which a flow is compiled.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    Optimised,
    Flat,
}

impl Flow {
    /// The text of the flow.
    fn text(&self) -> Result<String> {
        let mut text = String::new();
        for (kind, name, value) in configs() {
            let (ty, value) = match kind {
                Kind::Int => ("int", value),
                Kind::Double => ("double", value),
                Kind::Bool => ("bool", value),
                Kind::Duration => ("duration", value),
                _ => ("string", quoted(&value)),
            };
            writeln!(text, "config {name}: {ty} = {value};")?;
        }
        writeln!(text, "const words = {};", word_list())?;
        writeln!(text, "source ingest = otlp;")?;
        for (name, expression) in &self.shared {
            writeln!(text, "predicate {name} = {};", expression.flow)?;
        }
        for sink in ["always", "rest"] {
            writeln!(text, "sink {sink} = stdout;")?;
        }
        // Always there, so that every flow has an output and reads its configuration.
        writeln!(
            text,
            "ingest.logs -> filter(log.severity_number >= limit) -> always;"
        )?;
        for (place, predicate) in self.predicates.iter().enumerate() {
            predicate.write(place, &mut text)?;
        }
        Ok(text)
    }

    /// What the compiler says of each predicate that it refuses.
    pub(crate) fn refused(&self, way: Way) -> String {
        let alone = self.predicates.iter().map(|predicate| Self {
            shared: self.shared.clone(),
            predicates: vec![predicate.clone()],
        });
        alone
            .filter_map(|flow| {
                let error = flow.module("alone", way).err()?;
                let text = flow.predicates.first()?.expression.flow.clone();
                let shared = flow.shared.iter();
                let shared: String = shared
                    .map(|(name, one)| format!("  where {name} is {}\n", one.flow))
                    .collect();
                Some(format!("{way:?}: {text}\n{shared}{error}\n"))
            })
            .collect()
    }

    /// The flow as a Rust module with a function `run`.
    pub(crate) fn module(&self, name: &str, way: Way) -> Result<String> {
        let text = self.text()?;
        let code = rust(&text, way)?;
        let outputs: String = (0..self.predicates.len())
            .map(|place| {
                let output = |name: String| {
                    // A branch that the compiler knows to be dead has no output.
                    if code.contains(&format!("    {name}: Selection<'a>")) {
                        format!("out.{name}.finish()")
                    } else {
                        "Parts::default()".to_owned()
                    }
                };
                let (first, second) = (output(format!("t{place}")), output(format!("f{place}")));
                format!("[{first}, {second}],")
            })
            .collect();
        Ok(format!(
            "pub(crate) mod {name} {{
                {code}
                pub(crate) fn run(payload: &Payload) -> Result<Vec<[Parts; 2]>, ConfigError> {{
                    let config = Config::resolve(Flow::builder().values)?;
                    let mut out = IngestLogsOutputs::default();
                    for request in payload.requests() {{
                        select_ingest_logs(request, &mut out, &config);
                    }}
                    Ok(vec![{outputs}])
                }}
            }}"
        ))
    }
}

impl Predicate {
    fn write(&self, place: usize, text: &mut String) -> Result<()> {
        let (yes, no) = (format!("t{place}"), format!("f{place}"));
        writeln!(text, "sink {yes} = stdout; sink {no} = stdout;")?;
        let condition = if self.is_named {
            writeln!(text, "predicate p{place} = {};", self.expression.flow)?;
            format!("p{place}")
        } else {
            self.expression.flow.clone()
        };
        let start = "ingest.logs ->";
        match self.shape {
            Shape::Split => writeln!(
                text,
                "{start} split {{ {condition} => {yes}, !({condition}) => {no} }};"
            )?,
            Shape::Filter => writeln!(
                text,
                "{start} filter({condition}) -> {yes};
                 {start} drop({condition}, on_error: drop) -> {no};"
            )?,
            Shape::Route => writeln!(
                text,
                "{start} route {{ {condition} => {yes}, !({condition}) => {no}, else => rest }};"
            )?,
            Shape::Keep => writeln!(
                text,
                "{start} filter({condition}, on_error: keep) -> {yes};
                 {start} drop({condition}, on_error: keep) -> {no};"
            )?,
        }
        Ok(())
    }
}

/// The Rust of a flow.
fn rust(text: &str, way: Way) -> Result<String> {
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new("random.flow", text));
    let compilation = compile(&sources, file, &CompileOptions::default());
    if compilation.has_errors() {
        let findings: Vec<_> = compilation
            .diagnostics
            .iter()
            .filter(|found| found.is_error())
            .cloned()
            .collect();
        bail!("{}", human::render(&findings, &sources, Style::Plain));
    }
    let rendered = match way {
        Way::Optimised => {
            compilation
                .rendered
                .context("a flow without errors is rendered")?
                .text
        }
        Way::Flat => flat(&compilation, &sources)?,
    };
    Ok(rendered)
}

/// The Rust of a plan in which every condition stands as it is written.
fn flat(compilation: &Compilation, sources: &SourceMap) -> Result<String> {
    let plan = compilation
        .naive_plan
        .clone()
        .map(arrange)
        .context("a flow without errors is planned")?;
    let emitted = emit(
        &plan,
        &EmitOptions {
            flow: "random.flow",
            name: "random",
            runtime_path: RUNTIME_PATH,
            spans: &|_| proc_macro2::Span::call_site(),
            describe: &|_| None,
            comments: true,
        },
    );
    ensure!(
        emitted.unsupported.is_empty(),
        "the flat plan has no Rust: {}",
        emitted
            .unsupported
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(", ")
    );
    Ok(render(&emitted, sources, &[], "random.flow")?.text)
}
