//! Counters and extremes of a run for its summary: wall times, constraint violations, contacts, redundancy, breaks,
//! cables.

use crate::cable;
use crate::rope::RoutedCableResults;
use crate::summary::{
    Broken, CableResult, Contacts, Penetration, Redundant, Stages, Substeps, Times, Violation,
};
use std::collections::BTreeMap;
use std::io;
use std::time::Duration;
use windlass_engine::prelude::{Energy, Phase, Report, Work, World};
use windlass_host::{Observer, Step, probe, violation};
use windlass_scene::CableRef;

/// Largest number of step times kept for the median, spread over the run.
const KEPT: usize = 1 << 16;
/// Number of samples of the kinetic energy in a run.
const SAMPLES: u64 = 500;

/// Wall times of the steps of a run.
#[derive(Debug, Default)]
pub struct WallTimes {
    steps: u64,
    laps: Vec<f32>,
    /// How often the kept times were halved.
    thinned: u32,
    stages: Stages,
    pub total: Duration,
    longest: Duration,
}

impl WallTimes {
    /// Adds a step.
    fn note(&mut self, step: &Step<'_>) {
        self.steps += 1;
        // a log has the step solved before it is taken: its stages count all the same
        let wall = step.wall.max(step.report.timing.total());
        self.total += wall;
        self.longest = self.longest.max(wall);
        self.note_lap(wall);
        self.stages.add(&step.report.timing);
    }

    /// Keeps the time of every step; of every second one if there are too many, every fourth, and so on: a long run
    /// takes no more memory than a short one, and all of it is sampled.
    fn note_lap(&mut self, wall: Duration) {
        if self.laps.len() == KEPT {
            let mut keep = true;
            self.laps.retain(|_| {
                keep = !keep;
                !keep
            });
            self.thinned += 1;
        }
        if (self.steps - 1).is_multiple_of(1 << self.thinned) {
            self.laps.push(wall.as_secs_f32() * 1e6);
        }
    }

    /// Their quantiles.
    pub fn quantiles(&mut self) -> Times {
        self.laps.sort_by(f32::total_cmp);
        let steps = self.steps.max(1) as f64;
        let mut mean = self.stages;
        mean.parts_mut().for_each(|part| *part /= steps);
        Times {
            median: quantile(&self.laps, 0.5),
            p99: quantile(&self.laps, 0.99),
            max: self.longest.as_secs_f64() * 1e6,
            mean: self.total.as_secs_f64() * 1e6 / steps,
            stages: mean,
        }
    }
}

/// The counters. They must come before observers that inspect the world, since they read the rows of the step itself.
#[derive(Debug, Default)]
pub struct Counters {
    /// Steps between samples of the kinetic energy.
    stride: u64,
    pub wall: WallTimes,
    redundant: BTreeMap<String, usize>,
    redundant_rows: usize,
    pub start: Energy,
    pub end: Energy,
    /// Also taken at the end, with the velocities of the state. The cause of a fault also invalidates the velocities of
    /// the instant; those of the state are valid.
    pub held: Energy,
    /// Work done in the run; none if steps do not report it.
    pub work: Option<Work>,
    /// Before the end.
    pub max_kinetic: f64,
    pub violation: Violation,
    pub contacts: Contacts,
    pub max_residual: f64,
    pub broken: Vec<Broken>,
    /// The largest tension of each cable.
    pub pulls: Vec<(CableRef, CableResult)>,
    /// Extremes of the ropes.
    pub fates: RoutedCableResults,
    pub not_converged: u64,
    pub inaccurate: u64,
    pub substeps: Substeps,
}

impl Counters {
    /// Counters for a number of steps.
    pub fn new(steps: u64) -> Counters {
        Counters { stride: (steps / SAMPLES).max(1), ..Counters::default() }
    }

    /// The joints that were redundant at any time, with the most rows of each.
    pub fn redundant(&self) -> Vec<Redundant> {
        self.redundant
            .iter()
            .map(|(joint, rows)| Redundant { joint: joint.clone(), equations: *rows })
            .collect()
    }

    fn note_redundant(&mut self, world: &World) {
        for (joint, rows) in violation::redundant(world) {
            let most = self.redundant.entry(joint).or_default();
            *most = rows.max(*most);
        }
    }

    fn note_contacts(&mut self, world: &World, report: &Report) {
        let contacts = &mut self.contacts;
        let begun = world.events().iter().filter(|e| e.phase == Phase::Begin && !e.trigger);
        contacts.started += begun.count() as u64;
        contacts.max_points = contacts.max_points.max(report.contacts);
        if report.penetration > contacts.max_penetration.value {
            let bodies = violation::deepest_pair(world);
            contacts.max_penetration =
                Penetration { value: report.penetration, bodies, time: world.state().time };
        }
    }

