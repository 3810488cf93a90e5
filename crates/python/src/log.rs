//! The readings of a run: rows at a rate.

use windlass_host::probe::Column;
use windlass_host::{Machine, Outputs};

/// Rows of numbers, the time first.
pub struct Log {
    pub outputs: Outputs,
    pub rows: Vec<f64>,
    /// Time between two rows [s]; none for every step.
    every: Option<f64>,
    /// Time of the next row [s].
    next: f64,
}

impl Log {
    /// An empty log that starts at a time.
    pub fn new(outputs: Outputs, every: Option<f64>, start: f64) -> Log {
        Log { outputs, rows: Vec::new(), every, next: start }
    }

    /// Adds a row if one is due: at the first step that reaches its time.
    pub fn take(&mut self, machine: &mut Machine) {
        let (time, half) = (machine.time(), 1e-6 * machine.dt());
        if time < self.next - half {
            return;
        }
        // a row of each step, if no step is shorter
        if let Some(every) = self.every.filter(|every| *every > machine.dt()) {
            while self.next <= time + half {
                self.next += every;
            }
        }
        let begin = self.rows.len();
        self.rows.resize(begin + self.outputs.len(), f64::NAN);
        machine.read_and_mark(&mut self.outputs, &mut self.rows[begin..]);
    }

    /// Name and unit of each column, and whether it has numbers of a statically indeterminate reaction.
    pub fn columns(&self) -> Vec<(String, &'static str, bool)> {
        let outputs = &self.outputs;
        let column = |c: &Column| (c.name.clone(), c.unit, outputs.is_indeterminate(c));
        outputs.columns().iter().map(column).collect()
    }
}
