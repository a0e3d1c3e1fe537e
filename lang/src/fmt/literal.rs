//! Strings and bytes as both languages read them.
//!
//! In: a string token of a flow. Out: a token that Rust's lexer takes too and that has the same value. What both read
//! alike stays as it was written.
//!
//! | written | becomes |
//! | --- | --- |
//! | `'a"b'` | `"a\"b"` |
//! | `"""a"b"""`, `'''a'''` | `"a\"b"`, `"a"`; with line ends and no escapes a raw string |
//! | `R"\d"`, `r'\d'`, `r"""\d"""` | `r"\d"`, with as many `#` as it needs |
//! | `B"a"`, `rb"\d"`, `bR'\d'` | `b"a"`, `br"\d"` |
//! | `"\a \? \101 \X41 \u00e9"` | `"\x07 ? A A é"` |
//! | `b"é \101 \377"`, `br"é"` | `b"\xc3\xa9 A \xff"`, `b"\xc3\xa9"` |
//! | CRLF in a raw string, CR anywhere else | LF, `\r` |

use std::borrow::Cow;
use std::fmt::Write;

use crate::parse::build::text::{Form, units};

/// The most `#` that Rust allows around a raw string.
const MOST_HASHES: usize = 255;

/// A string token in the form that Rust's lexer takes as well.
pub(super) fn normalise(token: &str) -> Cow<'_, str> {
    let form = Form::of(token);
    // Rust reads a line end in a raw string as `\n`, whatever the file holds, and so does the parser.
    let body = if form.raw {
        Cow::Owned(form.body.replace("\r\n", "\n"))
    } else {
        Cow::Borrowed(form.body)
    };
    let lines = body.contains('\n') && !body.contains('\\');
    let raw = (form.raw || lines)
        .then(|| raw(&body, form.bytes, form.hashes))
        .flatten();
    let written = match raw {
        Some(raw) => raw,
        None if form.raw => quoted(
            body.chars().map(|next| encode_character(next, form.bytes)),
            form.bytes,
        ),
        None => quoted(
            units(&body, form.bytes).map(|(unit, value)| encode_unit(unit, &value, form.bytes)),
            form.bytes,
        ),
    };
    if written == token {
        Cow::Borrowed(token)
    } else {
        Cow::Owned(written)
    }
}

/// A raw string with `hashes` around it, or as many as it needs; `None` for what Rust does not allow in one.
fn raw(body: &str, bytes: bool, hashes: usize) -> Option<String> {
    if body.contains('\r') || (bytes && !body.is_ascii()) {
        return None;
    }
    let needed = needed_hashes(body);
    if needed > MOST_HASHES {
        return None;
    }
    let hashes = "#".repeat(if hashes > MOST_HASHES {
        needed
    } else {
        hashes.max(needed)
    });
    let prefix = if bytes { "br" } else { "r" };
    Some(format!("{prefix}{hashes}\"{body}\"{hashes}"))
}

/// One more `#` than stand behind any quote of `body`; none when it has no quote.
fn needed_hashes(body: &str) -> usize {
    let behind = body.split('"').skip(1);
    let runs = behind.map(|tail| tail.len() - tail.trim_start_matches('#').len() + 1);
    runs.max().unwrap_or(0)
}

fn quoted(units: impl Iterator<Item = String>, bytes: bool) -> String {
    let mut text = String::from(if bytes { "b\"" } else { "\"" });
    text.extend(units);
    text.push('"');
    text
}

/// A character or escape of a body that is not raw, by its text and its value.
fn encode_unit(unit: &str, value: &[u8], bytes: bool) -> String {
    let Some(escape) = unit.strip_prefix('\\') else {
        return unit
            .chars()
            .map(|next| encode_character(next, bytes))
            .collect();
    };
    let hexadecimal = escape.starts_with('x') && (bytes || value.is_ascii());
    if hexadecimal || matches!(escape, "n" | "r" | "t" | "\\" | "\"") {
        return unit.to_owned();
    }
    if bytes {
        return value.iter().map(|byte| encode_byte(*byte)).collect();
    }
    let text = String::from_utf8_lossy(value);
    let encoded = text.chars().map(|next| {
        if next == '\t' {
            "\\t".to_owned()
        } else if next.is_ascii_control() {
            encode_control(next as u8)
        } else {
            encode_character(next, false)
        }
    });
    encoded.collect()
}

/// A character that stands for itself.
fn encode_character(next: char, bytes: bool) -> String {
    match next {
        '"' | '\\' => format!("\\{next}"),
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        _ if bytes && !next.is_ascii() => {
            let mut buffer = [0; 4];
            let encoded = next.encode_utf8(&mut buffer).bytes();
            encoded.map(encode_byte).collect()
        }
        _ => next.to_string(),
    }
}

fn encode_byte(byte: u8) -> String {
    match byte {
        b'\t' => "\\t".to_owned(),
        b' '..=b'~' | b'\n' | b'\r' => encode_character(char::from(byte), false),
        _ => encode_control(byte),
    }
}

