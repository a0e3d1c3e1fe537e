//! The `flowc` command.

fn main() {}
