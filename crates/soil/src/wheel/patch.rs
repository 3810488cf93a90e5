//! A wheel or a track that moves over ground with memory: normal and shear forces for constraint equations.
//!
//! ```text
//! ground, cells at rest          z = sinkage + datum − rise(s)      p(z; z_u, p_u)      σ mirrored behind θ_m
//! contact surface, cells moving  j ← j + slip over the step         τ = τ_m(σ) (τ/τ_m)(|j|) j/|j|
//! N = b ∫(σ + τ tan θ) ds     R = b ∫σ tan θ ds     H = b ∫τ cos θ da     T = b r ∫τ da          s = r sin θ, a = r θ
//! ```
//!
//! Shear displacement belongs to the surface: it passes the contact with max(rω, v), so that steady motion gives the j
//! of the closed forms for driving and for braking. |j| ends at ten moduli; reversed slip unloads from there.
//!
//! A step is [`Patch::advance`], then [`Patch::press`] and [`Patch::shear`] at trial values, which change no memory,
//! then [`Patch::commit`]. s counts in the direction of travel.

use glam::DVec2;

use super::memory::{Memory, Place};
use super::rut::SoftSoil;
use super::strip::Strip;

/// Largest shear displacement, in moduli: within 5e-5 of the strength.
const SATURATED: f64 = 10.0;
/// Points at which pressure is integrated, over all cells. They are closer than cells because a wheel that reloads a
/// rut meets the pressure borne before within a few millimetres.
const POINTS: usize = 96;
/// Excess of the ground's pressure, over that of the tyre, in which the rear edge of its flat part bears in part.
const EDGE: f64 = 0.1;
/// Largest angle of a wheel's arc: sin θ.
const LARGEST_SINE: f64 = 0.95;

/// Shape of the contact surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outline {
    /// A rigid wheel.
    Wheel {
        /// [m]
        radius: f64,
        /// θ_m/θ₁; zero for pressure p(z) on the whole arc, in front and behind.
        peak: f64,
        /// θ₂ [rad]; zero for a wheel that leaves the rut at its lowest point.
        exit: f64,
    },
    /// A tyre that is flat where the ground would bear more than it does, and rigid elsewhere.
    Tire {
        /// [m]
        radius: f64,
        /// Inflation pressure and pressure that the carcass carries [Pa].
        bearable: f64,
    },
    /// A flat piece, half of it ahead.
    Flat {
        /// [m]
        length: f64,
    },
}

impl Outline {
    /// Length of what may touch, along the ground [m].
    pub fn length(&self) -> f64 {
        let (rear, front) = self.interval();
        front - rear
    }

    /// Radius of a wheel or a tyre [m].
    pub fn radius(&self) -> Option<f64> {
        match *self {
            Self::Wheel { radius, .. } | Self::Tire { radius, .. } => Some(radius),
            Self::Flat { .. } => None,
        }
    }

    /// Rear and front end of what may touch, offsets along the ground.
    fn interval(&self) -> (f64, f64) {
        match *self {
            Self::Wheel { radius, exit, .. } => (-radius * libm::sin(exit), LARGEST_SINE * radius),
            Self::Tire { radius, .. } => (-LARGEST_SINE * radius, LARGEST_SINE * radius),
            Self::Flat { length } => (-0.5 * length, 0.5 * length),
        }
    }

    /// The same along the surface.
    fn along_surface(&self) -> (f64, f64) {
        match *self {
            Self::Wheel { radius, exit, .. } => (-radius * exit, radius * libm::asin(LARGEST_SINE)),
            Self::Tire { radius, .. } => {
                let half = radius * libm::asin(LARGEST_SINE);
                (-half, half)
            }
            Self::Flat { .. } => self.interval(),
        }
    }

    /// Height above the lowest point at an offset, and tan θ.
    fn rise(&self, s: f64) -> (f64, f64) {
        match *self {
            Self::Wheel { radius, .. } | Self::Tire { radius, .. } => {
                let s = s.clamp(-LARGEST_SINE * radius, LARGEST_SINE * radius);
                let height = (radius * radius - s * s).sqrt();
                (radius - height, s / height)
            }
            Self::Flat { .. } => (0.0, 0.0),
        }
    }

