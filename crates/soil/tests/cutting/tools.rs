//! EW05, EW06, EW10, EW38 to EW40: tools on grounds, along driven paths.

use super::ground::*;
use crate::cases::case;
use glam::{DMat3, DVec3};
use windlass_soil::cutting::{MAX_GROUPS, Pose, Strata, Surface, Teeth, Tool, Work};

/// Mean force of the soil on a tool driven along x over level ground, from 1 to 3 m.
fn driven(tool: &Tool, ground: &impl Surface) -> DVec3 {
    let mut work = Work::default();
    let steps = 40;
    let sum: DVec3 = (0..steps)
        .map(|i| {
            tool.cut(&at(DVec3::X * (1.0 + 2.0 * i as f64 / steps as f64), 0.1), ground, G, &mut work);
            work.total().force
        })
        .sum();
    sum / steps as f64
}

#[test]
fn ew05_ew06_dozer_blade_in_level_ground() {
    for (id, adhesion) in [("EW05", 0.0), ("EW06", 1.5e3)] {
        let ground = Shape::new(soil(32.0, 22.0, 1650.0, 3e3, adhesion), 0.1, |_, _| 0.2);
        let force = driven(&blade(3.0, 55.0, 1.0), &ground);
        let case = case(id).variant("tool on a surface");
        case.finds("draft", -force.x);
        case.finds("vertical part, down", -force.z);
        within("sideways", force.y, 0.0, 1e-9);
    }
}

/// Nodes at whole multiples of the spacing, linear along x between them: cut down to the edge of a blade behind it.
fn cut_ground(spacing: f64, surface: f64, edge_at: f64) -> impl Fn(f64, f64) -> f64 {
    let node = move |i: f64| if i * spacing <= edge_at { 0.0 } else { surface };
    move |x, _| {
        let i = (x / spacing).floor();
        let part = x / spacing - i;
        node(i) * (1.0 - part) + node(i + 1.0) * part
    }
}

#[test]
fn the_cut_behind_the_edge_does_not_change_the_wedge() {
    let soil = soil(32.0, 22.0, 1650.0, 3e3, 1.5e3);
    for i in 0..17 {
        let x = 1.0 + 0.0125 * i as f64;
        let ground = Shape::new(soil, 0.1, cut_ground(0.1, 0.2, x));
        let work = cut(&blade(3.0, 55.0, 1.0), &at(DVec3::X * x, 0.1), &ground);
        near("draft", -work.total().force.x, 9002.3785, 0.01);
    }
}

#[test]
fn ew10_blade_over_two_levels() {
    let ground = Shape::new(soil(35.0, 20.0, 1800.0, 0.0, 0.0), 0.1, |_, y| if y < 0.0 { 0.1 } else { 0.3 });
    let work = cut(&blade(2.0, 60.0, 1.0), &at(DVec3::ZERO, 0.1), &ground);
    let total = work.total();
    let case = case("EW10").variant("tool on a surface");
    case.finds("draft", -total.force.x);
    case.finds("moment about the middle of the blade, upright axis", total.torque.z);
}

#[test]
fn groups_have_the_force_and_moment_of_their_slices() {
    let ground = Shape::new(soil(33.0, 22.0, 1700.0, 2e3, 1e3), 0.1, |x, y| 0.2 + 0.1 * y + 0.05 * x);
    let tool = Tool { end_plates: None, thickness: 0.02, ..blade(2.5, 60.0, 1.0) };
    let axes = DMat3::from_rotation_z(0.3) * DMat3::from_rotation_x(0.05);
    let pose = Pose { axes, ..at(DVec3::new(3.0, -1.0, 0.0), 0.5) };
    let work = cut(&tool, &pose, &ground);
    assert!(work.groups.len() == MAX_GROUPS && work.slices.len() == 25, "{}", work.slices.len());
    let force: DVec3 = work.slices.iter().map(|slice| slice.force).sum();
    let torque: DVec3 =
        work.slices.iter().map(|slice| (slice.point - pose.position).cross(slice.force)).sum();
    let total = work.total();
    near("force", total.force.distance(force) / force.length() + 1.0, 1.0, 1e-12);
    near("torque", total.torque.distance(torque) / torque.length() + 1.0, 1.0, 1e-12);
    let width: f64 = work.groups.iter().map(|group| group.width).sum();
    near("width", width, work.slices.iter().map(|slice| slice.width).sum(), 1e-12);
}

