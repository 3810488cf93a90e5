//! The scene file: TOML text → [`Scene`] → a world.
//!
//! ```text
//!  files ──read──▶ Scene ──build──▶ Built { world, seconds, … } ──change──▶ the world of another scene
//!   includes, patterns,     numbers, names,
//!   keys, syntax            physics
//! ```
//!
//! Reading only reads; building makes all checks. Every error has its position in the text and a remedy, and one run
//! reports as many as possible. Numbers are in SI units, or text with a unit: `mass = "10 t"`.
//!
//! ```
//! let scene = windlass_scene::parse(
//!     r#"
//!     windlass = 2
//!     [bodies.ground]
//!     type = "static"
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
pub mod control;
mod decode;
pub mod drawn;
pub mod edit;
mod error;
mod expand;
pub mod files;
mod kind;
mod kit;
pub mod library;
pub mod material;
pub mod mesh;
pub mod number;
mod quantity;
pub mod save;
mod schema;
pub mod section;
mod size;
mod subsystem;
pub mod suggestion;
pub mod text;
pub mod units;
pub mod upgrade;
pub mod visual;
mod write;

pub use build::{AppliedChange, Built, BuiltCable, Buried, CableRef, Reeved, WinchWarning};
pub use control::{Control, Move};
pub use error::{Cause, Errors, Problem, Source, Sources};
pub use expand::overrides::Override;
pub use schema::{reference, schema};
pub use size::Size;
pub use subsystem::controllers::{LogicItem, LogicStep};
pub use subsystem::fluids::{FluidFlow, FluidReading, FluidSurface, FluidWarning, Vessel};
pub use subsystem::mass_points::{PointCable, PointSection};
pub use subsystem::soil::look::Parcel;
pub use subsystem::soil::report::{EarthworkProperties, GroundProperties, SoilProperties, ToolProperties};
pub use subsystem::soil::warning::SoilWarning;
pub use subsystem::soil::{BinReading, GroundReading};
pub use subsystem::soil::{GroundSurface, LooseParticle, SurfaceSoil, TILE as GROUND_TILE, ToolReading};
pub use subsystem::vehicles::VehicleWarning;
pub use subsystem::vehicles::{
    ComponentLook, ComponentReading, VehicleLook, VehicleReading, WheelLook, WheelReading,
};
pub use text::{Scene, parse, parse_with};

use files::Folder;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

/// Reads a scene file and the files it includes.
pub fn read(path: impl AsRef<Path>) -> Result<Scene, Errors> {
    read_with(path, &[])
}

/// Reads a scene file and the files it includes; overrides replace values of the files.
pub fn read_with(path: impl AsRef<Path>, overrides: &[Override]) -> Result<Scene, Errors> {
    let path = path.as_ref();
    let name = path.display().to_string();
    let fail = |cause: Cause, message: String, help: String| {
        let mut sources = Sources::default();
        sources.add(&name, None, "".into());
        let problems = vec![Problem { span: 0..0, message, help: Some(help) }];
        Errors { file: name.clone(), sources, cause, problems }
    };
    let unread = |e: std::io::Error| {
        let help = "check the path and your permission to read it".to_string();
        fail(Cause::File, format!("{name}: {e}"), help)
    };
    // checked before opening: opening a pipe would block
    if !std::fs::metadata(path).map_err(unread)?.is_file() {
        let help = "give the path of a scene file".to_string();
        return Err(fail(Cause::File, format!("{name} is not a file"), help));
    }
    let mut bytes = Vec::new();
    let most = text::LONGEST_FILE as u64 + 1;
    File::open(path).map_err(unread)?.take(most).read_to_end(&mut bytes).map_err(unread)?;
    match String::from_utf8(bytes) {
        Ok(text) => parse_with(&text, &name, Arc::new(Folder::of(path)), overrides),
        Err(e) => {
            let message = format!("byte {} is not valid UTF-8", e.utf8_error().valid_up_to());
            Err(fail(Cause::Text, message, "save the file as UTF-8".to_string()))
        }
    }
}
