//! Cross-section and material of a cable → its stiffness.
//!
//! ```text
//!  solid round      A = πd²/4       I = πd⁴/64        J = 2 I
//!  rectangle        A = a b         I = a b³/12       J = a b³ (1/3 − 0.21 b/a (1 − b⁴/12a⁴)),  a ≥ b
//!  n wires          A = n πw²/4     I = n πw⁴/64      J = 2 I      wires that slide on each other bend separately
//!  EA = E A         EI = E I        GJ = E J / 2(1 + ν)
//! ```

use std::f64::consts::PI;

/// Section properties of a cable, as used by its links.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Section {
    /// Outer diameter: for contact and for the inertia about its axis [m].
    pub diameter: f64,
    /// [kg/m]
    pub mass_per_length: f64,
    /// EA: force per strain [N].
    pub stretch: f64,
    /// EI: moment per curvature [N·m²]; 0 for a chain.
    pub bend: f64,
    /// GJ: torque per twist [N·m²]; 0 for a swivelling chain.
    pub twist: f64,
    /// Damping times c/k of stretch, bend and twist [s]: a vibration at ω has the damping ratio τω/2.
    pub damping: [f64; 3],
    /// Breaking load [N].
    pub breaking: Option<f64>,
    /// Breaking strain, if it is reached first.
    pub breaking_strain: Option<f64>,
    /// Plastic bending law, if any.
    pub yielding: Option<Yield>,
    /// Fatigue law, if load cycles are counted.
    pub fatigue: Option<Fatigue>,
}

/// Plastic bending: a bend beyond this moment is permanent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Yield {
    /// Yield moment [N·m].
    pub moment: f64,
    /// Increase of that moment per plastic curvature [N·m²]; 0 for none.
    pub hardening: f64,
}

/// Basquin's law: a cycle of tension range ΔT consumes (ΔT/breaking)^exponent / cycles of the life.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fatigue {
    /// Cycles to failure at a range of the full breaking load.
    pub cycles: f64,
    /// The exponent; 3 to 5 for wire rope in tension.
    pub exponent: f64,
}

/// Effects of a tension T on the stiffness and damping of a cable. None by default.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct UnderLoad {
    /// Stiffening, if any.
    pub stiffening: Option<Stiffening>,
    /// τ: the bending damping of a link that represents a length ℓ increases by τ T ℓ [s].
    pub damping: f64,
}

/// Stiffness that increases with the load: dT/dε = EA (1 + T/T₀); EI and GJ increase by the same factor, up to a bound
/// n:
///
/// ```text
///  T = T₀ (exp(EA ε/T₀) − 1)       up to T₀ (n − 1), then linear with n EA
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stiffening {
    /// T₀: the tension that doubles the stiffness [N].
    pub load: f64,
    /// n: upper bound of the factor.
    pub most: f64,
}

impl Stiffening {
    /// Tension [N] and stiffness factor at a strain for which a linear cable would have the tension EA ε.
    pub fn of(&self, linear: f64) -> (f64, f64) {
        let (x, edge) = (linear / self.load, libm::log(self.most));
        if !(x > 0.0) {
            (linear, 1.0)
        } else if x < edge {
            (self.load * libm::expm1(x), libm::exp(x))
        } else {
            (self.load * (self.most - 1.0 + self.most * (x - edge)), self.most)
        }
    }

    /// EA ε at a tension [N], the inverse of `of`.
    pub fn linear(&self, tension: f64) -> f64 {
        let (factor, edge) = (tension / self.load, libm::log(self.most));
        if !(factor > 0.0) {
            tension
        } else if factor < self.most - 1.0 {
            self.load * libm::log1p(factor)
        } else {
            self.load * (edge + (factor - (self.most - 1.0)) / self.most)
        }
    }

    /// ∫ T dε times EA, where a linear cable has ½ (EA ε)² [N²].
    pub(crate) fn work(&self, linear: f64) -> f64 {
        let (x, edge) = (linear / self.load, libm::log(self.most));
        let curved = |x: f64| self.load * self.load * (libm::expm1(x) - x);
        if !(x > 0.0) {
            0.5 * linear * linear
        } else if x < edge {
            curved(x)
        } else {
            let beyond = self.load * (x - edge);
            curved(edge) + beyond * (self.load * (self.most - 1.0) + 0.5 * self.most * beyond)
        }
    }
}

impl UnderLoad {
    /// The tension at a strain ε for which a linear cable would have the tension EA ε [N].
    pub fn tension(&self, linear: f64) -> f64 {
        self.stiffening.map_or(linear, |law| law.of(linear).0)
    }

    /// The product EA ε at which the cable has a given tension [N].
    pub fn linear(&self, tension: f64) -> f64 {
        self.stiffening.map_or(tension, |law| law.linear(tension))
    }

