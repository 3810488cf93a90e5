//! Materials of bodies, and friction and restitution of pairs of them.
//!
//! The library (`library.rs`) has typical values; a scene changes them and adds its own. A pair that is listed has the
//! friction of the list. For any other pair of materials a and b, with the values of each against itself,
//!
//! ```text
//! friction      μ  = √(μ_a μ_b)                                for static and kinetic friction
//! restitution   e  = min(e_a, e_b)                             listed or not
//! stiffness     E* = 1 / ((1 − ν_a²)/E_a + (1 − ν_b²)/E_b)     listed or not (Hertz)
//! ```
//!
//! The geometric mean of equal values is that value, and it is 0 if one material is without friction. Densities are
//! used for masses, friction and restitution for contact (`build/contact.rs`). Contacts are rigid whatever the
//! stiffness.

mod library;

use crate::error::Problems;
use crate::expand::entry::Entry;
use crate::number::{Coefficient, Number};
use crate::suggestion;
use crate::text::material::{Coefficients, Friction as FrictionText, FrictionSpec, Material as MaterialText};
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;

/// Material that a body without one is drawn as.
pub const USUAL: &str = "steel";

/// Coefficients of dry friction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Friction {
    /// Coefficient of static friction.
    pub at_rest: f64,
    /// Coefficient of kinetic friction.
    pub sliding: f64,
}

/// Properties of a material.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Density [kg/m³].
    pub density: f64,
    /// Young's modulus [Pa]; 0 if it has none.
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Coefficient of restitution against itself.
    pub restitution: f64,
    /// Dry friction against itself.
    pub friction: Friction,
    /// Red, green and blue, 0 to 1, in sRGB.
    pub color: [f64; 3],
    /// Roughness, 0 (mirror) to 1 (matt).
    pub roughness: f64,
    /// Metalness, 0 or 1.
    pub metalness: f64,
    /// Names under which its pairs are looked up: its own, then those of the materials it starts from.
    kin: Vec<String>,
}

/// Contact properties of a pair of materials.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// Dry friction.
    pub friction: Friction,
    /// Coefficient of restitution.
    pub restitution: f64,
    /// Effective modulus E* of the pair [Pa]; 0 if one has none.
    pub modulus: f64,
    /// Whether the friction is listed rather than combined by the rule.
    pub is_listed: bool,
}

/// All materials of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Materials {
    list: BTreeMap<String, Material>,
    /// By the two names in alphabetical order.
    pairs: BTreeMap<(String, String), Friction>,
}

impl Default for Materials {
    fn default() -> Materials {
        Materials::library()
    }
}

impl Materials {
    /// The library alone.
    pub fn library() -> Materials {
        let list = library::MATERIALS.iter().map(|(name, usual)| {
            let kin = vec![(*name).to_string()];
            let friction = Friction { at_rest: usual.friction[0], sliding: usual.friction[1] };
            let material = Material {
                density: usual.density,
                young: usual.young,
                poisson: usual.poisson,
                restitution: usual.restitution,
                friction,
                color: usual.color.map(|c| f64::from(c) / 255.0),
                roughness: usual.roughness,
                metalness: if usual.metallic { 1.0 } else { 0.0 },
                kin,
            };
            ((*name).to_string(), material)
        });
        let pairs =
            library::PAIRS.iter().map(|&(a, b, at_rest, sliding)| (key(a, b), Friction { at_rest, sliding }));
        Materials { list: list.collect(), pairs: pairs.collect() }
    }

