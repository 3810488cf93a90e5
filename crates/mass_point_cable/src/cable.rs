//! What a mass-point cable is: points, what it is made of, what holds and leads it.

use crate::tether::PointTether;
use glam::DVec3;
use windlass_engine::body::frame::Anchor;
use windlass_engine::math::chords;
use windlass_engine::section::{Section, Yield};
use windlass_engine::slots::Id;

/// Names a cable for as long as it exists.
pub type MassPointCableId = Id<MassPointCable>;

/// More points than this are refused: at 60 Hz a cable of a thousand is slow already.
pub const MOST_POINTS: usize = 20_000;

/// What a cable is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CableProperties {
    /// Stiffness against stretching EA [N].
    pub stretch: f64,
    /// Stiffness against bending EI [N·m²]; 0 for a chain.
    pub bend: f64,
    /// Mass of a metre [kg/m].
    pub mass: f64,
    /// Diameter [m].
    pub diameter: f64,
}

impl From<&Section> for CableProperties {
    fn from(s: &Section) -> CableProperties {
        CableProperties { stretch: s.stretch, bend: s.bend, mass: s.mass_per_length, diameter: s.diameter }
    }
}

/// What slows a cable down.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Damping {
    /// Of stretching, as the time τ in c = τ k [s].
    pub stretch: f64,
    /// Of bending, the same [s].
    pub bend: f64,
    /// Of moving through air: force per speed and length [N·s/m²].
    pub air: f64,
}

/// How hard the step of a cable is worked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IterationLimits {
    /// How often the system is built in a step at most; it is not built again once points stay where they are.
    pub rebuilds: u32,
    /// Rounds of conjugate gradients for each.
    pub iterations: u32,
    /// Points stay if they move by less than this part of a segment.
    pub tolerance: f64,
}

impl Default for IterationLimits {
    fn default() -> IterationLimits {
        // 10 as in Loock and Schömer's table; most steps need 2 to 4
        IterationLimits { rebuilds: 10, iterations: 20, tolerance: 1e-9 }
    }
}

/// A point held by a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attachment {
    /// Number of the point.
    pub point: usize,
    /// Where the body holds it; the anchor's attitude does not count.
    pub anchor: Anchor,
}

/// A cable.
#[derive(Clone, Debug, PartialEq)]
pub struct MassPointCable {
    /// Its name.
    pub name: String,
    /// Where its points are when it is added [m]; two or more.
    pub points: Vec<DVec3>,
    /// Its natural length [m], the same share for each segment.
    pub length: f64,
    /// What it is made of.
    pub properties: CableProperties,
    /// What slows it down.
    pub damping: Damping,
    /// From what moment on bends stay, if they do.
    pub yields: Option<Yield>,
    /// Whether the bends it has when it is added are its natural ones; else it wants to be straight.
    pub formed: bool,
    /// The points that bodies hold. Two neighbours held by one body are a clamp: the segment between them is as stiff as it.
    pub attachments: Vec<Attachment>,
    /// The points that hands lead.
    pub tethers: Vec<PointTether>,
    /// What its skin is: place of a name in the table of surfaces.
    pub surface: u16,
    /// The groups it is in, a bit each.
    pub groups: u32,
    /// The groups it touches; 0 for none.
    pub mask: u32,
    /// From this distance on surfaces push it away [m].
    pub margin: f64,
    /// How hard its step is worked at.
    pub limits: IterationLimits,
}

impl MassPointCable {
    /// A cable laid along a line of corners, with so many segments of equal length, unstretched: it cuts corners a little.
    pub fn along(
        name: impl Into<String>,
        corners: &[DVec3],
        segments: usize,
        properties: CableProperties,
    ) -> MassPointCable {
        // a line without length has no points, which is refused when the cable is added
        let points = chords(corners, segments.clamp(1, MOST_POINTS)).unwrap_or_default();
        MassPointCable {
            name: name.into(),
            length: points.windows(2).map(|w| w[0].distance(w[1])).sum(),
            points,
            properties,
            damping: Damping::default(),
            yields: None,
            formed: false,
            attachments: Vec::new(),
            tethers: Vec::new(),
            surface: 0,
            groups: 1,
            mask: u32::MAX,
            // a tenth of the diameter: not seen, and some steps of a slow hand
            margin: 0.1 * properties.diameter,
            limits: IterationLimits::default(),
        }
    }

    /// The same of a section: stiffness, mass and diameter, damping of stretch and bend, and how it yields. It has no twist, does not
    /// break and does not tire.
    pub fn of(
        name: impl Into<String>,
        corners: &[DVec3],
        segments: usize,
        section: &Section,
    ) -> MassPointCable {
        let [stretch, bend, _] = section.damping;
        MassPointCable {
            damping: Damping { stretch, bend, air: 0.0 },
            yields: section.yielding,
            ..MassPointCable::along(name, corners, segments, CableProperties::from(section))
        }
    }

