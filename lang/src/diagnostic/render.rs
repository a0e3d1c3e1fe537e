//! Makes text of [`Diagnostic`](super::Diagnostic)s, one file for each form of output.