    fn note_cables(&mut self, world: &World) {
        let time = world.state().time;
        for (id, pull) in &mut self.pulls {
            pull.broken_links = 0;
            for reading in id.readings(world) {
                if reading.tension > pull.max_tension {
                    (pull.max_tension, pull.position, pull.time) = (reading.tension, reading.at, time);
                }
                pull.max_curvature = pull.max_curvature.max(reading.curvature);
                pull.broken_links += usize::from(reading.broken);
            }
        }
    }

    fn note_broken(&mut self, world: &World) {
        for (place, _) in world.state().joints.iter().enumerate().filter(|(_, j)| j.broken) {
            let joint = violation::joint_name(world, place);
            if self.broken.iter().all(|b| b.joint != joint) {
                self.broken.push(Broken { joint, time: world.state().time });
            }
        }
    }
}

impl Observer for Counters {
    fn name(&self) -> String {
        "the summary".to_string()
    }

    fn start(&mut self, world: &mut World) -> io::Result<()> {
        self.start = world.inspect().energy();
        self.work = Some(Work::default());
        self.max_kinetic = self.start.kinetic;
        let pull = |(line, cable): (CableRef, &str)| {
            let breaking_load = match line {
                CableRef::Elements(id) => world.model().cables().get(id).and_then(|cable| {
                    let under_load = cable::link(world, cable).map(|link| link.under_load);
                    cable.section.bears(&under_load.unwrap_or_default())
                }),
                CableRef::Points(_) => None,
            };
            let cable = cable.to_string();
            let (max_tension, position, time, max_curvature) = (0.0, 0.0, 0.0, 0.0);
            (
                line,
                CableResult {
                    cable,
                    max_tension,
                    position,
                    time,
                    breaking_load,
                    max_curvature,
                    broken_links: 0,
                },
            )
        };
        self.pulls = probe::lines(world).map(pull).collect();
        self.fates.start(world);
        Ok(())
    }

    fn step(&mut self, world: &mut World, step: &Step<'_>) -> io::Result<()> {
        let report = step.report;
        self.wall.note(step);
        self.not_converged += u64::from(report.stalled > 0);
        self.inaccurate += report.forced as u64;
        self.work = self.work.zip(report.work).map(|(sum, work)| sum.plus(work));
        self.substeps.note(world, report);
        let widest = violation::gaps(world).max_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((place, value)) = widest
            && value > self.violation.value
        {
            let joint = Some(violation::joint_name(world, place));
            self.violation = Violation { value, joint, time: world.state().time };
        }
        self.max_residual = self.max_residual.max(report.residual);
        self.note_contacts(world, report);
        self.note_cables(world);
        self.fates.note(world);
        if report.redundant != self.redundant_rows {
            self.redundant_rows = report.redundant;
            self.note_redundant(world);
        }
        if report.broken > 0 {
            self.note_broken(world);
        }
        if step.number.is_multiple_of(self.stride) {
            self.max_kinetic = self.max_kinetic.max(world.energy().kinetic);
        }
        Ok(())
    }

    fn end(&mut self, world: &mut World) -> io::Result<()> {
        self.held = world.energy();
        let now = world.inspect();
        self.end = now.energy();
        self.work = self.work.zip(now.work()).map(|(sum, work)| sum.plus(work));
        Ok(())
    }
}

/// A quantile of sorted numbers.
pub fn quantile(sorted: &[f32], part: f64) -> f64 {
    let place = (sorted.len() as f64 * part) as usize;
    sorted.get(place.min(sorted.len().saturating_sub(1))).copied().map_or(0.0, f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_of_the_numbers_given() {
        let numbers: Vec<f32> = (1..=100).map(|n| n as f32).collect();
        assert_eq!([0.0, 0.5, 0.99, 1.0].map(|part| quantile(&numbers, part)), [1.0, 51.0, 100.0, 100.0]);
        assert_eq!(quantile(&[], 0.5), 0.0);
    }

    /// A million steps leave at most a hundred thousand times, and the median represents all of them.
    #[test]
    fn step_times_take_no_more_memory_in_a_long_run() {
        let mut wall = WallTimes::default();
        for step in 1..=1_000_000u64 {
            wall.steps = step;
            wall.note_lap(Duration::from_micros(step));
        }
        assert!(wall.laps.len() <= KEPT && wall.laps.capacity() <= 2 * KEPT);
        let Times { median, p99, .. } = wall.quantiles();
        assert!(
            (median / 500_000.0 - 1.0).abs() < 1e-3 && (p99 / 990_000.0 - 1.0).abs() < 1e-3,
            "{median} {p99}"
        );
    }
}
