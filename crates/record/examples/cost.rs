//! What recording costs: bytes for each body and step, and time beside the step's, for a swinging chain of
//! 100 links.
//!
//! ```text
//! cargo run -p windlass-record --example cost
//! ```

use glam::{DQuat, DVec3};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;
use windlass_engine::prelude::{Anchor, Ball, Body, Joint, Mass, Shape, World};
use windlass_record::{BoxedError, Header, Player, Recorder, Recording, Stage, Tally, Verify};

const LINKS: usize = 100;
const SECONDS: f64 = 10.0;
const ROUNDS: usize = 9;

/// 10 m of chain, let go 30° aside and thrown sideways, so that it swings in three dimensions. Thick links
/// swing, thin ones whip.
#[derive(Clone, Copy)]
struct Chain {
    dt: f64,
    radius: f64,
}

impl Stage for Chain {
    fn rebuild(&mut self) -> Result<World, BoxedError> {
        let mut world = World::default();
        world.set(|s| s.dt = self.dt)?;
        let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY)?;
        let mass = Mass::of_total(&Shape::Cylinder { radius: self.radius, half_length: 0.05 }, 1.0)?;
        let along = DVec3::new(0.5, 0.0, -libm::sqrt(0.75));
        let turn = DQuat::from_rotation_arc(DVec3::Z, along);
        let (mut last, mut end) = (ground, DVec3::ZERO);
        for i in 0..LINKS {
            let far = 0.1 * i as f64 + 0.05;
            let link = world.add_body(Body::dynamic(format!("link {i}"), mass), along * far, turn)?;
            world.set_velocity(link, DVec3::Y * (0.1 * far), DVec3::ZERO)?;
            let anchors = [Anchor::point(last, end), Anchor::point(link, -0.05 * DVec3::Z)];
            world.add_joint(Joint::new(format!("eye {i}"), Ball { anchors }))?;
            (last, end) = (link, 0.05 * DVec3::Z);
        }
        Ok(world)
    }

    fn apply(&mut self, _: &mut World, key: &str, _: &str) -> Result<(), BoxedError> {
        Err(format!("no edit \"{key}\" was made").into())
    }
}

fn main() -> Result<(), BoxedError> {
    println!("  rate [Hz]  radius [m]  bytes/body/step  raw/this  step [µs]  recorder [µs]   share");
    for (rate, radius) in [(60.0, 0.05), (240.0, 0.05), (1000.0, 0.05), (60.0, 0.01), (240.0, 0.01)] {
        measure(Chain { dt: 1.0 / rate, radius })?;
    }
    Ok(())
}

/// Wall times of every step and of recording it [s].
struct Times {
    stepping: Vec<f64>,
    recording: Vec<f64>,
}

fn measure(mut chain: Chain) -> Result<(), BoxedError> {
    let path = std::env::temp_dir().join(format!("windlass-cost-{}.wlr", std::process::id()));
    let (mut best, mut tally) = run(&mut chain, &path)?;
    // each round does the same work, so the least time of each step is what it takes undisturbed
    for _ in 1..ROUNDS {
        let times;
        (times, tally) = run(&mut chain, &path)?;
        least(&mut best.stepping, &times.stepping);
        least(&mut best.recording, &times.recording);
    }
    let frames = tally.frames as f64;
    let each = tally.bytes as f64 / (LINKS as f64 * frames);
    let mean = |times: &[f64]| times.iter().sum::<f64>() / frames * 1e6;
    let (step, record) = (mean(&best.stepping), mean(&best.recording));
    println!(
        "{:11.0}  {:10.2}  {each:15.2}  {:8.1}  {step:9.1}  {record:13.1}  {:4.1} %",
        1.0 / chain.dt,
        chain.radius,
        // three coordinates and four of a quaternion
        56.0 / each,
        100.0 * record / step,
    );
    let mut player = Player::new(Recording::open(&path)?, chain)?;
    let good = player.verify(Verify::FromKeys, |_| ControlFlow::Continue(()))?.is_good();
    std::fs::remove_file(&path)?;
    if good { Ok(()) } else { Err("the recording does not verify".into()) }
}

fn least(best: &mut [f64], times: &[f64]) {
    best.iter_mut().zip(times).for_each(|(a, b)| *a = a.min(*b));
}

fn run(chain: &mut Chain, path: &Path) -> Result<(Times, Tally), BoxedError> {
    let mut world = chain.rebuild()?;
    let mut recorder = Recorder::replace(path, &Header::default(), &world)?;
    let mut times = Times { stepping: Vec::new(), recording: Vec::new() };
    for _ in 0..(SECONDS / chain.dt) as usize {
        let start = Instant::now();
        let fault = world.step().fault;
        let stepped = Instant::now();
        recorder.step(&world)?;
        times.recording.push(stepped.elapsed().as_secs_f64());
        times.stepping.push((stepped - start).as_secs_f64());
        if let Some(fault) = fault {
            return Err(fault.to_string().into());
        }
    }
    Ok((times, recorder.finish()?))
}
