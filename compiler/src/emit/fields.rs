//! Structs that hold what a walk reads of a resource, scope, record and so on: each field once, in one pass over
//! the message, and no field that nothing asks for.
//!
//! Walks that share a function (a predicate or a subject) share the struct that it takes; walks that read the
//! same share it too.

use indexmap::{IndexMap, IndexSet};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::context::Context;
use super::names::{Names, snake_case};
use super::reads::{Key, Reads};
use crate::catalog::signals::{FieldSpec, Reader, Root};
use crate::check::words::and_list;
use crate::hir::PredicateId;
use crate::plan::{Condition, ConditionKind, Plan, Target, Tree, Walk};

/// One struct: what some walks read of one root.
#[derive(Clone, Debug)]
pub(super) struct FieldStruct {
    /// What is read.
    pub(super) root: Root,
    /// The name of the struct.
    pub(super) name: String,
    keys: IndexSet<Key>,
}

/// All structs, and which walk uses which.
#[derive(Clone, Debug, Default)]
pub(super) struct FieldStructs {
    structs: Vec<FieldStruct>,
    /// By position of the walk and root: the position of the struct.
    of_walk: IndexMap<(usize, Root), usize>,
    /// By function and root: the position of the struct that the function takes.
    of_function: IndexMap<(Function, Root), usize>,
    names: IndexMap<Root, IndexMap<Key, String>>,
}

impl FieldStructs {
    /// Decides which structs the walks of a plan need.
    pub(super) fn new(plan: &Plan, types: &mut Names) -> Self {
        let mut result = Self::default();
        let walks: Vec<&Walk> = plan.all_walks().collect();
        let reads: Vec<Reads> = walks
            .iter()
            .map(|walk| Reads::of_tree(plan, &walk.tree))
            .collect();
        for root in Root::WITH_FIELDS {
            for (group, functions) in groups(plan, &walks, &reads, root) {
                let keys: IndexSet<Key> = group
                    .iter()
                    .filter_map(|walk| reads.get(*walk)?.keys.get(&root))
                    .flatten()
                    .cloned()
                    .collect();
                let position = result.position(root, keys, types);
                result
                    .of_walk
                    .extend(group.into_iter().map(|walk| ((walk, root), position)));
                result.of_function.extend(
                    functions
                        .into_iter()
                        .map(|function| ((function, root), position)),
                );
            }
        }
        result.name_keys();
        result
    }

    /// The struct with exactly these keys; a new one when there is none.
    fn position(&mut self, root: Root, keys: IndexSet<Key>, types: &mut Names) -> usize {
        let same = |known: &FieldStruct| {
            known.root == root
                && known.keys.len() == keys.len()
                && keys.iter().all(|key| known.keys.contains(key))
        };
        if let Some(position) = self.structs.iter().position(same) {
            return position;
        }
        let name = types.give(struct_name(root)).replace('_', "");
        self.structs.push(FieldStruct { root, name, keys });
        self.structs.len() - 1
    }

    /// Names each key once for all structs of its root, fields of the message first.
    fn name_keys(&mut self) {
        for root in Root::WITH_FIELDS {
            let mut keys: Vec<&Key> = self
                .structs
                .iter()
                .filter(|one| one.root == root)
                .flat_map(|one| &one.keys)
                .collect();
            keys.sort_by_key(|key| matches!(key, Key::Attribute { .. }));
            let mut names = Names::fresh();
            let mut of_root = IndexMap::new();
            for key in keys {
                of_root.entry(key.clone()).or_insert_with(|| match key {
                    Key::Field(field) => names.give(&snake_case(field.name)),
                    Key::Attribute { key, .. } => names.give(&snake_case(key)),
                });
            }
            self.names.insert(root, of_root);
        }
    }

    /// The struct that a walk reads a root into.
    pub(super) fn of_walk(&self, walk: usize, root: Root) -> Option<&FieldStruct> {
        self.of_walk
            .get(&(walk, root))
            .and_then(|position| self.structs.get(*position))
    }

    /// The struct that a function takes for what it reads of a root.
    pub(super) fn of_function(&self, function: Function, root: Root) -> Option<&FieldStruct> {
        self.of_function
            .get(&(function, root))
            .and_then(|position| self.structs.get(*position))
    }

