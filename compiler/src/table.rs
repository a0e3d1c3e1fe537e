//! Tables in files: the rows of a `for` that do not stand in the flow.
//!
//! In: the text of a file, which a front door has read. Out: [`Rows`]. Values are constants of expressions, so an
//! argument such as `"team-" + t.name` is computed as every other constant is.

use serde_json::Value as Json;

use indexmap::IndexMap;
use watershed_lang::diagnostic::{Code, Diagnostic, Diagnostics, IntoDiagnostic};
use watershed_lang::span::Span;

use crate::cel::fold::Constant;
use crate::driver::TableFile;
use crate::hir::{Program, TableSource};

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values; the first row names the columns, and every value is a text.
    Csv,
    /// An array of objects, or of texts, numbers and the like.
    Json,
}

/// The rows of a table, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    /// The names of the columns; none where rows are single values.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Row>,
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// A map from columns to values, or a single value.
    pub value: Constant,
    /// Where it stands, such as `line 3` or `element 2`.
    pub place: String,
}

/// Why a text is no table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableError {
    /// Where and why, in a few words.
    pub problem: String,
}

impl Format {
    /// The format with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "csv" => Some(Self::Csv),
            "json" => Some(Self::Json),
            _ => None,
        }
    }

    /// The format as it is written.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Json => "json",
        }
    }

    /// Reads a table.
    ///
    /// ```
    /// use watershed_compiler::table::Format;
    ///
    /// let rows = Format::Csv.read("name,port\nacme,4317\n").unwrap();
    /// assert_eq!(rows.columns, ["name", "port"]);
    /// assert_eq!(rows.rows[0].place, "line 2");
    /// ```
    ///
    /// # Errors
    ///
    /// The text is not of this format: a row with too many values, JSON that is no array.
    pub fn read(self, text: &str) -> Result<Rows, TableError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        match self {
            Self::Csv => csv(text),
            Self::Json => json(text),
        }
    }
}

/// A table in a file that gives no rows.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Unreadable {
    /// The file cannot be read.
    File {
        path: String,
        problem: String,
        span: Span,
    },
    /// The file is no table.
    Contents {
        path: String,
        format: Format,
        problem: String,
        span: Span,
    },
}

/// Reads the files that a program names, each once, and gives its tables their rows.
pub(crate) fn read_tables(
    program: &mut Program,
    read: &dyn Fn(&str) -> Result<String, String>,
    diagnostics: &mut Diagnostics,
) -> Vec<TableFile> {
    let mut files: IndexMap<String, Result<String, String>> = IndexMap::new();
    for id in program.tables.ids() {
        let table = program.tables.at_mut(id);
        let TableSource::File { format, path } = &table.source else {
            continue;
        };
        let (span, path) = (path.span, path.value.clone());
        let contents = files.entry(path.clone()).or_insert_with(|| read(&path));
        let rows = match contents {
            Ok(text) => format.read(text).map_err(|error| Unreadable::Contents {
                path,
                format: *format,
                problem: error.problem,
                span,
            }),
            Err(problem) => Err(Unreadable::File {
                path,
                problem: problem.clone(),
                span,
            }),
        };
        match rows {
            Ok(rows) => table.rows = Some(rows),
            Err(error) => diagnostics.push(error),
        }
    }
    let files = files.into_iter();
    files
        .map(|(path, text)| TableFile {
            path,
            text: text.ok(),
        })
        .collect()
}

impl IntoDiagnostic for Unreadable {
    fn into_diagnostic(self) -> Diagnostic {
        match self {
            Self::File {
                path,
                problem,
                span,
            } => Diagnostic::new(
                Code::TableUnreadable,
                format!("the table `{path}` cannot be read: {problem}"),
                span,
            )
            .help("the path is relative to the flow"),
            Self::Contents {
                path,
                format,
                problem,
                span,
            } => {
                let found = Diagnostic::new(
                    Code::TableUnreadable,
                    format!("`{path}` is no {} table: {problem}", format.name()),
                    span,
                );
                found.help(match format {
                    Format::Csv => {
                        "the first line names the columns, and every other line has a value for each"
                    }
                    Format::Json => "write an array of objects, or of texts and numbers",
                })
            }
        }
    }
}

fn csv(text: &str) -> Result<Rows, TableError> {
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let refused = |error: &csv::Error| TableError {
        problem: error.to_string(),
    };
    let headers = reader.headers().map_err(|error| refused(&error))?.clone();
    let columns: Vec<String> = headers.iter().map(str::to_owned).collect();
    if let Some(twice) = repeated(&columns) {
        return Err(TableError {
            problem: format!("the column `{twice}` stands there twice"),
        });
    }
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| refused(&error))?;
        let line = record.position().map_or(0, csv::Position::line);
        let cells = columns.iter().zip(record.iter());
        rows.push(Row {
            value: Constant::Map(
                cells
                    .map(|(column, cell)| (text_of(column), text_of(cell)))
                    .collect(),
            ),
            place: format!("line {line}"),
        });
    }
    Ok(Rows { columns, rows })
}

