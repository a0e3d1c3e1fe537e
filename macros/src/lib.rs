//! The `pipeline!` macro: a shell around `watershed_compiler::expand`.

use proc_macro::TokenStream;

/// Compiles the flow between the braces into the items of this module: a `Flow` to build and start, and its `Config`.
///
/// It is the language of `.flow` files, with the same meaning, and tables are read relative to the package; mistakes are reported at the token that is wrong. Two
/// pipelines in one module would both define `Flow`, so put each into a module of its own.
///
/// ```ignore
/// pub mod tenants {
///     watershed::pipeline! {
///         source ingest = otlp { http: "127.0.0.1:4318" };
///         sink   rest   = file { path: "rest", format: otlp_json };
///
///         ingest.logs -> filter(log.severity_number >= 17) -> rest;
///     }
/// }
///
/// #[tokio::main]
/// async fn main() -> Result<(), watershed::RunError> {
///     tenants::Flow::builder().run().await
/// }
/// ```
#[proc_macro]
pub fn pipeline(input: TokenStream) -> TokenStream {
    let folder = std::env::var_os("CARGO_MANIFEST_DIR")
        .map(std::path::PathBuf::from)
        .unwrap_or_default();
    watershed_compiler::expand::expand(
        input.into(),
        watershed_compiler::driver::RUNTIME_PATH,
        &folder,
    )
    .into()
}
