//! Calls of the standard library.

use watershed_lang::span::Span;

use super::Checker;
use super::constant::Constant;
use super::evaluate;
use super::regex;
use super::type_error::TypeError;
use super::types::{Failure, Type, Typed};
use crate::hir::{ExprId, Function};

impl Checker<'_> {
    /// `function(args)`, the receiver first.
    pub(super) fn call(
        &mut self,
        id: ExprId,
        function: Function,
        span: Span,
        args: &[ExprId],
    ) -> Typed {
        if self.any_error(args) {
            return Typed::ERROR;
        }
        match (function, args) {
            (Function::Size, [value]) => self.size(*value, span),
            (Function::StartsWith | Function::EndsWith | Function::Contains, [text, part]) => {
                self.text_test(function, span, *text, *part)
            }
            (Function::Matches, [text, pattern]) => self.matches(id, span, *text, *pattern),
            (Function::OrValue, [optional, default]) => self.or_value(span, *optional, *default),
            (Function::OrString, [value, default]) => {
                self.or_typed(function, span, *value, *default, Type::String)
            }
            (Function::OrInt, [value, default]) => {
                self.or_typed(function, span, *value, *default, Type::Int)
            }
            (Function::OrDouble, [value, default]) => {
                self.or_typed(function, span, *value, *default, Type::Double)
            }
            (Function::OrBool, [value, default]) => {
                self.or_typed(function, span, *value, *default, Type::Bool)
            }
            // The resolver has counted the arguments.
            _ => Typed::ERROR,
        }
    }

    fn size(&mut self, value: ExprId, span: Span) -> Typed {
        let typed = self.over(&[value], Type::Int);
        match self.table.ty(value).clone() {
            Type::String | Type::Bytes => Typed {
                constant: self.evaluated(Function::Size, &[value]),
                ..typed
            },
            Type::List(_) => match self.evaluated(Function::Size, &[value]) {
                Some(size) => Typed {
                    constant: Some(size),
                    ..typed
                },
                None => self.later("`size` of a list that is not constant", span),
            },
            Type::Dyn => typed.failing(Failure::WrongType),
            Type::Map(_) => self.later("`size` of a map", span),
            other => self.no_overload("size", vec![other], span, None),
        }
    }

    fn text_test(&mut self, function: Function, span: Span, text: ExprId, part: ExprId) -> Typed {
        let typed = self.over(&[text, part], Type::Bool);
        match (self.table.ty(text).clone(), self.table.ty(part).clone()) {
            (Type::String, Type::String) => Typed {
                constant: self.evaluated(function, &[text, part]),
                ..typed
            },
            (Type::Dyn, Type::String) => typed.failing(Failure::WrongType),
            (Type::Dyn | Type::String, Type::Dyn) => self.later(
                "an argument that is not known to be a `string`",
                self.span(part),
            ),
            (text, part) => self.no_overload(function.name(), vec![text, part], span, None),
        }
    }

    /// The pattern is checked and rewritten here, so that it can neither fail nor differ at run time.
    fn matches(&mut self, id: ExprId, span: Span, text: ExprId, pattern: ExprId) -> Typed {
        let typed = self.over(&[text], Type::Bool);
        let typed = match (self.table.ty(text).clone(), self.table.ty(pattern).clone()) {
            (Type::String, Type::String | Type::Dyn) => typed,
            (Type::Dyn, Type::String | Type::Dyn) => typed.failing(Failure::WrongType),
            (text, pattern) => return self.no_overload("matches", vec![text, pattern], span, None),
        };
        let pattern_span = self.span(pattern);
        let Some(Constant::String(written)) = self.table.constant(pattern) else {
            return self.later("a pattern that is not constant", pattern_span);
        };
        match regex::rewrite(written) {
            Ok(rewritten) => {
                self.table.regexes.insert(id, rewritten);
                typed
            }
            Err(fault) => {
                self.report(TypeError::InvalidRegex {
                    reason: fault.to_string(),
                    span: pattern_span,
                });
                Typed {
                    ty: Type::Bool,
                    ..Typed::ERROR
                }
            }
        }
    }

    /// `optional.orValue(default)`
    fn or_value(&mut self, span: Span, optional: ExprId, default: ExprId) -> Typed {
        let (ty, default_type) = (
            self.table.ty(optional).clone(),
            self.table.ty(default).clone(),
        );
        match ty {
            Type::Optional(inner) if inner.is_open() || *inner == default_type => {
                if !self.table.fails(optional).is_total() {
                    return self.later(
                        "`orValue` behind a look-up in a value that may have no keys",
                        span,
                    );
                }
                self.over(&[default], *inner)
                    .at_least(self.table.level(optional))
            }
            other => {
                let found = vec![other, default_type];
                let help = Some("`orValue` follows `m[?\"key\"]`".to_owned());
                self.report(TypeError::NoOverload {
                    operation: "orValue",
                    found,
                    span,
                    operand: None,
                    rewrite: None,
                    help,
                });
                Typed::ERROR
            }
        }
    }

    /// `value.orString(default)` and its kin: whatever is wrong with the value, the default takes its place.
    fn or_typed(
        &mut self,
        function: Function,
        span: Span,
        value: ExprId,
        default: ExprId,
        wanted: Type,
    ) -> Typed {
        let (ty, default_type) = (self.table.ty(value).clone(), self.table.ty(default).clone());
        let takes =
            matches!(&ty, Type::Dyn) || matches!(&ty, Type::Optional(inner) if inner.is_open());
        if !takes || default_type != wanted {
            return self.no_overload(function.name(), vec![ty, default_type], span, None);
        }
        self.over(&[default], wanted)
            .at_least(self.table.level(value))
    }

    fn evaluated(&self, function: Function, args: &[ExprId]) -> Option<Constant> {
        let args: Option<Vec<_>> = args.iter().map(|arg| self.table.constant(*arg)).collect();
        evaluate::call(function, &args?)
    }
}

impl Typed {
    /// The same, read no earlier than this level.
    fn at_least(mut self, level: super::types::Level) -> Self {
        self.level = self.level.max(level);
        self
    }
}
