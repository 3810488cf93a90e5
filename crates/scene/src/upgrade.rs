//! Scene files of version 1 → version 2: keys and values that were renamed, comments and layout kept.
//!
//! `RENAMED` is the one list of old and new names. A rule holds in tables whose path ends as it says, so that it also holds in
//! prefabs. Files of version 2 come back as they are.

use std::fmt;
use toml_edit::{DocumentMut, Item, Key, TableLike, TomlError, Value};

/// Keys of tables that were renamed.
struct Renamed {
    /// How paths of the tables end, with old names and without numbers of list entries; `*` is any name.
    within: &'static [&'static str],
    /// Old and new keys.
    keys: &'static [(&'static str, &'static str)],
}

/// Coordinates of joints.
const AXIS: &[(&str, &str)] = &[("hold", "lock"), ("follow", "prescribed"), ("viscosity", "damping")];

/// Rotations of parts, frames and instances.
const ROTATION: &[(&str, &str)] = &[("attitude", "orientation"), ("turn", "rotation")];

/// Collision shapes.
const SHAPE: &[(&str, &str)] = &[
    ("attitude", "orientation"),
    ("turn", "rotation"),
    ("belt", "surface_velocity"),
    ("touches", "collides_with"),
];

/// What was renamed since version 1.
const RENAMED: &[Renamed] = &[
    Renamed {
        within: &["settings"],
        keys: &[
            ("stepper", "integrator"),
            ("seconds", "duration"),
            ("shortest", "min_step"),
            ("longest", "max_step"),
            ("rounds", "position_iterations"),
        ],
    },
    Renamed {
        within: &["settings/contact"],
        keys: &[
            ("recovery", "max_depenetration_speed"),
            ("sweeps", "solver_iterations"),
            ("serial", "sequential_impacts"),
            ("aero", "penalty"),
        ],
    },
    Renamed { within: &["materials/*"], keys: &[("young", "youngs_modulus"), ("poisson", "poisson_ratio")] },
    Renamed {
        within: &["contacts"],
        keys: &[
            ("across", "friction_ratio_across"),
            ("slip", "slip_compliance"),
            ("rolling", "rolling_resistance_length"),
            ("spinning", "torsional_resistance_length"),
        ],
    },
    Renamed { within: &["bodies/*", "bodies/*/parts", "bodies/*/looks", "bodies/*/touch"], keys: SHAPE },
    Renamed {
        within: &["bodies/*"],
        keys: &[
            ("kind", "type"),
            ("spin", "angular_velocity"),
            ("center", "center_of_mass"),
            ("looks", "visuals"),
            ("touch", "collision"),
        ],
    },
    Renamed { within: &["joints/*/*/frames", "instances/*"], keys: ROTATION },
    Renamed { within: &["instances/*"], keys: &[("with", "parameters")] },
    Renamed {
        within: &["joints/*"],
        keys: &[
            ("cylinder", "cylindrical"),
            ("couple", "linear_coupling"),
            ("six", "six_dof"),
            ("grab", "drag_spring"),
            ("softness", "compliance"),
        ],
    },
    Renamed { within: &["joints/*/*", "joints/*/*/*"], keys: AXIS },
    Renamed {
        within: &["joints/*/*/motor", "joints/*/*/*/motor", "winches/*/motor"],
        keys: &[("loss", "droop")],
    },
    Renamed { within: &["joints/*/cylinder", "joints/*/planar"], keys: &[("turn", "rotation")] },
    Renamed { within: &["joints/*/distance"], keys: &[("rope", "max_length")] },
    Renamed {
        within: &["joints/*/grab"],
        keys: &[
            ("attitude", "orientation"),
            ("turn_stiffness", "rotational_stiffness"),
            ("turn_damping", "rotational_damping"),
        ],
    },
    Renamed {
        within: &["sections/*", "cables/*/section"],
        keys: &[
            ("rope", "construction"),
            ("young", "youngs_modulus"),
            ("poisson", "poisson_ratio"),
            ("shear", "shear_modulus"),
            ("stretch_stiffness", "axial_stiffness"),
            ("bend_stiffness", "bending_stiffness"),
            ("twist_stiffness", "torsional_stiffness"),
            ("least_bend_radius", "min_bend_radius"),
        ],
    },
    Renamed {
        within: &["sections/*/stiffening", "cables/*/section/stiffening"],
        keys: &[("most", "max_factor")],
    },
    Renamed {
        within: &["cables/*"],
        keys: &[
            ("touch", "collide"),
            ("turning", "rotation_measure"),
            ("shaped", "stress_free"),
            ("paid", "paid_out"),
        ],
    },
    Renamed {
        within: &["cables/*/start", "cables/*/end"],
        keys: &[("along", "direction"), ("hold", "attachment")],
    },
    Renamed {
        within: &["cables/*/adaptive"],
        keys: &[("fewest", "min_elements"), ("most", "max_elements"), ("ahead", "look_ahead")],
    },
    Renamed { within: &["cables/*/turning/angles"], keys: &[("guard", "epsilon")] },
    Renamed {
        within: &["cables/*/route"],
        keys: &[
            ("along", "axial_offset"),
            ("wound", "wound_length"),
            ("if", "enabled"),
            ("side", "wrap_direction"),
        ],
    },
    Renamed { within: &["winches/*"], keys: &[("follow", "prescribed"), ("wound", "wound_length")] },
    Renamed { within: &["winches/*/layers"], keys: &[("rope", "rope_diameter")] },
    Renamed {
        within: &[
            "bodies/*/looks/model/hook_block",
            "bodies/*/looks/model/sheaves",
            "bodies/*/looks/model/drum",
            "bodies/*/looks/model/pulley",
        ],
        keys: &[("rope", "rope_diameter")],
    },
    Renamed { within: &["script"], keys: &[("over", "duration")] },
    Renamed { within: &["inputs/*"], keys: &[("returns", "self_centering")] },
    Renamed { within: &["inputs/*/drives"], keys: &[("what", "quantity")] },
];

