//! Energies, as a step and an instant report them.

/// Energies [J].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// ½ m v² + ½ ω·Iω of free bodies and of subsystems.
    pub kinetic: f64,
    /// −m g·x of free bodies and subsystems, from the world's origin, and what forces say of themselves.
    pub potential: f64,
    /// What soft rows store: ½ k g², linear in g beyond the bound of their force; and what subsystems do.
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
