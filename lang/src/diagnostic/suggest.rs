//! "Did you mean …?": the candidate that is nearest to a misspelt name.

/// The candidate nearest to `name`, if one is near enough to be a plausible slip: at most a third of its letters
/// differ (inserted, left out, replaced or swapped with their neighbour). Of equally near ones the first wins.
///
/// ```
/// use watershed_lang::diagnostic::suggest::nearest;
/// assert_eq!(nearest("severity_numbr", ["body", "severity_number"]), Some("severity_number"));
/// assert_eq!(nearest("x", ["body"]), None);
/// ```
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters: Vec<char> = name.to_lowercase().chars().collect();
    let allowed = (letters.len() / 3).max(1);
    candidates
        .into_iter()
        .filter(|candidate| *candidate != name)
        .map(|candidate| {
            (
                distance(
                    &letters,
                    &candidate.to_lowercase().chars().collect::<Vec<_>>(),
                ),
                candidate,
            )
        })
        .filter(|(distance, candidate)| {
            *distance <= allowed && *distance < candidate.chars().count()
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// How many letters must be inserted, left out, replaced or swapped with their neighbour to get from `a` to `b`.
fn distance(a: &[char], b: &[char]) -> usize {
    // One row of the table for each prefix of `a`; the two rows before are all that a swap needs.
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (row, letter) in a.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, other) in b.iter().enumerate() {
            let at =
                |row: &[usize], index: usize| row.get(index).copied().unwrap_or(usize::MAX - 1);
            let mut best = (at(&last, column) + usize::from(letter != other))
                .min(at(&last, column + 1) + 1)
                .min(at(&current, column) + 1);
            let swapped = row > 0
                && column > 0
                && a.get(row - 1) == Some(other)
                && b.get(column - 1) == Some(letter);
            if swapped {
                best = best.min(at(&before_last, column - 1) + 1);
            }
            current.push(best);
        }
        before_last = std::mem::replace(&mut last, current);
    }
    last.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(a: &str, b: &str) -> usize {
        distance(
            &a.chars().collect::<Vec<_>>(),
            &b.chars().collect::<Vec<_>>(),
        )
    }

    #[test]
    fn distance_counts_edits_and_swaps() {
        assert_eq!(between("", "abc"), 3);
        assert_eq!(between("sink", "snk"), 1);
        assert_eq!(between("route", "ruote"), 1);
        assert_eq!(between("kitten", "sitting"), 3);
    }

    #[test]
    fn only_plausible_slips_are_suggested() {
        assert_eq!(nearest("snk", ["source", "sink"]), Some("sink"));
        assert_eq!(nearest("Sink", ["sink"]), Some("sink"));
        assert_eq!(nearest("let", ["const", "sink"]), None);
        assert_eq!(nearest("sink", ["sink"]), None);
    }
}
