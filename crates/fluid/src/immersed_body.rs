//! A body in the fluids of a world → its forces, and terms of its equations.
//!
//! ```text
//!  buoyancy     Σ (ρ_k − ρ_k+1) g V_k at c_k        V_k below the surface k; pressure integral under waves
//!  drag         −C (u⁺ − U), C ≥ 0                  `resistance.rs`; each facet in its own fluid
//!  added mass   K_F = σ K⁰,  σ = Σ ρ_k V_k / V      Kirchhoff's equations in the engine; of floating bodies `growth.rs`
//!               K_F (DU/Dt, 0)                      DU/Dt = ∂U/∂t + (U·∇)U: Auton, Hunt, Prud'homme 1988
//!  stream       ρ_k V_k ∂U/∂t                       pressure gradient of current and wind; that of waves is in buoyancy
//!  water plane  ¼ κ h K_w on both sides             where h² tr(K_w M⁻¹) > ¼: the trapezoidal rule
//! ```

use crate::account::{Account, Varying};
pub use crate::added_mass::of_body::AddedMass;
use crate::at_vertices::{depths, flows, look};
use crate::clip::Facet;
use crate::hull::{ClipBuffers, Hull, Pose};
use crate::immersion::Immersion;
use crate::medium::{Flow, Fluid, Layers, Weather};
use crate::resistance::{AxisDrag, ImplicitShare, Motion, PressureLaw, ProjectedLaw, Resistance};
use crate::state::Memory;
use glam::{DMat3, DVec3};
use windlass_engine::prelude::{
    AddedMass as AddedMassTerm, Body, BodyId, BodyState, BodyTerm, Loads, SolvedTerm, SpatialMatrix, Twist,
    View, Wrench,
};

/// h² tr(K_w M⁻¹) at which the stiffness of the water plane starts to enter the mass matrix, and at which it is
/// complete: the explicit step is stable below 4, and accurate to (ωh)²/24 in period.
const ONSET: [f64; 2] = [0.25, 1.0];

/// Drag law of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Drag {
    /// No drag.
    None,
    /// Pressure on exposed facets, suction behind, friction along all.
    Pressure {
        /// C_p, on the frontal area.
        pressure: f64,
        /// C_s, on the area behind.
        suction: f64,
        /// C_f, on the wet area.
        friction: f64,
    },
    /// Drag along and lift across the velocity of exposed facets, both on the projected area (Vortex Theory Guide).
    Projected {
        /// C_d.
        drag: f64,
        /// C_l.
        lift: f64,
    },
    /// One coefficient: −½ ρ C A |w| w at the centre of mass.
    Quadratic {
        /// C A [m²].
        area: f64,
    },
    /// −½ ρ C_i A_i |w_i| w_i along the axes of the body, and −ρ D_i |ω_i| ω_i about them.
    Axes {
        /// C_i A_i [m²].
        areas: DVec3,
        /// D_i [m⁵].
        angular: DVec3,
    },
}

/// A body in the fluids of a world.
#[derive(Clone, Debug, PartialEq)]
pub struct ImmersedBody {
    /// The body.
    pub body: BodyId,
    /// Its solids.
    pub hull: Hull,
    /// Its drag law.
    pub drag: Drag,
    /// Its added mass.
    pub added_mass: AddedMass,
    /// Linear damping by a liquid when immersed, body axes about the centre of mass [N·s/m, N·s, N·m·s].
    pub damping: SpatialMatrix,
    /// Whether buoyancy acts on it.
    pub buoyancy: bool,
}

