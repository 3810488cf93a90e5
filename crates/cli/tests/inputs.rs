//! Inputs from the command line: held, from a table, by chance; recorded, repeated, and taken out of a recording.

use crate::desk;

use desk::Desk;
use std::path::Path;

fn crane() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/crane/operated.toml");
    path.display().to_string()
}

/// Runs the crane with more arguments.
fn run(desk: &Desk, more: &str) -> desk::Ran {
    let crane = crane();
    let all: Vec<&str> = ["run", &crane].into_iter().chain(more.split_whitespace()).collect();
    desk.windlass(&all)
}

/// The numbers of a column.
fn column(table: &str, name: &str) -> Vec<f64> {
    let head = table.lines().next().expect("a head");
    let place = head.split(',').position(|h| h.split(" [").next() == Some(name));
    let place = place.unwrap_or_else(|| panic!("no {name} in {head}"));
    table
        .lines()
        .skip(1)
        .map(|line| line.split(',').nth(place).expect("a cell").parse().expect("a number"))
        .collect()
}

#[test]
fn what_was_done_with_the_levers_can_be_taken_out_and_done_again() {
    let desk = Desk::new();
    run(&desk, "--duration 8 --record a.wlr --log a.csv").ends(0);
    desk.runs("verify a.wlr").ends(0).says(&["481 frames repeated"]);
    desk.runs("log a.wlr -o drive.csv --inputs").ends(0);
    // the script jumps thrice in that time
    let expected = "time [s],hoist [m/s],luff [m/s],slew [rad/s]\n0.0,0.0,0.0,0.0\n";
    let drive = desk.read("drive.csv");
    assert!(drive.starts_with(expected), "{drive}");
    assert_eq!(drive.lines().count(), 5, "{drive}");
    run(&desk, "--duration 8 --input-table drive.csv --record b.wlr --log b.csv").ends(0);
    // all but forces: those of the instant at which a lever is moved are those before a hand moves it, and after a script does
    for name in ["height", "lever", "winch"] {
        assert_eq!(column(&desk.read("b.csv"), name), column(&desk.read("a.csv"), name), "{name}");
    }
    desk.runs("verify b.wlr --from-keyframes").ends(0).says(&["481 frames repeated"]);
    desk.runs("info b.wlr").ends(0).says(&["hoist, changed 2 times", "slew, changed 2 times"]);
    // and again out of that
    desk.runs("log b.wlr -o again.csv --inputs").ends(0);
    assert_eq!(desk.read("again.csv"), drive);
    // the rope at 1.5 m/s, by a ramp of 0.5 m/s²
    let (lever, winch) = (column(&desk.read("a.csv"), "lever"), column(&desk.read("a.csv"), "winch"));
    assert_eq!((lever[60], lever[61]), (0.0, 1.5));
    assert!((winch[120] - 0.5).abs() < 1e-9 && winch[300] == 1.5, "{} {}", winch[120], winch[300]);
}

#[test]
fn a_random_operator_does_the_same_again_and_is_recorded() {
    let desk = Desk::new();
    let hash = |ran: desk::Ran| ran.ends(0).out().lines().last().expect("a hash").to_string();
    let first = hash(run(&desk, "--duration 20 --random-operator 7 --record a.wlr --check-restore"));
    assert_eq!(hash(run(&desk, "--duration 20 --random-operator 7 --threads 1")), first);
    assert_ne!(hash(run(&desk, "--duration 20 --random-operator 8")), first);
    desk.runs("verify a.wlr").ends(0).says(&["1201 frames repeated"]);
    desk.runs("verify a.wlr --from-keyframes").ends(0);
    let json = desk.runs("info a.wlr --json").ends(0).json();
    assert!(json["input_changes"]["slew"].as_u64().expect("moves") >= 4, "{}", json["input_changes"]);
    // moves need no states of their own: one a second
    assert!(json["keyframes"].as_u64().expect("states") <= 21, "{}", json["keyframes"]);
}

