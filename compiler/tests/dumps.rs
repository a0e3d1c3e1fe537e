//! Right programs: what the resolver and the checker make of them.

mod support;

use std::fs;

use insta::assert_snapshot;
use watershed_compiler::{check, hir};

#[test]
fn programs_and_types() {
    support::for_each_file("valid", "flow", |path| {
        let text = fs::read_to_string(path).expect("a case can be read");
        let name = path
            .file_name()
            .expect("a case has a name")
            .to_string_lossy();
        let checked = support::checked(&name, &text);
        assert_eq!(checked.findings, [], "{name}");
        let (program, types) = (
            hir::dump(&checked.program),
            check::dump(&checked.program, &checked.types),
        );
        assert_snapshot!(format!(
            "---- source\n{text}---- hir\n{program}---- types\n{types}"
        ));
    });
}

#[test]
fn the_same_text_gives_the_same_program() {
    support::for_each_file("valid", "flow", |path| {
        let text = fs::read_to_string(path).expect("a case can be read");
        let (one, two) = (
            support::checked("a.flow", &text),
            support::checked("a.flow", &text),
        );
        assert_eq!(one.program, two.program);
        assert_eq!(
            check::dump(&one.program, &one.types),
            check::dump(&two.program, &two.types)
        );
    });
}

#[test]
fn the_examples_raise_nothing() {
    let examples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let mut seen = 0;
    for entry in fs::read_dir(examples).expect("there are examples") {
        let folder = entry.expect("an example can be read").path();
        for file in fs::read_dir(folder).into_iter().flatten().flatten() {
            if file
                .path()
                .extension()
                .is_some_and(|extension| extension == "flow")
            {
                let text = fs::read_to_string(file.path()).expect("an example can be read");
                assert_eq!(
                    support::checked("example.flow", &text).findings,
                    [],
                    "{}",
                    file.path().display()
                );
                seen += 1;
            }
        }
    }
    assert!(seen >= 2, "only {seen} examples were found");
}
