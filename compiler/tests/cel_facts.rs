//! What the checker finds out beside types: levels, failures, overloads, lints.

mod cel_support;

use cel_support::{checked, fails, parsed, telemetry};
use watershed_compiler::cel::declarations::{self, Overload};
use watershed_compiler::cel::environment::{
    CustomFunction, CustomOverload, Field, FieldId, FunctionId, Record, Variable, VariableId,
};
use watershed_compiler::cel::fold::Constant;
use watershed_compiler::cel::lint::{Lint, lints};
use watershed_compiler::cel::typed::{Callee, ComprehensionKind, NodeKind};
use watershed_compiler::cel::{Environment, Fails, Failure, Mode, Type, check, value};
use watershed_compiler::level::Level;
use watershed_lang::span::FileId;

#[test]
fn examples_of_the_tables_are_valid_and_true_where_they_fold() {
    let functions = declarations::functions().map(|function| function.example);
    for example in functions.chain(declarations::MACROS.iter().map(|entry| entry.example)) {
        let expression = parsed(FileId(0), example);
        let checked = check(&expression, &Environment::default(), Mode::Static);
        assert!(
            checked.errors.is_empty(),
            "{}: {:?}",
            example,
            checked.errors
        );
        assert_eq!(checked.ty().to_string(), "bool", "{}", example);
        let folded = checked.tree.root_node().constant.as_ref();
        assert!(
            folded.is_none_or(|constant| *constant == Constant::Bool(true)),
            "{}",
            example
        );
    }
}

#[test]
fn the_level_is_that_of_the_deepest_thing_read() {
    for (text, level) in [
        ("1 + 2 == 3", Level::Const),
        ("team == 'a'", Level::Config),
        ("signal == 'logs'", Level::Payload),
        ("resource.attributes['team'] == team", Level::Resource),
        (
            "resource.attributes.exists(k, k == scope.name)",
            Level::Scope,
        ),
        ("[1].all(x, x < log.severity_number)", Level::Record),
        ("cel.bind(x, log.body, [1].map(y, x))", Level::Record),
        ("false && log.severity_number > 1", Level::Const),
    ] {
        assert_eq!(checked(text).tree.root_node().level, level, "{text}");
    }
}

#[test]
fn the_elements_of_a_range_are_as_deep_as_the_range() {
    let checked = checked("resource.attributes.exists(k, k == 'a')");
    let element = checked
        .tree
        .nodes()
        .find(|(_, node)| matches!(node.kind, NodeKind::Local(_)));
    assert_eq!(element.unwrap().1.level, Level::Resource);
}

#[test]
fn what_can_fail_says_why() {
    assert_eq!(fails("log.attributes['k'] == 1"), [Failure::MissingKey]);
    assert_eq!(
        fails("log.attributes.k > 1"),
        [Failure::MissingKey, Failure::WrongType]
    );
    assert_eq!(fails("log.severity_number + 1"), [Failure::Overflow]);
    assert_eq!(
        fails("10 / log.severity_number"),
        [Failure::Overflow, Failure::DivisionByZero]
    );
    assert_eq!(
        fails("log.severity_text.matches(team)"),
        [Failure::InvalidRegex]
    );
    assert_eq!(fails("duration(team)"), [Failure::Conversion]);
    assert_eq!(
        fails("{team: 1, log.severity_text: 2}"),
        [Failure::DuplicateKey]
    );
    assert_eq!(fails("'%d'.format([log.body])"), [Failure::InvalidFormat]);
    assert_eq!(
        fails("log.body.k"),
        [Failure::MissingKey, Failure::WrongType]
    );
    assert_eq!(fails("log.attributes.?k.value()"), [Failure::EmptyOptional]);
}

