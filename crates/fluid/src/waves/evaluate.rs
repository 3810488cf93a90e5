//! Sums over components: surface elevation, and velocity, acceleration and pressure at points.
//!
//! For each point the elevation is summed first, since the stretched height of all components depends on it. The sines
//! and cosines of the first 256 components are kept for the second sum. Functions for many points give the same bits
//! as those for one point.
//!
//! Code for AVX2 is compiled beside that for the baseline and chosen at run time. Rust neither fuses nor reorders
//! operations, so both give the same bits.

use glam::{DVec2, DVec3};

use super::rows::{DepthRow, PhaseRow};
use super::{Grid, Kinematics, Waves};
use crate::lanes::{self, Lanes, WIDTH};
use crate::stretching::stretched;

/// Groups of components whose sines and cosines are kept between the two sums.
const KEPT: usize = 256 / WIDTH;

/// Points along one side of a tile of a grid.
const TILE: usize = 64;

/// Time, and what all points at that time share.
#[derive(Clone, Copy)]
struct Moment {
    t: f64,
    /// Factor of the amplitudes and its time derivative.
    ramp: (f64, f64),
}

/// Sines and cosines of phases.
struct Phases {
    sin: [Lanes; KEPT],
    cos: [Lanes; KEPT],
}

/// Sums over components at one point.
#[derive(Clone, Copy, Default)]
struct Sums {
    velocity: [Lanes; 3],
    acceleration: [Lanes; 3],
    head: Lanes,
}

/// Calls the first function compiled for the baseline, or the same compiled for AVX2 if the processor has it.
macro_rules! dispatch {
    ($baseline:ident, $avx2:ident, $($argument:expr),*) => {{
        #[cfg(target_arch = "x86_64")]
        if std::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has just reported AVX2.
            #[allow(unsafe_code)]
            return unsafe { $avx2($($argument),*) };
        }
        $baseline($($argument),*)
    }};
}

impl Waves {
    /// Elevation η of the surface at a horizontal position [m] and time [s], in m.
    pub fn elevation(&self, x: f64, y: f64, t: f64) -> f64 {
        let mut out = [0.0];
        self.elevations(&[DVec2::new(x, y)], t, &mut out);
        out[0]
    }

    /// Elevation, velocity, acceleration and pressure at a position [m] and time [s], with Wheeler's stretching.
    pub fn at(&self, x: f64, y: f64, z: f64, t: f64) -> Kinematics {
        let mut out = [Kinematics::default()];
        self.kinematics(&[DVec3::new(x, y, z)], t, &mut out);
        out[0]
    }

    /// As [`Waves::at`] without stretching: z is limited to −d…0 [m].
    pub fn unstretched(&self, x: f64, y: f64, z: f64, t: f64) -> Kinematics {
        let moment = self.moment(t);
        let mut phases = Phases::new();
        let position = DVec2::new(x, y);
        let elevation = moment.ramp.0 * elevation_keeping(self, position, t, &mut phases);
        let sums = summed(self, position, z.clamp(-self.water.depth, 0.0), t, &phases);
        sums.kinematics(elevation, moment.ramp)
    }

    /// Elevations [m] at horizontal positions [m] and one time [s]; `out` has the length of `positions`.
    pub fn elevations(&self, positions: &[DVec2], t: f64, out: &mut [f64]) {
        assert_eq!(positions.len(), out.len(), "one elevation for each position");
        let moment = self.moment(t);
        dispatch!(elevations, elevations_avx2, self, positions, moment, out)
    }

    /// Kinematics at positions [m] and one time [s]; `out` has the length of `positions`.
    pub fn kinematics(&self, positions: &[DVec3], t: f64, out: &mut [Kinematics]) {
        assert_eq!(positions.len(), out.len(), "one result for each position");
        let moment = self.moment(t);
        dispatch!(kinematics, kinematics_avx2, self, positions, moment, out)
    }

    /// Elevations [m] on a grid at a time [s], x first; equal to those of [`Waves::elevations`] to round-off, and
    /// several times faster.
    pub fn elevation_grid(&self, grid: &Grid, t: f64, out: &mut [f64]) {
        assert_eq!(grid.size[0] * grid.size[1], out.len(), "one elevation for each point of the grid");
        let moment = self.moment(t);
        dispatch!(elevation_grid, elevation_grid_avx2, self, grid, moment, out)
    }

    fn moment(&self, t: f64) -> Moment {
        Moment { t, ramp: self.ramp_factor(t) }
    }
}

impl Phases {
    #[inline(always)]
    fn new() -> Phases {
        Phases { sin: [[0.0; WIDTH]; KEPT], cos: [[0.0; WIDTH]; KEPT] }
    }
}

