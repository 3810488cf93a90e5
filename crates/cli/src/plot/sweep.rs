//! The table of a sweep → curves: measures over a varied key, a curve for each set of the other varied values.
//!
//! Values of a grid are joined by lines. Samples are dots; a sampled key that is not on the horizontal axis parts no
//! curves. Rows whose runs are not complete are left out.

use crate::table::content::{Content, Kind};
use windlass_host::probe::{fits, suggestion};
use windlass_plot::{Curve, Measure};
use windlass_sweep::Status;
use windlass_sweep::table::AFTER;

/// Largest number of curves.
const MOST: usize = 24;
/// Largest number of measures drawn if none are selected.
const UNCHOSEN: usize = 8;

/// The horizontal axis and the curves over it.
pub fn curves(content: &Content, x: Option<&str>, y: &[String]) -> Result<(Measure, Vec<Curve>), String> {
    let header = &content.header;
    let kinds = content.kinds();
    let numbers: Vec<usize> = (1..kinds.len()).filter(|place| kinds[*place] == Kind::Number).collect();
    let names = || numbers.iter().map(|place| content.name(*place).0);
    let across = match x {
        Some(name) => {
            let place = numbers.iter().find(|place| content.name(**place).0 == name);
            *place.ok_or_else(|| {
                format!("no column \"{name}\" for --x; {}", suggestion(name, "columns", names()))
            })?
        }
        None => default_axis(content, &numbers)?,
    };
    let mut measures: Vec<usize> = Vec::new();
    for name in y {
        let before = measures.len();
        measures.extend(numbers.iter().filter(|place| fits(name, content.name(**place).0)));
        if measures.len() == before {
            return Err(format!("no column \"{name}\"; {}", suggestion(name, "columns", names())));
        }
    }
    if y.is_empty() {
        measures.extend(header.varied + 1..header.columns.len() - AFTER.len());
        if measures.len() > UNCHOSEN {
            return Err(format!("select measures with --y; {}", suggestion("", "columns", names())));
        }
    }
    let others = (1..=header.varied).filter(|place| *place != across && !header.sampled.contains(place));
    let curves = grouped(content, across, &others.collect::<Vec<_>>(), &measures)?;
    let (name, unit) = content.name(across);
    Ok((Measure::new(name, unit), curves))
}

/// The first sampled key, else the first varied key, that is a number.
fn default_axis(content: &Content, numbers: &[usize]) -> Result<usize, String> {
    let header = &content.header;
    let sampled = header.sampled.iter().copied().find(|place| numbers.contains(place));
    let varied = || numbers.iter().copied().find(|place| *place <= header.varied);
    sampled.or_else(varied).ok_or_else(|| {
        "no varied key is a number\n  help: name a column for the horizontal axis with --x".to_string()
    })
}

/// The rows with the same values in other columns make one curve per measure.
fn grouped(
    content: &Content,
    across: usize,
    others: &[usize],
    measures: &[usize],
) -> Result<Vec<Curve>, String> {
    let mut groups: Vec<(Vec<&str>, Vec<usize>)> = Vec::new();
    for (row, status) in content.statuses().enumerate() {
        if status != Some(Status::Ok) {
            continue;
        }
        let key: Vec<&str> = others.iter().map(|place| content.rows[row][*place].as_str()).collect();
        match groups.iter().position(|(known, _)| *known == key) {
            Some(place) => groups[place].1.push(row),
            None if (groups.len() + 1) * measures.len() > MOST => {
                return Err(format!(
                    "more than {MOST} curves\n  help: put the key with the most values on the horizontal axis with --x, or \
                     select measures with --y"
                ));
            }
            None => groups.push((key, vec![row])),
        }
    }
    let x = content.numbers(across);
    let mut curves = Vec::new();
    for place in measures {
        let y = content.numbers(*place);
        let (name, unit) = content.name(*place);
        for (key, rows) in &groups {
            let mut points: Vec<(f64, f64)> = rows.iter().map(|row| (x[*row], y[*row])).collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            let mut label = name.to_string();
            for (other, value) in others.iter().zip(key) {
                let (key, unit) = content.name(*other);
                label += format!(", {key} = {value} {unit}").trim_end();
            }
            curves.push(match content.header.sampled.is_empty() {
                true => Curve::dotted_line(&label, unit, points),
                false => Curve::dots(&label, unit, points),
            });
        }
    }
    Ok(curves)
}
