//! Four contacts of two spheres in lanes; no sphere is in two of them, so that one sweep works on all at once.
//!
//! The equations are those of `contact.rs`. A lane without a contact repeats the spheres of the first one, has no
//! impulse and never closes; what comes out of it is not written.

use super::contact::{Body, GREATEST_PUSH, Pair, Place, REACH, Softness, TANGENT};
use super::lanes::{Four, LANES, Lanes, Machine};
use super::state::Impulses;
use glam::DVec3;
use std::ops::{Add, Mul, Sub};

/// Gap of a lane without a contact [m].
const FAR: f64 = 1e9;

/// Contacts that may close within the step.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Quad {
    /// The partners, counted from the beginning of the slab.
    pub a: [u32; LANES],
    pub b: [u32; LANES],
    /// Lanes with a contact.
    pub count: u32,
    normal: [Four; 3],
    gap: Four,
    mass: Four,
    push: Four,
    tangent: [Four; 3],
    roll: [Four; 3],
    inertia: [f32; LANES],
    friction: [f32; LANES],
    rolling: [f32; LANES],
    pull: [f32; LANES],
    per_span: [f32; LANES],
}

impl Quad {
    /// With one contact, in the first lane.
    pub fn new(pair: &Pair) -> Quad {
        let (zero, single) = ([0.0; LANES], [0.0; LANES]);
        let mut quad = Quad {
            a: [pair.a; LANES],
            b: [pair.b; LANES],
            count: 0,
            normal: [zero; 3],
            gap: [FAR; LANES],
            mass: zero,
            push: zero,
            tangent: [zero; 3],
            roll: [zero; 3],
            inertia: single,
            friction: single,
            rolling: single,
            pull: single,
            per_span: single,
        };
        quad.add(pair);
        quad
    }

    /// Adds a contact in the next lane.
    pub fn add(&mut self, pair: &Pair) {
        let k = self.count as usize;
        self.count += 1;
        (self.a[k], self.b[k]) = (pair.a, pair.b);
        (self.gap[k], self.mass[k], self.push[k]) = (pair.gap, pair.mass, pair.impulses.normal);
        for axis in 0..3 {
            self.normal[axis][k] = pair.normal[axis];
            self.tangent[axis][k] = pair.impulses.tangent[axis];
            self.roll[axis][k] = pair.impulses.rolling[axis];
        }
        (self.inertia[k], self.friction[k]) = (pair.inertia, pair.friction);
        (self.rolling[k], self.pull[k], self.per_span[k]) = (pair.rolling, pair.pull, pair.per_span);
    }

