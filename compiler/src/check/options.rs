//! The values of options: type, level and range.

use super::Checker;
use super::option_error::{OptionError, Range};
use crate::catalog::OptionType;
use crate::cel::Type;
use crate::cel::fold::Constant;
use crate::hir::{ExprId, Setting, SettingValue};
use crate::level::Level;

impl Checker<'_> {
    /// Checks one option that was set.
    pub(super) fn setting(&mut self, setting: &Setting) {
        let SettingValue::Expr(id) = setting.value else {
            return;
        };
        let Some(wanted) = value_type(setting.spec.ty) else {
            return;
        };
        if setting.spec.ty == OptionType::Url && self.is_secret(id) {
            return self.keep_secret(id);
        }
        self.value_position(id, &format!("`{}`", setting.spec.name), &wanted);
        if !self.has_type(setting, id, &wanted) {
            return;
        }
        let level = self.table.level(id);
        if level > setting.spec.deepest {
            return self.report(OptionError::TooDeep {
                option: setting.spec,
                level,
                span: setting.span,
            });
        }
        let known = self.table.constant(id);
        if let Some(range) = known.and_then(|value| Self::broken_range(setting, value)) {
            self.report(OptionError::OutOfRange {
                option: setting.spec,
                range,
                span: setting.span,
            });
        }
        if level == Level::Instance {
            self.range_of_rows(setting, id);
        }
        if setting.spec.ty == OptionType::Subject {
            self.subject(id);
        }
    }

    fn has_type(&mut self, setting: &Setting, id: ExprId, wanted: &Type) -> bool {
        let found = self.table.ty(id).clone();
        if found == *wanted {
            return true;
        }
        if found != Type::Error {
            self.report(OptionError::WrongType {
                option: setting.spec,
                found,
                span: setting.span,
            });
        }
        false
    }

    /// The range that a value does not lie in.
    pub(super) fn broken_range(setting: &Setting, value: &Constant) -> Option<Range> {
        match (setting.spec.ty, value) {
            (OptionType::Int { min, max }, Constant::Int(value))
                if *value < min || *value > max =>
            {
                Some(Range::Int { min, max })
            }
            (OptionType::Size { min, max }, Constant::Int(value))
                if *value < min || *value > max =>
            {
                Some(Range::Size { min, max })
            }
            (OptionType::Duration { below }, Constant::Duration(value))
                if *value <= 0 || *value >= below =>
            {
                Some(Range::Duration { below })
            }
            (OptionType::Text, Constant::String(text)) if text.is_empty() => Some(Range::NotEmpty),
            (OptionType::Address, Constant::String(text)) if !is_address(text) => {
                Some(Range::Address)
            }
            (OptionType::Url, Constant::String(text)) if !is_url(text) => Some(Range::Url),
            (OptionType::Ratio, Constant::Double(ratio)) if !is_ratio(*ratio) => Some(Range::Ratio),
            _ => None,
        }
    }
}

/// The type of the expressions that an option takes; `None` for options that take no expression, and for
/// conditions, which are checked where they stand.
const fn value_type(ty: OptionType) -> Option<Type> {
    match ty {
        OptionType::Text | OptionType::Address | OptionType::Url | OptionType::Subject => {
            Some(Type::String)
        }
        OptionType::Int { .. } | OptionType::Size { .. } => Some(Type::Int),
        OptionType::Duration { .. } => Some(Type::Duration),
        OptionType::Bool => Some(Type::Bool),
        OptionType::Ratio => Some(Type::Double),
        OptionType::Word(_)
        | OptionType::Connection(_)
        | OptionType::Predicate
        | OptionType::Path
        | OptionType::NewValue => None,
    }
}

/// More than nothing, and the whole at most; not a number is neither.
fn is_ratio(ratio: f64) -> bool {
    ratio > 0.0 && ratio <= 1.0
}

/// `host:port`, an IPv6 host in brackets.
fn is_address(text: &str) -> bool {
    match text.rsplit_once(':') {
        Some((host, port)) => {
            let bracketed = host.starts_with('[') && host.ends_with(']');
            !host.is_empty() && (bracketed || !host.contains(':')) && port.parse::<u16>().is_ok()
        }
        None => false,
    }
}

/// `scheme://host…`, or several with commas between.
fn is_url(text: &str) -> bool {
    text.split(',').all(|url| {
        let rest = url
            .trim()
            .split_once("://")
            .map(|(scheme, rest)| (!scheme.is_empty(), rest));
        rest.is_some_and(|(scheme, rest)| {
            scheme && !rest.is_empty() && !rest.contains(char::is_whitespace)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_a_host_and_a_port() {
        for good in ["127.0.0.1:4318", "localhost:0", "[::1]:4318"] {
            assert!(is_address(good), "{good}");
        }
        for bad in [
            "",
            "4318",
            ":4318",
            "127.0.0.1",
            "::1:4318",
            "127.0.0.1:99999",
            "host:http",
        ] {
            assert!(!is_address(bad), "{bad}");
        }
    }

    #[test]
    fn urls_have_a_scheme_and_a_host() {
        assert!(is_url("nats://127.0.0.1:4222"));
        assert!(is_url("nats://a:1, nats://b:2"));
        assert!(!is_url("127.0.0.1:4222"));
        assert!(!is_url("nats://"));
        assert!(!is_url("nats://a b"));
    }
}
