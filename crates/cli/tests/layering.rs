//! The crates are layered as ARCHITECTURE.md has them, and the files of a crate import each other without circles.
//!
//! Imports are the `use` lines and the paths of a file, without its tests. A module may use names of the module it is part of
//! (`super::Builder`); that is no import, since a folder's `mod.rs` and its files are one room. A `pub use` only hands a name on: who
//! imports it from there imports the file that defines it. The engine has a test of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Which crates of the workspace a crate may depend on. Tests may depend on more.
const LAYERS: [(&str, &[&str]); 11] = [
    ("sparse", &[]),
    ("plot", &[]),
    ("engine", &["sparse"]),
    ("record", &["engine"]),
    ("scene", &["engine"]),
    ("export", &["engine", "scene"]),
    ("import", &["engine", "scene"]),
    ("study", &["engine", "plot", "scene"]),
    ("host", &["engine", "record", "scene"]),
    ("studio", &["engine", "export", "host", "scene"]),
    ("cli", &["engine", "export", "host", "import", "plot", "record", "scene", "studio", "study"]),
];

/// Crates whose files are not looked at here: `crates/engine/tests/layering.rs` has the rules of the engine, and the kernels of
/// `sparse` are one algorithm in several files.
const APART: [&str; 2] = ["engine", "sparse"];

/// Circles that are allowed, as the names of their modules in order, each with a reason. This list may only shrink: an entry that
/// is no circle any more fails.
const ALLOWED: [(&str, &[&str], &str); 0] = [];

/// A module by its names from the root of its crate; the root itself has none.
type Module = Vec<String>;

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn crates_depend_on_crates_below_them_alone() {
    let listed: BTreeSet<String> = LAYERS.iter().map(|(name, _)| name.to_string()).collect();
    let folders = fs::read_dir(crates()).unwrap().map(|entry| entry.unwrap().path());
    let found = folders.filter(|path| path.join("Cargo.toml").exists());
    let found: BTreeSet<String> =
        found.map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect();
    assert_eq!(found, listed, "every crate has a line in LAYERS");
    for (place, (name, allowed)) in LAYERS.iter().enumerate() {
        let manifest = fs::read_to_string(crates().join(name).join("Cargo.toml")).unwrap();
        let lines = manifest.lines().skip_while(|line| *line != "[dependencies]").skip(1);
        let lines = lines.take_while(|line| !line.starts_with('['));
        let names = lines.filter_map(|line| line.strip_prefix("windlass-")?.split(['.', ' ', '=']).next());
        let used: BTreeSet<&str> = names.collect();
        assert_eq!(used, allowed.iter().copied().collect(), "what {name} depends on");
        let below: BTreeSet<&str> = LAYERS[..place].iter().map(|(name, _)| *name).collect();
        assert!(used.is_subset(&below), "{name} depends on a crate that is not below it");
    }
}

#[test]
fn files_import_each_other_without_circles() {
    let mut allowed: BTreeMap<(&str, String), &str> = BTreeMap::new();
    for (name, modules, reason) in ALLOWED {
        allowed.insert((name, modules.join(", ")), reason);
    }
    let mut found = BTreeSet::new();
    let mut new = Vec::new();
    for (name, _) in LAYERS.iter().filter(|(name, _)| !APART.contains(name)) {
        let graph = Graph::of(&crates().join(name).join("src"));
        assert!(graph.arrows.values().any(|to| !to.is_empty()), "{name} has imports");
        for circle in graph.circles() {
            let modules: Vec<String> = circle.iter().map(|module| shown(module)).collect();
            let key = (*name, modules.join(", "));
            if !allowed.contains_key(&key) {
                new.push(format!("{name}: {}\n{}", key.1, graph.explain(&circle)));
            }
            found.insert(key);
        }
    }
    assert!(new.is_empty(), "files that import each other in a circle:\n{}", new.join("\n"));
    for (key, reason) in allowed {
        assert!(found.contains(&key), "{key:?} is no circle any more: take it off the list ({reason})");
    }
}

fn shown(module: &Module) -> String {
    if module.is_empty() { "the root".to_string() } else { module.join("::") }
}

/// The modules of a crate, and which names each imports from which others.
#[derive(Default)]
struct Graph {
    arrows: BTreeMap<Module, BTreeMap<Module, BTreeSet<String>>>,
}

impl Graph {
    fn of(folder: &Path) -> Graph {
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
    fn circles(&self) -> BTreeSet<Vec<Module>> {
        let reach: BTreeMap<&Module, _> =
            self.arrows.keys().map(|module| (module, self.reach(module))).collect();
        let on_circle = reach.iter().filter(|(module, reached)| reached.contains(*module));
        let circle = |(module, reached): (&&Module, &BTreeSet<&Module>)| {
            let back = reached.iter().filter(|other| reach[**other].contains(module));
            back.map(|other| (*other).clone()).collect()
        };
        on_circle.map(circle).collect()
    }

    fn explain(&self, circle: &[Module]) -> String {
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
fn tokens(text: &str) -> Vec<String> {
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
fn without_tests(tokens: Vec<String>) -> Vec<String> {
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
fn paths(tokens: &[String]) -> Vec<(Module, bool)> {
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

/// The reader of imports reads what it is meant to.
#[test]
fn imports_are_read() {
    let text = r##"
        // use crate::comment::A;
        use crate::a::{B, c::{self, D as E}, f::*};
        pub use super::g::H;
        fn h<'a>(x: &'a str) -> char { let _ = ("use crate::text::A;", r#"use crate::raw::A;"#, '"', '\''); crate::i::j(x) }
        #[cfg(test)]
        mod tests { use crate::tests::only; fn x() { } }
        use self::k::L;
    "##;
    let read: Vec<String> = paths(&without_tests(tokens(text)))
        .into_iter()
        .map(|(path, is_public)| format!("{}{}", if is_public { "pub " } else { "" }, path.join("::")))
        .collect();
    let wanted = [
        "crate::a::B",
        "crate::a::c",
        "crate::a::c::D",
        "crate::a::f",
        "pub super::g::H",
        "crate::i::j",
        "self::k::L",
    ];
    assert_eq!(read, wanted);
}
