//! `<actuator>`: drives of coordinates, at control 0.
//!
//! With the gear r, length l = r q and control u, the force of an actuator on the joint is
//!
//! ```text
//!  f = r (g u + b₀ + b₁ r q + b₂ r q̇)      b₁ < 0: a servo, k = −b₁ r², c = −b₂ r²
//!                                           b₁ = 0, b₂ < 0: a motor with droop 1/(−b₂ r²)
//!                                           else a force that the user must provide
//! ```

use super::Reader;
use super::defaults::View;
use super::joint::range;
use crate::error::ImportError;
use crate::machine::{Drive, Motion};
use crate::notes::NoteKind;
use crate::xml::{Attribute, Element, quote};

/// Gain g and bias b.
struct Law {
    gain: f64,
    bias: [f64; 3],
}

impl<'a> Reader<'a> {
    /// Reads an actuator.
    pub fn actuator(&mut self, element: &'a Element) -> Result<(), ImportError> {
        let view = self.classes.view(element, 0)?;
        let name = element.get("name").map_or_else(|| element.tag.clone(), |a| a.value.clone());
        let joint = element.get("joint").or_else(|| element.get("jointinparent"));
        let (Some(joint), Some(law)) = (joint, law(&view)?) else {
            element.excuse_all();
            let what = format!("actuator \"{}\": only linear ones on a joint become drives", quote(&name));
            self.notes.add(NoteKind::Ignored, &element.place, what);
            return Ok(());
        };
        if view.get("dyntype").is_some_and(|a| a.value != "none") {
            let what = format!("actuator \"{}\" acts without delay: `dyntype` is ignored", quote(&name));
            self.notes.add(NoteKind::Approximated, &element.place, what);
        }
        let auto = self.compiler.auto_limits;
        let gear = view.get("gear").map_or(Ok(1.0), |a| Ok(a.numbers(1, 6)?[0]))?;
        let control =
            range(&view, "ctrllimited", "ctrlrange", auto)?.map_or(0.0, |[lo, hi]| 0.0_f64.clamp(lo, hi));
        let force = range(&view, "forcelimited", "forcerange", auto)?;
        let largest = force.map(|[lo, hi]| lo.abs().max(hi.abs()) * gear.abs()).filter(|&f| f > 0.0);
        if force.is_some_and(|[lo, hi]| lo != -hi) {
            let what = format!(
                "`forcerange` of actuator \"{}\": the larger bound is used in both directions",
                quote(&name)
            );
            self.notes.add(NoteKind::Approximated, &element.place, what);
        }

        let coordinate = self.coordinate(joint)?;
        if !matches!(coordinate.motion, Motion::Hinge | Motion::Slide) {
            let what = format!(
                "actuator \"{}\": joint \"{}\" has no single coordinate",
                quote(&name),
                quote(&joint.value)
            );
            self.notes.add(NoteKind::Ignored, &element.place, what);
            return Ok(());
        }
        let constant = law.gain * control + law.bias[0];
        let [_, spring, damper] = law.bias;
        let (stiffness, damping) = (-spring * gear * gear, -damper * gear * gear);
        let drive = if gear != 0.0 && stiffness > 0.0 && damping >= 0.0 {
            let target = constant / (-spring * gear) - coordinate.zero;
            Some(Drive::Servo { target, stiffness, damping, force: largest })
        } else if gear != 0.0 && stiffness == 0.0 && damping > 0.0 {
            Some(Drive::Motor { speed: constant / (-damper * gear), loss: 1.0 / damping, force: largest })
        } else {
            None
        };
        match drive {
            Some(_) if coordinate.acts.drive.is_some() => {
                let what = format!(
                    "actuator \"{}\": joint \"{}\" already has a drive",
                    quote(&name),
                    quote(&joint.value)
                );
                self.notes.add(NoteKind::Ignored, &element.place, what);
            }
            Some(drive) => coordinate.acts.drive = Some(drive),
            None => {
                let what = format!(
                    "actuator \"{}\" on joint \"{}\" (gear {gear}) is a force actuator: give the joint a drive",
                    quote(&name),
                    quote(&joint.value)
                );
                self.notes.add(NoteKind::Ignored, &element.place, what);
            }
        }
        Ok(())
    }
}

/// Gain and bias of an actuator; none if it is not linear.
fn law(view: &View<'_>) -> Result<Option<Law>, ImportError> {
    let number = |name: &str, otherwise: f64| view.number_or(name, otherwise);
    let first = |name: &str| view.get(name).map_or(Ok(vec![]), |a: &Attribute| a.numbers(1, 10));
    Ok(match view.element.tag.as_str() {
        "motor" => Some(Law { gain: 1.0, bias: [0.0; 3] }),
        "position" => {
            let (kp, kv) = (number("kp", 1.0)?, number("kv", 0.0)?);
            Some(Law { gain: kp, bias: [0.0, -kp, -kv] })
        }
        "velocity" => {
            let kv = number("kv", 1.0)?;
            Some(Law { gain: kv, bias: [0.0, 0.0, -kv] })
        }
        "general" => {
            let fixed = view.get("gaintype").is_none_or(|a| a.value == "fixed");
            let kind = view.get("biastype").map_or("none", |a| a.value.as_str());
            let gain = first("gainprm")?.first().copied().unwrap_or(1.0);
            let mut bias = [0.0; 3];
            if kind == "affine" {
                bias.iter_mut().zip(first("biasprm")?).for_each(|(b, x)| *b = x);
            }
            (fixed && matches!(kind, "none" | "affine")).then_some(Law { gain, bias })
        }
        _ => None,
    })
}