/// What acts on a body at an instant.
#[derive(Clone, Copy, Debug, Default)]
pub struct Action {
    /// Buoyancy, torque about the centre of mass.
    pub buoyancy: Wrench,
    /// Drag and lift as they act in the step, if its velocities are known; else at the velocities before it.
    pub drag: Wrench,
    /// Immersed volume in all fluids that are no gases [m³].
    pub volume: f64,
    /// Centre of that volume [m].
    pub center: DVec3,
    /// Depth of its lowest point below the highest surface [m].
    pub draft: f64,
    /// σ: factor of its added mass; for an element of a cable the displaced mass of liquids [kg].
    pub amount: f64,
    /// Added mass, mean of the three axes [kg].
    pub added_mass: f64,
    /// Force of the added mass, if the step is solved [N].
    pub added_mass_force: DVec3,
    /// Velocity of the fluid at the centre of the immersed volume [m/s].
    pub stream: DVec3,
    /// Potential energy of the buoyancy under plane surfaces [J].
    pub potential: f64,
    /// For the account of energies.
    pub(crate) account: Account,
}

/// The instant at which a body is evaluated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instant<'a> {
    pub view: &'a View<'a>,
    pub layers: &'a Layers,
    pub weather: &'a StepWeather,
    pub memory: &'a Memory,
    /// Velocities solved for, if known: implicit forces act with them.
    pub after: Option<Twist>,
    /// Whether drag is needed.
    pub drags: bool,
}

/// The weather around an instant.
#[derive(Debug, Default)]
pub(crate) struct StepWeather {
    /// At the instant.
    pub now: Weather,
    /// At the middle of the step that begins: ½h later.
    ahead: Weather,
    /// At the middle of the step before: κ before `ahead`.
    behind: Weather,
}

impl StepWeather {
    /// Sets the instant to that of a view. The acceleration-level integrators have no κ: it is h.
    pub fn set(&mut self, layers: &Layers, view: &View<'_>) {
        let (time, half) = (view.bodies.time, 0.5 * view.dt);
        let kick = if view.kick > 0.0 { view.kick } else { view.dt };
        layers.forecast(time, &mut self.now);
        layers.forecast(time + half, &mut self.ahead);
        layers.forecast(time + half - kick, &mut self.behind);
    }

    /// Gain of velocity of the particle of a fluid that is at a point at the instant, over the step [m/s].
    fn particle_gain(&self, layers: &Layers, number: usize, point: DVec3, velocity: DVec3) -> DVec3 {
        let [after, before] = [&self.ahead, &self.behind].map(|weather| {
            let path = velocity * (weather.time - self.now.time);
            layers.flow(number, point + path, weather).velocity
        });
        after - before
    }
}

/// The velocity of the fluid that carries the added mass of a body.
#[derive(Clone, Copy, Debug, Default)]
struct Stream {
    /// Mass that it displaces [kg].
    displaced: f64,
    /// At the instant [m/s].
    now: DVec3,
    /// In the step, and before its particles were accelerated over κ [m/s].
    step: [DVec3; 2],
    /// Acceleration of its particles [m/s²].
    rate: DVec3,
    /// Where its velocity differs from place to place.
    varies: Option<Varying>,
    /// Where it has the velocity, body axes from the centre of mass [m].
    center: DVec3,
}

/// The parts of a body in the fluids.
#[derive(Debug, Default)]
struct Wetting {
    /// Sum of buoyancy forces.
    wrench: Wrench,
    /// Σ Δρ g (level V − ∫z dV).
    potential: f64,
    /// Water planes weighted by ρ g.
    stiffness: SpatialMatrix,
    /// Pressure gradient of accelerating fluids.
    gradient: Wrench,
    /// The part of `wrench` that has no potential.
    waves: Wrench,
    /// σ.
    amount: f64,
    volume: f64,
    moment: DVec3,
    draft: f64,
    /// That of the fluid with the largest displaced mass.
    stream: Stream,
}

