//! Options: what a flow sets of a connector or a batch, as the option struct of the runtime.
//!
//! A connector `nats` in the role of a sink is `NatsSinkOptions` and `Runtime::nats_sink`; an option is the field
//! of its name; a word `otlp_json` of the option `format` is `FileFormat::OtlpJson`. So a new connector needs no
//! line here.

use proc_macro2::{Ident, Literal as Token, TokenStream, TokenTree};
use quote::{format_ident, quote};

use super::code::Form;
use super::condition::{Expressions, Variables};
use super::context::Context;
use super::names::{camel_case, grouped_digits};
use crate::catalog::{ConnectorSpec, OptionType, Role};
use crate::hir::{ConfigType, ConnectionId, Literal, TemplateId};
use crate::plan::{Node, Options, Setting, SettingValue, Sink, Value, ValueKind};

/// `nats_sink`
pub(super) fn method(connector: &ConnectorSpec) -> Ident {
    format_ident!("{}_{}", connector.name, connector.role.keyword())
}

/// `NatsSink`
pub(super) fn handle_type(connector: &ConnectorSpec) -> Ident {
    format_ident!("{}{}", camel_case(connector.name), role(connector.role))
}

const fn role(role: Role) -> &'static str {
    match role {
        Role::Connection => "Connection",
        Role::Source => "Source",
        Role::Sink => "Sink",
    }
}

/// Option structs whose fields are exactly what this file sets, with their number: where all are set,
/// nothing is left for `..Default::default()`, and clippy says so. The others have fields for programs in Rust.
const CLOSED: &[(&str, usize)] = &[
    ("BatchOptions", 3),
    ("NatsConnectionOptions", 1),
    ("NatsSinkOptions", 2),
];

/// `FileSinkOptions { path: "rest".into(), fsync: true, ..Default::default() }`
pub(super) fn options(context: &Context<'_>, node: &Node) -> TokenStream {
    let name = format_ident!("{}Options", handle_type(node.connector));
    if let Some(alone) = required_alone(context, &name, &node.options) {
        return alone;
    }
    struct_literal(&name, option_fields(context, &node.options))
}

