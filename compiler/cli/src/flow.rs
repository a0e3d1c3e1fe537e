//! Finds and compiles flows.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use watershed_compiler::cargo::read_table;
use watershed_compiler::driver::{Compilation, CompileOptions, compile};
use watershed_lang::source::{SourceFile, SourceMap};

/// A flow and what became of it.
pub(crate) struct Flow {
    pub(crate) sources: SourceMap,
    pub(crate) compilation: Compilation,
}

/// Compiles the flow in a file.
pub(crate) fn compile_file(path: &Path) -> Result<Flow> {
    let mut sources = SourceMap::new();
    let compilation = compile_into(&mut sources, path)?;
    Ok(Flow {
        sources,
        compilation,
    })
}

/// Compiles the flow in a file, whose text becomes one of `sources`. Its tables are read beside it.
pub(crate) fn compile_into(sources: &mut SourceMap, path: &Path) -> Result<Compilation> {
    let text = read(path)?;
    let file = sources.add(SourceFile::new(path.display().to_string(), text));
    let folder = path.parent().unwrap_or(Path::new(""));
    let options = CompileOptions {
        read_table: &|table| read_table(folder, table),
        ..CompileOptions::default()
    };
    Ok(compile(sources, file, &options))
}

/// The text of a flow.
pub(crate) fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))
}

/// The flows that paths stand for: files as they are, folders with every `.flow` file below them, in the order of
/// their names.
pub(crate) fn find(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in paths {
        let before = found.len();
        if path.is_dir() {
            search(path, &mut found)?;
            if found.len() == before {
                bail!("there is no .flow file in {}", path.display());
            }
        } else {
            found.push(path.clone());
        }
    }
    found.dedup();
    Ok(found)
}

fn search(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    let unreadable = || format!("{} cannot be read", folder.display());
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).with_context(unreadable)? {
        entries.push(entry.with_context(unreadable)?);
    }
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, name) = (entry.path(), entry.file_name());
        let hidden = name.to_string_lossy().starts_with('.');
        // A link is not followed: it could lead back up.
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder && !hidden && name != "target" {
            search(&path, found)?;
        } else if !is_folder
            && path
                .extension()
                .is_some_and(|extension| extension == "flow")
        {
            found.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_searched_in_order_and_build_output_is_not() {
        let folder = tempfile::tempdir().unwrap();
        for path in [
            "b/z.flow",
            "a.flow",
            "b/a.flow",
            "target/x.flow",
            ".git/x.flow",
            "b/readme.md",
        ] {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let found = find(&[folder.path().into()]).unwrap();
        let names: Vec<_> = found
            .iter()
            .map(|path| {
                path.strip_prefix(folder.path())
                    .unwrap()
                    .display()
                    .to_string()
            })
            .collect();
        assert_eq!(names, ["a.flow", "b/a.flow", "b/z.flow"]);
    }

    #[test]
    fn a_folder_without_flows_is_a_mistake() {
        let folder = tempfile::tempdir().unwrap();
        let error = find(&[folder.path().into()]).unwrap_err().to_string();
        assert!(error.contains("no .flow file"), "{error}");
    }
}
