//! The studies of Tasora's paper, shortened: they end, their tables are whole, and nothing is missed without a reason.

use windlass_study::{Done, Item, Verdict, Watch, matching, run};

struct Nobody;

impl Watch for Nobody {
    fn progress(&self, _study: &str, _done: f64) {}

    fn stops(&self) -> bool {
        false
    }
}

/// Runs one, and compares the rows of its tables with how many there should be.
fn check(name: &str, rows: &[usize]) {
    let all = run(&matching(name), 1, true, &Nobody, &|_: &Done| {});
    assert_eq!(all.len(), 1, "{name}");
    let done = &all[0];
    assert!(done.trouble.is_none(), "{name}: {:?}", done.trouble);
    let tables: Vec<_> = done
        .findings
        .items
        .iter()
        .filter_map(|item| match item {
            Item::Table(table) => Some(table),
            _ => None,
        })
        .collect();
    assert_eq!(tables.iter().map(|table| table.rows.len()).collect::<Vec<_>>(), rows, "{name}");
    for row in tables.iter().flat_map(|table| &table.rows) {
        assert_ne!(row.verdict, Verdict::Missed, "{name}: {:?}", row.cells);
    }
}

#[test]
fn a_block_finds_the_friction_of_table_one() {
    check("tasora/table-1", &[7]);
}

#[test]
fn a_straight_line_of_the_hand_needs_both_gears() {
    check("tasora/figure-6", &[8, 4, 1]);
}

#[test]
fn a_rider_stays_on_his_bicycle() {
    check("tasora/bicycle", &[7, 1, 5]);
}

#[test]
fn constraints_are_closed_in_two_rounds() {
    check("tasora/correction", &[6, 4]);
}
