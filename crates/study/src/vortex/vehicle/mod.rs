//! §4: drive trains, steering, suspensions and tyres, each beside its closed form and beside the guide's formula as
//! printed.
//!
//! | file | content |
//! |---|---|
//! | `bench.rs`, `car.rs` | shafts in a housing, and a vehicle on a level road → worlds |
//! | `topology.rs` | Figures 12 and 13: a car with front-wheel drive |
//! | `engine.rs`, `converter.rs` | Figure 14: torque table and limiter; Figure 15: torque converter |
//! | `transmission.rs` | equations (43) to (47): hydrostatic transmission, differentials |
//! | `steering.rs`, `scrub.rs` | Figures 16 and 17: Ackermann, pivot, crab; equilibrium of an 8×8 that scrubs |
//! | `suspension.rs` | Figure 18: car wheel joint, double hinge joint |
//! | `curves.rs`, `sedan.rs` | §4.3.1.1: forces of tyre models over slip, on a rig |
//! | `patch.rs` | tyres as rows: jitter, parking on a slope |

mod bench;
mod car;
mod converter;
mod curves;
mod engine;
mod patch;
mod scrub;
mod sedan;
mod steering;
mod suspension;
mod topology;
mod transmission;

use crate::{Paper, Study, StudyContext, Trouble};

pub static STUDY: Study = Study {
    name: "vortex/vehicle",
    paper: Paper::Vortex,
    title: "Vehicles: drive trains, steering, suspensions, tyres",
    place: "§4, Figures 12 to 18, equations (43) to (49)",
    about: "Engines, torque converters, hydrostatic transmissions and differentials run on a bench; vehicles steer, turn, park on a slope \
            and accelerate through a whole drive train; tyres run on a rig. Speeds, torques, pressures, angles, radii and forces are \
            compared with closed forms at 1/60 s and 1 ms. Where the guide's formula gives something else as it is printed, that is \
            shown beside it. The guide's figures have no numbers but the torque table's peak, so the experiments are ours.",
    timed: false,
    run,
};

/// Gravity of the experiments [m/s²].
const GRAVITY: f64 = 9.81;

/// An experiment of the study.
type Part = fn(&mut StudyContext<'_>) -> Result<(), Trouble>;

fn run(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    context.parameter("steps", "1/60 s and 1 ms");
    context.parameter("gravity", format!("{GRAVITY} m/s²"));
    let parts: [(Part, f64); 12] = [
        (topology::drive, 0.0),
        (engine::table, 0.15),
        (converter::stall, 0.2),
        (converter::capacity, 0.25),
        (transmission::hydrostatic, 0.3),
        (transmission::differential, 0.35),
        (steering::angles, 0.4),
        (steering::turning, 0.42),
        (steering::crab, 0.6),
        (suspension::joints, 0.65),
        (curves::tires, 0.75),
        (patch::rows, 0.9),
    ];
    for (part, begins) in parts {
        context.progress(begins)?;
        part(context)?;
    }
    remarks(context);
    Ok(())
}

fn remarks(context: &mut StudyContext<'_>) {
    context.remark(
        "(47) with the factors 1, −0.5, −0.5 turns the input against the outputs: either the sum is meant to be zero, or the signs are \
         wrong. (43) with r = −1 ties the outputs to opposite speeds; an equal speed is r = 1. The multiplier λ of the locking row \
         adds to one output and is taken from the other, so the torques differ by 2λ.",
    );
    context.remark(
        "(44) to (46): the flow is conserved, not the pressure. r = V_out/V_in is infinite at zero stroke, which is neutral and brake of \
         every hydrostatic machine, and a gear row per output locks the outputs together. One row for the sum of flows has neither \
         limit, and its multiplier is the pressure.",
    );
    context.remark(
        "§4.2.3: the pump is on the engine, the turbine on the gearbox. The capacity of a converter is proportional to the square of the \
         pump's speed, with a factor that depends on the ratio of speeds, not to the square of their difference. A gear row of ratio \
         1 has one torque on both shafts and cannot multiply it; the difference must act on the housing, through the stator.",
    );
    context.remark(
        "(48), (49): W from each wheel's own l gives each axle a turning centre of its own, and 0/0 for axles that do not steer. One \
         curvature for the vehicle has one centre and no special case. The pivot angle lacks the sign, and that wheels of one side turn \
         backwards.",
    );
    context.remark(
        "§4.3.1.1 speaks of bounds of friction. Read plainly, a row without slip whose bound is the tyre's force at the slip of the last \
         step, it alternates between sticking and sliding at 1/60 s. The rows of a carcass spring in series with a sliding patch are \
         steady at any step, and hold a parked vehicle. What the guide's software does inside its bounds is not public. Soft ground \
         (§4.3.1.2, Figure 19) is in vortex/earthwork.",
    );
}
