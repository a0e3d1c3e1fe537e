//! A second, slow reading of export requests to compare with: trees of owned bytes.

use prost::encoding::{
    DecodeContext, WireType, decode_key, decode_varint, encode_varint, skip_field,
};

use crate::payload::Signal;
use crate::testing::Random;

/// The number of fields that no schema knows.
const UNKNOWN: u32 = 900;

/// An envelope, as a tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Node {
    /// The field number under which it stands in the envelope around it.
    number: u32,
    /// Its own fields, each with its tag.
    own: Vec<Vec<u8>>,
    children: Vec<Child>,
}

/// What an envelope exists for.
#[derive(Clone, Debug, PartialEq)]
enum Child {
    Envelope(Node),
    /// A record with its tag and length.
    Record(Vec<u8>),
}

impl Node {
    /// Reads an export request.
    pub(super) fn read(signal: Signal, request: &[u8]) -> Self {
        Self::read_level(signal, 0, 0, request)
    }

    fn read_level(signal: Signal, depth: usize, number: u32, mut rest: &[u8]) -> Self {
        let mut node = Self {
            number,
            ..Self::default()
        };
        while !rest.is_empty() {
            let field = rest;
            let (number, wire_type) = decode_key(&mut rest).unwrap();
            let mut payload = rest;
            skip_field(wire_type, number, &mut rest, DecodeContext::default()).unwrap();
            let field = &field[..field.len() - rest.len()];
            if !is_child(depth, number) {
                node.own.push(field.to_vec());
                continue;
            }
            assert_eq!(wire_type, WireType::LengthDelimited);
            let length = decode_varint(&mut payload).unwrap() as usize;
            let leaf_depth = if signal == Signal::Metrics { 4 } else { 2 };
            node.children.push(if depth == leaf_depth {
                Child::Record(field.to_vec())
            } else {
                Child::Envelope(Self::read_level(
                    signal,
                    depth + 1,
                    number,
                    &payload[..length],
                ))
            });
        }
        node
    }

    /// Adds fields that no schema knows and moves the own fields of every envelope to random places,
    /// between its children too.
    pub(super) fn disturb(&self, random: &mut Random, top_level: bool) -> Vec<u8> {
        let mut own = self.own.clone();
        while top_level && random.one_in(2) {
            let mut unknown = Vec::new();
            encode_varint(u64::from(UNKNOWN << 3), &mut unknown);
            encode_varint(random.number(), &mut unknown);
            own.push(unknown);
        }
        let mut fields: Vec<Vec<u8>> = self
            .children
            .iter()
            .map(|child| child.encode(|node| node.disturb(random, true)))
            .collect();
        for field in own {
            fields.insert(random.below(fields.len() + 1), field);
        }
        fields.concat()
    }

    /// The same tree with only the records that `keep` keeps, without empty envelopes.
    pub(super) fn retain(&self, keep: &mut impl FnMut() -> bool) -> Self {
        let children = self.children.iter().filter_map(|child| match child {
            Child::Record(_) => keep().then(|| child.clone()),
            Child::Envelope(node) => {
                let kept = node.retain(keep);
                (!kept.children.is_empty()).then_some(Child::Envelope(kept))
            }
        });
        Self {
            number: self.number,
            own: self.own.clone(),
            children: children.collect(),
        }
    }

    /// The records, in order.
    pub(super) fn records(&self) -> Vec<&[u8]> {
        let records = self.children.iter().flat_map(|child| match child {
            Child::Record(record) => vec![record.as_slice()],
            Child::Envelope(node) => node.records(),
        });
        records.collect()
    }

    /// The fields of envelopes that no schema knows, sorted.
    pub(super) fn unknown_fields(&self) -> Vec<Vec<u8>> {
        let mut found: Vec<_> = self
            .own
            .iter()
            .filter(|field| is_unknown(field))
            .cloned()
            .collect();
        for child in &self.children {
            if let Child::Envelope(node) = child {
                found.extend(node.unknown_fields());
            }
        }
        found.sort();
        found
    }

    /// The shortest encoding: own fields first.
    pub(super) fn encode(&self) -> Vec<u8> {
        let children = self.children.iter().map(|child| child.encode(Self::encode));
        self.own
            .iter()
            .cloned()
            .chain(children)
            .collect::<Vec<_>>()
            .concat()
    }

    /// Sorts own fields, whose order does not matter, and merges envelopes that were cut.
    pub(super) fn sorted(mut self) -> Self {
        self.own.sort();
        for child in &mut self.children {
            if let Child::Envelope(node) = child {
                *node = std::mem::take(node).sorted();
            }
        }
        self
    }
}

impl Child {
    fn encode(&self, payload: impl FnOnce(&Node) -> Vec<u8>) -> Vec<u8> {
        match self {
            Self::Record(record) => record.clone(),
            Self::Envelope(node) => {
                let payload = payload(node);
                let mut field = Vec::new();
                encode_varint(u64::from(node.number << 3 | 2), &mut field);
                encode_varint(payload.len() as u64, &mut field);
                field.extend(payload);
                field
            }
        }
    }
}

/// Whether `disturb` added a field.
fn is_unknown(mut field: &[u8]) -> bool {
    decode_key(&mut field).unwrap().0 == UNKNOWN
}

fn is_child(depth: usize, number: u32) -> bool {
    match depth {
        0 | 4 => number == 1,
        1 | 2 => number == 2,
        _ => [5, 7, 9, 10, 11].contains(&number),
    }
}
