watershed::pipeline! {
    source ingest = otlp;
    sink out = stdout;

    ingest.logs -> filter(log.body == "x" && resource.attributes["team"]) -> nowhere;
    ingest.logs -> flter(log.body == "x") -> out
}

fn main() {}
