//! The studies of AERO, in short.

use crate::short;

#[test]
fn studies_of_aero_hold() {
    let rows: [(&str, &[usize]); 6] = [
        ("aero/sphere-drop", &[2, 4]),
        ("aero/impacts", &[3, 3, 4]),
        ("aero/settling", &[4, 2, 3]),
        ("aero/cradle", &[5, 1]),
        ("aero/can-toss", &[2, 2]),
        ("aero/vehicle", &[5]),
    ];
    short::hold("aero", &rows, &[]);
}
