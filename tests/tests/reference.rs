//! The language page names every connector, option and stage of the compiler's tables. Fields and functions stand on the
//! page of expressions, whose tables the compiler's own tests compare.

use std::fs;

use anyhow::Result;
use watershed_compiler::catalog::connector::CONNECTORS;
use watershed_compiler::catalog::stage::STAGES;
use watershed_tests::program::workspace;

#[test]
fn the_language_page_is_complete() -> Result<()> {
    let page = fs::read_to_string(workspace().join("docs/language.md"))?;
    let mut missing = Vec::new();
    for connector in CONNECTORS {
        let row = format!("{} … = {}`", connector.role.keyword(), connector.name);
        let options = line_with(&page, &row);
        missing.extend(options.is_none().then_some(row));
        for option in connector.options {
            let named = options.is_some_and(|line| line.contains(&format!("`{}`", option.name)));
            missing
                .extend((!named).then(|| format!("option {} of {}", option.name, connector.name)));
        }
    }
    for stage in STAGES {
        let row = line_with(&page, &format!("| `{}", stage.name));
        missing.extend(row.is_none().then(|| format!("stage {}", stage.name)));
        for argument in stage.arguments.iter().skip(stage.positional) {
            let named = row.is_some_and(|line| line.contains(argument.name));
            missing
                .extend((!named).then(|| format!("argument {} of {}", argument.name, stage.name)));
        }
    }
    assert!(
        missing.is_empty(),
        "docs/language.md does not name: {missing:#?}"
    );
    Ok(())
}

fn line_with<'a>(page: &'a str, text: &str) -> Option<&'a str> {
    page.lines().find(|line| line.contains(text))
}
