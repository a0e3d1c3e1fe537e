//! Questions about emitted statements that their tokens answer, and the `if` that is made of many.
//!
//! In: tokens of statements. Out: what form they have. Nothing is parsed, and no token is copied once for each arm around
//! it: a route may have thousands.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;

use crate::emit::code::Bool;

/// Whether statements are one `if` and nothing else: the first word is `if`, and behind each block comes `else`.
/// Only the outermost tokens are looked at.
fn is_if(tokens: &TokenStream) -> bool {
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

/// `if … { … } else if … { … } else { … }`: the first arm that holds, or `passed` when none does.
pub(super) fn one_of(arms: Vec<(Bool, TokenStream)>, passed: TokenStream) -> TokenStream {
    let (mut passed, mut chain) = (passed, Vec::new());
    for (holds, taken) in arms.into_iter().rev() {
        let is_last = chain.is_empty() && passed.is_empty();
        if taken.is_empty() && !is_last {
            let rest = chained(std::mem::take(&mut chain), passed);
            let fails = holds.not().tokens;
            passed = quote!(if #fails { #rest });
        } else {
            chain.push((holds, taken));
        }
    }
    chained(chain, passed)
}

/// Arms that do something, the last of them first, and what follows them. The tokens are written from front to back,
/// so each is moved once.
fn chained(arms: Vec<(Bool, TokenStream)>, passed: TokenStream) -> TokenStream {
    let (mut tokens, mut between) = (TokenStream::new(), TokenStream::new());
    for (holds, taken) in arms.into_iter().rev() {
        let holds = holds.tokens;
        tokens.extend(quote!(#between if #holds { #taken }));
        between = quote!(else);
    }
    tokens.extend(match (between.is_empty(), passed.is_empty()) {
        (true, _) | (_, true) => passed,
        // What follows is an `if` itself: it reads on as `else if`.
        (false, false) if is_if(&passed) => quote!(else #passed),
        (false, false) => quote!(else { #passed }),
    });
    tokens
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

/// The expression in a block that holds a single statement, `a.b(c);`, and nothing else.
pub(super) fn lone_call(block: &TokenTree) -> Option<TokenStream> {
    let TokenTree::Group(block) = block else {
        return None;
    };
    let is_end =
        |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ';');
    let has_own_block = |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
    let mut tokens: Vec<TokenTree> = block.stream().into_iter().collect();
    tokens.pop().filter(is_end)?;
    let is_let = matches!(tokens.first(), Some(TokenTree::Ident(word)) if word == "let");
    let is_plain = !is_let
        && !tokens
            .iter()
            .any(|token| is_end(token) || has_own_block(token));
    is_plain.then(|| tokens.into_iter().collect())
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
    fn arms_become_one_if() {
        let arm = |name: &str, taken: TokenStream| {
            let name = quote::format_ident!("{name}");
            (Bool::atom(quote!(#name)), taken)
        };
        let of = |arms: Vec<(Bool, TokenStream)>, passed| one_of(arms, passed).to_string();
        let some = || vec![arm("a", quote!(x();)), arm("b", quote!(y();))];
        assert_eq!(
            of(some(), quote!(z();)),
            quote!(if a {
                x();
            } else if b {
                y();
            } else {
                z();
            })
            .to_string()
        );
        assert_eq!(
            of(some(), quote!()),
            quote!(if a {
                x();
            } else if b {
                y();
            })
            .to_string()
        );
        assert_eq!(
            of(
                some(),
                quote!(if c {
                    z();
                })
            ),
            quote!(if a {
                x();
            } else if b {
                y();
            } else if c {
                z();
            })
            .to_string()
        );
        let empty = vec![arm("a", quote!(x();)), arm("b", quote!())];
        assert_eq!(
            of(empty, quote!(z();)),
            quote!(if a {
                x();
            } else if !b {
                z();
            })
            .to_string()
        );
        assert_eq!(of(Vec::new(), quote!(z();)), quote!(z();).to_string());
    }

    #[test]
    fn a_block_of_one_call_is_that_call() {
        let call = |block: TokenStream| lone_call(&block.into_iter().next().unwrap());
        let found = call(quote!({
            a.b(&c);
        }));
        assert_eq!(found.unwrap().to_string(), quote!(a.b(&c)).to_string());
        for other in [
            quote!({
                let a = b;
            }),
            quote!({
                a();
                b();
            }),
            quote!({
                if a {
                    b
                }
            }),
            quote!({ a() }),
            quote!({}),
        ] {
            assert!(call(other).is_none());
        }
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
