//! The tyre models as one type.

use super::model::{Contact, Slip, Tire, TireForce};
use super::{Brush, CompositeSlip, Linear, MagicFormula, ShapeCurve};
use glam::DVec2;
use std::sync::Arc;

/// One of the built-in tyre models, or a model of the user.
#[derive(Clone)]
pub enum TireModel {
    /// Magic Formula 5.2, 6.1 or 6.2.
    MagicFormula(Box<MagicFormula>),
    /// Brush model.
    Brush(Brush),
    /// Linear model with a friction limit.
    Linear(Linear),
    /// Composite slip.
    CompositeSlip(CompositeSlip),
    /// Magic curve with four parameters.
    ShapeCurve(ShapeCurve),
    /// A model of the user.
    User(Arc<dyn Tire + Send + Sync>),
}

impl TireModel {
    /// The model in use.
    pub fn model(&self) -> &dyn Tire {
        match self {
            TireModel::MagicFormula(tire) => &**tire,
            TireModel::Brush(tire) => tire,
            TireModel::Linear(tire) => tire,
            TireModel::CompositeSlip(tire) => tire,
            TireModel::ShapeCurve(tire) => tire,
            TireModel::User(tire) => &**tire,
        }
    }
}

impl Tire for TireModel {
    fn force(&self, slip: Slip, contact: &Contact) -> TireForce {
        self.model().force(slip, contact)
    }

    fn slip_stiffness(&self, contact: &Contact) -> DVec2 {
        self.model().slip_stiffness(contact)
    }

    fn relaxation_length(&self, contact: &Contact) -> DVec2 {
        self.model().relaxation_length(contact)
    }

    fn rolling_moment(&self, contact: &Contact, fx: f64) -> f64 {
        self.model().rolling_moment(contact, fx)
    }

    fn neutral_slip(&self, slip: Slip, contact: &Contact) -> Slip {
        self.model().neutral_slip(slip, contact)
    }

    fn max_slip(&self) -> f64 {
        self.model().max_slip()
    }
}
