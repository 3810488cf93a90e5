//! Table I: the largest load that chains of five particles carry, by their extra constraints.

use super::particle_chain::{Grid, Limit, Model, ROWS, entry};
use crate::{Paper, Study, StudyContext, Table, Trouble, Verdict};

pub static STUDY: Study = Study {
    name: "servin/table-1",
    paper: Paper::Servin,
    title: "Chains of particles: which constraint lets them carry more?",
    place: "§III, Table I",
    about: "Five particles of 1 kg, the last one a load, fall from a horizontal line. For each set of constraints and each \
            pair of compliances the load is raised by quarters of a decade until the chain tears by a tenth of a link or gains \
            energy. The paper's own step is run as a dense solve of its equation (11), and by the engine.",
    timed: false,
    run,
};

fn run(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let grid = context.pick(Grid::default(), Grid { parts: 1, seconds: 10.0, most: 17.0 });
    context.parameter("step", "1/60 s");
    context.parameter("time of each run", format!("{} s", grid.seconds));
    context.parameter("loads tried", format!("10 to 10^{} kg, {} a decade", grid.most, grid.parts));
    let heads =
        ["constraints", "ε of distances [m/N]", "ε of the rest", "paper", "its step, again", "engine"];
    let mut table = Table::new("Largest stable mass ratio M/m, as power of ten (Table I)", &heads);
    for (i, row) in ROWS.iter().enumerate() {
        context.progress(i as f64 / ROWS.len() as f64)?;
        let entry = entry(row, &grid).map_err(Trouble::from)?;
        let extra =
            if entry.model == Model::Links { "–".to_string() } else { format!("{:.0e}", entry.extra) };
        let cells = [
            format!("({})", entry.model.letter()),
            format!("{:.0e}", entry.stretch),
            extra,
            format!("{}", entry.paper),
            told(&entry.again),
            told(&entry.ours),
        ];
        let reached = entry.ours.power.is_some_and(|power| power >= entry.paper);
        table.row(cells, Verdict::of(reached));
    }
    context.table(table);
    context.remark(
        "With loads of 10^14 kg and more a bend of (e) moves 10^14 times less than its particles would without the other rows: what is left \
         of its mobility is rounding, but for its own compliance. The engine keeps such a row by that, and refines the answer until its \
         residual is below 10^-9.",
    );
    Ok(())
}

fn told(limit: &Limit) -> String {
    let mark = if limit.open { "≥ " } else { "" };
    limit.power.map_or("none".to_string(), |power| format!("{mark}{power:.2}"))
}
