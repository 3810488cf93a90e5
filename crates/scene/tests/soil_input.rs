//! Grounds and tools as written: heights from rows, files, images and expressions; errors and warnings with their place
//! and remedy; edits of a running scene.

use std::sync::Arc;
use windlass_engine::prelude::World;
use windlass_scene::files::Memory;
use windlass_scene::{Built, EarthworkProperties, GroundReading, Override, Scene, SoilWarning, parse_with};

const SITE: &str = "[grounds.site]\nsize = [8, 4]\nspacing = 0.5\nparticle = 0.4\nsoil = \"clay\"\n";
const BLADE: &str = "[bodies.blade]\nposition = [0, 0, 1]\nmass = 10\ninertia = [1, 1, 1]\n\
                     shape = { box = { size = [0.1, 2, 0.8] } }\n\
                     [tools.blade]\nbody = \"blade\"\nedge = [[0, -1, -0.4], [0, 1, -0.4]]\nface = [0, 0, 1]\nheight = 1.2\n";

/// A bed with a floor whose upper side is 0.1 m above its origin.
const BED: &str = "[bodies.bed]\nposition = [0, 0, 1]\nmass = 100\ninertia = [9, 9, 9]\ncollision = [{ shape = { box = { size = [2, 1, 0.2] } } }]\n\
                   [bins.bed]\nbody = \"bed\"\nsize = [2, 1]\nheight = 0.5\n";

/// A track on a frame at a height, whose run is 0.4 m below its origin and whose sprocket has a radius of 0.2 m.
fn track(height: f64) -> String {
    format!(
        "[bodies.frame]\nposition = [0, 0, {height}]\nmass = 100\ninertia = [9, 9, 9]\n\
         [bodies.sprocket]\nposition = [1, 0, {height}]\nmass = 10\ninertia = [1, 1, 1]\n\
         [joints.drive.hinge]\nbodies = [\"frame\", \"sprocket\"]\nat = [1, 0, {height}]\naxis = [0, 1, 0]\n\
         [tracks.left]\nframe = \"frame\"\nsprocket = \"sprocket\"\nradius = 0.2\nwidth = 0.3\n\
         line = [[-1, 0, -0.4], [1, 0, -0.4]]\n"
    )
}

fn read(text: &str, files: Memory, overrides: &[(&str, &str)]) -> Result<(Scene, Built), String> {
    let list: Vec<_> = overrides
        .iter()
        .map(|(key, value)| Override { key: key.to_string(), value: value.to_string() })
        .collect();
    let text = format!("windlass = 2\n{text}");
    let scene = parse_with(&text, "site.toml", Arc::new(files), &list).map_err(|e| e.to_string())?;
    let built = scene.build().map_err(|e| e.to_string())?;
    Ok((scene, built))
}

fn build(text: &str, files: Memory) -> Built {
    read(text, files, &[]).unwrap_or_else(|e| panic!("{e}\n{text}")).1
}

fn height(world: &World, x: f64, y: f64) -> f64 {
    GroundReading::all(world)[0].height_at(x, y)
}

/// A grey image of some bits per pixel; the first row is the upper one.
fn image(rows: &[&[u16]], bits: png::BitDepth, color: png::ColorType) -> Vec<u8> {
    let mut bytes = Vec::new();
    let width = rows[0].len() / color.samples();
    let mut encoder = png::Encoder::new(&mut bytes, width as u32, rows.len() as u32);
    encoder.set_color(color);
    encoder.set_depth(bits);
    let wide = bits == png::BitDepth::Sixteen;
    let data: Vec<u8> = rows
        .concat()
        .iter()
        .flat_map(|x| if wide { x.to_be_bytes().to_vec() } else { vec![*x as u8] })
        .collect();
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&data).unwrap();
    writer.finish().unwrap();
    bytes
}