fn cone(x: f64, y: f64) -> f64 {
    (1.5 - libm::tan(30_f64.to_radians()) * libm::hypot(x, y)).max(0.1)
}

#[test]
fn ew38_blade_driven_through_a_cone() {
    let ground = Shape::new(soil(35.0, 22.0, 1600.0, 0.0, 0.0), 0.1, cone);
    let pass = |width: f64, x: f64, y: f64| {
        cut(&blade(width, 60.0, 2.0), &at(DVec3::new(x, y, 0.1), 0.0), &ground).total()
    };
    let case = case("EW38").variant("tool on a surface");
    for width in [1.0, 3.0] {
        let draft = -pass(width, -1.0, 0.0).force.x;
        case.finds(&format!("blade of {width} m: draft at x = −1"), draft);
        let way = (0..14).map(|i| -pass(width, -2.2 + 0.2 * i as f64, 0.0).force.x);
        case.finds(&format!("blade of {width} m: greatest draft"), way.fold(0.0, f64::max));
        within("moment in the middle", pass(width, -1.0, 0.0).torque.z, 0.0, 1e-6 * draft * width);
    }
    let beside = pass(1.0, -1.0, 0.5);
    case.finds("0.5 m beside the middle: draft at x = −1", -beside.force.x);
    // the reference moment is that of the draft over y, which is −(r × F)_z of the force on the blade
    case.finds("0.5 m beside the middle: moment about the blade's middle", beside.torque.z);
}

#[test]
fn ew39_blade_stalls_where_draft_reaches_the_drive() {
    let soil = soil(32.0, 21.0, 1700.0, 2e3, 0.0);
    let tool = blade(2.5, 60.0, 1.2);
    let draft =
        |depth: f64| -cut(&tool, &at(DVec3::ZERO, 0.0), &Shape::new(soil, 0.1, |_, _| depth)).total().force.x;
    let (mut low, mut high) = (0.01, 1.0);
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        (low, high) = if draft(middle) < 20e3 { (middle, high) } else { (low, middle) };
    }
    case("EW39").variant("tool on a surface").finds("depth of stall", low);
}

#[test]
fn ew40_backfill_is_softer_than_bank() {
    let draft = |soil| -driven(&blade(1.0, 60.0, 1.0), &Shape::new(soil, 0.1, |_, _| 0.3)).x;
    let bank = draft(soil(38.0, 25.0, 1800.0, 8e3, 0.0));
    let case = case("EW40").variant("tool on a surface");
    case.finds("draft per metre in the bank", bank);
    case.finds("draft in the backfill over that", draft(soil(30.0, 20.0, 1450.0, 0.5e3, 0.0)) / bank);
}

#[test]
fn an_edge_without_end_plates_has_two_crescents() {
    // EW08 with w = 2.0: the crescents at the angle of the wide wedge, a little above their least
    let ground = Shape::new(soil(35.0, 20.0, 1500.0, 0.0, 0.0), 0.1, |_, _| 0.2);
    let open = Tool { end_plates: None, ..blade(2.0, 60.0, 1.0) };
    let part = |tool: &Tool| -cut(tool, &at(DVec3::ZERO, 0.0), &ground).total().force.x;
    near("open over closed", part(&open) / part(&blade(2.0, 60.0, 1.0)), 1.1515603, 0.01);
}

#[test]
fn teeth_are_narrow_tools_up_to_the_wide_one() {
    // the edge runs on the surface, the teeth reach 0.2 m deeper
    let ground = Shape::new(soil(35.0, 20.0, 1500.0, 0.0, 0.0), 0.1, |_, _| 0.0);
    let length = 0.2 / libm::sin(60_f64.to_radians());
    let with = |count| {
        let teeth = Teeth { count, width: 0.05, length, thickness: 0.02 };
        let tool = Tool { teeth: Some(teeth), ..blade(2.0, 60.0, 1.0) };
        -cut(&tool, &at(DVec3::Z * 0.001, 0.0), &ground).total().force.x
    };
    let depth = 0.2 - 0.001;
    let soil = ground.soil;
    let wide = level(60.0, depth, &soil).draft;
    near("two teeth", with(2), 2.0 * 0.05 * wide * 6.0478924, 0.02);
    near("forty teeth", with(40), 2.0 * wide, 0.001);
}

