//! Studies of a paper in short: they end without trouble, have their rows, and miss nothing that is not named with a reason.

use windlass_study::{Done, Item, Table, Verdict, Watch, matching, run};

struct Nobody;

impl Watch for Nobody {
    fn progress(&self, _study: &str, done: f64) {
        assert!((0.0..=1.0).contains(&done));
    }

    fn stops(&self) -> bool {
        false
    }
}

fn tables(done: &Done) -> Vec<&Table> {
    let mut tables = Vec::new();
    for item in &done.findings.items {
        if let Item::Table(table) = item {
            tables.push(table);
        }
    }
    tables
}

/// Runs all studies of a paper but the timed ones. `rows` are those of the tables of each, `missed` first cells of rows that may be
/// missed.
pub fn hold(paper: &str, rows: &[(&str, &[usize])], missed: &[&str]) {
    let chosen: Vec<_> = matching(paper).into_iter().filter(|study| !study.timed).collect();
    assert_eq!(chosen.len(), rows.len(), "{:?}", chosen.iter().map(|s| s.name).collect::<Vec<_>>());
    let all = run(&chosen, 1, true, &Nobody, &|_| ());
    for (done, (name, rows)) in all.iter().zip(rows) {
        assert_eq!(done.study.name, *name);
        assert!(done.trouble.is_none(), "{name}: {}", done.trouble.as_ref().unwrap());
        let found: Vec<usize> = tables(done).iter().map(|table| table.rows.len()).collect();
        assert_eq!(found, *rows, "{name}");
        for row in tables(done).iter().flat_map(|table| &table.rows) {
            let may = row.verdict != Verdict::Missed || missed.contains(&row.cells[0].as_str());
            assert!(may, "{name}: {:?}", row.cells);
        }
        let [met, _] = done.findings.counts();
        assert!(met > 0, "{name} asks nothing");
    }
}
