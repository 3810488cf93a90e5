//! Forms: a shape of the text becomes collision geometry, mass and a visual.
//!
//! A solid is all three. The collision geometry of a pipe is simpler than its visual. A plane, a terrain and an open
//! mesh have no volume and are rejected for dynamic bodies. They are drawn as closed solids: a slab, a block and a thin
//! sheet.

use super::Builder;
use crate::error::Problems;
use crate::files::FileError;
use crate::number::{Factor, Length, Number, Numbers, Size};
use crate::text::body::Shape as ShapeText;
use glam::{DQuat, DVec3};
use std::ops::Range;
use std::sync::Arc;
use toml::Spanned;
use windlass_engine::prelude::{Geometry, Shape};

/// Maximum number of heights of a terrain.
pub(super) const MOST_HEIGHTS: usize = 1_000_000;
/// Maximum size of a file of heights [bytes].
pub(super) const LONGEST_TERRAIN: u64 = 32 << 20;
/// Extent to which a plane is drawn along x and y by default [m].
const DRAWN: [f64; 2] = [100.0, 100.0];
/// Thickness to which planes are drawn [m].
const SLAB: f64 = 0.1;
/// Thickness to which a terrain is drawn below its lowest point, as a fraction of its length.
const BLOCK: f64 = 0.02;
/// Thickness to which an open mesh is drawn, as a fraction of its size.
const SHEET: f64 = 2e-3;

/// A shape of the text.
#[derive(Clone, Debug)]
pub struct Form {
    /// The collision geometry, shared by all shapes with the same text.
    pub geometry: Arc<Geometry>,
    /// Extent to which a plane is drawn along x and y [m].
    drawn: [f64; 2],
    /// Simpler collision geometry that replaces it, each part with its position in its frame.
    touched: Vec<(Arc<Geometry>, DVec3, DQuat)>,
}

/// A terrain as specified in the text.
struct TerrainText<'a> {
    heights: &'a Option<Spanned<Vec<Numbers<Length>>>>,
    file: &'a Option<Spanned<String>>,
    scale: &'a Option<Number<Factor>>,
    size: &'a Option<Numbers<Size>>,
    spacing: &'a Option<Numbers<Size>>,
}

/// Heights of a terrain; x varies fastest.
pub(super) struct Grid {
    pub heights: Vec<f64>,
    pub columns: usize,
}

/// Rows of heights, or the file that has them and its scale.
type GridText<'a> =
    (&'a Option<Spanned<Vec<Numbers<Length>>>>, &'a Option<Spanned<String>>, &'a Option<Number<Factor>>);

impl Form {
    /// That of a collision geometry.
    pub fn of(geometry: Geometry) -> Form {
        Form { geometry: Arc::new(geometry), drawn: DRAWN, touched: Vec::new() }
    }

    /// The solid, if it is one.
    pub fn solid(&self) -> Option<&Shape> {
        match &*self.geometry {
            Geometry::Solid(shape) => Some(shape),
            _ => None,
        }
    }

    /// Its collision geometry, each part with its position in its frame.
    pub fn touched(&self) -> Vec<(Arc<Geometry>, DVec3, DQuat)> {
        match self.touched.is_empty() {
            true => vec![(self.geometry.clone(), DVec3::ZERO, DQuat::IDENTITY)],
            false => self.touched.clone(),
        }
    }

    /// Its name in messages.
    pub fn name(&self) -> &'static str {
        match &*self.geometry {
            Geometry::Solid(_) => "a solid",
            Geometry::HalfSpace => "a plane",
            Geometry::Surface { .. } => "an open mesh",
            Geometry::HeightField { .. } => "a terrain",
            Geometry::Ground { .. } => "a ground",
        }
    }

    /// Its visual, and the position of the visual's origin in the frame of the form; none if it cannot be drawn.
    pub fn seen(&self) -> Option<(Shape, DVec3)> {
        match &*self.geometry {
            Geometry::Solid(shape) => Some((shape.clone(), DVec3::ZERO)),
            Geometry::HalfSpace => {
                let half = DVec3::new(self.drawn[0], self.drawn[1], SLAB) / 2.0;
                Some((Shape::Box { half }, DVec3::NEG_Z * (SLAB / 2.0)))
            }
            Geometry::Surface { vertices, triangles } => {
                let sheet = sheet(vertices, triangles);
                sheet.check().is_ok().then_some((sheet, DVec3::ZERO))
            }
            Geometry::HeightField { heights, columns, spacing } => {
                Some((block(heights, *columns, *spacing), DVec3::ZERO))
            }
            Geometry::Ground { .. } => None,
        }
    }
}

