//! Contact with the ground: tangent planes of its surface near a particle.
//!
//! The plane under the centre bounds a particle on gentle ground. Beside a face or in a furrow there are more: planes
//! at four points one radius away. A plane counts if the point of it that is closest to the centre lies on the
//! surface, not in the air above. The planes are kept for one interval of substeps.

use glam::{DVec3, dvec3};

/// Height of ground over the plane z = 0.
pub trait Heights: Sync {
    /// Height at a point [m].
    fn height(&self, x: f64, y: f64) -> f64;

    /// Upward unit normal at a point.
    fn normal(&self, x: f64, y: f64) -> DVec3;
}

/// A plane: its unit normal, and the product of the normal with its points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Plane {
    pub normal: DVec3,
    pub offset: f64,
}

impl Plane {
    pub fn distance(&self, q: DVec3) -> f64 {
        self.normal.dot(q) - self.offset
    }
}

/// The plane at a point of the surface; none if the ground has no height or no normal there.
fn plane_at(ground: &dyn Heights, x: f64, y: f64) -> Option<Plane> {
    let (height, normal) = (ground.height(x, y), ground.normal(x, y));
    let offset = normal.dot(dvec3(x, y, height));
    (offset.is_finite() && normal.z > 0.0).then_some(Plane { normal, offset })
}

/// Calls `found` with the planes that bound a sphere within `reach` of it, each with its number. Two planes whose
/// normals differ by less than 2.5 degrees count once.
pub(super) fn planes_near(
    ground: &dyn Heights,
    centre: DVec3,
    (radius, reach): (f64, f64),
    mut found: impl FnMut(u32, Plane),
) {
    let offsets = [(0.0, 0.0), (1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)];
    // within one radius the surface is lower than the sphere: most particles are not at the ground
    let least = centre.z - radius - reach;
    let height = |(dx, dy): (f64, f64)| ground.height(centre.x + radius * dx, centre.y + radius * dy);
    if offsets.iter().all(|offset| height(*offset) < least) {
        return;
    }
    let mut kept = [Plane::default(); 5];
    let mut count = 0;
    for (number, (dx, dy)) in offsets.into_iter().enumerate() {
        let Some(plane) = plane_at(ground, centre.x + radius * dx, centre.y + radius * dy) else { continue };
        let distance = plane.distance(centre);
        let foot = centre - plane.normal * distance;
        let on_surface = number == 0 || foot.z <= ground.height(foot.x, foot.y) + 0.02 * radius;
        let is_new = kept[..count].iter().all(|other| other.normal.dot(plane.normal) < 0.999);
        if distance < radius + reach && on_surface && is_new {
            kept[count] = plane;
            count += 1;
            found(number as u32, plane);
        }
    }
}
