//! The pieces of work that are measured, each with the check that both sides do the same.

use std::collections::BTreeMap;
use std::hint::black_box;

use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use prost::Message;
use watershed::{Parts, Payload, Piece, Signal};
use watershed_samples::{Sampler, Shape};

use crate::{baseline, flows};

/// A request in the two forms that the two sides start from.
#[derive(Clone, Debug)]
pub struct Input {
    /// `lean` or `rich`.
    pub shape: Shape,
    /// Log records in the request.
    pub records: usize,
    /// The encoded request.
    pub bytes: Bytes,
    /// The same request, validated, as an event carries it.
    pub payload: Payload,
}

impl Input {
    /// The request of 1,000 records over 10 resources.
    pub fn generate(shape: Shape) -> Result<Self> {
        Self::with_records(shape, 1_000)
    }

    /// A request of `records` records over 10 resources.
    pub fn with_records(shape: Shape, records: usize) -> Result<Self> {
        let request = Sampler::new(20_260_101)
            .shape(shape)
            .records(records)
            .logs();
        let bytes = Bytes::from(request.encode_to_vec());
        let piece = Piece::validate(Signal::Logs, bytes.clone())
            .ok()
            .context("the generated request is malformed")?;
        Ok(Self {
            shape,
            records,
            bytes,
            payload: piece.into(),
        })
    }
}

/// One piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Half of the records kept, by an attribute of the record. Without validation.
    RecordFilter,
    /// Half of the resources kept, by an attribute of the resource. Without validation.
    ResourceFilter,
    /// Each record to one of two outputs, by an attribute of the record. Without validation.
    TwoWaySplit,
    /// Each resource to the output of its `service.name`, ten of them. Without validation.
    SubjectRouting,
    /// The check of a whole request against the canonical reading; the baseline is a decode.
    Validate,
}

/// What a piece of work gives: encoded requests by subject; a filter's only output has no subject.
pub type Outputs = BTreeMap<String, Vec<u8>>;

impl Work {
    /// Every piece of work.
    pub const ALL: [Self; 5] = [
        Self::RecordFilter,
        Self::ResourceFilter,
        Self::TwoWaySplit,
        Self::SubjectRouting,
        Self::Validate,
    ];

    /// The name that reports use.
    pub fn name(self) -> &'static str {
        match self {
            Self::RecordFilter => "record_filter",
            Self::ResourceFilter => "resource_filter",
            Self::TwoWaySplit => "two_way_split",
            Self::SubjectRouting => "subject_routing",
            Self::Validate => "validate",
        }
    }

    /// Does the work with the generated code, up to bytes that could be sent.
    pub fn run(self, input: &Input) {
        match self {
            Self::RecordFilter => drop(black_box(flows::record_filter::run(&input.payload))),
            Self::ResourceFilter => drop(black_box(flows::resource_filter::run(&input.payload))),
            Self::TwoWaySplit => drop(black_box(flows::two_way_split::run(&input.payload))),
            Self::SubjectRouting => drop(black_box(flows::subject_routing::run(&input.payload))),
            Self::Validate => drop(black_box(Piece::validate(
                Signal::Logs,
                input.bytes.clone(),
            ))),
        }
    }

    /// Does the work with prost.
    pub fn run_baseline(self, input: &Input) {
        match self {
            Self::RecordFilter => drop(black_box(baseline::record_filter(&input.bytes))),
            Self::ResourceFilter => drop(black_box(baseline::resource_filter(&input.bytes))),
            Self::TwoWaySplit => drop(black_box(baseline::two_way_split(&input.bytes))),
            Self::SubjectRouting => drop(black_box(baseline::subject_routing(&input.bytes))),
            Self::Validate => drop(black_box(baseline::decode(&input.bytes))),
        }
    }

    /// Checks that both sides give the same bytes.
    pub fn verify(self, input: &Input) -> Result<()> {
        let ours = self.outputs(input)?;
        let baseline = self.baseline_outputs(input)?;
        ensure!(
            ours == baseline,
            "{} on {} differs from the baseline",
            self.name(),
            input.shape.name()
        );
        ensure!(
            ours.values().all(|bytes| !bytes.is_empty()),
            "{} kept nothing",
            self.name()
        );
        Ok(())
    }

    /// What the generated code gives.
    pub fn outputs(self, input: &Input) -> Result<Outputs> {
        Ok(match self {
            Self::RecordFilter => single(&flows::record_filter::run(&input.payload)),
            Self::ResourceFilter => single(&flows::resource_filter::run(&input.payload)),
            Self::TwoWaySplit => {
                let [first, second] = flows::two_way_split::run(&input.payload);
                Outputs::from([
                    ("first".into(), joined(&first)),
                    ("second".into(), joined(&second)),
                ])
            }
            Self::SubjectRouting => by_subject(&flows::subject_routing::run(&input.payload)),
            Self::Validate => {
                let piece = Piece::validate(Signal::Logs, input.bytes.clone())
                    .ok()
                    .context("malformed")?;
                Outputs::from([(piece.records().to_string(), piece.bytes().to_vec())])
            }
        })
    }

    fn baseline_outputs(self, input: &Input) -> Result<Outputs> {
        Ok(match self {
            Self::RecordFilter => {
                Outputs::from([(String::new(), baseline::record_filter(&input.bytes)?)])
            }
            Self::ResourceFilter => {
                Outputs::from([(String::new(), baseline::resource_filter(&input.bytes)?)])
            }
            Self::TwoWaySplit => {
                let [first, second] = baseline::two_way_split(&input.bytes)?;
                Outputs::from([("first".into(), first), ("second".into(), second)])
            }
            Self::SubjectRouting => baseline::subject_routing(&input.bytes)?,
            Self::Validate => {
                let request = baseline::decode(&input.bytes)?;
                Outputs::from([(input.records.to_string(), request.encode_to_vec())])
            }
        })
    }
}

/// The bytes of all parts, one after another.
fn joined(parts: &Parts) -> Vec<u8> {
    let pieces = parts.parts.iter().flat_map(|part| part.payload().pieces());
    pieces.flat_map(|piece| piece.bytes().to_vec()).collect()
}

fn single(parts: &Parts) -> Outputs {
    Outputs::from([(String::new(), joined(parts))])
}

fn by_subject(parts: &Parts) -> Outputs {
    let mut outputs = Outputs::new();
    for part in &parts.parts {
        let subject = part.subject().map(ToString::to_string).unwrap_or_default();
        let output = outputs.entry(subject).or_default();
        for piece in part.payload().pieces() {
            output.extend_from_slice(piece.bytes());
        }
    }
    outputs
}
