//! Templates: a struct of parameters, the rows of the table, and the names of what is generated for both.

use indexmap::IndexMap;
use proc_macro2::{Ident, Literal as Token, TokenStream};
use quote::{format_ident, quote};

use super::Item;
use super::config::reads;
use super::connector::{config_field, duration, text};
use super::context::Context;
use super::names::{Names, camel_case, ident, snake_case};
use crate::hir::{ConfigType, Literal, ParameterId, TemplateId};
use crate::level::Level;
use crate::plan::instances::{Parameter, Template};
use crate::plan::{Plan, Target, Value, ValueKind};

/// The names of what is generated for a template.
#[derive(Clone, Debug, Default)]
pub(super) struct TemplateNames {
    /// The variable of one instance: `link`.
    pub(super) row: String,
    /// The variable of all instances: `link_instances`.
    pub(super) all: String,
    /// The struct of parameters: `Link`.
    pub(super) ty: String,
    fields: IndexMap<ParameterId, String>,
    /// The variables of the instances by a parameter: `link_by_tenant`.
    indexes: IndexMap<ParameterId, String>,
    /// The variables of what each instance has: `every_link_out`.
    every: IndexMap<Target, String>,
}

/// The names of every template.
#[derive(Clone, Debug, Default)]
pub(super) struct Templates {
    names: IndexMap<TemplateId, TemplateNames>,
    missing: TemplateNames,
}

impl Templates {
    /// Gives every template its names. `targets` are the names of sinks and batches.
    pub(super) fn new(
        plan: &Plan,
        values: &mut Names,
        types: &mut Names,
        targets: &IndexMap<Target, String>,
    ) -> Self {
        let mut result = Self::default();
        for (id, template) in &plan.templates {
            let row = values.give_value(&template.name);
            let all = values.give_value(&format!("{row}_instances"));
            let fields = template.parameters.iter();
            let mut field_names = Names::fresh();
            let fields = fields
                .map(|(id, parameter)| (*id, field_names.give(&snake_case(&parameter.name))))
                .collect::<IndexMap<_, _>>();
            let indexes = fields
                .iter()
                .map(|(id, field)| (*id, values.give(&format!("{row}_by_{field}"))))
                .collect();
            let own = targets
                .iter()
                .filter(|(target, _)| plan.template_of_target(**target) == Some(*id));
            let every = own
                .map(|(target, name)| (*target, values.give(&format!("every_{name}"))))
                .collect();
            let ty = types.give(&camel_case(&row)).replace('_', "");
            result.names.insert(
                *id,
                TemplateNames {
                    row,
                    all,
                    ty,
                    fields,
                    indexes,
                    every,
                },
            );
        }
        result
    }

    /// The names of one.
    pub(super) fn names(&self, id: TemplateId) -> &TemplateNames {
        self.names.get(&id).unwrap_or(&self.missing)
    }
}

impl TemplateNames {
    /// The field of a parameter.
    pub(super) fn field(&self, id: ParameterId) -> Ident {
        let name = self.fields.get(&id).map_or("missing", String::as_str);
        ident(name, proc_macro2::Span::call_site())
    }

    /// The variable of the instances by a parameter.
    pub(super) fn index(&self, id: ParameterId) -> Ident {
        let name = self.indexes.get(&id).map_or("missing", String::as_str);
        ident(name, proc_macro2::Span::call_site())
    }

    /// The variable of a target of every instance.
    pub(super) fn every(&self, target: Target) -> Ident {
        let name = self.every.get(&target).map_or("missing", String::as_str);
        ident(name, proc_macro2::Span::call_site())
    }

