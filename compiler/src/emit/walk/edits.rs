//! Changes in a walk: those of a resource, scope or metric are made before its loop, those of a record where it is
//! kept.
//!
//! In: the changes of an output and of a leaf. Out: `out.team0.change_resource(&logs, |change| { … });`, and the closure that
//! `keep_changed` takes.

use indexmap::IndexMap;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::body::Body;
use super::place::Place;
use crate::catalog::signals::{FieldSpec, Reader, Root, Signal};
use crate::check::Changeable;
use crate::emit::condition::Expressions;
use crate::emit::fields::view;
use crate::plan::{Edit, EditKind, Value};

impl Body<'_, '_> {
    /// The changes of what surrounds the records of `outputs`, as far as they are made at `place` and not made yet.
    pub(super) fn make_edits(
        &mut self,
        outputs: impl Iterator<Item = usize>,
        place: Place,
    ) -> TokenStream {
        let mut statements = TokenStream::new();
        for output in outputs {
            for envelope in self.envelopes(output, place) {
                let made = self.edits_of_envelope(output, envelope);
                if !made.is_empty() {
                    statements.extend(made);
                    self.edited.push((output, envelope));
                }
            }
        }
        statements
    }

    /// The changes of what surrounds the records of an output at `place`, as far as they are not made yet.
    pub(super) fn edits_around(&self, output: usize, place: Place) -> TokenStream {
        let envelopes = self.envelopes(output, place).into_iter();
        envelopes
            .map(|envelope| self.edits_of_envelope(output, envelope))
            .collect()
    }

    /// The places whose changes can be made at `place` for an output. Those around a loop over instances are made
    /// inside of it, because each instance has a selection of its own.
    fn envelopes(&self, output: usize, place: Place) -> Vec<Place> {
        let output = self.code.outputs.get(output);
        if !output.is_some_and(|output| output.forked) {
            return vec![place];
        }
        let all = [Place::Resource, Place::Scope, Place::Record];
        all.into_iter().filter(|outer| *outer <= place).collect()
    }

    /// The changes of the resource, scope or metric at `place` for an output; nothing where they are made already.
    fn edits_of_envelope(&self, output: usize, place: Place) -> TokenStream {
        let Some(root) = self
            .envelope(place)
            .filter(|_| !self.edited.contains(&(output, place)))
        else {
            return TokenStream::new();
        };
        let output = self.code.outputs.get(output);
        let Some(output) = output.filter(|output| self.has_selection(output)) else {
            return TokenStream::new();
        };
        let edits = of_root(&output.edits, root);
        if edits.is_empty() {
            return TokenStream::new();
        }
        let method = format_ident!("change_{}", root.name());
        let (selection, handle) = (self.selection(output), self.handle(place));
        let statements = statements(&self.expressions(), &edits);
        quote!(#selection.#method(&#handle, |change| { #statements });)
    }

    /// `, |change| { … }` for the changes of a record itself.
    pub(super) fn edits_of_leaf(&self, edits: &[Edit], place: Place) -> Option<TokenStream> {
        let metrics = self.code.walk.signals.contains(Signal::Metrics);
        let root = match place {
            Place::Point => Root::DataPoint,
            Place::Record if metrics => return None,
            Place::Record if self.code.walk.signals.contains(Signal::Traces) => Root::Span,
            Place::Record => Root::Log,
            Place::Request | Place::Resource | Place::Scope => return None,
        };
        let edits = of_root(edits, root);
        if edits.is_empty() {
            return None;
        }
        let statements = statements(&self.expressions(), &edits);
        Some(quote!(, |change| { #statements }))
    }

    /// What surrounds records and can change at a place.
    fn envelope(&self, place: Place) -> Option<Root> {
        match place {
            Place::Resource => Some(Root::Resource),
            Place::Scope => Some(Root::Scope),
            Place::Record if self.code.walk.signals.contains(Signal::Metrics) => Some(Root::Metric),
            Place::Request | Place::Record | Place::Point => None,
        }
    }
}

/// The changes of something of `root`.
fn of_root(edits: &[Edit], root: Root) -> Vec<&Edit> {
    let edits = edits.iter();
    edits
        .filter(|edit| edit.path().is_some_and(|path| path.field().root == root))
        .collect()
}

/// A statement for each change; those of fields of one inner message stand together.
fn statements(expressions: &Expressions<'_, '_>, edits: &[&Edit]) -> TokenStream {
    let mut statements = TokenStream::new();
    let mut inside: IndexMap<&str, (&FieldSpec, TokenStream)> = IndexMap::new();
    for edit in edits {
        let Some(path) = edit.path() else { continue };
        match (path, path.field().path) {
            (Changeable::Field(field), [outer, _]) => {
                let entry = inside.entry(*outer);
                let (_, inner) = entry.or_insert_with(|| (*field, TokenStream::new()));
                inner.extend(statement(expressions, edit));
            }
            _ => statements.extend(statement(expressions, edit)),
        }
    }
    for (outer, (field, inner)) in inside {
        let (view, number) = (view(field.root), format_ident!("{outer}"));
        statements.extend(quote!(change.inside(#view::#number, |change| { #inner });));
    }
    statements
}

/// `change.set_text(LogRecord::SEVERITY_TEXT, "…");`
fn statement(expressions: &Expressions<'_, '_>, edit: &Edit) -> Option<TokenStream> {
    Some(match &edit.kind {
        EditKind::Subject(_) => return None,
        EditKind::Remove {
            path: Changeable::Attribute { key, .. },
        } => quote!(change.remove_attribute(#key);),
        EditKind::Remove {
            path: Changeable::Field(field),
        } => {
            let number = number(field)?;
            quote!(change.remove(#number);)
        }
        EditKind::Set {
            path: Changeable::Attribute { key, .. },
            value,
        } => {
            let value = expressions.value(value).into_any_argument();
            quote!(change.set_attribute(#key, #value);)
        }
        EditKind::Set {
            path: Changeable::Field(field),
            value,
        } => set_field(expressions, field, value)?,
    })
}

fn set_field(
    expressions: &Expressions<'_, '_>,
    field: &FieldSpec,
    value: &Value,
) -> Option<TokenStream> {
    let number = number(field)?;
    let code = expressions.value(value);
    let (method, value) = match field.reader {
        Reader::Text => ("set_text", code.into_text_argument()),
        Reader::AnyValue => ("set_any", code.into_any_argument()),
        Reader::Enumeration => ("set_enumeration", code.into_argument()),
        Reader::Unsigned => ("set_unsigned", code.into_argument()),
        Reader::Fixed32 => ("set_fixed32", code.into_argument()),
        Reader::Fixed64 => ("set_fixed64", code.into_argument()),
        // The checker lets none of them be set.
        Reader::Bytes
        | Reader::Boolean
        | Reader::Attributes
        | Reader::Messages(_)
        | Reader::SpanDuration
        | Reader::SignalName => return None,
    };
    let method = format_ident!("{method}");
    Some(quote!(change.#method(#number, #value);))
}

/// The number of a field in the message that it stands in: `LogRecord::BODY`, `Status::CODE`.
fn number(field: &FieldSpec) -> Option<TokenStream> {
    match field.path {
        [name] => {
            let (view, name) = (view(field.root), format_ident!("{name}"));
            Some(quote!(#view::#name))
        }
        ["STATUS", name] => {
            let name = format_ident!("{name}");
            Some(quote!(Status::#name))
        }
        _ => None,
    }
}