impl Builder {
    /// A checked form. `span` is the location of errors that no key of the shape causes.
    pub fn form(&mut self, text: &ShapeText, span: Range<usize>) -> Option<Form> {
        let (mut drawn, mut touched) = (DRAWN, Vec::new());
        let geometry = match text {
            ShapeText::Plane { size } => {
                if let Some(size) = size {
                    drawn = self.problems.pair("size", size)?;
                }
                Geometry::HalfSpace
            }
            ShapeText::Pipe { points, radius } => {
                let pipe = self.pipe(points, radius)?;
                let shared = |(shape, at, turn)| (Arc::new(Geometry::Solid(shape)), at, turn);
                touched = pipe.capsules.into_iter().map(shared).collect();
                pipe.tube
            }
            ShapeText::Terrain { heights, file, scale, size, spacing } => {
                self.terrain(&TerrainText { heights, file, scale, size, spacing }, span)?
            }
            ShapeText::Mesh { open: Some(true), vertices, triangles, file, scale, up, flip } => {
                let surface = match (vertices, triangles, file) {
                    (None, None, Some(file)) => self.open_file(file, scale, *up, flip.unwrap_or(false))?,
                    (Some(v), Some(t), None) if scale.is_none() && up.is_none() && flip.is_none() => {
                        self.open_inline(v, t)?
                    }
                    _ => {
                        self.twice_given(span);
                        return None;
                    }
                };
                Geometry::Surface { vertices: surface.vertices, triangles: surface.triangles }
            }
            solid => Geometry::Solid(self.shape(solid, span)?),
        };
        let geometry = match text {
            // shapes with the same text are stored once: hulls of a pattern, a mesh of many bodies
            ShapeText::Convex { .. } | ShapeText::Mesh { .. } | ShapeText::Terrain { .. } => {
                let key = toml::Value::try_from(text).map(|v| v.to_string()).unwrap_or_default();
                self.shared.entry(key).or_insert_with(|| Arc::new(geometry)).clone()
            }
            _ => Arc::new(geometry),
        };
        Some(Form { geometry, drawn, touched })
    }

    fn terrain(&mut self, text: &TerrainText<'_>, span: Range<usize>) -> Option<Geometry> {
        let TerrainText { heights, file, scale, size, spacing } = text;
        let place = heights.as_ref().map(|rows| rows.span()).or(file.as_ref().map(|file| file.span()));
        let place = place.unwrap_or(span.clone());
        let grid = self.height_grid((heights, file, scale), span)?;
        let p = &mut self.problems;
        let cells = [grid.columns - 1, grid.heights.len() / grid.columns - 1].map(|n| n as f64);
        let spacing = match (size, spacing) {
            (Some(size), None) => {
                let [x, y] = p.pair("size", size)?;
                [x / cells[0], y / cells[1]]
            }
            (None, Some(spacing)) => p.pair("spacing", spacing)?,
            _ => {
                let help =
                    "give either `size = [x, y]` of the whole terrain or `spacing = [x, y]` between heights";
                p.advise(place, "a terrain needs either `size` or `spacing`", help);
                return None;
            }
        };
        let geometry = Geometry::HeightField { heights: grid.heights, columns: grid.columns, spacing };
        if let Some(problem) = geometry.problem() {
            p.push(place, problem, None);
            return None;
        }
        Some(geometry)
    }

    /// A grid of heights from rows or from a file.
    pub(super) fn height_grid(
        &mut self,
        (rows, file, scale): GridText<'_>,
        span: Range<usize>,
    ) -> Option<Grid> {
        match (rows, file) {
            (Some(rows), None) if scale.is_none() => {
                let p = &mut self.problems;
                let counts: Vec<usize> = rows.get_ref().iter().map(Numbers::count).collect();
                even(&counts, "heights", |row| rows.get_ref()[row].span(), rows.span(), p)?;
                let judged: Vec<_> = rows.get_ref().iter().map(|r| p.numbers("heights", r)).collect();
                let judged: Option<Vec<Vec<f64>>> = judged.into_iter().collect();
                Some(Grid { columns: counts[0], heights: judged?.concat() })
            }
            (None, Some(file)) => {
                let scale = self.problems.number_or("scale", scale, 1.0)?;
                self.heights_of(file, scale)
            }
            _ => {
                let help = "give the rows of heights, or `file` with `scale`";
                self.problems.advise(span, "a terrain needs either `heights` or a `file`", help);
                None
            }
        }
    }