    /// `link: &Link`, the parameter of functions that read parameters.
    pub(super) fn parameter(&self) -> TokenStream {
        let (row, ty) = (
            ident(&self.row, proc_macro2::Span::call_site()),
            format_ident!("{}", self.ty),
        );
        quote!(#row: &#ty)
    }
}

/// The structs of parameters and the rows of every template.
pub(super) fn emit(context: &Context<'_>) -> Vec<Item> {
    let templates = context.plan.templates.iter();
    templates
        .flat_map(|(id, template)| one(context, *id, template))
        .collect()
}

fn one(context: &Context<'_>, id: TemplateId, template: &Template) -> Vec<Item> {
    let names = context.template(id);
    let ty = context.ident_at(&names.ty, template.span);
    let place = context.place(template.span);
    let ours = format!(
        "The parameters of one instance of `template {}`{place}.",
        template.name
    );
    let docs = context.docs(&template.docs, &ours);
    let read = read_parameters(context.plan, id, template);
    let fields = read.iter().filter_map(|place| {
        let (id, parameter) = template.parameters.get_index(*place)?;
        let (field, ty) = (names.field(*id), field_type(parameter.ty));
        Some(quote!(#field: #ty))
    });
    let definition = quote! {
        #docs
        #[derive(Clone, Debug)]
        struct #ty { #(#fields,)* }
    };
    let groups = groups(template, &read);
    let mut items = vec![Item::new(definition, Some(template.span))];
    items.push(Item::new(methods(context, id, template, &groups), None));
    let tables = groups.iter().enumerate();
    for (position, group) in tables.filter(|(_, group)| !group.known.is_empty()) {
        items.push(Item::new(
            table(context, names, template, group, position),
            None,
        ));
    }
    items
}

/// The parameters that the code reads, by position; the first names what belongs to an instance.
fn read_parameters(plan: &Plan, id: TemplateId, template: &Template) -> Vec<usize> {
    let is_read = |place: usize, parameter: ParameterId| {
        (place == 0 && (plan.has_nodes(id) || has_open_keys(template)))
            || reads(plan, &ValueKind::Parameter(parameter))
            || plan.all_walks().any(|walk| walk.tree.looks_up(parameter))
    };
    let parameters = template.parameters.keys().enumerate();
    parameters
        .filter(|(place, parameter)| is_read(*place, **parameter))
        .map(|(place, _)| place)
        .collect()
}

/// Whether the keys of some instances are known only when the flow starts, so that two may be the same.
pub(super) fn has_open_keys(template: &Template) -> bool {
    let mut keys = template.rows.iter().filter_map(|row| row.first());
    template.rows.len() > 1 && keys.any(|key| key.level > Level::Const)
}

/// Rows one behind the other whose values are known at build time in the same columns; where they are not, the value
/// is the same in all.
struct Group<'p> {
    rows: Vec<&'p Vec<Value>>,
    /// The columns that the code reads, by position.
    read: &'p [usize],
    /// Those of them that the table has.
    known: Vec<usize>,
}

fn groups<'p>(template: &'p Template, read: &'p [usize]) -> Vec<Group<'p>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for row in &template.rows {
        if let Some(group) = groups.last_mut()
            && group.rows.first().is_some_and(|first| is_like(first, row))
        {
            group.rows.push(row);
            continue;
        }
        let is_known = |place: &usize| {
            row.get(*place)
                .is_some_and(|cell| cell.level == Level::Const)
        };
        groups.push(Group {
            known: read.iter().copied().filter(is_known).collect(),
            read,
            rows: vec![row],
        });
    }
    groups
}

fn is_like(a: &[Value], b: &[Value]) -> bool {
    a.iter().zip(b).all(|(a, b)| {
        let known = a.level == Level::Const && b.level == Level::Const;
        known || a == b
    })
}

/// `instances` makes all rows, `node` names what belongs to one.
fn methods(
    context: &Context<'_>,
    id: TemplateId,
    template: &Template,
    groups: &[Group<'_>],
) -> TokenStream {
    let names = context.template(id);
    let ty = context.ident(&names.ty);
    let rows = groups.iter().enumerate();
    let rows = rows.map(|(position, group)| rows_of(context, names, template, group, position));
    let rows = rows.reduce(|before, more| quote!(#before.chain(#more)));
    let config = reads_config(context.plan, id, template).then(|| quote!(config: &Config));
    let all_docs = context.docs(&[], "Every instance, in the order of the flow.");
    let node_docs = context.docs(
        &[],
        "What a node of this instance is called in metrics and logs.",
    );
    let name = &template.name;
    // A parameter that no code reads has no field; that of a template with nodes is read here.
    let key = template.parameters.first().map(|(id, parameter)| {
        let field = names.field(*id);
        match parameter.ty {
            ConfigType::String => quote!(&self.#field),
            _ => quote!(&self.#field.to_string()),
        }
    });
    let node = context.plan.has_nodes(id).then(|| {
        quote! {
            #node_docs
            fn node(&self, node: &str) -> String {
                instance_node(#name, #key, node)
            }
        }
    });
    let (result, made) = match template.parameters.first() {
        Some((first, _)) if has_open_keys(template) => {
            let (row, field) = (context.ident(&names.row), names.field(*first));
            let key = quote!(|#row| #row.#field.to_string());
            (
                quote!(Result<Instances<Self>, StartError>),
                quote!(Instances::distinct(#name, rows.collect(), #key)),
            )
        }
        _ => (
            quote!(Instances<Self>),
            quote!(Instances::new(rows.collect())),
        ),
    };
    quote! {
        impl #ty {
            #all_docs
            fn instances(#config) -> #result {
                let rows = #rows;
                #made
            }

            #node
        }
    }
}

/// `LINK_ROWS.iter().map(|row| Self { … })`
fn rows_of(
    context: &Context<'_>,
    names: &TemplateNames,
    template: &Template,
    group: &Group<'_>,
    position: usize,
) -> TokenStream {
    let mut columns = 0..;
    let fields = group.read.iter().filter_map(|place| {
        let (id, parameter) = template.parameters.get_index(*place)?;
        let field = names.field(*id);
        let cell = group.rows.first().and_then(|row| row.get(*place));
        let value = match cell.filter(|_| !group.known.contains(place)) {
            Some(value) => from_config(context, parameter.ty, value),
            None => {
                let column = Token::usize_unsuffixed(columns.next().unwrap_or(0));
                from_table(parameter.ty, &quote!(row.#column))
            }
        };
        Some(quote!(#field: #value))
    });
    let fields: Vec<_> = fields.collect();
    let count = Token::usize_unsuffixed(group.rows.len());
    if group.known.is_empty() {
        return quote!((0..#count).map(|_| Self { #(#fields),* }));
    }
    let table = table_name(names, position);
    quote!(#table.iter().map(|row| Self { #(#fields),* }))
}

/// Whether making the rows of a template needs the configuration.
pub(super) fn reads_config(plan: &Plan, id: TemplateId, template: &Template) -> bool {
    let read = read_parameters(plan, id, template);
    let mut cells = template
        .rows
        .iter()
        .flat_map(|row| read.iter().filter_map(|place| row.get(*place)));
    cells.any(|cell| cell.level > Level::Const)
}

fn table(
    context: &Context<'_>,
    names: &TemplateNames,
    template: &Template,
    group: &Group<'_>,
    position: usize,
) -> TokenStream {
    let name = table_name(names, position);
    let types = group.known.iter().filter_map(|place| {
        let (_, parameter) = template.parameters.get_index(*place)?;
        Some(table_type(parameter))
    });
    let rows = group.rows.iter().map(|row| {
        let cells = group.known.iter().filter_map(|place| row.get(*place));
        let cells = cells.map(literal);
        quote!((#(#cells,)*))
    });
    let count = Token::usize_unsuffixed(group.rows.len());
    let docs = context.docs(&[], &format!("The rows of `template {}`.", template.name));
    quote! {
        #docs
        static #name: [(#(#types,)*); #count] = [#(#rows),*];
    }
}

fn table_name(names: &TemplateNames, position: usize) -> Ident {
    let base = names.row.to_ascii_uppercase();
    match position {
        0 => format_ident!("{base}_ROWS"),
        more => format_ident!("{base}_ROWS_{}", more + 1),
    }
}

fn field_type(ty: ConfigType) -> TokenStream {
    match ty {
        ConfigType::String | ConfigType::Secret => quote!(String),
        ConfigType::Int => quote!(i64),
        ConfigType::Double => quote!(f64),
        ConfigType::Bool => quote!(bool),
        ConfigType::Duration => quote!(Duration),
        ConfigType::Bytes => quote!(u64),
    }
}

fn table_type(parameter: &Parameter) -> TokenStream {
    match parameter.ty {
        ConfigType::String | ConfigType::Secret => quote!(&str),
        other => field_type(other),
    }
}

fn from_table(ty: ConfigType, column: &TokenStream) -> TokenStream {
    match ty {
        ConfigType::String | ConfigType::Secret => quote!(#column.to_owned()),
        _ => column.clone(),
    }
}

fn from_config(context: &Context<'_>, ty: ConfigType, value: &Value) -> TokenStream {
    match ty {
        ConfigType::String | ConfigType::Secret => text(context, value),
        _ => config_field(context, value),
    }
}

fn literal(value: &Value) -> TokenStream {
    match value.literal() {
        Some(Literal::String(text)) => quote!(#text),
        Some(Literal::Int(number)) => {
            let token = Token::i64_unsuffixed(*number);
            quote!(#token)
        }
        Some(Literal::Size(number)) => {
            let token = Token::u64_unsuffixed(*number);
            quote!(#token)
        }
        Some(Literal::Double(number)) if number.is_finite() => {
            let token = Token::f64_unsuffixed(*number);
            quote!(#token)
        }
        Some(Literal::Double(number)) if number.is_nan() => quote!(f64::NAN),
        Some(Literal::Double(number)) if *number > 0.0 => quote!(f64::INFINITY),
        Some(Literal::Double(_)) => quote!(f64::NEG_INFINITY),
        Some(Literal::Bool(flag)) => quote!(#flag),
        Some(Literal::Duration(nanoseconds)) => duration(*nanoseconds),
        // The checker gives parameters no other values.
        _ => quote!(""),
    }
}
