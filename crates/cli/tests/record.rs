//! `run --record` and `replay`: what was recorded is repeated to the bit, whatever happened to the run.

use crate::desk;

use desk::{Desk, column, example};
use std::fs;
use std::time::Duration;

#[test]
fn a_recording_repeats_and_tells_what_is_in_it() {
    let desk = Desk::new();
    let ran =
        desk.windlass(&["run", &example("double_pendulum"), "--duration", "3", "--record", "a.wlr"]).ends(0);
    let hash = ran.out().lines().last().expect("a hash").split_whitespace().last().expect("it").to_string();
    let json = desk.runs("info a.wlr --json").ends(0).json();
    assert_eq!(json["finished"], true);
    assert_eq!(json["scene"], "double_pendulum.toml");
    let last = json["steps"][1].as_u64().expect("steps");
    assert!((json["time"][1].as_f64().expect("time") - 3.0).abs() < 1e-6);
    desk.runs("verify a.wlr").ends(0).says(&[&format!("{} frames repeated", last + 1)]);
    desk.runs("verify a.wlr --from-keyframes").ends(0).says(&["bitwise equal"]);
    // the scene's file is not needed any more, and a branch without changes goes where the run went
    desk.runs("branch a.wlr -o b.wlr --at 1 --duration 2").ends(0).says(&[&hash]);
    desk.runs("run a.wlr").ends(2);
    // nothing is overwritten by accident
    let again = desk.windlass(&["run", &example("double_pendulum"), "--duration", "1", "--record", "a.wlr"]);
    again.ends(1).says(&["a.wlr already exists", "--replace"]);
}

#[test]
fn a_branch_differs_by_its_edits_alone_and_plays_alone() {
    let desk = Desk::new();
    desk.runs("new crane").ends(0);
    desk.runs("run crane.toml --duration 6 --record crane.wlr --dt 0.01").ends(0);
    let before = fs::read(desk.path("crane.wlr")).expect("a file");
    let heavy = ["branch", "crane.wlr", "-o", "heavy.wlr", "--at", "4 s", "--duration", "2", "--set"];
    let first = desk.windlass(&[&heavy[..], &["bodies.load.mass=6 t"]].concat()).ends(0).out();
    assert_eq!(fs::read(desk.path("crane.wlr")).expect("a file"), before);
    fs::remove_file(desk.path("crane.wlr")).expect("a file");
    fs::remove_file(desk.path("crane.toml")).expect("a file");
    desk.runs("info heavy.wlr").ends(0).says(&[
        "branch of",
        "step 400: bodies.load.mass = 6 t",
        "settings.dt",
    ]);
    desk.runs("verify heavy.wlr").ends(0).says(&["201 frames repeated"]);
    // a branch of a branch, back to the old mass, is another future
    let light = ["branch", "heavy.wlr", "-o", "light.wlr", "--at", "5 s", "--duration", "1", "--set"];
    let second = desk.windlass(&[&light[..], &["bodies.load.mass=4 t"]].concat()).ends(0).out();
    assert_ne!(first.split_whitespace().last(), second.split_whitespace().last());
    desk.runs("verify light.wlr").ends(0).says(&["101 frames repeated"]);
    // an edit that is refused leaves nothing behind
    let wrong = ["branch", "heavy.wlr", "-o", "wrong.wlr", "--set", "bodies.lood.mass=4 t"];
    desk.windlass(&wrong).ends(2).says(&["no body \"lood\"", "did you mean \"load\"?"]);
    assert!(!desk.path("wrong.wlr").exists());
}

#[test]
fn a_recording_is_a_table_of_any_probe() {
    let desk = Desk::new();
    desk.windlass(&["run", &example("pendulum"), "--duration", "2", "--record", "a.wlr", "--log", "run.csv"])
        .ends(0);
    desk.runs("log a.wlr -o replay.csv").ends(0);
    assert_eq!(desk.read("replay.csv"), desk.read("run.csv"));
    desk.runs("log a.wlr -o few.csv --probe energy.total --rate 10").ends(0);
    assert_eq!(desk.read("few.csv").lines().count(), 22);
    desk.runs("log a.wlr -o few.csv --probe energy.totl").ends(2).says(&["did you mean \"total\"?"]);
}

