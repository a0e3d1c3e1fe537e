//! Instances: what each use of a template gives its parameters, a row at a time.
//!
//! In: the uses of a program and their tables. Out: [`Instance`]s in the table of types, and findings about arguments,
//! columns and rows. An argument that reads the row is computed for each, as a constant; one that reads a `config`
//! is the same in all. Parameters themselves stay open everywhere else: no expression is folded for one instance.

use indexmap::IndexMap;
use watershed_lang::ast::{Expr, ExprKind, Literal};
use watershed_lang::span::{Name, Span};

use super::Checker;
use super::names::config_type;
use super::template_cell::{CellFault, cell};
use super::template_error::TemplateError;
use crate::cel::environment::{Environment, Variable, VariableId};
use crate::cel::fold::Constant;
use crate::cel::free_names::free_names;
use crate::cel::print::print;
use crate::cel::{self, Mode, Type};
use crate::hir::{ExprId, Parameter, TableSource, TemplateId, TemplateUse};
use crate::level::Level;
use crate::table::{Row, Rows};

/// One instance of a template.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// The values of its parameters, in their order.
    pub cells: Vec<Cell>,
    /// The use that makes it.
    pub span: Span,
    /// The row of its table, such as `line 3` or `element 2`; `None` for a use without a table.
    pub place: Option<String>,
}

/// The value of a parameter in one instance.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Known at build time.
    Known(Literal),
    /// Known when the flow starts.
    Config(ExprId),
}

