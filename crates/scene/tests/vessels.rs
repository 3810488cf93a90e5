//! Vessels: motion by response amplitude operators, damping by ratio, hydrostatics, and warnings about fluids.

use glam::{DVec3, EulerRot};
use std::f64::consts::{PI, TAU};
use windlass_fluid::Fluids;
use windlass_scene::{Built, Errors, FluidReading, FluidSurface, Problem, Vessel, parse};

fn build(text: &str) -> Built {
    parse(text, "vessels").and_then(|scene| scene.build()).unwrap_or_else(|e| panic!("{e}"))
}

fn errors(text: &str) -> Errors {
    parse(text, "vessels").and_then(|scene| scene.build()).expect_err("it is wrong")
}

const SEA: &str = r#"
windlass = 2
[fluids.sea]
material = "seawater"
surface = 0.5
depth = 40
"#;

/// A vessel that follows the surface stays on it, in irregular waves and while they rise.
#[test]
fn a_unit_heave_operator_follows_the_surface() {
    let text = format!(
        r#"{SEA}
[fluids.sea.waves]
spectrum = "jonswap"
height = 2
period = 8
direction = "30 deg"
components = 40
seed = 5
ramp = 4
[bodies.ship]
type = "kinematic"
position = [7, -3, 0.5]
rotation = {{ axis = [0, 0, 1], angle = "20 deg" }}
shape = {{ box = {{ size = [4, 2, 1] }} }}
[bodies.ship.path.rao]
periods = [2, 30]
heave = {{ amplitude = [1, 1] }}
"#
    );
    let mut built = build(&text);
    let ship = built.bodies[0];
    let mut most: f64 = 0.0;
    for _ in 0..600 {
        built.world.step();
        let position = built.world.state().bodies[ship.index()].position;
        let surface = FluidSurface::height(&built.world, 0, 7.0, -3.0).unwrap();
        assert!(
            (position - DVec3::new(7.0, -3.0, surface)).length() < 1e-9,
            "{position}, surface at {surface}"
        );
        most = most.max((surface - 0.5).abs());
    }
    assert!(most > 0.3, "the waves have no height: {most}");
}

/// Amplitudes, phases and axes: a regular wave along x, a vessel that heads across it.
#[test]
fn operators_act_along_and_about_the_axes_of_the_vessel() {
    let text = format!(
        r#"{SEA}
waves = {{ height = 2, period = 10 }}
[bodies.ship]
type = "kinematic"
position = [0, 0, 0.5]
rotation = {{ axis = [0, 0, 1], angle = "90 deg" }}
shape = {{ box = {{ size = [4, 2, 1] }} }}
[bodies.ship.path.rao]
periods = [8, 12]
surge = {{ amplitude = [0.4, 0.6], phase = ["80 deg", "100 deg"] }}
heave = {{ amplitude = [0.5, 1.0], phase = ["350 deg", "10 deg"] }}
roll = {{ amplitude = ["1 deg/m", "3 deg/m"], phase = ["-90 deg", "-90 deg"] }}
pitch = {{ amplitude = ["0.5 deg/m", "0.5 deg/m"] }}
"#
    );
    let mut built = build(&text);
    let ship = built.bodies[0].index();
    // at 10 s the frequency lies between those of 8 s and 12 s
    let [low, middle, high] = [12.0, 10.0, 8.0].map(|period| TAU / period);
    let part = (middle - low) / (high - low);
    let (heave, surge, roll) = (1.0 - 0.5 * part, 0.6 - 0.2 * part, 3.0 - 2.0 * part);
    let lag = |[a, b]: [f64; 2]| (a + (b - a) * part).to_radians();
    let (heave_lag, surge_lag) = (lag([10.0, -10.0]), lag([100.0, 80.0]));
    for _ in 0..600 {
        built.world.step();
        let (t, state) = (built.world.state().time, &built.world.state().bodies[ship]);
        let angle = middle * t;
        let z = 0.5 + heave * libm::cos(angle - heave_lag);
        // surge is along the heading, +y
        let y = surge * libm::cos(angle - surge_lag);
        assert!((state.position - DVec3::new(0.0, y, z)).length() < 1e-9, "{} at {t} s", state.position);
        let (yaw, pitch, rolled) = state.orientation.to_euler(EulerRot::ZYX);
        let wanted = [
            0.5 * PI,
            (0.5 * libm::cos(angle)).to_radians(),
            (roll * libm::cos(angle + 0.5 * PI)).to_radians(),
        ];
        for (found, wanted) in [yaw, pitch, rolled].into_iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-9, "{found} instead of {wanted} at {t} s");
        }
    }
}

