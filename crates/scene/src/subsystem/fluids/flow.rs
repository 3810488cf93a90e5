//! Text of a fluid → its density, surface, waves, current and wind.

use crate::error::Problems;
use crate::material::Materials;
use crate::number::{Coefficient, Number};
use crate::text::Entry;
use crate::text::fluid as text;
use std::ops::Range;
use toml::Spanned;
use windlass_fluid::Fluid;
use windlass_fluid::current::{Current, CurrentProfile, TIDAL_EXPONENT, WIND_DRIVEN_REACH};
use windlass_fluid::gust::Gusts;
use windlass_fluid::medium::GAS;
use windlass_fluid::schedule::TimeFactor;
use windlass_fluid::waves::{Amplitudes, Order, RegularWave, Sea, Spectrum, Water, Waves};
use windlass_fluid::wind::{Wind, WindProfile, WindSpec};

/// Number of components of seas and gusts unless given.
const COMPONENTS: u32 = 100;
/// Exponent of the wind profile over the open sea (0.11 to 0.14).
const SEA_EXPONENT: f64 = 0.12;
/// Roughness length of open land [m].
const LAND_ROUGHNESS: f64 = 0.05;

/// A fluid, checked.
pub(super) fn fluid(
    entry: &Entry<text::Fluid>,
    gravity: f64,
    materials: &Materials,
    p: &mut Problems,
) -> Option<Fluid> {
    let text = &entry.value;
    let material = match &text.material {
        Some(name) => Some(materials.find(name, p)?.density),
        None => None,
    };
    let density = match (&text.density, material) {
        (Some(density), _) => p.number("density", density),
        (None, Some(density)) => Some(density),
        (None, None) => {
            let help = "give material = \"water\", \"seawater\" or \"air\", or density = …";
            p.advise(entry.span.clone(), format!("fluid \"{}\" has no density", entry.name), help);
            None
        }
    };
    let level = p.number_given("surface", &text.surface);
    let depth = p.number_or("depth", &text.depth, f64::INFINITY);
    if let (Some(waves), None) = (&text.waves, &text.surface) {
        p.advise(
            waves.span(),
            format!("fluid \"{}\" has waves but no surface", entry.name),
            "give surface = 0",
        );
        return None;
    }
    if let (Some(wind), Some(density)) = (&text.wind, density.filter(|density| *density >= GAS)) {
        let message = format!("fluid \"{}\" of {density} kg/m³ is a liquid, and has wind", entry.name);
        let help = "give the wind to a gas: [fluids.air] with material = \"air\"; a liquid has a `current`";
        p.advise(wind.span(), message, help);
        return None;
    }
    let water = Water { depth: depth?, gravity };
    let waves = optional(&text.waves, p, |waves, p| self::waves(waves, water, p));
    let current = optional(&text.current, p, |current, p| self::current(current, water.depth, p));
    let wind = optional(&text.wind, p, self::wind);
    let (waves, current, wind) = (waves?, current?, wind?);
    Some(Fluid {
        name: entry.name.clone(),
        density: density?,
        level: level?,
        depth: water.depth,
        waves,
        current,
        wind,
    })
}

/// A part that may be absent; the outer none if it is wrong.
fn optional<T, V>(
    text: &Option<Spanned<T>>,
    p: &mut Problems,
    read: impl FnOnce(&Spanned<T>, &mut Problems) -> Option<V>,
) -> Option<Option<V>> {
    match text {
        Some(text) => read(text, p).map(Some),
        None => Some(None),
    }
}

/// Reports the first of some keys that is given but has no effect.
fn refuse(keys: &[(&str, Option<Range<usize>>)], (of, help): (&str, &str), p: &mut Problems) -> Option<()> {
    let Some((key, span)) = keys.iter().find_map(|(key, span)| Some((key, span.clone()?))) else {
        return Some(());
    };
    p.advise(span, format!("{of} has no `{key}`"), help);
    None
}

/// Position of a number, if it is given.
fn place<U>(number: &Option<Number<U>>) -> Option<Range<usize>> {
    number.as_ref().map(Number::span)
}

fn seed(number: &Option<Number<Coefficient>>, p: &mut Problems) -> Option<u64> {
    p.whole_or("seed", number, 0..=u32::MAX, 1).map(u64::from)
}

fn components(number: &Option<Number<Coefficient>>, p: &mut Problems) -> Option<usize> {
    p.whole_or("components", number, 1..=10_000, COMPONENTS).map(|count| count as usize)
}

