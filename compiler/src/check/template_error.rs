//! Mistakes with the arguments of templates and the rows of tables: facts first, words below.

use watershed_lang::diagnostic::suggest::nearest;
use watershed_lang::diagnostic::{Code, Diagnostic, IntoDiagnostic};
use watershed_lang::span::{Name, Span};

use crate::cel::Type;
use crate::hir::ConfigType;
use crate::level::Level;
use crate::words::and_list;

/// Something about the instances of a template that cannot be, or hardly is what was wanted.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TemplateError {
    /// A constant that is no list.
    NotATable {
        /// Its type.
        ty: Type,
        /// Where it is named.
        span: Span,
    },
    /// A table without rows.
    EmptyTable {
        /// Where it is named.
        span: Span,
    },
    /// A column that no row has.
    UnknownColumn {
        /// What was written.
        column: Name,
        /// The columns that there are.
        columns: Vec<String>,
    },
    /// A row whose value does not fit its parameter.
    WrongCell {
        /// The parameter.
        parameter: String,
        /// Its type.
        wanted: ConfigType,
        /// The value.
        found: String,
        /// The row.
        place: String,
        /// The argument.
        span: Span,
    },
    /// An argument of another type than its parameter.
    ArgumentType {
        /// The parameter.
        parameter: String,
        /// Its type.
        wanted: ConfigType,
        /// The type of the argument.
        found: Type,
        /// The argument.
        span: Span,
    },
    /// An argument that reads the data.
    ArgumentTooDeep {
        /// How deep it reads.
        level: Level,
        /// The argument.
        span: Span,
    },
    /// An argument that reads the row and what is not known at build time.
    RowAndConfig {
        /// How deep it reads.
        level: Level,
        /// The argument.
        span: Span,
    },
    /// Two instances with one key.
    Duplicate {
        /// The template.
        template: String,
        /// The key, as it is written.
        key: String,
        /// The use that makes the first.
        first: Span,
        /// The use that makes the second.
        span: Span,
    },
}

impl IntoDiagnostic for TemplateError {
    fn into_diagnostic(self) -> Diagnostic {
        match self {
            Self::NotATable { ty, span } => Diagnostic::new(
                Code::TypeMismatch,
                format!("a table is a list, and this const is `{ty}`"),
                span,
            )
            .help("write a list of texts, of numbers or of maps, such as `[{\"name\": \"acme\"}]`"),
            Self::EmptyTable { span } => Diagnostic::new(
                Code::EmptyTable,
                "this table has no rows, so nothing is made of it",
                span,
            )
            .help("add a row, or remove the `for`"),
            Self::UnknownColumn { column, columns } => unknown_column(&column, &columns),
            Self::WrongCell {
                parameter,
                wanted,
                found,
                place,
                span,
            } => Diagnostic::new(
                Code::WrongCell,
                format!(
                    "{place} of the table has {found} for `{parameter}`, which is `{}`",
                    wanted.name()
                ),
                span,
            )
            .help("correct the row, or change the type of the parameter"),
            Self::ArgumentType {
                parameter,
                wanted,
                found,
                span,
            } => Diagnostic::new(
                Code::TypeMismatch,
                format!(
                    "the parameter `{parameter}` is `{}`, not `{found}`",
                    wanted.name()
                ),
                span,
            )
            .label(format!("this is `{found}`")),
            Self::ArgumentTooDeep { level, span } => Diagnostic::new(
                Code::TemplateArguments,
                "the argument of a template must be known when the flow starts",
                span,
            )
            .label(format!("known only for each {}", level.name()))
            .help("read the data in the template itself: its conditions and subjects may"),
            Self::RowAndConfig { level, span } => Diagnostic::new(
                Code::TemplateArguments,
                "an argument reads the row or a config, not both",
                span,
            )
            .label(format!(
                "the whole is known only at the level {}",
                level.name()
            ))
            .help("give both as arguments of their own, and put them together in the template"),
            Self::Duplicate {
                template,
                key,
                first,
                span,
            } => duplicate(&template, &key, first, span),
        }
    }
}

fn unknown_column(column: &Name, columns: &[String]) -> Diagnostic {
    let found = Diagnostic::new(
        Code::UnknownColumn,
        format!("the table has no column `{}`", column.value),
        column.span,
    );
    if columns.is_empty() {
        return found.help("its rows are single values: write the name of the row alone");
    }
    let names: Vec<_> = columns.iter().map(|name| format!("`{name}`")).collect();
    let verb = if names.len() == 1 { "is" } else { "are" };
    match nearest(&column.value, columns.iter().map(String::as_str)) {
        Some(near) => found
            .help(format!("did you mean `{near}`?"))
            .fix(column.span, near),
        None => found.help(format!("there {verb} {}", and_list(&names))),
    }
}

fn duplicate(template: &str, key: &str, first: Span, span: Span) -> Diagnostic {
    let found = Diagnostic::new(
        Code::DuplicateInstance,
        format!("two instances are called `{template}[{key}]`"),
        span,
    )
    .help("the first argument is the key of an instance: give each another one");
    if first == span {
        found.label("two rows of this table have this key")
    } else {
        found.also(first, "the first is made here")
    }
}
