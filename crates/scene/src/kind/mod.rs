//! The sections of a scene file: the single list of all kinds.

/// Largest number of entries of each kind.
pub const MOST_ENTRIES: usize = 100_000;

/// Sections of the file.
pub const SECTIONS: [&str; 33] = [
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
    "soils",
    "grounds",
    "tools",
    "bins",
    "wheels",
    "tracks",
    "cables",
    "winches",
    "vehicles",
    "tires",
    "inputs",
    "script",
    "controllers",
    "rules",
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
    Vehicles,
    Tools,
    Bins,
    Wheels,
    Tracks,
    Inputs,
}

impl Section {
    /// All of them, in the order in which they are read.
    pub const ALL: [Section; 11] = [
        Section::Bodies,
        Section::Joints,
        Section::Forces,
        Section::Cables,
        Section::Winches,
        Section::Vehicles,
        Section::Tools,
        Section::Bins,
        Section::Wheels,
        Section::Tracks,
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
            Section::Vehicles => "vehicles",
            Section::Tools => "tools",
            Section::Bins => "bins",
            Section::Wheels => "wheels",
            Section::Tracks => "tracks",
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
            Section::Vehicles => "vehicle",
            Section::Tools => "tool",
            Section::Bins => "bin",
            Section::Wheels => "wheel",
            Section::Tracks => "track",
            Section::Inputs => "input",
        }
    }
}
