//! Values as Rust expressions: typed where the flow's type is known, `AnyValue` where the data decides, an
//! `Option` where a typed value can be an error.

use proc_macro2::{Literal as Token, TokenStream};
use quote::{format_ident, quote};
use watershed_lang::span::Span;

use super::code::{Code, Form};
use super::condition::Expressions;
use super::context::Polarity;
use super::names::grouped_digits;
use crate::catalog::signals::{self, FieldSpec, Reader, Root};
use crate::cel::Type;
use crate::hir::{ConfigId, ConfigType, Literal, ParameterId};
use crate::plan::reads::Key;
use crate::plan::{Condition, Value, ValueKind};

impl Expressions<'_, '_> {
    /// The expression of a value.
    pub(super) fn value(&self, value: &Value) -> Code {
        match &value.kind {
            ValueKind::Literal(literal) => self.literal(literal, value),
            ValueKind::Config(id) => self.config(*id),
            ValueKind::Parameter(id) => self.parameter(*id),
            ValueKind::Field(field) => self.field(field),
            ValueKind::Attribute { map, key } => Code::total(
                self.read(
                    map.root,
                    &Key::Attribute {
                        map,
                        key: key.clone(),
                    },
                ),
                Form::Any,
            ),
            ValueKind::Index { operand, index } => self.index(operand, index),
            ValueKind::Or { value, default } => self.or(value, default),
            ValueKind::OrTyped { value, default } => self.or_typed(value, default),
            ValueKind::Concatenate(parts) => self.concatenate(parts),
            ValueKind::Add(left, right) => add(self.value(left), self.value(right)),
            ValueKind::Size(operand) => size(self.value(operand)),
            ValueKind::If { arms, otherwise } => self.choose(arms, otherwise),
            ValueKind::Condition(condition) => self.condition_value(condition),
            ValueKind::Expression(expression) => self.expression(expression),
            ValueKind::Dynamic(value) => Code::total(self.value(value).into_any(), Form::Any),
            ValueKind::Within { value, least, most } => self.within(value, *least, *most),
            ValueKind::Failed => Code::total(quote!(AnyValue::Missing), Form::Any),
        }
    }

