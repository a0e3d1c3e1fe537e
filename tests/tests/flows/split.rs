//! The two-team split of `examples/nats-split` into a real nats-server.

use std::collections::BTreeMap;

use anyhow::Result;
use opentelemetry_proto::tonic::logs::v1::{LogRecord, ResourceLogs, ScopeLogs};
use opentelemetry_proto::tonic::resource::v1::Resource;
use prost::Message;
use watershed_samples::records::{Logs, Telemetry, difference, sorted};
use watershed_samples::{Sampler, Shape, attribute, text, text_attribute};
use watershed_tests::nats::NatsServer;
use watershed_tests::wire;

use crate::{json_file, start};

/// Records by where they belong: a subject, or `rest` for the file.
type Places = BTreeMap<String, Vec<String>>;

#[tokio::test]
async fn every_record_arrives_where_the_flow_says() -> Result<()> {
    let Some(server) = NatsServer::start()? else {
        return Ok(());
    };
    server.create_stream("TEAM0").await?;
    let mut flow = start(
        "split",
        &[("listen", "127.0.0.1:0"), ("nats_url", &server.url())],
    )?;
    let sender = flow.sender()?;
    let mut expected = Places::new();
    for seed in 0..12 {
        let shape = if seed % 2 == 0 {
            Shape::Lean
        } else {
            Shape::Rich
        };
        let request = Sampler::new(seed).shape(shape).logs();
        place(&request, &mut expected);
        let answer = sender.send(&request).await?;
        assert_eq!(answer.status, 200);
        assert!(answer.body.is_empty(), "nothing was rejected");
    }
    assert!(flow.stop()?.success());

    let mut arrived = Places::new();
    for message in server.messages("TEAM0").await? {
        let request = Logs::decode(message.payload.as_slice())?;
        arrived
            .entry(message.subject)
            .or_default()
            .extend(request.records());
    }
    let rest = json_file::<Logs>(flow.folder(), "rest", "logs")?;
    arrived.insert("rest".into(), sorted(&rest));
    assert_eq!(sizes(&mut arrived), sizes(&mut expected));
    for (place, expected) in &expected {
        assert_eq!(difference(expected, &arrived[place]), None, "{place}");
    }
    Ok(())
}

#[tokio::test]
async fn a_field_that_the_schema_does_not_know_arrives_intact() -> Result<()> {
    let Some(server) = NatsServer::start()? else {
        return Ok(());
    };
    server.create_stream("TEAM0").await?;
    let mut flow = start(
        "split",
        &[("listen", "127.0.0.1:0"), ("nats_url", &server.url())],
    )?;
    let mut records = Vec::new();
    for severity_number in [9, 17] {
        let record = LogRecord {
            severity_number,
            ..LogRecord::default()
        };
        records.push(
            [
                record.encode_to_vec(),
                wire::field(5_000, b"from the future"),
            ]
            .concat(),
        );
    }
    let resource = resource("team-7");
    let request = wire::request(&resource.encode_to_vec(), &records);
    assert_eq!(
        flow.sender()?.send_bytes("/v1/logs", request).await?.status,
        200
    );
    assert!(flow.stop()?.success());

    // Only the second record is an error: the message is exactly the request without the first one.
    let messages = server.messages("TEAM0").await?;
    let expected = wire::request(&resource.encode_to_vec(), &records[1..]);
    assert_eq!(messages.len(), 1);
    assert_eq!(messages[0].payload, expected);
    Ok(())
}

fn resource(team: &str) -> Resource {
    Resource {
        attributes: vec![
            attribute("deployment.environment", text("prod")),
            attribute("team", text(team)),
        ],
        ..Resource::default()
    }
}

/// What `split.flow` says, written a second time as plainly as possible.
fn place(request: &Logs, places: &mut Places) {
    for group in &request.resource_logs {
        if text_of(group, "deployment.environment") != Some("prod") {
            continue;
        }
        let subject = format!(
            "team0.{}",
            text_of(group, "service.name").unwrap_or("unknown")
        );
        for scope in &group.scope_logs {
            for record in &scope.log_records {
                let text = alone(group, scope, record);
                let first_team = text_of(group, "team") == Some("team-0");
                if first_team || record.severity_number >= 17 {
                    places
                        .entry(subject.clone())
                        .or_default()
                        .push(text.clone());
                }
                if !first_team {
                    places.entry("rest".into()).or_default().push(text);
                }
            }
        }
    }
}

/// The text of `record` in a request without any other.
fn alone(group: &ResourceLogs, scope: &ScopeLogs, record: &LogRecord) -> String {
    let scope_logs = vec![ScopeLogs {
        log_records: vec![record.clone()],
        ..scope.clone()
    }];
    let resource_logs = vec![ResourceLogs {
        scope_logs,
        ..group.clone()
    }];
    Logs { resource_logs }.records().concat()
}

fn text_of<'a>(group: &'a ResourceLogs, key: &str) -> Option<&'a str> {
    text_attribute(&group.resource.as_ref()?.attributes, key)
}

/// Sorts the records of every place and counts them: a difference in counts is easier to read.
fn sizes(places: &mut Places) -> BTreeMap<String, usize> {
    places
        .values_mut()
        .for_each(|records| records.sort_unstable());
    places
        .iter()
        .map(|(place, records)| (place.clone(), records.len()))
        .collect()
}
