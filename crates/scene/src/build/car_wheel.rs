//! Joints of wheels on a chassis: axes in the world → frames in chassis and wheel.

use super::Builder;
use super::place::Pose;
use crate::number::{Numbers, Plain};
use crate::text::joint as text;
use glam::{DQuat, DVec3};
use std::ops::Range;
use windlass_engine::math;
use windlass_engine::prelude::{Axis, CarWheel, Drive, JointKind};

/// Sine of the least angle between the axis of a wheel and its steering axis: 5°.
const LEAST_ANGLE: f64 = 0.087;

impl Builder {
    /// A wheel on a chassis.
    pub fn car_wheel(&mut self, span: Range<usize>, j: &text::CarWheel) -> Option<JointKind> {
        let bodies = self.pair(&j.bodies);
        let axle = self.world_direction("axis", &j.axis, DVec3::Y);
        let steering = self.world_direction("steering_axis", &j.steering_axis, DVec3::Z);
        let travel = self.world_direction("travel_axis", &j.travel_axis, DVec3::Z);
        let at = j.at.as_ref().map(|at| self.problems.vector("at", at));
        let options = self.axis_or_free(span.clone(), &j.travel);
        let rotation = self.axis_or_free(span.clone(), &j.rotation);
        let angle = match &j.steering {
            Some(_) => self.axis_or_free(span.clone(), &j.steering),
            None => Some(Axis::driven(Drive::Lock(0.0))),
        };
        let ([chassis, wheel], axle, steering, travel) = (bodies?, axle?, steering?, travel?);
        let at = at.map_or(Some(wheel.pose.at), |at| Some(self.group.point(at?)))?;
        let inclination = steering.dot(axle);
        for (key, other) in [("steering_axis", steering), ("travel_axis", travel)] {
            if axle.cross(other).length() < LEAST_ANGLE {
                let message = format!("`{key}` is along the axis of the wheel");
                self.problems.advise(span, message, "give an axis across it, such as [0, 0, 1]");
                return None;
            }
        }
        // x along the steering axis, z as close to the wheel's axis as possible
        let base = Pose::along(at, (axle - steering * inclination).normalize(), Some(steering));
        let tilted = base.orientation * DQuat::from_rotation_y(libm::asin(inclination));
        let own = Pose { at, orientation: math::unit(tilted) };
        Some(
            CarWheel {
                anchors: [base.on(&chassis), own.on(&wheel)],
                travel: base.orientation.inverse() * travel,
                inclination,
                axes: [options?, angle?, rotation?],
            }
            .into(),
        )
    }

    /// A direction given in the axes of the group, in the world.
    fn world_direction(&mut self, key: &str, given: &Option<Numbers<Plain>>, usual: DVec3) -> Option<DVec3> {
        let own = given.as_ref().map_or(Some(usual), |v| self.problems.direction(key, v))?;
        Some(self.group.vector(own))
    }
}
