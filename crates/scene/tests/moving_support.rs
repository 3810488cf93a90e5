//! A cable on a support with prescribed motion: what stretches it is its motion relative to the support.

use crate::play::until;
use windlass_scene::{Built, CableRef, parse};

fn build(text: &str) -> Built {
    parse(text, "support").and_then(|scene| scene.build()).unwrap_or_else(|e| panic!("{e}"))
}

/// A load of 400 kg on 200 m of cable along a gravity of 3.96 m/s², whose support accelerates smoothly to 3 m/s, and the
/// same with a support that is heavy and pushed. The tension at the load is m (g + a) in the mean: about 1584 N.
#[test]
fn a_cable_hangs_as_calmly_from_a_kinematic_support_as_from_a_heavy_one() {
    for (name, support) in [
        ("kinematic", "type = \"kinematic\"\npath = { x = { accelerate = { speed = 3, end = 20 } } }"),
        ("dynamic", "mass = 1e9\ninertia = [1e9, 1e9, 1e9]\ngravity = false\nvelocity = [3, 0, 0]"),
    ] {
        let start = if name == "kinematic" { "[0, 0, 0]" } else { "[3, 0, 0]" };
        let text = format!(
            r#"windlass = 2
[settings]
dt = "1/30 s"
gravity = [-2.8, 0, -2.8]
[bodies.vessel]
{support}
[bodies.load]
position = [-141.562, 0, -141.562]
velocity = {start}
shape = {{ sphere = {{ radius = 0.2 }} }}
mass = "400 kg"
[cables.tow]
section = {{ material = "steel", diameter = "20 mm", mass_per_length = "1.1375 kg/m", youngs_modulus = "40 GPa", bending_stiffness = "20 N*m^2", damping = {{ ratio = 0.02, frequency = "1 Hz" }} }}
start = {{ body = "vessel", at = [0, 0, 0] }}
end = {{ body = "load", at = [-141.42, 0, -141.42] }}
tension = "2040 N"
elements = 50
collide = false
"#
        );
        let mut built = build(&text);
        let CableRef::Elements(cable) = built.cables[0].id else { panic!("a cable of elements") };
        let (mut low, mut high) = (f64::INFINITY, 0.0_f64);
        until(&mut built, 50.0, |world| {
            if world.state().time > 25.0 {
                let tension = world.cable_readings(cable).last().expect("an element").tension;
                (low, high) = (low.min(tension), high.max(tension));
            }
        });
        assert!(low > 1450.0 && high < 1750.0, "{name}: from {low} N to {high} N");
    }
}
