//! Templates, the tables that they are used with, and their uses.
//!
//! What a template holds stands in the arenas of the program beside everything else and says to which template it
//! belongs. An instance is never resolved by itself: there is one template, and a row for each instance.

use watershed_lang::span::{Name, Span};

use super::{ConfigType, ConstId, Docs, ExprId, ParameterId, TableId, TemplateId};
use crate::table::{Format, Rows};

/// `template link(tenant: string) { … }`
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    /// The name.
    pub name: Name,
    /// Its parameters; the first is the key of an instance.
    pub parameters: Vec<ParameterId>,
    /// Its doc comment.
    pub docs: Docs,
    /// The whole item.
    pub span: Span,
}

/// `tenant: string`
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// The name.
    pub name: Name,
    /// The type, which is not `secret`.
    pub ty: ConfigType,
    /// Whose parameter it is.
    pub template: TemplateId,
}

/// `link(t.name);`, by itself or for each row of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct TemplateUse {
    /// The template.
    pub template: TemplateId,
    /// The arguments in the order of the parameters; `None` for one that is missing, which has been reported.
    pub arguments: Vec<Option<ExprId>>,
    /// The table with a row for each instance, and what a row is called; `None` for a single instance.
    pub rows: Option<(Name, TableId)>,
    /// Where it stands.
    pub span: Span,
}

/// The table of a `for`.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Where its rows come from.
    pub source: TableSource,
    /// The rows of a file, once it has been read; `None` when it cannot be read, which has been reported.
    pub rows: Option<Rows>,
    /// Where it is named.
    pub span: Span,
}

/// Where the rows of a table come from.
#[derive(Clone, Debug, PartialEq)]
pub enum TableSource {
    /// A constant that is a list.
    Const(ConstId),
    /// A file that is read when the flow is built.
    File {
        /// How it is written.
        format: Format,
        /// Its path, relative to the flow.
        path: Name,
    },
}
