//! The studies of Servin and Lacoursière, in short.

use crate::short;

#[test]
fn studies_of_servin_and_lacoursiere_hold() {
    let rows: [(&str, &[usize]); 11] = [
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
    let known: [short::Known<'_>; 2] = [
        ("servin/table-1", &["(e)", "1e-18"], "beyond 1e10 the engine drops a row of bends as dependent"),
        (
            "servin/figure-4",
            &["(a) at M/m = 100"],
            "the paper's cloud comes with 150; it does not say its ratio",
        ),
    ];
    short::hold("servin", &rows, &known);
}