fn encode_control(byte: u8) -> String {
    match byte {
        b'\n' => "\\n".to_owned(),
        b'\r' => "\\r".to_owned(),
        _ => {
            let mut text = String::new();
            // Writing to a string does not fail.
            let _ = write!(text, "\\x{byte:02x}");
            text
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::ExprKind;
    use crate::diagnostic::Diagnostics;
    use crate::parse::parse_expression;
    use crate::span::FileId;

    /// Every form of string, with what becomes of it.
    const FORMS: &[(&str, &str)] = &[
        // What both languages read stays.
        (r#""""#, r#""""#),
        (r#""plain""#, r#""plain""#),
        (r#""\n\r\t\\\"\x41""#, r#""\n\r\t\\\"\x41""#),
        (r#"r"\d""#, r#"r"\d""#),
        (r###"r#"a"b"#"###, r###"r#"a"b"#"###),
        (r#"b"\x00\xff\n""#, r#"b"\x00\xff\n""#),
        (r#"br"\d""#, r#"br"\d""#),
        ("r\"one\ntwo\"", "r\"one\ntwo\""),
        // Quotes.
        ("'x'", r#""x""#),
        ("''", r#""""#),
        (r#"'say "x"'"#, r#""say \"x\"""#),
        (r#"'it\'s'"#, r#""it's""#),
        (r#""it\'s""#, r#""it's""#),
        (r#""""a "b" c""""#, r#""a \"b\" c""#),
        ("'''a 'b' c'''", r#""a 'b' c""#),
        ("\"\"\"one\ntwo\"\"\"", "r\"one\ntwo\""),
        ("'''say \"x\"\nand '#'#'''", "r#\"say \"x\"\nand '#'#\"#"),
        ("\"\"\"one\\t\ntwo\"\"\"", r#""one\t\ntwo""#),
        ("'''one\r\ntwo'''", r#""one\r\ntwo""#),
        // Raw strings.
        (r#"R"\d""#, r#"r"\d""#),
        (r"r'\d'", r#"r"\d""#),
        (r"R'\w'", r#"r"\w""#),
        (r#"r'a"b'"#, r###"r#"a"b"#"###),
        (r##"r'a"#b'"##, r####"r##"a"#b"##"####),
        (r##"R#"a"b"#"##, r##"r#"a"b"#"##),
        (r#"r"""\d""""#, r#"r"\d""#),
        (r#"r'''""'''"#, r###"r#""""#"###),
        ("r\"one\r\ntwo\"", "r\"one\ntwo\""),
        ("r\"one\rtwo\\d\"", r#""one\rtwo\\d""#),
        // Bytes.
        (r#"B"a""#, r#"b"a""#),
        ("b'a'", r#"b"a""#),
        (r#"rb"\d""#, r#"br"\d""#),
        (r#"Rb"\d""#, r#"br"\d""#),
        (r"bR'\d'", r#"br"\d""#),
        (r#"BR"\d""#, r#"br"\d""#),
        (r#"b"é""#, r#"b"\xc3\xa9""#),
        (r#"br"é\d""#, r#"b"\xc3\xa9\\d""#),
        (r"b'\377\101\a\?'", r#"b"\xffA\x07?""#),
        ("b'''one\ntwo'''", "br\"one\ntwo\""),
        // Escapes.
        (r#""\a\b\f\v""#, r#""\x07\x08\x0c\x0b""#),
        (r#""\?\`\'""#, r#""?`'""#),
        (
            r#""\101\012\011\000\177\042\134""#,
            r#""A\n\t\x00\x7f\"\\""#,
        ),
        (r#""\X41\x7f\xe9""#, r#""A\x7fé""#),
        (r#""\u00e9\U0001F600\u0041\u000a""#, r#""é😀A\n""#),
        ("\"tab\there\"", "\"tab\there\""),
    ];

    fn value(token: &str) -> ExprKind {
        let mut diagnostics = Diagnostics::new();
        let expr = parse_expression(FileId(0), token, &mut diagnostics);
        assert!(diagnostics.is_empty(), "{token}");
        expr.kind
    }

    #[test]
    fn every_form_keeps_its_value() {
        for (written, expected) in FORMS {
            assert_eq!(normalise(written), *expected, "{written}");
            assert_eq!(value(written), value(expected), "{written}");
            assert_eq!(normalise(expected), *expected, "{written}");
        }
    }

    #[test]
    fn no_string_has_more_hashes_than_rust_counts() {
        let hashes = "#".repeat(300);
        let written = format!("r{hashes}\"a\\\"{hashes}");
        assert_eq!(normalise(&written), r#"r"a\""#);
        assert_eq!(value(&written), value(r#"r"a\""#));
        let fewer = "#".repeat(260);
        let written = format!("r{hashes}\"a\"{fewer}\"{hashes}");
        let expected = format!("\"a\\\"{fewer}\"");
        assert_eq!(normalise(&written), expected);
        assert_eq!(value(&written), value(&expected));
    }
}
