//! The compiled flows that are measured. Each module runs the select functions that the compiler generated for its
//! flow, up to the parts that a sink gets: what an event costs between its validation and its delivery.

/// `flows/record_filter.flow`
pub mod record_filter {
    watershed::include_flow!("flows/record_filter.flow");

    /// What the sink gets of `payload`.
    pub fn run(payload: &Payload) -> Parts {
        let mut kept = Selection::new();
        for request in payload.requests() {
            select_ingest_logs(request, &mut kept);
        }
        kept.finish()
    }
}

/// `flows/resource_filter.flow`
pub mod resource_filter {
    watershed::include_flow!("flows/resource_filter.flow");

    /// What the sink gets of `payload`.
    pub fn run(payload: &Payload) -> Parts {
        let mut kept = Selection::new();
        for request in payload.requests() {
            select_ingest_logs(request, &mut kept);
        }
        kept.finish()
    }
}

/// `flows/two_way_split.flow`
pub mod two_way_split {
    watershed::include_flow!("flows/two_way_split.flow");

    /// What the two sinks get of `payload`.
    pub fn run(payload: &Payload) -> [Parts; 2] {
        let mut outputs = IngestLogsOutputs::default();
        for request in payload.requests() {
            select_ingest_logs(request, &mut outputs);
        }
        [outputs.first.finish(), outputs.second.finish()]
    }
}

/// `flows/subject_routing.flow`
pub mod subject_routing {
    watershed::include_flow!("flows/subject_routing.flow");

    /// What the sink gets of `payload`, by subject.
    pub fn run(payload: &Payload) -> Parts {
        let mut services = SubjectSelection::new();
        for request in payload.requests() {
            select_after_batch_1(request, &mut services);
        }
        services.finish()
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
