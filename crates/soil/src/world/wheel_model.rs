//! Wheels, rollers and plates on soft ground, and the soil under them.
//!
//! Pressure–sinkage and shear are those of the uppermost layer. Where it has no constants of sinkage, or where there is no
//! soil, the ground is hard for the wheel and contacts remain.

use super::sinkage_law;
use crate::ground::{Ground, Terrain, TerrainState};
use crate::wheel::{Footprint, Outline, Patch, ShearLaw, SoftSoil, Strength};
use glam::DVec3;
use windlass_engine::prelude::BodyId;

/// Length of a cell of a wheel's contact over its radius, unless chosen otherwise: a wheel that reloads ruts meets the
/// pressure borne before within a few of them.
pub const USUAL_CELL: f64 = 0.02;
/// Cells of a plate.
const PLATE_CELLS: usize = 16;

/// What presses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WheelShape {
    /// A wheel or a drum.
    Round {
        /// Radius [m].
        radius: f64,
    },
    /// A plate whose lower side presses.
    Plate {
        /// Length ahead [m].
        length: f64,
    },
}

/// What the ground touches.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum ContactSurface {
    /// A surface to which soil clings: shear fails in the soil.
    #[default]
    Rough,
    /// Steel: the strength of the interface of the soil with steel, if it is less.
    Steel,
    /// A given strength, if it is less than that of the soil.
    Given(Strength),
}

/// A wheel, a roller or a plate on soft ground.
#[derive(Clone, Debug, PartialEq)]
pub struct WheelModel {
    /// Its name.
    pub name: String,
    /// Its body.
    pub body: BodyId,
    /// Index of its ground.
    pub ground: usize,
    /// What presses.
    pub shape: WheelShape,
    /// Width [m].
    pub width: f64,
    /// Centre of the axle, or the middle of the lower side of a plate, in the body's frame [m].
    pub center: DVec3,
    /// Axle in the body's frame, a unit vector to the left as seen in the direction of travel; of a plate the direction
    /// across it.
    pub axis: DVec3,
    /// Up from a plate, in the body's frame.
    pub up: DVec3,
    /// c₁, c₂ of the angle of greatest pressure (`wheel/rigid.rs`).
    pub peak: [f64; 2],
    /// Exit angle θ₂ [rad].
    pub exit: f64,
    /// Its surface.
    pub surface: ContactSurface,
    /// Inflation pressure and pressure that the carcass carries [Pa]: a tyre does not press harder than their sum.
    /// Infinite for a rigid wheel.
    pub bearable: f64,
    /// Length of the cells of the ground under a wheel, over its radius. The ground between their middles is not known
    /// better than to an eighth of its square, which matters where the unloading of the soil is stiff.
    pub cell: f64,
}

/// c₁, c₂ of loose sand (Wong and Reece 1967).
pub const LOOSE_PEAK: [f64; 2] = [0.18, 0.32];

impl WheelModel {
    /// A rigid wheel about an axis through a point, in the body's frame.
    pub fn wheel(name: &str, body: BodyId, ground: usize, [radius, width]: [f64; 2]) -> WheelModel {
        WheelModel {
            name: name.to_string(),
            body,
            ground,
            shape: WheelShape::Round { radius },
            width,
            center: DVec3::ZERO,
            axis: DVec3::Y,
            up: DVec3::Z,
            peak: LOOSE_PEAK,
            exit: 0.0,
            surface: ContactSurface::Rough,
            bearable: f64::INFINITY,
            cell: USUAL_CELL,
        }
    }

    /// A plate, its lower side in the plane of x and y of the body.
    pub fn plate(name: &str, body: BodyId, ground: usize, [length, width]: [f64; 2]) -> WheelModel {
        let shape = WheelShape::Plate { length };
        WheelModel { shape, ..WheelModel::wheel(name, body, ground, [0.5 * length, width]) }
    }

    /// Why it cannot be used.
    pub fn problem(&self) -> Option<&'static str> {
        let size = match self.shape {
            WheelShape::Round { radius } => radius,
            WheelShape::Plate { length } => length,
        };
        let positive = |x: f64| x > 0.0 && x.is_finite();
        let unit = |v: DVec3| (v.length() - 1.0).abs() < 1e-6;
        match () {
            () if !positive(size) => Some("its radius or length is not above 0"),
            () if !positive(self.width) => Some("its width is not above 0"),
            () if !unit(self.axis) || !unit(self.up) => Some("its axis is not a unit vector"),
            () if !self.center.is_finite() => Some("its centre is not finite"),
            () if !(self.bearable > 0.0) => Some("the pressure that its tyre bears is not above 0"),
            () if !(self.cell >= 1e-3 && self.cell <= 0.2) => {
                Some("its cells are not from 0.001 to 0.2 radii")
            }
            () if !(self.exit >= 0.0 && self.exit < 1.2) => Some("its exit angle is not from 0 to 1.2 rad"),
            () if !self.peak.iter().all(|c| (0.0..=1.0).contains(c)) => {
                Some("its angle of greatest pressure is not from 0 to 1")
            }
            () => None,
        }
    }

    /// Distance of the lowest point from the centre [m].
    pub(super) fn radius(&self) -> f64 {
        match self.shape {
            WheelShape::Round { radius } => radius,
            WheelShape::Plate { .. } => 0.0,
        }
    }

    /// Largest extent along the ground from the middle [m].
    pub(super) fn reach(&self) -> f64 {
        match self.shape {
            WheelShape::Round { radius } => radius,
            WheelShape::Plate { length } => 0.5 * length,
        }
    }

    /// Its contact at a slip.
    pub(super) fn patch(&self, slip: f64) -> Patch {
        let (outline, cells) = match self.shape {
            WheelShape::Round { radius } => {
                let peak = (self.peak[0] + self.peak[1] * slip.abs()).clamp(0.0, 1.0);
                let outline = match self.bearable.is_finite() {
                    true => Outline::Tire { radius, bearable: self.bearable },
                    false => Outline::Wheel { radius, peak, exit: self.exit },
                };
                (outline, (outline.length() / (self.cell * radius)).round() as usize)
            }
            WheelShape::Plate { length } => (Outline::Flat { length }, PLATE_CELLS),
        };
        Patch { outline, width: self.width, cells }
    }

    /// The soil under it; none where the ground is hard for wheels.
    pub(super) fn soil(&self, terrain: &Terrain, state: &TerrainState, at: DVec3) -> Option<SoftSoil> {
        let node = terrain.nearest(at.x, at.y)?;
        let layer = Ground::new(terrain, state).top(node)?;
        let soil = terrain.soil(&layer);
        let inner = terrain.strength(&layer, 0.0);
        let law = sinkage_law::law(soil, terrain.spec().gravity)?;
        let length = match self.shape {
            // the shorter side of the contact of a drum is its length, about a radius
            WheelShape::Round { radius } => radius,
            WheelShape::Plate { length } => length,
        };
        Some(SoftSoil {
            curve: law.on(Footprint::rectangle(self.width, length)),
            unloading: sinkage_law::unloading(soil),
            strength: Strength::new(inner.cohesion, inner.friction),
            contact: match self.surface {
                ContactSurface::Rough => None,
                ContactSurface::Steel => Some(Strength::new(soil.steel.adhesion, soil.steel.friction)),
                ContactSurface::Given(strength) => Some(strength),
            },
            shear: ShearLaw::of(soil),
        })
    }
}
