//! §6: buoyancy, drag, lift and added mass, each beside its closed form and beside the guide's formula as printed.
//!
//! | file | content |
//! |---|---|
//! | `tank.rs` | a body in still water → a world; tables of both steps |
//! | `generalised.rs` | Figure 27: from pose and velocity to forces and acceleration |
//! | `buoyancy.rs`, `solids.rs` | Figure 28: immersed volumes, drafts, floating logs; closed forms |
//! | `drag.rs` | Figure 29: drag per triangle, terminal speeds, a plate that spins down |
//! | `lift.rs`, `thrown.rs` | Figure 30: a plate by its angle of attack, gliding; velocities that turn |
//! | `added_mass.rs`, `kirchhoff.rs` | §6.4: release, heave, entry and exit; ellipsoids by their impulse |
//! | `account.rs` | work of the water |

mod account;
mod added_mass;
mod buoyancy;
mod drag;
mod generalised;
mod kirchhoff;
mod lift;
mod solids;
mod tank;
mod thrown;

use crate::{Paper, Study, StudyContext, Trouble};
use tank::{GRAVITY, WATER};

pub static STUDY: Study = Study {
    name: "vortex/fluids",
    paper: Paper::Vortex,
    title: "Fluids: buoyancy, drag, lift, added mass",
    place: "§6, Figures 27 to 30, equations (50) to (56)",
    about: "Bodies float, sink, glide, spin, tumble and pass the surface of still water, at 1/60 s and at 1 ms. Volumes, forces, angles, \
            speeds, periods and energies are compared with closed forms. Where the guide's formula gives something else as it is \
            printed, that is shown beside it. The guide's figures have no numbers, so the experiments are ours.",
    timed: false,
    run,
};

/// An experiment of the study.
type Part = fn(&mut StudyContext<'_>) -> Result<(), Trouble>;

fn run(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    context.parameter("steps", "1/60 s and 1 ms");
    context.parameter("gravity, density of the water", format!("{GRAVITY} m/s², {WATER} kg/m³"));
    let parts: [(Part, f64); 14] = [
        (generalised::forces, 0.0),
        (buoyancy::forces, 0.03),
        (buoyancy::meshes, 0.06),
        (buoyancy::drafts, 0.1),
        (buoyancy::logs, 0.2),
        (drag::readings, 0.6),
        (drag::sinking, 0.62),
        (drag::spinning, 0.7),
        (lift::attack, 0.74),
        (lift::gliding, 0.76),
        (thrown::positions, 0.78),
        (added_mass::release, 0.8),
        (added_mass::others, 0.82),
        (kirchhoff::motions, 0.87),
    ];
    for (part, begins) in parts {
        context.progress(begins)?;
        part(context)?;
    }
    context.progress(0.93)?;
    account::closes(context)?;
    remarks(context);
    Ok(())
}

fn remarks(context: &mut StudyContext<'_>) {
    context.remark(
        "(50): g is called the gravity force; with the weight in its place b has the unit kg·N and is larger by the mass. It must be \
         the acceleration.",
    );
    context.remark(
        "(51), (52): A is the cross section perpendicular to v, computed for every submerged triangle. On a closed mesh this counts the \
         rear as well: drag is doubled and the lift of a thin plate cancels. With the sign of n·v drag cancels and lift doubles. Only \
         A = max(0, n·v̂) dA, triangles that meet the flow, gives both; this is what is simulated. Both formulas divide by the speed; \
         |v| v and (n·v) v have no such limit.",
    );
    context.remark(
        "(54): with the gyroscopic terms of (4) alone the equation lacks the rate of change of K in world axes and the Munk moment \
         −v × p_F. The velocity of a body without forces is then constant: a spheroid keeps its orientation where it should swing about \
         broadside, and an ellipsoid that tumbles keeps a straight course and gains energy. §6.4 scales K_F with the submerged volume and \
         leaves open what becomes of its momentum: here it is kept while a body enters, and stays with the water while it leaves.",
    );
}
