//! "Did you mean": the candidate that is nearest to what was written.

use std::mem;

/// The candidate that differs least from `name`, if it differs little enough to be a slip: by one letter in short
/// names, by a third of the letters in long ones. Of several equally near the first wins.
///
/// ```
/// use watershed_compiler::resolve::suggest::closest;
/// assert_eq!(closest("severity_numbr", ["body", "severity_number"]), Some("severity_number"));
/// assert_eq!(closest("colour", ["body", "name"]), None);
/// ```
#[must_use]
pub fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let written: Vec<char> = name.to_lowercase().chars().collect();
    let limit = (written.len() / 3).max(1);
    candidates
        .into_iter()
        .filter(|candidate| candidate.len().abs_diff(name.len()) <= limit + 1)
        .map(|candidate| {
            (
                distance(
                    &written,
                    &candidate.to_lowercase().chars().collect::<Vec<_>>(),
                ),
                candidate,
            )
        })
        .filter(|(distance, candidate)| *distance <= limit && *distance < candidate.chars().count())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// How many letters must be put in, taken out, replaced or swapped with their neighbour.
fn distance(left: &[char], right: &[char]) -> usize {
    let mut before_last = vec![0; right.len() + 1];
    let mut last: Vec<usize> = (0..=right.len()).collect();
    let mut previous_left = None;
    for (row, left_char) in left.iter().enumerate() {
        let mut current = Vec::with_capacity(right.len() + 1);
        current.push(row + 1);
        let mut previous_right = None;
        for (column, right_char) in right.iter().enumerate() {
            let replaced = at(&last, column) + usize::from(left_char != right_char);
            let mut best = replaced
                .min(at(&last, column + 1) + 1)
                .min(at(&current, column) + 1);
            if previous_left == Some(right_char) && previous_right == Some(left_char) && column > 0
            {
                best = best.min(at(&before_last, column - 1) + 1);
            }
            current.push(best);
            previous_right = Some(right_char);
        }
        previous_left = Some(left_char);
        before_last = mem::replace(&mut last, current);
    }
    at(&last, right.len())
}

/// A cell of a row; every position asked for is inside.
fn at(row: &[usize], position: usize) -> usize {
    row.get(position).copied().unwrap_or(usize::MAX / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(left: &str, right: &str) -> usize {
        distance(
            &left.chars().collect::<Vec<_>>(),
            &right.chars().collect::<Vec<_>>(),
        )
    }

    #[test]
    fn distances() {
        for (left, right, expected) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "abc", 0),
            ("abc", "abd", 1),
            ("abc", "acb", 1),
            ("abc", "ab", 1),
            ("kitten", "sitting", 3),
            ("é", "e", 1),
        ] {
            assert_eq!(between(left, right), expected, "{left} {right}");
            assert_eq!(between(right, left), expected, "{right} {left}");
        }
    }

    #[test]
    fn slips_are_found_and_other_words_are_not() {
        let fields = ["attributes", "body", "severity_number", "severity_text"];
        assert_eq!(closest("atributes", fields), Some("attributes"));
        assert_eq!(closest("Severity_Number", fields), Some("severity_number"));
        assert_eq!(closest("bdoy", fields), Some("body"));
        assert_eq!(closest("x", ["y"]), None);
        assert_eq!(closest("level", fields), None);
    }
}