#[test]
fn heights_come_from_files_images_and_expressions() {
    let with = |heights: &str, files: Memory| build(&format!("{SITE}heights = {heights}\n"), files).world;
    // rows: the first one has the lowest y
    let files = Memory::new().with("hill.csv", "0, 10\n20, 50\n");
    let world = with("{ file = \"hill.csv\", scale = 0.1, offset = \"2 m\" }", files.clone());
    let corners = |world: &World| {
        [[-4.0, -2.0], [4.0, -2.0], [-4.0, 2.0], [4.0, 2.0]].map(|[x, y]| height(world, x, y))
    };
    assert_eq!(corners(&world), [2.0, 3.0, 4.0, 7.0]);
    assert_eq!(height(&world, 0.0, -2.0), 2.5);
    let (scene, _) = read(&format!("{SITE}heights = {{ file = \"hill.csv\" }}\n"), files, &[]).unwrap();
    assert_eq!(scene.assets().into_iter().collect::<Vec<_>>(), ["hill.csv"]);
    // an image: the first row has the highest y, white is `scale` above black
    let grey = png::ColorType::Grayscale;
    let eight = image(&[&[0, 255], &[51, 102]], png::BitDepth::Eight, grey);
    let sixteen = image(&[&[0, 65_535], &[13_107, 26_214]], png::BitDepth::Sixteen, grey);
    for bytes in [eight, sixteen] {
        let world =
            with("{ file = \"hill.png\", scale = 5, offset = -1 }", Memory::new().with("hill.png", bytes));
        let found = corners(&world);
        let wanted = [0.0, 1.0, -1.0, 4.0];
        assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?}");
    }
    let world = with("{ expression = \"0.1 m * x + sin(pi * y / 4) / 2\" }", Memory::new());
    for (x, y) in [(-4.0, -2.0), (1.5, 0.5), (3.0, 2.0)] {
        let wanted = 0.1 * x + 0.5 * libm::sin(std::f64::consts::PI * y / 4.0);
        assert!((height(&world, x, y) - wanted).abs() < 1e-6, "{x} {y}");
    }
}

#[test]
fn void_ratios_and_stresses_borne_are_those_of_the_text() {
    let layers = "[{ soil = \"topsoil\", thickness = 0.5 }, { soil = \"clay\", thickness = 5, void_ratio = 0.7, preconsolidation_stress = \"150 kPa\" }]";
    let text = format!("{}layers = {layers}\n", SITE.replace("soil = \"clay\"\n", ""));
    let world = build(&text, Memory::new()).world;
    let (works, state) = world.subsystem::<windlass_soil::Earthworks>().unwrap();
    let ground = windlass_soil::ground::Ground::new(&works.grounds[0].terrain, &state.grounds[0].terrain);
    let layers: Vec<_> = ground.layers([3, 3]).collect();
    // the load that was borne exceeds the own weight at 0.5 m (9 kPa) and at 5.5 m (about 110 kPa)
    assert_eq!((layers[1].void_ratio, layers[1].preconsolidation), (0.7, [150e3; 2]));
    assert!(
        layers[0].preconsolidation[0] == 0.0
            && layers[0].preconsolidation[1] > 5e3
            && layers[0].preconsolidation[1] < 12e3
    );
    let single =
        build(&format!("{SITE}void_ratio = 0.8\npreconsolidation_stress = \"20 kPa\"\n"), Memory::new())
            .world;
    assert!((GroundReading::all(&single)[0].compaction_at(0.0, 0.0).unwrap()) > 0.0);
}

fn files() -> Memory {
    Memory::new()
        .with("holes.csv", "1, 2, 3\n4, , 6\n")
        .with("missing.csv", "1 2 3\n4 -9999 6\n")
        .with("nan.csv", "1 2\nnan 4\n")
        .with("uneven.csv", "1, 2, 3\n4, 5\n")
        .with("line.csv", "1, 2, 3\n")
        .with("color.png", image(&[&[1; 6], &[2; 6]], png::BitDepth::Eight, png::ColorType::Rgb))
        .with(
            "clear.png",
            image(
                &[&[1, 255, 9, 0], &[1, 255, 9, 255]],
                png::BitDepth::Eight,
                png::ColorType::GrayscaleAlpha,
            ),
        )
        .with("text.png", "no image")
}

