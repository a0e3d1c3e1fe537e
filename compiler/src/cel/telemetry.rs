//! The data of a flow as an environment: `resource`, `scope`, `log`, `span`, `metric`, `datapoint`, `signal`.
//!
//! In: roots of the catalog. Out: a variable for each, of a record type whose fields are those of the catalog. A
//! field with a dot in its name (`span.status.code`) becomes a field of a field. These records are read from bytes in
//! place, so no expression can use them whole.

use super::environment::{Environment, Field, FieldId, Record, Variable, VariableId};
use super::failure::{Fails, Failure};
use super::types::Type;
use crate::catalog::signals::{
    ELEMENT_FIELDS, Element, ElementField, FIELDS, FieldSpec, Reader, Root, fields_of,
};
use crate::level::Level;

/// Declares a root as the variable `id`.
///
/// ```
/// use watershed_compiler::catalog::signals::Root;
/// use watershed_compiler::cel::environment::{Environment, VariableId};
/// use watershed_compiler::cel::telemetry;
///
/// let mut environment = Environment::default();
/// telemetry::declare(&mut environment, Root::Log, VariableId(0));
/// let body = &environment.records["log"].fields["body"];
/// assert_eq!(telemetry::field(body.id).map(ToString::to_string).as_deref(), Some("log.body"));
/// ```
pub fn declare(environment: &mut Environment, root: Root, id: VariableId) {
    let mut ty = Type::Record(root.name().to_owned());
    for field in fields_of(root) {
        if field.name.is_empty() {
            ty = field.ty();
        } else {
            declare_field(environment, root, field);
        }
        if let Reader::Messages(element) = field.reader {
            declare_element(environment, element);
        }
    }
    environment
        .variables
        .insert(root.name().to_owned(), Variable::new(id, ty, root.level()));
}

/// The field of the catalog that an id of [`declare`] stands for; `None` for a field that only holds others.
#[must_use]
pub fn field(id: FieldId) -> Option<&'static FieldSpec> {
    FIELDS.get(id.0 as usize)
}

/// Declares a field in the record of its root, or in the records between them.
fn declare_field(environment: &mut Environment, root: Root, field: &'static FieldSpec) {
    let mut record = root.name().to_owned();
    let mut rest = field.name;
    while let Some((holder, behind)) = rest.split_once('.') {
        let inner = format!("{record}.{holder}");
        insert(
            environment,
            &record,
            holder,
            Field::new(HOLDER, Type::Record(inner.clone()), root.level()),
        );
        (record, rest) = (inner, behind);
    }
    let position = FIELDS
        .iter()
        .position(|other| std::ptr::eq(other, field))
        .and_then(|at| u32::try_from(at).ok());
    let id = position.map_or(HOLDER, FieldId);
    let mut declared = Field::new(id, field.ty(), root.level());
    if !field.is_always_there() {
        declared.fails = Fails::because(Failure::MissingKey);
    }
    insert(environment, &record, rest, declared);
}

/// Declares the record of what a list holds.
fn declare_element(environment: &mut Environment, element: Element) {
    let fields = ELEMENT_FIELDS.iter().zip(FIRST_OF_ELEMENTS..);
    for (field, id) in fields.filter(|(field, _)| field.element == element) {
        let declared = Field::new(FieldId(id), field.ty(), Level::Record);
        insert(environment, element.name(), field.name, declared);
    }
}

/// The field of an element that an id of [`declare`] stands for; `None` for every other field.
#[must_use]
pub fn element_field(id: FieldId) -> Option<&'static ElementField> {
    let position = id.0.checked_sub(FIRST_OF_ELEMENTS)?;
    ELEMENT_FIELDS.get(position as usize)
}

/// The first id of the fields of elements: far behind those of the catalog.
const FIRST_OF_ELEMENTS: u32 = 1 << 16;

/// The id of fields that only hold others.
const HOLDER: FieldId = FieldId(u32::MAX);

fn insert(environment: &mut Environment, record: &str, name: &str, field: Field) {
    let record: &mut Record = environment.records.entry(record.to_owned()).or_default();
    record.fields.insert(name.to_owned(), field);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::signals::field as catalog_field;

    #[test]
    fn a_field_of_a_field_is_found_through_its_holder() {
        let mut environment = Environment::default();
        declare(&mut environment, Root::Span, VariableId(3));
        let status = &environment.records["span"].fields["status"];
        assert_eq!(status.ty, Type::Record("span.status".to_owned()));
        assert_eq!(field(status.id), None);
        let code = &environment.records["span.status"].fields["code"];
        assert_eq!(field(code.id), catalog_field(Root::Span, "status.code"));
    }

    #[test]
    fn the_signal_is_a_text() {
        let mut environment = Environment::default();
        declare(&mut environment, Root::Payload, VariableId(0));
        assert_eq!(environment.variables["signal"].ty, Type::String);
    }
}
