//! Parameters become waves: a regular wave of first or second order, or a sea of many components.
//!
//! Stokes's second harmonic, with t = tanh kd, has the phase 2θ, the amplitude and the velocity
//!
//! ```text
//! a₂ = ¼ k a² (3 − t²)/t³        u₂ = b₂ cosh 2k(z + d)/sinh 2kd cos 2θ        b₂ = 3/2 a² ω k/(t sinh² kd)
//! ```
//!
//! and the pressure of a component with its amplitude and wave number. The amplitudes of a sea are all
//! a = H_s/√(8N), so that Σa²/2 = H_s²/16; or a √(−ln h) with h a hash in 0…1 (Rayleigh).

use std::f64::consts::TAU;

use glam::DVec2;

use super::rows::Rows;
use super::{
    Amplitudes, Component, Order, RegularWave, Sea, Spectrum, Water, WaveProblem, Waves, spectrum, wavenumber,
};
use crate::hash::{Purpose, uniform};

/// Largest number of components.
const MOST_COMPONENTS: usize = 10_000;

/// Steepness H/(λ tanh kd) at which waves break (Miche).
const BREAKING: f64 = 0.142;

/// Largest significant height as a part of the depth (Thornton and Guza 1982: H_rms = 0.42 d).
const DEPTH_LIMIT: f64 = 0.6;

/// Largest peak enhancement γ, and largest exponent of the spreading.
const LARGEST: [f64; 2] = [10.0, 1e6];

impl Waves {
    /// A regular wave.
    pub fn regular(wave: &RegularWave, water: Water) -> Result<Waves, WaveProblem> {
        check_water(water)?;
        let k = check_wave(wave.height, wave.period, wave.direction, water)?;
        if !wave.phase.is_finite() {
            return Err(WaveProblem::Phase(wave.phase));
        }
        let omega = TAU / wave.period;
        let first = Component {
            amplitude: 0.5 * wave.height,
            frequency: omega,
            wavenumber: k,
            direction: unit(wave.direction),
            phase: wave.phase,
        };
        let mut components = vec![first];
        let mut speeds = vec![first.amplitude * omega];
        if wave.order == Order::Stokes {
            let (second, speed) = second_harmonic(&first, water.depth)?;
            components.push(second);
            speeds.push(speed);
        }
        Ok(Waves::of(components, &speeds, water, TAU / k))
    }

    /// An irregular sea.
    pub fn sea(sea: &Sea, water: Water) -> Result<Waves, WaveProblem> {
        check_water(water)?;
        let peak = check_wave(sea.height, sea.period, sea.direction, water)?;
        check_sea(sea, water)?;
        let equal = sea.height / (8.0 * sea.components as f64).sqrt();
        let amplitude = |i: usize| match sea.amplitudes {
            Amplitudes::Equal => equal,
            Amplitudes::Rayleigh => {
                equal * (-libm::log(1.0 - uniform(sea.seed, i, Purpose::WaveAmplitude))).sqrt()
            }
        };
        let frequencies = spectrum::frequencies(sea, spectrum::gamma(sea));
        let directions = spectrum::directions(sea);
        let components: Vec<Component> = (0..sea.components)
            .map(|i| Component {
                amplitude: amplitude(i),
                frequency: frequencies[i],
                wavenumber: wavenumber(frequencies[i], water.depth, water.gravity),
                direction: unit(directions[i]),
                phase: TAU * uniform(sea.seed, i, Purpose::WavePhase),
            })
            .collect();
        let speeds: Vec<f64> = components.iter().map(|c| c.amplitude * c.frequency).collect();
        Ok(Waves::of(components, &speeds, water, TAU / peak))
    }

    /// Waves of components by increasing wave number, with their velocity amplitudes b [m/s].
    fn of(components: Vec<Component>, speeds: &[f64], water: Water, length: f64) -> Waves {
        let rows = Rows::new(&components, speeds, water.depth);
        Waves { components, rows, water, length, ramp: 0.0 }
    }
}

/// The second harmonic of a Stokes wave, and its velocity amplitude b₂ [m/s].
fn second_harmonic(first: &Component, depth: f64) -> Result<(Component, f64), WaveProblem> {
    let (a, k) = (first.amplitude, first.wavenumber);
    if !(k * depth > 1.0) {
        return Err(WaveProblem::StokesTooShallow(k * depth));
    }
    if !(a * k < 0.2) {
        return Err(WaveProblem::StokesTooSteep(a * k));
    }
    let tanh = libm::tanh(k * depth);
    let decay = libm::exp(-2.0 * k * depth);
    let inverse_square_sinh = 4.0 * decay / ((1.0 - decay) * (1.0 - decay));
    let second = Component {
        amplitude: 0.25 * k * a * a * (3.0 - tanh * tanh) / (tanh * tanh * tanh),
        frequency: 2.0 * first.frequency,
        wavenumber: 2.0 * k,
        direction: first.direction,
        phase: 2.0 * first.phase,
    };
    Ok((second, 1.5 * a * a * first.frequency * k * inverse_square_sinh / tanh))
}

fn unit(angle: f64) -> DVec2 {
    let (sin, cos) = libm::sincos(angle);
    DVec2::new(cos, sin)
}

fn check_water(water: Water) -> Result<(), WaveProblem> {
    if !(water.depth > 0.0) {
        return Err(WaveProblem::Depth(water.depth));
    }
    if !(water.gravity > 0.0 && water.gravity.is_finite()) {
        return Err(WaveProblem::Gravity(water.gravity));
    }
    Ok(())
}

/// The wave number of a period [rad/m], if a wave of this height does not break.
fn check_wave(height: f64, period: f64, direction: f64, water: Water) -> Result<f64, WaveProblem> {
    if !(period > 0.0 && period.is_finite()) {
        return Err(WaveProblem::Period(period));
    }
    if !(0.0..f64::INFINITY).contains(&height) {
        return Err(WaveProblem::Height(height));
    }
    if !direction.is_finite() {
        return Err(WaveProblem::Direction(direction));
    }
    let k = wavenumber(TAU / period, water.depth, water.gravity);
    let length = TAU / k;
    let limit = BREAKING * length * libm::tanh(k * water.depth);
    if height > limit {
        return Err(WaveProblem::Breaking { height, length, limit });
    }
    Ok(k)
}

fn check_sea(sea: &Sea, water: Water) -> Result<(), WaveProblem> {
    let limit = DEPTH_LIMIT * water.depth;
    if sea.height > limit {
        return Err(WaveProblem::DepthLimited { height: sea.height, depth: water.depth, limit });
    }
    if !(1..=MOST_COMPONENTS).contains(&sea.components) {
        return Err(WaveProblem::Components(sea.components));
    }
    if let Spectrum::Jonswap { gamma: Some(gamma) } = sea.spectrum
        && !(1.0..=LARGEST[0]).contains(&gamma)
    {
        return Err(WaveProblem::Gamma(gamma));
    }
    match sea.spreading {
        Some(exponent) if !(0.0..=LARGEST[1]).contains(&exponent) => Err(WaveProblem::Spreading(exponent)),
        _ => Ok(()),
    }
}
