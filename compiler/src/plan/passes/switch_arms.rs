//! Makes arms that compare one value with literals a switch: the value is looked up once, however many arms there are.
//!
//! before:  first of { team == "a" => x, team == "b" => y, …, else z }
//! after:   by team { is "a" => x, is "b" => y, …, else z }
//!
//! In a `route` this is done for arms that stand next to each other, because the order of arms counts there; of two arms
//! with one key the first has it. In a `split` the order does not count, and what two arms share goes to both. Few keys
//! stay comparisons: they are faster. It runs behind the passes that reason about guards.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use crate::cel::Type;
use crate::hir::{Literal, PredicateId};
use crate::plan::{
    Arm, Case, CompareOp, Condition, ConditionKind, Guard, Outcome, Plan, PlanLog, Predicate,
    Target, Test, Tree, Value, ValueKind,
};

/// The pass in logs.
pub const NAME: &str = "switch_arms";

/// From how many keys on a look-up is cheaper than comparisons.
const MANY: usize = 5;

/// How many keys one table holds: its entries are numbered in 16 bits.
const MOST: usize = 65_000;

/// Whole numbers beyond this are equal to a double that is only near, so they are compared one by one.
const EXACT: i64 = 1 << 53;

/// Returns `plan` with a switch where many arms ask for the same value.
#[must_use]
pub fn run(mut plan: Plan, log: &mut PlanLog) -> Plan {
    let predicates = plan.predicates.clone();
    plan.for_each_walk(|walk| {
        let tree = std::mem::replace(&mut walk.tree, Tree::Nothing);
        let mut switches = Switches {
            predicates: &predicates,
            log,
        };
        walk.tree = switches.tree(tree);
    });
    plan
}

/// What a guard asks for when all that it does is to compare one value with literals.
struct Keyed {
    on: Value,
    keys: Vec<Literal>,
}

struct Switches<'a> {
    predicates: &'a IndexMap<PredicateId, Predicate>,
    log: &'a mut PlanLog,
}

