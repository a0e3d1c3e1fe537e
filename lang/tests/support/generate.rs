//! Random texts of the language that have no mistakes of syntax: every item, step and form of expression, with white
//! space and comments of every kind between any two tokens.

use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::Union;

/// The tokens of some part of a text.
pub(crate) type Tokens = Vec<String>;

const NAMES: &[&str] = &[
    "a",
    "b",
    "log",
    "resource",
    "rest",
    "sink",
    "route",
    "filter",
    "prod",
    "self",
    "a_name_that_is_long_enough_to_break_lines",
];

const LITERALS: &[&str] = &[
    "0",
    "17",
    "0x1F",
    "7u",
    "0xFFu",
    "1.5",
    "1e3",
    ".5",
    ". 5",
    "10ms",
    "1h30m",
    "64MiB",
    "true",
    "null",
    "\"text\"",
    "'x'",
    "'say \"x\"'",
    "\"it\\'s\"",
    "\"\"\"a \"b\" c\"\"\"",
    "'''one\ntwo'''",
    "'''one\\t\ntwo'''",
    "r\"\\d\"",
    "R'\\w'",
    "r'a\"b'",
    "r#\"a\"b\"#",
    "r\"one\r\ntwo\"",
    "\"\\a\\?\\101\\u00e9\\x41\"",
    "b'a\\377'",
    "B\"é\"",
    "rb\"\\d\"",
    "bR'\\d'",
    "\"a text that is so long that two of its kind do not fit on one line\"",
];

/// Fields in backticks: words, and names that are none.
const FIELDS: &[&str] = &["`word`", "`a-b`", "`a.b/c`", "`in`", "`1`"];

const OPERATORS: &[&str] = &[
    "||", "&&", "==", "!=", "<", "<=", ">", ">=", "in", "+", "-", "*", "/", "%",
];

/// What may stand between two tokens. `#` stands for a number that tells comments apart.
const GAPS: &[(u32, &str)] = &[
    (60, " "),
    (12, "\n"),
    (4, "\n\n\n"),
    (1, "\r\n\t"),
    (2, " // c#\n"),
    (2, "\n// c#\n"),
    (1, "\n\n// c#\n\n// and c#\n\n"),
    (2, " /* c# */ "),
    (1, " /* c# */\n"),
    (1, "\n/* c# */ "),
    (1, "\n/* c# */\n"),
    (1, " /* c#\n   d */ "),
    (1, " /* c# */ // d#\n /* e# */ "),
    (1, "\n/// c#\n"),
    (1, " /// c#\n"),
    (1, " /** c# */ //! d#\n /*! e# */ "),
];

/// A whole file.
pub(crate) fn program() -> impl Strategy<Value = String> {
    let items = prop::collection::vec(item(), 0..4).prop_map(|items| items.concat());
    items.prop_flat_map(|tokens| {
        let gaps = prop::collection::vec(gap(), tokens.len() + 1);
        (Just(tokens), gaps).prop_map(|(tokens, gaps)| join(&tokens, &gaps))
    })
}

fn gap() -> impl Strategy<Value = &'static str> {
    Union::new_weighted(
        GAPS.iter()
            .map(|(weight, gap)| (*weight, Just(*gap)))
            .collect(),
    )
}

fn join(tokens: &[String], gaps: &[&str]) -> String {
    let mut text = String::new();
    for (index, gap) in gaps.iter().enumerate() {
        text.push_str(&gap.replace('#', &index.to_string()));
        if let Some(token) = tokens.get(index) {
            text.push_str(token);
        }
    }
    text
}

/// Words and signs, and tokens that were made before.
macro_rules! tokens {
    ($($part:expr),* $(,)?) => {{
        let mut tokens: Tokens = Vec::new();
        $(tokens.extend(Part::from($part).0);)*
        tokens
    }};
}

/// Something that becomes tokens.
struct Part(Tokens);

impl From<&str> for Part {
    fn from(token: &str) -> Self {
        Self(vec![token.to_owned()])
    }
}

impl From<Tokens> for Part {
    fn from(tokens: Tokens) -> Self {
        Self(tokens)
    }
}

fn name() -> impl Strategy<Value = &'static str> {
    select(NAMES)
}

/// Parts with commas between, and perhaps one behind the last.
fn list(part: impl Strategy<Value = Tokens>, last: bool) -> impl Strategy<Value = Tokens> {
    (prop::collection::vec(part, 0..4), any::<bool>()).prop_map(move |(parts, comma)| {
        let mut tokens = parts.join(&",".to_owned());
        if last && comma && !tokens.is_empty() {
            tokens.push(",".to_owned());
        }
        tokens
    })
}