    /// The contacts.
    pub fn pairs(&self) -> impl Iterator<Item = Pair> + '_ {
        (0..self.count as usize).map(|k| {
            let vector = |all: &[Four; 3]| DVec3::from_array(all.map(|axis| axis[k]));
            Pair {
                a: self.a[k],
                b: self.b[k],
                normal: vector(&self.normal),
                gap: self.gap[k],
                mass: self.mass[k],
                impulses: Impulses {
                    normal: self.push[k],
                    tangent: vector(&self.tangent),
                    rolling: vector(&self.roll),
                },
                inertia: self.inertia[k],
                friction: self.friction[k],
                rolling: self.rolling[k],
                pull: self.pull[k],
                per_span: self.per_span[k],
            }
        })
    }

    /// Applies the impulses of the last substep.
    #[inline(always)]
    pub fn warm<M: Machine>(&self, machine: M, bodies: &mut [Body]) {
        let push = machine.lanes(self.push);
        let zero = machine.splat(0.0);
        if !(push * push).above(zero).any() {
            return;
        }
        let mut spheres = Spheres::load(machine, self, bodies);
        let lever = machine.splat(1.0) + machine.lanes(self.gap) * singles(machine, self.per_span);
        let change =
            Change { normal: push, tangent: load(machine, &self.tangent), roll: load(machine, &self.roll) };
        spheres.apply(machine, load(machine, &self.normal), lever, change);
        spheres.store(self, bodies);
    }

    /// Takes gaps and normals from the centres.
    #[inline(always)]
    pub fn place<M: Machine>(&mut self, machine: M, places: &[Place]) {
        let [ax, ay, az, r] = placed(machine, &self.a, places);
        let [bx, by, bz, s] = placed(machine, &self.b, places);
        let away = Vector { x: bx - ax, y: by - ay, z: bz - az };
        let distance = away.dot(away).sqrt();
        let apart = distance.above(machine.splat(1e-12));
        let (zero, one) = (machine.splat(0.0), machine.splat(1.0));
        let inverse = one.over(apart.select(distance, one));
        let normal = Vector {
            x: apart.select(away.x * inverse, zero),
            y: apart.select(away.y * inverse, zero),
            z: apart.select(away.z * inverse, one),
        };
        let tangent = load(machine, &self.tangent);
        store(tangent - normal * normal.dot(tangent), &mut self.tangent);
        store(normal, &mut self.normal);
        self.gap = (distance - (r + s)).array();
        self.gap[self.count as usize..].fill(FAR);
    }

    /// One sweep.
    #[inline(always)]
    pub fn sweep<M: Machine>(&mut self, machine: M, bodies: &mut [Body], softness: &Softness) {
        let (zero, one) = (machine.splat(0.0), machine.splat(1.0));
        let normal = load(machine, &self.normal);
        let (gap, old) = (machine.lanes(self.gap), machine.lanes(self.push));
        let lever = one + gap * singles(machine, self.per_span);
        let far = lever.above(machine.splat(1.0 + 0.5 * REACH));
        let pull = far.select(zero, singles(machine, self.pull));
        let mut spheres = Spheres::load(machine, self, bodies);
        let relative = spheres.b.velocity - spheres.a.velocity;
        let speed = normal.dot(relative);
        let open = speed + gap * machine.splat(softness.rate);
        // without impulse, not about to close: nothing can change
        let acts = (old * old + pull).above(zero).any() || zero.above(gap).any() || zero.above(open).any();
        if !acts {
            return;
        }
        let mass = machine.lanes(self.mass);
        let bias = gap * machine.splat(softness.close);
        let least = machine.splat(-GREATEST_PUSH);
        let bias = bias.above(least).select(bias, least);
        let soft =
            old - machine.splat(softness.share) * mass * (speed + bias) - machine.splat(softness.relax) * old;
        let push = gap.above(zero).select(old - mass * open, soft);
        let push = push.above(zero - pull).select(push, zero - pull);
        let bound = push + pull;
        let slip = relative - normal * speed - (spheres.a.spin + spheres.b.spin).cross(normal) * lever;
        let before = load(machine, &self.tangent);
        let tangent = before - slip * (machine.splat(TANGENT) * mass);
        let tangent = shortened(machine, tangent, singles(machine, self.friction) * bound);
        let turn = spheres.b.spin * spheres.b.inverse_radius - spheres.a.spin * spheres.a.inverse_radius;
        let rolled = load(machine, &self.roll);
        let roll = rolled - turn * (singles(machine, self.inertia) * mass);
        let roll = shortened(machine, roll, singles(machine, self.rolling) * bound);
        self.push = push.array();
        store(tangent, &mut self.tangent);
        store(roll, &mut self.roll);
        let change = Change { normal: push - old, tangent: tangent - before, roll: roll - rolled };
        spheres.apply(machine, normal, lever, change);
        spheres.store(self, bodies);
    }
}

/// A change of impulses.
struct Change<L> {
    normal: L,
    tangent: Vector<L>,
    roll: Vector<L>,
}

/// The partners of one side.
#[derive(Clone, Copy)]
struct Sphere<L> {
    velocity: Vector<L>,
    inverse_mass: L,
    spin: Vector<L>,
    inverse_radius: L,
}

/// Both partners.
struct Spheres<L> {
    a: Sphere<L>,
    b: Sphere<L>,
}

impl<L: Lanes> Spheres<L> {
    #[inline(always)]
    fn load<M: Machine<Lanes = L>>(machine: M, quad: &Quad, bodies: &[Body]) -> Spheres<L> {
        Spheres { a: Sphere::load(machine, &quad.a, bodies), b: Sphere::load(machine, &quad.b, bodies) }
    }

    #[inline(always)]
    fn store(&self, quad: &Quad, bodies: &mut [Body]) {
        self.a.store(&quad.a, quad.count, bodies);
        self.b.store(&quad.b, quad.count, bodies);
    }

    #[inline(always)]
    fn apply<M: Machine<Lanes = L>>(&mut self, machine: M, normal: Vector<L>, lever: L, change: Change<L>) {
        let push = normal * change.normal + change.tangent;
        let factor = machine.splat(2.5);
        let twist = normal.cross(change.tangent) * (factor * lever);
        let roll = change.roll * factor;
        let (a, b) = (&mut self.a, &mut self.b);
        a.velocity = a.velocity - push * a.inverse_mass;
        b.velocity = b.velocity + push * b.inverse_mass;
        a.spin = a.spin - (twist + roll * a.inverse_radius) * a.inverse_mass;
        b.spin = b.spin - (twist - roll * b.inverse_radius) * b.inverse_mass;
    }
}

