//! Bad files are told, with their place and a remedy: never a panic, a hang or a scene that does not build.

use crate::kit;

use kit::{Corpus, Dice};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use windlass_import::{Armature, Meshes, Options, import, import_text};

fn options() -> Options {
    Options { meshes: Meshes::Skip, ..Options::default() }
}

fn refused(text: &str) -> String {
    import_text(text, "m.xml", Path::new(""), &options()).expect_err("it should be refused").to_string()
}

fn robot(inside: &str) -> String {
    format!("<robot name='r'>\n{inside}\n</robot>")
}

fn world(inside: &str) -> String {
    format!("<mujoco>\n<worldbody>\n{inside}\n</worldbody>\n</mujoco>")
}

#[test]
fn each_mistake_has_its_place_and_a_remedy() {
    let link = "<link name='a'/><link name='b'/>";
    let joint = |inside: &str| robot(&format!("{link}<joint name='j' type='revolute'>{inside}</joint>"));
    let cases = [
        ("<sdf/>".to_string(), "m.xml:1:1: the root element is <sdf> (SDF is not supported: export"),
        ("<model/>".to_string(), "m.xml:1:1: the root element is <model> (give a URDF file"),
        ("<robot".to_string(), "m.xml:1:"),
        ("<!DOCTYPE a [<!ENTITY x 'y'>]><robot/>".to_string(), "remove the <!DOCTYPE>"),
        (
            "<robot xmlns:xacro='http://ros.org/wiki/xacro'><xacro:arg/></robot>".to_string(),
            "expand it first: xacro",
        ),
        (robot("<link name='${prefix}a'/>"), "m.xml:2:7: this is a xacro file"),
        (robot(""), "the robot has no links"),
        (robot("<link/>"), "m.xml:2:1: <link> has no `name`"),
        (robot("<link name='a'/>\n<link name='a'/>"), "m.xml:3:7: there are two links \"a\""),
        (robot(link), "this link is a second root"),
        (joint("<parent link='a'/>"), "has no <child>"),
        (joint("<parent link='a'/><child link='c'/>"), "there is no link \"c\""),
        (joint("<parent link='a'/><child link='b'/>"), "the joint has no <limit>"),
        (
            joint("<parent link='a'/><child link='b'/><limit lower='2' upper='1'/>"),
            "`lower` 2 is above `upper` 1",
        ),
        (
            joint("<parent link='a'/><child link='b'/><axis xyz='0 0 0'/><limit/>"),
            "a direction of nonzero length",
        ),
        (
            robot(&format!(
                "{link}<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>\
                 <joint name='k' type='fixed'><parent link='b'/><child link='a'/></joint>"
            )),
            "form a closed loop",
        ),
        (robot("<link name='a'><inertial><mass value='nan'/></inertial></link>"), "`value` is \"nan\""),
        (robot("<link name='a'><inertial><mass value='-1'/></inertial></link>"), "a number of 0 or more"),
        (robot("<link name='a'><inertial><origin xyz='1 2'/></inertial></link>"), "give 3 finite numbers"),
        (world("<body><joint type='spring'/></body>"), "m.xml:3:14: `type` is \"spring\" (give free, ball"),
        (world("<joint/>"), "the world has a joint"),
        (world("<body name='a'/><body name='a'/>"), "there are two bodies \"a\""),
        (world("<body><body><freejoint/></body></body>"), "a free joint inside a body"),
        (world("<body><geom type='box' size='1 1'/></body>"), "3 lengths above 0"),
        (world("<body><geom type='box' size='1 1 inf'/></body>"), "`size` is \"1 1 inf\""),
        (world("<body><geom class='no'/></body>"), "there is no class \"no\""),
        (world("<body quat='0 0 0 0'/>"), "a quaternion of nonzero length"),
        (world("<body pos='1e300 0 0'/>"), "m.xml:3:1: the value here is 1e300"),
        (world("<body><joint range='2 1'/></body>"), "the first below the second"),
        ("<mujoco><include file='no.xml'/></mujoco>".to_string(), "m.xml:1:18: \"no.xml\": "),
        ("<mujoco><include file='/etc/passwd'/></mujoco>".to_string(), "the path is absolute"),
        ("<mujoco><compiler coordinate='global'/></mujoco>".to_string(), "global coordinates are no longer"),
        ("<mujoco><equality><connect body1='x'/></equality></mujoco>".to_string(), "there is no body \"x\""),
    ];
    for (text, wanted) in cases {
        let said = refused(&text);
        assert!(said.contains(wanted), "{said}\nshould say\n{wanted}");
        assert!(said.contains(" (") && said.ends_with(')'), "no remedy: {said}");
    }
}