    /// The walks that read a struct, by position.
    fn readers(&self, of: &FieldStruct) -> impl Iterator<Item = usize> {
        let walks = self.of_walk.iter().filter(|(_, position)| {
            self.structs
                .get(**position)
                .is_some_and(|one| one.name == of.name)
        });
        walks.map(|((walk, _), _)| *walk)
    }

    /// Every struct.
    pub(super) fn all(&self) -> &[FieldStruct] {
        &self.structs
    }

    /// The field that holds what is read under a key.
    pub(super) fn field_name(&self, root: Root, key: &Key) -> &str {
        self.names
            .get(&root)
            .and_then(|names| names.get(key))
            .map_or("missing", String::as_str)
    }
}

/// Walks by position, and the functions that they share.
type Group = (Vec<usize>, IndexSet<Function>);

/// Walks that must read `root` into one struct: those that share a function, transitively.
fn groups(plan: &Plan, walks: &[&Walk], reads: &[Reads], root: Root) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (position, walk) in walks.iter().enumerate() {
        if !reads.get(position).is_some_and(|reads| reads.reads(root)) {
            continue;
        }
        let mut group = (vec![position], functions(plan, &walk.tree, root));
        // A group that shares a function with this walk becomes part of its group.
        groups.retain(|(positions, shared)| {
            let joined = shared.iter().any(|function| group.1.contains(function));
            if joined {
                group.0.extend(positions);
                group.1.extend(shared.iter().copied());
            }
            !joined
        });
        group.0.sort_unstable();
        groups.push(group);
    }
    groups.sort_by_key(|(positions, _)| positions.first().copied());
    groups
}

/// A generated function that takes a struct of fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Function {
    /// The test of a predicate.
    Predicate(PredicateId),
    /// The writer of a sink's subject.
    Subject(Target),
}

/// The functions that a walk calls which read `root`, those called by predicates included.
fn functions(plan: &Plan, tree: &Tree, root: Root) -> IndexSet<Function> {
    let mut found = IndexSet::new();
    let mut open: Vec<Condition> = Vec::new();
    for_each_tree(tree, &mut |tree| {
        open.extend(
            tree.guards()
                .into_iter()
                .flat_map(|guard| &guard.tests)
                .map(|test| test.condition.clone()),
        );
        let Tree::Keep(target) = tree else { return };
        let Some(subject) = plan.subject(*target) else {
            return;
        };
        if Reads::of_value(plan, subject).reads(root) {
            found.insert(Function::Subject(*target));
            subject.for_each_condition(&mut |condition| open.push(condition.clone()));
        }
    });
    while let Some(condition) = open.pop() {
        let mut named = Vec::new();
        condition.for_each_condition(&mut |inner| {
            if let ConditionKind::Predicate(id) = inner.kind {
                named.push(id);
            }
        });
        for (id, predicate) in named
            .into_iter()
            .filter_map(|id| plan.predicates.get_key_value(&id))
        {
            let reads = Reads::of_condition(plan, &predicate.condition);
            if reads.reads(root) && found.insert(Function::Predicate(*id)) {
                open.push(predicate.condition.clone());
            }
        }
    }
    found
}

fn for_each_tree<'t>(tree: &'t Tree, visit: &mut impl FnMut(&'t Tree)) {
    visit(tree);
    tree.children()
        .into_iter()
        .for_each(|child| for_each_tree(child, visit));
}

/// The name of the first struct of a root.
const fn struct_name(root: Root) -> &'static str {
    match root {
        Root::Payload => "PayloadFields",
        Root::Resource => "ResourceFields",
        Root::Scope => "ScopeFields",
        Root::Metric => "MetricFields",
        Root::Log => "LogFields",
        Root::Span => "SpanFields",
        Root::DataPoint => "DataPointFields",
    }
}

/// The view of the runtime that a struct is read from.
fn view(root: Root) -> Ident {
    let name = match root {
        Root::Payload => "Request",
        Root::Resource => "Resource",
        Root::Scope => "Scope",
        Root::Metric => "Metric",
        Root::Log => "LogRecord",
        Root::Span => "Span",
        Root::DataPoint => "PointView",
    };
    format_ident!("{name}")
}

