//! Contact materials: parameters of contacts between two surfaces.
//!
//! Surfaces have names; a table holds the contact parameters of pairs of them. A pair without an entry is mixed from
//! the entries of each surface with itself: friction, adhesion and damping by the geometric mean, restitution by the
//! smaller, slip by the greater, compliances (1/stiffness) by the sum, as of springs in series. A compliant pair has no
//! restitution, and one with point springs no bedding.

use crate::row::Spring;
use std::collections::BTreeMap;

/// Contact parameters of two surfaces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactParameters {
    /// Static friction coefficient.
    pub stick: f64,
    /// Kinetic friction coefficient; at most `stick`.
    pub slide: f64,
    /// Friction across the grain over friction along it, if a collider has a grain.
    pub across: f64,
    /// Coefficient of restitution, 0 to 1.
    pub restitution: f64,
    /// Stiffness and damping of a contact point [N/m, N·s/m]; none for a rigid contact.
    pub spring: Option<Spring>,
    /// Stiffness and damping per contact area [N/m³, N·s/m³], distributed over the points of a patch; instead of
    /// `spring`.
    pub bedding: Option<Spring>,
    /// Tensile force of a contact point before it opens [N].
    pub adhesion: f64,
    /// Viscous slip: creep speed per friction force [(m/s)/N].
    pub slip: f64,
    /// Rolling resistance: the lever arm by which the normal force moves ahead [m].
    pub rolling: f64,
    /// Torsional friction about the normal, as a lever arm [m].
    pub spinning: f64,
}

impl Default for ContactParameters {
    /// Rigid, without restitution or adhesion: μ = 0.5 static and kinetic.
    fn default() -> ContactParameters {
        ContactParameters {
            stick: 0.5,
            slide: 0.5,
            across: 1.0,
            restitution: 0.0,
            spring: None,
            bedding: None,
            adhesion: 0.0,
            slip: 0.0,
            rolling: 0.0,
            spinning: 0.0,
        }
    }
}

impl ContactParameters {
    /// The default with one friction coefficient.
    pub fn rough(friction: f64) -> ContactParameters {
        ContactParameters { stick: friction, slide: friction, ..ContactParameters::default() }
    }

    /// What is wrong with it, if anything.
    pub fn problem(&self) -> Option<String> {
        let least = [
            ("static friction", self.stick),
            ("kinetic friction", self.slide),
            ("friction across the grain", self.across),
            ("adhesion", self.adhesion),
            ("slip", self.slip),
            ("rolling friction", self.rolling),
            ("spinning friction", self.spinning),
        ];
        let bad = least.into_iter().find(|(_, x)| !(*x >= 0.0 && x.is_finite()));
        if let Some((what, x)) = bad {
            return Some(format!("{what} is {x}: give a finite number, 0 or more"));
        }
        if self.slide > self.stick {
            let (slide, stick) = (self.slide, self.stick);
            return Some(format!("kinetic friction {slide} is above static friction {stick}: swap them"));
        }
        if !(0.0..=1.0).contains(&self.restitution) {
            return Some(format!("restitution is {}: give 0 to 1", self.restitution));
        }
        let springs = [self.spring, self.bedding].into_iter().flatten();
        let wrong = |s: &Spring| {
            let finite = s.stiffness.is_finite() && s.damping.is_finite();
            !(finite && s.stiffness > 0.0 && s.damping >= 0.0)
        };
        if let Some(s) = springs.clone().find(wrong) {
            let (k, c) = (s.stiffness, s.damping);
            return Some(format!(
                "stiffness {k} and damping {c}: give a stiffness above 0, or none for hard"
            ));
        }
        if self.restitution > 0.0 && springs.count() > 0 {
            return Some("a compliant contact rebounds by its spring: leave out restitution".to_owned());
        }
        None
    }

    /// Parameters of a pair that is not in the table, from those of each surface with itself.
    pub fn mixed(a: &ContactParameters, b: &ContactParameters) -> ContactParameters {
        let mean = |x: f64, y: f64| (x * y).sqrt();
        let spring = in_series(a.spring, b.spring);
        let bedding = in_series(a.bedding, b.bedding).filter(|_| spring.is_none());
        let is_hard = spring.is_none() && bedding.is_none();
        ContactParameters {
            stick: mean(a.stick, b.stick),
            slide: mean(a.slide, b.slide),
            across: mean(a.across, b.across),
            // the smaller restitution governs
            restitution: if is_hard { a.restitution.min(b.restitution) } else { 0.0 },
            spring,
            bedding,
            adhesion: mean(a.adhesion, b.adhesion),
            slip: a.slip.max(b.slip),
            rolling: mean(a.rolling, b.rolling),
            spinning: mean(a.spinning, b.spinning),
        }
    }
}

