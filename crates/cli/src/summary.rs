//! The summary of a run, as text and as JSON.

use crate::earthwork::GroundResult;
use crate::rope::RoutedCableResult;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use windlass_engine::prelude::{Report, Work, World};
use windlass_engine::report::Timing;
use windlass_host::text::{count, digits};
use windlass_scene::LogicItem;

/// Summary of a run.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Summary {
    /// Name of the scene.
    pub scene: String,
    /// Integrator: `spook`, `projected` or `dormand-prince`.
    pub integrator: &'static str,
    /// Step [s].
    pub dt: f64,
    /// Simulated time [s].
    pub duration: f64,
    /// Number of steps.
    pub steps: u64,
    /// Wall time [s].
    pub wall_time: f64,
    /// Simulated per wall time of the steps.
    pub real_time_factor: f64,
    /// Wall time of the steps [µs].
    pub step_wall_time: Times,
    /// Pace and lag of a run in real time.
    pub pace: Option<Paced>,
    /// Total energies and work [J].
    pub energy: Energies,
    /// Largest violation of a rigid joint equation.
    pub max_constraint_violation: Violation,
    /// Contacts of the run.
    pub contacts: Contacts,
    /// Largest tensions of the cables without a route.
    pub cables: Vec<CableResult>,
    /// Largest tensions of the cables with a route.
    pub routed_cables: Vec<RoutedCableResult>,
    /// Joints with redundant constraint equations.
    pub redundant: Vec<Redundant>,
    /// Joints that broke.
    pub broken: Vec<Broken>,
    /// Grounds of soil.
    pub grounds: Vec<GroundResult>,
    /// Rules that were active.
    pub rules: Vec<RuleResult>,
    /// Steps in which the solver of an island did not converge.
    pub not_converged_steps: u64,
    /// Largest residual of the complementarity conditions, relative to the largest speed.
    pub max_relative_residual: f64,
    /// Internal steps of the minimum length although the error was too large or contacts too stiff; steps in which
    /// position iterations did not satisfy the joints of an island.
    pub inaccurate_steps: u64,
    /// Substeps taken automatically by `spook`.
    pub substeps: Substeps,
    /// Steps that differ when repeated from a saved state; none if that was not checked.
    pub restore_mismatches: Option<u64>,
    /// Whether a signal ended the run early.
    pub interrupted: bool,
    /// The fault that stopped the run.
    pub fault: Option<Fault>,
    /// 64-bit hash of the final state, hexadecimal.
    pub hash: String,
}

/// Counts of substeps.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct Substeps {
    /// In all steps together.
    pub total: u64,
    /// Largest number in one step.
    pub max: u32,
    /// Steps for which `max_substeps` was too small.
    pub insufficient: u64,
    /// The shortest step that would suffice for those [s].
    pub required_dt: Option<f64>,
    /// The body that requires it.
    pub body: Option<String>,
}

impl Substeps {
    /// Adds a step.
    pub fn note(&mut self, world: &World, report: &Report) {
        self.total += u64::from(report.substeps);
        self.max = self.max.max(report.substeps);
        let Some(limit) = report.too_long else { return };
        self.insufficient += 1;
        if self.required_dt.is_none_or(|dt| limit.longest < dt) {
            self.required_dt = Some(limit.longest);
            let body = limit.body.and_then(|place| world.model().bodies().at(place));
            self.body = body.map(|body| body.name.clone());
        }
    }

    fn text(&self, steps: u64) -> String {
        let mean = digits(self.total as f64 / steps.max(1) as f64);
        format!("{mean} on average, {} at most, for stability", self.max)
    }

    /// The remedy if there were too few.
    pub fn advice(&self) -> Option<String> {
        let body = self.body.as_ref().map_or(String::new(), |body| format!(" for body \"{body}\""));
        let needed = digits(self.required_dt?);
        let steps = count(self.insufficient as usize, "step");
        Some(format!("{steps} too long{body}: use dt = {needed} s, or raise `max_substeps`"))
    }
}

/// Wall time of the steps [µs].
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Times {
    /// Median [µs].
    pub median: f64,
    /// 99th percentile [µs].
    pub p99: f64,
    /// Largest [µs].
    pub max: f64,
    /// Mean [µs].
    pub mean: f64,
    /// Means of the stages, which add up to the mean [µs].
    pub stages: Stages,
}

