//! Many runs of one scene: values are varied on a grid or sampled, each run is measured, and is a row of a table.
//!
//! ```text
//!  Description ──Sweep::new──▶ Sweep ──row(index)──▶ Row ──line──▶ CSV
//!   scene, overrides,           │                     values, measures, status, hash of the end state
//!   vary, samples, measures     └ rows(indices, jobs, …): in the order of the indices, on several threads
//! ```
//!
//! A row depends on the description and its index alone: not on threads, other rows, or the order in which they are
//! computed. Any executor that writes [`Sweep::header`] and [`Row::line`] in order therefore writes the same bytes. A fault
//! or a set of values that makes the scene invalid is a row, not the end of the sweep. Nothing is printed and there is
//! no clock.
//!
//! ```
//! use windlass_sweep::{Description, SceneText, Sweep};
//!
//! let text = r#"
//!     windlass = 2
//!     settings = { duration = 1, gravity = [0, 0, -10] }
//!     [bodies.stone]
//!     mass = 1
//!     shape = { sphere = { radius = 0.1 } }
//!     velocity = [0, 0, 0]
//! "#;
//! let mut description = Description::new(SceneText::new("stone.toml", text));
//! description.vary = vec!["bodies.stone.velocity=[[0, 0, 0], [0, 0, 3]]".parse()?];
//! description.measures = vec!["rise=end(bodies.stone.position.z)".parse()?];
//! let sweep = Sweep::new(description)?;
//! let mut rise = Vec::new();
//! sweep.rows(0..sweep.len(), 1, &|| false, &mut |row| {
//!     rise.push(row.measures[0]);
//!     Ok(())
//! })?;
//! assert!((rise[1] - rise[0] - 3.0).abs() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod description;
mod error;
mod execute;
mod measure;
mod normal;
mod random;
mod sobol;
mod space;
mod sweep;
pub mod table;
mod time_series;
mod value;
mod vary;

pub use description::{Description, SceneText};
pub use error::{SweepError, SweepErrors};
pub use execute::Halt;
pub use measure::Measure;
pub use space::Method;
pub use sweep::Sweep;
pub use table::{Column, Header, Row, Status};
pub use time_series::Function;
pub use value::Cell;
pub use vary::Vary;

use std::str::FromStr;

impl FromStr for Vary {
    type Err = SweepError;

    fn from_str(text: &str) -> Result<Vary, SweepError> {
        Vary::parse(text)
    }
}

impl FromStr for Measure {
    type Err = SweepError;

    fn from_str(text: &str) -> Result<Measure, SweepError> {
        Measure::parse(text)
    }
}
