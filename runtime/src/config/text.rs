//! Durations and sizes in the notation of `.flow` files. Input: text; output: the value, or `None`.

use std::time::Duration;

/// Reads `10ms`, `5s`, `1h30m` and the like: at least one number with a unit, nothing else.
pub(crate) fn parse_duration(text: &str) -> Option<Duration> {
    let mut rest = text.trim();
    let mut total = Duration::ZERO;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let (number, after_number) = split_number(rest)?;
        let (unit, after_unit) = split_unit(after_number);
        let nanoseconds: u64 = match unit {
            "ns" => 1,
            "us" => 1_000,
            "ms" => 1_000_000,
            "s" => 1_000_000_000,
            "m" => 60_000_000_000,
            "h" => 3_600_000_000_000,
            _ => return None,
        };
        let part = Duration::from_nanos(number.checked_mul(nanoseconds)?);
        total = total.checked_add(part)?;
        rest = after_unit;
    }
    Some(total)
}

/// Reads `4096`, `64KiB`, `1MiB` or `2GiB`.
pub(crate) fn parse_bytes(text: &str) -> Option<u64> {
    let (number, after_number) = split_number(text.trim())?;
    let factor: u64 = match after_number {
        "" | "B" => 1,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        _ => return None,
    };
    number.checked_mul(factor)
}

fn split_number(text: &str) -> Option<(u64, &str)> {
    let end = text
        .find(|character: char| !character.is_ascii_digit())
        .unwrap_or(text.len());
    let (digits, rest) = text.split_at_checked(end)?;
    Some((digits.parse().ok()?, rest))
}

fn split_unit(text: &str) -> (&str, &str) {
    let end = text
        .find(|character: char| !character.is_ascii_alphabetic())
        .unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        assert_eq!(parse_duration("250ms"), Some(Duration::from_millis(250)));
        assert_eq!(parse_duration("1h30m"), Some(Duration::from_secs(5_400)));
        for wrong in [
            "",
            "5",
            "s",
            "5 s",
            "-5s",
            "5days",
            "99999999999999999999s",
            "18446744073s9h9",
        ] {
            assert_eq!(parse_duration(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(parse_bytes("4096"), Some(4_096));
        assert_eq!(parse_bytes("1MiB"), Some(1_048_576));
        for wrong in ["", "MiB", "1MB", "-1", "1.5KiB", "99999999999GiB"] {
            assert_eq!(parse_bytes(wrong), None, "{wrong}");
        }
    }
}
