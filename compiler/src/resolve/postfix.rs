//! What follows a value: `.field`, `[index]`, `.function(…)`.
//!
//! A chain of these is unrolled from its base outwards. At the base stands a root of the data, whose longest known
//! field is taken first (`span.status.code` is one field, the rest are keys), or any other expression.

use watershed_lang::ast::{self, Expr};
use watershed_lang::span::{Name, Span};

use super::Resolver;
use super::error::NameError;
use crate::catalog::signals::{FieldSpec, Root, field};
use crate::hir::{ExprId, ExprKind};

/// One thing that follows a value.
#[derive(Clone, Copy)]
pub(super) enum Link<'a> {
    /// `.field`, `.?field`
    Field { name: &'a Name, optional: bool },
    /// `[index]`, `[?index]`
    Index { index: &'a Expr, optional: bool },
    /// `.function(args)`
    Method {
        function: &'a Name,
        args: &'a [Expr],
    },
}

/// A chain: its base, and the links with the span from the base to each.
pub(super) struct Postfix<'a> {
    pub(super) base: &'a Expr,
    pub(super) links: Vec<(Link<'a>, Span)>,
}

impl<'a> Postfix<'a> {
    pub(super) fn of(expr: &'a Expr) -> Self {
        let mut links = Vec::new();
        let mut base = expr;
        loop {
            let (link, inner) = match &base.kind {
                ast::ExprKind::Select {
                    operand,
                    field,
                    optional,
                    ..
                } => (
                    Link::Field {
                        name: field,
                        optional: *optional,
                    },
                    operand,
                ),
                ast::ExprKind::Index {
                    operand,
                    index,
                    optional,
                } => (
                    Link::Index {
                        index,
                        optional: *optional,
                    },
                    operand,
                ),
                ast::ExprKind::Call {
                    receiver: Some(receiver),
                    function,
                    args,
                    ..
                } => (Link::Method { function, args }, receiver),
                _ => break,
            };
            links.push((link, base.span));
            base = inner;
        }
        links.reverse();
        Self { base, links }
    }

    /// The root of the data at the base, unless an item has its name (which no item can).
    pub(super) fn root(&self) -> Option<Root> {
        match &self.base.kind {
            ast::ExprKind::Ident { name, .. } => Root::from_name(name),
            _ => None,
        }
    }

    /// The longest field of the root that the links spell, and how many links that takes.
    pub(super) fn field(&self, root: Root) -> Option<(&'static FieldSpec, usize)> {
        let mut spelled = String::new();
        let mut longest = None;
        for (position, (link, _)) in self.links.iter().enumerate() {
            let Link::Field {
                name,
                optional: false,
            } = link
            else {
                break;
            };
            if position > 0 {
                spelled.push('.');
            }
            spelled.push_str(&name.value);
            longest = field(root, &spelled)
                .map(|field| (field, position + 1))
                .or(longest);
        }
        longest
    }
}

impl Resolver<'_> {
    /// Resolves a name, a selection, an index or a call with everything before it.
    pub(super) fn postfix(&mut self, expr: &Expr) -> ExprId {
        let postfix = Postfix::of(expr);
        if let Some(name) = qualified(&postfix) {
            self.not_supported(format!("`{}`", name.value), name.span);
            return self.push(ExprKind::Error, expr.span);
        }
        let (mut value, rest) = match postfix.root() {
            Some(root) if !postfix.links.is_empty() => match self.root(root, &postfix) {
                Some((value, taken)) => (value, postfix.links.get(taken..).unwrap_or_default()),
                None => return self.push(ExprKind::Error, expr.span),
            },
            _ => (self.base(postfix.base), postfix.links.as_slice()),
        };
        for (link, span) in rest {
            value = self.link(value, *link, *span);
        }
        value
    }

    fn base(&mut self, base: &Expr) -> ExprId {
        match &base.kind {
            ast::ExprKind::Ident { name, .. } => self.ident(&Name::new(name.clone(), base.span)),
            ast::ExprKind::Call {
                receiver: None,
                function,
                args,
                ..
            } => self.global_call(function, args, base.span),
            _ => self.expr(base),
        }
    }

    /// The field that a chain begins with and how many links it took; `None` when there is none, reported.
    fn root(&mut self, root: Root, postfix: &Postfix<'_>) -> Option<(ExprId, usize)> {
        if let Some((field, taken)) = postfix.field(root) {
            let span = taken
                .checked_sub(1)
                .and_then(|last| postfix.links.get(last))
                .map(|(_, span)| *span);
            return Some((
                self.push(ExprKind::Field(field), span.unwrap_or(postfix.base.span)),
                taken,
            ));
        }
        match postfix.links.first().map(|(link, _)| *link) {
            Some(Link::Field {
                name,
                optional: false,
            }) => {
                let name = spelled(root, name, postfix);
                self.report(NameError::UnknownField { root, name });
            }
            Some(Link::Field {
                name,
                optional: true,
            }) => {
                self.not_supported(format!("`.?` on `{}`", root.name()), name.span);
            }
            Some(Link::Index { .. }) => self.report(NameError::RootIndexed {
                root,
                span: postfix.base.span,
            }),
            Some(Link::Method { .. }) | None => self.report(NameError::RootAlone {
                root,
                span: postfix.base.span,
            }),
        }
        None
    }

    fn link(&mut self, operand: ExprId, link: Link<'_>, span: Span) -> ExprId {
        match link {
            Link::Field { name, optional } => {
                let index = self.key(name);
                self.push(
                    ExprKind::Index {
                        operand,
                        index,
                        optional,
                    },
                    span,
                )
            }
            Link::Index { index, optional } => {
                let index = self.expr(index);
                self.push(
                    ExprKind::Index {
                        operand,
                        index,
                        optional,
                    },
                    span,
                )
            }
            Link::Method { function, args } => self.method(operand, function, args, span),
        }
    }
}

/// The unknown field as far as it can be blamed: `status.cod`, where `status` alone begins a known field.
fn spelled(root: Root, first: &Name, postfix: &Postfix<'_>) -> Name {
    let below = format!("{}.", first.value);
    let begins =
        crate::catalog::signals::fields_of(root).any(|field| field.name.starts_with(&below));
    match postfix.links.get(1) {
        Some((
            Link::Field {
                name,
                optional: false,
            },
            _,
        )) if begins => Name::new(format!("{below}{}", name.value), first.span.to(name.span)),
        _ => first.clone(),
    }
}

/// `math.greatest(…)`: a function with a qualified name, all of which come later.
fn qualified(postfix: &Postfix<'_>) -> Option<Name> {
    let ast::ExprKind::Ident { name, .. } = &postfix.base.kind else {
        return None;
    };
    match postfix.links.first() {
        Some((Link::Method { function, .. }, _))
            if crate::catalog::reserved::NAMESPACES.contains(&name.as_str()) =>
        {
            Some(Name::new(
                format!("{name}.{}", function.value),
                postfix.base.span.to(function.span),
            ))
        }
        _ => None,
    }
}
