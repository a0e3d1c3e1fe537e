//! Lays out a sequence: decides which groups fit on their line and writes the text.
//!
//! In: a [`Seq`]. Out: text whose lines are at most [`WIDTH`] wide where that is possible. Line ends are not written
//! where they are met but before the next text, so that neither blanks nor empty lines are left over, and nothing
//! ever stands behind a `//` comment. The printer keeps its own stack and looks ahead one line at most.

use std::slice::Iter;

use super::doc::{Comment, Doc, Seq};

/// How wide lines may be, in characters.
pub(super) const WIDTH: usize = 100;

/// Lays out a whole file.
pub(super) fn print(seq: &Seq<'_>) -> String {
    let mut printer = Printer {
        out: String::new(),
        column: 0,
        pending: Pending::Nothing,
        after_comment: false,
        frames: vec![Frame {
            docs: seq.docs().iter(),
            indent: 0,
            mode: Mode::Broken,
        }],
    };
    while let Some(frame) = printer.frames.last_mut() {
        let (indent, mode) = (frame.indent, frame.mode);
        match frame.docs.next() {
            Some(doc) => printer.doc(doc, indent, mode),
            None => {
                printer.frames.pop();
            }
        }
    }
    let mut out = printer.out;
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// Whether a `Line` ends a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Flat,
    Broken,
}

/// What must be written before the next text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Pending {
    Nothing,
    LineEnd,
    EmptyLine,
}

/// Pieces that are still to be printed.
#[derive(Clone)]
struct Frame<'d, 'a> {
    docs: Iter<'d, Doc<'a>>,
    indent: usize,
    mode: Mode,
}

struct Printer<'d, 'a> {
    out: String,
    /// How many characters stand on the last line.
    column: usize,
    pending: Pending,
    /// Whether the last thing written is a comment that more may follow.
    after_comment: bool,
    frames: Vec<Frame<'d, 'a>>,
}

impl<'d, 'a> Printer<'d, 'a> {
    fn doc(&mut self, doc: &'d Doc<'a>, indent: usize, mode: Mode) {
        match doc {
            Doc::Text(text) => self.text(text, indent),
            Doc::Space => self.space(),
            Doc::Line { flat: "", .. } if mode == Mode::Flat => {}
            Doc::Line { .. } if mode == Mode::Flat => self.space(),
            Doc::Line { blank, .. } => self.end_line(*blank),
            Doc::IfBroken(text) if mode == Mode::Broken => self.text(text, indent),
            Doc::IfBroken(_) => {}
            Doc::Comment(comment) => self.comment(comment, indent),
            Doc::Blank => self.keep_blank(),
            Doc::Nest(columns, inner) => self.frames.push(Frame {
                docs: inner.docs().iter(),
                indent: indent + columns,
                mode,
            }),
            Doc::Group(inner) => {
                let fits = mode == Mode::Flat || (!inner.is_forced() && self.fits(inner, indent));
                self.frames.push(Frame {
                    docs: inner.docs().iter(),
                    indent,
                    mode: if fits { Mode::Flat } else { Mode::Broken },
                });
            }
        }
    }

    /// Whether the next text begins a line.
    fn begins_line(&self) -> bool {
        self.pending != Pending::Nothing || self.column == 0
    }

    fn end_line(&mut self, blank: bool) {
        let wanted = if blank {
            Pending::EmptyLine
        } else {
            Pending::LineEnd
        };
        self.pending = self.pending.max(wanted);
    }

    fn keep_blank(&mut self) {
        if self.pending == Pending::LineEnd {
            self.pending = Pending::EmptyLine;
        }
    }

    fn space(&mut self) {
        if !self.begins_line() && !self.out.ends_with(' ') {
            self.out.push(' ');
            self.column += 1;
        }
    }

    fn text(&mut self, text: &str, indent: usize) {
        let closes = text.starts_with([',', ';', ')', ']', '}']);
        if std::mem::take(&mut self.after_comment) && !closes {
            self.space();
        }
        self.write(text, indent);
    }

