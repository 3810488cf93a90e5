/** Round gauges and what a driver reads: scales, angles, gears, warnings, and how a wheel runs. */
import type { UnitSystem } from "../panels/units";
import type { Vehicle, VehicleState, WheelState } from "./protocol";

/** Angle of the two ends of a gauge from the upright, clockwise [°]. */
export const SWEEP = 130;

export interface Scale {
  max: number;
  /** Between two numbers. */
  step: number;
}

/** A scale up to at least a value, with four to eight round steps. */
export function scaleTo(value: number): Scale {
  const rough = Math.max(value, 1e-6) / 6;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((n) => n * power).find((s) => s >= rough * (1 - 1e-9))!;
  return { max: step * Math.ceil(value / step - 1e-9), step };
}

/** Angle of the needle at a value, held at the ends of the scale [°]. */
export function angleOf(value: number, max: number): number {
  return -SWEEP + 2 * SWEEP * Math.min(1, Math.max(0, value / max));
}

/** A point of a gauge at an angle and a distance from its middle. */
export function pointAt(angle: number, radius: number): [number, number] {
  const a = (angle * Math.PI) / 180;
  return [radius * Math.sin(a), -radius * Math.cos(a)];
}

/** The path of an arc between two angles. */
export function arc(from: number, to: number, radius: number): string {
  const [a, b] = [pointAt(from, radius), pointAt(to, radius)].map((p) => p.map((n) => n.toFixed(2)).join(" "));
  return `M${a}A${radius} ${radius} 0 ${to - from > 180 ? 1 : 0} 1 ${b}`;
}

/** Speed in the unit of the choice. */
export function speedUnit(system: UnitSystem): { name: string; size: number } {
  return system === "practical" ? { name: "km/h", size: 1 / 3.6 } : { name: "m/s", size: 1 };
}

export const RPM = Math.PI / 30;
/** Part of the largest speed of an engine at which the red range begins. */
export const RED = 0.95;

/** The first engine or electric motor. */
export function engineOf(vehicle: Vehicle): number | null {
  const find = (kind: string) => vehicle.components.findIndex((c) => c.kind === kind);
  const found = find("engine") >= 0 ? find("engine") : find("electric_motor");
  return found >= 0 ? found : null;
}

/** The gear as it stands on a lever, and the gear behind it; null without a gearbox or a hydrostatic circuit. */
export function gearOf(vehicle: Vehicle, state: VehicleState): { label: string; detail: string } | null {
  const at = vehicle.components.findIndex((c) => c.kind === "gearbox");
  if (at < 0) {
    const { stroke } = state.commands;
    if (!vehicle.components.some((c) => c.kind === "hydrostatic") || Number.isNaN(stroke)) return null;
    return { label: stroke > 0.01 ? "F" : stroke < -0.01 ? "R" : "N", detail: `${Math.round(100 * Math.abs(stroke))} %` };
  }
  const { setting, phase } = state.components[at]!;
  const gear = Math.round(setting);
  const name = (n: number) => (n < 0 ? "R" : n === 0 ? "N" : String(n));
  const changing = phase === 1 || phase === 2;
  if (!vehicle.components[at]!.automatic) return { label: name(gear), detail: changing ? "shifting" : phase === 3 ? "refused" : "" };
  const lever = Number.isNaN(state.commands.gear) ? gear : Math.round(state.commands.gear);
  const label = lever > 0 ? "D" : name(lever);
  return { label, detail: changing ? "shifting" : lever > 0 && gear > 0 ? name(gear) : "" };
}

/** What the driver has to know. */
export function warningsOf(vehicle: Vehicle, state: VehicleState): string[] {
  const out: string[] = [];
  vehicle.components.forEach((component, k) => {
    const { phase } = state.components[k]!;
    if (component.kind === "engine" && phase !== 2) out.push(phase === 3 ? "Stalled" : phase === 1 ? "Starting" : "Engine off");
    if (component.kind === "gearbox" && phase === 3) out.push("Gear refused");
    if (component.kind === "hydrostatic" && component.relief && Math.abs(state.components[k]!.slip) > 0.98 * component.relief) out.push("Relief valve open");
  });
  if (state.commands.parking_brake > 0.02) out.push("Parking brake");
  return out;
}

/** Fuel consumed by all engines [kg]; null without one. */
export function fuelOf(vehicle: Vehicle, state: VehicleState): number | null {
  const engines = vehicle.components.flatMap((c, k) => (c.kind === "engine" ? [state.components[k]!.total] : []));
  return engines.length > 0 ? engines.reduce((a, b) => a + b) : null;
}

export type Grip = "in the air" | "locked" | "spins" | "slides" | "grips";

/** Sliding speed from which on a tyre is said to slide [m/s]. */
const SLIDES = 0.3;

/** How a wheel runs. */
export function gripOf(wheel: WheelState): Grip {
  if (wheel.load <= 0) return "in the air";
  if (wheel.sliding < SLIDES) return "grips";
  return wheel.slip < -0.9 ? "locked" : wheel.slip > 0.3 ? "spins" : "slides";
}