#[test]
fn wrong_operators_are_rejected_with_a_remedy() {
    let ship = |waves: &str, rao: &str| {
        format!(
            "{SEA}\n{waves}\n[bodies.ship]\ntype = \"kinematic\"\nshape = {{ box = {{ size = [4, 2, 1] }} }}\n[bodies.ship.path]\nrao = {rao}\n"
        )
    };
    let one = "waves = { height = 1, period = 8 }";
    let cases = [
        (ship("", "{ periods = [8], heave = { amplitude = [1] } }"), "0 fluids have waves", "name a fluid"),
        (ship(one, "{ fluid = \"lake\", periods = [8] }"), "no fluid \"lake\" with waves", "name a fluid"),
        (ship(one, "{ periods = [8, 6] }"), "`periods` do not increase", "longer than the last"),
        (
            ship(one, "{ periods = [6, 8], heave = { amplitude = [1] } }"),
            "`heave` has 1 amplitudes and 2 phases for 2 periods",
            "one of each per period",
        ),
        (
            ship(
                "waves = { height = 1, period = 8, spectrum = \"jonswap\", spreading = 10 }",
                "{ periods = [8], heave = { amplitude = [1] } }",
            ),
            "several directions",
            "leave `spreading` out",
        ),
    ];
    for (text, message, help) in cases {
        let found = errors(&text);
        let told =
            |p: &Problem| p.message.contains(message) && p.help.as_ref().is_some_and(|h| h.contains(help));
        assert!(found.problems.iter().any(told), "{message}: {:?}", found.problems);
    }
}

/// Decay of the heave of a barge with a given fraction of critical damping.
#[test]
fn damping_ratios_are_those_of_the_decay() {
    let text = format!(
        r#"{SEA}
[bodies.barge]
position = [0, 0, 1.2]
shape = {{ box = {{ size = [20, 8, 3] }} }}
mass = "246 t"
[bodies.barge.fluid]
drag = {{ law = "none" }}
added_mass = {{ diagonal = [0, 0, 3e5, 5e5, 3e6, 0] }}
damping_ratio = {{ heave = 0.08 }}
[settings]
dt = 0.01
"#
    );
    let mut built = build(&text);
    let barge = built.bodies[0].index();
    // at rest at 0.5 + 0: released 0.7 m above
    let mut heights = Vec::new();
    for _ in 0..1600 {
        built.world.step();
        heights.push(built.world.state().bodies[barge].position.z - 0.5);
    }
    let peaks: Vec<f64> = heights.windows(3).filter(|w| w[1] > w[0] && w[1] >= w[2]).map(|w| w[1]).collect();
    let ratio = |a: f64, b: f64| {
        let decrement = libm::log(a / b);
        decrement / (TAU * TAU + decrement * decrement).sqrt()
    };
    // damping is in proportion to the immersed volume: 0.08 where it floats
    let found = ratio(peaks[1], peaks[2]);
    assert!((found - 0.08).abs() < 0.002, "{found}, peaks {peaks:?}");
}

