//! A subsystem in one file: hydraulic accumulators, gas springs that remember how warm their gas is.
//!
//! A jack carries a load. Oil that it displaces compresses the gas of an accumulator, V = V₀ + A (d − d₀) with d the length of the
//! jack. Gas heats up as it is compressed and exchanges heat with its wall, with a thermal time constant τ
//! (Otis and Pourmovahed, J. Dyn. Sys. Meas. Control 107, 1985):
//!
//! ```text
//! p V = m R T        dT/dt = −(γ − 1) T V̇/V − (T − T_w)/τ        force on the load: (p − p_atm) A
//! ```
//!
//! `cargo run -p windlass-host --example accumulator -- lift.svg` runs a load of two tonnes, prints the pressure and writes a
//! picture.

use glam::{DQuat, DVec3};
use windlass_engine::prelude::*;
use windlass_engine::words::{SnapshotError, WordReader, WordWriter};
use windlass_export::Instant;
use windlass_export::built::{Roll, picture};
use windlass_export::svg::{Sheet, svg};

/// Ratio of the heat capacities of nitrogen.
const GAMMA: f64 = 1.4;
/// Standard atmosphere [Pa].
const ATMOSPHERE: f64 = 101_325.0;

/// One accumulator on its jack.
#[derive(Clone, Debug)]
pub struct Accumulator {
    /// Its name.
    pub name: String,
    /// The ends of the jack.
    pub ends: [Anchor; 2],
    /// Area of the jack's piston [m²].
    pub area: f64,
    /// Pressure [Pa] and volume [m³] of the gas at wall temperature when the jack has the length `length` [m].
    pub filling: (f64, f64),
    /// See `filling`.
    pub length: f64,
    /// Temperature of the wall [K].
    pub wall: f64,
    /// Thermal time constant τ [s].
    pub time: f64,
}

/// The gas of one accumulator.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gas {
    volume: f64,
    temperature: f64,
}

/// All accumulators of a world.
#[derive(Clone, Debug, Default)]
pub struct Accumulators(Vec<Accumulator>);

/// The gas of all of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gases(Vec<Gas>);

/// What can be done to them.
#[derive(Clone, Debug)]
pub enum Change {
    /// Inserts one at a place, with its gas as it was or at wall temperature.
    Insert(usize, Box<Accumulator>, Option<Gas>),
    /// Removes the one at a place.
    Remove(usize),
}

impl StatePart for Gases {
    fn write(&self, out: &mut WordWriter<'_>) {
        out.integers(&[self.0.len() as u64]);
        self.0.iter().for_each(|gas| out.numbers(&[gas.volume, gas.temperature]));
    }

    fn read(words: &mut WordReader<'_>) -> Result<Gases, SnapshotError> {
        let count = words.length(2)?;
        let mut gas = || Ok(Gas { volume: words.number()?, temperature: words.number()? });
        let gases = (0..count).map(|_| gas()).collect::<Result<_, _>>()?;
        words.zeros(1 + 2 * count)?;
        Ok(Gases(gases))
    }
}

impl Accumulator {
    /// Length of the jack and its direction, with the frames of its ends.
    fn jack(&self, bodies: &Bodies<'_>) -> (f64, DVec3, [Frame; 2]) {
        let frames = self.ends.each_ref().map(|end| bodies.frame(end));
        let between = frames[1].at - frames[0].at;
        (between.length(), between.normalize_or_zero(), frames)
    }

    /// Volume of the gas with the jack as it is [m³]: never less than a thousandth of what was filled in.
    fn volume(&self, bodies: &Bodies<'_>) -> f64 {
        let volume = self.filling.1 + self.area * (self.jack(bodies).0 - self.length);
        volume.max(1e-3 * self.filling.1)
    }

    /// The gas at another volume that is reached without exchange of heat.
    fn compressed(&self, gas: Gas, volume: f64) -> Gas {
        Gas { volume, temperature: gas.temperature * libm::pow(gas.volume / volume, GAMMA - 1.0) }
    }

    fn pressure(&self, gas: Gas) -> f64 {
        self.filling.0 * (self.filling.1 / gas.volume) * (gas.temperature / self.wall)
    }
}

