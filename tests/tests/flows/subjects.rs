//! Subjects made from hostile data: one token each, never a command to the server, too long ones refused.

use std::collections::BTreeSet;

use anyhow::Result;
use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceResponse;
use opentelemetry_proto::tonic::resource::v1::Resource;
use prost::Message;
use watershed_samples::records::Logs;
use watershed_samples::{attribute, text};
use watershed_tests::nats::NatsServer;
use watershed_tests::sender::Sender;
use watershed_tests::wire;

use crate::start;

/// Names of services, and the subjects that their logs must get.
const NAMES: &[(&str, &str)] = &[
    ("shop", "services.shop"),
    (
        "$JS.API.STREAM.PURGE.SERVICES",
        "services.$JS%2EAPI%2ESTREAM%2EPURGE%2ESERVICES",
    ),
    ("a.b", "services.a%2Eb"),
    ("a%2Eb", "services.a%252Eb"),
    ("a b\tc\r\n", "services.a%20b%09c%0D%0A"),
    ("*", "services.%2A"),
    (">", "services.%3E"),
    ("", "services.%"),
    ("größe", "services.größe"),
];

#[tokio::test]
async fn each_name_becomes_exactly_one_token() -> Result<()> {
    let Some(server) = NatsServer::start()? else {
        return Ok(());
    };
    server.create_stream("SERVICES").await?;
    let flow = start("subjects", &[("nats_url", &server.url())])?;
    let sender = flow.sender()?;
    for (name, _) in NAMES {
        assert_eq!(
            sender
                .send_bytes("/v1/logs", logs_of(&[name]))
                .await?
                .status,
            200,
            "{name:?}"
        );
    }
    let nameless = wire::request(&[], &[Vec::new()]);
    assert_eq!(sender.send_bytes("/v1/logs", nameless).await?.status, 200);

    let messages = server.messages("SERVICES").await?;
    assert_eq!(
        messages.len(),
        NAMES.len() + 1,
        "one message a name; the stream was not purged"
    );
    let subjects: BTreeSet<_> = messages
        .iter()
        .map(|message| message.subject.as_str())
        .collect();
    let mut expected: BTreeSet<_> = NAMES.iter().map(|(_, subject)| *subject).collect();
    expected.insert("services.unknown");
    assert_eq!(subjects, expected);
    Ok(())
}

#[tokio::test]
async fn a_name_too_long_for_a_token_is_refused_and_the_rest_is_delivered() -> Result<()> {
    let Some(server) = NatsServer::start()? else {
        return Ok(());
    };
    server.create_stream("SERVICES").await?;
    let flow = start("subjects", &[("nats_url", &server.url())])?;
    let sender = flow.sender()?;
    let long = "x".repeat(5_000);

    let answer = sender
        .send_bytes("/v1/logs", logs_of(&["shop", &long, "depot"]))
        .await?;
    assert_eq!(answer.status, 200);
    let response = ExportLogsServiceResponse::decode(answer.body.as_slice())?;
    let partial = response.partial_success.unwrap_or_default();
    assert_eq!(partial.rejected_log_records, 1);
    assert!(!partial.error_message.is_empty());

    let answer = sender.send_bytes("/v1/logs", logs_of(&[&long])).await?;
    assert_eq!(answer.status, 400, "every record was refused");
    assert_eq!(answer.error()?.code, 3, "INVALID_ARGUMENT");

    accepts(&sender, "after").await?;
    let messages = server.messages("SERVICES").await?;
    let subjects: Vec<_> = messages
        .iter()
        .map(|message| message.subject.as_str())
        .collect();
    assert_eq!(subjects.len(), 3);
    for subject in ["services.shop", "services.depot", "services.after"] {
        assert!(
            subjects.contains(&subject),
            "{subject} is not in {subjects:?}"
        );
    }
    for message in &messages {
        assert_eq!(
            Logs::decode(message.payload.as_slice())?
                .resource_logs
                .len(),
            1
        );
    }
    Ok(())
}

async fn accepts(sender: &Sender, name: &str) -> Result<()> {
    assert_eq!(
        sender
            .send_bytes("/v1/logs", logs_of(&[name]))
            .await?
            .status,
        200
    );
    Ok(())
}

/// A request with one empty log record of each service in `names`.
fn logs_of(names: &[&str]) -> Vec<u8> {
    let requests = names.iter().map(|name| {
        let resource = Resource {
            attributes: vec![attribute("service.name", text(*name))],
            ..Resource::default()
        };
        wire::request(&resource.encode_to_vec(), &[Vec::new()])
    });
    requests.collect::<Vec<_>>().concat()
}