#[test]
fn includes_in_a_ring_and_deep_nesting_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    fs::write(path("a.xml"), "<mujoco><include file='b.xml'/></mujoco>").expect("a file");
    fs::write(path("b.xml"), "<mujocoinclude><include file='./a.xml'/></mujocoinclude>").expect("a file");
    let said = import(&path("a.xml"), &options()).expect_err("a ring").to_string();
    assert!(said.contains("b.xml:1:25: \"./a.xml\" is included twice, or includes itself"), "{said}");

    let deep = |n: usize| world(&format!("{}{}", "<body>".repeat(n), "</body>".repeat(n)));
    assert!(refused(&deep(100_000)).contains("nested too deep"));
    // two files, each shallow enough, are too deep together
    let inner = format!("<mujocoinclude>{}{}</mujocoinclude>", "<body>".repeat(400), "</body>".repeat(400));
    fs::write(path("inner.xml"), inner).expect("a file");
    let outer = format!("{}<include file='inner.xml'/>{}", "<body>".repeat(400), "</body>".repeat(400));
    fs::write(path("outer.xml"), world(&outer)).expect("a file");
    let said = import(&path("outer.xml"), &options()).expect_err("too deep").to_string();
    assert!(said.contains("nested too deep"), "{said}");
    assert!(import(folder.path(), &options()).expect_err("a folder").to_string().contains("not a file"));
}

/// A chain of 5000 links is read; one of 100 100 is too long for a scene, which is told.
#[test]
fn long_chains_are_read_or_told() {
    let chain = |n: usize| {
        let mut text = String::from("<robot name='chain'>");
        for i in 0..n {
            let _ = write!(
                text,
                "<link name='l{i}'><inertial><mass value='1'/>\
                 <inertia ixx='1' iyy='1' izz='1'/></inertial></link>"
            );
            if i > 0 {
                let _ = write!(
                    text,
                    "<joint name='j{i}' type='continuous'><origin xyz='1 0 0'/>\
                     <parent link='l{}'/><child link='l{i}'/></joint>",
                    i - 1
                );
            }
        }
        text + "</robot>"
    };
    let imported = import_text(&chain(5000), "m.urdf", Path::new(""), &options()).expect("a chain");
    assert_eq!((imported.counts.bodies, imported.counts.joints), (5000, 4999));
    assert_eq!(imported.counts.mass, 4999.0);
    let told = import_text(&chain(100_100), "m.urdf", Path::new(""), &options()).expect_err("a longer one");
    assert!(told.to_string().contains("would have 100100 bodies and 100099 joints"), "{told}");
}

/// Put in place of numbers.
const NUMBERS: [&str; 12] =
    ["0", "-1", "1e300", "1e-300", "nan", "inf", "1e12", "-0.0", "1e9", "7e-9", "", "1 2"];

/// What hurts parsers.
const NASTY: [&str; 12] =
    ["<", ">", "/>", "\"", "&", "&#0;", "<!--", "]]>", "<a>", "\u{feff}", "<body>", "</body>"];

fn models() -> Corpus {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/models");
    let mut paths: Vec<_> = fs::read_dir(folder).expect("models").map(|e| e.expect("one").path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "xml" || e == "urdf"));
    paths.sort();
    let texts = paths.iter().map(|p| fs::read(p).expect("a model")).collect();
    Corpus { texts, words: &NASTY, numbers: &NUMBERS }
}

/// Whatever is imported builds; whatever is refused says why. Returns how many were imported.
fn damage(count: usize, seed: u64) -> usize {
    let models = models();
    let mut dice = Dice(seed);
    let mut sound = 0;
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/models");
    for _ in 0..count {
        let bytes = models.damaged(&mut dice);
        let text = String::from_utf8_lossy(&bytes);
        let armature = if dice.below(2) == 0 { Armature::Ignore } else { Armature::Rotors };
        let options = Options { armature, floating_base: dice.below(2) == 0, ..options() };
        match import_text(&text, "m.xml", &folder, &options) {
            Ok(imported) => {
                let built = windlass_scene::parse(&imported.toml, "s.toml").and_then(|s| s.build());
                assert!(built.is_ok(), "{}\nof\n{text}\nis\n{}", built.unwrap_err(), imported.toml);
                sound += 1;
            }
            Err(error) => assert!(error.to_string().contains("m.xml") || error.to_string().contains(".xml:")),
        }
    }
    assert!(sound > count / 10, "the damage is too heavy to test anything but the parser: {sound}");
    sound
}

#[test]
fn damaged_models_are_told_or_build() {
    damage(10_000, 0x9e37_79b9_7f4a_7c15);
}

/// cargo nextest run -p windlass-import --run-ignored only --no-capture a_million
#[test]
#[ignore = "minutes: a million damaged models"]
fn a_million_damaged_models_are_told_or_build() {
    println!("{} imported", damage(1_000_000, 0x2545_f491_4f6c_dd1d));
}
