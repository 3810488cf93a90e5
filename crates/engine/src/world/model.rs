//! Model: what edits change. Bodies, joints, forces and settings; nothing here moves.
//!
//! Written by `Edit::apply` alone.

use super::body::Body;
use super::cable::Cable;
use super::frame::{Anchor, Frame};
use super::input::Input;
use super::slots::{Id, Slots};
use super::state::State;
use super::surface::Surfaces;
use crate::constrain::joint::rope::Few;
use crate::constrain::joint::{Joint, Kind};
use crate::force::Force;
use crate::strand::Strand;
use glam::DVec3;
use std::ops::RangeInclusive;

/// Names a body for as long as it exists.
pub type BodyId = Id<Body>;
/// Names a joint for as long as it exists.
pub type JointId = Id<Joint>;
/// Names a force for as long as it exists.
pub type ForceId = Id<Force>;

/// Names a cable for as long as it exists.
pub type CableId = Id<Cable>;

/// Names an input for as long as it exists.
pub type InputId = Id<Input>;

/// How time is advanced.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Stepper {
    /// Velocity level, leapfrog in time, softened rows: one linear solve a step. For real time.
    #[default]
    Spook,
    /// Acceleration level, classical Runge–Kutta, then exact correction of positions and velocities.
    Projected,
    /// Dormand–Prince 5(4) with error control inside each step, then the same correction.
    DormandPrince(Adaptive),
}

/// Error control of the adaptive stepper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adaptive {
    /// Allowed error of one internal step, relative to 1 + |value|.
    pub tolerance: f64,
    /// Smallest internal step [s]; reaching it is reported. While surfaces press it is 0.05 √(m/k) of the
    /// stiffest contact at least.
    pub shortest: f64,
    /// Largest internal step [s].
    pub longest: f64,
}

impl Default for Adaptive {
    fn default() -> Self {
        Adaptive { tolerance: 1e-8, shortest: 1e-7, longest: 0.05 }
    }
}

/// When bodies may sleep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sleep {
    /// Speed below which a body counts as still [m/s, and rad/s].
    pub speed: f64,
    /// How long a whole island must be still [s].
    pub after: f64,
}

impl Default for Sleep {
    fn default() -> Self {
        Sleep { speed: 1e-3, after: 0.5 }
    }
}

/// Who solves a partition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Solver {
    /// By the rule in `solve/mod.rs`: direct while contacts are few, iterative for piles.
    #[default]
    Auto,
    /// Joints, normals and friction as one problem, solved to round-off.
    Direct,
    /// Gauss–Seidel over joints and contacts: cost linear in the contacts, error falls with the sweeps.
    Iterative,
    /// Joints and normals directly, friction by sweeps.
    Split,
}

/// How friction is bounded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Friction {
    /// |λₜ| ≤ μ λₙ, opposed to the slip: exact in its direction.
    #[default]
    Cone,
    /// |λ| ≤ μ λₙ along each of two fixed axes, λₙ iterated until it settles.
    Box,
    /// The same with λₙ of the first solution: faster, and may stick where it should slide.
    BoxOnce,
}

/// How surfaces that are hard rebound under the steppers that integrate accelerations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Collision {
    /// By impulses, one after another; slow contacts by springs and dampers.
    #[default]
    Impulse,
    /// By a stiff spring that is softer while the surfaces part.
    Spring,
}

/// Contacts as AERO has them: under the steppers that integrate accelerations (`integrate/penalty.rs`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aero {
    /// How hard surfaces rebound.
    pub collision: Collision,
    /// With what frequency a body would swing on one hard contact point [Hz]: k = m (2π f)², of the
    /// two masses in series.
    pub frequency: f64,
    /// Damping ratio of that swinging; springs that collide have none.
    pub damping: f64,
    /// Surfaces that stick creep, with this speed at the bound of friction [m/s]; 0 for springs that hold.
    pub creep: f64,
    /// The gravity of every body is changed in every step by a random vector of up to this part of it along
    /// each axis, so that what stands on a point falls.
    pub gravity_noise: f64,
}

