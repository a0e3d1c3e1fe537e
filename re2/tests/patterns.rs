//! What patterns match, through the `regex` crate, against what RE2 answers.

use std::error::Error;

use proptest::prelude::*;
use regex::bytes::Regex;
use watershed_re2::{Problem, rewrite};

fn matches(text: &str, pattern: &str) -> Result<bool, Box<dyn Error>> {
    Ok(Regex::new(&rewrite(pattern)?)?.is_match(text.as_bytes()))
}

#[test]
fn texts_match_as_in_re2() {
    for (text, pattern, answer) in [
        ("hubba", "ubb", true),
        ("", "foo|bar", false),
        ("grey", "gr(a|e)y", true),
        ("mañana", "a+ñ+a+", true),
        ("🐱😀😀", "(a|😀){2}", true),
        ("a\nb", "a.b", false),
        ("a\nb", "(?s)a.b", true),
        ("a\n", "a$", false),
        ("a\nb", "(?m)a$", true),
        ("é", "^.$", true),
        // Classes of Perl are ASCII.
        ("é", r"\w", false),
        ("é", r"\W", true),
        ("٣", r"\d", false),
        ("٣", r"[\d]", false),
        ("\u{a0}", r"\s", false),
        ("\u{b}", r"\s", false),
        ("a b", r"a\sb", true),
        ("éb", r"\bb", true),
        ("ab", r"a\Bb", true),
        ("é-", r"^[\W]+$", true),
        ("é", "[[:alpha:]]", false),
        ("é", "[[:^alpha:]]", true),
        // Classes of Unicode have to be named.
        ("é", r"\pL", true),
        ("é", r"\PL", false),
        ("é", r"\p{^L}", false),
        ("α", r"^\p{Greek}$", true),
        ("α", r"^[\p{Greek}a]$", true),
        ("\u{378}", r"\pC", false),
        ("\u{7}", r"^\p{C}$", true),
        ("é", r"^\p{Any}$", true),
        ("é", r"\p{Cs}", false),
        // Brackets have no sets in them.
        ("x&", "^x[a&&b]$", true),
        ("[a]", "[[a]", true),
        ("]", "^[]a]$", true),
        ("-", "^[a-]$", true),
        ("-", "^[a-c-e]$", true),
        ("~", "^[a~~b]$", true),
        ("^", "^[a^]$", true),
        ("[:a", "^[[:a]+$", true),
        (".", r"^[\.\]]$", true),
        // Braces that count nothing are characters.
        ("ab", "^a{,3}b$", false),
        ("a{,3}b", "^a{,3}b$", true),
        ("a{b}", "^a{b}$", true),
        ("a{02}", "^a{02}$", true),
        ("{", "{", true),
        ("x{2", "^x{2$", true),
        ("aa", "^a{2}$", true),
        ("aaa", "^a{2,}?$", true),
        // Escapes.
        ("ab", r"a\<b", false),
        ("a<b", r"a\<b", true),
        ("_", r"^\_$", true),
        ("a", r"\x{61}", true),
        ("a", r"^\x61$", true),
        ("a", r"^\141$", true),
        ("\n", r"^\12$", true),
        ("\0", r"^\0$", true),
        ("a.b*", r"^\Qa.b*\E$", true),
        ("a.b", r"^\Qa.b", true),
        ("aXb", r"^\Qa.b", false),
        ("é", r"^\C\C$", true),
        ("\u{7}\u{c}\u{b}", r"^\a\f\v$", true),
        // Groups and flags.
        ("a", "(?P<n>a)", true),
        ("a", "(?<n>a)", true),
        ("a", "(?U)a+", true),
        ("A", "(?i:a)", true),
        ("A", "(?i)(?-i:a)", false),
        ("A", "(?-ii)a", false),
        ("a", "(?)a", true),
        ("", "^(|a)||$", true),
        ("b", "^*b", true),
        ("bb", "^b(?i)*$", true),
        ("bB", "^b(?i)+$", false),
        ("a#b", "a#b", true),
    ] {
        let matched = matches(text, pattern).expect(pattern);
        assert_eq!(matched, answer, "{text:?} and {pattern}");
    }
}

