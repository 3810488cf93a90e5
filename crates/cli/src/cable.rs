//! Properties of a cable for `info`: stiffnesses of the whole and of a link, damping, the highest modes of its
//! elements.
//!
//! Elements of mass m and length l on links of stiffness k form a chain, whose highest mode is the one in which
//! neighbours move in opposite directions:
//!
//! ```text
//!  stretch  ω = √(4 k/m),    k = EA/l
//!  twist    ω = √(4 k/I),    k = GJ/l,   I = m d²/8
//!  bend     ω = √(16 k/m)/l, k = EI/l              for point masses, which the elements of a fine cable approximate
//! ```
//!
//! Integrators without numerical damping resolve a mode while ω dt is well below 1. Above, the mode is damped and its
//! static deflection is correct.

use schemars::JsonSchema;
use serde::Serialize;
use std::f64::consts::TAU;
use windlass_engine::prelude::{
    Cable, CableId, Catenary, CatenaryShape, Integrator, JointKind, Link, Turning, World,
};
use windlass_host::text::digits;
use windlass_scene::{Built, BuiltCable, CableRef, PointCable};

/// Properties of a cable.
#[derive(Debug, JsonSchema, Serialize)]
pub struct CableProperties {
    /// Name of the cable.
    pub name: String,
    /// "elements", "mass-points" or "catenary".
    model: &'static str,
    /// The construction class or the material, if the scene specifies it.
    construction: Option<String>,
    /// Unloaded length [m].
    length: f64,
    /// Number of elements.
    elements: usize,
    /// Number of links between elements, and to what it is attached to.
    links: usize,
    /// Unloaded length of an element [m].
    element_length: f64,
    /// Outer diameter [m].
    diameter: f64,
    /// Mass [kg].
    mass: f64,
    /// Mass per unloaded length [kg/m].
    mass_per_length: f64,
    /// Axial stiffness.
    stretch: Stiffness,
    /// Bending stiffness.
    bend: Stiffness,
    /// Torsional stiffness; none for mass points.
    twist: Option<Stiffness>,
    /// Breaking load [N].
    breaking_load: Option<f64>,
    /// Strain at which it breaks.
    breaking_strain: Option<f64>,
    /// Tension at its breaking strain [N].
    tension_at_breaking_strain: Option<f64>,
    /// Yield moment of bending [N·m].
    yield_moment: Option<f64>,
    /// Smallest permissible bend radius [m].
    min_bend_radius: Option<f64>,
    /// Its shape at the start, if it is a catenary.
    catenary: Option<CatenaryProperties>,
    /// Stability limit under `spook` of a cable with the single bending angle of Servin and Lacoursière.
    angle_limit: Option<AngleLimit>,
}

/// Properties of a catenary.
#[derive(Debug, JsonSchema, Serialize)]
struct CatenaryProperties {
    /// "free", "grounded", "heaped", "taut" or "sunk".
    state: &'static str,
    /// Horizontal tension [N]; none for a taut inextensible cable.
    pull: Option<f64>,
    /// Tensions at its start and its end [N].
    tensions: [Option<f64>; 2],
    /// Angle of the line to the floor, up positive, at its start and its end [rad].
    angles: [f64; 2],
    /// Length on the floor [m].
    length_on_floor: f64,
}

/// Stiffness of a cable for one kind of strain.
#[derive(Debug, JsonSchema, Serialize)]
struct Stiffness {
    /// EA [N], EI or GJ [N·m²].
    stiffness: f64,
    /// Stiffness of one link [N/m or N·m/rad].
    link_stiffness: f64,
    /// Damping over stiffness, c/k [s].
    damping_time: f64,
    /// Frequency of the highest mode of the elements [Hz].
    highest_mode: f64,
    /// Angular frequency of that mode times the step.
    omega_dt: f64,
}

/// The cables of a scene.
pub fn facts(built: &Built) -> Vec<CableProperties> {
    built.cables.iter().filter_map(|laid| of(laid, &built.world)).collect()
}

fn of(laid: &BuiltCable, world: &World) -> Option<CableProperties> {
    match laid.id {
        CableRef::Elements(id) => of_elements(laid, id, world),
        CableRef::Points(cable) => of_points(laid, cable, world),
    }
}

