//! Lines in water under hard conditions, and single elements against closed forms.

use crate::basin::*;
use crate::fl_cables::{Line, current, wetted};
use crate::kit::*;
use glam::{DQuat, DVec3};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, TAU};
use windlass_engine::math;
use windlass_engine::prelude::*;
use windlass_fluid::current::{Current, CurrentProfile};
use windlass_fluid::schedule::TimeFactor;
use windlass_fluid::waves::{Order, RegularWave, Water, Waves};
use windlass_fluid::{Fluid, FluidEdit, Fluids, HullShape, ImmersedCable, Layers};

/// Integrators, with a step that each can take with links of cables.
const INTEGRATORS: [(Integrator, f64); 2] = [(Integrator::Spook, 1.0 / 60.0), (Integrator::Projected, 1e-3)];

/// A line from one point of the ground to another, or to a free end.
fn line(rig: &mut Rig, ends: [DVec3; 2], section: Section, elements: usize) -> CableId {
    let anchor = End::Ball(Anchor::point(rig.ground, ends[0]));
    let length = ends[0].distance(ends[1]);
    let (ends, path) = ([anchor, End::Free], ends.to_vec());
    Line { section, ends, path, length, elements, surface: None }.lay(&mut rig.world)
}

/// A regular wave of a height and 6 s on deep water.
fn sea(height: f64) -> Fluid {
    let wave = RegularWave { height, period: 6.0, direction: 0.0, phase: 0.0, order: Order::Airy };
    let waves = Waves::regular(&wave, Water { depth: f64::INFINITY, gravity: G }).unwrap();
    Fluid { waves: Some(waves), ..Fluid::still("sea", SEA, Some(0.0)) }
}

/// A level element of 1 m and 0.1 m diameter, of a density, on its own; added mass 1 across, no drag.
fn lone(rig: &mut Rig, density: f64, at: DVec3) -> (BodyId, ImmersedCable) {
    let mass = density * FRAC_PI_4 * 0.01;
    let moments = DVec3::new(mass / 12.0, mass / 12.0, mass * 0.01 / 8.0);
    let mass = Mass::principal(mass, DVec3::ZERO, moments, DQuat::IDENTITY);
    let body = rig.turned("element", mass, at, math::turn(DVec3::X, FRAC_PI_2));
    let (diameter, drag_diameter) = (0.1, 0.1);
    let elements = vec![(body, 1.0)];
    let cable =
        ImmersedCable { elements, diameter, drag_diameter, normal: 0.0, tangential: 0.0, added: [1.0, 0.0] };
    (body, cable)
}

pub fn fill(rig: &mut Rig, fluid: Fluid, cable: ImmersedCable) {
    let mut full = water(fluid.density, None);
    (full.fluids, full.cables) = (vec![fluid], vec![cable]);
    full.fill(rig);
}

/// A heavy line through the surface and a light one on it, in waves of 2 m.
#[test]
fn lines_in_the_surface_of_waves_stay_bounded() {
    for (mass, far) in [(2.0, DVec3::new(0.0, 0.0, -10.0)), (0.5, DVec3::new(30.0, 0.0, 0.0))] {
        for dt in STEPS {
            let mut rig = Rig::new(dt, Integrator::Spook);
            let section = Section { diameter: 0.04, ..section(mass, 1e6, 0.0, 0.0) };
            let anchor = DVec3::Z * if far.x > 0.0 { 0.0 } else { 10.0 };
            let cable = line(&mut rig, [anchor, far], section, 40);
            let wet = wetted(&rig.world, cable, 0.04);
            fill(&mut rig, sea(2.0), wet);
            let weight = mass * anchor.distance(far) * G;
            for _ in 0..(if dt < 1e-2 { 3.0 } else { 30.0 } / dt) as usize {
                let report = rig.world.step();
                assert!(report.fault.is_none(), "{:?}", report.fault);
                // orbital motion is 1 m/s
                assert!(report.energy.kinetic < weight, "{} J, {weight} N", report.energy.kinetic);
            }
            let readings = rig.world.cable_readings(cable);
            let tip = readings.last().unwrap().point;
            assert!(tip.length() < 40.0 && tip.is_finite(), "{tip}");
            if far.x > 0.0 {
                assert!(tip.z.abs() < 1.5, "a light line floats: {tip}");
            }
        }
    }
}