/// Keys that were renamed within version 2, before its first release. Errors name the new key; files are not rewritten.
const SINCE: &[(&str, &str)] = &[
    ("borne", "preconsolidation_stress"),
    ("by_hand", "edits"),
    ("by_hand", "edited_mass"),
    ("hold", "hold_time"),
    ("lag", "time_constant"),
    ("least", "min_void_ratio"),
];

/// Values that were renamed: table, old key, old and new value.
const VALUES: &[(&str, &str, &str, &str)] = &[
    ("bodies/*", "kind", "free", "dynamic"),
    ("bodies/*", "kind", "fixed", "static"),
    ("bodies/*", "kind", "driven", "kinematic"),
    ("cables/*/start", "hold", "fast", "fixed"),
    ("cables/*/end", "hold", "fast", "fixed"),
    ("cables/*/route", "side", "left", "ccw"),
    ("cables/*/route", "side", "right", "cw"),
    ("inputs/*/drives", "what", "place", "position"),
];

/// Words of probes that were renamed: what the probe is of, old and new word. Those of the whole scene stand as a whole.
const PROBES: &[(&str, &str, &str)] = &[
    ("bodies", "center", "center_of_mass"),
    ("bodies", "attitude", "orientation"),
    ("bodies", "angles", "euler_angles"),
    ("bodies", "spin", "angular_velocity"),
    ("bodies", "spin_rate", "angular_acceleration"),
    ("bodies", "energy", "kinetic_energy"),
    ("joints", "gap", "violation"),
    ("cables", "off", "derailed"),
    ("cables", "paid", "paid_out"),
    ("inputs", "wanted", "target"),
    ("contact", "normal", "normal_force"),
    ("contact", "friction", "friction_force"),
    ("contact", "grip", "mode"),
    ("", "contacts.overlap", "contacts.penetration"),
    ("", "contacts.begun", "contacts.started"),
    ("", "solver.factors", "solver.factorizations"),
    ("", "solver.rows", "solver.equations"),
    ("", "solver.stalled", "solver.not_converged"),
    ("", "redundant", "solver.redundant"),
    ("", "step.microseconds", "step.wall_time"),
];

/// The version that is read.
pub const VERSION: i64 = 2;

/// Why a file cannot be upgraded.
#[derive(Debug)]
pub enum UpgradeError {
    /// It is not TOML.
    Syntax(TomlError),
    /// It names no version, or one that is not known.
    Version,
}

