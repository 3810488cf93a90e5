//! A scene file → times of steps and a run, for the comparison with other engines (`compare.sh`).
//!
//! `engines/scenes.py` writes the scene, `engines/judge.py` reads the run: the same scenes and the same judge for everyone.
//! The run is numbers of 64 bits: how many steps were made, the CPU time of each [µs], then 13 numbers a body and frame:
//! place, quaternion w x y z, velocity, angular velocity.

use crate::judge::{Engine, Pose};
use crate::measure::cpu;
use crate::ours::Ours;
use crate::rapier::{Joints, Rapier, Setting};
use crate::scenes::{Body, Form, Joint, Scene};
use clap::{Args, ValueEnum};
use glam::{DQuat, DVec3};
use std::path::PathBuf;
use std::str::SplitAsciiWhitespace;
use windlass_engine::prelude::{Adaptive, Integrator};

/// Runs one scene of the comparison.
#[derive(Debug, Args)]
pub struct Drive {
    /// The scene
    scene: PathBuf,

    /// Where times and rows go
    out: PathBuf,

    /// The engine, and how it steps or joins
    #[arg(value_enum)]
    engine: Contestant,

    /// Iterations and sweeps of Rapier
    #[arg(long, num_args = 2, default_values_t = [4, 1])]
    iterations: Vec<usize>,

    /// Parts of a step of `spook`
    #[arg(long, default_value_t = 1)]
    parts: usize,

    /// Rounds in which `spook` closes joints where a part ends
    #[arg(long, default_value_t = 0)]
    rounds: u32,

    /// Tolerance of `dormand-prince`, if not its own
    #[arg(long)]
    tolerance: Option<f64>,

    /// Frequency of Rapier's contacts [Hz]
    #[arg(long)]
    contact: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Contestant {
    Spook,
    Projected,
    DormandPrince,
    RapierImpulse,
    RapierMultibody,
}

/// A scene and how long to run it.
struct Task {
    scene: Scene,
    /// [s]
    dt: f64,
    steps: usize,
    /// Steps between two looks; 0 for none.
    every: usize,
    /// CPU time of all steps together [s].
    budget: f64,
    /// EA and EI, if the bodies but the last are a cable.
    cable: Option<(f64, f64)>,
}

/// The words of a line.
pub struct Words<'a>(pub SplitAsciiWhitespace<'a>);

impl<'a> Words<'a> {
    pub fn of(line: &'a str) -> Words<'a> {
        Words(line.split_ascii_whitespace())
    }

    pub fn word(&mut self) -> Result<&'a str, String> {
        self.0.next().ok_or_else(|| "a line is too short".to_string())
    }

    pub fn read<T: std::str::FromStr>(&mut self) -> Result<T, String> {
        let word = self.word()?;
        word.parse().map_err(|_| format!("\"{word}\" is no number"))
    }

    pub fn vector(&mut self) -> Result<DVec3, String> {
        Ok(DVec3::new(self.read()?, self.read()?, self.read()?))
    }

    pub fn quaternion(&mut self) -> Result<DQuat, String> {
        let (w, x, y, z) = (self.read()?, self.read()?, self.read()?, self.read()?);
        Ok(DQuat::from_xyzw(x, y, z, w))
    }

    /// A body's number, or none for the world's, −1.
    fn body(&mut self) -> Result<Option<usize>, String> {
        Ok(usize::try_from(self.read::<i64>()?).ok())
    }
}

impl Task {
    fn read(text: &str) -> Result<Task, String> {
        let scene = Scene::new("a scene of the comparison".to_string());
        let mut task = Task { scene, dt: 0.0, steps: 0, every: 0, budget: 0.0, cable: None };
        for line in text.lines() {
            let mut w = Words::of(line);
            match w.word()? {
                "run" => {
                    (task.dt, task.steps, task.every, task.budget) =
                        (w.read()?, w.read()?, w.read()?, w.read()?);
                    task.scene.gravity = -w.read::<f64>()? * DVec3::Z;
                    task.scene.touching = w.read::<u8>()? != 0;
                }
                "cable" => task.cable = Some((w.read()?, w.read()?)),
                "body" => task.scene.bodies.push(Body {
                    mass: w.read()?,
                    moments: w.vector()?,
                    at: w.vector()?,
                    orientation: w.quaternion()?,
                    half: w.vector()?,
                    velocity: DVec3::ZERO,
                    spin: DVec3::ZERO,
                }),
                "joint" => {
                    let form = if w.word()? == "ball" { Form::Ball } else { Form::Hinge };
                    let bodies = [w.body()?, w.body()?];
                    task.scene.joints.push(Joint { form, bodies, at: w.vector()?, axis: w.vector()? });
                }
                other => return Err(format!("nothing is called \"{other}\"")),
            }
        }
        Ok(task)
    }
}

