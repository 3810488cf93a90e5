//! `windlass modes`, `linearize`, `trim` and `fit`.

use crate::desk::{Desk, HANG, example};

const SPRING: &str = r#"
windlass = 2
[settings]
dt = "10 ms"
duration = 2
gravity = [0, 0, 0]
[bodies.wall]
type = "static"
[bodies.block]
position = [1, 0, 0]
velocity = [1, 0, 0]
mass = "2 kg"
inertia = [1, 1, 1]
[joints.guide]
slider = { bodies = ["wall", "block"], axis = [1, 0, 0], spring = { stiffness = "50 N/m" } }
"#;

#[test]
fn modes_are_those_of_the_spring() {
    let desk = Desk::new();
    desk.write("spring.toml", &SPRING.replace("velocity = [1, 0, 0]", ""));
    // ω = 5 rad/s; the step of 10 ms moves as by the midpoint rule, atan(ωh/2)/πh
    desk.runs("modes spring.toml").ends(0).says(&[
        "1 degree of freedom",
        "oscillating",
        "0.7956",
        "block 100 %",
    ]);
    let json = desk.runs("modes spring.toml --json").ends(0).json();
    let frequency = json["modes"][0]["frequency"].as_f64().unwrap();
    let midpoint = libm::atan(5.0 * 0.01 / 2.0) / (std::f64::consts::PI * 0.01);
    assert!((frequency / midpoint - 1.0).abs() < 1e-9, "{frequency}");
    assert_eq!(json["modes"][0]["shape"][0]["displacement"][0], 1.0);
    assert_eq!(json["warnings"].as_array().map(Vec::len), Some(0));
    desk.runs("modes spring.toml --dt 0.15").ends(0).says(&["does not resolve 1 of the modes"]);
}

/// A vehicle has many motions that end within a step.
#[test]
fn modes_of_a_vehicle_are_found() {
    let desk = Desk::new();
    desk.runs(&format!("modes {} --most 3", example("../vehicle/sedan")))
        .ends(0)
        .says(&["degrees of freedom"]);
}

#[test]
fn matrices_are_printed_and_written() {
    let desk = Desk::new();
    desk.write("spring.toml", &SPRING.replace("velocity = [1, 0, 0]", ""));
    let line = "linearize spring.toml --output bodies.block.position.x -o lin.json --continuous logarithm";
    desk.runs(line).ends(0).says(&[
        "joints.guide.value [m]",
        "\nA\n",
        "\nC\n",
        "continuous model, logarithm",
    ]);
    let file: serde_json::Value = serde_json::from_str(&desk.read("lin.json")).expect("JSON");
    assert_eq!((file["json_version"].as_u64(), file["states"][1]["unit"].as_str()), (Some(2), Some("m/s")));
    let stiffness = file["continuous"]["a"][1][0].as_f64().unwrap();
    // −k/m with the error of the step, (ω h)²/12
    assert!((stiffness / -25.0 - 1.0).abs() < 1e-3, "{stiffness}");
    desk.runs("linearize spring.toml -o none/lin.json").ends(1).says(&["cannot write"]);
    desk.runs("linearize spring.toml --input lift").ends(2).says(&["no input \"lift\""]);
    desk.runs("linearize spring.toml --output bodies.blok.speed").ends(2).says(&["blok"]);
    desk.runs("linearize spring.toml --step 0").ends(2).says(&["1e-4"]);
}

#[test]
fn a_state_is_chosen_by_time_or_equilibrium() {
    let desk = Desk::new();
    let swing = example("pendulum");
    desk.windlass(&["modes", &swing, "--at", "0.5 s"]).ends(0).says(&["not an equilibrium"]);
    let rests = desk.windlass(&["modes", &swing, "--equilibrium"]).ends(0);
    assert!(!rests.out().contains("warning"), "{}", rests.out());
    desk.windlass(&["trim", &swing]).ends(0).says(&["in equilibrium", "joints.pivot.value", "rad"]);
    desk.windlass(&["trim", &swing, "--input", "x"]).ends(2).says(&["no input \"x\""]);
    // a block that nothing stops falling
    desk.write("falls.toml", "windlass = 2\n[bodies.block]\nmass = 1\ninertia = [1, 1, 1]\n");
    desk.runs("trim falls.toml").ends(3).says(&["no equilibrium"]);
    desk.runs("modes falls.toml --equilibrium").ends(2).says(&["no equilibrium", "--at"]);
    desk.write("still.toml", "windlass = 2\n[bodies.ground]\ntype = \"static\"\n");
    desk.runs("modes still.toml").ends(2).says(&["no dynamic body"]);
}

#[test]
fn a_mass_is_fitted_and_bad_data_are_rejected() {
    let desk = Desk::new();
    desk.write("spring.toml", SPRING);
    desk.runs(
        "run spring.toml --set bodies.block.mass=2.6 --log data.csv --probe bodies.block.position.x -q",
    )
    .ends(0);
    let fit = "fit spring.toml data.csv --parameter";
    desk.windlass(&["fit", "spring.toml", "data.csv", "--parameter", "bodies.block.mass=1..4 kg"])
        .ends(0)
        .says(&["converged", "2.6 kg", "bodies.block.position.x"]);
    let json = desk.runs(&format!("{fit} bodies.block.mass=1..4 --json")).ends(0).json();
    let mass = json["parameters"][0]["value"].as_f64().unwrap();
    assert!((mass - 2.6).abs() < 1e-5, "{mass}");
    desk.runs(&format!("{fit} bodies.blok.mass=1..4")).ends(2).says(&["blok"]);
    desk.runs(&format!("{fit} bodies.block.mass=4..1")).ends(2).says(&["smaller one first"]);
    desk.runs(&format!("{fit} bodies.block.mass=1..4 --measure speed"))
        .ends(2)
        .says(&["no column \"speed\""]);
    // in other units, which are those of the heads
    let log = desk.read("data.csv");
    let other: Vec<String> = log
        .lines()
        .map(|line| {
            match line.split_once(',').and_then(|(t, x)| t.parse::<f64>().ok().zip(x.parse::<f64>().ok())) {
                Some((t, x)) => format!("{},{}", 1e3 * t, 1e3 * x),
                None => "time [ms],bodies.block.position.x [mm]".to_string(),
            }
        })
        .collect();
    desk.write("other.csv", &other.join("\n"));
    let json =
        desk.runs("fit spring.toml other.csv --parameter bodies.block.mass=1..4 --json").ends(0).json();
    let mass = json["parameters"][0]["value"].as_f64().unwrap();
    assert!((mass - 2.6).abs() < 1e-5, "{mass}");
    desk.write("wrong.csv", &log.replace("[m]", "[kg]"));
    desk.runs("fit spring.toml wrong.csv --parameter bodies.block.mass=1..4")
        .ends(2)
        .says(&["\"kg\" is a mass, not a length"]);
    desk.write("none.csv", "bodies.block.position.x\n1\n2\n");
    desk.runs("fit spring.toml none.csv --parameter bodies.block.mass=1..4")
        .ends(2)
        .says(&["no column `time`"]);
    desk.write("back.csv", "time,bodies.block.position.x\n0,1\n0,2\n1,2\n");
    desk.runs("fit spring.toml back.csv --parameter bodies.block.mass=1..4").ends(2).says(&["must ascend"]);
    desk.runs("fit spring.toml lost.csv --parameter bodies.block.mass=1..4").ends(1).says(&["cannot read"]);
    desk.write("hang.toml", HANG);
    desk.runs("fit hang.toml data.csv --parameter bodies.bob.mass=1..4").ends(2).says(&["block"]);
}
