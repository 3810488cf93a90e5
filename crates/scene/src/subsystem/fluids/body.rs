//! Solids of a body and its `fluid` keys → hull, drag and added mass.

use super::vessel::Ship;
use crate::error::Problems;
use crate::number::{Number, Numbers};
use crate::text::body::BodyFluid;
use crate::text::fluid as text;
use glam::{DMat3, DQuat, DVec3};
use std::ops::Range;
use toml::Spanned;
use windlass_engine::body::hull::hull as convex_hull;
use windlass_engine::prelude::{BodyId, Shape, SpatialMatrix, World};
use windlass_fluid::added_mass::growth::AfloatAddedMass;
use windlass_fluid::added_mass::shapes::{self, Method};
use windlass_fluid::hull::Pose;
use windlass_fluid::mesh::ClosedMesh;
use windlass_fluid::{AddedMass, Drag, Fluid, Hull, HullPart, HullShape, ImmersedBody, Layers};

/// Sides of a cone's mesh.
const SIDES: u32 = 32;
/// Coefficients of the pressure law unless given: a plate across the stream has 1, a sphere ½. The friction is that of
/// a smooth plate at high Reynolds numbers.
const PRESSURE: f64 = 1.0;
const FRICTION: f64 = 0.003;

/// A dynamic body of a scene.
pub(crate) struct FluidBody<'a> {
    /// Its id in the world.
    pub id: BodyId,
    /// Its name.
    pub name: &'a str,
    /// Its location in the text.
    pub span: Range<usize>,
    /// Its `fluid` keys.
    pub text: Option<&'a Spanned<BodyFluid>>,
    /// Its solids in body axes: origin, orientation, shape.
    pub solids: Vec<(DVec3, DQuat, Shape)>,
    /// Its centre of mass in body axes [m].
    pub center: DVec3,
    /// Its centre of mass at the start [m].
    pub position: DVec3,
    /// Its orientation at the start.
    pub orientation: DQuat,
}