/// Ours, looked at in a second world: a look solves a system of its own, which would leave the next step's caches cold.
struct Watched {
    runs: Ours,
    looks: Ours,
}

impl Engine for Watched {
    fn frame(&mut self) -> bool {
        self.runs.frame()
    }

    fn look(&mut self, out: &mut Vec<Pose>) {
        self.looks.world.restore(self.runs.world.state().clone()).expect("a state of the same model");
        self.looks.look(out);
    }
}

impl Drive {
    fn engine(&self, task: &Task) -> Box<dyn Engine> {
        let twice =
            |make: &dyn Fn() -> Ours| Box::new(Watched { runs: make(), looks: make() }) as Box<dyn Engine>;
        let ours =
            |integrator| twice(&|| Ours::with(&task.scene, task.dt, self.parts, integrator).closing(self.rounds));
        let stock = Adaptive::default();
        let adaptive = Adaptive { tolerance: self.tolerance.unwrap_or(stock.tolerance), ..stock };
        let theirs = |joints| {
            let stock = Setting::stock(joints);
            // more than the shipped iterations come with warm starts, which they are meant for
            let setting = Setting {
                iterations: self.iterations[0],
                sweeps: self.iterations[1],
                warm: self.iterations != [4, 1],
                contact: self.contact,
                ..stock
            };
            Box::new(Rapier::with(&task.scene, task.dt, setting)) as Box<dyn Engine>
        };
        match (self.engine, task.cable) {
            (Contestant::Spook, Some((ea, ei))) => twice(&|| Ours::cable(&task.scene, task.dt, ea, ei)),
            (Contestant::Spook, None) => ours(Integrator::Spook),
            (Contestant::Projected, _) => ours(Integrator::Projected),
            (Contestant::DormandPrince, _) => ours(Integrator::DormandPrince(adaptive)),
            (Contestant::RapierImpulse, _) => theirs(Joints::Impulse),
            (Contestant::RapierMultibody, _) => theirs(Joints::Multibody),
        }
    }

    /// Runs the scene and writes what came of it.
    pub fn run(&self) -> Result<(), String> {
        let told = |path: &PathBuf, e: std::io::Error| format!("{}: {e}", path.display());
        let text = std::fs::read_to_string(&self.scene).map_err(|e| told(&self.scene, e))?;
        let task = Task::read(&text).map_err(|e| format!("{}: {e}", self.scene.display()))?;
        let mut engine = self.engine(&task);
        let (mut times, mut rows, mut poses) = (Vec::new(), Vec::new(), Vec::new());
        engine.look(&mut poses);
        // an engine may turn a body's frame otherwise than the scene does
        let frames: Vec<DQuat> = poses
            .iter()
            .zip(&task.scene.bodies)
            .map(|(p, b)| p.orientation.inverse() * b.orientation)
            .collect();
        let mut spent = 0.0;
        for k in 1..=task.steps {
            // three steps at least, that there is a time to tell
            if k > 3 && spent > 1e6 * task.budget {
                break;
            }
            let start = cpu();
            let alive = engine.frame();
            let time = cpu() - start;
            spent += time;
            times.push(time);
            if task.every > 0 && k.is_multiple_of(task.every) {
                engine.look(&mut poses);
                poses.iter().zip(&frames).for_each(|(pose, frame)| push(&mut rows, pose, *frame));
            }
            if !alive {
                // nothing moves any more after a fault: that is no number
                rows.extend(std::iter::repeat_n(f64::NAN, if task.every > 0 { 13 * poses.len() } else { 0 }));
                break;
            }
        }
        let count = [times.len() as f64];
        let bytes: Vec<u8> = count.iter().chain(&times).chain(&rows).flat_map(|x| x.to_le_bytes()).collect();
        std::fs::write(&self.out, bytes).map_err(|e| told(&self.out, e))
    }
}

fn push(rows: &mut Vec<f64>, pose: &Pose, frame: DQuat) {
    let q = pose.orientation * frame;
    rows.extend(pose.center.to_array());
    rows.extend([q.w, q.x, q.y, q.z]);
    rows.extend(pose.velocity.to_array());
    rows.extend(pose.spin.to_array());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scene_is_read() {
        let text =
            "run 0.01 5 1 2.0 10.0 1\nbody 2 1 1 1 0 0 3 1 0 0 0 0.5 0.5 0.5\njoint hinge -1 0 0 0 4 1 0 0\n";
        let task = Task::read(text).expect("a scene");
        assert_eq!((task.steps, task.scene.touching, task.scene.gravity.z), (5, true, -10.0));
        assert_eq!((task.scene.bodies[0].mass, task.scene.joints[0].bodies), (2.0, [None, Some(0)]));
        assert!(Task::read("body 1 2\n").is_err() && Task::read("wheel\n").is_err());
    }
}