    fn write(&mut self, text: &str, indent: usize) {
        if self.pending != Pending::Nothing {
            self.out.truncate(self.out.trim_end_matches(' ').len());
            if !self.out.is_empty() {
                self.out.push('\n');
                if self.pending == Pending::EmptyLine {
                    self.out.push('\n');
                }
            }
            self.pending = Pending::Nothing;
            self.column = 0;
        }
        if self.column == 0 {
            self.out.extend(std::iter::repeat_n(' ', indent));
            self.column = indent;
        }
        self.out.push_str(text);
        self.column = match text.rsplit_once('\n') {
            Some((_, last)) => width(last),
            None => self.column + width(text),
        };
    }

    fn comment(&mut self, comment: &Comment<'_>, indent: usize) {
        self.after_comment = false;
        if comment.own_line && comment.ends_line && self.column > 0 {
            self.end_line(false);
        }
        if comment.blank {
            self.keep_blank();
        }
        if !self.out.ends_with(['(', '[', '{']) || comment.text.starts_with("//") {
            self.space();
        }
        self.write(&comment.text, indent);
        if comment.ends_line {
            self.end_line(false);
        } else {
            self.after_comment = true;
        }
    }

    /// Whether a group and what follows it up to the next line end fit on the line.
    fn fits(&self, group: &'d Seq<'a>, indent: usize) -> bool {
        let start = if self.begins_line() {
            indent
        } else {
            self.column
        };
        let mut measure = Measure {
            left: WIDTH.checked_sub(start),
            indent,
            content: false,
        };
        let mut frames = vec![(group.docs().iter(), Mode::Flat)];
        let mut outer = self.frames.iter().rev();
        while measure.left.is_some() {
            let Some((docs, mode)) = frames.last_mut() else {
                match outer.next() {
                    Some(frame) => frames.push((frame.docs.clone(), frame.mode)),
                    None => return true,
                }
                continue;
            };
            let mode = *mode;
            match docs.next() {
                None => {
                    frames.pop();
                }
                Some(Doc::Group(inner) | Doc::Nest(_, inner)) => {
                    frames.push((inner.docs().iter(), mode));
                }
                Some(doc) if measure.ends_line(doc, mode) => return measure.left.is_some(),
                Some(_) => {}
            }
        }
        false
    }
}

/// How much of a line is left while pieces are laid on it in thought.
struct Measure {
    /// Characters that still fit; `None` when something did not.
    left: Option<usize>,
    indent: usize,
    content: bool,
}

impl Measure {
    fn take(&mut self, characters: usize) {
        self.left = self.left.and_then(|left| left.checked_sub(characters));
    }

    /// Lays a piece on the line; whether the line ends with it.
    fn ends_line(&mut self, doc: &Doc<'_>, mode: Mode) -> bool {
        match doc {
            Doc::Text(text) => {
                self.content = true;
                let line = text.split('\n').next().unwrap_or("");
                self.take(width(line));
                line.len() < text.len()
            }
            Doc::Space => {
                self.take(1);
                false
            }
            Doc::Line { .. } if mode == Mode::Broken => true,
            Doc::Line { flat, .. } => {
                self.take(flat.len());
                false
            }
            Doc::IfBroken(text) => {
                if mode == Mode::Broken {
                    self.take(text.len());
                }
                false
            }
            Doc::Comment(comment) if comment.ends_line => {
                if !self.content {
                    self.left = WIDTH.checked_sub(self.indent);
                } else if !comment.text.starts_with("//") {
                    self.take(width(&comment.text) + 1);
                }
                self.content
            }
            Doc::Comment(comment) => {
                self.take(width(&comment.text) + 1);
                self.content && comment.text.contains('\n')
            }
            Doc::Blank | Doc::Group(_) | Doc::Nest(..) => false,
        }
    }
}

fn width(text: &str) -> usize {
    text.chars().count()
}
