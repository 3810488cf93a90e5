//! Fig. 4: the stretch of a link against that of a step later.
//!
//!   r = ⟨φ(t) φ(t + h)⟩ / ⟨φ²⟩, means taken off      0 for a cloud, near 1 for an ellipse of a slow oscillation

use super::particle_chain::{Chain, Model, Steps};
use crate::{Ask, Paper, Study, StudyContext, Table, Trouble};
use windlass_plot::{Curve, Figure, Measure};

pub static STUDY: Study = Study {
    name: "servin/figure-4",
    paper: Paper::Servin,
    title: "Chains of particles: return maps of the stretch",
    place: "§III, Fig. 4",
    about: "The stretch φ_d of the topmost link is drawn against itself a step later, for links alone, model (a), and with \
            bends held softly, model (e). The paper has a cloud for (a), next to uncorrelated, and an ellipse for (e).",
    timed: false,
    run,
};

/// The paper has 100 for Figs 2 and 3 and 150 for Fig. 5, and gives neither for Fig. 4.
const RATIOS: [f64; 2] = [100.0, 150.0];
const STRETCH: f64 = 1e-6;
const BEND: f64 = 1e-4;
/// A correlation below this counts as next to none, one above the other as a closed curve.
const LOOSE: f64 = 0.5;
const CLOSE: f64 = 0.95;

fn run(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    context.parameter("ε of distances, of bends", format!("{STRETCH:.0e} m/N, {BEND:.0e} rad/(N·m)"));
    context.parameter("step, time", "1/60 s, 30 s");
    let mut table = Table::comparison("Correlation of φ_d with itself a step later", "asked for");
    for (i, ratio) in RATIOS.into_iter().enumerate() {
        for (k, model) in [Model::Links, Model::Bends].into_iter().enumerate() {
            context.progress(0.5 * i as f64 + 0.25 * k as f64)?;
            let chain = Chain::new(model, ratio, STRETCH, BEND);
            let course = chain.drop_for(30.0, Steps::Engine).map_err(Trouble::from)?;
            let stretches: Vec<f64> = course.stretches.iter().map(|all| all[0]).collect();
            let name = format!("({}) at M/m = {ratio}", model.letter());
            match model {
                Model::Links => table.compare(&name, correlation(&stretches), LOOSE, Ask::AtMost),
                _ => table.compare(&name, correlation(&stretches), CLOSE, Ask::AtLeast),
            }
            if ratio == RATIOS[1] {
                let caption = format!("Return map of model {name}, the outermost hundredth left out");
                context.figure(&caption, &drawn(&stretches));
            }
        }
    }
    context.table(table);
    context.remark(
        "At 100, the ratio of Figs 2 and 3, links alone swing regularly here, by the engine's steps and by the paper's alike; the cloud \
         of Fig. 4 comes with 150, where the chain is close to breaking down. Which ratio the figure has is not said.",
    );
    Ok(())
}

fn correlation(series: &[f64]) -> f64 {
    let mean = series.iter().sum::<f64>() / series.len() as f64;
    let [mut now, mut next] = [0.0; 2];
    for pair in series.windows(2) {
        now += (pair[0] - mean) * (pair[0] - mean);
        next += (pair[0] - mean) * (pair[1] - mean);
    }
    next / now
}

fn drawn(series: &[f64]) -> Figure {
    let mut sizes: Vec<f64> = series.iter().map(|x| x.abs()).collect();
    sizes.sort_by(f64::total_cmp);
    let most = sizes[sizes.len() * 99 / 100];
    let inner = series.windows(2).filter(|w| w[0].abs() <= most && w[1].abs() <= most);
    let points = inner.map(|w| (1e3 * w[0], 1e3 * w[1])).collect();
    Figure {
        size: Some((480, 420)),
        x: Measure::new("φ_d(t)", "mm"),
        curves: vec![Curve::dots("φ_d(t + Δt)", "mm", points)],
        ..Figure::default()
    }
}
