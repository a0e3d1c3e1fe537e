//! The tables of the catalog against the compiler: what they show as an example or a default must be taken.

mod support;

use watershed_compiler::catalog::connector::CONNECTORS;
use watershed_compiler::catalog::signals::FIELDS;
use watershed_compiler::catalog::stage::{STAGES, StageForm};
use watershed_compiler::catalog::{ConnectorSpec, OptionSpec};
use watershed_lang::diagnostic::render::human::{self, Style};

/// What the examples of the catalog name.
const PRELUDE: &str = "connection bus = nats { url: \"nats://127.0.0.1:4222\" };\n\
                       source ingest = otlp {};\n\
                       sink rest = stdout;\n\
                       sink errors = stdout;\n";

/// Asserts that a text has no errors; warnings are allowed, because the examples are no whole programs.
fn assert_taken(text: &str) {
    let checked = support::checked("example.flow", text);
    let shown = human::render(&checked.findings, &checked.sources, Style::Plain);
    assert!(
        !checked.findings.iter().any(|finding| finding.is_error()),
        "{shown}"
    );
}

/// An item with one connector: the option as given, and what else it must have.
fn item(connector: &ConnectorSpec, option: &OptionSpec, value: &str) -> String {
    let others = connector
        .options
        .iter()
        .filter(|other| other.required && other.name != option.name);
    let others: String = others
        .map(|other| format!(", {}: {}", other.name, other.example))
        .collect();
    let (keyword, name) = (connector.role.keyword(), connector.name);
    format!(
        "{keyword} item = {name} {{ {}: {value}{others} }};",
        option.name
    )
}

#[test]
fn examples_of_connectors_are_taken() {
    for connector in CONNECTORS {
        let prelude = PRELUDE
            .lines()
            .filter(|line| !same_name(line, connector.example));
        let prelude: Vec<_> = prelude.collect();
        assert_taken(&format!("{}\n{}", prelude.join("\n"), connector.example));
    }
}

/// Whether two items declare the same name.
fn same_name(one: &str, other: &str) -> bool {
    one.split_whitespace().nth(1) == other.split_whitespace().nth(1)
}

#[test]
fn examples_and_defaults_of_options_are_taken() {
    for connector in CONNECTORS {
        for option in connector.options {
            for value in [Some(option.example), option.default].into_iter().flatten() {
                assert_taken(&format!("{PRELUDE}{}", item(connector, option, value)));
            }
        }
    }
}

#[test]
fn examples_of_stages_are_taken() {
    for stage in STAGES {
        assert_taken(&format!("{PRELUDE}{}", stage.example));
        for argument in stage
            .arguments
            .iter()
            .filter(|_| stage.form == StageForm::Call)
        {
            for value in [Some(argument.example), argument.default]
                .into_iter()
                .flatten()
            {
                let used = stage
                    .arguments
                    .iter()
                    .filter(|other| other.required || other.name == argument.name);
                let values: Vec<_> = used
                    .map(|one| {
                        let value = if one.name == argument.name {
                            value
                        } else {
                            one.example
                        };
                        match stage.is_positional(one.name) {
                            true => value.to_owned(),
                            false => format!("{}: {value}", one.name),
                        }
                    })
                    .collect();
                let signal = if stage.name == "sample" {
                    "traces"
                } else {
                    "logs"
                };
                assert_taken(&format!(
                    "{PRELUDE}ingest.{signal} -> {}({}) -> rest;",
                    stage.name,
                    values.join(", ")
                ));
            }
        }
    }
}

#[test]
fn every_field_can_be_read_on_its_signals() {
    for field in FIELDS {
        for signal in field.root.signals().iter() {
            let read = format!("{field}");
            let condition = if read.ends_with("attributes") {
                format!("\"key\" in {read}")
            } else if !field.is_single() {
                format!("{read}.size() == 1")
            } else {
                format!("{read} == {read}")
            };
            assert_taken(&format!(
                "{PRELUDE}ingest.{} -> filter({condition}) -> rest;",
                signal.name()
            ));
        }
    }
}
