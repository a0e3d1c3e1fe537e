//! The look of the picture: fonts and colours, all in one place.
//!
//! Levels go from green, which is cheap, to red, which is done for every record.

use watershed_compiler::level::Level;

use crate::graph::model::Kind;

/// The style sheet and the head of an arrow.
pub(super) const DEFINITIONS: &str = r##"<style>
text { font-family: system-ui, -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; font-size: 12px; fill: #1f2328; }
.page { fill: #ffffff; stroke: #d1d9e0; }
.title { font-size: 15px; font-weight: 600; }
.muted { font-size: 12px; font-weight: 400; fill: #59636e; }
.name { font-size: 13px; font-weight: 600; }
.code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 11px; }
.plain, .legend { font-size: 11px; fill: #59636e; }
.decision { font-size: 10.5px; font-style: italic; fill: #59636e; }
.reason { font-size: 10.5px; font-style: italic; fill: #a40e26; }
.box { fill: #ffffff; stroke: #818b98; stroke-width: 1.2; }
.source > .box { fill: #ddf4ff; stroke: #0969da; }
.sink > .box { fill: #fbefff; stroke: #8250df; }
.batch > .box { fill: #fff8c5; stroke: #9a6700; }
.choice > .box, .walk > .box { fill: #eff2f5; }
.all > .box { fill: #59636e; stroke: #ffffff; }
.dropped > .box { fill: #f6f8fa; stroke: #afb8c1; }
.frame > .box { fill: #f6f8fa; stroke: #afb8c1; stroke-dasharray: 2 3; }
.label > .box { stroke: #d1d9e0; }
.edge > path { fill: none; stroke: #59636e; stroke-width: 1.4; marker-end: url(#arrow); }
.gone > .box { fill: #ffffff; stroke: #afb8c1; stroke-dasharray: 5 4; }
.gone > path { stroke: #afb8c1; stroke-dasharray: 5 4; }
.gone > .name, .gone > .code, .gone > .plain { fill: #818b98; }
</style>
<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path d="M0,0.8 L10,5 L0,9.2 z" fill="#59636e"/></marker></defs>"##;

/// The class of a box.
pub(super) const fn class(kind: Kind) -> &'static str {
    match kind {
        Kind::Source => "source",
        Kind::Sink => "sink",
        Kind::Batch => "batch",
        Kind::Walk => "walk",
        Kind::Guard => "guard",
        Kind::Choice => "choice",
        Kind::All => "all",
        Kind::Stage => "stage",
        Kind::Dropped => "dropped",
    }
}

/// The colour of a level.
pub(super) const fn colour(level: Level) -> &'static str {
    match level {
        Level::Const => "#8c959f",
        Level::Config => "#6639ba",
        Level::Instance => "#a475f9",
        Level::Payload => "#0969da",
        Level::Resource => "#1a7f37",
        Level::Scope => "#1b7c83",
        Level::Metric => "#bf8700",
        Level::Record => "#cf222e",
    }
}

/// The light form of the colour, which text stands on.
pub(super) const fn tint(level: Level) -> &'static str {
    match level {
        Level::Const => "#f0f1f3",
        Level::Config => "#efe8fd",
        Level::Instance => "#f6f0ff",
        Level::Payload => "#ddf1ff",
        Level::Resource => "#dcf5e2",
        Level::Scope => "#d9f2f3",
        Level::Metric => "#fdf2cc",
        Level::Record => "#ffe7e5",
    }
}
