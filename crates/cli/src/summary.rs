//! What a run says at its end, as text and as JSON.

use crate::rope::Fate;
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use windlass_engine::prelude::{Report, Work, World};
use windlass_engine::report::Timing;
use windlass_host::text::{count, digits};

/// How a run went.
#[derive(Debug, Serialize)]
pub struct Summary {
    /// Name of the scene.
    pub scene: String,
    pub stepper: &'static str,
    /// Step [s].
    pub dt: f64,
    /// Simulated time [s].
    pub seconds: f64,
    pub steps: u64,
    /// Time it took [s].
    pub wall_seconds: f64,
    /// Simulated per wall time of the steps.
    pub real_time_factor: f64,
    pub step_microseconds: Times,
    /// Of a run that kept pace with the clock.
    pub pace: Option<Paced>,
    pub energy: Energies,
    pub worst_gap: Gap,
    pub contacts: Contacts,
    pub cables: Vec<Pull>,
    /// Cables with a route.
    pub ropes: Vec<Fate>,
    pub redundant: Vec<Redundant>,
    pub broken: Vec<Broken>,
    /// Steps in which an island's search for its active set was cut off.
    pub stalled_steps: u64,
    /// Largest violation of the rows' conditions that a step left, relative to the largest speed.
    pub worst_residual: f64,
    /// Internal steps at the shortest length although the error was too large or contacts too stiff; steps in which rounds did not
    /// close the joints of an island.
    pub forced_steps: u64,
    /// How many substeps `spook` took by itself.
    pub substeps: Substeps,
    /// Steps that came out otherwise after a restore; none if it was not looked at.
    pub unrestored_steps: Option<u64>,
    /// Whether a signal ended the run early.
    pub interrupted: bool,
    pub fault: Option<Fault>,
    /// Of the final state.
    pub hash: String,
}

/// How many substeps were taken.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Substeps {
    /// In all steps together.
    pub total: u64,
    /// In one step at most.
    pub most: u32,
    /// Steps in which as many as allowed were too few.
    pub too_few: u64,
    /// The shortest step that was needed in those [s], and the body that needed it.
    pub needed: Option<f64>,
    pub body: Option<String>,
}

impl Substeps {
    /// Adds a step.
    pub fn note(&mut self, world: &World, report: &Report) {
        self.total += u64::from(report.substeps);
        self.most = self.most.max(report.substeps);
        let Some(limit) = report.too_long else { return };
        self.too_few += 1;
        if self.needed.is_none_or(|needed| limit.longest < needed) {
            self.needed = Some(limit.longest);
            let body = limit.body.and_then(|place| world.model().bodies().at(place));
            self.body = body.map(|body| body.name.clone());
        }
    }

    fn text(&self, steps: u64) -> String {
        let mean = digits(self.total as f64 / steps.max(1) as f64);
        format!("{mean} on average, {} at most, taken by itself to stay stable", self.most)
    }

    /// What to do where they were too few.
    pub fn advice(&self) -> Option<String> {
        let body = self.body.as_ref().map_or(String::new(), |body| format!(" for body \"{body}\""));
        let needed = digits(self.needed?);
        let steps = count(self.too_few as usize, "step");
        Some(format!("{steps} too long{body}: {needed} s would do; shorten dt or raise `max_substeps`"))
    }
}

/// Wall time of the steps [µs].
#[derive(Clone, Debug, Serialize)]
pub struct Times {
    pub median: f64,
    /// One step in a hundred took longer.
    pub p99: f64,
    pub longest: f64,
    pub mean: f64,
    /// What the mean is made of.
    pub stages: Stages,
}

/// Wall time of each stage of a step [µs]. The acceleration-level steppers run all stages inside `integrate`.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Stages {
    pub force: f64,
    /// Measurements of older versions have none.
    #[serde(default)]
    pub collide: f64,
    pub constrain: f64,
    pub partition: f64,
    pub solve: f64,
    pub integrate: f64,
}

