//! Text within a width: conditions wrapped between their words, or cut when even that is too long.
//!
//! In: text of any length. Out: a few short lines. Widths are counted in characters; the picture's fonts are measured by
//! an average.

/// Wraps `text` into at most `lines` lines of `width` characters; `…` ends what had to be cut.
pub(crate) fn wrap(text: &str, width: usize, lines: usize) -> Vec<String> {
    let mut wrapped = vec![String::new()];
    for word in words(text, width) {
        let taken = wrapped.last().map_or(0, |line| line.chars().count());
        match wrapped.last_mut() {
            Some(line) if taken == 0 => line.push_str(&word),
            Some(line) if taken + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => wrapped.push(word),
        }
    }
    if wrapped.len() > lines {
        wrapped.truncate(lines);
        if let Some(last) = wrapped.last_mut() {
            let kept: String = last.chars().take(width.saturating_sub(2)).collect();
            *last = format!("{} …", kept.trim_end());
        }
    }
    wrapped
}

/// What stays together on a line: words, each with the operator before it.
fn words(text: &str, width: usize) -> Vec<String> {
    let mut words = Vec::new();
    let mut operator = String::new();
    for word in text.split(' ') {
        let is_operator = !word.is_empty() && word.chars().all(|one| "&|=!<>+?:".contains(one));
        let (before, length) = (operator.chars().count(), word.chars().count());
        if before > 0 && (is_operator || before + length > width) {
            words.push(std::mem::take(&mut operator).trim_end().to_owned());
        }
        if is_operator {
            operator = format!("{word} ");
        } else {
            let whole = std::mem::take(&mut operator) + word;
            // Only a word that is too long by itself is cut.
            let fits = whole.chars().count() <= width;
            words.extend(if fits {
                vec![whole]
            } else {
                pieces(&whole, width)
            });
        }
    }
    if !operator.is_empty() {
        words.push(operator.trim_end().to_owned());
    }
    words
}

/// A word in pieces that fit a line: cut where a name ends, and outside of quotes where that is possible.
fn pieces(word: &str, width: usize) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut rest: Vec<char> = word.chars().collect();
    while rest.len() > width {
        let behind = rest.split_off(cut(&rest, width));
        pieces.push(rest.into_iter().collect());
        rest = behind;
    }
    pieces.push(rest.into_iter().collect());
    pieces
}

/// How many characters of a word that is too long stay on the line.
fn cut(word: &[char], width: usize) -> usize {
    let (mut outside, mut anywhere, mut is_quoted) = (None, None, false);
    // A cut near the beginning would leave a line almost empty, and one near the end the next.
    let from = width / 3;
    let to = width.min(word.len().saturating_sub(4));
    for (position, character) in word.iter().enumerate().take(to) {
        is_quoted ^= *character == '"';
        let cut = match character {
            // A call stands on the line with its dot.
            '.' => position,
            ',' | '/' | '[' | '(' => position + 1,
            _ => continue,
        };
        if cut >= from && cut <= width {
            anywhere = Some(cut);
            outside = if is_quoted { outside } else { anywhere };
        }
    }
    outside.or(anywhere).unwrap_or(width).max(1)
}

/// Text within XML and within its attributes.
pub(super) fn escape_xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' => escaped.push_str("&#10;"),
            // XML has no way at all to write the other controls.
            control if control.is_control() => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_and_long_words_behind_names() {
        assert_eq!(wrap("a && bb || ccc", 7, 3), ["a && bb", "|| ccc"]);
        assert_eq!(
            wrap(
                "resource.attributes[?\"service.name\"].orString(\"d\")",
                38,
                3
            ),
            ["resource.attributes[?\"service.name\"]", ".orString(\"d\")"]
        );
        assert_eq!(wrap("", 7, 3), [""]);
    }

    #[test]
    fn what_is_too_long_is_cut_and_says_so() {
        let lines = wrap(&"abcdefghij".repeat(5), 10, 2);
        assert_eq!(lines, ["abcdefghij", "abcdefgh …"]);
        assert!(lines.iter().all(|line| line.chars().count() <= 10));
    }

    #[test]
    fn markup_in_text_stays_text() {
        assert_eq!(
            escape_xml("a < \"b\" && c\u{1}"),
            "a &lt; &quot;b&quot; &amp;&amp; c\u{fffd}"
        );
    }
}
