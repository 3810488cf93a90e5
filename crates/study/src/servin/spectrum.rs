//! Fig. 5: which frequencies a chain's bends have, by how stiffly bends are held.
//!
//! ```text
//!  P_k = |Σ w_n (φ_n − φ̄) e^{−2πi k n/N}|²      w Hann's window, f_k = k/(N h)
//! ```

use super::particle_chain::{Chain, Model, STEP, Steps};
use crate::{Ask, Paper, Study, StudyContext, Table, Trouble, Verdict, number};
use std::f64::consts::TAU;
use windlass_plot::{Curve, Figure, Measure, Scale};

pub static STUDY: Study = Study {
    name: "servin/figure-5",
    paper: Paper::Servin,
    title: "Chains of particles: spectra of the bend, by its stiffness",
    place: "§III, Fig. 5",
    about: "The chain with bends held, model (e), falls and swings for 30 s; the bend at its topmost particle is taken apart \
            into frequencies, for three compliances of the bends. Stiffer bends drive it towards lower frequencies.",
    timed: false,
    run,
};

const RATIO: f64 = 150.0;
const STRETCH: f64 = 1e-6;
/// The paper's three compliances of bends [rad/(N·m)].
const BENDS: [f64; 3] = [1e-1, 5e-3, 1e-4];
/// The share of the power that lies below an edge.
const SHARE: f64 = 0.95;

fn run(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let seconds = context.pick(30.0, 15.0);
    context.parameter("mass ratio M/m", RATIO);
    context.parameter("ε of distances", format!("{STRETCH:.0e} m/N"));
    context.parameter("step, time", format!("1/60 s, {seconds} s"));
    let mut spectra = Vec::new();
    for (k, bend) in BENDS.into_iter().enumerate() {
        context.progress(k as f64 / 3.0)?;
        let chain = Chain::new(Model::Bends, RATIO, STRETCH, bend);
        let course = chain.drop_for(seconds, Steps::Engine).map_err(Trouble::from)?;
        let bends: Vec<f64> = course.bends.iter().map(|all| all[0]).collect();
        spectra.push(Spectrum::new(&bends));
    }
    let curve = |(bend, spectrum): (&f64, &Spectrum)| {
        Curve::line(&format!("ε_a = {bend:.0e} rad/(N·m)"), "rad", spectrum.points())
    };
    let figure = Figure {
        x: Measure::new("frequency", "Hz"),
        scales: [Scale::Linear, Scale::Logarithmic],
        y: Some("amplitude of the bend".to_string()),
        curves: BENDS.iter().zip(&spectra).map(curve).collect(),
        ..Figure::default()
    };
    context.figure("Spectra of the topmost bend, as in Fig. 5", &figure);

    let mut table = Table::new(
        "Where the power lies: stiffer bends have less, and lower (Fig. 5)",
        &["ε_a [rad/(N·m)]", "95 % of the power below [Hz]", "root mean square [rad]", "asked"],
    );
    let mut before: Option<(f64, f64)> = None;
    for (bend, spectrum) in BENDS.iter().zip(&spectra) {
        let (edge, size) = (spectrum.edge(), spectrum.size);
        let verdict = before.map_or(Verdict::Told, |(e, s)| Verdict::of(edge < e && size < s));
        let asked = if before.is_some() { "both below the last" } else { "–" };
        table.row([format!("{bend:.0e}"), number(edge), number(size), asked.to_string()], verdict);
        before = Some((edge, size));
    }
    context.table(table);
    let mut edges = Table::comparison("The edges against half the sampling rate", "asked for");
    edges.compare(
        "softest: 95 % edge, in parts of half the sampling rate",
        spectra[0].edge() * 2.0 * STEP,
        0.5,
        Ask::AtLeast,
    );
    edges.compare("stiffest: the same", spectra[2].edge() * 2.0 * STEP, 0.1, Ask::AtMost);
    context.table(edges);
    context.remark(
        "The text speaks of the spectrum of φ_d, the figure's caption of the bend angle; it is the bend that is shown here. The \
         softest bends are next to none, and the chain is close to where model (a) breaks: its bends flip from step to step.",
    );
    Ok(())
}

/// Amplitudes by frequency.
struct Spectrum {
    amplitudes: Vec<f64>,
    /// Root mean square of the series.
    size: f64,
    /// Between frequencies [Hz].
    apart: f64,
}

impl Spectrum {
    fn new(series: &[f64]) -> Spectrum {
        let count = series.len();
        let mean = series.iter().sum::<f64>() / count as f64;
        let part = |n: usize| TAU * n as f64 / count as f64;
        let windowed: Vec<f64> =
            series.iter().enumerate().map(|(n, x)| (x - mean) * (1.0 - libm::cos(part(n)))).collect();
        let amplitude = |k: usize| {
            let [mut re, mut im] = [0.0; 2];
            for (n, x) in windowed.iter().enumerate() {
                // the phase repeats with the series
                let phase = part(k * n % count);
                re += x * libm::cos(phase);
                im -= x * libm::sin(phase);
            }
            2.0 * libm::hypot(re, im) / count as f64
        };
        let square = series.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / count as f64;
        let amplitudes = (1..=count / 2).map(amplitude).collect();
        Spectrum { amplitudes, size: square.sqrt(), apart: 1.0 / (count as f64 * STEP) }
    }

    fn points(&self) -> Vec<(f64, f64)> {
        self.amplitudes.iter().enumerate().map(|(k, a)| ((k + 1) as f64 * self.apart, *a)).collect()
    }

    /// The frequency below which most of the power lies [Hz].
    fn edge(&self) -> f64 {
        let whole: f64 = self.amplitudes.iter().map(|a| a * a).sum();
        let mut sum = 0.0;
        let below = self.amplitudes.iter().take_while(|a| {
            sum += **a * **a;
            sum < SHARE * whole
        });
        (below.count() + 1) as f64 * self.apart
    }
}
