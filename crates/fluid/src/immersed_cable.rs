//! A cable in the fluids of a world → forces on its elements, and terms of their equations.
//!
//! An element is a straight piece of line of length ℓ. Its axis t is the z axis of a body, its middle the body's centre of
//! mass. With a = ¼πD² its displacing section and f its wet fraction in a fluid (`wet_span.rs`), Morison's equation is:
//!
//! ```text
//!  buoyancy     ρ a ℓ f g                                                 at the middle of the wet span
//!  stream       ρ a ℓ f U̇
//!  drag         −½ρ C_n D_d ℓ f |w_n| w_n − ½ρ C_t πD_d ℓ f |w_t| w_t      w = v − U at two Gauss points of the wet span
//!  added mass   H = ρ a ℓ f [C_an (1 − t tᵀ) + C_at t tᵀ]                 and ρ a ℓ f (ℓf)²/12 C_an (1 − t tᵀ) for rotation
//!
//!  (M + H + κC) u⁺ = M u + H (γ u + (1 − γ) U) + κ (forces + H U̇)
//! ```
//!
//! H is that of the present orientation on both sides, so that there is neither a rate of H nor a Munk moment: the end effects
//! of neighbours cancel. γ is the part of H that moved with the element before the step. It is below 1 while the element
//! enters a liquid: momentum is then kept. While the element leaves, its velocity is kept.
//!
//! Volume and length are those of the line, not of the capsules of its elements. The tension of a line that is loaded this
//! way is its effective tension: that of its wall is smaller by the external pressure times a. In gases there is no added
//! mass.

use crate::account::Account;
use crate::immersed_body::Action;
use crate::medium::{Fluid, Layers, Weather};
use crate::resistance::{
    CylinderDrag, ImplicitShare, LineAxes, LineMatrix, LineMotion, LineResistance, Motion, Resistance,
    gauss_points,
};
use crate::state::Memory;
use crate::waves::{Kinematics, Waves};
use crate::wet_span::WetSpan;
use glam::{DMat3, DVec3};
use std::f64::consts::FRAC_PI_4;
use windlass_engine::math::outer;
use windlass_engine::prelude::{BodyId, BodyTerm, Loads, SpatialMatrix, Twist, View, Wrench};

/// A cable in the fluids of a world.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImmersedCable {
    /// Its elements, and the length of cable that each stands for [m].
    pub elements: Vec<(BodyId, f64)>,
    /// D: diameter of the volume that it displaces [m].
    pub diameter: f64,
    /// D_d: diameter for drag [m].
    pub drag_diameter: f64,
    /// C_n: drag across its axis, on diameter times length.
    pub normal: f64,
    /// C_t: drag along its axis, on circumference times length.
    pub tangential: f64,
    /// C_an, C_at: added mass across and along its axis, on the displaced mass.
    pub added: [f64; 2],
}

/// What acts on an element at an instant.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ElementAction {
    /// Its drag is zero where loads were written.
    pub action: Action,
    /// H: world axes, about the centre of mass [kg, kg·m, kg·m²].
    pub inertia: SpatialMatrix,
    /// Whether it is evaluated at all: it is present and dynamic.
    pub counts: bool,
}

/// The instant at which a cable is evaluated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CableInstant<'a> {
    pub view: &'a View<'a>,
    pub layers: &'a Layers,
    /// That of the instant.
    pub weather: &'a Weather,
    /// Of its elements.
    pub memories: &'a [Memory],
}

/// Points of a cable in waves, two for each element that waves may reach, and the water there.
#[derive(Debug, Default)]
pub(crate) struct CableBuffers {
    points: Vec<DVec3>,
    flows: Vec<Kinematics>,
}

/// A piece of line.
#[derive(Clone, Copy, Debug)]
struct Piece {
    center: DVec3,
    axis: DVec3,
    length: f64,
    /// Of the body [kg].
    mass: f64,
}

impl Piece {
    fn at(&self, s: f64) -> DVec3 {
        self.center + self.axis * (self.length * (s - 0.5))
    }

