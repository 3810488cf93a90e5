//! Sweeps of small scenes whose motion is known in closed form.

use windlass_host::Machine;
use windlass_scene::Override;
use windlass_sweep::{Cell, Description, Halt, Method, Row, SceneText, Status, Sweep, SweepErrors};

/// A stone thrown up at a speed v against g: it rises by v²/2g in v/g.
const STONE: &str = r#"
windlass = 2
[settings]
duration = 2
dt = 0.01
gravity = [0, 0, -10]
[parameters]
speed = "5 m/s"
[bodies.stone]
mass = "2 kg"
shape = { sphere = { radius = 0.1 } }
velocity = [0, 0, "= speed"]
[probes]
height = "bodies.stone.position.z"
"#;

/// A mote that a force tears away within a step, if it is large.
const BLAST: &str = r#"
windlass = 2
[settings]
duration = 1
[bodies.mote]
shape = { sphere = { radius = 0.01 } }
mass = 1e-9
[forces.blast]
applied = { body = "mote", force = [1e-9, 0, 0], from = 0.5 }
"#;

fn described(text: &str, vary: &[&str], measures: &[&str]) -> Description {
    let mut description = Description::new(SceneText::new("scene.toml", text));
    description.vary = vary.iter().map(|text| text.parse().unwrap_or_else(|e| panic!("{e}"))).collect();
    description.measures =
        measures.iter().map(|text| text.parse().unwrap_or_else(|e| panic!("{e}"))).collect();
    description
}

fn made(text: &str, vary: &[&str], measures: &[&str]) -> Sweep {
    Sweep::new(described(text, vary, measures)).unwrap_or_else(|e| panic!("{e}"))
}

#[track_caller]
fn refused(description: Description, words: &[&str]) {
    let told = Sweep::new(description).map(|_| panic!("it is valid")).unwrap_err().to_string();
    for word in words {
        assert!(told.contains(word), "{word:?} is not in:\n{told}");
    }
}

fn rows(sweep: &Sweep, jobs: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut sink = |row| {
        rows.push(row);
        Ok(())
    };
    sweep.rows(0..sweep.len(), jobs, &|| false, &mut sink).unwrap_or_else(|e| panic!("{e}"));
    rows
}

#[test]
fn a_thrown_stone_has_the_measures_of_its_parabola() {
    let measures = [
        "top=max(bodies.stone.position.z)",
        "time_of_max(bodies.stone.position.z)",
        "first(bodies.stone.velocity.z < 0 km/h)",
        "integral(bodies.stone.velocity.z)",
        "start(bodies.stone.velocity.z)",
        "bodies.stone.position",
        "mean(bodies.stone.position.z)",
    ];
    let sweep = made(STONE, &["parameters.speed=2 m/s..8 m/s:4"], &measures);
    let (values, measured) = sweep.columns();
    assert_eq!(values[0].head(), "parameters.speed [m/s]");
    let heads: Vec<_> = measured.iter().map(|c| c.head()).collect();
    assert_eq!(heads[0], "top [m]");
    assert_eq!(heads[2], "first(bodies.stone.velocity.z < 0 km/h) [s]");
    assert_eq!(heads[3], "integral(bodies.stone.velocity.z) [m]");
    assert_eq!(heads[5], "end(bodies.stone.position.x) [m]");
    let (g, end) = (10.0, 2.0);
    for (row, v) in rows(&sweep, 2).iter().zip([2.0, 4.0, 6.0, 8.0]) {
        assert_eq!((row.status, &row.values[0]), (Status::Ok, &Cell::Number(v)));
        let m = &row.measures;
        let fallen = v * end - 0.5 * g * end * end;
        let wanted = [v * v / (2.0 * g), v / g, v / g, fallen, v];
        // free flight is reproduced to round-off; the turn falls on an instant, and the next step is the first below 0
        for (k, wanted) in wanted.into_iter().enumerate() {
            let within = if k == 2 { 0.010_000_1 } else { 1e-9 };
            assert!((m[k] - wanted).abs() < within, "{}: {} is not {wanted}", heads[k], m[k]);
        }
        assert!((m[7] - fallen).abs() < 1e-9, "the third component is z");
        // ∫ z = v T²/2 − g T³/6; the trapezoid rule of a parabola adds −g T h²/12
        let mean = (v * end * end / 2.0 - g * end * end * end / 6.0) / end - g * 0.01 * 0.01 / 12.0;
        assert!((m[8] - mean).abs() < 1e-9, "{} is not {mean}", m[8]);
    }
}

