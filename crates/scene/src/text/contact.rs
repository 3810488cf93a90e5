//! Contact as written in the file: parameters of pairs of surfaces, surface keys of bodies, and contact settings.

use super::material::FrictionSpec;
use crate::number::{
    BedDamping, BedStiffness, Coefficient, Damping, Factor, Frequency, LeastSpeed, MostForce, Number,
    Numbers, Plain, Reach, Share, Slip, Speed, Stiffness,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Spanned;

/// Contact parameters of a pair of surfaces. Values that are omitted are combined from those of each surface against
/// itself.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Contact {
    /// Names of two surfaces or materials, in any order; the same name twice for one against itself.
    #[schemars(with = "[String; 2]")]
    pub between: [Spanned<String>; 2],
    /// Dry friction: one coefficient, or { static, kinetic } with kinetic ≤ static; that of the materials unless given.
    pub friction: Option<FrictionSpec>,
    /// Friction across the grain divided by friction along it, with `spook` only; 1 unless given.
    pub friction_ratio_across: Option<Number<Coefficient>>,
    /// Coefficient of restitution of a rigid contact: rebound speed per approach speed, 0 to 1; that of the materials
    /// unless given.
    pub restitution: Option<Number<Share>>,
    /// Stiffness of a contact point [N/m]; rigid unless given.
    pub stiffness: Option<Number<Stiffness>>,
    /// Damping of a contact point, only with `stiffness` [N·s/m]; 0 unless given.
    pub damping: Option<Number<Damping>>,
    /// Stiffness per contact area, instead of `stiffness` [N/m³]; rigid unless given.
    pub stiffness_per_area: Option<Number<BedStiffness>>,
    /// Damping per contact area, only with `stiffness_per_area` [N·s/m³]; 0 unless given.
    pub damping_per_area: Option<Number<BedDamping>>,
    /// Adhesion: tensile force that a contact point bears before it opens, with `spook` only [N]; 0 unless given.
    pub adhesion: Option<Number<MostForce>>,
    /// Viscous slip: creep speed per friction force, with `spook` only [(m/s)/N]; 0 unless given.
    pub slip_compliance: Option<Number<Slip>>,
    /// Rolling resistance: lever arm by which the normal force moves ahead, with `spook` only [m]; 0 unless given.
    pub rolling_resistance_length: Option<Number<Reach>>,
    /// Torsional friction about the normal, as a lever arm of the normal force, with `spook` only [m]; 0 unless given.
    pub torsional_resistance_length: Option<Number<Reach>>,
}

/// Contact detection and contact solution.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ContactSettings {
    /// Points within this distance are contact points, whether surfaces are in contact or not [m]; 0.005 unless given.
    pub margin: Option<Number<Reach>>,
    /// Largest speed at which penetrations are separated [m/s]; 1 unless given.
    pub max_depenetration_speed: Option<Number<LeastSpeed>>,
    /// Friction model; "cone" unless given.
    pub friction: Option<FrictionLaw>,
    /// Solver for bodies that do not specify one; "auto" unless given.
    pub solver: Option<Solver>,
    /// Iterations of the iterative solvers per step, a whole number from 1 to 100000; 8 unless given.
    pub solver_iterations: Option<Number<Factor>>,
    /// Substeps into which the iterative solver divides a step, each with its share of the iterations, a whole number
    /// from 1 to 1000; 8 unless given.
    pub substeps: Option<Number<Factor>>,
    /// With `spook`, whether impacts act one after another instead of simultaneously, so that only the last of a row of
    /// touching balls leaves; false unless given.
    pub sequential_impacts: Option<bool>,
    /// Rigid contacts with the integrators at acceleration level, `projected` and `dormand-prince`.
    pub penalty: Option<PenaltyContact>,
}

/// Rigid contacts with integrators at acceleration level: stiff springs and dampers scaled to the colliding masses, and
/// impulses for impacts. A surface with a stiffness of its own keeps it.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PenaltyContact {
    /// Impact law of rigid contacts; "impulse" unless given.
    pub collision: Option<Collision>,
    /// Natural frequency of a body on one contact point, 0.1 to 100000 [Hz]; 100 unless given.
    pub frequency: Option<Number<Frequency>>,
    /// Damping ratio of that vibration, 0 to 100, not with `collision = "spring"`; 0.7 unless given.
    pub damping: Option<Number<Coefficient>>,
    /// Creep speed of sticking surfaces at the friction limit [m/s]; 0 unless given.
    pub creep: Option<Number<LeastSpeed>>,
    /// Random change of gravity in every step, as a fraction of it from 0 to 1, so that bodies balanced on a point
    /// fall; 0 unless given.
    pub gravity_noise: Option<Number<Share>>,
}

/// Impact law of rigid contacts with integrators at acceleration level.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Collision {
    /// Sequential impulses.
    Impulse,
    /// A stiff spring that is softer during separation.
    Spring,
}

/// Friction model: the bound of the friction force.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FrictionLaw {
    /// A cone, opposed to the slip.
    Cone,
    /// A box along two fixed directions, with iterated normal forces.
    Box,
    /// A box, with the normal forces of the first solution.
    BoxOnce,
}

/// Solver for contacts and joints.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Solver {
    /// Direct for machines, stacks and small heaps; iterative for large moving heaps.
    Auto,
    /// All equations at once, to round-off.
    Direct,
    /// Projected Gauss–Seidel.
    Iterative,
    /// Joints and normal forces directly, friction iteratively.
    Split,
}

/// Surface keys of a body, a part or an entry of `collision`; those of the body apply to its parts and entries.
#[derive(Clone, Copy, Debug, Default)]
pub struct SurfaceKeys<'a> {
    /// Whether it collides.
    pub collide: Option<bool>,
    /// Name of its surface.
    pub surface: Option<&'a Spanned<String>>,
    /// Name of its material.
    pub material: Option<&'a Spanned<String>>,
    /// Velocity of the surface relative to the body [m/s].
    pub surface_velocity: Option<&'a Numbers<Speed>>,
    /// Direction of its grain.
    pub grain: Option<&'a Numbers<Plain>>,
    /// Its collision groups.
    pub groups: Option<&'a [Spanned<String>]>,
    /// The only groups it collides with.
    pub collides_with: Option<&'a [Spanned<String>]>,
    /// Groups it does not collide with.
    pub ignores: Option<&'a [Spanned<String>]>,
    /// Whether it only reports overlaps.
    pub trigger: Option<bool>,
}

impl<'a> SurfaceKeys<'a> {
    /// The same, with missing keys taken from another.
    pub fn or(self, other: SurfaceKeys<'a>) -> SurfaceKeys<'a> {
        SurfaceKeys {
            collide: self.collide.or(other.collide),
            // a material of its own is a surface of its own
            surface: self.surface.or(self.material).or(other.surface),
            material: self.material.or(other.material),
            surface_velocity: self.surface_velocity.or(other.surface_velocity),
            grain: self.grain.or(other.grain),
            groups: self.groups.or(other.groups),
            collides_with: self.collides_with.or(other.collides_with),
            ignores: self.ignores.or(other.ignores),
            trigger: self.trigger.or(other.trigger),
        }
    }
}
