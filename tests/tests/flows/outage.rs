//! Servers that die or stop answering while telemetry arrives: nothing that was answered with 200 is lost, and a
//! sender that is to try again is told so.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use anyhow::Result;
use prost::Message;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::sleep;
use watershed_samples::Sampler;
use watershed_samples::records::{Logs, Telemetry, difference, sorted};
use watershed_tests::flow::FlowProcess;
use watershed_tests::nats::NatsServer;
use watershed_tests::sender::{Answer, Sender};

use crate::start;

/// How long each of three outages lasts. The last is longer than an event may live.
const OUTAGES: [Duration; 3] = [
    Duration::from_millis(300),
    Duration::from_millis(600),
    Duration::from_secs(10),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_accepted_is_lost_when_the_server_is_killed_three_times() -> Result<()> {
    let Some(mut server) = NatsServer::start()? else {
        return Ok(());
    };
    server.create_stream("LOAD").await?;
    let flow = start("load", &[("nats_url", &server.url())])?;
    let end = Instant::now() + Duration::from_secs(5) + OUTAGES.iter().sum::<Duration>();
    let mut senders = JoinSet::new();
    for seed in 0..8 {
        senders.spawn(send_until(flow.sender()?, seed, end));
    }
    for outage in OUTAGES {
        sleep(Duration::from_secs(1)).await;
        server.kill()?;
        sleep(outage).await;
        server.restart()?;
    }
    let outcomes: Vec<_> = senders
        .join_all()
        .await
        .into_iter()
        .collect::<Result<Vec<_>>>()?
        .concat();

    let stored = stored(&server, "LOAD").await?;
    let stored: HashSet<_> = stored.into_iter().collect();
    let (mut accepted, mut refused) = (0, 0);
    for (request, answer) in &outcomes {
        if answer.status == 200 {
            accepted += 1;
            let lost = request
                .records()
                .into_iter()
                .filter(|record| !stored.contains(record))
                .count();
            assert_eq!(
                lost, 0,
                "records of an accepted request are not in the stream"
            );
        } else {
            refused += 1;
            assert_unavailable(answer)?;
        }
    }
    assert!(accepted > 50, "only {accepted} requests were accepted");
    assert!(refused > 0, "an outage of ten seconds refused nobody");
    Ok(())
}

/// Sends requests of 20 records, one after another, until `end`.
async fn send_until(sender: Sender, seed: u64, end: Instant) -> Result<Vec<(Logs, Answer)>> {
    let mut sampler = Sampler::new(seed).records(20).resources(2);
    let mut outcomes = Vec::new();
    while Instant::now() < end {
        let mut request = sampler.logs();
        for record in request
            .resource_logs
            .iter_mut()
            .flat_map(|group| &mut group.scope_logs)
        {
            record.schema_url = format!("https://example.com/sender/{seed}");
        }
        let answer = sender.send(&request).await?;
        outcomes.push((request, answer));
        sleep(Duration::from_millis(10)).await;
    }
    Ok(outcomes)
}

#[tokio::test]
async fn with_one_of_two_sinks_down_nothing_reaches_the_other() -> Result<()> {
    let Some((healthy, mut failing)) = two_servers().await? else {
        return Ok(());
    };
    let flow = two_sinks("two_sinks", &healthy, &failing)?;
    let sender = flow.sender()?;
    let before = Sampler::new(1).records(10).logs();
    assert_eq!(sender.send(&before).await?.status, 200);

    failing.kill()?;
    sleep(Duration::from_secs(1)).await;
    for seed in 2..6 {
        assert_unavailable(&sender.send(&Sampler::new(seed).records(10).logs()).await?)?;
    }
    assert_eq!(
        difference(&sorted([&before]), &stored(&healthy, "HEALTHY").await?),
        None
    );

    failing.restart()?;
    let after = Sampler::new(6).records(10).logs();
    send_until_accepted(&sender, &after).await?;
    assert_eq!(
        difference(
            &sorted([&before, &after]),
            &stored(&healthy, "HEALTHY").await?
        ),
        None
    );
    assert_eq!(
        difference(
            &sorted([&before, &after]),
            &stored(&failing, "FAILING").await?
        ),
        None
    );
    Ok(())
}

#[tokio::test]
async fn a_batch_answers_each_sender_for_its_own_records() -> Result<()> {
    let Some((healthy, mut failing)) = two_servers().await? else {
        return Ok(());
    };
    let flow = two_sinks("shared_batch", &healthy, &failing)?;
    failing.kill()?;
    sleep(Duration::from_secs(1)).await;

    let mut answers = JoinSet::new();
    let mut delivered = Vec::new();
    for seed in 0..16 {
        // The first two resources belong to team-0, the next two to team-1.
        let mut request = Sampler::new(seed).records(40).resources(4).logs();
        let doomed = seed % 2 == 1;
        let half = request.resource_logs.split_off(2);
        if doomed {
            request.resource_logs = half;
        } else {
            delivered.push(request.clone());
        }
        let sender = flow.sender()?;
        answers.spawn(async move { anyhow::Ok((doomed, sender.send(&request).await?)) });
    }
    while let Some(answer) = answers.join_next().await {
        let (doomed, answer) = answer??;
        if doomed {
            assert_unavailable(&answer)?;
        } else {
            assert_eq!(answer.status, 200);
        }
    }
    assert_eq!(
        difference(&sorted(&delivered), &stored(&healthy, "HEALTHY").await?),
        None
    );
    let messages = healthy.messages("HEALTHY").await?.len();
    assert!(
        messages < delivered.len(),
        "{messages} messages for {} requests: nothing was merged",
        delivered.len()
    );
    Ok(())
}

#[tokio::test]
async fn a_sender_that_leaves_between_two_sinks_cancels_nothing() -> Result<()> {
    let Some((healthy, slow)) = two_servers().await? else {
        return Ok(());
    };
    let flow = two_sinks("two_sinks", &healthy, &slow)?;
    slow.process().pause()?;
    let request = Sampler::new(9).records(10).logs();
    let body = request.encode_to_vec();
    let mut connection = TcpStream::connect(flow.address("ingest")?).await?;
    let head = format!(
        "POST /v1/logs HTTP/1.1\r\nhost: test\r\ncontent-type: application/x-protobuf\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    connection.write_all(head.as_bytes()).await?;
    connection.write_all(&body).await?;
    wait_for_records(&healthy, "HEALTHY", 10).await?;
    drop(connection);
    sleep(Duration::from_millis(200)).await;
    slow.process().resume()?;
    wait_for_records(&slow, "FAILING", 10).await?;
    assert_eq!(
        difference(&sorted([&request]), &stored(&slow, "FAILING").await?),
        None
    );
    Ok(())
}

async fn two_servers() -> Result<Option<(NatsServer, NatsServer)>> {
    let (Some(healthy), Some(failing)) = (NatsServer::start()?, NatsServer::start()?) else {
        return Ok(None);
    };
    healthy.create_stream("HEALTHY").await?;
    failing.create_stream("FAILING").await?;
    Ok(Some((healthy, failing)))
}

fn two_sinks(name: &str, healthy: &NatsServer, failing: &NatsServer) -> Result<FlowProcess> {
    start(
        name,
        &[
            ("healthy_url", &healthy.url()),
            ("failing_url", &failing.url()),
        ],
    )
}

/// A refusal that a sender repeats later: 503, `Retry-After`, and a status for its developer.
fn assert_unavailable(answer: &Answer) -> Result<()> {
    assert_eq!(answer.status, 503);
    assert!(
        answer.retry_after().is_some(),
        "no Retry-After in {:?}",
        answer.headers
    );
    let error = answer.error()?;
    assert_eq!(error.code, 14, "UNAVAILABLE");
    assert!(!error.message.is_empty());
    Ok(())
}

/// The records of all messages of `stream`, sorted.
async fn stored(server: &NatsServer, stream: &str) -> Result<Vec<String>> {
    let mut requests = Vec::new();
    for message in server.messages(stream).await? {
        requests.push(Logs::decode(message.payload.as_slice())?);
    }
    Ok(sorted(&requests))
}

async fn wait_for_records(server: &NatsServer, stream: &str, count: usize) -> Result<()> {
    let deadline = Instant::now() + Duration::from_secs(10);
    while stored(server, stream).await?.len() < count {
        anyhow::ensure!(
            Instant::now() < deadline,
            "{count} records did not arrive in {stream}"
        );
        sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}

async fn send_until_accepted(sender: &Sender, request: &Logs) -> Result<()> {
    let deadline = Instant::now() + Duration::from_secs(20);
    while sender.send(request).await?.status != 200 {
        anyhow::ensure!(Instant::now() < deadline, "the flow did not recover");
        sleep(Duration::from_millis(200)).await;
    }
    Ok(())
}
