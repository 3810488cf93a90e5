//! Head to head with Rapier: each engine at its cheapest setting that stands the scene, timed side by side.

use crate::judge::{Engine, FRAME, Record, Verdict, judge};
use crate::measure::{Budget, Samples, timed};
use crate::ours::Ours;
use crate::rapier::{Joints, Rapier, Setting};
use crate::row;
use crate::scenes::{self, Scene};
use crate::table::{Cell, Table};

/// Substeps that are tried, the same for everyone.
const LADDER: [usize; 12] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64];

/// Ours should cost at most this part of theirs.
const GOAL: f64 = 1.0 / 3.0;

const OURS: &str = "windlass";
const IMPULSE: &str = "rapier impulse";
const MULTIBODY: &str = "rapier multibody";

/// How long things may take.
#[derive(Clone, Copy)]
struct Patience {
    /// Frames of a run.
    frames: usize,
    /// Wall time of one run [s].
    run: f64,
    /// Wall time of the search for one engine's setting [s].
    search: f64,
    /// Wall time of timing one contestant [s].
    timing: f64,
}

/// An engine at a setting.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Contestant {
    Ours(usize),
    Theirs(Setting),
}

impl Contestant {
    fn build(self, scene: &Scene) -> Box<dyn Engine> {
        match self {
            Contestant::Ours(substeps) => Box::new(Ours::new(scene, FRAME, substeps)),
            Contestant::Theirs(setting) => Box::new(Rapier::new(scene, setting)),
        }
    }

    fn setting(self) -> String {
        match self {
            Contestant::Ours(1) => "spook".to_string(),
            Contestant::Ours(n) => format!("spook, {n} substeps"),
            Contestant::Theirs(setting) => setting.to_string(),
        }
    }
}

fn ours() -> Vec<Contestant> {
    LADDER.map(Contestant::Ours).to_vec()
}

/// What a user would try of iterated joints: as shipped, warm, more iterations, more substeps.
fn impulse() -> Vec<Contestant> {
    let stock = Setting::stock(Joints::Impulse);
    let mut list: Vec<Setting> = LADDER.map(|substeps| Setting { substeps, ..stock }).to_vec();
    list.extend(LADDER.map(|substeps| Setting { substeps, warm: true, ..stock }));
    list.extend([8, 16, 32, 64].map(|iterations| Setting { iterations, ..stock }));
    list.extend([8, 16, 32, 64].map(|iterations| Setting { iterations, warm: true, ..stock }));
    list.extend([(20, 10), (100, 4)].map(|(iterations, sweeps)| Setting {
        iterations,
        sweeps,
        warm: true,
        ..stock
    }));
    list.into_iter().map(Contestant::Theirs).collect()
}

fn multibody() -> Vec<Contestant> {
    let stock = Setting::stock(Joints::Multibody);
    LADDER.map(|substeps| Contestant::Theirs(Setting { substeps, ..stock })).to_vec()
}

/// Cheapest first, by a short trial.
fn by_cost(scene: &Scene, list: Vec<Contestant>) -> Vec<Contestant> {
    let mut priced: Vec<(f64, Contestant)> = list
        .into_iter()
        .map(|c| {
            let mut engine = c.build(scene);
            timed(|| [engine.frame(), engine.frame()]);
            let price = (0..5).map(|_| timed(|| engine.frame())).fold(f64::INFINITY, f64::min);
            (price, c)
        })
        .collect();
    priced.sort_by(|a, b| a.0.total_cmp(&b.0));
    priced.into_iter().map(|(_, c)| c).collect()
}

/// What a search found.
type Found = Option<(Contestant, Record)>;

/// The first that is stable, and the first that keeps its energy as well.
fn search(scene: &Scene, list: Vec<Contestant>, patience: Patience) -> [Found; 2] {
    let (mut stable, mut keeping) = (None, None);
    let all = Budget::new(patience.search);
    for contestant in list {
        let mut engine = contestant.build(scene);
        let record = judge(scene, engine.as_mut(), patience.frames, Budget::new(patience.run));
        if record.verdict != Verdict::Unstable {
            stable = stable.or(Some((contestant, record)));
        }
        if record.keeps_energy() {
            keeping = Some((contestant, record));
        }
        // a dearer setting would not end sooner
        if keeping.is_some() || all.is_spent() || record.verdict == Verdict::Undecided {
            break;
        }
    }
    [stable, keeping]
}

/// A contestant being timed.
struct Runner {
    contestant: Contestant,
    engine: Box<dyn Engine>,
    times: Samples,
    spent: f64,
}

/// Times contestants on a scene, ten frames each in turn.
fn race(scene: &Scene, list: &[Contestant], patience: Patience) -> Vec<Runner> {
    let start = |c: &Contestant| Runner {
        contestant: *c,
        engine: c.build(scene),
        times: Samples::default(),
        spent: 0.0,
    };
    let mut runners: Vec<Runner> = list.iter().map(start).collect();
    for _ in 0..patience.frames / 10 {
        for runner in runners.iter_mut().filter(|r| r.spent < patience.timing * 1e6) {
            for _ in 0..10 {
                let time = timed(|| runner.engine.frame());
                runner.times.push(time);
                runner.spent += time;
            }
        }
    }
    runners
}

