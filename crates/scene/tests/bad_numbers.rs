//! Every numeric key of a scene refuses what no world can hold (invariant: no number that is not finite is stored).

use windlass_scene::parse;

/// A scene with nearly every numeric key; `#` marks where a bad number is tried.
const TEMPLATE: &str = r#"
windlass = 2
[settings]
dt = #0.01
duration = #1
gravity = [#0, #0, #-9.81]
integrator = "dormand-prince"
tolerance = #1e-6
min_step = #1e-6
max_step = #1e-2
sleep = { speed = #1e-3, after = #1 }
bounce_speed = #0.01
[bodies.ground]
type = "static"
position = [#0, #0, #0]
[bodies.cart]
type = "kinematic"
path = { x = { ramp = { start = #0, speed = #1 } }, y = { sine = { mean = #0, amplitude = #1, frequency = #1, phase = #0 } }, z = { polynomial = [#0, #1] }, axis = [#0, #0, #1], angle = { table = { times = [#0, #1], values = [#0, #1] } } }
[bodies.a]
position = [#1, #0, #0]
orientation = [#1, #0, #0, #0]
velocity = [#1, #0, #0]
angular_velocity = [#1, #0, #0]
mass = #1
inertia = [#1, #1, #1]
center_of_mass = [#0, #0, #0]
[bodies.b]
rotation = { axis = [#0, #0, #1], angle = #1 }
shape = { box = { size = [#1, #1, #1] } }
density = #1
[bodies.c]
parts = [{ shape = { cylinder = { radius = #1, length = #1 } }, density = #1, at = [#0, #0, #0] }, { mass = #1 }]
[bodies.d]
shape = { convex = { points = [[#0, #0, #0], [#1, #0, #0], [#0, #1, #0], [#0, #0, #1]] } }
mass = #1
[joints.h]
compliance = { linear = { stiffness = #1e6, damping = #1 }, angular = { stiffness = #1, damping = #1 } }
strength = { force = #1, torque = #1 }
[joints.h.hinge]
bodies = ["ground", "a"]
at = [#0, #0, #0]
axis = [#0, #0, #1]
servo = { target = #1, stiffness = #1, damping = #1, force = #1 }
spring = { stiffness = #1, damping = #1, rest = #0 }
limits = { low = #-1, high = #1, stiffness = #1, damping = #1 }
friction = #1
damping = #1
[joints.s]
screw = { bodies = ["ground", "b"], at = [#0, #0, #0], axis = [#0, #0, #1], lead = #0.1, motor = { speed = #1, force = #1, droop = #1 }, limits = { low = #-1, high = #1, restitution = #0.5 } }
[joints.w]
slider = { bodies = ["ground", "c"], axis = [#1, #0, #0], prescribed = { smooth = { from = #0, to = #1, start = #0, end = #1 } } }
[joints.r]
distance = { bodies = ["a", "b"], points = [[#0, #0, #0], [#2, #0, #0]], min = #1, max = #3 }
[joints.x]
six_dof = { bodies = ["c", "d"], frames = [{ at = [#0, #0, #0] }, { orientation = [#1, #0, #0, #0] }], rx = { lock = #0 } }
[joints.g]
gear = { joints = ["h", "s"], ratio = #2 }
[joints.k]
rack = { pinion = "h", slider = "w", radius = #1 }
[joints.q]
linear_coupling = { terms = [{ joint = "h", factor = #-1 }, { joint = "w", factor = #2 }], offset = #0 }
[forces.f]
applied = { body = "a", at = [#0, #0, #0], force = [#1, #0, #0], torque = [#1, #0, #0], from = #0, until = #1 }
[forces.t]
applied = { body = "a", toward = { body = "b", at = [#0, #0, #0], force = #1 } }
[forces.s]
spring = { bodies = ["a", "b"], points = [[#0, #0, #0], [#1, #0, #0]], stiffness = #1, damping = #1, rest = #1 }
[forces.d]
drag = { body = "a", factor = #1, area = #1, density = #1 }
"#;

/// The template with the number after mark `at` replaced; the place where it stands.
fn with(at: usize, bad: &str) -> (String, usize) {
    let mut pieces = TEMPLATE.split('#');
    let mut text = pieces.next().unwrap_or_default().to_string();
    let mut place = 0;
    for (i, piece) in pieces.enumerate() {
        if i == at {
            let end = piece.find([',', ' ', ']', '}', '\n']).unwrap_or(piece.len());
            place = text.len();
            text += bad;
            text += &piece[end..];
        } else {
            text += piece;
        }
    }
    (text, place)
}

#[test]
fn the_template_itself_is_sound() {
    let (text, _) = with(usize::MAX, "");
    parse(&text, "s.toml").and_then(|s| s.build()).unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn bad_numbers_are_refused_where_they_stand() {
    let marks = TEMPLATE.matches('#').count();
    assert!(marks > 150);
    for at in 0..marks {
        for bad in
            ["nan", "inf", "-inf", "1e300", "-1e300", "\"\"", "\"1 furlong\"", "\"1 kg*kg\"", "true", "[]"]
        {
            let (text, place) = with(at, bad);
            let told = parse(&text, "s.toml").and_then(|s| s.build().map(drop));
            let errors = told.err().unwrap_or_else(|| panic!("{bad} passed as number {at} at byte {place}"));
            assert!(
                errors.problems.iter().any(|p| p.span.contains(&place)),
                "{bad} as number {at}: nothing points there: {errors}"
            );
        }
    }
}
