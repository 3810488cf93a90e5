//! EW01 to EW04, EW07, EW08, EW11, EW13: wedges in level ground, narrow tools, bearing capacity.

use super::ground::*;
use crate::cases::{case, formulas};
use windlass_soil::cutting::bearing::{self, BearingFactors};
use windlass_soil::cutting::narrow;
use windlass_soil::cutting::wedge::{Factors, LevelCut};

#[test]
fn ew01_upright_smooth_blade_is_rankine() {
    let soil = soil(30.0, 0.0, 1.0 / G, 0.0, 0.0);
    let found = level(90.0, 1.0, &soil);
    let case = case("EW01");
    case.finds("N_γ", found.force);
    case.finds("wedge angle", found.plane.to_degrees());
    let n = Factors::new(90_f64.to_radians(), 30_f64.to_radians(), &soil).unwrap();
    case.finds("N_c", n.cohesion);
}

#[test]
fn fv06_cohesive_soil_before_an_upright_blade() {
    let found = level(90.0, 0.3, &soil(30.0, 0.0, 18e3 / G, 5e3, 0.0));
    let case = formulas("FV06");
    case.finds("force per metre", found.force);
    case.finds("wedge angle", found.plane.to_degrees());
}

#[test]
fn ew02_inclined_rough_blade_is_coulomb() {
    let found = level(60.0, 0.5, &soil(35.0, 20.0, 1800.0, 0.0, 0.0));
    let case = case("EW02");
    case.finds("K_p", found.force / (0.5 * 1800.0 * G * 0.25));
    case.finds("force per metre", found.force);
    case.finds("wedge angle", found.plane.to_degrees());
}

#[test]
fn ew03_factors_at_the_angle_of_least_weight() {
    let case = case("EW03");
    for (phi, rake) in [20, 30, 40].into_iter().flat_map(|phi| [30, 45, 60, 75].map(|rake| (phi, rake))) {
        let (angle, friction) = (f64::from(rake), f64::from(phi));
        let soil = soil(friction, friction * 2.0 / 3.0, 1.0 / G, 0.0, 0.0);
        let found = level(angle, 1.0, &soil);
        let n = Factors::new(angle.to_radians(), found.plane, &soil).unwrap();
        let factors = [("N_γ", n.weight), ("N_c", n.cohesion), ("N_ca", n.adhesion), ("N_q", n.surcharge)];
        case.finds(&format!("φ {phi}°, rake {rake}°: wedge angle"), found.plane.to_degrees());
        for (name, factor) in factors {
            case.finds(&format!("φ {phi}°, rake {rake}°: {name}"), factor);
        }
    }
}

#[test]
fn ew04_cohesion_makes_the_wedge_steeper() {
    let case = case("EW04");
    for kilopascals in [0, 5, 50] {
        let found = level(60.0, 0.3, &soil(30.0, 20.0, 1700.0, 1e3 * f64::from(kilopascals), 0.0));
        case.finds(&format!("wedge angle at {kilopascals} kPa"), found.plane.to_degrees());
        case.finds(&format!("force per metre at {kilopascals} kPa"), found.force);
    }
}

#[test]
fn ew07_draft_grows_with_the_square_of_speed() {
    let soil = soil(32.0, 22.0, 1650.0, 3e3, 0.0);
    let case = case("EW07");
    for speed in [0, 1, 2, 4] {
        let cut = LevelCut {
            rake: 55_f64.to_radians(),
            depth: 0.2,
            speed: f64::from(speed),
            surcharge: 0.0,
            gravity: G,
        };
        case.finds(&format!("draft per metre at {speed} m/s"), cut.failure(&soil).unwrap().draft);
    }
}

#[test]
fn ew08_narrow_tools_cut_a_wider_furrow() {
    let soil = soil(35.0, 20.0, 1500.0, 0.0, 0.0);
    let cut = LevelCut { rake: 60_f64.to_radians(), depth: 0.2, gravity: G, ..LevelCut::default() };
    let wide = cut.failure(&soil).unwrap().force;
    let case = case("EW08");
    for width in [0.05, 0.1, 0.4, 2.0] {
        let found = narrow::failure(&cut, width, &soil).unwrap();
        case.finds(&format!("ratio at a width of {width} m"), found.force / wide);
        if width == 0.05 {
            case.finds("wedge angle at a width of 0.05 m", found.plane.to_degrees());
        }
    }
    near("as a wide blade", narrow::failure(&cut, 1e6, &soil).unwrap().force / wide, 1.0, 1e-6);
}

#[test]
fn ew11_draft_under_a_surcharge() {
    let soil = soil(35.0, 20.0, 1800.0, 0.0, 0.0);
    let case = case("EW11");
    for kilopascals in [1, 5] {
        let surcharge = 1e3 * f64::from(kilopascals);
        let cut =
            LevelCut { rake: 60_f64.to_radians(), depth: 0.3, surcharge, gravity: G, ..LevelCut::default() };
        let name = format!("draft per metre under {kilopascals} kPa");
        case.finds(&name, cut.failure(&soil).unwrap().draft);
        // the same on a ground, where the surcharge lies on the surface
        let ground = Shape { surcharge, ..Shape::new(soil, 0.1, |_, _| 0.3) };
        let found =
            -super::ground::cut(&blade(1.0, 60.0, 1.0), &at(glam::DVec3::ZERO, 0.0), &ground).total().force.x;
        case.finds(&name, found);
    }
}

#[test]
fn ew13_edge_pushed_in_is_a_strip() {
    let n = BearingFactors::new(30_f64.to_radians());
    let case = case("EW13").variant("formula");
    case.finds("N_c, N_q, N_γ at 30°", [n.cohesion, n.surcharge, n.weight]);
    let soil = soil(30.0, 20.0, 1700.0, 5e3, 0.0);
    let bound = 0.03 * 1.2 * bearing::capacity(&soil, 0.03, 1700.0 * G * 0.1, G);
    case.finds("bound", bound);
    // the same from the edge of a tool
    let tool = windlass_soil::cutting::Tool { thickness: 0.03, ..blade(1.2, 60.0, 0.5) };
    let work = cut(&tool, &at(glam::DVec3::ZERO, 0.0), &Shape::new(soil, 0.1, |_, _| 0.1));
    case.finds("bound", work.groups.iter().map(|group| group.bearing.force.length()).sum::<f64>());
    near("Nc of a clay", BearingFactors::new(0.0).cohesion, BearingFactors::new(1e-6).cohesion, 1e-5);
}

#[test]
fn friction_on_a_plate_is_that_of_earth_pressure_at_rest() {
    // φ 30°: K₀ = ½; δ 45°: tan δ = 1
    let soil = soil(30.0, 45.0, 1700.0, 0.0, 2e3);
    near("stress", bearing::plate_friction(&soil, 10e3), 7e3, 1e-12);
}
