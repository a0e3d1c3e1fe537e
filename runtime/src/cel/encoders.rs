//! The functions of `base64`.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::{Error, Type};

/// The standard alphabet; padding may be left out.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// CEL `base64.encode(bytes)`: the standard alphabet, with padding.
///
/// ```
/// use watershed::cel::encoders;
///
/// assert_eq!(encoders::base64_encode(b"hello"), "aGVsbG8=");
/// assert_eq!(encoders::base64_decode("aGVsbG8").unwrap(), b"hello");
/// ```
pub fn base64_encode(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// CEL `base64.decode(string)`: the standard alphabet, with or without padding.
pub fn base64_decode(text: &str) -> Result<Vec<u8>, Error> {
    LENIENT.decode(text).map_err(|_| Error::InvalidConversion {
        from: Type::String,
        to: Type::Bytes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back() {
        for bytes in [&b""[..], b"a", b"ab", b"abc", b"\xff\xfe\xfd\xfc"] {
            assert_eq!(base64_decode(&base64_encode(bytes)).unwrap(), bytes);
        }
    }

    #[test]
    fn other_alphabets_are_refused() {
        for text in ["_-_-", "a", "aGVs bG8=", "aGVsbG8==="] {
            assert!(base64_decode(text).is_err(), "{text}");
        }
    }
}
