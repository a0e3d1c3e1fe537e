//! Which types go together: assignability with type variables, and the more general of two types.
//!
//! In: types with variables. Out: whether one goes where another is wanted, and what the variables must be then.
//! The rules are those of the reference checker, also where they are lenient: `dyn` goes with everything, `null`
//! goes with moments, durations, optionals and records, and a variable that has met two types keeps the more general.

use super::types::Type;

/// What is known of the type variables of one expression.
#[derive(Debug, Default)]
pub(super) struct Bindings {
    /// The type of each variable, where one has been found.
    bound: Vec<Option<Type>>,
    /// Earlier types of variables that an attempt has changed.
    trail: Vec<(u32, Option<Type>)>,
}

impl Bindings {
    /// A new variable.
    pub(super) fn fresh(&mut self) -> Type {
        let number = u32::try_from(self.bound.len()).unwrap_or(u32::MAX);
        self.bound.push(None);
        Type::Variable(number)
    }

    /// Whether `from` goes where `to` is wanted. Variables learn from it only when it does.
    pub(super) fn is_assignable(&mut self, from: &Type, to: &Type) -> bool {
        self.attempt(|bindings| bindings.assign(from, to))
    }

    /// The same for lists of types, all or nothing.
    pub(super) fn are_assignable(&mut self, from: &[Type], to: &[Type]) -> bool {
        from.len() == to.len()
            && self.attempt(|bindings| {
                from.iter()
                    .zip(to)
                    .all(|(from, to)| bindings.assign(from, to))
            })
    }

    /// The common type of two values of one literal or conditional; `None` when there is none but `dyn`.
    pub(super) fn join(&mut self, earlier: &Type, later: &Type) -> Option<Type> {
        self.is_assignable(earlier, later)
            .then(|| more_general(earlier, later))
    }

    /// The type with every variable replaced by what is known of it.
    pub(super) fn resolve(&self, ty: &Type) -> Type {
        match ty {
            Type::Variable(number) => match self.get(*number) {
                Some(bound) => self.resolve(bound),
                None => ty.clone(),
            },
            _ => ty.map_parameters(|parameter| self.resolve(parameter)),
        }
    }

    /// The type with every variable replaced, by `dyn` where nothing is known.
    pub(super) fn finish(&self, ty: &Type) -> Type {
        match ty {
            Type::Variable(number) => self
                .get(*number)
                .map_or(Type::Dyn, |bound| self.finish(bound)),
            _ => ty.map_parameters(|parameter| self.finish(parameter)),
        }
    }

    /// Whether the type, variables replaced, has more than `limit` parts. Looks at no more parts than that.
    pub(super) fn is_larger_than(&self, ty: &Type, limit: u32) -> bool {
        let mut seen = 0;
        let mut waiting = vec![ty];
        while let Some(next) = waiting.pop() {
            seen += 1;
            if seen > limit {
                return true;
            }
            match next {
                Type::Variable(number) => waiting.extend(self.get(*number)),
                other => waiting.extend(other.parameters()),
            }
        }
        false
    }

    fn get(&self, number: u32) -> Option<&Type> {
        self.bound.get(number as usize)?.as_ref()
    }

    fn bind(&mut self, number: u32, ty: Type) {
        if let Some(slot) = self.bound.get_mut(number as usize) {
            let earlier = slot.replace(ty);
            self.trail.push((number, earlier));
        }
    }

    /// Takes back every change when `try_it` says no.
    fn attempt(&mut self, try_it: impl FnOnce(&mut Self) -> bool) -> bool {
        self.trail.clear();
        let holds = try_it(self);
        if !holds {
            while let Some((number, earlier)) = self.trail.pop() {
                if let Some(slot) = self.bound.get_mut(number as usize) {
                    *slot = earlier;
                }
            }
        }
        holds
    }

    fn assign(&mut self, from: &Type, to: &Type) -> bool {
        if let Type::Variable(number) = to {
            match self.substitute(from, *number) {
                Substitution::Valid => return true,
                Substitution::BoundToAnother => return false,
                Substitution::Recursive => {}
            }
        }
        if let Type::Variable(number) = from {
            return matches!(self.substitute(to, *number), Substitution::Valid);
        }
        if from.is_open() || to.is_open() {
            return true;
        }
        match (from, to) {
            (Type::Null, other) | (other, Type::Null) => is_nullable(other),
            // Parameters of a type of a type make no difference: a type is a type.
            (Type::Type(_), Type::Type(_)) => true,
            (Type::Opaque { name: left, .. }, Type::Opaque { name: right, .. })
                if left != right =>
            {
                false
            }
            _ => self.assign_parts(from, to),
        }
    }

