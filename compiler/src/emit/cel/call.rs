//! Calls whose overload the checker has found.
//!
//! An argument whose type is only known when it is read is not narrowed by the overload: relations, equality, look-ups
//! and `in` take it as it is; everything else asks it for the type that the overload wants, and fails without it.

mod collections;
mod number;
mod operators;
mod text;
mod time;

pub(super) use collections::contains;
pub(super) use number::extreme_of_values;
pub(super) use operators::{Order, equals, index, is_in, optional_index, order};
pub(super) use time::zone;

use super::arguments::Arguments;
use super::piece::Piece;
use crate::cel::declarations::Overload;
use crate::cel::fold::Constant;

/// The code of a call; `None` when there is none. `constants` are the arguments that are known.
pub(super) fn call(
    overload: Overload,
    arguments: &mut Arguments,
    constants: &[Option<&Constant>],
) -> Option<Piece> {
    operators::call(overload, arguments, constants)
        .or_else(|| text::call(overload, arguments))
        .or_else(|| time::call(overload, arguments, constants))
        .or_else(|| number::call(overload, arguments))
        .or_else(|| collections::call(overload, arguments))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::cel::piece::Form;

    /// The macro `sortBy` is a loop and leaves none of these calls in a tree.
    fn is_part_of_a_macro(overload: Overload) -> bool {
        overload.name().ends_with("_sortByAssociatedKeys")
    }

    #[test]
    fn every_overload_has_code() {
        let value = Piece::new(Form::Value, quote::quote!(value));
        for overload in Overload::ALL {
            let mut arguments = Arguments::new(vec![value.clone(); 4]);
            let code = call(*overload, &mut arguments, &[]);
            assert_eq!(
                code.is_some(),
                !is_part_of_a_macro(*overload),
                "{}",
                overload.name()
            );
        }
    }
}
