//! Rows of a crawler track: each element of its belt presses on the ground and shears it.
//!
//! ```text
//! normal    N = A (p + p′ h ż) on soil, with p′ of virgin ground or of unloading;  N = A k δ on hard ground; one-sided
//! along     v_s = s − x·(v_f − v_r)                 across   v_s = −y·(v_f − v_r)            F = L q⁺
//!           q̇ = (w − q |w|)/K,  w = v_s L/min L     q⁺ = E q + (1 − E)/|w| w⁺,  E = e^(−h|w|/K)
//! soil      L = A (c + p tan φ),  K of the soil     hard     L = N (μ_x, μ_y),  K = GRIP
//! soil      x·v_f = 0,  |λ| ≤ R = b ∫ p dz          resistance of soil that the leading end presses down
//! running gear   a·(ω_s − ω_f) = 0,  |λ| ≤ f N R_s
//! ```
//!
//! s is the speed of the belt. q is the shear stress over the strength; where slip goes on in one direction, q = 1 − e^(−j/K)
//! after Janosi and Hanamoto, and where it turns, the stress falls steeply, so that nothing is stored. The secant (1 − E)/|w| is
//! that of the slip at the start of the step: exact in steady motion, and a damper for any step length. q stays with the element,
//! which runs to the rear with the belt; the moment of resistance of a turn follows from it.
//!
//! The force of the ground on the belt acts on the frame at its point and on the sprocket about its axle.

use super::model::GroundModel;
use super::presses::Footing;
use super::sinkage_law;
use super::track_model::TrackModel;
use super::track_state::{Element, TRACK_ROWS, TrackState, covered};
use crate::ground::{Ground, Layer, Soil};
use crate::wheel::sinkage::FIRST_SLOPE;
use crate::wheel::{Footprint, ShearLaw, SinkageCurve, SoftSoil, Strength, Unloading};
use glam::{DVec2, DVec3};
use windlass_engine::prelude::{
    Anchor, BodyState, Frame, JacobianBlock, Role, Row, RowLaw, SolvedRows, SubsystemRows, View,
};

/// Slip at which the friction of steel shoes or rubber pads on hard ground has grown to 63 % [m].
const GRIP: f64 = 1e-3;
/// Stiffness of soil without a pressure–sinkage relation, which does not sink visibly: 1 mm at 50 kPa [Pa/m].
const FIRM: f64 = 5e7;
/// Friction of shoes on rock, of typical size.
const ROCK: f64 = 0.6;
/// Acceleration with which an element may approach the ground within a step: that of gravity [m/s²].
const FALL: f64 = 10.0;
/// Excess of the pressure at the start of a step over that of the last one, from which on an element rises.
const OVERLOADED: f64 = 1e-3;
/// Pressures below this are none [Pa].
const NOTHING: f64 = 1.0;
/// Least bound of a sliding element in one direction, over its strength: its force can turn.
const LEAST_BOUND: f64 = 0.3;
/// Least strength of a direction over that of the other, in the law of shear.
const WEAKEST: f64 = 1e-2;
/// Rate at the bound of the resistance [m/s].
const CREEP: f64 = 2e-5;
/// Places over the width of the belt at which pressure is taken, over the width.
const ACROSS: [f64; 3] = [-1.0 / 3.0, 0.0, 1.0 / 3.0];
/// Least speed with which slip is a ratio [m/s].
const SLOW: f64 = 1e-3;

/// What an element stands on, at the start of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Support {
    /// A ground, by number.
    Soil(usize),
    /// A hard surface of a body, by index.
    Road(u32),
}

/// An element in contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touching {
    /// Its place in the belt.
    place: usize,
    /// Numbers of its rows: normal, along, across.
    rows: [usize; 3],
    area: f64,
    /// L: strengths along and across [N].
    strength: DVec2,
    axes: [DVec3; 2],
    normal: DVec3,
}

/// Where an element is, in the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct BeltPoint {
    pub point: DVec3,
    pub along: DVec3,
    pub left: DVec3,
    pub normal: DVec3,
    pub length: f64,
}

