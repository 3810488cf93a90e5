//! Probes of fluids against closed forms, and bodies that hit the water.

use windlass_host::{Ending, Machine, Plan, SceneSource};

fn open(text: &str) -> Machine {
    Machine::open(SceneSource::text(text, "test.toml"), &[]).unwrap_or_else(|e| panic!("{e}"))
}

fn read(machine: &mut Machine, probes: &[&str]) -> Vec<f64> {
    let outputs = machine.outputs(probes).unwrap_or_else(|e| panic!("{}", e[0]));
    let mut values = vec![f64::NAN; outputs.len()];
    machine.read(&outputs, &mut values);
    values
}

/// A light ball loses nearly all its energy as it enters: nothing gains any.
#[test]
fn a_light_ball_may_be_thrown_into_the_sea() {
    for (radius, density, speed) in [(0.3, 1.0, 30.0), (0.05, 1.0, 50.0), (1.0, 2.0, 30.0)] {
        let text = format!(
            "windlass = 2\n[fluids.sea]\nmaterial = \"seawater\"\nsurface = 0\n[bodies.ball]\n\
             shape = {{ sphere = {{ radius = {radius} }} }}\ndensity = {density}\n\
             position = [0, 0, {}]\nvelocity = [0, 0, {}]\n",
            1.03 + radius,
            -speed
        );
        let ending = open(&text).run(Plan::steps(120), &mut (), &mut []).ending;
        if let Ending::Fault(fault) = ending {
            panic!("radius {radius}, density {density}: {fault}");
        }
    }
}

const WATER: &str = r#"
windlass = 2
[fluids.sea]
material = "water"
surface = 0
depth = 50
current = { depths = [0, 20], velocities = [[2, 1, 0], [0, 1, 0]] }
[fluids.air]
material = "air"
wind = { speed = 12, profile = "uniform" }
[bodies.ball]
position = [0, 0, -30]
shape = { sphere = { radius = 0.5 } }
density = 500
fluid = { drag = { law = "none" } }
[cables.line]
section = { material = "steel", diameter = "20 mm" }
start = { body = "post" }
path = [[0, 5, -10], [8, 5, -10]]
elements = 8
[bodies.post]
type = "static"
"#;

#[test]
fn fluids_have_velocities_where_they_are() {
    let mut machine = open(WATER);
    let found = read(&mut machine, &["fluids.sea.velocity(3, 0, -5)", "fluids.sea.velocity(0, 0, -30).size"]);
    assert_eq!(found, [1.5, 1.0, 0.0, 1.0]);
    let found = read(&mut machine, &["fluids.air.velocity(0, 0, 5).x", "fluids.sea.velocity(0, 0, 5).x"]);
    assert!(found[0] == 12.0 && found[1].is_nan(), "{found:?}");
    let names = |probe: &str| -> Vec<String> {
        let outputs = machine.outputs(&[probe]).expect(probe);
        outputs.columns().iter().map(|column| column.name.clone()).collect()
    };
    assert_eq!(names("flow = fluids.sea.velocity(3, 0, -5)"), ["flow.x", "flow.y", "flow.z"]);
    assert_eq!(names("flow = fluids.sea.velocity(3, 0, -5).size"), ["flow"]);
    assert_eq!(names("fluids.sea.velocity(3, 0, -5).y"), ["fluids.sea.velocity(3, 0, -5).y"]);
    for (probe, message) in [
        ("fluids.lake.velocity(0, 0, 0)", "no fluid is called \"lake\""),
        ("fluids.sea.velocity(0, 0)", "three coordinates"),
        ("fluids.sea.velocity(0, 0, 0).w", "has no \".w\""),
        ("fluids.sea.depth(0, 0)", "fluids have no \"depth\""),
    ] {
        let problems = machine.outputs(&[probe]).map(|_| ()).expect_err(probe);
        assert!(problems[0].to_string().contains(message), "{}", problems[0]);
    }
}

/// −½ρV a of a sphere that rises, and ½ρ C D U² per metre of a line at rest across a current.
#[test]
fn forces_of_fluids_have_their_closed_forms() {
    let mut machine = open(WATER);
    let probes = [
        "bodies.ball.added_mass_force.z",
        "bodies.ball.acceleration.z",
        "bodies.ball.added_mass",
        "cables.line.drag(4)",
    ];
    let start = read(&mut machine, &probes);
    // across the line there is 1 m/s along y; along it 1 m/s, on the circumference
    let (across, along) = (0.5 * 1000.0 * 1.2 * 0.02, 0.5 * 1000.0 * 0.01 * std::f64::consts::PI * 0.02);
    let drag = f64::hypot(across, along);
    assert!((start[3] / drag - 1.0).abs() < 1e-9, "{} instead of {drag}", start[3]);
    for _ in 0..30 {
        let found = read(&mut machine, &probes);
        let (force, expected) = (found[0], -found[2] * found[1]);
        assert!((force / expected - 1.0).abs() < 1e-9, "{force} instead of {expected}");
        assert!((found[1] - 9.81 / 2.0).abs() < 1e-6, "acceleration {}", found[1]);
        machine.step().unwrap_or_else(|e| panic!("{e}"));
    }
}
