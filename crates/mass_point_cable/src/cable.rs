//! Model of a mass-point cable: points, properties, attachments and tethers.

use crate::tether::PointTether;
use glam::DVec3;
use windlass_engine::body::frame::Anchor;
use windlass_engine::math::chords;
use windlass_engine::section::{Section, Yield};
use windlass_engine::slots::Id;

/// Identifies a cable for as long as it exists.
pub type MassPointCableId = Id<MassPointCable>;

/// Maximum number of points: at 60 Hz a cable of a thousand is slow already.
pub const MOST_POINTS: usize = 20_000;

/// Mechanical properties of a cable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CableProperties {
    /// Axial stiffness EA [N].
    pub stretch: f64,
    /// Bending stiffness EI [N·m²]; 0 for a chain.
    pub bend: f64,
    /// Mass per length [kg/m].
    pub mass: f64,
    /// Diameter [m].
    pub diameter: f64,
}

impl From<&Section> for CableProperties {
    fn from(s: &Section) -> CableProperties {
        CableProperties { stretch: s.stretch, bend: s.bend, mass: s.mass_per_length, diameter: s.diameter }
    }
}

/// Damping of a cable.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Damping {
    /// Axial damping, as the time τ in c = τ k [s].
    pub stretch: f64,
    /// Bending damping, the same [s].
    pub bend: f64,
    /// Air damping: force per speed and length [N·s/m²].
    pub air: f64,
}

/// Iteration limits of the step of a cable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IterationLimits {
    /// Maximum number of times the system is built per step; fewer if the points converge.
    pub rebuilds: u32,
    /// Conjugate gradient iterations for each.
    pub iterations: u32,
    /// Convergence: points move by less than this fraction of a segment.
    pub tolerance: f64,
}

impl Default for IterationLimits {
    fn default() -> IterationLimits {
        // 10 as in Loock and Schömer's table; most steps need 2 to 4
        IterationLimits { rebuilds: 10, iterations: 20, tolerance: 1e-9 }
    }
}

/// A point attached to a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attachment {
    /// Index of the point.
    pub point: usize,
    /// The point of the body; the orientation of the anchor is ignored.
    pub anchor: Anchor,
}

/// A cable.
#[derive(Clone, Debug, PartialEq)]
pub struct MassPointCable {
    /// Its name.
    pub name: String,
    /// Initial positions of its points [m]; two or more.
    pub points: Vec<DVec3>,
    /// Its natural length [m], divided equally among the segments.
    pub length: f64,
    /// Its mechanical properties.
    pub properties: CableProperties,
    /// Its damping.
    pub damping: Damping,
    /// Plastic bending law, if any.
    pub yields: Option<Yield>,
    /// Whether its initial bends are stress-free; otherwise it is naturally straight.
    pub formed: bool,
    /// The points attached to bodies. Two neighbours attached to one body are a clamp: the segment between them is
    /// rigid.
    pub attachments: Vec<Attachment>,
    /// The points pulled by tethers.
    pub tethers: Vec<PointTether>,
    /// Its surface: index in the table of surfaces.
    pub surface: u16,
    /// The collision groups it is in, one bit each.
    pub groups: u32,
    /// The collision groups it collides with; 0 for none.
    pub mask: u32,
    /// Distance below which surfaces repel it [m].
    pub margin: f64,
    /// Its iteration limits.
    pub limits: IterationLimits,
}

impl MassPointCable {
    /// A cable along a polyline, with a number of segments of equal length, unstretched: it cuts corners slightly.
    pub fn along(
        name: impl Into<String>,
        corners: &[DVec3],
        segments: usize,
        properties: CableProperties,
    ) -> MassPointCable {
        // a polyline without length has no points, which is rejected when the cable is added
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
            // a tenth of the diameter: invisible, and several steps of a slow hand
            margin: 0.1 * properties.diameter,
            limits: IterationLimits::default(),
        }
    }

    /// The same from a section: stiffness, mass and diameter, axial and bending damping, and yielding. Twist, breaking
    /// and fatigue are not modelled.
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

    /// The same with a point attached to a body.
    pub fn held(mut self, point: usize, anchor: Anchor) -> MassPointCable {
        self.attachments.push(Attachment { point, anchor });
        self
    }

    /// The same with a point pulled by a tether.
    pub fn led(mut self, lead: PointTether) -> MassPointCable {
        self.tethers.push(lead);
        self
    }

    /// Number of segments.
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

    /// Whether a segment is clamped: both its ends are attached to one body.
    pub fn clamps(&self, segment: usize) -> bool {
        let holder = |point: usize| self.attachments.iter().find(|h| h.point == point).map(|h| h.anchor.body);
        holder(segment).is_some_and(|body| holder(segment + 1) == Some(body))
    }

    /// Stiffness of the torsion spring at an inner point [N·m/rad]: EI over the length that bends there, half a segment
    /// to each side. Next to a clamp only one half bends: with both, a cantilever of 24 segments is 5 % too soft.
    pub fn bending(&self, point: usize) -> f64 {
        let sides = [point - 1, point].iter().filter(|s| !self.clamps(**s)).count();
        if sides == 0 { 0.0 } else { self.properties.bend / (0.5 * sides as f64 * self.pitch()) }
    }

    /// Describes an invalid parameter, if any.
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
            ("its mass per length", self.properties.mass),
            ("its diameter", self.properties.diameter),
            ("its margin", self.margin),
        ];
        if let Some((what, x)) = above.iter().find(|(_, x)| !(*x > 0.0 && x.is_finite())) {
            return Some(format!("{what} is {x}: give a finite number above 0"));
        }
        let least = [
            ("its stiffness EI", self.properties.bend),
            ("its axial damping", self.damping.stretch),
            ("its bending damping", self.damping.bend),
            ("its air damping", self.damping.air),
        ];
        if let Some((what, x)) = least.iter().find(|(_, x)| !(*x >= 0.0 && x.is_finite())) {
            return Some(format!("{what} is {x}: give a finite number, 0 or more"));
        }
        let pitch = self.pitch();
        let short = |w: &[DVec3]| !(w[0].distance(w[1]) > 1e-6 * pitch);
        if let Some(k) = self.points.windows(2).position(short) {
            return Some(format!("points {k} and {} coincide: move one", k + 1));
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
                "its limits must be at least 1 rebuild and 1 iteration, and a tolerance of 0 to 1".to_owned(),
            );
        }
        if let Some(y) = self.yields
            && !(y.moment > 0.0 && y.moment.is_finite() && y.hardening >= 0.0 && y.hardening.is_finite())
        {
            let (moment, hardening) = (y.moment, y.hardening);
            return Some(format!(
                "it yields at {moment} N·m with a hardening of {hardening}: give more than 0, and 0 or more"
            ));
        }
        for (k, hold) in self.attachments.iter().enumerate() {
            if hold.point >= count {
                return Some(format!("point {} is attached, but it has only {count} points", hold.point));
            }
            if self.attachments[..k].iter().any(|h| h.point == hold.point) {
                return Some(format!("point {} is attached twice: remove one attachment", hold.point));
            }
        }
        self.tethers.iter().find_map(|lead| lead.problem(count))
    }
}
