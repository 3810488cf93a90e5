//! Table 2: time per step, and the advantage of the sparse factor.

use super::system::{System, is_equation};
use crate::dense::{gauss, ldlt};
use crate::lab::example;
use crate::{Ask, Paper, Study, StudyContext, Table, Trouble, Verdict, number};
use std::hint::black_box;
use std::time::Instant;
use windlass_engine::prelude::World;
use windlass_plot::{Curve, Figure, Measure, Scale};

pub static STUDY: Study = Study {
    name: "tasora/table-2",
    paper: Paper::Tasora,
    title: "Time per step, and sparse factors against full elimination",
    place: "§6, Table 2 and the paragraph before it",
    about: "The five systems of the table with as many coordinates and equations as the paper's. A step is timed under the \
            leapfrog, and under the paper's scheme (accelerations, a Runge–Kutta step, back onto the constraints). Then the linear \
            system of a step is solved three ways in turn: by the engine's sparse factor, by a dense L D Lᵀ, and by full Gauss \
            elimination with pivots, as the paper's naive way.",
    timed: true,
    run,
};

/// A row of Table 2.
struct Entry {
    name: &'static str,
    scene: &'static str,
    /// Links of a chain.
    links: Option<&'static str>,
    coordinates: usize,
    equations: usize,
    /// Step of the paper [ms], at 700 MHz.
    step: f64,
    /// How many times as fast as full Gauss elimination the paper is, at least.
    gain: f64,
    /// Whether it runs under the paper's scheme, too: tyres and seats are for the leapfrog.
    projected: bool,
}

/// "2x..3x" of simple mechanisms, "20x, and more" far above 100 variables.
const ENTRIES: [Entry; 5] = [
    Entry {
        name: "arm, shoulder only",
        scene: "prosthetic_geared.toml",
        links: None,
        coordinates: 42,
        equations: 40,
        step: 6.0,
        gain: 2.0,
        projected: true,
    },
    Entry {
        name: "arm, complete",
        scene: "prosthetic_whole.toml",
        links: None,
        coordinates: 54,
        equations: 50,
        step: 8.0,
        gain: 3.0,
        projected: true,
    },
    Entry {
        name: "closed chain of 20",
        scene: "ring_chain_20.toml",
        links: Some("20"),
        coordinates: 120,
        equations: 60,
        step: 15.0,
        gain: 20.0,
        projected: true,
    },
    Entry {
        name: "closed chain of 40",
        scene: "ring_chain_20.toml",
        links: Some("40"),
        coordinates: 240,
        equations: 120,
        step: 42.0,
        gain: 20.0,
        projected: true,
    },
    Entry {
        name: "man on a bicycle",
        scene: "bicycle.toml",
        links: None,
        coordinates: 108,
        equations: 92,
        step: 18.0,
        gain: 20.0,
        projected: false,
    },
];

/// A world under one integrator, with more settings.
fn world(
    name: &str,
    links: Option<&str>,
    integrator: &str,
    more: &[(&'static str, &'static str)],
) -> Result<World, Trouble> {
    let mut values = vec![("settings.integrator", integrator)];
    values.extend(links.map(|n| ("parameters.n", n)));
    values.extend_from_slice(more);
    Ok(example(name, &values)?.world)
}

/// Takes steps and returns the time of the shortest: in total, and of its solve stage [µs].
fn shortest(world: &mut World, steps: usize) -> Result<[f64; 2], Trouble> {
    let mut least = [f64::INFINITY; 2];
    for _ in 0..steps {
        let start = Instant::now();
        let report = world.step();
        let whole = start.elapsed().as_secs_f64();
        if let Some(fault) = report.fault {
            return Err(Trouble::from(fault));
        }
        least = [least[0].min(1e6 * whole), least[1].min(1e6 * report.timing.solve.as_secs_f64())];
    }
    Ok(least)
}

/// A system in motion beside its dense matrix, and the shortest times so far [µs].
struct Case {
    entry: &'static Entry,
    spook: World,
    projected: Option<World>,
    system: System,
    equations: usize,
    apart: f64,
    work: (Vec<f64>, Vec<f64>),
    step: f64,
    step_projected: f64,
    sparse: f64,
    half: f64,
    full: f64,
}

type Way = fn(usize, &mut [f64], &mut [f64]);

