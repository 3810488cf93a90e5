//! Added mass of a body over its immersion, and what of it joins and leaves the body as that changes.

use super::growth::AfloatAddedMass;
use windlass_engine::body::spatial::SpatialMatrix;

/// Added mass of a body.
#[derive(Clone, Debug, PartialEq)]
pub enum AddedMass {
    /// None.
    None,
    /// Of the immersed body per density of the fluid, body axes about the centre of mass [m³, m⁴, m⁵].
    PerDensity(SpatialMatrix),
    /// Of a body that floats.
    Afloat(Box<AfloatAddedMass>),
    /// A given matrix [kg, kg·m, kg·m²], complete from an immersed fraction of the volume on.
    Given(SpatialMatrix, f64),
}

impl AddedMass {
    /// K_F at σ: mass of the displaced liquids over the volume of the body; of a given matrix the part of it.
    pub(crate) fn at(&self, amount: f64) -> SpatialMatrix {
        match self {
            AddedMass::None => SpatialMatrix::ZERO,
            AddedMass::PerDensity(matrix) | AddedMass::Given(matrix, _) => *matrix * amount,
            AddedMass::Afloat(of) => of.at(amount),
        }
    }

    /// What joins the body while σ changes, and what leaves it; nothing if σ is not known before.
    pub(crate) fn change(&self, [before, now]: [f64; 2]) -> [SpatialMatrix; 2] {
        match self {
            AddedMass::PerDensity(matrix) | AddedMass::Given(matrix, _) if before >= 0.0 => {
                [now - before, before - now].map(|change| *matrix * change.max(0.0))
            }
            AddedMass::Afloat(of) if before >= 0.0 => of.change([before, now]),
            _ => [SpatialMatrix::ZERO; 2],
        }
    }
}