impl FluidBody<'_> {
    /// The body in the fluids; none if it takes no part, or if its keys are wrong.
    pub(super) fn immersed(&self, layers: &Layers, p: &mut Problems) -> Option<ImmersedBody> {
        let default = BodyFluid::default();
        let text = self.text.map_or(&default, Spanned::get_ref);
        if text.active == Some(false) {
            return None;
        }
        let span = self.text.map_or(self.span.clone(), Spanned::span);
        if self.solids.is_empty() {
            if self.text.is_some() {
                let message = format!("body \"{}\" has no solid that displaces fluid", self.name);
                p.advise(span, message, "give it a shape, or fluid.hull a solid, or leave `fluid` out");
            }
            return None;
        }
        let mut parts = Vec::new();
        for (at, orientation, shape) in &self.solids {
            if let Err(problem) = add_parts(shape, *at - self.center, *orientation, &mut parts) {
                let help = "give fluid.hull a closed shape, or set fluid.active = false";
                let message = format!("the shape of body \"{}\" cannot displace fluid: {problem}", self.name);
                p.advise(span, message, help);
                return None;
            }
        }
        let hull = Hull::new(parts)?;
        let drag = self::drag(text.drag.as_ref().unwrap_or(&text::Drag::default()), &span, p);
        let added_mass = self.added_mass(text.added_mass.as_ref(), (&hull, layers), &span, p)?;
        let damping = self.damping(text, p)?;
        let buoyancy = text.buoyancy.unwrap_or(true);
        Some(ImmersedBody { body: self.id, hull, drag: drag?, added_mass, damping, buoyancy })
    }

    fn added_mass(
        &self,
        text: Option<&text::AddedMass>,
        (hull, layers): (&Hull, &Layers),
        span: &Range<usize>,
        p: &mut Problems,
    ) -> Option<AddedMass> {
        let default = text::AddedMass::default();
        let text = text.unwrap_or(&default);
        let given = match (&text.diagonal, &text.matrix, text.model) {
            (None, None, _) => None,
            (Some(numbers), None, None) => {
                let (linear, angular) = six("diagonal", p.numbers("diagonal", numbers)?, numbers.span(), p)?;
                Some(SpatialMatrix::from_diagonal(linear, angular))
            }
            (None, Some(rows), None) => Some(matrix(rows, span, p)?),
            _ => {
                let help = "give one of `model`, `diagonal` and `matrix`";
                p.advise(span.clone(), "the added mass is given twice", help);
                return None;
            }
        };
        let complete = p.number_given("complete_at", &text.complete_at)?;
        if let Some(matrix) = given {
            let complete = complete.filter(|part| *part > 0.0).unwrap_or_else(|| self.complete(hull, layers));
            return Some(AddedMass::Given(matrix, complete));
        }
        if let Some(number) = &text.complete_at {
            let help = "give `diagonal` or `matrix`, or leave `complete_at` out";
            let message =
                "`complete_at` belongs to a given added mass: that of a model follows the immersed volume";
            p.advise(number.span(), message, help);
            return None;
        }
        // a body that only gases surround needs none
        if layers.all().iter().all(|fluid| fluid.is_gas()) {
            return Some(AddedMass::None);
        }
        let Some(method) = method(text) else { return Some(AddedMass::None) };
        let sum = self.sum_of_parts(hull, span, p, |part| shapes::deep(part, method));
        Some(AddedMass::PerDensity(sum?))
    }

    /// The sum of the added mass of the parts of its hull.
    fn sum_of_parts(
        &self,
        hull: &Hull,
        span: &Range<usize>,
        p: &mut Problems,
        mut of_part: impl FnMut(&HullPart) -> Result<SpatialMatrix, String>,
    ) -> Option<SpatialMatrix> {
        let mut sum = SpatialMatrix::ZERO;
        for part in hull.parts() {
            match of_part(part) {
                Ok(matrix) => sum += matrix,
                Err(problem) => {
                    let help = "give a simpler fluid.hull, or added_mass = { diagonal = […] }";
                    p.advise(
                        span.clone(),
                        format!("the added mass of body \"{}\": {problem}", self.name),
                        help,
                    );
                    return None;
                }
            }
        }
        Some(sum)
    }

    /// Its added mass as a body that floats at a pose relative to the surface of a liquid; none if it has another one, or
    /// if the surface does not cut it.
    pub(super) fn afloat(
        &self,
        body: &ImmersedBody,
        (pose, density): (Pose, f64),
        known: &mut KnownParts,
        p: &mut Problems,
    ) -> Option<AddedMass> {
        let AddedMass::PerDensity(deep) = body.added_mass else { return None };
        let default = text::AddedMass::default();
        let text = self.text.and_then(|text| text.get_ref().added_mass.as_ref());
        let method = method(text.unwrap_or(&default))?;
        let hull = &body.hull;
        let part = hull.under_plane(pose, 0.0, &mut Default::default()).volume / hull.volume();
        if !(part > 0.0 && part < 1.0) {
            return None;
        }
        let span = self.text.map_or(self.span.clone(), Spanned::span);
        let afloat = self.sum_of_parts(hull, &span, p, |part| known.afloat(part, pose, method))?;
        let (amounts, length) = ([part * density, density], libm::cbrt(hull.volume()));
        Some(AddedMass::Afloat(Box::new(AfloatAddedMass::new([afloat, deep], amounts, length))))
    }

    /// Linear damping of the immersed body as given.
    fn damping(&self, text: &BodyFluid, p: &mut Problems) -> Option<SpatialMatrix> {
        let Some(numbers) = &text.damping else { return Some(SpatialMatrix::ZERO) };
        let (linear, angular) = six("damping", p.numbers("damping", numbers)?, numbers.span(), p)?;
        Some(SpatialMatrix::from_diagonal(linear, angular))
    }

    /// Damping by fractions of critical damping where it floats, with what is joined to it. Of several hulls each has the
    /// part of its volume in the volume of all.
    pub(super) fn damping_by_ratio(
        &self,
        (world, ships): (&World, &[Ship]),
        (hull, liquid): (&Hull, Option<&Fluid>),
        p: &mut Problems,
    ) -> Option<SpatialMatrix> {
        let text = self.text?;
        let ratio = text.get_ref().damping_ratio.as_ref()?;
        let [heave, roll, pitch] = [("heave", &ratio.heave), ("roll", &ratio.roll), ("pitch", &ratio.pitch)]
            .map(|(key, number)| p.number_or(key, number, 0.0));
        let ship = ships.iter().find(|ship| ship.has(self.id));
        let found = ship.zip(liquid).and_then(|(ship, liquid)| {
            let (critical, displaced) = ship.critical_damping(world, liquid)?;
            // damping acts by the immersed part of the volume
            Some(critical.map(|value| value / (displaced / hull.volume())))
        });
        let Some(critical) = found.filter(|critical| critical[0] > 0.0) else {
            let message = format!("body \"{}\" does not float", self.name);
            let help =
                "give it a liquid with a surface and less mass, or `damping` instead of `damping_ratio`";
            p.advise(text.span(), message, help);
            return None;
        };
        Some(SpatialMatrix::from_diagonal(
            DVec3::Z * (heave? * critical[0]),
            DVec3::new(roll? * critical[1], pitch? * critical[2], 0.0),
        ))
    }

    /// Immersed fraction from which on a given added mass is complete: half of that at the start.
    fn complete(&self, hull: &Hull, layers: &Layers) -> f64 {
        let pose = Pose { center: self.position, axes: DMat3::from_quat(self.orientation) };
        let Some((_, level)) = layers.highest_surface() else { return 1.0 };
        let part = hull.under_plane(pose, level, &mut Default::default()).volume / hull.volume();
        if part > 0.0 && part < 1.0 { 0.5 * part } else { 1.0 }
    }
}

