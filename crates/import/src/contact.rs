//! Contact properties of shapes become surfaces and groups of the scene.
//!
//! ```text
//!  friction, condim        one surface per distinct set; a pair uses the larger of each, as in MuJoCo
//!  contype, conaffinity    one group per distinct pair; it collides with the groups that MuJoCo allows,
//!   and <exclude>          (contype₁ ∧ conaffinity₂) ∨ (contype₂ ∧ conaffinity₁) and not excluded
//! ```
//!
//! The rule of scenes, by which both must collide with each other, thus gives the same pairs. The links of a URDF are
//! in one group that does not collide with itself, the default of URDF simulators.

use crate::chain::Draft;
use crate::error::Place;
use crate::machine::{ContactProperties, Machine};
use crate::notes::{NoteKind, Notes};
use toml_edit::{Array, ArrayOfTables, Table, Value, value};

/// Maximum number of groups of a scene beside its own.
const MOST_GROUPS: usize = 31;
/// Maximum number of surfaces: the scene has an entry for each pair.
const MOST_SURFACES: usize = 24;

/// The collision filter of a shape: contype, conaffinity, and the body if it is excluded from another.
type Class = (u32, u32, Option<String>);

/// Surfaces and groups of a machine.
#[derive(Debug, Default)]
pub struct Contacts {
    surfaces: Vec<([f64; 3], u8)>,
    classes: Vec<Class>,
    excludes: Vec<[String; 2]>,
    /// The group of links that do not collide with each other.
    apart: bool,
}

impl Contacts {
    /// Collects distinct surfaces and filters.
    pub fn of(machine: &Machine, draft: &Draft, notes: &mut Notes) -> Contacts {
        let mut contacts =
            Contacts { apart: machine.apart, excludes: machine.excludes.clone(), ..Contacts::default() };
        let skins = || {
            draft.bodies.iter().flat_map(|b| &b.solids).filter_map(|s| Some((&s.place, s.touch.as_ref()?)))
        };
        let mut last: Option<&Place> = None;
        for (place, skin) in skins() {
            last = Some(place);
            let rub = skin.rub;
            if !machine.apart && !contacts.surfaces.contains(&rub) && contacts.surfaces.len() < MOST_SURFACES
            {
                contacts.surfaces.push(rub);
            }
            let class = class_of(skin);
            if !contacts.classes.contains(&class) {
                contacts.classes.push(class);
            }
        }
        let Some(place) = last else { return contacts };
        if contacts.surfaces.len() == MOST_SURFACES {
            let what = format!("more than {MOST_SURFACES} kinds of friction: the rest use the first");
            notes.add(NoteKind::Approximated, place, what);
        }
        if contacts.classes.len() > MOST_GROUPS {
            let what = format!(
                "{} kinds of `contype`, `conaffinity` and <exclude>, more than {MOST_GROUPS} groups: all shapes collide",
                contacts.classes.len()
            );
            notes.add(NoteKind::Approximated, place, what);
            contacts.classes.clear();
        }
        if machine.apart {
            let what = "links do not collide with each other: remove `ignores` where they should";
            notes.add(NoteKind::Info, place, what);
        }
        contacts
    }

    /// The keys of a collision shape.
    pub fn keys(&self, skin: &ContactProperties) -> Vec<(&'static str, Value)> {
        let mut keys = Vec::new();
        if self.apart {
            let group = || Value::from(Array::from_iter(["robot"]));
            return vec![("groups", group()), ("ignores", group())];
        }
        let surface = self.surfaces.iter().position(|rub| *rub == skin.rub).unwrap_or(0);
        keys.push(("surface", surface_name(surface).into()));
        let number = self.classes.iter().position(|class| *class == class_of(skin));
        // a single class that collides with itself needs no groups
        if let Some(number) = number
            && !(self.classes.len() == 1 && self.meets(number, number))
        {
            let met = (0..self.classes.len()).filter(|other| self.meets(number, *other)).map(group_name);
            keys.push(("groups", Array::from_iter([group_name(number)]).into()));
            keys.push(("collides_with", met.collect::<Array>().into()));
        }
        keys
    }

    fn meets(&self, a: usize, b: usize) -> bool {
        let (a, b) = (&self.classes[a], &self.classes[b]);
        let excluded = self.excludes.iter().any(|[x, y]| {
            let is = |class: &Class, name: &String| class.2.as_ref() == Some(name);
            (is(a, x) && is(b, y)) || (is(a, y) && is(b, x))
        });
        (a.0 & b.1 != 0 || b.0 & a.1 != 0) && !excluded
    }

    /// The contact parameters of each pair of surfaces.
    pub fn tables(&self) -> ArrayOfTables {
        let mut tables = ArrayOfTables::new();
        for (i, (a, dim_a)) in self.surfaces.iter().enumerate() {
            for (j, (b, dim_b)) in self.surfaces.iter().enumerate().skip(i) {
                let greater = |k: usize| a[k].max(b[k]);
                let dim = *dim_a.max(dim_b);
                let mut table = Table::new();
                let names: Array = [surface_name(i), surface_name(j)].into_iter().collect();
                table.insert("between", value(names));
                table.insert("friction", value(if dim == 1 { 0.0 } else { greater(0) }));
                for (key, least, k) in
                    [("torsional_resistance_length", 4, 1), ("rolling_resistance_length", 6, 2)]
                {
                    if dim >= least && greater(k) > 0.0 {
                        table.insert(key, value(greater(k)));
                    }
                }
                tables.push(table);
            }
        }
        tables
    }

    /// Whether no shape collides.
    pub fn is_empty(&self) -> bool {
        self.surfaces.is_empty() && self.classes.is_empty()
    }
}

fn class_of(skin: &ContactProperties) -> Class {
    (skin.contype, skin.conaffinity, skin.body.clone())
}

fn surface_name(number: usize) -> String {
    if number == 0 { "skin".to_string() } else { format!("skin{}", number + 1) }
}

fn group_name(number: usize) -> String {
    format!("contact{}", number + 1)
}
