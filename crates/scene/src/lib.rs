//! The scene file: TOML text → [`Scene`] → a world.
//!
//! ```text
//!  file ──read──▶ Scene ──build──▶ Built { world, seconds, … }
//!       keys, syntax      numbers, names, physics
//! ```
//!
//! Reading does nothing but read; building makes all checks. Every error has its place in the text and a remedy,
//! and one run tells as many as it can. Numbers are SI, or text with a unit: `mass = "10 t"`.
//!
//! ```
//! let scene = windlass_scene::parse(
//!     r#"
//!     windlass = 1
//!     [bodies.ground]
//!     kind = "fixed"
//!     [bodies.bob]
//!     position = [1, 0, 0]
//!     shape = { sphere = { radius = "10 cm" } }
//!     density = 7850
//!     [joints.pivot]
//!     ball = { bodies = ["ground", "bob"], at = [0, 0, 0] }
//!     "#,
//!     "pendulum.toml",
//! )?;
//! let mut built = scene.build()?;
//! assert!(built.world.step().fault.is_none());
//! # Ok::<(), windlass_scene::Errors>(())
//! ```

mod build;
mod error;
pub mod files;
pub mod look;
pub mod material;
pub mod mesh;
pub mod near;
pub mod number;
pub mod rope;
mod schema;
pub mod text;
pub mod units;
mod write;

pub use build::Built;
pub use error::{Cause, Errors, Problem};
pub use schema::{reference, schema};
pub use text::{Scene, parse};

use files::Folder;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

/// Reads a scene file.
pub fn read(path: impl AsRef<Path>) -> Result<Scene, Errors> {
    let path = path.as_ref();
    let name = path.display().to_string();
    let fail = |message: String, help: &str| Errors {
        file: name.clone(),
        text: "".into(),
        cause: Cause::File,
        problems: vec![Problem { span: 0..0, message, help: Some(help.to_string()) }],
    };
    let open =
        |e: std::io::Error| fail(format!("{name}: {e}"), "check the path and your permission to read it");
    // asked before opening: opening a pipe would wait for its other end
    if !std::fs::metadata(path).map_err(open)?.is_file() {
        return Err(fail(format!("{name} is not a file"), "give the path of a scene file"));
    }
    let mut bytes = Vec::new();
    let most = text::LONGEST_FILE as u64 + 1;
    File::open(path).map_err(open)?.take(most).read_to_end(&mut bytes).map_err(open)?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Scene { files: Arc::new(Folder::of(path)), ..parse(&text, &name)? }),
        Err(e) => {
            let at = e.utf8_error().valid_up_to();
            let mut errors = fail(format!("byte {at} is no UTF-8 text"), "save the file as UTF-8");
            errors.cause = Cause::Text;
            Err(errors)
        }
    }
}