/// Any item with its `;`, or with others in braces.
fn item() -> impl Strategy<Value = Tokens> {
    let parameters = list(name().prop_map(|name| tokens![name, ":", "string"]), true);
    let items = || prop::collection::vec(simple_item(), 0..3).prop_map(|items| items.concat());
    let template = (name(), parameters, items()).prop_map(|(name, parameters, items)| {
        tokens!["template", name, "(", parameters, ")", "{", items, "}"]
    });
    let table = prop_oneof![
        name().prop_map(|name| tokens![name]),
        select(&["csv", "json"][..]).prop_map(|format| tokens![format, "(", "'tenants.csv'", ")"]),
    ];
    let uses = prop::collection::vec(call(), 0..3).prop_map(|calls| {
        calls
            .into_iter()
            .flat_map(|call| tokens![call, ";"])
            .collect::<Tokens>()
    });
    let repeated = (name(), table, uses)
        .prop_map(|(name, table, uses)| tokens!["for", name, "in", table, "{", uses, "}"]);
    prop_oneof![8 => simple_item(), 1 => template, 1 => repeated]
}

/// Any item with its `;`.
fn simple_item() -> impl Strategy<Value = Tokens> {
    let doc = select(&["config", "const", "predicate"][..]);
    let value = (doc, name(), expression()).prop_map(|(keyword, name, value)| {
        let ty = if keyword == "config" {
            tokens![":", "string"]
        } else {
            Vec::new()
        };
        tokens![keyword, name, ty, "=", value, ";"]
    });
    let secret = name().prop_map(|name| tokens!["config", name, ":", "secret", ";"]);
    let keyword = select(&["connection", "source", "sink"][..]);
    let node = (keyword, name(), any::<bool>(), prop::option::of(block())).prop_map(
        |(keyword, name, typed, block)| {
            let ty = if typed && keyword == "source" {
                tokens![":", "Order"]
            } else {
                Vec::new()
            };
            tokens![
                keyword,
                name,
                ty,
                "=",
                "nats",
                block.unwrap_or_default(),
                ";"
            ]
        },
    );
    let stage = (name(), call()).prop_map(|(name, call)| tokens!["stage", name, "=", call, ";"]);
    let chain = (heads(), steps()).prop_map(|(heads, steps)| tokens![heads, "->", steps, ";"]);
    let use_of = call().prop_map(|call| tokens![call, ";"]);
    prop_oneof![3 => value, 1 => secret, 2 => node, 1 => stage, 3 => chain, 1 => use_of]
}

fn block() -> impl Strategy<Value = Tokens> {
    let value = expression().prop_map(|value| {
        if value.first().is_some_and(|first| first == "{") {
            tokens!["(", value, ")"]
        } else {
            value
        }
    });
    value
        .prop_recursive(2, 8, 3, |inner| {
            let option = (name(), inner).prop_map(|(name, value)| tokens![name, ":", value]);
            list(option, true).prop_map(|options| tokens!["{", options, "}"])
        })
        .prop_map(|value| {
            if value.first().is_some_and(|first| first == "{") {
                value
            } else {
                tokens!["{", "url", ":", value, "}"]
            }
        })
}

fn call() -> impl Strategy<Value = Tokens> {
    let argument = (prop::option::of(name()), expression()).prop_map(|(name, value)| match name {
        Some(name) => tokens![name, ":", value],
        None => value,
    });
    (name(), list(argument, true)).prop_map(|(name, list)| tokens![name, "(", list, ")"])
}

fn heads() -> impl Strategy<Value = Tokens> {
    let edge = prop_oneof![
        Just(tokens!["ingest"]),
        Just(tokens!["ingest", ".", "logs"]),
        Just(tokens!["source", ".", "traces"]),
    ];
    let several = (edge.clone(), list(edge.clone(), true))
        .prop_map(|(first, more)| tokens!["[", first, ",", more, "]"]);
    prop_oneof![3 => edge, 1 => several]
}

fn steps() -> impl Strategy<Value = Tokens> {
    let simple = prop_oneof![name().prop_map(|name| tokens![name]), call()];
    let step = simple.prop_recursive(3, 12, 3, |step| {
        let branch =
            prop::collection::vec(step, 1..3).prop_map(|steps| steps.join(&"->".to_owned()));
        let arm = (prop::option::weighted(0.8, expression()), branch.clone()).prop_map(
            |(condition, branch)| {
                tokens![condition.unwrap_or_else(|| tokens!["else"]), "=>", branch]
            },
        );
        let arms = (select(&["route", "split"][..]), list(arm, true))
            .prop_map(|(keyword, arms)| tokens![keyword, "{", arms, "}"]);
        let fan_out = list(branch, true).prop_map(|branches| tokens!["[", branches, "]"]);
        prop_oneof![arms, fan_out]
    });
    prop::collection::vec(step, 1..4).prop_map(|steps| steps.join(&"->".to_owned()))
}

