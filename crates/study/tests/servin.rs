//! Studies of Servin and Lacoursière end, have their rows, and miss nothing but what is named here.

use windlass_study::{Done, Item, Verdict, Watch, matching, run};

struct Nobody;

impl Watch for Nobody {
    fn progress(&self, _study: &str, _done: f64) {}

    fn stops(&self) -> bool {
        false
    }
}

/// Studies, and the number of rows of each of their tables in a quick look.
const ROWS: [(&str, &[usize]); 11] = [
    ("servin/table-1", &[9]),
    ("servin/figures-2-3", &[9]),
    ("servin/figure-4", &[4]),
    ("servin/figure-5", &[3, 2]),
    ("servin/figure-10", &[12]),
    ("servin/figure-11", &[12]),
    ("servin/figure-12", &[12, 4]),
    ("servin/table-2", &[3, 3]),
    ("servin/iterations", &[4, 2, 4]),
    ("servin/figure-15", &[15]),
    ("servin/figure-16", &[7]),
];

/// What is missed and why: the first cells of the row.
const MISSED: [(&str, &[&str], &str); 2] = [
    ("servin/table-1", &["(e)", "1e-18"], "beyond 1e10 the engine drops a row of bends as dependent"),
    ("servin/figure-4", &["(a) at M/m = 100"], "the paper's cloud comes with 150; it does not say its ratio"),
];

fn tables(done: &Done) -> impl Iterator<Item = &windlass_study::Table> {
    done.findings.items.iter().filter_map(|item| match item {
        Item::Table(table) => Some(table),
        _ => None,
    })
}

#[test]
fn quick_looks_miss_only_what_is_known() {
    let studies: Vec<_> = matching("servin").into_iter().filter(|study| !study.timed).collect();
    let all = run(&studies, 2, true, &Nobody, &|_| {});
    assert_eq!(all.len(), ROWS.len());
    for (done, (name, rows)) in all.iter().zip(ROWS) {
        assert_eq!(done.study.name, name);
        assert!(done.trouble.is_none(), "{name}: {:?}", done.trouble);
        let counts: Vec<usize> = tables(done).map(|table| table.rows.len()).collect();
        assert_eq!(counts, rows, "{name}");
        for row in tables(done).flat_map(|table| &table.rows).filter(|row| row.verdict == Verdict::Missed) {
            let begins = |cells: &[&str]| cells.iter().zip(&row.cells).all(|(a, b)| a == b);
            let known = MISSED.iter().any(|(study, cells, _)| *study == name && begins(cells));
            assert!(known, "{name}: {:?}", row.cells);
        }
    }
}
