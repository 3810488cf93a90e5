//! A warm step of soil allocates nothing: a tool that cuts and stalls, particles that rest and are pushed, slips, wheels
//! and tracks.

use crate::kit::counting::allocated;
use crate::soft_wheels::kit as wheels;
use crate::tracks;
use crate::world::{blade, run, set, soil, world};
use glam::{DQuat, dvec3};
use windlass_engine::prelude::*;
use windlass_soil::{Earthworks, ToolModel};

const STEP: f64 = 1.0 / 60.0;

/// Allocations of each of a number of steps.
fn allocations(world: &mut World, steps: usize) -> Vec<usize> {
    let each = |_| {
        let before = allocated();
        assert!(world.step().fault.is_none());
        allocated() - before
    };
    (0..steps).map(each).collect()
}

/// Does it on a thread of its own, so that all work is done where allocations are counted.
fn on_one_thread(test: impl FnOnce() + Send) {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(test);
}

/// A blade with a plate behind its face that has pushed soil together, in front of more of it.
fn pushing(drive: Drive) -> World {
    let (mut world, ground) = world(soil(35.0, 0.0, 22.0, 1650.0), [12.0, 4.0], 0.2, STEP);
    let plate = Collider::new(Shape::Box { half: dvec3(0.02, 0.5, 0.3) });
    let plate = Collider { mask: 0, ..plate.placed(dvec3(-0.2, 0.0, 0.3), DQuat::from_rotation_y(-0.5)) };
    let at = dvec3(-4.0, 0.0, -0.15);
    let (body, _, tool) = blade(&mut world, (1.0, 0.6, 60.0), (at, drive), vec![plate]);
    set(&mut world, vec![ground], vec![ToolModel { name: "blade".into(), body, ground: 0, tool }]);
    world
}

#[test]
fn a_blade_that_stands_in_soil_allocates_nothing() {
    on_one_thread(|| {
        // it cuts until its drive is too weak for what lies before it
        let mut world = pushing(Drive::motor(0.5, 1.5e3));
        run(&mut world, 6.0, |_| {});
        let (_, state) = world.subsystem::<Earthworks>().unwrap();
        // the wedge holds it, and the particles that its plate has pushed together
        let force = state.soil_loads.iter().fold(state.tools[0].force, |sum, burden| sum + burden.force);
        assert!(force.x < -500.0, "no soil before the blade: {:?}, {:?}", state.tools[0], state.soil_loads);
        let each = allocations(&mut world, 120);
        assert!(each.iter().all(|count| *count == 0), "{each:?}");
    });
}

/// While it cuts, tiles, layers and particles are new now and then: the state grows, the step itself takes nothing.
#[test]
fn a_blade_that_cuts_allocates_with_new_ground_only() {
    on_one_thread(|| {
        let mut world = pushing(Drive::motor(0.5, f64::INFINITY));
        run(&mut world, 4.0, |_| {});
        let each = allocations(&mut world, 120);
        let quiet = each.iter().filter(|count| **count == 0).count();
        assert!(quiet > 60, "{quiet} of 120 steps allocate nothing: {each:?}");
    });
}

/// Counts the steps of some time that allocate, of a machine that stands and of one that drives: only new ground does.
fn stands_and_drives(mut world: World, drive: impl Fn(&mut World)) {
    run(&mut world, 2.0, |_| {});
    let each = allocations(&mut world, 60);
    assert!(each.iter().all(|count| *count == 0), "it stands: {each:?}");
    drive(&mut world);
    run(&mut world, 0.5, |_| {});
    let each = allocations(&mut world, 60);
    let quiet = each.iter().filter(|count| **count == 0).count();
    assert!(quiet > 30, "{quiet} of 60 steps allocate nothing: {each:?}");
}

#[test]
fn a_wheel_on_soft_ground_allocates_with_new_ground_only() {
    on_one_thread(|| {
        let (mut world, ground) = wheels::world(wheels::sand(28.0, 1e3), ([8.0, 2.0], 0.1), STEP, |_| 0.0);
        let at = wheels::touching(-2.0, 0.5);
        let rig = wheels::rig(&mut world, (0.5, 5e3), at, wheels::Drives::towed(0.0));
        wheels::set(&mut world, ground, vec![wheels::wheel(rig.wheel, [0.5, 0.3])]);
        stands_and_drives(world, |world| {
            let joint = world.model().joint("rail").unwrap();
            let drive = Drive::motor(0.5, f64::INFINITY);
            world.edit(Edit::SetDrive { joint, coordinate: 0, drive }).unwrap();
        });
    });
}

#[test]
fn tracks_on_soft_ground_allocate_with_new_ground_only() {
    on_one_thread(|| {
        let (mut world, ground) = tracks::site(tracks::soil(tracks::SANDY_LOAM), [12.0, 5.0], STEP, 0.0);
        let size = tracks::Size { weight: 100e3, length: 3.0, width: 0.5, sides: &[1.0, -1.0] };
        let machine = tracks::machine(&mut world, &size, (dvec3(-3.0, 0.0, 0.0), DQuat::IDENTITY));
        tracks::set(&mut world, vec![ground], machine.tracks.clone());
        stands_and_drives(world, |world| tracks::drive(world, &machine, &[0.5, 0.5]));
    });
}
