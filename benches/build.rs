//! Compiles the flows that are measured.

fn main() {
    for name in [
        "record_filter",
        "resource_filter",
        "two_way_split",
        "subject_routing",
        "attribute_equals",
        "severity_and_status",
        "service_and_body",
    ] {
        watershed_compiler::cargo::compile_flow(format!("flows/{name}.flow"));
    }
}
