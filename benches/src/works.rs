//! The pieces of work that are measured: each is done by generated code, by hand and with prost, and checked to give
//! the same bytes.

mod input;
mod product;

use std::hint::black_box;

use anyhow::{Result, ensure};
use prost::DecodeError;
use watershed::{Piece, Signal};

pub use input::Input;
pub use product::{Outputs, Product};

use crate::{baseline, flows, hand_written, table};

/// One piece of work, done in three ways.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    /// The name that reports use.
    pub name: &'static str,
    /// How many times cheaper than prost with the system allocator it must be.
    pub target: f64,
    ours: fn(&Input) -> Product,
    hand_written: fn(&Input) -> Product,
    baseline: fn(&Input) -> Result<Product, DecodeError>,
}

/// What is promised for work that reads records or copies all of them.
const RECORDS: f64 = 13.0;
/// What is promised for a filter that reads resources alone.
const RESOURCES: f64 = 250.0;
/// A decode of the lean request over the goal for its validation, 345 ns over 40 ns a record.
const VALIDATION: f64 = 8.6;

impl Work {
    /// Half of the records kept, by an attribute of the record.
    pub const RECORD_FILTER: Self = Self {
        name: "record_filter",
        target: RECORDS,
        ours: |input| flows::record_filter::run(&input.payload),
        hand_written: |input| one(hand_written::record_filter(&input.bytes)),
        baseline: |input| Ok(one(baseline::record_filter(&input.bytes)?)),
    };

    /// Half of the resources kept, by an attribute of the resource.
    pub const RESOURCE_FILTER: Self = Self {
        name: "resource_filter",
        target: RESOURCES,
        ours: |input| flows::resource_filter::run(&input.payload),
        hand_written: |input| one(hand_written::resource_filter(&input.bytes)),
        baseline: |input| Ok(one(baseline::resource_filter(&input.bytes)?)),
    };

    /// Both of them: a quarter of the records kept.
    pub const AND_FILTER: Self = Self {
        name: "and_filter",
        target: RECORDS,
        ours: |input| flows::and_filter::run(&input.payload),
        hand_written: |input| one(hand_written::and_filter(&input.bytes)),
        baseline: |input| Ok(one(baseline::and_filter(&input.bytes)?)),
    };

    /// An attribute of every record is read, and every record is kept.
    pub const KEEP_ALL: Self = Self {
        name: "keep_all",
        target: RECORDS,
        ours: |input| flows::keep_all::run(&input.payload),
        hand_written: |input| one(hand_written::keep_all(&input.bytes)),
        baseline: |input| Ok(one(baseline::keep_all(&input.bytes)?)),
    };

    /// Each record to one of two outputs, by an attribute of the record.
    pub const TWO_WAY_SPLIT: Self = Self {
        name: "two_way_split",
        target: RECORDS,
        ours: |input| flows::two_way_split::run(&input.payload),
        hand_written: |input| several(hand_written::two_way_split(&input.bytes)),
        baseline: |input| Ok(several(baseline::two_way_split(&input.bytes)?)),
    };

    /// Each resource to the subject of its `service.name`, ten of them.
    pub const SUBJECT_ROUTING: Self = Self {
        name: "subject_routing",
        target: RECORDS,
        ours: |input| flows::subject_routing::run(&input.payload),
        hand_written: |input| by_subject(hand_written::subject_routing(&input.bytes)),
        baseline: |input| Ok(by_subject(baseline::subject_routing(&input.bytes)?)),
    };

    /// Each record to one of ten outputs, by 100 arms over an attribute of the record.
    pub const ROUTE_100: Self = Self {
        name: "route_100",
        target: RECORDS,
        ours: |input| flows::route_100::run(&input.payload),
        hand_written: |input| several(hand_written::route(&table::ROUTE_100, &input.bytes)),
        baseline: |input| Ok(several(baseline::route(&table::ROUTE_100, &input.bytes)?)),
    };

