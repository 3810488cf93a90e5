//! How true closed rings and a double pendulum stay under each integrator, and what a frame of 1/60 s costs.

use crate::judge::{Engine, FRAME, Verdict, judge};
use crate::measure::{Budget, Samples, timed};
use crate::ours::Ours;
use crate::row;
use crate::scenes::{self, Scene};
use crate::table::Table;
use windlass_engine::prelude::{Adaptive, Integrator};

/// An integrator, steps per frame and position iterations.
#[derive(Clone, Copy)]
struct Setting {
    name: &'static str,
    integrator: Integrator,
    steps: usize,
    rounds: u32,
}

impl Setting {
    fn build(self, scene: &Scene) -> Ours {
        Ours::with(scene, FRAME, self.steps, self.integrator).closing(self.rounds)
    }
}

fn settings() -> Vec<Setting> {
    let spook = |name, steps, rounds| Setting { name, integrator: Integrator::Spook, steps, rounds };
    let control = |name, tolerance| {
        let integrator = Integrator::DormandPrince(Adaptive { tolerance, ..Adaptive::default() });
        Setting { name, integrator, steps: 1, rounds: 0 }
    };
    let projected = |name, steps| Setting { name, integrator: Integrator::Projected, steps, rounds: 0 };
    vec![
        spook("spook", 1, 0),
        spook("spook, 12 rounds", 1, 12),
        spook("spook, 2 steps", 2, 0),
        spook("spook, 2 steps, 12 rounds", 2, 12),
        spook("spook, 4 steps", 4, 0),
        spook("spook, 4 steps, 12 rounds", 4, 12),
        spook("spook, 8 steps", 8, 0),
        spook("spook, 8 steps, 12 rounds", 8, 12),
        projected("projected", 1),
        projected("projected, 2 steps", 2),
        projected("projected, 4 steps", 4),
        control("dormand-prince, 1e-3", 1e-3),
        control("dormand-prince, 1e-4", 1e-4),
        control("dormand-prince, 1e-8", 1e-8),
    ]
}

pub fn run(quick: bool) -> Vec<Table> {
    let (frames, seconds) = if quick { (60, 1.0) } else { (600, 60.0) };
    let mut table = Table::new(
        "loops: 10 s of closed rings and of a double pendulum in frames of 1/60 s [µs], CPU time",
        &["scene", "setting", "gap mm", "rise %", "fall %", "end %", "min", "median", "stable"],
    );
    for scene in [scenes::ring(20), scenes::ring(40), scenes::double_pendulum()] {
        for setting in settings() {
            let record = judge(&scene, &mut setting.build(&scene), frames, Budget::new(seconds));
            let (mut ours, mut times) = (setting.build(&scene), Samples::default());
            for _ in 0..record.frames {
                times.push(timed(|| ours.frame()));
            }
            table.push(row![
                scene.name.as_str(),
                setting.name,
                1e3 * record.gap,
                record.rise,
                record.fall,
                record.end,
                times.min(),
                times.median(),
                if record.verdict == Verdict::Unstable { "no" } else { "yes" }
            ]);
        }
    }
    table.note("Gap: the widest of a joint at the end of a frame. Rise, fall, end: energy against the start in % of the drop.");
    table.note(
        "Rounds close joints where a step ends. A run that is not stable (gap 50 mm, rise 5 %) ends there.",
    );
    vec![table]
}