/// Asserts that texts are rejected with errors that contain two words each.
fn rejects(cases: &[(String, &str, &str)]) {
    for (text, what, remedy) in cases {
        let error = match read(text, files(), &[]) {
            Ok(_) => panic!("accepted:\n{text}"),
            Err(error) => error,
        };
        assert!(error.contains(what) && error.contains(remedy), "{text}\n{error}");
    }
}

/// Errors name the place and the remedy.
#[test]
fn wrong_heights_are_rejected() {
    let ground = |heights: &str| format!("{SITE}heights = {heights}\n");
    rejects(&[
        (ground("{ file = \"holes.csv\" }"), "line 2: height 2 is empty", "a height everywhere"),
        (ground("{ file = \"missing.csv\" }"), "line 2: height 2 marks a missing height", "fill the holes"),
        (ground("{ file = \"nan.csv\" }"), "line 2: height 1 is not a number", "fill the holes"),
        (
            ground("{ file = \"uneven.csv\" }"),
            "the row has 2 heights, the first has 3",
            "same number in every row",
        ),
        (ground("{ file = \"line.csv\" }"), "fewer than two rows", "at least two rows"),
        (ground("{ file = \"gone.csv\" }"), "no file \"gone.csv\"", "check the name"),
        (ground("{ file = \"color.png\" }"), "is in colour", "grey image"),
        (ground("{ file = \"clear.png\" }"), "column 1, row 0 is transparent", "fill holes"),
        (ground("{ file = \"text.png\" }"), "not a valid PNG", "save the image again"),
        (ground("{ expression = \"1 / x\" }"), "at x = 0", "division by 0"),
        (ground("{ expression = \"0.1 * z\" }"), "unknown name `z`", "define it"),
        (ground("{ expression = \"1 kg\" }"), "the expression is in kg", "height in metres"),
        (ground("{ expression = \"x\", scale = 2 }"), "`scale` with an expression", "multiply"),
        (ground("{ rows = [[0, 1], [2, 3]], offset = 1 }"), "`offset` without `file`", "leave it out"),
        (ground("{ rows = [[0, 1], [2, 3]], expression = \"x\" }"), "need one source", "exactly one"),
        (ground("{}"), "need one source", "exactly one"),
    ]);
}

