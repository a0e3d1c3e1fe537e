//! Small pieces of the text of messages.

/// `a`, `a and b`, `a, b and c`.
#[must_use]
pub fn and_list(words: &[impl AsRef<str>]) -> String {
    list(words, "and")
}

/// `a`, `a or b`, `a, b or c`.
#[must_use]
pub fn or_list(words: &[impl AsRef<str>]) -> String {
    list(words, "or")
}

/// `a file`, `an otlp`: the article that a name is read with.
#[must_use]
pub fn article(name: &str) -> &'static str {
    if name.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an"
    } else {
        "a"
    }
}

fn list(words: &[impl AsRef<str>], last_word: &str) -> String {
    match words {
        [] => String::new(),
        [only] => only.as_ref().to_owned(),
        [start @ .., last] => {
            let start: Vec<_> = start.iter().map(AsRef::as_ref).collect();
            format!("{} {last_word} {}", start.join(", "), last.as_ref())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_read_like_a_sentence() {
        assert_eq!(and_list(&["a"; 0]), "");
        assert_eq!(and_list(&["a"]), "a");
        assert_eq!(or_list(&["a", "b", "c"]), "a, b or c");
    }
}
