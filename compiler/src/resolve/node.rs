//! Connections, sources and sinks, and the options of everything.

use watershed_lang::ast::{self, Arg, OptionValue};
use watershed_lang::span::{Name, Span};

use super::Resolver;
use super::connector_error::{ConnectorError, Owner};
use super::error::NameError;
use super::scope::Entity;
use crate::catalog::connector::{CONNECTORS, find};
use crate::catalog::reserved::is_later_connector;
use crate::catalog::{ConnectorSpec, OptionSpec, OptionType, Role, StageSpec};
use crate::hir::{Docs, Node, Options, Setting, SettingValue};

impl Resolver<'_> {
    pub(super) fn node(
        &mut self,
        role: Role,
        node: &ast::NodeItem,
        docs: Docs,
        span: Span,
    ) -> Node {
        if let Some(ty) = &node.ty {
            self.report(ConnectorError::EventsNotYet { ty: ty.clone() });
        }
        let connector = self.connector(role, &node.kind);
        let options = match connector {
            Some(connector) => self.options(connector, node),
            None => Options::new(),
        };
        Node {
            name: node.name.clone(),
            connector,
            options,
            template: self.scope.inside(),
            docs,
            span,
        }
    }

    fn connector(&mut self, role: Role, name: &Name) -> Option<&'static ConnectorSpec> {
        let found = find(role, &name.value);
        if found.is_none() {
            let name = name.clone();
            self.report(if is_later_connector(role, &name.value) {
                ConnectorError::ConnectorNotYet { role, name }
            } else {
                let other_role = CONNECTORS
                    .iter()
                    .find(|spec| spec.name == name.value)
                    .map(|spec| spec.role);
                ConnectorError::UnknownConnector {
                    role,
                    name,
                    other_role,
                }
            });
        }
        found
    }

    fn options(&mut self, connector: &'static ConnectorSpec, node: &ast::NodeItem) -> Options {
        let owner = Owner::Connector(connector);
        let written = node
            .options
            .as_ref()
            .map_or(&[][..], |block| &block.options);
        let mut options = Options::new();
        for option in written {
            match connector.option(&option.name.value) {
                Some(spec) => {
                    let setting = self.setting(spec, option.name.span, &option.value);
                    self.set(&mut options, setting, &option.name);
                }
                None => self.unknown_option(owner, &option.name),
            }
        }
        self.require(owner, connector.options, &options, node.name.span);
        options
    }

    /// The arguments of a stage: some by position, the others by name.
    pub(super) fn arguments(
        &mut self,
        stage: &'static StageSpec,
        call: &ast::StageCall,
    ) -> Options {
        let owner = Owner::Stage(stage);
        let mut options = Options::new();
        for (position, argument) in call.args.iter().enumerate() {
            match &argument.name {
                None => self.positional(stage, position, argument, &mut options),
                Some(name) => match stage.argument(&name.value) {
                    Some(spec) => {
                        let setting = self.expr_setting(spec, name.span, &argument.value);
                        self.set(&mut options, setting, name);
                    }
                    None => self.unknown_option(owner, name),
                },
            }
        }
        self.require(owner, stage.arguments, &options, call.kind.span);
        options
    }

    fn positional(
        &mut self,
        stage: &'static StageSpec,
        position: usize,
        argument: &Arg,
        options: &mut Options,
    ) {
        let span = argument.value.span;
        match stage
            .arguments
            .get(position)
            .filter(|_| position < stage.positional)
        {
            Some(spec) => {
                let setting = self.expr_setting(spec, span, &argument.value);
                self.set(options, setting, &Name::new(spec.name.to_owned(), span));
            }
            None => self.report(ConnectorError::UnexpectedArgument { stage, span }),
        }
    }

    fn set(&mut self, options: &mut Options, setting: Setting, name: &Name) {
        match options.get(setting.spec.name) {
            Some(first) => {
                let first = first.name_span;
                self.report(ConnectorError::DuplicateOption {
                    name: name.clone(),
                    first,
                });
            }
            None => {
                options.insert(setting.spec.name, setting);
            }
        }
    }

    fn unknown_option(&mut self, owner: Owner, name: &Name) {
        let name = name.clone();
        self.report(if owner.reserves(&name.value) {
            ConnectorError::OptionNotYet { owner, name }
        } else {
            ConnectorError::UnknownOption { owner, name }
        });
    }

    fn require(
        &mut self,
        owner: Owner,
        specs: &'static [OptionSpec],
        options: &Options,
        span: Span,
    ) {
        for spec in specs
            .iter()
            .filter(|spec| spec.required && !options.contains_key(spec.name))
        {
            self.report(ConnectorError::MissingOption {
                owner,
                option: spec,
                span,
            });
        }
    }

    fn setting(
        &mut self,
        spec: &'static OptionSpec,
        name_span: Span,
        value: &OptionValue,
    ) -> Setting {
        match value {
            OptionValue::Expr(value) => self.expr_setting(spec, name_span, value),
            OptionValue::Block(block) => {
                self.report(ConnectorError::BlockValue {
                    option: spec,
                    span: block.span,
                });
                Setting {
                    spec,
                    name_span,
                    value: SettingValue::Error,
                    span: block.span,
                }
            }
        }
    }

    fn expr_setting(
        &mut self,
        spec: &'static OptionSpec,
        name_span: Span,
        value: &ast::Expr,
    ) -> Setting {
        let span = value.span;
        let value = match spec.ty {
            OptionType::Word(words) => self.word(spec, words, value),
            OptionType::Connection(_) => self.connection(value),
            _ => SettingValue::Expr(self.expr(value)),
        };
        Setting {
            spec,
            name_span,
            value,
            span,
        }
    }

    fn word(
        &mut self,
        spec: &'static OptionSpec,
        words: &'static [&'static str],
        value: &ast::Expr,
    ) -> SettingValue {
        let (written, quoted) = match &value.kind {
            ast::ExprKind::Ident {
                name,
                leading_dot: false,
            } => (Some(name), false),
            ast::ExprKind::Literal(ast::Literal::String(text)) => (Some(text), true),
            ast::ExprKind::Error => return SettingValue::Error,
            _ => (None, false),
        };
        match words
            .iter()
            .find(|word| Some(**word) == written.map(String::as_str))
        {
            Some(word) if !quoted => SettingValue::Word(word),
            _ => {
                let written = written.cloned();
                self.report(ConnectorError::NotAWord {
                    option: spec,
                    words,
                    written,
                    span: value.span,
                });
                SettingValue::Error
            }
        }
    }

    fn connection(&mut self, value: &ast::Expr) -> SettingValue {
        const WANTED: &str = "connection";
        let ast::ExprKind::Ident { name, .. } = &value.kind else {
            if value.kind != ast::ExprKind::Error {
                self.report(ConnectorError::NotAConnection { span: value.span });
            }
            return SettingValue::Error;
        };
        let name = Name::new(name.clone(), value.span);
        match self.scope.get(&name.value) {
            Some(declaration) => match declaration.entity {
                Entity::Connection(id) => return SettingValue::Connection(id),
                other => self.report(NameError::WrongKind {
                    name,
                    found: other.noun(),
                    wanted: WANTED,
                    declared: declaration.span,
                    instead: None,
                }),
            },
            None => {
                let candidates = self
                    .scope
                    .names_of(|entity| matches!(entity, Entity::Connection(_)));
                self.report(NameError::Unknown {
                    name,
                    wanted: WANTED,
                    candidates,
                });
            }
        }
        SettingValue::Error
    }
}
