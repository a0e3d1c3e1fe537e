//! A readable, stable text of a syntax tree.