    /// Reads the heights of a file: rows of numbers separated by commas, semicolons, blanks or tabs; `#` begins a
    /// comment.
    fn heights_of(&mut self, file: &Spanned<String>, scale: f64) -> Option<Grid> {
        let path = file.get_ref();
        let told = |e: FileError| (e.to_string(), e.help().to_string());
        let read = self.files.read(path, LONGEST_TERRAIN).map_err(told).and_then(|bytes| {
            let text = String::from_utf8(bytes).map_err(|_| {
                (format!("\"{path}\" is not a text file"), "give rows of numbers".to_string())
            })?;
            rows_of(&text, path, scale)
        });
        match read {
            Ok(grid) => Some(grid),
            Err((message, help)) => {
                self.problems.advise(file.span(), message, help);
                None
            }
        }
    }
}

/// Reads rows of numbers; else returns a message and a remedy.
fn rows_of(text: &str, path: &str, scale: f64) -> Result<Grid, (String, String)> {
    let mut grid = Grid { heights: Vec::new(), columns: 0 };
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        if let Some((column, why)) = hole(line) {
            let message = format!("\"{path}\", line {}: height {} {why}", number + 1, column + 1);
            return Err((message, "fill the holes: a terrain has a height everywhere".to_string()));
        }
        let words = line.split([',', ';', ' ', '\t', '\r']).filter(|word| !word.is_empty());
        let before = grid.heights.len();
        for word in words {
            let height = word.parse::<f64>().ok().map(|x| x * scale).filter(|x| x.abs() <= 1e10);
            let Some(height) = height else {
                let word = crate::suggestion::shortened(word);
                let message = format!("\"{path}\", line {}: \"{word}\" is not a number", number + 1);
                return Err((message, "give rows of numbers separated by commas or blanks".to_string()));
            };
            grid.heights.push(height);
            if grid.heights.len() > MOST_HEIGHTS {
                return Err((format!("\"{path}\" has more than {MOST_HEIGHTS} heights"), FEWER.to_string()));
            }
        }
        let count = grid.heights.len() - before;
        if before == 0 {
            grid.columns = count;
        } else if count != 0 && count != grid.columns {
            let message = format!(
                "\"{path}\", line {}: the row has {count} heights, the first has {}",
                number + 1,
                grid.columns
            );
            return Err((message, "give the same number in every row".to_string()));
        }
    }
    if grid.columns < 2 || grid.heights.len() < 2 * grid.columns {
        return Err((
            format!("\"{path}\" has fewer than two rows of two heights"),
            "give at least two rows of two".to_string(),
        ));
    }
    Ok(grid)
}

/// Remedy for a terrain with too many heights.
const FEWER: &str = "give a coarser grid";

/// Checks that rows have equal lengths, and that there are at least two of two.
fn even(
    counts: &[usize],
    key: &str,
    row: impl Fn(usize) -> Range<usize>,
    whole: Range<usize>,
    p: &mut Problems,
) -> Option<()> {
    let columns = counts.first().copied().unwrap_or(0);
    if counts.len() < 2 || columns < 2 {
        p.advise(whole, format!("`{key}` has fewer than two rows of two"), "give at least two rows of two");
        return None;
    }
    if columns.saturating_mul(counts.len()) > MOST_HEIGHTS {
        p.advise(whole, format!("`{key}` has more than {MOST_HEIGHTS} numbers"), FEWER);
        return None;
    }
    if let Some(odd) = counts.iter().position(|count| *count != columns) {
        let message = format!("row {} has {} heights, the first has {columns}", odd + 1, counts[odd]);
        p.advise(row(odd), message, "give the same number in every row");
        return None;
    }
    Some(())
}

