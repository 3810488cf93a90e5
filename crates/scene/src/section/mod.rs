//! Section of a cable as written → mass per length, EA, EI, GJ, damping, strength.
//!
//! ```text
//!  A    area | n π w²/4 of wires | C d² of a construction | π d²/4
//!  I    second_moment | n π w⁴/64 of wires | A w²/16 of a construction | A²/4π of a solid circle
//!  J    torsion_constant | 2 I
//!  EA   axial_stiffness | load/strain of an elongation | E A
//!  EI   bending_stiffness | E I         GJ   torsional_stiffness | G J,  G = E/2(1 + ν)
//!  m    mass_per_length | ρ A of a given density | W d² of a construction | ρ A of the material
//! ```
//!
//! The first source that is given is used. A property without a source is an error, except EI and GJ, which are then 0.

mod library;

use crate::error::Problems;
use crate::material::{Materials, USUAL};
use crate::number::Number;
use crate::suggestion;
use crate::text::cable::{Damping, Section as Text};
use library::{Class, GRADE, ROPES};
use std::f64::consts::PI;
use std::ops::Range;
use toml::Spanned;
use windlass_engine::prelude::{Fatigue, Section, Stiffening, UnderLoad, Yield};

/// A section with data that the engine does not need.
#[derive(Clone, Debug, PartialEq)]
pub struct CableSection {
    /// Section for the engine.
    pub section: Section,
    /// Stiffness and damping under tension.
    pub under_load: UnderLoad,
    /// Construction class or material, if specified.
    pub name: Option<String>,
    /// Name of the material of its surface, for contact and drawing.
    pub surface: String,
    /// Smallest permissible bend radius, if known [m].
    pub least_bend_radius: Option<f64>,
    /// A key of the text that only cables of rigid elements support, and why others do not.
    pub elements_only: Option<(&'static str, &'static str)>,
}

/// Default of the largest stiffening factor: that of fibre ropes from slack to half of their breaking load.
const STIFFER: f64 = 10.0;
/// Upper bound of the stiffening factor: that of the engine.
const STIFFEST: f64 = 1e6;
/// Default Poisson's ratio: that of most metals.
const POISSON: f64 = 0.3;
/// Default exponent of fatigue: wire rope in tension.
const EXPONENT: f64 = 5.0;
/// Largest number of wires.
const MOST_WIRES: u32 = 1_000_000;
/// Fill factor of the circle about the wires, if its diameter is not given: six wires about one fill 7/9 of it.
const PACKING: f64 = 7.0 / 9.0;
/// Largest area over that of the circle of the diameter; beyond it the two contradict each other.
const SLACK: f64 = 1.01;

/// Names of the construction classes.
pub fn ropes() -> impl Iterator<Item = &'static str> {
    ROPES.iter().map(|(name, _)| *name)
}

/// The class of a name; case, spaces and hyphens do not matter.
fn class(name: &str) -> Option<&'static (&'static str, Class)> {
    let plain = |text: &str| -> String {
        let letters = text.chars().filter(|c| !matches!(c, ' ' | '-' | '_'));
        letters.flat_map(char::to_lowercase).map(|c| if c == '×' { 'x' } else { c }).collect()
    };
    let wanted = plain(name);
    ROPES.iter().find(|(known, _)| plain(known) == wanted)
}

/// Geometry of a cross-section.
struct Form {
    diameter: f64,
    area: f64,
    second: f64,
    torsion: f64,
}

/// Material properties of a section.
struct Matter {
    young: Option<f64>,
    /// Young's modulus for bending, if it differs.
    bending: Option<f64>,
    poisson: f64,
    shear: Option<f64>,
    mass_per_length: f64,
}