#[test]
fn wrong_layers_and_tools_are_rejected() {
    let soil = |rest: &str| format!("{SITE}[soils.clay]\n{rest}\n");
    rejects(&[
        (format!("{SITE}void_ratio = -0.5\n"), "`void_ratio` is -0.5", "more than 0"),
        (
            format!("{SITE}void_ratio = 0.2\n"),
            "site.toml:7:14: `void_ratio` is 0.2",
            "compaction.min_void_ratio",
        ),
        (
            soil("compaction = { min_void_ratio = 2.5 }"),
            "site.toml:8:33: soil \"clay\": the least void ratio (2.5)",
            "lower the first",
        ),
        (
            soil("steel = { friction = \"50 deg\" }"),
            "site.toml:8:22: soil \"clay\": the friction angle on steel",
            "lower the first",
        ),
        (
            soil("bolton = { critical = \"32 deg\" }\nfriction = \"30 deg\""),
            "several laws of strength",
            "`bolton`, or",
        ),
        (
            soil("loose = { friction = \"40 deg\" }\ndense = { friction = \"30 deg\" }"),
            "site.toml:8:22: loose soil that is stronger",
            "raise those of `dense`",
        ),
        (
            format!(
                "{SITE}[grounds.other]\nsize = [4, 4]\nspacing = 0.5\nposition = [5, 0]\nsoil = \"clay\"\n"
            ),
            "\"site\" and \"other\" overlap",
            "x = -4 to 4 m",
        ),
        (
            format!(
                "{SITE}{}",
                BLADE.replace("[0, -1, -0.4], [0, 1, -0.4]", "[0, -0.1, -0.4], [0, 0.1, -0.4]")
            ),
            "0.2 m long, less than a cell",
            "`spacing` of at most 0.1 m",
        ),
        (
            format!("{}{}", SITE.replace("0.4", "1.4"), BLADE),
            "smaller than a particle",
            "particle = \"0.4 m\"",
        ),
        (
            format!("{SITE}{}", BLADE.replace("[[0, -1, -0.4], [0, 1, -0.4]]", "[]")),
            "edge",
            "two or more points",
        ),
        (format!("{SITE}{}", BLADE.replace("edge = [[0, -1, -0.4], [0, 1, -0.4]]\n", "")), "edge", ""),
        (
            format!("{SITE}{}", BLADE.replace("[0, 0, 1]\nmass", "[0, 0, -1]\nmass")),
            "site.toml:8:12: body \"blade\" is placed under the ground \"site\": its top is 0.6 m below",
            "raise it by 1.4 m",
        ),
        (
            format!("{SITE}{}", track(-0.5)),
            "site.toml:19:9: track \"left\" is placed under the ground \"site\": its top is 0.5 m below",
            "raise it by 0.9 m",
        ),
        (
            format!(
                "{SITE}[bodies.drum]\nposition = [0, 0, -0.6]\nmass = 100\ninertia = [9, 9, 9]\n\
                 [wheels.drum]\nbody = \"drum\"\nradius = 0.5\nwidth = 1\n"
            ),
            "wheel \"drum\" is placed under the ground",
            "raise it by 1.1 m",
        ),
        (format!("{SITE}edits = [{{ height = 1 }}]\n"), "neither grades nor pours", "outline"),
        (
            format!("{SITE}edits = [{{ at = [1, 1], mass = 10, soil = \"sand\" }}]\n"),
            "has no soil \"sand\"",
            "it has clay",
        ),
        (format!("{SITE}edits = [{{ at = [9, 1], mass = 10 }}]\n"), "beside the ground", "move it"),
    ]);
}

/// Checks that a valid scene has a warning with a place, a key and a part of its text.
fn warns(text: &str, files: Memory, [place, key, what]: [&str; 3]) {
    let (scene, built) = read(text, files, &[]).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let all = SoilWarning::all(&scene, &built.world);
    let found = all.iter().find(|w| w.key == key && w.warning.contains(what));
    let found = found.unwrap_or_else(|| panic!("{text}\n{all:#?}"));
    assert_eq!(found.place, place, "{text}\n{found:?}");
}

/// Keys that nothing in a run follows.
#[test]
fn keys_without_effect_are_warned_of() {
    let cases = [
        (
            format!("{SITE}[soils.clay]\ncompaction = {{ lambda = 0.2 }}\n"),
            "site.toml:8:25",
            "soils.clay.compaction.lambda",
            "has no effect",
        ),
        (
            format!("{SITE}[soils.clay]\ncompaction = {{ kappa = 0.01 }}\n"),
            "site.toml:8:24",
            "soils.clay.compaction.kappa",
            "has no effect",
        ),
        (
            format!("{SITE}preconsolidation_stress = \"20 kPa\"\n"),
            "site.toml:7:27",
            "grounds.site.preconsolidation_stress",
            "void_ratio",
        ),
        (
            format!(
                "{}layers = [{{ soil = \"clay\", thickness = 5, preconsolidation_stress = \"20 kPa\" }}]\n",
                SITE.replace("soil = \"clay\"\n", "")
            ),
            "site.toml:6:69",
            "grounds.site.preconsolidation_stress",
            "void_ratio",
        ),
        (
            format!("{SITE}[soils.clay]\nwheels.hump = {{ at = 0.02, residual = 0.4 }}\n{}", track(0.4)),
            "site.toml:21:9",
            "tracks.left",
            "`shear`",
        ),
    ];
    for (text, place, key, what) in cases {
        warns(&text, Memory::new(), [place, key, what]);
    }
}

