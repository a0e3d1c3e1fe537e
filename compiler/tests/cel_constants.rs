//! What the checker knows of constants, and that nothing written can make it run away.

mod cel_support;

use cel_support::{checked, fails, parsed, telemetry};
use watershed_compiler::cel::fold::Constant;
use watershed_compiler::cel::{Failure, Mode, check};
use watershed_lang::span::FileId;

#[test]
fn long_and_deep_expressions_are_checked() {
    for text in [
        format!("{}true{}", "(".repeat(90), ")".repeat(90)),
        format!("{}1{}", "[".repeat(90), "]".repeat(90)),
        vec!["log.severity_number > 1"; 3_000].join(" && "),
        format!("{} 0", "log.severity_number > 1 ? 1 : ".repeat(3_000)),
        format!("{}true", "!".repeat(4_001)),
        format!(
            "{}true{}",
            "[1].all(x, x == 1 ? !false : ".repeat(60),
            ")".repeat(60)
        ),
        format!(
            "{}1{}",
            "cel.bind(x, 1 + 2 * 3, ".repeat(90),
            ")".repeat(90)
        ),
        format!("{}log.body{}", "dyn([{1: ".repeat(30), "}])".repeat(30)),
        format!("log.body{}", ".a".repeat(100)),
        format!("1{}", " + 1".repeat(100)),
    ] {
        let _ = checked(&text);
    }
}

#[test]
fn types_do_not_grow_without_bound() {
    let mut text = "{1: 1}".to_owned();
    for depth in 0..40 {
        text = format!("cel.bind(x{depth}, {text}, {{x{depth}: x{depth}}})");
    }
    let checked = check(&parsed(FileId(0), &text), &telemetry(), Mode::Static);
    assert!(!checked.errors.is_empty());
}

#[test]
fn constants_do_not_grow_without_bound() {
    for start in ["'0123456789'", "['']", "[b'']", "[1]"] {
        let mut text = start.to_owned();
        for depth in 0..40 {
            text = format!("cel.bind(x{depth}, {text}, x{depth} + x{depth})");
        }
        assert_eq!(checked(&text).tree.root_node().constant, None, "{start}");
    }
    let long = format!("'{}'", "x".repeat(1 << 15));
    for text in [
        format!("{long}.replace('', {long})"),
        format!("[{}].join({long})", ["''"; 9].join(", ")),
        format!(
            "'{}'.format([{}])",
            "%s".repeat(9),
            [long.as_str(); 9].join(", ")
        ),
    ] {
        assert_eq!(checked(&text).tree.root_node().constant, None);
    }
}

#[test]
fn functions_of_constant_texts_are_known() {
    for text in [
        "'TacoCÆt'.lowerAscii() == 'tacocÆt'",
        "'tacoß'.upperAscii() == 'TACOß'",
        "' a b\\u00a0'.trim() == 'a b'",
        "'aé😀'.reverse() == '😀éa'",
        "'©αT'.charAt(1) == 'α' && 'ab'.charAt(2) == ''",
        "'tacocat'.substring(4) == 'cat' && 'ta©o©αT'.substring(2, 5) == '©o©'",
        "'a,b,,c'.split(',') == ['a', 'b', '', 'c'] && ''.split(',') == ['']",
        "'aé'.split('') == ['a', 'é'] && ''.split('') == []",
        "'abc'.replace('', '-') == '-a-b-c-'",
        "['a', 'b'].join() == 'ab' && ['a', 'b'].join(', ') == 'a, b' && [].join() == ''",
        "'%s is %d of %s%%, %s'.format(['a', 1, 2u, true]) == 'a is 1 of 2%, true'",
        "string(1.0) == '1' && string(-4.5e-3) == '-0.0045' && string(1e-5) == '1e-05'",
        "string(1e6) == '1e+06' && string(123456789.0) == '1.23456789e+08' && string(-0.0) == '-0'",
        "string(1.5e100) == '1.5e+100' && string(1.0 / 0.0) == '+Inf' && string(0.0 / 0.0) == 'NaN'",
    ] {
        let found = checked(text).tree.root_node().constant.clone();
        assert_eq!(found, Some(Constant::Bool(true)), "{text}");
    }
    for text in [
        "'%.2f'.format([1.5])",
        "'%s'.format([1.5])",
        "'%s'.format([[1]])",
    ] {
        assert_eq!(checked(text).tree.root_node().constant, None, "{text}");
    }
}

#[test]
fn what_certainly_fails_is_found() {
    for (text, failure) in [
        ("timestamp('2020-02-30T00:00:00Z')", Failure::Conversion),
        ("timestamp('garbage')", Failure::Conversion),
        ("timestamp('9999-12-31T23:59:60Z')", Failure::Overflow),
        ("duration('1d')", Failure::Conversion),
        ("log.severity_number / 0", Failure::DivisionByZero),
        ("log.severity_number % 0", Failure::DivisionByZero),
        ("log.flags / 0u", Failure::DivisionByZero),
        ("log.flags % 0u", Failure::DivisionByZero),
        ("log.body % 0", Failure::DivisionByZero),
        ("log.attributes.a / (1 - 1)", Failure::DivisionByZero),
        (
            "math.bitShiftLeft(log.severity_number, -1)",
            Failure::InvalidArgument,
        ),
        ("[log.body].flatten(129)", Failure::InvalidArgument),
        ("[log.body].flatten(-1)", Failure::InvalidArgument),
        ("lists.range(1000001)", Failure::InvalidArgument),
        ("'abc'.charAt(4)", Failure::OutOfRange),
        ("'abc'.substring(2, 1)", Failure::OutOfRange),
        ("'abc'.substring(-1)", Failure::OutOfRange),
    ] {
        let found = checked(text).tree.root_node().constant.clone();
        assert_eq!(found, Some(Constant::Failed(failure)), "{text}");
    }
    for text in [
        "log.severity_number / 1",
        "double(log.severity_number) / 0.0",
        "log.flags % 2u",
        "[log.body].flatten(128)",
        "lists.range(1000000)",
        "timestamp('2016-12-31t23:59:60z')",
        "math.bitShiftLeft(log.severity_number, 64)",
    ] {
        assert_eq!(fails(text).as_slice(), [], "{text}");
    }
}