impl Switches<'_> {
    fn tree(&mut self, mut tree: Tree) -> Tree {
        for child in tree.children_mut() {
            let below = std::mem::replace(child, Tree::Nothing);
            *child = self.tree(below);
        }
        match tree {
            Tree::Route { arms, otherwise } => self.route(arms, *otherwise),
            Tree::Split(arms) => self.split(arms),
            other => other,
        }
    }

    /// From the last arm to the first: what stands behind a run of keyed arms is what the switch does otherwise.
    fn route(&mut self, arms: Vec<Arm>, otherwise: Tree) -> Tree {
        let mut below = otherwise;
        let mut plain: Vec<Arm> = Vec::new();
        let mut run: Vec<(Keyed, Arm)> = Vec::new();
        for arm in arms.into_iter().rev() {
            let keyed = self.keyed(&arm.guard);
            let goes_on = keyed.as_ref().is_some_and(|keyed| {
                run.iter().map(|(one, _)| one.keys.len()).sum::<usize>() + keyed.keys.len() <= MOST
                    && run.last().is_none_or(|(last, _)| last.is_like(keyed))
            });
            if !goes_on {
                below = self.close(&mut run, &mut plain, below);
            }
            match keyed {
                Some(keyed) => run.push((keyed, arm)),
                None => plain.push(arm),
            }
        }
        below = self.close(&mut run, &mut plain, below);
        route(plain, below)
    }

    /// Ends a run of keyed arms, which stand in reverse order: many become a switch over `below`.
    fn close(&mut self, run: &mut Vec<(Keyed, Arm)>, plain: &mut Vec<Arm>, below: Tree) -> Tree {
        let run = std::mem::take(run);
        let keys: usize = run.iter().map(|(keyed, _)| keyed.keys.len()).sum();
        if keys < MANY {
            plain.extend(run.into_iter().map(|(_, arm)| arm));
            return below;
        }
        let below = route(std::mem::take(plain), below);
        let mut cases = Cases::default();
        let mut on = None;
        let (first, last) = (run.last(), run.first());
        let span = first
            .zip(last)
            .map(|((_, first), (_, last))| first.guard.span.to(last.guard.span));
        for (keyed, arm) in run.into_iter().rev() {
            let keys: Vec<_> = keyed
                .keys
                .into_iter()
                .filter(|key| cases.is_new(key))
                .collect();
            if keys.is_empty() {
                let reason = "earlier arms take every value that this arm asks for";
                self.log.removed(NAME, arm.guard.span, reason);
                continue;
            }
            on.get_or_insert(keyed.on);
            cases.add(keys, arm.then);
        }
        let (Some(on), Some(span)) = (on, span) else {
            return below;
        };
        let keys = cases.known.len();
        let reason =
            format!("{keys} values are found by one look-up instead of a comparison for each");
        self.log.note(NAME, span, reason);
        Tree::Switch {
            on,
            cases: cases.list,
            otherwise: Box::new(below),
        }
    }

    /// The keyed arms of a split become one switch for each value that many of them ask for.
    fn split(&mut self, arms: Vec<Arm>) -> Tree {
        let mut groups = self.groups(&arms);
        groups.retain(|group| {
            let keys = group.iter().map(|(keyed, _)| keyed.keys.len()).sum();
            (MANY..=MOST).contains(&keys)
        });
        let mut arms: Vec<Option<Arm>> = arms.into_iter().map(Some).collect();
        let mut branches = Vec::new();
        for group in groups {
            let taken = group.into_iter().filter_map(|(keyed, position)| {
                let arm = arms.get_mut(position)?.take()?;
                Some((keyed, arm))
            });
            let taken = taken.collect();
            branches.extend(self.split_switch(taken));
        }
        let plain: Vec<Arm> = arms.into_iter().flatten().collect();
        match (branches.len(), plain.is_empty()) {
            (0, _) => Tree::Split(plain),
            (1, true) => branches.remove(0),
            (_, true) => Tree::FanOut(branches),
            (_, false) => {
                branches.push(Tree::Split(plain));
                Tree::FanOut(branches)
            }
        }
    }

    /// The keyed arms, by position: those together that look at the same value for the same kind of keys.
    fn groups(&self, arms: &[Arm]) -> Vec<Vec<(Keyed, usize)>> {
        let mut groups: Vec<Vec<(Keyed, usize)>> = Vec::new();
        // Thousands of arms may look at as many values: only groups with one name are compared.
        let mut named: BTreeMap<(String, bool), Vec<usize>> = BTreeMap::new();
        for (position, arm) in arms.iter().enumerate() {
            let Some(keyed) = self.keyed(&arm.guard) else {
                continue;
            };
            let candidates = named.entry(keyed.name()).or_default();
            let known = candidates.iter().copied().find(|group| {
                let first = groups.get(*group).and_then(|group| group.first());
                first.is_some_and(|(first, _)| first.is_like(&keyed))
            });
            match known.and_then(|known| groups.get_mut(known)) {
                Some(group) => group.push((keyed, position)),
                None => {
                    candidates.push(groups.len());
                    groups.push(vec![(keyed, position)]);
                }
            }
        }
        groups
    }

    /// A switch whose cases do what all the arms with their key do.
    fn split_switch(&mut self, group: Vec<(Keyed, Arm)>) -> Option<Tree> {
        let span = group.first().zip(group.last());
        let span = span.map(|((_, first), (_, last))| first.guard.span.to(last.guard.span))?;
        let on = group.first().map(|(keyed, _)| keyed.on.clone())?;
        let mut taken: IndexMap<Key, Vec<usize>> = IndexMap::new();
        for (position, (keyed, _)) in group.iter().enumerate() {
            for key in keyed.keys.iter().filter_map(Key::of) {
                let arms = taken.entry(key).or_default();
                if arms.last() != Some(&position) {
                    arms.push(position);
                }
            }
        }
        let keys = taken.len();
        // Keys that lead to the same arms are one case, however much stands in the arms.
        let mut alike: IndexMap<Vec<usize>, Vec<Literal>> = IndexMap::new();
        for (key, arms) in taken {
            alike.entry(arms).or_default().push(key.literal());
        }
        let mut cases = Cases::default();
        for (arms, keys) in alike {
            let arms = arms.into_iter().filter_map(|arm| group.get(arm));
            let mut branches: Vec<Tree> = arms.map(|(_, arm)| arm.then.clone()).collect();
            let then = match branches.len() {
                1 => branches.remove(0),
                _ => Tree::FanOut(branches),
            };
            cases.add(keys, then);
        }
        let reason = format!(
            "{keys} values are found by one look-up: arms without a value in common share no record"
        );
        self.log.note(NAME, span, reason);
        Some(Tree::Switch {
            on,
            cases: cases.list,
            otherwise: Box::new(Tree::Nothing),
        })
    }

    /// What a guard asks for, when it is one comparison with literals of one kind.
    fn keyed(&self, guard: &Guard) -> Option<Keyed> {
        let [
            Test {
                condition,
                outcome: Outcome::True,
            },
        ] = guard.tests.as_slice()
        else {
            return None;
        };
        let keyed = self.condition(condition)?;
        let kind = keyed.keys.first().and_then(Key::of)?.is_text();
        let fits = keyed
            .keys
            .iter()
            .all(|key| Key::of(key).is_some_and(|key| key.is_text() == kind));
        fits.then_some(keyed)
    }

    fn condition(&self, condition: &Condition) -> Option<Keyed> {
        match &condition.kind {
            ConditionKind::Compare {
                op: CompareOp::Equal,
                left,
                right,
            } => {
                let (on, key) = match (left.literal(), right.literal()) {
                    (None, Some(key)) => (left, key),
                    (Some(key), None) => (right, key),
                    _ => return None,
                };
                Keyed::new(on, vec![key.clone()])
            }
            ConditionKind::OneOf { element, list } => {
                let keys: Option<Vec<_>> = list.iter().map(|one| one.literal().cloned()).collect();
                Keyed::new(element, keys?)
            }
            ConditionKind::Any(operands) => {
                let mut operands = operands.iter().map(|operand| self.condition(operand));
                let first = operands.next()??;
                operands.try_fold(first, |mut all, next| {
                    let next = next.filter(|next| all.is_like(next))?;
                    all.keys.extend(next.keys);
                    Some(all)
                })
            }
            ConditionKind::Predicate(id) => self.condition(&self.predicates.get(id)?.condition),
            _ => None,
        }
    }
}

