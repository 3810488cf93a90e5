//! Probes: what they give, and what is said of bad ones.

use crate::desk;

use desk::{Desk, HANG, column, table};

/// Runs with probes and gives the log's path.
fn probed(desk: &Desk, scene: &str, probes: &[&str]) -> std::path::PathBuf {
    desk.write("scene.toml", scene);
    let mut arguments = vec!["run", "scene.toml", "-q", "--log", "log.csv"];
    probes.iter().for_each(|p| arguments.extend(["--probe", p]));
    desk.windlass(&arguments).ends(0);
    desk.path("log.csv")
}

#[test]
fn heads_have_names_and_units() {
    let desk = Desk::new();
    let probes = [
        "bodies.bob.position",
        "height=bodies.bob.position.z",
        "b=bodies.bob.velocity",
        "bodies.*ob.orientation.w",
        "speeds=bodies.*bob.speed",
        "joints.\"pin, top\".value",
        "joints.*.force.size",
        "distance(bodies.bob, bodies.\"side.bob\")",
        "energy.kinetic",
        "step.wall_time",
        "solver.redundant",
        "time",
    ];
    let (names, rows) = table(&probed(&desk, HANG, &probes));
    let wanted = [
        "time [s]",
        "bodies.bob.position.x [m]",
        "bodies.bob.position.y [m]",
        "bodies.bob.position.z [m]",
        "height [m]",
        "b.x [m/s]",
        "b.y [m/s]",
        "b.z [m/s]",
        "bodies.bob.orientation.w",
        "bodies.\"side.bob\".orientation.w",
        "speeds.bob [m/s]",
        "speeds.side.bob [m/s]",
        "joints.\"pin, top\".value [rad]",
        "joints.\"pin, top\".force.size [N]",
        "joints.rope.force.size [N]",
        "distance(bodies.bob, bodies.\"side.bob\") [m]",
        "energy.kinetic [J]",
        "step.wall_time [us]",
        "solver.redundant",
    ];
    assert_eq!(names, wanted);
    assert_eq!(rows.len(), 31);
}

#[test]
fn a_weight_at_rest_has_the_numbers_of_statics() {
    let desk = Desk::new();
    let probes = [
        "joints.rope.tension",
        "joints.rope.violation",
        "joints.rope.broken",
        "distance(bodies.bob, bodies.\"side.bob\")",
        "bodies.bob.tilt",
        "bodies.bob.kinetic_energy",
        "bodies.bob.acceleration.size",
        "energy.potential",
        "joints.\"pin, top\".1.speed",
        "solver.residual",
    ];
    let log = probed(&desk, HANG, &probes);
    let all = |name: &str, wanted: f64| {
        let numbers = column(&log, name);
        // stops give by 1e-8 of what they hold
        assert!(numbers.iter().all(|n| (n - wanted).abs() < 1e-6), "{name}: {numbers:?}");
    };
    all("joints.rope.tension [N]", 5.0 * 9.81);
    all("joints.rope.violation [m or rad]", 0.0);
    all("joints.rope.broken", 0.0);
    all("distance(bodies.bob, bodies.\"side.bob\") [m]", 18.0_f64.sqrt());
    all("bodies.bob.tilt [rad]", 0.0);
    all("bodies.bob.kinetic_energy [J]", 0.0);
    all("bodies.bob.acceleration.size [m/s^2]", 0.0);
    all("energy.potential [J]", -9.81 * (2.0 + 20.0));
    all("joints.\"pin, top\".1.speed [rad/s]", 0.0);
    let residual = column(&log, "solver.residual");
    assert!(residual[0].is_nan() && residual[1] >= 0.0, "there is no step before the first line");
}

