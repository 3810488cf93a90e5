//! FL14, FL21, FL22, FL26, FL36: lines in water.

use crate::basin::*;
use crate::kit::*;
use glam::{DQuat, DVec3};
use std::f64::consts::{FRAC_PI_4, PI};
use windlass_engine::prelude::*;
use windlass_fluid::current::{Current, CurrentProfile};
use windlass_fluid::schedule::TimeFactor;
use windlass_fluid::{AddedMass, Fluid, HullShape, ImmersedCable};

/// A cable between two ends along a line, in water.
pub struct Line {
    pub section: Section,
    pub ends: [End; 2],
    pub path: Vec<DVec3>,
    pub length: f64,
    pub elements: usize,
    pub surface: Option<u16>,
}

impl Line {
    /// Adds it to a world.
    pub fn lay(self, world: &mut World) -> CableId {
        let Line { section, ends, path, length, elements, surface } = self;
        let spec = CableSpec::new("line", section, path);
        world.add_cable(CableSpec { ends, length: Some(length), elements, surface, ..spec }).unwrap()
    }
}

/// A cable in water with the coefficients of a smooth rope: drag 1.2 and 0.01, added mass 1 and 0.
pub fn wetted(world: &World, cable: CableId, diameter: f64) -> ImmersedCable {
    let cable = world.model().cables().get(cable).unwrap();
    ImmersedCable {
        elements: cable.elements.iter().map(|id| (*id, cable.element)).collect(),
        diameter,
        drag_diameter: diameter,
        normal: 1.2,
        tangential: 0.01,
        added: [1.0, 0.0],
    }
}

/// A uniform, steady current.
pub fn current(velocity: DVec3) -> Option<Current> {
    Some(Current::new(CurrentProfile::Uniform(velocity), TimeFactor::Constant(1.0)).unwrap())
}

/// Steps, while all motion is slowed down, until nothing moves faster than a speed [m/s]; then a second at each step of
/// the catalogue under the standing conditions. Calls `look` at the end of each.
pub fn at_rest(rig: &mut Rig, slow: f64, mut look: impl FnMut(&mut World, f64)) {
    rig.world.set(|s| s.dt = STEPS[0]).unwrap();
    let mut calm = 0;
    for k in 0.. {
        assert!(k < 20_000, "it does not come to rest");
        let report = rig.world.step();
        assert!(report.fault.is_none(), "{:?}", report.fault);
        let fastest = rig.world.state().bodies.iter().fold(0.0, |m: f64, b| m.max(b.velocity.length()));
        calm = if fastest < slow { calm + 1 } else { 0 };
        if calm > 60 {
            break;
        }
        let mut state = rig.world.state().clone();
        for body in &mut state.bodies {
            (body.velocity, body.angular_velocity) = (body.velocity * 0.95, body.angular_velocity * 0.95);
        }
        rig.world.restore(state).unwrap();
    }
    for dt in STEPS {
        rig.world.set(|s| s.dt = dt).unwrap();
        rig.widest = if dt <= 1e-3 { 1e-4 } else { 1e-2 };
        rig.run(if dt <= 1e-3 { 0.3 } else { 1.0 }, |_, _| {});
        look(&mut rig.world, dt);
    }
}

/// Force of a cable on what holds its last end [N].
fn end_force(world: &mut World, cable: CableId) -> DVec3 {
    let link = *world.model().cables().get(cable).unwrap().links.last().unwrap();
    world.reaction(link, 1).unwrap().force
}

/// A frictionless floor whose top is at a height.
fn add_floor(rig: &mut Rig, height: f64) {
    let mut surfaces = Surfaces::default();
    surfaces.set(0, 0, ContactParameters { stick: 0.0, slide: 0.0, ..ContactParameters::default() });
    rig.world.edit(Edit::SetSurfaces(Box::new(surfaces))).unwrap();
    let floor = Body::fixed("floor").with_collider(Collider::of(Geometry::HalfSpace));
    rig.world.add_body(floor, DVec3::Z * height, DQuat::IDENTITY).unwrap();
}

