//! Tyres of the text → models of the vehicle crate.

use crate::error::Problems;
use crate::expand::entry::Entry;
use crate::files::Files;
use crate::number::{Load, Number, Numbers, Reach};
use crate::text::tire::{Tire as Text, TireModel as ModelText};
use glam::DVec2;
use std::ops::Range;
use std::sync::Arc;
use windlass_vehicle::tire::composite_slip::SHAPE;
use windlass_vehicle::tire::tir::{Side, TirFile, parse_bytes};
use windlass_vehicle::tire::{
    Brush, CompositeSlip, Friction, Linear, MagicFormula, ParameterProblem, ShapeCurve, TireModel, Vertical,
    VerticalSpring,
};

/// Length of the contact patch over the radius, unless given.
const CONTACT_LENGTH: f64 = 0.5;
/// Maximum length of a tyre property file [bytes].
const LONGEST_FILE: u64 = 1 << 20;

/// A tyre, ready to be mounted.
pub(super) struct Tire {
    /// Free radius [m].
    pub radius: f64,
    /// Width [m].
    pub width: f64,
    /// Rolling resistance over load; none for that of the model.
    pub rolling_resistance: Option<f64>,
    /// Inflation pressure [Pa].
    pub pressure: Option<f64>,
    kind: Kind,
}

enum Kind {
    File(Box<TirFile>),
    Model(TireModel, VerticalSpring),
}

/// The model of a mounted tyre, and the law of its vertical force.
pub(super) type Mounted = (TireModel, Arc<dyn Vertical + Send + Sync>);

impl Tire {
    /// The tyre of an entry; errors are reported.
    pub fn read(entry: &Entry<Text>, files: &dyn Files, p: &mut Problems) -> Option<Tire> {
        let text = &entry.value;
        let rolling_resistance = p.number_given("rolling_resistance", &text.rolling_resistance);
        let pressure = p.number_given("pressure", &text.pressure);
        let (kind, [radius, width]) = match (&text.file, &text.model) {
            (Some(path), None) => {
                if let Some((key, span)) = key_of_the_file(text) {
                    let help = "leave it out: it is that of the file";
                    p.advise(span, format!("`{key}` of a tyre with a `file`"), help);
                    return None;
                }
                let file = read_file(path.get_ref(), path.span(), files, p)?;
                let size = size_of(&file.tire, path.span(), p)?;
                (Kind::File(Box::new(file)), size)
            }
            (None, Some(model)) => from_model(entry, model.get_ref(), model.span(), p)?,
            _ => {
                let message = format!("tyre \"{}\" needs either a `file` or a `model`", entry.name);
                let help = "give file = \"NAME.tir\", or model = { brush = { … } }";
                p.advise(entry.span.clone(), message, help);
                return None;
            }
        };
        Some(Tire { radius, width, rolling_resistance: rolling_resistance?, pressure: pressure?, kind })
    }

    /// The tyre on a side of the vehicle.
    pub fn mounted(&self, right: bool) -> Mounted {
        match &self.kind {
            Kind::File(file) => {
                let tire = file.mounted(if right { Side::Right } else { Side::Left });
                (TireModel::MagicFormula(Box::new(tire.clone())), Arc::new(tire))
            }
            Kind::Model(model, vertical) => (model.clone(), Arc::new(*vertical)),
        }
    }
}

/// A key that a tyre with a file does not have.
fn key_of_the_file(text: &Text) -> Option<(&'static str, Range<usize>)> {
    let given = [
        ("radius", text.radius.as_ref().map(Number::span)),
        ("width", text.width.as_ref().map(Number::span)),
        ("stiffness", text.stiffness.as_ref().map(Number::span)),
        ("damping", text.damping.as_ref().map(Number::span)),
    ];
    given.into_iter().find_map(|(key, span)| Some((key, span?)))
}

fn read_file(path: &str, span: Range<usize>, files: &dyn Files, p: &mut Problems) -> Option<TirFile> {
    let bytes = match files.read(path, LONGEST_FILE) {
        Ok(bytes) => bytes,
        Err(e) => {
            p.advise(span, e.to_string(), e.help());
            return None;
        }
    };
    match parse_bytes(&bytes) {
        Ok(file) => Some(file),
        Err(e) => {
            p.push(span, format!("{path}: {e}"), None);
            None
        }
    }
}

fn size_of(tire: &MagicFormula, span: Range<usize>, p: &mut Problems) -> Option<[f64; 2]> {
    let c = tire.coefficients();
    if !(c.WIDTH > 0.0) {
        p.advise(span, "the file has no WIDTH", "add it to its section [DIMENSION]");
        return None;
    }
    Some([c.UNLOADED_RADIUS, c.WIDTH])
}