/// A weight that a rope hoists steadily: how long the rope is, how fast it gets shorter, and what it bears.
#[test]
fn a_rope_has_one_coordinate() {
    let scene = "windlass = 2\n[settings]\nduration = 0.5\n[bodies.ground]\ntype = \"static\"\n[bodies.bob]\n\
                 position = [0, 0, -2]\nvelocity = [0, 0, 0.5]\nmass = 2\ninertia = [1, 1, 1]\n[joints.rope.distance]\n\
                 bodies = [\"ground\", \"bob\"]\npoints = [[0, 0, 0], [0, 0, -2]]\n\
                 max_length = { ramp = { start = 2, speed = -0.5 } }\n";
    let desk = Desk::new();
    let probes = ["joints.rope.value", "joints.rope.1.speed", "joints.rope.effort", "joints.rope.tension"];
    let log = probed(&desk, scene, &probes);
    let all = |name: &str, wanted: fn(f64) -> f64| {
        let numbers = column(&log, name);
        assert_eq!(numbers.len(), 31, "{name}");
        let near = |(k, n): (usize, &f64)| (n - wanted(k as f64 / 60.0)).abs() < 1e-6;
        assert!(numbers.iter().enumerate().all(near), "{name}: {numbers:?}");
    };
    all("joints.rope.value [m]", |t| 2.0 - 0.5 * t);
    all("joints.rope.1.speed [m/s]", |_| -0.5);
    all("joints.rope.effort [N]", |_| 2.0 * 9.81);
    all("joints.rope.tension [N]", |_| 2.0 * 9.81);
    // the same where nobody asks for anything
    desk.runs("run scene.toml -q --duration 0.1 --log all.csv").ends(0);
    let value = column(&desk.path("all.csv"), "joints.rope.1.value [m]");
    assert!((value[6] - 1.95).abs() < 1e-6, "{value:?}");
}

#[test]
fn a_spinning_body_has_the_numbers_of_dynamics() {
    // a cube about z, turned by 0.3 rad at the start, and flying
    let scene = "windlass = 2\n[settings]\nduration = 0.5\ngravity = [0, 0, 0]\n[bodies.cube]\n\
                 rotation = { axis = [0, 0, 1], angle = 0.3 }\nangular_velocity = [0, 0, 2]\nvelocity = [3, 0, 4]\n\
                 shape = { box = { size = [1, 1, 1] } }\nmass = 6\n";
    let desk = Desk::new();
    let probes = [
        "bodies.cube.speed",
        "bodies.cube.euler_angles",
        "bodies.cube.momentum",
        "bodies.cube.angular_momentum",
        "bodies.cube.kinetic_energy",
        "bodies.cube.angular_velocity.size",
        "energy.total",
    ];
    let log = probed(&desk, scene, &probes);
    let near = |name: &str, wanted: &dyn Fn(f64) -> f64| {
        for (t, n) in column(&log, "time [s]").iter().zip(column(&log, name)) {
            assert!((n - wanted(*t)).abs() < 1e-9, "{name} at {t}: {n}");
        }
    };
    near("bodies.cube.speed [m/s]", &|_| 5.0);
    near("bodies.cube.euler_angles.roll [rad]", &|_| 0.0);
    near("bodies.cube.euler_angles.pitch [rad]", &|_| 0.0);
    near("bodies.cube.euler_angles.yaw [rad]", &|t| 0.3 + 2.0 * t);
    near("bodies.cube.momentum.z [kg*m/s]", &|_| 24.0);
    near("bodies.cube.angular_momentum.z [kg*m^2/s]", &|_| 2.0);
    near("bodies.cube.kinetic_energy [J]", &|_| 75.0 + 2.0);
    near("bodies.cube.angular_velocity.size [rad/s]", &|_| 2.0);
    near("energy.total [J]", &|_| 77.0);
}

