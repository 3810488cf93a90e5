//! Experiments at 1/60 s and 1 ms beside a reference, and tables of both.

use crate::{Table, Trouble, Verdict, number};
use libm::fabs;

/// The steps at which the experiments are run [s].
pub const STEPS: [f64; 2] = [1.0 / 60.0, 1e-3];

/// Runs an experiment at both steps.
pub fn at_steps<T: Copy>(run: impl Fn(f64) -> Result<T, Trouble>) -> Result<[T; 2], Trouble> {
    Ok([run(STEPS[0])?, run(STEPS[1])?])
}

/// A table of quantities at both steps beside a reference, and beside what the guide's formula gives as printed.
pub fn steps_table(caption: &str, reference: &str) -> Table {
    let heads =
        ["quantity", "1/60 s", "1 ms", reference, "error at 1/60 s", "error at 1 ms", "asked", "as printed"];
    Table::new(caption, &heads)
}

/// The criterion of such a row.
#[derive(Clone, Copy, Debug)]
pub enum Within {
    /// Errors relative to the reference, at 1/60 s and 1 ms.
    Part([f64; 2]),
    /// Absolute errors, at 1/60 s and 1 ms.
    Apart([f64; 2]),
}

/// Appends a row to a table of [`steps_table`].
pub fn steps_row(table: &mut Table, quantity: &str, ours: [f64; 2], reference: (f64, Within), printed: &str) {
    let (reference, within) = reference;
    let (asked, unit) = match within {
        Within::Part(asked) => (asked, fabs(reference)),
        Within::Apart(asked) => (asked, 1.0),
    };
    let errors = ours.map(|ours| fabs(ours - reference) / unit);
    let kind = if let Within::Part(_) = within { "relative " } else { "" };
    let cells = [
        quantity.to_string(),
        number(ours[0]),
        number(ours[1]),
        number(reference),
        number(errors[0]),
        number(errors[1]),
        format!("{kind}{}, {}", number(asked[0]), number(asked[1])),
        if printed.is_empty() { "–" } else { printed }.to_string(),
    ];
    table.row(cells, Verdict::of(errors[0] <= asked[0] && errors[1] <= asked[1]));
}

/// Root of an increasing function between two bounds, by bisection to round-off.
pub fn root(mut low: f64, mut high: f64, value: impl Fn(f64) -> f64) -> f64 {
    // 100 halvings leave nothing of any interval of doubles of one magnitude
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if value(middle) < 0.0 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}
