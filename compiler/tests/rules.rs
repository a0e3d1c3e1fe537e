//! The static rules of CEL, one expression a line: what the checker takes and with which code it refuses the rest.

mod support;

/// The codes that an expression raises as a condition on logs, `ok` when it raises none.
fn verdict(condition: &str) -> String {
    let text = format!(
        "config region: string = \"eu\";\nsource _in = otlp {{}};\nsink _out = stdout;\n\
         predicate p = {condition};\n_in.logs -> filter(p) -> _out;\n"
    );
    let checked = support::checked("rule.flow", &text);
    let errors = checked.findings.iter().filter(|finding| finding.is_error());
    let mut codes: Vec<_> = errors.map(|finding| finding.code.as_str()).collect();
    codes.dedup();
    if codes.is_empty() {
        "ok".to_owned()
    } else {
        codes.join(" ")
    }
}

fn expect(rows: &[(&str, &str)]) {
    let wrong: Vec<_> = rows
        .iter()
        .map(|(condition, expected)| (condition, expected, verdict(condition)))
        .filter(|(_, expected, found)| *expected != found)
        .map(|(condition, expected, found)| {
            format!("{condition}: expected {expected}, found {found}")
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn numbers_never_mix_when_both_kinds_are_known() {
    expect(&[
        ("1 == 1u", "F0302"),
        ("1 < 1.5", "F0302"),
        ("1 + 1u == 2", "F0302"),
        ("1 in [1.0]", "F0302"),
        ("log.flags == 1u", "ok"),
        ("log.flags == 1", "F0302"),
        ("log.severity_number >= 9", "ok"),
        ("log.severity_number >= 9u", "F0302"),
        ("-9223372036854775808 < 0", "ok"),
        ("9223372036854775808 > 0", "F0109"),
        ("9223372036854775807 + 1 > 0", "F0308"),
        ("0u - 1u == 0u", "F0308"),
        ("5 / 0 == 1", "F0308"),
        ("5 % 0 == 1", "F0308"),
        ("5.0 / 0.0 > 1.0", "ok"),
        ("log.severity_number / 0 == 1", "F0308"),
        ("log.severity_number % 0 == 1", "F0308"),
        ("log.flags / 0u == 1u", "F0308"),
        ("log.body % 0 == 1", "F0308"),
        (
            "log.severity_number > 9 || log.severity_number / 0 == 1",
            "F0308",
        ),
        ("double(log.severity_number) / 0.0 > 1.0", "ok"),
        ("5.0 % 2.0 == 1.0", "F0302"),
        ("-1u == 1u", "F0302"),
    ]);
}

#[test]
fn dyn_is_gradual() {
    expect(&[
        (
            "log.body == 1 || log.body == 1u || log.body == \"a\" || log.body == null",
            "ok",
        ),
        ("log.attributes[\"a\"] >= 500", "ok"),
        ("log.attributes[\"a\"] == log.body", "ok"),
        ("log.body < null", "ok"),
        ("log.severity_number < null", "F0302"),
        ("log.body && true", "ok"),
        ("!log.body", "ok"),
        ("(log.body ? 1 : 2) == 1", "ok"),
        ("log.body", "F0303"),
        ("log.severity_number", "F0303"),
        ("log.severity_number && true", "F0302"),
        ("\"horses\" && false", "F0302"),
        ("null == 0", "F0302"),
        ("true ? 1 == 1 : log.body", "F0303"),
        ("(log.severity_number > 1 ? 1 : \"a\") == 1", "F0301"),
    ]);
}

#[test]
fn keys_and_presence() {
    expect(&[
        ("has(log.body)", "ok"),
        ("has(log.body.a)", "ok"),
        ("has(log.attributes.a)", "ok"),
        ("has(log.attributes.`a.b`)", "ok"),
        ("has(log.attributes[\"a\"])", "F0309"),
        ("has(log)", "F0309"),
        ("has(1)", "F0309"),
        ("has(resource[\"a\"])", "F0309"),
        ("has(log.frob)", "F0203"),
        ("\"a\" in log.attributes", "ok"),
        ("1 in log.attributes", "F0302"),
        ("\"a\" in \"abc\"", "F0302"),
        ("log.event_name in log.attributes", "ok"),
        ("log.severity_number in log.attributes", "F0302"),
        ("log.body in [\"a\", 1]", "ok"),
        ("\"a\" in log.body", "ok"),
        ("log.attributes.`http.route` == \"/\"", "ok"),
        ("log.attributes[0] == 1", "F0302"),
        ("log.attributes[\"a\"][\"b\"].c[0] == 1", "ok"),
        ("log.body[scope.name] == 1", "ok"),
        ("log.attributes[scope.name] == 1", "ok"),
        ("log.attributes[log.severity_number] == 1", "F0302"),
        ("resource[\"a\"] == 1", "F0207"),
        ("\"a\" in resource", "F0207"),
        ("resource == 1", "F0207"),
        ("log && true", "F0207"),
        ("[1, 2][2] == 1", "F0308"),
        ("[1, 2][-1] == 1", "F0308"),
        ("[1, 2][1] == 2", "ok"),
        ("\"abc\"[0] == \"a\"", "F0302"),
    ]);
}

#[test]
fn optionals_end_in_a_default() {
    expect(&[
        ("log.attributes[?\"a\"].orString(\"b\") == \"c\"", "ok"),
        ("log.attributes.?a.orInt(1) == 1", "ok"),
        ("log.attributes[?\"a\"].orDouble(1.0) > 0.5", "ok"),
        ("log.attributes[?\"a\"].orBool(true)", "ok"),
        ("log.attributes[?\"a\"].orValue(1) == 1", "ok"),
        ("log.attributes[?\"a\"].orString(region) == region", "ok"),
        ("log.attributes[?\"a\"].orString(1) == \"c\"", "F0302"),
        ("log.attributes[?\"a\"] == 1", "F0302"),
        ("log.attributes[?\"a\"]", "F0303"),
        ("log.body[?\"a\"].orValue(1) == 1", "ok"),
        ("log.attributes[?\"a\"].optMap(x, x + 1).hasValue()", "ok"),
        ("log.body[?\"a\"].b.orString(\"\") == \"x\"", "ok"),
        ("log.body.orString(\"\") == \"x\"", "ok"),
        ("log.event_name.orString(\"\") == \"x\"", "F0302"),
        ("log.severity_number.orValue(1) == 1", "F0302"),
    ]);
}

#[test]
fn functions() {
    expect(&[
        (
            "log.body.startsWith(\"a\") && log.body.endsWith(\"b\") && log.body.contains(\"c\")",
            "ok",
        ),
        ("log.event_name.contains(scope.name)", "ok"),
        ("log.event_name.contains(log.body)", "ok"),
        ("log.severity_number.startsWith(\"a\")", "F0302"),
        ("log.body.startsWith(1)", "F0302"),
        ("log.body.startsWith()", "F0302"),
        ("startsWith(log.body, \"a\")", "F0204"),
        ("matches(log.body, \"a+\")", "ok"),
        ("log.body.matches(\"a+\")", "ok"),
        ("log.body.matches(\"(\")", "F0306"),
        ("log.body.matches(region)", "ok"),
        ("size(log.body) == 1 && log.body.size() == 1", "ok"),
        ("size(log.attributes) == 1", "ok"),
        ("size(1) == 1", "F0302"),
        ("size([1, 2]) == 2", "ok"),
        ("log.body.lowerAscii() == \"a\"", "ok"),
        ("log.severity_number.lowerAscii() == \"a\"", "F0302"),
        ("log.event_name.string() == \"a\"", "F0204"),
        ("size(log.event_name, 1) == 1", "F0302"),
        ("log.body.frob() == \"a\"", "F0204"),
    ]);
}

#[test]
fn constants_that_fail_and_limits_of_the_run_time_are_known() {
    expect(&[
        (
            "timestamp(log.event_name) > timestamp(\"2020-02-30T00:00:00Z\")",
            "F0308",
        ),
        (
            "timestamp(log.event_name) > timestamp(\"garbage\")",
            "F0308",
        ),
        (
            "timestamp(log.event_name) > timestamp(\"2020-02-28T00:00:00Z\")",
            "ok",
        ),
        (
            "timestamp(log.event_name) - timestamp(log.event_name) > duration(\"1 day\")",
            "F0308",
        ),
        ("\"%.1000f\".format([1.5]) == \"\"", "ok"),
        ("\"%.2000f\".format([1.5]) == \"\"", "F0308"),
        ("\"%.2000f\".format([log.body]) == \"\"", "F0308"),
        ("\"%.f\".format([1.5]) == \"\"", "F0308"),
        ("[log.body].flatten(128) == []", "ok"),
        ("[log.body].flatten(129) == []", "F0308"),
        ("lists.range(1000001) == []", "F0308"),
        ("\"abc\".charAt(4) == log.event_name", "F0308"),
    ]);
}

#[test]
fn an_expression_that_is_too_deep_is_refused_once() {
    for condition in [
        format!("{}true{}", "(".repeat(200), ")".repeat(200)),
        format!("log.body{} == 1", ".a".repeat(200)),
        format!("1{} == log.severity_number", " + 1".repeat(200)),
        format!("size({}log.body{}", "size(".repeat(150), ")".repeat(151)),
    ] {
        let text = format!(
            "source i = otlp {{}};\nsink o = stdout;\ni.logs -> filter({condition}) -> o;\n"
        );
        let findings = support::checked("rule.flow", &text).findings;
        let codes: Vec<_> = findings.iter().map(|found| found.code.as_str()).collect();
        let deep = codes.iter().filter(|code| **code == "F0107").count();
        assert_eq!(deep, 1, "{codes:?}");
    }
}

#[test]
fn arithmetic_takes_one_kind_of_number() {
    expect(&[
        ("log.severity_number + 1 > 9", "ok"),
        ("log.severity_number * 2 > 9", "ok"),
        ("-log.severity_number > 9", "ok"),
        ("log.body + 1 > 9", "ok"),
        ("-log.flags > 9u", "F0302"),
        ("log.severity_number * 2.0 > 9.0", "F0302"),
        ("log.event_name + 1 == \"a\"", "F0302"),
        ("1 / 0 > log.severity_number", "F0308"),
        ("log.severity_number > 1 || 1 / 0 > 1", "F0308"),
    ]);
}

#[test]
fn lists_maps_and_types_are_values() {
    expect(&[
        ("{\"a\": 1}.a == 1", "ok"),
        ("{\"a\": 1}.b == 1", "F0308"),
        ("[?log.body] == [1]", "ok"),
        ("[?log.severity_number] == [1]", "F0301"),
        ("log.body == [1]", "ok"),
        ("log.severity_number == [1]", "F0302"),
        ("log.attributes == resource.attributes", "ok"),
        ("log.attributes == log", "F0207"),
        ("type(1) == int", "ok"),
        ("type(log.body) == 1", "F0302"),
        ("optional.none() == optional.none()", "ok"),
        ("math.greatest(1, 2) == 2", "ok"),
        ("math.greatest(1, \"a\") == 2", "F0301"),
    ]);
}

#[test]
fn macros_have_variables_of_their_own() {
    expect(&[
        ("[1].all(x, x > 0)", "ok"),
        ("[1].all(x, y > 0)", "F0201"),
        ("[1].all(x, x > \"a\")", "F0302"),
        ("[1].all(x, x)", "F0302"),
        ("[1].all(1, true)", "F0309"),
        ("[1].all(x)", "F0309"),
        ("all([1], x, x > 0)", "F0204"),
        ("log.severity_number.all(x, true)", "F0301"),
        ("log.all(x, true)", "F0207"),
        ("log.attributes.exists(region, region == \"a\")", "ok"),
        ("cel.bind(p, log.body, p == 1)", "ok"),
    ]);
}

#[test]
fn what_needs_protobuf_or_a_later_version_is_refused_where_it_stands() {
    expect(&[
        ("Quote{a: 1}.a == 1", "F0305"),
        ("google.protobuf.Int32Value{value: 1} == 1", "F0305"),
        ("proto.hasExt(log.body, \"a\")", "F0305"),
        ("event.id == 1", "F0305"),
    ]);
}
