//! §3.1.3: a cable of wires elongates, bends and twists according to its unit stiffnesses.

use crate::lab::{add, at, settle};
use crate::{Ask, Paper, Study, StudyContext, Table, Trouble, Verdict, number};
use glam::DVec3;
use libm::{atan2, fabs, pow};
use std::f64::consts::PI;
use windlass_engine::prelude::*;
use windlass_plot::{Curve, Figure, Measure, Scale};

pub static STUDY: Study = Study {
    name: "vortex/cable-stiffness",
    paper: Paper::Vortex,
    title: "A cable of wires: elongation, bending, torsion",
    place: "§3.1.3, equations (30) to (42)",
    about: "A metre of rope of 49 wires is described as the guide describes it: the elongation under a load, Young's modulus, the \
            radius and number of wires, Poisson's ratio 0.5. It is clamped to the ground at one end and pulled, bent and twisted at \
            the other until it rests, cut into 3 to 48 elements. What it gives is compared with the guide's unit stiffnesses.",
    timed: false,
    run,
};

/// The parameters of the guide's module; the numbers are ours, since it gives none.
const LENGTH: f64 = 1.0;
const WIRES: u32 = 49;
const RADIUS: f64 = 0.6e-3;
const YOUNG: f64 = 2e11;
const LOAD: f64 = 20e3;
const STRAIN: f64 = 4e-3;

/// Unit stiffnesses K_a [N], K_b and K_t [N·m²] of the guide, as printed: (32), (37) and behind (42), for all wires.
#[derive(Clone, Copy, Debug)]
struct Printed {
    axial: f64,
    bend: f64,
    twist: f64,
}

impl Printed {
    fn new() -> Printed {
        let second = PI * pow(RADIUS, 4.0) / 2.0;
        let wires = f64::from(WIRES);
        Printed {
            axial: LOAD / STRAIN,
            bend: wires * YOUNG * second / 2.0,
            twist: wires * second * YOUNG / 3.0,
        }
    }
}

/// The engine's section of the same rope: 7 strands of 7 wires are nine wires thick.
fn section() -> Section {
    let stuff = SectionMaterial { young: YOUNG, poisson: 0.5, density: 7850.0 };
    let wires = Section::wires(WIRES, 2.0 * RADIUS, 18.0 * RADIUS, stuff);
    Section { stretch: LOAD / STRAIN, ..wires }
}

/// The rope along x from the ground to a carriage, to which it is clamped.
struct Specimen {
    world: World,
    carriage: BodyId,
}

impl Specimen {
    fn new(elements: usize, mass: f64, inertia: f64) -> Result<Specimen, Trouble> {
        let mut world = World::default();
        world.set(|s| s.gravity = DVec3::ZERO).map_err(Trouble::from)?;
        let ground = add(&mut world, Body::fixed("ground"), DVec3::ZERO)?;
        let mass = Mass::principal(mass, DVec3::ZERO, DVec3::splat(inertia), glam::DQuat::IDENTITY);
        let carriage = add(&mut world, Body::dynamic("carriage", mass), DVec3::X * LENGTH)?;
        let ends = [ground, carriage].map(|body| End::Fast(Anchor::point(body, DVec3::ZERO)));
        let path = [DVec3::ZERO, DVec3::X * LENGTH];
        let laying = CableSpec { ends, elements, ..CableSpec::new("rope", section(), path) };
        world.add_cable(laying).map_err(Trouble::from)?;
        Ok(Specimen { world, carriage })
    }

    /// Loads the carriage with a force and a torque until all is at rest.
    fn loaded(mut self, force: DVec3, torque: DVec3) -> Result<Specimen, Trouble> {
        let at = Anchor::point(self.carriage, DVec3::ZERO);
        let applied =
            Applied { torque: Some(Direction::World(torque)), ..Applied::force(at, Direction::World(force)) };
        self.world.add_force(Force::Applied(applied)).map_err(Trouble::from)?;
        settle(&mut self.world, || Ok(()))?;
        Ok(self)
    }