    /// Offset along the ground of a point of the surface.
    fn along_ground(&self, a: f64) -> f64 {
        match *self {
            Self::Wheel { radius, .. } | Self::Tire { radius, .. } => radius * libm::sin(a / radius),
            Self::Flat { .. } => a,
        }
    }

    /// Lever of the shear stress about the axle, sin θ and cos θ at an offset.
    fn direction(&self, s: f64) -> (f64, f64, f64) {
        match *self {
            Self::Wheel { radius, .. } | Self::Tire { radius, .. } => {
                let sin = s / radius;
                (radius, sin, (1.0 - sin * sin).max(0.0).sqrt())
            }
            Self::Flat { .. } => (0.0, 0.0, 1.0),
        }
    }
}

/// Normal forces at a sinkage.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Normal {
    /// The sinkage of the lowest point below the reference level [m].
    pub sinkage: f64,
    /// Vertical force of the pressure [N].
    pub load: f64,
    /// Resistance R of the pressure [N].
    pub resistance: f64,
    /// Slopes of the load while sinking and while rising [N/m].
    pub slopes: (f64, f64),
    /// Area in contact, along the ground [m²].
    pub area: f64,
    /// Moment of the pressure about the middle, ∫ σ s dA [N·m].
    pub moment: f64,
    /// Entry angle θ₁ of a wheel [rad].
    pub entry: f64,
}

/// Shear forces at a slip.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shear {
    /// Along and across, on the machine [N].
    pub force: DVec2,
    /// Vertical part [N].
    pub lift: f64,
    /// About the axle of a wheel [N·m].
    pub torque: f64,
    /// About the vertical axis through the middle [N·m].
    pub yaw: f64,
    /// Bound of the force, ∫ τ_m dA [N].
    pub limit: f64,
    /// Secant stiffness ∫ τ/|j| dA [N/m].
    pub stiffness: f64,
}

/// Contact of a wheel or a piece of track.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patch {
    /// Shape of its surface.
    pub outline: Outline,
    /// Width b [m].
    pub width: f64,
    /// Number of cells along it. A wheel that reloads ruts needs cells of at most a twenty-fifth of its radius: within
    /// a cell, ground that was borne before and ground pressed now cannot be distinguished. Cells may be finer than the
    /// nodes of the ground they come from.
    pub cells: usize,
}

impl Patch {
    /// Distance between cells [m].
    pub fn spacing(&self) -> f64 {
        self.outline.length() / self.cells.max(1) as f64
    }

    /// A memory without ground.
    pub fn memory(&self) -> Memory {
        Memory { ground: Strip::new(self.spacing()), surface: Strip::new(self.spacing()) }
    }

    /// Moves the contact to a position along its path while the surface runs `travel` under it: max(rω, v) times the
    /// step. Ground enters and leaves with the number of its cell, which lies at that number times the spacing.
    pub fn advance(
        &self,
        memory: &mut Memory,
        position: f64,
        travel: f64,
        (enter, leave): (impl FnMut(i64) -> Place, impl FnMut(i64, &Place)),
    ) {
        memory.ground.move_to(position, self.outline.interval(), enter, leave);
        let surface = memory.surface.origin() + travel;
        memory.surface.move_to(surface, self.outline.along_surface(), |_| DVec2::ZERO, |_, _| {});
    }

    /// Normal forces with the lowest point at a sinkage below the reference level.
    pub fn press(&self, memory: &Memory, soil: &SoftSoil, sinkage: f64) -> Normal {
        let entry = self.entry_angle(memory, soil, sinkage);
        let contact = self.contact(&memory.ground, soil, (sinkage, entry));
        let mut normal = Normal { sinkage, entry, ..Normal::default() };
        let parts = POINTS.div_ceil(self.cells.max(1));
        for (offset, _) in memory.ground.iter() {
            let (length, middle) = memory.ground.covered(offset, self.outline.interval());
            let area = length * self.width / parts as f64;
            for k in 0..parts {
                let s = middle + length * ((k as f64 + 0.5) / parts as f64 - 0.5);
                if area > 0.0 {
                    contact.add(s, area, &mut normal);
                }
            }
        }
        if let Outline::Tire { .. } = self.outline {
            // the flat part grows behind as it does ahead, where the slopes of the round part say so
            let growth = if contact.stress(0.0) < contact.bearable() { 1.0 } else { 2.0 };
            normal.slopes = (growth * normal.slopes.0, growth * normal.slopes.1);
        }
        normal
    }