fn waves(spanned: &Spanned<text::Waves>, water: Water, p: &mut Problems) -> Option<Waves> {
    let text = spanned.get_ref();
    let (height, period) = (p.number("height", &text.height), p.number("period", &text.period));
    let direction = p.number_or("direction", &text.direction, 0.0);
    let phase = p.number_or("phase", &text.phase, 0.0);
    let order = p.whole_or("order", &text.order, 1..=2, 1);
    let gamma = p.number_given("peak_enhancement", &text.peak_enhancement);
    let spreading = p.number_given("spreading", &text.spreading);
    let (count, seed) = (components(&text.components, p), seed(&text.seed, p));
    let ramp = p.number_or("ramp", &text.ramp, 0.0)?;
    let (height, period, direction) = (height?, period?, direction?);
    let made = match text.spectrum {
        None => {
            let sea_keys = [
                ("spreading", place(&text.spreading)),
                ("components", place(&text.components)),
                ("seed", place(&text.seed)),
                ("peak_enhancement", place(&text.peak_enhancement)),
            ];
            let help = "give spectrum = \"jonswap\" or \"pierson-moskowitz\", or leave it out";
            refuse(&sea_keys, ("a regular wave", help), p)?;
            let order = if order? == 2 { Order::Stokes } else { Order::Airy };
            Waves::regular(&RegularWave { height, period, direction, phase: phase?, order }, water)
        }
        Some(spectrum) => {
            let wave_keys = [("order", place(&text.order)), ("phase", place(&text.phase))];
            let help = "leave it out, or leave `spectrum` out for a regular wave";
            refuse(&wave_keys, ("a sea", help), p)?;
            if spectrum == text::Spectrum::PiersonMoskowitz {
                let keys = [("peak_enhancement", place(&text.peak_enhancement))];
                let help = "leave it out, or give spectrum = \"jonswap\"";
                refuse(&keys, ("a Pierson–Moskowitz spectrum", help), p)?;
            }
            let spectrum = match spectrum {
                text::Spectrum::Jonswap => Spectrum::Jonswap { gamma: gamma? },
                text::Spectrum::PiersonMoskowitz => Spectrum::PiersonMoskowitz,
            };
            let (spreading, components, seed) = (spreading?, count?, seed?);
            let amplitudes = Amplitudes::Equal;
            let sea = Sea { spectrum, height, period, direction, spreading, components, seed, amplitudes };
            Waves::sea(&sea, water)
        }
    };
    match made.and_then(|waves| waves.with_ramp(ramp)) {
        Ok(waves) => Some(waves),
        Err(e) => {
            p.push(spanned.span(), e.to_string(), None);
            None
        }
    }
}

fn current(spanned: &Spanned<text::Current>, depth: f64, p: &mut Problems) -> Option<Current> {
    let text = spanned.get_ref();
    let profile = match (&text.velocity, &text.depths, &text.velocities) {
        (Some(velocity), None, None) => {
            let surface = p.vector("velocity", velocity)?;
            let profile = text.profile.unwrap_or_default();
            if profile != text::CurrentProfile::Power {
                let help = "give profile = \"power\", or leave it out";
                refuse(&[("exponent", place(&text.exponent))], ("this profile of the current", help), p)?;
            }
            match profile {
                text::CurrentProfile::Uniform => CurrentProfile::Uniform(surface),
                text::CurrentProfile::Power => {
                    if !depth.is_finite() {
                        let help = "give the fluid a `depth`";
                        p.advise(spanned.span(), "a power law of the current needs the depth", help);
                        return None;
                    }
                    let exponent = p.number_or("exponent", &text.exponent, TIDAL_EXPONENT)?;
                    CurrentProfile::Power { surface, exponent }
                }
                text::CurrentProfile::WindDriven => {
                    CurrentProfile::WindDriven { surface, reach: WIND_DRIVEN_REACH }
                }
            }
        }
        (None, Some(depths), Some(velocities)) => {
            if text.profile.is_some() {
                let help = "give `velocity` and `profile`, or `depths` and `velocities`";
                p.advise(spanned.span(), "the profile of the current is given twice", help);
                return None;
            }
            let help = "leave it out, or give `velocity` and profile = \"power\"";
            refuse(&[("exponent", place(&text.exponent))], ("a table of depths", help), p)?;
            let at = p.numbers("depths", depths);
            let velocities: Vec<_> = velocities.iter().map(|v| p.vector("velocities", v)).collect();
            let (at, velocities) = (at?, velocities.into_iter().collect::<Option<Vec<_>>>()?);
            if at.len() != velocities.len() {
                let message = format!("{} depths and {} velocities are given", at.len(), velocities.len());
                p.advise(depths.span(), message, "give as many of both");
                return None;
            }
            CurrentProfile::Table(at.into_iter().zip(velocities).collect())
        }
        _ => {
            let help = "give `velocity`, or `depths` and `velocities`";
            p.advise(spanned.span(), "the current has no velocity, or two", help);
            return None;
        }
    };
    let factor = time_factor(spanned, p)?;
    match Current::new(profile, factor) {
        Ok(current) => Some(current),
        Err(e) => {
            p.push(spanned.span(), e.to_string(), None);
            None
        }
    }
}

