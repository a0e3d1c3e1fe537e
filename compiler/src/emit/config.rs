//! Configuration: the struct of resolved values and how it is read.

use proc_macro2::TokenStream;
use quote::quote;

use super::Item;
use super::connector::duration;
use super::context::Context;
use crate::hir::{ConfigId, ConfigType, Literal};
use crate::plan::{Config, Plan, SettingValue, Value, ValueKind, Walk};

/// The `Config` struct with its fields that something reads.
pub(super) fn emit(context: &Context<'_>) -> Vec<Item> {
    let plan = context.plan;
    let fields: Vec<_> = plan
        .configs
        .iter()
        .filter(|(id, _)| is_read(plan, **id))
        .collect();
    let struct_fields = fields
        .iter()
        .map(|(id, config)| field(context, **id, config));
    let names = fields
        .iter()
        .map(|(id, _)| context.ident(context.config_name(**id)));
    let reads = plan
        .configs
        .iter()
        .map(|(id, config)| read(context, *id, config));
    let reader = if plan.configs.is_empty() {
        quote!(reader)
    } else {
        quote!(mut reader)
    };
    let docs = context.docs(
        &[],
        &format!("Run-time configuration of {}.", context.options.flow),
    );
    let resolve_docs = context.docs(
        &[],
        "What the builder set, else the environment, else the default; every error at once.",
    );
    let struct_tokens = quote! {
        #docs
        #[derive(Clone, Debug)]
        pub struct Config { #(#struct_fields,)* }
    };
    let resolve = quote! {
        impl Config {
            #resolve_docs
            fn resolve(values: ConfigValues) -> Result<Self, ConfigError> {
                let #reader = ConfigReader::new(values);
                #(#reads)*
                reader.finish()?;
                Ok(Self { #(#names),* })
            }
        }
    };
    vec![Item::new(struct_tokens, None), Item::new(resolve, None)]
}

/// The builder methods that set configuration values.
pub(super) fn setters(context: &Context<'_>) -> Vec<TokenStream> {
    context
        .plan
        .configs
        .iter()
        .map(|(id, config)| setter(context, *id, config))
        .collect()
}

fn setter(context: &Context<'_>, id: ConfigId, config: &Config) -> TokenStream {
    let docs = config_docs(context, config, "Sets ");
    let method = context.ident_at(context.config_name(id), config.span);
    let name = &config.name;
    let (ty, set) = match config.ty {
        ConfigType::String | ConfigType::Secret => {
            (quote!(impl Into<String>), quote!(set(#name, value)))
        }
        ConfigType::Int => (quote!(i64), quote!(set(#name, value.to_string()))),
        ConfigType::Double => (quote!(f64), quote!(set(#name, value.to_string()))),
        ConfigType::Bool => (quote!(bool), quote!(set(#name, value.to_string()))),
        ConfigType::Bytes => (quote!(u64), quote!(set(#name, value.to_string()))),
        ConfigType::Duration => (quote!(Duration), quote!(set_duration(#name, value))),
    };
    quote! {
        #docs
        #[must_use]
        pub fn #method(mut self, value: #ty) -> Self {
            self.values.#set;
            self
        }
    }
}

fn config_docs(context: &Context<'_>, config: &Config, verb: &str) -> TokenStream {
    let ours = format!(
        "{verb}`config {}`{}.",
        config.name,
        context.place(config.span)
    );
    context.docs(&config.docs, &ours)
}

fn field(context: &Context<'_>, id: ConfigId, config: &Config) -> TokenStream {
    let docs = config_docs(context, config, "");
    let name = context.ident_at(context.config_name(id), config.span);
    let ty = match config.ty {
        ConfigType::String => quote!(String),
        ConfigType::Int => quote!(i64),
        ConfigType::Double => quote!(f64),
        ConfigType::Bool => quote!(bool),
        ConfigType::Duration => quote!(Duration),
        ConfigType::Bytes => quote!(u64),
        ConfigType::Secret => quote!(Secret),
    };
    quote!(#docs pub #name: #ty)
}

/// `let name = reader.string("name", Some("default"));`
fn read(context: &Context<'_>, id: ConfigId, config: &Config) -> TokenStream {
    let text = &config.name;
    let default = match config
        .default
        .as_ref()
        .and_then(|default| literal(config.ty, default))
    {
        Some(default) => quote!(Some(#default)),
        None => quote!(None),
    };
    let value = match config.ty {
        ConfigType::String => quote!(reader.string(#text, #default)),
        ConfigType::Int => quote!(reader.int(#text, #default)),
        ConfigType::Double => quote!(reader.double(#text, #default)),
        ConfigType::Bool => quote!(reader.boolean(#text, #default)),
        ConfigType::Duration => quote!(reader.duration(#text, #default)),
        ConfigType::Bytes => quote!(reader.bytes(#text, #default)),
        ConfigType::Secret => quote!(reader.secret(#text)),
    };
    if is_read(context.plan, id) {
        let name = context.ident(context.config_name(id));
        quote!(let #name = #value;)
    } else {
        quote!(#value;)
    }
}

fn literal(ty: ConfigType, default: &Value) -> Option<TokenStream> {
    Some(match default.literal()? {
        Literal::String(text) => quote!(#text),
        Literal::Int(value) if ty == ConfigType::Bytes => {
            let value = proc_macro2::Literal::u64_unsuffixed(u64::try_from(*value).ok()?);
            quote!(#value)
        }
        Literal::Int(value) => {
            let value = proc_macro2::Literal::i64_unsuffixed(*value);
            quote!(#value)
        }
        Literal::Size(value) => {
            let value = proc_macro2::Literal::u64_unsuffixed(*value);
            quote!(#value)
        }
        Literal::Double(value) => quote!(#value),
        Literal::Bool(value) => quote!(#value),
        Literal::Duration(nanoseconds) => duration(*nanoseconds),
        Literal::Null | Literal::Uint(_) | Literal::Bytes(_) => return None,
    })
}

/// Whether an option, a guard, a predicate, a subject or a row of a template reads a configuration value.
fn is_read(plan: &Plan, id: ConfigId) -> bool {
    reads(plan, &ValueKind::Config(id))
}

/// Whether something that is emitted reads a configuration value or a parameter.
pub(super) fn reads(plan: &Plan, wanted: &ValueKind) -> bool {
    let mut found = false;
    let mut look = |value: &Value| found |= value.kind == *wanted;
    let nodes = plan
        .connections
        .values()
        .chain(plan.sources.values())
        .chain(plan.sinks.values().map(|sink| &sink.node));
    let options = nodes
        .map(|node| &node.options)
        .chain(plan.batches.values().map(|batch| &batch.options));
    for setting in options.flat_map(indexmap::IndexMap::values) {
        if let SettingValue::Value(value) = &setting.value {
            value.for_each(&mut look);
        }
    }
    for subject in plan.sinks.values().filter_map(|sink| sink.subject.as_ref()) {
        subject.for_each(&mut look);
    }
    for predicate in plan.predicates.values() {
        predicate.condition.for_each_value(&mut look);
    }
    for template in plan.templates.values() {
        for cell in template.rows.iter().flatten() {
            cell.for_each(&mut look);
        }
    }
    for walk in plan.all_walks().filter(|walk| may_read(walk)) {
        walk.tree.for_each_value(&mut look);
    }
    found
}

/// Whether a walk reads values that are known when the flow starts.
fn may_read(walk: &Walk) -> bool {
    walk.reads.config || walk.reads.template.is_some()
}
