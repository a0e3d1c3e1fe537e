//! Comparisons: `left == right`, `left < right` and their kind, of values whose types are known or not.
//!
//! In: an operator and two values. Out: the plain boolean "it is true" or "it is false"; an error is where neither holds.

use proc_macro2::TokenStream;
use quote::quote;

use super::code::{Bool, Code, Form};
use super::condition::{Expressions, truth};
use super::context::Polarity;
use crate::hir::Literal;
use crate::plan::{CompareOp, Value, ValueKind};

impl Expressions<'_, '_> {
    /// T(left op right) or F(left op right).
    pub(super) fn compare(
        &self,
        op: CompareOp,
        left: &Value,
        right: &Value,
        polarity: Polarity,
    ) -> Bool {
        let (mut op, mut left, mut right) = (op, left, right);
        let (mut left_code, mut right_code) = (self.value(left), self.value(right));
        if left_code.form != Form::Any && right_code.form == Form::Any || is_plain_literal(left) {
            std::mem::swap(&mut left, &mut right);
            std::mem::swap(&mut left_code, &mut right_code);
            op = mirrored(op);
        }
        // `!=` is true where `==` is false.
        let (op, polarity) = match op {
            CompareOp::NotEqual => (CompareOp::Equal, polarity.flipped()),
            op => (op, polarity),
        };
        if left_code.form == Form::Any {
            return compare_any(op, left_code, right, right_code, polarity);
        }
        compare_typed(op, left_code, right_code, polarity)
    }
}

/// A literal that Rust has no comparison for with a `Text` on its right.
fn is_plain_literal(value: &Value) -> bool {
    matches!(value.kind, ValueKind::Literal(_))
}

/// The operator that means the same with its operands swapped.
const fn mirrored(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Less => CompareOp::Greater,
        CompareOp::LessEqual => CompareOp::GreaterEqual,
        CompareOp::Greater => CompareOp::Less,
        CompareOp::GreaterEqual => CompareOp::LessEqual,
        CompareOp::Equal | CompareOp::NotEqual => op,
    }
}

/// A comparison whose left side is an `AnyValue`. `op` is never `!=`.
fn compare_any(
    op: CompareOp,
    left: Code,
    right: &Value,
    right_code: Code,
    polarity: Polarity,
) -> Bool {
    let is_true = polarity == Polarity::True;
    let left = left.tokens;
    if op == CompareOp::Equal {
        let literal = right_code.tokens.clone();
        let short = match right.literal() {
            Some(Literal::String(_)) if is_true => Some(quote!(#left.is_text(#literal))),
            Some(Literal::String(_)) => Some(quote!(#left.is_not_text(#literal))),
            Some(Literal::Int(_)) if is_true => Some(quote!(#left.is_int(#literal))),
            Some(Literal::Int(_)) => Some(quote!(#left.is_not_int(#literal))),
            Some(Literal::Double(_)) if is_true => Some(quote!(#left.is_double(#literal))),
            Some(Literal::Double(_)) => Some(quote!(#left.is_not_double(#literal))),
            Some(Literal::Bool(_)) if is_true => Some(quote!(#left.is_bool(#literal))),
            Some(Literal::Bool(_)) => Some(quote!(#left.is_not_bool(#literal))),
            Some(Literal::Null) if is_true => Some(quote!(#left.is_null())),
            Some(Literal::Null) => Some(quote!(#left.is_not_null())),
            _ => None,
        };
        if let Some(short) = short {
            return Bool::atom(short);
        }
    }
    let right = right_code.into_any_argument();
    truth(
        &match op {
            CompareOp::Equal | CompareOp::NotEqual => quote!(#left.equals(#right)),
            CompareOp::Less => quote!(#left.less(#right)),
            CompareOp::LessEqual => quote!(#left.at_most(#right)),
            CompareOp::Greater => quote!(#left.greater(#right)),
            CompareOp::GreaterEqual => quote!(#left.at_least(#right)),
        },
        polarity,
    )
}

/// A comparison of two values of one static type. `op` is never `!=`.
pub(super) fn compare_typed(op: CompareOp, left: Code, right: Code, polarity: Polarity) -> Bool {
    let (form, right_form) = (left.form, right.form);
    let holds = |left: TokenStream, right: TokenStream| {
        let left = Code::total(left, form);
        let right = Code::total(right, right_form);
        let is_text = matches!(form, Form::Text | Form::Str | Form::Owned);
        let (left, right) = match (is_text, right_form) {
            // `str` orders bytewise, as CEL does.
            (true, Form::Str) if form == Form::Str => (left.tokens, right.tokens),
            (true, Form::Str) => (left.into_text(), right.tokens),
            (true, _) => (left.into_text(), right.into_text()),
            (false, _) => (left.tokens, right.tokens),
        };
        typed_operator(op, form, &left, &right, polarity)
    };
    match (left.fallible, right.fallible) {
        (false, false) => holds(left.tokens, right.tokens),
        (true, false) => {
            let (value, inner) = (left.tokens, holds(quote!(value), right.tokens).tokens);
            Bool::atom(quote!(#value.is_some_and(|value| #inner)))
        }
        (false, true) => {
            let (value, inner) = (right.tokens, holds(left.tokens, quote!(value)).tokens);
            Bool::atom(quote!(#value.is_some_and(|value| #inner)))
        }
        (true, true) => {
            let (left, right) = (left.tokens, right.tokens);
            let inner = holds(quote!(left), quote!(right)).tokens;
            Bool::atom(quote!(#left.zip(#right).is_some_and(|(left, right)| #inner)))
        }
    }
}

/// The opposite of an order of doubles: with NaN neither `a < b` nor `a >= b` holds, so it is negated and not
/// turned round.
fn not_ordered(op: CompareOp, left: &TokenStream, right: &TokenStream) -> Bool {
    let method = match op {
        CompareOp::Less => quote!(lt),
        CompareOp::LessEqual => quote!(le),
        CompareOp::Greater => quote!(gt),
        CompareOp::GreaterEqual | CompareOp::Equal | CompareOp::NotEqual => quote!(ge),
    };
    Bool::atom(quote!(f64::#method(&#left, &#right))).not()
}

fn typed_operator(
    op: CompareOp,
    form: Form,
    left: &TokenStream,
    right: &TokenStream,
    polarity: Polarity,
) -> Bool {
    let holds = Bool::comparison(match op {
        CompareOp::Equal | CompareOp::NotEqual => quote!(#left == #right),
        CompareOp::Less => quote!(#left < #right),
        CompareOp::LessEqual => quote!(#left <= #right),
        CompareOp::Greater => quote!(#left > #right),
        CompareOp::GreaterEqual => quote!(#left >= #right),
    });
    let fails = if form == Form::Double && op.is_ordering() {
        not_ordered(op, left, right)
    } else {
        Bool::comparison(match op {
            CompareOp::Equal | CompareOp::NotEqual => quote!(#left != #right),
            CompareOp::Less => quote!(#left >= #right),
            CompareOp::LessEqual => quote!(#left > #right),
            CompareOp::Greater => quote!(#left <= #right),
            CompareOp::GreaterEqual => quote!(#left < #right),
        })
    };
    match polarity {
        Polarity::True => holds.with_opposite(fails),
        Polarity::False => fails.with_opposite(holds),
    }
}
