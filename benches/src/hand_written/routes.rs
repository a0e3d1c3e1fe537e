//! Routes: several outputs from one walk.

use std::collections::HashMap;

use bytes::Bytes;
use foldhash::fast::FixedState;

use super::filters::{is_first_team, resource};
use super::kept::{Envelope, Kept};
use super::wire::{Field, Fields, LOG_ATTRIBUTE, RESOURCE_ATTRIBUTE, SECOND, text_attribute};
use crate::table::{OUTPUTS, Table};

/// The records of `team-0`, then those of everybody else.
pub fn two_way_split(request: &Bytes) -> [Bytes; 2] {
    route_records(request, |record| usize::from(!is_first_team(record)))
}

/// Each record to the output that `table` has for its `http.route`.
pub fn route(table: &Table, request: &Bytes) -> [Bytes; OUTPUTS] {
    route_records(request, |record| {
        table.output(text_attribute(record, LOG_ATTRIBUTE, b"http.route"))
    })
}

/// Each resource to the output that `table` has for its `service.name`. No record is read.
pub fn service_route(table: &Table, request: &Bytes) -> [Bytes; OUTPUTS] {
    let mut outputs: [Kept; OUTPUTS] = Default::default();
    for group in Fields::of(request) {
        let output = table.output(service(request, group));
        if let Some(kept) = outputs.get_mut(output) {
            kept.keep(group);
        }
    }
    outputs.map(|kept| kept.finish(request))
}

/// One output for each `service.name`, under its subject. No record is read.
pub fn subject_routing(request: &Bytes) -> Vec<(String, Bytes)> {
    let mut outputs: Vec<(&[u8], Kept)> = Vec::new();
    let mut numbers: HashMap<&[u8], usize, FixedState> = HashMap::default();
    for group in Fields::of(request) {
        let service = service(request, group).unwrap_or(b"unknown");
        let number = *numbers.entry(service).or_insert_with(|| {
            outputs.push((service, Kept::default()));
            outputs.len() - 1
        });
        if let Some((_, kept)) = outputs.get_mut(number) {
            kept.keep(group);
        }
    }
    let outputs = outputs.into_iter();
    outputs
        .map(|(service, kept)| {
            let service = String::from_utf8_lossy(service);
            (format!("services.{service}"), kept.finish(request))
        })
        .collect()
}

#[inline(always)]
fn service(request: &[u8], group: Field) -> Option<&[u8]> {
    text_attribute(
        resource(request, group),
        RESOURCE_ATTRIBUTE,
        b"service.name",
    )
}

/// Gives each record to the output whose number `output` finds, with the envelopes around it.
#[inline(always)]
fn route_records<const N: usize>(
    request: &Bytes,
    output: impl Fn(Fields<'_>) -> usize,
) -> [Bytes; N] {
    let data = request.as_ref();
    let mut outputs: [Kept; N] = std::array::from_fn(|_| Kept::default());
    for group in Fields::of(data) {
        let envelopes = open(&mut outputs, group);
        let mut any = [false; N];
        for field in Fields::inside(data, group) {
            if field.tag == SECOND {
                let some = route_scope(data, field, &mut outputs, &output);
                for (any, some) in any.iter_mut().zip(some) {
                    *any |= some;
                }
            } else {
                outputs.iter_mut().for_each(|kept| kept.keep(field));
            }
        }
        close(&mut outputs, envelopes, any);
    }
    outputs.map(|kept| kept.finish(request))
}

/// Routes the records of one scope group; which outputs get some.
#[inline(always)]
fn route_scope<const N: usize>(
    data: &[u8],
    scope: Field,
    outputs: &mut [Kept; N],
    output: &impl Fn(Fields<'_>) -> usize,
) -> [bool; N] {
    let envelopes = open(outputs, scope);
    let mut any = [false; N];
    for field in Fields::inside(data, scope) {
        if field.tag != SECOND {
            outputs.iter_mut().for_each(|kept| kept.keep(field));
            continue;
        }
        let number = output(Fields::inside(data, field));
        if let (Some(kept), Some(any)) = (outputs.get_mut(number), any.get_mut(number)) {
            kept.keep(field);
            *any = true;
        }
    }
    close(outputs, envelopes, any);
    any
}

fn open<const N: usize>(outputs: &mut [Kept; N], envelope: Field) -> [Envelope; N] {
    outputs.each_mut().map(|kept| kept.open(envelope))
}

fn close<const N: usize>(outputs: &mut [Kept; N], envelopes: [Envelope; N], any: [bool; N]) {
    for ((kept, envelope), any) in outputs.iter_mut().zip(envelopes).zip(any) {
        if any {
            kept.close(envelope);
        } else {
            kept.cancel(envelope);
        }
    }
}