impl Case {
    fn new(entry: &'static Entry) -> Result<Case, Trouble> {
        let mut spook = world(entry.scene, entry.links, "spook", &[])?;
        shortest(&mut spook, 50)?;
        // the system of one solve: without position iterations, over a whole step
        let once = [("settings.position_iterations", "0"), ("settings.max_substeps", "1")];
        let mut single = world(entry.scene, entry.links, "spook", &once)?;
        shortest(&mut single, 50)?;
        let system = System::of(&single);
        let equations = spook.stages().rows.rows.iter().filter(|row| is_equation(row)).count();
        let mut work = (system.a.clone(), system.b.clone());
        gauss(system.n, &mut work.0, &mut work.1);
        let apart = system.apart(&work.1, &single);
        let projected = if entry.projected {
            let mut world = world(entry.scene, entry.links, "projected", &[])?;
            world.assemble();
            Some(world)
        } else {
            None
        };
        let never = f64::INFINITY;
        let times = [never; 5];
        let [step, step_projected, sparse, half, full] = times;
        Ok(Case {
            entry,
            spook,
            projected,
            system,
            equations,
            apart,
            work,
            step,
            step_projected,
            sparse,
            half,
            full,
        })
    }

    fn measure(&mut self) -> Result<(), Trouble> {
        let [step, sparse] = shortest(&mut self.spook, 20)?;
        (self.step, self.sparse) = (self.step.min(step), self.sparse.min(sparse));
        if let Some(world) = &mut self.projected {
            self.step_projected = self.step_projected.min(shortest(world, 5)?[0]);
        }
        self.half = self.half.min(self.dense(ldlt));
        self.full = self.full.min(self.dense(gauss));
        Ok(())
    }

    /// One dense solve, with the copy of the matrix.
    fn dense(&mut self, way: Way) -> f64 {
        let start = Instant::now();
        self.work.0.copy_from_slice(&self.system.a);
        self.work.1.copy_from_slice(&self.system.b);
        way(self.system.n, black_box(&mut self.work.0), black_box(&mut self.work.1));
        1e6 * start.elapsed().as_secs_f64()
    }
}

/// k of y = c xᵏ, by least squares over the logarithms.
fn exponent(points: &[(f64, f64)]) -> f64 {
    let logs = || points.iter().map(|(x, y)| (libm::log(*x), libm::log(*y)));
    let n = points.len() as f64;
    let (mx, my) = logs().fold((0.0, 0.0), |(a, b), (x, y)| (a + x / n, b + y / n));
    let (xy, xx) =
        logs().fold((0.0, 0.0), |(xy, xx), (x, y)| (xy + (x - mx) * (y - my), xx + (x - mx) * (x - mx)));
    xy / xx
}

fn run(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let rounds = context.pick(60, 4);
    context.parameter("step", "2 ms (arms, chains), 1 ms (bicycle)");
    context.parameter("times", format!("the shortest of {} steps and of {rounds} dense solves", 20 * rounds));
    let mut cases = Vec::new();
    for entry in &ENTRIES {
        cases.push(Case::new(entry)?);
    }
    for round in 0..rounds {
        context.progress(0.7 * round as f64 / rounds as f64)?;
        cases.iter_mut().try_for_each(Case::measure)?;
    }
    context.table(steps(&cases));
    context.table(gains(&cases));
    growth(context, &cases)
}

fn steps(cases: &[Case]) -> Table {
    let heads = [
        "system",
        "variables",
        "coordinates",
        "equations",
        "paper [ms]",
        "leapfrog [ms]",
        "paper's scheme [ms]",
        "paper / its scheme here",
    ];
    let caption = "A step, on the paper's processor of 700 MHz and on this one (Table 2); met if as many coordinates and equations";
    let mut table = Table::new(caption, &heads);
    for case in cases {
        let entry = case.entry;
        let coordinates = 6 * case.system.bodies;
        let same = coordinates == entry.coordinates && case.equations == entry.equations;
        let [step, projected] = [case.step, case.step_projected].map(|time| 1e-3 * time);
        let told = |x: f64| if x.is_finite() { number(x) } else { "–".to_string() };
        let cells = [
            entry.name.to_string(),
            (coordinates + case.equations).to_string(),
            coordinates.to_string(),
            case.equations.to_string(),
            number(entry.step),
            number(step),
            told(projected),
            number(entry.step / if projected.is_finite() { projected } else { step }),
        ];
        table.row(cells, Verdict::of(same));
    }
    table
}

