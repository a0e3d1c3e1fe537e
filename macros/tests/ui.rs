//! What rustc shows for mistakes in a `pipeline!`: each is underlined at exactly the tokens that are wrong, and the
//! rest of the program is checked all the same.
//!
//! The expected output is that of the pinned toolchain; `TRYBUILD=overwrite` writes it anew.

#[test]
fn mistakes_are_shown_at_the_users_own_tokens() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
