//! The CSV log: a line per instant, everything at the same time.
//!
//! Per body: origin x y z, attitude qw qx qy qz, velocity of the centre of mass vx vy vz, spin wx wy wz (world axes).
//! Per joint: value, speed and effort of each coordinate; force and torque on its second body about its second frame.
//! Each line is written whole by one call, so a log is complete up to its last line however the run ends.
//! Cells of a broken joint are empty. Numbers have as many digits as it takes to read back the same bits.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use windlass_engine::prelude::{BodyId, JointId, World};

const VECTOR: [&str; 3] = ["x", "y", "z"];
const QUATERNION: [&str; 4] = ["qw", "qx", "qy", "qz"];

/// An open log.
#[derive(Debug)]
pub struct Log {
    file: File,
    bodies: Vec<BodyId>,
    /// With how many coordinates each.
    joints: Vec<(JointId, usize)>,
    line: String,
}

impl Log {
    /// Creates the file and writes the column names.
    pub fn create(path: &Path, world: &World, bodies: &[BodyId], joints: &[JointId]) -> io::Result<Log> {
        let state = world.state();
        let joints: Vec<_> =
            joints.iter().map(|id| (*id, state.joints[id.index()].coordinates.len())).collect();
        let mut log = Log { file: File::create(path)?, bodies: bodies.to_vec(), joints, line: String::new() };
        log.head(world);
        log.file.write_all(log.line.as_bytes())?;
        Ok(log)
    }

    fn head(&mut self, world: &World) {
        let mut columns = vec!["time".to_string()];
        for id in &self.bodies {
            let name = world.model().bodies().get(*id).map_or("", |b| &b.name);
            columns.extend(VECTOR.iter().chain(&QUATERNION).map(|c| format!("{name}.{c}")));
            columns.extend(["v", "w"].iter().flat_map(|q| VECTOR.map(|c| format!("{name}.{q}{c}"))));
        }
        for (id, coordinates) in &self.joints {
            let name = world.model().joints().get(*id).map_or("", |j| &j.name);
            for k in 1..=*coordinates {
                columns.extend(["value", "speed", "effort"].map(|c| format!("{name}.{k}.{c}")));
            }
            columns.extend(["f", "t"].iter().flat_map(|q| VECTOR.map(|c| format!("{name}.{q}{c}"))));
        }
        let quoted: Vec<_> = columns.iter().map(|c| quoted(c)).collect();
        self.line = quoted.join(",") + "\n";
    }

    /// Appends a line: the world as it is now.
    pub fn write(&mut self, world: &mut World) -> io::Result<()> {
        let time = world.state().time;
        let now = world.inspect();
        let line = &mut self.line;
        line.clear();
        let _ = write!(line, "{time:?}");
        for id in &self.bodies {
            let Some(b) = now.body(*id) else { continue };
            let (x, q, t) = (b.at, b.attitude, b.twist);
            numbers(line, &[x.x, x.y, x.z, q.w, q.x, q.y, q.z]);
            numbers(line, &t.velocity.to_array());
            numbers(line, &t.spin.to_array());
        }
        for (id, coordinates) in &self.joints {
            for k in 0..*coordinates {
                match now.coordinate(*id, k) {
                    Some(c) => numbers(line, &[c.value, c.speed, c.effort]),
                    None => line.push_str(",,,"),
                }
            }
            match now.reaction(*id, 1) {
                Some(w) => {
                    numbers(line, &w.force.to_array());
                    numbers(line, &w.torque.to_array());
                }
                None => line.push_str(",,,,,,"),
            }
        }
        line.push('\n');
        self.file.write_all(line.as_bytes())
    }
}

fn numbers(line: &mut String, numbers: &[f64]) {
    for x in numbers {
        // −0 and 0 are one number
        let _ = write!(line, ",{:?}", x + 0.0);
    }
}

/// A cell, quoted if it must be (RFC 4180).
fn quoted(cell: &str) -> String {
    if cell.contains([',', '"']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_string() }
}
