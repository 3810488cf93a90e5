//! A fluid at the vertices of a mesh: depths below its surface, and its velocities. Waves are evaluated once for both.

use crate::clip::depths_below;
use crate::hull::ClipBuffers;
use crate::medium::{Fluid, Layers, Weather};
use crate::waves::{Kinematics, Waves};
use glam::DVec3;

/// Evaluates waves at the vertices of a mesh.
pub(crate) fn look(waves: &Waves, level: f64, time: f64, mesh: usize, buffers: &mut ClipBuffers) {
    let ClipBuffers { positions, kinematics, flows, .. } = buffers;
    if kinematics.len() <= mesh {
        kinematics.resize_with(mesh + 1, Vec::new);
    }
    // heights from the mean level
    flows.clear();
    flows.extend(positions.iter().map(|p| DVec3::new(p.x, p.y, p.z - level)));
    kinematics[mesh].clear();
    kinematics[mesh].resize(positions.len(), Kinematics::default());
    waves.kinematics(flows, time, &mut kinematics[mesh]);
}

/// Writes the depths of the vertices of a mesh below the surface of a fluid; all are wet without one. Waves have been
/// evaluated at the vertices.
pub(crate) fn depths(fluid: Option<&Fluid>, time: f64, mesh: usize, buffers: &mut ClipBuffers) {
    let Some((fluid, level)) = fluid.and_then(|fluid| Some((fluid, fluid.level?))) else {
        buffers.depths.clear();
        buffers.depths.resize(buffers.positions.len(), 1.0);
        return;
    };
    depths_below(&buffers.positions, level, &mut buffers.depths);
    let ClipBuffers { positions, depths, kinematics, .. } = buffers;
    match (&fluid.waves, kinematics.get(mesh).filter(|waves| waves.len() == positions.len())) {
        (None, _) => {}
        (Some(_), Some(known)) => {
            depths.iter_mut().zip(known).for_each(|(depth, wave)| *depth += wave.elevation);
        }
        (Some(waves), None) => {
            let points = depths.iter_mut().zip(positions);
            points.for_each(|(depth, p)| *depth += waves.elevation(p.x, p.y, time));
        }
    }
}

/// Writes the velocities of a fluid at the vertices of a mesh; none if it is at rest.
pub(crate) fn flows(
    layers: &Layers,
    (number, weather): (usize, &Weather),
    mesh: usize,
    buffers: &mut ClipBuffers,
) {
    let fluid = &layers.all()[number];
    let ClipBuffers { positions, flows, kinematics, .. } = buffers;
    flows.clear();
    if !fluid.moves() {
        return;
    }
    match kinematics.get(mesh).filter(|waves| fluid.waves.is_some() && waves.len() == positions.len()) {
        Some(known) if fluid.current.is_none() && fluid.wind.is_none() => {
            flows.extend(known.iter().map(|wave| wave.velocity));
        }
        _ => flows.extend(positions.iter().map(|point| layers.flow(number, *point, weather).velocity)),
    }
}
