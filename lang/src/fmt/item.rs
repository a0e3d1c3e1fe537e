//! The layout of items: declarations, chains and their steps.
//!
//! A chain that does not fit on its line has its head on one and each step on another. The arms of a `route` or
//! `split` always stand on lines of their own, so a chain with one is always broken.

use super::doc::Seq;
use super::layout::{INDENT, Layout, Style};
use crate::ast::{File, Item, ItemKind};

/// How far the inside of a step is indented: it stands behind `-> `.
const ARROW: usize = 3;

impl<'a> Layout<'a> {
    /// All items and the comments behind the last one.
    pub(super) fn file(&mut self, file: &File) -> Seq<'a> {
        let mut seq = Seq::new();
        for item in &file.items {
            seq.hard_line(self.follows_blank());
            self.item(item, &mut seq);
        }
        seq.hard_line(self.follows_blank());
        self.take_comments(&mut seq);
        seq
    }

    fn item(&mut self, item: &Item, seq: &mut Seq<'a>) {
        match &item.kind {
            ItemKind::Chain(_) => self.chain(seq),
            ItemKind::Template(template) => return self.template(&template.items, seq),
            ItemKind::For(item) => return self.for_item(&item.items, seq),
            ItemKind::Use(_) => {
                self.take_comments(seq);
                self.connector(seq);
            }
            _ => self.declaration(seq),
        }
        self.finish_item(seq);
    }

    /// `template name(parameter: type) { … }`
    fn template(&mut self, items: &[Item], seq: &mut Seq<'a>) {
        self.take(seq);
        seq.space();
        self.take(seq);
        seq.append(self.list(Style::LIST, |layout, seq| {
            layout.take(seq);
            layout.take_if(":", seq);
            seq.space();
            layout.take(seq);
        }));
        self.braces(items, seq);
    }

    /// `for row in table { … }`
    fn for_item(&mut self, items: &[Item], seq: &mut Seq<'a>) {
        for _ in 0..3 {
            self.take(seq);
            seq.space();
        }
        self.take(seq);
        if self.is("(") {
            seq.append(self.list(Style::ARGUMENTS, Self::take));
        }
        self.braces(items, seq);
    }

    /// Items in braces, each on lines of its own.
    fn braces(&mut self, items: &[Item], seq: &mut Seq<'a>) {
        seq.space();
        self.take(seq);
        let mut inner = Seq::new();
        for (position, item) in items.iter().enumerate() {
            inner.hard_line(position > 0 && self.follows_blank());
            self.item(item, &mut inner);
        }
        if self.has_comments() {
            inner.hard_line(self.follows_blank());
            self.take_comments(&mut inner);
        }
        let empty = inner.docs().is_empty();
        seq.nest(INDENT, inner);
        if !empty {
            seq.hard_line(false);
        }
        self.take(seq);
    }

    /// `keyword name: type = value`
    fn declaration(&mut self, seq: &mut Seq<'a>) {
        let node = matches!(self.text(0), "connection" | "source" | "sink" | "stage");
        self.take(seq);
        seq.space();
        self.take(seq);
        if self.take_if(":", seq) {
            seq.space();
            self.take(seq);
        }
        if !self.is("=") {
            return;
        }
        seq.space();
        self.take(seq);
        if node {
            seq.space();
            self.connector(seq);
        } else {
            self.value(seq);
        }
    }

    /// `kind`, `kind { … }` or the call of a stage.
    fn connector(&mut self, seq: &mut Seq<'a>) {
        self.take(seq);
        match self.text(0) {
            "{" => {
                seq.space();
                seq.append(self.list(Style::OPTIONS, Self::option));
            }
            "(" => seq.append(self.list(Style::LIST, Self::argument)),
            _ => {}
        }
    }

    /// `name: value`, where the value may be a block.
    fn option(&mut self, seq: &mut Seq<'a>) {
        self.take(seq);
        self.take_if(":", seq);
        // The grammar reads braces behind an option's colon as a block.
        if self.is("{") {
            seq.space();
            seq.append(self.list(Style::OPTIONS, Self::option));
        } else {
            self.value(seq);
        }
    }

    /// `value` or `name: value`.
    fn argument(&mut self, seq: &mut Seq<'a>) {
        if self.follows(1, ":") {
            self.take(seq);
            self.take(seq);
            self.value(seq);
        } else {
            self.element(seq);
        }
    }

    fn chain(&mut self, seq: &mut Seq<'a>) {
        let mut chain = Seq::new();
        // The comments before the item stand outside of its group.
        self.take_comments(seq);
        if self.is("[") {
            chain.append(self.list(Style::LIST, Self::edge));
        } else {
            self.edge(&mut chain);
        }
        self.steps(&mut chain);
        seq.group(chain);
    }

    /// `source` or `source.signal`.
    fn edge(&mut self, seq: &mut Seq<'a>) {
        self.take(seq);
        if self.take_if(".", seq) {
            self.take(seq);
        }
    }

    /// `-> step -> step`, each on a line of its own or all on one.
    fn steps(&mut self, seq: &mut Seq<'a>) {
        let mut steps = Seq::new();
        while self.is("->") {
            steps.line(" ", self.follows_blank());
            self.take(&mut steps);
            steps.space();
            let mut step = Seq::new();
            self.step(&mut step);
            steps.nest(ARROW, step);
        }
        seq.nest(INDENT, steps);
    }

    fn step(&mut self, seq: &mut Seq<'a>) {
        if self.is("[") {
            seq.append(self.list(Style::LIST, Self::branch));
        } else if matches!(self.text(0), "route" | "split") && self.follows(1, "{") {
            self.take(seq);
            seq.space();
            seq.append(self.list(Style::ARMS, Self::arm));
        } else {
            self.connector(seq);
        }
    }

    /// Steps without a head.
    fn branch(&mut self, seq: &mut Seq<'a>) {
        let mut branch = Seq::new();
        self.take_comments(seq);
        self.step(&mut branch);
        self.steps(&mut branch);
        seq.group(branch);
    }

    /// `condition => branch` or `else => branch`.
    fn arm(&mut self, seq: &mut Seq<'a>) {
        if self.follows(1, "=>") {
            self.take(seq);
        } else {
            self.element(seq);
        }
        if !self.is("=>") {
            return;
        }
        seq.space();
        self.take(seq);
        let mut branch = Seq::new();
        let mut first = Seq::new();
        self.step(&mut first);
        if self.is("->") {
            branch.line(" ", false);
            self.steps(&mut first);
            branch.group(first);
            let mut group = Seq::new();
            group.nest(INDENT, branch);
            seq.group(group);
        } else {
            seq.space();
            seq.append(first);
        }
    }
}