impl fmt::Display for UpgradeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UpgradeError::Syntax(error) => write!(f, "not TOML\n{error}"),
            UpgradeError::Version => write!(f, "neither `windlass = 1` nor `windlass = {VERSION}`"),
        }
    }
}

/// A file in the present version, and how many names were changed; none if it is of that version already.
pub fn upgrade(text: &str) -> Result<Option<(String, usize)>, UpgradeError> {
    let mut document: DocumentMut = text.parse().map_err(UpgradeError::Syntax)?;
    match document.get("windlass").and_then(Item::as_integer) {
        Some(1) => {}
        Some(VERSION) => return Ok(None),
        _ => return Err(UpgradeError::Version),
    }
    let mut walk = Walk { path: Vec::new(), changed: 0 };
    walk.table(document.as_table_mut());
    if let Some(version) = document.get_mut("windlass").and_then(Item::as_value_mut) {
        replace(version, Value::from(VERSION));
    }
    Ok(Some((document.to_string(), walk.changed)))
}

/// What a key or a word of an older version is called now, in any table.
pub fn renamed(old: &str) -> impl Iterator<Item = &'static str> {
    let keys = RENAMED.iter().flat_map(|rule| rule.keys).map(|(known, new)| (*known, *new));
    let words = VALUES.iter().map(|(.., known, new)| (*known, *new));
    let probes = PROBES.iter().map(|(_, known, new)| (*known, *new));
    let since = SINCE.iter().copied();
    keys.chain(words).chain(probes).chain(since).filter(move |(known, _)| *known == old).map(|(_, new)| new)
}

/// A probe of version 1 as it is written now; none if it is the same.
fn renamed_probe(old: &str) -> Option<String> {
    let mut parts = probe_parts(old);
    // bodies.NAME.word, contact(…).word
    let (kind, place) = match parts[0].split_once('(') {
        Some((kind, _)) => (kind, 1),
        None => (parts[0], 2),
    };
    let named = |(of, known, _): &&(&str, &str, &str)| *of == kind && parts.get(place) == Some(known);
    if let Some((.., new)) = PROBES.iter().find(named) {
        parts[place] = new;
        return Some(parts.join("."));
    }
    PROBES.iter().find(|(of, known, _)| of.is_empty() && *known == old).map(|(.., new)| (*new).to_string())
}

/// The parts of a probe between dots, but for dots within quotes or parentheses.
fn probe_parts(text: &str) -> Vec<&str> {
    let (mut quote, mut depth) = (None, 0);
    let is_end = move |c: char| {
        match (quote, c) {
            (Some(open), c) if open == c => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') => depth -= 1,
            (None, '.') if depth == 0 => return true,
            _ => {}
        }
        false
    };
    text.split(is_end).collect()
}

/// Puts another value in the place of one, with its spaces and comments.
fn replace(value: &mut Value, mut by: Value) {
    *by.decor_mut() = value.decor().clone();
    *value = by;
}

struct Walk {
    /// Names of the tables around, old ones.
    path: Vec<String>,
    changed: usize,
}

impl Walk {
    /// Renames keys in their order.
    fn table(&mut self, table: &mut dyn TableLike) {
        let keys: Vec<Key> = table.iter().filter_map(|(name, _)| table.key(name).cloned()).collect();
        for key in keys {
            let Some(mut item) = table.remove(key.get()) else { continue };
            self.path.push(key.get().to_string());
            self.item(&mut item);
            self.path.pop();
            table.entry_format(&self.key(&key)).or_insert(item);
        }
    }

    fn item(&mut self, item: &mut Item) {
        match item {
            Item::Table(table) => self.table(table),
            Item::ArrayOfTables(tables) => tables.iter_mut().for_each(|table| self.table(table)),
            Item::Value(value) => self.value(value),
            Item::None => {}
        }
    }

    fn value(&mut self, value: &mut Value) {
        match value {
            Value::InlineTable(table) => self.table(table),
            Value::Array(list) => list.iter_mut().for_each(|value| self.value(value)),
            Value::String(text) => {
                let Some((key, table)) = self.path.split_last() else { return };
                let probe = ends_with(table, "probes").then(|| renamed_probe(text.value())).flatten();
                if let Some(new) = probe {
                    replace(value, Value::from(new));
                    self.changed += 1;
                    return;
                }
                let known = VALUES.iter().find(|(within, of, old, _)| {
                    *of == key && *old == text.value() && ends_with(table, within)
                });
                if let Some((.., new)) = known {
                    replace(value, Value::from(*new));
                    self.changed += 1;
                }
            }
            _ => {}
        }
    }