/// A section of the text, checked; `None` if something is wrong, which is reported at its key or at `span`.
pub(crate) fn judged(
    text: &Text,
    span: &Range<usize>,
    materials: &Materials,
    p: &mut Problems,
) -> Option<CableSection> {
    if !are_numbers_good(text, p) {
        return None;
    }
    let rope = match &text.construction {
        Some(name) => Some(found(name, p)?),
        None => None,
    };
    if let (Some(rope), Some(material)) = (&text.construction, &text.material) {
        let help = format!("\"{}\" defines the material: omit `material`", rope.get_ref());
        p.advise(material.span(), "both `construction` and `material` are given", help);
        return None;
    }
    let class = rope.map(|(_, class)| class);
    let form = form(text, class, span, p)?;
    let matter = matter(text, class, &form, span, materials, p)?;
    let stretch = stretch(text, &form, matter.young, span, p)?;
    let bend = match &text.bending_stiffness {
        Some(given) => p.number("bending_stiffness", given)?,
        None => matter.bending.or(matter.young).unwrap_or(0.0) * form.second,
    };
    let shear = matter.shear.or(matter.bending.or(matter.young).map(|e| 0.5 * e / (1.0 + matter.poisson)));
    let twist = match &text.torsional_stiffness {
        Some(given) => p.number("torsional_stiffness", given)?,
        None => shear.unwrap_or(0.0) * form.torsion,
    };
    let breaking = breaking(text, class, p)?;
    let section = Section {
        diameter: form.diameter,
        mass_per_length: matter.mass_per_length,
        stretch,
        bend,
        twist,
        damping: damping(text.damping.as_ref(), class.map_or([0.0; 3], |c| c.damping), span, p)?,
        breaking,
        breaking_strain: p.number_given("breaking_strain", &text.breaking_strain)?,
        yielding: yielding(text, bend, p)?,
        fatigue: fatigue(text, breaking, span, p)?,
    };
    let d = p.number_given("diameter", &text.diameter)?;
    let usual = class.filter(|c| c.radius > 0.0).and_then(|c| Some(c.radius * d?));
    Some(CableSection {
        section,
        under_load: under_load(text, bend, p)?,
        name: rope.map(|(name, _)| name.to_string()).or(text.material.as_ref().map(|m| m.get_ref().clone())),
        surface: surface(text)?,
        least_bend_radius: p.number_given("min_bend_radius", &text.min_bend_radius)?.or(usual),
        elements_only: elements_only(text),
    })
}

/// Whether every number of a section is within its range. All bad ones are reported before any is used.
fn are_numbers_good(text: &Text, p: &mut Problems) -> bool {
    let all = [
        p.number_given("axial_stiffness", &text.axial_stiffness),
        p.number_given("breaking_load", &text.breaking_load),
        p.number_given("breaking_strain", &text.breaking_strain),
        p.number_given("youngs_modulus", &text.youngs_modulus),
        p.number_given("shear_modulus", &text.shear_modulus),
        p.number_given("grade", &text.grade),
        p.number_given("diameter", &text.diameter),
        p.number_given("area", &text.area),
        p.number_given("second_moment", &text.second_moment),
        p.number_given("torsion_constant", &text.torsion_constant),
        p.number_given("wire_diameter", &text.wire_diameter),
        p.number_given("density", &text.density),
        p.number_given("mass_per_length", &text.mass_per_length),
        p.number_given("bending_stiffness", &text.bending_stiffness),
        p.number_given("torsional_stiffness", &text.torsional_stiffness),
        p.number_given("yield_moment", &text.yield_moment),
        p.number_given("hardening", &text.hardening),
        p.number_given("min_bend_radius", &text.min_bend_radius),
    ];
    all.iter().all(Option::is_some)
}

/// The first key of a text that mass-point cables do not support, and why.
fn elements_only(text: &Text) -> Option<(&'static str, &'static str)> {
    let keys = [
        ("breaking_load", text.breaking_load.is_some(), "mass points do not break"),
        ("breaking_strain", text.breaking_strain.is_some(), "mass points do not break"),
        ("stiffening", text.stiffening.is_some(), "mass points do not stiffen under load"),
        (
            "tension",
            text.damping.as_ref().is_some_and(|d| d.tension.is_some()),
            "tension does not damp mass points",
        ),
        ("fatigue", text.fatigue.is_some(), "mass points have no fatigue"),
        ("torsional_stiffness", text.torsional_stiffness.is_some(), "mass points do not twist"),
        ("torsion_constant", text.torsion_constant.is_some(), "mass points do not twist"),
    ];
    keys.into_iter().find(|(_, given, _)| *given).map(|(key, _, why)| (key, why))
}

/// The material of the surface; `None` for an unknown construction class.
pub(crate) fn surface(text: &Text) -> Option<String> {
    Some(match (&text.construction, &text.material) {
        (Some(rope), _) => class(rope.get_ref())?.1.surface.to_string(),
        (None, Some(material)) => material.get_ref().clone(),
        (None, None) => USUAL.to_string(),
    })
}

