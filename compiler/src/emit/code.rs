//! Pieces of Rust that know how tightly they bind and what they yield, so that parentheses stand only where
//! they are needed and no value is used as another type.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;

/// How tightly the outermost operator of an expression binds, the loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Binding {
    /// `a || b`
    Or,
    /// `a && b`
    And,
    /// `a == b`
    Comparison,
    /// `!a`
    Unary,
    /// A call, a path, a literal, a block in parentheses.
    Atom,
}

/// How many operands stand in a row before they are grouped.
const SHORT: usize = 32;

/// A Rust expression of type `bool`.
#[derive(Clone, Debug)]
pub(super) struct Bool {
    pub(super) tokens: TokenStream,
    binding: Binding,
    /// How the opposite is written where that is not a `!` before it.
    negated: Option<Box<Self>>,
    /// What it is, when it is a literal.
    literal: Option<bool>,
}

impl Bool {
    /// An expression that needs no parentheses anywhere.
    pub(super) const fn atom(tokens: TokenStream) -> Self {
        Self {
            tokens,
            binding: Binding::Atom,
            negated: None,
            literal: None,
        }
    }

    /// `left op right`
    pub(super) const fn comparison(tokens: TokenStream) -> Self {
        Self {
            tokens,
            binding: Binding::Comparison,
            negated: None,
            literal: None,
        }
    }

    /// The same expression, whose opposite is written as `opposite`.
    pub(super) fn with_opposite(mut self, opposite: Self) -> Self {
        self.negated = Some(Box::new(opposite));
        self
    }

