//! Cables that are taut at the start: a string between two fixed points against its closed forms.

use glam::DVec3;
use windlass_engine::prelude::{Edit, World};
use windlass_scene::{Built, CableRef, Scene, parse};

/// Length [m], tension [N] and mass of a metre [kg/m] of the string: its waves run with 20 m/s.
const LENGTH: f64 = 2.0;
const TENSION: f64 = 40.0;
const LINE_MASS: f64 = 0.1;
/// EA of the string [N]: a strain of 4e-4.
const EA: f64 = 1e5;

/// A string of 40 elements between two points of a wall, without gravity. Elements of a taut cable swing in its line with
/// ω² = 12 T/(m l), which a step of 0.2 ms resolves.
fn scene(section: &str, more: &str) -> Scene {
    let text = format!(
        r#"windlass = 2
        [settings]
        dt = "0.2 ms"
        gravity = [0, 0, 0]
        collide = false
        [bodies.wall]
        type = "static"
        [cables.string]
        section = {{ diameter = "4 mm", mass_per_length = {LINE_MASS}, axial_stiffness = {EA}, bending_stiffness = 0{section} }}
        start = {{ body = "wall", at = [0, 0, 1] }}
        end = {{ body = "wall", at = [{LENGTH}, 0, 1] }}
        elements = 40
        {more}"#
    );
    parse(&text, "string.toml").unwrap_or_else(|e| panic!("{e}"))
}

fn string(more: &str) -> Built {
    scene("", more).build().unwrap_or_else(|e| panic!("{e}"))
}

fn tensions(built: &Built) -> Vec<f64> {
    built.cables[0].id.readings(&built.world).iter().map(|r| r.tension).collect()
}

#[track_caller]
fn has_tension(built: &Built, wanted: f64, part: f64) {
    let tensions = tensions(built);
    // elements that have been merged twice are 10
    assert!(tensions.len() >= 10, "{tensions:?}");
    assert!(tensions.iter().all(|t| (t / wanted - 1.0).abs() < part), "{wanted}: {tensions:?}");
}

fn steps(world: &mut World, count: usize) {
    (0..count).for_each(|_| assert!(world.step().fault.is_none()));
}

/// The models that a tension is for.
const MODELS: [&str; 5] = [
    "",
    "adaptive = { levels = 2 }",
    "rotation_measure = \"angles\"",
    "model = \"mass-points\"",
    "solver = \"iterative\"",
];

/// It is there in the first step and stays, up to what rounding leaves of a strain of 4e-4.
#[test]
fn a_string_has_the_tension_it_is_given() {
    for model in MODELS {
        let mut built = string(&format!("tension = {TENSION}\n{model}"));
        steps(&mut built.world, 1);
        has_tension(&built, TENSION, 1e-9);
        steps(&mut built.world, 4999);
        has_tension(&built, TENSION, 1e-9);
    }
}

/// T = T₀ (exp(EA ε/T₀) − 1), and straight on beyond: the strain is that of the law.
#[test]
fn a_string_that_stiffens_has_it_too() {
    // up to 10 times, which is at 9 T₀
    for load in [TENSION / 3.0, TENSION / 20.0] {
        let scene = scene(&format!(", stiffening = {{ load = {load} }}"), &format!("tension = {TENSION}"));
        let mut built = scene.build().unwrap_or_else(|e| panic!("{e}"));
        steps(&mut built.world, 2);
        has_tension(&built, TENSION, 1e-9);
        let CableRef::Elements(id) = built.cables[0].id else { panic!("no elements") };
        let cable = built.world.model().cables().get(id).expect("a cable");
        let linear = if load > 10.0 {
            load * libm::log1p(TENSION / load)
        } else {
            load * (libm::log(10.0) + (TENSION / load - 9.0) / 10.0)
        };
        let long = LENGTH / (1.0 + linear / EA);
        assert!((cable.element * 40.0 / long - 1.0).abs() < 1e-12, "{} {long}", cable.element * 40.0);
    }
}

