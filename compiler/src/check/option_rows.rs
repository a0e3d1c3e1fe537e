//! Options that read the parameters of a template: their value in every instance.
//!
//! In: an option and the instances of the template that it stands in. Out: an error for the first instance whose value
//! is outside of the option's range, with the row that made it. What a `config` gives is looked at when the flow starts.

use watershed_lang::ast::Literal;

use super::Checker;
use super::names::Binding;
use super::option_error::OptionError;
use super::template::{Cell, Instance};
use crate::catalog::OptionType;
use crate::cel::environment::VariableId;
use crate::cel::fold::Constant;
use crate::cel::given;
use crate::cel::print::{print_duration, print_size, quote};
use crate::hir::{ExprId, ParameterId, Setting};

impl Checker<'_> {
    /// Holds an option to its range in every instance. The first that does not keep to it is reported.
    pub(super) fn range_of_rows(&mut self, setting: &Setting, id: ExprId) {
        let ty = setting.spec.ty;
        let Some(template) = self.table.names.inside().filter(|_| has_range(ty)) else {
            return;
        };
        let Some(tree) = self.table.tree(id) else {
            return;
        };
        let item = self.program.templates.at(template);
        let parameters = &item.parameters;
        let instances = self.table.instances(template).iter();
        let fault = instances
            .filter_map(|instance| {
                let known = |variable| self.parameter(variable, parameters, instance);
                let value = given::value(tree, known)?;
                Some((instance, Self::broken_range(setting, &value)?, value))
            })
            .next();
        if let Some((instance, range, value)) = fault {
            let key = self.key_of(instance).unwrap_or_default();
            let error = OptionError::RowOutOfRange {
                option: setting.spec,
                range,
                span: setting.span,
                value: shown(ty, &value),
                instance: format!("{}[{key}]", item.name.value),
                place: instance.place.clone(),
                used: instance.span,
            };
            self.report(error);
        }
    }

    /// What a variable is in an instance, when it is a parameter that is known at build time.
    fn parameter(
        &self,
        variable: VariableId,
        parameters: &[ParameterId],
        instance: &Instance,
    ) -> Option<Constant> {
        let Binding::Parameter(id) = self.table.binding(variable) else {
            return None;
        };
        let place = parameters.iter().position(|parameter| *parameter == id)?;
        match instance.cells.get(place)? {
            Cell::Known(literal) => constant(literal),
            Cell::Config(_) => None,
        }
    }
}

/// Whether some values of the type are not allowed. Subjects are held to their rules where they are made.
const fn has_range(ty: OptionType) -> bool {
    !matches!(ty, OptionType::Bool | OptionType::Subject)
}

/// The value of a parameter in expressions: a size is a number, and one that is too large for it the largest.
fn constant(literal: &Literal) -> Option<Constant> {
    Some(match literal {
        Literal::Bool(value) => Constant::Bool(*value),
        Literal::Int(value) => Constant::Int(*value),
        Literal::Double(value) => Constant::Double(*value),
        Literal::String(text) => Constant::String(text.clone()),
        Literal::Duration(nanoseconds) => Constant::Duration(*nanoseconds),
        Literal::Size(bytes) => Constant::Int(i64::try_from(*bytes).unwrap_or(i64::MAX)),
        _ => return None,
    })
}

/// A value as it would be written for the option.
fn shown(ty: OptionType, value: &Constant) -> String {
    match value {
        Constant::Int(bytes) => match (ty, u64::try_from(*bytes)) {
            (OptionType::Size { .. }, Ok(1..)) => print_size(bytes.unsigned_abs()),
            _ => bytes.to_string(),
        },
        Constant::Double(ratio) => ratio.to_string(),
        Constant::String(text) => quote(text),
        Constant::Duration(0) => "0s".to_owned(),
        Constant::Duration(nanoseconds) => print_duration(*nanoseconds),
        // Options with a range are of no other type.
        _ => "this value".to_owned(),
    }
}
