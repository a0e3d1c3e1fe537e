//! Questions about emitted statements that their tokens answer.
//!
//! In: tokens of statements. Out: what form they have. Nothing is parsed: a route asks of every arm.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Whether statements are one `if` and nothing else: the first word is `if`, and behind each block comes `else`.
/// Only the outermost tokens are looked at, because every arm of a route asks this of all the arms below it.
pub(super) fn is_if(tokens: &TokenStream) -> bool {
    let mut word = "if";
    let mut starts = true;
    for token in tokens.clone() {
        if starts {
            if !matches!(&token, TokenTree::Ident(first) if first == word) {
                return false;
            }
            word = "else";
        }
        starts = matches!(&token, TokenTree::Group(block) if block.delimiter() == Delimiter::Brace);
    }
    word == "else"
}

/// The condition and the block of statements that are one `if` without `else`.
pub(super) fn lone_if(tokens: &TokenStream) -> Option<(TokenStream, TokenTree)> {
    let mut tokens = tokens.clone().into_iter();
    if !matches!(tokens.next(), Some(TokenTree::Ident(word)) if word == "if") {
        return None;
    }
    let is_block = |token: &TokenTree| matches!(token, TokenTree::Group(block) if block.delimiter() == Delimiter::Brace);
    let mut condition = Vec::new();
    for token in tokens.by_ref() {
        if is_block(&token) {
            return tokens
                .next()
                .is_none()
                .then(|| (condition.into_iter().collect(), token));
        }
        condition.push(token);
    }
    None
}

/// Adds every word that stands in tokens, at any depth.
pub(super) fn add_words(tokens: &TokenStream, words: &mut BTreeSet<String>) {
    for token in tokens.clone() {
        match token {
            TokenTree::Ident(word) => _ = words.insert(word.to_string()),
            TokenTree::Group(group) => add_words(&group.stream(), words),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    #[test]
    fn an_if_without_else_is_taken_apart() {
        let (condition, body) = lone_if(&quote!(if a == (if x { y } else { z }) {
            b;
        }))
        .unwrap();
        assert_eq!(
            condition.to_string(),
            quote!(a == (if x { y } else { z })).to_string()
        );
        assert_eq!(
            body.to_string(),
            quote!({
                b;
            })
            .to_string()
        );
        assert!(lone_if(&quote!(if a { b } else { c })).is_none());
        assert!(lone_if(&quote!(if a { b } c.keep(&d);)).is_none());
        assert!(lone_if(&quote!(a.keep(&b);)).is_none());
    }

    #[test]
    fn one_if_is_told_from_other_statements() {
        for one in [
            quote!(if a {
                b
            }),
            quote!(if a { b } else { c }),
            quote!(if a == (if x { y } else { z }) {
                b
            } else if c {
                d
            } else {
                e
            }),
        ] {
            assert!(is_if(&one), "{one}");
        }
        for other in [
            quote!(),
            quote!(a.keep(&b);),
            quote!(if a { b } if c { d }),
            quote!(if a { b } c.keep(&d);),
            quote!(let a = b; if a { c }),
        ] {
            assert!(!is_if(&other), "{other}");
        }
    }
}
