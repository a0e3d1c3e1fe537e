//! Concatenations, alternatives, groups and repetitions.

use crate::class::rewrite_class;
use crate::escape::{perl_class, read_character, rewrite_property, write_class, write_literal};
use crate::group::{Opening, rewrite_opening};
use crate::reader::Reader;
use crate::{Fault, Problem};

/// RE2 refuses to repeat anything more often than this, nested repetitions multiplied.
const MAX_REPEAT: u64 = 1_000;

/// The `regex` crate refuses to nest more than 250 constructs; a repetition of a group is two.
const MAX_DEPTH: usize = 100;

/// How many characters and classes a pattern may come to when its repetitions are written out.
const MAX_WEIGHT: u64 = 20_000;

/// How much more a class weighs than a character.
const CLASS_WEIGHT: u64 = 50;

/// The pattern for `regex::bytes::Regex`.
pub fn rewrite(pattern: &str) -> Result<String, Fault> {
    let mut rewriter = Rewriter {
        reader: Reader::new(pattern),
        written: String::with_capacity(pattern.len() + 16),
        enclosing: Vec::new(),
        group: Group::default(),
        last: Last::Nothing,
        last_end: 0,
    };
    while let Some(character) = rewriter.reader.next() {
        rewriter.step(character)?;
    }
    rewriter.finish()
}

/// What a repetition would apply to.
#[derive(Clone, Copy)]
enum Last {
    Nothing,
    Atom { repeats: u64, weight: u64 },
    Repetition,
}

/// Sums over what has been read of a group.
#[derive(Clone, Copy, Default)]
struct Group {
    /// Where its parenthesis stands.
    opened: usize,
    /// The largest product of nested repetitions.
    repeats: u64,
    weight: u64,
}

struct Rewriter<'p> {
    reader: Reader<'p>,
    written: String,
    enclosing: Vec<Group>,
    group: Group,
    last: Last,
    /// Where `last` ends in `written`: flags behind it do not keep a repetition from it.
    last_end: usize,
}

