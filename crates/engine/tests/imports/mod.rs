//! Source files → which modules import which.
//!
//! Imports are the `use` lines and the paths of a file, without its tests. A module may use names of the module it is part of
//! (`super::Builder`); that is no import, since a folder's `mod.rs` and its files are one room. A `pub use` only hands a name on: who
//! imports it from there imports the file that defines it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A module by its names from the root of its crate; the root itself has none.
pub type Module = Vec<String>;

pub fn shown(module: &Module) -> String {
    if module.is_empty() { "the root".to_string() } else { module.join("::") }
}

/// The modules of a crate, and which names each imports from which others.
#[derive(Default)]
pub struct Graph {
    pub arrows: BTreeMap<Module, BTreeMap<Module, BTreeSet<String>>>,
}

impl Graph {
    pub fn of(folder: &Path) -> Graph {
        let mut sources = BTreeMap::new();
        gather(folder, &mut Vec::new(), &mut sources);
        let mut imports: BTreeMap<&Module, Vec<Module>> = BTreeMap::new();
        // what each module hands on by `pub use`
        let mut handed: BTreeMap<&Module, BTreeMap<String, Module>> = BTreeMap::new();
        for (module, tokens) in &sources {
            for (path, is_public) in paths(tokens) {
                let Some(path) = from_root(&path, module, &sources) else { continue };
                match path.last().filter(|_| is_public) {
                    Some(name) => {
                        handed.entry(module).or_default().insert(name.clone(), path.clone());
                    }
                    None => imports.entry(module).or_default().push(path),
                }
            }
        }
        let mut graph = Graph::default();
        for module in sources.keys() {
            let arrows = graph.arrows.entry(module.clone()).or_default();
            for path in imports.get(module).into_iter().flatten() {
                let target = target(path, &sources, &handed, 0);
                if !module.starts_with(&target) {
                    arrows.entry(target).or_default().insert(path.last().cloned().unwrap_or_default());
                }
            }
        }
        graph
    }

    /// All modules that can be reached from one.
    fn reach(&self, from: &Module) -> BTreeSet<&Module> {
        let mut seen = BTreeSet::new();
        let mut next: Vec<&Module> = self.arrows[from].keys().collect();
        while let Some(module) = next.pop() {
            if seen.insert(module) {
                next.extend(self.arrows[module].keys());
            }
        }
        seen
    }

    /// Sets of modules each of which can be reached from every other.
    pub fn circles(&self) -> BTreeSet<Vec<Module>> {
        let reach: BTreeMap<&Module, _> =
            self.arrows.keys().map(|module| (module, self.reach(module))).collect();
        let on_circle = reach.iter().filter(|(module, reached)| reached.contains(*module));
        let circle = |(module, reached): (&&Module, &BTreeSet<&Module>)| {
            let back = reached.iter().filter(|other| reach[**other].contains(module));
            back.map(|other| (*other).clone()).collect()
        };
        on_circle.map(circle).collect()
    }

    pub fn explain(&self, circle: &[Module]) -> String {
        let mut text = String::new();
        for from in circle {
            for (to, names) in self.arrows[from].iter().filter(|(to, _)| circle.contains(to)) {
                let names: Vec<_> = names.iter().map(String::as_str).collect();
                text += &format!("  {} -> {}: {}\n", shown(from), shown(to), names.join(", "));
            }
        }
        text
    }
}

/// The modules in a folder, with their tokens.
fn gather(folder: &Path, module: &mut Module, out: &mut BTreeMap<Module, Vec<String>>) {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            module.push(name);
            gather(&path, module, out);
            module.pop();
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let mut own = module.clone();
            if !["lib", "main", "mod"].contains(&name.as_str()) {
                own.push(name);
            }
            out.insert(own, without_tests(tokens(&fs::read_to_string(&path).unwrap())));
        }
    }
}

/// Words and signs of a text, without comments and the insides of texts; `::` is one sign.
pub fn tokens(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    let at = |k: usize| letters.get(k).copied().unwrap_or(' ');
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut out: Vec<String> = Vec::new();
    let mut k = 0;
    while k < letters.len() {
        let c = at(k);
        if c == '/' && at(k + 1) == '/' {
            while k < letters.len() && at(k) != '\n' {
                k += 1;
            }
        } else if c == 'r' && (at(k + 1) == '"' || (at(k + 1) == '#' && ['"', '#'].contains(&at(k + 2)))) {
            let hashes = (k + 1..).take_while(|&k| at(k) == '#').count();
            k += hashes + 2;
            while k < letters.len() && !(at(k) == '"' && (1..=hashes).all(|n| at(k + n) == '#')) {
                k += 1;
            }
            k += hashes + 1;
        } else if c == '"' {
            k += 1;
            while k < letters.len() && at(k) != '"' {
                k += if at(k) == '\\' { 2 } else { 1 };
            }
            k += 1;
        } else if c == '\'' && at(k + 1) == '\\' {
            k += 3;
            while k < letters.len() && at(k) != '\'' {
                k += 1;
            }
            k += 1;
        } else if c == '\'' && at(k + 2) == '\'' {
            k += 3;
        } else if is_word(c) {
            let end = (k..).find(|&end| !is_word(at(end)) || end >= letters.len()).unwrap_or(letters.len());
            out.push(letters[k..end].iter().collect());
            k = end;
        } else if c == ':' && at(k + 1) == ':' {
            out.push("::".to_string());
            k += 2;
        } else {
            if !c.is_whitespace() {
                out.push(c.to_string());
            }
            k += 1;
        }
    }
    out
}