    /// The new name of a key in the present table, with its spaces and comments.
    fn key(&mut self, key: &Key) -> Key {
        let holds = |rule: &&Renamed| rule.within.iter().any(|within| ends_with(&self.path, within));
        let mut names = RENAMED.iter().filter(holds).flat_map(|rule| rule.keys);
        let Some((_, new)) = names.find(|(old, _)| *old == key.get()) else { return key.clone() };
        self.changed += 1;
        Key::new(*new).with_leaf_decor(key.leaf_decor().clone()).with_dotted_decor(key.dotted_decor().clone())
    }
}

/// Whether a path is that of a rule, in the file or in prefabs and patterns.
fn ends_with(path: &[String], within: &str) -> bool {
    let rule: Vec<&str> = within.split('/').collect();
    let Some(from) = path.len().checked_sub(rule.len()) else { return false };
    let (around, own) = path.split_at(from);
    let in_groups =
        around.chunks(2).all(|pair| matches!(pair, [group, _] if group == "prefabs" || group == "patterns"));
    in_groups && rule.iter().zip(own).all(|(rule, name)| *rule == "*" || rule == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probes_are_renamed() {
        for (old, new) in [
            ("bodies.a.spin.z", "bodies.a.angular_velocity.z"),
            ("bodies.spin.position", ""),
            ("bodies.'a.spin'.angles", "bodies.'a.spin'.euler_angles"),
            ("contact(bodies.a, bodies.\"b)\").normal.x", "contact(bodies.a, bodies.\"b)\").normal_force.x"),
            ("contacts.overlap", "contacts.penetration"),
            ("redundant", "solver.redundant"),
            ("cables.off.off.2", "cables.off.derailed.2"),
            ("joints.a.1.value", ""),
            ("", ""),
        ] {
            assert_eq!(renamed_probe(old).unwrap_or_default(), new, "{old}");
        }
        let old = "windlass = 1\n[probes]\nturning = \"bodies.a.spin.z\" # about z\n";
        let new = "windlass = 2\n[probes]\nturning = \"bodies.a.angular_velocity.z\" # about z\n";
        assert_eq!(upgrade(old).unwrap(), Some((new.to_string(), 1)));
    }

    #[test]
    fn keys_and_values_are_renamed_and_comments_stay() {
        let old = "# a crane\nwindlass = 1 # first\n\n[settings]\nseconds = 3   # long\n\n[bodies.kind]\nkind = 'fixed'\nturn = { axis = [0, 0, 1], angle = 1 }\n\
                   parts = [{ attitude = [1, 0, 0, 0], mass = 1 }]\n\n[joints.turn.cylinder]\n# locked\nturn = { hold = 0 }\n\
                   [prefabs.p.bodies.b]\nspin = [0, 0, 1]\n[prefabs.p.patterns.q.patterns.r.bodies.c]\nspin = [0, 0, 1]\n";
        let new = "# a crane\nwindlass = 2 # first\n\n[settings]\nduration = 3   # long\n\n[bodies.kind]\ntype = \"static\"\nrotation = { axis = [0, 0, 1], angle = 1 }\n\
                   parts = [{ orientation = [1, 0, 0, 0], mass = 1 }]\n\n[joints.turn.cylindrical]\n# locked\nrotation = { lock = 0 }\n\
                   [prefabs.p.bodies.b]\nangular_velocity = [0, 0, 1]\n[prefabs.p.patterns.q.patterns.r.bodies.c]\nangular_velocity = [0, 0, 1]\n";
        let (text, changed) = upgrade(old).unwrap().unwrap();
        assert_eq!(text, new);
        assert_eq!(changed, 10);
        assert_eq!(upgrade(new).unwrap(), None);
        for text in ["[bodies]", "windlass = 3", "windlass = '1'"] {
            assert!(matches!(upgrade(text), Err(UpgradeError::Version)), "{text}");
        }
    }
}