/// The class of a rope. Reports an unknown one.
fn found(name: &Spanned<String>, p: &mut Problems) -> Option<(&'static str, &'static Class)> {
    if let Some((name, class)) = class(name.get_ref()) {
        return Some((name, class));
    }
    let help = match suggestion::nearest(name.get_ref(), ropes()) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!("known are {}", ropes().map(|r| format!("\"{r}\"")).collect::<Vec<_>>().join(", ")),
    };
    p.advise(name.span(), format!("no construction \"{}\"", suggestion::shortened(name.get_ref())), help);
    None
}

fn form(text: &Text, class: Option<&Class>, span: &Range<usize>, p: &mut Problems) -> Option<Form> {
    let diameter = p.number_given("diameter", &text.diameter);
    let area = p.number_given("area", &text.area);
    let second = p.number_given("second_moment", &text.second_moment);
    let torsion = p.number_given("torsion_constant", &text.torsion_constant);
    let wires = wires(text, p);
    let (diameter, area, wires) = (diameter?, area?, wires?);
    let (second, torsion) = (second?, torsion?);
    let round = |d: f64| 0.25 * PI * d * d;
    let (outer, bears, resists) = match (class, wires, diameter, area) {
        (Some(class), _, Some(d), _) => {
            let bears = area.unwrap_or(class.area * d * d);
            // A w²/16 with w² = 4 A/π n
            let resists =
                if class.wires == 0 { 0.0 } else { bears * bears / (4.0 * PI * f64::from(class.wires)) };
            (class.outer * d, bears, resists)
        }
        (Some(_), ..) => {
            p.advise(span.clone(), "the rope has no `diameter`", "give `diameter = …`, such as \"20 mm\"");
            return None;
        }
        (None, Some((n, w)), ..) => {
            let bears = n * round(w);
            let outer = diameter.unwrap_or((4.0 * bears / PI / if n > 1.0 { PACKING } else { 1.0 }).sqrt());
            (outer, area.unwrap_or(bears), bears * w * w / 16.0)
        }
        (None, None, Some(d), _) => {
            let bears = area.unwrap_or(round(d));
            (d, bears, bears * bears / (4.0 * PI))
        }
        (None, None, None, Some(a)) => ((4.0 * a / PI).sqrt(), a, a * a / (4.0 * PI)),
        (None, None, None, None) => {
            let help = "give `diameter`, or `wires` and `wire_diameter`, or `area`";
            p.advise(span.clone(), "the section has no diameter and no area", help);
            return None;
        }
    };
    if bears > SLACK * round(outer) {
        let area = text.area.as_ref().map(Number::span).or(text.wire_diameter.as_ref().map(Number::span));
        let message = format!(
            "{} mm² do not fit into a diameter of {} mm, which has {} mm²",
            suggestion::digits(bears * 1e6),
            suggestion::digits(outer * 1e3),
            suggestion::digits(round(outer) * 1e6)
        );
        p.advise(area.unwrap_or(span.clone()), message, "correct one of them, or leave `diameter` out");
        return None;
    }
    let second = second.unwrap_or(resists);
    Some(Form { diameter: outer, area: bears, second, torsion: torsion.unwrap_or(2.0 * second) })
}

/// Number and diameter of the wires; the inner `None` without wires.
fn wires(text: &Text, p: &mut Problems) -> Option<Option<(f64, f64)>> {
    match (&text.wires, &text.wire_diameter) {
        (None, None) => Some(None),
        (Some(n), None) => {
            p.advise(n.span(), "`wires` without `wire_diameter`", "give `wire_diameter = …`, too");
            None
        }
        (None, Some(w)) => {
            p.advise(w.span(), "`wire_diameter` without `wires`", "give `wires = …`, how many, too");
            None
        }
        (Some(_), Some(w)) => {
            let n = p.whole_or("wires", &text.wires, 1..=MOST_WIRES, 1);
            let w = p.number("wire_diameter", w);
            if let Some(rope) = &text.construction {
                let help = "a class of ropes has its own wires: leave `construction` out, or `wires`";
                p.advise(rope.span(), "both `construction` and `wires` are given", help);
                return None;
            }
            Some(Some((f64::from(n?), w?)))
        }
    }
}