/// The factor of a current that depends on time.
fn time_factor(spanned: &Spanned<text::Current>, p: &mut Problems) -> Option<TimeFactor> {
    let text = spanned.get_ref();
    let given = [text.ramp.is_some(), text.sine.is_some(), text.times.is_some() || text.factors.is_some()];
    if given.iter().filter(|given| **given).count() > 1 {
        let help = "give one of `ramp`, `sine`, and `times` with `factors`";
        p.advise(spanned.span(), "the current changes with time in two ways", help);
        return None;
    }
    if let Some(sine) = &text.sine {
        let text::CurrentSine { mean, amplitude, frequency, phase } = sine.get_ref();
        let (mean, amplitude) = (p.number_or("mean", mean, 0.0), p.number_or("amplitude", amplitude, 1.0));
        let (frequency, phase) = (p.number("frequency", frequency), p.number_or("phase", phase, 0.0));
        let (mean, amplitude, frequency, phase) = (mean?, amplitude?, frequency?, phase?);
        return Some(TimeFactor::Sine { mean, amplitude, frequency, phase });
    }
    Some(match (&text.times, &text.factors) {
        (Some(times), Some(factors)) => {
            let (t, f) = (p.numbers("times", times)?, p.numbers("factors", factors)?);
            if t.len() != f.len() {
                let message = format!("{} times and {} factors are given", t.len(), f.len());
                p.advise(times.span(), message, "give as many of both");
                return None;
            }
            TimeFactor::Table(t.into_iter().zip(f).collect())
        }
        (None, None) => match p.number_or("ramp", &text.ramp, 0.0)? {
            0.0 => TimeFactor::Constant(1.0),
            end => TimeFactor::Ramp { from: 0.0, to: 1.0, start: 0.0, end },
        },
        _ => {
            p.advise(spanned.span(), "`times` and `factors` belong together", "give both, or none");
            return None;
        }
    })
}

fn wind(spanned: &Spanned<text::Wind>, p: &mut Problems) -> Option<Wind> {
    let text = spanned.get_ref();
    let (speed, height) = (p.number("speed", &text.speed), p.number_or("height", &text.height, 10.0));
    let direction = p.number_or("direction", &text.direction, 0.0);
    let exponent = p.number_or("exponent", &text.exponent, SEA_EXPONENT);
    let roughness = p.number_or("roughness", &text.roughness, LAND_ROUGHNESS);
    let given = text.profile.unwrap_or_default();
    if given != text::WindProfile::Power {
        let help = "give profile = \"power\", or leave it out";
        refuse(&[("exponent", place(&text.exponent))], ("this profile of the wind", help), p)?;
    }
    if given != text::WindProfile::Logarithmic {
        let help = "give profile = \"logarithmic\", or leave it out";
        refuse(&[("roughness", place(&text.roughness))], ("this profile of the wind", help), p)?;
    }
    let gusts = match &text.gusts {
        Some(gusts) => self::gusts(gusts, p),
        None => Some(Gusts::None),
    };
    let profile = match given {
        text::WindProfile::Uniform => WindProfile::Uniform,
        text::WindProfile::Power => WindProfile::Power { exponent: exponent? },
        text::WindProfile::Logarithmic => WindProfile::Logarithmic { roughness: roughness? },
        text::WindProfile::Froya => WindProfile::Froya,
    };
    let spec = WindSpec { speed: speed?, height: height?, direction: direction?, profile, gusts: gusts? };
    match Wind::new(&spec) {
        Ok(wind) => Some(wind),
        Err(e) => {
            p.push(spanned.span(), e.to_string(), None);
            None
        }
    }
}

fn gusts(text: &text::Gusts, p: &mut Problems) -> Option<Gusts> {
    match text {
        text::Gusts::Discrete { rise, start, duration } => {
            let (rise, start) = (p.number("rise", rise), p.number_or("start", start, 0.0));
            let duration = p.number("duration", duration);
            Some(Gusts::Discrete { rise: rise?, start: start?, duration: duration? })
        }
        text::Gusts::Froya { components: count, seed: number } => {
            let (components, seed) = (components(count, p), seed(number, p));
            Some(Gusts::Froya { components: components?, seed: seed? })
        }
        text::Gusts::Kaimal { deviation, length, components: count, seed: number } => {
            let (deviation, length) = (p.number("deviation", deviation), p.number("length", length));
            let (components, seed) = (components(count, p), seed(number, p));
            let (deviation, length) = (deviation?, length?);
            Some(Gusts::Kaimal { deviation, length, components: components?, seed: seed? })
        }
    }
}