#[test]
fn a_row_is_the_run_of_its_overrides() {
    let sweep =
        made(STONE, &["bodies.stone.mass=[1 kg, 3 kg]", "parameters.speed=[1 m/s, 2 m/s]"], &["time"]);
    let all = rows(&sweep, 1);
    for row in &all {
        let set: Vec<Override> = sweep.overrides(row.index);
        let mut machine = Machine::open(windlass_host::SceneSource::text(STONE, "scene.toml"), &set).unwrap();
        for _ in 0..200 {
            machine.step().unwrap();
        }
        assert_eq!(row.hash, Some(machine.world().state().hash()));
        assert_eq!(*row, sweep.row(row.index), "alone or among others");
    }
    assert_ne!(all[0].hash, all[1].hash);
}

#[test]
fn threads_do_not_change_rows_nor_their_order() {
    for method in [Method::Random, Method::LatinHypercube, Method::Sobol] {
        let mut description =
            described(STONE, &["parameters.speed~normal(5 m/s, 1 m/s)", "bodies.stone.mass=[1, 2]"], &[]);
        (description.samples, description.method, description.seed) = (Some(20), method, 7);
        let sweep = Sweep::new(description).unwrap();
        let text = |jobs| rows(&sweep, jobs).iter().map(Row::line).collect::<String>();
        let one = text(1);
        assert_eq!(one.lines().count(), 40);
        for jobs in [2, 3, 64] {
            assert_eq!(text(jobs), one);
        }
    }
}

#[test]
fn a_fault_is_a_row_and_the_others_go_on() {
    let vary = "forces.blast.applied.force=[[1e-9, 0, 0], [1e15, 0, 0], [2e-9, 0, 0]]";
    let sweep = made(BLAST, &[vary], &["bodies.mote.position.x"]);
    let all = rows(&sweep, 2);
    let status: Vec<_> = all.iter().map(|row| row.status).collect();
    assert_eq!(status, [Status::Ok, Status::Fault, Status::Ok]);
    assert!(all[1].message.contains("mote") && all[1].hash.is_some() && all[1].measures[0].is_nan());
    assert!(all[1].line().starts_with("1,\"[1e15, 0, 0]\",,fault,"), "{}", all[1].line());
}

#[test]
fn values_that_the_scene_rejects_are_a_row() {
    let all = rows(&made(STONE, &["bodies.stone.mass=[-1, 1]"], &[]), 1);
    assert_eq!((all[0].status, all[1].status), (Status::Error, Status::Ok));
    assert!(all[0].message.contains("bodies.stone.mass") && all[0].hash.is_none(), "{}", all[0].message);
    assert_eq!(all[1].measures.len(), 1, "the scene's own probe");
}

#[test]
fn a_key_that_is_wrong_in_every_row_is_refused() {
    refused(described(STONE, &["bodies.stoen.mass=1..2:9"], &[]), &["no body \"stoen\"", "did you mean"]);
    refused(described(STONE, &["bodies.stone.mass=1 m..2 m:9"], &[]), &["is a length, not a mass"]);
    let wrong_scene =
        described("windlass = 2\n[bodies.a]\nmass = 1 kg\n", &["bodies.a.mass=1..2:2"], &["time"]);
    refused(wrong_scene, &["scene.toml:3"]);
}

#[test]
fn bad_entries_are_named() {
    refused(described(STONE, &[], &[]), &["nothing is varied", "KEY=a..b:n"]);
    let probe = described(STONE, &["parameters.speed=1 m/s..2 m/s:2"], &["max(bodies.stoen.speed)"]);
    refused(probe, &["stoen", "did you mean \"stone\"?"]);
    let limit = described(STONE, &["parameters.speed=1 m/s..2 m/s:2"], &["first(bodies.stone.speed > 2 kg)"]);
    refused(limit, &["\"2 kg\" is a mass, not a speed"]);
    let twice = described(STONE, &["parameters.speed=1 m/s..2 m/s:2"], &["max(time)", "max(time)"]);
    refused(twice, &["two columns are called \"max(time)\"", "label=measure"]);
    // columns that every table has
    for label in ["index", "status", "message", "hash"] {
        let measure = format!("{label}=max(time)");
        let taken = described(STONE, &["parameters.speed=1 m/s..2 m/s:2"], &[measure.as_str()]);
        refused(taken, &[&format!("\"{label}\""), "another label"]);
    }
    let wall = described(STONE, &["parameters.speed=1 m/s..2 m/s:2"], &["mean(step.wall_time)"]);
    refused(wall, &["wall times do not repeat"]);
    let mut both = described(STONE, &["parameters.speed=1 m/s..2 m/s:2"], &[]);
    both.overrides = vec!["parameters.speed=3 m/s".parse().unwrap()];
    refused(both, &["overridden and varied", "leave one of them out"]);
    let bare = STONE.split("[probes]").next().unwrap();
    refused(described(bare, &["parameters.speed=1 m/s..2 m/s:2"], &[]), &["nothing is measured", "[probes]"]);
}