fn json(text: &str) -> Result<Rows, TableError> {
    let value: Json = serde_json::from_str(text).map_err(|error| TableError {
        problem: error.to_string(),
    })?;
    let Json::Array(elements) = value else {
        return Err(TableError {
            problem: "the file is no array".to_owned(),
        });
    };
    let mut rows = Rows::default();
    for (position, element) in elements.iter().enumerate() {
        if let Json::Object(fields) = element {
            let new = fields.keys().filter(|key| !rows.columns.contains(key));
            let new: Vec<String> = new.cloned().collect();
            rows.columns.extend(new);
        }
        rows.rows.push(Row {
            value: constant(element),
            place: format!("element {}", position + 1),
        });
    }
    Ok(rows)
}

/// A value of JSON as a constant; whole numbers are `int`.
fn constant(value: &Json) -> Constant {
    match value {
        Json::Null => Constant::Null,
        Json::Bool(value) => Constant::Bool(*value),
        Json::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(int), _) => Constant::Int(int),
            (None, Some(uint)) => Constant::Uint(uint),
            (None, None) => Constant::Double(number.as_f64().unwrap_or(f64::NAN)),
        },
        Json::String(text) => text_of(text),
        Json::Array(elements) => Constant::List(elements.iter().map(constant).collect()),
        Json::Object(fields) => {
            let entries = fields.iter();
            Constant::Map(
                entries
                    .map(|(key, value)| (text_of(key), constant(value)))
                    .collect(),
            )
        }
    }
}

fn text_of(text: &str) -> Constant {
    Constant::String(text.to_owned())
}

/// The first name that stands in a list twice.
fn repeated(names: &[String]) -> Option<&String> {
    let mut seen = indexmap::IndexSet::new();
    names.iter().find(|name| !seen.insert(name.as_str()))
}

impl Rows {
    /// The elements of a constant list.
    #[must_use]
    pub fn of_list(elements: &[Constant]) -> Self {
        let mut columns: Vec<String> = Vec::new();
        let mut rows = Vec::new();
        for (position, element) in elements.iter().enumerate() {
            if let Constant::Map(entries) = element {
                for (key, _) in entries {
                    if let Constant::String(key) = key
                        && !columns.contains(key)
                    {
                        columns.push(key.clone());
                    }
                }
            }
            rows.push(Row {
                value: element.clone(),
                place: format!("element {}", position + 1),
            });
        }
        Self { columns, rows }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(format: Format, text: &str) -> String {
        format.read(text).unwrap_err().problem
    }

    #[test]
    fn csv_has_a_header_quotes_and_lines() {
        let rows = Format::Csv
            .read("\u{feff}name, note\nacme,\"a, b\nc\"\nglobex,\n")
            .unwrap();
        assert_eq!(rows.columns, ["name", "note"]);
        let places: Vec<_> = rows.rows.iter().map(|row| row.place.as_str()).collect();
        assert_eq!(places, ["line 2", "line 4"]);
        let first = [("name", "acme"), ("note", "a, b\nc")];
        let first = first.map(|(key, value)| (text_of(key), text_of(value)));
        assert_eq!(rows.rows[0].value, Constant::Map(first.to_vec()));
    }

    #[test]
    fn a_row_of_another_length_and_a_column_twice_are_refused() {
        assert!(problem(Format::Csv, "a,b\n1\n").contains("line: 2"));
        assert!(problem(Format::Csv, "a,a\n1,2\n").contains("`a` stands there twice"));
    }

    #[test]
    fn json_is_an_array_of_objects_or_values() {
        let rows = Format::Json
            .read(r#"[{"name": "acme", "port": 1}, {"name": "x", "ratio": 0.5}]"#)
            .unwrap();
        assert_eq!(rows.columns, ["name", "port", "ratio"]);
        assert_eq!(rows.rows[1].place, "element 2");
        let scalars = Format::Json.read("[\"a\", 2, true, null]").unwrap();
        assert_eq!(scalars.columns, Vec::<String>::new());
        assert_eq!(scalars.rows[1].value, Constant::Int(2));
        assert_eq!(problem(Format::Json, "{}"), "the file is no array");
        assert!(problem(Format::Json, "[1,").contains("line 1"));
    }
}
