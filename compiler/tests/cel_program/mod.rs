//! The program that evaluates the cases: one crate, made by the emitter, built by cargo and run once.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "what is not what it should be must stop the test"
)]

mod values;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use quote::{format_ident, quote};
use watershed_compiler::cel::environment::{Environment, FunctionId, VariableId};
use watershed_compiler::cel::typed::{Node, NodeKind};
use watershed_compiler::cel::{Tree, Type};
use watershed_compiler::emit::cel::piece::{Form, Piece};
use watershed_compiler::emit::cel::{Emitter, Reader, Unsupported};

pub(crate) use values::shown;

use crate::cel_suite::Case;

/// How many modules the cases are spread over, so that rustc can make their code side by side.
const PARTS: usize = 16;

/// How often the program is built at most, each time without what was refused before.
const MAX_BUILDS: usize = 5;

/// The line of the first function of a part.
const LINES_BEFORE: usize = 3;

/// Builds the program. What cargo says is passed on, for it takes a while, and given back.
fn build(directory: &Path) -> (bool, String) {
    let mut cargo = cargo(directory, "build");
    let mut child = cargo.stderr(Stdio::piped()).spawn().unwrap();
    let mut said = String::new();
    for line in BufReader::new(child.stderr.take().unwrap()).lines() {
        let line = line.unwrap();
        eprintln!("{line}");
        said.push_str(&line);
        said.push('\n');
    }
    (child.wait().unwrap().success(), said)
}

fn cargo(directory: &Path, command: &str) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut cargo = Command::new(cargo);
    cargo
        .args([command, "--offline", "--message-format", "short"])
        .arg("--target-dir")
        .arg(directory.join("target"))
        .current_dir(directory);
    cargo
}

/// The functions of the cases, as text.
#[derive(Default)]
pub(crate) struct Program {
    parts: Vec<Part>,
    /// The number of each function by its text: what folding leaves as it is needs no second one.
    numbers: BTreeMap<String, usize>,
}

#[derive(Clone, Default)]
struct Part {
    /// One a line.
    functions: Vec<String>,
    table: String,
}

impl Program {
    pub(crate) fn new() -> Self {
        Self {
            parts: vec![Part::default(); PARTS],
            numbers: BTreeMap::new(),
        }
    }

