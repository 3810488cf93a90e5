/**
 * Components of waves become the elevation of the surface: η = r(t) Σ a cos θ, θ = k (d·x) − ω t + ε, r = 10s³ − 15s⁴ + 6s⁵, s = t/ramp
 * limited to 0…1. The second harmonic of a Stokes wave is one more term, with 2θ.
 */
import type { Fluid, Waves } from "../protocol";

/** A term of the sum: amplitude [m], frequency [rad/s], wavenumber along x and y [1/m], phase [rad]. */
export interface Term {
  amplitude: number;
  frequency: number;
  kx: number;
  ky: number;
  phase: number;
}

/** The terms of the sum, by increasing wavenumber. */
export function termsOf(waves: Waves | undefined): Term[] {
  const terms = (waves?.components ?? []).map(([amplitude, frequency, k, dx, dy, phase]) => ({ amplitude, frequency, kx: k * dx, ky: k * dy, phase }));
  const first = terms[0];
  if (first && waves?.stokes) terms.push({ amplitude: waves.stokes, frequency: 2 * first.frequency, kx: 2 * first.kx, ky: 2 * first.ky, phase: 2 * first.phase });
  return terms.sort((a, b) => Math.hypot(a.kx, a.ky) - Math.hypot(b.kx, b.ky));
}

/** Factor of all amplitudes at a time [s]. */
export function rampFactor(waves: Waves | undefined, t: number): number {
  if (!waves || !(waves.ramp > 0)) return 1;
  const s = Math.min(1, Math.max(0, t / waves.ramp));
  return s ** 3 * (10 - s * (15 - 6 * s));
}

/** Height of the surface above the level [m] at a horizontal position [m] and a time [s]. */
export function elevation(fluid: Fluid, x: number, y: number, t: number): number {
  const sum = termsOf(fluid.waves).reduce((eta, w) => eta + w.amplitude * Math.cos(w.kx * x + w.ky * y - w.frequency * t + w.phase), 0);
  return rampFactor(fluid.waves, t) * sum;
}

/** Half of the significant height 4 √(Σ a²/2) at full amplitude [m]. */
export function significantAmplitude(terms: Term[]): number {
  return 2 * Math.sqrt(terms.reduce((sum, w) => sum + (w.amplitude * w.amplitude) / 2, 0));
}