#[test]
fn kill_9_leaves_a_recording_that_verifies() {
    let desk = Desk::new();
    desk.runs("new crane").ends(0);
    for round in 0..5 {
        let name = format!("k{round}.wlr");
        let arguments = ["run", "crane.toml", "--duration", "100000", "--record", &name, "--quiet"];
        let mut child = desk.command(&arguments).spawn().expect("the binary starts");
        while !desk.path(&name).exists() {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(40 + 37 * round));
        child.kill().expect("it is killed");
        child.wait().expect("it is gone");
        desk.runs(&format!("info {name}")).ends(0).says(&["steps       0 to"]);
        desk.runs(&format!("verify {name} --from-keyframes")).ends(0).says(&["bitwise equal"]);
    }
}

#[test]
fn what_is_no_recording_is_told() {
    let desk = Desk::new();
    desk.runs("info nowhere.wlr --probes").ends(2).says(&["are for scenes"]);
    desk.runs("info nowhere.wlr").ends(1).says(&["nowhere.wlr", "No such file"]);
    desk.write("text.wlr", "this is no recording at all, whatever its name says");
    desk.runs("info text.wlr").ends(2).says(&["is not a Windlass recording"]);
    desk.windlass(&["run", &example("pendulum"), "--duration", "5", "--record", "a.wlr"]).ends(0);
    let bytes = fs::read(desk.path("a.wlr")).expect("a file");
    fs::write(desk.path("cut.wlr"), &bytes[..bytes.len() / 2]).expect("a file");
    desk.runs("verify cut.wlr").ends(0).says(&["note: cut.wlr: damaged at byte", "bitwise equal"]);
}

#[test]
fn a_refused_command_leaves_the_old_recording_alone() {
    let desk = Desk::new();
    desk.runs("new crane").ends(0);
    desk.runs("run crane.toml --duration 1 --record keep.wlr").ends(0);
    let before = fs::read(desk.path("keep.wlr")).expect("a file");
    let again =
        "run crane.toml --duration 1 --record keep.wlr --replace --log x.csv --probe bodies.laod.position";
    desk.runs(again).ends(2);
    assert_eq!(fs::read(desk.path("keep.wlr")).expect("a file"), before);
    desk.runs("run crane.toml --record one.wlr --log one.wlr").ends(2);
    desk.runs("run crane.toml --record one.csv --log one.csv").ends(2).says(&["have the same name"]);
}

/// What a branch changes is seen in its tables, and in its pictures.
#[test]
fn a_branch_that_adds_bodies_shows_them() {
    let desk = Desk::new();
    desk.write(
        "chain.toml",
        "windlass = 2\n[parameters]\nn = 2\n[bodies.link0]\ntype = \"static\"\n[patterns.chain]\ncount = \"= n\"\nfrom = 1\n\
         bodies.\"link{i}\" = { position = [\"= i - 0.5\", 0, 0], shape = { box = { size = [1, 0.1, 0.1] } }, density = 1000 }\n\
         joints.\"pin{i}\" = { hinge = { bodies = [\"link{i-1}\", \"link{i}\"], at = [\"= i - 1\", 0, 0], axis = [0, 1, 0] } }\n",
    );
    desk.runs("run chain.toml --duration 1 --record c.wlr").ends(0);
    desk.runs("branch c.wlr -o c4.wlr --at 0 --duration 1 --set parameters.n=4 --set settings.dt=0.01")
        .ends(0);
    desk.runs("verify c4.wlr").ends(0).says(&["101 frames repeated"]);
    desk.runs("log c4.wlr -o c4.csv --rate 20").ends(0);
    let table = desk.read("c4.csv");
    assert!(table.starts_with("time [s],bodies.link0.position.x [m]") && table.contains("bodies.link4."));
    assert_eq!(table.lines().count(), 22);
    desk.runs("export c4.wlr -o c4.usda --fps 10").ends(0);
    assert!(desk.read("c4.usda").contains("link4"));
    desk.runs("export c4.wlr -o c4.toml").ends(0);
    desk.runs("check c4.toml").ends(0).says(&["5 bodies, 4 joints"]);
    // a stepper chosen on the command line is part of the recording, and can be changed in a branch
    desk.runs("run chain.toml --duration 1 --integrator projected --record p.wlr").ends(0);
    let hash =
        |line: &str| desk.runs(line).ends(0).out().split_whitespace().last().expect("a hash").to_string();
    let kept = hash("branch p.wlr -o p1.wlr --at 0.5 --duration 0.1");
    let other = hash("branch p.wlr -o p2.wlr --at 0.5 --duration 0.1 --set settings.integrator=\"spook\"");
    assert_ne!(kept, other);
    desk.runs("verify p1.wlr").ends(0);
    desk.runs("verify p2.wlr").ends(0);
}

