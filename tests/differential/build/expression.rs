//! An expression in two texts: as a flow has it, and as the oracle reads it.
//!
//! Templates join expressions: `$0` stands for the first part. Both texts are made with as few parentheses as the
//! grammar allows, so that precedence is tested too.

use std::collections::BTreeSet;

use crate::pools;

/// The type of an expression, as the generator sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Bool,
    Int,
    Uint,
    Double,
    Text,
    Bytes,
    /// The data decides.
    Any,
    Timestamp,
    Duration,
}

/// How tightly the outermost operator of an expression binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Binding {
    Conditional,
    Or,
    And,
    Relation,
    Sum,
    Product,
    Unary,
    Primary,
}

/// What masks ask about an expression.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Traits {
    /// It orders values that may be doubles.
    pub(crate) orders_doubles: bool,
    /// It computes doubles, so that NaN and infinity may appear.
    pub(crate) computes_doubles: bool,
    /// It makes text of a value that may be a double.
    pub(crate) writes_doubles: bool,
}

impl Traits {
    fn join(self, other: Self) -> Self {
        Self {
            orders_doubles: self.orders_doubles || other.orders_doubles,
            computes_doubles: self.computes_doubles || other.computes_doubles,
            writes_doubles: self.writes_doubles || other.writes_doubles,
        }
    }
}

/// A typed expression.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    pub(crate) kind: Kind,
    /// The text in a flow.
    pub(crate) flow: String,
    /// The text for the oracle.
    pub(crate) oracle: String,
    pub(crate) binding: Binding,
    /// It reads neither data nor configuration, so it is evaluated when the flow is compiled.
    pub(crate) is_constant: bool,
    pub(crate) traits: Traits,
    /// The variables of macros that it reads and that no macro inside it declares.
    pub(crate) variables: BTreeSet<String>,
    /// The conditions inside it that stand by themselves.
    pub(crate) conditions: Vec<Expression>,
}

impl Expression {
    /// A constant, or something that is read.
    pub(crate) fn leaf(kind: Kind, text: impl Into<String>) -> Self {
        let flow = text.into();
        Self {
            kind,
            oracle: flow.clone(),
            flow,
            binding: Binding::Primary,
            is_constant: false,
            traits: Traits::default(),
            variables: BTreeSet::new(),
            conditions: Vec::new(),
        }
    }

    pub(crate) fn constant(kind: Kind, text: impl Into<String>) -> Self {
        Self {
            is_constant: true,
            ..Self::leaf(kind, text)
        }
    }

    /// The same text for both sides, made of parts.
    pub(crate) fn join(kind: Kind, binding: Binding, template: &str, parts: &[&Self]) -> Self {
        Self::translate(kind, binding, template, template, parts)
    }

    /// A text for each side.
    pub(crate) fn translate(
        kind: Kind,
        binding: Binding,
        flow: &str,
        oracle: &str,
        parts: &[&Self],
    ) -> Self {
        let used: Vec<_> = parts
            .iter()
            .enumerate()
            .filter(|(place, _)| flow.contains(&format!("${place}")))
            .map(|(_, part)| *part)
            .collect();
        Self {
            flow: fill(flow, parts, |part| &part.flow),
            oracle: fill(oracle, parts, |part| &part.oracle),
            binding,
            is_constant: used.iter().all(|part| part.is_constant),
            traits: used
                .iter()
                .fold(Traits::default(), |traits, part| traits.join(part.traits)),
            variables: used
                .iter()
                .flat_map(|part| part.variables.iter().cloned())
                .collect(),
            conditions: used
                .iter()
                .flat_map(|part| part.closed_conditions())
                .collect(),
            ..Self::leaf(kind, "")
        }
    }

    /// The time that is as many seconds after 1970. The oracle has no such conversion.
    pub(crate) fn as_time(&self) -> Self {
        Self::translate(
            Kind::Timestamp,
            Binding::Primary,
            "timestamp($0)",
            "(timestamp(\"1970-01-01T00:00:00Z\") + duration(string($0) + \"s\"))",
            &[self],
        )
    }

    /// In parentheses, unless it binds at least as tightly as `needed`.
    pub(crate) fn at(self, needed: Binding) -> Self {
        if self.binding >= needed {
            return self;
        }
        Self {
            flow: format!("({})", self.flow),
            oracle: format!("({})", self.oracle),
            binding: Binding::Primary,
            ..self
        }
    }

    /// Says that it reads something, though no part of it does.
    pub(crate) fn reads(self) -> Self {
        Self {
            is_constant: false,
            ..self
        }
    }

    /// Adds what masks ask about.
    pub(crate) fn with(mut self, add: impl FnOnce(&mut Traits)) -> Self {
        add(&mut self.traits);
        self
    }

    /// Declares variables that it reads.
    pub(crate) fn binds(mut self, names: &[&str]) -> Self {
        self.variables
            .retain(|variable| !names.contains(&variable.as_str()));
        self
    }

    /// The conditions inside it that stand by themselves, itself last.
    pub(crate) fn closed_conditions(&self) -> Vec<Self> {
        let mut found = self.conditions.clone();
        if self.kind == Kind::Bool && self.variables.is_empty() && !self.is_constant {
            found.push(Self {
                conditions: Vec::new(),
                ..self.clone()
            });
        }
        found
    }
}

fn fill(template: &str, parts: &[&Expression], text: impl Fn(&Expression) -> &String) -> String {
    let mut filled = String::new();
    let mut rest = template.chars().peekable();
    while let Some(character) = rest.next() {
        let digit = rest.peek().and_then(|digit| digit.to_digit(10));
        let part = digit.and_then(|place| parts.get(place as usize));
        match part {
            Some(part) if character == '$' => {
                rest.next();
                filled.push_str(text(part));
            }
            _ => filled.push(character),
        }
    }
    filled
}

/// A text as a literal that both sides read.
pub(crate) fn quoted(text: &str) -> String {
    let mut literal = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => literal.extend(['\\', character]),
            '\n' => literal.push_str("\\n"),
            other => literal.push(other),
        }
    }
    literal + "\""
}

/// Bytes as a literal that both sides read.
pub(crate) fn byte_literal(bytes: &[u8]) -> String {
    let escaped: String = bytes.iter().map(|byte| format!("\\x{byte:02x}")).collect();
    format!("b\"{escaped}\"")
}

/// A double as a literal that both sides read.
pub(crate) fn double_literal(value: f64) -> String {
    format!("{value:?}")
}

/// The constant `words` of every flow, which the oracle reads as what it stands for.
pub(crate) fn words() -> Expression {
    Expression::translate(Kind::Any, Binding::Primary, "words", &word_list(), &[])
}

/// What the constant `words` stands for.
pub(crate) fn word_list() -> String {
    let words: Vec<_> = pools::TEXTS
        .iter()
        .step_by(2)
        .copied()
        .map(quoted)
        .collect();
    format!("[{}]", words.join(", "))
}

/// The configuration of every flow.
pub(crate) fn configs() -> Vec<(Kind, &'static str, String)> {
    vec![
        (Kind::Int, "limit", pools::LIMIT.to_string()),
        (Kind::Double, "ratio", pools::RATIO.to_string()),
        (Kind::Text, "word", pools::WORD.to_owned()),
        (Kind::Bool, "enabled", pools::ENABLED.to_string()),
        (Kind::Duration, "patience", format!("{}s", pools::PATIENCE)),
    ]
}
