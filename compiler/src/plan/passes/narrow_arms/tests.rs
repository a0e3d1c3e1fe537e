//! Whole walks before and after the pass.

use super::run;
use crate::plan::passes::testing::before_and_after;
use crate::plan::passes::{merge_filters, prune_dead, split_conjunctions};

#[test]
fn what_arms_and_filters_have_found_is_not_tested_again() {
    let text = before_and_after(
        "predicate is_a = resource.attributes[\"team\"] == \"a\";\n\
         ingest.logs -> route {\n\
         is_a => split { resource.attributes[\"team\"] != \"b\" => a, \"team\" in resource.attributes => b },\n\
         resource.attributes[\"team\"] in [\"a\", \"b\"] => [drop(is_a) -> a, filter(resource.attributes[\"team\"] == \"b\") -> b],\n\
         else => [filter(resource.attributes[\"team\"] != \"a\") -> a, filter(is_a || log.flags == 1u) -> c] };",
        &[run],
    );
    insta::assert_snapshot!(text);
}

#[test]
fn ranges_prefixes_and_presence_are_understood() {
    let text = before_and_after(
        "ingest.logs -> route {\n\
         log.severity_number >= 17 => route { log.severity_number > 16 => a, else => b },\n\
         log.severity_number >= 9 => filter(log.severity_number < 17) -> a,\n\
         log.severity_number < 9 => filter(log.event_name.startsWith(\"ab\")) -> filter(log.event_name.startsWith(\"a\")) -> b,\n\
         else => c };\n\
         ingest.traces -> filter(!(\"k\" in span.attributes)) -> route { span.attributes[\"k\"] == 1 => a, else => b };",
        &[run],
    );
    insta::assert_snapshot!(text);
}

#[test]
fn shadowed_arms_are_found_and_removed() {
    let text = before_and_after(
        "ingest.logs -> route {\n\
         log.severity_number >= 9 => a,\n\
         log.severity_number >= 17 => b,\n\
         resource.attributes[\"x\"] == 1 && log.flags == 1u => a,\n\
         log.flags == 1u && resource.attributes[\"x\"] == 1 => c,\n\
         log.flags != 1u => a,\n\
         else => b };",
        &[split_conjunctions::run, run, prune_dead::run],
    );
    insta::assert_snapshot!(text);
}

#[test]
fn exclusive_arms_of_a_split_are_a_route() {
    let text = before_and_after(
        "ingest.logs -> split {\n\
         resource.attributes[\"team\"] == \"a\" && log.severity_number >= 17 => a,\n\
         resource.attributes[\"team\"] == \"b\" && log.severity_number >= 9 => b,\n\
         resource.attributes[\"team\"] == \"c\" => c };\n\
         ingest.traces -> split { span.kind == 1 => a, span.kind >= 1 => b };",
        &[split_conjunctions::run, merge_filters::run, run],
    );
    insta::assert_snapshot!(text);
}

#[test]
fn facts_go_through_batches() {
    let text = before_and_after(
        "source other = otlp { http: \"127.0.0.1:0\" };\n\
         [ingest.logs, other.logs] -> filter(log.severity_number >= 9) -> batch(timeout: 1s)\n\
         -> filter(log.severity_number < 17) -> [batch(max_records: 10)\n\
         -> route { log.severity_number in [8, 17] => a, log.severity_number > 8 => b, else => c }, b];\n\
         [ingest, other.traces] -> batch(timeout: 1s) -> split { signal == \"logs\" => a, signal == \"profiles\" => b };",
        &[run],
    );
    insta::assert_snapshot!(text);
}
