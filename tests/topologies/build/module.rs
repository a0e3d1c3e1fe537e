//! One topology as a Rust module with a function `run`, which sends a payload through the selecting functions that the
//! compiler generated, and what a batch collects of it through those behind the batch.

use std::fmt::Write;

use anyhow::{Context, Result, bail, ensure};
use watershed_compiler::driver::{Compilation, CompileOptions, RUNTIME_PATH, compile};
use watershed_compiler::emit::{EmitOptions, emit};
use watershed_compiler::plan::passes::arrange;
use watershed_compiler::render::render;
use watershed_lang::diagnostic::render::human::{self, Style};
use watershed_lang::source::{SourceFile, SourceMap};

use crate::topology::Topology;

/// The two ways in which a topology is compiled.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    Optimised,
    Naive,
}

/// The module.
pub(crate) fn module(name: &str, topology: &Topology, way: Way) -> Result<String> {
    let code = rust(&topology.to_string(), way)?;
    let mut walks = String::new();
    let first = format!("ingest_{}", topology.signal.name());
    let mut open = vec![first.clone()];
    let mut done = Vec::new();
    while let Some(walk) = open.pop() {
        if done.contains(&walk) {
            continue;
        }
        let function = walk_function(&code, &walk, &mut open)?;
        writeln!(walks, "{function}")?;
        done.push(walk);
    }
    Ok(format!(
        "pub(crate) mod {name} {{
            {code}
            {walks}
            pub(crate) fn run(payload: &Payload) -> Vec<(usize, Parts)> {{
                let mut all = Vec::new();
                run_{first}(payload, &mut all);
                all
            }}
        }}"
    ))
}

/// A function that runs one walk and those behind the batches that it fills, which are added to `open`.
fn walk_function(code: &str, walk: &str, open: &mut Vec<String>) -> Result<String> {
    let head = format!("fn run_{walk}(payload: &Payload, all: &mut Vec<(usize, Parts)>)");
    // A walk that keeps nothing has no function.
    let Some(parameters) = between(code, &format!("fn select_{walk}<'a>("), "{") else {
        return Ok(format!("{head} {{}}"));
    };
    let (outputs, many) = match parameters.split_once("out: &mut ") {
        Some((_, rest)) => {
            let name = rest.split('<').next().context("a struct has parameters")?;
            let fields = between(code, &format!("struct {name}<'a> {{"), "}");
            (
                fields.context("a struct of outputs has fields")?,
                Some(name),
            )
        }
        None => (parameters, None),
    };
    let outputs: Vec<&str> = outputs
        .split(',')
        .filter(|output| output.contains("Selection<'a>"))
        .filter_map(|output| Some(output.split(':').next()?.trim()))
        .collect();
    ensure!(!outputs.is_empty(), "`select_{walk}` has no output");
    let (variable, start) = match (many, outputs.as_slice()) {
        (Some(name), _) => ("out", format!("{name}::default()")),
        (None, [only]) => (*only, "Selection::new()".to_owned()),
        (None, _) => bail!("`select_{walk}` has several outputs and no struct"),
    };
    let mut body = String::new();
    for output in &outputs {
        let parts = if many.is_some() {
            format!("out.{output}.finish()")
        } else {
            format!("{output}.finish()")
        };
        let number = output.split('_').nth(1).unwrap_or_default();
        if output.starts_with("batch_") {
            let behind = format!("after_batch_{number}");
            writeln!(
                body,
                "for part in &{parts}.parts {{ run_{behind}(part.payload(), all); }}"
            )?;
            open.push(behind);
        } else {
            let sink: usize = output
                .trim_start_matches('s')
                .split('_')
                .next()
                .unwrap_or_default()
                .parse()?;
            writeln!(body, "all.push(({sink}, {parts}));")?;
        }
    }
    Ok(format!(
        "{head} {{
            let mut {variable} = {start};
            for request in payload.requests() {{ select_{walk}(request, &mut {variable}); }}
            {body}
        }}"
    ))
}

fn between<'t>(text: &'t str, start: &str, end: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(start)?;
    Some(rest.split_once(end)?.0)
}

/// The Rust of a flow.
fn rust(text: &str, way: Way) -> Result<String> {
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new("random.flow", text));
    let compilation = compile(&sources, file, &CompileOptions::default());
    if compilation.has_errors() {
        let findings = compilation.diagnostics.iter();
        let findings: Vec<_> = findings.filter(|found| found.is_error()).cloned().collect();
        bail!("{}", human::render(&findings, &sources, Style::Plain));
    }
    match way {
        Way::Optimised => {
            let rendered = compilation.rendered;
            Ok(rendered.context("a flow without errors is rendered")?.text)
        }
        Way::Naive => naive(&compilation, &sources),
    }
}

/// The Rust of the plan that only those passes have seen without which it cannot be emitted: no decision is changed.
fn naive(compilation: &Compilation, sources: &SourceMap) -> Result<String> {
    let plan = compilation.naive_plan.clone();
    let plan = arrange(plan.context("a flow without errors is planned")?);
    let options = EmitOptions {
        flow: "random.flow",
        name: "random",
        runtime_path: RUNTIME_PATH,
        spans: &|_| proc_macro2::Span::call_site(),
        describe: &|_| None,
        comments: true,
    };
    let emitted = emit(&plan, &options);
    ensure!(emitted.unsupported.is_empty(), "the naive plan has no Rust");
    Ok(render(&emitted, sources, &[], "random.flow")?.text)
}