#[test]
fn hydrostatics_of_a_barge_with_a_crane() {
    let text = format!(
        r#"{SEA}
[bodies.barge]
position = [0, 0, 0.5]
shape = {{ box = {{ size = [40, 15, 4] }} }}
mass = "600 t"
[bodies.crane]
position = [0, 0, 12.5]
shape = {{ box = {{ size = [2, 2, 20] }} }}
mass = "40 t"
[bodies.load]
position = [0, 12, 10]
shape = {{ sphere = {{ radius = 1 }} }}
mass = "10 t"
[joints.slew]
hinge = {{ bodies = ["barge", "crane"], at = [0, 0, 2.5], axis = [0, 0, 1] }}
[joints.rope]
distance = {{ bodies = ["crane", "load"], points = [[0, 12, 22], [0, 12, 11]], max = 11 }}
"#
    );
    let built = build(&text);
    let vessels = Vessel::all(&built.world);
    let [barge] = vessels.as_slice() else { panic!("{vessels:?}") };
    // the load hangs from the tip of the crane, 23.5 m above the keel and 12 m to port
    assert_eq!((barge.body.as_str(), barge.joined), ("barge", 1));
    assert!((barge.mass - 650e3).abs() < 1e-6 && (barge.hanging - 10e3).abs() < 1e-9, "{barge:?}");
    let draft = 650e3 / (1025.0 * 600.0);
    assert!((barge.draft - draft).abs() < 1e-9 && (barge.scene_draft - 2.0).abs() < 1e-12);
    let (kb, kg) = (0.5 * draft, (600.0 * 2.0 + 40.0 * 14.0 + 10.0 * 23.5) / 650.0);
    assert!((barge.kb - kb).abs() < 1e-9 && (barge.kg - kg).abs() < 1e-9);
    let bm = 15.0 * 15.0 / 12.0 / draft;
    assert!((barge.gm_transverse - (kb + bm - kg)).abs() < 1e-8, "{barge:?}");
    let [five, arm] = barge.righting_arms[1];
    let heel = 5.0_f64.to_radians();
    let wall = libm::sin(heel) * (barge.gm_transverse + 0.5 * bm * libm::tan(heel) * libm::tan(heel));
    let wall = wall + 10.0 * 12.0 / 650.0 * libm::cos(heel);
    assert!(five == 5.0 && (arm - wall).abs() < 1e-8, "{arm} instead of {wall}");
}

const PONTOONS: &str = r#"
[bodies.left]
position = [0, 4, -0.2]
shape = { box = { size = [12, 1, 1.5] } }
density = 300
fluid = { added_mass = { model = "none" }, damping_ratio = { heave = 0.1 } }
[bodies.right]
position = [0, -4, -0.2]
shape = { box = { size = [12, 1, 1.5] } }
density = 300
fluid = { added_mass = { model = "none" }, damping_ratio = { heave = 0.1 } }
[bodies.deck]
position = [0, 0, 1]
shape = { box = { size = [12, 9, 0.2] } }
mass = "6 t"
fluid = { added_mass = { model = "none" } }
[joints.a.weld]
bodies = ["deck", "left"]
[joints.b.weld]
bodies = ["deck", "right"]
"#;

/// Two pontoons under a deck are one vessel, as stable as their distance makes it.
#[test]
fn joined_hulls_are_one_vessel() {
    let text = format!("windlass = 2\n[fluids.w]\nmaterial = \"water\"\nsurface = 0\n{PONTOONS}");
    let built = build(&text);
    let vessels = Vessel::all(&built.world);
    let [both] = vessels.as_slice() else { panic!("{vessels:?}") };
    assert_eq!((both.body.as_str(), both.joined, both.hanging), ("left", 2, 0.0));
    let mass = 16.8e3;
    assert!((both.mass - mass).abs() < 1e-6 && (both.draft - 0.7).abs() < 1e-9, "{both:?}");
    let kg = (10.8 * 0.75 + 6.0 * 1.95) / 16.8;
    let bm = 2.0 * (12.0 / 12.0 + 12.0 * 16.0) / 16.8;
    assert!((both.gm_transverse - (0.35 + bm - kg)).abs() < 1e-8 && both.roll_period.is_some(), "{both:?}");
    // each pontoon has half of the damping of both: 0.1 of 2 √(k m), when it floats
    let critical = 2.0 * (1000.0 * 9.81 * 24.0 * mass).sqrt();
    for body in &Fluids::of(&built.world).unwrap().bodies[..2] {
        let afloat = body.damping.diagonal().0.z * 0.7 / 1.5;
        assert!((afloat / (0.05 * critical) - 1.0).abs() < 1e-9, "{afloat} of {critical}");
    }
}