    fn ends(&self) -> [DVec3; 2] {
        [self.at(0.0), self.at(1.0)]
    }

    /// Whether a part of it may lie below a height, given its radius [m].
    fn reaches(&self, height: f64, radius: f64) -> bool {
        self.center.z - 0.5 * self.length * self.axis.z.abs() - radius < height
    }
}

/// The waves of the lowest fluid that has some.
struct Swell<'a> {
    number: usize,
    waves: &'a Waves,
    level: f64,
    /// No crest is higher [m].
    highest: f64,
}

impl Swell<'_> {
    fn of(layers: &Layers) -> Option<Swell<'_>> {
        let mut all = layers.all().iter().enumerate();
        all.find_map(|(number, fluid)| {
            let (waves, level) = (fluid.waves.as_ref()?, fluid.level.unwrap_or(0.0));
            Some(Swell { number, waves, level, highest: level + waves.greatest_elevation() })
        })
    }
}

/// The waves at an element.
#[derive(Clone, Copy)]
struct Swelling {
    /// Number of the fluid.
    number: usize,
    /// At the Gauss points of the element; none if it lies above all crests.
    flows: Option<[Kinematics; 2]>,
}

/// The part of an element in a fluid.
struct Part<'a> {
    fluid: &'a Fluid,
    /// Its wet span, from 0 to 1.
    span: [f64; 2],
    /// Velocity and acceleration of the fluid at the Gauss points of the span [m/s, m/s²].
    flows: [(DVec3, DVec3); 2],
}

/// What acts on an element, summed over fluids. Drag and inertia are in the axes of the element.
struct Sum {
    piece: Piece,
    axes: LineAxes,
    motion: Motion,
    local: LineMotion,
    share: ImplicitShare,
    gravity: f64,
    buoyancy: Wrench,
    /// Forces by the acceleration of the fluids: pressure gradient and added mass.
    inertial: [Wrench; 2],
    /// Buoyancy below wavy surfaces: it has no potential.
    waves: Wrench,
    resistance: LineResistance,
    inertia: LineMatrix,
    /// Displaced mass of liquids [kg], and the same times the velocity of the liquid [kg·m/s].
    displaced: (f64, DVec3),
    /// Displaced volume of liquids and its first moment [m³, m⁴].
    volume: (f64, DVec3),
}

impl ImmersedCable {
    /// Evaluates all elements; adds their loads and terms to `out`, if given, and what acts to `actions`.
    pub(crate) fn act(
        &self,
        at: &CableInstant<'_>,
        buffers: &mut CableBuffers,
        mut out: Option<&mut Loads>,
        actions: &mut Vec<ElementAction>,
    ) {
        let swell = Swell::of(at.layers);
        self.sample(at.view, swell.as_ref(), buffers);
        let mut flows = buffers.flows.chunks_exact(2);
        for (number, memory) in at.memories.iter().enumerate() {
            let Some(piece) = self.piece(at.view, number) else {
                actions.push(ElementAction::default());
                continue;
            };
            let swelling = swell.as_ref().map(|swell| Swelling {
                number: swell.number,
                flows: match piece.reaches(swell.highest, self.radius()) {
                    true => flows.next().map(|pair| [pair[0], pair[1]]),
                    false => None,
                },
            });
            actions.push(ElementAction { counts: true, ..ElementAction::default() });
            if let Some(element) = actions.last_mut() {
                self.act_on(at, (number, piece), (swelling, memory), (out.as_deref_mut(), element));
            }
        }
    }

    /// Half of the displacing diameter [m].
    fn radius(&self) -> f64 {
        0.5 * self.diameter
    }

    /// An element as a piece of line; none if it is absent, inactive or not dynamic.
    fn piece(&self, view: &View<'_>, number: usize) -> Option<Piece> {
        let (id, length) = self.elements[number];
        let body = view.bodies.list.get(id).filter(|body| body.is_dynamic())?;
        let state = view.bodies.states.get(id.index()).filter(|state| !state.inactive)?;
        let (center, axis, mass) = (state.position, state.orientation * DVec3::Z, body.mass.mass);
        Some(Piece { center, axis, length, mass })
    }

