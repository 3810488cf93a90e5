//! Contacts → rows: each point keeps its surfaces apart and resists their sliding, rolling and spinning.
//!
//!   normal      n · (v_b − v_a) ≥ −g/h,  λₙ ≥ −adhesion
//!   sliding     t₁, t₂ · (v_b − v_a) = belt,   |λₜ| ≤ μ (λₙ + adhesion)
//!   rolling     t₁, t₂ · (ω_b − ω_a) = 0,      |λ_r| ≤ r (λₙ + adhesion)
//!   spinning    n · (ω_b − ω_a) = 0,           |λ_s| ≤ s (λₙ + adhesion)
//!
//! Surfaces that stick to each other and turn together move on arcs, not along the tangents of the start of the step. Their points have the same
//! displacement over it, d = (exp(h ω) − 1) r for the turn. What tangents leave out is an acceleration of the target:
//!
//!   sliding     t · (v_b − v_a) = belt − t · (c_b − c_a),   c = d/h − ω × r = ½ h a
//!
//! Both bodies are pushed at the same point, so a pair of forces has no moment. Those that meet within the step are pushed where and as
//! they stand then. Friction across a grain is `across`
//! times that along it: the second axis is scaled by it, which makes the ellipse of bounds a circle.

use crate::body::BodyState;
use crate::body::frame::{Frame, JacobianBlock};
use crate::contact::surface::ContactParameters;
use crate::contact::{Contact, ContactPair, Contacts, Meeting, relative};
use crate::math;
use crate::model::Model;
use crate::model::state::State;
use crate::row::rows::Rows;
use crate::row::{Compliance, FrictionBound, Role, Row, RowLaw, RowSource, Spring};
use glam::{DVec2, DVec3};

/// Appends the rows of all contacts.
pub fn contacts(model: &Model, state: &State, contacts: &Contacts, out: &mut Rows) {
    for (number, pair) in contacts.pairs.iter().enumerate().filter(|(_, p)| !p.points.is_empty()) {
        let start = out.frames.len();
        let frames = pair.parts.map(|part| frame(model, state, part.body));
        let frames = match pair.meeting {
            Some(Meeting { centers: [a, b], .. }) => [frames[0].moved_to(a), frames[1].moved_to(b)],
            None => frames,
        };
        out.frames.extend(frames);
        out.open(RowSource::Pair(number as u32), Compliance::default(), start..start + 2);
        let skin = SurfaceMotion::of(model, state, pair);
        for contact in &contacts.list[pair.points.clone()] {
            if let Some(meeting) = &pair.meeting {
                let (contact, touch) = blow((model, state), (pair, meeting), contact);
                point(&contact, &frames, &touch, &skin, out);
            } else {
                let skin = skin.along_arcs(model, state, pair, contact);
                point(contact, &frames, &pair.touch, &skin, out);
            }
        }
        out.close();
    }
}

/// How many rows a point of a pair writes.
pub fn rows_of(touch: &ContactParameters) -> usize {
    let sliding = if touch.stick > 0.0 { 2 } else { 0 };
    let rolling = if touch.rolling > 0.0 { 2 } else { 0 };
    1 + sliding + rolling + usize::from(touch.spinning > 0.0)
}

/// The frame of a body's centre of mass.
fn frame(model: &Model, state: &State, place: u32) -> Frame {
    let s = &state.bodies[place as usize];
    let free = model.bodies.at(place as usize).is_some_and(|b| b.is_free());
    Frame { body: place, center: s.position, at: s.position, orientation: s.orientation, free }
}

/// A point of surfaces that meet after a time t, and their touch, such that the row of the whole step gives what follows the meeting:
/// the gap closes in what is left of the step, and the surfaces leave with e times the speed at which they met. Velocities of the state
/// stand κ − ½h before the step, those of the solution ½h after its start:
///
///   v(t) = v + (t + κ − ½h) a,   u = −e v(t) + (½h − t) a
fn blow(
    (model, state): (&Model, &State),
    (pair, meeting): (&ContactPair, &Meeting),
    contact: &Contact,
) -> (Contact, ContactParameters) {
    let (h, t, n) = (model.dt(state), meeting.delay, contact.normal);
    let velocity = |k: usize| {
        let s = &state.bodies[pair.parts[k].body as usize];
        s.velocity + s.angular_velocity.cross(contact.point - meeting.centers[k])
    };
    let (approach, pull) = (n.dot(velocity(0) - velocity(1)), n.dot(meeting.acceleration));
    let met = approach - pull * (t + model.kick(state) - 0.5 * h);
    let leaves = pair.touch.restitution * met + pull * (0.5 * h - t);
    let bounces = approach > 0.0 && pair.touch.restitution * met > model.settings.bounce_speed;
    let restitution = if bounces { (leaves / approach).max(0.0) } else { 0.0 };
    let gap = contact.gap * h / (h - t).max(1e-6 * h);
    (Contact { gap, ..*contact }, ContactParameters { restitution, ..pair.touch })
}

/// Bodies that turn by less in a step move along tangents [rad].
const TURNS: f64 = 1e-5;

/// Bodies that roll on each other have other points in contact later: more than this part of their angular velocity is across the normal.
const ROLLS: f64 = 1e-3;

/// What sticks has a slip of c in the velocities of the last step; what has more than this many times of it slides.
const SLIDES: f64 = 3.0;