/// A load on slings under a hook: its weight acts at the block above the hook, less its buoyancy.
#[test]
fn loads_hang_from_their_blocks() {
    let text = format!(
        r#"{SEA}
[bodies.barge]
position = [0, 0, 0.5]
shape = {{ box = {{ size = [40, 15, 4] }} }}
mass = "600 t"
[bodies.hook]
position = [30, 0, 5]
shape = {{ sphere = {{ radius = 0.2 }} }}
mass = "1 t"
[bodies.load]
position = [30, 0, -3]
shape = {{ box = {{ size = [2, 2, 2] }} }}
mass = "20 t"
[joints.hoist]
distance = {{ bodies = ["barge", "hook"], points = [[30, 0, 15], [30, 0, 5]], max = 10 }}
[joints.left]
distance = {{ bodies = ["hook", "load"], points = [[30, 0, 5], [30, 1, -2]], max = 8 }}
[joints.right]
distance = {{ bodies = ["hook", "load"], points = [[30, 0, 5], [30, -1, -2]], max = 8 }}
"#
    );
    let vessels = Vessel::all(&build(&text).world);
    let [barge] = vessels.as_slice() else { panic!("{vessels:?}") };
    let hanging = 21e3 - 8.0 * 1025.0;
    assert!((barge.hanging - hanging).abs() < 1e-6, "{barge:?}");
    let kg = (600e3 * 2.0 + hanging * 16.5) / (600e3 + hanging);
    assert!((barge.kg - kg).abs() < 1e-9 && (barge.displacement - 600e3 - hanging).abs() < 1e-3, "{barge:?}");
}

/// A hull of 1121 t and 45 × 18 m, which floats at a draft of 1.35 m: its middle at a height over that afloat.
fn hull(depth: f64, above: f64, shape: &str, dt: f64) -> String {
    let height = 0.5 * depth - 1121e3 / 1025.0 / 810.0 + above;
    format!(
        r#"windlass = 2
[settings]
dt = {dt}
[fluids.sea]
material = "seawater"
surface = 0
[bodies.hull]
position = [0, 0, {height}]
mass = "1121 t"
shape = {{ {shape} }}
[bodies.hull.fluid.drag]
law = "none"
"#
    )
}

/// Period of a free decay of heave from 2 cm above rest [s].
fn decay(depth: f64, shape: &str, dt: f64) -> f64 {
    let mut built = build(&hull(depth, 0.02, shape, dt));
    let body = built.bodies[0].index();
    let mut height = move || {
        built.world.step();
        let state = built.world.state();
        (state.time, state.bodies[body].position.z)
    };
    let rest = 0.5 * depth - 1121e3 / 1025.0 / 810.0;
    let (mut crossings, mut last) = (Vec::new(), (0.0, 0.02));
    while crossings.len() < 5 {
        let (time, z) = height();
        let off = z - rest;
        if last.1 * off < 0.0 {
            crossings.push(last.0 + (time - last.0) * last.1 / (last.1 - off));
        }
        last = (time, off);
        assert!(time < 60.0, "it does not oscillate");
    }
    0.5 * (crossings[4] - crossings[0])
}

/// The heave period of a hull is that of its wet part, half of the double body of twice the draft. By hand: a plate of 45 × 18 m
/// moves κ ¼π ρ a² b = 0.80 · 11.74e6 kg, a box of it 2.7 m thick 1.17 times that, and T = 2π √((m + ½ A)/(ρ g A_w)) = 5.66 s.
/// It was 7.15 s for a hull 1.5 m deep and 3.52 s for one of 12 m.
#[test]
fn the_heave_period_of_a_hull_does_not_depend_on_its_freeboard() {
    let added: f64 = 0.5 * 0.80 * 11.74e6 * 1.17;
    let by_hand = TAU * ((1121e3 + added) / (1025.0 * 9.81 * 810.0)).sqrt();
    assert!((by_hand - 5.66).abs() < 0.02, "{by_hand}");
    let boxed = |depth: f64| format!("box = {{ size = [45, 18, {depth}] }}");
    let vessel = |text: &str| Vessel::all(&build(text).world)[0].clone();
    let first = vessel(&hull(1.5, 0.0, &boxed(1.5), 0.01));
    for depth in [1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0] {
        let found = vessel(&hull(depth, 0.0, &boxed(depth), 0.01));
        let (period, was) = (found.heave_period.unwrap(), first.heave_period.unwrap());
        assert!(
            (period / was - 1.0).abs() < 2e-3 && (period / by_hand - 1.0).abs() < 0.01,
            "{depth} m: {period} s"
        );
        assert!((found.heave_added_mass / added - 1.0).abs() < 0.03, "{} kg", found.heave_added_mass);
        assert!(found.roll_added_inertia > 0.0 && found.pitch_added_inertia > found.roll_added_inertia);
    }
    for (depth, dt) in [(1.5, 1.0 / 60.0), (4.0, 1.0 / 60.0), (12.0, 1.0 / 60.0), (2.0, 1e-3), (8.0, 1e-3)] {
        let found = decay(depth, &boxed(depth), dt);
        println!("{depth} m at {dt} s: {found} s");
        // the deck of the lowest hull is 15 cm above the water, and its added mass grows towards that of the whole body
        let within = if depth == 1.5 { 0.02 } else { 0.01 };
        assert!((found / by_hand - 1.0).abs() < within, "{depth} m at {dt} s: {found} s");
    }
}