/// Leaves out modules that are there for tests.
pub fn without_tests(tokens: Vec<String>) -> Vec<String> {
    const TEST: [&str; 8] = ["#", "[", "cfg", "(", "test", ")", "]", "mod"];
    let mut out = Vec::new();
    let mut k = 0;
    while k < tokens.len() {
        if tokens[k..].iter().zip(TEST).filter(|(token, word)| token == word).count() == TEST.len() {
            let mut depth = 0;
            while k < tokens.len() {
                match tokens[k].as_str() {
                    "{" => depth += 1,
                    "}" if depth == 1 => break,
                    "}" => depth -= 1,
                    _ => {}
                }
                k += 1;
            }
            k += 1;
        } else {
            out.push(tokens[k].clone());
            k += 1;
        }
    }
    out
}

/// All paths of two names or more, those of `use` written out one by one; and whether each is of a `pub use`.
pub fn paths(tokens: &[String]) -> Vec<(Module, bool)> {
    let mut out = Vec::new();
    let mut k = 0;
    while k < tokens.len() {
        if tokens[k] == "use" {
            let is_public = k > 0 && (tokens[k - 1] == "pub" || tokens[k - 1] == ")");
            let end = (k..tokens.len()).find(|&end| tokens[end] == ";").unwrap_or(tokens.len());
            let mut all = Vec::new();
            tree(&tokens[k + 1..end], &Vec::new(), &mut all);
            out.extend(all.into_iter().map(|path| (path, is_public)));
            k = end;
        } else if k + 2 < tokens.len() && tokens[k + 1] == "::" && (k == 0 || tokens[k - 1] != "::") {
            let mut path = vec![tokens[k].clone()];
            while k + 2 < tokens.len() && tokens[k + 1] == "::" && is_name(&tokens[k + 2]) {
                path.push(tokens[k + 2].clone());
                k += 2;
            }
            out.push((path, false));
            k += 1;
        } else {
            k += 1;
        }
    }
    out
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// The paths of a tree of `use`: `a::{b, c::{self, d as e}}`.
fn tree(tokens: &[String], before: &Module, out: &mut Vec<Module>) {
    let mut path = before.clone();
    let mut k = 0;
    while k < tokens.len() {
        match tokens[k].as_str() {
            "::" => {}
            "{" => {
                let (mut depth, mut start) = (0, k + 1);
                for end in k..tokens.len() {
                    match tokens[end].as_str() {
                        "{" => depth += 1,
                        "}" => depth -= 1,
                        _ => {}
                    }
                    let is_end = (tokens[end] == "," && depth == 1) || depth == 0;
                    if is_end && start < end {
                        tree(&tokens[start..end], &path, out);
                    }
                    if is_end {
                        start = end + 1;
                    }
                    if depth == 0 {
                        return;
                    }
                }
                return;
            }
            // the name that it is given here does not matter
            "as" => break,
            "*" | "self" if !path.is_empty() => {}
            name => path.push(name.to_string()),
        }
        k += 1;
    }
    out.push(path);
}

/// A path from the root of its crate; none if it leads out of it.
fn from_root(path: &Module, module: &Module, known: &BTreeMap<Module, Vec<String>>) -> Option<Module> {
    let mut base = module.clone();
    let mut rest = path.as_slice();
    match path.first()?.as_str() {
        "crate" => {
            base.clear();
            rest = &rest[1..];
        }
        "self" => rest = &rest[1..],
        "super" => {
            while rest.first().is_some_and(|name| name == "super") {
                base.pop();
                rest = &rest[1..];
            }
        }
        // a module inside of this one
        name => {
            base.push(name.to_string());
            known.contains_key(&base).then_some(())?;
            rest = &rest[1..];
        }
    }
    base.extend(rest.iter().cloned());
    Some(base)
}

/// The module that defines what a path names.
fn target(
    path: &Module,
    known: &BTreeMap<Module, Vec<String>>,
    handed: &BTreeMap<&Module, BTreeMap<String, Module>>,
    depth: usize,
) -> Module {
    let length = (0..=path.len()).rev().find(|&length| known.contains_key(&path[..length])).unwrap_or(0);
    let module = path[..length].to_vec();
    let name = path.get(length);
    match name.and_then(|name| handed.get(&module)?.get(name)) {
        Some(next) if depth < 8 => {
            let next = next.iter().chain(&path[length + 1..]).cloned().collect();
            target(&next, known, handed, depth + 1)
        }
        _ => module,
    }
}
