//! Every function and operator of the language, as tables: one file per library.
//!
//! In: nothing. Out: [`functions`] with their overloads, types, help, failures and an example that is true. The
//! checker resolves calls with these tables, the emitter dispatches on [`Overload`], and the language reference is
//! written and tested from them. Macros are described in [`MACROS`]; `&&`, `||` and `?:` are neither and stand
//! in the checker.

mod base64;
mod containers;
mod conversions;
mod lists;
mod macros;
mod math;
mod network;
mod operators;
mod optionals;
mod overload;
mod strings;
mod time;
mod total;

pub use macros::{MACROS, Macro};
pub use overload::Overload;

use super::failure::{Fails, Failure};
use super::types::Type;
use super::unify::Bindings;

/// A type in a table. It is made before any program is seen, so its parts are `'static`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `dyn`
    Dyn,
    /// `null`
    Null,
    /// `bool`
    Bool,
    /// `int`
    Int,
    /// `uint`
    Uint,
    /// `double`
    Double,
    /// `string`
    String,
    /// `bytes`
    Bytes,
    /// `timestamp`
    Timestamp,
    /// `duration`
    Duration,
    /// `net.IP`
    Ip,
    /// `net.CIDR`
    Cidr,
    /// `list(element)`
    List(&'static Self),
    /// `map(key, value)`
    Map(&'static Self, &'static Self),
    /// `optional_type(value)`
    Optional(&'static Self),
    /// `type(of)`
    Type(&'static Self),
    /// The first type parameter.
    A,
    /// The second type parameter.
    B,
}

impl Shape {
    /// The type, with `parameters` for `A` and `B`.
    #[must_use]
    pub fn instantiate(self, parameters: &[Type; 2]) -> Type {
        match self {
            Self::Dyn => Type::Dyn,
            Self::Null => Type::Null,
            Self::Bool => Type::Bool,
            Self::Int => Type::Int,
            Self::Uint => Type::Uint,
            Self::Double => Type::Double,
            Self::String => Type::String,
            Self::Bytes => Type::Bytes,
            Self::Timestamp => Type::Timestamp,
            Self::Duration => Type::Duration,
            Self::Ip => Type::Ip,
            Self::Cidr => Type::Cidr,
            Self::List(element) => Type::list(element.instantiate(parameters)),
            Self::Map(key, value) => {
                Type::map(key.instantiate(parameters), value.instantiate(parameters))
            }
            Self::Optional(value) => Type::optional(value.instantiate(parameters)),
            Self::Type(of) => Type::type_of(of.instantiate(parameters)),
            Self::A => parameters[0].clone(),
            Self::B => parameters[1].clone(),
        }
    }

    /// The type as the reference shows it, with the parameters as letters.
    #[must_use]
    pub fn to_type(self) -> Type {
        self.instantiate(&["A", "B"].map(|name| Type::Parameter(name.to_owned())))
    }
}

/// One way to call a function.
#[derive(Clone, Copy, Debug)]
pub struct Signature {
    /// Which.
    pub overload: Overload,
    /// Whether it is written `first.function(rest)`.
    pub member: bool,
    /// The types of its arguments, the receiver first.
    pub parameters: &'static [Shape],
    /// The type of its value.
    pub result: Shape,
    /// Why it can fail although its arguments have values of these types.
    pub fails: Fails,
}

impl Signature {
    /// The same, with a reason why it can fail.
    const fn fails(self, failure: Failure) -> Self {
        Self {
            fails: self.fails.or(Fails::because(failure)),
            ..self
        }
    }

    /// Parameters and result with fresh variables for the type parameters.
    pub(super) fn instantiate(&self, bindings: &mut Bindings) -> (Vec<Type>, Type) {
        let fresh = [bindings.fresh(), bindings.fresh()];
        let parameters = self
            .parameters
            .iter()
            .map(|shape| shape.instantiate(&fresh))
            .collect();
        (parameters, self.result.instantiate(&fresh))
    }
}

/// A function or an operator.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// The name by which the checker finds it; operators have names such as `_+_`.
    pub name: &'static str,
    /// What it gives, in one line.
    pub help: &'static str,
    /// An expression with it that is `true`.
    pub example: &'static str,
    /// The ways to call it; never empty.
    pub signatures: &'static [Signature],
}

/// A set of functions that belong together.
#[derive(Clone, Copy, Debug)]
pub struct Library {
    /// Its name.
    pub name: &'static str,
    /// Its functions, in the order of the reference.
    pub functions: &'static [Function],
}

/// Every library, in the order of the reference.
pub const LIBRARIES: &[Library] = &[
    operators::LIBRARY,
    containers::LIBRARY,
    conversions::LIBRARY,
    strings::STANDARD,
    time::LIBRARY,
    strings::EXTENDED,
    math::LIBRARY,
    lists::LIBRARY,
    base64::LIBRARY,
    network::LIBRARY,
    optionals::LIBRARY,
    total::LIBRARY,
];

/// Every function, library by library. A name may come more than once, with other signatures.
pub fn functions() -> impl Iterator<Item = &'static Function> {
    LIBRARIES.iter().flat_map(|library| library.functions)
}

/// The signatures of everything with this name.
pub fn signatures(name: &str) -> impl Iterator<Item = &'static Signature> {
    functions()
        .filter(move |function| function.name == name)
        .flat_map(|function| function.signatures)
}

/// The signature of an overload.
#[must_use]
pub fn signature(overload: Overload) -> Option<&'static Signature> {
    functions()
        .flat_map(|function| function.signatures)
        .find(|signature| signature.overload == overload)
}

/// `function(parameters)`
const fn global(overload: Overload, parameters: &'static [Shape], result: Shape) -> Signature {
    Signature {
        overload,
        member: false,
        parameters,
        result,
        fails: Fails::NEVER,
    }
}

/// `receiver.function(parameters)`; the receiver is the first parameter.
const fn member(overload: Overload, parameters: &'static [Shape], result: Shape) -> Signature {
    Signature {
        overload,
        member: true,
        parameters,
        result,
        fails: Fails::NEVER,
    }
}

/// One row of a table.
const fn function(
    name: &'static str,
    help: &'static str,
    example: &'static str,
    signatures: &'static [Signature],
) -> Function {
    Function {
        name,
        help,
        example,
        signatures,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_overload_has_one_signature() {
        let listed: Vec<_> = functions()
            .flat_map(|function| function.signatures)
            .map(|one| one.overload)
            .collect();
        let distinct: BTreeSet<_> = listed.iter().copied().collect();
        assert_eq!(
            listed.len(),
            distinct.len(),
            "an overload stands in two signatures"
        );
        let all: BTreeSet<_> = Overload::ALL.iter().copied().collect();
        assert_eq!(all, distinct);
    }

    #[test]
    fn every_function_is_described() {
        for function in functions() {
            assert!(!function.signatures.is_empty(), "{}", function.name);
            assert!(
                !function.help.is_empty() && !function.help.ends_with('.'),
                "{}",
                function.name
            );
            let written = function.name.replace("@sortByAssociatedKeys", "sortBy");
            let written = written.trim_matches(['_', '[', ']', '?', '@']);
            assert!(function.example.contains(written), "{}", function.name);
        }
    }

    #[test]
    fn names_of_overloads_are_distinct() {
        let names: BTreeSet<_> = Overload::ALL
            .iter()
            .map(|overload| overload.name())
            .collect();
        assert_eq!(names.len(), Overload::ALL.len());
    }
}
