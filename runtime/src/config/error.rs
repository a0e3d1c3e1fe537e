//! What can be wrong with configuration values: facts first, words in one place.

use std::fmt;

use super::environment_name;

/// Where a value came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfigOrigin {
    /// A builder method or `--set name=value`.
    Builder,
    /// A variable of the environment.
    Environment,
}

/// One thing that is wrong with one configuration value. No fault quotes a value: it may be secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfigFault {
    /// A value without a default was not given.
    Missing {
        /// The name in the `.flow` file.
        name: String,
    },
    /// A value does not have the declared type.
    Invalid {
        /// The name in the `.flow` file.
        name: String,
        /// Where the value came from.
        origin: ConfigOrigin,
        /// What is expected instead, in words.
        expected: &'static str,
    },
    /// A value was set that the flow does not declare.
    Unknown {
        /// The name that was set.
        name: String,
    },
}

impl fmt::Display for ConfigFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { name } => write!(
                formatter,
                "`{name}` has no value: set it in the builder or as {}",
                environment_name(name)
            ),
            Self::Invalid {
                name,
                origin: ConfigOrigin::Builder,
                expected,
            } => write!(formatter, "the value set for `{name}` is not {expected}"),
            Self::Invalid {
                name,
                origin: ConfigOrigin::Environment,
                expected,
            } => write!(
                formatter,
                "the value of {} is not {expected}",
                environment_name(name)
            ),
            Self::Unknown { name } => {
                write!(formatter, "the flow declares no configuration `{name}`")
            }
        }
    }
}

/// Every fault of a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    faults: Vec<ConfigFault>,
}

impl ConfigError {
    pub(super) fn new(faults: Vec<ConfigFault>) -> Self {
        Self { faults }
    }

    /// The faults in the order in which the flow declares its values, unknown names last.
    pub fn faults(&self) -> &[ConfigFault] {
        &self.faults
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the configuration is not usable")?;
        for fault in &self.faults {
            write!(formatter, "\n  {fault}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ConfigError {}
