//! Doubles as text, as Go and C write them.

use std::fmt::Write;

/// CEL `string(double)`: the shortest text that reads back as the same double, in Go's `%g` style. Exponents below
/// -4 and from 6 on are written out, with a sign and at least two digits.
///
/// ```
/// use watershed::cel::number;
///
/// assert_eq!(number::shortest(1.0), "1");
/// assert_eq!(number::shortest(150000.5), "150000.5");
/// assert_eq!(number::shortest(1e21), "1e+21");
/// assert_eq!(number::shortest(3.0e-7), "3e-07");
/// assert_eq!(number::shortest(-0.0), "-0");
/// ```
pub fn shortest(number: f64) -> String {
    if number.is_infinite() {
        return if number > 0.0 { "+Inf" } else { "-Inf" }.to_owned();
    }
    let magnitude = number.abs();
    if magnitude > 0.0 && !(1e-4..1e6).contains(&magnitude) {
        with_exponent(format!("{number:e}"))
    } else {
        plain(number)
    }
}

/// The shortest text that reads back as the same double, all digits written out.
pub(super) fn plain(number: f64) -> String {
    special(number).map_or_else(|| number.to_string(), str::to_owned)
}

/// `%.<precision>f`
pub(super) fn fixed(number: f64, precision: usize) -> String {
    special(number).map_or_else(|| format!("{number:.precision$}"), str::to_owned)
}

/// `%.<precision>e`
pub(super) fn scientific(number: f64, precision: usize) -> String {
    special(number).map_or_else(
        || with_exponent(format!("{number:.precision$e}")),
        str::to_owned,
    )
}

/// What `format` calls those that have no digits.
fn special(number: f64) -> Option<&'static str> {
    match number {
        f64::INFINITY => Some("Infinity"),
        f64::NEG_INFINITY => Some("-Infinity"),
        _ if number.is_nan() => Some("NaN"),
        _ => None,
    }
}

/// Rust writes `1e21` and `3e-7` where Go and C write `1e+21` and `3e-07`.
fn with_exponent(text: String) -> String {
    let Some((digits, exponent)) = text.split_once('e') else {
        return text;
    };
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(exponent) => ('-', exponent),
        None => ('+', exponent),
    };
    let mut written = String::with_capacity(text.len() + 2);
    // Writing into a string cannot fail.
    let _ = write!(written, "{digits}e{sign}{exponent:0>2}");
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_are_written_as_go_writes_them() {
        for (number, text) in [
            (123.456, "123.456"),
            (-4.5e-3, "-0.0045"),
            (0.1 + 0.2, "0.30000000000000004"),
            (1e-4, "0.0001"),
            (1e-5, "1e-05"),
            (1.5e100, "1.5e+100"),
            (999_999.5, "999999.5"),
            (1e6, "1e+06"),
            (123_456_789.0, "1.23456789e+08"),
            (0.0, "0"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-Inf"),
        ] {
            assert_eq!(shortest(number), text);
        }
    }

    #[test]
    fn precision_rounds_half_to_even_of_the_exact_value() {
        assert_eq!(fixed(1.2345, 3), "1.234");
        assert_eq!(fixed(123.4999, 3), "123.500");
        assert_eq!(fixed(3.5001, 0), "4");
        assert_eq!(fixed(2.0, 6), "2.000000");
        assert_eq!(scientific(4.71828, 6), "4.718280e+00");
        assert_eq!(scientific(1.5e-300, 1), "1.5e-300");
        assert_eq!(fixed(f64::INFINITY, 3), "Infinity");
        assert_eq!(plain(1e21), "1000000000000000000000");
    }
}