    /// Evaluates waves at the Gauss points of the elements that they may reach.
    fn sample(&self, view: &View<'_>, swell: Option<&Swell<'_>>, buffers: &mut CableBuffers) {
        let CableBuffers { points, flows } = buffers;
        points.clear();
        flows.clear();
        let Some(swell) = swell else { return };
        // waves may reach all of them later
        points.reserve(2 * self.elements.len());
        flows.reserve(2 * self.elements.len());
        for piece in (0..self.elements.len()).filter_map(|number| self.piece(view, number)) {
            if piece.reaches(swell.highest, self.radius()) {
                points.extend(gauss_points(piece.ends()).map(|point| point - DVec3::Z * swell.level));
            }
        }
        flows.resize(points.len(), Kinematics::default());
        swell.waves.kinematics(points, view.bodies.time, flows);
    }

    /// Evaluates an element.
    fn act_on(
        &self,
        at: &CableInstant<'_>,
        (number, piece): (usize, Piece),
        (swelling, memory): (Option<Swelling>, &Memory),
        (out, element): (Option<&mut Loads>, &mut ElementAction),
    ) {
        let CableInstant { view, layers, .. } = *at;
        let place = self.elements[number].0.index();
        let state = &view.bodies.states[place];
        let mut sum = Sum::new(self, view, place, (piece, memory));
        let (mut below, mut potential, mut draft) = (WetSpan::default(), 0.0, 0.0_f64);
        for (number, fluid) in layers.all().iter().enumerate() {
            let own = swelling.filter(|swelling| swelling.number == number);
            let heights = self.heights(fluid, &piece, own, view.bodies.time);
            let own = own.and_then(|swelling| swelling.flows);
            let span = match fluid.level {
                Some(_) => WetSpan::below(heights, self.radius()),
                None => WetSpan::whole(heights),
            };
            let weight = layers.step(number) * sum.gravity * FRAC_PI_4 * self.diameter * self.diameter;
            match (&fluid.waves, span.ends(&WetSpan::default())) {
                (None, _) => potential += weight * piece.length * span.potential,
                (Some(_), Some(ends)) => {
                    let arm = piece.axis * (piece.length * (0.5 * (ends[0] + ends[1]) - 0.5));
                    add_force(&mut sum.waves, arm, DVec3::Z * (weight * piece.length * span.fraction));
                }
                (Some(_), None) => {}
            }
            if !fluid.is_gas() && fluid.level.is_some() {
                draft = draft.max(self.radius() - heights[0].min(heights[1]));
            }
            if let Some(ends) = span.ends(&below) {
                let whole = own.filter(|_| span.fraction == 1.0 && below.fraction == 0.0);
                let flows = self.flows(at, number, [piece.at(ends[0]), piece.at(ends[1])], whole);
                sum.add(self, &Part { fluid, span: ends, flows });
            }
            below = span;
        }
        let resistance = sum.finish(element);
        element.action.account = sum.account(self, (&resistance, element), memory);
        let action = &mut element.action;
        (action.potential, action.draft) = (potential, if action.volume > 0.0 { draft } else { 0.0 });
        match out {
            None => {
                let (force, torque) = resistance.wrench_at(sum.motion.velocity, sum.motion.spin);
                action.drag = Wrench { force, torque };
            }
            Some(out) => {
                let now = Twist { velocity: state.velocity, angular_velocity: state.angular_velocity };
                element.write((place, memory), now, (&resistance, &sum.inertial), out);
            }
        }
    }

