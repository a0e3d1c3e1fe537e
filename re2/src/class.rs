//! Characters between brackets.

use crate::escape::{perl_class, read_character, rewrite_property, write_class, write_literal};
use crate::reader::Reader;
use crate::{Fault, Problem};

/// Reads what follows `[` up to its `]` and writes the same set.
pub(crate) fn rewrite_class(reader: &mut Reader<'_>, written: &mut String) -> Result<(), Fault> {
    let missing = reader.fault(Problem::MissingBracket, reader.offset().saturating_sub(1));
    written.push('[');
    if reader.take("^") {
        written.push('^');
    }
    let mut first = true;
    loop {
        let next = reader.peek().ok_or(missing)?;
        if next == ']' && !first {
            reader.next();
            written.push(']');
            return Ok(());
        }
        first = false;
        let rewritten = rewrite_named(reader, written)? || rewrite_set(reader, written)?;
        if !rewritten {
            rewrite_range(reader, missing, written)?;
        }
    }
}

/// `[:alpha:]` or `[:^alpha:]`; false when something else comes next.
fn rewrite_named(reader: &mut Reader<'_>, written: &mut String) -> Result<bool, Fault> {
    const NAMES: &str =
        "alnum alpha ascii blank cntrl digit graph lower print punct space upper word xdigit";
    let start = reader.offset();
    if !reader.take("[:") {
        return Ok(false);
    }
    let Some(name) = reader.take_until(":]") else {
        reader.go_back(start);
        return Ok(false);
    };
    let plain = name.strip_prefix('^').unwrap_or(name);
    if NAMES.split_ascii_whitespace().any(|known| known == plain) {
        written.push_str("[:");
        written.push_str(name);
        written.push_str(":]");
        Ok(true)
    } else {
        Err(reader.fault(Problem::InvalidClass, start))
    }
}

/// `\d`, `\pL` and their kin; false when something else comes next.
fn rewrite_set(reader: &mut Reader<'_>, written: &mut String) -> Result<bool, Fault> {
    let start = reader.offset();
    if !reader.take("\\") {
        return Ok(false);
    }
    let letter = reader.next().unwrap_or('\\');
    if let Some((members, negated)) = perl_class(letter) {
        write_class(members, negated, written);
        return Ok(true);
    }
    if letter == 'p' || letter == 'P' {
        rewrite_property(reader, letter == 'P', written)?;
        return Ok(true);
    }
    reader.go_back(start);
    Ok(false)
}

/// One character, or two with a hyphen between them.
fn rewrite_range(
    reader: &mut Reader<'_>,
    missing: Fault,
    written: &mut String,
) -> Result<(), Fault> {
    let start = reader.offset();
    let low = read_member(reader, missing)?;
    write_literal(low, written);
    let range = reader.rest().starts_with('-') && !reader.rest().starts_with("-]");
    if range {
        reader.next();
        let high = read_member(reader, missing)?;
        if high < low {
            return Err(reader.fault(Problem::InvalidClass, start));
        }
        written.push('-');
        write_literal(high, written);
    }
    Ok(())
}

fn read_member(reader: &mut Reader<'_>, missing: Fault) -> Result<char, Fault> {
    match reader.next().ok_or(missing)? {
        '\\' => read_character(reader),
        character => Ok(character),
    }
}