/// Any expression.
pub(crate) fn expression() -> impl Strategy<Value = Tokens> {
    let leaf = prop_oneof![
        select(LITERALS).prop_map(|literal| tokens![literal]),
        name().prop_map(|name| tokens![name]),
        name().prop_map(|name| tokens![".", name]),
        Just(tokens!["-", "5"]),
    ];
    leaf.prop_recursive(4, 20, 3, |inner| {
        prop_oneof![
            4 => binary(inner.clone()),
            1 => conditional(inner.clone()),
            1 => (select(&["!", "-"][..]), 1_usize..3, operand(inner.clone())).prop_map(|(sign, times, operand)| {
                tokens![vec![sign.to_owned(); times], "(", operand, ")"]
            }),
            4 => member(inner.clone()),
            1 => inner.clone().prop_map(|inner| tokens!["(", inner, ")"]),
            1 => (name(), list(inner.clone(), false)).prop_map(|(name, list)| tokens![name, "(", list, ")"]),
            1 => has(inner.clone()),
            3 => literal_of(inner),
        ]
    })
}

/// In parentheses if something behind it would be read as a part of it.
fn operand(inner: impl Strategy<Value = Tokens>) -> impl Strategy<Value = Tokens> {
    inner.prop_map(|tokens| {
        if tokens.iter().any(|token| token == "?") {
            tokens!["(", tokens, ")"]
        } else {
            tokens
        }
    })
}

fn binary(inner: impl Strategy<Value = Tokens> + Clone) -> impl Strategy<Value = Tokens> {
    let more = prop::collection::vec((select(OPERATORS), operand(inner.clone())), 1..5);
    (operand(inner), more).prop_map(|(first, more)| {
        more.into_iter().fold(first, |left, (operator, right)| {
            tokens![left, operator, right]
        })
    })
}

fn conditional(inner: impl Strategy<Value = Tokens> + Clone) -> impl Strategy<Value = Tokens> {
    (operand(inner.clone()), operand(inner.clone()), inner)
        .prop_map(|(condition, value, otherwise)| tokens![condition, "?", value, ":", otherwise])
}

/// A field, an index or a call of a method.
fn member(inner: impl Strategy<Value = Tokens> + Clone + 'static) -> impl Strategy<Value = Tokens> {
    let link = prop_oneof![
        2 => name().prop_map(|name| tokens![".", name]),
        1 => name().prop_map(|name| tokens![".", "?", name]),
        2 => (any::<bool>(), select(FIELDS)).prop_map(|(optional, field)| {
            if optional { tokens![".", "?", field] } else { tokens![".", field] }
        }),
        2 => (any::<bool>(), inner.clone()).prop_map(|(optional, index)| {
            if optional { tokens!["[", "?", index, "]"] } else { tokens!["[", index, "]"] }
        }),
        2 => (name(), list(inner.clone(), false)).prop_map(|(name, list)| tokens![".", name, "(", list, ")"]),
    ];
    (operand(inner), prop::collection::vec(link, 1..4))
        .prop_map(|(operand, links)| tokens![operand, links.concat()])
}

/// `has(operand.field)`, with parentheses around the argument or without.
fn has(inner: impl Strategy<Value = Tokens>) -> impl Strategy<Value = Tokens> {
    let field = prop_oneof![select(FIELDS), name()];
    (inner, field, any::<bool>(), 0_usize..3).prop_map(|(operand, field, optional, depth)| {
        let optional = if optional {
            tokens![".", "?", "x"]
        } else {
            Vec::new()
        };
        let (open, close) = (vec!["(".to_owned(); depth], vec![")".to_owned(); depth]);
        tokens![
            "has", "(", open, "(", operand, ")", optional, ".", field, close, ")"
        ]
    })
}

/// A list, a map or a record.
fn literal_of(
    inner: impl Strategy<Value = Tokens> + Clone + 'static,
) -> impl Strategy<Value = Tokens> {
    let marked = |tokens: Tokens, optional: bool| {
        if optional {
            tokens!["?", tokens]
        } else {
            tokens
        }
    };
    let element =
        (inner.clone(), any::<bool>()).prop_map(move |(value, optional)| marked(value, optional));
    let entry = (inner.clone(), inner.clone(), any::<bool>())
        .prop_map(move |(key, value, optional)| marked(tokens![key, ":", value], optional));
    let field = (prop_oneof![name(), Just("`word`")], inner, any::<bool>())
        .prop_map(move |(name, value, optional)| marked(tokens![name, ":", value], optional));
    let type_name = prop_oneof![
        Just(tokens!["Quote"]),
        Just(tokens![".", "pkg", ".", "Quote"])
    ];
    prop_oneof![
        list(element, true).prop_map(|list| tokens!["[", list, "]"]),
        list(entry, true).prop_map(|list| tokens!["{", list, "}"]),
        (type_name, list(field, true)).prop_map(|(name, list)| tokens![name, "{", list, "}"]),
    ]
}
