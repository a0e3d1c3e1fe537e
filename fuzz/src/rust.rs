//! Whether generated code is Rust.
//!
//! In: tokens or a text. Out: nothing, or a panic with the place. `syn` recurses deeper than the compiler does, so it
//! reads in a thread of its own, with a stack as large as that of rustc or larger.

use std::thread;

use syn::parse::Parse;

/// More than `syn` needs for the deepest nesting that the parser allows, in a build without optimisation, in bytes.
const STACK: usize = 256 << 20;

/// Checks that `code` is one `T` of Rust.
///
/// # Panics
///
/// When it is not.
pub(crate) fn check<T: Parse>(code: &impl ToString) {
    let code = code.to_string();
    let reader = thread::Builder::new().stack_size(STACK).spawn(move || {
        let read = syn::parse_str::<T>(&code);
        read.err().map(|error| format!("{error}: {code}"))
    });
    let error = reader.expect("a thread").join();
    assert_eq!(error.expect("syn does not panic"), None);
}