impl Rewriter<'_> {
    fn step(&mut self, character: char) -> Result<(), Fault> {
        let start = self.reader.offset() - character.len_utf8();
        match character {
            '\\' => self.escape(start),
            '[' => {
                rewrite_class(&mut self.reader, &mut self.written)?;
                self.atom(CLASS_WEIGHT)
            }
            '.' => {
                self.written.push('.');
                self.atom(CLASS_WEIGHT)
            }
            '^' | '$' => {
                self.written.push(character);
                self.atom(0)
            }
            '|' => {
                self.written.push('|');
                self.last = Last::Nothing;
                Ok(())
            }
            '(' => self.open(start),
            ')' => self.close(start),
            '*' | '+' | '?' => self.repeat(start, None),
            '{' => match self.counts() {
                Some(counts) => self.repeat(start, Some(counts)),
                None => self.literal('{'),
            },
            other => self.literal(other),
        }
    }

    fn literal(&mut self, character: char) -> Result<(), Fault> {
        write_literal(character, &mut self.written);
        self.atom(1)
    }

    /// Counts what was just written as one that a repetition may follow.
    fn atom(&mut self, weight: u64) -> Result<(), Fault> {
        self.last = Last::Atom { repeats: 1, weight };
        self.last_end = self.written.len();
        self.weigh(weight)
    }

    fn weigh(&mut self, weight: u64) -> Result<(), Fault> {
        self.group.weight = self.group.weight.saturating_add(weight);
        if self.group.weight > MAX_WEIGHT {
            Err(self.reader.fault(Problem::TooLarge, 0))
        } else {
            Ok(())
        }
    }

    fn escape(&mut self, start: usize) -> Result<(), Fault> {
        let Some(letter) = self.reader.peek() else {
            return Err(self.reader.fault(Problem::TrailingBackslash, start));
        };
        if let Some((members, negated)) = perl_class(letter) {
            self.reader.next();
            write_class(members, negated, &mut self.written);
            return self.atom(CLASS_WEIGHT);
        }
        let assertion = match letter {
            'A' => r"\A",
            'z' => r"\z",
            'b' => r"(?-u:\b)",
            'B' => r"(?-u:\B)",
            // Any byte.
            'C' => "(?s-u:.)",
            'p' | 'P' => {
                self.reader.next();
                rewrite_property(&mut self.reader, letter == 'P', &mut self.written)?;
                return self.atom(CLASS_WEIGHT);
            }
            'Q' => return self.quoted(),
            _ => {
                let character = read_character(&mut self.reader)?;
                return self.literal(character);
            }
        };
        self.reader.next();
        self.written.push_str(assertion);
        self.atom(1)
    }

    /// `\Q…\E`: characters that mean themselves, up to the end without `\E`.
    fn quoted(&mut self) -> Result<(), Fault> {
        self.reader.next();
        let text = match self.reader.take_until(r"\E") {
            Some(text) => text,
            None => self.reader.take_rest(),
        };
        text.chars()
            .try_for_each(|character| self.literal(character))
    }

    fn open(&mut self, start: usize) -> Result<(), Fault> {
        match rewrite_opening(&mut self.reader, &mut self.written)? {
            Opening::Flags => return Ok(()),
            Opening::Group if self.enclosing.len() >= MAX_DEPTH => {
                return Err(self.reader.fault(Problem::TooDeep, start));
            }
            Opening::Group => {
                self.enclosing.push(self.group);
                self.group = Group {
                    opened: start,
                    ..Group::default()
                };
            }
        }
        self.last = Last::Nothing;
        Ok(())
    }

    fn close(&mut self, start: usize) -> Result<(), Fault> {
        let unexpected = self.reader.fault(Problem::UnexpectedParenthesis, start);
        let enclosing = self.enclosing.pop().ok_or(unexpected)?;
        let inner = std::mem::replace(&mut self.group, enclosing);
        self.group.repeats = self.group.repeats.max(inner.repeats);
        self.written.push(')');
        let weight = inner.weight + 1;
        self.last = Last::Atom {
            repeats: inner.repeats.max(1),
            weight,
        };
        self.last_end = self.written.len();
        self.weigh(weight)
    }

    /// The counts of `{2}`, `{2,}` or `{2,3}`; `None`, and nothing read, when the brace means itself.
    fn counts(&mut self) -> Option<(u32, Option<u32>)> {
        let start = self.reader.offset();
        let counts = self.read_counts();
        if counts.is_none() {
            self.reader.go_back(start);
        }
        counts
    }

    fn read_counts(&mut self) -> Option<(u32, Option<u32>)> {
        let least = self.reader.take_number()?;
        let most = if !self.reader.take(",") {
            Some(least)
        } else if self.reader.rest().starts_with('}') {
            None
        } else {
            Some(self.reader.take_number()?)
        };
        self.reader.take("}").then_some((least, most))
    }

    /// `*`, `+` and `?` without counts, or those of a brace, each with `?` behind it or not.
    fn repeat(&mut self, start: usize, counts: Option<(u32, Option<u32>)>) -> Result<(), Fault> {
        let (repeats, weight) = match self.last {
            Last::Nothing => return Err(self.reader.fault(Problem::NothingToRepeat, start)),
            Last::Repetition => return Err(self.reader.fault(Problem::RepeatedRepetition, start)),
            Last::Atom { repeats, weight } => (repeats, weight),
        };
        let too_large = self.reader.fault(Problem::RepetitionTooLarge, start);
        let times = match counts {
            None => 1,
            Some((least, most)) => {
                let most = most.unwrap_or(least);
                if most < least || u64::from(most) > MAX_REPEAT {
                    return Err(too_large);
                }
                u64::from(most)
            }
        };
        let repeats = repeats * times.max(1);
        if repeats > MAX_REPEAT {
            return Err(too_large);
        }
        self.group.repeats = self.group.repeats.max(repeats);
        let end = self.reader.offset();
        self.reader.go_back(start);
        let rest = self.reader.rest();
        self.reader.go_back(end);
        let lazy = usize::from(self.reader.take("?"));
        let operator = rest.get(..end - start + lazy).unwrap_or_default();
        self.written.insert_str(self.last_end, operator);
        self.last = Last::Repetition;
        self.weigh(weight.saturating_mul(times.saturating_sub(1)))
    }

    fn finish(self) -> Result<String, Fault> {
        if self.enclosing.is_empty() {
            Ok(self.written)
        } else {
            Err(self
                .reader
                .fault(Problem::MissingParenthesis, self.group.opened))
        }
    }
}