impl ImmersedBody {
    /// Evaluates it; adds its loads and terms to `out`, if given.
    pub(crate) fn act(&self, at: &Instant<'_>, buffers: &mut ClipBuffers, out: Option<&mut Loads>) -> Action {
        let Instant { view, memory, after, drags, .. } = *at;
        let place = self.body.index();
        let (Some(body), state) = (view.bodies.list.get(self.body), &view.bodies.states[place]) else {
            return Action::default();
        };
        let pose = Pose { center: state.position, axes: DMat3::from_quat(state.orientation) };
        let wet = self.wet(at, pose, (body, state), buffers);
        let motion = Motion {
            center: state.position,
            velocity: state.velocity + memory.shift.velocity,
            spin: state.angular_velocity + memory.shift.angular_velocity,
        };
        let matrix = self.added_mass.at(wet.amount);
        let [joining, leaving] = self.added_mass.change([memory.amount, wet.amount]);
        let resistance = match drags {
            true => self.resistance(at, pose, (&motion, &wet), body, buffers),
            false => Resistance::ZERO,
        };
        let (velocity, spin) =
            after.map_or((motion.velocity, motion.spin), |u| (u.velocity, u.angular_velocity));
        let (force, torque) = resistance.wrench_at(velocity, spin);
        if let Some(out) = out {
            let explicit = Wrench {
                force: wet.wrench.force + wet.gradient.force + resistance.force,
                torque: wet.wrench.torque + wet.gradient.torque + resistance.torque,
            };
            out.add(place, explicit);
            let mut term =
                BodyTerm { place, resistance: resistance.matrix, shift: memory.shift, ..BodyTerm::default() };
            self.add_stiffness(view, (body, state), (&wet, matrix), &mut term);
            term.added = self.added(&wet, matrix, memory);
            if let AddedMass::Afloat(_) = self.added_mass
                && view.kick > 0.0
                && joining != SpatialMatrix::ZERO
            {
                // what joins has no momentum of its own
                let relative = state.velocity - wet.stream.step[1];
                let stored = Twist { velocity: relative, angular_velocity: state.angular_velocity };
                let (p, l) = joining.rotated(&pose.axes).apply(stored);
                term.momentum = (term.momentum.0 - p, term.momentum.1 - l);
            }
            if term != (BodyTerm { place, shift: memory.shift, ..BodyTerm::default() }) {
                out.term(term);
            }
        }
        Action {
            buoyancy: wet.wrench,
            drag: Wrench { force, torque },
            volume: wet.volume,
            center: if wet.volume > 0.0 { wet.moment / wet.volume } else { state.position },
            draft: wet.draft,
            amount: wet.amount,
            added_mass: (matrix.linear.x_axis.x + matrix.linear.y_axis.y + matrix.linear.z_axis.z) / 3.0,
            added_mass_force: DVec3::ZERO,
            stream: wet.stream.now,
            potential: wet.potential,
            account: Account {
                drag: resistance,
                pressure: Wrench {
                    force: wet.waves.force + wet.gradient.force,
                    torque: wet.waves.torque + wet.gradient.torque,
                },
                added_force: DVec3::ZERO,
                added: matrix.rotated(&pose.axes),
                joining: joining.rotated(&pose.axes),
                leaving: leaving.rotated(&pose.axes),
                streams: [wet.stream.step[1], wet.stream.step[0]],
                varies: wet.stream.varies,
                center: wet.stream.center,
                is_element: false,
            },
        }
    }