    /// θ₁, where the wheel meets the surface ahead of the foremost cell that it touches: those that it has pressed are
    /// lower.
    fn entry_angle(&self, memory: &Memory, soil: &SoftSoil, sinkage: f64) -> f64 {
        let Some(radius) = self.outline.radius() else { return 0.0 };
        let mut ahead = None;
        let mut touched = None;
        for (s, place) in memory.ground.iter() {
            let below = sinkage + place.datum - soil.surface(&place.rut);
            let rise = self.outline.rise(s).0;
            if below > rise {
                (ahead, touched) = (Some(below), Some(rise));
            } else if let Some(rise) = touched.take() {
                ahead = Some(below.max(rise));
            }
        }
        ahead.map_or(0.0, |below| libm::acos(1.0 - below.clamp(0.0, radius) / radius))
    }

    /// Shear forces with the pressure of [`Patch::press`] after a trial slip over the step.
    pub fn shear(
        &self,
        memory: &Memory,
        soil: &SoftSoil,
        normal: &Normal,
        slip: &Slippage<impl Fn(f64) -> DVec2>,
    ) -> Shear {
        let contact = self.contact(&memory.ground, soil, (normal.sinkage, normal.entry));
        let mut shear = Shear::default();
        for (offset, _) in memory.surface.iter() {
            let (length, a) = memory.surface.covered(offset, self.outline.along_surface());
            let s = self.outline.along_ground(a);
            let limit = soil.shear_limit(contact.stress(s)) * length * self.width;
            if !(limit > 0.0) {
                continue;
            }
            let before = memory.surface.around(a).map_or(DVec2::ZERO, |(a, b, part)| a.lerp(*b, part));
            let j = before + (slip.over_step)(s) * contact.part_of_step(a, slip.travel);
            let stiffness = limit * soil.shear.secant(j.length());
            let (radius, sin, cos) = self.outline.direction(s);
            shear.limit += limit;
            shear.stiffness += stiffness;
            shear.add(stiffness * j, (radius, sin, cos), s);
        }
        shear
    }

    fn contact<'a>(
        &self,
        ground: &'a Strip<Place>,
        soil: &'a SoftSoil,
        (sinkage, entry): (f64, f64),
    ) -> Contact<'a> {
        Contact { outline: self.outline, ground, soil, sinkage, entry }
    }

    /// Ends a step with the pressure of [`Patch::press`] and a slip: the ground remembers its deepest press, the
    /// surface its shear displacement where it has pressure.
    pub fn commit(
        &self,
        memory: &mut Memory,
        soil: &SoftSoil,
        normal: &Normal,
        slip: &Slippage<impl Fn(f64) -> DVec2>,
    ) {
        let most = SATURATED * soil.shear.scale();
        let Memory { ground, surface } = memory;
        let contact = self.contact(ground, soil, (normal.sinkage, normal.entry));
        for (a, j) in surface.iter_mut() {
            let (s, part) = (self.outline.along_ground(a), contact.part_of_step(a, slip.travel));
            let touches = part > 0.0 && contact.stress(s) > 0.0;
            *j = if touches { (*j + (slip.over_step)(s) * part).clamp_length_max(most) } else { DVec2::ZERO };
        }
        let (rear, front) = self.outline.interval();
        for (s, place) in ground.iter_mut().filter(|&(s, _)| s >= rear && s <= front) {
            let mut sinkage = normal.sinkage + place.datum - self.outline.rise(s).0;
            if let Outline::Tire { bearable, .. } = self.outline {
                sinkage = sinkage.min(soil.sinkage(bearable, &place.rut));
            }
            place.rut = soil.pressed(sinkage, &place.rut);
        }
    }
}

