//! The code is as layered as its picture: a stage imports the world and earlier stages, never a later one, and the
//! documents name only paths that exist.

use std::fs;
use std::path::{Path, PathBuf};

/// The stages in the order of the step.
const STAGES: [&str; 6] = ["force", "collide", "constrain", "partition", "solve", "integrate"];

fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, out);
        } else {
            out.push(path);
        }
    }
}

#[test]
fn no_stage_imports_a_later_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (number, stage) in STAGES.iter().enumerate() {
        let mut files = Vec::new();
        sources(&root.join(stage), &mut files);
        assert!(!files.is_empty());
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            for later in &STAGES[number + 1..] {
                let import = format!("crate::{later}");
                assert!(!text.contains(&import), "{} imports {import}", file.display());
            }
            // strands are stepped by themselves, after the stages
            assert!(!text.contains("crate::strand"), "{} imports strands", file.display());
            assert!(!text.contains("crate::step"), "{} knows the order of the stages", file.display());
        }
    }
}

/// Backquoted paths in the documents exist.
#[test]
fn documents_name_paths_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for document in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let text = fs::read_to_string(root.join(document)).unwrap();
        let mut seen = 0;
        for word in text.split('`').skip(1).step_by(2) {
            let is_path = word.contains('/') && !word.contains(' ') && !word.contains("://");
            if is_path && !word.contains(['<', '*', '{']) {
                assert!(root.join(word).exists(), "{document} names {word}");
                seen += 1;
            }
        }
        assert!(seen > 0 || document == "CONTRIBUTING.md", "{document} names no path at all");
    }
}
