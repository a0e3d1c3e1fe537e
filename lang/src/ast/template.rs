//! Items with other items in braces: templates, and their uses for each row of a table.

use serde::Serialize;

use super::Item;
use crate::span::Name;

/// `template link(tenant: string) { sink out = …; ingest.logs -> out; }`
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TemplateItem {
    /// The name, also of each instance in metrics: `link["acme"]`.
    pub name: Name,
    /// What differs from instance to instance; the first is the key of an instance.
    pub parameters: Vec<Parameter>,
    /// What each instance has.
    pub items: Vec<Item>,
}

/// `tenant: string`
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Parameter {
    /// The name.
    pub name: Name,
    /// A type of a `config`.
    pub ty: Name,
}

/// `for t in tenants { link(t.name); }`
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ForItem {
    /// What a row is called in the braces.
    pub row: Name,
    /// Where the rows come from.
    pub table: TableRef,
    /// The uses of templates, one instance a row.
    pub items: Vec<Item>,
}

/// Where the rows of a `for` come from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum TableRef {
    /// A `const` that is a list.
    Const(Name),
    /// `csv("tenants.csv")`: a file, read when the flow is built.
    File {
        /// `csv` or `json`.
        format: Name,
        /// The path as it is written, relative to the flow.
        path: Name,
    },
}