/// The same of panels, and of a mesh: the convex hull of the corners.
#[test]
fn meshes_float_as_boxes_do() {
    let corners = |depth: f64| {
        let corner = |x: f64, y: f64| format!("[{x}, {y}, {}], [{x}, {y}, {}]", -0.5 * depth, 0.5 * depth);
        let all = [corner(22.5, 9.0), corner(-22.5, 9.0), corner(-22.5, -9.0), corner(22.5, -9.0)];
        format!("convex = {{ points = [{}] }}", all.join(", "))
    };
    let boxed = |depth: f64| format!("box = {{ size = [45, 18, {depth}] }}");
    let panels = |text: String| text + "\n[bodies.hull.fluid.added_mass]\nmodel = \"panels\"\n";
    let mut all = Vec::new();
    for depth in [2.0, 8.0] {
        for text in [panels(hull(depth, 0.0, &boxed(depth), 0.01)), hull(depth, 0.0, &corners(depth), 0.01)] {
            all.push(Vessel::all(&build(&text).world)[0].heave_period.unwrap());
        }
        all.push(decay(depth, &corners(depth), 1.0 / 60.0));
    }
    println!("{all:?}");
    // of the mesh of the wet hull, whatever is above it: the coarser triangles of a higher side give half a percent
    assert!(all.iter().all(|period| (period / 5.66 - 1.0).abs() < 0.03), "{all:?}");
    assert!(all.iter().all(|period| (period / all[0] - 1.0).abs() < 0.01), "{all:?}");
}

/// Upright cylinders at a draft of 1 m: ½ · 3.48 ρ r³ below the bottom, whatever stands above the water. Deep in the water they
/// have the added mass of their whole, as have bodies that sink.
#[test]
fn cylinders_afloat_and_deep_in_the_water() {
    let mass = 1025.0 * PI * 4.0;
    let text = |length: f64, z: f64, mass: f64| {
        format!(
            r#"windlass = 2
[fluids.sea]
material = "seawater"
surface = 0
[bodies.buoy]
position = [0, 0, {z}]
shape = {{ cylinder = {{ radius = 2, length = {length} }} }}
mass = {mass}
"#
        )
    };
    let by_hand = TAU * ((mass + 0.5 * 3.48 * 1025.0 * 8.0) / (1025.0 * 9.81 * PI * 4.0)).sqrt();
    for length in [1.3, 2.0, 5.0] {
        let afloat = build(&text(length, 0.5 * length - 1.0, mass));
        let found = Vessel::all(&afloat.world)[0].heave_period.unwrap();
        // 2 m in length is half a diameter of the double body: an entry of the table
        assert!((found / by_hand - 1.0).abs() < 2e-3, "{length} m: {found} s instead of {by_hand}");
        let [light, heavy] = [mass, 500e3].map(|mass| {
            let deep = build(&text(length, -20.0, mass));
            FluidReading::of(&deep.world, deep.bodies[0]).unwrap().added_mass
        });
        assert_eq!(light, heavy, "{length} m");
    }
}

