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