impl Default for Aero {
    fn default() -> Self {
        Aero { collision: Collision::Impulse, frequency: 100.0, damping: 0.7, creep: 0.0, gravity_noise: 0.0 }
    }
}

/// How contacts are found and solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contacting {
    /// Points within this distance are contacts, touching or not [m]; more if bodies approach faster.
    pub margin: f64,
    /// Overlaps are pushed apart no faster than this [m/s].
    pub recovery: f64,
    /// How friction is bounded.
    pub friction: Friction,
    /// Who solves partitions whose bodies do not say.
    pub solver: Solver,
    /// Sweeps of the iterative solvers in a step.
    pub sweeps: u32,
    /// Parts into which the iterative solver cuts a step, each with its share of the sweeps; 1 solves the step as a whole,
    /// which converges to the direct solution, slowly.
    pub substeps: u32,
    /// Under `spook`, impacts are made one after another before the step is solved, so that the last of a row
    /// of touching balls leaves; else all at once.
    pub serial: bool,
    /// Contacts of the steppers that integrate accelerations.
    pub aero: Aero,
}

impl Contacting {
    /// How many sweeps may be asked for. 40 000 find the direct solution of a heap to 1e-5; a step must end some time.
    pub const SWEEPS: RangeInclusive<u32> = 1..=100_000;
    /// Into how many parts a step may be cut: a thousandth of the longest step is shorter than any contact needs.
    pub const SUBSTEPS: RangeInclusive<u32> = 1..=1000;
}

impl Default for Contacting {
    fn default() -> Self {
        Contacting {
            margin: 0.005,
            recovery: 1.0,
            friction: Friction::Cone,
            solver: Solver::Auto,
            sweeps: 8,
            substeps: 8,
            serial: false,
            aero: Aero::default(),
        }
    }
}

/// What holds for the whole world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Step [s].
    pub dt: f64,
    /// Gravity [m/s²].
    pub gravity: DVec3,
    /// How time is advanced.
    pub stepper: Stepper,
    /// Whether islands at rest sleep.
    pub sleep: Option<Sleep>,
    /// Rebounds slower than this are not made [m/s or rad/s], so that bouncing ends.
    pub bounce_speed: f64,
    /// Under `spook`, rounds in which joints that are open where a step ends are closed (`integrate/close.rs`); 0 leaves them to the
    /// next step.
    pub rounds: u32,
    /// How contacts are found and solved.
    pub contact: Contacting,
}

impl Settings {
    /// How many rounds may be asked for: what has not closed in a hundred will not.
    pub const ROUNDS: RangeInclusive<u32> = 0..=100;
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            dt: 1.0 / 60.0,
            gravity: DVec3::new(0.0, 0.0, -9.81),
            stepper: Stepper::Spook,
            sleep: None,
            bounce_speed: 0.01,
            rounds: 0,
            contact: Contacting::default(),
        }
    }
}

/// What exists.
#[derive(Clone, Debug, Default)]
pub struct Model {
    pub(crate) bodies: Slots<Body>,
    pub(crate) joints: Slots<Joint>,
    pub(crate) forces: Slots<Force>,
    pub(crate) cables: Slots<Cable>,
    pub(crate) strands: Slots<Strand>,
    pub(crate) inputs: Slots<Input>,
    pub(crate) surfaces: Surfaces,
    pub(crate) settings: Settings,
    /// Counts edits that change more than numbers of drives and inputs, so that what is derived from the model knows when to be
    /// rebuilt.
    pub(crate) revision: u64,
}

impl Model {
    /// The bodies.
    pub fn bodies(&self) -> &Slots<Body> {
        &self.bodies
    }

    /// The joints.
    pub fn joints(&self) -> &Slots<Joint> {
        &self.joints
    }

