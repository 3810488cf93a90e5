//! What a cable is, in numbers: stiffnesses of the whole and of a link, damping, the highest modes of its elements.
//!
//! Elements of mass m and length l on links of stiffness k make a chain, and a chain has a highest mode, in which
//! neighbours go against each other:
//!
//! ```text
//!  stretch  ω = √(4 k/m),    k = EA/l
//!  twist    ω = √(4 k/I),    k = GJ/l,   I = m d²/8
//!  bend     ω = √(16 k/m)/l, k = EI/l              of point masses, which a fine cable's elements are
//! ```
//!
//! Steppers that do not damp follow a mode while ω dt is well below 1; above, the mode is damped and its statics stay exact.

use crate::summary::digits;
use serde::Serialize;
use std::f64::consts::TAU;
use windlass_engine::prelude::World;
use windlass_scene::{Built, Laid};

/// A cable in numbers.
#[derive(Debug, Serialize)]
pub struct Facts {
    pub name: String,
    /// The class of rope or the material, if the scene says it.
    made_of: Option<String>,
    /// Without load [m].
    length: f64,
    elements: usize,
    links: usize,
    /// [m]
    element_length: f64,
    /// Outer [m].
    diameter: f64,
    /// [kg]
    mass: f64,
    /// [kg/m]
    mass_per_length: f64,
    stretch: Resistance,
    bend: Resistance,
    twist: Resistance,
    /// [N]
    breaking_load: Option<f64>,
    /// [N·m]
    yield_moment: Option<f64>,
    /// [m]
    least_bend_radius: Option<f64>,
}

/// How a cable resists one kind of strain.
#[derive(Debug, Serialize)]
struct Resistance {
    /// EA [N], EI or GJ [N·m²].
    stiffness: f64,
    /// Of one link [N/m or N·m/rad].
    link_stiffness: f64,
    /// c/k [s].
    damping_time: f64,
    /// Highest mode of the elements [Hz].
    highest_mode: f64,
    /// ω dt of that mode.
    omega_dt: f64,
}

/// The cables of a scene.
pub fn facts(built: &Built) -> Vec<Facts> {
    built.cables.iter().filter_map(|laid| of(laid, &built.world)).collect()
}

fn of(laid: &Laid, world: &World) -> Option<Facts> {
    let (model, dt) = (world.model(), world.model().settings().dt);
    let cable = model.cables().get(laid.id)?;
    let (s, l) = (&cable.section, cable.element);
    let mass = s.mass_per_length * l;
    let resistance = |stiffness: f64, damping_time: f64, omega: f64| Resistance {
        stiffness,
        link_stiffness: stiffness / l,
        damping_time,
        highest_mode: omega / TAU,
        omega_dt: omega * dt,
    };
    let about = mass * s.diameter * s.diameter / 8.0;
    Some(Facts {
        name: cable.name.clone(),
        made_of: laid.made_of.clone(),
        length: cable.length(),
        elements: cable.elements.len(),
        links: cable.links.len(),
        element_length: l,
        diameter: s.diameter,
        mass: s.mass_per_length * cable.length(),
        mass_per_length: s.mass_per_length,
        stretch: resistance(s.stretch, s.damping[0], (4.0 * s.stretch / l / mass).sqrt()),
        bend: resistance(s.bend, s.damping[1], (16.0 * s.bend / l / mass).sqrt() / l),
        twist: resistance(s.twist, s.damping[2], (4.0 * s.twist / l / about).sqrt()),
        breaking_load: s.breaking,
        yield_moment: s.yielding.map(|y| y.moment),
        least_bend_radius: laid.least_bend_radius,
    })
}

impl Facts {
    /// As lines of a table.
    pub fn lines(&self) -> Vec<String> {
        let made = self.made_of.as_ref().map_or(String::new(), |name| format!(" of {name}"));
        let size = format!("{} m of {} mm{made}", digits(self.length), digits(self.diameter * 1e3));
        let pieces = format!("{} elements of {} m", self.elements, digits(self.element_length));
        let mut lines = vec![
            format!("{}: {size}, {pieces}", self.name),
            format!("  mass    {} kg, {} kg/m", digits(self.mass), digits(self.mass_per_length)),
            format!("  stretch {}", self.stretch.text("EA", "N", "N/m")),
            format!("  bend    {}", self.bend.text("EI", "N·m²", "N·m/rad")),
            format!("  twist   {}", self.twist.text("GJ", "N·m²", "N·m/rad")),
        ];
        let limits = [
            self.breaking_load.map(|f| format!("breaks at {} N", digits(f))),
            self.yield_moment.map(|m| format!("keeps a bend beyond {} N·m", digits(m))),
            self.least_bend_radius.map(|r| format!("to be bent to {} m at least", digits(r))),
        ];
        let limits: Vec<_> = limits.into_iter().flatten().collect();
        if !limits.is_empty() {
            lines.push(format!("  limits  {}", limits.join(", ")));
        }
        lines
    }
}

impl Resistance {
    fn text(&self, symbol: &str, unit: &str, link: &str) -> String {
        if self.stiffness == 0.0 {
            return format!("{symbol} 0, none");
        }
        let whole = format!(
            "{symbol} {} {unit}, {} {link} a link",
            digits(self.stiffness),
            digits(self.link_stiffness)
        );
        let mode = format!("highest mode {} Hz, ω dt {}", digits(self.highest_mode), digits(self.omega_dt));
        format!("{whole}, damping time {} s; {mode}", digits(self.damping_time))
    }
}
