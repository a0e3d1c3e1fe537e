//! Filters: one output.

use bytes::Bytes;

use super::kept::Kept;
use super::wire::{
    FIRST, Field, Fields, LOG_ATTRIBUTE, RESOURCE_ATTRIBUTE, SECOND, text_attribute,
};

/// Keeps the records whose attribute `team` is `team-0`.
pub fn record_filter(request: &Bytes) -> Bytes {
    filter(request, |_| true, is_first_team)
}

/// Keeps the records of `team-0` whose resource is `prod`.
pub fn and_filter(request: &Bytes) -> Bytes {
    filter(request, is_production, is_first_team)
}

/// Keeps the records whose attribute `team` starts with `team-`.
pub fn keep_all(request: &Bytes) -> Bytes {
    filter(
        request,
        |_| true,
        |record| {
            text_attribute(record, LOG_ATTRIBUTE, b"team")
                .is_some_and(|team| team.starts_with(b"team-"))
        },
    )
}

/// Keeps the resources whose `deployment.environment` is `prod`. No record is read.
pub fn resource_filter(request: &Bytes) -> Bytes {
    let mut kept = Kept::default();
    for group in Fields::of(request) {
        if group.tag != FIRST || is_production(resource(request, group)) {
            kept.keep(group);
        }
    }
    kept.finish(request)
}

/// The resource of a group, wherever it stands.
#[inline(always)]
pub(super) fn resource(request: &[u8], group: Field) -> Fields<'_> {
    for field in Fields::inside(request, group) {
        if field.tag == FIRST {
            return Fields::inside(request, field);
        }
    }
    Fields::of(&[])
}

#[inline(always)]
fn is_production(resource: Fields<'_>) -> bool {
    let environment = text_attribute(resource, RESOURCE_ATTRIBUTE, b"deployment.environment");
    environment == Some(b"prod")
}

#[inline(always)]
pub(super) fn is_first_team(record: Fields<'_>) -> bool {
    text_attribute(record, LOG_ATTRIBUTE, b"team") == Some(b"team-0")
}

/// Keeps the records that both conditions hold for, with the envelopes around them.
#[inline(always)]
fn filter(
    request: &Bytes,
    resource_holds: impl Fn(Fields<'_>) -> bool,
    record_holds: impl Fn(Fields<'_>) -> bool,
) -> Bytes {
    let data = request.as_ref();
    let mut kept = Kept::default();
    for group in Fields::of(data) {
        if group.tag != FIRST {
            kept.keep(group);
        } else if resource_holds(resource(data, group)) {
            let envelope = kept.open(group);
            let mut any = false;
            for field in Fields::inside(data, group) {
                if field.tag == SECOND {
                    any |= filter_scope(data, field, &mut kept, &record_holds);
                } else {
                    kept.keep(field);
                }
            }
            if any {
                kept.close(envelope);
            } else {
                kept.cancel(envelope);
            }
        }
    }
    kept.finish(request)
}

/// Keeps the records of one scope group; whether there are some.
#[inline(always)]
fn filter_scope(
    data: &[u8],
    scope: Field,
    kept: &mut Kept,
    record_holds: &impl Fn(Fields<'_>) -> bool,
) -> bool {
    let envelope = kept.open(scope);
    let mut any = false;
    for field in Fields::inside(data, scope) {
        if field.tag != SECOND {
            kept.keep(field);
        } else if record_holds(Fields::inside(data, field)) {
            kept.keep(field);
            any = true;
        }
    }
    if any {
        kept.close(envelope);
    } else {
        kept.cancel(envelope);
    }
    any
}
