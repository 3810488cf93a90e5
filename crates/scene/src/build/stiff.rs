//! Springs and dampers that the integrator cannot follow are errors, as in a run they would end in a fault.

use crate::error::{Errors, Problems};
use crate::text::Scene;
use windlass_engine::inspect::stability::TooStiff;
use windlass_engine::prelude::{ForceId, Integrator, JointId, Settings, World};

/// Rejects a world with a spring or damper of a joint or force that its integrator cannot follow.
pub(super) fn check(
    scene: &Scene,
    world: &World,
    (joints, forces): (&[JointId], &[ForceId]),
) -> Result<(), Errors> {
    let Some(TooStiff { joint, force, is_damper, rate, longest }) = world.too_stiff() else { return Ok(()) };
    let of_joint = || scene.joints.get(joints.iter().position(|id| Some(*id) == joint)?);
    let of_force = || scene.forces.get(forces.iter().position(|id| Some(*id) == force)?);
    let (owner, span) = match (of_joint(), of_force()) {
        (Some(entry), _) => (format!("joint \"{}\"", entry.name), entry.span.clone()),
        (_, Some(entry)) => (format!("force \"{}\"", entry.name), entry.span.clone()),
        // those of ropes have no entry of their own
        _ => ("a rope".to_string(), scene.ropes.first().map_or(0..0, |entry| entry.span.clone())),
    };
    let (name, key, step) = match world.model().settings().integrator {
        Integrator::DormandPrince(rule) => ("dormand-prince", "min_step", rule.min_step),
        _ => ("projected", "dt", world.model().settings().dt),
    };
    let (part, motion, softer) = match is_damper {
        true => ("damping", "decay", "less damping"),
        false => ("stiffness", "vibration", "less stiffness"),
    };
    let message = format!(
        "integrator = \"{name}\" cannot resolve the {motion} at {rate:.1e} 1/s that the `{part}` of {owner} causes with {key} = {step:.3e} s"
    );
    let mut help = format!("choose integrator = \"spook\", or {softer}");
    if key == "min_step" || Settings::DT.contains(&longest) {
        help += &format!(", or {key} = {:.1e} s at most", 0.95 * longest);
    }
    let mut problems = Problems::default();
    problems.advise(span, message, help);
    problems.finish(&scene.file, &scene.sources)
}