/// The soil below an element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bed {
    pub soil: SoftSoil,
    /// Mean pressure [Pa], and its slopes while sinking and while rising [Pa/m].
    pressure: f64,
    slopes: [f64; 2],
    /// Sinkage into the original surface, and distance from the present one [m].
    pub sinkage: f64,
    gap: f64,
    /// Offset of the pressure to the left [m].
    offset: f64,
}

/// The rows of a track in a step.
#[derive(Debug, Default)]
pub(super) struct TrackWork {
    touching: Vec<Touching>,
    /// Numbers of the rows of the track as a whole.
    whole: [Option<usize>; TRACK_ROWS],
    ahead: DVec3,
    sinkage: f64,
}

/// The place of an element with its middle at a distance along the line.
pub(super) fn spot(track: &TrackModel, frame: &Frame, (length, middle): (f64, f64)) -> BeltPoint {
    let (point, direction) = track.at(middle);
    let along = frame.orientation * direction;
    let left = frame.orientation * track.axle;
    let left = (left - along * along.dot(left)).normalize_or_zero();
    BeltPoint { point: frame.at + frame.orientation * point, along, left, normal: along.cross(left), length }
}

/// A soil under a track.
fn soft(soil: &Soil, layer: &Layer, gravity: f64, track: &TrackModel) -> SoftSoil {
    let footprint = Footprint::rectangle(track.width, track.length());
    let strength = soil.strength(layer.void_ratio, 0.0, layer.remoulded);
    let law = sinkage_law::law(soil, gravity);
    SoftSoil {
        curve: law.map_or(SinkageCurve::Quadratic { linear: FIRM, quadratic: 0.0 }, |law| law.on(footprint)),
        unloading: sinkage_law::unloading(soil),
        strength: Strength::new(strength.cohesion, strength.friction),
        contact: None,
        shear: ShearLaw::Exponential { modulus: soil.shear_displacement },
    }
}

/// Rock below the layers of a ground.
fn rock() -> SoftSoil {
    SoftSoil {
        curve: SinkageCurve::Quadratic { linear: FIRM, quadratic: 0.0 },
        unloading: Unloading::default(),
        strength: Strength { cohesion: 0.0, tan_friction: ROCK },
        contact: None,
        shear: ShearLaw::Exponential { modulus: GRIP },
    }
}

/// The ground below a place, if any.
pub(super) fn bed(track: &TrackModel, footing: &Footing<'_>, spot: &BeltPoint) -> Option<Bed> {
    let terrain = footing.ground.terrain;
    let node = terrain.nearest(spot.point.x, spot.point.y)?;
    let soil = match footing.ground.top(node) {
        Some(layer) => soft(terrain.soil(&layer), &layer, terrain.spec().gravity, track),
        None => rock(),
    };
    let up = spot.normal.z;
    let mut bed =
        Bed { soil, pressure: 0.0, slopes: [0.0; 2], sinkage: 0.0, gap: f64::INFINITY, offset: 0.0 };
    let share = 1.0 / ACROSS.len() as f64;
    for part in ACROSS {
        let at = spot.point + spot.left * (part * track.width);
        let Some(place) = footing.at(at.x, at.y) else { continue };
        let sinkage = place.datum - at.z;
        let pressure = soil.pressure(sinkage, &place.rut);
        bed.sinkage = bed.sinkage.max(sinkage);
        bed.gap = bed.gap.min((soil.surface(&place.rut) - sinkage) * up);
        if pressure > 0.0 {
            let slopes = soil.slopes(sinkage, pressure, &place.rut);
            bed.pressure += share * pressure;
            bed.slopes[0] += share * slopes.0;
            bed.slopes[1] += share * slopes.1;
            bed.offset += share * pressure * part * track.width;
        }
    }
    bed.offset = if bed.pressure > 0.0 { bed.offset / bed.pressure } else { 0.0 };
    if bed.pressure <= 0.0 {
        bed.slopes = [soil.curve.slope(FIRST_SLOPE); 2];
    }
    (up > 0.0 && bed.gap.is_finite()).then_some(bed)
}

