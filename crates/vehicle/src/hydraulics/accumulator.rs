//! A gas-charged accumulator: volume of oil → pressure, slope and energy.
//!
//! ```text
//! p Vⁿ = p₀ V₀ⁿ,    V = V₀ − V_oil        n = 1 isothermal, 1.4 adiabatic for nitrogen
//! E = ∫ p dV_oil = p₀ V₀/(n − 1) ((V₀/V)ⁿ⁻¹ − 1)
//! ```
//!
//! Below the precharge pressure p₀ it holds no oil.

/// A gas-charged accumulator on the line of side A of an actuator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accumulator {
    /// Volume V₀ of the gas at precharge [m³].
    pub volume: f64,
    /// Precharge pressure p₀ [Pa].
    pub precharge: f64,
    /// Polytropic exponent n.
    pub exponent: f64,
    /// Pressure at the start [Pa]; at most the precharge for an empty one.
    pub start: f64,
}

impl Accumulator {
    fn gas(&self, oil: f64) -> f64 {
        // keeps the power finite for any oil
        (self.volume - oil.max(0.0)).max(1e-6 * self.volume)
    }

    /// Pressure at a volume of oil [Pa].
    pub fn pressure(&self, oil: f64) -> f64 {
        self.precharge * libm::pow(self.volume / self.gas(oil), self.exponent)
    }

    /// Change of the pressure per volume of oil [Pa/m³].
    pub fn slope(&self, oil: f64) -> f64 {
        self.exponent * self.pressure(oil) / self.gas(oil)
    }

    /// Volume of oil at a pressure [m³].
    pub fn oil(&self, pressure: f64) -> f64 {
        let ratio = (self.precharge / pressure.max(self.precharge)).min(1.0);
        self.volume * (1.0 - libm::pow(ratio, 1.0 / self.exponent))
    }

    /// Energy stored in the gas since it was empty [J].
    pub fn energy(&self, oil: f64) -> f64 {
        let (work, ratio) = (self.precharge * self.volume, self.volume / self.gas(oil));
        let more = self.exponent - 1.0;
        work * if more.abs() < 1e-9 { libm::log(ratio) } else { (libm::pow(ratio, more) - 1.0) / more }
    }
}