fn gains(cases: &[Case]) -> Table {
    let heads = [
        "system",
        "variables",
        "sparse [µs]",
        "dense L D Lᵀ [µs]",
        "full Gauss [µs]",
        "Gauss / sparse",
        "paper, at least",
        "apart [m/s, rad/s]",
    ];
    let mut table =
        Table::new("One solve of the system of a step, three ways (§6: 2–3 times, 20 times)", &heads);
    for case in cases {
        let gain = case.full / case.sparse;
        let cells = [
            case.entry.name.to_string(),
            case.system.n.to_string(),
            number(case.sparse),
            number(case.half),
            number(case.full),
            number(gain),
            number(case.entry.gain),
            format!("{:.0e}", case.apart),
        ];
        // the methods must agree, else the comparison is meaningless
        table.row(cells, Verdict::of(gain >= case.entry.gain && case.apart < 1e-6));
    }
    table
}

/// Growth of the time with the size: closed chains of 20 to 160 links.
fn growth(context: &mut StudyContext<'_>, cases: &[Case]) -> Result<(), Trouble> {
    let sizes: &[&'static str] = context.pick(&["20", "40", "80", "160"], &["20", "40"]);
    let mut chains = Vec::new();
    for links in sizes {
        let mut world = world("ring_chain_20.toml", Some(links), "spook", &[])?;
        shortest(&mut world, 20)?;
        let rows = world.stages().rows.rows.len();
        chains.push((world, 3.0 * rows as f64, f64::INFINITY));
    }
    let rounds = context.pick(20, 2);
    for round in 0..rounds {
        context.progress(0.7 + 0.3 * round as f64 / rounds as f64)?;
        for (world, _, time) in &mut chains {
            *time = time.min(shortest(world, 20)?[0]);
        }
    }
    let ours: Vec<(f64, f64)> = chains.iter().map(|(_, n, time)| (*n, 1e-6 * time)).collect();
    let paper: Vec<(f64, f64)> =
        ENTRIES.iter().map(|e| ((e.coordinates + e.equations) as f64, 1e-3 * e.step)).collect();
    let full: Vec<(f64, f64)> = cases.iter().map(|case| (case.system.n as f64, 1e-6 * case.full)).collect();
    let mut table = Table::comparison("k of time ∝ nᵏ, n variables", "paper");
    let links = sizes.last().unwrap_or(&"");
    table.compare(
        &format!("closed chains of 20 to {links} links; the text says k ≈ 1.0"),
        exponent(&ours),
        1.0,
        Ask::Apart(0.15),
    );
    table.compare(
        "closed chains of 20 and 40, from the numbers of Table 2",
        exponent(&ours[..2]),
        exponent(&paper[2..4]),
        Ask::AtMost,
    );
    table.compare("full Gauss elimination of the five systems", exponent(&full), 3.0, Ask::Nothing);
    context.table(table);
    let figure = Figure {
        x: Measure::new("variables", ""),
        y: Some("time".to_string()),
        scales: [Scale::Logarithmic; 2],
        curves: vec![
            Curve::dots("a step, paper at 700 MHz", "s", paper),
            Curve::dotted_line("a step of closed chains, here", "s", ours),
            Curve::dots("full Gauss elimination, here", "s", full),
        ],
        ..Figure::default()
    };
    context.figure("Time over the number of variables.", &figure);
    context.remark(
        "Sparse is the whole solve stage of a step: writing the matrix, factor, solve, the active set of stops and contacts, and the \
         check of the residual; of the bicycle with the rows of tyres, springs and seat, which the dense systems do not have. Full Gauss \
         is one elimination of the same system, where the paper's naive way eliminates three larger ones with quaternions. Both dense \
         ways are plain loops for any processor of the kind; with wider instructions they would be up to twice as fast.",
    );
    context.remark(
        "The paper's text gives the bicycle 17 bodies, 18 links and 102 coordinates, its table 108: with 92 equations only 108 makes 200 \
         variables. It has no sizes, masses or stiffnesses of arm and bicycle; ours are in the scenes prosthetic_geared, prosthetic_whole \
         and bicycle.",
    );
    Ok(())
}
