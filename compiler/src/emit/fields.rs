//! Structs that hold what a walk reads of a resource, scope, record and so on: each field once, in one pass over
//! the message, and no field that nothing asks for.
//!
//! Walks that share a function (a predicate or a subject) share the struct that it takes; walks that read the
//! same share it too.

use std::collections::BTreeSet;

use indexmap::{IndexMap, IndexSet};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::context::Context;
use super::names::{Names, snake_case};
use super::statements::add_words;
use crate::catalog::signals::{Reader, Root};
use crate::hir::PredicateId;
use crate::plan::reads::{Key, Reads};
use crate::plan::{Condition, ConditionKind, Plan, Target, Tree, Walk};
use crate::words::and_list;

/// One struct: what some walks read of one root.
#[derive(Clone, Debug)]
pub(super) struct FieldStruct {
    /// What is read.
    pub(super) root: Root,
    /// The name of the struct.
    pub(super) name: String,
    pub(super) keys: IndexSet<Key>,
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
        for root in Root::WITH_FIELDS {
            for (group, functions) in groups(plan, &walks, root) {
                let keys: IndexSet<Key> = group
                    .iter()
                    .filter_map(|walk| walks.get(*walk)?.reads.keys.get(&root))
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
fn groups(plan: &Plan, walks: &[&Walk], root: Root) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (position, walk) in walks.iter().enumerate() {
        if !walk.reads.reads(root) {
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
        if let Tree::Edit { edit, .. } = tree
            && let Some(value) = edit.value()
        {
            value.for_each_condition(&mut |condition| open.push(condition.clone()));
        }
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
pub(super) fn view(root: Root) -> Ident {
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
        Reader::Messages(element) => {
            let view = format_ident!("{}", element.view());
            (quote!(Messages<'a, #view<'a>>), true)
        }
        Reader::Boolean => (quote!(bool), false),
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
        let mut words = BTreeSet::new();
        add_words(&body, &mut words);
        // Where everything is set at once, no struct is read field by field from an empty one.
        let derive = words
            .contains("default")
            .then(|| quote!(#[derive(Default)]));
        let (generics, view_lifetime) = if self.borrows() {
            (quote!(<'a>), quote!(<'a>))
        } else {
            (quote!(), quote!(<'_>))
        };
        quote! {
            #docs
            #derive
            struct #name #generics { #(#fields,)* }

            impl #generics #name #generics {
                fn read(#variable: #view #view_lifetime) -> Self { #body }
            }
        }
    }
}