impl Checker<'_> {
    /// Finds the instances of every template.
    pub(super) fn instances(&mut self) {
        let program = self.program;
        for one in &program.uses {
            let instances = match &one.rows {
                None => self.single(one).into_iter().collect(),
                Some((name, table)) => match self.rows(*table) {
                    Some(rows) => self.for_rows(one, name, &rows, self.is_text_table(*table)),
                    None => Vec::new(),
                },
            };
            let known = self.table.instances.entry(one.template).or_default();
            known.extend(instances);
        }
        for (id, _) in program.templates.iter() {
            self.distinct(id);
        }
    }

    /// The rows of a table; `None` when there are none to be had, which has been reported.
    fn rows(&mut self, table: crate::hir::TableId) -> Option<Rows> {
        let table = self.program.tables.at(table);
        let rows = match table.source {
            TableSource::File { .. } => table.rows.clone()?,
            TableSource::Const(id) => {
                let value = self.program.consts.at(id).value;
                match self.table.constant(value)? {
                    Constant::List(elements) => Rows::of_list(elements),
                    _ => {
                        let ty = self.table.ty(value).clone();
                        let span = table.span;
                        self.report(TemplateError::NotATable { ty, span });
                        return None;
                    }
                }
            }
        };
        if rows.rows.is_empty() {
            self.report(TemplateError::EmptyTable { span: table.span });
        }
        Some(rows)
    }

    /// Whether the values of a table may be texts that stand for something else.
    fn is_text_table(&self, table: crate::hir::TableId) -> bool {
        matches!(
            self.program.tables.at(table).source,
            TableSource::File { .. }
        )
    }

    /// The instance of a use without a table.
    fn single(&mut self, one: &TemplateUse) -> Option<Instance> {
        let mut cells = Vec::new();
        for (parameter, argument) in self.arguments(one) {
            cells.push(self.same_for_all(&parameter, argument)?);
        }
        (cells.len() == one.arguments.len()).then_some(Instance {
            cells,
            span: one.span,
            place: None,
        })
    }

    /// Parameters with their arguments; those without one have been reported.
    fn arguments(&self, one: &TemplateUse) -> Vec<(Parameter, ExprId)> {
        let template = self.program.templates.get(one.template);
        let parameters = template
            .into_iter()
            .flat_map(|template| &template.parameters);
        parameters
            .zip(&one.arguments)
            .filter_map(|(parameter, argument)| {
                Some((self.program.parameters.at(*parameter).clone(), (*argument)?))
            })
            .collect()
    }

    /// An argument that does not read the row.
    fn same_for_all(&mut self, parameter: &Parameter, argument: ExprId) -> Option<Cell> {
        let wanted = config_type(parameter.ty);
        self.value_position(
            argument,
            &format!("the parameter `{}`", parameter.name.value),
            &wanted,
        );
        let tree = self.table.tree(argument)?.clone();
        let (root, span) = (tree.root_node(), self.span(argument));
        if root.level > Level::Config {
            let level = root.level;
            self.report(TemplateError::ArgumentTooDeep { level, span });
            return None;
        }
        let known = root.constant.as_ref();
        let known = known.map(|constant| cell(constant, parameter.ty, false));
        match known {
            Some(Ok(literal)) => return Some(Cell::Known(literal)),
            None if root.ty == wanted => return Some(Cell::Config(argument)),
            _ => {}
        }
        self.report(TemplateError::ArgumentType {
            parameter: parameter.name.value.clone(),
            wanted: parameter.ty,
            found: root.ty.clone(),
            span,
        });
        None
    }

    /// The instances of a use, one a row. The first row that does not fit is reported and ends the column.
    fn for_rows(
        &mut self,
        one: &TemplateUse,
        name: &Name,
        rows: &Rows,
        texts: bool,
    ) -> Vec<Instance> {
        let mut columns: Vec<Vec<Cell>> = Vec::new();
        for (parameter, argument) in self.arguments(one) {
            let expr = self.program.exprs.at(argument);
            let reads_row = free_names(expr).iter().any(|read| read.value == name.value);
            let column = if reads_row {
                self.column(&parameter, expr, name, rows, texts)
            } else {
                let cell = self.same_for_all(&parameter, argument);
                cell.map(|cell| vec![cell; rows.rows.len()])
            };
            columns.extend(column);
        }
        if columns.len() < one.arguments.len() {
            return Vec::new();
        }
        let instance = |(position, row): (usize, &Row)| Instance {
            cells: columns
                .iter()
                .filter_map(|column| column.get(position).cloned())
                .collect(),
            span: one.span,
            place: Some(row.place.clone()),
        };
        rows.rows.iter().enumerate().map(instance).collect()
    }

    /// The value of an argument in every row.
    fn column(
        &mut self,
        parameter: &Parameter,
        expr: &Expr,
        name: &Name,
        rows: &Rows,
        texts: bool,
    ) -> Option<Vec<Cell>> {
        let path = Path::of(expr, &name.value);
        if let Some(Path::Column(column)) = &path
            && !rows.columns.contains(&column.value)
            && !rows.rows.is_empty()
        {
            self.report(TemplateError::UnknownColumn {
                column: column.clone(),
                columns: rows.columns.clone(),
            });
            return None;
        }
        let mut environment = None;
        let mut cells = Vec::new();
        for row in &rows.rows {
            let found = match &path {
                Some(path) => path.find(&row.value).cloned(),
                None => {
                    let around = environment.get_or_insert_with(|| self.with_row(name));
                    self.computed(expr, around, name, row)?
                }
            };
            let missing = CellFault {
                found: "nothing".to_owned(),
            };
            let literal = match found {
                None => Err(missing),
                Some(found) => cell(&found, parameter.ty, texts),
            };
            match literal {
                Ok(literal) => cells.push(Cell::Known(literal)),
                Err(fault) => {
                    self.report(TemplateError::WrongCell {
                        parameter: parameter.name.value.clone(),
                        wanted: parameter.ty,
                        found: fault.found,
                        place: row.place.clone(),
                        span: expr.span,
                    });
                    return None;
                }
            }
        }
        Some(cells)
    }

    fn with_row(&self, name: &Name) -> Environment {
        let mut environment = self.table.names.environment().clone();
        let row = Variable::new(VariableId(u32::MAX), Type::Dyn, Level::Const);
        environment.variables.insert(name.value.clone(), row);
        environment
    }

    /// An argument that is computed from a row: `"team-" + t.name`. `None` when a mistake has been reported.
    fn computed(
        &mut self,
        expr: &Expr,
        environment: &mut Environment,
        name: &Name,
        row: &Row,
    ) -> Option<Option<Constant>> {
        if let Some(variable) = environment.variables.get_mut(&name.value) {
            variable.constant = Some(row.value.clone());
        }
        let checked = cel::check(expr, environment, Mode::Static);
        let root = checked.tree.root_node();
        let (level, constant) = (root.level, root.constant.clone());
        if !checked.errors.is_empty() {
            checked
                .errors
                .into_iter()
                .for_each(|error| self.report(error));
            return None;
        }
        if level > Level::Const {
            let span = expr.span;
            self.report(TemplateError::RowAndConfig { level, span });
            return None;
        }
        Some(constant.filter(|constant| !matches!(constant, Constant::Failed(_))))
    }

    /// Reports the first two instances of a template with one key. Arguments that read a `config` and are written alike
    /// have one value too; the keys of others are compared when the flow starts.
    fn distinct(&mut self, template: TemplateId) {
        let mut seen: IndexMap<String, Span> = IndexMap::new();
        let instances = self.table.instances(template).to_vec();
        for instance in instances {
            let Some(key) = self.key_of(&instance) else {
                continue;
            };
            let first = seen.get(&key).copied();
            if let Some(first) = first {
                let name = self.program.templates.at(template).name.value.clone();
                return self.report(TemplateError::Duplicate {
                    template: name,
                    key,
                    first,
                    span: instance.span,
                });
            }
            seen.insert(key, instance.span);
        }
    }

    /// The key of an instance as it is written; `None` for a template without parameters.
    pub(super) fn key_of(&self, instance: &Instance) -> Option<String> {
        Some(match instance.cells.first()? {
            Cell::Known(key) => format!("{:?}", super::template_cell::text(key)),
            Cell::Config(argument) => print(self.program.exprs.at(*argument)),
        })
    }
}

/// What an argument takes out of a row without computing anything.
enum Path {
    /// `t`
    Whole,
    /// `t.name` or `t["name"]`
    Column(Name),
}

impl Path {
    fn of(expr: &Expr, row: &str) -> Option<Self> {
        let is_row =
            |expr: &Expr| matches!(&expr.kind, ExprKind::Ident { name, .. } if name == row);
        match &expr.kind {
            _ if is_row(expr) => Some(Self::Whole),
            ExprKind::Select {
                operand,
                field,
                optional: false,
                ..
            } if is_row(operand) => Some(Self::Column(field.clone())),
            ExprKind::Index {
                operand,
                index,
                optional: false,
            } if is_row(operand) => match &index.kind {
                ExprKind::Literal(Literal::String(text)) => {
                    Some(Self::Column(Name::new(text.clone(), index.span)))
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn find<'r>(&self, row: &'r Constant) -> Option<&'r Constant> {
        match (self, row) {
            (Self::Whole, row) => Some(row),
            (Self::Column(column), Constant::Map(entries)) => entries
                .iter()
                .find(|(key, _)| matches!(key, Constant::String(key) if *key == column.value))
                .map(|(_, value)| value),
            (Self::Column(_), _) => None,
        }
    }
}