impl TrackWork {
    /// Writes the rows of a track at the start of a step. `footing` are the grounds with their ruts.
    pub fn write<'g>(
        &mut self,
        track: &TrackModel,
        view: &View<'_>,
        footing: impl Fn(usize) -> Option<Footing<'g>> + Copy,
        state: &TrackState,
        out: &mut SubsystemRows<'_>,
    ) {
        self.touching.clear();
        self.whole = [None; TRACK_ROWS];
        self.sinkage = 0.0;
        let [frame, sprocket] =
            [track.frame, track.sprocket].map(|id| view.bodies.frame(&Anchor::point(id, DVec3::ZERO)));
        let axle = frame.orientation * track.axle.normalize();
        let drive = Drive { axle, radius: track.radius, frame, sprocket };
        let speed = drive.speed(view);
        self.ahead = frame.orientation * track.ahead();
        let (spacing, line) = (state.belt.spacing(), track.length());
        let mut load = 0.0;
        for (place, (offset, element)) in state.belt.iter().enumerate() {
            let (length, middle) = covered(spacing, offset, line);
            if length <= 1e-9 * spacing {
                continue;
            }
            load += element.pressure * length * track.width;
            let mut spot = spot(track, &frame, (length, middle));
            let found = support(track, footing, element, &spot);
            let Some((support, bed)) = found else { continue };
            let area = length * track.width;
            let road = match (support, element.road) {
                (Support::Road(body), Some(road)) => {
                    spot.normal = road.normal;
                    spot.along = (spot.along - road.normal * spot.along.dot(road.normal)).normalize_or_zero();
                    spot.left = road.normal.cross(spot.along);
                    view.bodies
                        .list
                        .id(body as usize)
                        .map(|id| view.bodies.frame(&Anchor::point(id, DVec3::ZERO)))
                }
                _ => None,
            };
            let contact = Contact { spot, road, drive: &drive, view };
            let closing = -spot.normal.dot(contact.velocity());
            // normal: a spring with the slope of the pressure
            let (pressure, slopes, gap) = match (&bed, element.road) {
                (Some(bed), _) => {
                    let slopes = bed.slopes.map(|slope| slope / spot.normal.z.max(0.1));
                    let gap = if bed.pressure > 0.0 { -bed.pressure / slopes[0] } else { bed.gap.max(0.0) };
                    (bed.pressure, slopes, gap)
                }
                (None, Some(road)) => {
                    ((-track.stiffness * road.gap).max(0.0), [track.stiffness; 2], road.gap)
                }
                (None, None) => continue,
            };
            if gap > view.dt * (2.0 * closing.max(0.0) + view.dt * FALL) {
                continue;
            }
            if let Some(bed) = &bed {
                self.sinkage = self.sinkage.max(bed.sinkage);
            }
            let center = spot.point + spot.left * bed.as_ref().map_or(0.0, |bed| bed.offset);
            let push = contact.push(center, spot.normal);
            // ground that bears more than it has to lets the element rise
            let rises = match element.pressure {
                before if before > NOTHING => pressure > (1.0 + OVERLOADED) * before,
                _ => closing < 0.0,
            };
            let slope = slopes[usize::from(rises)];
            let gap = if pressure > 0.0 { -pressure / slope } else { gap };
            // an implicit spring that stores nothing: the element leaves with what it has pressed down
            let law = RowLaw::Velocity { loss: 1.0 / (view.dt * slope * area) };
            let row = Row { speed: -gap / view.dt, law, role: Role::Medium, ..Row::push(0.0) };
            let first = out.push(row, push.blocks(), element.modes[0]);
            // the pressure of the last step, where there was one
            let pressure = if element.pressure > NOTHING { element.pressure } else { pressure };
            let bearing = Bearing { track, bed: bed.as_ref(), force: area * pressure, area };
            let (shear, strength) = contact.shear(element, &bearing, speed, out);
            let axes = [spot.along, spot.left];
            let rows = [first, shear[0], shear[1]];
            self.touching.push(Touching { place, rows, area, strength, axes, normal: spot.normal });
        }
        self.resist(track, (view, &drive), footing, state, out);
        let bound = track.rolling_resistance * load * track.radius;
        if bound > 0.0 {
            let row = Row { role: Role::Friction, ..Row::drive(0.0, bound) };
            let blocks = [sprocket.spin(axle), frame.spin(-axle)];
            self.whole[1] = Some(out.push(row, &blocks, state.modes[1]));
        }
    }

    /// The resistance of the soil that the leading end of the line presses down.
    fn resist<'g>(
        &mut self,
        track: &TrackModel,
        (view, drive): (&View<'_>, &Drive),
        footing: impl Fn(usize) -> Option<Footing<'g>>,
        state: &TrackState,
        out: &mut SubsystemRows<'_>,
    ) {
        let body = view.bodies.body(track.frame);
        let along = DVec3::new(self.ahead.x, self.ahead.y, 0.0).normalize_or_zero();
        let forwards = along.dot(body.velocity) >= 0.0;
        let line = track.length();
        let (end, beyond) = if forwards { (line, 1.0) } else { (0.0, -1.0) };
        let leading = spot(track, &drive.frame, (0.0, end));
        let touches = |(offset, element): (f64, &Element)| {
            let near = (offset - end).abs() <= 1.5 * track.spacing();
            near && element.pressure > NOTHING && element.road.is_none()
        };
        if !state.belt.iter().any(touches) {
            return;
        }
        let found = (0..).map_while(&footing).find_map(|footing| {
            let bed = bed(track, &footing, &leading)?;
            // beyond the nodes that the belt has pressed already
            let away = track.spacing().max(1.5 * footing.ground.terrain.spacing());
            let outside = leading.point + self.ahead * (beyond * away);
            let place = footing.at(outside.x, outside.y)?;
            let work = bed.soil.curve.work(bed.sinkage) - bed.soil.curve.work(place.rut.depth);
            Some(track.width * work.max(0.0))
        });
        if let Some(bound) = found.filter(|bound| *bound > 0.0) {
            let law = RowLaw::Velocity { loss: CREEP / bound };
            let row = Row { lo: -bound, hi: bound, law, role: Role::Medium, ..Row::hold(0.0) };
            let blocks = [drive.frame.push_at(leading.point, along)];
            self.whole[0] = Some(out.push(row, &blocks, state.modes[0]));
        }
    }

    /// Stores what the solved rows say.
    pub fn remember(
        &self,
        track: &TrackModel,
        solved: &SolvedRows<'_>,
        speeds: [f64; 2],
        state: &mut TrackState,
    ) {
        let [speed, ground_speed] = speeds;
        let reading = &mut state.reading;
        *reading = Default::default();
        let mut touching = self.touching.iter().peekable();
        for (place, (_, element)) in state.belt.iter_mut().enumerate() {
            let Some(own) = touching.next_if(|own| own.place == place) else {
                *element = Element {
                    length: element.length,
                    fresh: element.fresh,
                    road: element.road,
                    ..Element::default()
                };
                continue;
            };
            let normal = solved.force(own.rows[0]);
            let shear = DVec2::new(solved.force(own.rows[1]), solved.force(own.rows[2]));
            element.pressure = normal / own.area;
            for k in 0..2 {
                let strength = own.strength[k];
                element.grip[k] = if strength > 0.0 { shear[k] / strength } else { 0.0 };
            }
            element.grip = element.grip.clamp_length_max(1.0);
            if normal <= 0.0 {
                element.grip = DVec2::ZERO;
            }
            element.modes = own.rows.map(|row| solved.mode(row));
            let force = own.axes[0] * shear.x + own.axes[1] * shear.y;
            reading.thrust += force.dot(self.ahead);
            reading.load += normal * own.normal.z;
            reading.resistance -= normal * own.normal.dot(self.ahead);
        }
        for (mode, row) in state.modes.iter_mut().zip(self.whole) {
            *mode = row.map(|row| solved.mode(row)).unwrap_or_default();
        }
        if let Some(row) = self.whole[0] {
            let ahead = DVec3::new(self.ahead.x, self.ahead.y, 0.0).normalize_or_zero();
            reading.resistance -= solved.force(row) * ahead.dot(self.ahead);
        }
        reading.speed = speed;
        let larger = speed.abs().max(ground_speed.abs());
        reading.slip =
            if larger > SLOW && !self.touching.is_empty() { (speed - ground_speed) / larger } else { 0.0 };
        reading.sinkage = self.sinkage;
        debug_assert!(touching.peek().is_none(), "elements of {}", track.name);
    }
}