#[test]
fn an_input_can_be_held_with_its_unit_and_the_script_leaves_it_alone() {
    let desk = Desk::new();
    let crane = crane();
    let probe = ["--log", "a.csv", "--probe", "inputs.*", "--probe", "inputs.slew.actual"];
    let held = ["run", &crane, "--duration", "8", "--input", "slew=-0.3 rpm"];
    desk.windlass(&[&held[..], &probe[..]].concat()).ends(0);
    let table = desk.read("a.csv");
    let head = table.lines().next().expect("a head");
    assert_eq!(
        head,
        "time [s],inputs.hoist [m/s],inputs.luff [m/s],inputs.slew [rad/s],inputs.slew.actual [rad/s]"
    );
    let (slew, hoist) = (column(&table, "inputs.slew"), column(&table, "inputs.hoist"));
    let wanted = -0.3 * std::f64::consts::TAU / 60.0;
    assert!(slew[1..].iter().all(|w| (w - wanted).abs() < 1e-15), "{slew:?}");
    assert_eq!((hoist[60], hoist[61]), (0.0, 1.5), "the script has the others");
    assert!((column(&table, "inputs.slew.actual")[60] + 0.015).abs() < 1e-12);
}

#[test]
fn tables_hold_or_join_and_may_have_other_units() {
    let desk = Desk::new();
    desk.write("drive.csv", "time,hoist [mm/s],inputs.slew\n0,0,0.01\n2,1000,\n");
    let logged = "--duration 4 --input-table drive.csv --log a.csv --probe inputs.hoist";
    run(&desk, logged).ends(0);
    let steps = column(&desk.read("a.csv"), "inputs.hoist");
    assert_eq!((steps[60], steps[120], steps[121]), (0.0, 0.0, 1.0));
    run(&desk, &format!("{logged} --interpolate linear")).ends(0);
    let linear = column(&desk.read("a.csv"), "inputs.hoist");
    assert!((linear[60] - 0.5).abs() < 1e-9 && linear[121] == 1.0, "{} {}", linear[60], linear[121]);
}

#[test]
fn the_levers_of_a_scene_are_listed() {
    let desk = Desk::new();
    let crane = crane();
    desk.windlass(&["info", &crane]).ends(0).says(&[
        "inputs              hoist (Hoist): -1.5 to 1.5 m/s, rate limit 0.5 per second, returns to 0, keys Up and Down, gamepad left-y, scripted",
        "keys Left and Right",
    ]);
    let json = desk.windlass(&["info", &crane, "--json"]).ends(0).json();
    assert_eq!((&json["inputs"][2]["name"], &json["inputs"][2]["keys"][0]), (&"slew".into(), &"Left".into()));
    desk.windlass(&["info", &crane, "--probes"]).ends(0).says(&["inputs.NAME.actual", "inputs: hoist (m/s)"]);
}

#[test]
fn what_is_wrong_with_levers_is_told() {
    let desk = Desk::new();
    run(&desk, "--input hoits=1").ends(2).says(&["no input \"hoits\": did you mean \"hoist\"?"]);
    run(&desk, "--input hoist=2").ends(2).says(&["2 is outside of its range: give -1.5 to 1.5 m/s"]);
    run(&desk, "--input hoist=1rpm").ends(2).says(&["hoist:", "m/s"]);
    run(&desk, "--input hoist=1 --input hoist=0").ends(2).says(&["held twice"]);
    run(&desk, "--input-table none.csv").ends(1).says(&["cannot read none.csv"]);
    desk.write("a.csv", "time,hoist\n0,0\n1,9\n");
    run(&desk, "--input-table a.csv")
        .ends(2)
        .says(&["a.csv: line 3, column \"hoist\": 9 is outside of its range"]);
    desk.write("a.csv", "t,hoist\n0,0\n");
    run(&desk, "--input-table a.csv").ends(2).says(&["no input \"t\""]);
    desk.write("a.csv", "hoist\n0\n");
    run(&desk, "--input-table a.csv").ends(2).says(&["no column \"time\""]);
    desk.write("a.csv", "time,hoist [N]\n0,0\n");
    run(&desk, "--input-table a.csv").ends(2).says(&["column \"hoist\"", "m/s"]);
    desk.write("a.csv", "time,hoist\n0,0\n0,1\n");
    run(&desk, "--input-table a.csv").ends(2).says(&["line 3: its time is not after"]);
    run(&desk, "--input-table a.csv --random-operator 1").ends(2);
    let pendulum = desk::example("pendulum");
    desk.windlass(&["run", &pendulum, "--random-operator", "1"]).ends(2).says(&["no inputs to drive"]);
    desk.windlass(&["run", &pendulum, "--duration", "0.1", "--record", "p.wlr"]).ends(0);
    desk.runs("log p.wlr -o p.csv --inputs").ends(2).says(&["has no inputs"]);
    run(&desk, "--log a.csv --probe inputs.hoist.speed").ends(2).says(&["inputs have no \"speed\""]);
}
