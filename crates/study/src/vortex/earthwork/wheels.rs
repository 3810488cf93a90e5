//! Figure 19: a rigid wheel on soft soil, normal stress by Wong and Reece.
//!
//! ```text
//!  W = b r ∫ (σ cos θ + τ sin θ) dθ       σ(θ) rises to θ_m and is mirrored behind it
//!  Bekker, towed   z = [3W/((3−n)(k_c + b k_φ)√D)]^(2/(2n+1))     R = b k z^(n+1)/(n+1)
//! ```

use crate::{Ask, StudyContext, Table, Trouble, number};
use libm::{acos, cos, exp, fabs, pow, sin, sqrt, tan};
use windlass_plot::{Curve, Figure, Measure};
use windlass_soil::wheel::{
    Footprint, RigidWheel, Rut, ShearLaw, SinkageLaw, Slip, SoftSoil, Strength, Unloading, WheelForces,
};

/// Dry sand (Wong): n, k_c, k_φ, c, φ [degrees], K.
const SAND: [f64; 6] = [1.1, 0.99e3, 1528.43e3, 1040.0, 28.0, 0.025];
/// Radius, width [m] and load [N].
const WHEEL: [f64; 3] = [0.5, 0.3, 10e3];

/// Sinkage, torque and drawbar pull at a slip by Simpson's rule over the arc: sinkage by bisection.
fn quadrature(slip: f64) -> [f64; 3] {
    let [n, kc, kphi, c, phi, modulus] = SAND;
    let [r, b, load] = WHEEL;
    let k = kc / b + kphi;
    let forces = |z: f64| {
        let entry = acos(1.0 - z / r);
        let peak = (0.18 + 0.32 * slip) * entry;
        let at = |theta: f64| {
            // behind the peak, the stress of the mirrored point before it
            let front = if theta >= peak { theta } else { entry - theta / peak * (entry - peak) };
            let sigma = k * pow(r * (cos(front) - cos(entry)).max(0.0), n);
            let j = r * (entry - theta - (1.0 - slip) * (sin(entry) - sin(theta)));
            let tau = (c + sigma * tan(phi.to_radians())) * (1.0 - exp(-j / modulus));
            [sigma * cos(theta) + tau * sin(theta), r * tau, tau * cos(theta) - sigma * sin(theta)]
        };
        // both parts of the arc apart: the stress has a corner at its peak
        let part = |from: f64, to: f64| {
            let count = 400;
            let mut sum = [0.0; 3];
            for i in 0..=count {
                let weight = if i == 0 || i == count { 1.0 } else { 2.0 + 2.0 * f64::from(i % 2) };
                let values = at(from + (to - from) * f64::from(i) / f64::from(count));
                (0..3).for_each(|m| sum[m] += weight * values[m]);
            }
            sum.map(|sum| sum * (to - from) / (3.0 * f64::from(count)) * b * r)
        };
        let (low, high) = (part(0.0, peak), part(peak, entry));
        [0, 1, 2].map(|m| low[m] + high[m])
    };
    let z = crate::vortex::steps::root(1e-4, 0.4, |z| forces(z)[0] - load);
    let [_, torque, pull] = forces(z);
    [z, torque, pull]
}

/// A wheel, towed and driven.
pub fn wheel(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let [n, kc, kphi, c, phi, modulus] = SAND;
    let [r, b, load] = WHEEL;
    let law = SinkageLaw::Bekker { cohesive: kc, frictional: kphi, exponent: n };
    let soil = SoftSoil {
        curve: law.on(Footprint { width: b, hydraulic_diameter: b }),
        unloading: Unloading::default(),
        strength: Strength::new(c, phi.to_radians()),
        contact: None,
        shear: ShearLaw::Exponential { modulus },
    };
    let wheel = RigidWheel::smooth(r, b);
    let at = |slip: Option<f64>| -> Result<WheelForces, Trouble> {
        let slip = slip.map(|longitudinal| Slip { longitudinal, tan_angle: 0.0 });
        let found = wheel.at_load(&soil, &Rut::default(), load, slip);
        found.ok_or_else(|| Trouble::Failed("the ground does not bear the wheel".to_string()))
    };
    let caption = "Rigid wheel of 1 m with 10 kN on dry sand (Figure 19): towed, beside Bekker's closed form; driven, beside a quadrature of \
                   the stresses of Wong and Reece";
    let mut table = Table::comparison(caption, "closed form or quadrature");
    let towed = at(None)?;
    let z = pow(3.0 * load / ((3.0 - n) * (kc + b * kphi) * sqrt(2.0 * r)), 2.0 / (2.0 * n + 1.0));
    // Bekker's parabola is 0.8 % off the circle at this depth
    table.compare("towed: sinkage [m]", towed.sinkage, z, Ask::Part(0.01));
    let work = b * (kc / b + kphi) * pow(towed.sinkage, n + 1.0) / (n + 1.0);
    table.compare("towed: motion resistance [N]", towed.resistance, work, Ask::Part(1e-4));
    let mut pulls = Vec::new();
    for slip in [0.1, 0.3, 0.6] {
        let (found, [z, torque, pull]) = (at(Some(slip))?, quadrature(slip));
        table.compare(&format!("slip {slip}: sinkage [m]"), found.sinkage, z, Ask::Part(1e-3));
        table.compare(&format!("slip {slip}: torque [N·m]"), found.torque, torque, Ask::Part(1e-3));
        let near = Ask::Apart(0.002 * fabs(torque) / r);
        table.compare(&format!("slip {slip}: drawbar pull [N]"), found.drawbar(), pull, near);
    }
    for k in 1..=40 {
        let slip = 0.02 * f64::from(k);
        pulls.push((slip, at(Some(slip))?.drawbar()));
    }
    context.parameter("wheel: load", format!("{} N", number(load)));
    context.table(table);
    let figure = Figure {
        x: Measure::new("slip", ""),
        curves: vec![Curve::line("drawbar pull", "N", pulls)],
        ..Figure::default()
    };
    context.figure("Drawbar pull of a rigid wheel on dry sand (Figure 19)", &figure);
    Ok(())
}
