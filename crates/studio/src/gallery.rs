//! The scenes that can be opened: those that are part of the program, and those of the folder it was started in.
//!
//! A scene is asked for by an id that is looked up in the list; no path ever comes from a page. Files of the folder are `*.toml` in
//! it, in `scenes` and one folder below that, as far as they begin as scenes do and lie inside of it, links followed.
//!
//! A scene is saved to the file it came from, unless somebody else has changed that, or under a new name in the folder; never over
//! another file. The file is there whole or not at all.

use crate::message::Offer;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use windlass_host::Machine;
use windlass_scene::files::Folder;
use windlass_scene::save::{Older, save};
use windlass_scene::{Errors, Scene, parse, parse_with};

/// Files of a folder that are looked at.
const MOST: usize = 500;
/// A scene says `windlass = 2` before this byte, or is not offered.
const HEAD: u64 = 64 << 10;

/// Letters of what a scene says of itself.
const LONGEST_ABOUT: usize = 240;
/// Letters of the name of a file.
const LONGEST_NAME: usize = 60;
/// What a new scene is.
const EMPTY: &str = "\
# A new scene.
windlass = 2

[bodies.ground]
type = \"static\"
shape = { plane = {} }
";

/// A scene inside the program.
struct Kept {
    id: &'static str,
    title: &'static str,
    text: &'static str,
}

macro_rules! kept {
    ($($id:literal $title:literal)*) => {
        [$(Kept { id: $id, title: $title, text: include_str!(concat!("../../../scenes/", $id, ".toml")) }),*]
    };
}

/// The scenes of the program. The first is what the studio starts with.
const INCLUDED: [Kept; 19] = kept! {
    "crane/operated" "Luffing crane"
    "crane/gantry" "Gantry crane"
    "crane/mobile_crane" "Mobile crane with four falls"
    "crane/tower_crane" "Tower crane"
    "crane/elevator" "Lift with a counterweight"
    "crane/cable_robot" "Robot on eight ropes"
    "crane/sheet_winch" "Sheet winch on a yacht"
    "crane/two_cranes" "Two cranes from one prefab"
    "cable/hoist" "Five tonnes on a wire rope"
    "cable/slack" "A rope goes slack"
    "cable/twisted" "A hose throws itself into loops"
    "cable/riser" "Risers under a vessel"
    "mechanism/slider_crank" "Spatial slider-crank"
    "mechanism/gear_train" "Gears and a differential"
    "mechanism/servo_arm" "Robot arm with servos"
    "mechanism/double_pendulum" "Double pendulum"
    "contact/dominoes" "Dominoes"
    "aero/vehicle" "Three-wheeled vehicle on stairs"
    "assembly/harness_install" "A harness through a bracket"
};

/// A scene that can be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// How it is offered.
    pub offer: Offer,
    /// Where it is, if it is a file.
    pub file: Option<PathBuf>,
    /// Its text, if it is inside the program.
    text: Option<&'static str>,
}

impl Item {
    /// A file, wherever it is: one that the person at the terminal named.
    pub fn named(path: &Path) -> Item {
        let id = path.display().to_string();
        let head = head(path).unwrap_or_default();
        Item { offer: offer(id, title(path), &head), file: Some(path.to_path_buf()), text: None }
    }

    /// An empty scene, which is no file yet.
    pub fn empty() -> Item {
        Item {
            offer: offer("untitled".to_string(), "Untitled".to_string(), EMPTY),
            file: None,
            text: Some(EMPTY),
        }
    }

    /// Reads it.
    pub fn read(&self) -> Result<Scene, Errors> {
        match (&self.file, self.text) {
            (Some(path), _) => windlass_scene::read(path),
            (None, text) => parse(text.unwrap_or_default(), &self.file_name()),
        }
    }

    /// Opens it, to be dragged and edited.
    pub fn open(&self) -> Result<Machine, Errors> {
        Machine::interactive(self.read()?)
    }

    /// Reads another text of it.
    pub fn parse(&self, text: &str) -> Result<Scene, Errors> {
        let name = self.file_name();
        match &self.file {
            Some(path) => parse_with(text, &name, Arc::new(Folder::of(path)), &[]),
            None => parse(text, &name),
        }
    }

