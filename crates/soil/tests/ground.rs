//! Cases of the validation catalogue: ground.

#[path = "ground/cases.rs"]
mod cases;
#[path = "ground/columns.rs"]
mod columns;
#[path = "ground/compaction.rs"]
mod compaction;
#[path = "ground/kit.rs"]
mod kit;
#[path = "ground/planes.rs"]
mod planes;
#[path = "ground/soils.rs"]
mod soils;
#[path = "ground/starts.rs"]
mod starts;
#[path = "ground/states.rs"]
mod states;