    fn end(&self) -> DVec3 {
        at(&self.world, self.carriage).position
    }

    /// Rotation of the carriage [rad].
    fn turn(&self) -> f64 {
        let q = at(&self.world, self.carriage).orientation;
        2.0 * atan2(q.xyz().length(), fabs(q.w))
    }
}

fn elongation(elements: usize, load: f64) -> Result<f64, Trouble> {
    // so heavy that its swing is slow, 11 Hz
    Ok(Specimen::new(elements, 1000.0, 1.0)?.loaded(DVec3::X * load, DVec3::ZERO)?.end().x - LENGTH)
}

/// Turn of the end under a couple about y or about the rope.
fn turn(elements: usize, couple: DVec3) -> Result<f64, Trouble> {
    Ok(Specimen::new(elements, 0.05, 1e-3)?.loaded(DVec3::ZERO, couple)?.turn())
}

fn deflection(elements: usize, load: f64) -> Result<f64, Trouble> {
    Ok(-Specimen::new(elements, 0.05, 1e-4)?.loaded(DVec3::NEG_Z * load, DVec3::ZERO)?.end().z)
}

fn run(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let k = Printed::new();
    context.parameter("length", format!("{LENGTH} m"));
    context.parameter("wires", format!("{WIRES} of radius {} mm", 1e3 * RADIUS));
    context.parameter("Young's modulus, Poisson's ratio", "200 GPa, 0.5");
    context.parameter("elongation", format!("{} % under {} kN", 100.0 * STRAIN, 1e-3 * LOAD));
    context.parameter("step", "1/60 s");
    context.table(formulas(&k));
    let counts = context.pick(vec![3, 6, 12, 24, 48], vec![3, 6]);
    specimens(context, &k, &counts)?;
    pulls(context, &k)?;
    context.remark(
        "The guide's I = πr⁴/2 is the polar second moment of a wire, twice that of bending, and its R = 2l/θ is twice the radius \
         of curvature of a chain whose elements are l long: the two factors of two cancel in k_b = EI/2l, and the stiffness is \
         right. Who corrects one of them alone is off by two.",
    );
    context.remark(
        "The verification experiments of the guide's reference [16] are not in the guide; the references here are its formulas and \
         Bernoulli's beam. A clamped end has a link of half an element, so elongation, couple and torque match the closed form for any \
         number of elements, and a load across falls short by the square of their length alone.",
    );
    Ok(())
}

/// The formulas as printed against those of the engine's section, and against readings of them.
fn formulas(k: &Printed) -> Table {
    let own = section();
    let mut table =
        Table::comparison("Unit stiffnesses (32), (37), (42): the engine's section and the guide's", "guide");
    table.compare("K_a [N]", own.stretch, k.axial, Ask::Part(1e-12));
    table.compare("K_b [N·m²]", own.bend, k.bend, Ask::Part(1e-12));
    table.compare("K_t [N·m²]", own.twist, k.twist, Ask::Part(1e-12));
    // Bernoulli's: the second moment about a diameter, and the curvature θ/l
    let bernoulli = f64::from(WIRES) * YOUNG * PI * pow(RADIUS, 4.0) / 4.0;
    table.compare("K_b of πr⁴/4 and R = l/θ (Bernoulli)", bernoulli, k.bend, Ask::Part(1e-12));
    table.compare("K_b of πr⁴/4 and R = 2l/θ (one factor corrected)", 0.5 * bernoulli, k.bend, Ask::Nothing);
    table.compare("K_b of πr⁴/2 and R = l/θ (the other)", 2.0 * bernoulli, k.bend, Ask::Nothing);
    table
}

