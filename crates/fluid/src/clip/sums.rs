//! Sums over wet triangles, without the factors that all terms share.

use glam::DVec3;

use super::Cut;
use crate::immersion::WaterPlane;

/// Sums of the immersed part under a plane.
#[derive(Default)]
pub(super) struct PlaneSums {
    pub origin: DVec3,
    pub six_volume: f64,
    /// 24 ∫ (x − o) dV.
    pub moment: DVec3,
    pub double_area: f64,
    pub water_plane: WaterPlane,
}

impl PlaneSums {
    #[inline]
    pub fn add(&mut self, a: DVec3, b: DVec3, c: DVec3) {
        let cross = (b - a).cross(c - a);
        let (a, b, c) = (a - self.origin, b - self.origin, c - self.origin);
        let v = a.dot(cross);
        self.six_volume += v;
        self.moment += v * (a + b + c);
        self.double_area += cross.length();
    }

    #[inline]
    pub fn add_cut(&mut self, cut: &Cut, positions: &[DVec3]) {
        let at = |i: u32| positions[i as usize];
        if cut.lone_is_wet {
            self.add(at(cut.lone), cut.from, cut.to);
        } else {
            self.add(cut.to, at(cut.next), at(cut.last));
            self.add(cut.to, at(cut.last), cut.from);
        }
    }
}

/// Corner of a wet piece, from the point of reference.
#[derive(Clone, Copy)]
pub(super) struct Corner {
    pub position: DVec3,
    pub depth: f64,
    pub pressure: f64,
}

/// Sums of the pressure on wet pieces, without the factors that are the same for all.
#[derive(Default)]
pub(super) struct PressureSums {
    /// −6 F.
    pub force: DVec3,
    /// −24 M.
    pub torque: DVec3,
    /// −6 V.
    pub volume: f64,
    /// −24 ∫ x dV.
    pub moment: DVec3,
    pub double_area: f64,
    pub water_plane: WaterPlane,
}

impl PressureSums {
    #[inline]
    pub fn add(&mut self, a: &Corner, b: &Corner, c: &Corner) {
        let cross = (b.position - a.position).cross(c.position - a.position);
        let (pressure, moment) = sums(a, b, c, |k| (k.pressure, k.position));
        self.force += pressure * cross;
        self.torque += moment.cross(cross);
        // the middle of the water column over each corner
        let (depth, moment) = sums(a, b, c, |k| (k.depth, k.position + DVec3::new(0.0, 0.0, 0.5 * k.depth)));
        self.volume += depth * cross.z;
        self.moment += cross.z * moment;
        self.double_area += cross.length();
    }
}

/// 3 ∫ f dA / A and 12 ∫ f x dA / A of a triangle, for f and x linear over it.
#[inline]
fn sums(a: &Corner, b: &Corner, c: &Corner, pick: impl Fn(&Corner) -> (f64, DVec3)) -> (f64, DVec3) {
    let ((fa, xa), (fb, xb), (fc, xc)) = (pick(a), pick(b), pick(c));
    let f = fa + fb + fc;
    (f, (f + fa) * xa + (f + fb) * xb + (f + fc) * xc)
}
