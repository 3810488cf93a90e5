//! Cables of scene files: how they are laid, what they are made of, and how a running one is changed.

use glam::DVec3;
use windlass_engine::prelude::{Cable, Edit, End, JointKind, Turning, World};
use windlass_scene::{Built, Override, Scene, parse, parse_with};

const HEAD: &str = "windlass = 2\n[bodies.beam]\ntype = \"static\"\n[bodies.load]\nposition = [0, 0, -5]\n\
    shape = { sphere = { radius = 0.2 } }\nmass = 100\n";
const ROPE: &str = "section = { construction = \"6x19 IWRC\", diameter = \"20 mm\" }\n";
const ENDS: &str =
    "start = { body = \"beam\", at = [0, 0, 0] }\nend = { body = \"load\", at = [0, 0, -4.8] }\n";

fn scene(rest: &str) -> Scene {
    parse(&format!("{HEAD}{rest}"), "s.toml").unwrap_or_else(|e| panic!("{e}"))
}

fn built(rest: &str) -> Built {
    scene(rest).build().unwrap_or_else(|e| panic!("{e}"))
}

fn cable<'w>(world: &'w World, name: &str) -> &'w Cable {
    world.model().cables().get(world.model().cable(name).expect("a cable")).expect("it")
}

/// Ends of the elements at the start, from start to end.
fn nodes(world: &World, name: &str) -> Vec<DVec3> {
    let cable = cable(world, name);
    let state = |k: usize| world.state().bodies[cable.elements[k].index()];
    let half = |k: usize| state(k).orientation * DVec3::Z * (0.5 * cable.element);
    let last = cable.elements.len() - 1;
    let starts = (0..=last).map(|k| state(k).position - half(k));
    starts.chain([state(last).position + half(last)]).collect()
}

#[test]
fn elements_are_twenty_diameters_long() {
    let laid =
        |more: &str| cable(&built(&format!("[cables.c]\n{ROPE}{ENDS}{more}")).world, "c").elements.len();
    // 4.8 m of 0.4 m
    assert_eq!(laid(""), 12);
    assert_eq!(laid("elements = 30"), 30);
    assert_eq!(laid("length = 200"), 200);
    let thick = "[cables.c]\nsection = { material = \"rubber\", diameter = 0.1 }\n";
    assert_eq!(cable(&built(&format!("{thick}{ENDS}")).world, "c").elements.len(), 8);
}

#[test]
fn angles_have_their_keys() {
    let laid = |turning: &str| {
        let scene = scene(&format!("[cables.c]\n{ROPE}{ENDS}rotation_measure = {turning}\n"));
        let again = parse(&scene.to_toml(), "s.toml").unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(scene, again, "it is written as it was read");
        let world = scene.build().unwrap_or_else(|e| panic!("{e}")).world;
        let link = world.model().joints().get(cable(&world, "c").links[0]).expect("a link");
        let JointKind::Link(link) = &link.kind else { panic!("no link") };
        link.turning
    };
    assert_eq!(laid("\"swing-twist\""), Turning::SwingTwist);
    assert_eq!(laid("\"angles\""), Turning::Angles { alternative: false, guard: 1e-3 });
    assert_eq!(laid("{ angles = {} }"), Turning::Angles { alternative: false, guard: 1e-3 });
    let other = laid("{ angles = { twist = \"alternative\", epsilon = 1e-6 } }");
    assert_eq!(other, Turning::Angles { alternative: true, guard: 1e-6 });
}

#[test]
fn elements_may_be_merged_and_split() {
    let laid = |more: &str| built(&format!("[cables.c]\n{ROPE}{ENDS}{more}")).world;
    let mut world = laid("adaptive = { levels = 2, bend = \"3 deg\", max_elements = 20 }");
    let pool = cable(&world, "c").pool.clone().expect("elements of several lengths");
    // twelve can be merged twice
    assert_eq!(pool.elements.iter().map(Vec::len).collect::<Vec<_>>(), [12, 6, 3]);
    assert!((pool.rule.bend - 3.0_f64.to_radians()).abs() < 1e-12 && pool.rule.most == 20);
    // thrice, and it needs sixteen
    assert_eq!(cable(&laid("adaptive = {}"), "c").elements.len(), 16);
    // a load that hangs still needs three of the longest
    (0..120).for_each(|_| drop(world.step()));
    let id = world.model().cable("c").expect("a cable");
    assert_eq!(world.cable_elements(id).len(), 3);
    assert!((nodes(&world, "c")[12].z + 4.8).abs() < 0.01);
    let refused = |more: &str| match scene(&format!("[cables.c]\n{ROPE}{ENDS}{more}")).build() {
        Ok(_) => panic!("{more} was built"),
        Err(e) => e.to_string(),
    };
    assert!(refused("elements = 12\nadaptive = {}").contains("give a multiple of 8"));
    assert!(refused("adaptive = { levels = 40 }").contains("a whole number from 1 to 10"));
    assert!(refused("adaptive = { bend = 2 }").contains("give radians between 0 and 1"));
}