#[test]
fn a_restored_run_ends_in_the_same_bits() {
    for (integrator, dt) in INTEGRATORS {
        let mut rig = Rig::new(dt, integrator);
        let section = Section { diameter: 0.04, ..section(2.0, 1e5, 10.0, 10.0) };
        let cable = line(&mut rig, [DVec3::Z * 3.0, DVec3::new(4.0, 0.0, -4.0)], section, 12);
        let wet = wetted(&rig.world, cable, 0.04);
        fill(&mut rig, Fluid { current: current(DVec3::Y), ..sea(1.0) }, wet);
        for _ in 0..60 {
            assert!(rig.world.step().fault.is_none());
        }
        let half = rig.world.state().clone();
        let run = |world: &mut World| {
            for _ in 0..60 {
                world.step();
            }
            world.state().hash()
        };
        let first = run(&mut rig.world);
        rig.world.restore(half).unwrap();
        assert_eq!(run(&mut rig.world), first);
    }
}

/// The water rises above a moving line and falls below it in turn: its kinetic energy never grows.
#[test]
fn elements_that_enter_and_leave_each_step_gain_no_energy() {
    for (integrator, dt) in INTEGRATORS {
        let mut rig = Rig::new(dt, integrator).under(DVec3::ZERO);
        let section = Section { diameter: 0.04, ..section(2.0, 1e6, 0.0, 0.0) };
        let cable = line(&mut rig, [DVec3::ZERO, DVec3::X * 10.0], section, 10);
        let elements = rig.world.model().cables().get(cable).unwrap().elements.clone();
        for (k, id) in elements.into_iter().enumerate() {
            let arm = k as f64 + 0.5;
            rig.moving(id, DVec3::new(0.0, 0.3, 0.4) * arm, DVec3::new(0.0, -0.4, 0.3));
        }
        let wet = wetted(&rig.world, cable, 0.04);
        let (mut last, mut first) = (f64::INFINITY, 0.0);
        for k in 0..200 {
            let level = if k % 2 == 0 { 20.0 } else { -20.0 };
            fill(&mut rig, Fluid::still("sea", SEA, Some(level)), wet.clone());
            let report = rig.world.step();
            assert!(report.fault.is_none(), "{:?}", report.fault);
            let bodies = rig.world.model().bodies().iter().filter(|(_, body)| body.is_dynamic());
            let own: f64 = bodies
                .map(|(place, body)| {
                    let state = &rig.world.state().bodies[place];
                    let spin = state.orientation.inverse() * state.angular_velocity;
                    0.5 * (body.mass.mass * state.velocity.length_squared()
                        + spin.dot(body.mass.inertia * spin))
                })
                .sum();
            first = if k == 0 { own } else { first };
            // links give back a little of what they store
            assert!(own < last + 1e-4 * first, "{k}: {own} J after {last} J");
            last = own;
        }
        assert!(last < 1e-3 * first, "{last} J of {first} J are left");
    }
}

/// A free element in a stream U₀ sin ωt across it moves (1 + C_a)/(s + C_a) as fast.
#[test]
fn an_element_follows_an_oscillating_stream() {
    for (integrator, dt) in INTEGRATORS {
        let mut rig = Rig::new(dt, integrator).under(DVec3::ZERO);
        let (body, cable) = lone(&mut rig, 500.0, DVec3::ZERO);
        let profile = CurrentProfile::Uniform(DVec3::X * 0.2);
        let factor = TimeFactor::Sine { mean: 0.0, amplitude: 1.0, frequency: 2.0 / TAU, phase: 0.0 };
        let stream = Some(Current::new(profile, factor).unwrap());
        fill(&mut rig, Fluid { current: stream, ..Fluid::still("water", FRESH, None) }, cable);
        let trace = rig.trace(2.0, |world| world.inspect().body(body).unwrap().twist.velocity.x);
        for (time, speed) in trace {
            near("speed", speed, 2.0 / 1.5 * 0.2 * libm::sin(2.0 * time), 2e-4);
        }
    }
}

/// Its momentum is kept while a level element enters: 1/(1 + C_a/s) of its speed is left; on its way out nothing changes.
#[test]
fn an_element_is_slowed_down_as_it_enters() {
    for (integrator, dt) in INTEGRATORS {
        for (start, speed, end) in [(0.3, -2.0, -2.0 / 3.0), (-0.3, 2.0, 2.0)] {
            let mut rig = Rig::new(dt, integrator).under(DVec3::ZERO);
            let (body, cable) = lone(&mut rig, 500.0, DVec3::Z * start);
            fill(&mut rig, Fluid::still("water", FRESH, Some(0.0)), cable);
            rig.moving(body, DVec3::Z * speed, DVec3::ZERO);
            rig.run(1.0, |_, _| {});
            near("speed", rig.world.state().bodies[body.index()].velocity.z, end, 1e-9);
        }
    }
}

