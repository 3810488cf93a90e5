//! The studies of Loock and Schömer, in short.

use crate::short;

#[test]
fn studies_of_loock_and_schoemer_hold() {
    let rows: [(&str, &[usize]); 3] =
        [("loock/springs", &[12]), ("loock/figure-4", &[3, 3, 2, 2, 3]), ("loock/rebuilds", &[8])];
    short::hold("loock", &rows, &[]);
}