#[test]
fn a_stop_leaves_the_rows_before_it() {
    let sweep = made(STONE, &["parameters.speed=1 m/s..2 m/s:50"], &[]);
    let count = std::sync::atomic::AtomicU64::new(0);
    let stop = || count.load(std::sync::atomic::Ordering::Relaxed) >= 5;
    let mut got = Vec::new();
    let halt = sweep.rows(0..50, 2, &stop, &mut |row| {
        got.push(row.index);
        count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Ok(())
    });
    assert!(matches!(halt, Err(Halt::Stopped)), "{halt:?}");
    assert!((5..50).contains(&got.len()) && got.iter().enumerate().all(|(i, index)| i as u64 == *index));
    let full = sweep.rows(0..50, 2, &|| false, &mut |_| Err(std::io::Error::other("disk full")));
    assert!(matches!(full, Err(Halt::Sink(_))), "{full:?}");
}

#[test]
fn the_digest_is_of_everything_that_determines_rows() {
    let of = |change: &dyn Fn(&mut Description)| {
        let mut description = described(STONE, &["parameters.speed~uniform(1 m/s, 2 m/s)"], &["time"]);
        description.samples = Some(4);
        change(&mut description);
        Sweep::new(description).map_err(|e: SweepErrors| e.to_string()).unwrap().header().digest
    };
    let first = of(&|_| {});
    assert_eq!(first, of(&|d| d.scene.name = "folder/scene.toml".to_string()), "the folder does not matter");
    let changes: [&dyn Fn(&mut Description); 8] = [
        &|d| d.scene.text += "\n# changed\n",
        &|d| d.samples = Some(5),
        &|d| d.seed = 1,
        &|d| d.method = Method::Sobol,
        &|d| d.duration = Some(1.0),
        &|d| d.overrides = vec!["settings.dt=0.02".parse().unwrap()],
        &|d| d.measures = vec!["max(time)".parse().unwrap()],
        &|d| d.vary = vec!["parameters.speed~uniform(1 m/s, 3 m/s)".parse().unwrap()],
    ];
    let mut all: Vec<_> = changes.iter().map(|change| of(change)).collect();
    all.push(first);
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 9, "every change changes it");
}

/// A trolley that is accelerated for τ and braked for τ, a time t later, leaves a pendulum swinging by
/// (4 a/ω²) |sin(ω τ/2) sin(ω t/2)|: the response to two opposite pulses.
#[test]
fn the_anti_sway_scene_swings_as_two_pulses_tell() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/learn/antisway.toml");
    let mut description = described(
        "",
        &["parameters.travel=3 s..9 s:25"],
        &[
            "offset=bodies.load.position.x",
            "trolley=bodies.trolley.position.x",
            "speed=bodies.load.velocity.x",
            "rate=bodies.trolley.velocity.x",
        ],
    );
    description.scene = SceneText::read(&path, &[]).unwrap_or_else(|e| panic!("{e}"));
    let sweep = Sweep::new(description).unwrap_or_else(|e| panic!("{e}"));
    let (omega, ramp) = (libm::sqrt(9.81 / 8.0), 1.0);
    let most = 4.0 / (omega * omega) * libm::sin(omega * ramp / 2.0);
    for row in rows(&sweep, 2) {
        let Cell::Number(travel) = row.values[0] else { panic!("a time") };
        let (offset, speed) = (row.measures[0] - row.measures[1], row.measures[2] - row.measures[3]);
        let swing = libm::hypot(offset, speed / omega);
        let wanted = most * libm::fabs(libm::sin(omega * travel / 2.0));
        // the formula is for small angles: at the largest, 0.21 rad, sin θ is θ²/6 = 0.8 % below θ
        assert!((swing - wanted).abs() < 0.01 * most, "{travel} s: {swing} m, not {wanted} m");
    }
}