/// [`options`] of a sink. One with subjects is told how they all begin, so that it can ask at the start whether
/// there is a stream for them.
pub(super) fn sink_options(context: &Context<'_>, sink: &Sink) -> TokenStream {
    if sink.subject.is_none() {
        return options(context, &sink.node);
    }
    let name = format_ident!("{}Options", handle_type(sink.node.connector));
    let mut fields = option_fields(context, &sink.node.options);
    if let Some(prefix) = sink.subject.as_ref().and_then(constant_prefix) {
        fields.push(quote!(subject_prefix: #prefix.into()));
    }
    struct_literal(&name, fields)
}

/// The text that every value of an expression begins with.
fn constant_prefix(subject: &Value) -> Option<&str> {
    match &subject.kind {
        ValueKind::Literal(Literal::String(text)) => Some(text),
        ValueKind::Concatenate(parts) => constant_prefix(parts.first()?),
        _ => None,
    }
}

/// `BatchOptions { max_records: 1000, ..Default::default() }`
pub(super) fn batch_options(context: &Context<'_>, options: &Options) -> TokenStream {
    struct_literal(
        &format_ident!("BatchOptions"),
        option_fields(context, options),
    )
}

/// The connection that a node goes through.
pub(super) fn connection(node: &Node) -> Option<ConnectionId> {
    node.options
        .values()
        .find_map(|setting| match setting.value {
            SettingValue::Connection(id) => Some(id),
            SettingValue::Value(_) | SettingValue::Word(_) => None,
        })
}

fn option_fields(context: &Context<'_>, options: &Options) -> Vec<TokenStream> {
    let set = options
        .iter()
        .filter(|(_, setting)| !matches!(setting.value, SettingValue::Connection(_)));
    set.map(|(option, setting)| {
        let field = context.ident(option);
        let value = setting_value(context, option, setting);
        quote!(#field: #value)
    })
    .collect()
}

/// `FileSinkOptions::new("rest")`, where the one option that must be set is the only one that is.
fn required_alone(context: &Context<'_>, name: &Ident, options: &Options) -> Option<TokenStream> {
    let mut set = options.iter();
    let (Some((option, setting)), None) = (set.next(), set.next()) else {
        return None;
    };
    let has_others = CLOSED.iter().all(|(closed, _)| name != closed);
    if !setting.spec.required || !has_others {
        return None;
    }
    let value = match &setting.value {
        SettingValue::Value(value) => match value.literal() {
            Some(Literal::String(text)) => quote!(#text),
            _ => setting_value(context, option, setting),
        },
        SettingValue::Word(_) | SettingValue::Connection(_) => return None,
    };
    Some(quote!(#name::new(#value)))
}

/// `let options = FileSinkOptions { … };` with `options`, or nothing with an expression that sets nothing: where a node is
/// opened, its options stand on lines of their own.
pub(super) fn named(options: &TokenStream) -> (TokenStream, TokenStream) {
    let is_any_set = options
        .clone()
        .into_iter()
        .any(|token| matches!(&token, TokenTree::Group(group) if !group.stream().is_empty()));
    if is_any_set {
        (quote!(let options = #options;), quote!(options))
    } else {
        (TokenStream::new(), options.clone())
    }
}

/// Options that are not set keep the default of the runtime.
fn struct_literal(name: &Ident, fields: Vec<TokenStream>) -> TokenStream {
    if fields.is_empty() {
        return quote!(#name::default());
    }
    let all_set = CLOSED
        .iter()
        .any(|(closed, count)| name == closed && fields.len() == *count);
    let rest = (!all_set).then(|| quote!(..Default::default()));
    quote!(#name { #(#fields,)* #rest })
}

fn setting_value(context: &Context<'_>, option: &str, setting: &Setting) -> TokenStream {
    match &setting.value {
        SettingValue::Word(word) => word_value(option, word),
        SettingValue::Value(value) => option_value(context, setting, value),
        // Filtered out above: a connection is an argument of its own.
        SettingValue::Connection(_) => TokenStream::new(),
    }
}

/// `FileFormat::OtlpJson`. Sinks that write bytes share their formats.
fn word_value(option: &str, word: &str) -> TokenStream {
    let kind = match option {
        "format" => "FileFormat".to_owned(),
        other => camel_case(other),
    };
    let (kind, variant) = (
        format_ident!("{kind}"),
        format_ident!("{}", camel_case(word)),
    );
    quote!(#kind::#variant)
}

fn option_value(context: &Context<'_>, setting: &Setting, value: &Value) -> TokenStream {
    match (value.literal(), setting.spec.ty) {
        (Some(Literal::Duration(nanoseconds)), _) => duration(*nanoseconds),
        (Some(Literal::Int(number)), _) => number_token(u64::try_from(*number).unwrap_or(0)),
        (Some(Literal::Size(number) | Literal::Uint(number)), _) => number_token(*number),
        // An `int` is signed: what does not fit is no limit that the runtime accepts.
        (None, OptionType::Int { .. } | OptionType::Size { .. }) if is_signed(context, value) => {
            let field = config_field(context, value);
            quote!(#field.try_into().unwrap_or_default())
        }
        // Configuration of these types already has the type that the option takes.
        (
            None,
            OptionType::Int { .. }
            | OptionType::Size { .. }
            | OptionType::Duration { .. }
            | OptionType::Bool,
        ) => config_field(context, value),
        _ => text(context, value),
    }
}

/// Whether a value is a `config` or a parameter of type `int`.
fn is_signed(context: &Context<'_>, value: &Value) -> bool {
    let plan = context.plan;
    let ty = match value.kind {
        ValueKind::Config(id) => plan.configs.get(&id).map(|config| config.ty),
        ValueKind::Parameter(id) => plan.parameter(id).map(|(_, parameter)| parameter.ty),
        _ => None,
    };
    ty == Some(ConfigType::Int)
}

pub(super) fn text(context: &Context<'_>, value: &Value) -> TokenStream {
    if let ValueKind::Config(_) | ValueKind::Parameter(_) = value.kind {
        let field = config_field(context, value);
        return quote!(#field.clone());
    }
    let code = Expressions {
        context,
        variables: Variables::Owned,
        once: None,
    }
    .value(value);
    let tokens = code.tokens;
    match code.form {
        Form::Str => quote!(#tokens.into()),
        _ => tokens,
    }
}

/// `config.name` or `link.name`
pub(super) fn config_field(context: &Context<'_>, value: &Value) -> TokenStream {
    match value.kind {
        ValueKind::Config(id) => {
            let name = context.ident(context.config_name(id));
            quote!(config.#name)
        }
        ValueKind::Parameter(id) => {
            let template = context.plan.parameter(id).map(|(template, _)| template);
            let names = context.template(template.unwrap_or(TemplateId(u32::MAX)));
            let (row, field) = (context.ident(&names.row), names.field(id));
            quote!(#row.#field)
        }
        _ => {
            let code = Expressions {
                context,
                variables: Variables::Owned,
                once: None,
            }
            .value(value);
            code.tokens
        }
    }
}

pub(super) fn number_token(number: u64) -> TokenStream {
    let token: Option<Token> = grouped_digits(u128::from(number)).parse().ok();
    quote!(#token)
}

/// `Duration::from_millis(10)`, in the largest unit that is exact.
pub(super) fn duration(nanoseconds: i64) -> TokenStream {
    let nanoseconds = u64::try_from(nanoseconds).unwrap_or(0);
    let (function, count) = match nanoseconds {
        n if n % 1_000_000_000 == 0 => ("from_secs", n / 1_000_000_000),
        n if n % 1_000_000 == 0 => ("from_millis", n / 1_000_000),
        n if n % 1_000 == 0 => ("from_micros", n / 1_000),
        n => ("from_nanos", n),
    };
    let function = format_ident!("{function}");
    let count = number_token(count);
    quote!(Duration::#function(#count))
}
