//! Name of a material → appearance: colour, gloss, transparency and grain.
//!
//! Values of the scene take precedence over the table; the grain always comes from the material. Names are compared
//! word by word, so `structural steel S355` is steel.

/// The pattern of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grain {
    /// None.
    Plain,
    /// Fine streaks of brushed or rolled metal.
    Brushed,
    /// Year rings along the longest side.
    Wood,
    /// Speckles of stone and concrete.
    Speckled,
    /// Waves of a liquid.
    Wavy,
}

/// Appearance of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// Colour, sRGB.
    pub color: [f64; 3],
    /// From 0, polished, to 1, matt.
    pub roughness: f64,
    /// From 0, paint or plastic, to 1, bare metal.
    pub metalness: f64,
    /// Transmitted fraction of light.
    pub clearness: f64,
    /// Index of refraction.
    pub refraction: f64,
    /// The pattern.
    pub grain: Grain,
}

/// Appearance of an unknown material.
const UNKNOWN: Look = opaque([0.70, 0.71, 0.73], 0.6, 0.0, Grain::Plain);

/// Names and appearances; specific names precede general ones.
const TABLE: &[(&[&str], Look)] = &[
    (&["stainless", "chrome"], opaque([0.80, 0.81, 0.82], 0.15, 1.0, Grain::Plain)),
    (&["cast iron", "iron"], opaque([0.36, 0.36, 0.38], 0.6, 0.8, Grain::Speckled)),
    (&["steel", "metal", "wire"], opaque([0.60, 0.62, 0.65], 0.35, 1.0, Grain::Brushed)),
    (&["aluminium", "aluminum"], opaque([0.84, 0.85, 0.87], 0.3, 1.0, Grain::Brushed)),
    (&["titanium"], opaque([0.62, 0.60, 0.58], 0.35, 1.0, Grain::Brushed)),
    (&["zinc", "galvanized", "galvanised"], opaque([0.70, 0.73, 0.75], 0.5, 1.0, Grain::Speckled)),
    (&["lead"], opaque([0.42, 0.43, 0.47], 0.6, 0.9, Grain::Plain)),
    (&["copper"], opaque([0.85, 0.50, 0.36], 0.25, 1.0, Grain::Brushed)),
    (&["brass"], opaque([0.84, 0.70, 0.36], 0.25, 1.0, Grain::Brushed)),
    (&["bronze"], opaque([0.66, 0.48, 0.28], 0.35, 1.0, Grain::Brushed)),
    (&["gold"], opaque([1.00, 0.80, 0.36], 0.15, 1.0, Grain::Plain)),
    (&["silver"], opaque([0.93, 0.92, 0.90], 0.15, 1.0, Grain::Plain)),
    (&["rubber", "tyre", "tire"], opaque([0.11, 0.11, 0.12], 0.9, 0.0, Grain::Plain)),
    (&["plastic", "nylon", "pvc", "polyethylene"], opaque([0.80, 0.80, 0.78], 0.35, 0.0, Grain::Plain)),
    (&["oak", "beech"], opaque([0.70, 0.52, 0.33], 0.55, 0.0, Grain::Wood)),
    (&["walnut", "mahogany"], opaque([0.42, 0.27, 0.17], 0.5, 0.0, Grain::Wood)),
    (&["wood", "timber", "pine", "spruce"], opaque([0.80, 0.63, 0.42], 0.6, 0.0, Grain::Wood)),
    (&["concrete", "cement"], opaque([0.66, 0.65, 0.62], 0.9, 0.0, Grain::Speckled)),
    (&["asphalt", "bitumen"], opaque([0.22, 0.22, 0.23], 0.95, 0.0, Grain::Speckled)),
    (&["brick"], opaque([0.62, 0.30, 0.22], 0.9, 0.0, Grain::Speckled)),
    (&["granite", "stone", "rock"], opaque([0.55, 0.53, 0.51], 0.75, 0.0, Grain::Speckled)),
    (&["marble"], opaque([0.90, 0.89, 0.87], 0.2, 0.0, Grain::Speckled)),
    (&["soil", "earth", "clay"], opaque([0.42, 0.31, 0.21], 1.0, 0.0, Grain::Speckled)),
    (&["sand", "gravel"], opaque([0.78, 0.69, 0.50], 1.0, 0.0, Grain::Speckled)),
    (&["grass"], opaque([0.33, 0.47, 0.22], 1.0, 0.0, Grain::Speckled)),
    (&["snow"], opaque([0.95, 0.96, 0.98], 0.9, 0.0, Grain::Plain)),
    (&["rope", "hemp", "cardboard", "paper"], opaque([0.76, 0.66, 0.50], 0.9, 0.0, Grain::Plain)),
    (&["glass", "acrylic"], clear([0.86, 0.95, 0.92], 0.03, 0.85, 1.5, Grain::Plain)),
    (&["water"], clear([0.45, 0.68, 0.74], 0.05, 0.6, 1.333, Grain::Wavy)),
    (&["ice"], clear([0.78, 0.90, 0.96], 0.2, 0.45, 1.31, Grain::Plain)),
    (&["oil"], clear([0.75, 0.55, 0.15], 0.05, 0.4, 1.47, Grain::Wavy)),
];

