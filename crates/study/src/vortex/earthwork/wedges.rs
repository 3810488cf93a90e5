//! Figures 22 and 23: the fundamental earth-moving equation on level ground, and the surcharge on its wedge.
//!
//! ```text
//!  equilibrium of the wedge: weight W + q L, R at φ to the normal of the failure plane, P at δ to that of the face, c ℓ along the plane
//!  P = (½ρg d² + q d)(cot α + cot β) sin(β + φ)/sin(α + δ + β + φ) + c d cos φ/(sin β sin(α + δ + β + φ)),  least over β
//! ```

use super::GRAVITY;
use crate::{Ask, StudyContext, Table, Trouble, number};
use libm::{cos, sin, sqrt, tan};
use windlass_plot::{Curve, Figure, Measure};
use windlass_soil::cutting::CuttingSoil;
use windlass_soil::cutting::wedge::{Failure, LevelCut};

/// A blade and a soil: α, φ, δ [degrees], c [Pa], q [Pa], d [m], ρ [kg/m³].
#[derive(Clone, Copy)]
struct Cut {
    angles: [f64; 3],
    cohesion: f64,
    surcharge: f64,
    depth: f64,
    density: f64,
}

impl Cut {
    /// Force of the wedge with a failure plane at β [N/m].
    fn at(&self, beta: f64) -> f64 {
        let [alpha, phi, delta] = self.angles.map(f64::to_radians);
        let d = self.depth;
        let load = (0.5 * self.density * GRAVITY * d * d + self.surcharge * d)
            * (1.0 / tan(alpha) + 1.0 / tan(beta));
        let closes = sin(alpha + delta + beta + phi);
        load * sin(beta + phi) / closes + self.cohesion * d * cos(phi) / (sin(beta) * closes)
    }

    /// The least force and its angle [N/m, degrees], by trisection.
    fn least(&self) -> [f64; 2] {
        let [alpha, phi, delta] = self.angles;
        let (mut low, mut high) = (0.5, 179.5 - alpha - delta - phi);
        for _ in 0..200 {
            let [a, b] = [low + (high - low) / 3.0, high - (high - low) / 3.0];
            if self.at(a.to_radians()) < self.at(b.to_radians()) { high = b } else { low = a }
        }
        [self.at(low.to_radians()), low]
    }

    /// What is simulated.
    fn found(&self, speed: f64) -> Result<Failure, Trouble> {
        let [alpha, phi, delta] = self.angles.map(f64::to_radians);
        let soil = CuttingSoil {
            density: self.density,
            friction: phi,
            cohesion: self.cohesion,
            tool_friction: delta,
            adhesion: 0.0,
        };
        let (depth, surcharge) = (self.depth, self.surcharge);
        let cut = LevelCut { rake: alpha, depth, speed, surcharge, gravity: GRAVITY };
        cut.failure(&soil).ok_or_else(|| Trouble::Failed("no wedge fails".to_string()))
    }
}

/// Wedges beside Rankine, Coulomb and the equilibrium of the wedge.
pub fn factors(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let caption = "Force per metre of a wide blade in level ground, 1600 kg/m³ (Figure 22) [N/m], and angle of the failure plane [°]";
    let mut table = Table::comparison(caption, "closed form");
    let cut = Cut { angles: [90.0, 30.0, 0.0], cohesion: 0.0, surcharge: 0.0, depth: 0.5, density: 1600.0 };
    let unit = 0.5 * cut.density * GRAVITY * cut.depth * cut.depth;
    let found = cut.found(0.0)?;
    // Rankine: K_p = (1 + sin φ)/(1 − sin φ) = 3
    table.compare("upright, smooth: force", found.force, 3.0 * unit, Ask::Part(1e-6));
    table.compare("upright, smooth: angle", found.plane.to_degrees(), 30.0, Ask::Apart(0.3));
    let cohesive = Cut { cohesion: 5e3, ..cut };
    let rankine = 3.0 * unit + 2.0 * 5e3 * cut.depth * sqrt(3.0);
    table.compare("the same with 5 kPa: force", cohesive.found(0.0)?.force, rankine, Ask::Part(1e-6));
    for angles in [[60.0, 35.0, 20.0], [45.0, 30.0, 20.0], [75.0, 40.0, 26.0]] {
        let cut = Cut { angles, ..cut };
        let [alpha, phi, delta] = angles.map(f64::to_radians);
        // Coulomb's passive coefficient on level ground
        let part = 1.0 - sqrt(sin(phi + delta) * sin(phi) / (sin(alpha + delta) * sin(alpha)));
        let below = sin(alpha) * sin(alpha) * sin(alpha + delta) * part * part;
        let coulomb = sin(alpha - phi) * sin(alpha - phi) / below;
        let name = format!("α {}°, φ {}°, δ {}°", angles[0], angles[1], angles[2]);
        table.compare(&format!("{name}: force"), cut.found(0.0)?.force, coulomb * unit, Ask::Part(1e-6));
        let cohesive = Cut { cohesion: 5e3, ..cut };
        let (found, [force, angle]) = (cohesive.found(0.0)?, cohesive.least());
        table.compare(&format!("{name}, c 5 kPa: force"), found.force, force, Ask::Part(1e-4));
        let apart = Ask::Apart(0.3);
        table.compare(&format!("{name}, c 5 kPa: angle"), found.plane.to_degrees(), angle, apart);
    }
    context.table(table);
    let cut = Cut { angles: [60.0, 35.0, 20.0], cohesion: 5e3, depth: 0.3, ..cut };
    let curve = |cohesion: f64| {
        let cut = Cut { cohesion, ..cut };
        (10..=50).map(|beta| (f64::from(beta), cut.at(f64::from(beta).to_radians()))).collect()
    };
    let mut curves = Vec::new();
    for cohesion in [0.0, 5e3] {
        let found = Cut { cohesion, ..cut }.found(0.0)?;
        let name = format!("c = {} Pa", number(cohesion));
        curves.push(Curve::line(&name, "N/m", curve(cohesion)));
        let least = vec![(found.plane.to_degrees(), found.force)];
        curves.push(Curve::dots(&format!("least, {name}"), "N/m", least));
    }
    let figure = Figure {
        x: Measure::new("angle of the trial plane", "°"),
        y: Some("force of the wedge".to_string()),
        curves,
        ..Figure::default()
    };
    context.figure("Trial wedges before a blade 0.3 m deep, α 60°, φ 35°, δ 20° (Figure 22)", &figure);
    Ok(())
}

/// Force over the surcharge on the wedge.
pub fn surcharge(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let caption =
        "Draft per metre, α 60°, φ 35°, δ 20°, 0.3 m deep, 1800 kg/m³, under a surcharge Q (Figure 23) [N/m]";
    let mut table = Table::comparison(caption, "equilibrium");
    let cut = Cut { angles: [60.0, 35.0, 20.0], cohesion: 0.0, surcharge: 0.0, depth: 0.3, density: 1800.0 };
    for surcharge in [0.0, 1e3, 2e3, 5e3] {
        let cut = Cut { surcharge, ..cut };
        let draft = cut.least()[0] * sin((cut.angles[0] + cut.angles[2]).to_radians());
        table.compare(&format!("{} Pa", number(surcharge)), cut.found(0.0)?.draft, draft, Ask::Part(1e-4));
    }
    context.table(table);
    Ok(())
}
