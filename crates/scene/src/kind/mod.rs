//! The sections of a scene file: the single list of all kinds.

/// Largest number of entries of each kind.
pub const MOST_ENTRIES: usize = 100_000;

/// Sections of the file.
pub const SECTIONS: [&str; 23] = [
    "windlass",
    "title",
    "description",
    "include",
    "parameters",
    "settings",
    "materials",
    "frictions",
    "contacts",
    "bodies",
    "joints",
    "forces",
    "fluids",
    "cables",
    "winches",
    "inputs",
    "script",
    "sections",
    "patterns",
    "prefabs",
    "instances",
    "cameras",
    "probes",
];

/// A section of named entries that patterns and prefabs can generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    Bodies,
    Joints,
    Forces,
    Cables,
    Winches,
    Inputs,
}

impl Section {
    /// All of them, in the order in which they are read.
    pub const ALL: [Section; 6] = [
        Section::Bodies,
        Section::Joints,
        Section::Forces,
        Section::Cables,
        Section::Winches,
        Section::Inputs,
    ];

    /// Its key.
    pub fn key(self) -> &'static str {
        match self {
            Section::Bodies => "bodies",
            Section::Joints => "joints",
            Section::Forces => "forces",
            Section::Cables => "cables",
            Section::Winches => "winches",
            Section::Inputs => "inputs",
        }
    }

    /// The noun for one of its entries.
    pub fn one(self) -> &'static str {
        match self {
            Section::Bodies => "body",
            Section::Joints => "joint",
            Section::Forces => "force",
            Section::Cables => "cable",
            Section::Winches => "winch",
            Section::Inputs => "input",
        }
    }
}
