//! Telemetry for the demo, the tests and the benchmarks: generated ([`Sampler`]), read back and compared ([`records`],
//! [`tree`]).
//!
//! In: a seed, a shape and sizes. Out: OTLP export requests as `opentelemetry-proto` messages. The same seed
//! always gives the same bytes, so a benchmark measures the same work every day and a failing test can be
//! repeated. The messages come from the published schema and not from the runtime's own reader, so that they
//! are an independent witness of what a flow should do.

mod logs;
mod metrics;
pub mod records;
mod traces;
pub mod tree;
mod values;

use fastrand::Rng;
use opentelemetry_proto::tonic::common::v1::InstrumentationScope;
use opentelemetry_proto::tonic::resource::v1::Resource;

pub use values::{attribute, text, text_attribute};

/// How much each record carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// About 113 bytes a log record: two times, a severity, a body of 40 bytes and two attributes.
    Lean,
    /// About 359 bytes a log record: a body of 80 bytes, eight attributes, trace and span ids as well.
    Rich,
}

impl Shape {
    /// The name that reports use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lean => "lean",
            Self::Rich => "rich",
        }
    }
}

/// Makes export requests: 1,000 lean records over 10 resources unless told otherwise.
///
/// Resources have four attributes: `service.name` (`service-0` to `service-9`), `deployment.environment` (`prod`
/// for the even ones, else `test`), `team` and `host.name`. The attribute `team` of records is `team-0` for one half and
/// `team-1` for the other half of each resource, in random order, and stands last in every record.
///
/// ```
/// use watershed_samples::{Sampler, Shape};
///
/// let request = Sampler::new(7).shape(Shape::Rich).records(20).resources(2).logs();
/// assert_eq!(request.resource_logs.len(), 2);
/// assert_eq!(request.resource_logs[0].scope_logs[0].log_records.len(), 10);
/// assert_eq!(request, Sampler::new(7).shape(Shape::Rich).records(20).resources(2).logs());
/// ```
#[derive(Debug)]
pub struct Sampler {
    random: Rng,
    shape: Shape,
    records: usize,
    resources: usize,
    /// Number of the next record: every record of one sampler can be told from every other.
    sequence: u64,
}

impl Sampler {
    /// A sampler whose output depends on `seed` and on nothing else.
    pub fn new(seed: u64) -> Self {
        Self {
            random: Rng::with_seed(seed),
            shape: Shape::Lean,
            records: 1_000,
            resources: 10,
            sequence: 0,
        }
    }

    /// Sets what each record carries.
    pub fn shape(mut self, shape: Shape) -> Self {
        self.shape = shape;
        self
    }

    /// Sets the number of records (log records, spans or data points) of one request.
    pub fn records(mut self, records: usize) -> Self {
        self.records = records;
        self
    }

    /// Sets the number of resources of one request; at least one is made.
    pub fn resources(mut self, resources: usize) -> Self {
        self.resources = resources.max(1);
        self
    }

    /// Records of the resource at `index`: the total is spread as evenly as it goes.
    fn records_of(&self, index: usize) -> usize {
        let even = self.records / self.resources;
        even + usize::from(index < self.records % self.resources)
    }

    fn next_sequence(&mut self) -> u64 {
        let sequence = self.sequence;
        self.sequence += 1;
        sequence
    }

    /// Nanoseconds since the epoch for record `sequence`: one millisecond after the one before it.
    fn time(sequence: u64) -> u64 {
        1_790_000_000_000_000_000 + sequence * 1_000_000
    }

    /// One team a record: as many of `team-0` as of `team-1` (one more when odd), shuffled.
    fn teams(&mut self, records: usize) -> Vec<&'static str> {
        let mut teams: Vec<_> = (0..records)
            .map(|index| if index % 2 == 0 { "team-0" } else { "team-1" })
            .collect();
        self.random.shuffle(&mut teams);
        teams
    }

    fn resource(index: usize) -> Resource {
        let environment = if index.is_multiple_of(2) {
            "prod"
        } else {
            "test"
        };
        let team = if index % 4 < 2 { "team-0" } else { "team-1" };
        Resource {
            attributes: vec![
                attribute("service.name", text(format!("service-{}", index % 10))),
                attribute("deployment.environment", text(environment)),
                attribute("team", text(team)),
                attribute("host.name", text(format!("node-{index:04}"))),
            ],
            ..Resource::default()
        }
    }

    fn scope() -> InstrumentationScope {
        InstrumentationScope {
            name: "orders".into(),
            version: "1.4.0".into(),
            ..InstrumentationScope::default()
        }
    }

    /// `length` random bytes that are not all zero, as trace and span ids must be.
    fn identifier(&mut self, length: usize) -> Vec<u8> {
        let mut bytes = vec![1_u8; length];
        self.random.fill(bytes.get_mut(1..).unwrap_or_default());
        bytes
    }
}