    /// A whole number held within bounds.
    fn within(&self, value: &Value, least: i64, most: i64) -> Code {
        let (code, span) = (self.value(value), value.span);
        let bound = |bound| self.number(i128::from(bound), code.form, span).tokens;
        let (least, most) = (bound(least), bound(most));
        let ty = match code.form {
            Form::Uint => quote!(u64),
            _ => quote!(i64),
        };
        let form = code.form;
        if code.fallible {
            let tokens = code.tokens;
            return Code::fallible(
                quote!(#tokens.map(|number| #ty::clamp(number, #least, #most))),
                form,
            );
        }
        let number = code.into_argument();
        Code::total(quote!(#ty::clamp(#number, #least, #most)), form)
    }

    fn literal(&self, literal: &Literal, value: &Value) -> Code {
        let value_span = value.span;
        let (mut token, form) = match literal {
            Literal::Null => return Code::total(quote!(AnyValue::Null), Form::Any),
            Literal::Bool(value) => return Code::total(quote!(#value), Form::Bool),
            Literal::Int(value) | Literal::Duration(value) => {
                return self.number(i128::from(*value), Form::Int, value_span);
            }
            Literal::Size(value) => return self.number(i128::from(*value), Form::Int, value_span),
            Literal::Uint(value) => return self.number(i128::from(*value), Form::Uint, value_span),
            Literal::Double(value) if value.is_finite() && value.is_sign_positive() => {
                (Token::f64_unsuffixed(*value), Form::Double)
            }
            Literal::Double(value) => return Code::total(special_double(*value), Form::Double),
            Literal::String(text) => (Token::string(text), Form::Str),
            Literal::Bytes(bytes) => {
                let token = Token::byte_string(bytes);
                return Code::total(quote!(#token.as_slice()), Form::Bytes);
            }
        };
        token.set_span(self.context.span(value_span));
        Code::total(quote!(#token), form)
    }

    fn number(&self, value: i128, form: Form, span: Span) -> Code {
        let suffix = if form == Form::Uint { "_u64" } else { "_i64" };
        let literal = |suffix: &str| {
            let text = grouped_digits(value.unsigned_abs()) + suffix;
            let mut token: Option<Token> = text.parse().ok();
            if let Some(token) = &mut token {
                token.set_span(self.context.span(span));
            }
            if value < 0 {
                quote!((-#token))
            } else {
                quote!(#token)
            }
        };
        Code::number(literal(""), literal(suffix), form)
    }

    fn config(&self, id: ConfigId) -> Code {
        let Some(config) = self.context.plan.configs.get(&id) else {
            return Code::total(quote!(AnyValue::Missing), Form::Any);
        };
        let name = self.context.ident(self.context.config_name(id));
        setting(config.ty, &quote!(config.#name))
    }

    /// A parameter of the instance at hand.
    fn parameter(&self, id: ParameterId) -> Code {
        match self.context.plan.parameter(id) {
            Some((template, parameter)) => {
                let names = self.context.template(template);
                let (row, field) = (self.context.ident(&names.row), names.field(id));
                setting(parameter.ty, &quote!(#row.#field))
            }
            None => Code::total(quote!(AnyValue::Missing), Form::Any),
        }
    }

    fn field(&self, field: &'static FieldSpec) -> Code {
        let form = match field.reader {
            Reader::SignalName => return Code::total(quote!(request.signal().name()), Form::Str),
            Reader::SpanDuration => return self.span_duration(),
            Reader::Text => Form::Text,
            Reader::Bytes => Form::Bytes,
            Reader::Unsigned | Reader::Fixed32 | Reader::Fixed64 => Form::Uint,
            Reader::Enumeration => Form::Int,
            Reader::Boolean => Form::Bool,
            Reader::AnyValue | Reader::Attributes | Reader::Messages(_) => Form::Any,
        };
        Code::total(self.read(field.root, &Key::Field(field)), form)
    }

    fn span_duration(&self) -> Code {
        let bound = |name| {
            signals::field(Root::Span, name).map(|field| self.read(Root::Span, &Key::Field(field)))
        };
        let (start, end) = (bound("start_time_unix_nano"), bound("end_time_unix_nano"));
        Code::total(quote!(elapsed(#start, #end)), Form::Int)
    }

    fn read(&self, root: Root, key: &Key) -> TokenStream {
        let variable = self.context.ident(root.name());
        let field = self
            .context
            .ident(self.context.structs.field_name(root, key));
        quote!(#variable.#field)
    }

    fn index(&self, operand: &Value, index: &Value) -> Code {
        let operand = self.value(operand).into_any();
        let index = self.value(index);
        let position = index.tokens;
        let found = match index.form {
            Form::Str => quote!(#operand.get(#position)),
            Form::Owned => quote!(#operand.get(&#position)),
            Form::Int => quote!(#operand.at(#position)),
            // Lowering has refused every other index.
            _ => quote!(AnyValue::Missing),
        };
        Code::total(found, Form::Any)
    }

    fn or(&self, value: &Value, default: &Value) -> Code {
        let value = self.value(value).into_any();
        let default = self.value(default).into_any_argument();
        Code::total(quote!(#value.or(#default)), Form::Any)
    }

    fn or_typed(&self, value: &Value, default: &Value) -> Code {
        let ty = default.ty.clone();
        let value = self.value(value).into_any();
        let default = self.value(default);
        match ty {
            Type::Int => {
                let default = default.into_argument();
                Code::total(quote!(#value.int_or(#default)), Form::Int)
            }
            Type::Double => {
                let default = default.into_argument();
                Code::total(quote!(#value.double_or(#default)), Form::Double)
            }
            Type::Bool => {
                let default = default.into_argument();
                Code::total(quote!(#value.bool_or(#default)), Form::Bool)
            }
            _ => {
                let default = default.into_text_argument();
                Code::total(quote!(#value.text_or(#default)), Form::Text)
            }
        }
    }

    /// `a + b + …` of texts: an error where a part is one.
    fn concatenate(&self, parts: &[Value]) -> Code {
        let format = "{}".repeat(parts.len());
        let (mut arguments, mut open) = (Vec::new(), Vec::new());
        for (position, part) in parts.iter().enumerate() {
            let code = self.value(part);
            if code.fallible {
                let name = format_ident!("part_{}", position);
                arguments.push(quote!(#name));
                open.push((name, code.tokens));
            } else {
                arguments.push(code.tokens);
            }
        }
        let text = quote!(format!(#format, #(#arguments),*));
        let fallible = !open.is_empty();
        let mut method = quote!(map);
        let mut tokens = text;
        for (name, part) in open.into_iter().rev() {
            tokens = quote!(#part.#method(|#name| #tokens));
            method = quote!(and_then);
        }
        if fallible {
            Code::fallible(tokens, Form::Owned)
        } else {
            Code::total(tokens, Form::Owned)
        }
    }

    /// `c ? a : …`: the value of the first condition that is true, an error where one is an error.
    fn choose(&self, arms: &[(Condition, Value)], otherwise: &Value) -> Code {
        let mut values: Vec<Code> = arms.iter().map(|(_, then)| self.value(then)).collect();
        values.push(self.value(otherwise));
        unify_texts(&mut values);
        let form = values.first().map_or(Form::Any, |first| first.form);
        let same = values.iter().all(|value| value.form == form);
        let conditions_fail = arms.iter().any(|(when, _)| self.can_fail(when));
        let fails = conditions_fail || values.iter().any(|value| value.fallible);
        let as_any = !same || form == Form::Any;
        let mut values: Vec<TokenStream> = values
            .into_iter()
            .map(|value| match (as_any, value.fallible) {
                (true, _) => value.into_any(),
                (false, false) if fails => {
                    let tokens = value.tokens;
                    quote!(Some(#tokens))
                }
                (false, _) => value.tokens,
            })
            .collect();
        let error = if as_any {
            quote!(AnyValue::Missing)
        } else {
            quote!(None)
        };
        let mut tokens = values.pop().unwrap_or_else(|| error.clone());
        for ((when, _), then) in arms.iter().zip(values).rev() {
            let is_true = self.condition(when, Polarity::True).tokens;
            tokens = if self.can_fail(when) {
                let is_false = self.condition(when, Polarity::False).tokens;
                quote!(if #is_true { #then } else if #is_false { #tokens } else { #error })
            } else {
                quote!(if #is_true { #then } else { #tokens })
            };
        }
        let tokens = quote!((#tokens));
        match (as_any, fails) {
            (true, _) => Code::total(tokens, Form::Any),
            (false, true) => Code::fallible(tokens, form),
            (false, false) => Code::total(tokens, form),
        }
    }

    fn condition_value(&self, condition: &Condition) -> Code {
        let is_true = self.condition(condition, Polarity::True).tokens;
        if !self.can_fail(condition) {
            return Code::total(quote!((#is_true)), Form::Bool);
        }
        let is_false = self.condition(condition, Polarity::False).tokens;
        let tokens =
            quote!((if #is_true { Some(true) } else if #is_false { Some(false) } else { None }));
        Code::fallible(tokens, Form::Bool)
    }
}

/// A field of a declared type that was filled in when the flow started.
fn setting(ty: ConfigType, field: &TokenStream) -> Code {
    match ty {
        ConfigType::String => Code::total(quote!(#field.as_str()), Form::Str),
        ConfigType::Int => Code::total(quote!(#field), Form::Int),
        ConfigType::Double => Code::total(quote!(#field), Form::Double),
        ConfigType::Bool => Code::total(quote!(#field), Form::Bool),
        ConfigType::Duration => Code::total(
            quote!(i64::try_from(#field.as_nanos()).unwrap_or(i64::MAX)),
            Form::Int,
        ),
        ConfigType::Bytes => {
            Code::total(quote!(i64::try_from(#field).unwrap_or(i64::MAX)), Form::Int)
        }
        // The checker lets no expression read a secret.
        ConfigType::Secret => Code::total(quote!(AnyValue::Missing), Form::Any),
    }
}

/// Gives texts of several forms one form, so that an `if` can yield any of them.
fn unify_texts(values: &mut [Code]) {
    let is_text = |code: &Code| matches!(code.form, Form::Text | Form::Str | Form::Owned);
    let same = values
        .windows(2)
        .all(|pair| matches!(pair, [a, b] if a.form == b.form));
    if same || !values.iter().all(is_text) {
        return;
    }
    let owned = values.iter().any(|code| code.form == Form::Owned);
    let form = if owned { Form::Owned } else { Form::Text };
    for code in values.iter_mut().filter(|code| code.form != form) {
        let tokens = &code.tokens;
        *code = match (code.fallible, owned) {
            (true, true) => Code::fallible(quote!(#tokens.map(|text| text.to_string())), form),
            (true, false) => Code::fallible(quote!(#tokens.map(Text::from)), form),
            (false, true) => Code::total(quote!(#tokens.to_string()), form),
            (false, false) => Code::total(quote!(Text::from(#tokens)), form),
        };
    }
}

/// A double that Rust has no plain literal for.
fn special_double(value: f64) -> TokenStream {
    if value.is_nan() {
        quote!(f64::NAN)
    } else if value == f64::INFINITY {
        quote!(f64::INFINITY)
    } else if value == f64::NEG_INFINITY {
        quote!(f64::NEG_INFINITY)
    } else {
        let token = Token::f64_suffixed(value);
        quote!((#token))
    }
}

/// The sum of two numbers of one type: of integers an error where it does not fit.
fn add(left: Code, right: Code) -> Code {
    let form = left.form;
    let sum = |left: TokenStream, right: TokenStream| match form {
        Form::Double => quote!((#left + #right)),
        Form::Uint => quote!(u64::checked_add(#left, #right)),
        _ => quote!(i64::checked_add(#left, #right)),
    };
    let checked = form != Form::Double;
    if !left.fallible && !right.fallible {
        let tokens = sum(left.tokens, right.tokens);
        return if checked {
            Code::fallible(tokens, form)
        } else {
            Code::total(tokens, form)
        };
    }
    let option = |code: Code| {
        let tokens = code.tokens;
        if code.fallible {
            tokens
        } else {
            quote!(Some(#tokens))
        }
    };
    let (left, right) = (option(left), option(right));
    let inner = sum(quote!(left), quote!(right));
    let then = if checked {
        quote!(and_then)
    } else {
        quote!(map)
    };
    Code::fallible(
        quote!(#left.zip(#right).#then(|(left, right)| #inner)),
        form,
    )
}

/// `size(x)`
fn size(operand: Code) -> Code {
    let (form, fallible) = (operand.form, operand.fallible);
    if form == Form::Any {
        let operand = operand.tokens;
        return Code::fallible(quote!(#operand.size()), Form::Int);
    }
    let count = |operand: Code| match form {
        Form::Bytes => {
            let operand = operand.tokens;
            quote!((#operand.len() as i64))
        }
        _ => {
            let operand = operand.into_text();
            quote!(#operand.size())
        }
    };
    if fallible {
        let tokens = operand.tokens;
        let inner = count(Code::total(quote!(value), form));
        return Code::fallible(quote!(#tokens.map(|value| #inner)), Form::Int);
    }
    Code::total(count(operand), Form::Int)
}
