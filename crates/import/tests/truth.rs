//! Imported models beside what MuJoCo makes of them: masses at 1e-9, falls at 1e-4 rad or m.
//!
//! The truths are made by `truth.py`, as its head says. They are stored: MuJoCo is not at hand in a test.

use crate::compare;

use compare::{Apart, compare};
use std::path::PathBuf;
use windlass_import::{Armature, Fixed, Imported, Meshes, Options, import};

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

fn imported(model: &str, truth: &serde_json::Value, options: Options) -> Imported {
    let options = compare::options(truth, Options { meshes: Meshes::Skip, ..options });
    import(&file("models").join(model), &options).unwrap_or_else(|e| panic!("{e}"))
}

fn truth(name: &str) -> serde_json::Value {
    let text = std::fs::read_to_string(file("truth").join(name)).expect("the truth");
    serde_json::from_str(&text).expect("JSON")
}

fn apart(model: &str, name: &str) -> Apart {
    let truth = truth(name);
    compare(&imported(model, &truth, Options::default()), &truth, 2e-3)
}

/// Masses, centres, inertias and degrees of freedom agree to round-off.
fn same_masses(apart: &Apart, bodies: usize) {
    assert_eq!(apart.bodies.0, bodies, "{apart:?}");
    assert!(apart.bodies.1.is_empty(), "{apart:?}");
    assert!(apart.mass < 1e-12 && apart.masses < 1e-9, "{apart:?}");
    assert!(apart.centers < 1e-9 && apart.inertias < 1e-9, "{apart:?}");
}

/// So do the falls, over ways of a radian and more. MuJoCo's step is 0.1 ms, ours 2 ms, both of fourth order.
fn same_fall(apart: &Apart, coordinates: usize) {
    assert_eq!(apart.freedoms.0, apart.freedoms.1, "{apart:?}");
    let fall = apart.fall.as_ref().expect("a fall");
    assert_eq!(fall.count, coordinates);
    assert!(fall.way > 1.0, "nothing moved: {fall:?}");
    assert!(fall.coordinates < 1e-6 && fall.origins < 1e-6, "{fall:?}");
}

#[test]
fn an_arm_falls_as_in_mujoco() {
    let apart = apart("arm.urdf", "arm.json");
    same_masses(&apart, 4);
    same_fall(&apart, 4);
}

#[test]
fn a_double_pendulum_falls_as_in_mujoco() {
    let apart = apart("pendulum.xml", "pendulum.json");
    same_masses(&apart, 2);
    same_fall(&apart, 2);
}

/// References other than 0, springs with a rest value, an inertial frame that is turned.
#[test]
fn a_cart_and_pole_swing_as_in_mujoco() {
    let apart = apart("cart.xml", "cart.json");
    same_masses(&apart, 2);
    same_fall(&apart, 2);
}

/// Slide, slide and hinge are a planar joint, hinge and slide a cylinder.
#[test]
fn a_walker_tumbles_as_in_mujoco() {
    let apart = apart("walker.xml", "walker.json");
    same_masses(&apart, 4);
    same_fall(&apart, 7);
}

/// Universal, three hinges and slides as a six, ball and free.
#[test]
fn joints_of_several_coordinates_move_as_in_mujoco() {
    let apart = apart("joints.xml", "joints.json");
    same_masses(&apart, 5);
    same_fall(&apart, 10);
}

#[test]
fn every_shape_weighs_what_it_does_in_mujoco() {
    let apart = apart("shapes.xml", "shapes.json");
    same_masses(&apart, 3);
    assert_eq!(apart.freedoms, (14, 14));
}

/// MuJoCo keeps the corners of meshes in single precision: 1e-7.
#[test]
fn meshes_weigh_what_they_do_in_mujoco() {
    let truth = truth("bracket.json");
    let imported = import(&file("models/bracket.xml"), &Options::default()).unwrap_or_else(|e| panic!("{e}"));
    let apart = compare(&imported, &truth, 2e-3);
    assert_eq!(apart.bodies.0, 3);
    assert!(apart.masses < 1e-6 && apart.centers < 1e-7 && apart.inertias < 1e-6, "{apart:?}");
}