/// A bad probe and what is said of it.
const BAD: [(&str, &str); 22] = [
    (
        "bodies.bobb.position.z",
        "error: no body \"bobb\"\n    bodies.bobb.position.z\n           ^^^^\n  \
         help: did you mean \"bob\"? the bodies are ground, bob, side.bob\n",
    ),
    (
        "bodies.bob.positon",
        "error: bodies have no \"positon\"\n    bodies.bob.positon\n               ^^^^^^^\n  \
         help: did you mean \"position\"? the quantities are position, center_of_mass, orientation, euler_angles, tilt, velocity, \
         speed, acceleration, angular_velocity, angular_acceleration, momentum, angular_momentum, kinetic_energy, contact_force, contact_torque, \
         contact_points, …\n",
    ),
    (
        "bodies.side.bob.speed",
        "error: no body \"side\"\n    bodies.side.bob.speed\n           ^^^^\n  \
         help: names with dots are quoted: bodies.\"side.bob\"\n",
    ),
    (
        "bodies.bob.position.w",
        "error: \"position\" has no \"w\"\n    bodies.bob.position.w\n                        ^\n  \
         help: the components are x, y, z, size\n",
    ),
    (
        "bodies.bob.speed.x",
        "error: \"speed\" is one number\n    bodies.bob.speed.x\n                     ^\n  \
         help: write it without \".x\"\n",
    ),
    ("bodies", "error: which body?\n    bodies\n    ^^^^^^\n  help: the bodies are ground, bob, side.bob\n"),
    (
        "bodies.bob",
        "error: the quantity of this body is missing\n    bodies.bob\n           ^^^\n  help: the quantities are position",
    ),
    (
        "bodies.ground.kinetic_energy",
        "error: \"ground\" is not dynamic and has no kinetic_energy\n    bodies.ground.kinetic_energy\n           ^^^^^^\n  \
         help: only dynamic bodies have a mass\n",
    ),
    (
        "joints.rope.2.value",
        "error: joint \"rope\" has 1 coordinate\n    joints.rope.2.value\n                ^\n  \
         help: they are numbered from 1 to 1\n",
    ),
    (
        "joints.rope.1.force",
        "error: \"force\" is not a quantity of a coordinate\n    joints.rope.1.force\n                ^\n  \
         help: write joints.NAME.1.value, .speed or .effort\n",
    ),
    (
        "joints.\"pin, top\".tension",
        "error: joint \"pin, top\" has no tension\n    joints.\"pin, top\".tension\n           ^^^^^^^^^^\n  \
         help: distance joints and ropes have one; for other joints use force\n",
    ),
    (
        "joints.rope.tension.z",
        "error: nothing may follow here\n    joints.rope.tension.z\n                        ^\n  \
         help: leave it out; names with dots are quoted\n",
    ),
    (
        "energy.totl",
        "error: no \"energy.totl\"\n    energy.totl\n           ^^^^\n  \
         help: did you mean \"total\"? the parts of \"energy\" are total, kinetic, potential, elastic\n",
    ),
    (
        "body.bob.speed",
        "error: nothing is called \"body\"\n    body.bob.speed\n    ^^^^\n  \
         help: the groups are bodies, joints, cables, winches, inputs, fluids, grounds, tools, bins, wheels, tracks, controllers, rules, \
         energy, contacts, step, …\n",
    ),
    (
        "bodies.\"bob.speed",
        "error: this quote is not closed\n    bodies.\"bob.speed\n           ^^^^^^^^^^\n",
    ),
    ("distance(bodies.bob)", "error: a distance is between two bodies\n"),
    ("distance(bodies.bob, bodies.*)", "error: a distance needs one body at each end\n"),
    ("distance(bodies.bob, joints.rope)", "error: a distance is between two bodies\n"),
    ("z=", "error: a word is missing here\n    z=\n     ^\n"),
    ("=time", "error: no label before =\n    =time\n    ^\n"),
    ("bodies..z", "error: a word is missing here\n    bodies..z\n          ^\n"),
    ("bodies.zzz*.speed", "error: no body \"zzz*\"\n"),
];

#[test]
fn bad_probes_are_underlined() {
    let desk = Desk::new();
    desk.write("hang.toml", HANG);
    for (probe, wanted) in BAD {
        let ran = desk.windlass(&["run", "hang.toml", "--log", "x.csv", "--probe", probe]).ends(2);
        assert!(ran.err().starts_with(wanted), "{probe}:\n{}\nnot\n{wanted}", ran.err());
        assert!(!desk.path("x.csv").exists(), "nothing is written");
    }
    // all of them at once
    let all: Vec<_> = BAD.iter().flat_map(|(probe, _)| ["--probe", probe]).collect();
    let arguments: Vec<_> = ["run", "hang.toml", "--log", "x.csv"].into_iter().chain(all).collect();
    assert_eq!(desk.windlass(&arguments).ends(2).err().matches("error: ").count(), BAD.len());
}

#[test]
fn two_columns_of_one_name_are_refused_and_one_asked_twice_is_there_once() {
    let desk = Desk::new();
    desk.write("hang.toml", HANG);
    let arguments = ["run", "hang.toml", "--log", "x.csv", "--probe", "a=bodies.bob.speed", "--probe"];
    let twice: Vec<_> = arguments.into_iter().chain(["a=bodies.bob.tilt"]).collect();
    desk.windlass(&twice).ends(2).says(&["two columns are called \"a\"", "another label"]);
    let (names, _) = table(&probed(&desk, HANG, &["bodies.bob.speed", "bodies.b*.speed"]));
    assert_eq!(names, ["time [s]", "bodies.bob.speed [m/s]"]);
}
