//! A warm step with mass-point cables allocates nothing.

use crate::kit;

use glam::{DQuat, DVec3};
use kit::counting::allocated;
use windlass_engine::prelude::*;
use windlass_mass_point_cable::*;

/// A cable held by a free body, led by a hand and dragged over a box.
#[test]
fn a_warm_step_of_mass_points_does_not_allocate() {
    for stepper in [Integrator::Spook, Integrator::Projected] {
        let mut world = World::default();
        world.set(|s| s.integrator = stepper).unwrap();
        let shape = Shape::Box { half: DVec3::splat(0.1) };
        let ground = Body::fixed("ground").with_collider(Collider::new(shape.clone()));
        world.add_body(ground, DVec3::ZERO, DQuat::IDENTITY).unwrap();
        let plug = Body::dynamic("plug", Mass::of_total(&shape, 0.1).unwrap());
        let plug = world.add_body(plug, DVec3::new(0.3, 0.0, 0.2), DQuat::IDENTITY).unwrap();
        let properties = CableProperties { stretch: 2e4, bend: 1e-3, mass: 0.05, diameter: 0.005 };
        let ends = [DVec3::new(-0.3, 0.0, 0.2), DVec3::new(0.3, 0.0, 0.2)];
        let mut cable = MassPointCable::along("cable", &ends, 24, properties)
            .held(24, Anchor::point(plug, DVec3::ZERO))
            .led(PointTether::rigid(0, ends[0], 5.0));
        cable.yields = Some(Yield { moment: 0.01, hardening: 1e-4 });
        let id = MassPointCables::add(&mut world, cable).unwrap();
        for _ in 0..120 {
            world.step();
        }
        let (before, mut builds) = (allocated(), 0);
        for _ in 0..60 {
            assert!(world.step().fault.is_none());
            builds += world.subsystem_work::<MassPointCables>().unwrap().builds;
        }
        let count = allocated() - before;
        assert_eq!(count, 0, "{count} allocations in 60 steps of {stepper:?}");
        assert!(
            builds > 120 && MassPointCables::state(&world, id).unwrap().bends.iter().any(|s| s.spent > 0.0)
        );
    }
}
