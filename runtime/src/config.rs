//! Run-time configuration: from what a builder set, the environment and the defaults of a `.flow`
//! file to typed values.
//!
//! Input: [`ConfigValues`] (text, as a builder or `flowc run --set` gives it) and the environment.
//! Output: typed values, or one [`ConfigError`] that names **every** fault. A wrong value stops a
//! flow before it opens a port, so a user corrects all of them in one go.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

mod error;
mod text;

pub use error::{ConfigError, ConfigFault, ConfigOrigin};

/// What stands before the upper-case name of a configuration value in the environment.
pub const ENVIRONMENT_PREFIX: &str = "WATERSHED_";

/// A configuration value that must not be shown: `Debug` prints no part of it.
///
/// ```
/// let token = watershed::generated::Secret::new("hunter2");
/// assert_eq!(format!("{token:?}"), "Secret(redacted)");
/// assert_eq!(token.reveal(), "hunter2");
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps `value`.
    pub fn new(value: impl Into<String>) -> Self {
        Self(value.into())
    }

    /// The value itself, for the one place that sends it to where it belongs.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(redacted)")
    }
}

/// The values that a builder set, by name and as text.
///
/// All of them are text, so that typed setters and `--set name=value` take the same way and fail
/// with the same words. `Debug` shows names only, because a value may be a secret.
#[derive(Clone, Default)]
pub struct ConfigValues {
    values: BTreeMap<String, String>,
}

impl ConfigValues {
    /// Sets `name` to `value`; a later call wins.
    ///
    /// Whole numbers, doubles and truth values are set with their usual text (`to_string()`).
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        self.values.insert(name.to_owned(), value.into());
    }

    /// Sets `name` to a duration, to the nanosecond.
    pub fn set_duration(&mut self, name: &str, value: Duration) {
        self.set(name, format!("{}ns", value.as_nanos()));
    }
}

impl fmt::Debug for ConfigValues {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.values.keys()).finish()
    }
}

type Environment = Box<dyn Fn(&str) -> Option<Result<String, ()>>>;

/// Reads typed values in the order builder, environment (`WATERSHED_<NAME>`), default, and collects
/// every fault until [`ConfigReader::finish`].
///
/// ```
/// use watershed::generated::{ConfigReader, ConfigValues};
///
/// let mut values = ConfigValues::default();
/// values.set("workers", "4");
/// let mut reader = ConfigReader::with_environment(values, |_| None);
/// let workers = reader.int("workers", Some(1));
/// let url = reader.string("nats_url", Some("nats://127.0.0.1:4222"));
/// reader.finish()?;
/// assert_eq!((workers, url.as_str()), (4, "nats://127.0.0.1:4222"));
/// # Ok::<(), watershed::generated::ConfigError>(())
/// ```
pub struct ConfigReader {
    values: BTreeMap<String, String>,
    environment: Environment,
    faults: Vec<ConfigFault>,
}

impl ConfigReader {
    /// Reads `values`, then the environment of the process.
    pub fn new(values: ConfigValues) -> Self {
        Self::build(values, Box::new(process_environment))
    }

    /// Reads `values`, then `environment`, which is asked for the full name of a variable.
    pub fn with_environment(
        values: ConfigValues,
        environment: impl Fn(&str) -> Option<String> + 'static,
    ) -> Self {
        Self::build(values, Box::new(move |name| environment(name).map(Ok)))
    }

    fn build(values: ConfigValues, environment: Environment) -> Self {
        Self {
            values: values.values,
            environment,
            faults: Vec::new(),
        }
    }

    /// A `string`.
    pub fn string(&mut self, name: &str, default: Option<&str>) -> String {
        self.read(name, "a string", default.map(str::to_owned), |text| {
            Some(text.to_owned())
        })
    }

    /// An `int`, decimal, 64 bits.
    pub fn int(&mut self, name: &str, default: Option<i64>) -> i64 {
        self.read(name, "a whole number", default, |text| text.parse().ok())
    }

    /// A `double`.
    pub fn double(&mut self, name: &str, default: Option<f64>) -> f64 {
        self.read(name, "a number", default, |text| text.parse().ok())
    }

    /// A `bool`: `true` or `false`.
    pub fn boolean(&mut self, name: &str, default: Option<bool>) -> bool {
        self.read(name, "`true` or `false`", default, |text| text.parse().ok())
    }

    /// A `duration` in the notation of `.flow` files, such as `10ms`, `5s` or `1h30m`.
    pub fn duration(&mut self, name: &str, default: Option<Duration>) -> Duration {
        let expected = "a duration such as `250ms`, `5s` or `1h30m`";
        self.read(name, expected, default, text::parse_duration)
    }

    /// A size in bytes in the notation of `.flow` files, such as `64KiB`, or a plain number.
    pub fn bytes(&mut self, name: &str, default: Option<u64>) -> u64 {
        let expected = "a size such as `4096`, `64KiB` or `1MiB`";
        self.read(name, expected, default, text::parse_bytes)
    }

