//! EW25, VH36, VH39 to VH41: tracks.

use super::grounds::*;
use crate::cases::{case, formulas};
use windlass_soil::wheel::belt::Belt;
use windlass_soil::wheel::track::*;
use windlass_soil::wheel::*;

#[test]
fn ew25_thrust_of_a_track() {
    let track = EvenTrack { length: 2.5, area: 1.25, load: 50e3 };
    let (shear, strength) =
        (ShearLaw::Exponential { modulus: 0.025 }, Strength::new(4e3, 25_f64.to_radians()));
    let thrust = |slip: f64| thrust(&shear, &strength, &track, slip);
    let case = case("EW25").variant("formula");
    case.finds("thrust at slip 0.1", thrust(0.1));
    case.finds("thrust at slip 0.3", thrust(0.3));
    near("braking", thrust(-0.3), -thrust(0.3), 1e-12);
}

#[test]
fn vh36_tracks_in_loam() {
    let soil = soil(SANDY_LOAM, 0.38);
    let track = EvenTrack { length: 2.67, area: 2.0 * 0.38 * 2.67, load: 100e3 };
    let (sinkage, resistance) = track.compaction(&soil);
    let case = formulas("VH36");
    case.finds("sinkage", sinkage);
    case.finds("compaction resistance", resistance);
    for slip in [0.05, 0.2, 0.5] {
        let force = thrust(&soil.shear, &soil.strength, &track, slip);
        case.finds(&format!("thrust at slip {slip}"), force);
    }
}

#[test]
fn vh39_ground_pressure() {
    let track = EvenTrack { length: 2.67, area: 2.0 * 0.38 * 2.67, load: 110e3 };
    let case = formulas("VH39");
    case.finds("mean", track.pressure() / 1e3);
    let peak =
        PeakPressure { weight: 110e3, wheels: 5, link_area: 1.0, width: 0.38, diameter: 0.61, pitch: 0.154 };
    case.finds("mean maximum pressure", peak.mean_maximum() / 1e3);
}

#[test]
fn pressures_of_road_wheels_carry_their_loads() {
    let wheels: Vec<RoadWheel> =
        (0..5).map(|i| RoadWheel { position: 0.1 + 0.6 * i as f64, load: 11e3 }).collect();
    let run = |decay: f64| Run { ends: [0.0, 2.67], width: 0.38, decay };
    let mut pressures = [0.0; 89];
    let area = 2.67 / 89.0 * 0.38;
    for decay in [1e-9, 0.05, 0.3, 10.0, f64::INFINITY] {
        run(decay).pressures(&wheels, &mut pressures);
        near("sum", pressures.iter().sum::<f64>() * area, 55e3, 1e-12);
    }
    near("even", pressures[40], 55e3 / (2.67 * 0.38), 1e-12);
    // midway between two wheels of many, a membrane has 1/cosh(L/2ℓ) of the pressure under a wheel
    let many: Vec<RoadWheel> =
        (-20..40).map(|i| RoadWheel { position: 0.6 * i as f64, load: 11e3 }).collect();
    let mut fine = vec![0.0; 36_000];
    Run { ends: [-12.0, 24.0], width: 0.38, decay: 0.2 }.pressures(&many, &mut fine);
    near("valley over peak", fine[12_300] / fine[12_000], 1.0 / libm::cosh(1.5), 0.01);
    near("decay length", decay_length(20e3, 0.38, 2e6), 0.1622214, 1e-6);
}

#[test]
fn vh40_turning_on_the_spot() {
    let vehicle = SkidSteer { weight: 100e3, length: 2.7, gauge: 2.16, friction: 0.7, rolling: 0.05 };
    let case = formulas("VH40");
    case.finds("moment of resistance", vehicle.moment());
    case.finds("thrust of the outer track", vehicle.forces()[0]);
    case.finds("force of the inner track", vehicle.forces()[1]);
    case.finds("torque of each sprocket, pivot turn", vehicle.pivot() * 0.245);
    near("friction on the spot", turning_friction(0.7, 0.5 * 2.16, 2.16), 0.7, 1e-12);
}

#[test]
fn vh41_return_run_of_a_track() {
    let belt = Belt { pitch: 0.154, shoes: 63, mass_per_metre: 117.0 };
    let case = formulas("VH41");
    case.finds("sag", belt.sag(1.0, 20e3, G));
    case.finds("way per turn of the sprocket", belt.travel(10));
    case.finds("length of the track", belt.length());
}
