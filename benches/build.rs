//! Compiles the flows that are measured: those of `flows`, and routes of many arms that nobody would write by hand.
//!
//! In: `flows/*.flow` and the table below. Out: Rust in `OUT_DIR/flows`, as `watershed::include_flow!` expects it.

use std::env;
use std::error::Error;
use std::fmt::Write;
use std::path::Path;

use watershed_compiler::cargo::{compile_flow, write_if_changed};
use watershed_compiler::driver::{CompileOptions, compile};
use watershed_lang::source::{SourceFile, SourceMap};

/// Sinks that the arms of a generated route lead to in turn.
const SINKS: usize = 10;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    for name in [
        "record_filter",
        "resource_filter",
        "and_filter",
        "keep_all",
        "two_way_split",
        "subject_routing",
        "attribute_equals",
        "severity_and_status",
        "service_and_body",
    ] {
        compile_flow(format!("flows/{name}.flow"));
    }
    let record = r#"log.attributes["http.route"] == "/orders/"#;
    let resource = r#"resource.attributes["service.name"] == "service-"#;
    for arms in [1, 10, 100, 1_000] {
        generate(&format!("route_{arms}"), &route(arms, record))?;
    }
    generate("service_route_100", &route(100, resource))?;
    for branches in [1, 10, 100] {
        generate(&format!("branches_{branches}"), &split(branches))?;
    }
    Ok(())
}

/// A split of one branch that keeps a quarter of the records, and of `absent` branches for services that are not there.
fn split(absent: usize) -> String {
    let mut flow = head(absent) + "ingest.logs -> split {\n";
    flow += r#"  resource.attributes["deployment.environment"] == "prod" && log.attributes["team"] == "team-0" => rest,"#;
    for branch in 0..absent {
        let service = format!(r#"resource.attributes["service.name"] == "absent-{branch}""#);
        let team = format!(r#"log.attributes["team"] == "team-{branch}""#);
        let _ = writeln!(flow, "  {service} && {team} => sink_{},", branch % SINKS);
    }
    flow + "};\n"
}

/// A source, the sinks that `arms` arms lead to, and the sink `rest`.
fn head(arms: usize) -> String {
    let mut flow = String::from("source ingest = otlp { http: \"127.0.0.1:0\" };\n");
    for sink in 0..SINKS.min(arms) {
        let _ = writeln!(flow, "sink sink_{sink} = file {{ path: \"sink_{sink}\" }};");
    }
    flow + "sink rest = file { path: \"rest\" };\n"
}

/// A route of `arms` arms: `condition` with a number behind it, the highest first, so that data with the low numbers
/// reaches the last arms. Each arm leads to the next sink in turn; what no arm wants goes to `rest`.
fn route(arms: usize, condition: &str) -> String {
    let mut flow = head(arms) + "ingest.logs -> route {\n";
    for (arm, number) in (0..arms).rev().enumerate() {
        let _ = writeln!(flow, "  {condition}{number}\" => sink_{},", arm % SINKS);
    }
    flow + "  else => rest,\n};\n"
}

/// Compiles the flow `text` into the place where `include_flow!("flows/<name>.flow")` looks.
fn generate(name: &str, text: &str) -> Result<(), Box<dyn Error>> {
    let mut sources = SourceMap::new();
    let path = format!("flows/{name}.flow");
    let file = sources.add(SourceFile::new(path.clone(), text));
    let compilation = compile(&sources, file, &CompileOptions::default());
    let rendered = compilation
        .rendered
        .filter(|_| compilation.diagnostics.is_empty())
        .ok_or_else(|| format!("{path}: {:?}", compilation.diagnostics))?;
    let target = Path::new(&env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?).join(path + ".rs");
    write_if_changed(&target, &rendered.text)?;
    Ok(())
}
