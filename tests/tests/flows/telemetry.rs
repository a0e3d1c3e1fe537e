//! What a flow tells about itself: on every edge, received = forwarded + dropped + rejected + failed.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use watershed_samples::Sampler;
use watershed_tests::flow::FlowProcess;
use watershed_tests::nats::NatsServer;

use crate::start;

/// Records by edge (`from`, `to`) and by what happened to them.
type Edges = BTreeMap<(String, String), BTreeMap<String, u64>>;

#[tokio::test]
async fn every_edge_accounts_for_every_record() -> Result<()> {
    let Some(mut server) = NatsServer::start()? else {
        return Ok(());
    };
    server.create_stream("TEAM0").await?;
    let flow = start(
        "split",
        &[("listen", "127.0.0.1:0"), ("nats_url", &server.url())],
    )?;
    let sender = flow.sender()?;
    for seed in 0..3 {
        assert_eq!(sender.send(&Sampler::new(seed).logs()).await?.status, 200);
    }
    let healthy = edges(&flow).await?;
    server.kill()?;
    assert_eq!(sender.send(&Sampler::new(4).logs()).await?.status, 503);
    let after = edges(&flow).await?;

    for edges in [&healthy, &after] {
        for (edge, counts) in edges {
            let of = |what: &str| counts.get(what).copied().unwrap_or_default();
            let sum = of("forwarded") + of("dropped") + of("rejected") + of("failed");
            assert_eq!(of("received"), sum, "{edge:?}: {counts:?}");
        }
    }
    let count = |edges: &Edges, to: &str, what: &str| -> u64 {
        edges
            .iter()
            .filter(|((_, target), _)| target == to)
            .filter_map(|(_, counts)| counts.get(what))
            .sum()
    };
    // Half of the resources are production; of those every record of team-0 and the errors of the others go to NATS.
    assert!(count(&healthy, "team0", "forwarded") > 0);
    assert_eq!(count(&healthy, "team0", "failed"), 0);
    assert!(count(&healthy, "rest", "dropped") > 0);
    assert!(count(&after, "team0", "failed") > 0);
    assert_eq!(
        count(&after, "team0", "forwarded"),
        count(&healthy, "team0", "forwarded")
    );
    Ok(())
}

#[tokio::test]
async fn a_running_flow_is_alive_and_ready() -> Result<()> {
    let flow = start("everything", &[])?;
    for (path, text) in [("healthz", "ok\n"), ("readyz", "ready\n")] {
        let answer = get(&flow, path).await?;
        assert_eq!(answer, text, "{path}");
    }
    Ok(())
}

async fn get(flow: &FlowProcess, path: &str) -> Result<String> {
    let url = format!("http://{}/{path}", flow.address("telemetry")?);
    Ok(reqwest::get(url).await?.error_for_status()?.text().await?)
}

/// Reads the lines `edge_WHAT_records_total{from="…",to="…"} N` of `/metrics`.
async fn edges(flow: &FlowProcess) -> Result<Edges> {
    let text = get(flow, "metrics").await?;
    assert!(text.ends_with("# EOF\n"), "not OpenMetrics: {text}");
    let mut edges = Edges::new();
    for line in text
        .lines()
        .filter(|line| line.contains("_records_total{from="))
    {
        let (name, rest) = line
            .split_once("_records_total{")
            .context("filtered for it")?;
        let (labels, value) = rest.split_once("} ").context("a sample has a value")?;
        let (_, what) = name
            .split_once("edge_")
            .with_context(|| format!("unexpected name in {line}"))?;
        let labels: Vec<_> = labels.split('"').collect();
        let [_, from, _, to, _] = labels.as_slice() else {
            anyhow::bail!("unexpected labels in {line}")
        };
        let counts = edges
            .entry(((*from).to_owned(), (*to).to_owned()))
            .or_default();
        counts.insert(what.to_owned(), value.parse()?);
    }
    assert!(!edges.is_empty(), "no edge in {text}");
    Ok(edges)
}
