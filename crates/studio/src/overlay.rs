//! Numbers for overlays, as blocks behind the frame of the run. They are sent only while a client asks for them with
//! `overlay`; otherwise a frame ends with its torques. Little-endian, in this order:
//!
//! ```text
//!  u32 1   motion:  of each body 6 f32: velocity of the centre of mass x y z [m/s], angular velocity x y z [rad/s]
//!  u32 2   islands: of each body u32: number of its island from 1, 0 for none; bit 31 is set while it sleeps
//!  u32 3   bending: of each point of each piece f32: curvature [1/m]
//!  u32 5   soil: `earth/block.rs`
//!  u32 4   vehicles: `vehicle.rs`
//! ```
//!
//! Bodies, pieces and points are those of the frame. All clients get the blocks that any of them asks for.

use crate::earth::block;
use crate::earth::looks::Pressures;
use crate::frame::number;
use crate::line::Line;
use crate::message::Overlays;
use crate::vehicle;
use windlass_scene::Built;

/// Bit of a body that sleeps.
const ASLEEP: u32 = 1 << 31;

impl Overlays {
    /// What either of two clients asks for.
    pub fn or(self, other: Overlays) -> Overlays {
        Overlays {
            motion: self.motion || other.motion,
            islands: self.islands || other.islands,
            bending: self.bending || other.bending,
            vehicles: self.vehicles || other.vehicles,
            soil: self.soil || other.soil,
        }
    }
}

/// Appends the blocks that are asked for to a frame of the present state.
pub fn append(out: &mut Vec<u8>, built: &Built, (lines, pressures): (&[Line], &Pressures), wanted: Overlays) {
    let world = &built.world;
    let states = || built.bodies.iter().map(|id| world.state().bodies.get(id.index()));
    if wanted.motion {
        out.extend(1_u32.to_le_bytes());
        for state in states() {
            let [velocity, spin] = state.map_or_else(Default::default, |b| [b.velocity, b.angular_velocity]);
            velocity.to_array().iter().chain(&spin.to_array()).for_each(|x| number(out, *x));
        }
    }
    if wanted.islands {
        out.extend(2_u32.to_le_bytes());
        let islands = world.islands_of_bodies();
        for (id, state) in built.bodies.iter().zip(states()) {
            let island = islands.get(id.index()).copied().flatten().map_or(0, |n| n + 1);
            let asleep = if state.is_some_and(|b| b.asleep) { ASLEEP } else { 0 };
            out.extend((island | asleep).to_le_bytes());
        }
    }
    if wanted.bending {
        out.extend(3_u32.to_le_bytes());
        for curvature in lines.iter().flat_map(|line| line.curvatures(world)).flatten() {
            number(out, curvature);
        }
    }
    if wanted.soil {
        out.extend(5_u32.to_le_bytes());
        block::append(out, world, pressures);
    }
    if wanted.vehicles {
        out.extend(4_u32.to_le_bytes());
        vehicle::append(out, world);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::{MAGIC, frame};
    use crate::line::lines;

    const SCENE: &str = "windlass = 2\n[settings]\ngravity = [0, 0, 0]\n[settings.sleep]\n\
        [bodies.post]\ntype = \"static\"\n\
        [bodies.left]\nposition = [1, 0, 0]\nmass = 1\nvelocity = [0, -3, 0]\nangular_velocity = [0, 0, 2]\n\
        shape = { sphere = { radius = 0.1 } }\n\
        [bodies.right]\nposition = [5, 0, 0]\nmass = 1\nshape = { sphere = { radius = 0.1 } }\n\
        [joints.pin]\nball = { bodies = [\"post\", \"right\"], at = [4, 0, 0] }\n\
        [cables.bow]\nsection = { diameter = 0.02, mass_per_length = 0.5, axial_stiffness = 1e5, bending_stiffness = 1 }\n\
        elements = 8\npath = [[0, 5, 0], [1, 5.5, 0], [2, 5, 0]]\n";

    /// The blocks behind the frame of the scene after some seconds.
    fn blocks(wanted: Overlays, seconds: f64) -> Vec<u8> {
        let mut built =
            windlass_scene::parse(SCENE, "test").and_then(|scene| scene.build()).expect("a scene");
        while built.world.state().time < seconds {
            assert!(built.world.step().fault.is_none());
        }
        let lines = lines(&built, 1.0);
        let mut bytes = frame(MAGIC, &built, &lines);
        let plain = bytes.len();
        append(&mut bytes, &built, (&lines, &Pressures::default()), wanted);
        bytes.split_off(plain)
    }

    fn words(bytes: &[u8]) -> Vec<u32> {
        bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
    }

    #[test]
    fn nothing_is_sent_that_nobody_asks_for() {
        assert!(blocks(Overlays::default(), 0.1).is_empty());
    }

    #[test]
    fn motion_is_that_of_each_body() {
        let words = words(&blocks(Overlays { motion: true, ..Overlays::default() }, 0.0));
        let numbers: Vec<f32> = words[1..].iter().map(|w| f32::from_bits(*w)).collect();
        assert_eq!((words[0], numbers.len()), (1, 3 * 6));
        assert_eq!(numbers[..6], [0.0; 6], "the post");
        assert_eq!(numbers[6..12], [0.0, -3.0, 0.0, 0.0, 0.0, 2.0], "the left ball");
    }

    #[test]
    fn islands_are_numbered_and_sleeping_bodies_are_marked() {
        let wanted = Overlays { islands: true, ..Overlays::default() };
        let [tag, post, left, right] = words(&blocks(wanted, 0.02))[..] else { panic!("three bodies") };
        assert_eq!((tag, post), (2, 0));
        assert!(left > 0 && right > 0 && left != right && left < ASLEEP && right < ASLEEP);
        let [.., left, right] = words(&blocks(wanted, 3.0))[..] else { panic!("three bodies") };
        assert!(left < ASLEEP, "it moves on");
        assert!(right >= ASLEEP, "it has been at rest for three seconds");
    }

    #[test]
    fn bending_has_a_number_for_each_point() {
        let mut built =
            windlass_scene::parse(SCENE, "test").and_then(|scene| scene.build()).expect("a scene");
        built.world.step();
        let lines = lines(&built, 1.0);
        let points: usize = lines.iter().flat_map(|line| line.pieces(&built.world)).map(|p| p.len()).sum();
        let curvatures: Vec<f64> =
            lines.iter().flat_map(|line| line.curvatures(&built.world)).flatten().collect();
        assert_eq!(curvatures.len(), points);
        assert!(curvatures.iter().any(|k| *k > 0.1), "the cable is bent: {curvatures:?}");
        let mut bytes = Vec::new();
        let wanted = Overlays { bending: true, ..Overlays::default() };
        append(&mut bytes, &built, (&lines, &Pressures::default()), wanted);
        assert_eq!(bytes.len(), 4 + 4 * points);
    }
}