    /// The name of its file in errors.
    pub fn file_name(&self) -> String {
        match &self.file {
            Some(path) => path.display().to_string(),
            None => format!("{}.toml", self.offer.id),
        }
    }
}

/// The scenes that are offered.
#[derive(Clone, Debug, Default)]
pub struct Gallery {
    /// The folder whose scenes are offered, if any.
    pub folder: Option<PathBuf>,
    /// A file that was named at the start.
    pub named: Option<Item>,
}

impl Gallery {
    /// What the studio starts with.
    pub fn first(&self) -> Item {
        self.named.clone().unwrap_or_else(|| inside(&INCLUDED[0]))
    }

    /// All that is offered now.
    pub fn list(&self) -> Vec<Item> {
        let mut list: Vec<Item> = self.named.iter().cloned().collect();
        list.extend(INCLUDED.iter().map(inside));
        if let Some(folder) = self.folder.as_ref().and_then(|f| f.canonicalize().ok()) {
            let known = self.named.as_ref().and_then(|n| n.file.as_ref()?.canonicalize().ok());
            let files = files(&folder).into_iter().filter(|f| f.canonicalize().ok() != known);
            list.extend(files.filter_map(|file| in_folder(&folder, &file)));
        }
        list
    }

    /// Writes a text to the file that a scene came from, if that still says what it said.
    pub fn save(&self, item: &Item, was: &str, text: &str) -> Result<Item, String> {
        let Some(file) = &item.file else {
            return Err("this scene is no file yet: give it a name".to_string());
        };
        if fs::read_to_string(file).is_ok_and(|now| now != was && now != text) {
            let name = item.file_name();
            return Err(format!("{name} was changed by somebody else: save under another name"));
        }
        save(file, text.as_bytes(), Older::Replaced)
            .map_err(|e| format!("cannot write {}: {e}", item.file_name()))?;
        Ok(Item { offer: offer(item.offer.id.clone(), item.offer.title.clone(), text), ..item.clone() })
    }

    /// Writes a text to a new file of the folder.
    pub fn save_new(&self, name: &str, text: &str) -> Result<Item, String> {
        let folder = self.folder.as_ref().and_then(|folder| folder.canonicalize().ok());
        let folder = folder.ok_or("the studio was started without a folder to save to")?;
        let file = folder.join(file_name(name)?);
        if file.symlink_metadata().is_ok() {
            let file = file.file_name().unwrap_or_default().display();
            return Err(format!("there is a {file} already: choose another name"));
        }
        save(&file, text.as_bytes(), Older::Kept)
            .map_err(|e| format!("cannot write {}: {e}", file.display()))?;
        in_folder(&folder, &file).ok_or_else(|| "it was written, but is no scene".to_string())
    }

    /// The one of an id.
    pub fn find(&self, id: &str) -> Option<Item> {
        self.list().into_iter().find(|item| item.offer.id == id)
    }
}

fn inside(kept: &Kept) -> Item {
    let offer = offer(kept.id.to_string(), kept.title.to_string(), kept.text);
    Item { offer, file: None, text: Some(kept.text) }
}

/// "Five balls" → five_balls.toml. No letter of it can lead out of the folder.
fn file_name(name: &str) -> Result<String, String> {
    let name = name.trim().trim_end_matches(".toml");
    let letter = |c: char| if c.is_whitespace() { '_' } else { c.to_ascii_lowercase() };
    let plain: String = name.chars().map(letter).collect();
    let fits = plain.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if plain.is_empty() || plain.len() > LONGEST_NAME || !fits || plain.starts_with('-') {
        return Err(format!("a name has 1 to {LONGEST_NAME} letters a to z, digits, blanks, - and _"));
    }
    Ok(format!("{plain}.toml"))
}

/// The files that may be scenes, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let scenes = folder.join("scenes");
    let below = entries(&scenes).into_iter().filter(|path| path.is_dir());
    let folders = [folder.to_path_buf(), scenes.clone()].into_iter().chain(below);
    let all = folders.flat_map(|folder| entries(&folder));
    all.filter(|path| path.extension().is_some_and(|e| e == "toml") && path.is_file()).take(MOST).collect()
}

