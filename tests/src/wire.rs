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

/// An export request with one resource, one scope and `record`, whose bytes are taken as they are.
///
/// The three signals share these field numbers, so this serves all of them.
pub fn request(resource: &[u8], record: &[u8]) -> Vec<u8> {
    let scope_group = field(2, record);
    let group = [field(1, resource), field(2, &scope_group)].concat();
    field(1, &group)
}