#[test]
fn what_re2_refuses_is_refused() {
    for (pattern, problem, offset) in [
        ("[", Problem::MissingBracket, 0),
        ("a[b", Problem::MissingBracket, 1),
        ("[a-", Problem::MissingBracket, 0),
        ("[]", Problem::MissingBracket, 0),
        ("(a", Problem::MissingParenthesis, 0),
        ("a(b(c)", Problem::MissingParenthesis, 1),
        ("(?i", Problem::MissingParenthesis, 0),
        ("a)", Problem::UnexpectedParenthesis, 1),
        ("a\\", Problem::TrailingBackslash, 1),
        ("[\\", Problem::TrailingBackslash, 1),
        (r"a\y", Problem::UnknownEscape, 1),
        (r"\1", Problem::UnknownEscape, 0),
        (r"\8", Problem::UnknownEscape, 0),
        (r"\Z", Problem::UnknownEscape, 0),
        (r"\u0041", Problem::UnknownEscape, 0),
        (r"\é", Problem::UnknownEscape, 0),
        (r"\x{}", Problem::UnknownEscape, 0),
        (r"\x{110000}", Problem::UnknownEscape, 0),
        (r"\xZ", Problem::UnknownEscape, 0),
        (r"[\b]", Problem::UnknownEscape, 1),
        ("[a--z]", Problem::InvalidClass, 1),
        ("[z-a]", Problem::InvalidClass, 1),
        (r"[a-\d]", Problem::UnknownEscape, 3),
        ("[[:foo:]]", Problem::InvalidClass, 1),
        (r"\p{Alphabetic=1}", Problem::UnknownProperty, 0),
        (r"\p{lu}", Problem::UnknownProperty, 0),
        (r"\pX", Problem::UnknownProperty, 0),
        (r"\p{L", Problem::UnknownProperty, 0),
        ("*a", Problem::NothingToRepeat, 0),
        ("(+)", Problem::NothingToRepeat, 1),
        ("(?i)*", Problem::NothingToRepeat, 4),
        ("a|{2}", Problem::NothingToRepeat, 2),
        ("a**", Problem::RepeatedRepetition, 2),
        ("a*+", Problem::RepeatedRepetition, 2),
        ("a*??", Problem::RepeatedRepetition, 3),
        ("a{2}{3}", Problem::RepeatedRepetition, 4),
        ("a{1001}", Problem::RepetitionTooLarge, 1),
        ("a{99999999999}", Problem::RepetitionTooLarge, 1),
        ("a{2,1}", Problem::RepetitionTooLarge, 1),
        ("((a{100})*b){11}", Problem::RepetitionTooLarge, 12),
        ("(?x)a", Problem::UnknownFlag, 0),
        ("(?=a)", Problem::UnknownFlag, 0),
        ("(?!a)", Problem::UnknownFlag, 0),
        ("(?-)", Problem::UnknownFlag, 0),
        ("(?i--s)", Problem::UnknownFlag, 0),
        ("(?P=n)", Problem::UnknownFlag, 0),
        ("(?<=a)", Problem::InvalidGroupName, 0),
        ("(?P<>a)", Problem::InvalidGroupName, 0),
        ("(?P<n", Problem::InvalidGroupName, 0),
    ] {
        let fault = rewrite(pattern).unwrap_err();
        assert_eq!(
            (fault.problem, fault.offset),
            (problem, offset),
            "{pattern}"
        );
        assert!(!fault.to_string().is_empty());
    }
}

#[test]
fn size_and_depth_are_bounded() {
    let nested = |depth: usize| format!("{}a{}", "(".repeat(depth), ")*".repeat(depth));
    assert!(Regex::new(&rewrite(&nested(100)).unwrap()).is_ok());
    assert_eq!(rewrite(&nested(101)).unwrap_err().problem, Problem::TooDeep);
    let large = r"\pL{900}";
    assert_eq!(rewrite(large).unwrap_err().problem, Problem::TooLarge);
    assert!(rewrite(r"\pL{300}").is_ok());
    assert!(rewrite("(a{10}){100}").is_ok());
}

#[test]
fn scripts_that_do_not_exist_fail_to_compile() {
    for pattern in [r"\p{Alphabetic}", r"\p{Klingon}"] {
        let rewritten = rewrite(pattern).unwrap();
        assert!(Regex::new(&rewritten).is_err(), "{pattern}");
    }
}

proptest! {
    /// What is rewritten compiles, but for scripts and group names, which only the compilation knows.
    #[test]
    fn rewritten_patterns_compile(pattern in "([a-c\\\\dwpLQEx0-7é(){}\\[\\]|*+?.,:^$&~<>=!#i-]|\\PC){0,10}") {
        if let Ok(rewritten) = rewrite(&pattern) {
            let named = pattern.contains("\\p{") || pattern.contains("\\P{") || pattern.contains('<');
            prop_assert!(Regex::new(&rewritten).is_ok() || named, "{} became {}", pattern, rewritten);
        }
    }
}
