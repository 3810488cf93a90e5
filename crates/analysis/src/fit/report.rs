//! The end of a search → estimates with intervals, and the parameters that the data cannot tell apart.

use super::Fit;
use super::search::Search;
use nalgebra::DMatrix;

/// A parameter at the end of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Its key.
    pub key: String,
    /// Its unit.
    pub unit: String,
    /// The value, in its unit.
    pub value: f64,
    /// Standard deviation; none if the data do not determine it.
    pub deviation: Option<f64>,
    /// 95 % confidence interval; none if the data do not determine it.
    pub interval: Option<[f64; 2]>,
    /// Whether it is at a bound.
    pub at_bound: bool,
}

/// Parameters that the data cannot tell apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Indistinct {
    /// Their keys; one key if the data do not depend on it.
    pub keys: Vec<String>,
    /// The change of each, relative to its value, that moved together changes nothing; the largest is 1.
    pub direction: Vec<f64>,
    /// How much the data change, relative to each parameter alone: its singular value.
    pub singular_value: f64,
}

/// A singular value below this cannot be told from 0: differences of runs have errors of 1e-6 and more, and intervals
/// of parameters would be a thousand times as wide as of each alone.
const INDISTINCT: f64 = 1e-3;

/// Parts of a singular vector below this do not belong to the group.
const PART: f64 = 0.05;

/// A column this much shorter than the longest has no effect on the data.
const NO_EFFECT: f64 = 1e-9;

pub(super) fn of(search: &mut Search<'_>) -> Fit {
    let jacobian = search.jacobian();
    let search = &*search;
    let n = search.parameters.len();
    let lengths: Vec<f64> = (0..n).map(|k| jacobian.column(k).norm()).collect();
    let longest = lengths.iter().copied().fold(0.0, f64::max);
    let acts = |k: &usize| lengths[*k] > NO_EFFECT * longest;
    let active: Vec<usize> = (0..n).filter(acts).collect();
    let mut indistinct: Vec<Indistinct> =
        (0..n).filter(|k| !acts(k)).map(|k| without_effect(search, k)).collect();
    let scaled = DMatrix::from_fn(jacobian.nrows(), active.len(), |i, k| {
        jacobian[(i, active[k])] / lengths[active[k]]
    });
    let (sizes, v) = directions(scaled);
    let free = jacobian.nrows() as f64 - n as f64;
    let chi = search.residuals.norm_squared() / free;
    // covariance of the scaled parameters, without the directions that the data do not determine
    let mut covariance = DMatrix::zeros(n, n);
    let mut undetermined: Vec<bool> = (0..n).map(|k| !acts(&k)).collect();
    for (s, size) in sizes.iter().enumerate() {
        let direction = v.column(s);
        if *size < INDISTINCT {
            indistinct.push(group(
                search,
                &active,
                &lengths,
                &direction.iter().copied().collect::<Vec<_>>(),
                *size,
            ));
            for (k, part) in active.iter().zip(direction.iter()) {
                undetermined[*k] |= part.abs() > PART;
            }
            continue;
        }
        for (i, a) in active.iter().enumerate() {
            for (k, b) in active.iter().enumerate() {
                covariance[(*a, *b)] +=
                    chi * direction[i] * direction[k] / (size * size * lengths[*a] * lengths[*b]);
            }
        }
    }
    let quantile = student(free);
    let estimates = (0..n).map(|k| {
        let parameter = &search.parameters[k];
        let value = parameter.at(search.at[k]);
        let deviation: f64 = libm::sqrt(covariance[(k, k)]) * (parameter.high - parameter.low);
        let known = !undetermined[k];
        Estimate {
            key: parameter.key.clone(),
            unit: parameter.unit.clone(),
            value,
            deviation: known.then_some(deviation),
            interval: known.then_some([value - quantile * deviation, value + quantile * deviation]),
            at_bound: search.at[k] <= 0.0 || search.at[k] >= 1.0,
        }
    });
    let correlation = |i: usize, k: usize| {
        let size = libm::sqrt(covariance[(i, i)] * covariance[(k, k)]);
        if size > 0.0 && !undetermined[i] && !undetermined[k] { covariance[(i, k)] / size } else { 0.0 }
    };
    Fit {
        estimates: estimates.collect(),
        indistinct,
        rms: search.rms(),
        correlation: (0..n).map(|i| (0..n).map(|k| correlation(i, k)).collect()).collect(),
        iterations: search.iterations,
        runs: search.runs,
        converged: search.converged,
    }
}

/// Singular values of a matrix, with the right singular vectors as columns; none of a matrix without columns.
fn directions(a: DMatrix<f64>) -> (Vec<f64>, DMatrix<f64>) {
    if a.ncols() == 0 {
        return (Vec::new(), DMatrix::zeros(0, 0));
    }
    let svd = a.svd(false, true);
    let v = svd.v_t.map_or_else(|| DMatrix::zeros(0, 0), |v| v.transpose());
    (svd.singular_values.iter().copied().collect(), v)
}

fn without_effect(search: &Search<'_>, k: usize) -> Indistinct {
    Indistinct { keys: vec![search.parameters[k].key.clone()], direction: vec![1.0], singular_value: 0.0 }
}

/// The parameters of a singular vector, changes relative to their values.
fn group(search: &Search<'_>, active: &[usize], lengths: &[f64], direction: &[f64], size: f64) -> Indistinct {
    let of = |(k, part): (&usize, &f64)| {
        let parameter = &search.parameters[*k];
        let change = part / lengths[*k] * (parameter.high - parameter.low);
        let value = parameter.at(search.at[*k]);
        (part.abs() > PART)
            .then(|| (parameter.key.clone(), if value != 0.0 { change / value } else { change }))
    };
    let (keys, changes): (Vec<String>, Vec<f64>) = active.iter().zip(direction).filter_map(of).unzip();
    let largest = changes.iter().copied().fold(0.0, |m: f64, x| if x.abs() > m.abs() { x } else { m });
    let direction = changes.iter().map(|x| x / largest).collect();
    Indistinct { keys, direction, singular_value: size }
}

/// The 97.5 % quantile of Student's t, by the expansion about the normal one (Abramowitz & Stegun 26.7.5).
fn student(free: f64) -> f64 {
    let z: f64 = 1.959_963_984_540_054;
    let (z3, z5, z7) = (z * z * z, z * z * z * z * z, z * z * z * z * z * z * z);
    let first = (z3 + z) / (4.0 * free);
    let second = (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * free * free);
    let third = (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * free * free * free);
    z + first + second + third
}

#[cfg(test)]
mod tests {
    use super::student;

    /// Tables: 2.228 for 10 and 2.042 for 30 degrees of freedom.
    #[test]
    fn quantiles_are_those_of_tables() {
        for (free, expected) in [(10.0, 2.228), (30.0, 2.042), (1e9, 1.960)] {
            assert!((student(free) - expected).abs() < 1e-3, "{free}: {}", student(free));
        }
    }
}
