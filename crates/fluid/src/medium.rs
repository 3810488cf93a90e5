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

/// A time, with the gusts of all fluids then: they are summed once for all points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weather {
    /// Time [s].
    pub time: f64,
    /// Speed and its rate, by the number of the fluid [m/s, m/s²]; none where it is calm.
    gusts: Vec<(f64, f64)>,
}

/// Motion of a fluid at a point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Flow {
    /// Velocity U [m/s].
    pub velocity: DVec3,
    /// ∂U/∂t by waves [m/s²]. Their pressure has its gradient.
    pub wave_rate: DVec3,
    /// ∂U/∂t by current and wind [m/s²].
    pub rate: DVec3,
}

impl Weather {
    /// A time without gusts.
    pub fn calm(time: f64) -> Weather {
        Weather { time, gusts: Vec::new() }
    }

    fn gust(&self, number: usize) -> (f64, f64) {
        self.gusts.get(number).copied().unwrap_or_default()
    }
}

impl Flow {
    /// ∂U/∂t [m/s²].
    pub fn local_rate(&self) -> DVec3 {
        self.wave_rate + self.rate
    }
}

/// Density below which a fluid counts as a gas [kg/m³]: bodies have no added mass in it.
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

    /// Whether its velocity differs from place to place.
    pub fn varies(&self) -> bool {
        self.waves.is_some()
            || self.current.as_ref().is_some_and(|current| !current.is_uniform())
            || self.wind.as_ref().is_some_and(|wind| !wind.is_uniform())
    }

    /// Height of its surface above the world's origin at a place [m]; infinite without a surface.
    pub fn surface(&self, x: f64, y: f64, time: f64) -> f64 {
        let raised = self.waves.as_ref().map_or(0.0, |waves| waves.elevation(x, y, time));
        self.level.map_or(f64::INFINITY, |level| level + raised)
    }

    /// Its motion at a point; heights of wind count from `base`, and its gust is given.
    fn flow(&self, point: DVec3, time: f64, base: f64, gust: (f64, f64)) -> Flow {
        let z = point.z - self.level.unwrap_or(base);
        let waves = self.waves.as_ref().map(|waves| waves.at(point.x, point.y, z, time));
        self.flow_over(point, time, (base, gust), waves.unwrap_or_default())
    }

    /// The same, given the kinematics of its waves at the point.
    fn flow_over(&self, point: DVec3, time: f64, (base, gust): (f64, (f64, f64)), waves: Kinematics) -> Flow {
        let mut flow = Flow { velocity: waves.velocity, wave_rate: waves.acceleration, rate: DVec3::ZERO };
        let mut add = |(velocity, rate): (DVec3, DVec3)| {
            flow.velocity += velocity;
            flow.rate += rate;
        };
        if let Some(current) = &self.current {
            let z = point.z - self.level.unwrap_or(base);
            add(current.velocity(z, waves.elevation, self.depth, time));
        }
        if let Some(wind) = &self.wind {
            add(wind.velocity_in(point.z - base, gust));
        }
        flow
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

    /// Number of the fluid at a point at a time; none above the highest surface.
    pub fn number_at(&self, point: DVec3, time: f64) -> Option<usize> {
        self.0.iter().position(|fluid| point.z <= fluid.surface(point.x, point.y, time))
    }

    /// Sets a time and sums the gusts then.
    pub fn forecast(&self, time: f64, weather: &mut Weather) {
        weather.time = time;
        weather.gusts.clear();
        if self.0.iter().any(|fluid| fluid.wind.is_some()) {
            let gust = |fluid: &Fluid| fluid.wind.as_ref().map_or((0.0, 0.0), |wind| wind.gust().at(time));
            weather.gusts.extend(self.0.iter().map(gust));
        }
    }

    /// Motion of a fluid at a point.
    pub fn flow(&self, number: usize, point: DVec3, weather: &Weather) -> Flow {
        self.0[number].flow(point, weather.time, self.base(number), weather.gust(number))
    }

    /// The same, given the kinematics of its waves at the point.
    pub(crate) fn flow_over(
        &self,
        number: usize,
        point: DVec3,
        weather: &Weather,
        waves: Kinematics,
    ) -> Flow {
        let beside = (self.base(number), weather.gust(number));
        self.0[number].flow_over(point, weather.time, beside, waves)
    }
}

#[cfg(test)]
mod tests {
    use super::{Fluid, Layers, Weather};
    use crate::gust::Gusts;
    use crate::wind::{Wind, WindProfile, WindSpec};
    use glam::DVec3;

    #[test]
    fn gusts_of_a_forecast_are_those_of_the_wind() {
        let gusts = Gusts::Froya { components: 50, seed: 4 };
        let spec = WindSpec { speed: 20.0, height: 10.0, direction: 0.6, profile: WindProfile::Froya, gusts };
        let mut air = Fluid::still("air", 1.225, None);
        air.wind = Some(Wind::new(&spec).unwrap());
        let layers = Layers::new(vec![Fluid::still("sea", 1025.0, Some(2.0)), air]).unwrap();
        let mut weather = Weather::default();
        for time in [0.0, 7.7, 400.0] {
            layers.forecast(time, &mut weather);
            let (flow, wind) = (layers.flow(1, DVec3::Z * 14.0, &weather), layers.all()[1].wind.as_ref());
            assert_eq!((flow.velocity, flow.rate), wind.unwrap().velocity(12.0, time));
            assert!(
                flow.rate != DVec3::ZERO && layers.flow(1, DVec3::Z * 14.0, &Weather::calm(time)) != flow
            );
        }
    }
}