#[test]
fn total_forms_are_total() {
    for text in [
        "log.attributes[?'k'].orString('d')",
        "log.attributes.?k.orInt(0) >= 500",
        "'subject.' + resource.attributes[?'service.name'].orString('unknown')",
        "log.attributes[?'k'].orValue(1)",
        "log.attributes['k']['l'].orInt(1) > 2",
        "log.body.a.b.orString('c')",
        "'k' in log.attributes",
        "has(log.attributes.k)",
        "has(log.body)",
        "log.severity_number / 2",
        "log.severity_text.matches('^a+$')",
        "'%s: %d'.format([team, min_severity])",
        "log.attributes.?k.optMap(x, x == 1).hasValue()",
        "true || log.attributes.k == 1",
        "span.status.code == 2",
        "resource.attributes.map(k, k + '!')",
    ] {
        assert_eq!(fails(text), [], "{text}");
    }
}

#[test]
fn macros_stay_what_they_are() {
    let checked = checked("log.attributes.transformList(k, v, v == 1, k)");
    let NodeKind::Comprehension(comprehension) = &checked.tree.root_node().kind else {
        panic!("no loop")
    };
    assert_eq!(comprehension.kind, ComprehensionKind::List);
    assert_eq!(comprehension.locals.len(), 2);
    assert!(comprehension.condition.is_some());
    let names: Vec<_> = checked
        .tree
        .locals()
        .map(|(_, local)| (local.name.as_str(), local.ty.to_string()))
        .collect();
    assert_eq!(names, [("k", "string".to_owned()), ("v", "dyn".to_owned())]);
}

#[test]
fn overloads_narrow_with_the_types() {
    let called = |text: &str| match &checked(text).tree.root_node().kind {
        NodeKind::Call {
            callee: Callee::Language(overloads),
            ..
        } => overloads.clone(),
        other => panic!("{text} is {other:?}"),
    };
    assert_eq!(called("log.severity_number + 1"), [Overload::AddInt]);
    assert_eq!(called("log.body.size()").len(), 4);
    assert_eq!(
        called("log.body[0]"),
        [
            Overload::IndexList,
            Overload::IndexMap,
            Overload::OptionalListIndex,
            Overload::OptionalMapIndex
        ]
    );
    assert_eq!(called("log.attributes['k']"), [Overload::IndexMap]);
}

#[test]
fn patterns_that_are_known_are_rewritten() {
    let checked = checked(r"log.severity_text.matches('^\\d' + '+$')");
    let regex = checked.tree.regex(checked.tree.root()).unwrap();
    assert_eq!(regex, "^[0-9]+$");
}

#[test]
fn lints_are_facts() {
    let found = |text: &str| lints(&checked(text).tree);
    assert!(matches!(
        found("log.attributes.k != 'x'").as_slice(),
        [Lint::MissingKeyDiffers { .. }]
    ));
    assert!(matches!(
        found("!(log.attributes['k'] == 'x')").as_slice(),
        [Lint::MissingKeyNegated { .. }]
    ));
    assert!(matches!(
        found("log.severity_number > 1 / 0").as_slice(),
        [Lint::AlwaysFails {
            failure: Failure::DivisionByZero,
            ..
        }]
    ));
    assert!(matches!(found("'%d'.format([team]) == 'x'").as_slice(), []));
    assert!(matches!(
        found("'%d'.format([]) == 'x'").as_slice(),
        [Lint::FormatFails { .. }]
    ));
    assert!(matches!(
        found("1 < 2 || log.body == 1").as_slice(),
        [Lint::AlwaysSame { value: true }]
    ));
    assert_eq!(found("log.severity_number >= 17"), []);
}

/// The comparisons that a missing key is a trap for, as they are written.
fn traps(text: &str) -> Vec<&str> {
    let found = lints(&checked(text).tree).into_iter();
    let spans = found.filter_map(|lint| match lint {
        Lint::MissingKeyDiffers { span, .. } | Lint::MissingKeyNegated { span, .. } => Some(span),
        _ => None,
    });
    spans
        .map(|span| &text[span.start as usize..span.end as usize])
        .collect()
}

