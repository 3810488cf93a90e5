//! Work of fluids on a body in an interval of a step, for the account of energies.
//!
//! The energy of a fluid is ½ W·K_F W, with W the velocities of the body relative to the stream U, and the potential of
//! buoyancy under a plane surface. The rest of its work is
//!
//! ```text
//!  drag      time (R₀ − C u)·ū
//!  waves     time F·ū            buoyancy under waves, and the pressure gradient of an accelerating fluid
//!  stream    time F_A·U          F_A: force of the added mass
//!  shear     −time p_F·(ċ − U)·∇U    p_F: momentum of the fluid; its energy has U at the centre c of the immersed volume,
//!                                its force DU/Dt
//!  turning   −time (ω×W)·A W     elements of cables: A turns with them, but no force belongs to its rate
//!  entry     −½ W₀·J W₁          J: added mass that joins the body, its momentum kept
//!  exit      −½ W₀·L W₀          L: added mass that is left behind
//! ```
//!
//! with u the velocities after the step and ū their mean in the interval. A stream carries energy to a body because
//! F_A·v = F_A·(v − U) + F_A·U, and F_A·(v − U) is the decrease of the fluid's energy.

use crate::medium::{Layers, Weather};
use crate::resistance::Resistance;
use glam::DVec3;
use windlass_engine::prelude::{SolvedStep, SolvedTerm, SpatialMatrix, Twist, Wrench};

/// What of a body's fluid forces has no potential.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Account {
    /// Drag, linearised.
    pub drag: Resistance,
    /// Buoyancy under waves, and the pressure gradient of an accelerating fluid.
    pub pressure: Wrench,
    /// Explicit part of the force of the added mass [N].
    pub added_force: DVec3,
    /// Added mass, world axes.
    pub added: SpatialMatrix,
    /// What of it joined the body since the last step, world axes.
    pub joining: SpatialMatrix,
    /// What left the body since the last step, world axes.
    pub leaving: SpatialMatrix,
    /// Velocity of the stream before its particles were accelerated in the step, and in the step [m/s].
    pub streams: [DVec3; 2],
    /// Where the velocity of the fluid differs from place to place.
    pub varies: Option<Varying>,
    /// Centre of the immersed volume that has these velocities, body axes from the centre of mass [m].
    pub center: DVec3,
    /// Whether it is an element of a cable.
    pub is_element: bool,
}

/// The point of a fluid whose velocity the energy of the added mass has: the centre of the immersed volume.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Varying {
    /// Number of the fluid.
    pub fluid: usize,
    /// The point [m].
    pub point: DVec3,
    /// From the centre of mass to the point, world axes [m].
    pub arm: DVec3,
    /// Velocity of the point relative to the body, as the immersed part changes [m/s]. It is that of the last step, so the
    /// account is of first order where bodies cross a surface.
    pub drift: DVec3,
}

impl Account {
    /// Work of the forces without a potential on the body with the given index [J]. `stream` is the velocity of the fluid
    /// at the instant of the positions.
    pub fn work(
        &self,
        (place, stream): (usize, DVec3),
        layers: &Layers,
        step: &SolvedStep<'_>,
        term: Option<&SolvedTerm>,
    ) -> f64 {
        let ([before, after], mean) = ((step.velocities)(place), step.mean(place));
        let (force, torque) = self.drag.wrench_at(after.velocity, after.angular_velocity);
        let shear = self.shear_power(layers, step, mean, stream);
        let power = (force + self.pressure.force).dot(mean.velocity)
            + (torque + self.pressure.torque).dot(mean.angular_velocity);
        let turning = if self.is_element { self.turning_power(mean, stream) } else { 0.0 };
        let power = power + self.stream_power(after, term, stream) + turning + shear;
        step.time * power + self.entry([before, after])
    }

    fn stream_power(&self, after: Twist, term: Option<&SolvedTerm>, stream: DVec3) -> f64 {
        let Some(term) = term.filter(|_| stream != DVec3::ZERO) else { return 0.0 };
        let resisted = self.drag.matrix.apply(after).0;
        (term.wrench.force + resisted + self.added_force).dot(stream)
    }

    fn shear_power(&self, layers: &Layers, step: &SolvedStep<'_>, mean: Twist, stream: DVec3) -> f64 {
        let Some(Varying { fluid, point, arm, drift }) = self.varies else { return 0.0 };
        let relative = Twist { velocity: mean.velocity - stream, ..mean };
        // gusts are the same everywhere
        let weather = Weather::calm(step.view.bodies.time);
        let path = relative.velocity + mean.angular_velocity.cross(arm) + drift;
        let path = path * (0.5 * step.view.dt);
        let [ahead, behind] = [path, -path].map(|path| layers.flow(fluid, point + path, &weather).velocity);
        -self.added.apply(relative).0.dot(ahead - behind) / step.view.dt
    }

    fn turning_power(&self, mean: Twist, stream: DVec3) -> f64 {
        let relative = mean.velocity - stream;
        let momentum = self.added.linear * relative;
        -mean.angular_velocity.cross(relative).dot(momentum)
    }

    /// Energy lost while fluid joins and leaves the body.
    fn entry(&self, twists: [Twist; 2]) -> f64 {
        if self.joining == SpatialMatrix::ZERO && self.leaving == SpatialMatrix::ZERO {
            return 0.0;
        }
        let [first, second] = [0, 1].map(|i| {
            let velocity = twists[i].velocity - self.streams[i];
            Twist { velocity, ..twists[i] }
        });
        let twice = |matrix: &SpatialMatrix, other: Twist| {
            let (p, l) = matrix.apply(first);
            p.dot(other.velocity) + l.dot(other.angular_velocity)
        };
        -0.5 * (twice(&self.joining, second) + twice(&self.leaving, first))
    }
}