const fn opaque(color: [f64; 3], roughness: f64, metalness: f64, grain: Grain) -> Look {
    Look { color, roughness, metalness, clearness: 0.0, refraction: 1.5, grain }
}

const fn clear(color: [f64; 3], roughness: f64, clearness: f64, refraction: f64, grain: Grain) -> Look {
    Look { color, roughness, metalness: 0.0, clearness, refraction, grain }
}

impl Look {
    /// The appearance of a material by its name.
    pub fn of_material(name: &str) -> Look {
        let lower = name.to_lowercase();
        let words: Vec<&str> =
            lower.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
        let words = format!(" {} ", words.join(" "));
        let known = |(names, _): &&(&[&str], Look)| names.iter().any(|n| words.contains(&format!(" {n} ")));
        TABLE.iter().find(known).map_or(UNKNOWN, |(_, look)| *look)
    }

    /// A matt surface of one colour.
    pub fn painted(color: [f64; 3]) -> Look {
        Look { color, ..UNKNOWN }
    }
}

/// The distinct appearances of a picture, and their numbers.
#[derive(Debug, Default)]
pub(crate) struct Looks {
    pub list: Vec<Look>,
}

impl Looks {
    /// The number of an appearance, which is added if it is new.
    pub fn number(&mut self, look: Look) -> usize {
        self.list.iter().position(|known| *known == look).unwrap_or_else(|| {
            self.list.push(look);
            self.list.len() - 1
        })
    }
}

/// sRGB to linear.
pub(crate) fn linear(color: [f64; 3]) -> [f64; 3] {
    let part = |c: f64| if c <= 0.04045 { c / 12.92 } else { libm::pow((c + 0.055) / 1.055, 2.4) };
    color.map(part)
}

/// Linear to sRGB.
pub(crate) fn encoded(light: [f64; 3]) -> [f64; 3] {
    let part = |c: f64| if c <= 0.003_130_8 { c * 12.92 } else { 1.055 * libm::pow(c, 1.0 / 2.4) - 0.055 };
    light.map(|c| part(c.clamp(0.0, 1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Solid;

    #[test]
    fn names_are_found_by_their_words_and_not_inside_others() {
        assert_eq!(Look::of_material("structural Steel S355").grain, Grain::Brushed);
        assert_eq!(Look::of_material("cast_iron").grain, Grain::Speckled);
        assert_eq!(Look::of_material("Stainless steel").roughness, 0.15);
        assert_eq!(Look::of_material("device"), UNKNOWN);
        assert_eq!(Look::of_material(""), UNKNOWN);
        assert!(Look::of_material("ice").clearness > 0.0);
    }

    #[test]
    fn what_the_scene_gives_wins() {
        let color = Some([0.1, 0.2, 0.3]);
        let solid = Solid { material: "oak".into(), color, metalness: Some(0.5), ..Solid::default() };
        let look = solid.look();
        assert_eq!((look.color, look.metalness), ([0.1, 0.2, 0.3], 0.5));
        assert_eq!((look.grain, look.roughness), (Grain::Wood, 0.55));
    }

    #[test]
    fn encoding_undoes_linear() {
        for value in [0.0, 0.02, 0.2, 0.5, 1.0] {
            assert!((encoded(linear([value; 3]))[0] - value).abs() < 1e-6);
        }
    }
}
