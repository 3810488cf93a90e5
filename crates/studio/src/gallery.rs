//! The scenes that can be opened: those embedded in the program, and those of the folder it was started in.
//!
//! A scene is requested by an id that is looked up in the list; no path ever comes from a page. Files of the folder are
//! `*.toml` in it, in `scenes` and one folder below that, if they begin as scenes do and lie inside the folder, links
//! followed.
//!
//! A scene is saved to the file it came from, unless that has been changed meanwhile, or under a new name in the
//! folder; never over another file. Files are written atomically.

use crate::message::{LONGEST_TEXT, Offer};
use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use windlass_host::Machine;
use windlass_scene::files::Folder;
use windlass_scene::save::{Older, save};
use windlass_scene::{Errors, Scene, parse, parse_with};

/// Largest number of files examined in a folder.
const MOST: usize = 500;
/// A scene must contain `windlass = 2` before this byte to be listed.
const HEAD: u64 = 64 << 10;

/// Largest number of characters of the description of a scene.
const LONGEST_ABOUT: usize = 240;
/// Largest number of characters of a file name.
const LONGEST_NAME: usize = 60;
/// The text of a new scene.
const EMPTY: &str = "\
# A new scene.
windlass = 2

[bodies.ground]
type = \"static\"
shape = { plane = {} }
";

/// An embedded scene.
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

/// The embedded scenes. The studio starts with the first.
const INCLUDED: [Kept; 20] = kept! {
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
    "vehicle/sedan" "Sedan"
    "aero/vehicle" "Three-wheeled vehicle on stairs"
    "assembly/harness_install" "A harness through a bracket"
};

/// A scene that can be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its entry in the list.
    pub offer: Offer,
    /// Its path, if it is a file.
    pub file: Option<PathBuf>,
    /// Its text, if it is embedded.
    text: Option<&'static str>,
}

impl Item {
    /// A file at any path, given on the command line.
    pub fn named(path: &Path) -> Item {
        let id = path.display().to_string();
        let head = head(path).unwrap_or_default();
        Item { offer: offer(id, title(path), &head), file: Some(path.to_path_buf()), text: None }
    }

    /// An empty scene without a file.
    pub fn empty() -> Item {
        Item {
            offer: offer("untitled".to_string(), "Untitled".to_string(), EMPTY),
            file: None,
            text: Some(EMPTY),
        }
    }

    /// A text without a file, with the name of the file it came from.
    pub fn unnamed(name: &str, text: &str) -> Item {
        let title = title(Path::new(name)).chars().take(LONGEST_NAME).collect();
        Item { offer: offer("untitled".to_string(), title, text), file: None, text: None }
    }

    /// A file that was opened before.
    pub fn at(id: &str, title: &str, file: &Path, text: &str) -> Item {
        let offer = offer(id.to_string(), title.to_string(), text);
        Item { offer, file: Some(file.to_path_buf()), text: None }
    }