    /// Names of the library.
    pub(crate) fn known() -> impl Iterator<Item = &'static str> {
        library::MATERIALS.iter().map(|(name, _)| *name)
    }

    /// The material of a name.
    pub fn get(&self, name: &str) -> Option<&Material> {
        self.list.get(name)
    }

    /// All of them by name, in alphabetical order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Material)> {
        self.list.iter().map(|(name, material)| (name.as_str(), material))
    }

    /// The pairs whose friction is listed, in alphabetical order.
    pub fn frictions(&self) -> impl Iterator<Item = ((&str, &str), Friction)> {
        self.pairs.iter().map(|((a, b), friction)| ((a.as_str(), b.as_str()), *friction))
    }

    /// Contact properties of two materials; `None` if one of them is unknown.
    pub fn pair(&self, a: &str, b: &str) -> Option<Pair> {
        let (first, second) = (self.get(a)?, self.get(b)?);
        let listed =
            first.kin.iter().find_map(|x| second.kin.iter().find_map(|y| self.pairs.get(&key(x, y))));
        let mean = |x: f64, y: f64| if a == b { x } else { (x * y).sqrt() };
        let friction = listed.copied().unwrap_or(Friction {
            at_rest: mean(first.friction.at_rest, second.friction.at_rest),
            sliding: mean(first.friction.sliding, second.friction.sliding),
        });
        let give = |m: &Material| (1.0 - m.poisson * m.poisson) / m.young;
        // a material without stiffness has infinite compliance: 1 / ∞ = 0
        let modulus = 1.0 / (give(first) + give(second));
        let restitution = first.restitution.min(second.restitution);
        Some(Pair { friction, restitution, modulus, is_listed: listed.is_some() })
    }

    /// The material of a name in the text. Reports an unknown one.
    pub(crate) fn find(&self, name: &Spanned<String>, problems: &mut Problems) -> Option<&Material> {
        let found = self.get(name.get_ref());
        if found.is_none() {
            let help = suggestion::nearest(name.get_ref(), self.list.keys().map(String::as_str)).map_or_else(
                || "write [materials.NAME] for it, or see the list of materials".to_string(),
                |n| format!("did you mean \"{n}\"?"),
            );
            problems.advise(
                name.span(),
                format!("no material \"{}\"", suggestion::shortened(name.get_ref())),
                help,
            );
        }
        found
    }

    /// The library with a scene's own materials and frictions.
    pub(crate) fn of(
        entries: &[Entry<MaterialText>],
        frictions: &[Spanned<FrictionText>],
        problems: &mut Problems,
    ) -> Materials {
        let mut materials = Materials::library();
        let mut waiting: Vec<&Entry<MaterialText>> = entries.iter().collect();
        // a material follows the one it starts from; each pass defines at least one, or the rest form a cycle
        while !waiting.is_empty() {
            let later: Vec<_> = waiting.iter().copied().filter(|e| must_wait(e, &waiting)).collect();
            if later.len() == waiting.len() {
                let message = format!("material \"{}\" refers to itself through `like`", waiting[0].name);
                problems.advise(
                    waiting[0].span.clone(),
                    message,
                    "let one of them start from a library material",
                );
                break;
            }
            for entry in waiting.into_iter().filter(|e| !later.iter().any(|l| std::ptr::eq(*l, *e))) {
                if let Some(material) = materials.made(entry, problems) {
                    materials.list.insert(entry.name.clone(), material);
                }
            }
            waiting = later;
        }
        for friction in frictions {
            materials.rub(friction, problems);
        }
        materials
    }

    /// A material of the scene: what it starts from, with its changes.
    fn made(&self, entry: &Entry<MaterialText>, p: &mut Problems) -> Option<Material> {
        let text = &entry.value;
        let start = match &text.like {
            Some(name) => Some(self.find(name, p)?.clone()),
            None => self.get(&entry.name).cloned(),
        };
        let start = match start {
            Some(start) => start,
            None => blank(entry, p)?,
        };
        let density = p.number_or("density", &text.density, start.density);
        let young = p.number_or("youngs_modulus", &text.youngs_modulus, start.young);
        let poisson = p.number_or("poisson_ratio", &text.poisson_ratio, start.poisson);
        let restitution = p.number_or("restitution", &text.restitution, start.restitution);
        let friction = text.friction.as_ref().map_or(Some(start.friction), |f| judged(f, p));
        let color = text.color.as_ref().map_or(Some(start.color), |c| p.color("color", c));
        let roughness = p.number_or("roughness", &text.roughness, start.roughness);
        let metalness = p.number_or("metalness", &text.metalness, start.metalness);
        let poisson = poisson?;
        if !(poisson > -1.0 && poisson <= 0.5) {
            let span = text.poisson_ratio.as_ref().map_or(entry.span.clone(), Number::span);
            p.advise(span, format!("`poisson_ratio` is {poisson}"), "give more than -1 and at most 0.5");
            return None;
        }
        // one with its own friction does not inherit the listed pairs of the one it starts from
        let mut kin = vec![entry.name.clone()];
        if text.friction.is_none() {
            kin.extend(start.kin.into_iter().filter(|name| *name != entry.name));
        }
        Some(Material {
            density: density?,
            young: young?,
            poisson,
            restitution: restitution?,
            friction: friction?,
            color: color?,
            roughness: roughness?,
            metalness: metalness?,
            kin,
        })
    }

    /// Adds the friction of a pair.
    fn rub(&mut self, text: &Spanned<FrictionText>, p: &mut Problems) {
        let FrictionText { between: [a, b], at_rest, kinetic } = text.get_ref();
        let known = [self.find(a, p).is_some(), self.find(b, p).is_some()];
        let friction = coefficients(at_rest, kinetic, p);
        if let (Some(friction), [true, true]) = (friction, known) {
            self.pairs.insert(key(a.get_ref(), b.get_ref()), friction);
        }
    }
}

/// Whether an entry starts from another that is not defined yet.
fn must_wait(entry: &Entry<MaterialText>, waiting: &[&Entry<MaterialText>]) -> bool {
    entry.value.like.as_ref().is_some_and(|like| {
        // `like` with its own name means the library material
        *like.get_ref() != entry.name && waiting.iter().any(|w| w.name == *like.get_ref())
    })
}