impl Stages {
    /// The stages, named, in the order of the step.
    fn parts(&self) -> [(&'static str, f64); 6] {
        let Stages { force, collide, constrain, partition, solve, integrate } = *self;
        [
            ("force", force),
            ("collide", collide),
            ("constrain", constrain),
            ("partition", partition),
            ("solve", solve),
            ("integrate", integrate),
        ]
    }

    /// The numbers, to be changed.
    pub fn parts_mut(&mut self) -> impl Iterator<Item = &mut f64> {
        let Stages { force, collide, constrain, partition, solve, integrate } = self;
        [force, collide, constrain, partition, solve, integrate].into_iter()
    }

    /// Adds the times of a step.
    pub fn add(&mut self, t: &Timing) {
        let times = [t.force, t.collide, t.constrain, t.partition, t.solve, t.integrate];
        self.parts_mut().zip(times).for_each(|(part, time)| *part += time.as_secs_f64() * 1e6);
    }

    /// "solve 62 %, integrate 10 %": what each takes of the whole, but for what rounds to nothing.
    pub fn shares(&self) -> String {
        let sum: f64 = self.parts().iter().map(|p| p.1).sum();
        let share = |(name, part): &(&str, f64)| format!("{name} {:.0} %", 100.0 * part / sum.max(1e-12));
        let seen: Vec<_> = self.parts().iter().filter(|p| p.1 > 0.005 * sum).map(share).collect();
        seen.join(", ")
    }
}

/// How well a run kept pace with the clock.
#[derive(Debug, Serialize)]
pub struct Paced {
    /// Wanted simulated per wall time.
    pub factor: f64,
    /// By how much the run is late because it was not caught up [s].
    pub given_up: f64,
    /// How often it fell behind that far.
    pub delays: u64,
}

/// Total energies [J].
#[derive(Debug, Serialize)]
pub struct Energies {
    pub start: f64,
    pub end: f64,
    pub change: f64,
    /// Largest kinetic energy seen, to compare the error with.
    pub largest_kinetic: f64,
    /// Work done in the run, by cause; none under `projected` and `dormand-prince`, and with mass-point cables.
    pub work: Option<WorkDone>,
    /// The change less all work [J].
    pub numerical_error: Option<f64>,
}

/// Work by cause [J]; negative where energy was taken out.
#[derive(Debug, Serialize)]
pub struct WorkDone {
    pub loads: f64,
    pub drives: f64,
    pub damping: f64,
    pub friction: f64,
    pub contact: f64,
    pub remeshing: f64,
}

impl From<Work> for WorkDone {
    fn from(Work { loads, drives, damping, friction, contact, remeshing }: Work) -> WorkDone {
        WorkDone { loads, drives, damping, friction, contact, remeshing }
    }
}

/// The widest open joint of the run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Gap {
    /// [m or rad]
    pub size: f64,
    pub joint: Option<String>,
    /// When it was seen [s].
    pub time: f64,
}

/// What touched in a run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Contacts {
    /// Most points in a step, touching or about to.
    pub most_points: usize,
    /// How often two shapes began to touch.
    pub begun: u64,
    pub deepest_overlap: Overlap,
}

/// The deepest that two surfaces overlapped.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Overlap {
    /// [m]
    pub size: f64,
    pub bodies: Option<[String; 2]>,
    /// When it was seen [s].
    pub time: f64,
}

/// The largest tension of a cable in a run.
#[derive(Clone, Debug, Serialize)]
pub struct Pull {
    pub cable: String,
    /// [N]
    pub tension: f64,
    /// Where along it, without load [m].
    pub at: f64,
    /// When [s].
    pub time: f64,
    /// [N]
    pub breaking_load: Option<f64>,
    /// Sharpest bend [1/m].
    pub curvature: f64,
    /// Links that are broken or cut at the end.
    pub broken: usize,
}

/// A joint some of whose rows said what others said already.
#[derive(Debug, Serialize)]
pub struct Redundant {
    pub joint: String,
    pub rows: usize,
}

/// A joint that broke.
#[derive(Debug, Serialize)]
pub struct Broken {
    pub joint: String,
    /// [s]
    pub time: f64,
}

/// Why the run stopped.
#[derive(Debug, Serialize)]
pub struct Fault {
    pub body: String,
    pub joint: Option<String>,
    /// Time of the last good state [s].
    pub time: f64,
    pub step: u64,
    pub message: String,
}

impl Summary {
    /// As a table.
    pub fn table(&self) -> String {
        let mut out = String::new();
        let mut line = |name: &str, text: String| {
            let _ = writeln!(out, "{name:<12}{text}");
        };
        let stopped = match (&self.fault, self.interrupted) {
            (Some(_), _) => " (stopped at a fault)",
            (None, true) => " (interrupted)",
            (None, false) => "",
        };
        line("scene", self.scene.clone());
        let steps = count(self.steps as usize, "step");
        let way = format!("{steps} of {} s, {}", digits(self.dt), self.stepper);
        line("simulated", format!("{} s: {way}{stopped}", digits(self.seconds)));
        let factor = format!("{} × real time", digits(self.real_time_factor));
        line("wall time", format!("{} s, {factor}", digits(self.wall_seconds)));
        if let Some(pace) = &self.pace {
            line("pace", pace.text());
        }
        let t = &self.step_microseconds;
        let [median, p99, longest] = [t.median, t.p99, t.longest].map(digits);
        line("step", format!("{median} µs median, {p99} µs p99, {longest} µs longest"));
        // after a fault the end is the last state that was good
        let last = if self.fault.is_some() { " (of the last good state)" } else { "" };
        line("energy", format!("{}{last}", self.energy.text()));
        if let Some(work) = self.energy.work.as_ref().and_then(WorkDone::text) {
            line("work", work);
        }
        if let Some(error) = self.energy.error() {
            line("error", error);
        }
        line("worst gap", self.worst_gap.text());
        if self.contacts.most_points > 0 {
            line("contacts", self.contacts.text());
            line("overlap", self.contacts.deepest_overlap.text());
            line("residual", format!("{} at most, of the largest speed", digits(self.worst_residual)));
            line("stages", self.step_microseconds.stages.shares());
        }
        for (k, pull) in self.cables.iter().enumerate() {
            line(if k == 0 { "cables" } else { "" }, pull.text());
        }
        for (k, fate) in self.ropes.iter().enumerate() {
            line(if k == 0 { "ropes" } else { "" }, fate.text());
        }
        if !self.redundant.is_empty() {
            let list: Vec<_> =
                self.redundant.iter().map(|r| format!("{} ({})", r.joint, count(r.rows, "row"))).collect();
            line("redundant", list.join(", "));
        }
        for b in &self.broken {
            line("broken", format!("{} at {} s", b.joint, digits(b.time)));
        }
        if self.stalled_steps > 0 {
            let were = if self.stalled_steps == 1 { "was" } else { "were" };
            let steps = count(self.stalled_steps as usize, "step");
            line("stalled", format!("{steps} {were} solved only in part"));
        }
        if self.substeps.most > 1 {
            line("substeps", self.substeps.text(self.steps));
        }
        if let Some(advice) = self.substeps.advice() {
            line("too long", advice);
        }
        if self.forced_steps > 0 {
            let steps = count(self.forced_steps as usize, "step");
            line(
                "forced",
                format!(
                    "{steps} too long for the tolerance, for stiff contacts, or for joints to close: shorten dt"
                ),
            );
        }
        match self.unrestored_steps {
            Some(0) => line("restore", "every step came out the same after a restore".to_string()),
            Some(n) => {
                let steps = count(n as usize, "step");
                line("restore", format!("{steps} came out otherwise after a restore"));
            }
            None => {}
        }
        line("hash", self.hash.clone());
        out
    }
}

