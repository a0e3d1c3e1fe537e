//! Expressions that no one would write: pieces of valid ones, put together at random.
//!
//! Whatever comes in, the checker ends, places its findings inside of the text and leaves a tree that later stages
//! can walk: operands before what is made of them, no open types, a failure wherever a constant is one.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a mistake of the test itself must stop it"
)]

mod cel_support;

use cel_support::telemetry;
use watershed_compiler::cel::declarations;
use watershed_compiler::cel::fold::Constant;
use watershed_compiler::cel::lint::lints;
use watershed_compiler::cel::{Checked, Mode, Tree, Type, check};
use watershed_lang::diagnostic::{Diagnostics, IntoDiagnostic};
use watershed_lang::parse::parse_expression;
use watershed_lang::span::FileId;

/// How many expressions are made.
const ROUNDS: usize = 8_000;

/// Expressions beside the examples of the tables.
const MORE: &[&str] = &[
    "resource.attributes['team'] == team && log.severity_number >= 17",
    "has(log.attributes.k) ? log.attributes.k : null",
    "log.attributes.exists(k, v, k == 'a' && v == 1)",
    "[1, 2].map(x, x > 1, x * 2).filter(y, y in [4]).all(z, z == 4)",
    "cel.bind(x, log.body, x == 'a' || x.size() > 1)",
    "cel.block([1, cel.index(0) + 1], cel.index(1))",
    "{1: 'a', ?2: optional.of('b')}[?2].optMap(v, v + 'c').orValue('d')",
    "log.attributes.transformMapEntry(k, v, {v: k})",
    "span.status.code == 2 || span.duration > 5ms",
    "[timestamp(0), null][0] == null",
    "type(log.body) == string ? -1 : 2u",
];

/// Numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit.max(1)
    }
}

#[test]
fn pieces_put_together_at_random_do_no_harm() {
    let macros = declarations::MACROS.iter().map(|entry| entry.example);
    let examples = declarations::functions()
        .map(|function| function.example)
        .chain(macros);
    let pieces: Vec<Vec<&str>> = examples.chain(MORE.iter().copied()).map(cut).collect();
    let environment = telemetry();
    let mut random = Random(17);
    let mut accepted = 0;
    for _ in 0..ROUNDS {
        let text = splice(&pieces, &mut random);
        let mut diagnostics = Diagnostics::new();
        let expression = parse_expression(FileId(0), &text, &mut diagnostics);
        for mode in [Mode::Static, Mode::Dynamic] {
            let checked = check(&expression, &environment, mode);
            accepted += usize::from(checked.errors.is_empty() && !diagnostics.has_errors());
            inspect(&text, checked);
        }
    }
    assert!(
        accepted > ROUNDS / 20,
        "only {accepted} were valid: nothing was tested"
    );
}

/// Cuts an expression where a name, a number, a text or a sign ends.
fn cut(text: &'static str) -> Vec<&'static str> {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '"' | '\'' => rest[1..].find(first).map_or(rest.len(), |end| end + 2),
            _ if is_word(first) => rest.find(|next| !is_word(next)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let (piece, behind) = rest.split_at(end);
        pieces.push(piece);
        rest = behind;
    }
    pieces
}

/// One expression with a few pieces replaced, left out or put in twice.
fn splice(pieces: &[Vec<&str>], random: &mut Random) -> String {
    let mut made = pieces[random.below(pieces.len())].clone();
    for _ in 0..random.below(4) {
        let other = &pieces[random.below(pieces.len())];
        let from = random.below(other.len());
        let to = from + random.below(other.len() - from) + 1;
        let start = random.below(made.len());
        let end = start + random.below(made.len() - start).min(3);
        made.splice(start..end, other[from..to.min(other.len())].iter().copied());
    }
    made.concat()
}

fn inspect(text: &str, checked: Checked) {
    let Checked { tree, errors } = checked;
    for (id, node) in tree.nodes() {
        assert!(
            node.kind.children().iter().all(|child| *child < id),
            "{text}"
        );
        assert!(is_closed(&node.ty), "{text}: {}", node.ty);
        let is_failure = matches!(node.constant, Some(Constant::Failed(_)));
        assert!(!is_failure || !node.fails.is_total(), "{text}");
    }
    agree(text, &tree);
    let _ = lints(&tree);
    for error in errors {
        let found = error.into_diagnostic();
        let span = found.primary.span;
        assert!(
            text.get(span.start as usize..span.end as usize).is_some(),
            "{text}: {found:?}"
        );
        assert!(
            !found.message.contains("without words"),
            "{text}: {found:?}"
        );
    }
}

/// The constant of the whole is of the type of the whole.
fn agree(text: &str, tree: &Tree) {
    let root = tree.root_node();
    let (Some(constant), false) = (&root.constant, root.ty.is_open()) else {
        return;
    };
    let simple = matches!(
        root.ty,
        Type::Bool | Type::Int | Type::Uint | Type::Double | Type::String | Type::Bytes
    );
    if simple && !matches!(constant, Constant::Failed(_)) {
        assert_eq!(constant.ty(), root.ty, "{text}");
    }
}

fn is_closed(ty: &Type) -> bool {
    !matches!(ty, Type::Variable(_) | Type::Parameter(_))
        && ty.parameters().into_iter().all(is_closed)
}