/// A ship whose bow points another way has the same transverse and longitudinal properties.
#[test]
fn hydrostatics_do_not_depend_on_the_heading() {
    let ship = |heading: f64| {
        build(&format!(
            r#"{SEA}
[bodies.barge]
position = [3, 4, 0.2]
rotation = {{ axis = [0, 0, 1], angle = "{heading} deg" }}
shape = {{ box = {{ size = [40, 15, 4] }} }}
mass = "600 t"
fluid = {{ damping_ratio = {{ heave = 0.1, roll = 0.05, pitch = 0.07 }} }}
"#
        ))
    };
    let ahead = ship(0.0);
    let damping = |built: &Built| Fluids::of(&built.world).unwrap().bodies[0].damping.diagonal();
    let expected = &Vessel::all(&ahead.world)[0];
    for heading in [37.0, 90.0, 180.0, -128.0] {
        let turned = ship(heading);
        let found = &Vessel::all(&turned.world)[0];
        let pairs = [
            (found.gm_transverse, expected.gm_transverse),
            (found.gm_longitudinal, expected.gm_longitudinal),
            (found.roll_period.unwrap(), expected.roll_period.unwrap()),
            (found.pitch_period.unwrap(), expected.pitch_period.unwrap()),
            (found.righting_arms[4][1], expected.righting_arms[4][1]),
            (damping(&turned).1.x, damping(&ahead).1.x),
            (damping(&turned).1.y, damping(&ahead).1.y),
        ];
        for (found, expected) in pairs {
            assert!((found / expected - 1.0).abs() < 1e-9, "{heading}°: {found} instead of {expected}");
        }
    }
}

#[test]
fn doubtful_fluids_and_bodies_are_warned_about() {
    let text = format!(
        r#"{SEA}
[fluids.fog]
density = 1.3
surface = 30
[bodies.sunk]
position = [0, 0, -60]
shape = {{ sphere = {{ radius = 1 }} }}
density = 3000
[bodies.foam]
position = [5, 0, 0.5]
shape = {{ box = {{ size = [1, 1, 0.2] }} }}
density = 20
fluid = {{ added_mass = {{ model = "none" }} }}
[bodies.balloon]
position = [10, 0, 5]
shape = {{ sphere = {{ radius = 1 }} }}
density = 0.5
[bodies.ball]
position = [15, 0, 0]
shape = {{ sphere = {{ radius = 1 }} }}
density = 500
fluid = {{ drag = {{ law = "quadratic", coefficient = 0.47, area = 100 }} }}
[bodies.aground]
position = [25, 0, -18.5]
shape = {{ box = {{ size = [1, 1, 43] }} }}
density = 500
[bodies.plate]
position = [30, 0, 0]
shape = {{ box = {{ size = [1, 1, 0.1] }} }}
density = 500
fluid = {{ drag = {{ law = "axes", areas = [0.2, 0, 200] }} }}
[bodies.sound]
position = [20, 0, 0]
shape = {{ sphere = {{ radius = 1 }} }}
density = 500
"#
    );
    let found = build(&text).fluid_warnings();
    let names: Vec<&str> = found.iter().map(|w| w.name.as_str()).collect();
    assert_eq!(names, ["fog", "sunk", "foam", "balloon", "ball", "aground", "plate"], "{found:?}");
    let parts = [
        "leave `surface` out",
        "below the bottom of \"sea\"",
        "leave `added_mass` out",
        "below that of air",
        "frontal area",
        "0.50 m below the bottom of \"sea\"",
        "across z is 200.000 m²",
    ];
    for (warning, part) in found.iter().zip(parts) {
        assert!(warning.warning.contains(part), "{warning:?}");
    }
}

/// A massless rope has no drag: a span of 30 m across 2 m/s would have 12 kg/m of it, more than 5 % of a small tension.
#[test]
fn ropes_whose_drag_is_missing_are_warned_about() {
    let hoist = |mass: f64, stream: f64| {
        let text = format!(
            r#"{SEA}
current = {{ velocity = [{stream}, 0, 0], ramp = 20 }}
[bodies.top]
type = "static"
position = [0, 0, -4.5]
[bodies.load]
position = [0, 0, -35]
shape = {{ box = {{ size = [1, 1, 1] }} }}
mass = {mass}
[cables.hoist]
section = {{ material = "steel", diameter = "20 mm" }}
route = [{{ attach = "top", at = [0, 0, -4.5] }}, {{ attach = "load", at = [0, 0, -34.5] }}]
"#
        );
        let found = build(&text).fluid_warnings();
        found.iter().filter(|warning| warning.name == "hoist").count()
    };
    // ½ρ C D L U² = 1476 N; tensions of 19 kN and 87 kN in the water
    assert_eq!([hoist(3e3, 2.0), hoist(9.9e3, 2.0), hoist(3e3, 0.5)], [1, 0, 0]);
}
