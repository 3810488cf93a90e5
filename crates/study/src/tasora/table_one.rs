//! Table 1: friction of a bicycle's tyre, as materials of the library; a block on a slope finds each coefficient again.

use crate::lab::build;
use crate::{Ask, Paper, Study, StudyContext, Table, Trouble, Verdict, number};
use glam::DVec3;
use windlass_plot::{Curve, Figure, Measure};
use windlass_scene::Built;

pub static STUDY: Study = Study {
    name: "tasora/table-1",
    paper: Paper::Tasora,
    title: "Friction of a bicycle's tyre on seven grounds",
    place: "§6, Table 1",
    about: "The paper has measured static and kinetic friction of the tyre. They are pairs of the library of materials. Here a \
            block of tyre lies on a slope of each ground: the steepest slope on which it sticks is found by bisection, from 0.1 to 1.5; \
            then it slides down a gentle slope, and its deceleration gives the kinetic coefficient.",
    timed: false,
    run,
};

/// As the paper calls them, name of the material, static and kinetic coefficient of Table 1.
const GROUNDS: [(&str, &str, f64, f64); 7] = [
    ("asphalt, clean", "asphalt", 0.97, 0.86),
    ("asphalt, wet", "wet_asphalt", 0.90, 0.88),
    ("stone, clean", "paving_stone", 0.68, 0.65),
    ("stone, wet", "wet_paving_stone", 0.62, 0.61),
    ("steel rail, clean", "tram_rail", 0.45, 0.42),
    ("steel rail, wet, but clean", "wet_tram_rail", 0.38, 0.38),
    ("steel rail, wet and dirty", "dirty_tram_rail", 0.35, 0.34),
];

/// A flat block on a slope that falls along x.
const SCENE: &str = r#"
windlass = 2

[settings]
dt = "2 ms"

[parameters]
ground = "asphalt"
angle = "0.1 rad"
speed = "0 m/s"
height = "25 mm"

[bodies.slope]
type = "static"
shape = { plane = {} }
rotation = { axis = [0, 1, 0], angle = "= angle" }
material = "{ground}"

[bodies.block]
position = ["= height * sin(angle)", 0, "= height * cos(angle)"]
rotation = { axis = [0, 1, 0], angle = "= angle" }
velocity = ["= speed * cos(angle)", 0, "= -speed * sin(angle)"]
shape = { box = { size = ["30 cm", "30 cm", "= 2 * height"] } }
material = "bicycle_tyre"
"#;

/// Observation time of a block [s], and the displacement above which it counts as sliding [m].
const WATCH: f64 = 0.5;
const SLIDES: f64 = 1e-3;

/// A block on a slope, with a speed [m/s] downhill.
struct Block {
    built: Built,
    slope: f64,
}

impl Block {
    fn new(ground: &str, slope: f64, speed: f64) -> Result<Block, Trouble> {
        let (angle, speed) = (format!("{} rad", libm::atan(slope)), format!("{speed} m/s"));
        let values =
            [("parameters.ground", ground), ("parameters.angle", &angle), ("parameters.speed", &speed)];
        Ok(Block { built: build(SCENE, &values)?, slope })
    }

    fn step(&mut self, count: usize) -> Result<(), Trouble> {
        for _ in 0..count {
            if let Some(fault) = self.built.world.step().fault {
                return Err(Trouble::from(fault));
            }
        }
        Ok(())
    }

    /// Speed and displacement along the slope.
    fn along(&self) -> (f64, f64) {
        let angle = libm::atan(self.slope);
        let down = DVec3::new(libm::cos(angle), 0.0, -libm::sin(angle));
        let block = &self.built.world.state().bodies[self.built.bodies[1].index()];
        (block.velocity.dot(down), block.position.dot(down))
    }

    fn slides(mut self) -> Result<bool, Trouble> {
        let steps = WATCH / self.built.world.model().settings().dt;
        self.step(steps as usize)?;
        Ok(self.along().1 > SLIDES)
    }
}

/// The steepest slope on which a block rests, by halving.
fn steepest(ground: &str, halvings: usize) -> Result<f64, Trouble> {
    let (mut low, mut high) = (0.1, 1.5);
    for _ in 0..halvings {
        let slope = 0.5 * (low + high);
        if Block::new(ground, slope, 0.0)?.slides()? { high = slope } else { low = slope }
    }
    Ok(0.5 * (low + high))
}

/// Kinetic friction from the deceleration on a slope: a = g cos θ (tan θ − μ). Also the speeds over time.
fn kinetic(ground: &str) -> Result<(f64, Vec<(f64, f64)>), Trouble> {
    let mut block = Block::new(ground, 0.2, 3.0)?;
    let mut course = Vec::new();
    for _ in 0..40 {
        block.step(5)?;
        course.push((block.built.world.state().time, block.along().0));
    }
    let ((from, fast), (to, slow)) = (course[0], course[course.len() - 1]);
    let gravity = block.built.world.model().settings().gravity.length();
    let across = gravity * libm::cos(libm::atan(block.slope));
    Ok((block.slope - (slow - fast) / (to - from) / across, course))
}

fn run(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let halvings = context.pick(12, 9);
    context.parameter("block", "30 × 30 × 5 cm, of material bicycle_tyre");
    context.parameter("step", "2 ms");
    context.parameter("at rest", format!("less than {} mm in {WATCH} s", 1e3 * SLIDES));
    context.parameter("slope of the sliding block", "0.2 (11.3°), 3 m/s at the start");
    let heads = ["ground", "material", "μ static", "paper", "μ kinetic", "paper", "asked"];
    let mut table = Table::new("Coefficients found on the slope beside Table 1", &heads);
    let mut curves = Vec::new();
    for (i, (name, ground, at_rest, sliding)) in GROUNDS.into_iter().enumerate() {
        context.progress(i as f64 / GROUNDS.len() as f64)?;
        let (stick, (slide, course)) = (steepest(ground, halvings)?, kinetic(ground)?);
        let judge = |ours: f64, paper: f64| Ask::Part(0.01).judge(ours, paper) == Verdict::Met;
        let cells =
            [name, ground, &number(stick), &number(at_rest), &number(slide), &number(sliding), "± 1 %"];
        let verdict = Verdict::of(judge(stick, at_rest) && judge(slide, sliding));
        table.row(cells.map(str::to_string), verdict);
        if i % 2 == 0 {
            curves.push(Curve::line(name, "m/s", course));
        }
    }
    context.table(table);
    let figure = Figure {
        x: Measure::new("time", "s"),
        y: Some("speed down the slope".to_string()),
        curves,
        ..Figure::default()
    };
    context.figure("The sliding blocks slow down, each by its kinetic friction.", &figure);
    context.remark(
        "For the wet and dirty rail the paper states only that the coefficients are less than 0.35 and 0.34: the library has these bounds.",
    );
    Ok(())
}