#[test]
fn a_key_that_the_condition_needs_anyway_is_no_trap() {
    for text in [
        "log.attributes.a >= 400 && log.attributes['a'] != 404",
        "log.attributes.a != 404 && (team == 'x' && log.attributes.a >= 400)",
        "(log.attributes.a != 404 || team == 'x') && log.attributes.a >= 400",
        "log.attributes.a > 3 ? log.attributes.a != 4 : false",
        "log.attributes.a > 3 ? true : log.attributes.a != 4",
        "log.attributes.a > 3 && team == 'x' ? log.attributes.a != 4 : false",
        "log.attributes.a.startsWith('x') && log.attributes.a != 'xy'",
        "log.attributes.a > 1 && !(log.attributes.a == 4)",
        "!(log.attributes.a < 400 || log.attributes.a == 404)",
        "log.attributes.a != null",
        "!(log.attributes.a == null)",
        "null != log.attributes.a && log.attributes.a != 1",
        "cel.bind(x, 1, log.attributes.a > x && log.attributes.a != 4)",
        "log.attributes.a.b == 1 && log.attributes.a.b != 2",
    ] {
        assert_eq!(traps(text), [""; 0], "{text}");
    }
    for (text, expected) in [
        ("log.attributes.a != 1", &["log.attributes.a != 1"][..]),
        (
            "log.attributes.a != 1 && log.attributes.b >= 400",
            &["log.attributes.a != 1"],
        ),
        (
            "log.attributes.a != 1 && log.attributes.a != 2",
            &["log.attributes.a != 1", "log.attributes.a != 2"],
        ),
        (
            "log.attributes.a != 1 || log.attributes.a > 2",
            &["log.attributes.a != 1"],
        ),
        (
            "log.attributes.a != 1 && (log.attributes.a > 2 || team == 'x')",
            &["log.attributes.a != 1"],
        ),
        (
            "!(log.attributes.a > 1 && log.attributes.a == 4)",
            &["log.attributes.a == 4"],
        ),
        (
            "log.attributes.a != 4 ? log.attributes.a > 3 : false",
            &["log.attributes.a != 4"],
        ),
        (
            "log.attributes.a > 3 && team == 'x' ? true : log.attributes.a != 4",
            &["log.attributes.a != 4"],
        ),
        (
            "log.attributes.a.orInt(1) > 3 && log.attributes.a != 4",
            &["log.attributes.a != 4"],
        ),
        (
            "log.attributes.a.b == 1 && log.attributes.a.c != 2",
            &["log.attributes.a.c != 2"],
        ),
    ] {
        assert_eq!(traps(text), expected, "{text}");
    }
}

/// A type of a program with a field of each kind, a function that takes it, and a predicate that can fail.
fn orders() -> Environment {
    let mut environment = telemetry();
    let field = |id, ty| Field::new(FieldId(id), ty, Level::Record);
    let order = Record {
        fields: [
            ("id", field(0, Type::String)),
            ("total", field(1, Type::Double)),
        ]
        .map(|(name, field)| (name.to_owned(), field))
        .into(),
        is_value: true,
        is_constructible: true,
    };
    environment.records.insert("Order".to_owned(), order);
    let event = Variable::new(
        VariableId(200),
        Type::Record("Order".to_owned()),
        Level::Record,
    );
    environment.variables.insert("event".to_owned(), event);
    let price = CustomOverload {
        id: FunctionId(7),
        member: false,
        parameters: vec![Type::Record("Order".to_owned())],
        result: Type::Double,
        fails: Fails::because(Failure::Elsewhere),
    };
    environment.functions.insert(
        "price".to_owned(),
        CustomFunction {
            overloads: vec![price],
        },
    );
    let prod = Variable {
        fails: Fails::because(Failure::MissingKey),
        ..Variable::new(VariableId(201), Type::Bool, Level::Resource)
    };
    environment.variables.insert("prod".to_owned(), prod);
    let noisy = Variable {
        constant: Some(Constant::List(vec![Constant::String("healthz".to_owned())])),
        ..Variable::new(VariableId(202), Type::list(Type::String), Level::Const)
    };
    environment.variables.insert("noisy".to_owned(), noisy);
    environment
}

