//! Cost of water: hulls, general mass matrices and cables, each against a dry step of the same scene in the same run.

use crate::allocations::allocated;
use crate::cable::section;
use crate::measure::{Samples, batch, timed};
use crate::row;
use crate::table::{Cell, Table};
use glam::{DMat3, DQuat, DVec3};
use windlass_engine::prelude::{AddedMass as AddedMassTerm, *};
use windlass_fluid::added_mass::closed_form;
use windlass_fluid::fluids::FluidWork;
use windlass_fluid::hull::{ClipBuffers, Pose};
use windlass_fluid::mesh::ClosedMesh;
use windlass_fluid::waves::{Amplitudes, Sea, Spectrum, Water, Waves};
use windlass_fluid::{
    AddedMass, Drag, Fluid, Fluids, Hull, HullPart, HullShape, ImmersedBody, ImmersedCable, Layers,
};

/// Targets: clip and integrate per triangle [ns], general mass matrix in percent of a step, Morison forces on 1000
/// elements in calm water and under 100 components [ms].
const TRIANGLE: f64 = 25.0;
const BLOCK: f64 = 5.0;
const MORISON: [f64; 2] = [0.2, 1.5];

/// Length of the barge of the hull [m].
const SIZE: DVec3 = DVec3::new(20.0, 8.0, 3.0);

fn accepted<T, E: std::fmt::Debug>(result: Result<T, E>) -> T {
    result.unwrap_or_else(|e| panic!("the scene was rejected: {e:?}"))
}

/// Hs 3 m, Tp 9 s, 100 components, short-crested.
fn sea() -> Waves {
    let sea = Sea {
        spectrum: Spectrum::Jonswap { gamma: Some(3.3) },
        height: 3.0,
        period: 9.0,
        direction: 0.0,
        spreading: Some(10.0),
        components: 100,
        seed: 1,
        amplitudes: Amplitudes::Equal,
    };
    accepted(Waves::sea(&sea, Water { depth: f64::INFINITY, gravity: 9.81 }))
}

fn calm() -> Fluid {
    Fluid::still("sea", 1025.0, Some(0.0))
}

/// A world and the readings of its steps.
struct Run {
    world: World,
    per: usize,
    step: Samples,
    /// By stage, of single steps.
    stages: [Samples; 3],
    allocations: usize,
}

impl Run {
    fn new(mut world: World) -> Run {
        // buffers grow, and systems are laid out
        for _ in 0..60 {
            assert!(world.step().fault.is_none());
        }
        let per = batch(|| drop(world.step()));
        Run { world, per, step: Samples::default(), stages: Default::default(), allocations: 0 }
    }

    fn round(&mut self) {
        let before = allocated();
        let time = timed(|| {
            for _ in 0..self.per {
                assert!(self.world.step().fault.is_none());
            }
        });
        self.allocations += allocated() - before;
        self.step.push(time / self.per as f64);
        let stages = self.world.step().timing;
        for (samples, time) in self.stages.iter_mut().zip([stages.force, stages.solve, stages.integrate]) {
            samples.push(time.as_secs_f64() * 1e6);
        }
    }
}

/// Steps all of them alternately.
fn alternate(runs: &mut [Run], rounds: usize) {
    for _ in 0..rounds {
        runs.iter_mut().for_each(Run::round);
    }
}

fn verdict(met: bool) -> &'static str {
    if met { "met" } else { "MISSED" }
}

/// A floating barge of so many triangles.
fn barge(mesh: &ClosedMesh, drag: Drag, fluid: Option<Fluid>) -> World {
    let mut world = World::default();
    let mass = accepted(Mass::of_total(&Shape::Box { half: SIZE / 2.0 }, 246e3));
    let body = accepted(world.add_body(Body::dynamic("barge", mass), DVec3::ZERO, DQuat::IDENTITY));
    if let Some(fluid) = fluid {
        let hull = accepted(Hull::new(vec![part(mesh)]).ok_or("no hull"));
        let matrix = SpatialMatrix::from_diagonal(DVec3::splat(3e5), DVec3::splat(1e6));
        let added_mass = AddedMass::Given(matrix, 0.5);
        let damping = SpatialMatrix::ZERO;
        let bodies = vec![ImmersedBody { body, hull, drag, added_mass, damping, buoyancy: true }];
        let layers = accepted(Layers::new(vec![fluid]));
        accepted(world.edit_subsystem::<Fluids>(Fluids { layers, bodies, ..Fluids::default() }.set()));
    }
    world
}

fn part(mesh: &ClosedMesh) -> HullPart {
    let shape = HullShape::Mesh(mesh.clone());
    HullPart { position: DVec3::ZERO, orientation: DQuat::IDENTITY, shape }
}