/// Wall time of each stage of a step [µs]. The acceleration-level integrators run all stages inside `integrate`.
#[derive(Clone, Copy, Debug, Default, JsonSchema, Serialize, Deserialize)]
pub struct Stages {
    /// Applied forces [µs].
    pub force: f64,
    /// Contact detection [µs]; absent in measurements of older versions.
    #[serde(default)]
    pub collide: f64,
    /// Constraint equations [µs].
    pub constrain: f64,
    /// Division into islands [µs].
    pub partition: f64,
    /// Solution [µs].
    pub solve: f64,
    /// Integration [µs].
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

    /// The numbers, mutable.
    pub fn parts_mut(&mut self) -> impl Iterator<Item = &mut f64> {
        let Stages { force, collide, constrain, partition, solve, integrate } = self;
        [force, collide, constrain, partition, solve, integrate].into_iter()
    }

    /// Adds the times of a step.
    pub fn add(&mut self, t: &Timing) {
        let times = [t.force, t.collide, t.constrain, t.partition, t.solve, t.integrate];
        self.parts_mut().zip(times).for_each(|(part, time)| *part += time.as_secs_f64() * 1e6);
    }

    /// "solve 62 %, integrate 10 %": the share of each stage, without those that round to zero.
    pub fn shares(&self) -> String {
        let sum: f64 = self.parts().iter().map(|p| p.1).sum();
        let share = |(name, part): &(&str, f64)| format!("{name} {:.0} %", 100.0 * part / sum.max(1e-12));
        let seen: Vec<_> = self.parts().iter().filter(|p| p.1 > 0.005 * sum).map(share).collect();
        seen.join(", ")
    }
}

/// Pace of a run in real time.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Paced {
    /// Requested ratio of simulated time to wall time.
    pub factor: f64,
    /// Lag behind the clock that was not recovered [s].
    pub lag: f64,
    /// Number of such delays.
    pub delays: u64,
}

/// Total energies [J].
#[derive(Debug, JsonSchema, Serialize)]
pub struct Energies {
    /// Total energy at the start [J].
    pub start: f64,
    /// Total energy at the end [J].
    pub end: f64,
    /// Change of the total energy [J].
    pub change: f64,
    /// Largest kinetic energy of the run [J], as a scale for the error.
    pub max_kinetic: f64,
    /// Work done in the run, by cause [J]; none under `projected` and `dormand-prince`, and with mass-point
    /// cables.
    pub work: Option<WorkDone>,
    /// The change less all work [J].
    pub numerical_error: Option<f64>,
}

/// Work by cause [J]; negative where energy was taken out.
#[derive(Debug, JsonSchema, Serialize)]
pub struct WorkDone {
    /// By applied forces without a potential [J].
    pub loads: f64,
    /// By motors, prescribed motion and kinematic bodies [J].
    pub drives: f64,
    /// By dampers and drag [J].
    pub damping: f64,
    /// By dry friction in joints and contacts [J].
    pub friction: f64,
    /// By impacts, joint limits and distance limits [J].
    pub contact: f64,
    /// By fluids and soil [J].
    pub subsystems: f64,
    /// By cable elements that are paid out, reeled in, merged or split, and the stretch of rope on drums [J].
    pub remeshing: f64,
}

impl From<Work> for WorkDone {
    fn from(work: Work) -> WorkDone {
        let Work { loads, drives, damping, friction, contact, subsystems, remeshing } = work;
        WorkDone { loads, drives, damping, friction, contact, subsystems, remeshing }
    }
}

/// The largest constraint violation of the run.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct Violation {
    /// Violation [m or rad].
    pub value: f64,
    /// Name of the joint.
    pub joint: Option<String>,
    /// Time at which it occurred [s].
    pub time: f64,
}

/// The contacts of a run.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct Contacts {
    /// Most contact points in a step, near contacts included.
    pub max_points: usize,
    /// Number of contacts between two shapes that started.
    pub started: u64,
    /// Largest penetration of two surfaces.
    pub max_penetration: Penetration,
}

/// The largest penetration of two surfaces.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct Penetration {
    /// Depth [m].
    pub value: f64,
    /// Names of the two bodies.
    pub bodies: Option<[String; 2]>,
    /// Time at which it occurred [s].
    pub time: f64,
}

/// The largest tension of a cable in a run.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct CableResult {
    /// Name of the cable.
    pub cable: String,
    /// Largest tension [N].
    pub max_tension: f64,
    /// Where along it, in unloaded length [m].
    pub position: f64,
    /// Time of the largest tension [s].
    pub time: f64,
    /// Breaking load [N]; none if it does not break.
    pub breaking_load: Option<f64>,
    /// Largest curvature [1/m].
    pub max_curvature: f64,
    /// Links that are broken or cut at the end.
    pub broken_links: usize,
}

