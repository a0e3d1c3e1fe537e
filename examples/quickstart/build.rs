//! Compiles the flow of this package.

fn main() {
    watershed_compiler::cargo::compile_flow("telemetry.flow");
}
