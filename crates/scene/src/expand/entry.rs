//! Entries of sections, and the groups they belong to: the scene itself, or an instance of a prefab.

use glam::{DQuat, DVec3};
use std::ops::Range;
use std::sync::Arc;

/// The entry of an instance that has the name of the instance itself.
pub(crate) const SELF: &str = "self";

/// A named entry of a section.
#[derive(Clone, Debug)]
pub struct Entry<T> {
    /// Its name, with those of the instances it is in: `left.boom`.
    pub name: String,
    /// Position of the name in the text.
    pub span: Range<usize>,
    /// Its content.
    pub value: T,
    /// The group whose frame and names apply to it.
    pub group: Arc<Group>,
}

impl<T> Entry<T> {
    /// An entry that is not in a text.
    pub fn new(name: impl Into<String>, value: T) -> Entry<T> {
        Entry { name: name.into(), span: 0..0, value, group: Arc::default() }
    }
}

impl<T: PartialEq> PartialEq for Entry<T> {
    /// Equality of name, value and group, regardless of the position in the text.
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.value == other.value && self.group == other.group
    }
}

/// The scene itself, or an instance of a prefab. Its entries are given in its frame and resolve its names first.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Name of the instance, with those of the instances around it; empty for the scene.
    pub name: String,
    /// Its origin in the world [m].
    pub at: DVec3,
    /// Its orientation in the world.
    pub orientation: DQuat,
}

impl Default for Group {
    /// The scene.
    fn default() -> Group {
        Group { name: String::new(), at: DVec3::ZERO, orientation: DQuat::IDENTITY }
    }
}

impl Group {
    /// The full name of something in it. In an instance, the name "self" is that of the instance.
    pub fn full(&self, name: &str) -> String {
        match name {
            _ if self.name.is_empty() => name.to_string(),
            SELF => self.name.clone(),
            _ => format!("{}.{name}", self.name),
        }
    }

    /// Resolves a name in it, then in the groups around it, then in the scene.
    pub(crate) fn outward<T>(&self, name: &str, look: impl Fn(&str) -> Option<T>) -> Option<T> {
        let mut group = self.name.as_str();
        while !group.is_empty() {
            let full = if name == SELF { group.to_string() } else { format!("{group}.{name}") };
            if let Some(found) = look(&full) {
                return Some(found);
            }
            group = group.rsplit_once('.').map_or("", |(around, _)| around);
        }
        look(name)
    }
}
