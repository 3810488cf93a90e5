//! Fluids of a world, one above the other: density, surface and velocity as functions of position and time.
//!
//! ```text
//!  z ≤ η₀(x, y, t)          the lowest fluid         ρ₀
//!  η₀ < z ≤ η₁              the next one             ρ₁
//!  …                        one without a surface    ρ, up to any height
//! ```
//!
//! A fluid has no memory: nothing of it is in State.

use crate::current::Current;
use crate::waves::{Kinematics, Waves};
use crate::wind::Wind;
use glam::DVec3;

/// Density below which a fluid counts as a gas [kg/m³]: bodies have no added mass in it unless it is given.
pub const GAS: f64 = 10.0;

/// A fluid.
#[derive(Clone, Debug, PartialEq)]
pub struct Fluid {
    /// Its name.
    pub name: String,
    /// Density [kg/m³].
    pub density: f64,
    /// Level of its surface [m]; none for a fluid that reaches up to any height.
    pub level: Option<f64>,
    /// Depth of the bottom below the level [m]; infinite if it has none.
    pub depth: f64,
    /// Its waves.
    pub waves: Option<Waves>,
    /// Its current.
    pub current: Option<Current>,
    /// Its wind; heights count from the surface below it.
    pub wind: Option<Wind>,
}

impl Fluid {
    /// A fluid at rest.
    pub fn still(name: &str, density: f64, level: Option<f64>) -> Fluid {
        let depth = f64::INFINITY;
        Fluid { name: name.to_string(), density, level, depth, waves: None, current: None, wind: None }
    }

    /// Whether it counts as a gas.
    pub fn is_gas(&self) -> bool {
        self.density < GAS
    }

    /// Whether it moves.
    pub fn moves(&self) -> bool {
        self.waves.is_some() || self.current.is_some() || self.wind.is_some()
    }

    /// Height of its surface above the world's origin at a place [m]; infinite without a surface.
    pub fn surface(&self, x: f64, y: f64, time: f64) -> f64 {
        let raised = self.waves.as_ref().map_or(0.0, |waves| waves.elevation(x, y, time));
        self.level.map_or(f64::INFINITY, |level| level + raised)
    }

    /// Velocity and local acceleration at a point [m/s, m/s²]; heights of wind count from `base`.
    pub fn velocity(&self, point: DVec3, time: f64, base: f64) -> (DVec3, DVec3) {
        let z = point.z - self.level.unwrap_or(base);
        let waves = self.waves.as_ref().map(|waves| waves.at(point.x, point.y, z, time));
        self.velocity_over(point, time, base, waves.unwrap_or_default())
    }

    /// The same, given the kinematics of its waves at the point.
    pub(crate) fn velocity_over(
        &self,
        point: DVec3,
        time: f64,
        base: f64,
        waves: Kinematics,
    ) -> (DVec3, DVec3) {
        let (mut velocity, mut rate) = (DVec3::ZERO, DVec3::ZERO);
        let mut add = |(u, a): (DVec3, DVec3)| {
            velocity += u;
            rate += a;
        };
        let z = point.z - self.level.unwrap_or(base);
        let Kinematics { elevation, velocity: u, acceleration: a, .. } = waves;
        add((u, a));
        if let Some(current) = &self.current {
            add(current.velocity(z, elevation, self.depth, time));
        }
        if let Some(wind) = &self.wind {
            add(wind.velocity(point.z - base, time));
        }
        (velocity, rate)
    }
}

/// All fluids of a world, from the lowest to the highest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layers(Vec<Fluid>);

impl Layers {
    /// Sorts fluids by their levels. Describes what is wrong with them, if anything.
    pub fn new(mut fluids: Vec<Fluid>) -> Result<Layers, (String, String)> {
        for fluid in &fluids {
            if !(fluid.density > 0.0 && fluid.density < 1e5) {
                let problem =
                    format!("its density is {} kg/m³: give a positive one below 100 000", fluid.density);
                return Err((fluid.name.clone(), problem));
            }
        }
        fluids.sort_by(|a, b| {
            let [a, b] = [a, b].map(|fluid| fluid.level.unwrap_or(f64::INFINITY));
            a.total_cmp(&b)
        });
        for pair in fluids.windows(2) {
            if pair[0].level == pair[1].level {
                let (problem, other) = ("has the same surface as", &pair[0].name);
                let remedy = "give each fluid a level of its own, and at most one no `surface`";
                return Err((pair[1].name.clone(), format!("{problem} \"{other}\": {remedy}")));
            }
            if pair[0].density < pair[1].density {
                let problem = format!("is heavier than \"{}\" below it: exchange their levels", pair[0].name);
                return Err((pair[1].name.clone(), problem));
            }
            if pair[0].waves.is_some() && !pair[1].is_gas() {
                let problem = format!("lies on the waves of \"{}\": only a gas may", pair[0].name);
                return Err((pair[1].name.clone(), problem));
            }
        }
        Ok(Layers(fluids))
    }

    /// From the lowest to the highest.
    pub fn all(&self) -> &[Fluid] {
        &self.0
    }

    /// The highest surface of a liquid, as its fluid and level [m].
    pub fn highest_surface(&self) -> Option<(&Fluid, f64)> {
        let liquids = self.0.iter().rev().filter(|fluid| !fluid.is_gas());
        liquids.filter_map(|fluid| Some((fluid, fluid.level?))).next()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Decrease of density across the surface of a fluid [kg/m³].
    pub fn step(&self, number: usize) -> f64 {
        self.0[number].density - self.0.get(number + 1).map_or(0.0, |above| above.density)
    }

    /// Mean level of the surface below a fluid [m]; 0 without one.
    pub fn base(&self, number: usize) -> f64 {
        number.checked_sub(1).and_then(|below| self.0[below].level).unwrap_or(0.0)
    }

    /// Velocity and local acceleration of a fluid at a point [m/s, m/s²].
    pub fn velocity(&self, number: usize, point: DVec3, time: f64) -> (DVec3, DVec3) {
        self.0[number].velocity(point, time, self.base(number))
    }
}