/// A cable of mass points: its segments are the elements, its joints the links.
fn of_points(laid: &BuiltCable, cable: PointCable, world: &World) -> Option<CableProperties> {
    let ((elements, l), dt) = (cable.segments(world)?, world.model().settings().dt);
    let s = cable.section(world)?;
    let mass = s.mass_per_length * l;
    let resistance =
        |stiffness: f64, time: f64, omega: f64| Stiffness::new((stiffness, l), time, (omega, dt));
    Some(CableProperties {
        name: cable.name(world)?.to_owned(),
        model: "mass-points",
        construction: laid.made_of.clone(),
        length: l * elements as f64,
        elements,
        links: elements.saturating_sub(1),
        element_length: l,
        diameter: s.diameter,
        mass: mass * elements as f64,
        mass_per_length: s.mass_per_length,
        stretch: resistance(s.stretch[0], s.stretch[1], (4.0 * s.stretch[0] / l / mass).sqrt()),
        bend: resistance(s.bend[0], s.bend[1], (16.0 * s.bend[0] / l / mass).sqrt() / l),
        twist: None,
        breaking_load: None,
        breaking_strain: None,
        tension_at_breaking_strain: None,
        yield_moment: s.yield_moment,
        min_bend_radius: laid.least_bend_radius,
        catenary: None,
        angle_limit: None,
    })
}

fn of_elements(laid: &BuiltCable, id: CableId, world: &World) -> Option<CableProperties> {
    let (model, dt) = (world.model(), world.model().settings().dt);
    let cable = model.cables().get(id)?;
    let (s, l) = (&cable.section, cable.element);
    let link = link(world, cable);
    let under_load = link.map(|link| link.under_load).unwrap_or_default();
    let angle_limit = link.is_some_and(|link| link.turning != Turning::SwingTwist)
        && s.bend > 0.0
        && model.settings().integrator == Integrator::Spook;
    let mass = s.mass_per_length * l;
    let resistance =
        |stiffness: f64, time: f64, omega: f64| Stiffness::new((stiffness, l), time, (omega, dt));
    let about = mass * s.diameter * s.diameter / 8.0;
    Some(CableProperties {
        name: cable.name.clone(),
        model: if cable.hang.is_some() { "catenary" } else { "elements" },
        construction: laid.made_of.clone(),
        length: cable.length(),
        elements: cable.elements.len(),
        links: cable.links.len(),
        element_length: l,
        diameter: s.diameter,
        mass: s.mass_per_length * cable.length(),
        mass_per_length: s.mass_per_length,
        stretch: resistance(s.stretch, s.damping[0], (4.0 * s.stretch / l / mass).sqrt()),
        bend: resistance(s.bend, s.damping[1], (16.0 * s.bend / l / mass).sqrt() / l),
        twist: Some(resistance(s.twist, s.damping[2], (4.0 * s.twist / l / about).sqrt())),
        breaking_load: s.breaking,
        breaking_strain: s.breaking_strain,
        tension_at_breaking_strain: s.breaking_strain.map(|strain| under_load.tension(s.stretch * strain)),
        yield_moment: s.yielding.map(|y| y.moment),
        min_bend_radius: laid.least_bend_radius,
        catenary: world.catenary(id).map(|c| CatenaryProperties::of(&c)),
        angle_limit: angle_limit
            .then(|| AngleLimit::of(s.bend / l, mass * (l * l / 12.0 + s.diameter * s.diameter / 16.0), dt)),
    })
}

/// A bending angle without direction is one row. It does not hold a bent link against rotation about the cable: that
/// part is explicit, and grows from step to step beyond h²c/I = 4, with c of a link and I of an element transverse to
/// its axis.
#[derive(Debug, JsonSchema, Serialize)]
pub struct AngleLimit {
    /// Stability number h²c/I of the explicit part; unstable above 4.
    explicit: f64,
    /// The step at which it is 4 [s].
    longest_step: f64,
}

/// h²c/I above which an explicit oscillation grows: ω h = 2.
const GROWS: f64 = 4.0;

impl AngleLimit {
    fn of(stiffness: f64, inertia: f64, dt: f64) -> AngleLimit {
        let squared = stiffness / inertia;
        AngleLimit { explicit: dt * dt * squared, longest_step: (GROWS / squared).sqrt() }
    }

    /// The warning if the step is too long.
    pub fn warning(&self) -> Option<String> {
        let (explicit, step) = (digits(self.explicit), digits(self.longest_step));
        let held = format!(
            "this rotation measure is stable only for bending in a plane: dt² EI/(l I) is {explicit}, above 4"
        );
        let help = format!("give dt below {step} s, fewer elements, or rotation_measure = \"swing-twist\"");
        (self.explicit > GROWS).then(|| format!("{held}; {help}"))
    }
}

impl CatenaryProperties {
    fn of(catenary: &Catenary) -> CatenaryProperties {
        let finite = |x: f64| Some(x).filter(|x| x.is_finite());
        let Catenary { hung, ends } = catenary;
        CatenaryProperties {
            state: match hung.posture {
                CatenaryShape::Free => "free",
                CatenaryShape::Grounded => "grounded",
                CatenaryShape::Heaped => "heaped",
                CatenaryShape::Taut => "taut",
                CatenaryShape::Sunk => "sunk",
            },
            pull: finite(hung.pull),
            tensions: ends.map(|end| finite(end.tension)),
            angles: ends.map(|end| end.angle),
            length_on_floor: hung.lying[1] - hung.lying[0],
        }
    }

