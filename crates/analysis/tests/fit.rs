//! Parameters are found again from synthetic data, and those that cannot be are named.

use windlass_analysis::fit::{Experiment, Fit, FitError, Measure, Parameter, fit};
use windlass_host::{Machine, SceneSource};
use windlass_scene::Override;

/// A lift: a cage on a guide with dry and viscous friction, pulled by a servo of known stiffness; its target moves.
const LIFT: &str = r#"
    windlass = 2
    [settings]
    dt = 0.01
    gravity = [0, 0, -9.81]
    collide = false
    [parameters]
    mass = 900
    [bodies.shaft]
    type = "static"
    [bodies.cage]
    mass = "= mass * 1 kg"
    inertia = [500, 500, 500]
    [joints.guide]
    slider = { bodies = ["shaft", "cage"], axis = [0, 0, 1], friction = "400 N", damping = "700 N*s/m", servo = { target = 0, stiffness = "60 kN/m" } }
    [inputs.hoist]
    range = [-10, 10]
    drives = [{ joint = "guide" }]
    [[script]]
    at = 0.5
    set = { hoist = 1.5 }
    duration = 1.5
    [[script]]
    at = 4
    set = { hoist = 0.2 }
    duration = 1
"#;

fn open(text: &str, set: &[Override]) -> Machine {
    Machine::open(SceneSource::text(text, "lift.toml"), set).unwrap_or_else(|e| panic!("{e}"))
}

/// Data of a run, with noise of a part of the spread of each column: uniform numbers of SplitMix64, summed to normal
/// ones.
fn measured(text: &str, probes: &[&str], seconds: f64, noise: f64) -> Experiment {
    let mut machine = open(text, &[]);
    let outputs = machine.outputs(probes).unwrap();
    let mut now = vec![0.0; probes.len()];
    let mut columns = vec![Vec::new(); probes.len()];
    let mut times = Vec::new();
    while machine.time() < seconds {
        machine.read(&outputs, &mut now);
        times.push(machine.time());
        columns.iter_mut().zip(&now).for_each(|(column, x)| column.push(*x));
        machine.step().unwrap();
    }
    let mut counter = 0;
    let mut normal = || {
        let uniform = |k: u64| windlass_engine::math::split_mix_64(k) as f64 / u64::MAX as f64;
        let sum: f64 = (0..12).map(|k| uniform(counter + k)).sum();
        counter += 12;
        sum - 6.0
    };
    let measures = probes.iter().zip(columns).map(|(probe, column)| {
        let mean = column.iter().sum::<f64>() / column.len() as f64;
        let spread =
            libm::sqrt(column.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / column.len() as f64);
        Measure {
            probe: probe.to_string(),
            values: column.iter().map(|x| x + noise * spread * normal()).collect(),
        }
    });
    Experiment { measures: measures.collect(), times, drives: Vec::new() }
}

fn fitted(text: &str, experiment: &Experiment, parameters: &[&str]) -> Result<Fit, FitError> {
    let parameters: Vec<Parameter> = parameters.iter().map(|p| p.parse().unwrap()).collect();
    fit(&|set| Machine::open(SceneSource::text(text, "lift.toml"), set), experiment, &parameters, &|| false)
}

#[test]
fn mass_friction_and_damping_of_a_lift_are_found() {
    let data = measured(LIFT, &["joints.guide.value", "joints.guide.speed"], 7.0, 0.01);
    let found = fitted(
        LIFT,
        &data,
        &[
            "bodies.cage.mass=500..2000 kg",
            "joints.guide.slider.friction=0..1500 N",
            "joints.guide.slider.damping=0.1..3 kN*s/m",
        ],
    )
    .unwrap();
    assert!(found.converged && found.indistinct.is_empty(), "{found:?}");
    for (estimate, truth) in found.estimates.iter().zip([900.0, 400.0, 0.7]) {
        assert!((estimate.value / truth - 1.0).abs() < 0.02, "{estimate:?}");
        let [low, high] = estimate.interval.unwrap();
        // 95 % intervals: twice their width holds the truth in all but one of ten thousand cases
        let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
        assert!((middle - truth).abs() < 2.0 * half, "{estimate:?}");
        assert!(half < 0.05 * truth, "{estimate:?}");
    }
}