/// The Rust type of a field, with the lifetime `'a` where it borrows.
fn field_type(key: &Key) -> (TokenStream, bool) {
    let Key::Field(field) = key else {
        return (quote!(AnyValue<'a>), true);
    };
    match field.reader {
        Reader::Text | Reader::SignalName => (quote!(Text<'a>), true),
        Reader::Bytes => (quote!(&'a [u8]), true),
        Reader::AnyValue => (quote!(AnyValue<'a>), true),
        Reader::Attributes => (quote!(Attributes<'a>), true),
        Reader::Unsigned | Reader::Fixed32 | Reader::Fixed64 => (quote!(u64), false),
        Reader::Enumeration | Reader::SpanDuration => (quote!(i64), false),
    }
}

impl FieldStruct {
    /// Whether the struct borrows from the request.
    fn borrows(&self) -> bool {
        self.keys.iter().any(|key| field_type(key).1)
    }

    /// The type of a parameter that takes the struct.
    pub(super) fn parameter_type(&self) -> TokenStream {
        let name = format_ident!("{}", self.name);
        if self.borrows() {
            quote!(&#name<'_>)
        } else {
            quote!(&#name)
        }
    }

    /// The struct and the function that reads it.
    pub(super) fn emit(&self, context: &Context<'_>) -> TokenStream {
        let name = context.ident(&self.name);
        let readers = context.structs.readers(self);
        let readers: Vec<_> = readers
            .map(|walk| format!("`{}`", context.walk_names(walk).function))
            .collect();
        let verb = if readers.len() == 1 { "reads" } else { "read" };
        let ours = format!(
            "What {} {verb} of {}.",
            and_list(&readers),
            self.root.noun()
        );
        let docs = context.docs(&[], &ours);
        let fields = self.keys.iter().map(|key| {
            let field = context.ident(context.structs.field_name(self.root, key));
            let (ty, _) = field_type(key);
            quote!(#field: #ty)
        });
        let view = view(self.root);
        let variable = context.ident(if self.root == Root::DataPoint {
            "point"
        } else {
            self.root.name()
        });
        let body = self.read_body(context, &variable);
        let (generics, view_lifetime) = if self.borrows() {
            (quote!(<'a>), quote!(<'a>))
        } else {
            (quote!(), quote!(<'_>))
        };
        quote! {
            #docs
            #[derive(Default)]
            struct #name #generics { #(#fields,)* }

            impl #generics #name #generics {
                fn read(#variable: #view #view_lifetime) -> Self { #body }
            }
        }
    }

    fn read_body(&self, context: &Context<'_>, variable: &Ident) -> TokenStream {
        let initial = self.initial(context, variable);
        let attributes = self.attributes(context);
        let fields = self.keys.iter().filter_map(message_field);
        // Attributes as a whole are a place in the message, which is known before it is read.
        let fields: Vec<&'static FieldSpec> = fields
            .filter(|field| field.reader != Reader::Attributes)
            .collect();
        let read = if self.root == Root::DataPoint || fields.is_empty() {
            if attributes.is_empty() {
                return initial;
            }
            let take = take_attribute(&attributes);
            quote!(for attribute in #variable.attributes() { #take })
        } else {
            self.read_fields(context, variable, &fields, &attributes)
        };
        quote! {
            let mut fields = #initial;
            #read
            fields
        }
    }

    /// The struct before the first field is read. An unset body is null, and points are read by name.
    fn initial(&self, context: &Context<'_>, variable: &Ident) -> TokenStream {
        let mut set = Vec::new();
        for key in &self.keys {
            let Key::Field(field) = key else { continue };
            let name = context.ident(context.structs.field_name(self.root, key));
            if self.root == Root::DataPoint {
                let method = format_ident!("{}", field.name);
                set.push(quote!(#name: #variable.#method()));
            } else if field.reader == Reader::Attributes {
                set.push(quote!(#name: #variable.attributes()));
            } else if field.reader == Reader::AnyValue {
                set.push(quote!(#name: AnyValue::Null));
            }
        }
        match set.len() {
            0 => quote!(Self::default()),
            count if count == self.keys.len() => quote!(Self { #(#set),* }),
            _ => quote!(Self { #(#set,)* ..Self::default() }),
        }
    }

    /// The key of each attribute as bytes, with the field that takes it.
    fn attributes(&self, context: &Context<'_>) -> Vec<(proc_macro2::Literal, Ident)> {
        let attributes = self.keys.iter().filter_map(|key| match key {
            Key::Attribute { key: text, .. } => Some((key, text)),
            Key::Field(_) => None,
        });
        attributes
            .map(|(key, text)| {
                let name = context.ident(context.structs.field_name(self.root, key));
                (proc_macro2::Literal::byte_string(text.as_bytes()), name)
            })
            .collect()
    }

    fn read_fields(
        &self,
        context: &Context<'_>,
        variable: &Ident,
        fields: &[&'static FieldSpec],
        attributes: &[(proc_macro2::Literal, Ident)],
    ) -> TokenStream {
        let view = view(self.root);
        let mut arms = Vec::new();
        for field in fields.iter().filter(|field| field.path.len() == 1) {
            let (number, read) = self.take_field(context, field);
            arms.push((number, quote!(#read;)));
        }
        if let Some(nested) = self.take_nested(context, fields) {
            arms.push(nested);
        }
        if !attributes.is_empty() {
            let take = take_attribute(attributes);
            let take = quote!(let attribute = field.attribute(); #take);
            arms.push((format_ident!("ATTRIBUTES"), take));
        }
        let take = take_one_of(&view, &arms);
        quote!(for field in #variable.fields() { #take })
    }

    /// The number of a field and the statement that takes it.
    fn take_field(&self, context: &Context<'_>, field: &'static FieldSpec) -> (Ident, TokenStream) {
        let name = context.ident(context.structs.field_name(self.root, &Key::Field(field)));
        let number = format_ident!("{}", field.path.last().copied().unwrap_or("UNKNOWN"));
        let method = format_ident!(
            "{}",
            match field.reader {
                Reader::Text | Reader::SignalName => "text",
                Reader::Bytes => "bytes",
                Reader::Unsigned => "unsigned32",
                Reader::Fixed32 | Reader::Fixed64 => "unsigned",
                Reader::Enumeration | Reader::SpanDuration => "enumeration",
                Reader::AnyValue | Reader::Attributes => "any_value",
            }
        );
        (number, quote!(fields.#name = field.#method()))
    }

    /// The arm for fields of a message inside the message; today that is the status of a span.
    fn take_nested(
        &self,
        context: &Context<'_>,
        fields: &[&'static FieldSpec],
    ) -> Option<(Ident, TokenStream)> {
        let nested: Vec<_> = fields.iter().filter(|field| field.path.len() > 1).collect();
        let outer = format_ident!("{}", nested.first()?.path.first()?);
        let arms: Vec<_> = nested
            .iter()
            .map(|field| {
                let (number, read) = self.take_field(context, field);
                (number, quote!(#read;))
            })
            .collect();
        let take = take_one_of(&format_ident!("Status"), &arms);
        Some((outer, quote!(for field in field.message() { #take })))
    }
}

/// Does what belongs to the number of a field: an `if` for one number, a `match` for several.
fn take_one_of(view: &Ident, arms: &[(Ident, TokenStream)]) -> TokenStream {
    if let [(number, body)] = arms {
        return quote!(if field.number() == #view::#number { #body });
    }
    let arms = arms
        .iter()
        .map(|(number, body)| quote!(#view::#number => { #body }));
    quote!(match field.number() { #(#arms)* _ => {} })
}

/// Takes an attribute when it is one of those wanted.
fn take_attribute(attributes: &[(proc_macro2::Literal, Ident)]) -> TokenStream {
    if let [(key, name)] = attributes {
        return quote!(if attribute.key() == #key { fields.#name.set_first(attribute); });
    }
    let arms = attributes
        .iter()
        .map(|(key, name)| quote!(#key => fields.#name.set_first(attribute)));
    quote!(match attribute.key() { #(#arms,)* _ => {} })
}

fn message_field(key: &Key) -> Option<&'static FieldSpec> {
    match key {
        Key::Field(field) => Some(field),
        Key::Attribute { .. } => None,
    }
}
