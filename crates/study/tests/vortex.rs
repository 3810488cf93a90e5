//! The studies of the Vortex guide, in short.

use crate::short;

#[test]
fn studies_of_the_guide_hold() {
    let rows: [(&str, &[usize]); 7] = [
        ("vortex/cable-stiffness", &[6, 3, 5]),
        ("vortex/heavy-load", &[2, 4, 1]),
        ("vortex/friction-box", &[12, 3, 2, 1]),
        ("vortex/artefacts", &[7, 3, 4, 2]),
        ("vortex/fluids", &[8, 11, 4, 3, 4, 4, 6, 4, 7, 2, 5, 5, 6, 6, 12]),
        ("vortex/vehicle", &[3, 2, 5, 5, 4, 5, 9, 4, 2, 4, 7, 5, 2, 2]),
        ("vortex/earthwork", &[11, 12, 4, 2, 2, 6, 1, 10, 8]),
    ];
    short::hold("vortex", &rows, &[]);
}