/// A spring moves a mass: the motion depends on their quotient alone.
const QUOTIENT: &str = r#"
    windlass = 2
    [settings]
    dt = 0.01
    gravity = [0, 0, 0]
    [bodies.wall]
    type = "static"
    [bodies.block]
    position = [1, 0, 0]
    mass = 2
    velocity = [1, 0, 0]
    inertia = [1, 1, 1]
    [joints.guide]
    slider = { bodies = ["wall", "block"], axis = [1, 0, 0], spring = { stiffness = 50 } }
"#;

#[test]
fn parameters_that_only_act_together_are_named() {
    let data = measured(QUOTIENT, &["bodies.block.position.x"], 3.0, 0.0);
    let parameters = ["bodies.block.mass=1..4 kg", "joints.guide.slider.spring.stiffness=20..90 N/m"];
    let found = fitted(QUOTIENT, &data, &parameters).unwrap();
    let [group] = found.indistinct.as_slice() else { panic!("{found:?}") };
    assert_eq!(group.keys, ["bodies.block.mass", "joints.guide.slider.spring.stiffness"]);
    // both by the same part
    assert!((group.direction[0] / group.direction[1] - 1.0).abs() < 0.02, "{group:?}");
    assert!(found.estimates.iter().all(|e| e.interval.is_none()), "{found:?}");
    let quotient = found.estimates[1].value / found.estimates[0].value;
    assert!((quotient / 25.0 - 1.0).abs() < 1e-4, "{found:?}");
}

/// Damping of a rotation that a slider prevents has no effect, whether it is fitted alone or beside the mass.
#[test]
fn parameters_without_effect_are_named() {
    let data = measured(QUOTIENT, &["bodies.block.position.x"], 3.0, 0.0);
    let key = "bodies.block.angular_damping";
    let found =
        fitted(QUOTIENT, &data, &["bodies.block.mass=1..4 kg", "bodies.block.angular_damping=0..3 Hz"])
            .unwrap();
    assert_eq!(found.indistinct[0].keys, [key], "{found:?}");
    assert!(
        (found.estimates[0].value - 2.0).abs() < 1e-5 && found.estimates[0].interval.is_some(),
        "{found:?}"
    );
    let found = fitted(QUOTIENT, &data, &["bodies.block.angular_damping=0..3 Hz"]).unwrap();
    assert_eq!(found.indistinct[0].keys, [key], "{found:?}");
    assert!(found.estimates[0].interval.is_none());
}

#[test]
fn data_that_cannot_be_used_are_rejected() {
    let data = measured(QUOTIENT, &["bodies.block.position.x"], 0.1, 0.0);
    let told =
        |data: &Experiment, parameter: &str| fitted(QUOTIENT, data, &[parameter]).unwrap_err().to_string();
    assert!(told(&data, "bodies.blok.mass=1..4 kg").contains("blok"));
    assert!(told(&data, "bodies.block.mass=1..4 m").contains("kg"));
    let mut wrong = data.clone();
    wrong.times[3] = wrong.times[2];
    assert!(told(&wrong, "bodies.block.mass=1..4 kg").contains("must ascend"));
    let mut wrong = data.clone();
    wrong.measures[0].probe = "bodies.block.positon.x".to_string();
    assert!(told(&wrong, "bodies.block.mass=1..4 kg").contains("position"));
    let mut wrong = data.clone();
    wrong.measures[0].values.fill(f64::NAN);
    assert!(told(&wrong, "bodies.block.mass=1..4 kg").contains("no numbers"));
    assert!(matches!(fitted(QUOTIENT, &data, &[]), Err(FitError::Data(_))));
    // a run of 1e300 s would not end
    for (last, words) in
        [(1e300, "times below 1e10"), (f64::INFINITY, "must be numbers"), (f64::NAN, "must ascend")]
    {
        let mut wrong = data.clone();
        *wrong.times.last_mut().unwrap() = last;
        let found = told(&wrong, "bodies.block.mass=1..4 kg");
        assert!(found.contains(words), "{last}: {found}");
    }
}