/// How the added mass is computed; none if there is none, or if it is given.
fn method(text: &text::AddedMass) -> Option<Method> {
    match text.model.unwrap_or_default() {
        text::AddedMassModel::None => None,
        text::AddedMassModel::Shape => Some(Method::Shape),
        text::AddedMassModel::Panels => Some(Method::Panels),
    }
}

/// Parts whose added mass afloat is known: equal bodies at equal drafts are computed once.
#[derive(Default)]
pub(super) struct KnownParts(Vec<(HullPart, (DMat3, f64, Method), SpatialMatrix)>);

impl KnownParts {
    fn afloat(&mut self, part: &HullPart, pose: Pose, method: Method) -> Result<SpatialMatrix, String> {
        let key = (pose.axes, pose.center.z, method);
        if let Some((.., matrix)) = self.0.iter().find(|(other, at, _)| *at == key && other == part) {
            return Ok(*matrix);
        }
        let matrix = shapes::afloat(part, pose, method)?;
        self.0.push((part.clone(), key, matrix));
        Ok(matrix)
    }
}

/// Three linear and three angular numbers.
fn six(key: &str, numbers: Vec<f64>, span: Range<usize>, p: &mut Problems) -> Option<(DVec3, DVec3)> {
    let count = numbers.len();
    let Ok([a, b, c, d, e, f]) = <[f64; 6]>::try_from(numbers) else {
        let help = "give six: along x, y, z, and about x, y, z";
        p.advise(span, format!("`{key}` has {count} numbers"), help);
        return None;
    };
    Some((DVec3::new(a, b, c), DVec3::new(d, e, f)))
}

fn matrix(
    rows: &[crate::number::Numbers<crate::number::Plain>],
    span: &Range<usize>,
    p: &mut Problems,
) -> Option<SpatialMatrix> {
    let all: Option<Vec<_>> = rows.iter().map(|row| p.numbers("matrix", row)).collect();
    let rows: Option<Vec<[f64; 6]>> = all?.into_iter().map(|row| row.try_into().ok()).collect();
    let Some(rows) = rows.and_then(|rows| <[[f64; 6]; 6]>::try_from(rows).ok()) else {
        p.advise(span.clone(), "`matrix` does not have six rows of six numbers", "give 6 × 6 numbers");
        return None;
    };
    match SpatialMatrix::from_rows(rows) {
        Ok(matrix) => Some(matrix),
        Err(e) => {
            p.push(span.clone(), e.to_string(), None);
            None
        }
    }
}

/// Reports keys that the law does not have.
fn refuse_other_keys(text: &text::Drag, p: &mut Problems) -> Option<()> {
    let law = text.law.unwrap_or_default();
    let (name, keys): (&str, &[&str]) = match law {
        text::DragLaw::None => ("none", &[]),
        text::DragLaw::Pressure => ("pressure", &["coefficient", "suction", "friction"]),
        text::DragLaw::Projected => ("projected", &["coefficient", "lift"]),
        text::DragLaw::Quadratic => ("quadratic", &["coefficient", "area"]),
        text::DragLaw::Axes => ("axes", &["coefficient", "coefficients", "areas", "rotational"]),
    };
    let given = [
        ("coefficient", text.coefficient.as_ref().map(Number::span)),
        ("suction", text.suction.as_ref().map(Number::span)),
        ("friction", text.friction.as_ref().map(Number::span)),
        ("lift", text.lift.as_ref().map(Number::span)),
        ("area", text.area.as_ref().map(Number::span)),
        ("areas", text.areas.as_ref().map(Numbers::span)),
        ("coefficients", text.coefficients.as_ref().map(Numbers::span)),
        ("rotational", text.rotational.as_ref().map(Numbers::span)),
    ];
    let mut others = given.into_iter().filter(|(key, _)| !keys.contains(key));
    let Some((key, span)) = others.find_map(|(key, span)| Some((key, span?))) else { return Some(()) };
    let known = keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
    let help = match keys.is_empty() {
        true => "leave it out, or give another `law`".to_string(),
        false => format!("it has {known}: leave `{key}` out, or give another `law`"),
    };
    p.advise(span, format!("the drag law \"{name}\" has no `{key}`"), help);
    None
}

