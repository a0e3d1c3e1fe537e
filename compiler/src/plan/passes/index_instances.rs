//! Finds the instances that a record goes to by a look-up instead of a test for each: where the first filter of a
//! template compares data with a parameter, the instances are looked up by that parameter.
//!
//! before:  to each link: when resource.attributes["tenant"] == link.tenant [resource] -> link.out
//! after:   to each link by resource.attributes["tenant"] == link.tenant [resource] -> link.out
//!
//! Several such tests may stand there. The one that tells most instances apart becomes the look-up; the others are
//! tests of what it finds.

use indexmap::IndexMap;

use crate::catalog::signals::Reader;
use crate::cel::Type;
use crate::hir::{ConfigType, Literal, ParameterId, PredicateId};
use crate::plan::instances::{Fork, Key, Template};
use crate::plan::{
    CompareOp, Condition, ConditionKind, Guard, Outcome, Plan, PlanLog, Predicate, Test, Tree,
    Value, ValueKind,
};

/// The pass in logs.
pub const NAME: &str = "index_instances";

/// Returns `plan` with a look-up in each fork that has a test for one.
#[must_use]
pub fn run(mut plan: Plan, log: &mut PlanLog) -> Plan {
    let templates = plan.templates.clone();
    let predicates = plan.predicates.clone();
    plan.for_each_walk(|walk| {
        walk.tree.for_each_fork(&mut |fork| {
            let index = Index {
                template: templates.get(&fork.template),
                predicates: &predicates,
            };
            index.fork(fork, log);
        });
    });
    plan
}

/// Whether something decides in the tree.
fn has_guard(tree: &Tree) -> bool {
    !tree.guards().is_empty() || tree.children().into_iter().any(has_guard)
}

/// What is known around a fork.
struct Index<'p> {
    template: Option<&'p Template>,
    predicates: &'p IndexMap<PredicateId, Predicate>,
}

impl Index<'_> {
    fn fork(&self, fork: &mut Fork, log: &mut PlanLog) {
        if fork.key.is_some() {
            return;
        }
        let Some(template) = self.template else {
            return;
        };
        let count = template.rows.len();
        let name = &template.name;
        let Some((key, rest)) = self.best(template, &fork.body) else {
            let reason = if !has_guard(&fork.body) {
                format!("everything goes to each of {count} instances of `{name}`")
            } else if matches!(*fork.body, Tree::Edit { .. }) {
                format!(
                    "{count} instances of `{name}` are tested one by one: the chain begins with a change, and only a \
                     filter in front of it could find them by what the data say"
                )
            } else {
                format!(
                    "{count} instances of `{name}` are tested one by one: no filter at the beginning of the chain \
                     compares a text or a number of the data with a parameter by `==`"
                )
            };
            log.note(NAME, fork.span, reason);
            return;
        };
        let parameter = template.parameters.get(&key.parameter);
        let reason = format!(
            "{count} instances of `{name}` are found by one look-up of `{}` at the level {}",
            parameter.map_or("?", |parameter| parameter.name.as_str()),
            key.value.level.name()
        );
        log.note(NAME, key.value.span, reason);
        fork.key = Some(key);
        *fork.body = rest;
    }

    /// The test that tells most instances apart, the shallowest of equals, and the tree without it.
    fn best(&self, template: &Template, body: &Tree) -> Option<(Key, Tree)> {
        let Tree::Filter { guard, then } = body else {
            return None;
        };
        let tests: Vec<Test> = guard
            .tests
            .iter()
            .flat_map(|test| self.opened(test))
            .collect();
        let mut best: Option<(usize, usize, Key)> = None;
        for (position, test) in tests.iter().enumerate() {
            let Some(key) = key(template, test) else {
                continue;
            };
            let distinct = template.distinct(key.parameter);
            let better = best.as_ref().is_none_or(|(known, _, other)| {
                distinct > *known || (distinct == *known && key.value.level < other.value.level)
            });
            if better {
                best = Some((distinct, position, key));
            }
        }
        if best.is_none()
            && let Some((key, rest)) = self.best(template, then)
        {
            let guard = guard.clone();
            let then = Box::new(rest);
            return Some((key, Tree::Filter { guard, then }));
        }
        let (_, position, key) = best?;
        let mut tests = tests;
        tests.remove(position);
        let then = then.clone();
        let rest = if tests.is_empty() {
            *then
        } else {
            let guard = Guard {
                tests,
                span: guard.span,
            };
            Tree::Filter { guard, then }
        };
        Some((key, rest))
    }

    /// A test, or those that stand in the predicate that it names.
    fn opened(&self, test: &Test) -> Vec<Test> {
        let conditions = match (&test.condition.kind, test.outcome) {
            (ConditionKind::Predicate(id), Outcome::True) => {
                let named = self.predicates.get(id).map(|one| &one.condition);
                match named {
                    Some(condition) if matches!(condition.kind, ConditionKind::Compare { .. }) => {
                        vec![condition.clone()]
                    }
                    Some(Condition {
                        kind: ConditionKind::All(parts),
                        ..
                    }) => parts.clone(),
                    _ => return vec![test.clone()],
                }
            }
            (ConditionKind::All(parts), Outcome::True) => parts.clone(),
            _ => return vec![test.clone()],
        };
        let tests = conditions.into_iter().map(|condition| Test {
            condition,
            outcome: Outcome::True,
        });
        tests.collect()
    }
}

