//! Typed views of the messages that predicates read, with their field numbers.
//!
//! A view is a field cursor and a type: reading it decodes nothing but the fields that are asked for.
//! Constants carry the names of the proto fields in upper case.

use super::messages::{Messages, View};
use super::wire::{Fields, RawField};
use crate::value::{AnyValue, Attributes, Text};

/// Declares a view: a named wrapper of a field cursor with the field numbers of its message.
macro_rules! view {
    ($(#[$doc:meta])* $name:ident { $($field:ident = $number:literal),* $(,)? } $(attributes = $attributes:ident)?) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name<'a> {
            fields: Fields<'a>,
        }

        impl<'a> $name<'a> {
            $(
                #[doc = concat!("Number of the field `", stringify!($field), "` (in lower case).")]
                pub const $field: u32 = $number;
            )*

            #[doc = "A view of the message that `fields` stands at the start of."]
            #[inline]
            pub fn new(fields: Fields<'a>) -> Self {
                Self { fields }
            }

            #[doc = "Its fields as they were sent."]
            #[inline]
            pub fn fields(&self) -> Fields<'a> {
                self.fields
            }

            $(
                #[doc = "Its attributes as they were sent, duplicates included."]
                #[inline]
                pub fn attributes(&self) -> Attributes<'a> {
                    Attributes::new(self.fields, Self::$attributes)
                }
            )?
        }

        impl<'a> View<'a> for $name<'a> {
            #[inline]
            fn of(fields: Fields<'a>) -> Self {
                Self::new(fields)
            }
        }
    };
}

view! {
    /// `opentelemetry.proto.resource.v1.Resource`.
    Resource { ATTRIBUTES = 1, DROPPED_ATTRIBUTES_COUNT = 2, ENTITY_REFS = 3 }
    attributes = ATTRIBUTES
}

view! {
    /// `opentelemetry.proto.common.v1.InstrumentationScope`.
    Scope { NAME = 1, VERSION = 2, ATTRIBUTES = 3, DROPPED_ATTRIBUTES_COUNT = 4 }
    attributes = ATTRIBUTES
}

view! {
    /// `opentelemetry.proto.logs.v1.LogRecord`.
    LogRecord {
        TIME_UNIX_NANO = 1,
        SEVERITY_NUMBER = 2,
        SEVERITY_TEXT = 3,
        BODY = 5,
        ATTRIBUTES = 6,
        DROPPED_ATTRIBUTES_COUNT = 7,
        FLAGS = 8,
        TRACE_ID = 9,
        SPAN_ID = 10,
        OBSERVED_TIME_UNIX_NANO = 11,
        EVENT_NAME = 12,
    }
    attributes = ATTRIBUTES
}

view! {
    /// `opentelemetry.proto.trace.v1.Span`.
    Span {
        TRACE_ID = 1,
        SPAN_ID = 2,
        TRACE_STATE = 3,
        PARENT_SPAN_ID = 4,
        NAME = 5,
        KIND = 6,
        START_TIME_UNIX_NANO = 7,
        END_TIME_UNIX_NANO = 8,
        ATTRIBUTES = 9,
        DROPPED_ATTRIBUTES_COUNT = 10,
        EVENTS = 11,
        DROPPED_EVENTS_COUNT = 12,
        LINKS = 13,
        DROPPED_LINKS_COUNT = 14,
        STATUS = 15,
        FLAGS = 16,
    }
    attributes = ATTRIBUTES
}

impl<'a> Span<'a> {
    /// What happened while the span ran, in the order in which it was sent.
    #[inline]
    pub fn events(&self) -> Messages<'a, SpanEvent<'a>> {
        Messages::new(self.fields, Self::EVENTS)
    }

    /// The spans that this one belongs with, in the order in which they were sent.
    #[inline]
    pub fn links(&self) -> Messages<'a, SpanLink<'a>> {
        Messages::new(self.fields, Self::LINKS)
    }
}

view! {
    /// `opentelemetry.proto.trace.v1.Span.Event`.
    SpanEvent {
        TIME_UNIX_NANO = 1,
        NAME = 2,
        ATTRIBUTES = 3,
        DROPPED_ATTRIBUTES_COUNT = 4,
    }
    attributes = ATTRIBUTES
}

view! {
    /// `opentelemetry.proto.trace.v1.Span.Link`.
    SpanLink {
        TRACE_ID = 1,
        SPAN_ID = 2,
        TRACE_STATE = 3,
        ATTRIBUTES = 4,
        DROPPED_ATTRIBUTES_COUNT = 5,
        FLAGS = 6,
    }
    attributes = ATTRIBUTES
}

view! {
    /// `opentelemetry.proto.trace.v1.Status`.
    Status { MESSAGE = 2, CODE = 3 }
}

view! {
    /// `opentelemetry.proto.metrics.v1.Metric`.
    Metric {
        NAME = 1,
        DESCRIPTION = 2,
        UNIT = 3,
        GAUGE = 5,
        SUM = 7,
        HISTOGRAM = 9,
        EXPONENTIAL_HISTOGRAM = 10,
        SUMMARY = 11,
        METADATA = 12,
    }
}

