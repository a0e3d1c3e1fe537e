//! Numbers, durations and sizes: from their digits and suffix to a value.

use pest::iterators::Pair;

use super::Builder;
use crate::ast::{Expr, ExprKind, Literal};
use crate::parse::error::{NumberProblem, SyntaxError};
use crate::parse::grammar::Rule;

/// Units of durations, in nanoseconds.
const DURATIONS: [(&str, u64); 6] = [
    ("ns", 1),
    ("us", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

/// Units of sizes, in bytes.
const SIZES: [(&str, u64); 5] = [
    ("B", 1),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("TiB", 1 << 40),
];

impl Builder<'_> {
    /// The literal of a `number` pair, or of a `signed` one.
    pub(super) fn number(&mut self, pair: Pair<'_, Rule>) -> ExprKind {
        let span = self.span(&pair);
        let negative = pair.as_rule() == Rule::signed;
        let written = if negative {
            pair.into_inner().next()
        } else {
            Some(pair)
        };
        let Some(written) = written else {
            return ExprKind::Error;
        };
        // White space can only stand behind the point of `. 5`.
        let digits: String = written.as_str().split_ascii_whitespace().collect();
        match decode(&digits, negative) {
            // Only numbers that have a sign take it; the checker says what is wrong with the others.
            Ok(literal @ (Literal::Uint(_) | Literal::Size(_))) if negative => {
                let operand = Expr {
                    kind: ExprKind::Literal(literal),
                    span: self.span(&written),
                };
                ExprKind::Negate {
                    times: 1,
                    operand: Box::new(operand),
                }
            }
            Ok(literal) => ExprKind::Literal(literal),
            Err(problem) => {
                let sign = if negative { "-" } else { "" };
                self.errors.push(SyntaxError::InvalidNumber {
                    text: format!("{sign}{digits}"),
                    span,
                    problem,
                });
                ExprKind::Error
            }
        }
    }
}

/// The value of a number without white space.
fn decode(text: &str, negative: bool) -> Result<Literal, NumberProblem> {
    if let Some(hex) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        let (digits, unsigned) = split_unsigned(hex);
        return integer(digits, 16, unsigned, negative);
    }
    let whole = text
        .find(|next: char| !next.is_ascii_digit())
        .unwrap_or(text.len());
    let (digits, suffix) = text.split_at_checked(whole).unwrap_or((text, ""));
    match suffix {
        "" => integer(digits, 10, false, negative),
        "u" | "U" => integer(digits, 10, true, negative),
        _ if text.contains('_')
            && text
                .chars()
                .all(|next| next.is_ascii_digit() || next == '_') =>
        {
            Err(NumberProblem::Grouped)
        }
        _ if suffix.starts_with('.') || is_exponent(suffix) => double(text, negative),
        _ => quantity(digits, suffix, text, negative),
    }
}

fn split_unsigned(text: &str) -> (&str, bool) {
    match text.strip_suffix(['u', 'U']) {
        Some(digits) => (digits, true),
        None => (text, false),
    }
}

fn is_exponent(suffix: &str) -> bool {
    let digits = suffix
        .strip_prefix(['e', 'E'])
        .map(|rest| rest.strip_prefix(['+', '-']).unwrap_or(rest));
    digits.is_some_and(|digits| digits.starts_with(|next: char| next.is_ascii_digit()))
}

fn integer(
    digits: &str,
    radix: u32,
    unsigned: bool,
    negative: bool,
) -> Result<Literal, NumberProblem> {
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return Err(NumberProblem::Malformed);
    }
    if unsigned {
        return u64::from_str_radix(digits, radix)
            .map(Literal::Uint)
            .map_err(|_| NumberProblem::UintRange);
    }
    let sign = if negative { "-" } else { "" };
    let value = i64::from_str_radix(&format!("{sign}{digits}"), radix);
    value.map(Literal::Int).map_err(|_| NumberProblem::IntRange)
}