fn hulls(quick: bool) -> Table {
    let columns = [
        "hull",
        "triangles",
        "dry step µs",
        "wet step µs",
        "wet/dry",
        "ns/triangle",
        "clip alone ns/triangle",
        "target",
        "allocations",
    ];
    let mut table = Table::new("water: a floating barge per step of 1/60 s, CPU time, minima", &columns);
    let drag = Drag::Pressure { pressure: 1.0, suction: 0.0, friction: 0.003 };
    let rounds = if quick { 10 } else { 60 };
    for edge in if quick { vec![0.5] } else { vec![0.9, 0.5] } {
        let mesh = ClosedMesh::cuboid(SIZE).refined(edge);
        let triangles = mesh.triangles().len();
        let waves = Fluid { waves: Some(sea()), ..calm() };
        let cases = [
            ("calm, buoyancy", Drag::None, calm()),
            ("calm, with drag on facets", drag, calm()),
            ("100 wave components", Drag::None, waves),
        ];
        let mut runs = vec![Run::new(barge(&mesh, Drag::None, None))];
        runs.extend(cases.iter().map(|(_, drag, fluid)| Run::new(barge(&mesh, *drag, Some(fluid.clone())))));
        // the clip by itself, heeled
        let hull = accepted(Hull::new(vec![part(&mesh)]).ok_or("no hull"));
        let axes = DMat3::from_quat(DQuat::from_rotation_x(0.2) * DQuat::from_rotation_y(0.1));
        let pose = Pose { center: DVec3::Z * 0.3, axes };
        let (mut buffers, mut clip) = (ClipBuffers::default(), Samples::default());
        for _ in 0..rounds {
            alternate(&mut runs, 1);
            clip.push(timed(|| hull.under_plane(pose, 0.0, &mut buffers)));
        }
        let dry = runs[0].step.min();
        for (k, (run, (name, ..))) in runs[1..].iter().zip(&cases).enumerate() {
            let (wet, each) = (run.step.min(), 1e3 / triangles as f64);
            let alone = clip.min() * each;
            let (alone, met) = match k {
                0 => (Cell::from(alone), Cell::from(verdict(alone <= TRIANGLE))),
                _ => (Cell::Empty, Cell::Empty),
            };
            let cells = [dry, wet, wet / dry, (wet - dry) * each].map(Cell::from);
            let mut row = row![*name, triangles];
            row.extend(cells);
            row.extend([alone, met, Cell::from(run.allocations)]);
            table.push(row);
        }
    }
    table.note(format!(
        "Clip alone: `Hull::under_plane` on the heeled hull; target at most {TRIANGLE} ns per triangle."
    ));
    table.note("ns/triangle: wet less dry step; with waves most of it is their evaluation at the vertices.");
    table
}

