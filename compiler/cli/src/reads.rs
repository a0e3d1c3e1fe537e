//! What a walk reads, root by root, and how many bytes of a record that is at most.
//!
//! In: a plan and one of its walks. Out: [`Reads`], which `flowc explain` prints. It counts what the conditions and
//! subjects of the walk name, through named predicates too.

use std::collections::{BTreeMap, BTreeSet};

use watershed_compiler::catalog::signals::{self, FieldSpec, Reader, Root};
use watershed_compiler::hir::PredicateId;
use watershed_compiler::level::Level;
use watershed_compiler::plan::{Condition, ConditionKind, Plan, Tree, Value, ValueKind, Walk};

/// What a walk reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reads {
    /// By root, in the order of the levels.
    pub(crate) of: BTreeMap<Root, OfRoot>,
    predicates: BTreeSet<PredicateId>,
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
    /// What the tests of a walk and the subjects of its targets read.
    pub(crate) fn of_walk(plan: &Plan, walk: &Walk) -> Self {
        let mut reads = Self::default();
        reads.tree(plan, &walk.tree);
        reads
    }

    /// The deepest level that is read.
    pub(crate) fn depth(&self) -> Level {
        let levels = self.of.keys().map(|root| root.level());
        levels.max().unwrap_or(Level::Const)
    }

    fn tree(&mut self, plan: &Plan, tree: &Tree) {
        tree.for_each_value(&mut |value| self.own(value));
        tree.for_each_condition(&mut |condition| self.named(plan, condition));
        for subject in tree
            .targets()
            .into_iter()
            .filter_map(|target| plan.subject(target))
        {
            self.value(plan, subject);
        }
    }

    fn value(&mut self, plan: &Plan, value: &Value) {
        value.for_each(&mut |inner| self.own(inner));
        value.for_each_condition(&mut |condition| self.named(plan, condition));
    }

    /// What a named predicate reads, once.
    fn named(&mut self, plan: &Plan, condition: &Condition) {
        if let ConditionKind::Predicate(id) = condition.kind
            && self.predicates.insert(id)
            && let Some(predicate) = plan.predicates.get(&id)
        {
            predicate
                .condition
                .for_each_value(&mut |value| self.own(value));
            predicate
                .condition
                .for_each_condition(&mut |inner| self.named(plan, inner));
        }
    }

    /// What a value reads by itself.
    fn own(&mut self, value: &Value) {
        match &value.kind {
            ValueKind::Field(field) if field.reader == Reader::SpanDuration => {
                for name in ["start_time_unix_nano", "end_time_unix_nano"] {
                    self.field(signals::field(Root::Span, name));
                }
            }
            ValueKind::Field(field) => self.field(Some(field)),
            ValueKind::Attribute { map, key } => {
                let of = self.of.entry(map.root).or_default();
                of.attributes.insert(key.clone());
            }
            _ => {}
        }
    }

    fn field(&mut self, field: Option<&'static FieldSpec>) {
        if let Some(field) = field {
            self.of.entry(field.root).or_default().fields.insert(field);
        }
    }
}

impl OfRoot {
    /// What is read, by name: `severity_number, attributes "a", "b"`.
    pub(crate) fn names(&self) -> String {
        let fields = self.fields.iter().map(|field| match field.name {
            "" => field.root.name().to_owned(),
            name => name.to_owned(),
        });
        let keys: Vec<_> = self
            .attributes
            .iter()
            .map(|key| format!("{key:?}"))
            .collect();
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
        for key in &self.attributes {
            lengths.push(format!("the length of attribute {key:?}"));
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