const COLUMNS: [&str; 11] = [
    "scene",
    "asked",
    "engine",
    "setting",
    "min",
    "median",
    "ours/theirs",
    "gap mm",
    "rise %",
    "fall %",
    "end %",
];

pub fn run(quick: bool) -> Vec<Table> {
    let patience = if quick {
        Patience { frames: 60, run: 1.0, search: 2.0, timing: 0.5 }
    } else {
        Patience { frames: 600, run: 20.0, search: 60.0, timing: 5.0 }
    };
    let sizes: &[usize] = if quick { &[10] } else { &[10, 25, 50, 100] };
    let loads: &[f64] = if quick { &[10.0] } else { &[10.0, 100.0] };
    let mut list: Vec<Scene> = Vec::new();
    for load in loads {
        list.extend(sizes.iter().map(|n| scenes::hoist(*n, *load)));
    }
    list.extend(if quick { &[20][..] } else { &[20, 40] }.iter().map(|n| scenes::ring(*n)));

    let mut table = Table::new("rapier: cost of a frame of 1/60 s [µs], CPU time", &COLUMNS);
    let mut ratios = Vec::new();
    for scene in &list {
        eprintln!("{} …", scene.name);
        // more substeps always cost more; only iterations against substeps must be priced
        let found = [ours(), by_cost(scene, impulse()), multibody()].map(|all| search(scene, all, patience));
        ratios.extend(compare(scene, found, patience, &mut table));
    }
    explain(&mut table, &ratios, patience);
    vec![table]
}

fn explain(table: &mut Table, ratios: &[(&str, f64)], patience: Patience) {
    let (seconds, stop) = (patience.frames as f64 * FRAME, patience.run);
    table.note(format!(
        "Asked: the cheapest setting that for {seconds} s is stable (joints whole, energy never 5 %"
    ));
    table.note("above the start), or keeps its energy within ±5 % as well; both, where they are the same.");
    table.note(
        "Rise, fall, end: energy against the start in % of the initial drop. Gap: the widest of a joint.",
    );
    table.note("Settings of Rapier: iterations x sweeps, stock is 4x1; warm is warmstart_joints.");
    table.note(format!("? the run was stopped after {stop} s of wall time, stable so far."));
    for engine in [IMPULSE, MULTIBODY] {
        let of: Vec<f64> = ratios.iter().filter(|(e, _)| *e == engine).map(|(_, r)| *r).collect();
        let (met, worst) =
            (of.iter().filter(|r| **r <= GOAL).count(), of.iter().copied().fold(0.0, f64::max));
        let all = of.len();
        table.note(format!(
            "Goal ours/theirs ≤ 1/3 (minima), {engine}: met in {met} of {all} rows, worst {worst:.2}."
        ));
    }
}

/// Races what was found and writes the rows of a scene. Returns the ratios ours/theirs by engine.
fn compare(
    scene: &Scene,
    found: [[Found; 2]; 3],
    patience: Patience,
    table: &mut Table,
) -> Vec<(&'static str, f64)> {
    let mut list: Vec<Contestant> = found.iter().flatten().flatten().map(|(c, _)| *c).collect();
    list.dedup();
    let runners = race(scene, &list, patience);
    let times = |c: Contestant| runners.iter().find(|r| r.contestant == c).map(|r| &r.times);

    // where the stable ones keep their energy too, one block says it all
    let same = found.iter().all(|[stable, keeping]| stable.map(|f| f.0) == keeping.map(|f| f.0));
    let blocks: &[(usize, &str)] = if same { &[(0, "both")] } else { &[(0, "stable"), (1, "±5 %")] };
    let mut ratios = Vec::new();
    for (asked, name) in blocks {
        let base = found[0][*asked].and_then(|(c, _)| times(c)).map_or(f64::NAN, Samples::min);
        for (engine, both) in [OURS, IMPULSE, MULTIBODY].into_iter().zip(&found) {
            let raced = both[*asked].and_then(|(c, record)| Some((c, record, times(c)?)));
            let Some((contestant, record, times)) = raced else {
                let mut cells = row![scene.name.as_str(), *name, engine, "none found"];
                cells.resize(COLUMNS.len(), Cell::Empty);
                table.push(cells);
                continue;
            };
            // minima repeat best on a shared machine
            let ratio = (engine != OURS).then(|| base / times.min());
            ratios.extend(ratio.map(|r| (engine, r)));
            let mark = if record.verdict == Verdict::Undecided { " ?" } else { "" };
            table.push(row![
                scene.name.as_str(),
                *name,
                engine,
                contestant.setting() + mark,
                times.min(),
                times.median(),
                ratio.map_or(Cell::Empty, Cell::from),
                1e3 * record.gap,
                record.rise,
                record.fall,
                record.end
            ]);
        }
    }
    ratios
}