impl<'a> Metric<'a> {
    /// The name of its kind, such as `exponential_histogram`; empty when it carries no data.
    pub fn type_name(&self) -> Text<'a> {
        Text::from(self.kind().map_or("", MetricKind::name))
    }

    /// `AggregationTemporality` of a sum or histogram; 0 when unset, and for the other kinds.
    pub fn aggregation_temporality(&self) -> i64 {
        let field = self.of_data(MetricData::AGGREGATION_TEMPORALITY, |kind| {
            !matches!(kind, MetricKind::Gauge | MetricKind::Summary)
        });
        field.map_or(0, |field| field.enumeration())
    }

    /// Whether it is a sum that only grows; false when unset, and for the other kinds.
    pub fn is_monotonic(&self) -> bool {
        let field = self.of_data(MetricData::IS_MONOTONIC, |kind| kind == MetricKind::Sum);
        field.is_some_and(|field| field.boolean())
    }

    /// A field of its data, when that is of a kind that has it.
    fn of_data(&self, number: u32, has_it: fn(MetricKind) -> bool) -> Option<RawField<'a>> {
        let mut fields = self.fields;
        let data = fields.find(|field| MetricKind::of_field(field.number()).is_some())?;
        let kind = MetricKind::of_field(data.number())?;
        has_it(kind).then(|| data.message().first(number)).flatten()
    }

    /// What kind of metric it is; `None` when it carries no data.
    #[inline]
    pub fn kind(&self) -> Option<MetricKind> {
        self.fields
            .clone()
            .find_map(|field| MetricKind::of_field(field.number()))
    }
}

view! {
    /// `Gauge`, `Sum`, `Histogram`, `ExponentialHistogram` or `Summary`: they share their numbers.
    MetricData { DATA_POINTS = 1, AGGREGATION_TEMPORALITY = 2, IS_MONOTONIC = 3 }
}

/// The five kinds of metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricKind {
    /// The last value of something.
    Gauge,
    /// A sum over time.
    Sum,
    /// A histogram with explicit bounds.
    Histogram,
    /// A histogram with exponential buckets.
    ExponentialHistogram,
    /// Quantiles that the sender computed.
    Summary,
}

impl MetricKind {
    /// The kind whose data stands in field `number` of a metric.
    #[inline]
    pub fn of_field(number: u32) -> Option<Self> {
        match number {
            Metric::GAUGE => Some(Self::Gauge),
            Metric::SUM => Some(Self::Sum),
            Metric::HISTOGRAM => Some(Self::Histogram),
            Metric::EXPONENTIAL_HISTOGRAM => Some(Self::ExponentialHistogram),
            Metric::SUMMARY => Some(Self::Summary),
            _ => None,
        }
    }

    /// The name of the kind, as expressions have it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gauge => "gauge",
            Self::Sum => "sum",
            Self::Histogram => "histogram",
            Self::ExponentialHistogram => "exponential_histogram",
            Self::Summary => "summary",
        }
    }

    /// The number of the field of a point that holds its attributes.
    pub(crate) fn attributes_field(self) -> u32 {
        match self {
            Self::Gauge | Self::Sum | Self::Summary => 7,
            Self::Histogram => 9,
            Self::ExponentialHistogram => 1,
        }
    }

    /// The number of the field of a point that holds its flags.
    fn flags_field(self) -> u32 {
        match self {
            Self::Gauge | Self::Sum | Self::Summary => 8,
            Self::Histogram | Self::ExponentialHistogram => 10,
        }
    }
}

/// A data point of any kind. Field numbers differ between the kinds, so fields are read by name.
#[derive(Clone, Copy, Debug)]
pub struct PointView<'a> {
    kind: MetricKind,
    fields: Fields<'a>,
}

impl<'a> PointView<'a> {
    /// A view of the point of kind `kind` that `fields` stands at the start of.
    #[inline]
    pub fn new(kind: MetricKind, fields: Fields<'a>) -> Self {
        Self { kind, fields }
    }

    /// The kind of metric that the point belongs to.
    #[inline]
    pub fn kind(&self) -> MetricKind {
        self.kind
    }

