//! What recording costs: bytes for each body and step, and time beside the step's, for a swinging chain of 100 links.
//!
//! ```text
//! cargo run -p windlass-record --example cost
//! ```

use glam::{DQuat, DVec3};
use std::sync::OnceLock;
use std::time::Instant;
use windlass_engine::prelude::*;
use windlass_record::{BoxedError, Header, Player, Recorder, Recording, Stage, Tally, Verify};

const LINKS: usize = 100;
const SECONDS: f64 = 10.0;
const ROUNDS: usize = 5;

/// 10 m of chain, let go 30° aside and thrown sideways, so that it swings in three dimensions. Thick links swing, thin
/// ones whip.
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
            let link = world.add_body(Body::free(format!("link {i}"), mass), along * far, turn)?;
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
    println!("  rate [Hz]radius [m]  bytes/body/step  raw/this  step [µs]  recorder [µs]   share");
    for (rate, radius) in [(60.0, 0.05), (240.0, 0.05), (1000.0, 0.05), (60.0, 0.01), (240.0, 0.01)] {
        measure(Chain { dt: 1.0 / rate, radius })?;
    }
    Ok(())
}

fn measure(mut chain: Chain) -> Result<(), BoxedError> {
    let path = std::env::temp_dir().join(format!("windlass-cost-{}.wlr", std::process::id()));
    // in turn, so that a disturbance meets both alike
    let (mut alone, mut recorded) = (f64::INFINITY, f64::INFINITY);
    let mut tally = Tally::default();
    for _ in 0..ROUNDS {
        alone = alone.min(run(&mut chain, None)?.0);
        let world = chain.rebuild()?;
        let recorder = Recorder::replace(&path, &Header::default(), &world)?;
        let (time, told) = run(&mut chain, Some(recorder))?;
        recorded = recorded.min(time);
        tally = told;
    }
    let frames = tally.frames as f64;
    let each = tally.bytes as f64 / (LINKS as f64 * frames);
    let (step, record) = (alone / frames * 1e6, (recorded - alone) / frames * 1e6);
    println!(
        "{:11.0}  {:9.2}  {each:15.2}  {:8.1}  {step:9.1}  {record:13.1}  {:4.1} %",
        1.0 / chain.dt,
        chain.radius,
        // three coordinates and four of a quaternion
        56.0 / each,
        100.0 * record / step,
    );
    let mut player = Player::new(Recording::open(&path)?, chain)?;
    let good = player.verify(Verify::FromKeys, |_| ())?.is_good();
    std::fs::remove_file(&path)?;
    if good { Ok(()) } else { Err("the recording does not verify".into()) }
}

/// Runs, recording or not; returns the CPU time of this thread [s].
fn run(chain: &mut Chain, mut recorder: Option<Recorder>) -> Result<(f64, Tally), BoxedError> {
    let mut world = chain.rebuild()?;
    let start = cpu();
    for _ in 0..(SECONDS / chain.dt) as usize {
        if let Some(fault) = world.step().fault {
            return Err(fault.to_string().into());
        }
        if let Some(recorder) = &mut recorder {
            recorder.step(&world)?;
        }
    }
    let tally = recorder.map(Recorder::finish).transpose()?.unwrap_or_default();
    Ok((cpu() - start, tally))
}

/// CPU time of this thread [s], so that the neighbours do not show; wall time where the system does not tell.
fn cpu() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| START.get_or_init(Instant::now).elapsed().as_secs_f64(), |n| n * 1e-9)
}