    /// Adds an expression and gives its number. Without constants, everything is left to the run.
    pub(crate) fn add(
        &mut self,
        case: &Case,
        tree: &Tree,
        constants: bool,
    ) -> Result<usize, Unsupported> {
        let reader = Variables::new(case);
        let emitter = || {
            let emitter = Emitter::new(tree, &reader);
            if constants {
                emitter
            } else {
                emitter.without_constants()
            }
        };
        let value = emitter().value()?.into_form(Form::Value).tokens;
        let outcome = if tree.root_node().ty == Type::Bool {
            let (is_true, is_false) = (emitter().is_true()?, emitter().is_false()?);
            quote!(crate::support::truth(&value, #is_true, #is_false))
        } else {
            quote!(crate::support::outcome(&value))
        };
        let variables = reader.declarations.into_inner();
        let variables = variables.values();
        let body = quote! {
            -> String {
                #(#variables)*
                let value = cel::logic::attempt(|| Ok(#value));
                #outcome
            }
        };
        let body = body.to_string();
        if let Some(number) = self.numbers.get(&body) {
            return Ok(*number);
        }
        let number = self.numbers.len();
        let part = &mut self.parts[number % PARTS];
        let function = format!("fn case_{number}() {body}");
        part.functions.push(function.replace('\n', " "));
        write!(part.table, "({number}, case_{number}), ").unwrap();
        self.numbers.insert(body, number);
        Ok(number)
    }

    /// Builds the program, runs it, and gives what each expression came to. What rustc refuses is left out, so that
    /// it fails alone.
    pub(crate) fn run(&mut self) -> BTreeMap<usize, String> {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cel-conformance");
        for _ in 0..MAX_BUILDS {
            self.write(&directory);
            let count = self.numbers.len();
            eprintln!("building a program of {count} functions, which takes a minute or two");
            let (is_built, said) = build(&directory);
            if is_built || !self.leave_out(&said) {
                assert!(is_built, "the program cannot be built");
                break;
            }
        }
        let output = cargo(&directory, "run").arg("--quiet").output().unwrap();
        assert!(
            output.status.success(),
            "the program stopped: {}",
            output.status
        );
        let lines = String::from_utf8(output.stdout).unwrap();
        let outcomes = lines.lines().map(|line| {
            let (number, outcome) = line.split_once('\t').unwrap();
            (number.parse().unwrap(), outcome.to_owned())
        });
        outcomes.collect()
    }

    /// Replaces functions with errors, which stand in lines such as `src/part_3.rs:57:9: error[E0308]: …`. Whether
    /// there are any.
    fn leave_out(&mut self, errors: &str) -> bool {
        let mut is_any = false;
        for error in errors.lines().filter(|line| line.contains(": error")) {
            let Some((part, rest)) = error
                .strip_prefix("src/part_")
                .and_then(|rest| rest.split_once(".rs:"))
            else {
                continue;
            };
            let (line, _) = rest.split_once(':').unwrap();
            let (part, line): (usize, usize) = (part.parse().unwrap(), line.parse().unwrap());
            let function = &mut self.parts[part].functions[line - LINES_BEFORE];
            let (head, _) = function.split_once("->").unwrap();
            let why = format!("rustc: {error}");
            *function = format!("{head} -> String {{ {why:?}.to_owned() }}");
            is_any = true;
        }
        is_any
    }

    fn write(&self, directory: &Path) {
        let project = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let sources = directory.join("src");
        std::fs::create_dir_all(&sources).unwrap();
        let manifest = format!(
            r#"[package]
name = "cel-conformance"
version = "0.0.0"
edition = "2024"

[dependencies]
watershed = {{ path = {:?}, default-features = false }}

[profile.dev]
debug = false
incremental = false

[workspace]
"#,
            project.join("runtime")
        );
        std::fs::write(directory.join("Cargo.toml"), manifest).unwrap();
        std::fs::copy(project.join("Cargo.lock"), directory.join("Cargo.lock")).unwrap();
        std::fs::write(sources.join("support.rs"), include_str!("support.rs.txt")).unwrap();
        let mut main = String::from("#![allow(warnings)]\nmod support;\n");
        for number in 0..PARTS {
            writeln!(main, "mod part_{number};").unwrap();
        }
        main.push_str("fn main() {\n");
        for (number, part) in self.parts.iter().enumerate() {
            writeln!(main, "    support::run(part_{number}::CASES);").unwrap();
            let text = format!(
                "use watershed::generated::*;\npub const CASES: &[(usize, fn() -> String)] = &[{}];\n{}",
                part.table,
                part.functions.join("\n")
            );
            std::fs::write(sources.join(format!("part_{number}.rs")), text).unwrap();
        }
        main.push_str("}\n");
        std::fs::write(sources.join("main.rs"), main).unwrap();
    }
}

/// Variables of a case; each that is read becomes a variable of its function.
struct Variables<'a> {
    case: &'a Case,
    environment: &'a Environment,
    declarations: RefCell<BTreeMap<u32, proc_macro2::TokenStream>>,
}

impl<'a> Variables<'a> {
    const fn new(case: &'a Case) -> Self {
        Self {
            case,
            environment: &case.environment,
            declarations: RefCell::new(BTreeMap::new()),
        }
    }

    fn named(&self, id: VariableId) -> Option<(&str, &Type)> {
        self.environment
            .variables
            .iter()
            .find(|(_, variable)| variable.id == id)
            .map(|(name, variable)| (name.as_str(), &variable.ty))
    }
}

impl Reader for Variables<'_> {
    fn read(&self, _: &Tree, node: &Node) -> Result<Piece, Unsupported> {
        let NodeKind::Variable(id) = node.kind else {
            return Err(Unsupported {
                span: node.span,
                what: "a record",
            });
        };
        let (name, ty) = self.named(id).unwrap();
        let Some(value) = self.case.bindings.get(name) else {
            return Ok(Piece::failure(Form::of(ty), &quote!(cel::Error::NoSuchKey)));
        };
        let (form, value) = values::bound(value, ty);
        let name = format_ident!("variable_{}", id.0);
        self.declarations
            .borrow_mut()
            .insert(id.0, quote!(let #name = #value;));
        Ok(Piece::place(form, quote!(#name)))
    }

    /// The suite declares functions and binds none: calling one is an error.
    fn call(&self, node: &Node, _: &[FunctionId], _: Vec<Piece>) -> Result<Piece, Unsupported> {
        let form = Form::of(&node.ty);
        Ok(Piece::failure(form, &quote!(cel::Error::NoSuchOverload)))
    }
}
