//! The compiled flows that are measured. Each module runs the select functions that the compiler generated for its
//! flow, up to the parts that a sink gets: what an event costs between its validation and its delivery.

/// A flow with one walk and the sink `kept`.
macro_rules! filter {
    ($name:ident, $path:literal) => {
        #[doc = concat!("`", $path, "`")]
        pub mod $name {
            watershed::include_flow!($path);

            use crate::works::Product;

            /// What the sink gets of `payload`.
            pub fn run(payload: &Payload) -> Product {
                let mut kept = Selection::new();
                for request in payload.requests() {
                    select_ingest_logs(request, &mut kept);
                }
                Product::Sinks(vec![kept.finish()])
            }
        }
    };
}

/// A flow with one walk and several sinks.
macro_rules! route {
    ($name:ident, $path:literal, $($sink:ident)*) => {
        #[doc = concat!("`", $path, "`")]
        pub mod $name {
            watershed::include_flow!($path);

            use crate::works::Product;

            /// What the sinks get of `payload`.
            pub fn run(payload: &Payload) -> Product {
                let mut outputs = IngestLogsOutputs::default();
                for request in payload.requests() {
                    select_ingest_logs(request, &mut outputs);
                }
                Product::Sinks(vec![$(outputs.$sink.finish()),*])
            }
        }
    };
}

/// A route that the build script generated, with its ten sinks and the rest.
macro_rules! generated_route {
    ($name:ident, $path:literal) => {
        route!($name, $path, sink_0 sink_1 sink_2 sink_3 sink_4 sink_5 sink_6 sink_7 sink_8 sink_9 rest);
    };
}

filter!(record_filter, "flows/record_filter.flow");
filter!(resource_filter, "flows/resource_filter.flow");
filter!(and_filter, "flows/and_filter.flow");
filter!(keep_all, "flows/keep_all.flow");
route!(two_way_split, "flows/two_way_split.flow", first second);
generated_route!(route_100, "flows/route_100.flow");
generated_route!(route_1000, "flows/route_1000.flow");
generated_route!(service_route_100, "flows/service_route_100.flow");
generated_route!(route_10, "flows/route_10.flow");
route!(route_1, "flows/route_1.flow", sink_0 rest);
route!(branches_1, "flows/branches_1.flow", sink_0 rest);
generated_route!(branches_10, "flows/branches_10.flow");
generated_route!(branches_100, "flows/branches_100.flow");

/// `flows/subject_routing.flow`
pub mod subject_routing {
    watershed::include_flow!("flows/subject_routing.flow");

    use crate::works::Product;

    /// What the sink gets of `payload`, by subject.
    pub fn run(payload: &Payload) -> Product {
        let mut services = SubjectSelection::new();
        for request in payload.requests() {
            select_after_batch_1(request, &mut services);
        }
        Product::Subjects(services.finish())
    }
}

/// `flows/attribute_equals.flow`
pub mod attribute_equals {
    watershed::include_flow!("flows/attribute_equals.flow");

    /// What the filter keeps of `payload`, marked and not yet copied.
    pub fn select(payload: &Payload) -> Selection<'_> {
        let mut kept = Selection::new();
        for request in payload.requests() {
            select_ingest_logs(request, &mut kept);
        }
        kept
    }
}

/// `flows/severity_and_status.flow`
pub mod severity_and_status {
    watershed::include_flow!("flows/severity_and_status.flow");

    /// What the filter keeps of `payload`, marked and not yet copied.
    pub fn select(payload: &Payload) -> Selection<'_> {
        let mut kept = Selection::new();
        for request in payload.requests() {
            select_ingest_logs(request, &mut kept);
        }
        kept
    }
}

/// `flows/service_and_body.flow`
pub mod service_and_body {
    watershed::include_flow!("flows/service_and_body.flow");

    use std::hint::black_box;

    /// [`select`] with nothing decided once for several records: for each of them the generated readers and tests are
    /// run again, on the resource too. The walk around them is written here, since generated walks always hoist.
    pub fn select_flat(payload: &Payload) -> Selection<'_> {
        let mut kept = Selection::new();
        for logs in payload.requests().flat_map(|request| request.resources()) {
            for record in logs.records() {
                let resource = ResourceFields::read(black_box(logs).resource());
                if resource.service_name.starts_with("checkout").is_true() {
                    let log = LogFields::read(record.log());
                    if log.body.has_text(&NEEDLE_1).is_false() {
                        kept.keep(&record);
                    }
                }
            }
        }
        kept
    }

    /// What the filter keeps of `payload`, marked and not yet copied.
    pub fn select(payload: &Payload) -> Selection<'_> {
        let mut kept = Selection::new();
        for request in payload.requests() {
            select_ingest_logs(request, &mut kept);
        }
        kept
    }
}
