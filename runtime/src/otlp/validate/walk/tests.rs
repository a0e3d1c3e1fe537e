//! The short ways beside the long one: whatever a shortcut accepts, the tables accept, with the same keys.

use opentelemetry_proto::tonic::logs::v1::LogRecord;
use prost::Message as _;

use super::{Keys, Level, Walk};
use crate::otlp::validate::schema::{ANY_VALUE, KEY_VALUE, LOG_RECORD, Message};
use crate::otlp::validate::shortcut;
use crate::otlp::wire::Fields;
use crate::testing::Random;

/// Whether the tables accept `data` as a message of this type, and the state of the keys behind it.
fn long_way(message: &'static Message, data: &[u8]) -> Option<Keys> {
    let mut walk = Walk::new(data);
    let level = Level {
        message,
        data,
        depth: 3,
    };
    walk.message(level, 0).ok().map(|()| walk.keys)
}

/// Checks every shortcut on a log record and on the values in it; whether the record has a short way.
fn check(record: &[u8]) -> bool {
    for field in Fields::new(record) {
        let bytes = field.bytes();
        if shortcut::is_value(bytes) {
            assert!(long_way(&ANY_VALUE, bytes).is_some(), "{bytes:02x?}");
        }
        if let Some(key) = shortcut::key_of(bytes) {
            assert!(long_way(&KEY_VALUE, bytes).is_some(), "{bytes:02x?}");
            assert_eq!(key, field.attribute().key());
            let value = Fields::new(bytes).first(2).map(|value| value.bytes());
            assert!(value.is_some_and(|value| long_way(&ANY_VALUE, value).is_some()));
        }
    }
    let short = shortcut::log_record(record);
    if short.is_some() {
        assert_eq!(long_way(&LOG_RECORD, record), short, "{record:02x?}");
    }
    short.is_some()
}

/// The log records of random requests, as they are encoded.
fn records(random: &mut Random) -> Vec<Vec<u8>> {
    let groups = random.logs().resource_logs.into_iter();
    let scopes = groups.flat_map(|group| group.scope_logs);
    let records = scopes.flat_map(|scope| scope.log_records);
    records
        .map(|record: LogRecord| record.encode_to_vec())
        .collect()
}

#[test]
fn shortcuts_accept_nothing_that_the_tables_refuse() {
    let (mut short, mut changed_short) = (0, 0);
    for seed in 0..2_000 {
        let random = &mut Random::new(seed);
        for mut record in records(random) {
            short += u32::from(check(&record));
            for _ in 0..4 {
                if record.is_empty() {
                    break;
                }
                let at = random.below(record.len());
                match random.below(4) {
                    0 => record[at] = random.number() as u8,
                    1 => record[at] ^= 1 << random.below(8),
                    2 => drop(record.remove(at)),
                    _ => record.insert(at, random.number() as u8),
                }
                changed_short += u32::from(check(&record));
            }
        }
    }
    assert!(
        short > 200 && changed_short > 200,
        "{short} {changed_short}"
    );
}