/// A level element in the surface: half of its buoyancy; and no gain of energy while it bobs.
#[test]
fn a_floating_element_bobs_without_gain() {
    let mut rig = Rig::new(1.0 / 60.0, Integrator::Spook);
    let (body, cable) = lone(&mut rig, 500.0, DVec3::Z * 0.04);
    fill(&mut rig, Fluid::still("water", FRESH, Some(0.0)), cable);
    let start = rig.world.energy().total();
    let mut highest = f64::NEG_INFINITY;
    rig.run(20.0, |world, _| highest = highest.max(world.energy().total()));
    let scale = 500.0 * FRAC_PI_4 * 0.01 * G * 0.04;
    assert!(highest - start < 0.02 * scale, "{highest} J, {start} J, {scale} J");
    let action = Fluids::action(&rig.world, body).unwrap();
    near_part("half immersed", action.volume, 0.5 * FRAC_PI_4 * 0.01, 0.05);
}

#[test]
fn a_warm_step_does_not_allocate() {
    for (integrator, dt) in INTEGRATORS {
        let mut rig = Rig::new(dt, integrator);
        let section = Section { diameter: 0.04, ..section(2.0, 1e5, 10.0, 10.0) };
        let cable = line(&mut rig, [DVec3::Z * 3.0, DVec3::new(4.0, 0.0, -4.0)], section, 12);
        let wet = wetted(&rig.world, cable, 0.04);
        fill(&mut rig, Fluid { current: current(DVec3::Y), ..sea(1.0) }, wet);
        for _ in 0..60 {
            rig.world.step();
        }
        let before = counting::allocated();
        for _ in 0..60 {
            rig.world.step();
        }
        assert_eq!(counting::allocated(), before, "{integrator:?}");
    }
}

/// A line swings in water the same way with both kinds of integrators.
#[test]
fn integrators_agree() {
    let tip = |integrator, dt| {
        let mut rig = Rig::new(dt, integrator);
        let section = Section { diameter: 0.04, ..section(4.0, 1e5, 0.0, 0.0) };
        let cable = line(&mut rig, [DVec3::ZERO, DVec3::new(3.0, 1.0, -1.0)], section, 8);
        let wet = wetted(&rig.world, cable, 0.04);
        fill(&mut rig, Fluid { current: current(DVec3::Y * 0.5), ..sea(0.5) }, wet);
        for _ in 0..(1.0 / dt).round() as usize {
            assert!(rig.world.step().fault.is_none());
        }
        rig.world.cable_readings(cable).last().unwrap().point
    };
    let (a, b) = (tip(Integrator::Spook, 1e-3), tip(Integrator::Projected, 1e-3));
    near_point("tip", a, b, 3e-3);
}

#[test]
fn removed_bodies_leave_the_fluid_and_come_back() {
    let mut rig = Rig::new(1.0 / 60.0, Integrator::Spook);
    let (first, mut cable) = lone(&mut rig, 500.0, DVec3::ZERO);
    let (second, other) = lone(&mut rig, 500.0, DVec3::X * 3.0);
    cable.elements.extend(other.elements);
    fill(&mut rig, Fluid::still("water", FRESH, None), cable);
    rig.world.step();
    let before = rig.world.state().hash();
    let undo = rig.world.edit(Edit::RemoveBody(first)).unwrap();
    assert!(Fluids::action(&rig.world, first).is_none());
    assert_eq!(Fluids::of(&rig.world).unwrap().cables[0].elements, vec![(second, 1.0)]);
    rig.world.edit(undo).unwrap();
    assert_eq!(rig.world.state().hash(), before);
    assert!(rig.world.step().fault.is_none());

    // one body cannot be in the fluid twice
    let twice = Fluids::of(&rig.world).unwrap().cables[0].clone();
    let layers = Layers::new(vec![Fluid::still("water", FRESH, None)]).unwrap();
    let fluids = Fluids { layers, cables: vec![twice.clone(), twice], ..Fluids::default() };
    assert!(rig.world.edit_subsystem::<Fluids>(fluids.set()).is_err());
}