/// Valid scenes that are probably not meant as written.
#[test]
fn warnings_name_place_key_and_remedy() {
    let files = || {
        Memory::new()
            .with("tall.csv", "0 0\n1 1\n2 2\n3 3\n")
            .with("profile.csv", "0 1 2 3 4 5 6\n0 1 2 3 4 5 6\n")
    };
    let fine = SITE.replace("spacing = 0.5", "spacing = 0.04").replace("0.4\n", "0.1\n");
    let cases = [
        (
            format!("{SITE}particles = 0\n{BLADE}"),
            "site.toml:7:13",
            "grounds.site.particles",
            "stays in them",
        ),
        (format!("{SITE}{BED}at = [0, 0, -0.3]\n"), "site.toml:12:7", "bins.bed.at", "give at = [0, 0, 0.1]"),
        (format!("{SITE}{BED}at = [5, 0, 0]\n"), "site.toml:12:7", "bins.bed", "soil falls through"),
        (
            format!(
                "{SITE}[bodies.drum]\nposition = [0, 0, 0.2]\nmass = 100\ninertia = [9, 9, 9]\n\
                 [wheels.drum]\nbody = \"drum\"\nradius = 0.5\nwidth = 1\n"
            ),
            "site.toml:11:9",
            "wheels.drum",
            "0.3 m deep",
        ),
        (format!("{SITE}{}", track(0.1)), "site.toml:19:9", "tracks.left", "0.3 m deep"),
        (
            format!("{SITE}heights = {{ file = \"tall.csv\" }}\n"),
            "site.toml:7:11",
            "grounds.site.heights",
            "exchange rows and columns",
        ),
        (format!("{fine}{BLADE}"), "site.toml:14:8", "tools.blade.edge", "50 cells long"),
        (
            format!("{}{BLADE}", SITE.replace("particle = 0.4", "particle = 0.5")),
            "site.toml:14:8",
            "tools.blade.edge",
            "particle = \"0.4 m\" or less",
        ),
        (
            format!("{SITE}{}", BLADE.replace("height = 1.2", "height = 0.9")),
            "site.toml:16:10",
            "tools.blade.height",
            "at most 0.45 m",
        ),
        (
            format!("{SITE}{}", BLADE.replace("[0, 0, 1]\nmass", "[20, 0, 1]\nmass")),
            "site.toml:14:8",
            "tools.blade.edge",
            "beside its ground",
        ),
        (
            format!(
                "{SITE}[bodies.crate]\nposition = [0, 0, 0.1]\nmass = 100\nshape = {{ box = {{ size = [1, 1, 1] }} }}\n"
            ),
            "site.toml:8:12",
            "bodies.crate",
            "0.4 m deep",
        ),
    ];
    for (text, place, key, what) in cases {
        warns(&text, files(), [place, key, what]);
    }
    // nothing is cut: no particles are needed; a bin on its floor, a track on the ground
    let none = format!("{SITE}particles = 0\n");
    for text in [
        format!("{SITE}{BLADE}"),
        none,
        format!("{SITE}{BED}at = [0, 0, 0.1]\n"),
        format!("{SITE}{}", track(0.4)),
        format!("{SITE}[soils.clay]\ncompaction = {{ min_void_ratio = 0.5 }}\n{}", track(0.4)),
    ] {
        let (scene, built) = read(&text, files(), &[]).unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert_eq!(SoilWarning::all(&scene, &built.world), [], "{text}");
    }
    // a profile of two rows: exchanged, it would be stretched more
    let (scene, built) =
        read(&format!("{SITE}heights = {{ file = \"profile.csv\" }}\n"), files(), &[]).unwrap();
    assert_eq!(SoilWarning::all(&scene, &built.world), []);
}