#[test]
fn a_long_cable_sags_without_strain() {
    let built = built(&format!("[cables.c]\n{ROPE}{ENDS}length = 7\n"));
    let (nodes, laid) = (nodes(&built.world, "c"), cable(&built.world, "c"));
    assert!((laid.length() - 7.0).abs() < 1e-12);
    assert!(nodes[0].length() < 1e-6 && nodes[nodes.len() - 1].distance(DVec3::new(0.0, 0.0, -4.8)) < 1e-6);
    // elements are where their neighbours end: no gap, no overlap
    let chord = nodes[0].distance(nodes[1]);
    assert!((chord / laid.element - 1.0).abs() < 1e-6, "{chord} {}", laid.element);
    // upright, it bows to the side
    let out = nodes.iter().map(|p| libm::hypot(p.x, p.y)).fold(0.0, f64::max);
    assert!((1.5..3.5).contains(&out), "{out}");
    let level = "start = { body = \"beam\", at = [0, 0, 0] }\nend = { at = [4, 0, 0] }\n";
    let built = self::built(&format!("[cables.c]\n{ROPE}{level}length = 5\n"));
    let lowest = self::nodes(&built.world, "c").iter().map(|p| p.z).fold(0.0, f64::min);
    assert!((-1.6..-1.2).contains(&lowest), "{lowest}");
}

#[test]
fn ends_are_held_as_they_say() {
    let held = |start: &str| {
        let text = format!("[cables.c]\n{ROPE}start = {{ {start} }}\nend = {{ at = [4, 0, 0] }}\n");
        cable(&built(&text).world, "c").ends
    };
    let on = "body = \"beam\", at = [0, 0, 0]";
    assert!(matches!(held(on), [End::Ball(_), End::Free]));
    assert!(matches!(held(&format!("{on}, attachment = \"fixed\"")), [End::Fast(_), End::Free]));
    let clamp = held(&format!("{on}, attachment = \"clamp\", direction = [0, 2, 0]"));
    let [End::Clamp(anchor), End::Free] = clamp else { panic!("{clamp:?}") };
    assert!((anchor.turn * DVec3::Z).distance(DVec3::Y) < 1e-12);
    // loose everywhere, along a path
    let built = built(&format!("[cables.c]\n{ROPE}path = [[0, 0, 1], [3, 0, 1], [3, 4, 1]]\n"));
    assert_eq!(cable(&built.world, "c").ends, [End::Free, End::Free]);
    assert!(nodes(&built.world, "c")[0].distance(DVec3::Z) < 1e-9);
}

#[test]
fn patterns_prefabs_sections_and_overrides_make_cables() {
    let text = format!(
        "{HEAD}[sections.line]\nconstruction = \"HMPE\"\ndiameter = \"10 mm\"\n\
         [patterns.row]\ncount = 3\n[patterns.row.cables.\"c{{i}}\"]\nsection = \"line\"\n\
         start = {{ body = \"beam\", at = [\"= i\", 0, 0] }}\nend = {{ at = [\"= i\", 0, -2] }}\n\
         [prefabs.leg.bodies.foot]\ntype = \"static\"\n[prefabs.leg.cables.stay]\nsection = \"line\"\n\
         start = {{ body = \"foot\", at = [0, 0, 0] }}\nend = {{ at = [0, 0, 3] }}\n\
         [instances.left]\nprefab = \"leg\"\nposition = [10, 0, 0]\n\
         rotation = {{ axis = [0, 1, 0], angle = \"90 deg\" }}\n"
    );
    let set = ["cables.c1.elements=9", "cables.left.stay.elements=10", "sections.line.diameter=12 mm"];
    let set: Vec<Override> = set.iter().map(|o| o.parse().expect("one")).collect();
    let files = std::sync::Arc::new(windlass_scene::files::NoFolder);
    let scene = parse_with(&text, "s.toml", files, &set).unwrap_or_else(|e| panic!("{e}"));
    let built = scene.build().unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(built.cables.len(), 4);
    assert_eq!(cable(&built.world, "c1").elements.len(), 9);
    assert_eq!(cable(&built.world, "c2").section.diameter, 0.012);
    // along the instance's z, which is the world's x
    let stay = nodes(&built.world, "left.stay");
    assert_eq!(stay.len(), 11);
    assert!(stay[0].distance(DVec3::X * 10.0) < 1e-9 && stay[10].distance(DVec3::X * 13.0) < 1e-9);
    let again = parse(&scene.to_toml(), "again.toml").unwrap_or_else(|e| panic!("{e}\n{}", scene.to_toml()));
    assert!(again == scene, "{}", scene.to_toml());
}

