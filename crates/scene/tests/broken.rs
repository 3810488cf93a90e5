//! A folder of broken scenes, each with the text of its errors beside it: what a user reads is reviewed like code.
//!
//! `tests/broken/NAME.toml` must tell exactly what `NAME.txt` says. Lines `#set KEY = VALUE` at the head of a scene are
//! overrides. After a change that is meant, rewrite the texts and read the difference:
//!
//! ```text
//! WINDLASS_REWRITE=1 cargo nextest run -p windlass-scene broken
//! git diff crates/scene/tests/broken
//! ```

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use windlass_scene::files::Folder;
use windlass_scene::{Override, parse_with};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/broken")
}

/// What a broken scene tells.
fn told(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("a scene");
    let name = path.file_name().expect("a name").to_string_lossy();
    let lines = text.lines().map_while(|line| line.strip_prefix("#set "));
    let overrides: Vec<Override> = lines.map(|line| line.parse().expect("a key and a value")).collect();
    let result =
        parse_with(&text, &name, Arc::new(Folder::of(path)), &overrides).and_then(|s| s.build().map(drop));
    match result {
        Ok(()) => "nothing is wrong with it\n".to_string(),
        Err(errors) => errors.to_string() + "\n",
    }
}

#[test]
fn broken_scenes_tell_what_their_texts_say() {
    let rewrite = std::env::var_os("WINDLASS_REWRITE").is_some();
    let mut paths: Vec<_> =
        fs::read_dir(folder()).expect("the scenes").map(|e| e.expect("one").path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "toml"));
    paths.sort();
    assert!(paths.len() >= 95, "{} scenes", paths.len());
    let mut different = String::new();
    for path in paths {
        let (text, wanted) = (told(&path), path.with_extension("txt"));
        if rewrite {
            fs::write(&wanted, &text).expect("a text");
        }
        let wanted = fs::read_to_string(&wanted).unwrap_or_default();
        if text != wanted {
            let name = path.file_name().expect("a name").to_string_lossy();
            different += &format!("{name}\n- {}\n+ {}\n", wanted.trim_end().replace('\n', "\n- "), {
                text.trim_end().replace('\n', "\n+ ")
            });
        }
        assert!(!text.starts_with("nothing is wrong"), "{} is not broken", path.display());
        // an error with its remedy has at most four lines of 110 columns, besides the excerpt of the scene
        let longest = text.lines().map(|line| line.chars().count()).max().unwrap_or_default();
        assert!(longest <= 440, "{}: an error of {longest} characters", path.display());
    }
    assert!(different.is_empty(), "\n{different}");
}