fn matter(
    text: &Text,
    class: Option<&Class>,
    form: &Form,
    span: &Range<usize>,
    materials: &Materials,
    p: &mut Problems,
) -> Option<Matter> {
    let material = match &text.material {
        Some(name) => Some(materials.find(name, p)?),
        None => None,
    };
    let young = p.number_given("youngs_modulus", &text.youngs_modulus);
    let poisson = p.number_given("poisson_ratio", &text.poisson_ratio);
    let shear = p.number_given("shear_modulus", &text.shear_modulus);
    let density = p.number_given("density", &text.density);
    let given = p.number_given("mass_per_length", &text.mass_per_length);
    let diameter = p.number_given("diameter", &text.diameter);
    let (young, poisson, density, given) = (young?, poisson?, density?, given?);
    if let Some(ratio) = poisson
        && !(ratio > -1.0 && ratio <= 0.5)
    {
        let span = text.poisson_ratio.as_ref().map_or(span.clone(), Number::span);
        p.advise(
            span,
            format!("`poisson_ratio` is {}", suggestion::exact(ratio)),
            "give a number above -1 and up to 0.5",
        );
        return None;
    }
    if let (Some(_), Some(density)) = (&text.mass_per_length, &text.density) {
        p.advise(density.span(), "both `density` and `mass_per_length` are given", "leave one of them out");
        return None;
    }
    let of_rope = class.zip(diameter?).map(|(class, d)| class.mass * d * d);
    let density = density.map(|rho| rho * form.area);
    let known = given.or(density).or(of_rope).or(material.map(|m| m.density * form.area));
    let Some(mass_per_length) = known else {
        let help = "give `construction`, `material`, `density` or `mass_per_length`";
        p.advise(span.clone(), "the section has no mass", help);
        return None;
    };
    Some(Matter {
        young: young.or(class.map(|c| c.young)).or(material.map(|m| m.young)),
        bending: young.or(class.map(|c| c.wire)),
        poisson: poisson.or(material.map(|m| m.poisson)).unwrap_or(POISSON),
        shear: shear?,
        mass_per_length,
    })
}

/// Axial stiffness EA [N].
fn stretch(
    text: &Text,
    form: &Form,
    young: Option<f64>,
    span: &Range<usize>,
    p: &mut Problems,
) -> Option<f64> {
    let given = [
        text.axial_stiffness.as_ref().map(|n| ("axial_stiffness", n.span())),
        text.elongation.as_ref().map(|e| ("elongation", e.strain.span())),
        text.youngs_modulus.as_ref().map(|n| ("youngs_modulus", n.span())),
    ];
    let given: Vec<_> = given.into_iter().flatten().collect();
    // Young's modulus beside one of the others is for bending
    if let [(first, _), (second, place), ..] = given.as_slice()
        && *second == "elongation"
    {
        p.advise(place.clone(), format!("both `{first}` and `{second}` are given"), "leave one of them out");
        return None;
    }
    let (stiffness, place) = match (&text.axial_stiffness, &text.elongation) {
        (Some(given), _) => (p.number("axial_stiffness", given)?, given.span()),
        (None, Some(given)) => {
            let (strain, load) = (p.number("strain", &given.strain), p.number("load", &given.load));
            (load? / strain?, given.load.span())
        }
        (None, None) => match young {
            Some(young) => (young * form.area, text.material.as_ref().map_or(span.clone(), |m| m.span())),
            None => {
                let help =
                    "give `construction`, `material`, `youngs_modulus`, `elongation` or `axial_stiffness`";
                p.advise(span.clone(), "the section has no axial stiffness", help);
                return None;
            }
        },
    };
    if !(stiffness > 0.0) {
        p.advise(place, "the axial stiffness of the section is 0", "give more than 0");
        return None;
    }
    Some(stiffness)
}

/// Breaking load [N]; the inner `None` for never.
fn breaking(text: &Text, class: Option<&Class>, p: &mut Problems) -> Option<Option<f64>> {
    let grade = p.number_given("grade", &text.grade)?;
    if let (Some(grade), true) = (&text.grade, class.is_none_or(|c| !c.has_grade)) {
        let help = "leave it out, or give a `construction` of steel wires";
        p.advise(grade.span(), "`grade` is that of the wires of a rope", help);
        return None;
    }
    let given = p.number_given("breaking_load", &text.breaking_load)?;
    let d = p.number_given("diameter", &text.diameter)?;
    let usual = class.zip(d).map(|(class, d)| {
        class.breaking * d * d * if class.has_grade { grade.unwrap_or(GRADE) } else { 1.0 }
    });
    Some(given.or(usual).filter(|load| *load > 0.0))
}