impl Keyed {
    /// A look at `on`, when one look-up can make it.
    fn new(on: &Value, keys: Vec<Literal>) -> Option<Self> {
        let plain = matches!(
            on.kind,
            ValueKind::Field(_) | ValueKind::Attribute { .. } | ValueKind::OrTyped { .. }
        );
        let typed = matches!(on.ty, Type::Dyn | Type::String | Type::Int);
        (plain && typed).then(|| Self {
            on: on.clone(),
            keys,
        })
    }

    /// Whether both look at the same value and for the same kind of keys.
    fn is_like(&self, other: &Self) -> bool {
        self.on == other.on && self.asks_for_texts() == other.asks_for_texts()
    }

    fn asks_for_texts(&self) -> bool {
        let first = self.keys.first().and_then(Key::of);
        first.is_some_and(|key| key.is_text())
    }

    /// The same for all that are like it, and mostly another for others: the field or attribute that is read.
    fn name(&self) -> (String, bool) {
        let read = match &self.on.kind {
            ValueKind::OrTyped { value, .. } => &value.kind,
            kind => kind,
        };
        let name = match read {
            ValueKind::Field(field) => field.to_string(),
            ValueKind::Attribute { map, key } => format!("{map}[{key:?}]"),
            _ => String::new(),
        };
        (name, self.asks_for_texts())
    }
}

/// A literal that can be a key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    Text(String),
    Int(i64),
}

impl Key {
    fn of(literal: &Literal) -> Option<Self> {
        match literal {
            Literal::String(text) => Some(Self::Text(text.clone())),
            Literal::Int(number) if (-EXACT..=EXACT).contains(number) => Some(Self::Int(*number)),
            _ => None,
        }
    }

    const fn is_text(&self) -> bool {
        matches!(self, Self::Text(_))
    }

    fn literal(self) -> Literal {
        match self {
            Self::Text(text) => Literal::String(text),
            Self::Int(number) => Literal::Int(number),
        }
    }
}

/// Cases on their way: keys that do the same are one case.
#[derive(Default)]
struct Cases {
    list: Vec<Case>,
    known: IndexMap<Key, ()>,
    by_target: BTreeMap<Target, usize>,
}

impl Cases {
    /// Whether no case has this key; from now on one has.
    fn is_new(&mut self, key: &Literal) -> bool {
        Key::of(key).is_some_and(|key| self.known.insert(key, ()).is_none())
    }

    fn add(&mut self, keys: Vec<Literal>, then: Tree) {
        if let Tree::Keep(target) = then {
            let position = *self.by_target.entry(target).or_insert(self.list.len());
            if let Some(case) = self.list.get_mut(position) {
                case.keys.extend(keys);
                return;
            }
        }
        self.list.push(Case { keys, then });
    }
}

/// A route of arms in reverse order.
fn route(mut arms: Vec<Arm>, otherwise: Tree) -> Tree {
    if arms.is_empty() {
        return otherwise;
    }
    arms.reverse();
    Tree::Route {
        arms,
        otherwise: Box::new(otherwise),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::passes::testing::before_and_after;

    #[test]
    fn many_arms_on_one_value_are_one_look_up() {
        let text = before_and_after(
            "predicate fifth = \"e\" == resource.attributes[\"team\"];\n\
             ingest.logs -> route {\n\
             log.flags == 1u => c,\n\
             resource.attributes[\"team\"] == \"a\" => a,\n\
             resource.attributes[\"team\"] in [\"b\", \"c\"] => b,\n\
             resource.attributes[\"team\"] == \"d\" || resource.attributes[\"team\"] == \"a\" => a,\n\
             fifth => [a, b],\n\
             resource.attributes[\"team\"] == \"b\" => c,\n\
             log.severity_number == 1 => a,\n\
             resource.attributes[\"team\"] == \"z\" => a,\n\
             else => c };",
            &[run],
        );
        insta::assert_snapshot!(text);
    }

    #[test]
    fn arms_of_a_split_that_share_a_value_share_its_records() {
        let text = before_and_after(
            "ingest.logs -> split {\n\
             log.severity_number in [1, 2, 3] => a,\n\
             log.body == \"x\" => c,\n\
             log.severity_number in [3, 4, 3] => b };",
            &[run],
        );
        insta::assert_snapshot!(text);
    }

    #[test]
    fn few_arms_and_other_kinds_of_keys_stay() {
        let text = before_and_after(
            "ingest.logs -> route {\n\
             log.body == \"a\" => a, log.body == \"b\" => b, log.body == 1 => a, log.body == 2.0 => c,\n\
             log.attributes[\"k\"] in [1, 2, 3, 4, 9007199254740993] => b,\n\
             else => c };",
            &[run],
        );
        insta::assert_snapshot!(text);
    }
}