/// A file that may not grow stops the recording, not the run; what is in it stays good.
#[cfg(unix)]
#[test]
fn a_limit_of_file_size_does_not_end_the_run() {
    let desk = Desk::new();
    desk.runs("new crane").ends(0);
    let line =
        format!("ulimit -f 20; exec '{}' run crane.toml --record small.wlr", env!("CARGO_BIN_EXE_windlass"));
    let folder = desk.path("crane.toml").parent().expect("a folder").to_path_buf();
    let ran =
        std::process::Command::new("bash").args(["-c", &line]).current_dir(folder).output().expect("bash");
    let (out, err) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert_eq!(ran.status.code(), Some(1), "{out}{err}");
    assert!(out.contains("55 s: 6600 steps"), "{out}");
    assert!(
        err.contains("the run continues without recording") && err.contains("could not be recorded"),
        "{err}"
    );
    desk.runs("verify small.wlr").ends(0).says(&["bitwise equal"]);
}

#[test]
fn a_folder_is_no_recording_for_any_command() {
    let desk = Desk::new();
    for name in ["folder", "folder.wlr"] {
        fs::create_dir(desk.path(name)).expect("a folder");
        for line in ["info @", "verify @", "export @ -o a.svg", "export @ -o a.toml", "plot @ -o a.svg"] {
            let ran = desk.runs(&line.replace('@', name)).ends(1);
            assert!(
                ran.err().contains("is a folder") || ran.err().contains("is not a file"),
                "{}",
                ran.err()
            );
        }
    }
}

#[cfg(unix)]
#[test]
fn a_recording_that_is_being_made_is_not_replaced() {
    let desk = Desk::new();
    let scene = example("double_pendulum");
    let run = ["run", &scene, "--duration", "1000", "--realtime", "-q", "--record", "a.wlr", "--replace"];
    let mut first = desk.command(&run).spawn().expect("the binary starts");
    while !desk.path("a.wlr").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    // the name is there a moment before the claim on it
    std::thread::sleep(Duration::from_millis(100));
    let second = desk.windlass(&["run", &scene, "--duration", "1", "--record", "a.wlr", "--replace"]);
    first.kill().expect("it was running");
    first.wait().expect("it ends");
    second.ends(1).says(&["a.wlr is being recorded by another run", "give another name"]);
    // whoever recorded it is gone
    desk.windlass(&["run", &scene, "--duration", "1", "--record", "a.wlr", "--replace"]).ends(0);
}