    /// A `secret`. It has no default: a literal never stands in a `.flow` file.
    pub fn secret(&mut self, name: &str) -> Secret {
        self.read(name, "a secret", None, |text| Some(Secret::new(text)))
    }

    /// Succeeds when every value was there and well formed, and nothing unknown was set.
    pub fn finish(mut self) -> Result<(), ConfigError> {
        let unknown = std::mem::take(&mut self.values).into_keys();
        self.faults
            .extend(unknown.map(|name| ConfigFault::Unknown { name }));
        if self.faults.is_empty() {
            Ok(())
        } else {
            Err(ConfigError::new(self.faults))
        }
    }

    /// Looks `name` up and parses it. After a fault a stand-in is returned: [`Self::finish`] fails,
    /// so nobody sees it.
    fn read<T: Default>(
        &mut self,
        name: &str,
        expected: &'static str,
        default: Option<T>,
        parse: impl Fn(&str) -> Option<T>,
    ) -> T {
        let Some((origin, text)) = self.look_up(name) else {
            return default
                .unwrap_or_else(|| self.fault(ConfigFault::Missing { name: name.into() }));
        };
        let parsed = text.ok().and_then(|text| parse(&text));
        parsed.unwrap_or_else(|| {
            self.fault(ConfigFault::Invalid {
                name: name.into(),
                origin,
                expected,
            })
        })
    }

    fn look_up(&mut self, name: &str) -> Option<(ConfigOrigin, Result<String, ()>)> {
        if let Some(text) = self.values.remove(name) {
            return Some((ConfigOrigin::Builder, Ok(text)));
        }
        let text = (self.environment)(&environment_name(name))?;
        Some((ConfigOrigin::Environment, text))
    }

    fn fault<T: Default>(&mut self, fault: ConfigFault) -> T {
        self.faults.push(fault);
        T::default()
    }
}

/// The variable that holds `name`: `nats_url` is `WATERSHED_NATS_URL`.
pub(crate) fn environment_name(name: &str) -> String {
    format!("{ENVIRONMENT_PREFIX}{}", name.to_ascii_uppercase())
}

/// A variable of the process: absent, its text, or `Err` when it is not UTF-8.
pub(crate) fn process_environment(name: &str) -> Option<Result<String, ()>> {
    std::env::var_os(name).map(|value| value.into_string().map_err(|_| ()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader(set: &[(&str, &str)], environment: &[(&str, &str)]) -> ConfigReader {
        let mut values = ConfigValues::default();
        for (name, value) in set {
            values.set(name, *value);
        }
        let environment: BTreeMap<String, String> = environment
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        ConfigReader::with_environment(values, move |name| environment.get(name).cloned())
    }

    #[test]
    fn a_builder_value_wins_over_the_environment_and_that_over_the_default() {
        let mut reader = reader(
            &[("a", "built")],
            &[("WATERSHED_A", "env"), ("WATERSHED_B", "env")],
        );
        assert_eq!(reader.string("a", Some("default")), "built");
        assert_eq!(reader.string("b", Some("default")), "env");
        assert_eq!(reader.string("c", Some("default")), "default");
        assert_eq!(reader.finish(), Ok(()));
    }

    #[test]
    fn every_type_is_read_in_the_notation_of_flow_files() {
        let mut reader = reader(
            &[
                ("int", "-3"),
                ("double", "0.5"),
                ("flag", "true"),
                ("wait", "1h30m"),
                ("size", "64KiB"),
                ("token", "s"),
            ],
            &[],
        );
        assert_eq!(reader.int("int", None), -3);
        assert!((reader.double("double", None) - 0.5).abs() < f64::EPSILON);
        assert!(reader.boolean("flag", None));
        assert_eq!(reader.duration("wait", None), Duration::from_secs(5_400));
        assert_eq!(reader.bytes("size", None), 65_536);
        assert_eq!(reader.secret("token").reveal(), "s");
        assert_eq!(reader.finish(), Ok(()));
    }

    #[test]
    fn a_set_duration_is_read_back_exactly() {
        let mut values = ConfigValues::default();
        values.set_duration("wait", Duration::from_nanos(1_500_000_001));
        let mut reader = ConfigReader::with_environment(values, |_| None);
        assert_eq!(
            reader.duration("wait", None),
            Duration::from_nanos(1_500_000_001)
        );
    }

    #[test]
    fn all_faults_are_told_at_once_and_no_value_is_quoted() {
        let mut reader = reader(
            &[("workers", "hunter2"), ("typo", "x")],
            &[("WATERSHED_WAIT", "soon")],
        );
        reader.int("workers", Some(1));
        reader.duration("wait", None);
        reader.secret("token");
        let error = reader.finish().expect_err("four faults");
        assert_eq!(error.faults().len(), 4);
        let text = error.to_string();
        assert!(!text.contains("hunter2"), "{text}");
        for name in ["workers", "WATERSHED_WAIT", "token", "typo"] {
            assert!(text.contains(name), "{text}");
        }
    }

    #[test]
    fn debug_shows_no_value() {
        let mut values = ConfigValues::default();
        values.set("token", "hunter2");
        assert_eq!(format!("{values:?}"), "{\"token\"}");
    }
}