    /// Describes an invalid parameter, if any.
    pub(crate) fn problem(&self) -> Option<String> {
        if let Some(Stiffening { load, most }) = self.stiffening
            && !(load > 0.0 && load.is_finite() && (1.0..=1e6).contains(&most))
        {
            return Some(format!(
                "it stiffens with a reference load of {load} N by up to {most} times: give more than 0, and 1 to 1e6"
            ));
        }
        let damping = self.damping;
        (!(damping >= 0.0 && damping.is_finite()))
            .then(|| format!("its tension damping is {damping} s: give 0 or more"))
    }
}

/// Material of a solid section.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SectionMaterial {
    /// Young's modulus [Pa].
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// [kg/m³]
    pub density: f64,
}

impl Section {
    /// From area, second moment of area and torsion constant.
    pub fn new(stuff: SectionMaterial, diameter: f64, area: f64, second: f64, torsion: f64) -> Section {
        Section {
            diameter,
            mass_per_length: stuff.density * area,
            stretch: stuff.young * area,
            bend: stuff.young * second,
            twist: 0.5 * stuff.young / (1.0 + stuff.poisson) * torsion,
            damping: [0.0; 3],
            breaking: None,
            breaking_strain: None,
            yielding: None,
            fatigue: None,
        }
    }

    /// A solid round section.
    pub fn round(diameter: f64, stuff: SectionMaterial) -> Section {
        Section::wires(1, diameter, diameter, stuff)
    }

    /// A bundle of `count` wires that slide on each other, with a wire diameter and an outer diameter.
    pub fn wires(count: u32, wire: f64, diameter: f64, stuff: SectionMaterial) -> Section {
        let (n, w2) = (f64::from(count), wire * wire);
        let (area, second) = (n * PI * w2 / 4.0, n * PI * w2 * w2 / 64.0);
        Section::new(stuff, diameter, area, second, 2.0 * second)
    }

    /// A solid rectangular section. Bending is isotropic, with the lesser second moment of area.
    pub fn rectangle(width: f64, height: f64, stuff: SectionMaterial) -> Section {
        let (a, b) = (width.max(height), width.min(height));
        // Roark's formula, accurate to 4 %; for a square it agrees with the series, 0.1406 a⁴, to 0.3 %
        let torsion = a * b.powi(3) * (1.0 / 3.0 - 0.21 * b / a * (1.0 - (b / a).powi(4) / 12.0));
        Section::new(stuff, (4.0 * a * b / PI).sqrt(), a * b, a * b.powi(3) / 12.0, torsion)
    }

    /// Tension at which it breaks in a quasi-static pull [N]: its breaking load, or that of its breaking strain if
    /// less.
    pub fn bears(&self, under_load: &UnderLoad) -> Option<f64> {
        let strained = self.breaking_strain.map(|strain| under_load.tension(self.stretch * strain));
        [self.breaking, strained].into_iter().flatten().reduce(f64::min)
    }

    /// Describes an invalid parameter, if any.
    pub(crate) fn problem(&self) -> Option<String> {
        let above = |what: &str, x: f64| {
            (!(x > 0.0 && x.is_finite())).then(|| format!("its {what} is {x}: give a number above 0"))
        };
        let some = |what: &str, x: f64| {
            (!(x >= 0.0 && x.is_finite())).then(|| format!("its {what} is {x}: give 0 or more"))
        };
        above("diameter", self.diameter)
            .or(above("mass per length", self.mass_per_length))
            .or(above("stretch stiffness", self.stretch))
            .or(some("bending stiffness", self.bend))
            .or(some("twist stiffness", self.twist))
            .or(self.damping.into_iter().find_map(|t| some("damping time", t)))
            .or(self.breaking.and_then(|f| above("breaking load", f)))
            .or(self.breaking_strain.and_then(|e| above("breaking strain", e)))
            .or(self
                .yielding
                .and_then(|y| above("yield moment", y.moment).or(some("hardening", y.hardening))))
            .or(self
                .fatigue
                .and_then(|f| above("cycles to failure", f.cycles).or(above("fatigue exponent", f.exponent))))
            .or((self.fatigue.is_some() && self.breaking.is_none())
                .then(|| "load cycles are counted against its breaking load: give that too".to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEEL: SectionMaterial = SectionMaterial { young: 2e11, poisson: 0.3, density: 7850.0 };

    #[test]
    fn sections_of_the_handbooks() {
        let s = Section::rectangle(0.1, 0.1, STEEL);
        let second = 1e-4 / 12.0;
        assert!((s.stretch - 2e9).abs() < 1e-3 && (s.bend - 2e11 * second).abs() < 1e-6);
        // 1.687 I_A (Timoshenko's 0.1406 a⁴)
        let torsion = s.twist / (2e11 / 2.6);
        assert!((torsion / second - 1.687).abs() < 0.01, "{torsion}");
        // 100 wires of a tenth of the diameter: the same area, a hundredth of the bending stiffness
        let (rod, rope) = (Section::round(0.02, STEEL), Section::wires(100, 0.002, 0.02, STEEL));
        assert!((rope.stretch / rod.stretch - 1.0).abs() < 1e-12);
        assert!((rope.bend / rod.bend - 0.01).abs() < 1e-12);
    }
}
