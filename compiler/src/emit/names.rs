//! Identifiers of the generated code: from names of a flow, which follow CEL, to names that Rust accepts and
//! that collide with nothing.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, Span};

/// Names of the runtime and of generated items that a flow's own names must not hide.
const TAKEN_TYPES: &[&str] = &[
    "AnyValue",
    "Attribute",
    "Attributes",
    "Batch",
    "BatchOptions",
    "Changes",
    "Config",
    "ConfigError",
    "ConfigReader",
    "ConfigValues",
    "Count",
    "DataPoint",
    "Duration",
    "Event",
    "FileFormat",
    "FileSink",
    "FileSinkOptions",
    "Flow",
    "Instanced",
    "Instances",
    "InstancesByInt",
    "InstancesByText",
    "IntSet",
    "LazyLock",
    "List",
    "LogRecord",
    "Map",
    "Metric",
    "NatsConnection",
    "NatsConnectionOptions",
    "NatsSink",
    "NatsSinkOptions",
    "Needle",
    "Option",
    "OtlpSourceOptions",
    "OtlpStages",
    "OpenBranches",
    "Part",
    "Parts",
    "Payload",
    "Piece",
    "PointView",
    "Quota",
    "RawField",
    "Record",
    "Refused",
    "Regex",
    "Request",
    "Resource",
    "ResourceGroup",
    "Result",
    "RunError",
    "Running",
    "Runtime",
    "Scope",
    "ScopeGroup",
    "Secret",
    "Selection",
    "Self",
    "Signal",
    "Span",
    "Stage",
    "StartError",
    "Status",
    "StdoutSink",
    "StdoutSinkOptions",
    "String",
    "Subject",
    "SubjectHandle",
    "SubjectSelection",
    "SubjectWriter",
    "Text",
    "TextSet",
    "TextTable",
    "Truth",
    "Unconnected",
    "Vec",
    "Verdicts",
];

/// Functions and local variables of generated code that a flow's own names must not hide.
const TAKEN_VALUES: &[&str] = &[
    "attribute",
    "built",
    "chain",
    "change",
    "chosen",
    "chosen_case",
    "config",
    "datapoint",
    "deliver",
    "elapsed",
    "event",
    "field",
    "fields",
    "group",
    "instance",
    "instance_node",
    "left",
    "log",
    "logs",
    "metric",
    "metrics",
    "open_branch",
    "open_branches",
    "options",
    "part",
    "pattern",
    "point",
    "record",
    "request",
    "resource",
    "right",
    "row",
    "rows",
    "runtime",
    "scope",
    "scoped",
    "span",
    "spans",
    "subject",
    "value",
];

/// How variables begin that are made within expressions and numbered.
const TAKEN_BEGINNINGS: &[&str] = &["every_", "found_", "local_", "outputs_", "part_"];

/// What variables have in them that hold tests and cases which are known before a loop.
const TAKEN_MIDDLES: &[&str] = &["_case_", "_test_"];

/// Whether a name could be that of a variable which is made of other names and numbers. One of these would hide a function of
/// the same name.
fn is_like_a_variable(name: &str) -> bool {
    let is_numbered = name.ends_with(|last: char| last.is_ascii_digit());
    TAKEN_BEGINNINGS
        .iter()
        .any(|beginning| name.starts_with(beginning))
        || name.ends_with("_subject")
        || is_numbered
            && (name.starts_with("is_") || TAKEN_MIDDLES.iter().any(|middle| name.contains(middle)))
}

/// Hands out identifiers, each once.
#[derive(Clone, Debug)]
pub(super) struct Names {
    taken: BTreeSet<String>,
    /// The number that is tried next behind a name: all before it are taken.
    next: BTreeMap<String, usize>,
}

impl Names {
    /// Names of types, apart from those that are taken already.
    pub(super) fn types() -> Self {
        Self {
            taken: TAKEN_TYPES.iter().map(|name| (*name).to_owned()).collect(),
            next: BTreeMap::new(),
        }
    }

    /// Names of functions, variables and fields, apart from those that are taken already.
    pub(super) fn values() -> Self {
        Self {
            taken: TAKEN_VALUES.iter().map(|name| (*name).to_owned()).collect(),
            next: BTreeMap::new(),
        }
    }

    /// Names of builder methods, apart from those that every `Flow` has.
    pub(super) fn methods() -> Self {
        // The last two are variables of the function that reads the values.
        let taken = [
            "builder", "default", "run", "set", "start", "reader", "values",
        ];
        Self {
            taken: taken.into_iter().map(str::to_owned).collect(),
            next: BTreeMap::new(),
        }
    }

    /// Names without anything taken: the fields of one struct.
    pub(super) const fn fresh() -> Self {
        Self {
            taken: BTreeSet::new(),
            next: BTreeMap::new(),
        }
    }

