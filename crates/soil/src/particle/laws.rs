//! Contact parameters of loose soils, and of their pairs.
//!
//! Two soils share the mean of their coefficients and the smaller adhesion.

use super::friction::friction_for;

/// Largest parameter: products with impulses stay finite in single precision.
pub(super) const LARGEST: f64 = 1e12;

/// Contact parameters of the particles of a soil.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LooseSoil {
    /// Coefficient of friction μ.
    pub friction: f64,
    /// Coefficient of rolling friction μ_r: moment per normal force and radius.
    pub rolling: f64,
    /// Adhesion a [Pa]: contacts bear the tension a π r².
    pub adhesion: f64,
    /// Coefficient of restitution.
    pub restitution: f64,
    /// Coefficient of friction and adhesion [Pa] on bodies; those of the wall if none.
    pub steel: Option<[f64; 2]>,
    /// Coefficient of friction on ground; that of the surroundings if none.
    pub ground: Option<f64>,
}

impl LooseSoil {
    /// Dry soil with an angle of repose [rad].
    pub fn with_angle(angle: f64) -> LooseSoil {
        let [friction, rolling] = friction_for(angle);
        LooseSoil { friction, rolling, adhesion: 0.0, restitution: 0.0, steel: None, ground: None }
    }

    /// Parameters within their ranges: coefficients not negative, restitution at most 1, no NaN.
    fn bounded(self) -> LooseSoil {
        let positive = |x: f64| if x > 0.0 { x.min(LARGEST) } else { 0.0 };
        LooseSoil {
            friction: positive(self.friction),
            rolling: positive(self.rolling),
            adhesion: positive(self.adhesion),
            restitution: positive(self.restitution).min(1.0),
            steel: self.steel.map(|pair| pair.map(positive)),
            ground: self.ground.map(positive),
        }
    }
}

/// Parameters of all pairs of soils. Soils beyond the list behave as its last one.
#[derive(Clone, Debug, Default)]
pub(super) struct PairLaws {
    count: usize,
    pairs: Vec<LooseSoil>,
}

impl PairLaws {
    pub fn set(&mut self, soils: &[LooseSoil]) {
        self.count = soils.len();
        self.pairs.clear();
        let mean = |x: f64, y: f64| 0.5 * (x + y);
        for a in soils.iter().map(|soil| soil.bounded()) {
            self.pairs.extend(soils.iter().map(|soil| soil.bounded()).map(|b| LooseSoil {
                friction: mean(a.friction, b.friction),
                rolling: mean(a.rolling, b.rolling),
                adhesion: a.adhesion.min(b.adhesion),
                restitution: mean(a.restitution, b.restitution),
                // of pairs of a soil with itself only: they are the laws of the soil at walls
                steel: a.steel,
                ground: a.ground,
            }));
        }
        if soils.is_empty() {
            self.count = 1;
            self.pairs.push(LooseSoil { friction: 0.5, ..LooseSoil::with_angle(30_f64.to_radians()) });
        }
    }

    pub fn of(&self, a: u16, b: u16) -> &LooseSoil {
        let [a, b] = [a, b].map(|soil| usize::from(soil).min(self.count - 1));
        &self.pairs[a * self.count + b]
    }
}