/// A string that is struck in its first mode vibrates with f = √(T/μ)/2L.
#[test]
fn a_string_sounds_as_its_tension_says() {
    for model in ["", "model = \"mass-points\""] {
        let mut built = string(&format!("tension = {TENSION}\n{model}"));
        let frequency = 0.5 / LENGTH * (TENSION / LINE_MASS).sqrt();
        let middle = |built: &Built| match built.cables[0].id {
            CableRef::Elements(id) => {
                let cable = built.world.model().cables().get(id).expect("a cable");
                built.world.state().bodies[cable.elements[20].index()].position.z - 1.0
            }
            CableRef::Points(points) => points.points(&built.world).expect("points")[20].z - 1.0,
        };
        // 0.2 mm: what it is longer by pulls with 2.5e-3 N more
        let speed = 2e-4 * std::f64::consts::TAU * frequency;
        match built.cables[0].id {
            CableRef::Elements(id) => {
                let elements = built.world.model().cables().get(id).expect("a cable").elements.clone();
                for body in elements {
                    let x = built.world.state().bodies[body.index()].position.x;
                    let velocity = DVec3::Z * (speed * libm::sin(std::f64::consts::PI * x / LENGTH));
                    let edit = Edit::SetVelocity { body, velocity, angular_velocity: DVec3::ZERO };
                    built.world.edit(edit).expect("a speed");
                }
            }
            CableRef::Points(_) => {
                // gravity for a moment strikes it evenly
                let mut settings = *built.world.model().settings();
                settings.gravity = DVec3::Z * 10.0;
                built.world.edit(Edit::SetSettings(settings)).expect("gravity");
                steps(&mut built.world, 5);
                settings.gravity = DVec3::ZERO;
                built.world.edit(Edit::SetSettings(settings)).expect("no gravity");
            }
        }
        // from one fall through the middle to another
        let (mut falls, mut before) = (Vec::new(), middle(&built));
        for step in 0..5000 {
            steps(&mut built.world, 1);
            let now = middle(&built);
            if before > 0.0 && now <= 0.0 {
                falls.push(f64::from(step) + before / (before - now));
            }
            before = now;
        }
        let periods = (falls.len() - 1) as f64;
        let found = periods / ((falls[falls.len() - 1] - falls[0]) * 2e-4);
        assert!(periods > 3.0 && (found / frequency - 1.0).abs() < 0.01, "{model} {found} {frequency}");
    }
}

/// No tension is none, bit for bit.
#[test]
fn no_tension_is_as_if_it_were_not_given() {
    let bend = "path = [[0, 0, 1], [0.7, 0.3, 0.6], [2, 0, 1]]\n";
    for model in MODELS {
        let mut both = ["", "tension = 0\n"].map(|key| string(&format!("{key}{model}\n{bend}")));
        both.iter_mut().for_each(|built| steps(&mut built.world, 50));
        let [without, with] = both;
        assert_eq!(without.world.state(), with.world.state(), "{model}");
        let points = |built: &Built| built.cables[0].id.readings(&built.world);
        assert_eq!(points(&without), points(&with), "{model}");
    }
}

/// Along a path each element is shorter than its chord by the same part, so that all have the tension.
#[test]
fn a_path_has_one_tension_all_along() {
    let arc: Vec<_> = (0..=16)
        .map(|k| f64::from(k) / 16.0 * std::f64::consts::PI)
        .map(|a| format!("[{}, 0, {}]", 1.0 - libm::cos(a), 1.0 + libm::sin(a)))
        .collect();
    let path = format!("path = [{}]\n", arc.join(", "));
    for model in ["", "model = \"mass-points\""] {
        let [slack, taut] = ["", "tension = 1000\n"].map(|key| {
            let built = string(&format!("{key}{path}{model}"));
            match built.cables[0].id {
                CableRef::Elements(id) => built.world.model().cables().get(id).expect("a cable").element,
                CableRef::Points(points) => points.segments(&built.world).expect("segments").1,
            }
        });
        assert!((slack / taut - 1.01).abs() < 1e-12, "{model} {slack} {taut}");
    }
}

/// A string that is tuned while the scene runs is laid anew with its new tension.
#[test]
fn a_running_string_is_tuned() {
    let [was, is] = [TENSION, 2.0 * TENSION].map(|tension| scene("", &format!("tension = {tension}")));
    let mut built = was.build().unwrap_or_else(|e| panic!("{e}"));
    steps(&mut built.world, 3);
    has_tension(&built, TENSION, 1e-9);
    built.change(&was, &is).unwrap_or_else(|e| panic!("{e}"));
    steps(&mut built.world, 3);
    has_tension(&built, 2.0 * TENSION, 1e-9);
}
