//! The graph as data: its model, one object with `nodes`, `edges` and `groups`, which name each other by position.

use super::model::Graph;

/// The graph as one object of JSON, indented.
pub(super) fn write(graph: &Graph) -> serde_json::Result<String> {
    serde_json::to_string_pretty(graph).map(|text| text + "\n")
}
