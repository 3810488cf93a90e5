//! The studies of the Vortex guide, in short.

use crate::short;

#[test]
fn studies_of_the_guide_hold() {
    let rows: [(&str, &[usize]); 4] = [
        ("vortex/cable-stiffness", &[6, 3, 5]),
        ("vortex/heavy-load", &[2, 4, 1]),
        ("vortex/friction-box", &[12, 3, 2, 1]),
        ("vortex/artefacts", &[7, 3, 4, 2]),
    ];
    short::hold("vortex", &rows, &[]);
}
