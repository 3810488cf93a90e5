//! Grounds of soil → text for POV-Ray.
//!
//! The include file declares a texture for each colour, and the forms of lumps in each colour of loose soil; a frame has
//! the surface and the sides as meshes whose corners have textures, and places the lumps. Heights are written to 0.1 mm.

use super::{color, matrix, mesh};
use crate::name::{comment, number, rounded};
use crate::terrain::{LUMPS, Lump, Relief, Sheet, Terrain, lump};
use glam::DVec3;
use std::fmt::Write as _;

/// Halvings of the faces of an icosahedron for a lump: 320 triangles.
const STEPS: usize = 2;
/// Size of the pattern of soil [m].
const GRAIN: f64 = 0.35;

/// What the include file declares of a ground.
pub fn declared(index: usize, terrain: &Terrain) -> String {
    let mut text = format!("\n// {}\n", comment(&terrain.name));
    for (tint, base) in terrain.colors.iter().enumerate() {
        let _ = writeln!(text, "#declare Soil_{index}_{tint} = {}", texture(*base, GRAIN));
        let _ = writeln!(text, "#declare Clod_{index}_{tint} = {}", texture(*base, 0.8));
    }
    if index == 0 {
        text.push_str("// lumps of soil, for particles of radius 1\n");
        for form in 0..LUMPS {
            let _ = writeln!(text, "#declare Lump_{form} = {}", mesh(&lump(form, STEPS), ""));
        }
    }
    text
}

/// A ground in a frame.
pub fn placed(index: usize, terrain: &Terrain, relief: &Relief) -> String {
    let mut text = format!("// {}\n", comment(&terrain.name));
    for sheet in [terrain.surface(relief), terrain.sides(relief)] {
        text.push_str(&sheet_text(index, terrain, &sheet));
    }
    for lump in &relief.lumps {
        text.push_str(&lump_text(index, lump));
    }
    text
}

fn lump_text(index: usize, lump: &Lump) -> String {
    let (form, turn, size) = lump.posed();
    // POV-Ray applies modifiers in their order
    let place = matrix((lump.at, turn));
    let tint = lump.tint;
    format!("object {{ Lump_{form} texture {{ Clod_{index}_{tint} }} scale {} {place} }}\n", rounded(size, 4))
}

fn sheet_text(index: usize, terrain: &Terrain, sheet: &Sheet) -> String {
    let vectors = |points: &[DVec3], digits: usize| {
        let row = |p: &DVec3| {
            let [x, y, z] = p.to_array().map(|x| rounded(x, digits));
            format!("<{x},{y},{z}>")
        };
        format!("{},\n{}", points.len(), points.iter().map(row).collect::<Vec<_>>().join(","))
    };
    let face = |corners: &[u32; 3]| {
        let [a, b, c] = corners;
        let [s, t, u] = corners.map(|k| sheet.tints[k as usize]);
        let textures = if s == t && t == u { format!("{s}") } else { format!("{s},{t},{u}") };
        format!("<{a},{b},{c}>,{textures}")
    };
    let textures: Vec<String> =
        (0..terrain.colors.len()).map(|tint| format!("texture {{ Soil_{index}_{tint} }}")).collect();
    format!(
        "mesh2 {{\nvertex_vectors {{ {} }}\nnormal_vectors {{ {} }}\ntexture_list {{ {}, {} }}\n\
         face_indices {{ {},\n{} }}\n}}\n",
        vectors(&sheet.positions, 4),
        vectors(&sheet.normals, 3),
        textures.len(),
        textures.join(", "),
        sheet.triangles.len(),
        sheet.triangles.iter().map(face).collect::<Vec<_>>().join(",")
    )
}

/// Soil: blotches of its colour, and a rough surface.
fn texture(base: [f64; 3], size: f64) -> String {
    let tone = |factor: f64| color(base.map(|part| (part * factor).min(1.0)));
    format!(
        "texture {{ pigment {{ granite turbulence 0.4 color_map {{ [0 {}] [0.35 {}] [0.6 {}] [1 {}] }} scale {size} }} \
         normal {{ granite 0.45 scale {bumps} }} finish {{ ambient 0.05 diffuse 0.82 specular 0.01 roughness 0.3 }} }}",
        tone(0.74),
        tone(0.95),
        tone(1.03),
        tone(1.16),
        size = number(size),
        bumps = number(0.7 * size),
    )
}