#[test]
fn what_is_not_touched_is_seen_all_the_same() {
    let built = built(&format!(
        "[cables.a]\n{ROPE}{ENDS}collide = false\n[cables.b]\n{ROPE}{ENDS}color = \"#ff0000\"\n"
    ));
    let model = built.world.model();
    let colliders = |name: &str| {
        let elements = cable(&built.world, name).elements.iter();
        elements.map(|id| model.bodies().get(*id).expect("an element").colliders.len()).sum::<usize>()
    };
    assert_eq!((colliders("a"), colliders("b")), (0, 12));
    assert_eq!(built.seen().count(), 2 + 24);
    let shades: Vec<_> = built.cables.iter().map(|c| c.look.solids[0].color).collect();
    assert_eq!(shades[1], [1.0, 0.0, 0.0]);
    assert_ne!(shades[0], shades[1]);
}

fn changed(old: &str, new: &str, steps: usize) -> (Built, Vec<Edit>) {
    let (old, new) = (scene(old), scene(new));
    let mut built = old.build().unwrap_or_else(|e| panic!("{e}"));
    for _ in 0..steps {
        built.world.step();
    }
    let edits = built.change(&old, &new).unwrap_or_else(|e| panic!("{e}")).edits;
    (built, edits)
}

#[test]
fn a_changed_cable_is_laid_anew_and_others_are_kept() {
    let two = |more: &str| {
        format!("[cables.a]\n{ROPE}{ENDS}{more}\n[cables.b]\n{ROPE}path = [[1, 0, 0], [3, 0, 0]]\n")
    };
    let (built, edits) = changed(&two(""), &two(""), 5);
    assert!(edits.is_empty(), "{edits:?}");
    assert_eq!(built.cables.len(), 2);
    let (mut built, edits) = changed(&two(""), &two("elements = 20"), 60);
    assert!(matches!(&edits[..], [Edit::RemoveCable(_), Edit::AddCable(_)]), "{edits:?}");
    assert_eq!(cable(&built.world, "a").elements.len(), 20);
    // the free cable has fallen and is not put back
    assert!(nodes(&built.world, "b")[0].z < -4.0);
    // it hangs on the load where the load is now
    let top = built.world.state().bodies[built.bodies[1].index()].position.z + 0.2;
    let end = *nodes(&built.world, "a").last().expect("an end");
    assert!((end.z - top).abs() < 1e-6, "{end} {top}");
    for _ in 0..60 {
        assert!(built.world.step().fault.is_none());
    }
    let (built, edits) = changed(&two(""), &format!("[cables.a]\n{ROPE}{ENDS}"), 5);
    assert!(matches!(&edits[..], [Edit::RemoveCable(_)]), "{edits:?}");
    assert_eq!((built.cables.len(), built.world.model().cables().count()), (1, 1));
}

#[test]
fn a_cable_is_cut_and_spliced() {
    let text = |more: &str| format!("[cables.a]\n{ROPE}{ENDS}{more}\n");
    let broken = |built: &Built| {
        let id = built.world.model().cable("a").expect("it");
        let all = built.world.cable_readings(id);
        all.iter().enumerate().filter(|(_, r)| r.broken).map(|(k, _)| k).collect::<Vec<_>>()
    };
    assert_eq!(broken(&built(&text("cut = [0, 2.5]"))), [0, 6]);
    let (mut built, edits) = changed(&text(""), &text("cut = [2.4]"), 30);
    assert!(matches!(&edits[..], [Edit::Cut { cut: true, .. }]), "{edits:?}");
    assert_eq!(broken(&built), [6]);
    let edits =
        built.change(&scene(&text("cut = [2.4]")), &scene(&text(""))).unwrap_or_else(|e| panic!("{e}")).edits;
    assert!(matches!(&edits[..], [Edit::Cut { cut: false, .. }]), "{edits:?}");
    assert!(broken(&built).is_empty());
}
