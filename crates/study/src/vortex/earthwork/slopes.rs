//! Figures 20 and 25: columns that fall into heaps and ridges, and cuts that stand or fail.
//!
//! ```text
//!  cone of a volume   h = (3 V tan²φ/π)^⅓        ridge of an area   h = √(A tan φ)
//!  upright cut        H = (4c/ρg) tan(45° + φ/2)      (Culmann)
//! ```

use super::{GRAVITY, STEP, site};
use crate::{Ask, StudyContext, Table, Trouble, number};
use libm::{cbrt, hypot, sqrt, tan};
use std::f64::consts::{FRAC_PI_4, PI};
use windlass_plot::{Curve, Figure, Measure};
use windlass_soil::Mass;
use windlass_soil::ground::{Ground, Layer, SlipWork, Terrain, TerrainState};

/// Steps after which soil has to be at rest.
const MOST: usize = 6000;

/// Sand of an angle on rock, in columns: loose soil of a height by node.
fn fallen(
    angle: f64,
    (nodes, spacing): ([usize; 2], f64),
    height: impl Fn(usize, usize) -> f64,
) -> Result<(Terrain, TerrainState), Trouble> {
    let soil = site::soil([angle, 0.5 * angle], 0.0, 1650.0)?;
    let loose = soil.void_ratio.loose;
    let density = soil.dry_density(loose);
    let terrain = site::terrain(soil, (nodes, spacing), Vec::new(), |_, _| 0.0)?;
    let mut state = TerrainState::default();
    for (i, j) in (0..nodes[1]).flat_map(|j| (0..nodes[0]).map(move |i| (i, j))) {
        let mass = density * terrain.area([i, j]) * height(i, j);
        if mass > 0.0 {
            state.put(&terrain, [i, j], Mass::from_kilograms(mass), loose, 0);
        }
    }
    let (mass, mut work) = (state.mass(&terrain), SlipWork::default());
    for _ in 0..MOST {
        state.slip(&terrain, STEP, &mut work);
        if state.active_nodes() == 0 {
            return if state.mass(&terrain) == mass {
                Ok((terrain, state))
            } else {
                Err(Trouble::Failed("mass was lost".to_string()))
            };
        }
    }
    Err(Trouble::Failed(format!("soil is not at rest after {MOST} steps")))
}

/// Heaps and ridges.
pub fn heaps(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let caption = "Columns of sand 3 m high within 0.8 m, and walls 2 m high and 1.5 m thick, after they have fallen (Figure 20): height of the \
                   top [m]. A peak is rounded by one cell";
    let mut table = Table::comparison(caption, "cone or ridge of equal volume");
    let mut profiles = Vec::new();
    for angle in context.pick(vec![25.0_f64, 30.0, 35.0], vec![30.0]) {
        let (cell, n) = (0.2, 61);
        let middle = (n / 2) as f64;
        let within = |i: usize, j: usize| hypot(i as f64 - middle, j as f64 - middle) * cell <= 0.8 + 1e-9;
        let column = |i, j| if within(i, j) { 3.0 } else { 0.0 };
        let (terrain, state) = fallen(angle, ([n, n], cell), column)?;
        let t = tan(angle.to_radians());
        let cone = cbrt(3.0 * state.volumes(&terrain).change() * t * t / PI);
        let ground = Ground::new(&terrain, &state);
        let top = ground.height([n / 2, n / 2]);
        table.compare(&format!("cone at {angle}°"), top, cone, Ask::Apart(0.7 * cell * t));
        let along = (0..n).map(|i| ((i as f64 - middle) * cell, ground.height([i, n / 2]))).collect();
        profiles.push(Curve::line(&format!("{angle}°"), "m", along));

        let (cell, n) = (0.05, 161);
        // half columns at both ends keep the middle on a node
        let wall = |i: usize, _| match i {
            65 | 95 => 1.0,
            66..95 => 2.0,
            _ => 0.0,
        };
        let (terrain, state) = fallen(angle, ([n, 3], cell), wall)?;
        let top = Ground::new(&terrain, &state).height([n / 2, 1]);
        table.compare(&format!("ridge at {angle}°"), top, sqrt(3.0 * t), Ask::Part(0.02));
    }
    context.table(table);
    let x = Measure::new("distance from the middle", "m");
    let figure = Figure { x, y: Some("height".to_string()), curves: profiles, ..Figure::default() };
    context.figure("Heaps of columns at rest, section (Figure 20)", &figure);
    Ok(())
}

/// Whether an upright cut of a height in bank soil fails.
fn fails((friction, cohesion): (f64, f64), cell: f64, height: f64) -> Result<bool, Trouble> {
    let soil = site::soil([friction, 0.5 * friction], cohesion, 1800.0)?;
    let (ratio, columns) = (soil.void_ratio.bank, (2.2 * height / cell) as usize + 8);
    let density = soil.dry_density(ratio);
    let terrain = site::terrain(soil, ([columns, 4], cell), Vec::new(), |_, _| 0.0)?;
    let mut state = TerrainState::default();
    for (i, j) in (0..4).flat_map(|j| (4..columns).map(move |i| (i, j))) {
        let mass = Mass::from_kilograms(density * terrain.area([i, j]) * height);
        state.lay(&terrain, [i, j], Layer { remoulded: false, ..Layer::dumped(mass, ratio, 0) });
    }
    let mut work = SlipWork::default();
    Ok((0..10).any(|_| state.slip(&terrain, STEP, &mut work).failed > 0))
}

/// Upright cuts.
pub fn cuts(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let caption = "Height of an upright cut from which on it fails, 1800 kg/m³ (Figure 25) [m]";
    let mut table = Table::comparison(caption, "Culmann");
    for ((friction, cohesion), cell) in context.pick(
        vec![((30.0_f64, 10e3), 0.1), ((30.0, 10e3), 0.2), ((0.0, 20e3), 0.1), ((20.0, 15e3), 0.2)],
        vec![((30.0, 10e3), 0.1), ((30.0, 10e3), 0.2)],
    ) {
        let passive = tan(FRAC_PI_4 + 0.5 * friction.to_radians());
        let culmann = 4.0 * cohesion / (1800.0 * GRAVITY) * passive;
        let (mut stands, mut falls) = (0.5 * culmann, 1.5 * culmann);
        while falls - stands > 0.01 * culmann {
            let middle = 0.5 * (stands + falls);
            if fails((friction, cohesion), cell, middle)? { falls = middle } else { stands = middle }
        }
        let name = format!("φ {friction}°, c {} Pa, cells of {cell} m", number(cohesion));
        table.compare(&name, falls, culmann, Ask::Part(0.05));
    }
    context.table(table);
    Ok(())
}