    /// As lines of a table.
    fn lines(&self) -> Vec<String> {
        let newtons =
            |force: Option<f64>| force.map_or("unbounded".to_string(), |f| format!("{} N", digits(f)));
        let end = |k: usize| {
            let angle = digits(self.angles[k].to_degrees());
            format!("{} at {angle}°", newtons(self.tensions[k]))
        };
        let how = match self.state {
            "grounded" => format!("{} m of it on the floor", digits(self.length_on_floor)),
            "heaped" => format!("slack, {} m of it heaped on the floor", digits(self.length_on_floor)),
            "taut" => "taut: not longer than the distance between its ends".to_string(),
            "sunk" => "partly below the floor: it would have to rest on it in two places".to_string(),
            _ => "free from end to end".to_string(),
        };
        vec![
            format!("  shape   {how}, horizontal tension {}", newtons(self.pull)),
            format!("  ends    start {}, end {}", end(0), end(1)),
        ]
    }
}

impl CableProperties {
    /// The warning about this step, if any.
    pub fn warning(&self) -> Option<String> {
        self.angle_limit.as_ref()?.warning()
    }

    /// As lines of a table.
    pub fn lines(&self) -> Vec<String> {
        let made = self.construction.as_ref().map_or(String::new(), |name| format!(" of {name}"));
        let size = format!("{} m of {} mm{made}", digits(self.length), digits(self.diameter * 1e3));
        let what = if self.twist.is_some() { "elements" } else { "segments between mass points, each" };
        let pieces = format!("{} {what} of {} m", self.elements, digits(self.element_length));
        if let Some(catenary) = &self.catenary {
            let mut lines = vec![format!("{}: catenary, {size}, {pieces}", self.name)];
            lines.extend(catenary.lines());
            return lines;
        }
        let mut lines = vec![
            format!("{}: {size}, {pieces}", self.name),
            format!("  mass    {} kg, {} kg/m", digits(self.mass), digits(self.mass_per_length)),
            format!("  stretch {}", self.stretch.text("EA", "N", "N/m")),
            format!("  bend    {}", self.bend.text("EI", "N·m²", "N·m/rad")),
        ];
        if let Some(twist) = &self.twist {
            lines.push(format!("  twist   {}", twist.text("GJ", "N·m²", "N·m/rad")));
        }
        let limits = [
            self.breaking_load.map(|f| format!("breaks at {} N", digits(f))),
            self.breaking_strain.zip(self.tension_at_breaking_strain).map(|(strain, force)| {
                format!("breaks at a strain of {} %, {} N", digits(100.0 * strain), digits(force))
            }),
            self.yield_moment.map(|m| format!("yields at {} N·m", digits(m))),
            self.min_bend_radius.map(|r| format!("minimum bend radius {} m", digits(r))),
        ];
        if let Some(warning) = self.warning() {
            lines.push(format!("  angles  {warning}"));
        }
        let limits: Vec<_> = limits.into_iter().flatten().collect();
        if !limits.is_empty() {
            lines.push(format!("  limits  {}", limits.join(", ")));
        }
        lines
    }
}

impl Stiffness {
    /// From a stiffness and the length of a link, with a damping time and the highest mode.
    fn new((stiffness, length): (f64, f64), damping_time: f64, (omega, dt): (f64, f64)) -> Stiffness {
        let link_stiffness = stiffness / length;
        Stiffness { stiffness, link_stiffness, damping_time, highest_mode: omega / TAU, omega_dt: omega * dt }
    }

    fn text(&self, symbol: &str, unit: &str, link: &str) -> String {
        if self.stiffness == 0.0 {
            return format!("{symbol} 0, none");
        }
        let whole = format!(
            "{symbol} {} {unit}, {} {link} per link",
            digits(self.stiffness),
            digits(self.link_stiffness)
        );
        let mode = format!("highest mode {} Hz, ω dt {}", digits(self.highest_mode), digits(self.omega_dt));
        format!("{whole}, damping time {} s; {mode}", digits(self.damping_time))
    }
}

/// A link of a cable; links differ only in the length they represent. None for a catenary.
pub fn link<'w>(world: &'w World, cable: &Cable) -> Option<&'w Link> {
    match &world.model().joints().get(*cable.links.first()?)?.kind {
        JointKind::Link(link) => Some(link),
        _ => None,
    }
}