/// What an element stands on, if anything is near: the higher of ground and hard surface.
fn support<'a>(
    track: &TrackModel,
    footing: impl Fn(usize) -> Option<Footing<'a>>,
    element: &Element,
    spot: &BeltPoint,
) -> Option<(Support, Option<Bed>)> {
    let grounds = (0..).map_while(&footing).enumerate();
    let soil = grounds.filter_map(|(k, footing)| Some((k, bed(track, &footing, spot)?)));
    let soil = soil.min_by(|a, b| a.1.gap.total_cmp(&b.1.gap));
    match (soil, element.road) {
        (Some((ground, bed)), Some(road)) if bed.gap < road.gap => Some((Support::Soil(ground), Some(bed))),
        (_, Some(road)) => Some((Support::Road(road.body), None)),
        (Some((ground, bed)), None) => Some((Support::Soil(ground), Some(bed))),
        (None, None) => None,
    }
}

/// The drive of a belt at the start of a step.
pub(super) struct Drive {
    axle: DVec3,
    radius: f64,
    frame: Frame,
    sprocket: Frame,
}

impl Drive {
    fn speed(&self, view: &View<'_>) -> f64 {
        let spin = |frame: &Frame| view.bodies.states[frame.body as usize].angular_velocity;
        self.radius * self.axle.dot(spin(&self.sprocket) - spin(&self.frame))
    }
}

