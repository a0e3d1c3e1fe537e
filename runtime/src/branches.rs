//! Branches that are open for the records of a resource or scope.
//!
//! In: what the guards of many branches come to before the loop over records. Out: the numbers of the branches that the loop
//! has to look at. A branch that is closed costs nothing for each record, however many of them there are.

/// The open ones of `COUNT` branches, in order.
///
/// ```
/// use watershed::generated::OpenBranches;
///
/// let open = OpenBranches::of([false, true, false, true]);
/// assert_eq!(open.iter().collect::<Vec<_>>(), [1, 3]);
/// assert!(OpenBranches::of([false; 4]).is_empty());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct OpenBranches<const COUNT: usize> {
    numbers: [u16; COUNT],
    open: usize,
}

impl<const COUNT: usize> OpenBranches<COUNT> {
    /// The branches whose guards hold. There are fewer than 65,535 of them.
    #[inline]
    pub fn of(guards: [bool; COUNT]) -> Self {
        let mut numbers = [0; COUNT];
        let mut open = 0;
        for (_, number) in guards.into_iter().zip(0..).filter(|(holds, _)| *holds) {
            if let Some(place) = numbers.get_mut(open) {
                *place = number;
                open += 1;
            }
        }
        Self { numbers, open }
    }

    /// True when no branch is open.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.open == 0
    }

    /// The numbers of the open branches, in order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = u16> {
        self.numbers.iter().take(self.open).copied()
    }
}
