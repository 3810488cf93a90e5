//! The scenes of wheels on soft ground do what their heads say, and errors name the place.

use crate::play;

use play::{run, until};
use windlass_engine::prelude::World;
use windlass_scene::{Built, GroundReading, parse};
use windlass_soil::ground::soil::Shear;

fn build(name: &str) -> Built {
    play::changed(&format!("earthwork/{name}"), &[])
}

/// A quantity of a ground or a wheel.
fn quantity(world: &World, item: &str, name: &str) -> f64 {
    let all = world.quantities();
    let found = all.iter().find(|(kind, _, q)| {
        *kind == "soil" && q.item.split_once('.').is_some_and(|(_, own)| own == item) && q.name == name
    });
    world.read_quantity(found.unwrap_or_else(|| panic!("{item} has no {name}")).1)
}

/// Each pass of a roller settles the ground by less, and needs less force.
#[test]
fn passes_of_a_roller_converge() {
    let mut scene = build("roller_passes");
    let mass = quantity(&scene.world, "site", "mass");
    // in the middle of the strip, in each of five passes
    let mut found = Vec::new();
    for at in [4.0, 10.0, 16.0, 22.0, 28.0] {
        until(&mut scene, at, |_| {});
        let of = |name: &str| quantity(&scene.world, "drum", name);
        found.push([of("sinkage"), of("rolling_resistance"), of("load")]);
    }
    println!("{found:?}");
    let gains: Vec<f64> = found.windows(2).map(|pair| pair[1][0] - pair[0][0]).collect();
    assert!(found[0][0] > 0.01 && gains.iter().all(|gain| *gain > -1e-4), "{found:?}");
    assert!(gains[3] < 0.3 * found[0][0] && gains[3] < gains[0], "{gains:?}");
    assert!(found[4][1] < 0.8 * found[0][1], "{found:?}");
    // 3.5 t of the drum and 2.5 t of the frame
    assert!(found.iter().all(|[.., load]| (load / (6000.0 * 9.81) - 1.0).abs() < 0.05), "{found:?}");
    assert_eq!(quantity(&scene.world, "site", "mass"), mass);
}

/// A truck in its own track: rear wheels are deeper than front wheels, later passes deeper than earlier ones.
#[test]
fn a_truck_drives_in_its_ruts() {
    let mut scene = build("ruts");
    let mass = quantity(&scene.world, "site", "mass");
    let (mut front, mut rear) = (Vec::new(), Vec::new());
    let speed = |world: &World| {
        let all = world.quantities();
        let found = all.iter().find(|(_, _, q)| q.item == "car" && q.name == "speed").unwrap();
        world.read_quantity(found.1)
    };
    let mut fastest: [f64; 2] = [0.0; 2];
    for end in [3.4, 10.4, 17.4] {
        until(&mut scene, end, |world| {
            fastest = [fastest[0].max(speed(world)), fastest[1].min(speed(world))];
        });
        front.push(quantity(&scene.world, "car.front_left", "sinkage"));
        rear.push(quantity(&scene.world, "car.rear_left", "sinkage"));
    }
    println!("front {front:?}, rear {rear:?}, speeds {fastest:?}");
    assert!(fastest[0] > 1.0 && fastest[1] < -1.0, "{fastest:?}");
    assert!(front[0] > 0.03 && rear[0] > front[0], "{front:?} {rear:?}");
    // on the way back the rear wheels are the first ones, in the rut of four wheels
    assert!(rear[1] > rear[0] - 0.02 && front[2] > front[0], "{front:?} {rear:?}");
    assert_eq!(quantity(&scene.world, "site", "mass"), mass);
    run(&mut scene, 21.0);
    assert!(speed(&scene.world).abs() < 0.5);
}

/// On ground that is hard, tyres roll as on a road.
#[test]
fn tires_do_not_sink_into_hard_ground() {
    let mut scene = play::changed("earthwork/ruts", &["grounds.site.hard=true"]);
    run(&mut scene, 3.0);
    let world = &scene.world;
    assert!(quantity_of_vehicle(world, "car.front_left", "load") > 4e3);
    assert!(!world.quantities().iter().any(|(kind, _, q)| *kind == "soil" && q.name == "sinkage"));
}

/// On soft ground they have no load on a road.
#[test]
fn tires_on_soft_ground_have_no_road() {
    let mut scene = build("ruts");
    run(&mut scene, 3.4);
    let world = &scene.world;
    assert_eq!(quantity_of_vehicle(world, "car.front_left", "load"), 0.0);
    assert!(quantity(world, "car.front_left", "load") > 4e3);
    assert!(quantity_of_vehicle(world, "car.front_left", "speed") > 0.5);
}