/// A surface with a thickness below it; closed if no edge has more than two triangles.
fn sheet(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Shape {
    let mut normals = vec![DVec3::ZERO; vertices.len()];
    for t in triangles {
        let [a, b, c] = t.map(|corner| vertices[corner as usize]);
        let normal = (b - a).cross(c - a);
        t.iter().for_each(|corner| normals[*corner as usize] += normal);
    }
    let low = vertices.iter().copied().fold(DVec3::INFINITY, DVec3::min);
    let high = vertices.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
    let thick = SHEET * (high - low).length();
    let below = vertices.iter().zip(&normals).map(|(v, n)| *v - n.normalize_or_zero() * thick);
    let all: Vec<DVec3> = vertices.iter().copied().chain(below).collect();
    let count = vertices.len() as u32;
    let edges = |t: &[u32; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
    let mut known: Vec<[u32; 2]> = triangles.iter().flat_map(edges).collect();
    known.sort_unstable();
    let border = triangles.iter().flat_map(edges).filter(|[a, b]| known.binary_search(&[*b, *a]).is_err());
    let sides = border.flat_map(|[a, b]| [[b, a, a + count], [b, a + count, b + count]]);
    let under = triangles.iter().map(|[a, b, c]| [a + count, c + count, b + count]);
    let faces = triangles.iter().copied().chain(under).chain(sides).collect();
    Shape::Mesh { vertices: all, triangles: faces }
}

/// A terrain with a flat bottom.
fn block(heights: &[f64], columns: usize, spacing: [f64; 2]) -> Shape {
    let rows = heights.len() / columns;
    let middle = [(columns - 1) as f64 / 2.0, (rows - 1) as f64 / 2.0];
    let at = |i: usize, j: usize, z: f64| {
        DVec3::new((i as f64 - middle[0]) * spacing[0], (j as f64 - middle[1]) * spacing[1], z)
    };
    let lowest = heights.iter().copied().fold(f64::INFINITY, f64::min);
    let length = (columns as f64 * spacing[0]).max(rows as f64 * spacing[1]);
    let floor = lowest - BLOCK * length;
    let corner = |i: usize, j: usize| (i + j * columns) as u32;
    let mut vertices: Vec<DVec3> =
        heights.iter().enumerate().map(|(k, z)| at(k % columns, k / columns, *z)).collect();
    let mut triangles = Vec::with_capacity(2 * heights.len());
    for j in 0..rows - 1 {
        for i in 0..columns - 1 {
            let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    // once around, counterclockwise as seen from above; the bottom is a fan
    let south = (0..columns - 1).map(|i| (i, 0));
    let east = (0..rows - 1).map(|j| (columns - 1, j));
    let north = (1..columns).rev().map(|i| (i, rows - 1));
    let west = (1..rows).rev().map(|j| (0, j));
    let ring: Vec<(usize, usize)> = south.chain(east).chain(north).chain(west).collect();
    let first = vertices.len() as u32;
    vertices.extend(ring.iter().map(|&(i, j)| at(i, j, floor)));
    let centre = vertices.len() as u32;
    vertices.push(DVec3::new(0.0, 0.0, floor));
    for (k, &(i, j)) in ring.iter().enumerate() {
        let next = (k + 1) % ring.len();
        let (a, b) = (corner(i, j), corner(ring[next].0, ring[next].1));
        let (c, d) = (first + k as u32, first + next as u32);
        triangles.extend([[b, a, c], [b, c, d], [d, c, centre]]);
    }
    Shape::Mesh { vertices, triangles }
}

/// Numbers that mark missing heights in grids of geographic information systems.
const MISSING: [f64; 3] = [-9999.0, -32768.0, -99999.0];

/// The hole in a line of numbers, if it has one: a missing number between two separators, or one that marks it.
fn hole(line: &str) -> Option<(usize, &'static str)> {
    let separator = [',', ';', '\t'].into_iter().find(|s| line.contains(*s));
    let words: Vec<&str> = match separator {
        // a separator at the end of a line is common
        Some(separator) => {
            let line = line.trim();
            line.strip_suffix(separator).unwrap_or(line).split(separator).map(str::trim).collect()
        }
        None => line.split_whitespace().collect(),
    };
    words.iter().enumerate().find_map(|(k, word)| {
        let lower = word.to_ascii_lowercase();
        let number = word.parse::<f64>().ok();
        match () {
            () if word.is_empty() && words.len() > 1 => Some((k, "is empty")),
            () if lower == "nan" || lower == "na" || lower == "null" => Some((k, "is not a number")),
            () if number.is_some_and(|x| MISSING.contains(&x)) => Some((k, "marks a missing height")),
            () => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terrains_and_sheets_are_drawn_as_closed_solids() {
        let heights: Vec<f64> = (0..12).map(|k| f64::from(k % 5) * 0.3).collect();
        block(&heights, 4, [1.0, 2.0]).check().expect("closed, inside in");
        let square = [DVec3::ZERO, DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::Y];
        sheet(&square, &[[0, 1, 2], [0, 2, 3]]).check().expect("closed, inside in");
    }

    #[test]
    fn files_of_heights_are_rows_of_numbers() {
        let grid = rows_of("# hills\n0, 1, 2\n\n3; 4; 5 # end\n", "a.csv", 0.5).expect("a grid");
        assert_eq!((grid.columns, grid.heights), (3, vec![0.0, 0.5, 1.0, 1.5, 2.0, 2.5]));
        for wrong in ["", "1 2", "1 2\n3", "1\n2", "1 2\n3 nan", "1 2\n3 x", "1 2\n3 1e300"] {
            assert!(rows_of(wrong, "a.csv", 1.0).is_err(), "{wrong}");
        }
    }
}