/// FL14: the chain starts along the floor and straight up to the fairlead.
#[test]
fn fl14_mooring_chain() {
    let diameter = (126.0 / (FRAC_PI_4 * 7850.0)).sqrt();
    let mut rig = Rig::new(STEPS[0], Integrator::Spook);
    // the axis of the chain on the floor is as deep as the anchor
    add_floor(&mut rig, -100.0 - 0.5 * diameter);
    let ends = [DVec3::Z * -100.0, DVec3::X * 260.0];
    // (260 − x)² + 100² = (300 − x)²
    let rest: f64 = 300.0 - 260.0;
    let touchdown = 260.0 - (100.0 * 100.0 - rest * rest) / (2.0 * rest);
    let line = Line {
        section: Section { diameter, ..section(126.0, 5e8, 0.0, 0.0) },
        ends: ends.map(|p| End::Ball(Anchor::point(rig.ground, p))),
        path: vec![ends[0], DVec3::new(touchdown, 0.0, -100.0), ends[1]],
        length: 300.0,
        elements: 60,
        surface: Some(0),
    };
    let cable = line.lay(&mut rig.world);
    let mut full = water(SEA, None);
    let wet = wetted(&rig.world, cable, diameter);
    full.cables.push(ImmersedCable { normal: 2.4, tangential: 1.15, added: [1.0, 0.5], ..wet });
    full.fill(&mut rig);
    at_rest(&mut rig, 1e-3, |world, dt| {
        let case = Case::new("FL14", Integrator::Spook, dt);
        let force = end_force(world, cable);
        case.finds("horizontal force", force.x.abs());
        case.finds("tension at the fairlead", force.length());
        let elements = &world.model().cables().get(cable).unwrap().elements;
        let low = |id: &&BodyId| world.state().bodies[id.index()].position.z < -100.0 + 0.02;
        case.finds("length on the floor", 5.0 * elements.iter().filter(low).count() as f64);
    });
}

#[test]
fn fl21_buoyant_arch() {
    let diameter = 0.06;
    let mut rig = Rig::new(STEPS[0], Integrator::Spook);
    add_floor(&mut rig, -0.5 * diameter);
    let ends = [DVec3::X * -20.0, DVec3::X * 20.0];
    let line = Line {
        section: Section { diameter, ..section(1.6, 1e7, 0.0, 0.0) },
        ends: ends.map(|p| End::Ball(Anchor::point(rig.ground, p))),
        path: sagging(ends[0], ends[1], 60.0, DVec3::Z, 200),
        length: 60.0,
        elements: 40,
        surface: Some(0),
    };
    let cable = line.lay(&mut rig.world);
    let mut full = water(SEA, Some(60.0));
    full.cables.push(wetted(&rig.world, cable, diameter));
    full.fill(&mut rig);
    at_rest(&mut rig, 1e-3, |world, dt| {
        let case = Case::new("FL21", Integrator::Spook, dt);
        let readings = world.cable_readings(cable);
        case.finds("height of the arch", readings[20].point.z);
        case.finds(
            "tension at the ends, at the top",
            [end_force(world, cable).length(), readings[20].tension],
        );
    });
}

/// FL22: seen from the ship, the water flows past.
#[test]
fn fl22_towed_cable() {
    let (diameter, speed) = (0.02, 3.0);
    let mass = 8.0 / G + SEA * FRAC_PI_4 * diameter * diameter;
    let mut rig = Rig::new(STEPS[0], Integrator::Spook);
    let tilt = 10f64.to_radians();
    let end = DVec3::new(libm::cos(tilt), 0.0, -libm::sin(tilt)) * 200.0;
    let line = Line {
        section: Section { diameter, ..section(mass, 1e7, 0.0, 0.0) },
        ends: [End::Free, End::Ball(Anchor::point(rig.ground, DVec3::ZERO))],
        path: vec![end, DVec3::ZERO],
        length: 200.0,
        elements: 40,
        surface: None,
    };
    let cable = line.lay(&mut rig.world);
    let mut full = water(SEA, None);
    full.fluids[0].current = current(DVec3::X * speed);
    full.cables.push(wetted(&rig.world, cable, diameter));
    full.fill(&mut rig);
    at_rest(&mut rig, 1e-3, |world, dt| {
        let case = Case::new("FL22", Integrator::Spook, dt);
        let elements = &world.model().cables().get(cable).unwrap().elements;
        let axis = world.state().bodies[elements[20].index()].orientation * DVec3::Z;
        case.finds("angle below the horizontal", libm::atan2(axis.z, -axis.x).to_degrees());
        case.finds("tension at the ship", end_force(world, cable).length());
    });
}

