//! What follows `(?`: flags and names.

use crate::reader::Reader;
use crate::{Fault, Problem};

/// What an opening parenthesis turned out to be.
pub(crate) enum Opening {
    /// A group, which a parenthesis closes.
    Group,
    /// Flags for what follows, closed already.
    Flags,
}

/// Reads what follows `(` and writes it.
pub(crate) fn rewrite_opening(
    reader: &mut Reader<'_>,
    written: &mut String,
) -> Result<Opening, Fault> {
    let start = reader.offset().saturating_sub(1);
    if !reader.take("?") {
        written.push('(');
        return Ok(Opening::Group);
    }
    if reader.take("P<") || reader.take("<") {
        // Look-behind is told from a name by what can be in one.
        let invalid = reader.fault(Problem::InvalidGroupName, start);
        let name = reader.take_until(">").ok_or(invalid)?;
        let valid = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let starts_well = !name.starts_with(|first: char| first.is_ascii_digit());
        if name.is_empty() || !starts_well || !name.bytes().all(valid) {
            return Err(invalid);
        }
        written.push_str("(?P<");
        written.push_str(name);
        written.push('>');
        return Ok(Opening::Group);
    }
    rewrite_flags(reader, start, written)
}

/// `i`, `m`, `s` and `U`, and after a hyphen those that are switched off.
fn rewrite_flags(
    reader: &mut Reader<'_>,
    start: usize,
    written: &mut String,
) -> Result<Opening, Fault> {
    let unknown = reader.fault(Problem::UnknownFlag, start);
    let missing = reader.fault(Problem::MissingParenthesis, start);
    let (mut on, mut off) = (String::new(), String::new());
    let (mut negative, mut dangling) = (false, false);
    let opening = loop {
        match reader.next().ok_or(missing)? {
            flag @ ('i' | 'm' | 's' | 'U') => {
                on.retain(|other| other != flag);
                off.retain(|other| other != flag);
                if negative { &mut off } else { &mut on }.push(flag);
                dangling = false;
            }
            '-' if !negative => (negative, dangling) = (true, true),
            ':' => break Opening::Group,
            ')' => break Opening::Flags,
            _ => return Err(unknown),
        }
    };
    if dangling {
        return Err(unknown);
    }
    let flags = if off.is_empty() {
        on
    } else {
        format!("{on}-{off}")
    };
    match opening {
        Opening::Group => written.push_str(&format!("(?{flags}:")),
        Opening::Flags if flags.is_empty() => {}
        Opening::Flags => written.push_str(&format!("(?{flags})")),
    }
    Ok(opening)
}
