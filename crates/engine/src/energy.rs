//! Energies reported by a step and by an inspection.

/// Energies [J].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// ½ m v² + ½ ω·Iω of dynamic bodies and of subsystems.
    pub kinetic: f64,
    /// −m g·x of dynamic bodies and subsystems, from the world's origin, and potentials of forces.
    pub potential: f64,
    /// Elastic energy of soft rows: ½ k g², linear in g beyond the bound of their force; and that of subsystems.
    pub elastic: f64,
}

impl Energy {
    /// The sum.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential + self.elastic
    }

    /// Both together.
    pub fn plus(self, other: Energy) -> Energy {
        Energy {
            kinetic: self.kinetic + other.kinetic,
            potential: self.potential + other.potential,
            elastic: self.elastic + other.elastic,
        }
    }
}