/// A joint with redundant constraint equations.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Redundant {
    /// Name of the joint.
    pub joint: String,
    /// Number of its redundant equations.
    pub equations: usize,
}

/// A rule that was active.
#[derive(Debug, JsonSchema, Serialize)]
pub struct RuleResult {
    /// Name of the rule.
    pub rule: String,
    /// Its message.
    pub message: Option<String>,
    /// How often it became active.
    pub activations: u64,
    /// When it first became active [s].
    pub first: f64,
    /// When it last became active [s].
    pub last: f64,
    /// Whether it is active at the end.
    pub active: bool,
}

impl RuleResult {
    /// The rules of a world that were active.
    pub fn all(world: &World) -> Vec<RuleResult> {
        let rules = LogicItem::all(world).into_iter().filter(|item| item.activations.0 > 0);
        let result = |item: LogicItem| {
            let (activations, [first, last]) = item.activations;
            RuleResult {
                rule: item.name,
                message: item.message,
                activations,
                first,
                last,
                active: item.active,
            }
        };
        rules.map(result).collect()
    }

    fn line(&self) -> String {
        let times = match self.activations {
            1 => String::new(),
            n => format!(", {n} times until {} s", digits(self.last)),
        };
        let message = self.message.as_ref().map_or(String::new(), |message| format!(": {message}"));
        let active = if self.active { ", active at the end" } else { "" };
        format!("{} at {} s{times}{active}{message}", self.rule, digits(self.first))
    }
}

/// A joint that broke.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Broken {
    /// Name of the joint.
    pub joint: String,
    /// Time at which it broke [s].
    pub time: f64,
}

/// The fault that stopped the run.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Fault {
    /// Name of the first body affected.
    pub body: String,
    /// Joint with the largest force on that body.
    pub joint: Option<String>,
    /// Time of the last valid state [s].
    pub time: f64,
    /// Number of the last valid step.
    pub step: u64,
    /// The fault in a sentence.
    pub message: String,
}

impl Summary {
    /// As a table.
    pub fn table(&self) -> String {
        let mut out = String::new();
        let mut line = |name: &str, text: String| {
            let _ = writeln!(out, "{name:<15}{text}");
        };
        line("scene", self.scene.clone());
        let steps = count(self.steps as usize, "step");
        let way = format!("{steps} of {} s, {}", digits(self.dt), self.integrator);
        line("simulated", format!("{} s: {way}{}", digits(self.duration), self.stopped()));
        let factor = format!("{} × real time", digits(self.real_time_factor));
        line("wall time", format!("{} s, {factor}", digits(self.wall_time)));
        if let Some(pace) = &self.pace {
            line("pace", pace.text());
        }
        let t = &self.step_wall_time;
        let [median, p99, max] = [t.median, t.p99, t.max].map(digits);
        line("step", format!("{median} µs median, {p99} µs 99th percentile, {max} µs max"));
        // after a fault the end is the last valid state
        let last = if self.fault.is_some() { " (of the last valid state)" } else { "" };
        line("energy", format!("{}{last}", self.energy.text()));
        if let Some(work) = self.energy.work.as_ref().and_then(WorkDone::text) {
            line("work", work);
        }
        if let Some(error) = self.energy.error() {
            line("energy error", error);
        }
        line("violation", self.max_constraint_violation.text());
        if self.contacts.max_points > 0 {
            line("contacts", self.contacts.text());
            line("penetration", self.contacts.max_penetration.text());
            line(
                "residual",
                format!("{} at most, relative to the largest speed", digits(self.max_relative_residual)),
            );
            line("stages", self.step_wall_time.stages.shares());
        }
        let cables = self
            .cables
            .iter()
            .map(CableResult::text)
            .chain(self.routed_cables.iter().map(RoutedCableResult::text));
        for (k, text) in cables.enumerate() {
            line(if k == 0 { "cables" } else { "" }, text);
        }
        if let Some(text) = self.redundant_text() {
            line("redundant", text);
        }
        for b in &self.broken {
            line("broken", format!("{} at {} s", b.joint, digits(b.time)));
        }
        for ground in &self.grounds {
            line("soil", ground.text());
        }
        for rule in &self.rules {
            line("rule", rule.line());
        }
        if self.not_converged_steps > 0 {
            let steps = count(self.not_converged_steps as usize, "step");
            line("not converged", format!("solver in {steps}: shorten dt"));
        }
        if self.substeps.max > 1 {
            line("substeps", self.substeps.text(self.steps));
        }
        if let Some(advice) = self.substeps.advice() {
            line("dt too long", advice);
        }
        if self.inaccurate_steps > 0 {
            let steps = count(self.inaccurate_steps as usize, "step");
            line(
                "inaccurate",
                format!(
                    "{steps} too long for the tolerance, stiff contacts or position iterations: shorten dt"
                ),
            );
        }
        if let Some(text) = self.restore_text() {
            line("restore", text);
        }
        line("hash", self.hash.clone());
        out
    }