fn from_model(
    entry: &Entry<Text>,
    model: &ModelText,
    span: Range<usize>,
    p: &mut Problems,
) -> Option<(Kind, [f64; 2])> {
    let text = &entry.value;
    let mut needed = |key: &str, is_given: bool| {
        if !is_given {
            let message = format!("tyre \"{}\" has no `{key}`", entry.name);
            p.advise(entry.span.clone(), message, format!("add `{key} = …`"));
        }
        is_given
    };
    let has = [
        needed("radius", text.radius.is_some()),
        needed("width", text.width.is_some()),
        needed("stiffness", text.stiffness.is_some()),
    ];
    if has.contains(&false) {
        return None;
    }
    let radius = p.number_or("radius", &text.radius, 0.0);
    let width = p.number_or("width", &text.width, 0.0);
    let stiffness = p.number_or("stiffness", &text.stiffness, 0.0);
    let damping = p.number_or("damping", &text.damping, 0.0);
    let (radius, width) = (radius?, width?);
    let vertical = VerticalSpring {
        radius,
        stiffness: stiffness?,
        damping: damping?,
        // radial tyres
        rolling_share: 1.0 / 3.0,
        pressure: 2e5,
        pressure_share: 0.0,
    };
    let model = sliding(model, radius, &span, p)?;
    checked(vertical.check(), &span, p)?;
    Some((Kind::Model(model, vertical), [radius, width]))
}

/// Reports what is wrong with parameters.
fn checked(result: Result<(), ParameterProblem>, span: &Range<usize>, p: &mut Problems) -> Option<()> {
    result.map_err(|problem| p.push(span.clone(), problem.to_string(), None)).ok()
}

/// The model of the forces in the road plane.
fn sliding(text: &ModelText, radius: f64, span: &Range<usize>, p: &mut Problems) -> Option<TireModel> {
    match text {
        ModelText::Linear { slip_stiffness, cornering_stiffness, friction, relaxation_length } => {
            let stiffness = stiffnesses(slip_stiffness, cornering_stiffness, p);
            let friction = p.number_given("friction", friction);
            let relaxation = lengths(relaxation_length, p);
            let friction = friction?.map(Friction::constant);
            let model = Linear { stiffness: stiffness?, friction, relaxation: relaxation? };
            checked(model.check(), span, p).map(|()| TireModel::Linear(model))
        }
        ModelText::Brush {
            slip_stiffness,
            cornering_stiffness,
            friction,
            sliding_ratio,
            relaxation_length,
            contact_length,
        } => {
            let stiffness = stiffnesses(slip_stiffness, cornering_stiffness, p);
            let friction = p.number("friction", friction);
            let sliding_ratio = p.number_or("sliding_ratio", sliding_ratio, 1.0);
            let relaxation = lengths(relaxation_length, p);
            let length = p.number_or("contact_length", contact_length, CONTACT_LENGTH * radius);
            let brush = Brush::new(stiffness?, friction?, 0.5 * length?, relaxation?);
            let model = Brush { sliding_ratio: sliding_ratio?, ..brush };
            checked(model.check(), span, p).map(|()| TireModel::Brush(model))
        }
        ModelText::MagicCurve {
            slip_stiffness,
            cornering_stiffness,
            friction,
            shape,
            curvature,
            relaxation_length,
        } => {
            let stiffness = stiffnesses(slip_stiffness, cornering_stiffness, p);
            let friction = p.number("friction", friction);
            let (shape, curvature) =
                (p.number_or("shape", shape, 1.6), p.number_or("curvature", curvature, 0.5));
            let relaxation = lengths(relaxation_length, p);
            let model = ShapeCurve {
                stiffness: stiffness?,
                friction: Friction::constant(friction?),
                shape: shape?,
                curvature: curvature?,
                relaxation: relaxation?,
            };
            checked(model.check(), span, p).map(|()| TireModel::ShapeCurve(model))
        }
        ModelText::CompositeSlip {
            slip_stiffness,
            cornering_stiffness,
            friction,
            friction_decay,
            relaxation_length,
        } => {
            let stiffness = stiffnesses(slip_stiffness, cornering_stiffness, p);
            let friction = p.number("friction", friction);
            let friction_decay = p.number_or("friction_decay", friction_decay, 0.2);
            let relaxation = lengths(relaxation_length, p);
            let stiffness = stiffness?;
            let model = CompositeSlip {
                cornering: [stiffness.y, 0.0, f64::INFINITY],
                slip_stiffness: stiffness.x,
                friction: Friction::constant(friction?),
                friction_decay: friction_decay?,
                shape: SHAPE,
                relaxation: relaxation?,
            };
            checked(model.check(), span, p).map(|()| TireModel::CompositeSlip(model))
        }
    }
}

fn stiffnesses(
    along: &Number<Load>,
    across: &Number<crate::number::CorneringStiffness>,
    p: &mut Problems,
) -> Option<DVec2> {
    let (x, y) = (p.number("slip_stiffness", along), p.number("cornering_stiffness", across));
    Some(DVec2::new(x?, y?))
}

fn lengths(given: &Option<Numbers<Reach>>, p: &mut Problems) -> Option<DVec2> {
    match given {
        Some(numbers) => p.pair("relaxation_length", numbers).map(DVec2::from_array),
        None => Some(DVec2::ZERO),
    }
}
