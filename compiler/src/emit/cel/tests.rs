//! What the emitter writes, for the forms that a reader of generated code meets.

use quote::quote;
use watershed_lang::diagnostic::Diagnostics;
use watershed_lang::parse::parse_expression;
use watershed_lang::span::FileId;

use super::piece::{Form, Piece};
use super::{Emitter, Reader, Unsupported};
use crate::cel::environment::{Environment, FunctionId, Variable, VariableId};
use crate::cel::typed::{Node, NodeKind};
use crate::cel::{Checked, Mode, Tree, Type, check};
use crate::level::Level;

const NAMES: [&str; 5] = ["n", "s", "m", "d", "b"];

/// `n: int`, `s: string`, `m: map(string, dyn)`, `d: dyn`, `b: bool`, each a variable of that name.
struct Variables;

impl Reader for Variables {
    fn read(&self, _: &Tree, node: &Node) -> Result<Piece, Unsupported> {
        let NodeKind::Variable(id) = node.kind else {
            return Err(Unsupported {
                span: node.span,
                what: "a record",
            });
        };
        let name = quote::format_ident!("{}", NAMES[id.0 as usize]);
        let form = match Form::of(&node.ty) {
            Form::Text => Form::Str,
            form => form,
        };
        Ok(Piece::place(form, quote!(#name)))
    }

    fn call(&self, node: &Node, _: &[FunctionId], _: Vec<Piece>) -> Result<Piece, Unsupported> {
        Err(Unsupported {
            span: node.span,
            what: "a function",
        })
    }
}

fn checked(text: &str) -> Checked {
    let mut environment = Environment::default();
    let types = [
        Type::Int,
        Type::String,
        Type::map(Type::String, Type::Dyn),
        Type::Dyn,
        Type::Bool,
    ];
    for ((name, ty), id) in NAMES.iter().zip(types).zip(0..) {
        environment.variables.insert(
            (*name).to_owned(),
            Variable::new(VariableId(id), ty, Level::Record),
        );
    }
    let mut diagnostics = Diagnostics::new();
    let expression = parse_expression(FileId(0), text, &mut diagnostics);
    assert!(!diagnostics.has_errors(), "{text}: {diagnostics:?}");
    let checked = check(&expression, &environment, Mode::Static);
    assert!(checked.errors.is_empty(), "{text}: {:?}", checked.errors);
    checked
}

/// The code as rustfmt would write it on one line, or nearly.
fn written(tokens: &proc_macro2::TokenStream) -> String {
    let file = quote!(
        const _: () = #tokens;
    );
    let text = prettyplease::unparse(&syn::parse2(file).unwrap());
    let text = text
        .strip_prefix("const _: () = ")
        .and_then(|text| text.strip_suffix(";\n"));
    let lines: Vec<_> = text.unwrap().lines().map(str::trim).collect();
    lines.join(" ")
}

fn is_true(text: &str) -> String {
    written(
        &Emitter::new(&checked(text).tree, &Variables)
            .is_true()
            .unwrap(),
    )
}

fn is_false(text: &str) -> String {
    written(
        &Emitter::new(&checked(text).tree, &Variables)
            .is_false()
            .unwrap(),
    )
}

fn value(text: &str) -> String {
    written(
        &Emitter::new(&checked(text).tree, &Variables)
            .value()
            .unwrap()
            .tokens,
    )
}

#[test]
fn what_cannot_fail_is_plain_rust() {
    assert_eq!(is_true("n > 1 && s == 'x'"), "n > 1i64 && s == \"x\"");
    assert_eq!(
        is_false("n > 1 && s == 'x'"),
        "!(n > 1i64) || !(s == \"x\")"
    );
    assert_eq!(is_true("!(b || n == 2)"), "!b && !(n == 2i64)");
    assert_eq!(is_true("s.startsWith('a')"), "str::starts_with(s, \"a\")");
}

#[test]
fn what_can_fail_is_closed_in_its_leaf() {
    assert_eq!(
        is_true("m.k == 'x' || b"),
        "cel::logic::attempt(|| Ok(m.at(\"k\")? == cel::Value::from(\"x\"))) == Ok(true) || b"
    );
    assert_eq!(
        is_false("m.k == 'x'"),
        "cel::logic::attempt(|| Ok(m.at(\"k\")? == cel::Value::from(\"x\"))) == Ok(false)"
    );
}

#[test]
fn operators_bind_as_they_were_written() {
    let code = value("math.bitAnd(math.bitOr(n, 1), 3)");
    assert_eq!(code, "(n | 1i64) & 3i64");
    assert_eq!(value("math.bitNot(math.bitOr(n, 1))"), "!(n | 1i64)");
    assert_eq!(value("string(n > 2)"), "ToString::to_string(&(n > 2i64))");
    assert_eq!(
        value("-(double(n) + 1.0) * 2.0"),
        "(-((n as f64) + 1f64)) * 2f64"
    );
}

#[test]
fn sets_of_constants_are_matched() {
    assert_eq!(
        is_true("s in ['a', 'b', 'a']"),
        "matches!(s, \"a\" | \"b\")"
    );
    assert_eq!(is_true("n in [-1, 2]"), "matches!(n, - 1i64 | 2i64)");
}

#[test]
fn ranges_are_loops_by_polarity() {
    assert_eq!(
        is_true("m.all(k, k != s)"),
        "m.keys().all(|local_k_0| local_k_0 != cel::Value::from(s))"
    );
    assert!(is_true("m.exists(k, k == s)").starts_with("m.keys().any(|local_k_0|"));
    assert!(is_false("m.exists(k, k == s)").starts_with("m.keys().all(|local_k_0|"));
}

#[test]
fn values_are_unboxed_where_their_type_is_known() {
    assert_eq!(value("n + 1"), "cel::arithmetic::add_int(n, 1i64)?");
    assert_eq!(
        value("s + '/' + s.trim()"),
        "[s, \"/\", cel::strings::trim(s)].concat()"
    );
    assert_eq!(value("m[?'k'].orString('d')"), value("m.?k.orString('d')"));
    assert_eq!(
        value("d + 1"),
        "cel::arithmetic::add_int(d.as_int()?, 1i64)?"
    );
}

#[test]
fn named_parts_are_evaluated_once_and_only_when_needed() {
    let code = value("cel.bind(x, n / 2, x + x)");
    assert_eq!(code.matches("divide_int").count(), 1, "{code}");
    assert!(code.contains("LazyCell"), "{code}");
    let code = value("cel.bind(x, s.trim(), x + x)");
    assert!(!code.contains("LazyCell"), "{code}");
}

#[test]
fn known_patterns_are_compiled_once() {
    let code = is_true("s.matches('^\\\\d+$')");
    assert!(code.contains("static REGEX"), "{code}");
    assert!(code.contains("[0-9]"), "{code}");
}

#[test]
fn long_chains_are_nowhere_deep() {
    let text = vec!["n > 1"; 250].join(" || ");
    let mut depth = 0_usize;
    let mut deepest = 0;
    for letter in is_true(&text).chars() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    assert!(deepest < 16, "{deepest}");
    let sum = vec!["s"; 120].join(" + ");
    assert_eq!(value(&sum).matches("concat").count(), 1);
}

#[test]
fn a_function_that_nobody_reads_is_a_compile_error() {
    let checked = checked("n == 1");
    struct Nothing;
    impl Reader for Nothing {
        fn read(&self, _: &Tree, node: &Node) -> Result<Piece, Unsupported> {
            Err(Unsupported {
                span: node.span,
                what: "a variable",
            })
        }

        fn call(&self, node: &Node, _: &[FunctionId], _: Vec<Piece>) -> Result<Piece, Unsupported> {
            Err(Unsupported {
                span: node.span,
                what: "a function",
            })
        }
    }
    let error = Emitter::new(&checked.tree, &Nothing).is_true().unwrap_err();
    assert_eq!(error.to_string(), "a variable cannot be compiled");
}

#[test]
fn no_label_hides_another() {
    for expression in [
        "(d ? (b ? n / 2 : n) : (m.k ? 1 : 2)) > (b ? n / 3 : 4)",
        "(d ? (d ? m.a : m.b) : (d ? m.c : m.d)) == (m.e && (m.f || m.g && m.h))",
    ] {
        for code in [is_true(expression), value(expression)] {
            let declared =
                |at: &(usize, &str)| code[at.0..].split_once(' ').unwrap().0.ends_with(':');
            let mut labels: Vec<_> = code.match_indices('\'').filter(declared).collect();
            let label = |at: &(usize, &str)| code[at.0..].split_once(':').unwrap().0.to_owned();
            let before = labels.len();
            labels.sort_by_key(label);
            labels.dedup_by_key(|at| label(at));
            assert!(before > 1, "{code}");
            assert_eq!(labels.len(), before, "{code}");
        }
    }
}

#[test]
fn chosen_operands_stand_in_parentheses() {
    // At the start of a block a labelled block would be a statement of its own.
    for operator in ["<", "<=", ">", ">=", "==", "!="] {
        for (left, right) in [("'x'", "s"), ("b'x'", "bytes(s)"), ("1", "n"), ("d", "m.k")] {
            let code = is_true(&format!("(b ? {left} : {left}) {operator} {right}"));
            let block = syn::parse_str::<syn::Block>(&format!("{{ {code} }}"));
            assert_eq!(block.map(|block| block.stmts.len()).ok(), Some(1), "{code}");
        }
    }
}