#[test]
fn what_a_program_declares_is_known() {
    let environment = orders();
    let check = |text: &str| check(&parsed(FileId(0), text), &environment, Mode::Static);
    for (text, ty, level, failures) in [
        (
            "event.total > 100.0 && event.id == 'a'",
            "bool",
            Level::Record,
            &[][..],
        ),
        (
            "price(event)",
            "double",
            Level::Record,
            &[Failure::Elsewhere],
        ),
        ("Order{id: 'a', total: 1.0}", "Order", Level::Const, &[]),
        ("Order{id: 'a'} == event", "bool", Level::Record, &[]),
        ("Order{total: 1.0}.total", "double", Level::Record, &[]),
        (
            "prod || team == 'a'",
            "bool",
            Level::Resource,
            &[Failure::MissingKey],
        ),
        ("'healthz' in noisy", "bool", Level::Const, &[]),
        (
            "[event].map(order, order.id)",
            "list(string)",
            Level::Record,
            &[],
        ),
    ] {
        let checked = check(text);
        assert!(checked.errors.is_empty(), "{text}: {:?}", checked.errors);
        let root = checked.tree.root_node();
        assert_eq!(
            (root.ty.to_string().as_str(), root.level),
            (ty, level),
            "{text}"
        );
        assert_eq!(root.fails.iter().collect::<Vec<_>>(), failures, "{text}");
    }
    for text in [
        "event.price",
        "price(1)",
        "Order{total: 1}",
        "Order{price: 1.0}",
        "Quote{}",
    ] {
        assert!(!check(text).errors.is_empty(), "{text}");
    }
}

#[test]
fn values_that_can_fail_have_a_total_form() {
    let environment = telemetry();
    for (text, wanted, form) in [
        (
            "resource.attributes['team']",
            Type::String,
            "resource.attributes[?\"team\"].orString(\"unknown\")",
        ),
        (
            "'a.' + log.attributes.team",
            Type::String,
            "log.attributes.?team.orString(\"unknown\")",
        ),
        (
            "log.attributes.a['b']",
            Type::Int,
            "log.attributes.?a[?\"b\"].orInt(0)",
        ),
        (
            "log.attributes['n'] > 1.5 ? 'a' : 'b'",
            Type::String,
            "log.attributes[?\"n\"].orDouble(0.0)",
        ),
        (
            "log.attributes.?k",
            Type::Bool,
            "log.attributes.?k.orBool(false)",
        ),
        (
            "log.attributes[?'k'].orValue('d')",
            Type::String,
            "log.attributes[?\"k\"].orString(\"d\")",
        ),
        ("log.body", Type::String, "log.body.orString(\"unknown\")"),
        (
            "log.attributes.`a-b`",
            Type::Uint,
            "log.attributes[?\"a-b\"].orUint(0u)",
        ),
    ] {
        let expression = parsed(FileId(0), text);
        let tree = check(&expression, &environment, Mode::Static).tree;
        let weak = value::weak_part(&expression, &tree, &wanted).unwrap();
        assert_eq!(weak.total_form.as_deref(), Some(form), "{text}");
        let mended = check(&parsed(FileId(0), form), &environment, Mode::Static);
        assert!(mended.tree.root_node().fails.is_total(), "{form}");
    }
    let total = parsed(FileId(0), "'a.' + log.severity_text");
    assert_eq!(
        value::weak_part(
            &total,
            &check(&total, &environment, Mode::Static).tree,
            &Type::String
        ),
        None
    );
    let sum = parsed(FileId(0), "log.severity_number + 1");
    let weak = value::weak_part(
        &sum,
        &check(&sum, &environment, Mode::Static).tree,
        &Type::Int,
    )
    .unwrap();
    assert_eq!(
        (weak.fails, weak.total_form),
        (Fails::because(Failure::Overflow), None)
    );
}
