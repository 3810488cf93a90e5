//! §5 and Figure 19: soil that is driven on, cut, piled and compacted, each beside its closed form.
//!
//! | file | content |
//! |---|---|
//! | `site.rs` | grounds and blades → worlds |
//! | `wheels.rs` | Figure 19: a rigid wheel on soft soil |
//! | `wedges.rs` | Figures 22 and 23: fundamental earth-moving equation, trial wedges, surcharge |
//! | `slopes.rs` | Figures 20 and 25: heaps and ridges of columns, height of cuts |
//! | `compaction.rs` | Figure 24: settlement of layers, passes |
//! | `repose.rs` | Figure 21: angle of loose soil by its friction |
//! | `pile.rs`, `cone.rs` | Figure 26: a blade that is driven into a conical pile, and its wedges by polygons |

mod compaction;
mod cone;
mod pile;
mod repose;
mod site;
mod slopes;
mod wedges;
mod wheels;

use crate::{Paper, Study, StudyContext, Trouble};

pub static STUDY: Study = Study {
    name: "vortex/earthwork",
    paper: Paper::Vortex,
    title: "Earthwork: cutting, slopes, compaction, loose soil, soft ground",
    place: "§4.3.1.2 and §5, Figures 19 to 26",
    about: "Soil is cut by blades, falls into heaps, is compacted, poured out and driven on. Forces, angles, heights and settlements \
            are compared with closed forms: Rankine, Coulomb, Culmann, Bekker, cones of equal volume. The guide's figures have no \
            numbers but three friction angles, so the experiments are ours; what can be checked of Figure 26 is its \
            tendency: forces over the path for short and long blades, and the moment beside the middle.",
    timed: false,
    run,
};

/// Gravity of the experiments [m/s²].
const GRAVITY: f64 = 9.81;
/// Step of the experiments [s].
const STEP: f64 = 1.0 / 60.0;

/// An experiment of the study.
type Part = fn(&mut StudyContext<'_>) -> Result<(), Trouble>;

fn run(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    context.parameter("step", "1/60 s");
    context.parameter("gravity", format!("{GRAVITY} m/s²"));
    let parts: [(Part, f64); 8] = [
        (wheels::wheel, 0.0),
        (wedges::factors, 0.02),
        (wedges::surcharge, 0.04),
        (slopes::heaps, 0.05),
        (slopes::cuts, 0.3),
        (compaction::layers, 0.4),
        (repose::angles, 0.42),
        (pile::blades, 0.9),
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
        "Figure 21: a kinetic friction of μ_k = 5° to 30° alone does not set the angle of a heap of spheres: without rolling friction the \
         steepest is about 20°. What sets it is rolling friction, or adhesion as in the figure's third heap. A soil's friction \
         angle is given here, and both frictions follow from a table.",
    );
    context.remark(
        "Figure 22, McKyes: P is the force on the face, not the draft; the draft is P sin(α + δ) + c_a d cot α. The angle of least \
         N_γ is not that of least force: with cohesion the wedge is steeper. The sum is minimised here, not the first term.",
    );
    context.remark(
        "§5.1.1 calls the equation valid for wide tools. At ten times the depth the crescents at the sides still add 15 % (McKyes and \
         Ali), so tools without end plates have them here, and teeth are narrow tools.",
    );
    context.remark(
        "Figure 25: with cohesion, stability is not a property of one edge between two columns: an edge rule with cohesion stands at any \
         height once cells are small. Planes through the toe are tried here, as Culmann did, and the height that stands does \
         not depend on the cell.",
    );
}