/// A flipped bit in the middle is reported without simulating anything, though the index at the end is sound.
#[test]
fn damage_inside_is_told_by_a_plain_look() {
    let desk = Desk::new();
    desk.windlass(&["run", &example("pendulum"), "--duration", "5", "--record", "a.wlr"]).ends(0);
    assert_eq!(desk.runs("info a.wlr --json").ends(0).json()["damage"], serde_json::Value::Null);
    let good = fs::read(desk.path("a.wlr")).expect("a file");
    // behind the header with its scene, before the index: in the frames
    for part in [50, 60, 70, 80] {
        let mut bytes = good.clone();
        let at = bytes.len() * part / 100;
        bytes[at] ^= 0x10;
        fs::write(desk.path("bad.wlr"), &bytes).expect("a file");
        desk.runs("info bad.wlr").ends(2).says(&["damage      damaged at byte", "steps       0 to"]);
        assert_eq!(desk.runs("info bad.wlr --json").ends(2).json()["damage_inside"], true);
    }
}

/// A hoist that has wound in for some seconds continues with another load, on the rope that is left.
#[test]
fn a_branch_of_a_hoist_keeps_its_rope() {
    let desk = Desk::new();
    desk.write(
        "hoist.toml",
        "windlass = 2\n[settings]\ndt = \"1/120 s\"\n[parameters]\nload = \"1 t\"\n[bodies.tower]\ntype = \"static\"\n\
         [bodies.load]\nposition = [2, 0, 1]\nmass = \"= load\"\ninertia = [100, 100, 100]\n\
         [winches.hoist]\non = \"tower\"\nat = [0, 0, 1]\naxis = [0, -1, 0]\nradius = 0.2\nmass = 80\n\
         motor = { torque = \"4 kN*m\" }\nbrake = \"6 kN*m\"\n\
         [inputs.hoist]\nrange = [-2, 2]\nrate = 1\ndrives = [{ joint = \"hoist\" }]\n\
         [[script]]\nat = 0\nset = { hoist = 2 }\n\
         [cables.rope]\nsection = { construction = \"6x36 IWRC\", diameter = \"16 mm\" }\n\
         tension = \"= load * 9.81 m/s^2\"\nroute = [\n  { winch = \"hoist\" },\n\
         { pulley = \"tower\", at = [1.8, 0, 12], axis = [0, 1, 0], radius = 0.2 },\n\
         { attach = \"load\", at = [2, 0, 1.5] },\n]\n",
    );
    desk.runs("run hoist.toml --duration 5 --record hoist.wlr").ends(0);
    let heavy = ["branch", "hoist.wlr", "-o", "heavy.wlr", "--at", "5 s", "--duration", "2", "--set"];
    desk.windlass(&[&heavy[..], &["parameters.load=1.2 t"]].concat()).ends(0).says(&[
        "cables.rope: keeps its unloaded length of 2",
        "`tension` is that at the start",
        "heavy.wlr: from step 600",
    ]);
    desk.runs("verify heavy.wlr").ends(0).says(&["241 frames repeated, bitwise equal"]);
    desk.runs("verify heavy.wlr --from-keyframes").ends(0);
    let last = |name: &str| {
        let line =
            format!("log {name}.wlr -o {name}.csv --probe cables.rope.tension --probe cables.rope.paid_out");
        desk.runs(&line).ends(0);
        ["cables.rope.tension [N]", "cables.rope.paid_out [m]"]
            .map(|column_name| column(&desk.path(&format!("{name}.csv")), column_name))
    };
    let ([_, before], [tensions, after]) = (last("hoist"), last("heavy"));
    assert_eq!(before.last(), after.first());
    let peak = tensions.iter().copied().fold(0.0, f64::max);
    // applied at once: at most its static load and the difference again, and 5 % by the acceleration
    assert!(peak > 1200.0 * 9.81 && peak < 1400.0 * 9.81 * 1.05, "{peak}");
    // an edit that sets another length tells it
    let long =
        ["branch", "hoist.wlr", "-o", "tight.wlr", "--duration", "1", "--set", "cables.rope.tension=12 kN"];
    desk.windlass(&long).ends(0).says(&["which gives it 12000 N on its present path"]);
}