    /// Buoyancy and immersed parts in all fluids.
    fn wet(
        &self,
        at: &Instant<'_>,
        pose: Pose,
        (_, state): (&Body, &BodyState),
        buffers: &mut ClipBuffers,
    ) -> Wetting {
        let Instant { view, layers, weather, .. } = *at;
        let (time, gravity) = (view.bodies.time, -view.settings.gravity.z);
        let (mut wet, mut below) = (Wetting::default(), Immersion::default());
        buffers.volumes.clear();
        buffers.kinematics.iter_mut().for_each(Vec::clear);
        for (number, fluid) in layers.all().iter().enumerate() {
            let step = layers.step(number) * gravity;
            let (immersion, force) = self.under(fluid, pose, (time, step), buffers);
            buffers.volumes.push(immersion.volume);
            let arm = immersion.center - pose.center;
            if self.buoyancy && immersion.volume > 0.0 {
                let (force, torque) = match force {
                    Some(load) => {
                        wet.waves.force += load.force;
                        wet.waves.torque += load.torque;
                        (load.force, load.torque)
                    }
                    None => {
                        let force = DVec3::Z * (step * immersion.volume);
                        let level = fluid.level.unwrap_or(0.0);
                        wet.potential += step * immersion.volume * (level - immersion.center.z);
                        (force, arm.cross(force))
                    }
                };
                wet.wrench.force += force;
                wet.wrench.torque += torque;
                wet.stiffness += immersion.water_plane.stiffness(step);
            }
            // the layer between this surface and the one below
            let volume = immersion.volume - below.volume;
            let moment = immersion.center * immersion.volume - below.center * below.volume;
            below = immersion;
            if volume <= 1e-12 * self.hull.volume() {
                continue;
            }
            let center = moment / volume;
            wet.gather(self, (fluid.density, volume, center), fluid.is_gas());
            if !fluid.is_gas() {
                wet.draft = wet.draft.max(immersion.draft);
            }
            if fluid.moves() {
                let flow = layers.flow(number, center, &weather.now);
                let displaced = fluid.density * volume;
                if displaced > wet.stream.displaced {
                    wet.stream = stream(at, pose, (number, center), displaced, (flow, state.velocity));
                }
                // the pressure of waves has their part of the gradient
                if self.buoyancy {
                    let force = flow.rate * displaced;
                    wet.gradient.force += force;
                    wet.gradient.torque += (center - pose.center).cross(force);
                }
            }
        }
        wet.finish(self)
    }

    /// The part of it under the surface of a fluid; under waves also the force of the pressure. `step` is the decrease
    /// of ρ g across the surface.
    fn under(
        &self,
        fluid: &Fluid,
        pose: Pose,
        (time, step): (f64, f64),
        buffers: &mut ClipBuffers,
    ) -> (Immersion, Option<Wrench>) {
        let Some(level) = fluid.level else { return (self.hull.immersed(pose), None) };
        let [low, high] = self.hull.reach(pose);
        let rise = fluid.waves.as_ref().map_or(0.0, |waves| waves.greatest_elevation());
        if low >= level + rise {
            return (Immersion { center: pose.center, ..Immersion::default() }, None);
        }
        let Some(waves) = &fluid.waves else {
            return match high <= level {
                true => (Immersion { draft: level - low, ..self.hull.immersed(pose) }, None),
                false => (self.hull.under_plane(pose, level, buffers), None),
            };
        };
        let load = self.hull.under_pressure(pose, buffers, |mesh, buffers| {
            look(waves, level, time, mesh, buffers);
            let ClipBuffers { positions, depths, pressures, kinematics, .. } = buffers;
            depths.clear();
            pressures.clear();
            for (point, wave) in positions.iter().zip(&kinematics[mesh]) {
                let z = point.z - level;
                depths.push(wave.elevation - z);
                pressures.push(step * (wave.head - z));
            }
        });
        (load.immersion, Some(Wrench { force: load.force, torque: load.torque }))
    }

    /// Drag and lift, each facet in its own fluid, and linear damping.
    fn resistance(
        &self,
        &Instant { view, layers, weather, .. }: &Instant<'_>,
        pose: Pose,
        (motion, wet): (&Motion, &Wetting),
        body: &Body,
        buffers: &mut ClipBuffers,
    ) -> Resistance {
        let mut sum = Resistance::ZERO;
        let weather = &weather.now;
        let own = self.added_mass.at(wet.amount).linear;
        let least = own.x_axis.x.min(own.y_axis.y).min(own.z_axis.z);
        let share = ImplicitShare { time: view.kick, mass: body.mass.mass + least };
        for (number, fluid) in layers.all().iter().enumerate() {
            match self.drag {
                Drag::None => {}
                Drag::Pressure { pressure, suction, friction } => {
                    let law = PressureLaw { density: fluid.density, pressure, suction, friction };
                    self.each_facet(layers, (number, weather), pose, buffers, |facet, flow| {
                        sum.add_pressure(motion, facet, &law, flow);
                    });
                }
                Drag::Projected { drag, lift } => {
                    let law = ProjectedLaw { density: fluid.density, drag, lift };
                    self.each_facet(layers, (number, weather), pose, buffers, |facet, flow| {
                        sum.add_projected(motion, facet, &law, flow);
                    });
                }
                Drag::Quadratic { .. } | Drag::Axes { .. } => {
                    let below = number.checked_sub(1).map_or(0.0, |below| buffers.volumes[below]);
                    let part = (buffers.volumes[number] - below) / self.hull.volume();
                    let half = 0.5 * fluid.density * part;
                    if part <= 0.0 {
                        continue;
                    }
                    let flow = match fluid.moves() {
                        true => layers.flow(number, pose.center, weather).velocity,
                        false => DVec3::ZERO,
                    };
                    if let Drag::Quadratic { area } = self.drag {
                        sum.add_quadratic(motion, pose.center, half * area, &share, flow);
                    } else if let Drag::Axes { areas, angular } = self.drag {
                        let drag = AxisDrag { linear: areas * half, angular: angular * (2.0 * half) };
                        sum.add_axes(motion, pose.center, &pose.axes, &drag, flow);
                    }
                }
            }
        }
        if self.damping != SpatialMatrix::ZERO && wet.volume > 0.0 {
            let part = (wet.volume / self.hull.volume()).min(1.0);
            sum.add_damping(&(self.damping.rotated(&pose.axes) * part), wet.stream.step[0]);
        }
        sum
    }