impl Sums {
    /// Adds a group of components at a stretched height z; without `BED`, the sea bed has no influence.
    #[inline(always)]
    fn add<const BED: bool>(&mut self, row: &DepthRow, sin: &Lanes, cos: &Lanes, z: f64) {
        for i in 0..WIDTH {
            let e = lanes::exp(row.wavenumber[i] * z);
            let reflected = if BED { row.reflection[i] / e } else { 0.0 };
            let (even, odd) = if BED { (e + reflected, e - reflected) } else { (e, e) };
            let (level, upright) = (row.speed[i] * even, row.speed[i] * odd);
            let along = level * cos[i];
            let faster = row.frequency[i] * level * sin[i];
            self.velocity[0][i] += along * row.direction[0][i];
            self.velocity[1][i] += along * row.direction[1][i];
            self.velocity[2][i] += upright * sin[i];
            self.acceleration[0][i] += faster * row.direction[0][i];
            self.acceleration[1][i] += faster * row.direction[1][i];
            self.acceleration[2][i] -= row.frequency[i] * upright * cos[i];
            self.head[i] += row.head[i] * even * cos[i];
        }
    }

    #[inline(always)]
    fn kinematics(&self, elevation: f64, (ramp, rate): (f64, f64)) -> Kinematics {
        let vector =
            |sums: &[Lanes; 3]| DVec3::new(lanes::sum(&sums[0]), lanes::sum(&sums[1]), lanes::sum(&sums[2]));
        let (velocity, acceleration) = (vector(&self.velocity), vector(&self.acceleration));
        Kinematics {
            elevation,
            velocity: velocity * ramp,
            acceleration: acceleration * ramp + velocity * rate,
            head: lanes::sum(&self.head) * ramp,
        }
    }
}

impl PhaseRow {
    /// Phase of component i [rad].
    #[inline(always)]
    fn angle(&self, i: usize, position: DVec2, t: f64) -> f64 {
        (self.wave[0][i] * position.x + self.wave[1][i] * position.y)
            + (self.phase[i] - self.frequency[i] * t)
    }

    /// Adds the elevations of the components at full amplitude [m].
    #[inline(always)]
    fn add_elevation(&self, position: DVec2, t: f64, sum: &mut Lanes) {
        for i in 0..WIDTH {
            sum[i] += self.amplitude[i] * lanes::cos(self.angle(i, position, t));
        }
    }

    #[inline(always)]
    fn sin_cos(&self, position: DVec2, t: f64, sin: &mut Lanes, cos: &mut Lanes) {
        for i in 0..WIDTH {
            (sin[i], cos[i]) = lanes::sin_cos(self.angle(i, position, t));
        }
    }
}

#[inline(always)]
fn elevations(waves: &Waves, positions: &[DVec2], moment: Moment, out: &mut [f64]) {
    for (position, out) in positions.iter().zip(out) {
        let mut sum = [0.0; WIDTH];
        for row in &waves.rows.phases {
            row.add_elevation(*position, moment.t, &mut sum);
        }
        *out = moment.ramp.0 * lanes::sum(&sum);
    }
}

#[inline(always)]
fn kinematics(waves: &Waves, positions: &[DVec3], moment: Moment, out: &mut [Kinematics]) {
    let mut phases = Phases::new();
    for (position, out) in positions.iter().zip(out) {
        let level = position.truncate();
        let elevation = moment.ramp.0 * elevation_keeping(waves, level, moment.t, &mut phases);
        let z = stretched(position.z, elevation, waves.water.depth);
        *out = summed(waves, level, z, moment.t, &phases).kinematics(elevation, moment.ramp);
    }
}

/// The elevation at full amplitude [m]; keeps sines and cosines.
#[inline(always)]
fn elevation_keeping(waves: &Waves, position: DVec2, t: f64, phases: &mut Phases) -> f64 {
    let mut sum = [0.0; WIDTH];
    let (kept, others) = waves.rows.phases.split_at(KEPT.min(waves.rows.phases.len()));
    for ((row, sin), cos) in kept.iter().zip(&mut phases.sin).zip(&mut phases.cos) {
        row.sin_cos(position, t, sin, cos);
        for i in 0..WIDTH {
            sum[i] += row.amplitude[i] * cos[i];
        }
    }
    for row in others {
        row.add_elevation(position, t, &mut sum);
    }
    lanes::sum(&sum)
}

/// Sums of the components that matter at a stretched height z.
#[inline(always)]
fn summed(waves: &Waves, position: DVec2, z: f64, t: f64, phases: &Phases) -> Sums {
    let rows = &waves.rows;
    let mut sums = Sums::default();
    let (mut own_sin, mut own_cos) = ([0.0; WIDTH], [0.0; WIDTH]);
    for i in 0..rows.relevant(z) {
        let (sin, cos) = if i < KEPT {
            (&phases.sin[i], &phases.cos[i])
        } else {
            rows.phases[i].sin_cos(position, t, &mut own_sin, &mut own_cos);
            (&own_sin, &own_cos)
        };
        if i < rows.finite {
            sums.add::<true>(&rows.depths[i], sin, cos, z);
        } else {
            sums.add::<false>(&rows.depths[i], sin, cos, z);
        }
    }
    sums
}

