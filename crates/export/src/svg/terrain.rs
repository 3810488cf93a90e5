//! Grounds of soil in a drawing: faces in the colour of their corners, and lumps as small solids.
//!
//! A ground of more than [`CELLS`] cells is drawn with larger ones. Shadows do not fall on it.

use super::{Drawing, Piece};
use crate::material::{Grain, Look};
use crate::surface::Surface;
use crate::terrain::{Relief, Sheet, Terrain, lump};

/// Cells of a ground, at most.
const CELLS: usize = 8000;
/// Lumps with faces; more are drawn as flat hexagons.
const SOLID: usize = 1500;
/// Size of what has no thin parts [px].
const WIDE: f64 = 100.0;

impl Drawing<'_> {
    /// The pieces of a ground.
    pub(super) fn terrain(&self, terrain: &Terrain, relief: &Relief, pieces: &mut Vec<Piece>) {
        let all = terrain.nodes()[0] * terrain.nodes()[1];
        let stride = (all as f64 / CELLS as f64).sqrt().ceil().max(1.0) as usize;
        let mut sheets = vec![terrain.coarse(relief, stride), terrain.sides(relief)];
        for sheet in &mut sheets {
            self.parts(terrain, sheet, pieces);
        }
        let looks: Vec<Look> = terrain.colors.iter().map(|color| soil(*color)).collect();
        for one in &relief.lumps {
            let (form, turn, size) = one.posed();
            let mut surface = if relief.lumps.len() > SOLID { self.hexagon(one.at) } else { lump(form, 0) };
            surface.positions.iter_mut().for_each(|p| *p *= size);
            let turn = if relief.lumps.len() > SOLID { glam::DQuat::IDENTITY } else { turn };
            let width = size * self.eye.pixels(one.at);
            let look = looks[usize::from(one.tint)];
            pieces.push(Piece { surface: surface.moved(one.at, turn), look, convex: true, width });
        }
    }

    /// The triangles of a sheet, by colour: that of their first corner.
    fn parts(&self, terrain: &Terrain, sheet: &Sheet, pieces: &mut Vec<Piece>) {
        for (tint, color) in terrain.colors.iter().enumerate() {
            let own = |t: &&[u32; 3]| usize::from(sheet.tints[t[0] as usize]) == tint;
            let faces: Vec<Vec<u32>> = sheet.triangles.iter().filter(own).map(|t| t.to_vec()).collect();
            if !faces.is_empty() {
                let (positions, normals) = (sheet.positions.clone(), sheet.normals.clone());
                let surface = Surface { positions, normals, faces };
                pieces.push(Piece { surface, look: soil(*color), convex: false, width: WIDE });
            }
        }
    }

    /// A hexagon of radius 1 about the origin that faces the eye from a point.
    fn hexagon(&self, at: glam::DVec3) -> Surface {
        let toward = self.eye.toward(at);
        let (u, v) = windlass_engine::math::across(toward);
        let corner = |k: usize| {
            let (sin, cos) = libm::sincos(std::f64::consts::TAU * k as f64 / 6.0);
            u * cos + v * sin
        };
        let positions: Vec<glam::DVec3> = (0..6).map(corner).collect();
        let area = (positions[1] - positions[0]).cross(positions[2] - positions[1]).dot(toward);
        let face = if area > 0.0 { (0..6).collect() } else { (0..6).rev().collect() };
        Surface { normals: vec![toward; 6], positions, faces: vec![face] }
    }
}

fn soil(color: [f64; 3]) -> Look {
    Look { roughness: 1.0, grain: Grain::Plain, ..Look::painted(color) }
}
