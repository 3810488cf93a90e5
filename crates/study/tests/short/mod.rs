//! Studies of a paper in short: they end without trouble, have their rows, and miss nothing that is not named with a reason.

use windlass_study::{Table, Verdict, Watch, matching, run};

struct Nobody;

impl Watch for Nobody {
    fn progress(&self, _study: &str, done: f64) {
        assert!((0.0..=1.0).contains(&done));
    }

    fn stops(&self) -> bool {
        false
    }
}

/// What may be missed: the study, the first cells of the row, and why.
pub type Known<'a> = (&'a str, &'a [&'a str], &'a str);

/// Runs all studies of a paper but the timed ones. `rows` are those of the tables of each.
pub fn hold(paper: &str, rows: &[(&str, &[usize])], known: &[Known<'_>]) {
    let chosen: Vec<_> = matching(paper).into_iter().filter(|study| !study.timed).collect();
    assert_eq!(chosen.len(), rows.len(), "{:?}", chosen.iter().map(|s| s.name).collect::<Vec<_>>());
    let all = run(&chosen, 2, true, &Nobody, &|_| ());
    for (done, (name, rows)) in all.iter().zip(rows) {
        assert_eq!(done.study.name, *name);
        assert!(done.trouble.is_none(), "{name}: {:?}", done.trouble);
        let tables: Vec<&Table> = done.findings.tables().collect();
        assert_eq!(tables.iter().map(|table| table.rows.len()).collect::<Vec<_>>(), *rows, "{name}");
        for row in tables.iter().flat_map(|table| &table.rows).filter(|row| row.verdict == Verdict::Missed) {
            let begins = |cells: &[&str]| cells.iter().zip(&row.cells).all(|(a, b)| a == b);
            let may = known.iter().any(|(study, cells, _)| study == name && begins(cells));
            assert!(may, "{name}: {:?}", row.cells);
        }
        let [met, _] = done.findings.counts();
        assert!(met > 0, "{name} asks nothing");
    }
}