/// cos(α + β) = cos α cos β − sin α sin β with α of columns and β of rows: sines and cosines are computed per column
/// and per row only.
#[inline(always)]
fn elevation_grid(waves: &Waves, grid: &Grid, moment: Moment, out: &mut [f64]) {
    let [columns, rows] = grid.size;
    out.fill(0.0);
    for first_row in (0..rows).step_by(TILE) {
        for first_column in (0..columns).step_by(TILE) {
            let tile = [first_column, first_row];
            add_tile(waves, grid, tile, moment, out);
        }
    }
}

#[inline(always)]
fn add_tile(waves: &Waves, grid: &Grid, tile: [usize; 2], moment: Moment, out: &mut [f64]) {
    let [width, height] = [0, 1].map(|i| TILE.min(grid.size[i] - tile[i]));
    for component in &waves.components {
        let amplitude = moment.ramp.0 * component.amplitude;
        let wave = component.wavenumber * component.direction;
        let first = grid.origin + grid.spacing * DVec2::new(tile[0] as f64, tile[1] as f64);
        let phase = wave.y * first.y + (component.phase - component.frequency * moment.t);
        let (sin_x, cos_x) = progression(wave.x * first.x, wave.x * grid.spacing.x, width);
        let (sin_y, cos_y) = progression(phase, wave.y * grid.spacing.y, height);
        for j in 0..height {
            let (cos, sin) = (amplitude * cos_y[j], amplitude * sin_y[j]);
            let start = (tile[1] + j) * grid.size[0] + tile[0];
            for (i, out) in out[start..start + width].iter_mut().enumerate() {
                *out += cos * cos_x[i] - sin * sin_x[i];
            }
        }
    }
}

/// Sines and cosines of a, a + b, a + 2b, … [rad].
#[inline(always)]
fn progression(a: f64, b: f64, count: usize) -> ([f64; TILE], [f64; TILE]) {
    let (mut sin, mut cos) = ([0.0; TILE], [0.0; TILE]);
    for i in 0..count {
        (sin[i], cos[i]) = lanes::sin_cos(a + b * i as f64);
    }
    (sin, cos)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn elevations_avx2(waves: &Waves, positions: &[DVec2], moment: Moment, out: &mut [f64]) {
    elevations(waves, positions, moment, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn kinematics_avx2(waves: &Waves, positions: &[DVec3], moment: Moment, out: &mut [Kinematics]) {
    kinematics(waves, positions, moment, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn elevation_grid_avx2(waves: &Waves, grid: &Grid, moment: Moment, out: &mut [f64]) {
    elevation_grid(waves, grid, moment, out);
}

#[cfg(test)]
mod tests {
    use super::super::{Amplitudes, Grid, Kinematics, Sea, Spectrum, Water, Waves};
    use super::{elevation_grid, elevations, kinematics};
    use glam::{DVec2, DVec3};

    #[test]
    fn instruction_sets_agree_bit_for_bit() {
        for (components, depth) in [(1, 30.0), (100, f64::INFINITY), (101, 12.0), (700, 60.0)] {
            let sea = Sea {
                spectrum: Spectrum::Jonswap { gamma: None },
                height: 2.0,
                period: 8.0,
                direction: 0.3,
                spreading: Some(4.0),
                components,
                seed: 11,
                amplitudes: Amplitudes::Rayleigh,
            };
            let waves = Waves::sea(&sea, Water { depth, gravity: 9.81 }).unwrap().with_ramp(9.0).unwrap();
            let points: Vec<DVec3> = (0..64)
                .map(|i| DVec3::new(3.1 * i as f64, -2.7 * (i * i) as f64, 1.0 - 0.3 * i as f64))
                .collect();
            let level: Vec<DVec2> = points.iter().map(|p| p.truncate()).collect();
            let moment = waves.moment(7.3);
            let (mut fast, mut base) = ([Kinematics::default(); 64], [Kinematics::default(); 64]);
            waves.kinematics(&points, 7.3, &mut fast);
            kinematics(&waves, &points, moment, &mut base);
            assert_eq!(fast, base);
            let (mut fast, mut base) = ([0.0; 64], [0.0; 64]);
            waves.elevations(&level, 7.3, &mut fast);
            elevations(&waves, &level, moment, &mut base);
            assert_eq!(fast, base);
            let grid = Grid { origin: DVec2::new(-3.0, 2.0), spacing: DVec2::new(1.3, 2.1), size: [16, 4] };
            waves.elevation_grid(&grid, 7.3, &mut fast);
            elevation_grid(&waves, &grid, moment, &mut base);
            assert_eq!(fast, base);
        }
    }
}
