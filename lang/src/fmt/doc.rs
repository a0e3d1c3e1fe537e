//! What the formatter prints, before it knows where lines end.
//!
//! In: texts, places where a line may end, comments. Out: a [`Seq`] that `print` lays out. A [`Doc::Group`] stands on
//! one line when it fits and has no comment inside that ends a line; otherwise every [`Doc::Line`] directly in it
//! ends a line. This is the algebra of Wadler's "A prettier printer", kept small: a crate for it would be compiled by
//! every user's build and would not know comments.

use std::borrow::Cow;

/// One piece of output.
#[derive(Debug)]
pub(super) enum Doc<'a> {
    /// A token. Only raw strings hold line ends.
    Text(Cow<'a, str>),
    /// One blank, unless the line begins here.
    Space,
    /// A line end in a broken group, `flat` in one that fits.
    Line {
        /// What stands here when no line ends.
        flat: &'static str,
        /// Whether an empty line was written here.
        blank: bool,
    },
    /// A text that is only written in a broken group.
    IfBroken(&'static str),
    /// A comment.
    Comment(Comment<'a>),
    /// Keeps an empty line behind a comment that ends a line.
    Blank,
    /// Pieces that stand on one line, or in which every `Line` ends one.
    Group(Seq<'a>),
    /// Pieces whose lines are indented by so many columns more.
    Nest(usize, Seq<'a>),
}

/// A comment and how it stands between its neighbours.
#[derive(Clone, Debug)]
pub(super) struct Comment<'a> {
    /// Its text with delimiters.
    pub(super) text: Cow<'a, str>,
    /// Whether it begins a line.
    pub(super) own_line: bool,
    /// Whether nothing stands behind it on its line.
    pub(super) ends_line: bool,
    /// Whether an empty line stood before it.
    pub(super) blank: bool,
}

/// What the pieces of a sequence say about the groups around them.
#[derive(Clone, Copy, Debug, Default)]
struct Shape {
    /// A comment that ends a line stands before any text.
    leads: bool,
    /// A line ends between two texts, whatever the width.
    forced: bool,
    /// The last text has a comment behind it that ends the line.
    open: bool,
    /// There is text.
    content: bool,
}

impl Shape {
    /// Takes the next piece into account. Comments before the first text and behind the last one leave a group flat.
    fn then(&mut self, next: Self) {
        self.forced |= next.forced
            || (next.content && self.open)
            || (next.leads && self.content && next.content);
        if next.content {
            self.leads |= next.leads && !self.content;
            self.open = next.open;
            self.content = true;
        } else if next.leads && self.content {
            self.open = true;
        } else {
            self.leads |= next.leads;
        }
    }
}

/// Pieces one behind the other.
#[derive(Debug, Default)]
pub(super) struct Seq<'a> {
    docs: Vec<Doc<'a>>,
    shape: Shape,
}

impl<'a> Seq<'a> {
    /// Nothing.
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// The pieces.
    pub(super) fn docs(&self) -> &[Doc<'a>] {
        &self.docs
    }

    /// Whether a line ends inside, whatever the width.
    pub(super) const fn is_forced(&self) -> bool {
        self.shape.forced
    }

    /// Adds a token.
    pub(super) fn text(&mut self, text: impl Into<Cow<'a, str>>) {
        let text = text.into();
        let forced = text.contains('\n');
        self.push(
            Shape {
                forced,
                content: true,
                ..Shape::default()
            },
            Doc::Text(text),
        );
    }

    /// Adds a blank.
    pub(super) fn space(&mut self) {
        self.docs.push(Doc::Space);
    }

    /// Adds a place where a line may end.
    pub(super) fn line(&mut self, flat: &'static str, blank: bool) {
        self.docs.push(Doc::Line { flat, blank });
    }

    /// Adds a place where a line always ends.
    pub(super) fn hard_line(&mut self, blank: bool) {
        self.shape.forced = true;
        self.line("", blank);
    }

    /// Adds a text for broken groups.
    pub(super) fn if_broken(&mut self, text: &'static str) {
        self.docs.push(Doc::IfBroken(text));
    }

    /// Keeps an empty line that stood here, if a comment ended the line.
    pub(super) fn blank(&mut self) {
        self.docs.push(Doc::Blank);
    }

    /// Adds a comment.
    pub(super) fn comment(&mut self, comment: Comment<'a>) {
        let shape = Shape {
            leads: comment.ends_line || comment.text.contains('\n'),
            ..Shape::default()
        };
        self.push(shape, Doc::Comment(comment));
    }

    /// Adds the pieces of another sequence.
    pub(super) fn append(&mut self, other: Self) {
        self.shape.then(other.shape);
        self.docs.extend(other.docs);
    }

    /// Adds a group.
    pub(super) fn group(&mut self, inner: Self) {
        self.push(inner.shape, Doc::Group(inner));
    }

    /// Adds pieces that are indented by `columns` more.
    pub(super) fn nest(&mut self, columns: usize, inner: Self) {
        self.push(inner.shape, Doc::Nest(columns, inner));
    }

    /// These pieces as one group.
    pub(super) fn grouped(self) -> Self {
        let mut group = Self::new();
        group.group(self);
        group
    }

    fn push(&mut self, shape: Shape, doc: Doc<'a>) {
        self.shape.then(shape);
        self.docs.push(doc);
    }
}
