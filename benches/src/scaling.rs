//! `watershed-benches scaling`: how the cost of a record changes with what should not matter.
//!
//! In: flows that the build script generated, and the lean request. Out: one JSON object a line, one line a point, and on
//! demand a plot for each series ([`plots`]).

pub mod plots;

use std::hint::black_box;
use std::io::Write;

use anyhow::Result;
use opentelemetry_proto::tonic::common::v1::KeyValue;
use prost::Message;
use serde::Serialize;
use watershed::Payload;
use watershed_samples::{Sampler, Shape, attribute, text};

use crate::flows;
use crate::measure::interleaved;
use crate::works::{Input, Product};

/// Log records of every request that is measured here.
const RECORDS: usize = 1_000;

/// What is made larger from point to point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Series {
    /// Arms of a route over one attribute of the record.
    Arms,
    /// Attributes of each record; the filter reads the last of them.
    AttributesInFront,
    /// Attributes of each record; the filter reads the first of them.
    AttributesBehind,
    /// Branches of a split whose part on the resource is false, beside one branch that keeps a quarter of the records.
    FalseBranches,
}

impl Series {
    /// Every series.
    pub const ALL: [Self; 4] = [
        Self::Arms,
        Self::AttributesInFront,
        Self::AttributesBehind,
        Self::FalseBranches,
    ];

    /// Measures the points of the series side by side.
    fn points(self) -> Result<Vec<Point>> {
        match self {
            Self::Arms => self.of_flows([
                (1, flows::route_1::run as Run),
                (10, flows::route_10::run),
                (100, flows::route_100::run),
                (1_000, flows::route_1000::run),
            ]),
            Self::FalseBranches => self.of_flows([
                (1, flows::branches_1::run as Run),
                (10, flows::branches_10::run),
                (100, flows::branches_100::run),
            ]),
            Self::AttributesInFront => self.of_attributes(|attributes, team| attributes.push(team)),
            Self::AttributesBehind => {
                self.of_attributes(|attributes, team| attributes.insert(0, team))
            }
        }
    }

    /// One point a flow, all on the lean request.
    fn of_flows<const N: usize>(self, flows: [(usize, Run); N]) -> Result<Vec<Point>> {
        let input = Input::with_records(Shape::Lean, RECORDS)?;
        Ok(self.measured(flows.map(|(of, run)| (of, run, &input))))
    }

    /// One point a number of attributes, all by the record filter; `place` puts `team` among the others.
    fn of_attributes(self, place: impl Fn(&mut Vec<KeyValue>, KeyValue)) -> Result<Vec<Point>> {
        let counts = [2, 4, 8, 16, 32, 64];
        let inputs = counts.map(|count| with_attributes(count, &place));
        let mut points = Vec::with_capacity(counts.len());
        for (count, input) in counts.into_iter().zip(inputs) {
            points.push((count, input?));
        }
        let points: [(usize, Input); 6] = points.try_into().map_err(|_| anyhow::anyhow!("six"))?;
        let run: Run = flows::record_filter::run;
        Ok(self.measured(points.each_ref().map(|(of, input)| (*of, run, input))))
    }

    fn measured<const N: usize>(self, points: [(usize, Run, &Input); N]) -> Vec<Point> {
        let mut runs =
            points.map(|(_, run, input)| move || drop(black_box(run(black_box(&input.payload)))));
        let mut work = runs.each_mut().map(|run| run as &mut dyn FnMut());
        let timings = interleaved(&mut work);
        let points = points.into_iter().zip(timings);
        points
            .map(|((of, ..), timing)| Point {
                series: self,
                of,
                ns_per_record: timing.least / RECORDS as f64,
            })
            .collect()
    }
}

/// A compiled flow.
type Run = fn(&Payload) -> Product;

/// The cost of one size.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Point {
    /// What was made larger.
    pub series: Series,
    /// How large it was.
    pub of: usize,
    /// Cost of a record in nanoseconds of CPU time, the least of many rounds.
    pub ns_per_record: f64,
}

/// The lean request with `count` attributes a record, among them `team`.
fn with_attributes(count: usize, place: impl Fn(&mut Vec<KeyValue>, KeyValue)) -> Result<Input> {
    let mut request = Sampler::new(20_260_101).records(RECORDS).logs();
    let groups = request.resource_logs.iter_mut();
    let scopes = groups.flat_map(|group| &mut group.scope_logs);
    for record in scopes.flat_map(|scope| &mut scope.log_records) {
        let Some(team) = record.attributes.pop() else {
            continue;
        };
        record.attributes = (1..count)
            .map(|number| attribute(&format!("unread.{number:02}"), text("0123456789")))
            .collect();
        place(&mut record.attributes, team);
    }
    Input::of(Shape::Lean, RECORDS, request.encode_to_vec().into())
}

/// Measures every series and writes one JSON object a point to `output`; all points are returned for plots.
///
/// # Errors
/// When a request cannot be made or `output` cannot be written.
pub fn report(output: &mut impl Write) -> Result<Vec<Point>> {
    let mut all = Vec::new();
    for series in Series::ALL {
        for point in series.points()? {
            serde_json::to_writer(&mut *output, &point)?;
            writeln!(output)?;
            all.push(point);
        }
    }
    Ok(all)
}
