//! EW09: wedges in ground that is not level, and in layers.

use super::ground::*;
use crate::cases::case;
use glam::DVec3;
use windlass_soil::cutting::{CuttingSoil, Slice, Strata, Surface};

fn slice(ground: &impl Surface, rake: f64, height: f64, tip: f64) -> Slice {
    let work = cut(&blade(0.04, rake, height), &at(DVec3::Z * tip, 0.0), ground);
    work.slices[0]
}

#[test]
fn ew09_slopes_and_a_step() {
    let soil = soil(35.0, 20.0, 1800.0, 0.0, 0.0);
    let case = case("EW09");
    for (slope, name) in [(-15.0_f64, "−15°"), (15.0, "15°")] {
        let tan = libm::tan(slope.to_radians());
        let found = slice(&Shape::new(soil, 0.05, |x, _| tan * x), 60.0, 2.0, -0.3);
        case.finds(&format!("force per metre at {name}"), found.bound / 0.04);
        case.finds(&format!("wedge angle at {name}"), found.plane.to_degrees());
    }
    let step = Shape::new(soil, 0.05, |x, _| if x > 0.25 { 0.3 } else { 0.0 });
    case.finds("force per metre before the step", slice(&step, 60.0, 2.0, -0.3).bound / 0.04);
}

/// Coulomb's passive coefficient for a wall at an angle to the horizontal and ground that rises by a slope.
fn coulomb(friction: f64, tool_friction: f64, wall: f64, slope: f64) -> f64 {
    let sin = libm::sin;
    let root = sin(friction + tool_friction) * sin(friction + slope)
        / (sin(wall + tool_friction) * sin(wall + slope));
    let (a, b) = (sin(wall - friction), sin(wall) * (1.0 - root.sqrt()));
    a * a / (b * b * sin(wall + tool_friction))
}

#[test]
fn slopes_agree_with_coulomb() {
    for (phi, delta) in [(25.0_f64, 15.0_f64), (35.0, 20.0), (40.0, 27.0)] {
        let soil = soil(phi, delta, 1800.0, 0.0, 0.0);
        for rake in [45.0_f64, 60.0, 80.0] {
            for slope in [-20.0_f64, -15.0, -5.0, 0.0, 10.0, 15.0] {
                let tan = libm::tan(slope.to_radians());
                let found = slice(&Shape::new(soil, 0.1, |x, _| tan * x), rake, 2.0, -0.3);
                let height = 0.3 / (1.0 + tan / libm::tan(rake.to_radians()));
                let [phi, delta, wall, slope] = [phi, delta, rake, slope].map(f64::to_radians);
                let force = 0.5 * 1800.0 * G * height * height * coulomb(phi, delta, wall, slope);
                near(&format!("P at {phi} {rake} {slope}"), found.bound / 0.04, force, 2e-3);
            }
        }
    }
}

#[test]
fn a_level_section_agrees_with_the_closed_form() {
    for (phi, rake, cohesion, adhesion) in
        [(20.0, 30.0, 0.0, 0.0), (30.0, 60.0, 5e3, 1e3), (38.0, 75.0, 8e3, 0.0), (30.0, 95.0, 0.0, 0.0)]
    {
        let soil = soil(phi, phi / 3.0, 1700.0, cohesion, adhesion);
        let closed = level(rake, 0.3, &soil);
        let ground = Shape::new(soil, 0.1, |_, _| 0.3);
        let found = slice(&ground, rake, 2.0, 0.0);
        near("P", found.bound / 0.04, closed.force, 1e-5);
        near("draft", -found.force.x / 0.04, closed.draft, 1e-5);
        within("lift", -found.force.z / 0.04, closed.lift, 1e-5 * closed.draft);
    }
}

#[test]
fn speed_on_a_ground_is_that_of_the_closed_form() {
    let soil = soil(32.0, 22.0, 1650.0, 3e3, 0.0);
    let ground = Shape::new(soil, 0.1, |_, _| 0.2);
    let work = cut(&blade(1.0, 55.0, 1.0), &at(DVec3::ZERO, 4.0), &ground);
    near("draft", -work.total().force.x, 7685.3637, 2e-4);
    let backwards = cut(&blade(1.0, 55.0, 1.0), &at(DVec3::ZERO, -4.0), &ground);
    near("draft bound while it moves back", -backwards.total().force.x, 2518.0602, 2e-4);
}

/// Two layers, the second below an elevation.
struct Layers {
    top: CuttingSoil,
    below: CuttingSoil,
    bottom: f64,
}

impl Surface for Layers {
    fn spacing(&self) -> f64 {
        0.05
    }
    fn height(&self, _x: f64, _y: f64) -> f64 {
        0.3
    }
    fn strata(&self, _x: f64, _y: f64, strata: &mut Strata) {
        strata.push(self.bottom, self.top);
        strata.push(-10.0, self.below);
    }
}

#[test]
fn layers_of_one_soil_are_that_soil() {
    let soil = soil(33.0, 20.0, 1700.0, 3e3, 1e3);
    // small steps of strength make two layers of what is one soil
    let other = CuttingSoil { cohesion: 3e3 * (1.0 + 1e-9), ..soil };
    let one = slice(&Shape::new(soil, 0.05, |_, _| 0.3), 60.0, 1.0, 0.0);
    let two = slice(&Layers { top: soil, below: other, bottom: 0.15 }, 60.0, 1.0, 0.0);
    near("P", two.bound, one.bound, 5e-3);
    within("wedge angle", two.plane, one.plane, 0.02);
}

#[test]
fn a_layer_weighs_and_resists_by_its_part() {
    // density alone differs: the wedge's mass is that of both parts, at the angle that was found
    let light = soil(30.0, 20.0, 1200.0, 0.0, 0.0);
    let heavy = CuttingSoil { density: 2000.0, ..light };
    let found = slice(&Layers { top: light, below: heavy, bottom: 0.2 }, 60.0, 1.0, 0.0);
    let cots = 1.0 / libm::tan(60_f64.to_radians()) + 1.0 / libm::tan(found.plane);
    let (whole, lower) = (0.5 * 0.09 * cots, 0.5 * 0.04 * cots);
    let per_kilogram = level(60.0, 0.3, &light).force / (1200.0 * 0.5 * 0.09 * cots);
    near("P", found.bound / 0.04, per_kilogram * (2000.0 * lower + 1200.0 * (whole - lower)), 0.02);
    // strength of the ground below the edge does not matter
    let rock = CuttingSoil { cohesion: 1e6, ..light };
    let above = slice(&Layers { top: light, below: rock, bottom: -0.01 }, 60.0, 1.0, 0.0);
    near("P above rock", above.bound / 0.04, level(60.0, 0.3, &light).force, 1e-5);
}

#[test]
fn ground_as_steep_as_its_friction_stays_finite() {
    let soil = soil(35.0, 20.0, 1800.0, 0.0, 0.0);
    for slope in [33.0_f64, 35.0, 50.0, 80.0] {
        let tan = libm::tan(slope.to_radians());
        let found = slice(&Shape::new(soil, 0.1, |x, _| tan * x), 60.0, 0.5, -0.3);
        assert!(found.bound.is_finite() && found.bound > 0.0, "{found:?}");
    }
}
