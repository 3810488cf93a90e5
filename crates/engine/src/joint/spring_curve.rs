//! Nonlinear springs and dampers: a force as a function of the stretch x and its rate.
//!
//! ```text
//! polynomial   F = k₁ x + k₂ x |x| + k₃ x³
//! table        F through points, piecewise linear or monotone cubic (Fritsch & Butland); extrapolated linearly
//! damping      c₁ ẋ + c₂ ẋ |ẋ| + D(ẋ)      D through points, such as different forces in bump and rebound
//! hysteresis   Σ kⱼ (x − xⱼ), the slider xⱼ follows so that |force| ≤ fⱼ: parallel Jenkins elements (Iwan's model)
//! ```
//!
//! Rows support linear springs only, so each step uses the tangent at its start: stiffness k = F′(x), and a gap g with
//! k g = F(x). Force and tangent are then accurate to first order in the displacement of the step, whatever the time
//! discretisation of the row, and stiff laws are as stable as stiff springs. Where the law softens (F′ < 0) its force
//! is explicit. The energy is ∫ F dx. Damping beyond c₁ is a damper with the secant of the law at the start of the step,
//! which never adds energy.

use crate::row::{Row, Spring};
use thiserror::Error;

/// Maximum number of Jenkins elements of a spring: each has a slot in the history of its joint.
pub const MOST_SLIDERS: usize = 8;

/// Lower bounds of a row's stiffness, relative to F/x and absolute [N/m or N·m/rad]: a row needs some, and its gap
/// stays finite.
const LEAST: [f64; 2] = [1e-6, 1e-9];

/// A nonlinear spring and damper.
#[derive(Clone, Debug, PartialEq)]
pub struct CurvedSpring {
    /// The force as a function of the stretch.
    pub force: ForceCurve,
    /// c₁ [N·s/m or N·m·s/rad].
    pub damping: f64,
    /// c₂ [N·s²/m² or N·m·s²/rad²].
    pub quadratic_damping: f64,
    /// D: force over rate, through points; none for 0.
    pub damper: Option<ForceTable>,
    /// Value of the coordinate at which x is 0 [m or rad].
    pub rest: f64,
    /// Dry friction in parallel, which makes loading and unloading differ.
    pub hysteresis: Vec<Jenkins>,
}

/// A spring in series with a dry slider: elastic up to a force at which it slides. Initially without force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jenkins {
    /// kⱼ [N/m or N·m/rad].
    pub stiffness: f64,
    /// fⱼ [N or N·m].
    pub force: f64,
}

impl Jenkins {
    /// The position of its slider after the coordinate has reached a value.
    fn followed(&self, slider: f64, value: f64) -> f64 {
        let most = self.force / self.stiffness;
        value - (value - slider).clamp(-most, most)
    }
}

/// A force that resists a stretch.
#[derive(Clone, Debug, PartialEq)]
pub enum ForceCurve {
    /// k₁, k₂, k₃ [N/m, N/m², N/m³, or N·m/rad and so on].
    Polynomial([f64; 3]),
    /// Interpolation of points.
    Table(ForceTable),
}

/// Interpolation of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joining {
    /// Piecewise linear: the stiffness jumps at the points.
    Linear,
    /// Monotone cubics without overshoot: the stiffness is continuous.
    Monotone,
}

/// An interpolated table of force over stretch.
#[derive(Clone, Debug, PartialEq)]
pub struct ForceTable {
    stretches: Vec<f64>,
    forces: Vec<f64>,
    /// Slopes at both ends of each piece.
    slopes: Vec<[f64; 2]>,
    /// ∫ F dx from the first point to the beginning of each piece, and to the end of the last.
    works: Vec<f64>,
    /// The same up to x = 0.
    work_at_rest: f64,
}

/// A force at one stretch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ForceSample {
    /// F [N or N·m].
    pub force: f64,
    /// F′ [N/m or N·m/rad].
    pub slope: f64,
    /// ∫ F dx from rest [J].
    pub energy: f64,
}