/// Up to three blocks.
struct Blocks([JacobianBlock; 3], usize);

impl Blocks {
    fn blocks(&self) -> &[JacobianBlock] {
        &self.0[..self.1]
    }
}

/// What an element bears on.
struct Bearing<'a> {
    track: &'a TrackModel,
    /// The soil; none on hard ground.
    bed: Option<&'a Bed>,
    force: f64,
    area: f64,
}

/// An element that may touch.
struct Contact<'a> {
    spot: BeltPoint,
    /// The body of a hard surface.
    road: Option<Frame>,
    drive: &'a Drive,
    view: &'a View<'a>,
}

impl Contact<'_> {
    /// Velocity of the frame at its point against the ground.
    fn velocity(&self) -> DVec3 {
        let at = |frame: &Frame| {
            let s: &BodyState = &self.view.bodies.states[frame.body as usize];
            s.velocity + s.angular_velocity.cross(self.spot.point - s.position)
        };
        at(&self.drive.frame) - self.road.as_ref().map_or(DVec3::ZERO, at)
    }

    /// Slip velocity of the belt, along and across.
    fn slip(&self, speed: f64) -> DVec2 {
        let v = self.velocity();
        DVec2::new(speed - v.dot(self.spot.along), -v.dot(self.spot.left))
    }

    /// A unit force on the frame, and its reaction.
    fn push(&self, point: DVec3, axis: DVec3) -> Blocks {
        let own = self.drive.frame.push_at(point, axis);
        match &self.road {
            Some(road) => Blocks([own, road.push_at(point, -axis), own], 2),
            None => Blocks([own; 3], 1),
        }
    }

    /// A unit force ahead on the belt: on the frame at its point, and about the axle between frame and sprocket.
    fn drive_along(&self) -> Blocks {
        let Drive { axle, radius, frame, sprocket } = self.drive;
        let (point, axis) = (self.spot.point, self.spot.along);
        let mut own = frame.push_at(point, axis);
        own.angular += *axle * *radius;
        let turn = sprocket.spin(-*axle * *radius);
        match &self.road {
            Some(road) => Blocks([own, turn, road.push_at(point, -axis)], 3),
            None => Blocks([own, turn, own], 2),
        }
    }

    /// Writes its rows along and across; returns their numbers and strengths.
    fn shear(
        &self,
        element: &Element,
        bearing: &Bearing<'_>,
        speed: f64,
        out: &mut SubsystemRows<'_>,
    ) -> ([usize; 2], DVec2) {
        let (strength, modulus) = match bearing.bed {
            Some(bed) => {
                let limit = bed.soil.shear_limit(bearing.force / bearing.area);
                (DVec2::splat(bearing.area * limit), bed.soil.shear.scale())
            }
            None => {
                let surface = element.road.map_or(0, |road| road.surface);
                (DVec2::from(self.friction(bearing.track, surface)) * bearing.force, GRIP)
            }
        };
        let law = Grip::new(element, strength, self.slip(speed), self.view.dt / modulus);
        let along = out.push(law.row(0), self.drive_along().blocks(), element.modes[1]);
        let across = self.push(self.spot.point, self.spot.left);
        ([along, out.push(law.row(1), across.blocks(), element.modes[2])], strength)
    }

    /// Friction coefficients on its hard surface, along and across.
    fn friction(&self, track: &TrackModel, surface: u16) -> [f64; 2] {
        if let Some(friction) = track.friction {
            return friction;
        }
        let frame = self.view.bodies.list.at(self.drive.frame.body as usize);
        let own = frame.and_then(|body| body.colliders.first()).map_or(0, |collider| collider.surface);
        [self.view.surfaces.touch(own, surface).slide; 2]
    }
}