/// The look-up that a test is, when it is one.
fn key(template: &Template, test: &Test) -> Option<Key> {
    let (ConditionKind::Compare { op, left, right }, Outcome::True) =
        (&test.condition.kind, test.outcome)
    else {
        return None;
    };
    if *op != CompareOp::Equal {
        return None;
    }
    let of = |value: &Value, parameter: &Value| {
        let ValueKind::Parameter(id) = parameter.kind else {
            return None;
        };
        is_key(value, template, id).then(|| Key {
            value: value.clone(),
            parameter: id,
        })
    };
    of(left, right).or_else(|| of(right, left))
}

/// Whether a value is read from the data and can be looked up among the values of a parameter.
fn is_key(value: &Value, template: &Template, id: ParameterId) -> bool {
    let wanted = match template.parameters.get(&id).map(|parameter| parameter.ty) {
        Some(ConfigType::String) => Type::String,
        Some(ConfigType::Int) => Type::Int,
        _ => return false,
    };
    let any = wanted == Type::String || template.cells(id).all(is_exact);
    match &value.kind {
        ValueKind::Attribute { .. } => any,
        ValueKind::Field(field) => match field.reader {
            Reader::AnyValue => any,
            Reader::Text | Reader::Enumeration => value.ty == wanted,
            _ => false,
        },
        _ => false,
    }
}

/// Whether no double is equal to this whole number and another one too.
fn is_exact(cell: &Value) -> bool {
    const EXACT: u64 = 1 << 53;
    matches!(cell.literal(), Some(Literal::Int(number)) if number.unsigned_abs() < EXACT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::passes::testing::before_and_after;
    use crate::plan::passes::{prune_dead, split_conjunctions};

    /// The plan of a template `link(tenant: string, port: int)` whose chains are these.
    fn indexed(chains: &str) -> String {
        let flow = format!(
            "template link(tenant: string, port: int) {{\n\
             sink out = file {{ path: tenant }};\n\
             predicate mine = resource.attributes[\"tenant\"] == tenant;\n{chains}\n}}\n\
             link(\"acme\", 1); link(\"globex\", 1); link(\"initech\", 2);"
        );
        before_and_after(&flow, &[split_conjunctions::run, prune_dead::run, run])
    }

    #[test]
    fn a_filter_by_a_parameter_is_a_look_up() {
        insta::assert_snapshot!(indexed(
            "ingest.logs -> filter(mine && log.severity_number >= port) -> out;\n\
             ingest.traces -> filter(span.attributes[\"port\"] == port && mine) -> out;\n\
             ingest.metrics -> filter(mine) -> batch(timeout: 1s) -> out;"
        ));
    }

    #[test]
    fn what_compares_nothing_by_equality_is_tested_one_by_one() {
        insta::assert_snapshot!(indexed(
            "ingest.logs -> filter(log.body != tenant) -> out;\n\
             ingest.traces -> drop(mine) -> out;\n\
             ingest.metrics -> split { mine => out, metric.name == \"x\" => out };"
        ));
    }
    #[test]
    fn what_stands_behind_a_change_is_tested_one_by_one() {
        insta::assert_snapshot!(indexed(
            "ingest.logs -> set(resource.attributes[\"seen\"], true) -> filter(mine) -> out;\n\
             ingest.traces -> filter(resource.attributes[\"tenant\"] in [tenant, \"all\"]) -> out;\n\
             ingest.metrics -> set(resource.attributes[\"seen\"], true) -> out;"
        ));
    }
}
