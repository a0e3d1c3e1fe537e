//! Escapes: single characters, classes of Perl and properties of Unicode.

use crate::reader::Reader;
use crate::{Fault, Problem};

/// Writes one character so that it means itself, inside of brackets and outside.
pub(crate) fn write_literal(character: char, written: &mut String) {
    const META: &str = r"\.+*?()|[]{}^$#&-~";
    if META.contains(character) {
        written.push('\\');
    }
    written.push(character);
}

/// Reads what follows a backslash as one character: `\n`, `\x41`, `\x{1F600}`, `\101`, `\.`.
pub(crate) fn read_character(reader: &mut Reader<'_>) -> Result<char, Fault> {
    let start = reader.offset().saturating_sub(1);
    let unknown = reader.fault(Problem::UnknownEscape, start);
    let trailing = reader.fault(Problem::TrailingBackslash, start);
    let character = reader.next().ok_or(trailing)?;
    match character {
        'a' => Ok('\u{7}'),
        'f' => Ok('\u{c}'),
        'n' => Ok('\n'),
        'r' => Ok('\r'),
        't' => Ok('\t'),
        'v' => Ok('\u{b}'),
        'x' => read_hexadecimal(reader).ok_or(unknown),
        '0'..='7' => read_octal(reader, character).ok_or(unknown),
        other if other.is_ascii() && !other.is_ascii_alphanumeric() => Ok(other),
        _ => Err(unknown),
    }
}

/// `\x41` or `\x{1F600}`
fn read_hexadecimal(reader: &mut Reader<'_>) -> Option<char> {
    if reader.take("{") {
        let digits = reader.take_until("}")?;
        let valid = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        return char::from_u32(u32::from_str_radix(digits, 16).ok().filter(|_| valid)?);
    }
    let high = reader.next()?.to_digit(16)?;
    let low = reader.next()?.to_digit(16)?;
    char::from_u32(high * 16 + low)
}

/// `\0`, `\012`, `\12`: up to three digits. One digit that is not zero would be a reference to a group.
fn read_octal(reader: &mut Reader<'_>, first: char) -> Option<char> {
    let mut value = first.to_digit(8)?;
    let mut digits = 1;
    while digits < 3 {
        let Some(digit) = reader.peek().and_then(|next| next.to_digit(8)) else {
            break;
        };
        reader.next();
        value = value * 8 + digit;
        digits += 1;
    }
    if digits == 1 && value != 0 {
        return None;
    }
    char::from_u32(value)
}

/// What `\d`, `\s` and `\w` hold, to stand inside of brackets.
pub(crate) fn perl_class(letter: char) -> Option<(&'static str, bool)> {
    let members = match letter.to_ascii_lowercase() {
        'd' => "0-9",
        's' => r"\t\n\f\r ",
        'w' => "0-9A-Za-z_",
        _ => return None,
    };
    Some((members, letter.is_ascii_uppercase()))
}

/// A class that stands alone or inside of brackets: `[members]` or `[^members]`.
pub(crate) fn write_class(members: &str, negated: bool, written: &mut String) {
    written.push_str(if negated { "[^" } else { "[" });
    written.push_str(members);
    written.push(']');
}

/// Reads what follows `\p` or `\P` and writes it as a class.
pub(crate) fn rewrite_property(
    reader: &mut Reader<'_>,
    mut negated: bool,
    written: &mut String,
) -> Result<(), Fault> {
    let unknown = reader.fault(Problem::UnknownProperty, reader.offset().saturating_sub(2));
    let name = if reader.take("{") {
        reader.take_until("}").ok_or(unknown)?
    } else {
        let rest = reader.rest();
        let length = reader.next().ok_or(unknown)?.len_utf8();
        rest.get(..length).unwrap_or_default()
    };
    let name = match name.strip_prefix('^') {
        Some(name) => {
            negated = !negated;
            name
        }
        None => name,
    };
    let members = property_members(name).ok_or(unknown)?;
    write_class(&members, negated, written);
    Ok(())
}

fn property_members(name: &str) -> Option<String> {
    const CATEGORIES: &str = "L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl \
                              Zp Zs Cc Cf Co";
    match name {
        "Any" => Some(r"\x{0}-\x{10FFFF}".to_owned()),
        // Without the code points that are not assigned, other than in the crate; surrogates are never in a text.
        "C" => Some(r"\p{Cc}\p{Cf}\p{Co}".to_owned()),
        "Cs" => Some(r"^\x{0}-\x{10FFFF}".to_owned()),
        _ if CATEGORIES
            .split_ascii_whitespace()
            .any(|known| known == name) =>
        {
            Some(format!(r"\p{{{name}}}"))
        }
        _ => {
            let script = name.starts_with(|first: char| first.is_ascii_uppercase())
                && name.len() > 2
                && name
                    .bytes()
                    .all(|byte| byte.is_ascii_alphabetic() || byte == b'_');
            script.then(|| format!(r"\p{{sc={name}}}"))
        }
    }
}
