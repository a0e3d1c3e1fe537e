//! Functions of strings. Positions count code points; what is cut out of a string is borrowed from it.

use std::borrow::Cow;

use super::{Error, List, Value};

/// CEL `size(string)`: code points.
pub fn size(text: &str) -> i64 {
    length(text.chars().count())
}

fn length(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// The byte offset of a position, which may be the end.
fn offset(text: &str, position: i64) -> Result<usize, Error> {
    let outside = Error::IndexOutOfRange { index: position };
    let wanted = usize::try_from(position).map_err(|_| outside)?;
    let starts = text.char_indices().map(|(start, _)| start);
    starts.chain([text.len()]).nth(wanted).ok_or(outside)
}

/// The position of a byte offset.
fn position(text: &str, offset: usize) -> i64 {
    size(text.get(..offset).unwrap_or(text))
}

/// CEL `text.charAt(index)`: one character, or none at the end of the text.
///
/// ```
/// use watershed::cel::{Error, strings};
///
/// assert_eq!(strings::char_at("©αT", 1), Ok("α"));
/// assert_eq!(strings::char_at("ab", 2), Ok(""));
/// assert_eq!(strings::char_at("ab", 3), Err(Error::IndexOutOfRange { index: 3 }));
/// ```
pub fn char_at(text: &str, index: i64) -> Result<&str, Error> {
    let start = offset(text, index)?;
    let rest = text.get(start..).unwrap_or_default();
    let end = rest.chars().next().map_or(0, char::len_utf8);
    Ok(rest.get(..end).unwrap_or_default())
}

/// CEL `text.contains(needle)`
pub fn contains(text: &str, needle: &str) -> bool {
    memchr::memmem::find(text.as_bytes(), needle.as_bytes()).is_some()
}

/// CEL `text.indexOf(needle)`: -1 when it is not there.
pub fn index_of(text: &str, needle: &str) -> i64 {
    text.find(needle).map_or(-1, |found| position(text, found))
}

/// CEL `text.indexOf(needle, from)`: the first place at or behind `from`.
pub fn index_of_from(text: &str, needle: &str, from: i64) -> Result<i64, Error> {
    let start = offset(text, from)?;
    let rest = text.get(start..).unwrap_or_default();
    Ok(rest
        .find(needle)
        .map_or(-1, |found| from + position(rest, found)))
}

/// CEL `text.lastIndexOf(needle)`: -1 when it is not there.
pub fn last_index_of(text: &str, needle: &str) -> i64 {
    text.rfind(needle).map_or(-1, |found| position(text, found))
}

/// CEL `text.lastIndexOf(needle, from)`: the last place at or before `from`.
pub fn last_index_of_from(text: &str, needle: &str, from: i64) -> Result<i64, Error> {
    let start = offset(text, from)?;
    let end = start.saturating_add(needle.len()).min(text.len());
    // A match that starts at `from` ends `needle.len()` bytes later; that may be within a character, and then
    // nothing matches there.
    let end = (start..=end).rev().find(|end| text.is_char_boundary(*end));
    let before = text.get(..end.unwrap_or(start)).unwrap_or_default();
    Ok(last_index_of(before, needle))
}

/// CEL `list.join(separator)`: the elements must be strings.
pub fn join(list: &List<'_>, separator: &str) -> Result<String, Error> {
    let mut joined = String::new();
    for (index, element) in list.iter().enumerate() {
        if index > 0 {
            joined.push_str(separator);
        }
        joined.push_str(element.as_str()?);
    }
    Ok(joined)
}

/// CEL `left + right`
pub fn concat(left: &str, right: &str) -> String {
    [left, right].concat()
}

/// CEL `text.lowerAscii()`: letters outside of ASCII stay.
pub fn lower_ascii(text: &str) -> Cow<'_, str> {
    if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(text.to_ascii_lowercase())
    } else {
        Cow::Borrowed(text)
    }
}

/// CEL `text.upperAscii()`: letters outside of ASCII stay.
pub fn upper_ascii(text: &str) -> Cow<'_, str> {
    if text.bytes().any(|byte| byte.is_ascii_lowercase()) {
        Cow::Owned(text.to_ascii_uppercase())
    } else {
        Cow::Borrowed(text)
    }
}

/// CEL `text.replace(old, new)`. An empty `old` is found before every character and at the end.
///
/// ```
/// assert_eq!(watershed::cel::strings::replace("abc", "", "-"), "-a-b-c-");
/// ```
pub fn replace<'t>(text: &'t str, old: &str, new: &str) -> Cow<'t, str> {
    if text.contains(old) {
        Cow::Owned(text.replace(old, new))
    } else {
        Cow::Borrowed(text)
    }
}