#[test]
fn fl26_buoy_on_a_tether() {
    let (diameter, radius) = (0.02, 0.5);
    let line_mass = 5.0 / G + SEA * FRAC_PI_4 * diameter * diameter;
    let volume = 4.0 / 3.0 * PI * radius * radius * radius;
    let mut rig = Rig::new(STEPS[0], Integrator::Spook);
    let top = DVec3::new(17.0, 0.0, 98.2);
    let mass = Mass::of_total(&Shape::Sphere { radius }, SEA * volume - 5000.0 / G).unwrap();
    let buoy = rig.body("buoy", mass, top);
    let line = Line {
        section: Section { diameter, ..section(line_mass, 1e8, 0.0, 0.0) },
        ends: [
            End::Ball(Anchor::point(buoy, DVec3::ZERO)),
            End::Ball(Anchor::point(rig.ground, DVec3::ZERO)),
        ],
        path: vec![top, DVec3::ZERO],
        length: 100.0,
        elements: 40,
        surface: None,
    };
    let cable = line.lay(&mut rig.world);
    let added = SpatialMatrix::from_diagonal(DVec3::splat(0.5 * volume), DVec3::ZERO);
    let mut full = water(SEA, None).with(buoy, HullShape::Sphere(radius)).drag(0.5 * PI * radius * radius);
    full = full.set(|body| body.added_mass = AddedMass::PerDensity(added));
    full.fluids[0] = Fluid { current: current(DVec3::X), ..Fluid::still("sea", SEA, None) };
    full.cables.push(wetted(&rig.world, cable, diameter));
    full.fill(&mut rig);
    at_rest(&mut rig, 1e-4, |world, dt| {
        let case = Case::new("FL26", Integrator::Spook, dt);
        let place = world.state().bodies[buoy.index()].position;
        case.finds("buoy: downstream of the anchor, above it", [place.x, place.z]);
        case.finds("tension at the anchor", end_force(world, cable).length());
    });
}

/// First frequency of a taut line, in water or in air [Hz].
fn first_frequency(dt: f64, is_wet: bool) -> f64 {
    let mut rig = Rig::new(dt, Integrator::Spook).under(DVec3::ZERO);
    let ends = [DVec3::ZERO, DVec3::X * 20.0];
    let bow = |k: usize| {
        let x = 0.1 * k as f64;
        DVec3::new(x, 0.0, 0.05 * libm::sin(PI * x / 20.0))
    };
    // 20 kN stretch it by 1 %; its mass is that of 4 kg/m when stretched
    let line = Line {
        section: Section { diameter: 0.05, ..section(4.0 * 1.01, 2e6, 0.0, 0.0) },
        ends: ends.map(|p| End::Ball(Anchor::point(rig.ground, p))),
        path: (0..=200).map(bow).collect(),
        length: 20.0 / 1.01,
        elements: 20,
        surface: None,
    };
    let cable = line.lay(&mut rig.world);
    if is_wet {
        let mut full = water(FRESH, None);
        let mut wet = ImmersedCable { normal: 0.0, tangential: 0.0, ..wetted(&rig.world, cable, 0.05) };
        wet.elements.iter_mut().for_each(|element| element.1 = 1.0);
        full.cables.push(wet);
        full.fill(&mut rig);
    }
    let middle = rig.world.model().cables().get(cable).unwrap().elements[10];
    let trace = rig.trace(5.0, |world| world.state().bodies[middle.index()].position.z);
    1.0 / period(&trace)
}

#[test]
fn fl36_line_plucked_in_water() {
    for dt in STEPS {
        let case = Case::new("FL36", Integrator::Spook, dt);
        case.finds("first frequency in water, in air", [true, false].map(|wet| first_frequency(dt, wet)));
    }
}
