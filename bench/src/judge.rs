//! A run → whether it is stable and how true it stayed. The same numbers for every engine.

use crate::measure::Budget;
use crate::scenes::{Limit, Scene};
use glam::{DQuat, DVec3};

/// 1/60 s: what is called a frame.
pub const FRAME: f64 = 1.0 / 60.0;

/// Energy may stand this much of the drop above the start [%].
const RISE: f64 = 5.0;

/// One body at an instant.
#[derive(Clone, Copy, Debug)]
pub struct Pose {
    pub center: DVec3,
    pub orientation: DQuat,
    pub velocity: DVec3,
    pub spin: DVec3,
}

/// An engine with a scene in it.
pub trait Engine {
    /// Advances by one frame. False if the engine itself gives up.
    fn frame(&mut self) -> bool;

    /// The bodies in the scene's order, velocities at the instant of the poses.
    fn look(&mut self, out: &mut Vec<Pose>);
}

/// What was seen of a run.
#[derive(Clone, Copy, Debug)]
pub struct Record {
    /// Frames run.
    pub frames: usize,
    /// Widest gap of a joint [m].
    pub gap: f64,
    /// Largest sum of gaps [m].
    pub stretch: f64,
    /// Highest, lowest and last energy against the start [% of the drop].
    pub rise: f64,
    pub fall: f64,
    pub end: f64,
    pub verdict: Verdict,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Stable,
    Unstable,
    /// The time of the wall ran out first; stable as far as it went.
    Undecided,
}

impl Record {
    /// Whether energy stayed within ±5 % as well.
    pub fn keeps_energy(&self) -> bool {
        self.verdict != Verdict::Unstable && self.fall > -RISE
    }
}

/// ½ m v² + ½ ω·Iω + m g z.
fn energy(scene: &Scene, poses: &[Pose]) -> f64 {
    let one = |(b, p): (&crate::scenes::Body, &Pose)| {
        let spin = p.orientation.inverse() * p.spin;
        0.5 * (b.mass * p.velocity.length_squared() + spin.dot(b.moments * spin))
            - b.mass * scene.gravity.dot(p.center)
    };
    scene.bodies.iter().zip(poses).map(one).sum()
}

/// How far the two parts of every joint are apart now.
fn gaps<'a>(scene: &'a Scene, poses: &'a [Pose]) -> impl Iterator<Item = f64> + 'a {
    scene.joints.iter().map(|joint| {
        let [a, b] = joint.bodies.map(|body| match body {
            None => joint.at,
            Some(k) => {
                let start = &scene.bodies[k];
                poses[k].center + poses[k].orientation * (start.orientation.inverse() * (joint.at - start.at))
            }
        });
        (a - b).length()
    })
}

/// Runs up to so many frames, looking after each; ends as soon as the run is not stable.
pub fn judge(scene: &Scene, engine: &mut dyn Engine, frames: usize, budget: Budget) -> Record {
    let mut poses = Vec::new();
    engine.look(&mut poses);
    let start = energy(scene, &poses);
    let (gap, stretch, rise, fall, end) = (0.0, 0.0, 0.0, 0.0, 0.0);
    let mut r = Record { frames: 0, gap, stretch, rise, fall, end, verdict: Verdict::Stable };
    while r.frames < frames {
        if budget.is_spent() {
            r.verdict = Verdict::Undecided;
            return r;
        }
        let alive = engine.frame();
        r.frames += 1;
        engine.look(&mut poses);
        let (widest, sum) = gaps(scene, &poses).fold((0.0, 0.0), |(m, s): (f64, f64), g| (m.max(g), s + g));
        r.end = (energy(scene, &poses) - start) / scene.drop * 100.0;
        (r.gap, r.stretch) = (r.gap.max(widest), r.stretch.max(sum));
        (r.rise, r.fall) = (r.rise.max(r.end), r.fall.min(r.end));
        let whole = match scene.limit {
            Limit::Stretch(most) => sum < most,
            Limit::Gap(most) => widest < most,
        };
        // a sum that is not a number is not whole either
        if !(alive && whole && r.end < RISE) {
            r.verdict = Verdict::Unstable;
            return r;
        }
    }
    r
}