#[test]
fn derived_values_are_those_of_the_textbook() {
    let text =
        format!("{SITE}[soils.clay]\nfriction = \"30 deg\"\ncohesion = \"10 kPa\"\ndensity = 2000\n{BLADE}");
    let found = EarthworkProperties::of(&build(&text, Memory::new()).world);
    let (soil, ground, tool) = (&found.soils[0], &found.grounds[0], &found.tools[0]);
    assert!((soil.passive_pressure - 3.0).abs() < 1e-9);
    // 4c/γ tan 60°
    let cut = 4.0 * 10e3 / (2000.0 * 9.81) * 3_f64.sqrt();
    assert!((soil.upright_cut - cut).abs() < 1e-9 * cut, "{} {cut}", soil.upright_cut);
    assert_eq!((ground.size, ground.nodes, ground.tiles, ground.memory), ([8.0, 4.0], [17, 9], 0, 0));
    assert_eq!((tool.edge, tool.cells, tool.teeth), (2.0, 4.0, 0));
}

/// Running scenes: soils, tools and grounds change, what was dug is kept, and every edit can be undone bit for bit.
#[test]
fn a_running_ground_is_edited_and_undone() {
    let pit = "edits = [{ outline = [[-1.1, -1.1], [1.1, -1.1], [1.1, 1.1], [-1.1, 1.1]], height = -0.5 }]\n";
    let text = format!("{SITE}{pit}{BLADE}[soils.clay]\ncohesion = \"20 kPa\"\n");
    let (scene, mut built) = read(&text, Memory::new(), &[]).unwrap();
    let booked = |world: &World| {
        let all = world.quantities();
        let of = |name: &str| {
            world
                .read_quantity(all.iter().find(|q| q.2.item == "grounds.site" && q.2.name == name).unwrap().1)
        };
        (of("mass"), of("edited_mass"))
    };
    assert!((height(&built.world, 0.0, 0.0) + 0.5).abs() < 1e-6);
    let (mass, edited) = booked(&built.world);
    assert!(edited < -1000.0);
    built.world.step();
    let change = |built: &mut Built, from: &Scene, overrides: &[(&str, &str)]| {
        let (next, _) = read(&text, Memory::new(), overrides).unwrap();
        let before = built.world.state().to_bytes();
        let mut copy = built.world.fork();
        let edits = built.change(from, &next).unwrap().edits;
        // the same edits again, then undone: bit for bit
        let mut undo: Vec<_> = edits.into_iter().map(|edit| copy.edit(edit).unwrap()).collect();
        assert_eq!(copy.state().to_bytes(), built.world.state().to_bytes());
        while let Some(edit) = undo.pop() {
            copy.edit(edit).unwrap();
        }
        assert_eq!(copy.state().to_bytes(), before);
        next
    };
    // other strength: the pit is kept
    let weak = ("soils.clay.cohesion", "5 kPa");
    let next = change(&mut built, &scene, &[weak]);
    assert!((height(&built.world, 0.0, 0.0) + 0.5).abs() < 1e-6);
    assert_eq!(booked(&built.world), (mass, edited));
    // another tool: the ground is kept
    let tool = ("tools.blade.height", "2");
    let next = change(&mut built, &next, &[weak, tool]);
    assert_eq!(booked(&built.world), (mass, edited));
    // one more entry: only it is carried out
    let first = pit.trim().strip_prefix("edits = [").unwrap().strip_suffix(']').unwrap();
    let both = format!("[{first}, {{ at = [0, 0], mass = \"1.5 t\" }}]");
    let more = ("grounds.site.edits", both.as_str());
    let next = change(&mut built, &next, &[weak, tool, more]);
    let (now, booked_now) = booked(&built.world);
    assert!((booked_now - edited - 1500.0).abs() < 1e-6 && (now - booked_now - mass + edited).abs() < 1e-6);
    // a list that does not continue starts the ground anew
    let other = ("grounds.site.edits", "[{ at = [0, 0], mass = \"1.5 t\" }]");
    let next = change(&mut built, &next, &[weak, tool, other]);
    assert!((booked(&built.world).1 - 1500.0).abs() < 1e-6 && height(&built.world, 1.0, 1.0) >= 0.0);
    // so does another density
    change(&mut built, &next, &[weak, tool, other, ("soils.clay.density", "2100")]);
    assert!((booked(&built.world).1 - 1500.0).abs() < 1e-6);
    for _ in 0..30 {
        assert!(built.world.step().fault.is_none());
    }
}
