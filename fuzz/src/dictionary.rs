//! Dictionaries in the form of libFuzzer: a line `"word"` for each word, with `\\`, `\"` and `\xAB` in it.

/// The words of a dictionary, in its order. Comments and what is no word are passed over.
///
/// ```
/// let words = watershed_fuzz::dictionary::words("# signs\n\"->\"\n\"\\x0a\\\"\"\n");
/// assert_eq!(words, [b"->".to_vec(), b"\n\"".to_vec()]);
/// ```
#[must_use]
pub fn words(dictionary: &str) -> Vec<Vec<u8>> {
    let lines = dictionary.lines().map(str::trim);
    let quoted = lines.filter_map(|line| line.strip_prefix('"')?.strip_suffix('"'));
    quoted.map(unescaped).collect()
}

fn unescaped(word: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = word;
    while let Some((before, escape)) = rest.split_once('\\') {
        bytes.extend_from_slice(before.as_bytes());
        let hexadecimal = escape
            .strip_prefix('x')
            .and_then(|digits| digits.split_at_checked(2));
        if let Some((digits, behind)) = hexadecimal {
            bytes.extend(u8::from_str_radix(digits, 16));
            rest = behind;
        } else {
            let mut characters = escape.chars();
            let character = characters.next().map(String::from).unwrap_or_default();
            bytes.extend_from_slice(character.as_bytes());
            rest = characters.as_str();
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}