impl<L: Lanes> Sphere<L> {
    #[inline(always)]
    fn load<M: Machine<Lanes = L>>(machine: M, at: &[u32; LANES], bodies: &[Body]) -> Sphere<L> {
        let [a, b, c, d] = [at[0] as usize, at[1] as usize, at[2] as usize, at[3] as usize];
        let [a, b, c, d] = [&bodies[a], &bodies[b], &bodies[c], &bodies[d]];
        let linear = [
            machine.lanes(a.linear),
            machine.lanes(b.linear),
            machine.lanes(c.linear),
            machine.lanes(d.linear),
        ];
        let angular = [
            machine.lanes(a.angular),
            machine.lanes(b.angular),
            machine.lanes(c.angular),
            machine.lanes(d.angular),
        ];
        let [x, y, z, inverse_mass] = L::transposed(linear);
        let velocity = Vector { x, y, z };
        let [x, y, z, inverse_radius] = L::transposed(angular);
        Sphere { velocity, inverse_mass, spin: Vector { x, y, z }, inverse_radius }
    }

    /// Writes the velocities of the lanes with a contact.
    #[inline(always)]
    fn store(&self, at: &[u32; LANES], count: u32, bodies: &mut [Body]) {
        let Vector { x, y, z } = self.velocity;
        let linear = L::transposed([x, y, z, self.inverse_mass]);
        let Vector { x, y, z } = self.spin;
        let angular = L::transposed([x, y, z, self.inverse_radius]);
        for k in 0..LANES {
            if k < count as usize {
                let body = &mut bodies[at[k] as usize];
                (body.linear, body.angular) = (linear[k].array(), angular[k].array());
            }
        }
    }
}

/// Four vectors.
#[derive(Clone, Copy)]
struct Vector<L> {
    x: L,
    y: L,
    z: L,
}

impl<L: Lanes> Vector<L> {
    #[inline(always)]
    fn dot(self, other: Self) -> L {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline(always)]
    fn cross(self, other: Self) -> Self {
        Vector {
            x: self.y * other.z - other.y * self.z,
            y: self.z * other.x - other.z * self.x,
            z: self.x * other.y - other.x * self.y,
        }
    }
}

impl<L: Lanes> Add for Vector<L> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Vector { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }
}

impl<L: Lanes> Sub for Vector<L> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Vector { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }
}

impl<L: Lanes> Mul<L> for Vector<L> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: L) -> Self {
        Vector { x: self.x * factor, y: self.y * factor, z: self.z * factor }
    }
}

#[inline(always)]
fn placed<M: Machine>(machine: M, at: &[u32; LANES], places: &[Place]) -> [M::Lanes; LANES] {
    let [a, b, c, d] = [at[0] as usize, at[1] as usize, at[2] as usize, at[3] as usize];
    M::Lanes::transposed([
        machine.lanes(places[a].sphere),
        machine.lanes(places[b].sphere),
        machine.lanes(places[c].sphere),
        machine.lanes(places[d].sphere),
    ])
}

#[inline(always)]
fn load<M: Machine>(machine: M, values: &[Four; 3]) -> Vector<M::Lanes> {
    Vector { x: machine.lanes(values[0]), y: machine.lanes(values[1]), z: machine.lanes(values[2]) }
}

#[inline(always)]
fn store<L: Lanes>(vector: Vector<L>, values: &mut [Four; 3]) {
    *values = [vector.x.array(), vector.y.array(), vector.z.array()];
}

#[inline(always)]
fn singles<M: Machine>(machine: M, values: [f32; LANES]) -> M::Lanes {
    let [a, b, c, d] = values;
    machine.lanes([f64::from(a), f64::from(b), f64::from(c), f64::from(d)])
}

/// Vectors, shortened to a length.
#[inline(always)]
fn shortened<M: Machine>(machine: M, v: Vector<M::Lanes>, bound: M::Lanes) -> Vector<M::Lanes> {
    let square = v.dot(v);
    let long = square.above(bound * bound);
    let one = machine.splat(1.0);
    v * long.select(bound.over(long.select(square, one).sqrt()), one)
}