    /// The forces.
    pub fn forces(&self) -> &Slots<Force> {
        &self.forces
    }

    /// The cables.
    pub fn cables(&self) -> &Slots<Cable> {
        &self.cables
    }

    /// The strands.
    pub fn strands(&self) -> &Slots<Strand> {
        &self.strands
    }

    /// The inputs.
    pub fn inputs(&self) -> &Slots<Input> {
        &self.inputs
    }

    /// The surfaces and how they touch.
    pub fn surfaces(&self) -> &Surfaces {
        &self.surfaces
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The first body of a name.
    pub fn body(&self, name: &str) -> Option<BodyId> {
        self.bodies.iter().find(|(_, b)| b.name == name).and_then(|(i, _)| self.bodies.id(i))
    }

    /// The first joint of a name.
    pub fn joint(&self, name: &str) -> Option<JointId> {
        self.joints.iter().find(|(_, j)| j.name == name).and_then(|(i, _)| self.joints.id(i))
    }

    /// The first cable of a name.
    pub fn cable(&self, name: &str) -> Option<CableId> {
        self.cables.iter().find(|(_, c)| c.name == name).and_then(|(i, _)| self.cables.id(i))
    }

    /// Puts driven bodies where their paths have them at the state's time, catenaries where they hang, and fixed ones to rest.
    pub(crate) fn carry(&self, state: &mut State) {
        for (place, _) in self.bodies.iter().filter(|(_, b)| !b.is_free()) {
            self.carry_one(place, state);
        }
        self.hang_and_swing(state);
    }

    /// The same for one body.
    pub(crate) fn carry_one(&self, place: usize, state: &mut State) {
        let Some(body) = self.bodies.at(place).filter(|b| !b.is_free()) else { return };
        let b = &mut state.bodies[place];
        (b.velocity, b.spin) = (DVec3::ZERO, DVec3::ZERO);
        if let Some(carried) = body.carried(state.time) {
            (b.position, b.attitude) = (carried.position, carried.attitude);
            (b.velocity, b.spin) = (carried.twist.velocity, carried.twist.spin);
        }
    }

    /// Where a joint grips bodies now, if that is not where it was added: a rope that feeds a cable goes by its elements.
    pub(crate) fn moved_grips(&self, state: &State, place: usize, joint: &Joint) -> Option<Few<Anchor>> {
        let Kind::Rope(rope) = &joint.kind else { return None };
        let (feed, window) = (rope.feed?, rope.window(&state.joints.get(place)?.history)?);
        let cable = self.cables.get(feed.cable)?;
        let mut anchors = Few::from_slice(&rope.anchors);
        if feed.sides[0] {
            *anchors.first_mut()? = cable.tip(window[0].checked_sub(1)?, true)?;
        }
        if feed.sides[1] {
            *anchors.last_mut()? = cable.tip(window[1], false)?;
        }
        Some(anchors)
    }

    /// The frames of a joint as they stand.
    pub(crate) fn frames(&self, state: &State, place: usize, joint: &Joint) -> Few<Frame> {
        let moved = self.moved_grips(state, place, joint);
        let anchors = moved.as_deref().unwrap_or(joint.constraint().anchors());
        anchors.iter().map(|a| self.frame(state, a)).collect()
    }

    /// An anchor as it stands in the world. Its body must exist.
    ///
    /// Always inlined: a frame that is returned and then copied into a list waits for its own stores.
    #[inline(always)]
    pub fn frame(&self, state: &State, anchor: &Anchor) -> Frame {
        let body = self.bodies.at(anchor.body.index()).expect("an anchor's body goes only with its joints");
        let s = &state.bodies[anchor.body.index()];
        Frame {
            body: anchor.body.index,
            center: s.position,
            at: s.position + s.attitude * (anchor.at - body.mass.center),
            attitude: s.attitude * anchor.turn,
            free: body.is_free(),
        }
    }
}