/// Plastic bending of a section with bending stiffness `bend`.
fn yielding(text: &Text, bend: f64, p: &mut Problems) -> Option<Option<Yield>> {
    let moment = p.number_given("yield_moment", &text.yield_moment)?;
    let hardening = p.number_given("hardening", &text.hardening)?;
    match (moment, hardening, &text.yield_moment, &text.hardening) {
        (Some(moment), hardening, Some(given), _) => {
            if !(moment > 0.0) {
                p.advise(given.span(), "`yield_moment` is 0", "give more than 0, or leave it out");
                return None;
            }
            if bend == 0.0 {
                let help = "give `bending_stiffness = …`, or leave `yield_moment` out";
                p.advise(
                    given.span(),
                    "`yield_moment` without a bending stiffness: the section bears no moment",
                    help,
                );
                return None;
            }
            Some(Some(Yield { moment, hardening: hardening.unwrap_or(0.0) }))
        }
        (None, Some(_), _, Some(given)) => {
            p.advise(given.span(), "`hardening` without `yield_moment`", "give `yield_moment = …`, too");
            None
        }
        _ => Some(None),
    }
}

/// Stiffening and damping under tension of a section with bending stiffness `bend`.
fn under_load(text: &Text, bend: f64, p: &mut Problems) -> Option<UnderLoad> {
    let given = text.damping.as_ref().and_then(|d| d.tension.as_ref());
    let damping = given.map_or(Some(0.0), |n| p.number("tension", n))?;
    if let (Some(given), true) = (given, damping > 0.0 && bend == 0.0) {
        let help = "give `bending_stiffness = …`, or leave `tension` out";
        p.advise(given.span(), "`tension` damps bending, but the section has no bending stiffness", help);
        return None;
    }
    let Some(law) = &text.stiffening else { return Some(UnderLoad { stiffening: None, damping }) };
    let load = p.number("load", &law.load);
    let most = p.number_or("max_factor", &law.max_factor, STIFFER)?;
    if let (Some(given), false) = (&law.max_factor, (1.0..=STIFFEST).contains(&most)) {
        p.advise(
            given.span(),
            format!("`max_factor` is {}", suggestion::exact(most)),
            "give a factor from 1 to 1e6",
        );
        return None;
    }
    Some(UnderLoad { stiffening: Some(Stiffening { load: load?, most }), damping })
}

fn fatigue(
    text: &Text,
    breaking: Option<f64>,
    span: &Range<usize>,
    p: &mut Problems,
) -> Option<Option<Fatigue>> {
    let Some(given) = &text.fatigue else { return Some(None) };
    let cycles = p.number("cycles", &given.cycles);
    let exponent = p.number_or("exponent", &given.exponent, EXPONENT);
    if breaking.is_none() {
        let help = "give `breaking_load = …`, or a `construction`";
        p.advise(span.clone(), "`fatigue` needs a breaking load, and the section has none", help);
        return None;
    }
    Some(Some(Fatigue { cycles: cycles?, exponent: exponent? }))
}