impl Subsystem for Accumulators {
    const KEY: &'static str = "accumulators";
    const VERSION: u32 = 1;
    type State = Gases;
    type Work = ();
    type Edit = Change;

    fn loads(&self, view: &View<'_>, state: &Gases, (): &mut (), out: &mut Loads) {
        for (it, gas) in self.0.iter().zip(&state.0) {
            let (_, along, [base, rod]) = it.jack(&view.bodies);
            let gas = it.compressed(*gas, it.volume(&view.bodies));
            let force = along * ((it.pressure(gas) - ATMOSPHERE) * it.area);
            out.push(&base, -force);
            out.push(&rod, force);
        }
    }

    fn advance(
        &self,
        view: &View<'_>,
        step: &mut Advance<'_>,
        (now, next): (&Gases, &mut Gases),
        (): &mut (),
    ) -> [Energy; 2] {
        let bodies = Bodies { states: step.bodies, ..view.bodies };
        for (it, gas) in self.0.iter().zip(&mut next.0) {
            *gas = it.compressed(*gas, it.volume(&bodies));
            let cooling = libm::exp(-view.settings.dt / it.time);
            gas.temperature = it.wall + (gas.temperature - it.wall) * cooling;
        }
        [self.energy(view, now), self.energy(view, next)]
    }

    /// The heat in the gas, p V/(γ − 1).
    fn energy(&self, _: &View<'_>, state: &Gases) -> Energy {
        let heat = |(it, gas): (&Accumulator, &Gas)| it.pressure(*gas) * gas.volume / (GAMMA - 1.0);
        Energy { elastic: self.0.iter().zip(&state.0).map(heat).sum(), ..Energy::default() }
    }

    fn accepts(&self, _: &View<'_>, state: &Gases) -> Result<(), Misfit> {
        if state.0.len() != self.0.len() {
            return Err(Misfit::OtherModel);
        }
        let sound = |gas: &Gas| gas.volume > 0.0 && gas.temperature > 0.0 && gas.temperature < 1e10;
        if state.0.iter().all(sound) { Ok(()) } else { Err(Misfit::Unsound) }
    }

    fn apply(&mut self, edit: Change, state: &mut Gases, view: &View<'_>) -> Result<Change, Refusal> {
        match edit {
            Change::Insert(place, it, gas) => {
                let refused = |problem: &str| Refusal { what: it.name.clone(), problem: problem.to_owned() };
                if it.ends.iter().any(|end| view.bodies.list.get(end.body).is_none()) {
                    return Err(refused("a body of its jack is gone: choose another"));
                }
                let numbers = [it.area, it.filling.0, it.filling.1, it.length, it.wall, it.time];
                if place > self.0.len() || !numbers.iter().all(|x| *x > 0.0 && x.is_finite()) {
                    return Err(refused("give finite numbers above 0, and a place that there is"));
                }
                let fresh = || Gas { volume: it.volume(&view.bodies), temperature: it.wall };
                state.0.insert(place, gas.unwrap_or_else(fresh));
                self.0.insert(place, *it);
                Ok(Change::Remove(place))
            }
            Change::Remove(place) if place < self.0.len() => {
                Ok(Change::Insert(place, Box::new(self.0.remove(place)), Some(state.0.remove(place))))
            }
            Change::Remove(place) => {
                Err(Refusal { what: format!("accumulator {place}"), problem: "there is none".to_owned() })
            }
        }
    }

    fn body_removed(&mut self, body: BodyId, state: &mut Gases) -> Vec<Change> {
        let on = |it: &Accumulator| it.ends.iter().any(|end| end.body == body);
        let gone = (0..self.0.len()).rev().filter(|k| on(&self.0[*k])).collect::<Vec<_>>();
        let remove = |k| Change::Insert(k, Box::new(self.0.remove(k)), Some(state.0.remove(k)));
        gone.into_iter().map(remove).collect()
    }

    fn bodies(&self) -> Vec<BodyId> {
        self.0.iter().flat_map(|it| it.ends).map(|end| end.body).collect()
    }