    /// A function or variable named after `wanted`, which a user wrote in any style.
    pub(super) fn give_value(&mut self, wanted: &str) -> String {
        let name = snake_case(wanted);
        if is_like_a_variable(&name) {
            return self.give(&format!("flow_{name}"));
        }
        self.give(&name)
    }

    /// An identifier like `wanted`; with a number behind it when that one is taken.
    pub(super) fn give(&mut self, wanted: &str) -> String {
        if self.taken.insert(wanted.to_owned()) {
            return wanted.to_owned();
        }
        let number = self.next.entry(wanted.to_owned()).or_insert(2);
        loop {
            let name = format!("{wanted}_{number}");
            *number += 1;
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// The identifier with this text. Keywords become raw identifiers; the few that cannot be raw get a `_`.
pub(super) fn ident(name: &str, span: Span) -> Ident {
    if matches!(name, "self" | "Self" | "super" | "crate" | "_") {
        return Ident::new(&format!("{name}_"), span);
    }
    match syn::parse_str::<Ident>(name) {
        Ok(_) => Ident::new(name, span),
        Err(_) => Ident::new_raw(name, span),
    }
}

/// `ingest_logs` as `IngestLogs`.
pub(super) fn camel_case(name: &str) -> String {
    let mut result = String::new();
    for part in name.split('_').filter(|part| !part.is_empty()) {
        let mut letters = part.chars();
        result.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        result.push_str(letters.as_str());
    }
    if result.starts_with(|letter: char| letter.is_ascii_digit()) || result.is_empty() {
        format!("N{result}")
    } else {
        result
    }
}

/// Any text as an identifier in snake case: `service.name` as `service_name`, `podName` as `pod_name`.
pub(super) fn snake_case(text: &str) -> String {
    let mut result = String::new();
    let mut before = ' ';
    for letter in text.chars() {
        if letter.is_ascii_alphanumeric() {
            let starts_word = letter.is_ascii_uppercase() && before.is_ascii_lowercase();
            if starts_word {
                result.push('_');
            }
            result.push(letter.to_ascii_lowercase());
        } else if !result.is_empty() && !result.ends_with('_') {
            result.push('_');
        }
        before = letter;
    }
    let trimmed = result.trim_end_matches('_');
    match trimmed.chars().next() {
        None => "value".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("n{trimmed}"),
        Some(_) => trimmed.to_owned(),
    }
}

/// A number with `_` between groups of three digits, as people write long ones.
pub(super) fn grouped_digits(number: u128) -> String {
    let digits = number.to_string();
    if digits.len() < 5 {
        return digits;
    }
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push('_');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_key_becomes_an_identifier() {
        let cases = [
            ("service.name", "service_name"),
            ("http.status_code", "http_status_code"),
            ("podName", "pod_name"),
            ("HTTPStatus", "httpstatus"),
            ("2xx", "n2xx"),
            ("k8s.pod-name.", "k8s_pod_name"),
            ("é", "value"),
            ("", "value"),
        ];
        for (key, expected) in cases {
            assert_eq!(snake_case(key), expected);
        }
        assert_eq!(camel_case("after_batch_1"), "AfterBatch1");
        assert_eq!(camel_case("__9"), "N9");
    }

    #[test]
    fn keywords_are_mangled() {
        let span = Span::call_site();
        assert_eq!(ident("type", span).to_string(), "r#type");
        assert_eq!(ident("crate", span).to_string(), "crate_");
        assert_eq!(ident("team0", span).to_string(), "team0");
    }

    #[test]
    fn long_numbers_are_grouped() {
        assert_eq!(grouped_digits(1000), "1000");
        assert_eq!(grouped_digits(67_108_864), "67_108_864");
    }

    #[test]
    fn names_of_a_flow_are_never_those_of_made_variables() {
        for made in [
            "orders_subject",
            "resource_case_1",
            "log_test_12",
            "is_prod_3",
            "is_not_prod_3",
            "outputs_1",
            "part_2",
        ] {
            assert_eq!(Names::values().give_value(made), format!("flow_{made}"));
        }
        for own in ["is_prod", "orders", "subject_of", "case_1", "open", "kept"] {
            assert_eq!(Names::values().give_value(own), own);
        }
        for local in [
            "open_branches",
            "open_branch",
            "chosen",
            "chosen_case",
            "options",
        ] {
            assert_eq!(Names::values().give_value(local), format!("{local}_2"));
        }
    }

    #[test]
    fn no_name_is_given_twice() {
        let mut names = Names::values();
        assert_eq!(names.give("team0"), "team0");
        assert_eq!(names.give("team0"), "team0_2");
        assert_eq!(names.give("runtime"), "runtime_2");
        assert_eq!(names.give("team0_3"), "team0_3");
        assert_eq!(names.give("team0"), "team0_4");
    }
}