    /// The same constructor with parts that are assignable.
    fn assign_parts(&mut self, from: &Type, to: &Type) -> bool {
        let (left, right) = (from.parameters(), to.parameters());
        if left.is_empty() && right.is_empty() {
            return from == to;
        }
        std::mem::discriminant(from) == std::mem::discriminant(to)
            && left.len() == right.len()
            && left
                .into_iter()
                .zip(right)
                .all(|(from, to)| self.assign(from, to))
    }

    /// Whether the variable can stand for `ty`; it learns what it stands for.
    fn substitute(&mut self, ty: &Type, variable: u32) -> Substitution {
        if *ty == Type::Variable(variable) {
            return Substitution::Valid;
        }
        let Some(bound) = self.get(variable).cloned() else {
            if self.occurs(variable, ty) {
                return Substitution::Recursive;
            }
            self.bind(variable, ty.clone());
            return Substitution::Valid;
        };
        if *ty == bound {
            return Substitution::Valid;
        }
        if !self.assign(ty, &bound) {
            return Substitution::BoundToAnother;
        }
        let general = more_general(ty, &bound);
        if !self.occurs(variable, &general) {
            self.bind(variable, general);
        }
        Substitution::Valid
    }

    /// Whether the variable stands somewhere within the type.
    fn occurs(&self, variable: u32, within: &Type) -> bool {
        match within {
            Type::Variable(number) if *number == variable => true,
            Type::Variable(number) => self
                .get(*number)
                .is_some_and(|bound| self.occurs(variable, bound)),
            other => other
                .parameters()
                .into_iter()
                .any(|parameter| self.occurs(variable, parameter)),
        }
    }
}

/// The result of asking whether a variable can stand for a type.
enum Substitution {
    Valid,
    BoundToAnother,
    Recursive,
}

/// Types that `null` is a value of.
pub(super) const fn is_nullable(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Null
            | Type::Timestamp
            | Type::Duration
            | Type::Ip
            | Type::Cidr
            | Type::Optional(_)
            | Type::Record(_)
            | Type::Opaque { .. }
    )
}

/// The more general of two types that go together.
pub(super) fn more_general(left: &Type, right: &Type) -> Type {
    if is_as_general(left, right) {
        left.clone()
    } else {
        right.clone()
    }
}

/// Whether `left` is `right` or says less than it.
fn is_as_general(left: &Type, right: &Type) -> bool {
    if matches!(left, Type::Dyn | Type::Variable(_)) {
        return true;
    }
    if matches!(right, Type::Dyn | Type::Variable(_)) {
        return false;
    }
    match (left, right) {
        (Type::Type(_), Type::Type(_)) => true,
        (Type::Opaque { name: first, .. }, Type::Opaque { name: second, .. })
            if first != second =>
        {
            false
        }
        _ => {
            let (first, second) = (left.parameters(), right.parameters());
            if first.is_empty() && second.is_empty() {
                return left == right;
            }
            std::mem::discriminant(left) == std::mem::discriminant(right)
                && first.len() == second.len()
                && first
                    .into_iter()
                    .zip(second)
                    .all(|(left, right)| is_as_general(left, right))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_attempt_leaves_no_trace() {
        let mut bindings = Bindings::default();
        let variable = bindings.fresh();
        let wanted = [variable.clone(), variable.clone()];
        assert!(!bindings.are_assignable(&[Type::Int, Type::String], &wanted));
        assert_eq!(bindings.resolve(&variable), variable);
        assert!(bindings.are_assignable(&[Type::Int, Type::Dyn], &wanted));
        assert_eq!(bindings.resolve(&variable), Type::Dyn);
    }

    #[test]
    fn a_type_never_holds_itself() {
        let mut bindings = Bindings::default();
        let variable = bindings.fresh();
        assert!(!bindings.is_assignable(&Type::list(variable.clone()), &variable));
    }

    #[test]
    fn null_goes_with_what_may_be_absent() {
        let mut bindings = Bindings::default();
        assert!(bindings.is_assignable(&Type::Null, &Type::optional(Type::Int)));
        assert!(bindings.is_assignable(&Type::Null, &Type::Timestamp));
        assert!(bindings.is_assignable(&Type::Duration, &Type::Null));
        assert!(!bindings.is_assignable(&Type::Null, &Type::Int));
    }

    #[test]
    fn large_types_are_seen_without_walking_them() {
        let mut bindings = Bindings::default();
        let mut ty = Type::Int;
        for _ in 0..12 {
            let variable = bindings.fresh();
            assert!(bindings.is_assignable(&Type::map(ty.clone(), ty), &variable));
            ty = variable;
        }
        assert!(bindings.is_larger_than(&ty, 1_000));
    }
}
