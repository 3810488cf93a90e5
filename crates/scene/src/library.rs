//! Scene files that come with the program: prefabs of vehicles and of their driver, for `include`.

/// Start of the paths of these files.
pub const PREFIX: &str = "windlass:";

/// Name and text of each file.
const FILES: [(&str, &str); 15] = [
    ("bulldozer.toml", include_str!("../library/bulldozer.toml")),
    ("compactor.toml", include_str!("../library/compactor.toml")),
    ("crawler.toml", include_str!("../library/crawler.toml")),
    ("driver.toml", include_str!("../library/driver.toml")),
    ("dumper.toml", include_str!("../library/dumper.toml")),
    ("excavator.toml", include_str!("../library/excavator.toml")),
    ("forklift.toml", include_str!("../library/forklift.toml")),
    ("forwarder.toml", include_str!("../library/forwarder.toml")),
    ("four_by_four.toml", include_str!("../library/four_by_four.toml")),
    ("grader.toml", include_str!("../library/grader.toml")),
    ("mobile_crane_carrier.toml", include_str!("../library/mobile_crane_carrier.toml")),
    ("sedan.toml", include_str!("../library/sedan.toml")),
    ("semi_trailer.toml", include_str!("../library/semi_trailer.toml")),
    ("truck_8x8.toml", include_str!("../library/truck_8x8.toml")),
    ("wheel_loader.toml", include_str!("../library/wheel_loader.toml")),
];

/// The text of the file of a path that starts with [`PREFIX`].
pub fn text(path: &str) -> Option<&'static str> {
    let name = path.strip_prefix(PREFIX)?;
    FILES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// The paths of all files.
pub fn paths() -> impl Iterator<Item = String> {
    FILES.iter().map(|(name, _)| format!("{PREFIX}{name}"))
}
