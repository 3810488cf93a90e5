//! Heights of a ground at the start: rows, a text file, a grey image, an expression of x and y.
//!
//! ```text
//!  text    h = offset + scale · number              first row: lowest y
//!  image   h = offset + scale · grey, grey 0…1      first row: highest y
//! ```
//!
//! A grid fills the extent of its ground, whatever its own shape; what looks like a mistake is a warning of
//! `SoilWarning`. Missing heights are errors: nothing is interpolated over a hole.

use super::Builder;
use super::form::{Grid, LONGEST_TERRAIN, MOST_HEIGHTS};
use crate::expand::expression::{Found, Names, Quantity, Value, evaluate};
use crate::files::FileError;
use crate::subsystem::soil::{Extent, HeightRows};
use crate::text::Entry;
use crate::text::soil::{Ground as GroundText, HeightGrid};
use crate::units::{Dimension, dimension};
use toml::Spanned;

/// Most nodes along a side at which an expression is evaluated.
const EVALUATED: usize = 1001;

impl Builder {
    /// Heights of a ground: a grid, or the same everywhere.
    pub(super) fn heights(
        &mut self,
        entry: &Entry<GroundText>,
        extent: &Extent,
    ) -> Option<(Option<HeightRows>, f64)> {
        let flat = self.problems.number_or("height", &entry.value.height, 0.0)?;
        let Some(text) = &entry.value.heights else { return Some((None, flat)) };
        if let Some(height) = &entry.value.height {
            let message = "`height` and `heights` of a ground";
            self.problems.advise(height.span(), message, "leave one of them out");
            return None;
        }
        let grid = text.get_ref();
        let given = [grid.rows.is_some(), grid.file.is_some(), grid.expression.is_some()];
        if given.iter().filter(|given| **given).count() != 1 {
            let help = "give exactly one of `rows`, `file` and `expression`";
            self.problems.advise(text.span(), "the heights of a ground need one source", help);
            return None;
        }
        let offset = self.problems.number_or("offset", &grid.offset, 0.0)?;
        if let (None, Some(offset)) = (&grid.file, &grid.offset) {
            self.problems.advise(
                offset.span(),
                "`offset` without `file`",
                "add it to the heights, and leave it out",
            );
            return None;
        }
        let mut rows = match (&grid.expression, &grid.file) {
            (Some(_), _) if grid.scale.is_some() => {
                let help = "multiply the expression by it, and leave it out";
                self.problems.advise(text.span(), "`scale` with an expression", help);
                return None;
            }
            (Some(expression), _) => self.evaluated(expression, extent)?,
            (None, Some(file)) if is_image(file) => self.image(file, grid)?,
            _ => {
                let read = self.height_grid((&grid.rows, &grid.file, &grid.scale), text.span())?;
                HeightRows { columns: read.columns, heights: read.heights }
            }
        };
        let count = rows.heights.len() / rows.columns.max(1);
        if rows.columns < 2 || count < 2 {
            let message = format!("heights in {count} rows of {}", rows.columns);
            self.problems.advise(text.span(), message, "give at least two rows of two heights");
            return None;
        }
        rows.heights.iter_mut().for_each(|height| *height += offset);
        Some((Some(rows), 0.0))
    }

    /// Heights of an expression at the nodes of a ground.
    fn evaluated(&mut self, text: &Spanned<String>, extent: &Extent) -> Option<HeightRows> {
        let counts = extent.nodes.map(|n| n.min(EVALUATED));
        let mut heights = Vec::with_capacity(counts[0] * counts[1]);
        for j in 0..counts[1] {
            for i in 0..counts[0] {
                let [x, y] = extent.place([i, j], counts);
                let mut names = Position { x, y };
                let found = evaluate(text.get_ref(), &mut names).map_err(|e| e.told(&names));
                let wrong = |message: String| (message, Some("give a height in metres".to_string()));
                let height = match found {
                    Ok(Value::Number(Quantity { si, dimension: None | Some(LENGTH) })) => Ok(si),
                    Ok(Value::Number(Quantity { dimension: Some(d), .. })) => {
                        Err(Some(wrong(format!("the expression is in {d}"))))
                    }
                    Ok(_) => Err(Some(wrong("the expression is not a number".to_string()))),
                    Err(told) => Err(told),
                };
                match height {
                    Ok(height) if height.abs() <= 1e10 => heights.push(height),
                    Ok(height) => {
                        let message = format!("the height at x = {x}, y = {y} is {height} m");
                        self.problems.advise(text.span(), message, "give at most 1e10 m");
                        return None;
                    }
                    Err(told) => {
                        let (message, help) = told.unwrap_or_default();
                        let message = format!("{message}, at x = {x}, y = {y}");
                        self.problems.push(text.span(), message, help);
                        return None;
                    }
                }
            }
        }
        Some(HeightRows { columns: counts[0], heights })
    }

