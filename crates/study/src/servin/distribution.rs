//! Figs 2 and 3: how often the topmost particle of a chain is stretched and bent by how much, without and with bends
//! held.
//!
//!   φ_d, φ_a at every step → shares of samples in bins of φ / max |φ|, one of which has 0 in its middle

use super::particle_chain::{Chain, Course, Model, Steps};
use crate::{Ask, Paper, Study, StudyContext, Table, Trouble, Verdict, number};
use libm::fabs;
use windlass_plot::{Curve, Figure, Measure};

pub static STUDY: Study = Study {
    name: "servin/figures-2-3",
    paper: Paper::Servin,
    title: "Chains of particles: stretch and bend, sampled over time",
    place: "§III, Figs 2 and 3",
    about: "Five particles of 1 kg, the last one of 100 kg, fall from a horizontal line and swing for 30 s. Stretch φ_d of \
            the topmost link and bend φ_a at the topmost particle are written down at every step: for links alone, model (a), \
            and with every bend held softly, model (e).",
    timed: false,
    run,
};

/// Mass of the load over that of a particle, ε of distances [m/N] and of bends [rad/(N·m)]: §III.
const RATIO: f64 = 100.0;
const STRETCH: f64 = 1e-6;
const BEND: f64 = 1e-4;

/// Bins from −1 to 1.
const BINS: usize = 41;

fn run(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let seconds = 30.0;
    context.parameter("mass ratio M/m", RATIO);
    context.parameter("ε of distances, of bends", format!("{STRETCH:.0e} m/N, {BEND:.0e} rad/(N·m)"));
    context.parameter("step, time", format!("1/60 s, {seconds} s"));
    let [links, bends] = [Model::Links, Model::Bends].map(|model| Chain::new(model, RATIO, STRETCH, BEND));
    let links = links.drop_for(seconds, Steps::Engine).map_err(Trouble::from)?;
    context.progress(0.5)?;
    let bends = bends.drop_for(seconds, Steps::Engine).map_err(Trouble::from)?;
    let [a, e] =
        [&links, &bends].map(|course| [Sampled::new(&course.stretches), Sampled::new(&course.bends)]);
    context.figure("Links alone, model (a), as in Fig. 2", &drawn(&a));
    context.figure("Links and bends, model (e), as in Fig. 3", &drawn(&e));

    let mut table = Table::comparison("What the text says of Figs 2 and 3", "paper");
    table.compare("whole swings in 30 s", turns(&links), 6.0, Ask::Apart(0.5));
    for (name, sampled) in [("φ_d", &a[0]), ("φ_a", &a[1])] {
        let off = fabs(sampled.fullest());
        table.compare(
            &format!("(a): fullest bin of {name} from 0, in parts of the largest"),
            off,
            0.0,
            Ask::Apart(0.05),
        );
    }
    let [stretch, bend] = [0, 1].map(|k| e[k].largest / a[k].largest);
    table.compare("largest φ_a of (e) over that of (a): much less", bend, 0.1, Ask::AtMost);
    table.compare("largest φ_d of (e) over that of (a): a little less", stretch, 1.0, Ask::AtMost);
    for (name, sampled) in [("φ_d", &e[0]), ("φ_a", &e[1])] {
        let [low, middle, high] = sampled.humps();
        let cells = [
            format!("(e): {name} is bi-valued: fullest bin on either side, and emptiest between [%]"),
            [low, high, middle].map(|share| number(100.0 * share)).join(", "),
            "two humps".to_string(),
            "sides ≥ 1.5 × between".to_string(),
        ];
        table.row(cells, Verdict::of(low.min(high) >= 1.5 * middle && middle.is_finite()));
    }
    for (name, sampled) in [("(a)", &a[1]), ("(e)", &e[1])] {
        let name = format!("{name}: share of time with |φ_a| below a tenth of its largest");
        table.row([name, number(sampled.near()), "–".to_string(), "–".to_string()], Verdict::Told);
    }
    context.table(table);
    context.remark(
        "Links are stretched by the load and hardly ever pressed together, so that φ_d has no negative side: its two humps in (e) \
         are the turning points, without tension, and the lowest point with three times the load's weight.",
    );
    Ok(())
}

/// How often a chain's load passed below its anchor, two a swing.
fn turns(course: &Course) -> f64 {
    let passes = course.load.windows(2).filter(|w| w[0].x * w[1].x < 0.0).count();
    0.5 * passes as f64
}

/// The first of a chain's numbers over time.
struct Sampled {
    largest: f64,
    shares: Vec<f64>,
    samples: Vec<f64>,
}

impl Sampled {
    fn new(course: &[Vec<f64>]) -> Sampled {
        let samples: Vec<f64> = course.iter().filter_map(|all| all.first().copied()).collect();
        let largest = samples.iter().fold(0.0, |most: f64, x| most.max(fabs(*x)));
        let mut shares = vec![0.0; BINS];
        for x in &samples {
            let place = (0.5 * (x / largest + 1.0) * BINS as f64) as usize;
            shares[place.min(BINS - 1)] += 1.0 / samples.len() as f64;
        }
        Sampled { largest, shares, samples }
    }

    /// The middle of a bin.
    fn middle(bin: usize) -> f64 {
        (2 * bin + 1) as f64 / BINS as f64 - 1.0
    }

    /// Where most samples are, in parts of the largest.
    fn fullest(&self) -> f64 {
        let bin = (0..BINS).max_by(|a, b| self.shares[*a].total_cmp(&self.shares[*b])).unwrap_or(0);
        Sampled::middle(bin)
    }

    /// Of the two fullest bins that have an emptier one between them, the pair with the deepest valley: lower hump,
    /// valley, upper hump.
    fn humps(&self) -> [f64; 3] {
        let most = |bins: &[f64]| bins.iter().copied().fold(0.0, f64::max);
        let cut = |k: usize| [most(&self.shares[..k]), self.shares[k], most(&self.shares[k + 1..])];
        let depth = |[low, valley, high]: &[f64; 3]| low.min(*high) - valley;
        let cuts = (1..BINS - 1).map(cut);
        cuts.max_by(|a, b| depth(a).total_cmp(&depth(b))).unwrap_or([f64::NAN; 3])
    }

    /// Share of samples below a tenth of the largest.
    fn near(&self) -> f64 {
        let few = self.samples.iter().filter(|x| fabs(**x) < 0.1 * self.largest).count();
        few as f64 / self.samples.len() as f64
    }
}

fn drawn(both: &[Sampled; 2]) -> Figure {
    let units = ["m", "rad"];
    let curve = |k: usize| {
        let name = format!("{}, largest {} {}", ["φ_d", "φ_a"][k], number(both[k].largest), units[k]);
        let points = both[k].shares.iter().enumerate();
        Curve::dotted_line(
            &name,
            "%",
            points.map(|(bin, share)| (Sampled::middle(bin), 100.0 * share)).collect(),
        )
    };
    Figure {
        x: Measure::new("φ / largest |φ|", ""),
        y: Some("share of samples".to_string()),
        curves: (0..2).map(curve).collect(),
        ..Figure::default()
    }
}
