//! Templates of `format`: whether the verbs of a literal template fit the types of its arguments.
//!
//! In: a template and the types of the arguments. Out: a [`Verdict`]. It decides only what is sure; what depends on
//! values stays open.

use super::limits::MAX_PRECISION;
use super::types::Type;

/// What can be said of a template before the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It works for every value of these types.
    Fits,
    /// It depends on the values.
    Open,
    /// It always fails.
    Fails(Problem),
}

/// Why a template always fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// A `%` at the end, or a precision without a verb.
    Unfinished,
    /// A precision without digits, or of more digits than the run time writes.
    Precision,
    /// A verb that does not exist, or a precision where none can stand.
    UnknownVerb(char),
    /// More verbs than arguments.
    MissingArgument {
        /// How many arguments there are.
        given: usize,
    },
    /// An argument of a type that the verb does not take.
    WrongType {
        /// The verb.
        verb: char,
        /// The type.
        ty: Type,
    },
}

/// Checks a template against the types of its arguments.
///
/// ```
/// use watershed_compiler::cel::format::{Problem, Verdict, check};
/// use watershed_compiler::cel::types::Type;
///
/// assert_eq!(check("%d of %s", &[&Type::Int, &Type::String]), Verdict::Fits);
/// assert_eq!(check("%d", &[]), Verdict::Fails(Problem::MissingArgument { given: 0 }));
/// ```
#[must_use]
pub fn check(template: &str, types: &[&Type]) -> Verdict {
    let mut verdict = Verdict::Fits;
    let mut arguments = types.iter();
    let mut rest = template.chars();
    while let Some(character) = rest.next() {
        if character != '%' {
            continue;
        }
        let (verb, precision) = match verb(&mut rest) {
            Some(verb) => verb,
            None => return Verdict::Fails(Problem::Unfinished),
        };
        let has_precision = precision.is_some();
        if precision.is_some_and(|digits| !is_precision(&digits)) {
            return Verdict::Fails(Problem::Precision);
        }
        if verb == '%' && !has_precision {
            continue;
        }
        if !matches!(verb, 's' | 'd' | 'f' | 'e' | 'b' | 'x' | 'X' | 'o') {
            return Verdict::Fails(Problem::UnknownVerb(verb));
        }
        let Some(ty) = arguments.next() else {
            return Verdict::Fails(Problem::MissingArgument { given: types.len() });
        };
        match takes(verb, ty) {
            Some(true) => {}
            Some(false) => {
                return Verdict::Fails(Problem::WrongType {
                    verb,
                    ty: (*ty).clone(),
                });
            }
            None => verdict = Verdict::Open,
        }
    }
    verdict
}

/// The verb behind a `%`, and the digits of a precision such as `.3` before it.
fn verb(rest: &mut std::str::Chars<'_>) -> Option<(char, Option<String>)> {
    let mut next = rest.next()?;
    if next != '.' {
        return Some((next, None));
    }
    let mut digits = String::new();
    loop {
        next = rest.next()?;
        if !next.is_ascii_digit() {
            return Some((next, Some(digits)));
        }
        digits.push(next);
    }
}

fn is_precision(digits: &str) -> bool {
    digits
        .parse::<usize>()
        .is_ok_and(|digits| digits <= MAX_PRECISION)
}

/// Whether the verb takes the type; `None` when that depends on the value.
fn takes(verb: char, ty: &Type) -> Option<bool> {
    let is_number = ty.is_numeric();
    match (verb, ty) {
        (_, Type::Dyn | Type::Error) => None,
        (
            's',
            Type::Null | Type::Bool | Type::String | Type::Bytes | Type::Timestamp | Type::Duration,
        ) => Some(true),
        ('s', _) if is_number => Some(true),
        // Lists and maps are written with all that is in them.
        ('s', _) => None,
        ('d', Type::Int | Type::Uint) => Some(true),
        // Only infinities and what is not a number.
        ('d', Type::Double) => None,
        ('f' | 'e', Type::Double) => Some(true),
        ('f' | 'e', _) if is_number => None,
        // The names of infinities.
        ('d' | 'f' | 'e', Type::String) => None,
        ('b', Type::Int | Type::Uint | Type::Bool) => Some(true),
        ('x' | 'X', Type::Int | Type::Uint | Type::String | Type::Bytes) => Some(true),
        ('o', Type::Int | Type::Uint) => Some(true),
        _ => Some(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_precision_belongs_to_the_verb() {
        assert_eq!(check("%.3f%%", &[&Type::Double]), Verdict::Fits);
        assert_eq!(
            check("%.", &[&Type::Double]),
            Verdict::Fails(Problem::Unfinished)
        );
    }

    #[test]
    fn a_precision_has_digits_and_a_limit() {
        let most = format!("%.{MAX_PRECISION}f");
        assert_eq!(check(&most, &[&Type::Double]), Verdict::Fits);
        let more = format!("%.{}e", MAX_PRECISION + 1);
        for template in [&more, "%.99999999999999999999f", "%.f", "%..3f", "%.1001s"] {
            let verdict = check(template, &[&Type::Double]);
            assert_eq!(verdict, Verdict::Fails(Problem::Precision), "{template}");
        }
    }

    #[test]
    fn wrong_verbs_and_types_are_seen() {
        assert_eq!(
            check("%a", &[&Type::Int]),
            Verdict::Fails(Problem::UnknownVerb('a'))
        );
        let wrong = Problem::WrongType {
            verb: 'd',
            ty: Type::Duration,
        };
        assert_eq!(check("%d", &[&Type::Duration]), Verdict::Fails(wrong));
        assert_eq!(check("%d", &[&Type::Dyn]), Verdict::Open);
    }
}