    /// The same with a point held by a body.
    pub fn held(mut self, point: usize, anchor: Anchor) -> MassPointCable {
        self.attachments.push(Attachment { point, anchor });
        self
    }

    /// The same with a point led by a hand.
    pub fn led(mut self, lead: PointTether) -> MassPointCable {
        self.tethers.push(lead);
        self
    }

    /// How many segments it has.
    pub fn segments(&self) -> usize {
        self.points.len().saturating_sub(1)
    }

    /// Natural length of a segment [m].
    pub fn pitch(&self) -> f64 {
        self.length / self.segments() as f64
    }

    /// Mass of a point [kg]: of half a segment to each side.
    pub fn mass(&self, point: usize) -> f64 {
        let sides = usize::from(point > 0) + usize::from(point < self.segments());
        0.5 * sides as f64 * self.properties.mass * self.pitch()
    }

    /// Whether a segment is in a clamp: one body holds both its ends.
    pub fn clamps(&self, segment: usize) -> bool {
        let holder = |point: usize| self.attachments.iter().find(|h| h.point == point).map(|h| h.anchor.body);
        holder(segment).is_some_and(|body| holder(segment + 1) == Some(body))
    }

    /// Stiffness of the torsion spring at an inner point [N·m/rad]: EI over the length that bends there, half a segment to each
    /// side. Beside a clamp that is only one half: with both, a cantilever of 24 segments is 5 % too soft.
    pub fn bending(&self, point: usize) -> f64 {
        let sides = [point - 1, point].iter().filter(|s| !self.clamps(**s)).count();
        if sides == 0 { 0.0 } else { self.properties.bend / (0.5 * sides as f64 * self.pitch()) }
    }

    /// What is wrong with it, if anything.
    pub fn problem(&self) -> Option<String> {
        let count = self.points.len();
        if !(2..=MOST_POINTS).contains(&count) {
            return Some(format!("it has {count} points: give 2 to {MOST_POINTS}"));
        }
        if let Some(k) = self.points.iter().position(|p| !p.abs().cmplt(DVec3::splat(1e10)).all()) {
            return Some(format!("point {k} is at {}: give metres below 1e10", self.points[k]));
        }
        let above = [
            ("its length", self.length),
            ("its stiffness EA", self.properties.stretch),
            ("its mass per metre", self.properties.mass),
            ("its diameter", self.properties.diameter),
            ("its margin", self.margin),
        ];
        if let Some((what, x)) = above.iter().find(|(_, x)| !(*x > 0.0 && x.is_finite())) {
            return Some(format!("{what} is {x}: give a finite number above 0"));
        }
        let least = [
            ("its stiffness EI", self.properties.bend),
            ("its damping of stretching", self.damping.stretch),
            ("its damping of bending", self.damping.bend),
            ("its damping by air", self.damping.air),
        ];
        if let Some((what, x)) = least.iter().find(|(_, x)| !(*x >= 0.0 && x.is_finite())) {
            return Some(format!("{what} is {x}: give a finite number, 0 or more"));
        }
        let pitch = self.pitch();
        let short = |w: &[DVec3]| !(w[0].distance(w[1]) > 1e-6 * pitch);
        if let Some(k) = self.points.windows(2).position(short) {
            return Some(format!("points {k} and {} are at one place: move one", k + 1));
        }
        self.problem_of_parts()
    }

    fn problem_of_parts(&self) -> Option<String> {
        let count = self.points.len();
        let limits = &self.limits;
        if limits.rebuilds == 0
            || limits.iterations == 0
            || !(limits.tolerance > 0.0 && limits.tolerance < 1.0)
        {
            return Some(
                "its limits must be 1 rebuild, 1 iteration and a tolerance of 0 to 1 at least".to_owned(),
            );
        }
        if let Some(y) = self.yields
            && !(y.moment > 0.0 && y.moment.is_finite() && y.hardening >= 0.0 && y.hardening.is_finite())
        {
            let (moment, hardening) = (y.moment, y.hardening);
            return Some(format!(
                "it yields at {moment} N·m with {hardening}: give more than 0, and 0 or more"
            ));
        }
        for (k, hold) in self.attachments.iter().enumerate() {
            if hold.point >= count {
                return Some(format!("point {} is held, but it has only {count}", hold.point));
            }
            if self.attachments[..k].iter().any(|h| h.point == hold.point) {
                return Some(format!("point {} is held twice: leave one out", hold.point));
            }
        }
        self.tethers.iter().find_map(|lead| lead.problem(count))
    }
}