/// Why a table is rejected, and the remedy.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ForceTableError {
    /// Fewer than two points.
    #[error("`stretch` has {count} entries: give at least 2")]
    TooFew {
        /// Entries found.
        count: usize,
    },
    /// Not one force per stretch.
    #[error("`stretch` has {stretches} entries but `force` has {forces}: give one force per stretch")]
    Lengths {
        /// Entries of `stretch`.
        stretches: usize,
        /// Entries of `force`.
        forces: usize,
    },
    /// Stretches do not increase.
    #[error("`stretch[{index}]` is {stretch}, not above the entry before: sort them and remove duplicates")]
    Unsorted {
        /// The entry.
        index: usize,
        /// Its value.
        stretch: f64,
    },
    /// An entry is infinite or NaN.
    #[error("an entry is {value}: give finite numbers")]
    NotFinite {
        /// The entry.
        value: f64,
    },
}

impl ForceTable {
    /// Interpolates `forces` at increasing `stretches`, at least two of each.
    ///
    /// # Errors
    /// Too few points, lists of different length, stretches not increasing, numbers not finite.
    pub fn new(
        stretches: Vec<f64>,
        forces: Vec<f64>,
        joining: Joining,
    ) -> Result<ForceTable, ForceTableError> {
        if stretches.len() != forces.len() {
            let (stretches, forces) = (stretches.len(), forces.len());
            return Err(ForceTableError::Lengths { stretches, forces });
        }
        if stretches.len() < 2 {
            return Err(ForceTableError::TooFew { count: stretches.len() });
        }
        if let Some(value) = stretches.iter().chain(&forces).find(|x| !x.is_finite()) {
            return Err(ForceTableError::NotFinite { value: *value });
        }
        if let Some(before) = stretches.windows(2).position(|pair| pair[0] >= pair[1]) {
            return Err(ForceTableError::Unsorted { index: before + 1, stretch: stretches[before + 1] });
        }
        let secants: Vec<f64> = (1..stretches.len())
            .map(|i| (forces[i] - forces[i - 1]) / (stretches[i] - stretches[i - 1]))
            .collect();
        let slopes = match joining {
            Joining::Linear => secants.iter().map(|s| [*s; 2]).collect(),
            Joining::Monotone => {
                let at = monotone_slopes(&stretches, &secants);
                at.windows(2).map(|pair| [pair[0], pair[1]]).collect()
            }
        };
        let mut table = ForceTable { stretches, forces, slopes, works: vec![0.0], work_at_rest: 0.0 };
        for i in 1..table.stretches.len() {
            let work = table.works[i - 1] + table.piece(i - 1, 1.0).energy;
            table.works.push(work);
        }
        table.work_at_rest = table.at(0.0).energy;
        Ok(table)
    }

    /// Force, slope and energy at a stretch.
    pub fn at(&self, x: f64) -> ForceSample {
        let last = self.stretches.len() - 1;
        let beyond = |end: usize, slope: f64| {
            let (d, force) = (x - self.stretches[end], self.forces[end]);
            let energy = self.works[end] + (force + 0.5 * slope * d) * d - self.work_at_rest;
            ForceSample { force: force + slope * d, slope, energy }
        };
        if x < self.stretches[0] {
            return beyond(0, self.slopes[0][0]);
        }
        if x >= self.stretches[last] {
            return beyond(last, self.slopes[last - 1][1]);
        }
        let piece = self.stretches.partition_point(|s| *s <= x) - 1;
        let length = self.stretches[piece + 1] - self.stretches[piece];
        let sample = self.piece(piece, (x - self.stretches[piece]) / length);
        ForceSample { energy: self.works[piece] + sample.energy - self.work_at_rest, ..sample }
    }

    /// The largest slope.
    fn steepest(&self) -> f64 {
        let of = |i: usize| {
            let h = self.stretches[i + 1] - self.stretches[i];
            let (rise, [m, n]) = (self.forces[i + 1] - self.forces[i], self.slopes[i].map(|slope| slope * h));
            // F' = m + 2 p u + 3 q u², as in `piece`
            let (p, q) = (3.0 * rise - 2.0 * m - n, m + n - 2.0 * rise);
            let inner = -p / (3.0 * q);
            let inner = if inner > 0.0 && inner < 1.0 { self.piece(i, inner).slope } else { 0.0 };
            self.slopes[i].into_iter().fold(inner, f64::max)
        };
        (0..self.slopes.len()).map(of).fold(0.0, f64::max)
    }