/// Slip of the surface over a step.
#[derive(Clone, Copy, Debug)]
pub struct Slippage<F> {
    /// How far the surface ran, as for [`Patch::advance`] [m].
    pub travel: f64,
    /// Minus the displacement of the surface against the ground at an offset: (rω − v cos θ, −v_y) times the step. The
    /// force on the machine has its direction.
    pub over_step: F,
}

impl Shear {
    fn add(&mut self, force: DVec2, (radius, sin, cos): (f64, f64, f64), s: f64) {
        self.force += DVec2::new(force.x * cos, force.y);
        self.lift += force.x * sin;
        self.torque += force.x * radius;
        self.yaw += force.y * s;
    }
}

/// A contact at a sinkage.
struct Contact<'a> {
    outline: Outline,
    ground: &'a Strip<Place>,
    soil: &'a SoftSoil,
    sinkage: f64,
    entry: f64,
}

impl Contact<'_> {
    fn add(&self, s: f64, area: f64, normal: &mut Normal) {
        let (sinkage, place) = self.below(self.mirrored(s));
        let ground = self.soil.pressure(sinkage, &place.rut);
        let stress = self.of_tire(s, ground);
        if !(stress > 0.0) {
            return;
        }
        let is_flat = ground >= self.bearable();
        let slopes = if is_flat { (0.0, 0.0) } else { self.soil.slopes(sinkage, ground, &place.rut) };
        normal.load += stress * area;
        normal.resistance += if is_flat { 0.0 } else { stress * area * self.outline.rise(s).1 };
        normal.slopes.0 += slopes.0 * area;
        normal.slopes.1 += slopes.1 * area;
        normal.area += area;
        normal.moment += stress * area * s;
    }

    /// Normal stress at an offset.
    fn stress(&self, s: f64) -> f64 {
        let (sinkage, place) = self.below(self.mirrored(s));
        self.of_tire(s, self.soil.pressure(sinkage, &place.rut))
    }

    /// Greatest pressure of a tyre [Pa].
    fn bearable(&self) -> f64 {
        if let Outline::Tire { bearable, .. } = self.outline { bearable } else { f64::INFINITY }
    }

    /// The pressure that a tyre passes on of that of the ground under a rigid wheel: behind its lowest point it presses
    /// where it is flat.
    fn of_tire(&self, s: f64, ground: f64) -> f64 {
        let Outline::Tire { bearable, .. } = self.outline else { return ground };
        if s >= 0.0 {
            return ground.min(bearable);
        }
        bearable * ((ground / bearable - 1.0) / EDGE).clamp(0.0, 1.0)
    }

    /// The offset on the front arc whose pressure acts at an offset: another one behind the peak of a wheel.
    fn mirrored(&self, s: f64) -> f64 {
        let Outline::Wheel { radius, peak, exit } = self.outline else { return s };
        let top = peak * self.entry;
        if !(peak > 0.0 && peak < 1.0 && self.entry > 0.0) || s >= radius * top {
            return s;
        }
        let theta = libm::asin((s / radius).max(-1.0));
        if theta >= top {
            return s;
        }
        radius * libm::sin(self.entry - (theta + exit) / (top + exit) * (self.entry - top))
    }

    /// Sinkage of the outline into the ground at an offset, and the ground there, between the middles of cells.
    fn below(&self, s: f64) -> (f64, Place) {
        let place = self.ground.around(s).map_or_else(Place::default, |(a, b, part)| a.lerp(b, part));
        (self.sinkage + place.datum - self.outline.rise(s).0, place)
    }

    /// Part of the step in which a point of the surface was in contact: less than one if it entered in this step.
    fn part_of_step(&self, a: f64, travel: f64) -> f64 {
        let front = match self.outline {
            Outline::Wheel { radius, .. } | Outline::Tire { radius, .. } => radius * self.entry,
            Outline::Flat { length } => 0.5 * length,
        };
        if travel > front - a { ((front - a) / travel).max(0.0) } else { 1.0 }
    }
}
