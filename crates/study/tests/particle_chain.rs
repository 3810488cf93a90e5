//! Particle chains: gradients by differences, the paper's step, Table I.

use glam::{DQuat, DVec3};
use windlass_study::servin::particle_chain::{Chain, Grid, Model, Steps, table_one};

const ALL: [Model; 5] = [Model::Links, Model::Cable, Model::Enforced, Model::Truncated, Model::Bends];

/// Points that are in no line, or in a plane.
fn points(planar: bool) -> Vec<DVec3> {
    let y = if planar { 0.0 } else { 1.0 };
    let point = |k: usize| {
        let k = k as f64;
        DVec3::new(k + 0.3 * libm::sin(2.0 * k), y * libm::sin(1.7 * k), libm::cos(1.1 * k))
    };
    (0..6).map(point).collect()
}

/// Gaps and gradients of all constraints of a chain with its points in given places.
fn gradients(chain: &Chain, at: &[DVec3]) -> (Vec<f64>, Vec<Vec<DVec3>>) {
    let (_, bodies) = chain.build().unwrap();
    Chain::gradients(&bodies, &chain.constraints(&bodies), at)
}

#[test]
fn gradients_are_those_of_differences() {
    for model in ALL {
        for unsigned in [false, true] {
            let chain = Chain { unsigned, ..Chain::new(model, 7.0, 1e-8, 1e-4) };
            // in space a signed angle is that of the plane's normal: its gradient is exact in the plane alone
            let planar = model == Model::Bends && !unsigned;
            let at = points(planar);
            let (_, rows) = gradients(&chain, &at);
            let step = 1e-6;
            for (point, axis) in (0..6).flat_map(|p| DVec3::AXES.map(|axis| (p, axis))) {
                if planar && axis == DVec3::Y {
                    continue;
                }
                let moved = |by: f64| {
                    let mut at = at.clone();
                    at[point] += axis * by;
                    gradients(&chain, &at).0
                };
                let [low, high] = [moved(-step), moved(step)];
                for (row, gradient) in rows.iter().enumerate() {
                    let slope = (high[row] - low[row]) / (2.0 * step);
                    let own = gradient[point].dot(axis);
                    // round-off 1e-16/1e-6 and curvature 1e-12
                    assert!((slope - own).abs() < 2e-9, "{model:?} row {row} point {point}: {slope} {own}");
                }
            }
        }
    }
}

/// The engine's steps are those of (8)–(11), solved densely and without it, and turn no particle.
#[test]
fn the_engine_takes_the_papers_steps() {
    for model in ALL {
        let chain = Chain::new(model, 50.0, 1e-6, 1e-4);
        let [paper, engine] = [Steps::Paper, Steps::Engine].map(|steps| chain.drop_for(1.5, steps).unwrap());
        assert!(paper.whole && engine.whole && engine.stretches.len() == 90);
        let off = |a: &[Vec<f64>], b: &[Vec<f64>]| {
            let pairs = a.iter().flatten().zip(b.iter().flatten());
            pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        };
        let (stretch, bend) = (off(&paper.stretches, &engine.stretches), off(&paper.bends, &engine.bends));
        println!("{model:?}: lengths differ by {stretch:.1e} m, bends by {bend:.1e} rad");
        // rounding differs, and grows as in a whip
        assert!(stretch < 1e-9 && bend < 1e-9);
        assert!(engine.bends.iter().flatten().any(|b| b.abs() > 1e-3), "nothing moved");
        let (mut world, bodies) = chain.build().unwrap();
        (0..90).for_each(|_| assert!(world.step().fault.is_none()));
        for body in &bodies {
            assert_eq!(world.state().bodies[body.index()].orientation, DQuat::IDENTITY);
        }
    }
}

/// Table I as printed: the limits are those of the independent program, to a step of its grid.
#[test]
fn table_one_in_full() {
    let grid = Grid::default();
    for e in &table_one(&grid).unwrap() {
        for limit in [e.again, e.ours] {
            let power = limit.power.expect("even ten particles of load fall");
            // where the other program's grid ended, more is no difference
            let want = e.check.min(grid.most);
            let off = if limit.open { (want - power).max(0.0) } else { (power - want).abs() };
            assert!(off <= 0.25, "{e:?}");
        }
        // and the paper's load is carried
        assert!(e.ours.power >= Some(e.paper), "{e:?}");
    }
}
