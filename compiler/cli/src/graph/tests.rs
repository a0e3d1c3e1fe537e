//! Pictures of flows that are compiled here: what they hold, and that nothing in them lies upon something else.

use std::fmt::Write as _;

use watershed_compiler::driver::{CompileOptions, compile};
use watershed_lang::source::{SourceFile, SourceMap};

use super::layout::{Area, arrange};
use super::model::{Kind, how_often};
use super::*;

/// Both pictures of a flow: as written, and what is left of it.
fn draw(text: &str) -> [Graph; 2] {
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new("test.flow", text));
    let compilation = compile(&sources, file, &CompileOptions::default());
    assert!(!compilation.has_errors(), "{:?}", compilation.diagnostics);
    let program = from_program(&compilation, &sources).unwrap();
    [program, from_plan(&compilation, &sources).unwrap()]
}

/// A flow that has one of everything, and parts that never run.
const EVERYTHING: &str = r#"
config where_to: string = "out";
const off = false;
/// What runs in production.
predicate prod = resource.attributes["env"] == "prod";
/// Where all comes in.
source ingest = otlp { http: "127.0.0.1:4318" };
source silent = otlp { http: "127.0.0.1:4319" };
sink a = file { path: where_to };
sink b = file { path: "b" };
sink never = file { path: "never" };
stage often = batch(max_records: 10);
ingest.logs
  -> filter(prod && log.severity_number >= 9)
  -> drop(log.flags == 1u || scope.name == "noisy", on_error: drop)
  -> filter(!off)
  -> often
  -> split { prod => a, off => filter(log.body == "x") -> never, log.severity_number >= 17 => [a, b] };
ingest.traces -> route { span.kind == 2 => a, else => b };
"#;

#[test]
fn the_program_is_drawn_as_written_with_what_was_removed() {
    let [program, _] = draw(EVERYTHING);
    insta::assert_snapshot!(write(&program, Format::Json).unwrap());
}

#[test]
fn the_plan_is_drawn_walk_by_walk() {
    let [_, plan] = draw(EVERYTHING);
    insta::assert_snapshot!(write(&plan, Format::Mermaid).unwrap());
}

/// Templates: one that a look-up finds, and one that is tested instance by instance.
const TEMPLATES: &str = r#"
const tenants = ["acme", "globex", "initech"];
source ingest = otlp { http: "127.0.0.1:4318" };
sink rest = file { path: "rest" };
template link(tenant: string) {
  sink out = file { path: tenant };
  ingest.logs -> filter(resource.attributes["tenant"] == tenant) -> set(log.severity_text, tenant) -> batch(max_records: 10) -> out;
}
template prefix(text: string) {
  ingest.logs -> filter(log.event_name.startsWith(text)) -> rest;
}
for t in tenants { link(t); }
prefix("a");
prefix("b");
"#;

#[test]
fn the_instances_of_a_template_are_drawn_once() {
    let [program, plan] = draw(TEMPLATES);
    let both = [program, plan].map(|graph| write(&graph, Format::Mermaid).unwrap());
    insta::assert_snapshot!(both.join("\n"));
}

#[test]
fn graphviz_gets_the_same_graph() {
    let [program, _] = draw(EVERYTHING);
    insta::assert_snapshot!(write(&program, Format::Dot).unwrap());
}

#[test]
fn what_is_behind_and_before_a_dead_arm_is_removed_and_nothing_else() {
    let [program, plan] = draw(EVERYTHING);
    let gone: Vec<_> = program
        .nodes
        .iter()
        .filter(|node| node.removed.is_some())
        .map(|node| (node.kind, node.title.as_str()))
        .collect();
    assert_eq!(
        gone,
        [
            (Kind::Source, "silent"),
            (Kind::Sink, "never"),
            (Kind::Guard, "filter")
        ]
    );
    // What is drawn as removed is not in the plan, and what is in the plan is not drawn as removed.
    for node in program
        .nodes
        .iter()
        .filter(|node| matches!(node.kind, Kind::Source | Kind::Sink))
    {
        let is_left = plan.nodes.iter().any(|left| left.title == node.title);
        assert_eq!(is_left, node.removed.is_none(), "{}", node.title);
    }
}

#[test]
fn a_test_that_always_passes_is_gone_and_what_follows_it_stays() {
    let [program, _] = draw(
        "const on = true; source ingest = otlp; sink a = stdout; ingest.logs -> filter(on) -> a;",
    );
    assert!(program.nodes.iter().all(|node| node.removed.is_none()));
    let filter = program
        .nodes
        .iter()
        .find(|node| node.kind == Kind::Guard)
        .unwrap();
    assert_eq!(
        filter.decisions,
        ["prune_dead: everything passes this stage"]
    );
}

#[test]
fn a_chain_that_drops_everything_leaves_its_source() {
    let [program, plan] = draw(
        "const off = false; source ingest = otlp; sink a = stdout; sink b = file { path: \"b\" };\n\
         ingest.logs -> batch(timeout: 1s) -> filter(off) -> a; ingest.traces -> b;",
    );
    let gone: Vec<_> = program
        .nodes
        .iter()
        .map(|node| node.removed.is_some())
        .collect();
    // ingest, a, b, batch, filter
    assert_eq!(gone, [false, true, false, true, true]);
    assert!(plan.nodes.iter().any(|node| node.kind == Kind::Dropped));
}