fn double(text: &str, negative: bool) -> Result<Literal, NumberProblem> {
    match text.parse::<f64>() {
        Ok(value) if value.is_infinite() => Err(NumberProblem::DoubleRange),
        Ok(value) => Ok(Literal::Double(if negative { -value } else { value })),
        Err(_) if text.ends_with(|last: char| last.is_ascii_alphabetic()) => {
            Err(NumberProblem::Fraction)
        }
        Err(_) => Err(NumberProblem::Malformed),
    }
}

/// A size such as `64MiB`, or a duration such as `1h30m`.
fn quantity(
    digits: &str,
    suffix: &str,
    text: &str,
    negative: bool,
) -> Result<Literal, NumberProblem> {
    if let Some((_, factor)) = SIZES.iter().find(|(unit, _)| *unit == suffix) {
        let size = digits
            .parse::<u64>()
            .ok()
            .and_then(|count| count.checked_mul(*factor));
        return size.map(Literal::Size).ok_or(NumberProblem::SizeRange);
    }
    let mut nanoseconds: i64 = 0;
    let mut rest = text;
    while !rest.is_empty() {
        let unit_at = rest
            .find(|next: char| !next.is_ascii_digit())
            .unwrap_or(rest.len());
        let (count, tail) = rest.split_at_checked(unit_at).unwrap_or((rest, ""));
        let unit_end = tail
            .find(|next: char| next.is_ascii_digit())
            .unwrap_or(tail.len());
        let (unit, tail) = tail.split_at_checked(unit_end).unwrap_or((tail, ""));
        let factor = DURATIONS
            .iter()
            .find(|(name, _)| *name == unit)
            .map(|(_, factor)| *factor);
        let factor = factor.ok_or_else(|| NumberProblem::Unit(unit.to_owned()))?;
        let part = count
            .parse::<u64>()
            .ok()
            .and_then(|count| count.checked_mul(factor));
        let part = part
            .and_then(|part| i64::try_from(part).ok())
            .ok_or(NumberProblem::DurationRange)?;
        nanoseconds = nanoseconds
            .checked_add(part)
            .ok_or(NumberProblem::DurationRange)?;
        rest = tail;
    }
    Ok(Literal::Duration(if negative {
        -nanoseconds
    } else {
        nanoseconds
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_reach_exactly_their_limits() {
        assert_eq!(
            decode("9223372036854775808", true),
            Ok(Literal::Int(i64::MIN))
        );
        assert_eq!(
            decode("9223372036854775808", false),
            Err(NumberProblem::IntRange)
        );
        assert_eq!(
            decode("0xFFFFFFFFFFFFFFFF", false),
            Err(NumberProblem::IntRange)
        );
        assert_eq!(
            decode("0xFFFFFFFFFFFFFFFFu", false),
            Ok(Literal::Uint(u64::MAX))
        );
        assert_eq!(decode("0x", false), Err(NumberProblem::Malformed));
        assert_eq!(decode("1_000", false), Err(NumberProblem::Grouped));
    }

    #[test]
    fn doubles_have_a_point_or_an_exponent() {
        assert_eq!(decode(".5", false), Ok(Literal::Double(0.5)));
        assert_eq!(decode("1e3", true), Ok(Literal::Double(-1000.0)));
        assert_eq!(decode("1e400", false), Err(NumberProblem::DoubleRange));
        assert_eq!(decode("1.5s", false), Err(NumberProblem::Fraction));
    }

    #[test]
    fn durations_and_sizes_have_units() {
        assert_eq!(
            decode("1h30m", false),
            Ok(Literal::Duration(5_400_000_000_000))
        );
        assert_eq!(decode("10ms", true), Ok(Literal::Duration(-10_000_000)));
        assert_eq!(decode("64MiB", false), Ok(Literal::Size(67_108_864)));
        assert_eq!(decode("9999999h", false), Err(NumberProblem::DurationRange));
        assert_eq!(decode("99999999TiB", false), Err(NumberProblem::SizeRange));
        assert_eq!(
            decode("5d", false),
            Err(NumberProblem::Unit("d".to_owned()))
        );
    }
}
