//! Stages: what a chain can do to the data between a source and a sink.

mod batch;
mod drop;
mod filter;
mod limit;
mod remove;
mod route;
mod sample;
mod set;
mod split;
mod validate;

use super::OptionSpec;

/// A kind of stage.
#[derive(Debug, PartialEq)]
pub struct StageSpec {
    /// The name as it is written.
    pub name: &'static str,
    /// How it is written.
    pub form: StageForm,
    /// Its arguments, in the order of the reference.
    pub arguments: &'static [OptionSpec],
    /// How many of the arguments are given by position and not by name.
    pub positional: usize,
    /// What it does, in one line.
    pub help: &'static str,
    /// A chain that uses it.
    pub example: &'static str,
}

/// How a stage is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StageForm {
    /// `name(arguments)`
    Call,
    /// `name { condition => chain }`
    Arms,
}

/// Every stage, in the order of the reference.
pub const STAGES: &[&StageSpec] = &[
    &filter::SPEC,
    &drop::SPEC,
    &validate::SPEC,
    &set::SPEC,
    &remove::SPEC,
    &sample::SPEC,
    &limit::SPEC,
    &batch::SPEC,
    &route::SPEC,
    &split::SPEC,
];

/// The stage with this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static StageSpec> {
    STAGES.iter().copied().find(|spec| spec.name == name)
}

impl StageSpec {
    /// Whether an argument is given by position and not by name.
    #[must_use]
    pub fn is_positional(&self, name: &str) -> bool {
        let mut first = self.arguments.iter().take(self.positional);
        first.any(|argument| argument.name == name)
    }

    /// The argument with this name.
    #[must_use]
    pub fn argument(&self, name: &str) -> Option<&'static OptionSpec> {
        self.arguments.iter().find(|argument| argument.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_filled_in() {
        for spec in STAGES {
            assert!(
                !spec.help.is_empty() && spec.example.contains(spec.name),
                "{}",
                spec.name
            );
            assert!(spec.positional <= spec.arguments.len(), "{}", spec.name);
            for argument in spec.arguments {
                assert!(
                    !argument.help.is_empty() && !argument.example.is_empty(),
                    "{}.{}",
                    spec.name,
                    argument.name
                );
            }
        }
    }
}
