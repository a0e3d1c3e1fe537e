//! Protobuf by hand: what the published schema cannot say, such as unknown fields and malformed requests.

use prost::encoding::{WireType, encode_key, encode_varint};

/// Field `number` with `content` and its length.
///
/// ```
/// use watershed_tests::wire::field;
///
/// assert_eq!(field(1, b"ab"), [0x0A, 2, b'a', b'b']);
/// ```
pub fn field(number: u32, content: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(content.len() + 8);
    encode_key(number, WireType::LengthDelimited, &mut bytes);
    encode_varint(content.len() as u64, &mut bytes);
    bytes.extend_from_slice(content);
    bytes
}

/// An export request with one resource, one scope without a name and `records`, whose bytes are taken as they are.
///
/// The three signals share these field numbers, so this serves all of them.
pub fn request<R: AsRef<[u8]>>(resource: &[u8], records: &[R]) -> Vec<u8> {
    let records: Vec<_> = records
        .iter()
        .map(|record| field(2, record.as_ref()))
        .collect();
    let group = [field(1, resource), field(2, &records.concat())].concat();
    field(1, &group)
}