fn quantity_of_vehicle(world: &World, item: &str, name: &str) -> f64 {
    let all = world.quantities();
    let found = all.iter().find(|(kind, _, q)| *kind == "vehicles" && q.item == item && q.name == name);
    world.read_quantity(found.unwrap_or_else(|| panic!("{item} has no {name}")).1)
}

/// Errors name the place and the remedy.
#[test]
fn wrong_wheels_are_rejected() {
    let ground = "[grounds.site]\nsize = [4, 4]\nspacing = 0.5\nsoil = \"dry_sand\"\n";
    let body = "[bodies.drum]\nmass = 1\ninertia = [1, 1, 1]\n";
    let wheel = "[wheels.drum]\nbody = \"drum\"\nwidth = 1\nradius = 0.5\n";
    let soil = "[soils.dry_sand.wheels]\nbekker = { n = 1, kc = 1, kphi = 1e6 }\n";
    let cases = [
        (format!("{body}{wheel}"), "needs a `ground`", "[grounds.NAME]"),
        (format!("{ground}{body}{wheel}ground = \"field\"\n"), "no ground \"field\"", "[grounds.NAME]"),
        (format!("{ground}{wheel}"), "drum", "bod"),
        (format!("{ground}{body}{}", wheel.replace("radius = 0.5", "")), "radius", "length of a plate"),
        (format!("{ground}{body}{wheel}length = 1\n"), "either", "length of a plate"),
        (format!("{ground}{soil}muskeg = {{ peat = 1, mat = 1 }}\n"), "several laws", "give one of"),
        (format!("{ground}{}", soil.replace("n = 1", "n = 5")), "exponent", "correct this soil"),
        (format!("{ground}{}", soil.replace("kphi = 1e6", "kphi = -1")), "kphi", "0"),
    ];
    for (text, what, remedy) in cases {
        let text = format!("windlass = 2\n{text}");
        let error = match parse(&text, "test.toml").and_then(|scene| scene.build().map(|_| ())) {
            Ok(()) => panic!("accepted:\n{text}"),
            Err(errors) => errors.to_string(),
        };
        assert!(error.contains(what) && error.contains(remedy), "{text}\n{error}");
    }
}

/// The drum of the compactor of the library is a wheel of its own: what only it passes over is lower and denser.
#[test]
fn the_drum_of_a_compactor_compacts_its_strip() {
    let text = "windlass = 2\ninclude = [\"windlass:compactor.toml\"]\n\
                [grounds.fill]\nsize = [16, 8]\nspacing = 0.2\nsoil = \"loam\"\n\
                [instances]\nroller = { prefab = \"compactor\", position = [-4, 0, 0] }\n\
                driver = { prefab = \"compactor_driver\" }\n\
                [[script]]\nat = 0.5\nset = { \"driver.drive\" = 0.5 }\n";
    let mut scene = parse(text, "test.toml").unwrap().build().unwrap();
    let of = |world: &World, y: f64| {
        let ground = GroundReading::all(world)[0];
        (ground.height_at(-1.0, y), ground.compaction_at(-1.0, y).unwrap())
    };
    let before = of(&scene.world, 0.0);
    run(&mut scene, 6.0);
    let drum = play::at(&scene.world, "roller.drum").x;
    let (height, compaction) = of(&scene.world, 0.0);
    println!("drum at {drum} m, {before:?} -> {height} m, {compaction}");
    assert!(drum > 0.0 && quantity(&scene.world, "roller.drum", "load") > 40e3);
    assert!(height < -0.005 && compaction > before.1 + 0.005, "{height} m, {compaction}");
    assert_eq!(of(&scene.world, 3.4), before);
}