    /// Visits the facets of its surface that lie in a fluid, with the velocity of the fluid there.
    fn each_facet(
        &self,
        layers: &Layers,
        (number, weather): (usize, &Weather),
        pose: Pose,
        buffers: &mut ClipBuffers,
        mut visit: impl FnMut(&Facet, DVec3),
    ) {
        let below = number.checked_sub(1).map_or(0.0, |below| buffers.volumes[below]);
        if buffers.volumes[number] - below <= 0.0 {
            return;
        }
        // cut by the upper surface of the fluid, or by the lower one if it has no other
        let fluid = &layers.all()[number];
        let lower = number.checked_sub(1).map(|below| &layers.all()[below]);
        let (cutting, wanted) = match (fluid.level, lower) {
            (Some(_), _) => (Some(fluid), true),
            (None, Some(lower)) => (Some(lower), false),
            (None, None) => (None, true),
        };
        let above = |facet: &Facet| match (fluid.level, lower) {
            (Some(_), Some(lower)) => {
                facet.center.z > lower.surface(facet.center.x, facet.center.y, weather.time)
            }
            _ => true,
        };
        let at = |mesh: usize, buffers: &mut ClipBuffers| {
            depths(cutting, weather.time, mesh, buffers);
            flows(layers, (number, weather), mesh, buffers);
        };
        self.hull.facets(pose, buffers, at, |facet, flow| {
            if facet.wet == wanted && above(facet) {
                visit(facet, flow);
            }
        });
    }

    /// The stiffness of the water plane as a mass on both sides, where the step would not resolve it.
    fn add_stiffness(
        &self,
        view: &View<'_>,
        (body, state): (&Body, &BodyState),
        (wet, added): (&Wetting, SpatialMatrix),
        term: &mut BodyTerm,
    ) {
        let k = wet.stiffness;
        if view.kick == 0.0 || k == SpatialMatrix::ZERO || !body.is_dynamic() {
            return;
        }
        let axes = DMat3::from_quat(state.orientation);
        let own = SpatialMatrix::rigid(body.mass.mass, body.mass.inertia) + added;
        let mass = own.rotated(&axes);
        let unit = |i: usize| {
            let mut e = [0.0; 6];
            e[i] = 1.0;
            let (linear, angular) = (DVec3::new(e[0], e[1], e[2]), DVec3::new(e[3], e[4], e[5]));
            Twist { velocity: linear, angular_velocity: angular }
        };
        // tr(K M⁻¹)
        let trace: f64 = (0..6)
            .map(|i| {
                let e = unit(i);
                let moved = mass.inverse_times((e.velocity, e.angular_velocity));
                let (p, l) = k.apply(moved);
                p.dot(e.velocity) + l.dot(e.angular_velocity)
            })
            .sum();
        let ratio = view.dt * view.dt * trace;
        let part = ((ratio - ONSET[0]) / (ONSET[1] - ONSET[0])).clamp(0.0, 1.0);
        if part > 0.0 {
            let held = k * (0.25 * view.kick * view.dt * part);
            term.inertia += held;
            let now = Twist { velocity: state.velocity, angular_velocity: state.angular_velocity };
            let (p, l) = held.apply(now);
            term.momentum = (term.momentum.0 + p, term.momentum.1 + l);
        }
    }