    /// Whether the force has the sign of its argument everywhere, as that of a damper over the rate.
    fn dissipates(&self) -> bool {
        let same = |x: f64, force: f64| x == 0.0 || force * x >= 0.0;
        let last = self.slopes.len() - 1;
        let ends = [self.slopes[0][0], self.slopes[last][1]];
        let points = self.stretches.iter().zip(&self.forces).all(|(x, force)| same(*x, *force));
        points && ends.iter().all(|slope| *slope >= 0.0) && self.at(0.0).force == 0.0
    }

    /// The cubic of a piece at its fraction u; the energy is relative to the beginning of the piece.
    fn piece(&self, i: usize, u: f64) -> ForceSample {
        let h = self.stretches[i + 1] - self.stretches[i];
        let (a, b) = (self.forces[i], self.forces[i + 1]);
        let [m, n] = self.slopes[i].map(|slope| slope * h);
        // F = a + m u + p u² + q u³
        let (p, q) = (3.0 * (b - a) - 2.0 * m - n, m + n - 2.0 * (b - a));
        ForceSample {
            force: a + u * (m + u * (p + u * q)),
            slope: (m + u * (2.0 * p + u * 3.0 * q)) / h,
            energy: h * u * (a + u * (m / 2.0 + u * (p / 3.0 + u * q / 4.0))),
        }
    }
}

/// Slopes at the points for which the cubics are monotone where the points are: a weighted harmonic mean of the secants
/// on both sides, 0 where these differ in sign (Fritsch & Butland 1984); the secant at the ends.
fn monotone_slopes(x: &[f64], secants: &[f64]) -> Vec<f64> {
    let last = x.len() - 1;
    let inner = |i: usize| {
        let ([before, after], [a, b]) = ([x[i] - x[i - 1], x[i + 1] - x[i]], [secants[i - 1], secants[i]]);
        if a * b <= 0.0 {
            return 0.0;
        }
        let (w, v) = (2.0 * after + before, after + 2.0 * before);
        (w + v) / (w / a + v / b)
    };
    (0..=last)
        .map(|i| match i {
            0 => secants[0],
            i if i == last => secants[last - 1],
            i => inner(i),
        })
        .collect()
}

impl ForceCurve {
    /// Force, slope and energy at a stretch.
    pub fn at(&self, x: f64) -> ForceSample {
        match self {
            ForceCurve::Polynomial([k1, k2, k3]) => {
                let size = x.abs();
                ForceSample {
                    force: x * (k1 + size * (k2 + size * k3)),
                    slope: k1 + size * (2.0 * k2 + size * 3.0 * k3),
                    energy: x * x * (k1 / 2.0 + size * (k2 / 3.0 + size * k3 / 4.0)),
                }
            }
            ForceCurve::Table(table) => table.at(x),
        }
    }
}

impl CurvedSpring {
    /// The row of a step that begins at a value of the coordinate, and the stored energy beyond that of the row [J].
    pub(super) fn row(&self, value: f64) -> (Row, f64) {
        let x = value - self.rest;
        let ForceSample { force, slope, energy } = self.force.at(x);
        let secant = if x == 0.0 { 0.0 } else { (force / x).abs() };
        let stiffness = slope.max(LEAST[0] * secant).max(LEAST[1]);
        let row = Row::hold(force / stiffness).soft(Some(Spring::new(stiffness, self.damping)));
        (row, energy - row.stored())
    }