/// What a pair's colliders do along their surfaces.
#[derive(Clone, Copy)]
pub(crate) struct SurfaceMotion {
    /// How fast the second's skin runs against the first's [m/s], world axes.
    pub belt: DVec3,
    /// How fast that grows where both turn together [m/s²].
    pub acceleration: DVec3,
    /// Direction of the grain, world axes; zero for none.
    grain: DVec3,
}

impl SurfaceMotion {
    pub fn of(model: &Model, state: &State, pair: &ContactPair) -> SurfaceMotion {
        let [(belt_a, grain_a), (belt_b, grain_b)] = pair.parts.map(|part| {
            let body = part.body as usize;
            let turn = state.bodies[body].orientation;
            let collider = model.bodies.at(body).and_then(|b| b.colliders.get(part.collider as usize));
            collider.map_or((DVec3::ZERO, DVec3::ZERO), |c| (turn * c.belt, turn * c.grain))
        });
        SurfaceMotion {
            belt: belt_b - belt_a,
            acceleration: DVec3::ZERO,
            grain: if grain_a == DVec3::ZERO { grain_b } else { grain_a },
        }
    }

    /// The same with what arcs add to tangents, where bodies turn together and do not slide.
    fn along_arcs(
        self,
        model: &Model,
        state: &State,
        pair: &ContactPair,
        contact: &Contact,
    ) -> SurfaceMotion {
        let [a, b] = pair.parts.map(|part| &state.bodies[part.body as usize]);
        let (h, fastest) = (model.dt(state), a.angular_velocity.length().max(b.angular_velocity.length()));
        if h * fastest < TURNS || pair.touch.stick == 0.0 {
            return self;
        }
        let arc = |s: &BodyState| {
            let (r, spin) = (contact.point - s.position, s.angular_velocity);
            (math::exp(spin * h) * r - r) / h - spin.cross(r)
        };
        let across = (b.angular_velocity - a.angular_velocity).cross(contact.normal).length();
        let (more, slip) = (arc(b) - arc(a), relative(&state.bodies, pair, contact.point) + self.belt);
        if across > ROLLS * fastest || slip.reject_from(contact.normal).length() > SLIDES * more.length() {
            return self;
        }
        SurfaceMotion { acceleration: more * (2.0 / h), ..self }
    }
}

/// Appends the rows of one point.
fn point(
    contact: &Contact,
    frames: &[Frame; 2],
    touch: &ContactParameters,
    skin: &SurfaceMotion,
    out: &mut Rows,
) {
    let [a, b] = frames;
    let (n, p) = (contact.normal, contact.point);
    let push = |axis: DVec3| [a.push_at(p, -axis), b.push_at(p, axis)];
    let spin = |axis: DVec3| [a.spin(-axis), b.spin(axis)];
    let normal = out.rows.len();
    let row = Row { lo: -touch.adhesion, role: Role::Normal, ..Row::push(contact.gap) };
    let spring = touch.spring.or_else(|| bedding(touch, contact));
    out.push(Row { restitution: touch.restitution, ..row }.soft(spring), &push(n));

    let cone = |out: &mut Rows, rows: &[(DVec2, [JacobianBlock; 2])], stick: f64, slide: f64, loss: f64| {
        let (first, count) = (out.rows.len(), rows.len());
        for (target, blocks) in rows {
            let (law, acceleration) = (RowLaw::Velocity { loss }, target.y);
            out.push(Row { law, acceleration, role: Role::Friction, ..Row::drive(target.x, 0.0) }, blocks);
        }
        out.cones.push(FrictionBound {
            normal,
            first,
            count,
            stick,
            slide,
            base: touch.adhesion,
            belt: false,
        });
    };
    let [t, u] = tangents(n, skin.grain);
    if touch.stick > 0.0 {
        let across = if skin.grain == DVec3::ZERO { 1.0 } else { touch.across };
        // the skins' material stands still against each other when the bodies slide against the belt
        let row = |axis: DVec3| (-DVec2::new(axis.dot(skin.belt), axis.dot(skin.acceleration)), push(axis));
        cone(out, &[row(t), row(u * across)], touch.stick, touch.slide, touch.slip);
    }
    if touch.rolling > 0.0 {
        cone(out, &[(DVec2::ZERO, spin(t)), (DVec2::ZERO, spin(u))], touch.rolling, touch.rolling, 0.0);
    }
    if touch.spinning > 0.0 {
        cone(out, &[(DVec2::ZERO, spin(n))], touch.spinning, touch.spinning, 0.0);
    }
}

/// The spring of a point that bears its share of a bedded patch. A point without an area bears as a square millimetre.
pub(crate) fn bedding(touch: &ContactParameters, contact: &Contact) -> Option<Spring> {
    let spring = touch.bedding?;
    let area = contact.area.max(1e-6);
    Some(Spring { stiffness: spring.stiffness * area, damping: spring.damping * area, ..spring })
}

/// Two axes square to the normal, the first along the grain if there is one.
pub fn tangents(n: DVec3, grain: DVec3) -> [DVec3; 2] {
    let along = grain - n * n.dot(grain);
    let t = if along.length_squared() > 1e-12 * grain.length_squared() {
        along.normalize()
    } else {
        n.any_orthonormal_vector()
    };
    [t, n.cross(t)]
}
