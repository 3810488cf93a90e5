//! Trial wedges before a wide blade in level ground: the fundamental earthmoving equation (Reece 1964; McKyes 1985).
//!
//! Equilibrium of the wedge between face and failure plane, with the reaction of the ground eliminated, per metre of
//! width:
//!
//! ```text
//! P = ρ g d² Nγ + c d Nc + c_a d Nca + q d Nq + ρ v² d Na       D = cos(α+δ) + sin(α+δ) cot(β+φ) > 0
//! Nγ = (cot α + cot β)/2D      Nc = (1 + cot β cot(β+φ))/D      Nca = (1 − cot α cot(β+φ))/D
//! Nq = (cot α + cot β)/D       Na = (tan β + cot(β+φ))/((1 + tan β cot α) D)
//! draft H = P sin(α+δ) + c_a d cot α        lift V = P cos(α+δ) − c_a d
//! ```
//!
//! β is the angle of the least P: the ground fails along the plane that resists least.

use super::search::{self, Plane, Range};
use super::soil::CuttingSoil;
use std::f64::consts::PI;

/// Flattest failure plane in level ground [rad]: 1°.
const FLATTEST: f64 = PI / 180.0;
/// Precision of the failure plane [rad].
const CLOSE: f64 = 1e-7;

/// Factors N of the force, without dimension.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Factors {
    /// Nγ of weight.
    pub weight: f64,
    /// Nc of cohesion.
    pub cohesion: f64,
    /// Nca of adhesion.
    pub adhesion: f64,
    /// Nq of surcharge.
    pub surcharge: f64,
    /// Na of acceleration.
    pub speed: f64,
}

/// A blade in level ground.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LevelCut {
    /// Angle α between face and ground ahead [rad].
    pub rake: f64,
    /// Depth d of the edge [m].
    pub depth: f64,
    /// Speed v [m/s].
    pub speed: f64,
    /// Surcharge q [Pa].
    pub surcharge: f64,
    /// [m/s²]
    pub gravity: f64,
}

/// Force at which the ground fails, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Failure {
    /// Angle β of the failure plane to the horizontal [rad].
    pub plane: f64,
    /// P [N/m].
    pub force: f64,
    /// Horizontal force H of the blade on the soil [N/m].
    pub draft: f64,
    /// Vertical force V of the blade on the soil [N/m]; above zero, the soil pulls the blade down.
    pub lift: f64,
}

/// The angles of a blade in some soil that do not depend on the failure plane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blade {
    pub cot_rake: f64,
    /// sin(α + δ), cos(α + δ): direction of P.
    pub push: (f64, f64),
    /// α + δ [rad].
    angle: f64,
}

impl Blade {
    pub fn new(rake: f64, tool_friction: f64) -> Self {
        let angle = rake + tool_friction;
        Self { cot_rake: Plane::new(rake).cot(), push: libm::sincos(angle), angle }
    }

    /// The plane angle at which forces become infinite.
    pub fn limit(&self, friction: f64) -> f64 {
        PI - self.angle - friction
    }

    /// cot(β + φ) and D; nothing if the blade cannot make this wedge fail, which is D ≤ 0.
    pub fn resistance(&self, plane: Plane, tan_friction: f64) -> Option<(f64, f64)> {
        let sin = plane.sin + plane.cos * tan_friction;
        let below = (plane.cos - plane.sin * tan_friction) / sin;
        let d = self.push.1 + self.push.0 * below;
        (sin > 0.0 && d > 0.0).then_some((below, d))
    }

    pub fn factors(&self, plane: Plane, tan_friction: f64) -> Option<Factors> {
        let (below, d) = self.resistance(plane, tan_friction)?;
        let (face, ahead) = (self.cot_rake, plane.cot());
        Some(Factors {
            weight: 0.5 * (face + ahead) / d,
            cohesion: (1.0 + ahead * below) / d,
            adhesion: (1.0 - face * below) / d,
            surcharge: (face + ahead) / d,
            speed: (1.0 + ahead * below) / ((ahead + face) * d),
        })
    }
}

impl Factors {
    /// Factors for a rake α and a failure plane β [rad]; nothing if D ≤ 0.
    pub fn new(rake: f64, plane: f64, soil: &CuttingSoil) -> Option<Self> {
        Blade::new(rake, soil.tool_friction).factors(Plane::new(plane), libm::tan(soil.friction))
    }
}

impl LevelCut {
    /// P from factors [N/m].
    pub fn force(&self, n: &Factors, soil: &CuttingSoil) -> f64 {
        let d = self.depth;
        let weight = soil.density * self.gravity * d * d * n.weight;
        let stresses = soil.cohesion * n.cohesion + soil.adhesion * n.adhesion + self.surcharge * n.surcharge;
        weight + d * (stresses + soil.density * self.speed * self.speed * n.speed)
    }

    /// Failure of the ground before a wide blade. Nothing if no wedge fails (α + δ + φ near 180° or more), or without
    /// depth.
    pub fn failure(&self, soil: &CuttingSoil) -> Option<Failure> {
        self.least(soil, |_, _, _| 0.0)
    }

    /// Failure of the least force with an addition to P that depends on the plane, cot(β + φ) and D.
    pub(super) fn least(
        &self,
        soil: &CuttingSoil,
        addition: impl Fn(Plane, f64, f64) -> f64,
    ) -> Option<Failure> {
        if !(self.rake > 0.0 && self.depth > 0.0) {
            return None;
        }
        let blade = Blade::new(self.rake, soil.tool_friction);
        let tan = libm::tan(soil.friction);
        let range = Range { lowest: FLATTEST, limit: blade.limit(soil.friction), close: CLOSE };
        let (plane, force) = search::least(range, |plane| {
            let Some((below, d)) = blade.resistance(plane, tan) else { return f64::INFINITY };
            let Some(n) = blade.factors(plane, tan) else { return f64::INFINITY };
            self.force(&n, soil) + addition(plane, below, d)
        })?;
        let adhesion = soil.adhesion * self.depth;
        let draft = force * blade.push.0 + adhesion * blade.cot_rake;
        Some(Failure { plane, force, draft, lift: force * blade.push.1 - adhesion })
    }
}