/// Two springs in series.
fn in_series(a: Option<Spring>, b: Option<Spring>) -> Option<Spring> {
    match (a, b) {
        (Some(a), Some(b)) => {
            let stiffness = a.stiffness * b.stiffness / (a.stiffness + b.stiffness);
            Some(Spring { stiffness, damping: (a.damping * b.damping).sqrt(), form: a.form })
        }
        (one, other) => one.or(other),
    }
}

/// All surfaces and their contact parameters. Surface 0 always exists and is called "".
#[derive(Clone, Debug, PartialEq)]
pub struct Surfaces {
    names: Vec<String>,
    pairs: BTreeMap<(u16, u16), ContactParameters>,
}

impl Default for Surfaces {
    fn default() -> Surfaces {
        Surfaces {
            names: vec![String::new()],
            pairs: BTreeMap::from([((0, 0), ContactParameters::default())]),
        }
    }
}

impl Surfaces {
    /// Adds a surface, or finds the one of that name. At most 65536.
    pub fn add(&mut self, name: &str) -> u16 {
        if let Some(place) = self.find(name) {
            return place;
        }
        let place = u16::try_from(self.names.len()).unwrap_or(u16::MAX);
        self.names.push(name.to_owned());
        place
    }

    /// The index of a name.
    pub fn find(&self, name: &str) -> Option<u16> {
        self.names.iter().position(|n| n == name).map(|place| place as u16)
    }

    /// Number of surfaces.
    pub fn count(&self) -> usize {
        self.names.len()
    }

    /// The name of a surface.
    pub fn name(&self, surface: u16) -> &str {
        self.names.get(surface as usize).map_or("", String::as_str)
    }

    /// The entries of the table, each pair with its lower surface first.
    pub fn pairs(&self) -> impl Iterator<Item = ((u16, u16), &ContactParameters)> {
        self.pairs.iter().map(|(pair, touch)| (*pair, touch))
    }

    /// Sets the contact parameters of two surfaces.
    pub fn set(&mut self, a: u16, b: u16, touch: ContactParameters) {
        self.pairs.insert((a.min(b), a.max(b)), touch);
    }

    /// The contact parameters of two surfaces.
    pub fn touch(&self, a: u16, b: u16) -> ContactParameters {
        if let Some(touch) = self.pairs.get(&(a.min(b), a.max(b))) {
            return *touch;
        }
        let alone = |s: u16| self.pairs.get(&(s, s)).or_else(|| self.pairs.get(&(0, 0)));
        let default = ContactParameters::default();
        ContactParameters::mixed(alone(a).unwrap_or(&default), alone(b).unwrap_or(&default))
    }
}

/// Whether a contact is rigid: only these have impulses; compliant ones rebound by their spring.
pub(crate) fn is_hard(touch: &ContactParameters) -> bool {
    touch.spring.is_none() && touch.bedding.is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As documented in docs/modelling/contact.md for pairs without an entry: the smaller restitution, springs in
    /// series, no double rebound.
    #[test]
    fn a_mixed_pair_rebounds_as_the_softer_and_gives_once() {
        let ball = ContactParameters {
            restitution: 0.8,
            stick: 0.9,
            slide: 0.4,
            slip: 1e-3,
            ..ContactParameters::default()
        };
        let clay =
            ContactParameters { restitution: 0.1, stick: 0.4, slide: 0.1, ..ContactParameters::default() };
        let mixed = ContactParameters::mixed(&ball, &clay);
        assert_eq!((mixed.restitution, mixed.slip), (0.1, 1e-3));
        assert!((mixed.stick - 0.6).abs() < 1e-15 && (mixed.slide - 0.2).abs() < 1e-15);
        let pad = ContactParameters { spring: Some(Spring::new(3e4, 10.0)), ..ContactParameters::default() };
        let mat = ContactParameters { bedding: Some(Spring::new(1e6, 10.0)), ..ContactParameters::default() };
        for touch in [
            ContactParameters::mixed(&ball, &pad),
            ContactParameters::mixed(&mat, &ball),
            ContactParameters::mixed(&pad, &mat),
        ] {
            assert_eq!((touch.restitution, touch.problem()), (0.0, None));
            assert!(touch.spring.is_some() != touch.bedding.is_some());
        }
        let twice = ContactParameters::mixed(&pad, &pad).spring.unwrap();
        assert!((twice.stiffness - 1.5e4).abs() < 1e-9);
    }
}