impl Paced {
    fn text(&self) -> String {
        let kept = format!("{} × the clock", digits(self.factor));
        if self.delays == 0 {
            return format!("{kept}, kept");
        }
        let late = digits(self.given_up);
        format!("{kept}, late by {late} s in {}", count(self.delays as usize, "delay"))
    }
}

impl Energies {
    fn text(&self) -> String {
        let change = format!("change {} J", signed(self.change));
        // without an account the change is an error only where nothing does work
        let share = if self.numerical_error.is_none() { self.share(self.change) } else { String::new() };
        format!("{} J → {} J, {change}{share}", digits(self.start), digits(self.end))
    }

    /// The numerical error.
    fn error(&self) -> Option<String> {
        let error = self.numerical_error?;
        Some(format!("{} J{}", signed(error), self.share(error)))
    }

    /// An energy as a share of the largest kinetic energy, where it is smaller than that.
    fn share(&self, energy: f64) -> String {
        if energy.abs() < self.largest_kinetic {
            format!(", {} % of the largest kinetic", signed(100.0 * energy / self.largest_kinetic))
        } else {
            String::new()
        }
    }
}

impl WorkDone {
    /// The causes that did any.
    fn text(&self) -> Option<String> {
        let WorkDone { loads, drives, damping, friction, contact, remeshing } = *self;
        let causes = [
            ("loads", loads),
            ("drives and prescribed motion", drives),
            ("damping", damping),
            ("friction", friction),
            ("contact", contact),
            ("cable elements let out, taken in or remeshed", remeshing),
        ];
        let largest = causes.iter().fold(0.0, |most: f64, (_, work)| most.max(work.abs()));
        let seen = causes.iter().filter(|(_, work)| work.abs() > 1e-9 * largest);
        let list: Vec<_> = seen.map(|(cause, work)| format!("{} J by {cause}", signed(*work))).collect();
        (!list.is_empty()).then(|| list.join(", "))
    }
}

impl Gap {
    fn text(&self) -> String {
        match &self.joint {
            Some(joint) => {
                format!("{} (m or rad) at {joint}, t = {} s", digits(self.size), digits(self.time))
            }
            None => "none".to_string(),
        }
    }
}

impl Pull {
    fn text(&self) -> String {
        let place = format!("at {} m, t = {} s", digits(self.at), digits(self.time));
        let share = self.breaking_load.map_or(String::new(), |load| {
            format!(", {} % of its breaking load {} N", digits(100.0 * self.tension / load), digits(load))
        });
        let broken = match self.broken {
            0 => String::new(),
            n => format!(", {} broken", count(n, "link")),
        };
        format!("{}: {} N at most, {place}{share}{broken}", self.cable, digits(self.tension))
    }
}

impl Contacts {
    fn text(&self) -> String {
        let points = count(self.most_points, "point");
        let begun = match self.begun {
            1 => "1 touch".to_string(),
            n => format!("{n} touches"),
        };
        format!("{points} at most, {begun} begun")
    }
}

impl Overlap {
    fn text(&self) -> String {
        match &self.bodies {
            Some([a, b]) => {
                format!("{} m at most, {a} and {b}, t = {} s", digits(self.size), digits(self.time))
            }
            None => "none".to_string(),
        }
    }
}

fn signed(x: f64) -> String {
    if x > 0.0 { format!("+{}", digits(x)) } else { digits(x) }
}