    /// Its text as it is, valid or not, as far as a message carries; empty if it cannot be read.
    pub fn content(&self) -> String {
        match &self.file {
            Some(path) => beginning(path, LONGEST_TEXT as u64).unwrap_or_default(),
            None => self.text.unwrap_or_default().to_string(),
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

/// The list of scenes.
#[derive(Clone, Debug, Default)]
pub struct Gallery {
    /// The folder whose scenes are listed, if any.
    pub folder: Option<PathBuf>,
    /// A file given on the command line.
    pub named: Option<Item>,
}

impl Gallery {
    /// The scene at the start.
    pub fn first(&self) -> Item {
        self.named.clone().unwrap_or_else(|| inside(&INCLUDED[0]))
    }

    /// The present list.
    pub fn list(&self) -> Vec<Item> {
        let mut list: Vec<Item> = self.named.iter().cloned().collect();
        list.extend(INCLUDED.iter().map(inside));
        if let Some(folder) = self.folder.as_ref().and_then(|f| f.canonicalize().ok()) {
            let named = self.named_file();
            let files = files(&folder).into_iter().filter(|f| f.canonicalize().ok() != named);
            list.extend(files.filter_map(|file| in_folder(&folder, &file)));
        }
        list
    }

    /// The file given on the command line. It is listed once, however it is named.
    fn named_file(&self) -> Option<PathBuf> {
        self.named.as_ref()?.file.as_ref()?.canonicalize().ok()
    }

    /// Writes a text to the file of a scene, if that file is unchanged.
    pub fn save(&self, item: &Item, was: &str, text: &str) -> Result<Item, String> {
        let Some(file) = &item.file else {
            return Err("this scene has no file yet: give it a name".to_string());
        };
        let name = item.file_name();
        match fs::read(file) {
            Ok(now) if now != was.as_bytes() && now != text.as_bytes() => {
                return Err(format!("{name} was changed by another program: save under another name"));
            }
            Err(e) if e.kind() != ErrorKind::NotFound => {
                return Err(format!("cannot read {name}: {e}: save under another name"));
            }
            _ => {}
        }
        save(file, text.as_bytes(), Older::Replaced).map_err(|e| format!("cannot write {name}: {e}"))?;
        Ok(Item { offer: offer(item.offer.id.clone(), item.offer.title.clone(), text), ..item.clone() })
    }

    /// Writes a text to a new file of the folder.
    pub fn save_new(&self, name: &str, text: &str) -> Result<Item, String> {
        let folder = self.folder.as_ref().and_then(|folder| folder.canonicalize().ok());
        let folder = folder.ok_or("the studio was started without a folder to save to")?;
        let file = folder.join(file_name(name)?);
        if file.symlink_metadata().is_ok() {
            let file = file.file_name().unwrap_or_default().display();
            return Err(format!("{file} already exists: choose another name"));
        }
        save(&file, text.as_bytes(), Older::Kept)
            .map_err(|e| format!("cannot write {}: {e}", file.display()))?;
        in_folder(&folder, &file).ok_or_else(|| "the file was written, but is not a scene".to_string())
    }

    /// The scene of an id. No other file is read.
    pub fn find(&self, id: &str) -> Option<Item> {
        if let Some(named) = self.named.as_ref().filter(|named| named.offer.id == id) {
            return Some(named.clone());
        }
        if let Some(kept) = INCLUDED.iter().find(|kept| kept.id == id) {
            return Some(inside(kept));
        }
        let folder = self.folder.as_ref()?.canonicalize().ok()?;
        let file = files(&folder).into_iter().find(|file| id_of(&folder, file).as_deref() == Some(id))?;
        in_folder(&folder, &file).filter(|_| file.canonicalize().ok() != self.named_file())
    }
}

fn inside(kept: &Kept) -> Item {
    let offer = offer(kept.id.to_string(), kept.title.to_string(), kept.text);
    Item { offer, file: None, text: Some(kept.text) }
}

/// "Five balls" → five_balls.toml. No character of it can lead out of the folder.
fn file_name(name: &str) -> Result<String, String> {
    let name = name.trim().trim_end_matches(".toml");
    let letter = |c: char| if c.is_whitespace() { '_' } else { c.to_ascii_lowercase() };
    let plain: String = name.chars().map(letter).collect();
    let fits = plain.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if plain.is_empty() || plain.len() > LONGEST_NAME || !fits || plain.starts_with('-') {
        return Err(format!("a name must have 1 to {LONGEST_NAME} letters a to z, digits, spaces, - or _"));
    }
    Ok(format!("{plain}.toml"))
}

/// The candidate files, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let scenes = folder.join("scenes");
    let below = entries(&scenes).into_iter().filter(|path| path.is_dir());
    let folders = [folder.to_path_buf(), scenes.clone()].into_iter().chain(below);
    let all = folders.flat_map(|folder| entries(&folder));
    all.filter(|path| path.extension().is_some_and(|e| e == "toml") && path.is_file()).take(MOST).collect()
}

/// The entries of a folder, in order; none if it cannot be read.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let read = fs::read_dir(folder).into_iter().flatten();
    let mut list: Vec<_> = read.filter_map(|entry| Some(entry.ok()?.path())).take(10 * MOST).collect();
    list.sort();
    list
}

/// The id of a file of the folder.
fn id_of(folder: &Path, file: &Path) -> Option<String> {
    Some(file.strip_prefix(folder).ok()?.to_str()?.replace('\\', "/"))
}

/// A file of the folder, if it is a scene and lies inside.
fn in_folder(folder: &Path, file: &Path) -> Option<Item> {
    let id = id_of(folder, file)?;
    if !file.canonicalize().ok()?.starts_with(folder) {
        return None;
    }
    let head = head(file)?;
    let is_scene =
        head.lines().any(|line| line.split('=').next().is_some_and(|key| key.trim() == "windlass"));
    let item = || Item { offer: offer(id, title(file), &head), file: Some(file.to_path_buf()), text: None };
    is_scene.then(item)
}

/// The beginning of a file, in which the key of the format is found.
fn head(path: &Path) -> Option<String> {
    beginning(path, HEAD)
}

/// The beginning of a file.
fn beginning(path: &Path, most: u64) -> Option<String> {
    let mut bytes = Vec::new();
    // checked before opening: opening a pipe would block
    fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    File::open(path).ok()?.take(most).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// "luffing_crane.toml" → "Luffing crane".
fn title(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().replace(['_', '-'], " ");
    let mut letters = stem.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The description of a scene: the first sentence of its first comment.
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
        assert!(foreign.is_err_and(|why| why.contains("another program")), "it says something else by now");
        let latin = b"# M\xfcll\nwindlass = 2\n";
        fs::write(folder.path().join("five_balls.toml"), latin).expect("it is a file");
        assert!(gallery.save(&item, &longer, EMPTY).is_err_and(|why| why.contains("another program")));
        assert_eq!(fs::read(folder.path().join("five_balls.toml")).ok().as_deref(), Some(&latin[..]));
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
