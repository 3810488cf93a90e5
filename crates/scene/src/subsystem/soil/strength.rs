//! Shear strength of a soil of a scene: the same everywhere, linear in its compaction, or after Bolton.

use crate::error::Problems;
use crate::text::soil::{Bolton, Soil as SoilText, StrengthAt};
use windlass_soil::ground::Soil;
use windlass_soil::ground::strength::{Strength, StrengthLaw};

/// The law of a soil that is like a known one, with the values that the scene gives.
pub(super) fn law(like: &Soil, text: &SoilText, p: &mut Problems) -> Option<StrengthLaw> {
    let friction = p.number_given("friction", &text.friction);
    let cohesion = p.number_given("cohesion", &text.cohesion);
    let (friction, cohesion) = (friction?, cohesion?);
    let bank = like.strength(like.void_ratio.bank, 0.0, false);
    let given =
        Strength { friction: friction.unwrap_or(bank.friction), cohesion: cohesion.unwrap_or(bank.cohesion) };
    let by_compaction = text.loose.is_some() || text.dense.is_some();
    if let Some(bolton) = &text.bolton {
        if by_compaction || friction.is_some() || cohesion.is_some() {
            let help = "give `bolton`, or `friction` and `cohesion`, or `loose` and `dense`";
            p.advise(bolton.critical.span(), "a soil with several laws of strength", help);
            return None;
        }
        return bolton_law(bolton, p);
    }
    if by_compaction {
        let loose = end("loose", &text.loose, given, p);
        let dense = end("dense", &text.dense, given, p);
        let (loose, dense) = (loose?, dense?);
        if loose.friction > dense.friction || loose.cohesion > dense.cohesion {
            let of = |at: &Option<StrengthAt>| {
                let at = at.as_ref()?;
                at.friction.as_ref().map(|n| n.span()).or(at.cohesion.as_ref().map(|n| n.span()))
            };
            let span = of(&text.loose).or(of(&text.dense)).unwrap_or(0..0);
            let help = "lower the friction and cohesion of `loose`, or raise those of `dense`";
            p.advise(span, "loose soil that is stronger than dense soil", help);
            return None;
        }
        return Some(StrengthLaw::Linear { loose, dense });
    }
    let is_given = friction.is_some() || cohesion.is_some();
    Some(if is_given { StrengthLaw::Constant(given) } else { like.strength })
}

/// Strength at an end of the range of void ratios; what it does not give is that of the soil.
fn end(name: &str, text: &Option<StrengthAt>, soil: Strength, p: &mut Problems) -> Option<Strength> {
    let Some(text) = text else { return Some(soil) };
    let friction = p.number_or(&format!("{name}.friction"), &text.friction, soil.friction);
    let cohesion = p.number_or(&format!("{name}.cohesion"), &text.cohesion, soil.cohesion);
    Some(Strength { friction: friction?, cohesion: cohesion? })
}

fn bolton_law(text: &Bolton, p: &mut Problems) -> Option<StrengthLaw> {
    let critical = p.number("bolton.critical", &text.critical)?;
    Some(StrengthLaw::Bolton { critical, plane_strain: text.plane_strain.unwrap_or(true) })
}
