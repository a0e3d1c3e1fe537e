//! A slow reading of export requests to compare with: the envelopes as a tree of owned bytes.
//!
//! Nothing is decoded but the envelopes, so records and all other fields are compared byte by byte, those that no schema
//! knows included.

use anyhow::{Context, Result, ensure};
use prost::encoding::{
    DecodeContext, WireType, decode_key, decode_varint, encode_varint, skip_field,
};

/// The number of fields that no schema knows.
const UNKNOWN: u32 = 900;

/// What is kept or dropped in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// Log records or spans.
    Records,
    /// Data points.
    Points,
}

/// An envelope, as a tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
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
    ///
    /// # Errors
    ///
    /// When it is not one.
    ///
    /// ```
    /// use watershed_samples::tree::{Leaves, Node};
    ///
    /// // One resource group with one scope group with two log records, the second one of severity 9.
    /// let request = [0x0a, 8, 0x12, 6, 0x12, 0, 0x12, 2, 0x10, 9];
    /// let tree = Node::read(Leaves::Records, &request)?;
    /// let mut kept = [false, true].into_iter();
    /// let rest = tree.retain(&mut || kept.next() == Some(true));
    /// assert_eq!(rest.encode(), [0x0a, 6, 0x12, 4, 0x12, 2, 0x10, 9]);
    /// # Ok::<(), anyhow::Error>(())
    /// ```
    pub fn read(leaves: Leaves, request: &[u8]) -> Result<Self> {
        Self::read_level(leaves, 0, 0, request)
    }

    fn read_level(leaves: Leaves, depth: usize, number: u32, mut rest: &[u8]) -> Result<Self> {
        let mut node = Self {
            number,
            ..Self::default()
        };
        while !rest.is_empty() {
            let whole = rest;
            let (number, wire_type) = decode_key(&mut rest)?;
            let mut payload = rest;
            skip_field(wire_type, number, &mut rest, DecodeContext::default())?;
            let (field, _) = whole.split_at(whole.len() - rest.len());
            if !is_child(depth, number) {
                node.own.push(field.to_vec());
                continue;
            }
            ensure!(wire_type == WireType::LengthDelimited, "not an envelope");
            let leaf_depth = match leaves {
                Leaves::Records => 2,
                Leaves::Points => 4,
            };
            node.children.push(if depth == leaf_depth {
                Child::Record(field.to_vec())
            } else {
                let length = usize::try_from(decode_varint(&mut payload)?)?;
                let payload = payload.get(..length).context("too short")?;
                Child::Envelope(Self::read_level(leaves, depth + 1, number, payload)?)
            });
        }
        Ok(node)
    }

    /// Encodes it with the own fields of every envelope in other places, between its children too, and with fields that
    /// no schema knows: in the request itself when `top_level` says so, in all other envelopes in any case. `below`
    /// gives a number below its argument by chance.
    pub fn disturb(&self, below: &mut dyn FnMut(usize) -> usize, top_level: bool) -> Vec<u8> {
        let mut own = self.own.clone();
        while top_level && below(2) == 0 {
            let mut unknown = Vec::new();
            encode_varint(u64::from(UNKNOWN << 3), &mut unknown);
            encode_varint(below(usize::MAX) as u64, &mut unknown);
            own.push(unknown);
        }
        let children = self.children.iter();
        let mut fields: Vec<Vec<u8>> = children
            .map(|child| child.encode(&mut |node| node.disturb(below, true)))
            .collect();
        for field in own {
            fields.insert(below(fields.len() + 1), field);
        }
        fields.concat()
    }

    /// The same tree with only the records that `keep` keeps, which is asked in their order, without empty envelopes.
    #[must_use]
    pub fn retain(&self, keep: &mut impl FnMut() -> bool) -> Self {
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
    pub fn records(&self) -> Vec<&[u8]> {
        let records = self.children.iter().flat_map(|child| match child {
            Child::Record(record) => vec![record.as_slice()],
            Child::Envelope(node) => node.records(),
        });
        records.collect()
    }

    /// The fields of envelopes that no schema knows, sorted.
    pub fn unknown_fields(&self) -> Vec<Vec<u8>> {
        let own = self.own.iter().filter(|field| is_unknown(field));
        let mut found: Vec<_> = own.cloned().collect();
        for child in &self.children {
            if let Child::Envelope(node) = child {
                found.extend(node.unknown_fields());
            }
        }
        found.sort();
        found
    }

    /// The shortest encoding: own fields first.
    pub fn encode(&self) -> Vec<u8> {
        let own = self.own.iter().cloned();
        let children = self.children.iter();
        own.chain(children.map(|child| child.encode(&mut Self::encode)))
            .collect::<Vec<_>>()
            .concat()
    }

    /// Sorts own fields, whose order does not matter.
    #[must_use]
    pub fn sorted(mut self) -> Self {
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
    fn encode(&self, payload: &mut dyn FnMut(&Node) -> Vec<u8>) -> Vec<u8> {
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
    decode_key(&mut field).is_ok_and(|(number, _)| number == UNKNOWN)
}

fn is_child(depth: usize, number: u32) -> bool {
    match depth {
        0 | 4 => number == 1,
        1 | 2 => number == 2,
        _ => [5, 7, 9, 10, 11].contains(&number),
    }
}