    /// The largest slope of the force in a range of the coordinate, or anywhere in a table.
    pub(crate) fn steepest(&self, range: [f64; 2]) -> f64 {
        match &self.force {
            ForceCurve::Polynomial([k1, k2, k3]) => {
                // k₁ + 2 k₂ |x| + 3 k₃ x² is largest at an end, at 0, or where its derivative vanishes
                let inner = if *k2 > 0.0 && *k3 < 0.0 { k1 - k2 * k2 / (3.0 * k3) } else { *k1 };
                let ends = range.map(|value| self.force.at(value - self.rest).slope);
                ends.into_iter().chain([*k1]).fold(inner, f64::max)
            }
            ForceCurve::Table(table) => table.steepest(),
        }
    }

    /// Damping beyond c₁ at a rate: the secant of its law. `slowest` stands for slower rates in the quadratic term.
    pub(crate) fn damping_at(&self, rate: f64, slowest: f64) -> f64 {
        let secant = self.damper.as_ref().map_or(0.0, |table| {
            if rate.abs() > slowest { table.at(rate).force / rate } else { table.at(0.0).slope }
        });
        self.quadratic_damping * rate.abs().max(slowest) + secant.max(0.0)
    }

    /// Whether it has damping beyond c₁.
    pub(crate) fn has_damper(&self) -> bool {
        self.quadratic_damping > 0.0 || self.damper.is_some()
    }

    /// The slider position of element i of coordinate k at a value of the coordinate; `history` is the memory of the
    /// joint.
    fn slider(&self, (k, i): (usize, usize), value: f64, history: &[f64]) -> f64 {
        let remembered = history.get(k * MOST_SLIDERS + i).copied();
        remembered.unwrap_or_else(|| self.hysteresis[i].followed(self.rest, value))
    }

    /// The rows of its Jenkins elements: springs from their sliders with bounded forces.
    pub(super) fn sliders(&self, k: u8, value: f64, history: &[f64]) -> impl Iterator<Item = Row> {
        self.hysteresis.iter().enumerate().map(move |(i, Jenkins { stiffness, force })| {
            let gap = value - self.slider((k.into(), i), value, history);
            Row { lo: -force, hi: *force, ..Row::hold(gap) }.soft(Some(Spring::new(*stiffness, 0.0)))
        })
    }

    /// Moves the sliders of coordinate k as it changes from one value to another.
    pub(crate) fn follow(&self, k: usize, [before, after]: [f64; 2], history: &mut Vec<f64>) {
        for (i, element) in self.hysteresis.iter().enumerate() {
            let slider = element.followed(self.slider((k, i), before, history), after);
            let place = k * MOST_SLIDERS + i;
            // slots without an element stay unchanged
            history.resize(history.len().max(place + 1), 0.0);
            history[place] = slider;
        }
    }