    fn quantities(&self) -> Vec<Quantity> {
        let of = |it: &Accumulator| {
            let quantity = |name, unit, doc| Quantity { item: it.name.clone(), name, unit, doc };
            [
                quantity("pressure", "Pa", "pressure of the gas, absolute"),
                quantity("temperature", "K", "temperature of the gas"),
            ]
        };
        self.0.iter().flat_map(of).collect()
    }

    fn read(&self, _: &View<'_>, state: &Gases, number: usize) -> f64 {
        let (it, gas) = (&self.0[number / 2], state.0[number / 2]);
        if number.is_multiple_of(2) { it.pressure(gas) } else { gas.temperature }
    }

    /// The jack, and its oil beside it: as high as the jack is short.
    fn drawings(&self, view: &View<'_>, _: &Gases) -> Vec<Drawing> {
        let of = |it: &Accumulator| {
            let (_, _, [base, rod]) = it.jack(&view.bodies);
            let radius = libm::sqrt(it.area / std::f64::consts::PI);
            let tube = |points: [DVec3; 2], color| Drawing {
                name: it.name.clone(),
                points: points.to_vec(),
                radius,
                color,
            };
            let aside = DVec3::X * 0.6;
            let oil = DVec3::Z * (0.3 + it.length - (rod.at - base.at).length()).max(1e-3);
            [
                tube([base.at, rod.at], [0.3, 0.3, 0.35]),
                tube([base.at + aside, base.at + aside + oil], [0.7, 0.45, 0.1]),
            ]
        };
        self.0.iter().flat_map(of).collect()
    }
}

/// A load on a jack, guided upright, with an accumulator at the pressure that carries it.
pub fn lift(mass: f64) -> Result<(World, BodyId), EditError> {
    let mut world = World::default();
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY)?;
    let shape = Shape::Box { half: DVec3::new(0.5, 0.5, 0.25) };
    let inertia =
        Mass::of_total(&shape, mass).map_err(|source| EditError::Mass { name: "load".into(), source })?;
    let load = world.add_body(Body::dynamic("load", inertia), DVec3::Z * 1.25, DQuat::IDENTITY)?;
    let up = |body, z: f64| Anchor::point(body, DVec3::Z * z);
    world.add_joint(Joint::new(
        "guide",
        Slider { anchors: [up(ground, 1.25), up(load, 0.0)], axis: Axis::free() },
    ))?;
    let area = 2e-3;
    world.edit_subsystem::<Accumulators>(Change::Insert(
        0,
        Box::new(Accumulator {
            name: "lift".into(),
            ends: [up(ground, 0.0), up(load, -0.25)],
            area,
            filling: (mass * 9.81 / area + ATMOSPHERE, 0.01),
            length: 1.0,
            wall: 293.15,
            time: 20.0,
        }),
        None,
    ))?;
    Ok((world, load))
}

#[allow(dead_code, reason = "a test takes the rest of this file")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (world, load) = lift(2000.0)?;
    let scene = windlass_scene::parse("windlass = 2\n", "accumulator")?;
    let mut built = scene.build()?;
    built.world = world;
    built.world.set_velocity(load, DVec3::Z * -0.5, DVec3::ZERO)?;
    let world = &mut built.world;
    let (_, pressure, quantity) = world.quantities().swap_remove(0);
    println!("time [s]  {} [{}]", quantity.name, quantity.unit);
    for step in 0..=600 {
        if step % 60 == 0 {
            println!("{:8.2}  {:.0}", world.state().time, world.read_quantity(pressure));
        }
        if let Some(fault) = world.step().fault {
            return Err(fault.to_string().into());
        }
    }
    let mut roll = Roll::of(&built);
    roll.take(&built.world);
    let reel = roll.reel(1.0, built.world.state().time);
    let picture = picture(&built, &built.world, &reel, None)?;
    let instant = Instant { time: reel.start, poses: &reel.frames[0], ties: &[], reliefs: &[] };
    if let Some(path) = std::env::args().nth(1) {
        std::fs::write(path, svg(&picture, &instant, &Sheet::default())?)?;
    }
    Ok(())
}