fn drag(text: &text::Drag, span: &Range<usize>, p: &mut Problems) -> Option<Drag> {
    refuse_other_keys(text, p)?;
    let coefficient = p.number_or("coefficient", &text.coefficient, PRESSURE)?;
    Some(match text.law.unwrap_or_default() {
        text::DragLaw::None => Drag::None,
        text::DragLaw::Pressure => Drag::Pressure {
            pressure: coefficient,
            suction: p.number_or("suction", &text.suction, 0.0)?,
            friction: p.number_or("friction", &text.friction, FRICTION)?,
        },
        text::DragLaw::Projected => {
            Drag::Projected { drag: coefficient, lift: p.number_or("lift", &text.lift, 0.0)? }
        }
        text::DragLaw::Quadratic => {
            let Some(area) = &text.area else {
                let help = "give the frontal `area`, or law = \"pressure\", which takes it from the shape";
                p.advise(span.clone(), "the drag law \"quadratic\" needs an area", help);
                return None;
            };
            Drag::Quadratic { area: coefficient * p.number("area", area)? }
        }
        text::DragLaw::Axes => {
            let Some(areas) = &text.areas else {
                let help = "give the frontal `areas` across x, y and z";
                p.advise(span.clone(), "the drag law \"axes\" needs three areas", help);
                return None;
            };
            let areas = p.vector("areas", areas);
            let each = match &text.coefficients {
                Some(numbers) => p.vector("coefficients", numbers),
                None => Some(DVec3::splat(coefficient)),
            };
            let angular = p.vector_or_zero("rotational", &text.rotational);
            Drag::Axes { areas: areas? * each?, angular: angular? }
        }
    })
}

/// Adds the parts of a shape at a position from the centre of mass.
fn add_parts(shape: &Shape, at: DVec3, orientation: DQuat, out: &mut Vec<HullPart>) -> Result<(), String> {
    let closed = |vertices: &[DVec3], triangles: &[[u32; 3]]| {
        ClosedMesh::new(vertices, triangles).map(HullShape::Mesh).map_err(|e| e.to_string())
    };
    let shape = match shape {
        Shape::Sphere { radius } => HullShape::Sphere(*radius),
        Shape::Box { half } => HullShape::Cuboid(*half * 2.0),
        Shape::Cylinder { radius, half_length } => HullShape::Cylinder(*radius, *half_length),
        Shape::Capsule { radius, half_length } => HullShape::Capsule(*radius, *half_length),
        Shape::Cone { radius, half_height } => HullShape::Mesh(cone(*radius, *half_height)?),
        Shape::Convex { points } => {
            let (vertices, triangles) = convex_hull(points).map_err(|e| e.to_string())?;
            closed(&vertices, &triangles)?
        }
        Shape::Mesh { vertices, triangles } => closed(vertices, triangles)?,
        Shape::Compound { parts } => {
            for (inner, turn, shape) in parts {
                add_parts(shape, at + orientation * *inner, orientation * *turn, out)?;
            }
            return Ok(());
        }
    };
    out.push(HullPart { position: at, orientation, shape });
    Ok(())
}

/// A cone with its axis z and apex up, of the volume of a round one.
fn cone(radius: f64, half_height: f64) -> Result<ClosedMesh, String> {
    let mut vertices = vec![DVec3::Z * half_height, DVec3::NEG_Z * half_height];
    let mut triangles = Vec::new();
    for k in 0..SIDES {
        let angle = std::f64::consts::TAU * f64::from(k) / f64::from(SIDES);
        vertices.push(DVec3::new(radius * libm::cos(angle), radius * libm::sin(angle), -half_height));
        let (a, b) = (2 + k, 2 + (k + 1) % SIDES);
        triangles.push([0, a, b]);
        triangles.push([1, b, a]);
    }
    let volume = std::f64::consts::PI * radius * radius * 2.0 * half_height / 3.0;
    let mesh = ClosedMesh::new(&vertices, &triangles).map_err(|e| e.to_string())?;
    Ok(mesh.of_volume(volume))
}
