mod tenants {
    watershed::pipeline! {
        config listen: string = "127.0.0.1:4318";
        source ingest = otlp { http: listen };
        sink out = stdout;

        ingest.logs -> filter(log.severity_numbr >= 9) -> out;
    }
}

fn main() {
    // The skeleton has the methods of the real flow, so this line is not a second mistake.
    let _flow = tenants::Flow::builder().listen("127.0.0.1:0");
}