    /// Heights of both ends of the axis above the surface of a fluid; above zero if it has none [m]. Waves are known at
    /// the Gauss points, and η is taken to be linear along the element.
    fn heights(&self, fluid: &Fluid, piece: &Piece, swelling: Option<Swelling>, time: f64) -> [f64; 2] {
        let ends = piece.ends();
        let Some(level) = fluid.level else { return ends.map(|end| end.z) };
        match (swelling, &fluid.waves) {
            (Some(Swelling { flows: Some([a, b]), .. }), _) => {
                let middle = 0.5 * (a.elevation + b.elevation);
                let half = 0.5 * 3f64.sqrt() * (b.elevation - a.elevation);
                [ends[0].z - level - (middle - half), ends[1].z - level - (middle + half)]
            }
            (Some(Swelling { flows: None, .. }), _) => [f64::INFINITY; 2],
            (None, Some(_)) => ends.map(|end| end.z - fluid.surface(end.x, end.y, time)),
            (None, None) => ends.map(|end| end.z - level),
        }
    }

    /// Velocities and accelerations of a fluid at the Gauss points between two points; `known` are the waves there.
    fn flows(
        &self,
        at: &CableInstant<'_>,
        number: usize,
        ends: [DVec3; 2],
        known: Option<[Kinematics; 2]>,
    ) -> [(DVec3, DVec3); 2] {
        let CableInstant { layers, weather, .. } = *at;
        if !layers.all()[number].moves() {
            return [(DVec3::ZERO, DVec3::ZERO); 2];
        }
        let points = gauss_points(ends);
        let flows = match known {
            Some(waves) => [0, 1].map(|i| layers.flow_over(number, points[i], weather, waves[i])),
            None => points.map(|point| layers.flow(number, point, weather)),
        };
        flows.map(|flow| (flow.velocity, flow.local_rate()))
    }
}

impl Sum {
    fn new(cable: &ImmersedCable, view: &View<'_>, place: usize, (piece, memory): (Piece, &Memory)) -> Sum {
        let state = &view.bodies.states[place];
        let motion = Motion {
            center: state.position,
            velocity: state.velocity + memory.shift.velocity,
            spin: state.angular_velocity + memory.shift.angular_velocity,
        };
        let axes = LineAxes::new(DMat3::from_quat(state.orientation));
        let mass = piece.mass + memory.amount.max(0.0) * cable.added[0];
        Sum {
            piece,
            axes,
            motion,
            local: axes.motion(&motion),
            share: ImplicitShare { time: view.kick, mass },
            gravity: -view.settings.gravity.z,
            buoyancy: Wrench::default(),
            inertial: [Wrench::default(); 2],
            waves: Wrench::default(),
            resistance: LineResistance::default(),
            inertia: LineMatrix::default(),
            displaced: (0.0, DVec3::ZERO),
            volume: (0.0, DVec3::ZERO),
        }
    }

    /// Adds what a fluid does to the part in it.
    fn add(&mut self, cable: &ImmersedCable, part: &Part<'_>) {
        let Part { fluid, span, flows } = part;
        let Piece { center, axis, length, .. } = self.piece;
        let span = span.map(|s| length * (s - 0.5));
        let (length, s) = (span[1] - span[0], 0.5 * (span[0] + span[1]));
        let arm = axis * s;
        let volume = FRAC_PI_4 * cable.diameter * cable.diameter * length;
        let mass = fluid.density * volume;
        add_force(&mut self.buoyancy, arm, DVec3::Z * (mass * self.gravity));
        let drag = CylinderDrag {
            density: fluid.density,
            diameter: cable.drag_diameter,
            normal: cable.normal,
            tangential: cable.tangential,
        };
        let local = flows.map(|(flow, _)| self.axes.local(flow));
        self.resistance.add(&self.local, span, &drag, &self.share, local);
        if fluid.is_gas() {
            return;
        }
        self.volume = (self.volume.0 + volume, self.volume.1 + (center + arm) * volume);
        // C_an across and C_at along, at the arm s t
        let [across, along] = cable.added.map(|factor| factor * mass);
        let moments = [across, across * s, across * (s * s + length * length / 12.0)];
        for (sum, more) in self.inertia.across.iter_mut().zip(moments) {
            (sum[0], sum[2]) = (sum[0] + more, sum[2] + more);
        }
        self.inertia.along += along;
        self.displaced.0 += mass;
        if fluid.moves() {
            let (stream, rate) = (0.5 * (flows[0].0 + flows[1].0), 0.5 * (flows[0].1 + flows[1].1));
            self.displaced.1 += stream * mass;
            let sliding = axis * axis.dot(rate);
            add_force(&mut self.inertial[0], arm, rate * mass);
            add_force(&mut self.inertial[1], arm, rate * across + sliding * (along - across));
        }
    }

