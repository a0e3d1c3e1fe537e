//! The golden flows of the compiler as rustc sees them: their code compiles, and without a warning.

#![deny(warnings)]
// A module is one flow: what a program would use of it is used by no one here.
#![allow(
    dead_code,
    reason = "the flows are compiled and not all of them are started"
)]

include!(concat!(env!("OUT_DIR"), "/golden.rs"));

/// A flow knows its configuration: what it does not declare is refused before anything is opened.
#[tokio::test]
async fn a_compiled_flow_refuses_what_it_does_not_declare() {
    let refused = pass_through::Flow::builder()
        .set("nats_url", "nats://127.0.0.1:4222")
        .start()
        .await;
    let Err(error) = refused else {
        panic!("`pass_through` declares no configuration")
    };
    assert!(error.to_string().contains("nats_url"), "{error}");
}

/// Every declared value without a default is asked for, and all at once.
#[tokio::test]
async fn a_compiled_flow_asks_for_what_has_no_default() {
    let Err(error) = mixed::Flow::builder().start().await else {
        panic!("`mixed` needs a region")
    };
    assert!(error.to_string().contains("region"), "{error}");
}

/// Keys that configuration makes the same are told before anything is opened, with the template and its instances.
#[tokio::test]
async fn a_compiled_flow_refuses_two_instances_with_one_key() {
    let start = |first: &str, second: &str| {
        let flow = configured_keys::Flow::builder();
        flow.first(first).second(second).start()
    };
    let Err(error) = start("acme-2", "acme").await else {
        panic!("two instances of `link` are called `acme-2`")
    };
    assert_eq!(error.code(), "R0107");
    let text = error.to_string();
    assert!(
        text.contains("instances 1 and 2 of template `link`"),
        "{text}"
    );
    assert!(text.contains(r#"`link["acme-2"]`"#), "{text}");
    let Err(error) = start("acme", "acme").await else {
        panic!("two instances of `level` are called `acme`")
    };
    let text = error.to_string();
    assert!(
        text.contains("instances 1 and 2 of template `level`"),
        "{text}"
    );
}