    /// Its added mass as a term of the engine.
    fn added(&self, wet: &Wetting, matrix: SpatialMatrix, memory: &Memory) -> Option<AddedMassTerm> {
        if wet.amount <= 0.0 || matrix == SpatialMatrix::ZERO {
            return None;
        }
        let (known, before) = (memory.amount >= 0.0, memory.amount.max(0.0));
        // one part of all motions; of a floating body each has its own, see `act`
        let all = !known || matches!(self.added_mass, AddedMass::Afloat(_));
        let carried = if all { 1.0 } else { (before / wet.amount).min(1.0) };
        Some(AddedMassTerm {
            matrix,
            carried,
            stream: wet.stream.step,
            stream_rate: wet.stream.rate,
            constraint_force: memory.constraint_force,
        })
    }
}

impl Action {
    /// The same with the force of the added mass by the terms of the body: what of them is not resistance.
    pub(crate) fn with_added_mass(mut self, term: Option<&SolvedTerm>) -> Action {
        if let Some(term) = term.filter(|_| self.amount > 0.0) {
            let resisted = self.account.drag.matrix.apply(term.twist).0;
            self.added_mass_force = term.wrench.force + resisted + self.account.added_force;
        }
        self
    }
}

/// The stream of a fluid around a point, for the added mass of a body. Velocities after the step are those of its middle.
/// The added mass has the acceleration DU/Dt of the particles of the fluid, not the rate along the path of the body. A
/// uniform stream has the velocities of the steps, so that a steady current changes nothing.
fn stream(
    at: &Instant<'_>,
    pose: Pose,
    (number, point): (usize, DVec3),
    displaced: f64,
    (flow, velocity): (Flow, DVec3),
) -> Stream {
    let Instant { view, layers, weather, memory, .. } = *at;
    let (now, steps) = (flow.velocity, view.kick > 0.0);
    let arm = point - pose.center;
    let center = pose.axes.transpose() * arm;
    let ahead = match steps {
        true => layers.flow(number, point + velocity * (0.5 * view.dt), &weather.ahead).velocity,
        false => now,
    };
    if layers.all()[number].varies() {
        let gain = weather.particle_gain(layers, number, point, now);
        let (step, rate) = ([ahead, ahead - gain], gain / view.dt);
        let step_before = 2.0 * view.kick - view.dt;
        let drift = match memory.amount > 0.0 && step_before > 0.0 {
            true => pose.axes * (center - memory.center) / step_before,
            false => DVec3::ZERO,
        };
        let varies = Some(Varying { fluid: number, point, arm, drift });
        return Stream { displaced, now, step, rate, varies, center };
    }
    let before = if memory.amount > 0.0 { memory.stream } else { now };
    Stream { displaced, now, step: [ahead, before], rate: flow.local_rate(), varies: None, center }
}

impl Wetting {
    /// Adds the part of a body that lies in a fluid of a density: volume and its centre.
    fn gather(&mut self, body: &ImmersedBody, (density, volume, center): (f64, f64, DVec3), is_gas: bool) {
        if is_gas {
            return;
        }
        self.volume += volume;
        self.moment += center * volume;
        if let AddedMass::PerDensity(_) | AddedMass::Afloat(_) = body.added_mass {
            self.amount += density * volume / body.hull.volume();
        }
    }

    fn finish(mut self, body: &ImmersedBody) -> Wetting {
        if let AddedMass::Given(_, complete) = body.added_mass {
            self.amount = (self.volume / (body.hull.volume() * complete)).min(1.0);
        }
        self
    }
}
