//! Surfaces of liquids → text for POV-Ray.
//!
//! A calm surface is a plane. One with waves is a mesh over a grid, which POV-Ray computes while it reads a frame: the
//! include file declares the sum of [`crate::Water`] as a function and a macro that makes the mesh, and a frame calls it,
//!
//! ```text
//!  Water_0(T, R, X, Y)        time [s], factor of the amplitudes, middle of the grid [m]
//! ```
//!
//! so a frame has one line of text instead of megabytes. The points of the grid are those of `Grid`. A mesh with a
//! direction for the test of the inside (`inside_vector z`) contains everything below it, also the camera.
//!
//! Light is refracted and reflected at the surface. Below it a fog in the colour of the liquid hides what is far away; it
//! begins below the troughs of the waves, and it is the deep where there is no bottom.

use crate::material::linear;
use crate::name::{comment, list, number};
use crate::view::View;
use crate::water::{Cells, Grid, Water, fade};
use std::fmt::Write as _;

/// The cells of the grid.
const CELLS: Cells = Cells { uniform: 64, growing: 60 };
/// Half width of the uniform part, relative to the distance at which the camera looks.
const NEAR: f64 = 1.2;
/// Half width of the grid, relative to that distance: to the horizon.
const FAR: f64 = 2000.0;
/// Distance at which the fog has e⁻¹ of the light left, relative to the distance at which the camera looks.
const SIGHT: f64 = 0.35;
/// Thickness of the upper rim of the fog, relative to that distance.
const RIM: f64 = 1e-6;
/// Linear light of the deep relative to the colour of the liquid.
const DEEP: f64 = 0.3;
/// Terms of a function; longer sums are divided.
const TERMS: usize = 64;

/// Factor of the wave of a component in a sum.
type Factor = fn(&[f64; 6]) -> f64;

/// What the include file declares of a liquid.
pub fn declared(index: usize, water: &Water, reach: f64) -> String {
    let name = format!("Water_{index}");
    let deep = list(linear(water.color).map(|part| DEEP * part));
    let amplitude = water.components.iter().map(|c| 2.0 * c[0] * c[0]).sum::<f64>().sqrt();
    let mut text = format!(
        "\n// {about}\n\
         fog {{ fog_type 2 distance {sight} color rgb <{deep}> fog_offset {top} fog_alt {rim} up z }}\n\
         #declare {name}_Look = material {{\n\
         \x20 texture {{ pigment {{ color srgbft <{color}, 0.25, 0.65> }}\n\
         \x20   finish {{ ambient 0 diffuse 0.15 specular 0.6 roughness 0.003\n\
         \x20     reflection {{ 0, 0.9 fresnel on }} conserve_energy }} }}\n\
         \x20 interior {{ ior 1.333 }} }}\n",
        about = comment(&water.name),
        sight = number(SIGHT * reach),
        top = number(water.level - amplitude),
        rim = number(RIM * reach),
        color = list(water.color),
    );
    if water.is_calm() {
        let level = number(water.level);
        let _ = writeln!(text, "plane {{ z, {level} hollow material {{ {name}_Look }} }}");
        return text;
    }
    let grid = grid(water, reach);
    for (list, values) in [("Lines", &grid.lines), ("Cells", &grid.fading)] {
        let rows = values.iter().map(|x| number(*x)).collect::<Vec<_>>().join(", ");
        let _ = writeln!(text, "#declare {name}_{list} = array[{}] {{ {rows} }};", values.len());
    }
    // along x and y the phase grows by k d
    let sums: [(&str, &str, Factor); 3] = [
        ("Height", "cos", |c| c[0]),
        ("Slope_X", "sin", |c| -c[0] * c[2] * c[3]),
        ("Slope_Y", "sin", |c| -c[0] * c[2] * c[4]),
    ];
    for (sum, wave, factor) in sums {
        text.push_str(&function(&format!("{name}_{sum}"), water, wave, factor));
    }
    text + &mesh(&name, water.level, grid.lines.len())
}

/// The surface of a liquid in a frame.
pub fn placed(index: usize, water: &Water, (time, view, reach): (f64, &View, f64)) -> String {
    if water.is_calm() {
        return String::new();
    }
    // the middle is at what the camera looks at, in whole cells: so the points stay where they are
    let cell = grid(water, reach).cell;
    let ahead = view.eye + view.forward * reach;
    let [x, y] = [ahead.x, ahead.y].map(|x| number((x / cell).round() * cell));
    format!("Water_{index}({}, {}, {x}, {y})\n", number(time), number(water.rise(time)))
}

fn grid(water: &Water, reach: f64) -> Grid {
    Grid::new(water, NEAR * reach, FAR * reach, CELLS)
}

/// A sum over the components at a position (X, Y) and a time T, with cells of width C.
fn function(name: &str, water: &Water, wave: &str, factor: Factor) -> String {
    let term = |c: &[f64; 6]| {
        let [_, w, k, dx, dy, phi] = *c;
        format!(
            "{}*{wave}({}*X + {}*Y - {}*T + {})*min(1, max(0, 2 - {}*C))",
            signed(factor(c)),
            signed(k * dx),
            signed(k * dy),
            signed(w),
            signed(phi),
            number(fade(k))
        )
    };
    let mut text = String::new();
    let mut calls = Vec::new();
    for (part, components) in water.components.chunks(TERMS).enumerate() {
        let terms = components.iter().map(term).collect::<Vec<_>>().join("\n  + ");
        let _ = writeln!(text, "#declare {name}_{part} = function(X, Y, T, C) {{\n  {terms}\n}}");
        calls.push(format!("{name}_{part}(X, Y, T, C)"));
    }
    let _ = writeln!(text, "#declare {name} = function(X, Y, T, C) {{ {} }}", calls.join(" + "));
    text
}

/// A number that may stand behind an operator.
fn signed(value: f64) -> String {
    format!("({})", number(value))
}

/// The macro that makes the mesh of a grid.
fn mesh(name: &str, level: f64, lines: usize) -> String {
    let (last, cells) = (lines - 1, lines - 1);
    let each = |row: &str| {
        format!(
            "#for (J, 0, {last}) #for (I, 0, {last})\n      \
             #local U = X + {name}_Lines[I]; #local V = Y + {name}_Lines[J];\n      \
             #local C = max({name}_Cells[I], {name}_Cells[J]);\n      {row}\n    #end #end"
        )
    };
    let place = each(&format!("<U, V, {} + R*{name}_Height(U, V, T, C)>", number(level)));
    let normal = each(&format!("<-R*{name}_Slope_X(U, V, T, C), -R*{name}_Slope_Y(U, V, T, C), 1>"));
    format!(
        "#macro {name}(T, R, X, Y)\n  \
         mesh2 {{\n    vertex_vectors {{ {points}, {place} }}\n    normal_vectors {{ {points}, {normal} }}\n    \
         face_indices {{ {triangles}, #for (J, 0, {end}) #for (I, 0, {end})\n      \
         #local K = {lines}*J + I;\n      \
         <K, K + 1, K + {diagonal}>, <K, K + {diagonal}, K + {lines}>\n    #end #end }}\n    \
         inside_vector z hollow material {{ {name}_Look }}\n  }}\n#end\n",
        points = lines * lines,
        triangles = 2 * cells * cells,
        end = cells - 1,
        diagonal = lines + 1,
    )
}
