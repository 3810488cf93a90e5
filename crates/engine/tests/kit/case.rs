//! A run of a case of the catalogue: a test says what came out, the catalogue what it should be.
//!
//! ```text
//! let case = Case::new("MB01", stepper, dt);
//! case.finds("period", period(&x));
//! ```
//!
//! Each check is printed (seen with --nocapture), recorded where findings are wanted, and asserted: against the goal where the
//! catalogue has one, against what it allows otherwise. A quantity of which it says nothing at this step is recorded alone.

use super::catalogue::{Catalogue, Entry, Finding, Limit, Quantity};
use glam::DVec3;
use windlass_engine::prelude::*;

/// Which case, how it is modelled, by which stepper and at which step.
pub struct Case {
    entry: Entry,
    variant: String,
    stepper: &'static str,
    dt: f64,
    /// The step of the catalogue whose limits hold, and the part of them that is allowed.
    limits: (f64, f64),
}

/// A number, or the coordinates of a point.
pub struct Found(Vec<f64>);

impl From<f64> for Found {
    fn from(x: f64) -> Found {
        Found(vec![x])
    }
}

impl<const N: usize> From<[f64; N]> for Found {
    fn from(point: [f64; N]) -> Found {
        Found(point.to_vec())
    }
}

impl From<DVec3> for Found {
    fn from(point: DVec3) -> Found {
        Found(point.to_array().to_vec())
    }
}

impl Case {
    /// `spook` at one of the case's own steps, held to its limits; the exact steppers at any step, held to a tenth of those at 1 ms.
    pub fn new(id: &str, stepper: Integrator, dt: f64) -> Case {
        let entry = Catalogue::read().case.into_iter().find(|e| e.id == id);
        let entry = entry.unwrap_or_else(|| panic!("{id} is not in the catalogue"));
        let stepper = match stepper {
            Integrator::Spook => "spook",
            Integrator::Projected => "projected",
            Integrator::DormandPrince(_) => "dormand-prince",
        };
        let limits = if stepper == "spook" { (dt, 1.0) } else { (1e-3, 0.1) };
        Case { entry, variant: String::new(), stepper, dt, limits }
    }

    /// The same in one of several models.
    pub fn variant(self, variant: impl Into<String>) -> Case {
        Case { variant: variant.into(), ..self }
    }

    /// The same held to a part of what is allowed at one of the case's own steps.
    pub fn within(self, part: f64, dt: f64) -> Case {
        Case { limits: (dt, part), ..self }
    }

    /// A value against its reference.
    #[track_caller]
    pub fn finds(&self, quantity: &str, value: impl Into<Found>) {
        self.check(&self.finding(quantity, value.into().0));
    }

    /// Values over a run, by the one that is the farthest from the reference.
    #[track_caller]
    pub fn stays(&self, quantity: &str, values: impl IntoIterator<Item = f64>) {
        let findings = values.into_iter().map(|x| self.finding(quantity, vec![x]));
        let worst = findings.max_by(|a, b| a.error.total_cmp(&b.error)).expect("values of a run");
        self.check(&worst);
    }

    /// Whether it does as the catalogue says in words.
    #[track_caller]
    pub fn does(&self, quantity: &str, it_does: bool) {
        let q = self.quantity(quantity);
        let wanted = q.allowed(self.limits.0);
        assert!(matches!(wanted, Some(Limit::Verdict(_))), "{quantity} asks for a number");
        let (value, error) = if it_does { (1.0, 0.0) } else { (0.0, 1.0) };
        self.check(&Finding { value: vec![value], error, allowed: Some(0.0), ..self.blank(q) });
    }

    #[track_caller]
    fn quantity(&self, name: &str) -> &Quantity {
        let id = &self.entry.id;
        assert!(self.entry.has_step(self.limits.0), "{id} is not asked for at {} s", self.limits.0);
        let found = self.entry.quantity.iter().find(|q| q.name == name);
        found.unwrap_or_else(|| panic!("{id} has no quantity {name:?}"))
    }

    fn blank(&self, q: &Quantity) -> Finding {
        Finding {
            case: self.entry.id.clone(),
            quantity: q.name.clone(),
            variant: self.variant.clone(),
            stepper: self.stepper.to_owned(),
            dt: self.dt,
            value: Vec::new(),
            reference: q.reference.numbers().to_vec(),
            error: 0.0,
            relative: false,
            allowed: None,
            goal: None,
        }
    }

    #[track_caller]
    fn finding(&self, quantity: &str, value: Vec<f64>) -> Finding {
        let q = self.quantity(quantity);
        let reference = q.reference.numbers();
        assert_eq!(value.len(), reference.len(), "{quantity}: as many coordinates as the reference");
        let off = value.iter().zip(reference).map(|(v, r)| (v - r) * (v - r)).sum::<f64>().sqrt();
        let (at, part) = self.limits;
        let (allowed, goal) = (q.allowed(at), q.goal(at));
        let relative = q.is_relative();
        let scale = if relative { q.scale() } else { 1.0 };
        let number = |limit: Option<Limit>| {
            limit.map(|limit| match limit {
                Limit::Share(x) => part * x,
                Limit::Amount(x) => part * x / scale,
                Limit::Verdict(words) => panic!("{quantity} asks whether it {words}"),
            })
        };
        let error = off / scale;
        let (allowed, goal) = (number(allowed), number(goal));
        Finding { value, error, relative, allowed, goal, ..self.blank(q) }
    }

    #[track_caller]
    fn check(&self, finding: &Finding) {
        let Finding { case, quantity, variant, value, error, .. } = finding;
        let what = format!("{case} {} {:.2e} {variant} {quantity}", self.stepper, self.dt);
        assert!(error.is_finite(), "{what}: {value:?}");
        let most = finding.goal.or(finding.allowed).unwrap_or(f64::INFINITY);
        println!("{what:<60} {error:9.2e} of {most:9.2e}   value {value:?}");
        finding.record();
        assert!(*error <= most, "{what}: {value:?} is off by {error:.3e}, allowed {most:.3e}");
    }
}