    /// Joints with redundant equations.
    fn redundant_text(&self) -> Option<String> {
        let text = |r: &Redundant| format!("{} ({})", r.joint, count(r.equations, "equation"));
        let list: Vec<_> = self.redundant.iter().map(text).collect();
        (!list.is_empty()).then(|| list.join(", "))
    }

    /// Why the run ended early.
    fn stopped(&self) -> &'static str {
        match (&self.fault, self.interrupted) {
            (Some(_), _) => " (stopped at a fault)",
            (None, true) => " (interrupted)",
            (None, false) => "",
        }
    }

    /// How the repetition from saved states went.
    fn restore_text(&self) -> Option<String> {
        Some(match self.restore_mismatches? {
            0 => "every step repeated from a saved state, bitwise equal".to_string(),
            n => format!("{} differ when repeated from a saved state", count(n as usize, "step")),
        })
    }
}

impl Paced {
    fn text(&self) -> String {
        let kept = format!("{} × real time", digits(self.factor));
        if self.delays == 0 {
            return format!("{kept}, held");
        }
        let late = digits(self.lag);
        format!("{kept}, lag {late} s in {}", count(self.delays as usize, "delay"))
    }
}

impl Energies {
    fn text(&self) -> String {
        let change = format!("change {} J", signed(self.change));
        // without a balance of work the change is an error only if nothing does work
        let is_error = self.numerical_error.is_none() && self.change.abs() < self.max_kinetic;
        let share = if is_error { self.share(self.change) } else { String::new() };
        format!("{} J → {} J, {change}{share}", digits(self.start), digits(self.end))
    }

    /// The numerical error.
    fn error(&self) -> Option<String> {
        let error = self.numerical_error?;
        Some(format!("{} J{}", signed(error), self.share(error)))
    }

    /// An energy as a share of the largest kinetic energy.
    fn share(&self, energy: f64) -> String {
        match self.max_kinetic > 0.0 {
            true => {
                format!(", {} % of the largest kinetic energy", signed(100.0 * energy / self.max_kinetic))
            }
            false => String::new(),
        }
    }
}

impl WorkDone {
    /// The causes with nonzero work.
    fn text(&self) -> Option<String> {
        let WorkDone { loads, drives, damping, friction, contact, subsystems, remeshing } = *self;
        let causes = [
            ("loads", loads),
            ("drives and prescribed motion", drives),
            ("damping", damping),
            ("friction", friction),
            ("contact", contact),
            ("fluids and soil", subsystems),
            ("rope and cable paid out, reeled in or remeshed", remeshing),
        ];
        let largest = causes.iter().fold(0.0, |most: f64, (_, work)| most.max(work.abs()));
        let seen = causes.iter().filter(|(_, work)| work.abs() > 1e-9 * largest);
        let list: Vec<_> = seen.map(|(cause, work)| format!("{} J by {cause}", signed(*work))).collect();
        (!list.is_empty()).then(|| list.join(", "))
    }
}

impl Violation {
    fn text(&self) -> String {
        match &self.joint {
            Some(joint) => {
                format!("max {} (m or rad), joint {joint}, t = {} s", digits(self.value), digits(self.time))
            }
            None => "none".to_string(),
        }
    }
}

impl CableResult {
    fn text(&self) -> String {
        let place = format!("at {} m, t = {} s", digits(self.position), digits(self.time));
        let share = self.breaking_load.map_or(String::new(), |load| {
            format!(", {} % of its breaking load {} N", digits(100.0 * self.max_tension / load), digits(load))
        });
        let broken = match self.broken_links {
            0 => String::new(),
            n => format!(", {} broken", count(n, "link")),
        };
        format!("{}: max {} N {place}{share}{broken}", self.cable, digits(self.max_tension))
    }
}

impl Contacts {
    fn text(&self) -> String {
        format!(
            "max {}, {} started",
            count(self.max_points, "point"),
            count(self.started as usize, "contact")
        )
    }
}

impl Penetration {
    fn text(&self) -> String {
        match &self.bodies {
            Some([a, b]) => {
                format!("max {} m, {a} and {b}, t = {} s", digits(self.value), digits(self.time))
            }
            None => "none".to_string(),
        }
    }
}

fn signed(x: f64) -> String {
    if x > 0.0 { format!("+{}", digits(x)) } else { digits(x) }
}