/// Elongation, end slope, twist and deflection for numbers of elements.
fn specimens(context: &mut StudyContext<'_>, k: &Printed, counts: &[usize]) -> Result<(), Trouble> {
    let couple = k.bend / LENGTH;
    let torque = k.twist / LENGTH;
    // a hundredth of the length: the beam's own curve is then straight to 1e-4
    let across = 0.03 * k.bend / (LENGTH * LENGTH);
    let wanted = [LOAD * LENGTH / k.axial, couple * LENGTH / k.bend, torque * LENGTH / k.twist];
    let sag = across * pow(LENGTH, 3.0) / (3.0 * k.bend);
    let heads = [
        "elements",
        "elongation [mm]",
        "end slope [rad]",
        "twist [rad]",
        "their error",
        "deflection [mm]",
        "its error",
        "asked of it",
    ];
    let caption = "Under 20 kN, under a couple and a torque for 1 rad each, and under a load across";
    let mut table = Table::new(caption, &heads);
    let none = || "–".to_string();
    let exact = [wanted[0] * 1e3, wanted[1], wanted[2]].map(number).into_iter();
    let cells = ["closed form".to_string()].into_iter().chain(exact);
    table.row(cells.chain([none(), number(1e3 * sag), none(), none()]), Verdict::Told);
    let mut errors = Vec::new();
    for (i, elements) in counts.iter().enumerate() {
        context.progress(0.8 * i as f64 / counts.len() as f64)?;
        let found = [
            elongation(*elements, LOAD)?,
            turn(*elements, DVec3::Y * couple)?,
            turn(*elements, DVec3::X * torque)?,
        ];
        let bent = deflection(*elements, across)?;
        let error = fabs(bent / sag - 1.0);
        let n = *elements as f64;
        errors.push((n, error));
        // a chain of N links under a load across: error of order 1/N²; 1e-4 is the beam's own curve
        let allowed = 1.0 / (n * n) + 2e-4;
        let off = found.iter().zip(&wanted).map(|(found, wanted)| fabs(found / wanted - 1.0));
        let off = off.fold(0.0, f64::max);
        let cells = [
            elements.to_string(),
            number(1e3 * found[0]),
            number(found[1]),
            number(found[2]),
            format!("{off:.1e}"),
            number(1e3 * bent),
            format!("{error:.1e}"),
            format!("{allowed:.1e}"),
        ];
        table.row(cells, Verdict::of(off <= 1e-3 && error <= allowed));
    }
    context.table(table);
    let slope = |(n, _): &(f64, f64)| (*n, errors[0].1 * pow(errors[0].0 / n, 2.0));
    let figure = Figure {
        x: Measure::new("elements", ""),
        scales: [Scale::Logarithmic; 2],
        y: Some("error of the deflection".to_string()),
        curves: vec![
            Curve::line("as 1/N²", "", errors.iter().map(slope).collect()),
            Curve::dots("cantilever with a load across its end", "", errors.clone()),
        ],
        ..Figure::default()
    };
    context.figure("Error of the deflection of a cantilever by its number of elements", &figure);
    Ok(())
}

/// Elongation by load, as the guide's user gives it: a percentage under a load.
fn pulls(context: &mut StudyContext<'_>, k: &Printed) -> Result<(), Trouble> {
    let mut table = Table::comparison("Elongation [mm] of 12 elements, equation (30)", "W/k_a");
    let mut points = Vec::new();
    for part in [0.25, 0.5, 1.0, 1.5, 2.0] {
        context.progress(0.8 + 0.1 * part)?;
        let load = part * LOAD;
        let found = elongation(12, load)?;
        table.compare(
            &format!("{} kN", number(1e-3 * load)),
            1e3 * found,
            1e3 * load * LENGTH / k.axial,
            Ask::Part(1e-3),
        );
        points.push((1e-3 * load, 1e3 * found));
    }
    context.table(table);
    let line = vec![(0.0, 0.0), (2e-3 * LOAD, 2e3 * LOAD * LENGTH / k.axial)];
    let figure = Figure {
        x: Measure::new("load", "kN"),
        y: Some("elongation".to_string()),
        curves: vec![Curve::line("W = k_a Δl", "mm", line), Curve::dots("engine, 12 elements", "mm", points)],
        ..Figure::default()
    };
    context.figure("Elongation by load", &figure);
    Ok(())
}
