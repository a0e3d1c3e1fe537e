//! Macros: calls whose arguments are not evaluated before the call.
//!
//! In: nothing. Out: [`MACROS`], for messages and the language reference. How they are told from functions stands in
//! `cel::macros`.

/// A macro.
#[derive(Clone, Copy, Debug)]
pub struct Macro {
    /// Its name, with the namespace before it where it has one.
    pub name: &'static str,
    /// The ways to write it. `x` is an element or a key, `k` and `v` a position and its element or a key and its
    /// value, `p` a predicate.
    pub forms: &'static [&'static str],
    /// How many arguments it takes and what they are, in words.
    pub arguments: &'static str,
    /// What it gives, in one line.
    pub help: &'static str,
    /// An expression with it that is `true`.
    pub example: &'static str,
}

const fn row(
    name: &'static str,
    forms: &'static [&'static str],
    arguments: &'static str,
    help: &'static str,
    example: &'static str,
) -> Macro {
    Macro {
        name,
        forms,
        arguments,
        help,
        example,
    }
}

/// Every macro, in the order of the reference.
pub const MACROS: &[Macro] = &[
    row(
        "has",
        &["has(value.field)"],
        "one: the field",
        "whether the field or the key is there; of a field of the data, whether it differs from its default",
        "has({\"a\": 1}.a) && !has({\"a\": 1}.b)",
    ),
    row(
        "all",
        &["range.all(x, p)", "range.all(k, v, p)"],
        "two or three: the variables and a predicate",
        "whether the predicate holds for every element, key, or pair; one that is false decides, whatever fails",
        "[1, 2].all(x, x > 0) && {\"a\": 1}.all(key, value, value == 1)",
    ),
    row(
        "exists",
        &["range.exists(x, p)", "range.exists(k, v, p)"],
        "two or three: the variables and a predicate",
        "whether the predicate holds for some element, key, or pair; one that is true decides, whatever fails",
        "[1, 2].exists(x, x > 1) && [7].exists(position, x, position == 0 && x == 7)",
    ),
    row(
        "exists_one",
        &["range.exists_one(x, p)"],
        "two: the variable and a predicate",
        "whether the predicate holds for exactly one element or key",
        "[1, 2].exists_one(x, x > 1)",
    ),
    row(
        "existsOne",
        &["range.existsOne(x, p)", "range.existsOne(k, v, p)"],
        "two or three: the variables and a predicate",
        "whether the predicate holds for exactly one element, key, or pair",
        "{\"a\": 1, \"b\": 2}.existsOne(key, value, value > 1)",
    ),
    row(
        "filter",
        &["range.filter(x, p)"],
        "two: the variable and a predicate",
        "the elements or keys for which the predicate holds",
        "[1, 2, 3].filter(x, x > 1) == [2, 3]",
    ),
    row(
        "map",
        &["range.map(x, value)", "range.map(x, p, value)"],
        "two or three: the variable, a predicate when only some elements are wanted, and the value",
        "the list of the values that are made of the elements or keys",
        "[1, 2].map(x, x * 2) == [2, 4] && [1, 2].map(x, x > 1, x * 2) == [4]",
    ),
    row(
        "transformList",
        &[
            "range.transformList(k, v, value)",
            "range.transformList(k, v, p, value)",
        ],
        "three or four: the variables, a predicate when only some are wanted, and the value",
        "the list of the values that are made of the positions and elements, or keys and values",
        "[5, 6].transformList(position, x, position + x) == [5, 7]",
    ),
    row(
        "transformMap",
        &[
            "range.transformMap(k, v, value)",
            "range.transformMap(k, v, p, value)",
        ],
        "three or four: the variables, a predicate when only some are wanted, and the value",
        "the map from the same keys or positions to the values that are made",
        "{\"a\": 1}.transformMap(key, value, value + 1) == {\"a\": 2}",
    ),
    row(
        "transformMapEntry",
        &[
            "range.transformMapEntry(k, v, {key: value})",
            "range.transformMapEntry(k, v, p, {key: value})",
        ],
        "three or four: the variables, a predicate when only some are wanted, and the entry",
        "the map of the entries that are made, each written as a map; no key may come twice",
        "{\"a\": \"b\"}.transformMapEntry(key, value, {value: key}) == {\"b\": \"a\"}",
    ),
    row(
        "sortBy",
        &["list.sortBy(x, key)"],
        "two: the variable and the key",
        "the elements in the order of the keys that are made of them",
        "[\"bb\", \"a\"].sortBy(text, text.size()) == [\"a\", \"bb\"]",
    ),
    row(
        "optMap",
        &["optional.optMap(x, value)"],
        "two: the variable and the value",
        "an optional of what is made of the value within, empty when there is none",
        "optional.of(1).optMap(x, x + 1) == optional.of(2)",
    ),
    row(
        "optFlatMap",
        &["optional.optFlatMap(x, optional)"],
        "two: the variable and the optional",
        "the optional that is made of the value within, empty when there is none",
        "optional.of({\"a\": 1}).optFlatMap(x, x.?b) == optional.none()",
    ),
    row(
        "math.greatest",
        &["math.greatest(number, …)", "math.greatest(list)"],
        "one or more: numbers, or one list of them",
        "the greatest of the numbers",
        "math.greatest(1, 3, 2) == 3",
    ),
    row(
        "math.least",
        &["math.least(number, …)", "math.least(list)"],
        "one or more: numbers, or one list of them",
        "the least of the numbers",
        "math.least([2, 1]) == 1",
    ),
    row(
        "cel.bind",
        &["cel.bind(x, value, result)"],
        "three: the variable, its value and what is made with it",
        "what is made with a value that has a name",
        "cel.bind(x, 2 + 3, x * x) == 25",
    ),
    row(
        "cel.block",
        &["cel.block([value, …], result)"],
        "two: the values and what is made with them",
        "what is made with values that generators number: `cel.index(0)` is the first",
        "cel.block([2, cel.index(0) + 1], cel.index(1)) == 3",
    ),
    row(
        "cel.index",
        &["cel.index(number)"],
        "one: the number of a value of `cel.block`",
        "the value with this number of the innermost `cel.block`",
        "cel.block([1], cel.index(0) == 1)",
    ),
    row(
        "cel.iterVar",
        &["cel.iterVar(depth, number)"],
        "two: how deep the macro stands, and which of its variables",
        "a variable of a macro under a name that no one can write otherwise",
        "[1].all(cel.iterVar(0, 0), cel.iterVar(0, 0) == 1)",
    ),
    row(
        "cel.accuVar",
        &["cel.accuVar(depth, number)"],
        "two: how deep the macro stands, and which of its variables",
        "a variable of a macro under a name that no one can write otherwise",
        "cel.bind(cel.accuVar(0, 0), 1, cel.accuVar(0, 0) == 1)",
    ),
];
