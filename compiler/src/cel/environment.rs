//! What an expression may read and call: variables, records and functions that are not of the language.
//!
//! In: declarations, in any order. Out: [`Environment`], which the checker asks. Each thing carries an opaque id
//! that the tree hands back, so the checker knows nothing of telemetry, configuration or where a value comes from.
//!
//! A variable may have dots in its name. `a.b.c` means the longest name that is declared, in the container first and
//! then outwards; the rest are fields and keys. A name with a dot before it is looked up outside of any container.

use indexmap::IndexMap;

use super::failure::Fails;
use super::fold::Constant;
use super::types::Type;
use crate::level::Level;

/// A variable of an environment, as its maker numbers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariableId(pub u32);

/// A field of a record, as the maker of the environment numbers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldId(pub u32);

/// One overload of a function of an environment, as its maker numbers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(pub u32);

/// A variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// What the tree calls it.
    pub id: VariableId,
    /// Its type.
    pub ty: Type,
    /// How deep in the data it stands.
    pub level: Level,
    /// Why reading it can fail: a predicate by name can, a field cannot.
    pub fails: Fails,
    /// Its value, when that is known at build time.
    pub constant: Option<Constant>,
}

impl Variable {
    /// A variable that can always be read and is not known at build time.
    #[must_use]
    pub const fn new(id: VariableId, ty: Type, level: Level) -> Self {
        Self {
            id,
            ty,
            level,
            fails: Fails::NEVER,
            constant: None,
        }
    }
}

/// A type with known fields.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// Its fields by name.
    pub fields: IndexMap<String, Field>,
    /// Whether it can be used whole: compared, put in a list. What is read from bytes in place cannot.
    pub is_value: bool,
    /// Whether `Name{field: value}` makes one.
    pub is_constructible: bool,
}

/// A field of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// What the tree calls it.
    pub id: FieldId,
    /// Its type.
    pub ty: Type,
    /// How deep in the data it stands; what it is read from may stand deeper.
    pub level: Level,
    /// Why reading it can fail.
    pub fails: Fails,
}

impl Field {
    /// A field that can always be read.
    #[must_use]
    pub const fn new(id: FieldId, ty: Type, level: Level) -> Self {
        Self {
            id,
            ty,
            level,
            fails: Fails::NEVER,
        }
    }
}

/// A function with its overloads.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CustomFunction {
    /// The ways to call it.
    pub overloads: Vec<CustomOverload>,
}

/// One way to call a function of an environment.
#[derive(Clone, Debug, PartialEq)]
pub struct CustomOverload {
    /// What the tree calls it.
    pub id: FunctionId,
    /// Whether it is written `first.function(rest)`.
    pub member: bool,
    /// The types of its arguments, the receiver first; [`Type::Parameter`] stands for any type.
    pub parameters: Vec<Type>,
    /// The type of its value.
    pub result: Type,
    /// Why it can fail although its arguments have values of these types.
    pub fails: Fails,
}

/// Everything that is declared around an expression.
///
/// ```
/// use watershed_compiler::cel::environment::{Environment, Variable, VariableId};
/// use watershed_compiler::cel::types::Type;
/// use watershed_compiler::level::Level;
///
/// let mut environment = Environment::default();
/// environment.variables.insert("a.b".to_owned(), Variable::new(VariableId(7), Type::Int, Level::Record));
/// let (variable, parts) = environment.variable(&["a", "b", "c"], false).unwrap();
/// assert_eq!((variable.id, parts), (VariableId(7), 2));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Environment {
    /// Where names are looked up first, such as `com.example`; may be empty.
    pub container: String,
    /// Variables by their full names.
    pub variables: IndexMap<String, Variable>,
    /// Records by their names.
    pub records: IndexMap<String, Record>,
    /// Functions by their full names.
    pub functions: IndexMap<String, CustomFunction>,
}