    /// Its fields as they were sent.
    #[inline]
    pub fn fields(&self) -> Fields<'a> {
        self.fields
    }

    /// Its attributes as they were sent, duplicates included.
    #[inline]
    pub fn attributes(&self) -> Attributes<'a> {
        Attributes::new(self.fields, self.kind.attributes_field())
    }

    /// Start of the interval, in nanoseconds since the epoch; 0 when unset.
    pub fn start_time_unix_nano(&self) -> u64 {
        self.unsigned(2)
    }

    /// Time of the value, in nanoseconds since the epoch; 0 when unset.
    pub fn time_unix_nano(&self) -> u64 {
        self.unsigned(3)
    }

    /// `DataPointFlags`; 0 when unset.
    pub fn flags(&self) -> u64 {
        self.unsigned(self.kind.flags_field()) & u64::from(u32::MAX)
    }

    /// The value of a gauge or sum, an integer or a double. Unset, or of another kind: missing.
    pub fn value(&self) -> AnyValue<'a> {
        if !matches!(self.kind, MetricKind::Gauge | MetricKind::Sum) {
            return AnyValue::Missing;
        }
        let value = self.fields().find_map(|field| match field.number() {
            4 => Some(AnyValue::Double(field.double())),
            6 => Some(AnyValue::Int(field.int())),
            _ => None,
        });
        value.unwrap_or_default()
    }

    /// How many values a histogram or summary counted; 0 when unset. Of another kind: missing.
    pub fn count(&self) -> AnyValue<'a> {
        match self.kind {
            MetricKind::Gauge | MetricKind::Sum => AnyValue::Missing,
            _ => AnyValue::Uint(self.unsigned(4)),
        }
    }

    /// The sum of a histogram or summary. Unset, or of another kind: missing.
    pub fn sum(&self) -> AnyValue<'a> {
        let unset = match self.kind {
            MetricKind::Gauge | MetricKind::Sum => return AnyValue::Missing,
            MetricKind::Summary => AnyValue::Double(0.0),
            MetricKind::Histogram | MetricKind::ExponentialHistogram => AnyValue::Missing,
        };
        let sum = self.fields().first(5);
        sum.map_or(unset, |field| AnyValue::Double(field.double()))
    }

    /// The smallest value of a histogram. Unset, or of another kind: missing.
    pub fn min(&self) -> AnyValue<'a> {
        match self.kind {
            MetricKind::Histogram => self.double(11),
            MetricKind::ExponentialHistogram => self.double(12),
            _ => AnyValue::Missing,
        }
    }

    /// The largest value of a histogram. Unset, or of another kind: missing.
    pub fn max(&self) -> AnyValue<'a> {
        match self.kind {
            MetricKind::Histogram => self.double(12),
            MetricKind::ExponentialHistogram => self.double(13),
            _ => AnyValue::Missing,
        }
    }

    /// The resolution of an exponential histogram; 0 when unset. Of another kind: missing.
    pub fn scale(&self) -> AnyValue<'a> {
        if self.kind != MetricKind::ExponentialHistogram {
            return AnyValue::Missing;
        }
        let scale = self.fields().first(6);
        AnyValue::Int(scale.map_or(0, |field| field.zigzag32()))
    }

    /// How many values an exponential histogram counted as zero; 0 when unset. Of another kind: missing.
    pub fn zero_count(&self) -> AnyValue<'a> {
        match self.kind {
            MetricKind::ExponentialHistogram => AnyValue::Uint(self.unsigned(7)),
            _ => AnyValue::Missing,
        }
    }

    /// Below which an exponential histogram counts a value as zero; 0 when unset. Of another kind: missing.
    pub fn zero_threshold(&self) -> AnyValue<'a> {
        match self.kind {
            MetricKind::ExponentialHistogram => match self.double(14) {
                AnyValue::Missing => AnyValue::Double(0.0),
                set => set,
            },
            _ => AnyValue::Missing,
        }
    }

    /// The double in field `number`; missing when unset.
    fn double(&self, number: u32) -> AnyValue<'a> {
        let found = self.fields().first(number);
        found.map_or(AnyValue::Missing, |field| AnyValue::Double(field.double()))
    }

    /// The unsigned field `number`; 0 when unset.
    fn unsigned(&self, number: u32) -> u64 {
        unsigned(self.fields, number)
    }
}

/// The number in the first field `number`; 0 when unset.
#[inline]
pub(super) fn unsigned(mut fields: Fields<'_>, number: u32) -> u64 {
    fields.first(number).map_or(0, |field| field.unsigned())
}

/// The bytes of the first field `number`; none when unset.
#[inline]
pub(super) fn bytes<'a>(mut fields: Fields<'a>, number: u32) -> &'a [u8] {
    fields.first(number).map_or(&[], |field| field.bytes())
}

/// The text of the first field `number`; empty when unset.
#[inline]
pub(super) fn text<'a>(mut fields: Fields<'a>, number: u32) -> Text<'a> {
    let found = fields.first(number);
    found.map(|field| field.text()).unwrap_or_default()
}

impl<'a> Scope<'a> {
    /// The name of the scope; empty when unset.
    #[inline]
    pub fn name(&self) -> Text<'a> {
        text(self.fields, Self::NAME)
    }

    /// The version of the scope; empty when unset.
    #[inline]
    pub fn version(&self) -> Text<'a> {
        text(self.fields, Self::VERSION)
    }
}

impl<'a> Metric<'a> {
    /// The name of the metric; empty when unset.
    #[inline]
    pub fn name(&self) -> Text<'a> {
        text(self.fields, Self::NAME)
    }
}