#[test]
fn hostile_text_stays_text() {
    let [program, plan] = draw(
        "/// <script>alert(\"1\")</script> & ]]>\nsource ingest = otlp; sink a = stdout;\n\
         ingest.logs -> filter(log.body == \"</title><b>&\\\"\\x01'|]});%%\\\\\") -> a;",
    );
    for graph in [program, plan] {
        let svg = write(&graph, Format::Svg).unwrap();
        let parsed = roxmltree::Document::parse(&svg).unwrap();
        let is_known = |name| {
            matches!(
                name,
                "svg"
                    | "style"
                    | "defs"
                    | "marker"
                    | "path"
                    | "rect"
                    | "text"
                    | "tspan"
                    | "g"
                    | "title"
                    | "circle"
            )
        };
        for element in parsed.descendants().filter(roxmltree::Node::is_element) {
            assert!(is_known(element.tag_name().name()), "{element:?}");
        }
        let mermaid = write(&graph, Format::Mermaid).unwrap();
        assert!(
            !mermaid.contains("<script") && !mermaid.contains("</title"),
            "{mermaid}"
        );
        let dot = write(&graph, Format::Dot).unwrap();
        assert!(
            dot.contains("\\\\\\\""),
            "quotes and backslashes are escaped: {dot}"
        );
    }
}

#[test]
fn the_whole_of_a_long_condition_is_in_the_tooltip() {
    let condition: Vec<_> = (0..40)
        .map(|at| format!("log.body == \"number {at}\""))
        .collect();
    let condition = condition.join(" || ");
    let [program, _] = draw(&format!(
        "source ingest = otlp; sink a = stdout; ingest.logs -> filter({condition}) -> a;"
    ));
    let svg = write(&program, Format::Svg).unwrap();
    let parsed = roxmltree::Document::parse(&svg).unwrap();
    let texts = |name: &'static str| {
        let elements = parsed
            .descendants()
            .filter(move |node| node.has_tag_name(name));
        elements.filter_map(|node| node.text().map(str::to_owned))
    };
    assert!(texts("title").any(|title| title.contains(&condition)));
    let longest = parsed
        .descendants()
        .filter(|node| node.has_tag_name("text"));
    let longest = longest
        .filter_map(|node| node.text())
        .map(|text| text.chars().count())
        .max();
    assert!(longest.unwrap() <= 42, "{longest:?}");
}

#[test]
fn every_level_of_the_picture_is_in_its_legend() {
    for graph in draw(EVERYTHING) {
        let svg = write(&graph, Format::Svg).unwrap();
        let rows = graph.nodes.iter().flat_map(|node| &node.rows);
        let rows = rows.chain(graph.edges.iter().flat_map(|edge| &edge.rows));
        for level in rows.filter_map(|row| row.level) {
            let entry = format!(">{}: {}<", level.name(), how_often(level));
            assert!(svg.contains(&entry), "{entry}");
        }
    }
}

#[test]
fn arms_that_are_found_by_one_look_up_are_one_box() {
    let arms: String = (0..20)
        .map(|at| format!("log.attributes[\"team\"] == \"team-{at}\" => a, "))
        .collect();
    let [_, plan] = draw(&format!(
        "source ingest = otlp; sink a = stdout; sink b = file {{ path: \"b\" }};\n\
         ingest.logs -> route {{ {arms} else => b }};"
    ));
    let look_up = plan
        .nodes
        .iter()
        .position(|node| node.title == "look up")
        .unwrap();
    let leaving = plan.edges.iter().filter(|edge| edge.from.0 == look_up);
    let labels: Vec<_> = leaving.map(|edge| edge.rows[0].text.as_str()).collect();
    assert_eq!(labels.len(), 2, "{labels:?}");
    assert!(
        labels[0].contains("\"team-0\"") && labels[0].contains("\"team-19\""),
        "{labels:?}"
    );
    assert_eq!(labels[1], "else");
}

/// Three hundred boxes: arms of a split, each with stages of its own.
fn large() -> String {
    let mut text = "source ingest = otlp;\n".to_owned();
    let mut arms = String::new();
    for at in 0..100 {
        let _ = writeln!(text, "sink s{at} = file {{ path: \"s{at}\" }};");
        let _ = writeln!(
            arms,
            "log.attributes[\"team\"] == \"team-{at}\" => filter(log.flags == {at}u) -> batch(timeout: 1s) -> s{at},"
        );
    }
    let _ = writeln!(text, "ingest.logs -> split {{ {arms} }};");
    text
}

#[test]
fn three_hundred_boxes_come_out_and_none_lies_upon_another() {
    let [program, _] = draw(&large());
    assert!(program.nodes.len() > 300);
    assert_no_overlap(&program);
}

#[test]
fn no_box_lies_upon_another_in_small_pictures() {
    for graph in draw(EVERYTHING) {
        assert_no_overlap(&graph);
    }
}

fn assert_no_overlap(graph: &Graph) {
    let picture = arrange(graph);
    let labels = picture.edges.iter().filter_map(|path| path.label.as_ref());
    let areas: Vec<Area> = picture
        .nodes
        .iter()
        .chain(labels)
        .map(|placed| placed.area)
        .collect();
    for (position, one) in areas.iter().enumerate() {
        assert!(one.left >= 0.0 && one.right() <= picture.width, "{one:?}");
        assert!(one.top >= 0.0 && one.bottom() <= picture.height, "{one:?}");
        for other in areas.iter().skip(position + 1) {
            let apart = one.right() <= other.left
                || other.right() <= one.left
                || one.bottom() <= other.top
                || other.bottom() <= one.top;
            assert!(apart, "{one:?} and {other:?}");
        }
    }
}

#[test]
fn a_flow_is_always_drawn_the_same() {
    let pictures = |_| draw(EVERYTHING).map(|graph| write(&graph, Format::Svg).unwrap());
    let first = pictures(0);
    assert!((1..5).map(pictures).all(|again| again == first));
}
