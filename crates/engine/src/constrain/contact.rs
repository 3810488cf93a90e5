//! Contact rows: each contact point prevents penetration and resists sliding, rolling and spinning.
//!
//!   normal      n · (v_b − v_a) ≥ −g/h,  λₙ ≥ −adhesion
//!   sliding     t₁, t₂ · (v_b − v_a) = belt,   |λₜ| ≤ μ (λₙ + adhesion)
//!   rolling     t₁, t₂ · (ω_b − ω_a) = 0,      |λ_r| ≤ r (λₙ + adhesion)
//!   spinning    n · (ω_b − ω_a) = 0,           |λ_s| ≤ s (λₙ + adhesion)
//!
//! Surfaces that stick to each other and rotate together move on arcs, not along the tangents at the start of the step.
//! Their points have the same displacement over it, d = (exp(h ω) − 1) r from the rotation. The difference from the
//! tangents is an acceleration of the target:
//!
//!   sliding     t · (v_b − v_a) = belt − t · (c_b − c_a),   c = d/h − ω × r = ½ h a
//!
//! Both bodies are loaded at the same point, so the pair of forces has no moment. Contacts that arise within the step
//! use the configuration at impact. Friction across the grain is `across` times that along it: the second axis is
//! scaled by it, which makes the friction ellipse a circle.

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

/// Number of rows per point of a pair.
pub fn rows_of(touch: &ContactParameters) -> usize {
    let sliding = if touch.stick > 0.0 { 2 } else { 0 };
    let rolling = if touch.rolling > 0.0 { 2 } else { 0 };
    1 + sliding + rolling + usize::from(touch.spinning > 0.0)
}

/// The frame of a body's centre of mass.
fn frame(model: &Model, state: &State, place: u32) -> Frame {
    let s = &state.bodies[place as usize];
    let free = model.bodies.at(place as usize).is_some_and(|b| b.is_dynamic());
    Frame { body: place, center: s.position, at: s.position, orientation: s.orientation, free, spins: false }
}

/// Contact point and parameters of surfaces that collide after a time t, such that the row of the whole step yields the
/// motion after the impact: the gap closes in the rest of the step, and the separation speed is e times the impact
/// speed. Velocities of the state belong to κ − ½h before the step, those of the solution to ½h after its start:
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

/// Bodies that rotate by less in a step move along tangents [rad].
const TURNS: f64 = 1e-5;

/// Rolling threshold: above this fraction of the angular velocity across the normal, the points in contact change.
const ROLLS: f64 = 1e-3;

/// A sticking contact has a slip of c in the velocities of the last step; above this multiple of it, it counts as
/// sliding.
const SLIDES: f64 = 3.0;

/// Tangential motion and grain of a pair's surfaces.
#[derive(Clone, Copy)]
pub(crate) struct SurfaceMotion {
    /// Surface velocity of the second relative to the first [m/s], world axes.
    pub belt: DVec3,
    /// Its rate where both rotate together [m/s²].
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

    /// The same with the correction from tangents to arcs, where bodies rotate together and do not slide.
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
        // the surface material is at relative rest when the bodies slide against the belt
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

/// The spring of a point for its share of a patch with bedding. A point without area counts as a square millimetre.
pub(crate) fn bedding(touch: &ContactParameters, contact: &Contact) -> Option<Spring> {
    let spring = touch.bedding?;
    let area = contact.area.max(1e-6);
    Some(Spring { stiffness: spring.stiffness * area, damping: spring.damping * area, ..spring })
}

/// Two axes normal to n, the first along the grain if there is one.
pub fn tangents(n: DVec3, grain: DVec3) -> [DVec3; 2] {
    let along = grain - n * n.dot(grain);
    let t = if along.length_squared() > 1e-12 * grain.length_squared() {
        along.normalize()
    } else {
        n.any_orthonormal_vector()
    };
    [t, n.cross(t)]
}