    /// Writes what acts but for drag; returns the resistance. Both are in world axes.
    fn finish(&self, out: &mut ElementAction) -> Resistance {
        let ((volume, moment), (mass, momentum)) = (self.volume, self.displaced);
        let action = &mut out.action;
        action.buoyancy = self.buoyancy;
        (action.volume, action.amount, action.center) = (volume, mass, self.piece.center);
        if volume > 0.0 {
            (action.center, action.stream) = (moment / volume, momentum / mass);
            out.inertia = self.axes.matrix(&self.inertia);
            let linear = out.inertia.linear;
            action.added_mass = (linear.x_axis.x + linear.y_axis.y + linear.z_axis.z) / 3.0;
        }
        self.resistance.resistance(&self.axes)
    }

    /// Its forces without a potential.
    fn account(
        &self,
        cable: &ImmersedCable,
        (resistance, element): (&Resistance, &ElementAction),
        memory: &Memory,
    ) -> Account {
        let (amount, [gradient, added]) = (element.action.amount, self.inertial);
        let unit = match amount > 0.0 {
            true => element.inertia * (1.0 / amount),
            false => {
                let [across, along] = cable.added;
                let axis = self.piece.axis;
                let linear =
                    DMat3::from_diagonal(DVec3::splat(across)) + outer(axis, axis) * (along - across);
                SpatialMatrix { linear, ..SpatialMatrix::ZERO }
            }
        };
        let before = if memory.amount >= 0.0 { memory.amount } else { amount };
        Account {
            drag: *resistance,
            pressure: Wrench {
                force: self.waves.force + gradient.force,
                torque: self.waves.torque + gradient.torque,
            },
            added_force: added.force,
            added: element.inertia,
            joining: unit * (amount - before).max(0.0),
            leaving: unit * (before - amount).max(0.0),
            streams: [element.action.stream; 2],
            varies: None,
            center: DVec3::ZERO,
            is_element: true,
        }
    }
}

impl ElementAction {
    /// Adds loads and terms of the element at its stored velocities.
    fn write(
        &self,
        (place, memory): (usize, &Memory),
        now: Twist,
        (resistance, inertial): (&Resistance, &[Wrench; 2]),
        out: &mut Loads,
    ) {
        let ElementAction { action, inertia, .. } = self;
        out.add(
            place,
            Wrench {
                force: action.buoyancy.force + inertial[0].force + inertial[1].force + resistance.force,
                torque: action.buoyancy.torque + inertial[0].torque + inertial[1].torque + resistance.torque,
            },
        );
        if resistance.matrix == SpatialMatrix::ZERO && *inertia == SpatialMatrix::ZERO {
            return;
        }
        // the liquid that joins the element had the velocity of the stream
        let known = memory.amount >= 0.0 && action.amount > 0.0;
        let carried = if known { (memory.amount / action.amount).min(1.0) } else { 1.0 };
        let mixed = Twist {
            velocity: now.velocity * carried + action.stream * (1.0 - carried),
            angular_velocity: now.angular_velocity * carried,
        };
        out.term(BodyTerm {
            place,
            inertia: *inertia,
            momentum: inertia.apply(mixed),
            resistance: resistance.matrix,
            shift: memory.shift,
            ..BodyTerm::default()
        });
    }
}

fn add_force(wrench: &mut Wrench, arm: DVec3, force: DVec3) {
    wrench.force += force;
    wrench.torque += arm.cross(force);
}
