//! What a walk reads, root by root, and how many bytes of a record that is at most.
//!
//! In: a walk, whose plan says what it reads. Out: [`Reads`], which `flowc explain` prints and `flowc graph` draws.

use std::collections::{BTreeMap, BTreeSet};

use watershed_compiler::catalog::signals::{self, FieldSpec, Reader, Root};
use watershed_compiler::level::Level;
use watershed_compiler::plan::Walk;
use watershed_compiler::plan::reads::Key;

/// How many attributes of one message are named.
const MOST: usize = 12;

/// What a walk reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reads {
    /// By root, in the order of the levels.
    pub(crate) of: BTreeMap<Root, OfRoot>,
}

/// What is read of one root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct OfRoot {
    /// Its fields.
    pub(crate) fields: BTreeSet<&'static FieldSpec>,
    /// The keys of its attributes.
    pub(crate) attributes: BTreeSet<String>,
}

impl Reads {
    /// What the tests, changes and subjects of a walk read.
    pub(crate) fn of_walk(walk: &Walk) -> Self {
        let mut reads = Self::default();
        for (root, keys) in walk.reads.by_level() {
            let of = reads.of.entry(root).or_default();
            for key in keys {
                match key {
                    Key::Field(field) => _ = of.fields.insert(*field),
                    Key::Attribute { key, .. } => _ = of.attributes.insert(key.clone()),
                }
            }
        }
        if walk.reads.request
            && let Some(signal) = signals::field(Root::Payload, "")
        {
            reads
                .of
                .entry(signal.root)
                .or_default()
                .fields
                .insert(signal);
        }
        reads
    }

    /// The deepest level that is read.
    pub(crate) fn depth(&self) -> Level {
        let levels = self.of.keys().map(|root| root.level());
        levels.max().unwrap_or(Level::Const)
    }
}

impl OfRoot {
    /// What is read, by name: `severity_number, attributes "a", "b"`.
    pub(crate) fn names(&self) -> String {
        let fields = self.fields.iter().map(|field| match field.name {
            "" => field.root.name().to_owned(),
            name => name.to_owned(),
        });
        let mut keys: Vec<_> = self
            .attributes
            .iter()
            .take(MOST)
            .map(|key| format!("{key:?}"))
            .collect();
        if self.attributes.len() > MOST {
            keys.push(format!("… and {} more", self.attributes.len() - MOST));
        }
        let attributes = (!keys.is_empty()).then(|| format!("attributes {}", keys.join(", ")));
        fields.chain(attributes).collect::<Vec<_>>().join(", ")
    }

    /// How many bytes of one message are read at most, as a sum: what the wire fixes is a number, and the length of what
    /// it does not fix stands by its name.
    pub(crate) fn bound(&self) -> String {
        let (mut fixed, mut lengths) = (0, Vec::new());
        for field in &self.fields {
            match widest(field.reader) {
                Some(bytes) => fixed += bytes,
                None => lengths.push(format!("the length of `{}`", field.name)),
            }
        }
        if !self.attributes.is_empty() {
            lengths.push("the headers and keys of its attributes".to_owned());
        }
        match self.attributes.len() {
            0..=MOST => {
                let keys = self.attributes.iter();
                lengths.extend(keys.map(|key| format!("the length of attribute {key:?}")));
            }
            count => lengths.push(format!("the lengths of {count} of them")),
        }
        let mut sum = vec!["the headers of its fields".to_owned()];
        sum.extend((fixed > 0).then(|| format!("{fixed} bytes")));
        sum.extend(lengths);
        sum.join(" + ")
    }
}

/// How many bytes a value has at most; `None` where only its length on the wire says it. A varint has up to ten, a
/// negative enumeration all of them.
const fn widest(reader: Reader) -> Option<u32> {
    match reader {
        Reader::Fixed32 => Some(4),
        Reader::Fixed64 => Some(8),
        Reader::Unsigned | Reader::Enumeration | Reader::Boolean => Some(10),
        // The two fields that a duration is computed from are counted for it.
        Reader::SpanDuration | Reader::SignalName => Some(0),
        Reader::Text
        | Reader::Bytes
        | Reader::AnyValue
        | Reader::Attributes
        | Reader::Messages(_) => None,
    }
}