    /// Heights of a grey image.
    fn image(&mut self, file: &Spanned<String>, grid: &HeightGrid) -> Option<HeightRows> {
        let scale = self.problems.number_or("scale", &grid.scale, 1.0)?;
        let told = |e: FileError| (e.to_string(), e.help().to_string());
        let path = file.get_ref();
        let read = self.files.read(path, LONGEST_TERRAIN).map_err(told);
        match read.and_then(|bytes| grey(&bytes, path, scale)) {
            Ok(Grid { columns, heights }) => Some(HeightRows { columns, heights }),
            Err((message, help)) => {
                self.problems.advise(file.span(), message, help);
                None
            }
        }
    }
}

const LENGTH: Dimension = dimension(1, 0, 0, 0);

/// The names of an expression of x and y. They are numbers without a dimension, so that `sin(x)` and `0.1 * x` are valid.
struct Position {
    x: f64,
    y: f64,
}

impl Names for Position {
    fn look(&mut self, name: &str) -> Found {
        let number = |si: f64| Found::Value(Value::Number(Quantity { si, dimension: None }));
        match name {
            "x" => number(self.x),
            "y" => number(self.y),
            _ => Found::Unknown,
        }
    }

    fn known(&self) -> Vec<String> {
        vec!["x".to_string(), "y".to_string()]
    }
}

fn is_image(file: &Spanned<String>) -> bool {
    file.get_ref().to_ascii_lowercase().ends_with(".png")
}

/// The heights of a grey image, the lowest y first; else a message and a remedy.
fn grey(bytes: &[u8], path: &str, scale: f64) -> Result<Grid, (String, String)> {
    let broken = |e: png::DecodingError| {
        (format!("\"{path}\" is not a valid PNG image: {e}"), "save the image again".to_string())
    };
    let limits = png::Limits { bytes: 8 * MOST_HEIGHTS };
    let mut decoder = png::Decoder::new_with_limits(std::io::Cursor::new(bytes), limits);
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(broken)?;
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    if width.saturating_mul(height) > MOST_HEIGHTS {
        let message = format!("\"{path}\" has {width} × {height} pixels, more than {MOST_HEIGHTS}");
        return Err((message, "give a coarser grid".to_string()));
    }
    let (color, depth) = reader.output_color_type();
    if !matches!(color, png::ColorType::Grayscale | png::ColorType::GrayscaleAlpha) {
        return Err((
            format!("\"{path}\" is in colour"),
            "convert it to a grey image of 8 or 16 bits".into(),
        ));
    }
    let size = reader.output_buffer_size().unwrap_or(0);
    let mut pixels = vec![0; size];
    let info = reader.next_frame(&mut pixels).map_err(broken)?;
    let bytes_each = if depth == png::BitDepth::Sixteen { 2 } else { 1 };
    let channels = color.samples();
    let sample = |row: usize, column: usize, channel: usize| {
        let at = row * info.line_size + (column * channels + channel) * bytes_each;
        match bytes_each {
            2 => f64::from(u16::from_be_bytes([pixels[at], pixels[at + 1]])) / 65_535.0,
            _ => f64::from(pixels[at]) / 255.0,
        }
    };
    let mut heights = Vec::with_capacity(width * height);
    for row in (0..height).rev() {
        for column in 0..width {
            if channels == 2 && sample(row, column, 1) == 0.0 {
                let message = format!("\"{path}\": the pixel at column {column}, row {row} is transparent");
                return Err((message, "fill holes of the image: a ground has a height everywhere".into()));
            }
            heights.push(scale * sample(row, column, 0));
        }
    }
    Ok(Grid { columns: width, heights })
}