/// Bodies and elements of two cables are removed one after another, and come back in reverse order.
#[test]
fn undo_puts_bodies_and_elements_back_in_their_places() {
    let mut rig = Rig::new(1.0 / 60.0, Integrator::Spook);
    let mut basin = water(FRESH, Some(0.0));
    let shape = Shape::Sphere { radius: 0.2 };
    let balls = [0.0, 1.0, 2.0].map(|y| rig.body("ball", solid(&shape, 700.0), DVec3::Y * y));
    for ball in balls {
        basin =
            basin.with(ball, HullShape::Sphere(0.2)).drag(0.05).added(DVec3::splat(15.0), DVec3::ZERO, 1.0);
    }
    let [(first, mut one), (second, other), (third, two)] =
        [5.0, 8.0, 11.0].map(|x| lone(&mut rig, 500.0, DVec3::X * x));
    one.elements.extend(other.elements);
    basin.cables = vec![one, two];
    basin.fill(&mut rig);
    for _ in 0..10 {
        assert!(rig.world.step().fault.is_none());
    }
    let fluids = |rig: &Rig| Fluids::of(&rig.world).unwrap().clone();
    let (before, hash) = (fluids(&rig), rig.world.state().hash());

    let remove = |rig: &mut Rig, id| {
        let undo = rig.world.edit(Edit::RemoveBody(id)).unwrap();
        assert!(Fluids::action(&rig.world, id).is_none());
        undo
    };
    let order = [balls[1], second, balls[0], third, first, balls[2]];
    let undo = order.map(|id| remove(&mut rig, id));
    let left = fluids(&rig);
    assert!(left.bodies.is_empty() && left.cables.iter().all(|cable| cable.elements.is_empty()));
    for edit in undo.into_iter().rev() {
        rig.world.edit(edit).unwrap();
    }
    assert_eq!((fluids(&rig), rig.world.state().hash()), (before.clone(), hash));

    // redone and undone once more
    let undo = remove(&mut rig, balls[1]);
    let redo = rig.world.edit(undo).unwrap();
    let undo = rig.world.edit(redo).unwrap();
    assert_eq!(fluids(&rig).bodies.iter().map(|b| b.body).collect::<Vec<_>>(), [balls[0], balls[2]]);
    rig.world.edit(undo).unwrap();
    assert_eq!((fluids(&rig), rig.world.state().hash()), (before.clone(), hash));

    // out of the fluid only; what is not in it cannot be taken out
    for id in order {
        let undo = rig.world.edit_subsystem::<Fluids>(FluidEdit::Remove(id)).unwrap();
        assert!(Fluids::action(&rig.world, id).is_none());
        assert!(rig.world.edit_subsystem::<Fluids>(FluidEdit::Remove(id)).is_err());
        rig.world.edit_subsystem::<Fluids>(undo).unwrap();
        assert_eq!((fluids(&rig), rig.world.state().hash()), (before.clone(), hash));
    }
    assert!(rig.world.step().fault.is_none());
}

/// Elements of all lengths are listed; those that are not present displace nothing.
#[test]
fn an_adaptive_line_keeps_its_buoyancy() {
    let mut rig = Rig::new(1.0 / 60.0, Integrator::Spook);
    let anchor = |at| End::Ball(Anchor::point(rig.ground, at));
    let ends = [DVec3::ZERO, DVec3::X * 30.0];
    let spec = CableSpec::new(
        "line",
        section(4.0, 1e6, 0.0, 0.0),
        sagging(ends[0], ends[1], 32.0, DVec3::NEG_Z, 64),
    );
    let adaptive = Some(Resolution { levels: 3, bend: 0.1, ..Resolution::default() });
    let spec = CableSpec { ends: ends.map(anchor), length: Some(32.0), elements: 64, adaptive, ..spec };
    let cable = rig.world.add_cable(spec).unwrap();
    let mut wet = wetted(&rig.world, cable, 0.05);
    let pool = rig.world.model().cables().get(cable).unwrap().pool.clone().unwrap();
    let levels = pool.elements.iter().enumerate();
    wet.elements =
        levels.flat_map(|(j, ids)| ids.iter().map(move |id| (*id, 0.5 * f64::from(1 << j)))).collect();
    fill(&mut rig, Fluid::still("water", FRESH, None), wet.clone());
    let mut fewest = usize::MAX;
    for _ in 0..600 {
        assert!(rig.world.step().fault.is_none());
        let here = wet.elements.iter().filter(|(id, _)| !rig.world.state().bodies[id.index()].inactive);
        fewest = fewest.min(here.count());
    }
    assert!(fewest < 40, "{fewest} elements: none were merged");
    let volume: f64 =
        wet.elements.iter().map(|(id, _)| Fluids::action(&rig.world, *id).unwrap().volume).sum();
    near_part("volume", volume, FRAC_PI_4 * 0.0025 * 32.0, 1e-12);
}
