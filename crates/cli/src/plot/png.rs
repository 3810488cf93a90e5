//! SVG drawing → PNG at twice its resolution.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use std::path::Path;
use windlass_scene::save::{Older, save};

const SCALE: f32 = 2.0;

/// Writes the image. Text uses the fonts of the system.
pub fn write(path: &Path, drawing: &str) -> Result<(), String> {
    let mut options = Options::default();
    options.fontdb_mut().load_system_fonts();
    if options.fontdb.is_empty() {
        return Err("this system has no fonts: write .svg instead".to_string());
    }
    let tree = Tree::from_str(drawing, &options).map_err(|e| e.to_string())?;
    let size = tree.size();
    let (width, height) = ((size.width() * SCALE) as u32, (size.height() * SCALE) as u32);
    let mut pixels = Pixmap::new(width, height).ok_or("the figure has no size")?;
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    let bytes = pixels.encode_png().map_err(|e| e.to_string())?;
    save(path, &bytes, Older::Replaced).map_err(|e| e.to_string())
}
