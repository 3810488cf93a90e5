//! The studies of Tasora, in short.

use crate::short;

#[test]
fn studies_of_tasora_hold() {
    let rows: [(&str, &[usize]); 4] = [
        ("tasora/table-1", &[7]),
        ("tasora/figure-6", &[8, 4, 1]),
        ("tasora/bicycle", &[7, 1, 5]),
        ("tasora/correction", &[6, 4]),
    ];
    short::hold("tasora", &rows, &[]);
}
