//! What a cable is made of → how it resists.
//!
//! ```text
//!  solid round      A = πd²/4       I = πd⁴/64        J = 2 I
//!  rectangle        A = a b         I = a b³/12       J = a b³ (1/3 − 0.21 b/a (1 − b⁴/12a⁴)),  a ≥ b
//!  n wires          A = n πw²/4     I = n πw⁴/64      J = 2 I      wires that slide on each other bend one by one
//!  EA = E A         EI = E I        GJ = E J / 2(1 + ν)
//! ```

use std::f64::consts::PI;

/// A cable's cross-section in numbers that a joint needs.
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
    /// Tension at which it breaks [N].
    pub breaking: Option<f64>,
    /// Strain at which it breaks, if that comes first.
    pub breaking_strain: Option<f64>,
    /// How it keeps a bend, if it does.
    pub yielding: Option<Yield>,
    /// What load cycles do to it, if they are counted.
    pub fatigue: Option<Fatigue>,
}

/// A bend beyond this moment stays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Yield {
    /// Moment at which it begins [N·m].
    pub moment: f64,
    /// Rise of that moment per plastic curvature [N·m²]; 0 for none.
    pub hardening: f64,
}

/// Basquin's law: a cycle of tension range ΔT uses up (ΔT/breaking)^exponent / cycles of the life.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fatigue {
    /// Cycles to failure at a range of the whole breaking load.
    pub cycles: f64,
    /// The exponent; 3 to 5 for wire rope in tension.
    pub exponent: f64,
}

/// What a tension T does to a cable beside stretching it. Nothing, unless it is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct UnderLoad {
    /// How it gets stiffer, if it does.
    pub stiffening: Option<Stiffening>,
    /// τ: the bending damping of a link that stands for a length ℓ grows by τ T ℓ [s].
    pub damping: f64,
}

/// Stiffness that grows with the load: dT/dε = EA (1 + T/T₀), and EI and GJ grow by the same factor, up to a bound n:
///
/// ```text
///  T = T₀ (exp(EA ε/T₀) − 1)       up to T₀ (n − 1), then straight on with n EA
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stiffening {
    /// T₀: the tension that doubles the stiffness [N].
    pub load: f64,
    /// n: by what factor it grows at most.
    pub most: f64,
}

impl Stiffening {
    /// Tension [N] and factor of the stiffness, where a cable that does not stiffen would be pulled with EA ε.
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

    /// EA ε of a tension, `of` the other way round [N].
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

    /// ∫ T dε, where ∫ EA ε dε would be linear²/2, in N².
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
    /// The tension of a strain ε that would pull a cable of one stiffness with EA ε [N].
    pub fn tension(&self, linear: f64) -> f64 {
        self.stiffening.map_or(linear, |law| law.of(linear).0)
    }

    /// The product EA ε at which a cable is pulled with a tension [N].
    pub fn linear(&self, tension: f64) -> f64 {
        self.stiffening.map_or(tension, |law| law.linear(tension))
    }

    /// What is wrong with its numbers, if anything.
    pub(crate) fn problem(&self) -> Option<String> {
        if let Some(Stiffening { load, most }) = self.stiffening
            && !(load > 0.0 && load.is_finite() && (1.0..=1e6).contains(&most))
        {
            return Some(format!(
                "it stiffens by its load over {load} N up to {most} times: give more than 0, and 1 to 1e6"
            ));
        }
        let damping = self.damping;
        (!(damping >= 0.0 && damping.is_finite()))
            .then(|| format!("its damping by tension is {damping} s: give 0 or more"))
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
    /// From area, second moment and torsion constant.
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

    /// Solid and round.
    pub fn round(diameter: f64, stuff: SectionMaterial) -> Section {
        Section::wires(1, diameter, diameter, stuff)
    }

    /// A bundle of so many wires that slide on each other, of a wire diameter and an outer one.
    pub fn wires(count: u32, wire: f64, diameter: f64, stuff: SectionMaterial) -> Section {
        let (n, w2) = (f64::from(count), wire * wire);
        let (area, second) = (n * PI * w2 / 4.0, n * PI * w2 * w2 / 64.0);
        Section::new(stuff, diameter, area, second, 2.0 * second)
    }

    /// Solid and rectangular; bends about the axis of its lesser second moment in all directions, as cables are isotropic.
    pub fn rectangle(width: f64, height: f64, stuff: SectionMaterial) -> Section {
        let (a, b) = (width.max(height), width.min(height));
        // Roark's formula, good to 4 %; for a square the series gives 0.1406 a⁴ and so does this to 0.3 %
        let torsion = a * b.powi(3) * (1.0 / 3.0 - 0.21 * b / a * (1.0 - (b / a).powi(4) / 12.0));
        Section::new(stuff, (4.0 * a * b / PI).sqrt(), a * b, a * b.powi(3) / 12.0, torsion)
    }

    /// Tension at which it breaks when it is pulled slowly [N]: its breaking load, or that of its breaking strain if that is less.
    pub fn bears(&self, under_load: &UnderLoad) -> Option<f64> {
        let strained = self.breaking_strain.map(|strain| under_load.tension(self.stretch * strain));
        [self.breaking, strained].into_iter().flatten().reduce(f64::min)
    }

    /// What is wrong with its numbers, if anything.
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
        // 100 wires of a tenth of the diameter: as much metal, a hundredth of the bending stiffness
        let (rod, rope) = (Section::round(0.02, STEEL), Section::wires(100, 0.002, 0.02, STEEL));
        assert!((rope.stretch / rod.stretch - 1.0).abs() < 1e-12);
        assert!((rope.bend / rod.bend - 0.01).abs() < 1e-12);
    }
}