/// CEL `text.replace(old, new, limit)`: at most `limit` times; a negative limit is none.
pub fn replace_limited<'t>(text: &'t str, old: &str, new: &str, limit: i64) -> Cow<'t, str> {
    match usize::try_from(limit) {
        Ok(0) => Cow::Borrowed(text),
        Ok(limit) if text.contains(old) => Cow::Owned(text.replacen(old, new, limit)),
        Ok(_) => Cow::Borrowed(text),
        Err(_) => replace(text, old, new),
    }
}

/// CEL `text.split(separator)`; without a separator it splits into characters.
pub fn split<'t>(text: &'t str, separator: &str) -> List<'t> {
    split_limited(text, separator, -1)
}

/// CEL `text.split(separator, limit)`: at most `limit` parts, the last with the rest; a negative limit is none.
pub fn split_limited<'t>(text: &'t str, separator: &str, limit: i64) -> List<'t> {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    if separator.is_empty() {
        return split_characters(text, limit).map(Into::into).collect();
    }
    text.splitn(limit, separator).map(Into::into).collect()
}

/// Characters one by one; the last of `limit` parts is the rest.
fn split_characters(text: &str, limit: usize) -> impl Iterator<Item = &str> {
    let mut rest = text;
    let mut left = limit;
    std::iter::from_fn(move || {
        left = left.checked_sub(1)?;
        let first = rest.chars().next()?;
        let end = if left == 0 {
            rest.len()
        } else {
            first.len_utf8()
        };
        let (part, after) = rest.split_at_checked(end)?;
        rest = after;
        Some(part)
    })
}

/// CEL `text.substring(start)`
pub fn substring(text: &str, start: i64) -> Result<&str, Error> {
    Ok(text.get(offset(text, start)?..).unwrap_or_default())
}

/// CEL `text.substring(start, end)`, the character at `end` excluded.
pub fn substring_between(text: &str, start: i64, end: i64) -> Result<&str, Error> {
    let (first, last) = (offset(text, start)?, offset(text, end)?);
    text.get(first..last)
        .ok_or(Error::InvalidRange { start, end })
}

/// CEL `text.trim()`: without the white space of Unicode at both ends.
pub fn trim(text: &str) -> &str {
    text.trim()
}

/// CEL `text.reverse()`: by code points.
pub fn reverse(text: &str) -> String {
    text.chars().rev().collect()
}

/// CEL `strings.quote(text)`: in double quotes, with escapes for quotes, backslashes and control characters.
pub fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        let escape = match character {
            '\u{7}' => "\\a",
            '\u{8}' => "\\b",
            '\u{c}' => "\\f",
            '\n' => "\\n",
            '\r' => "\\r",
            '\t' => "\\t",
            '\u{b}' => "\\v",
            '\\' => "\\\\",
            '"' => "\\\"",
            other => {
                quoted.push(other);
                continue;
            }
        };
        quoted.push_str(escape);
    }
    quoted.push('"');
    quoted
}

