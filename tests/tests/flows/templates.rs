//! A template with a thousand instances: what each gets, and what is made for those that get nothing.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use opentelemetry_proto::tonic::logs::v1::{LogRecord, ResourceLogs, ScopeLogs};
use opentelemetry_proto::tonic::resource::v1::Resource;
use prost::Message;
use watershed_samples::records::Logs;
use watershed_samples::{attribute, text, text_attribute};
use watershed_tests::nats::NatsServer;

use crate::{json_file, start};

/// A request with a resource for each tenant, which sends a record of each severity.
fn logs(sent: &[(&str, &[i32])]) -> Logs {
    let resources = sent.iter().map(|(tenant, severities)| ResourceLogs {
        resource: Some(Resource {
            attributes: vec![attribute("tenant", text(*tenant))],
            ..Resource::default()
        }),
        scope_logs: vec![ScopeLogs {
            log_records: severities
                .iter()
                .map(|severity_number| LogRecord {
                    severity_number: *severity_number,
                    ..LogRecord::default()
                })
                .collect(),
            ..ScopeLogs::default()
        }],
        ..ResourceLogs::default()
    });
    Logs {
        resource_logs: resources.collect(),
    }
}

/// The severities of all records in a file.
fn severities(requests: &[Logs]) -> Vec<i32> {
    let records = requests
        .iter()
        .flat_map(|request| &request.resource_logs)
        .flat_map(|resource| &resource.scope_logs)
        .flat_map(|scope| &scope.log_records);
    records.map(|record| record.severity_number).collect()
}

#[tokio::test]
async fn every_record_comes_to_the_instances_whose_key_it_has() -> Result<()> {
    let mut flow = start("templates", &[("errors", "serious")])?;
    let sender = flow.sender()?;
    let request = logs(&[
        ("tenant-7", &[9, 17]),
        ("tenant-998", &[5, 9, 17]),
        ("nobody", &[17]),
    ]);
    assert_eq!(sender.send(&request).await?.status, 200);
    let metrics = format!("http://{}/metrics", flow.address("telemetry")?);
    let metrics = reqwest::get(metrics).await?.text().await?;
    assert!(flow.stop()?.success());

    // Of a tenant with an odd number only what is at least 17 is serious, of the others what is at least 9.
    for (path, expected) in [
        ("tenants/tenant-7", &[9, 17][..]),
        ("tenants/tenant-998", &[5, 9, 17]),
        ("serious/tenant-7", &[17]),
        ("serious/tenant-998", &[9, 17]),
    ] {
        let arrived = json_file(flow.folder(), path, "logs")?;
        assert_eq!(severities(&arrived), expected, "{path}");
    }
    let untouched = flow.folder().join("tenants/tenant-8/logs.jsonl");
    let length = std::fs::metadata(&untouched).map_or(0, |file| file.len());
    assert_eq!(length, 0, "nothing was sent to tenant-8");
    // Names in metrics are escaped as labels are.
    let name = r#"to="link[\"tenant-998\"].out""#;
    let line = metrics
        .lines()
        .find(|line| line.contains("forwarded_records_total") && line.contains(name));
    let line = line.with_context(|| format!("no forwarded records of {name} in {metrics}"))?;
    assert!(line.ends_with(" 3"), "{line}");
    let untouched = metrics
        .lines()
        .find(|line| line.contains("_records_total{from=") && line.contains(r#"\"tenant-8\""#));
    assert_eq!(untouched, None, "nothing came to tenant-8");
    Ok(())
}

#[tokio::test]
async fn every_instance_changes_what_it_gets() -> Result<()> {
    let mut flow = start("templates", &[("errors", "serious")])?;
    let sender = flow.sender()?;
    let mut request = logs(&[("tenant-7", &[9, 17, 9]), ("tenant-8", &[5, 9])]);
    let records = request
        .resource_logs
        .iter_mut()
        .flat_map(|resource| &mut resource.scope_logs)
        .flat_map(|scope| &mut scope.log_records);
    for (record, name) in records.zip(["start", "stop", "start", "start", "other"]) {
        record.event_name = name.to_owned();
    }
    assert_eq!(sender.send(&request).await?.status, 200);
    assert!(flow.stop()?.success());

    // By tenant, where the look-up stands outside of the records.
    for tenant in ["tenant-7", "tenant-8"] {
        let arrived = json_file(flow.folder(), &format!("tenants/{tenant}"), "logs")?;
        assert_eq!(labels(&arrived, "folder"), ["serious"], "{tenant}");
        let records = arrived
            .iter()
            .flat_map(|request: &Logs| &request.resource_logs)
            .flat_map(|resource| &resource.scope_logs)
            .flat_map(|scope| &scope.log_records);
        assert!(records.clone().all(|record| record.severity_text == tenant));
        assert!(records.count() > 0);
    }
    // By event, where it stands inside: the resource is written once for each group all the same.
    let started = json_file(flow.folder(), "kinds/start", "logs")?;
    assert_eq!(severities(&started), [9, 9, 5]);
    assert_eq!(labels(&started, "kind"), ["start", "start"]);
    assert_eq!(labels(&started, "folder"), Vec::<&str>::new());
    let stopped = json_file(flow.folder(), "kinds/stop", "logs")?;
    assert_eq!(severities(&stopped), [17]);
    assert_eq!(labels(&stopped, "kind"), ["stop"]);
    Ok(())
}

#[tokio::test]
async fn every_instance_has_a_subject_of_its_own() -> Result<()> {
    let Some(server) = NatsServer::start()? else {
        return Ok(());
    };
    server.create_stream("TENANTS").await?;
    let mut flow = start("tenant_subjects", &[("nats_url", &server.url())])?;
    let sender = flow.sender()?;
    // Every seventh tenant sends, and some that no row of the table names.
    let known = (0..1_000).step_by(7);
    let known: Vec<_> = known
        .map(|number| (number, format!("tenant-{number}")))
        .collect();
    let unknown = ["tenant-1000", "tenant-07", "tenant-", "nobody", ""];
    let mut expected: BTreeMap<String, Vec<i32>> = BTreeMap::new();
    for severities in [&[9, 17, 21][..], &[5, 9], &[5]] {
        let names = known.iter().map(|(_, name)| name.as_str());
        let sent: Vec<_> = names
            .chain(unknown)
            .map(|tenant| (tenant, severities))
            .collect();
        assert_eq!(sender.send(&logs(&sent)).await?.status, 200);
        for (number, name) in &known {
            let least = if number % 2 == 0 { 9 } else { 17 };
            let serious = severities.iter().filter(|severity| **severity >= least);
            let subject = expected.entry(format!("tenants.{name}")).or_default();
            subject.extend(serious);
        }
    }
    assert!(flow.stop()?.success());

    let mut arrived: BTreeMap<String, Vec<i32>> = BTreeMap::new();
    for message in server.messages("TENANTS").await? {
        let request = Logs::decode(message.payload.as_slice())?;
        let subject = arrived.entry(message.subject).or_default();
        subject.extend(severities(&[request]));
    }
    assert_eq!(arrived, expected);
    // 72 tenants with an even number keep four of six records, 71 with an odd number two.
    let records: usize = arrived.values().map(Vec::len).sum();
    assert_eq!((arrived.len(), records), (143, 72 * 4 + 71 * 2));
    Ok(())
}

/// An attribute of every resource that has it.
fn labels<'l>(requests: &'l [Logs], key: &str) -> Vec<&'l str> {
    let groups = requests.iter().flat_map(|request| &request.resource_logs);
    groups
        .filter_map(|group| text_attribute(&group.resource.as_ref()?.attributes, key))
        .collect()
}