#[test]
fn a_full_bucket_cuts_with_its_fill() {
    let soil = soil(33.0, 20.0, 1700.0, 2e3, 0.5e3);
    let ground = Shape::new(soil, 0.1, |_, _| 0.2);
    let tool = blade(1.2, 40.0, 0.8);
    let fill = DVec3::new(-libm::cos(1.2), 0.0, libm::sin(1.2));
    let work = cut(&tool, &Pose { fill: Some(fill), ..at(DVec3::ZERO, 0.0) }, &ground);
    let rough = level(1.2_f64.to_degrees(), 0.2, &soil.on_soil());
    near("draft", -work.total().force.x, 1.2 * rough.draft, 1e-4);
}

/// The edge of a full bucket still bears along the face of steel, and a fill that leans too far forward for a wedge to
/// fail (α + 2φ ≥ 180°) leaves the cut to the face.
#[test]
fn a_full_bucket_bears_along_its_face() {
    let ground = Shape::new(soil(33.0, 20.0, 1700.0, 2e3, 0.5e3), 0.1, |_, _| 0.2);
    let tool = Tool { thickness: 0.02, ..blade(1.2, 40.0, 0.8) };
    let with = |degrees: f64| {
        let (sin, cos) = libm::sincos(degrees.to_radians());
        cut(&tool, &Pose { fill: Some(DVec3::new(-cos, 0.0, sin)), ..at(DVec3::ZERO, 0.0) }, &ground)
    };
    let empty = cut(&tool, &at(DVec3::ZERO, 0.0), &ground);
    for degrees in [70.0, 120.0] {
        let [full, bare] = [with(degrees), empty.clone()].map(|work| work.groups[0].bearing.force);
        assert!(full.distance(bare) < 1e-12 * bare.length(), "{full} {bare}");
    }
    assert_eq!(with(120.0).total(), empty.total());
    assert!(with(70.0).total().force.x < 1.2 * empty.total().force.x);
}

#[test]
fn a_bucket_holds_what_its_face_and_end_plates_enclose() {
    let tool = Tool { end_plates: Some(0.6), ..blade(1.2, 40.0, 0.8) };
    near("capacity", tool.capacity().unwrap(), 1.2 * 0.8 * 0.6, 1e-12);
    // the far corner is at atan(0.6/0.8) ahead of the face
    let rake = 40_f64.to_radians() + libm::atan(0.75);
    let opening = DVec3::new(-libm::cos(rake), 0.0, libm::sin(rake));
    assert!(tool.opening().unwrap().distance(opening) < 1e-12);
    assert!(Tool { end_plates: Some(0.0), ..tool.clone() }.opening().is_none());
    assert!(Tool { end_plates: None, ..tool }.capacity().is_none());
}

#[test]
fn a_curved_face_has_the_rake_of_its_chord() {
    let ground = Shape::new(soil(33.0, 20.0, 1700.0, 0.0, 0.0), 0.1, |_, _| 0.2);
    let flat = cut(&blade(1.0, 45.0, 1.0), &at(DVec3::ZERO, 0.0), &ground).slices[0];
    let round = Tool { radius: 0.8, ..blade(1.0, 45.0, 1.0) };
    let found = cut(&round, &at(DVec3::ZERO, 0.0), &ground).slices[0];
    near("rake", found.rake, flat.rake + 0.5 * (0.2 / libm::sin(flat.rake)) / 0.8, 1e-9);
}

#[test]
fn degenerate_poses_give_finite_forces() {
    let ground = Shape::new(soil(33.0, 22.0, 1700.0, 2e3, 1e3), 0.1, |x, _| if x > 1.0 { -5.0 } else { 0.0 });
    let tool = Tool {
        teeth: Some(Teeth { count: 5, width: 0.06, length: 0.15, thickness: 0.02 }),
        end_plates: None,
        radius: 1.0,
        ..blade(1.2, 60.0, 0.9)
    };
    let mut work = Work::default();
    let turns = [0.0, 0.4, 1.0, std::f64::consts::FRAC_PI_2, 2.2, std::f64::consts::PI, 4.0, 5.0];
    for z in [-50.0, -3.0, -0.3, -0.0005, 0.0, 0.1, 10.0] {
        for x in [0.0, 0.95, 1.3] {
            for pitch in turns {
                for roll in turns {
                    let axes = DMat3::from_rotation_y(pitch) * DMat3::from_rotation_x(roll);
                    let pose = Pose { axes, ..at(DVec3::new(x, 0.0, z), 3.0) };
                    tool.cut(&pose, &ground, G, &mut work);
                    check(&work);
                }
            }
        }
    }
    // a ground that is not a number has no forces that are not
    let nowhere = Shape::new(ground.soil, f64::NAN, |_, _| f64::NAN);
    tool.cut(&at(DVec3::ZERO, 1.0), &nowhere, G, &mut work);
    check(&work);
}