/// What is in a folder, in order; nothing if it cannot be read.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let read = fs::read_dir(folder).into_iter().flatten();
    let mut list: Vec<_> = read.filter_map(|entry| Some(entry.ok()?.path())).take(10 * MOST).collect();
    list.sort();
    list
}

/// A file of the folder, if it is a scene and lies inside.
fn in_folder(folder: &Path, file: &Path) -> Option<Item> {
    let id = file.strip_prefix(folder).ok()?.to_str()?.replace('\\', "/");
    if !file.canonicalize().ok()?.starts_with(folder) {
        return None;
    }
    let head = head(file)?;
    let is_scene =
        head.lines().any(|line| line.split('=').next().is_some_and(|key| key.trim() == "windlass"));
    let item = || Item { offer: offer(id, title(file), &head), file: Some(file.to_path_buf()), text: None };
    is_scene.then(item)
}

/// How a file begins.
fn head(path: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    // asked before opening: opening a pipe would wait for its other end
    fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    File::open(path).ok()?.take(HEAD).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// "luffing_crane.toml" → "Luffing crane".
fn title(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().replace(['_', '-'], " ");
    let mut letters = stem.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// What a scene says of itself is the first sentence of its first comment.
fn offer(id: String, title: String, text: &str) -> Offer {
    let comment = text.lines().map_while(|line| line.strip_prefix('#')).map(str::trim);
    let words: Vec<&str> = comment.take_while(|line| !line.is_empty()).collect();
    let words = words.join(" ");
    let sentence = words.split_inclusive(". ").next().unwrap_or_default();
    let about = sentence.trim().chars().take(LONGEST_ABOUT).collect();
    Offer { id, title, about }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gallery_can_be_opened() {
        for kept in &INCLUDED {
            let item = inside(kept);
            let built = item.read().and_then(|scene| scene.build());
            assert!(built.is_ok(), "{}: {:?}", kept.id, built.err());
            assert!(item.offer.about.ends_with('.'), "{}: a sentence, but {}", kept.id, item.offer.about);
        }
    }

    #[test]
    fn an_empty_scene_is_a_scene() {
        let built = Item::empty().read().and_then(|scene| scene.build());
        assert_eq!(built.map(|built| built.bodies.len()).map_err(|e| e.to_string()), Ok(1));
    }

    #[test]
    fn scenes_are_saved_once_and_nowhere_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let gallery = Gallery { folder: Some(folder.path().to_path_buf()), named: None };
        let item = gallery.save_new("Five balls", EMPTY).expect("it is new");
        assert_eq!(item.offer.id, "five_balls.toml");
        assert!(gallery.save_new("five_balls.toml", EMPTY).is_err_and(|why| why.contains("already")));
        for name in ["", "../x", "a/b", "a\\b", "/etc/x", "-x", ".x", "ä", &"x".repeat(61)] {
            assert!(gallery.save_new(name, EMPTY).is_err_and(|why| why.contains("letters")), "{name}");
        }
        let longer = format!("{EMPTY}# more\n");
        gallery.save(&item, EMPTY, &longer).expect("it is as it was");
        assert_eq!(fs::read_to_string(folder.path().join("five_balls.toml")).ok().as_deref(), Some(&*longer));
        let foreign = gallery.save(&item, EMPTY, EMPTY);
        assert!(foreign.is_err_and(|why| why.contains("somebody else")), "it says something else by now");
        assert!(gallery.save(&Item::empty(), EMPTY, EMPTY).is_err_and(|why| why.contains("a name")));
        assert_eq!(
            fs::read_dir(folder.path()).map(Iterator::count).ok(),
            Some(1),
            "nothing is left beside it"
        );
    }

    #[test]
    fn ids_are_looked_up_and_lead_nowhere_else() {
        let gallery =
            Gallery { folder: Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")), named: None };
        let here = gallery.find("scenes/cable/hoist.toml").expect("it is in the folder");
        assert_eq!(here.offer.title, "Hoist");
        for id in ["Cargo.toml", "../x.toml", "/etc/passwd", "scenes/../Cargo.toml", "", "scenes"] {
            assert_eq!(gallery.find(id), None, "{id}");
        }
    }
}