/// The same list of strings, which no longer borrows the text that they were cut from.
pub fn built(parts: &List<'_>) -> List<'static> {
    let built = parts
        .iter()
        .map(|part| Value::from(part.as_str().unwrap_or_default().to_owned()));
    built.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cel::Value;

    fn texts(list: &List<'_>) -> Vec<String> {
        list.iter()
            .map(|text| text.as_str().unwrap().to_owned())
            .collect()
    }

    #[test]
    fn code_points_count() {
        assert_eq!(size("é"), 1);
        assert_eq!(size("e\u{301}"), 2);
        assert_eq!(size("😀"), 1);
        assert_eq!(char_at("tacocat", 7), Ok(""));
        assert_eq!(
            char_at("tacocat", -1),
            Err(Error::IndexOutOfRange { index: -1 })
        );
    }

    #[test]
    fn texts_are_found_from_the_start() {
        assert_eq!(index_of("ta©o©αT", "©"), 2);
        assert_eq!(index_of("tacocat", "none"), -1);
        assert_eq!(index_of("tacocat", ""), 0);
        assert_eq!(index_of_from("tacocat", "", 3), Ok(3));
        assert_eq!(index_of_from("ta©o©αT", "©αT", 3), Ok(4));
        assert_eq!(index_of_from("ta©o©αT", "©α", 5), Ok(-1));
        assert_eq!(index_of_from("hello wello", "ello", 6), Ok(7));
        assert_eq!(index_of_from("tacocat", "a", 7), Ok(-1));
        assert_eq!(
            index_of_from("tacocat", "a", 30),
            Err(Error::IndexOutOfRange { index: 30 })
        );
        assert_eq!(
            index_of_from("tacocat", "", 8),
            Err(Error::IndexOutOfRange { index: 8 })
        );
    }

    #[test]
    fn texts_are_found_from_the_end() {
        assert_eq!(last_index_of("tacocat", ""), 7);
        assert_eq!(last_index_of("tacocat", "at"), 5);
        assert_eq!(last_index_of_from("tacocat", "", 3), Ok(3));
        assert_eq!(last_index_of_from("tacocat", "a", 3), Ok(1));
        assert_eq!(last_index_of_from("ta©o©αT", "©", 3), Ok(2));
        assert_eq!(last_index_of_from("ta©o©αT", "©α", 4), Ok(4));
        assert_eq!(last_index_of_from("ta©o", "abc", 1), Ok(-1));
        assert_eq!(last_index_of_from("hello wello", "ello", 6), Ok(1));
        assert_eq!(last_index_of_from("x", "elbo room", 0), Ok(-1));
        for index in [-1, 30] {
            let outside = Err(Error::IndexOutOfRange { index });
            assert_eq!(last_index_of_from("tacocat", "a", index), outside);
        }
    }

    #[test]
    fn substrings_keep_inside() {
        assert_eq!(substring("tacocat", 4), Ok("cat"));
        assert_eq!(substring("ab", 2), Ok(""));
        assert_eq!(substring("ab", 3), Err(Error::IndexOutOfRange { index: 3 }));
        assert_eq!(substring_between("ta©o©αT", 7, 7), Ok(""));
        assert_eq!(substring_between("ta©o©αT", 2, 5), Ok("©o©"));
        assert_eq!(
            substring_between("tacocat", 4, 3),
            Err(Error::InvalidRange { start: 4, end: 3 })
        );
        assert_eq!(
            substring_between("tacocat", 1, 50),
            Err(Error::IndexOutOfRange { index: 50 })
        );
    }

    #[test]
    fn splitting_and_replacing_have_limits() {
        assert_eq!(texts(&split("a,b,,c", ",")), ["a", "b", "", "c"]);
        assert_eq!(texts(&split("", ",")), [""]);
        assert_eq!(texts(&split_limited("a b c", " ", 0)), [""; 0]);
        assert_eq!(texts(&split_limited("a b c", " ", 1)), ["a b c"]);
        assert_eq!(texts(&split_limited("a b c", " ", 2)), ["a", "b c"]);
        assert_eq!(texts(&split("aé😀", "")), ["a", "é", "😀"]);
        assert_eq!(texts(&split_limited("abc", "", 2)), ["a", "bc"]);
        assert_eq!(replace("{0} {0}", "{0}", "2"), "2 2");
        assert_eq!(replace_limited("{0} {0}", "{0}", "2", 1), "2 {0}");
        assert_eq!(replace_limited("aa", "a", "b", 0), "aa");
        assert_eq!(replace_limited("aa", "a", "b", -1), "bb");
        assert_eq!(replace_limited("abc", "", "-", 2), "-a-bc");
    }

    #[test]
    fn only_ascii_changes_case() {
        assert_eq!(lower_ascii("TacoCÆt Xii"), "tacocÆt xii");
        assert_eq!(upper_ascii("tacoCαtß"), "TACOCαTß");
        assert!(matches!(lower_ascii("taco"), Cow::Borrowed(_)));
    }

    #[test]
    fn white_space_of_unicode_is_trimmed() {
        assert_eq!(trim(" \u{c}\n\r\t\u{b}text  "), "text");
        assert_eq!(trim("\u{85}\u{a0}\u{1680}text\u{2009}\u{3000}"), "text");
        let other = "\u{180e}text\u{200b}\u{200c}\u{200d}\u{2060}\u{feff}";
        assert_eq!(trim(other), other);
    }

    #[test]
    fn lists_of_strings_join() {
        let list = List::from(vec![Value::from("x"), Value::from("y")]);
        assert_eq!(join(&list, "-").as_deref(), Ok("x-y"));
        assert_eq!(join(&List::from(vec![]), "-").as_deref(), Ok(""));
        let mixed = List::from(vec![Value::from("x"), Value::from(1_i64)]);
        assert_eq!(join(&mixed, ""), Err(Error::NoSuchOverload));
    }

    #[test]
    fn quoting_escapes() {
        assert_eq!(quote("first\nsecond"), r#""first\nsecond""#);
        assert_eq!(quote("\u{7}\u{8}\u{b}\u{c}\r\t"), r#""\a\b\v\f\r\t""#);
        assert_eq!(quote(r#"mid " \ é😀"#), r#""mid \" \\ é😀""#);
        assert_eq!(reverse("Ta©oCαt"), "tαCo©aT");
    }
}