impl Environment {
    /// The variable that the beginning of `parts` names, and how many parts that takes. The longest name wins.
    #[must_use]
    pub fn variable(&self, parts: &[&str], rooted: bool) -> Option<(&Variable, usize)> {
        self.longest(parts, rooted, |name| self.variables.get(name))
    }

    /// The record with this name, seen from the container.
    #[must_use]
    pub fn record(&self, name: &str) -> Option<(&str, &Record)> {
        let (name, rooted) = name
            .strip_prefix('.')
            .map_or((name, false), |rest| (rest, true));
        self.candidates(name, rooted)
            .into_iter()
            .find_map(|candidate| {
                let (name, record) = self.records.get_key_value(&candidate)?;
                Some((name.as_str(), record))
            })
    }

    /// The function with this name, seen from the container.
    #[must_use]
    pub fn function(&self, name: &str, rooted: bool) -> Option<&CustomFunction> {
        self.candidates(name, rooted)
            .into_iter()
            .find_map(|candidate| self.functions.get(&candidate))
    }

    /// Looks up shorter and shorter beginnings of `parts`, each in the container and outwards.
    pub(super) fn longest<T>(
        &self,
        parts: &[&str],
        rooted: bool,
        find: impl Fn(&str) -> Option<T>,
    ) -> Option<(T, usize)> {
        (1..=parts.len()).rev().find_map(|taken| {
            let name = parts.get(..taken)?.join(".");
            let found = self
                .candidates(&name, rooted)
                .iter()
                .find_map(|candidate| find(candidate))?;
            Some((found, taken))
        })
    }

    /// `com.example.name`, `com.name`, `name`; the name alone when it is rooted.
    fn candidates(&self, name: &str, rooted: bool) -> Vec<String> {
        let mut candidates = Vec::new();
        let mut container = if rooted { "" } else { self.container.as_str() };
        while !container.is_empty() {
            candidates.push(format!("{container}.{name}"));
            container = container.rsplit_once('.').map_or("", |(outer, _)| outer);
        }
        candidates.push(name.to_owned());
        candidates
    }
}

/// The type that a name stands for as a value, such as `int` or `net.IP`.
pub(super) fn type_name(name: &str) -> Option<Type> {
    Some(match name {
        "bool" => Type::Bool,
        "bytes" => Type::Bytes,
        "double" => Type::Double,
        "int" => Type::Int,
        "list" => Type::list(Type::Dyn),
        "map" => Type::map(Type::Dyn, Type::Dyn),
        "null_type" => Type::Null,
        "string" => Type::String,
        "type" => Type::Type(None),
        "uint" => Type::Uint,
        "google.protobuf.Duration" => Type::Duration,
        "google.protobuf.Timestamp" => Type::Timestamp,
        "net.CIDR" => Type::Cidr,
        "net.IP" => Type::Ip,
        "optional_type" => Type::optional(Type::Dyn),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(container: &str, names: &[&str]) -> Environment {
        let mut environment = Environment {
            container: container.to_owned(),
            ..Environment::default()
        };
        for (position, name) in names.iter().enumerate() {
            let id = VariableId(u32::try_from(position).unwrap());
            environment.variables.insert(
                (*name).to_owned(),
                Variable::new(id, Type::Int, Level::Record),
            );
        }
        environment
    }

    #[test]
    fn the_container_comes_before_what_is_around_it() {
        let environment = environment("com.example", &["y", "com.y", "com.example.y"]);
        assert_eq!(
            environment.variable(&["y"], false).unwrap().0.id,
            VariableId(2)
        );
        assert_eq!(
            environment.variable(&["y"], true).unwrap().0.id,
            VariableId(0)
        );
        assert_eq!(
            environment.variable(&["com", "y"], false).unwrap().0.id,
            VariableId(1)
        );
    }

    #[test]
    fn the_longest_name_wins() {
        let environment = environment("", &["a", "a.b"]);
        assert_eq!(environment.variable(&["a", "b", "c"], false).unwrap().1, 2);
        assert_eq!(environment.variable(&["a", "c"], false).unwrap().1, 1);
        assert!(environment.variable(&["b"], false).is_none());
    }
}
