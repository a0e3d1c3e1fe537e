//! Changes to the tokens of a text.

use std::ops::Range;

use fastrand::Rng;

/// The deepest nesting that is made at once: more than the parser allows.
const MAX_NESTING: usize = 120;

/// How often a stretch is repeated at most: more than the longest chain that the parser allows.
const MAX_REPETITION: usize = 300;

/// Brackets and other pairs that can be put around tokens.
const PAIRS: &[(&str, &str)] = &[
    ("(", ")"),
    ("[", "]"),
    ("{", "}"),
    ("f(", ")"),
    ("[?", "]"),
    ("{1: ", "}"),
    ("-(", ")"),
    ("!", ""),
    ("(?i:", ")"),
    ("/*", "*/"),
    ("p ? ", " : q"),
    ("[1].map(x, ", ")"),
    ("cel.bind(x, ", ", x)"),
];

/// Numbers and texts at the ends of their ranges.
const EXTREMES: &[&str] = &[
    "0",
    "-0.0",
    "1u",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "18446744073709551615u",
    "18446744073709551616",
    "1e308",
    "1e-400",
    "0x7fffffffffffffff",
    "106751d",
    "\u{0}",
    "\u{feff}",
    "\u{10ffff}",
    "\u{2028}",
    "e\u{301}",
    "''",
    "\"\"\"",
    "b'\\xff'",
];

/// One change to the tokens of `input`; `other` gives some of its own.
pub(super) fn change(input: &[u8], other: &[u8], words: &[Vec<u8>], random: &mut Rng) -> Vec<u8> {
    let (text, other) = (
        String::from_utf8_lossy(input),
        String::from_utf8_lossy(other),
    );
    let mut tokens: Vec<String> = cut(&text).into_iter().map(str::to_owned).collect();
    let place = stretch(tokens.len(), 1, random);
    let chosen = tokens.get(place.clone()).unwrap_or_default().to_vec();
    let replacement = match random.u8(..10) {
        0 => vec![word(words, random)],
        1 => [vec![word(words, random)], chosen].concat(),
        2 => vec![
            random
                .choice(EXTREMES)
                .copied()
                .unwrap_or_default()
                .to_owned(),
        ],
        3 => Vec::new(),
        4 => [chosen.clone(), chosen].concat(),
        5 | 6 => {
            let tokens: Vec<String> = cut(&other).into_iter().map(str::to_owned).collect();
            let place = stretch(tokens.len(), 12, random);
            tokens.get(place).unwrap_or_default().to_vec()
        }
        7 => nested(chosen, random),
        8 => {
            let place = stretch(tokens.len(), 6, random);
            let repeated = tokens.get(place).unwrap_or_default().concat();
            vec![repeated.repeat(random.usize(2..=MAX_REPETITION))]
        }
        _ => {
            let others = stretch(tokens.len(), 6, random);
            tokens.get(others).unwrap_or_default().to_vec()
        }
    };
    tokens.splice(place, replacement);
    tokens.concat().into_bytes()
}

/// A stretch of up to `longest` of `length` tokens; it may be empty.
fn stretch(length: usize, longest: usize, random: &mut Rng) -> Range<usize> {
    let start = random.usize(..=length);
    start..(start + random.usize(..=longest)).min(length)
}

fn word(words: &[Vec<u8>], random: &mut Rng) -> String {
    let word = random.choice(words).map(Vec::as_slice).unwrap_or_default();
    String::from_utf8_lossy(word).into_owned()
}

/// The tokens in pairs of brackets, a few or many.
fn nested(inner: Vec<String>, random: &mut Rng) -> Vec<String> {
    let (open, close) = random.choice(PAIRS).copied().unwrap_or_default();
    let deepest = if random.bool() { 3 } else { MAX_NESTING };
    let depth = random.usize(1..=deepest);
    [vec![open.repeat(depth)], inner, vec![close.repeat(depth)]].concat()
}

/// Cuts a text where a name, a number, a string or a sign ends.
fn cut(text: &str) -> Vec<&str> {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let behind = rest.get(first.len_utf8()..).unwrap_or_default();
        let end = match first {
            '"' | '\'' => behind.find(first).map_or(rest.len(), |end| end + 2),
            _ if is_word(first) => rest.find(|next| !is_word(next)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let (token, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
        tokens.push(token);
        rest = behind;
    }
    tokens
}
