//! The measured points as pictures: one SVG a series, for the page on benchmarks.

use std::fs;
use std::path::Path;

use anyhow::{Result, anyhow};
use plotters::prelude::*;

use super::{Point, Series};

/// Width and height in pixels.
const SIZE: (u32, u32) = (640, 360);

/// The line.
const COLOUR: RGBColor = RGBColor(0x1f, 0x6f, 0xb4);

/// Writes `<folder>/<series>.svg` for every series of `points`.
///
/// # Errors
/// When the folder cannot be written.
pub fn write(points: &[Point], folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    for series in Series::ALL {
        let points = points.iter().filter(|point| point.series == series);
        let points: Vec<_> = points
            .map(|point| (point.of as f64, point.ns_per_record))
            .collect();
        let path = folder.join(series.file());
        draw(series, &points, &path).map_err(|error| anyhow!("{}: {error}", path.display()))?;
    }
    Ok(())
}

impl Series {
    fn file(self) -> &'static str {
        match self {
            Self::Arms => "arms.svg",
            Self::AttributesInFront => "attributes-in-front.svg",
            Self::AttributesBehind => "attributes-behind.svg",
            Self::FalseBranches => "false-branches.svg",
        }
    }

    fn caption(self) -> &'static str {
        match self {
            Self::Arms => "Arms of a route over one record attribute",
            Self::AttributesInFront => "Attributes per record, the last one is read",
            Self::AttributesBehind => "Attributes per record, the first one is read",
            Self::FalseBranches => "Branches whose resource part is false",
        }
    }
}

/// One picture: sizes on a logarithmic axis, nanoseconds from zero on.
fn draw(
    series: Series,
    points: &[(f64, f64)],
    path: &Path,
) -> Result<(), Box<dyn std::error::Error>> {
    let largest = |side: fn(&(f64, f64)) -> f64| points.iter().map(side).fold(1.0, f64::max);
    let (most, highest) = (largest(|point| point.0), largest(|point| point.1));
    let root = SVGBackend::new(path, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(series.caption(), ("sans-serif", 18))
        .margin(12)
        // Half of the last label stands behind the axis.
        .margin_right(32)
        .x_label_area_size(36)
        .y_label_area_size(56)
        .build_cartesian_2d((1.0..most * 1.1).log_scale(), 0.0..highest * 1.25)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_labels(8)
        .y_labels(6)
        .x_label_formatter(&|size| format!("{size:.0}"))
        .y_label_formatter(&|cost| format!("{cost:.0}"))
        .y_desc("ns per record")
        .draw()?;
    chart.draw_series(LineSeries::new(
        points.iter().copied(),
        COLOUR.stroke_width(2),
    ))?;
    chart.draw_series(
        points
            .iter()
            .map(|point| Circle::new(*point, 4, COLOUR.filled())),
    )?;
    chart.draw_series(points.iter().map(|(size, cost)| {
        let above = (*size, cost + highest * 0.06);
        Text::new(format!("{cost:.1}"), above, ("sans-serif", 12))
    }))?;
    root.present()?;
    Ok(())
}