#[test]
fn the_compiler_changes_masses_as_mujoco_does() {
    same_masses(&apart("bounds.xml", "bounds.json"), 3);
}

/// Gear, rack and pin take five of the fifteen degrees of freedom; MuJoCo counts them before its constraints.
#[test]
fn ties_hold_at_the_start_and_at_a_keyframe() {
    for name in ["ties.json", "ties_up.json"] {
        let apart = apart("ties.xml", name);
        same_masses(&apart, 5);
        assert_eq!(apart.freedoms, (10, 15), "{name}");
    }
}

/// Two fingers that slide, the one half as far as the other, and a rod that slides against a turn. The ties take two
/// of the four degrees of freedom that MuJoCo counts before its constraints.
#[test]
fn fingers_that_mimic_each_other_fall_as_in_mujoco() {
    let apart = apart("fingers.urdf", "fingers.json");
    same_masses(&apart, 4);
    assert_eq!(apart.freedoms, (2, 4));
    let fall = apart.fall.expect("a fall");
    assert_eq!(fall.count, 4);
    assert!(fall.way > 1.0 && fall.coordinates < 1e-5 && fall.origins < 1e-5, "{fall:?}");
}

/// Two hinges that do not cross: a ten-thousandth of the mass stands between them, the fall is that much off.
#[test]
fn a_body_between_two_joints_is_hardly_felt() {
    let apart = apart("between.xml", "between.json");
    assert!(apart.mass < 1e-12, "{apart:?}");
    assert!((apart.masses - 1e-4).abs() < 1e-9, "{apart:?}");
    let fall = apart.fall.expect("a fall");
    assert_eq!(fall.count, 2);
    assert!(fall.way > 0.5 && fall.coordinates < 2e-3, "{fall:?}");
}

/// Welded links kept apart weigh and fall the same as one body.
#[test]
fn welds_fall_as_merged_links_do() {
    let truth = truth("arm.json");
    let imported = imported("arm.urdf", &truth, Options { fixed: Fixed::Keep, ..Options::default() });
    assert!(
        imported.toml.contains("[bodies.plate]") && imported.toml.contains("[joints.\"plate weld\".weld]")
    );
    let apart = compare(&imported, &truth, 2e-3);
    assert!(apart.mass < 1e-12, "{apart:?}");
    same_fall(&apart, 4);
}

/// A rotor on a base that does not turn is what armature is: M = (I + a) q̈.
#[test]
fn a_rotor_has_the_armature() {
    let model = |armature: f64, spin: f64| {
        format!(
            "<mujoco><worldbody><body name='b' pos='0 0 1'>\
             <joint name='j' axis='0 1 0' armature='{armature}'/>\
             <inertial pos='0.3 0 0' mass='1' diaginertia='0.1 {spin} 0.1'/></body></worldbody></mujoco>"
        )
    };
    let fall = |text: &str| {
        let options = Options { armature: Armature::Rotors, ..Options::default() };
        let imported = windlass_import::import_text(text, "m.xml", "".as_ref(), &options).expect("a model");
        let mut built = compare::build(&imported);
        built
            .world
            .set(|s| s.integrator = windlass_engine::prelude::Integrator::Projected)
            .expect("settings");
        for _ in 0..100 {
            assert!(built.world.step().fault.is_none());
        }
        let joint = built.world.model().joint("j").expect("the joint");
        built.world.coordinate(joint, 0).expect("its angle")
    };
    let (with, without, heavier) = (fall(&model(0.05, 0.1)), fall(&model(0.0, 0.1)), fall(&model(0.0, 0.15)));
    assert!((with - heavier).abs() < 1e-6, "{with} {heavier}");
    assert!((with - without).abs() > 1e-2, "{with} {without}");
}