    /// Each record to one of ten outputs, by 1,000 arms over an attribute of the record.
    pub const ROUTE_1000: Self = Self {
        name: "route_1000",
        target: RECORDS,
        ours: |input| flows::route_1000::run(&input.payload),
        hand_written: |input| several(hand_written::route(&table::ROUTE_1000, &input.bytes)),
        baseline: |input| Ok(several(baseline::route(&table::ROUTE_1000, &input.bytes)?)),
    };

    /// Each resource to one of ten outputs, by 100 arms over an attribute of the resource.
    pub const SERVICE_ROUTE_100: Self = Self {
        name: "service_route_100",
        target: RECORDS,
        ours: |input| flows::service_route_100::run(&input.payload),
        hand_written: |input| {
            several(hand_written::service_route(
                &table::SERVICE_ROUTE_100,
                &input.bytes,
            ))
        },
        baseline: |input| {
            Ok(several(baseline::service_route(
                &table::SERVICE_ROUTE_100,
                &input.bytes,
            )?))
        },
    };

    /// The check of a whole request against the canonical reading; the baseline is a decode.
    pub const VALIDATE: Self = Self {
        name: "validate",
        target: VALIDATION,
        ours: |input| {
            let piece = Piece::validate(Signal::Logs, input.bytes.clone());
            piece.map_or_else(|_| Product::Sinks(Vec::new()), Product::Validated)
        },
        hand_written: |input| {
            let records = hand_written::validate(&input.bytes);
            Product::Checked(records.unwrap_or_default(), input.bytes.clone())
        },
        baseline: |input| Ok(Product::Decoded(baseline::decode(&input.bytes)?)),
    };

    /// Every piece of work. All but [`Self::VALIDATE`] start from a request that was validated.
    pub const ALL: [Self; 10] = [
        Self::RECORD_FILTER,
        Self::RESOURCE_FILTER,
        Self::AND_FILTER,
        Self::KEEP_ALL,
        Self::TWO_WAY_SPLIT,
        Self::SUBJECT_ROUTING,
        Self::ROUTE_100,
        Self::ROUTE_1000,
        Self::SERVICE_ROUTE_100,
        Self::VALIDATE,
    ];

    /// The work of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|work| work.name == name)
    }

    /// Does the work with the generated code, up to bytes that could be sent.
    pub fn run(self, input: &Input) {
        drop(black_box((self.ours)(black_box(input))));
    }

    /// Does the work with code that was written by hand for it.
    pub fn run_hand_written(self, input: &Input) {
        drop(black_box((self.hand_written)(black_box(input))));
    }

    /// Does the work with prost.
    pub fn run_baseline(self, input: &Input) {
        drop(black_box((self.baseline)(black_box(input))));
    }

    /// Whether the generated code and what was written by hand give the same bytes.
    pub fn agrees(self, input: &Input) -> bool {
        (self.ours)(input).outputs() == (self.hand_written)(input).outputs()
    }

    /// Checks that the three ways give the same bytes, and that there are some.
    ///
    /// # Errors
    /// When they do not.
    pub fn verify(self, input: &Input) -> Result<()> {
        let ours = (self.ours)(input).outputs();
        let hand_written = (self.hand_written)(input).outputs();
        let baseline = (self.baseline)(input)?.outputs();
        let (name, shape) = (self.name, input.shape.name());
        ensure!(
            ours == baseline,
            "{name} on {shape} differs from the baseline"
        );
        ensure!(
            hand_written == baseline,
            "{name} on {shape}: what was written by hand differs from the baseline"
        );
        ensure!(!ours.is_empty(), "{name} on {shape} kept nothing");
        Ok(())
    }
}

fn one(request: impl Into<bytes::Bytes>) -> Product {
    several([request])
}

fn several(requests: impl IntoIterator<Item = impl Into<bytes::Bytes>>) -> Product {
    Product::Requests(requests.into_iter().map(Into::into).collect())
}

fn by_subject(requests: impl IntoIterator<Item = (String, impl Into<bytes::Bytes>)>) -> Product {
    let requests = requests.into_iter();
    Product::Named(
        requests
            .map(|(subject, request)| (subject, request.into()))
            .collect(),
    )
}
