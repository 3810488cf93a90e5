//! `export`: every format by its ending, from scenes and from recordings.

use crate::desk;

use desk::{Desk, example};
use std::fs;

#[test]
fn drawings_and_models_of_scenes_and_recordings() {
    let desk = Desk::new();
    desk.runs("new crane").ends(0);
    desk.runs("run crane.toml --duration 3 --record crane.wlr").ends(0);
    for source in ["crane.toml", "crane.wlr"] {
        desk.windlass(&["export", source, "-o", "a.svg", "--at", "2 s"]).ends(0).says(&["wrote a.svg"]);
        assert!(desk.read("a.svg").starts_with("<svg"), "{source}");
        desk.windlass(&["export", source, "-o", "a.glb", "--duration", "2", "--fps", "20"]).ends(0);
        assert_eq!(&fs::read(desk.path("a.glb")).expect("a file")[..4], b"glTF");
        desk.windlass(&["export", source, "-o", "a.usda", "--duration", "2", "--fps", "20"]).ends(0);
        let usd = desk.read("a.usda");
        assert!(usd.starts_with("#usda") && usd.contains("endTimeCode = 40"), "{source}");
        desk.windlass(&["export", source, "-o", "a.pov", "--duration", "1", "--fps", "5"]).ends(0);
        assert_eq!(fs::read_dir(desk.path("a.pov")).expect("a folder").count(), 7);
        fs::remove_dir_all(desk.path("a.pov")).expect("a folder");
    }
    // the load hangs where it hangs in both
    let poses = |source: &str| {
        desk.windlass(&["export", source, "-o", "one.pov", "--duration", "2", "--fps", "1"]).ends(0);
        desk.read("one.pov/frame_000002.pov")
    };
    let places = |text: &str| {
        let numbers = text.split(|c: char| !(c.is_ascii_digit() || "+-.eE".contains(c)));
        numbers.filter_map(|word| word.parse::<f64>().ok()).collect::<Vec<_>>()
    };
    let (simulated, recorded) = (places(&poses("crane.toml")), places(&poses("crane.wlr")));
    assert_eq!(simulated.len(), recorded.len());
    assert!(simulated.iter().zip(&recorded).all(|(a, b)| (a - b).abs() < 1e-4));
}

#[test]
fn images_by_povray() {
    if std::env::var_os("WINDLASS_SKIP_POVRAY").is_some() {
        return;
    }
    let desk = Desk::new();
    let scene = example("pendulum");
    desk.windlass(&[
        "export",
        &scene,
        "-o",
        "a.png",
        "--at",
        "1 s",
        "--size",
        "160x120",
        "--quality",
        "draft",
    ])
    .ends(0);
    let png = fs::read(desk.path("a.png")).expect("a file");
    assert_eq!(&png[1..4], b"PNG");
    assert_eq!((&png[16..20], &png[20..24]), (&160u32.to_be_bytes()[..], &120u32.to_be_bytes()[..]));
    let pair =
        ["export", &scene, "-o", "b.png", "--size", "160x120", "--stereo", "65mm,3m", "--quality", "draft"];
    desk.windlass(&pair).ends(0);
    let png = fs::read(desk.path("b.png")).expect("a file");
    assert_eq!(&png[16..20], &320u32.to_be_bytes()[..], "two images side by side");
    let film = [
        "export",
        &scene,
        "-o",
        "c.mp4",
        "--size",
        "160x120",
        "--duration",
        "0.5",
        "--fps",
        "6",
        "--quality",
        "draft",
    ];
    desk.windlass(&film).ends(0);
    assert_eq!(&fs::read(desk.path("c.mp4")).expect("a file")[4..8], b"ftyp");
    assert!(desk.path("c.frames/frame_000003.png").exists());
}

#[test]
fn text_of_a_scene_with_everything_expanded_runs_the_same() {
    let desk = Desk::new();
    for scene in ["mechanism/ring_chain_20", "crane/two_cranes"] {
        let path = desk::scenes().join(format!("../{scene}.toml")).display().to_string();
        desk.windlass(&["export", &path, "-o", "flat.toml"]).ends(0);
        let hash = |path: &str| {
            let out = desk.windlass(&["hash", path, "--steps", "200"]).ends(0).out();
            out.split_whitespace().next().expect("a hash").to_string()
        };
        assert!(!desk.read("flat.toml").contains("[patterns"));
        assert_eq!(hash(&path), hash("flat.toml"), "{scene}");
    }
}

#[test]
fn what_cannot_be_exported_is_told() {
    let desk = Desk::new();
    desk.runs("new crane").ends(0);
    desk.runs("export crane.toml -o a.obj").ends(2).says(&["no format \".obj\"", ".glb"]);
    desk.runs("export crane.toml -o a.svg --camera sight").ends(2).says(&["no camera \"sight\"", "site"]);
    // no folder comes from nowhere
    for line in
        ["-o nowhere/a.svg", "-o nowhere/a.mp4", "-o nowhere/a.pov", "-o a.mp4 --frames nowhere/frames"]
    {
        let refused = desk.runs(&format!("export crane.toml {line}")).ends(1);
        refused.says(&[
            "cannot write nowhere/",
            "the folder nowhere does not exist",
            "create the folder first",
        ]);
    }
    assert!(!desk.path("nowhere").exists() && !desk.path("a.mp4").exists());
    desk.runs("export crane.toml -o a.glb --fps 1000").ends(2).says(&["give at most 120 Hz"]);
    desk.runs("export crane.toml -o a.png --size big").ends(2).says(&["as in 1280x720"]);
    desk.runs("export gone.toml -o a.svg").ends(1).says(&["gone.toml"]);
    // the source is never overwritten, a fault is one in every format, what is recorded stays
    let before = desk.read("crane.toml");
    desk.runs("export crane.toml -o crane.toml").ends(2).says(&["would overwrite the source"]);
    assert_eq!(desk.read("crane.toml"), before);
    desk.runs("export crane.toml -o f.csv --duration 1 --set bodies.load.mass=1e-300")
        .ends(3)
        .says(&["fault:"]);
    desk.runs("run crane.toml --duration 1 --record crane.wlr").ends(0);
    desk.runs("export crane.wlr -o a.glb --dt 0.1").ends(2).says(&["windlass branch"]);
    desk.runs("export crane.wlr -o a.glb --fps 1e9").ends(2).says(&["give at most 120 Hz"]);
    desk.runs("export crane.wlr -o a.svg --at 5").ends(2).says(&["beyond the recording"]);
    desk.runs("export crane.wlr -o a.SVG --at 0").ends(0);
    assert!(desk.read("a.SVG").starts_with("<svg"));
    desk.runs("export crane.wlr -o a.csv").ends(0);
    assert_eq!(desk.read("a.csv").lines().count(), 122);
}
