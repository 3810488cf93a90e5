//! Narrow tools: a centre wedge and two side crescents (McKyes and Ali 1977).
//!
//! The crescents have the radius r of the wedge on the surface and reach s to each side:
//!
//! ```text
//! r = d (cot α + cot β)     s = √(r² − (d cot α)²)
//! Nγ = (r/2d)(1 + 2s/3w)/D      Nc = (1 + cot β cot(β+φ))(1 + s/w)/D
//! Nq = (r/d)(1 + s/w)/D         Nca as for wide blades
//! ```
//!
//! β is the angle of the least total force. Wide blades without end plates have one crescent at each end.

use super::search::Plane;
use super::soil::CuttingSoil;
use super::wedge::{Blade, Failure, LevelCut};

/// Failure before a tool of some width [m], forces per metre of that width; nothing if no wedge fails.
pub fn failure(cut: &LevelCut, width: f64, soil: &CuttingSoil) -> Option<Failure> {
    if !(width > 0.0) {
        return None;
    }
    let cot_rake = Plane::new(cut.rake).cot();
    cut.least(soil, |plane, below, d| 2.0 * resistance(cut, cot_rake, plane, below, soil) / (width * d))
}

/// Force of one side crescent [N] at a failure plane β [rad]; zero where the blade makes no wedge fail.
pub fn crescent(cut: &LevelCut, plane: f64, soil: &CuttingSoil) -> f64 {
    let (blade, plane) = (Blade::new(cut.rake, soil.tool_friction), Plane::new(plane));
    blade
        .resistance(plane, libm::tan(soil.friction))
        .map_or(0.0, |(below, d)| resistance(cut, blade.cot_rake, plane, below, soil) / d)
}

/// Force of one crescent times D [N].
fn resistance(cut: &LevelCut, cot_rake: f64, plane: Plane, below: f64, soil: &CuttingSoil) -> f64 {
    let back = cut.depth * cot_rake;
    let radius = (back + cut.depth * plane.cot()).max(0.0);
    let reach = (radius * radius - back * back).max(0.0).sqrt();
    let weight = soil.density * cut.gravity * cut.depth * radius / 6.0;
    let cohesion = 0.5 * soil.cohesion * cut.depth * (1.0 + plane.cot() * below);
    reach * (weight + cohesion + 0.5 * cut.surcharge * radius)
}