fn check(work: &Work) {
    for slice in &work.slices {
        let values = [slice.bound, slice.adhesion, slice.bearing, slice.back, slice.depth];
        assert!(values.iter().all(|v| v.is_finite() && *v >= 0.0), "{slice:?}");
        assert!(slice.force.is_finite() && slice.point.is_finite(), "{slice:?}");
    }
    for group in &work.groups {
        assert!(group.cutting.torque.is_finite() && group.bearing.torque.is_finite(), "{group:?}");
    }
    assert!(work.end_plates.iter().all(|plate| plate.bound.is_finite()));
}

#[test]
fn a_tool_above_ground_or_leaning_forward_has_no_wedge() {
    let ground = Shape::new(soil(33.0, 22.0, 1700.0, 2e3, 1e3), 0.1, |_, _| 0.0);
    assert!(cut(&blade(1.0, 60.0, 1.0), &at(DVec3::Z * 0.01, 0.0), &ground).slices.is_empty());
    let back = cut(&blade(1.0, 150.0, 1.0), &at(DVec3::Z * -0.2, 0.0), &ground);
    assert!(back.total().force == DVec3::ZERO && back.groups[0].bearing.force.z > 0.0);
}

#[test]
fn tools_that_make_no_sense_are_refused() {
    let good = blade(1.0, 60.0, 1.0);
    let wrong = [
        Tool { edge: vec![DVec3::ZERO], ..good.clone() },
        Tool { face: DVec3::ZERO, ..good.clone() },
        Tool { face: good.edge[1] - good.edge[0], ..good.clone() },
        Tool { height: f64::NAN, ..good.clone() },
        Tool { thickness: -0.1, ..good.clone() },
    ];
    assert!(good.check().is_ok());
    assert!(wrong.iter().all(|tool| tool.check().is_err()));
}

/// Level ground of one soil at a cost like that of a real one.
struct Plain(windlass_soil::cutting::CuttingSoil);

impl Surface for Plain {
    fn spacing(&self) -> f64 {
        0.06
    }
    fn height(&self, x: f64, y: f64) -> f64 {
        0.2 + 1e-3 * (x - y)
    }
    fn strata(&self, _x: f64, _y: f64, strata: &mut Strata) {
        strata.push(0.15, self.0);
        strata.push(-10.0, self.0);
    }
}

/// Measures the time of one call: `cargo nextest run -p windlass-soil --run-ignored only --no-capture
/// cost_of_a_bucket`.
#[test]
#[ignore = "measures time"]
fn cost_of_a_bucket() {
    let tool = blade(1.2, 60.0, 0.9);
    let soil = soil(33.0, 22.0, 1700.0, 2e3, 1e3);
    let mut work = Work::default();
    let time = |work: &mut Work, ground: &dyn Fn(&mut Work)| {
        ground(work);
        let (start, calls) = (std::time::Instant::now(), 2000);
        (0..calls).for_each(|_| ground(work));
        start.elapsed().as_secs_f64() / f64::from(calls) * 1e6
    };
    let pose = at(DVec3::ZERO, 0.5);
    let one = Shape::new(soil, 0.06, |x, y| 0.2 + 1e-3 * (x - y));
    let plain = time(&mut work, &|work| tool.cut(&pose, &one, G, work));
    let layered = time(&mut work, &|work| tool.cut(&pose, &Plain(soil), G, work));
    let toothed =
        Tool { teeth: Some(Teeth { count: 5, width: 0.06, length: 0.15, thickness: 0.02 }), ..tool.clone() };
    let teeth = time(&mut work, &|work| toothed.cut(&pose, &one, G, work));
    println!(
        "{} slices: one soil {plain:.1} us, layers {layered:.1} us, with teeth {teeth:.1} us",
        work.slices.len()
    );
}