/// Damping times of stretch, bending and torsion [s].
fn damping(
    text: Option<&Damping>,
    usual: [f64; 3],
    span: &Range<usize>,
    p: &mut Problems,
) -> Option<[f64; 3]> {
    let Some(text) = text else { return Some(usual) };
    let ratio = p.number_given("ratio", &text.ratio)?;
    let frequency = p.number_given("frequency", &text.frequency)?;
    let all = match (ratio, frequency) {
        (None, None) => usual,
        (Some(ratio), Some(frequency)) if frequency > 0.0 => [ratio / (PI * frequency); 3],
        (Some(_), Some(frequency)) => {
            let span = text.frequency.as_ref().map_or(span.clone(), Number::span);
            p.advise(span, format!("`frequency` is {}", suggestion::exact(frequency)), "give more than 0 Hz");
            return None;
        }
        _ => {
            let place = text.ratio.as_ref().map(Number::span).or(text.frequency.as_ref().map(Number::span));
            let help = "a ratio holds at one frequency: { ratio = 0.02, frequency = \"5 Hz\" }";
            p.advise(place.unwrap_or(span.clone()), "`ratio` and `frequency` go together", help);
            return None;
        }
    };
    let stretch = p.number_or("stretch", &text.stretch, all[0]);
    let bend = p.number_or("bend", &text.bend, all[1]);
    let twist = p.number_or("twist", &text.twist, all[2]);
    Some([stretch?, bend?, twist?])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(text: &str) -> Section {
        let text: Text = toml::from_str(text).expect("a section");
        let mut p = Problems::default();
        let stuff = judged(&text, &(0..0), &Materials::library(), &mut p);
        stuff.unwrap_or_else(|| panic!("{p:?}")).section
    }

    #[track_caller]
    fn near(a: f64, b: f64, part: f64) {
        assert!((a / b - 1.0).abs() < part, "{a} is not {b}");
    }

    #[test]
    fn a_rope_is_given_by_its_class_and_diameter() {
        let rope = made("construction = '6x19 iwrc'\ndiameter = '20 mm'");
        // manufacturers' tables: 1.60 kg/m and 252 kN at 1770 N/mm²
        near(rope.mass_per_length, 1.60, 0.02);
        near(rope.breaking.unwrap(), 252e3, 0.02);
        near(rope.stretch, 105e9 * 0.449 * 4e-4, 1e-12);
        // 163 wires have 1/163 of the bending stiffness of one wire with their total area
        let one = made("material = 'steel'\narea = '179.6 mm^2'");
        near(one.bend / rope.bend, 163.0, 1e-9);
        let strong = made("construction = '6x19-IWRC'\ndiameter = '20 mm'\ngrade = '1960 MPa'");
        near(strong.breaking.unwrap() / rope.breaking.unwrap(), 1960.0 / 1770.0, 1e-12);
    }

    #[test]
    fn fibre_ropes_and_chains_are_of_the_size_of_their_tables() {
        // polyamide 3-strand of 20 mm: 24.5 kg/100 m and some 80 kN; HMPE: 20 kg/100 m and some 32 t
        let nylon = made("construction = 'nylon 3-strand'\ndiameter = '20 mm'");
        near(nylon.mass_per_length, 0.245, 0.02);
        near(nylon.breaking.unwrap(), 80e3, 0.05);
        near(0.2 * nylon.breaking.unwrap() / nylon.stretch, 0.15, 1e-12);
        near(made("construction = 'HMPE'\ndiameter = '20 mm'").breaking.unwrap(), 320e3, 0.05);
        // chain of 10 mm, grade 8: 126 kN, 2.2 kg/m, and no stiffness against bending
        let chain = made("construction = 'chain G80'\ndiameter = '10 mm'");
        near(chain.breaking.unwrap(), 125.7e3, 0.01);
        near(chain.mass_per_length, 2.2, 0.01);
        assert_eq!((chain.bend, chain.twist), (0.0, 0.0));
        near(chain.diameter, 0.036, 1e-12);
    }

    #[test]
    fn what_is_given_stands_instead() {
        let d = 0.01f64;
        let rod = made("material = 'steel'\ndiameter = '10 mm'");
        near(rod.bend, 200e9 * PI * d.powi(4) / 64.0, 1e-12);
        near(rod.twist, 200e9 / 2.6 * PI * d.powi(4) / 32.0, 1e-12);
        let wires = made("material = 'steel'\nwires = 7\nwire_diameter = '1 mm'");
        near(wires.bend, 7.0 * 200e9 * PI * 1e-12 / 64.0, 1e-12);
        near(wires.diameter, 3e-3, 1e-12);
        let sheet = made(
            "diameter = '20 mm'\nmass_per_length = 0.3\nelongation = { strain = '3 %', load = '18 kN' }\n\
             bending_stiffness = 2\ndamping = { ratio = 0.02, frequency = '5 Hz', twist = 0 }",
        );
        near(sheet.stretch, 600e3, 1e-12);
        assert_eq!((sheet.bend, sheet.twist, sheet.damping[2]), (2.0, 0.0, 0.0));
        // ζ = τ ω/2
        near(0.5 * sheet.damping[0] * 2.0 * PI * 5.0, 0.02, 1e-12);
    }
}
