//! Templates with many instances: what is generated does not grow with them, and takes no time.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write;
use std::time::{Duration, Instant};

use watershed_compiler::driver::{Compilation, CompileOptions, compile};
use watershed_lang::source::{SourceFile, SourceMap};

const FLOW: &str = r#"
config url: string = "nats://127.0.0.1:4222";
source ingest = otlp;
template link(tenant: string, stream: string, severity: int) {
  connection bus = nats { url: url };
  sink out = nats { via: bus, stream: stream, subject: "logs." + tenant };
  sink copy = file { path: tenant };
  ingest.logs
    -> filter(resource.attributes["tenant"] == tenant && log.severity_number >= severity)
    -> batch(timeout: 1s)
    -> [out, copy];
}
"#;

/// The flow with a table of so many rows.
fn compiled(flow: &str, rows: &str) -> Compilation {
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new("scale.flow", flow));
    let options = CompileOptions {
        read_table: &|path| match path {
            "tenants.csv" => Ok(rows.to_owned()),
            other => Err(format!("{other} is not there")),
        },
        ..CompileOptions::default()
    };
    let compilation = compile(&sources, file, &options);
    assert_eq!(compilation.diagnostics, []);
    compilation
}

fn csv(rows: usize) -> String {
    let mut text = "tenant,severity\n".to_owned();
    (0..rows).for_each(|row| writeln!(text, "tenant-{row},{}", row % 24).unwrap());
    text
}

const FROM_FILE: &str =
    "for t in csv(\"tenants.csv\") { link(t.tenant, \"S_\" + t.tenant, t.severity); }";

/// The generated file without the rows of its table.
fn without_rows(compilation: &Compilation) -> Vec<String> {
    let rendered = compilation.rendered.as_ref().unwrap();
    let lines = rendered.text.lines();
    let lines = lines.filter(|line| {
        let varies = line.starts_with("// input:") || line.starts_with("static LINK_ROWS");
        !varies && !line.trim_start().starts_with("(\"tenant-")
    });
    lines.map(str::to_owned).collect()
}

#[test]
fn a_thousand_instances_have_the_code_of_ten() {
    let flow = format!("{FLOW}{FROM_FILE}");
    let ten = compiled(&flow, &csv(10));
    let thousand = compiled(&flow, &csv(1000));
    assert_eq!(without_rows(&ten), without_rows(&thousand));
    let text = &thousand.rendered.as_ref().unwrap().text;
    assert!(text.contains("static LINK_ROWS: [(&str, &str, i64); 1000]"));
    assert!(
        text.contains("(\"tenant-999\", \"S_tenant-999\", 15),"),
        "{text}"
    );
    let rows = text.lines().filter(|line| line.contains("(\"tenant-"));
    assert_eq!(rows.count(), 1000);
    assert!(
        text.lines().count() < 1000 + 320,
        "{} lines",
        text.lines().count()
    );
}

#[test]
fn ten_thousand_instances_are_compiled_at_once() {
    let flow = format!("{FLOW}{FROM_FILE}");
    let started = Instant::now();
    let compilation = compiled(&flow, &csv(10_000));
    // A debug build needs a few seconds on a busy machine; what grows with the square of the rows needs minutes.
    assert!(started.elapsed() < Duration::from_secs(60));
    assert!(compilation.rendered.is_some());
}

#[test]
fn a_list_a_csv_file_and_a_json_file_with_the_same_rows_are_the_same() {
    let plan = |table: &str, rows: &str| {
        let flow = format!(
            "{FLOW}const tenants = [{{\"tenant\": \"acme\", \"severity\": 9}}, {{\"tenant\": \"globex\", \"severity\": 17}}];\n\
             const _used = tenants;\n\
             for t in {table} {{ link(t.tenant, t[\"tenant\"], t.severity); }}"
        );
        let mut sources = SourceMap::new();
        let file = sources.add(SourceFile::new("same.flow", flow));
        let options = CompileOptions {
            read_table: &|_| Ok(rows.to_owned()),
            ..CompileOptions::default()
        };
        let compilation = compile(&sources, file, &options);
        assert_eq!(compilation.diagnostics, []);
        compilation
            .plan
            .unwrap()
            .templates
            .into_iter()
            .next()
            .unwrap()
            .1
            .rows
    };
    let kinds = |rows: Vec<Vec<watershed_compiler::plan::Value>>| {
        let rows = rows.into_iter();
        rows.map(|row| row.into_iter().map(|cell| cell.kind).collect::<Vec<_>>())
            .collect::<Vec<_>>()
    };
    let list = kinds(plan("tenants", ""));
    let csv = kinds(plan("csv(\"t\")", "tenant,severity\nacme,9\nglobex,17\n"));
    let json = kinds(plan(
        "json(\"t\")",
        r#"[{"tenant": "acme", "severity": 9}, {"severity": 17, "tenant": "globex"}]"#,
    ));
    assert_eq!(list, csv);
    assert_eq!(list, json);
    assert_eq!(list.len(), 2);
}

#[test]
fn a_row_that_does_not_fit_is_named_by_its_line() {
    let mut sources = SourceMap::new();
    let flow = format!("{FLOW}{FROM_FILE}");
    let file = sources.add(SourceFile::new("wrong.flow", flow));
    let options = CompileOptions {
        read_table: &|_| Ok("tenant,severity\nacme,9\nglobex,high\n".to_owned()),
        ..CompileOptions::default()
    };
    let found = compile(&sources, file, &options).diagnostics;
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].code.as_str(), "F0412");
    assert_eq!(
        found[0].message,
        "line 3 of the table has \"high\" for `severity`, which is `int`"
    );
}

#[test]
fn a_row_that_an_option_cannot_take_is_named_by_its_line() {
    let flow = "source ingest = otlp {};\n\
                template link(tenant: string, hold: duration) {\n\
                sink out = file { path: \"tenants/\" + tenant };\n\
                ingest.logs -> batch(timeout: hold) -> out;\n}\n\
                for t in csv(\"t.csv\") { link(t.tenant, t.hold); }\n";
    let found = |rows: &str| {
        let mut sources = SourceMap::new();
        let file = sources.add(SourceFile::new("range.flow", flow));
        let options = CompileOptions {
            read_table: &|_| Ok(rows.to_owned()),
            ..CompileOptions::default()
        };
        compile(&sources, file, &options).diagnostics
    };
    assert_eq!(found("tenant,hold\nacme,10ms\nglobex,7s\n"), []);
    let found = found("tenant,hold\nacme,10ms\nglobex,7s\ninitech,1h\numbrella,2h\n");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].code.as_str(), "F0505");
    assert_eq!(found[0].primary.text, "1h in `link[\"initech\"]`");
    assert_eq!(found[0].secondary[0].text, "made of line 4 of the table");
}