/// Adds a force to each body, and a term of its mass matrix.
#[derive(Clone, Debug, Default, PartialEq)]
struct Blocks {
    bodies: Vec<BodyId>,
    term: Option<Term>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Term {
    /// Added mass in axes of the body, whose momentum is carried on.
    Added,
    /// A matrix in world axes on both sides, as for elements of cables.
    Inertia,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Nothing;

impl StatePart for Nothing {
    fn write(&self, _: &mut windlass_engine::words::WordWriter<'_>) {}

    fn read(
        _: &mut windlass_engine::words::WordReader<'_>,
    ) -> Result<Nothing, windlass_engine::words::SnapshotError> {
        Ok(Nothing)
    }
}

impl Subsystem for Blocks {
    const KEY: &'static str = "blocks";
    const VERSION: u32 = 1;
    type State = Nothing;
    type Work = ();
    type Edit = Blocks;

    fn loads(&self, view: &View<'_>, _: &Nothing, _: &mut (), out: &mut Loads) {
        for id in &self.bodies {
            out.pull(*id, DVec3::Z * 1e-3);
            let place = id.index();
            let matrix =
                SpatialMatrix::from_diagonal(DVec3::new(0.2, 0.3, 0.4), DVec3::new(0.02, 0.03, 0.04));
            match self.term {
                None => {}
                Some(Term::Added) => {
                    let added = Some(AddedMassTerm { matrix, carried: 1.0, ..AddedMassTerm::default() });
                    out.term(BodyTerm { place, added, ..BodyTerm::default() });
                }
                Some(Term::Inertia) => {
                    let body = &view.bodies.states[place];
                    let inertia = matrix.rotated(&DMat3::from_quat(body.orientation));
                    let twist = Twist { velocity: body.velocity, angular_velocity: body.angular_velocity };
                    let momentum = inertia.apply(twist);
                    out.term(BodyTerm { place, inertia, momentum, ..BodyTerm::default() });
                }
            }
        }
    }

    fn advance(
        &self,
        _: &View<'_>,
        _: &mut Advance<'_>,
        _: (&Nothing, &mut Nothing),
        _: &mut (),
    ) -> [Energy; 2] {
        [Energy::default(); 2]
    }

    fn accepts(&self, _: &View<'_>, _: &Nothing) -> Result<(), Misfit> {
        Ok(())
    }

    fn apply(&mut self, edit: Blocks, _: &mut Nothing, _: &View<'_>) -> Result<Blocks, Refusal> {
        Ok(std::mem::replace(self, edit))
    }
}

/// Bars of 1 m and 1 kg: free, as a chain of ball joints, or the elements of a cable.
fn bars(kind: &str, count: usize, term: Option<Term>) -> World {
    let mut world = World::default();
    let ground = accepted(world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY));
    let bodies = if kind == "cable" {
        let section = section(0.03, 1.0, 1e6);
        let path = vec![DVec3::ZERO, DVec3::X * count as f64];
        let ends = [End::Ball(Anchor::point(ground, DVec3::ZERO)), End::Free];
        let spec = CableSpec { ends, elements: count, ..CableSpec::new("line", section, path) };
        let cable = accepted(world.add_cable(spec));
        world.cable_elements(cable)
    } else {
        let mut last = (ground, DVec3::ZERO);
        (0..count)
            .map(|k| {
                let mass = Mass::principal(1.0, DVec3::ZERO, DVec3::new(0.01, 0.085, 0.085), DQuat::IDENTITY);
                let at = DVec3::X * (k as f64 + 0.5);
                let body = accepted(world.add_body(Body::dynamic("bar", mass), at, DQuat::IDENTITY));
                if kind == "chain" {
                    let anchors = [Anchor::point(last.0, last.1), Anchor::point(body, DVec3::X * -0.5)];
                    accepted(world.add_joint(Joint::new("ball", Ball { anchors })));
                }
                last = (body, DVec3::X * 0.5);
                body
            })
            .collect()
    };
    accepted(world.edit_subsystem::<Blocks>(Blocks { bodies, term }));
    // the same work in all of them, whatever their motion
    accepted(world.set(|s| (s.gravity, s.position_iterations, s.max_substeps) = (DVec3::ZERO, Some(0), 1)));
    world
}

fn blocks(quick: bool) -> Table {
    let columns = [
        "bodies",
        "number",
        "term",
        "diagonal µs",
        "general µs",
        "% of the step",
        "forces + µs",
        "solve + µs",
        "integrate + µs",
        "target",
    ];
    let mut table =
        Table::new("water: general 6 × 6 mass matrix of every body, per step, CPU time, minima", &columns);
    let count = if quick { 100 } else { 1000 };
    for (kind, count) in [("free", 100), ("chain", 100), ("cable", 100), ("cable", count)] {
        let terms = [None, Some(Term::Added), Some(Term::Inertia)];
        let mut runs: Vec<Run> = terms.iter().map(|term| Run::new(bars(kind, count, *term))).collect();
        alternate(&mut runs, if quick { 20 } else { 200 });
        let plain = runs[0].step.min();
        for (run, name) in runs[1..].iter().zip(["added mass", "matrix on both sides"]) {
            let general = run.step.min();
            let share = 100.0 * (1.0 - plain / general);
            let [a, b, c] = [0, 1, 2].map(|k| run.stages[k].min() - runs[0].stages[k].min());
            table.push(row![kind, count, name, plain, general, share, a, b, c, verdict(share <= BLOCK)]);
        }
    }
    table.note("The same worlds without gravity, with a small force on each body, without and with a general mass matrix.");
    table.note("The last columns: what the stages take more, by the engine's clock.");
    table.note(format!("Target: at most {BLOCK} % of a step that uses it. No fluid is evaluated here."));
    table
}

/// 1000 elements of 0.5 m from the surface down to a depth.
fn line(fluid: Option<Fluid>, depth: f64) -> World {
    let mut world = World::default();
    let ground = accepted(world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY));
    let path = vec![DVec3::ZERO, DVec3::new((500.0 * 500.0 - depth * depth).sqrt(), 0.0, -depth)];
    let ends = [End::Ball(Anchor::point(ground, DVec3::ZERO)), End::Free];
    let spec = CableSpec { ends, elements: 1000, ..CableSpec::new("line", section(0.03, 2.0, 1e7), path) };
    let cable = accepted(world.add_cable(spec));
    if let Some(fluid) = fluid {
        let elements = world.cable_elements(cable).into_iter().map(|id| (id, 0.5)).collect();
        let (diameter, drag_diameter, added) = (0.03, 0.03, [1.0, 0.0]);
        let (normal, tangential) = (1.2, 0.01);
        let cables = vec![ImmersedCable { elements, diameter, drag_diameter, normal, tangential, added }];
        let layers = accepted(Layers::new(vec![fluid]));
        accepted(world.edit_subsystem::<Fluids>(Fluids { layers, cables, ..Fluids::default() }.set()));
    }
    world
}

fn lines(quick: bool) -> Table {
    let columns = [
        "line of 1000 elements",
        "dry step ms",
        "wet step ms",
        "wet/dry",
        "forces alone ms",
        "forces/dry step",
        "limit ms",
        "target",
        "allocations",
    ];
    let mut table =
        Table::new("water: Morison forces on a line of 1000 elements per step, CPU time, minima", &columns);
    let waves = Fluid { waves: Some(sea()), ..calm() };
    let cases = [
        ("calm, to 300 m", calm(), 300.0, MORISON[0]),
        ("100 components, to 300 m", waves.clone(), 300.0, MORISON[1]),
        ("100 components, to 10 m", waves, 10.0, MORISON[1]),
    ];
    let mut runs: Vec<(Run, Run)> = cases
        .iter()
        .map(|(_, fluid, depth, _)| {
            (Run::new(line(None, *depth)), Run::new(line(Some(fluid.clone()), *depth)))
        })
        .collect();
    let mut forces = vec![Samples::default(); cases.len()];
    let (mut work, mut loads) = (FluidWork::default(), Loads::default());
    for _ in 0..if quick { 10 } else { 100 } {
        for ((dry, wet), samples) in runs.iter_mut().zip(&mut forces) {
            dry.round();
            wet.round();
            let (fluids, state) = accepted(wet.world.subsystem::<Fluids>().ok_or("no fluids"));
            let view = wet.world.subsystem_view();
            samples.push(timed(|| {
                loads.clear(view.bodies.states.len());
                fluids.loads(&view, state, &mut work, &mut loads);
            }));
        }
    }
    for (((dry, wet), samples), (name, _, _, limit)) in runs.iter().zip(&forces).zip(&cases) {
        let [a, b, c] = [dry.step.min(), wet.step.min(), samples.min()].map(|us| 1e-3 * us);
        let met = verdict(c <= *limit);
        table.push(row![*name, a, b, b / a, c, c / a, *limit, met, wet.allocations]);
    }
    table.note("Forces alone: one evaluation of the fluids at the state of the wet run.");
    table
}

/// Bodies without a mesh.
fn spheres(quick: bool) -> Table {
    let columns = ["spheres", "dry step µs", "wet step µs", "wet/dry", "ns/sphere", "allocations"];
    let mut table =
        Table::new("water: immersed spheres with drag and added mass per step, CPU time, minima", &columns);
    for count in [1, 100] {
        let world = |wet: bool| {
            let mut world = World::default();
            let shape = Shape::Sphere { radius: 0.1 };
            let mut bodies = Vec::new();
            for k in 0..count {
                let mass = accepted(Mass::of(&shape, 2000.0));
                let at = DVec3::X * k as f64;
                let body = accepted(world.add_body(Body::dynamic("ball", mass), at, DQuat::IDENTITY));
                let shape = HullShape::Sphere(0.1);
                let part = HullPart { position: DVec3::ZERO, orientation: DQuat::IDENTITY, shape };
                let hull = accepted(Hull::new(vec![part]).ok_or("no hull"));
                let added_mass = AddedMass::PerDensity(closed_form::sphere(0.1, 1.0));
                let (drag, damping) = (Drag::Quadratic { area: 0.0148 }, SpatialMatrix::ZERO);
                bodies.push(ImmersedBody { body, hull, drag, added_mass, damping, buoyancy: true });
            }
            if wet {
                let layers = accepted(Layers::new(vec![Fluid::still("water", 1000.0, None)]));
                accepted(
                    world.edit_subsystem::<Fluids>(Fluids { layers, bodies, ..Fluids::default() }.set()),
                );
            }
            world
        };
        let mut runs = [false, true].map(|wet| Run::new(world(wet)));
        alternate(&mut runs, if quick { 20 } else { 200 });
        let [dry, wet] = [runs[0].step.min(), runs[1].step.min()];
        table.push(row![count, dry, wet, wet / dry, 1e3 * (wet - dry) / count as f64, runs[1].allocations]);
    }
    table
}

pub fn run(quick: bool) -> Vec<Table> {
    vec![hulls(quick), blocks(quick), lines(quick), spheres(quick)]
}
