//! Magic Formula 5.2, 6.1 and 6.2 against MFeval.
//!
//! The numbers come from the Julia port of MFeval (github.com/matheusft/MFeval_julia, commit a3b3ba4, MIT), its source
//! translated to Python line by line by a script and run with its own test files, without limits, α* and turn slip
//! (mode 211). All scale factors are 1 in these files, so they do not check scale factors.

use crate::common::{MF61, close, file, mf52, mf61};
use windlass_vehicle::tire::{Contact, MagicFormula, Slip, Tire, Vertical, VerticalState};

/// Load, κ, α, γ, speed and pressure (0: nominal); F_x, F_y, M_x, M_y, M_z; σ_x, σ_y, R_e, spin, deflection.
type Row = ([f64; 6], [f64; 5], [f64; 5]);

const REFERENCE_52: [Row; 4] = [
    (
        [4000.0, -0.05, -0.1, 0.0, 16.7, 0.0],
        [-1.787300260e+03, 2.425920473e+03, 5.523006742e+00, -1.600000000e+01, -1.982927948e+01],
        [1.632950380e-01, 1.894528344e-01, 3.922699821e-01, 4.044408372e+01, 8.639308855e-03],
    ),
    (
        [6752.0, 0.08, 0.06, 0.05, 16.6, 0.0],
        [4.835484264e+03, -2.421909662e+03, -1.075379115e+02, -2.700800000e+01, 1.114252493e+02],
        [3.072252839e-01, 2.929338437e-01, 3.912569052e-01, 4.582155551e+01, 1.458315335e-02],
    ),
    (
        [9000.0, -0.2, 0.15, -0.08, 30.0, 0.0],
        [-6.213402785e+03, -3.944318937e+03, 1.244507070e+02, -3.600000000e+01, 4.898361279e+01],
        [4.474562348e-01, 3.621199884e-01, 3.906940451e-01, 6.142914206e+01, 1.943844492e-02],
    ),
    (
        [3000.0, 0.02, -0.03, 0.1, 10.0, 0.0],
        [7.712825874e+02, 7.101183301e+02, -7.386861019e+01, -1.200000000e+01, 2.309732309e+01],
        [1.177376156e-01, 1.299110185e-01, 3.928844297e-01, 2.596183312e+01, 6.479481641e-03],
    ),
];

const REFERENCE_61: [Row; 4] = [
    (
        [4000.0, -0.05, -0.1, 0.0, 16.7, 0.0],
        [-1.990305027e+03, 3.455861064e+03, -6.217807143e+01, -1.781696836e+01, -1.151878701e+01],
        [3.238440924e-01, 4.235764514e-01, 3.867347227e-01, 4.102295208e+01, 1.377447852e-02],
    ),
    (
        [6752.0, 0.08, 0.06, 0.05, 16.6, 220000.0],
        [6.443533744e+03, -4.201280041e+03, -4.463201995e+01, -2.971529022e+01, -9.685944150e+00],
        [6.764225204e-01, 8.611606905e-01, 3.841592702e-01, 4.666814364e+01, 2.601313934e-02],
    ),
    (
        [9000.0, -0.2, 0.15, -0.08, 30.0, 310000.0],
        [-6.075332533e+03, -4.122246251e+03, 2.875678105e+02, -3.532246579e+01, -4.022225735e+01],
        [6.589954282e-01, 7.453085043e-01, 3.864235285e-01, 6.210801938e+01, 2.533348267e-02],
    ),
    (
        [3000.0, 0.02, -0.03, 0.1, 10.0, 260000.0],
        [1.350188541e+03, 1.378714096e+03, -1.255874811e+02, -1.368859513e+01, -2.737898645e+01],
        [2.416788571e-01, 2.790283957e-01, 3.872731184e-01, 2.633800157e+01, 1.041025558e-02],
    ),
];

const REFERENCE_62: [Row; 4] = [
    (
        [4000.0, -0.05, -0.1, 0.0, 16.7, 0.0],
        [-1.990305027e+03, 3.455861064e+03, -6.217807143e+01, -1.781696836e+01, -1.151878701e+01],
        [3.238440924e-01, 4.235764514e-01, 3.867347227e-01, 4.102295208e+01, 1.914054161e-02],
    ),
    (
        [6752.0, 0.08, 0.06, 0.05, 16.6, 220000.0],
        [6.443533744e+03, -4.201280041e+03, -4.463201995e+01, -2.971529022e+01, -9.685944150e+00],
        [6.764225204e-01, 8.611606905e-01, 3.841592702e-01, 4.666814364e+01, 3.319510607e-02],
    ),
    (
        [9000.0, -0.2, 0.15, -0.08, 30.0, 310000.0],
        [-6.075332533e+03, -4.122246251e+03, 2.875678105e+02, -3.532246579e+01, -4.022225735e+01],
        [6.589954282e-01, 7.453085043e-01, 3.864235285e-01, 6.210801938e+01, 3.276152985e-02],
    ),
    (
        [3000.0, 0.02, -0.03, 0.1, 10.0, 260000.0],
        [1.350188541e+03, 1.378714096e+03, -1.255874811e+02, -1.368859513e+01, -2.737898645e+01],
        [2.416788571e-01, 2.790283957e-01, 3.872731184e-01, 2.633800157e+01, 8.790876487e-03],
    ),
];

fn compare(tire: &MagicFormula, rows: &[Row]) {
    for ([load, kappa, alpha, camber, speed, pressure], forces, others) in rows {
        let pressure = (*pressure > 0.0).then_some(*pressure);
        let contact = Contact { load: *load, camber: *camber, pressure, speed: *speed, friction: 1.0 };
        let force = tire.force(Slip { kappa: *kappa, tan_alpha: libm::tan(*alpha) }, &contact);
        for (value, reference) in [force.fx, force.fy, force.mx, force.my, force.mz].into_iter().zip(forces) {
            // MFeval adds 1e-6 to denominators
            close(value, *reference, 2e-7);
        }
        let sigma = tire.relaxation_length(&contact);
        close(sigma.x, others[0], 1e-8);
        close(sigma.y, others[1], 1e-8);
        let state = VerticalState { spin: others[3], pressure, camber: *camber, fx: force.fx, fy: force.fy };
        close(tire.effective_radius(*load, &state), others[2], 1e-8);
        // MFeval stops its search for the deflection of 6.2 at 1e-6 of the nominal load
        close(tire.spring_force(others[4], &state), *load, 1e-5);
    }
}

#[test]
fn version_5_2() {
    compare(&mf52(), &REFERENCE_52);
}

#[test]
fn version_6_1() {
    compare(&mf61(), &REFERENCE_61);
}

#[test]
fn version_6_2() {
    // the file of 6.2 is that of 6.1 with these
    let more = "Q_FCY2 = -0.4751\nQ_CAM1 = 85.19\nQ_CAM2 = 257.4\nQ_CAM3 = 0.5119\nQ_FYS1 = -20496.4\n";
    let figures = format!("{MF61}{more}Q_FYS2 = -60000\nQ_FYS3 = 88211.7\n");
    compare(&file("FITTYP = 62", &figures).tire, &REFERENCE_62);
}