/// The start of a material without `like`: the text must specify everything but its appearance.
fn blank(entry: &Entry<MaterialText>, p: &mut Problems) -> Option<Material> {
    let text = &entry.value;
    let given = [
        ("density", text.density.is_some()),
        ("youngs_modulus", text.youngs_modulus.is_some()),
        ("poisson_ratio", text.poisson_ratio.is_some()),
        ("restitution", text.restitution.is_some()),
        ("friction", text.friction.is_some()),
    ];
    let missing: Vec<_> = given.iter().filter(|g| !g.1).map(|g| format!("`{}`", g.0)).collect();
    if !missing.is_empty() {
        let message = format!("material \"{}\" has no {}", entry.name, missing.join(", "));
        p.advise(entry.span.clone(), message, "give them, or start from another: like = \"steel\"");
        return None;
    }
    let none = Friction { at_rest: 0.0, sliding: 0.0 };
    let (density, young, poisson, restitution) = (0.0, 0.0, 0.0, 0.0);
    let (color, roughness, metalness) = ([0.6; 3], 0.6, 0.0);
    Some(Material {
        density,
        young,
        poisson,
        restitution,
        friction: none,
        color,
        roughness,
        metalness,
        kin: vec![],
    })
}

/// Coefficients of the text, checked.
pub(crate) fn judged(text: &FrictionSpec, p: &mut Problems) -> Option<Friction> {
    match text {
        FrictionSpec::One(both) => {
            p.number("friction", both).map(|friction| Friction { at_rest: friction, sliding: friction })
        }
        FrictionSpec::Two(Coefficients { at_rest, kinetic }) => coefficients(at_rest, kinetic, p),
    }
}

fn coefficients(
    at_rest: &Number<Coefficient>,
    kinetic: &Option<Number<Coefficient>>,
    p: &mut Problems,
) -> Option<Friction> {
    let rest = p.number("static", at_rest);
    let sliding = kinetic.as_ref().map_or(rest, |k| p.number("kinetic", k));
    let (rest, sliding) = (rest?, sliding?);
    if sliding > rest {
        let span: Range<usize> = kinetic.as_ref().unwrap_or(at_rest).span();
        let message = format!("kinetic friction {sliding} is above static friction {rest}");
        p.advise(span, message, "give kinetic ≤ static");
        return None;
    }
    Some(Friction { at_rest: rest, sliding })
}

fn key(a: &str, b: &str) -> (String, String) {
    if a <= b { (a.to_string(), b.to_string()) } else { (b.to_string(), a.to_string()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_is_physical() {
        let materials = Materials::library();
        assert!(materials.iter().count() >= 30);
        for (name, m) in materials.iter() {
            assert!(m.density > if name == "air" { 1.0 } else { 50.0 } && m.density < 25_000.0, "{name}");
            assert!(m.young >= 0.0 && m.young < 1e12, "{name}");
            assert!(m.poisson > -1.0 && m.poisson <= 0.5, "{name}");
            assert!((0.0..=1.0).contains(&m.restitution), "{name}");
            assert!(m.friction.sliding <= m.friction.at_rest, "{name}");
            assert!(
                m.color.iter().chain([&m.roughness, &m.metalness]).all(|c| (0.0..=1.0).contains(c)),
                "{name}"
            );
        }
        for ((a, b), friction) in materials.frictions() {
            assert!(materials.get(a).is_some() && materials.get(b).is_some() && a != b, "{a} on {b}");
            assert!(friction.sliding <= friction.at_rest && friction.at_rest < 2.0, "{a} on {b}");
        }
        // each pair stands in the list once
        assert_eq!(materials.frictions().count(), library::PAIRS.len());
        assert!(materials.get(USUAL).is_some());
    }

    #[test]
    fn pairs_are_listed_or_follow_the_rule() {
        let materials = Materials::library();
        let listed = materials.pair("steel", "aluminium").expect("both");
        assert_eq!((listed.friction.at_rest, listed.friction.sliding), (0.61, 0.47));
        assert!(listed.is_listed);
        assert_eq!(materials.pair("aluminium", "steel"), Some(listed));
        // two steel bodies: E* = E / (2 (1 − ν²))
        let steel = materials.pair("steel", "steel").expect("both");
        assert_eq!(steel.friction, materials.get("steel").expect("steel").friction);
        assert!((steel.modulus - 200e9 / (2.0 * (1.0 - 0.09))).abs() < 1.0);
        // brick on granite is in no list
        let (brick, granite) =
            (materials.get("brick").expect("brick"), materials.get("granite").expect("granite"));
        let pair = materials.pair("brick", "granite").expect("both");
        assert!(!pair.is_listed);
        assert_eq!(pair.friction.at_rest, (brick.friction.at_rest * granite.friction.at_rest).sqrt());
        assert_eq!(pair.restitution, brick.restitution.min(granite.restitution));
        assert_eq!(materials.pair("water", "steel").expect("both").modulus, 0.0);
        assert_eq!(materials.pair("steel", "unobtainium"), None);
    }
}