/// A strip of sand that a roller passes over twice, and a blade that cuts it afterwards.
const STRIP: &str = r#"
windlass = 2
[grounds.site]
size = [10, 4]
spacing = 0.2
soil = "fill"
void_ratio = 0.75
particle = "20 cm"
[bodies.post]
type = "static"
position = [0, 0, 3]
[bodies.carriage]
position = [3.5, 0, 2]
mass = 200
inertia = [20, 20, 20]
[bodies.yoke]
position = [3.5, 0, 1]
mass = "1 t"
inertia = [200, 200, 200]
[bodies.drum]
position = [3.5, 0, 0.5]
rotation = { axis = [1, 0, 0], angle = "-90 deg" }
mass = "4 t"
shape = { cylinder = { radius = 0.5, length = 1.6 } }
[bodies.blade]
position = [-4.5, 0, 0.3]
mass = "1 t"
inertia = [300, 200, 300]
[joints.rail.slider]
bodies = ["post", "carriage"]
at = [3.5, 0, 2]
axis = [1, 0, 0]
motor = { speed = 0, force = "60 kN" }
[joints.guide.slider]
bodies = ["carriage", "yoke"]
at = [3.5, 0, 1]
axis = [0, 0, 1]
[joints.axle.hinge]
bodies = ["yoke", "drum"]
at = [3.5, 0, 0.5]
axis = [0, 1, 0]
[joints.push.slider]
bodies = ["post", "blade"]
at = [-4.5, 0, 2]
axis = [1, 0, 0]
motor = { speed = 0, force = "100 kN" }
[wheels.drum]
body = "drum"
radius = 0.5
width = 1.6
steel = true
[tools.blade]
body = "blade"
edge = [[0, -0.5, -0.6], [0, 0.5, -0.6]]
face = [0, 0, 1]
height = 0.9
[inputs.roll]
range = [-2, 2]
rate = 2
drives = [{ joint = "rail" }]
[inputs.cut]
range = [0, 1]
rate = 1
drives = [{ joint = "push" }]
[[script]]
at = 0.5
set = { roll = -1.5 }
[[script]]
at = 5.4
set = { roll = 1.5 }
[[script]]
at = 9.9
set = { roll = 0, cut = 0.5 }
"#;

/// A strip that was rolled needs more force to cut where the strength of the soil grows with its compaction.
#[test]
fn a_rolled_strip_is_harder_to_cut() {
    let draft = |soil: &str| {
        let text = format!("{STRIP}[soils.fill]\nlike = \"dry_sand\"\n{soil}");
        let mut scene = parse(&text, "test.toml").unwrap().build().unwrap();
        run(&mut scene, 10.0);
        let (mut sum, mut count) = (0.0, 0.0);
        until(&mut scene, 14.5, |world| {
            if (-3.4..-2.6).contains(&play::at(world, "blade").x) {
                sum += quantity(world, "blade", "draft");
                count += 1.0;
            }
        });
        let compaction = GroundReading::all(&scene.world)[0].compaction_at(-1.0, 0.0).unwrap();
        println!("{soil}: draft {} N, relative density {compaction}", sum / count);
        sum / count
    };
    // equal strengths at the void ratio of the start: a relative density of 0.10
    let constant = draft("friction = \"31.4 deg\"\n");
    let linear = draft("loose = { friction = \"30 deg\" }\ndense = { friction = \"44 deg\" }\n");
    let bolton = draft("bolton = { critical = \"31.4 deg\" }\n");
    assert!(constant > 500.0 && linear > 1.08 * constant && bolton > 1.08 * constant);
}

/// A shear law with a peak is that of the tread: a plate that is dragged on loses its hold.
#[test]
fn laws_of_shear_come_from_the_scene() {
    let shear = |law: &str| {
        let text = format!(
            "windlass = 2\n[grounds.site]\nsize = [4, 4]\nspacing = 0.5\nsoil = \"mat\"\n\
             [soils.mat]\nlike = \"muskeg\"\nwheels = {{ {law} }}\n"
        );
        let scene = parse(&text, "test.toml").and_then(|scene| scene.build());
        scene.map(|scene| {
            let (works, _) = scene.world.subsystem::<windlass_soil::Earthworks>().unwrap();
            works.grounds[0].terrain.soils()[0].shear
        })
    };
    assert_eq!(shear("shear = 0.03").unwrap(), None);
    assert_eq!(shear("peak = { at = \"3 cm\" }").unwrap(), Some(Shear::Peak { at: 0.03 }));
    let hump = Shear::Hump { at: 0.02, residual: 0.4 };
    assert_eq!(shear("hump = { at = \"2 cm\", residual = 0.4 }").unwrap(), Some(hump));
    for (law, what) in [
        ("shear = 0.03, peak = { at = 0.03 }", "several laws of shear"),
        ("hump = { at = 0.02, residual = 1.4 }", "residual shear strength"),
    ] {
        let error = shear(law).unwrap_err().to_string();
        assert!(error.contains(what), "{error}");
    }
}