    /// `true` or `false`.
    pub(super) fn literal(value: bool) -> Self {
        Self {
            literal: Some(value),
            ..Self::atom(quote!(#value))
        }
    }

    /// Whether it is the literal `value`.
    pub(super) fn is_literal(&self, value: bool) -> bool {
        self.literal == Some(value)
    }

    /// `!self`
    pub(super) fn not(mut self) -> Self {
        if self.is_literal(true) || self.is_literal(false) {
            return Self::literal(self.is_literal(false));
        }
        if let Some(opposite) = self.negated.take() {
            return opposite.with_opposite(self);
        }
        let operand = self.clone().at_least(Binding::Unary);
        Self {
            tokens: quote!(!#operand),
            binding: Binding::Unary,
            negated: Some(Box::new(self)),
            literal: None,
        }
    }

    /// `a && b && …`
    pub(super) fn all(operands: Vec<Self>) -> Self {
        Self::join(operands, Binding::And)
    }

    /// `a || b || …`
    pub(super) fn any(operands: Vec<Self>) -> Self {
        Self::join(operands, Binding::Or)
    }

    /// Joins operands, leaving out those that change nothing.
    fn join(operands: Vec<Self>, binding: Binding) -> Self {
        let neutral = binding == Binding::And;
        if operands.iter().any(|operand| operand.is_literal(!neutral)) {
            return Self::literal(!neutral);
        }
        let mut operands: Vec<_> = operands
            .into_iter()
            .filter(|operand| !operand.is_literal(neutral))
            .collect();
        match operands.len() {
            0 => return Self::literal(neutral),
            1 => return operands.remove(0),
            _ => {}
        }
        if operands.len() > SHORT {
            return Self::balanced(operands, binding);
        }
        // rustc warns of `a || b && c` nowhere, but a reader should not have to know which binds tighter.
        let parts = operands.into_iter().map(|operand| {
            let least = if operand.binding == binding {
                binding
            } else {
                Binding::Comparison
            };
            operand.at_least(least)
        });
        let tokens = if neutral {
            quote!(#(#parts)&&*)
        } else {
            quote!(#(#parts)||*)
        };
        Self {
            tokens,
            binding,
            negated: None,
            literal: None,
        }
    }

    /// A long chain, as a tree that is nowhere deep: rustc recurses once an operator.
    fn balanced(mut operands: Vec<Self>, binding: Binding) -> Self {
        let right = operands.split_off(operands.len() / 2);
        let halves = [operands, right].map(|half| {
            let half = Self::join(half, binding).tokens;
            Self::atom(quote!((#half)))
        });
        Self::join(halves.into(), binding)
    }

    fn at_least(self, least: Binding) -> TokenStream {
        let tokens = self.tokens;
        if self.binding < least {
            quote!((#tokens))
        } else {
            tokens
        }
    }
}

/// What a Rust expression yields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `AnyValue`: missing means an error.
    Any,
    /// `Text<'_>`
    Text,
    /// `&str`
    Str,
    /// `String`
    Owned,
    /// `i64`; durations too, in nanoseconds.
    Int,
    /// `u64`
    Uint,
    /// `f64`
    Double,
    /// `bool`
    Bool,
    /// `&[u8]`
    Bytes,
}

/// A Rust expression that yields a value.
#[derive(Clone, Debug)]
pub(super) struct Code {
    /// The expression; it needs no parentheses as a receiver or an argument.
    pub(super) tokens: TokenStream,
    /// What it yields.
    pub(super) form: Form,
    /// Whether it yields an `Option` of that, with `None` for an error.
    pub(super) fallible: bool,
    /// The same with its type written out, for a literal that could be of several types.
    suffixed: Option<TokenStream>,
}

impl Code {
    /// A value that cannot fail; of form [`Form::Any`] it still may be missing.
    pub(super) const fn total(tokens: TokenStream, form: Form) -> Self {
        Self {
            tokens,
            form,
            fallible: false,
            suffixed: None,
        }
    }

    /// A whole number; `suffixed` is the same with its type written out.
    pub(super) const fn number(tokens: TokenStream, suffixed: TokenStream, form: Form) -> Self {
        Self {
            tokens,
            form,
            fallible: false,
            suffixed: Some(suffixed),
        }
    }

    /// An `Option` of a value.
    pub(super) const fn fallible(tokens: TokenStream, form: Form) -> Self {
        Self {
            tokens,
            form,
            fallible: true,
            suffixed: None,
        }
    }

    /// Whether evaluating it can be an error in CEL.
    pub(super) fn can_fail(&self) -> bool {
        self.fallible || self.form == Form::Any
    }

    /// With the type of a number written out, so that it can stand anywhere.
    pub(super) fn into_typed(self) -> TokenStream {
        self.suffixed.unwrap_or(self.tokens)
    }

    /// As an argument that becomes an `AnyValue`.
    pub(super) fn into_any_argument(self) -> TokenStream {
        let tokens = self.suffixed.unwrap_or(self.tokens);
        match (self.fallible, self.form) {
            (true, Form::Owned) => {
                quote!(#tokens.as_deref().map_or(AnyValue::Missing, AnyValue::from))
            }
            (true, _) => quote!(#tokens.map_or(AnyValue::Missing, AnyValue::from)),
            (false, Form::Owned) => quote!(&#tokens),
            (false, _) => without_parentheses(tokens),
        }
    }

    /// As an `AnyValue`.
    pub(super) fn into_any(self) -> TokenStream {
        if self.form == Form::Any && !self.fallible {
            return self.tokens;
        }
        if self.fallible {
            return self.into_any_argument();
        }
        let tokens = self.into_any_argument();
        quote!(AnyValue::from(#tokens))
    }

    /// As something that becomes a `Text`; only for text that cannot fail.
    pub(super) fn into_text_argument(self) -> TokenStream {
        let tokens = self.tokens;
        if self.form == Form::Owned {
            quote!(&#tokens)
        } else {
            without_parentheses(tokens)
        }
    }

    /// As an argument of its own type.
    pub(super) fn into_argument(self) -> TokenStream {
        without_parentheses(self.tokens)
    }

    /// As a `Text` to call methods on.
    pub(super) fn into_text(self) -> TokenStream {
        if self.form == Form::Text {
            return self.tokens;
        }
        let tokens = self.into_text_argument();
        quote!(Text::from(#tokens))
    }
}

/// The content of an expression in parentheses, which an argument does not need.
fn without_parentheses(tokens: TokenStream) -> TokenStream {
    let mut all = tokens.clone().into_iter();
    match (all.next(), all.next()) {
        (Some(TokenTree::Group(group)), None) if group.delimiter() == Delimiter::Parenthesis => {
            group.stream()
        }
        _ => tokens,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_chains_are_nowhere_deep() {
        fn depth(tokens: TokenStream) -> usize {
            let inner = tokens.into_iter().map(|token| match token {
                TokenTree::Group(group) => 1 + depth(group.stream()),
                _ => 0,
            });
            inner.max().unwrap_or(0)
        }
        fn longest(tokens: TokenStream) -> usize {
            let inner: Vec<_> = tokens.into_iter().collect();
            let groups = inner.iter().map(|token| match token {
                TokenTree::Group(group) => longest(group.stream()),
                _ => 0,
            });
            groups.max().unwrap_or(0).max(inner.len())
        }
        let operands = (0..10_000).map(|_| Bool::atom(quote!(a))).collect();
        let chain = Bool::all(operands).tokens;
        assert!(depth(chain.clone()) <= 16, "{}", depth(chain));
        let operands = (0..10_000).map(|_| Bool::atom(quote!(a))).collect();
        assert!(longest(Bool::any(operands).tokens) <= 3 * SHORT);
    }

    #[test]
    fn parentheses_stand_where_they_are_needed() {
        let [a, b, c] = [quote!(a), quote!(b), quote!(x == y)];
        let either = Bool::any(vec![Bool::atom(a), Bool::atom(b)]);
        let both = Bool::all(vec![either.clone(), Bool::comparison(c.clone())]);
        assert_eq!(both.tokens.to_string(), "(a || b) && x == y");
        assert_eq!(both.not().tokens.to_string(), "! ((a || b) && x == y)");
        assert_eq!(
            Bool::comparison(c.clone()).not().not().tokens.to_string(),
            "x == y"
        );
        assert_eq!(
            Bool::comparison(c.clone()).not().tokens.to_string(),
            "! (x == y)"
        );
        let differs = Bool::comparison(c)
            .with_opposite(Bool::comparison(quote!(x != y)))
            .not();
        assert_eq!(differs.tokens.to_string(), "x != y");
        assert_eq!(differs.not().tokens.to_string(), "x == y");
        assert_eq!(
            Bool::all(vec![Bool::literal(true), either.clone()])
                .tokens
                .to_string(),
            "a || b"
        );
        assert!(Bool::all(vec![Bool::literal(false), either]).is_literal(false));
    }
}
