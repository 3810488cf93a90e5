//! Replaces `<include>` by the contents of files. A file is included once; it is searched beside the main file, then
//! beside the including file, as in MuJoCo.

use crate::error::ImportError;
use crate::xml::{self, Element, quote};
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// Maximum nesting with all files included, as in one file.
const DEEPEST: usize = 500;
/// Maximum number of files.
const MOST_FILES: usize = 1000;

/// Inserts included files.
pub fn include(root: &mut Element, folder: &Path) -> Result<(), ImportError> {
    let mut files = BTreeSet::new();
    if let Some(name) = Path::new(&*root.place.file).file_name() {
        files.insert(folder.join(name));
    }
    put(root, folder, 0, &mut files)
}

fn put(
    element: &mut Element,
    folder: &Path,
    depth: usize,
    files: &mut BTreeSet<PathBuf>,
) -> Result<(), ImportError> {
    if depth > DEEPEST {
        let help = format!("elements may be nested up to {DEEPEST} deep");
        return Err(ImportError::at(&element.place, "elements are nested too deeply", help));
    }
    let has_includes = element.children.iter().any(|e| e.tag == "include");
    if has_includes {
        let mut children = Vec::new();
        for child in std::mem::take(&mut element.children) {
            if child.tag == "include" {
                children.extend(fetch(&child, folder, files)?.children);
            } else {
                children.push(child);
            }
        }
        element.children = children;
        // an included file may include others
        return put(element, folder, depth + 1, files);
    }
    element.children.iter_mut().try_for_each(|child| put(child, folder, depth + 1, files))
}

fn fetch(child: &Element, folder: &Path, files: &mut BTreeSet<PathBuf>) -> Result<Element, ImportError> {
    let file = child.need("file")?;
    let relative = Path::new(&file.value);
    let refused = |message: String, help: &str| ImportError::at(&file.place, message, help);
    if relative.components().any(|c| matches!(c, Component::RootDir | Component::Prefix(_))) {
        return Err(refused("the path is absolute".to_string(), "give one relative to the main file"));
    }
    let beside = Path::new(&*child.place.file).parent().unwrap_or(Path::new("")).join(relative);
    let path = folder.join(relative);
    let path = if !path.is_file() && beside.is_file() { beside } else { path };
    // "./a.xml" and "a.xml" are the same file
    let path: PathBuf = path.components().filter(|c| *c != Component::CurDir).collect();
    if !files.insert(path.clone()) {
        let message = format!("\"{}\" is included twice, or includes itself", quote(&file.value));
        return Err(refused(message, "include each file once"));
    }
    if files.len() > MOST_FILES {
        return Err(refused("too many files".to_string(), "a model may include up to 1000"));
    }
    let root = xml::read(&path).map_err(|e| match e.place {
        Some(_) => e,
        None => refused(format!("\"{}\": {}", quote(&file.value), e.message), &e.help),
    })?;
    if !matches!(root.tag.as_str(), "mujoco" | "mujocoinclude") {
        let message = format!("the root element is <{}>", quote(&root.tag));
        return Err(ImportError::at(
            &root.place,
            message,
            "the root of an included file must be <mujocoinclude>",
        ));
    }
    Ok(root)
}