/// The law of shear of an element over a step: q⁺ = left + gain w⁺.
struct Grip {
    strength: DVec2,
    /// Share of the slip velocity that counts, by direction.
    weights: DVec2,
    left: DVec2,
    gain: f64,
    /// Bounds over the strength.
    bounds: DVec2,
}

impl Grip {
    /// That of a step over a modulus, h/K. What has come on the line in the last step is sheared for half of it: the
    /// elements of a step are those at its start, and so the thrust of steady slip is that of the whole line.
    fn new(element: &Element, strength: DVec2, slip: DVec2, rate: f64) -> Grip {
        // the slip is that of the weaker direction
        let least = strength.min_element().max(WEAKEST * strength.max_element());
        let weights = if least > 0.0 { strength / least } else { DVec2::ONE };
        let size = (weights * slip).length();
        let grown = |part: f64| {
            let a = part * rate * size;
            if a < 1e-9 { part * rate } else { -libm::expm1(-a) / size }
        };
        let left = element.grip * libm::exp(-rate * size);
        let gain = grown(1.0) + element.fresh * (grown(0.5) - grown(1.0));
        let free = left + weights * slip * gain;
        let bounds = match free.length() {
            over if over > 1.0 => (free / over).abs().max(DVec2::splat(LEAST_BOUND)),
            _ => DVec2::ONE,
        };
        Grip { strength, weights, left, gain, bounds }
    }

    /// The row of a direction, J u = −v_s.
    fn row(&self, k: usize) -> Row {
        let slope = self.strength[k] * self.weights[k] * self.gain;
        if !(slope > 0.0) {
            return Row { role: Role::Medium, ..Row::drive(0.0, 0.0) };
        }
        let bound = self.strength[k] * self.bounds[k];
        Row {
            speed: self.strength[k] * self.left[k] / slope,
            lo: -bound,
            hi: bound,
            law: RowLaw::Velocity { loss: 1.0 / slope },
            role: Role::Medium,
            ..Row::hold(0.0)
        }
    }
}

/// A ground with its ruts.
pub(super) fn footing<'a>(
    model: &'a GroundModel,
    terrain: &'a crate::ground::TerrainState,
    presses: &'a super::presses::Presses,
) -> Footing<'a> {
    Footing { ground: Ground::new(&model.terrain, terrain), presses }
}
