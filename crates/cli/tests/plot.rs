//! `windlass plot`.

use crate::desk;

use desk::{Desk, FALL, HANG, TROUBLE, example};

/// The text elements of a figure.
fn texts(svg: &str) -> Vec<String> {
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
    let elements = svg.split("<text ").skip(1);
    let inside =
        |e: &str| e.split_once('>').and_then(|(_, t)| t.split_once("</text>")).map(|(t, _)| t.to_string());
    elements.filter_map(inside).collect()
}

#[test]
fn a_table_is_drawn() {
    let desk = Desk::new();
    desk.write("fall.toml", FALL);
    desk.runs("run fall.toml -q --log fall.csv").ends(0);
    desk.runs("plot fall.csv --y bodies.stone.position.z,bodies.stone.velocity.* -o fall.svg").ends(0);
    let texts = texts(&desk.read("fall.svg"));
    for text in ["time [s]", "bodies.stone.position.z [m]", "[m/s]", "x", "y", "z", "0.4", "−4"] {
        assert!(texts.iter().any(|t| t == text), "{text} is not in {texts:?}");
    }
    // a path in space
    desk.runs("plot fall.csv --x bodies.stone.velocity.z --y bodies.stone.position.z -o path.svg").ends(0);
    assert!(desk.read("path.svg").contains("bodies.stone.velocity.z [m/s]"));
}

#[test]
fn a_scene_is_run_and_drawn() {
    let desk = Desk::new();
    let scene = example("luffing_crane");
    let arguments = [
        "plot",
        &scene,
        "--probe",
        "height=bodies.load.position.z",
        "--probe",
        "joints.hoist.tension",
        "--probe",
        "joints.slewing.value",
        "--degrees",
        "--duration",
        "5",
        "--title",
        "Lift & <luff>",
        "-o",
        "lift.svg",
    ];
    desk.windlass(&arguments).ends(0);
    let texts = texts(&desk.read("lift.svg"));
    for text in [
        "height [m]",
        "joints.hoist.tension [kN]",
        "joints.slewing.value [°]",
        "Lift &amp; &lt;luff&gt;",
        "5",
    ] {
        assert!(texts.iter().any(|t| t == text), "{text} is not in {texts:?}");
    }
    desk.windlass(&[
        "plot",
        &scene,
        "--probe",
        "energy.total",
        "--duration",
        "1",
        "--size",
        "500x300",
        "-o",
        "e.svg",
    ])
    .ends(0);
    assert!(desk.read("e.svg").contains("width=\"500\" height=\"300\""));
}

#[test]
fn a_fault_is_drawn_up_to_it() {
    let desk = Desk::new();
    desk.write("trouble.toml", TROUBLE);
    desk.runs("plot trouble.toml --probe bodies.weight.position.z --probe joints.thread.force.size -o t.svg")
        .ends(3);
    assert!(desk.read("t.svg").contains("bodies.weight.position.z [m]"));
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let desk = Desk::new();
    desk.write("hang.toml", HANG);
    desk.runs("run hang.toml -q --log hang.csv").ends(0);
    desk.runs("plot hang.csv --y bodies.bobb.position.z -o x.svg")
        .ends(2)
        .says(&["no column \"bodies.bobb.position.z\"", "did you mean \"bodies.bob.position.z\"?"]);
    desk.runs("plot hang.csv --x tme --y bodies.bob.position.z -o x.svg")
        .ends(2)
        .says(&["did you mean \"time\"?"]);
    desk.runs("plot hang.csv -o x.svg")
        .ends(2)
        .says(&["select columns with --y", "bodies.ground.position.x"]);
    desk.runs("plot hang.csv --y bodies.bob.position.z -o x.pdf").ends(2).says(&[".svg or .png"]);
    desk.runs("plot hang.csv --y bodies.bob.position.z -o no/x.svg").ends(1).says(&["cannot write no/x.svg"]);
    desk.runs("plot hang.csv --probe time -o x.svg").ends(2).says(&["apply to scenes only"]);
    desk.runs("plot hang.csv --y bodies.bob.position.z --size 10x10 -o x.svg").ends(2).says(&["800x600"]);
    desk.runs("plot nothing.csv --y bodies.bob.position.z -o x.svg")
        .ends(1)
        .says(&["cannot read nothing.csv"]);
    desk.runs("plot hang.toml --y bodies.bob.position.z -o x.svg").ends(2).says(&["--probe instead of --y"]);
    desk.runs("plot hang.toml -o x.svg").ends(2).says(&["windlass info hang.toml --probes"]);
    desk.runs("plot hang.toml --probe time --x speed -o x.svg").ends(2).says(&["no column \"speed\""]);
    desk.runs("plot hang.toml --probe time -o x.svg").ends(2).says(&["nothing to draw"]);
    desk.write("bad.csv", "time,a\n0,1\n1,two\n");
    desk.runs("plot bad.csv --y a -o x.svg").ends(2).says(&["line 3, column \"a\": \"two\" is not a number"]);
    desk.write("empty.csv", "time,a\n0,\n1,\n");
    desk.runs("plot empty.csv --y a -o x.svg").ends(2).says(&["nothing to draw"]);
    desk.write("huge.csv", "time,a\n0,1e308\n1,-1e308\n2,inf\n3,1e-320\n");
    desk.runs("plot huge.csv -o huge.svg").ends(0);
    desk.write("short.csv", "time,a\n0,1\n1\n2,3\n");
    desk.runs("plot short.csv --y a -o short.svg").ends(0);
    assert!(!desk.path("x.svg").exists());
}

#[test]
#[cfg(not(feature = "png"))]
fn png_says_how_to_get_it() {
    let desk = Desk::new();
    desk.write("a.csv", "time,a\n0,1\n1,2\n");
    desk.runs("plot a.csv -o a.png").ends(2).says(&["--features png"]);
}

#[test]
#[cfg(feature = "png")]
fn png_is_drawn() {
    let desk = Desk::new();
    desk.write("a.csv", "time,a\n0,1\n1,2\n");
    desk.runs("plot a.csv -o a.png").ends(0);
    let bytes = std::fs::read(desk.path("a.png")).expect("a picture");
    assert!(bytes.starts_with(b"\x89PNG"));
}
