//! Contact as the file has it: how pairs of surfaces touch, what the skin of a body is like, how contacts are solved.

use super::material::Rub;
use crate::number::{
    BedDamping, BedStiffness, Coefficient, Damping, Factor, Frequency, LeastSpeed, MostForce, Number,
    Numbers, Plain, Reach, Share, Slip, Speed, Stiffness,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Spanned;

/// How two surfaces touch. What is left out is what their materials say.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Contact {
    /// Names of two surfaces or materials, in any order; twice the same for one against itself.
    #[schemars(with = "[String; 2]")]
    pub between: [Spanned<String>; 2],
    /// Dry friction: one coefficient, or { static, kinetic }; that of the materials unless given.
    pub friction: Option<Rub>,
    /// Friction across the grain over friction along it; 1 unless given.
    pub friction_ratio_across: Option<Number<Coefficient>>,
    /// Rebound speed per approach speed, 0 to 1, of a hard contact; that of the materials unless given.
    pub restitution: Option<Number<Share>>,
    /// Stiffness of a contact point [N/m]; hard unless given.
    pub stiffness: Option<Number<Stiffness>>,
    /// Damping of a contact point, beside `stiffness` [N·s/m]; 0 unless given.
    pub damping: Option<Number<Damping>>,
    /// Stiffness of a square metre of contact, instead of `stiffness` [N/m³]; hard unless given.
    pub stiffness_per_area: Option<Number<BedStiffness>>,
    /// Damping of a square metre, beside `stiffness_per_area` [N·s/m³]; 0 unless given.
    pub damping_per_area: Option<Number<BedDamping>>,
    /// Pull a contact point bears before it opens [N]; 0 unless given.
    pub adhesion: Option<Number<MostForce>>,
    /// Viscous slip: speed of creep per friction force [(m/s)/N]; 0 unless given.
    pub slip_compliance: Option<Number<Slip>>,
    /// Rolling friction: the arm by which the normal force moves ahead [m]; 0 unless given.
    pub rolling_resistance_length: Option<Number<Reach>>,
    /// Friction against spinning about the normal, as an arm [m]; 0 unless given.
    pub torsional_resistance_length: Option<Number<Reach>>,
}

/// How contacts are found and solved.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Contacting {
    /// Points within this distance are contacts, touching or not [m]; 0.005 unless given.
    pub margin: Option<Number<Reach>>,
    /// Overlaps are pushed apart no faster than this [m/s]; 1 unless given.
    pub max_depenetration_speed: Option<Number<LeastSpeed>>,
    /// How friction is bounded; "cone" unless given.
    pub friction: Option<FrictionLaw>,
    /// Who solves bodies that do not say; "auto" unless given.
    pub solver: Option<Solver>,
    /// Sweeps of the iterative solvers in a step, a whole number from 1 to 100000; 8 unless given.
    pub solver_iterations: Option<Number<Factor>>,
    /// Parts into which the iterative solver cuts a step, each with its share of the sweeps, a whole number from 1 to 1000;
    /// 8 unless given.
    pub substeps: Option<Number<Factor>>,
    /// Under stepper "spook", whether impacts are made one after another, so that the last of a row of touching balls
    /// leaves, instead of all at once; false unless given.
    pub sequential_impacts: Option<bool>,
    /// How hard contacts act under the steppers that integrate accelerations, "projected" and "dormand-prince".
    pub penalty: Option<Aero>,
}

/// Hard contacts where accelerations are integrated: stiff springs and dampers made for the masses that touch, and
/// impulses for impacts. A surface with a stiffness of its own keeps it.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Aero {
    /// How hard surfaces rebound; "impulse" unless given.
    pub collision: Option<Collision>,
    /// Frequency with which a body would swing on one contact point, 0.1 to 100000 [Hz]; 100 unless given.
    pub frequency: Option<Number<Frequency>>,
    /// Damping ratio of that swinging, 0 to 100; 0.7 unless given.
    pub damping: Option<Number<Coefficient>>,
    /// Speed with which surfaces that stick creep at the bound of friction [m/s]; 0 unless given.
    pub creep: Option<Number<LeastSpeed>>,
    /// Part of gravity, 0 to 1, by which it changes at random in every step, so that what stands on a point falls;
    /// 0 unless given.
    pub gravity_noise: Option<Number<Share>>,
}

/// How hard surfaces rebound where accelerations are integrated.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Collision {
    /// By impulses, one after another.
    Impulse,
    /// By a stiff spring that is softer while the surfaces part.
    Spring,
}

/// How friction is bounded.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FrictionLaw {
    /// By a cone, opposed to the slip.
    Cone,
    /// By a box of two fixed directions, with the normal forces iterated.
    Box,
    /// By a box, with the normal forces of the first solution.
    BoxOnce,
}

/// Who solves the contacts and joints of a body.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Solver {
    /// The direct one while contacts are few, the iterative one for piles.
    Auto,
    /// All at once, to round-off.
    Direct,
    /// One after the other, in sweeps.
    Iterative,
    /// Joints and normals at once, friction in sweeps.
    Split,
}

/// What a body, a part of it or an entry of its `touch` says about its skin; bodies speak for what is on them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Skin<'a> {
    /// Whether it can be touched.
    pub collide: Option<bool>,
    /// Name of its surface.
    pub surface: Option<&'a Spanned<String>>,
    /// Name of what it is made of.
    pub material: Option<&'a Spanned<String>>,
    /// How it runs over the body.
    pub surface_velocity: Option<&'a Numbers<Speed>>,
    /// Direction of its grain.
    pub grain: Option<&'a Numbers<Plain>>,
    /// The groups it is in.
    pub groups: Option<&'a [Spanned<String>]>,
    /// The only groups it touches.
    pub collides_with: Option<&'a [Spanned<String>]>,
    /// Groups it does not touch.
    pub ignores: Option<&'a [Spanned<String>]>,
    /// Whether it only reports.
    pub trigger: Option<bool>,
}

impl<'a> Skin<'a> {
    /// The same, with what is not said taken from another.
    pub fn or(self, other: Skin<'a>) -> Skin<'a> {
        Skin {
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
