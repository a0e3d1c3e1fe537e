//! The same request in an unusual form, as OTLP allows it.
//!
//! Messages have their fields in another order (a resource behind its scopes, a value before its key) and fields that no
//! schema knows; lengths and numbers are longer than they need to be. What a reader knows of a request stays the same.

use fastrand::Rng;

use crate::fields::{Field, Value, read, write};

/// Numbers that no message has, the highest of all among them.
const UNKNOWN: [u64; 3] = [100, 900, (1 << 29) - 1];

/// Another form of `request`.
///
/// ```
/// use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
/// use prost::Message;
/// use watershed_model::disturb::disturb;
/// use watershed_model::requests::Requests;
/// use watershed_model::topology::Signal;
///
/// let request = Requests::new(7).request(Signal::Logs, 20).encode();
/// let disturbed = disturb(&request, &mut fastrand::Rng::with_seed(7));
/// assert_ne!(disturbed, request);
/// let decode = |bytes: &[u8]| ExportLogsServiceRequest::decode(bytes).unwrap();
/// assert_eq!(decode(&disturbed), decode(&request));
/// ```
#[must_use]
pub fn disturb(request: &[u8], random: &mut Rng) -> Vec<u8> {
    let Some(mut fields) = read(request) else {
        return request.to_vec();
    };
    disturb_message(&mut fields, random);
    let mut output = Vec::new();
    let mut padding = || match random.u8(..8) {
        0 => random.usize(1..=9),
        _ => 0,
    };
    write(&fields, &mut padding, &mut output);
    output
}

fn disturb_message(fields: &mut Vec<Field>, random: &mut Rng) {
    for field in fields.iter_mut() {
        if let Value::Message(fields) = &mut field.value {
            disturb_message(fields, random);
        }
    }
    if random.u8(..3) == 0 {
        reorder(fields, random);
    }
    while random.u8(..6) == 0 {
        let place = random.usize(..=fields.len());
        fields.insert(place, unknown_field(random));
    }
}

/// Any order in which fields of one number still follow each other as they did.
fn reorder(fields: &mut [Field], random: &mut Rng) {
    let mut numbers: Vec<_> = fields.iter().map(|field| field.number).collect();
    random.shuffle(&mut numbers);
    for (place, number) in numbers.into_iter().enumerate() {
        // Those before `place` are placed already.
        let next = fields.iter().skip(place);
        let next = next.take_while(|field| field.number != number).count();
        if let Some(moved) = fields.get_mut(place..=place + next) {
            moved.rotate_right(1);
        }
    }
}

fn unknown_field(random: &mut Rng) -> Field {
    let value = match random.u8(..5) {
        0 => Value::Varint(random.u64(..)),
        1 => Value::Fixed64(random.u64(..).to_le_bytes()),
        2 => Value::Fixed32(random.u32(..).to_le_bytes()),
        // It is not read, so it need be neither a message nor text.
        3 => Value::Bytes(vec![0xff; random.usize(..20)]),
        _ => Value::Message(vec![Field::new(1, Value::Bytes(b"team".to_vec()))]),
    };
    Field::new(random.choice(UNKNOWN).unwrap_or(UNKNOWN[0]), value)
}
