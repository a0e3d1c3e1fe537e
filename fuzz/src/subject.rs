//! Subjects: any bytes in, exactly one token out, or a refusal.
//!
//! A token names nothing but itself: it has no dots, no wildcards and no blanks, and it can be read back, so different
//! values have different tokens. A value of several tokens has as many as its dots say.

use bytes::Bytes;
use watershed::generated::SubjectWriter;
use watershed::{Parts, Payload, Piece, Signal, SubjectSelection};

/// A request with one log record, to be sent under the subject.
const REQUEST: &[u8] = &[0x0a, 6, 0x12, 4, 0x12, 2, 0x10, 9];

/// Most bytes of a value that is one token, and of a token.
const MAX_TOKEN: usize = 128;

/// Interpolates `input` as one token and as several.
///
/// # Panics
///
/// When something does not hold.
pub fn run(input: &[u8]) {
    if let Some(subject) = subject(|writer| writer.token(input)) {
        assert_eq!(tokens(&subject), [input], "{subject}");
    }
    let values: Vec<&[u8]> = input.split(|byte| *byte == b'.').collect();
    if let Some(subject) = subject(|writer| writer.tokens(input)) {
        assert_eq!(tokens(&subject), values, "{subject}");
    }
    // Inside of a token, and at the start of a subject, where names of the server's own begin.
    let _ = subject(|writer| {
        writer.token(input);
        writer.literal("-x");
    });
}

/// The subject `s.` and what `write` adds; `None` when it is refused. A short value is never refused.
fn subject(write: impl Fn(&mut SubjectWriter)) -> Option<String> {
    let parts = sent(|writer| {
        writer.literal("s.");
        write(writer);
    });
    let alone = sent(&write);
    if let Some(part) = alone.parts.first() {
        let subject = part.subject().expect("every part has a subject").as_str();
        assert!(
            !subject.starts_with('$') && !subject.starts_with("_INBOX"),
            "{subject}"
        );
    }
    assert_eq!(
        parts.parts.len() + parts.rejected.len(),
        1,
        "one record, one fate"
    );
    Some(parts.parts.first()?.subject()?.as_str().to_owned())
}

/// What becomes of a record whose subject `write` writes.
fn sent(write: impl FnOnce(&mut SubjectWriter)) -> Parts {
    let piece = Piece::validate(Signal::Logs, Bytes::from_static(REQUEST));
    let payload = Payload::from(piece.expect("it is a request"));
    let mut selection = SubjectSelection::new();
    let subject = selection.subject(write);
    for request in payload.requests() {
        selection.keep_request(subject, &request);
    }
    selection.finish()
}

/// The values of the tokens behind the first.
fn tokens(subject: &str) -> Vec<Vec<u8>> {
    subject
        .split('.')
        .skip(1)
        .map(|token| {
            let is_plain = |character: char| {
                !matches!(character, '*' | '>')
                    && !character.is_whitespace()
                    && !character.is_control()
            };
            assert!(!token.is_empty() && token.len() <= MAX_TOKEN, "{subject}");
            assert!(token.chars().all(is_plain), "{subject}");
            decode(token.as_bytes())
        })
        .collect()
}

/// The value of a token.
fn decode(token: &[u8]) -> Vec<u8> {
    if token == b"%" {
        return Vec::new();
    }
    let mut value = Vec::new();
    let mut rest = token;
    while let Some((byte, behind)) = rest.split_first() {
        rest = behind;
        if *byte == b'%' {
            let (digits, behind) = behind.split_at_checked(2).expect("two digits");
            let digits = std::str::from_utf8(digits).expect("digits");
            value.push(u8::from_str_radix(digits, 16).expect("digits"));
            rest = behind;
        } else {
            value.push(*byte);
        }
    }
    value
}