    /// Describes an invalid parameter, if any.
    pub(crate) fn problem(&self) -> Option<String> {
        let CurvedSpring { force, damping, quadratic_damping, damper, rest, hysteresis } = self;
        let positive = |x: f64| x > 0.0 && x.is_finite();
        if hysteresis.len() > MOST_SLIDERS
            || !hysteresis.iter().all(|j| positive(j.stiffness) && positive(j.force))
        {
            return Some(format!(
                "its hysteresis needs stiffnesses and forces above 0, at most {MOST_SLIDERS} of them"
            ));
        }
        let damps = [damping, quadratic_damping];
        if let Some(c) = damps.into_iter().find(|c| !(**c >= 0.0 && c.is_finite())) {
            return Some(format!("a damping is {c}: give a finite number, 0 or more"));
        }
        if damper.as_ref().is_some_and(|table| !table.dissipates()) {
            return Some("its damper pushes: give forces of the sign of the speeds, and 0 at 0".into());
        }
        let coefficients = match force {
            ForceCurve::Polynomial(list) => list.as_slice(),
            ForceCurve::Table(_) => &[], // checked by ForceTable::new
        };
        let bad = coefficients.iter().chain([rest]).find(|x| !x.is_finite())?;
        Some(format!("a parameter of a spring is {bad}: give a finite number"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: [f64; 6] = [-0.3, -0.1, 0.0, 0.05, 0.2, 0.5];
    const F: [f64; 6] = [-900.0, -100.0, 0.0, 20.0, 20.0, 700.0];

    fn curves() -> Vec<ForceCurve> {
        let table = |joining| ForceCurve::Table(ForceTable::new(X.to_vec(), F.to_vec(), joining).unwrap());
        vec![
            table(Joining::Linear),
            table(Joining::Monotone),
            ForceCurve::Polynomial([40.0, 300.0, 2e3]),
            ForceCurve::Polynomial([40.0, 0.0, -2e3]),
        ]
    }

    /// F′ is the derivative of F, and F that of the energy, which is 0 at rest: inside, at the ends and beyond.
    #[test]
    fn slopes_and_energies_belong_to_the_force() {
        let d = 1e-6;
        for curve in curves() {
            assert_eq!(curve.at(0.0).energy, 0.0);
            for x in (0..200).map(|i| -0.613 + 0.00731 * f64::from(i)) {
                let (before, now, after) = (curve.at(x - d), curve.at(x), curve.at(x + d));
                let (slope, force) = (after.force - before.force, after.energy - before.energy);
                assert!((slope / (2.0 * d) - now.slope).abs() < 1e-2, "{curve:?} at {x}: {now:?}");
                assert!((force / (2.0 * d) - now.force).abs() < 1e-3, "{curve:?} at {x}: {now:?}");
            }
        }
    }

    /// A table interpolates its points, is flat between equal ones, is monotone where they are, and extrapolates
    /// linearly.
    #[test]
    fn tables_keep_to_their_points() {
        for joining in [Joining::Linear, Joining::Monotone] {
            let table = ForceTable::new(X.to_vec(), F.to_vec(), joining).unwrap();
            for (x, force) in X.into_iter().zip(F) {
                assert!((table.at(x).force - force).abs() < 1e-12 * 900.0);
            }
            assert!((table.at(0.13).force - 20.0).abs() < 1e-12);
            let all: Vec<f64> = (0..=800).map(|i| table.at(-0.3 + 0.001 * f64::from(i)).force).collect();
            assert!(all.is_sorted_by(|a, b| a <= &(b + 1e-12)), "{joining:?}");
            for (end, beyond) in [(0.5, 2.0), (-0.3, -2.0)] {
                let (at, far) = (table.at(end), table.at(beyond));
                assert_eq!(at.slope, far.slope);
                assert!((far.force - at.force - at.slope * (beyond - end)).abs() < 1e-9);
            }
        }
    }

    /// The row of a step has the force and the tangent of the law, and together with the extra energy that of the law.
    #[test]
    fn rows_have_the_tangent() {
        for curve in curves() {
            let (damping, quadratic_damping, hysteresis) = (0.0, 0.0, Vec::new());
            let damper = None;
            let spring =
                CurvedSpring { force: curve, damping, quadratic_damping, damper, rest: 1.0, hysteresis };
            for x in [-0.7, -0.2, 0.0, 0.03, 0.1, 0.4, 0.9] {
                let (row, beyond) = spring.row(1.0 + x);
                let wanted = spring.force.at(1.0 + x - 1.0);
                let crate::row::RowLaw::Spring(Spring { stiffness, .. }) = row.law else { panic!("{row:?}") };
                assert!((stiffness * row.gap - wanted.force).abs() < 1e-9 * (1.0 + wanted.force.abs()));
                assert!(stiffness > 0.0 && (stiffness - wanted.slope).abs() < 1e-2 || wanted.slope < 0.0);
                assert!((row.stored() + beyond - wanted.energy).abs() < 1e-6 * (1.0 + wanted.energy.abs()));
            }
        }
    }

    #[test]
    fn tables_that_are_none_say_why() {
        let told = |x: &[f64], f: &[f64]| {
            ForceTable::new(x.to_vec(), f.to_vec(), Joining::Linear).unwrap_err().to_string()
        };
        assert!(told(&[0.0], &[0.0]).contains("at least 2"));
        assert!(told(&[0.0, 1.0], &[0.0]).contains("one force per stretch"));
        assert!(told(&[0.0, 0.0], &[0.0, 1.0]).contains("`stretch[1]` is 0"));
        assert!(told(&[0.0, 1.0], &[0.0, f64::NAN]).contains("finite"));
    }
}
