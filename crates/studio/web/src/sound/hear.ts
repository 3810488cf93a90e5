/**
 * State of the simulation → parameters of sounds, without any audio: motors by the rates of the inputs, impacts by the rise of
 * contact forces, ropes that go slack by tension that falls to zero. All levels are from 0 to 1.
 */
import { ARROW_FLOATS, POINT_FLOATS, type Frame, type Input } from "../protocol";

/** A motor that runs: one for each input. */
export interface Motor {
  name: string;
  level: number;
  /** [Hz] */
  pitch: number;
}

/** A sound of short duration. */
export interface Blow {
  level: number;
  /** [Hz] */
  pitch: number;
}

/** Pitch of a motor that just starts, and the interval between the motors of a scene. */
const IDLE = 55;
const APART = 2 ** (5 / 12);
/** Share of its greatest rate below which an input counts as at rest. */
const STILL = 0.01;
/** Time in which an input that is a position covers its range at full rate [s]. */
const SWEEP = 3;

/** Rate of an input as a share of its greatest, from 0 to 1: a self-centring input is a rate itself, another one is a position. */
export function rateShare(input: Input, value: number, before: number, seconds: number): number {
  const span = input.high - input.low;
  if (!(span > 0)) return 0;
  if (input.self_centering) {
    const most = Math.max(input.high - input.rest, input.rest - input.low);
    return most > 0 ? Math.min(1, Math.abs(value - input.rest) / most) : 0;
  }
  return seconds > 0 ? Math.min(1, (Math.abs(value - before) / span / seconds) * SWEEP) : 0;
}

/** Motors of all inputs: louder and two octaves higher at full rate than at rest, where they are silent. */
export function motors(inputs: Input[], now: Record<string, [number, number]>, before: Record<string, [number, number]>, seconds: number): Motor[] {
  return inputs.map((input, i) => {
    const value = now[input.name]?.[1] ?? input.rest;
    const share = rateShare(input, value, before[input.name]?.[1] ?? value, seconds);
    const runs = share >= STILL;
    return { name: input.name, level: runs ? 0.25 + 0.75 * share : 0, pitch: IDLE * APART ** (i % 4) * 4 ** share };
  });
}

/** Number of contacts that press, and the sum of their forces [N]. */
export interface Pressing {
  count: number;
  force: number;
}

export function pressing(frame: Frame): Pressing {
  let force = 0;
  for (let i = 0; i < frame.contacts.length; i += ARROW_FLOATS) force += Math.hypot(frame.contacts[i + 3]!, frame.contacts[i + 4]!, frame.contacts[i + 5]!);
  return { count: frame.contacts.length / ARROW_FLOATS, force };
}

/**
 * The blow between two frames, or null: the force rises by at least the part HIT of the weight of the moving bodies [N], and by
 * half of what it was. Bodies that settle make no sound. Louder by the logarithm of the rise, and lower for heavy machines.
 */
const HIT = 0.1;
export function impact(before: Pressing, now: Pressing, weight: number): Blow | null {
  const rise = now.force - before.force;
  const firm = Math.max(HIT * weight, 1e-3);
  const more = now.count > before.count ? 0.25 : 0.5;
  if (!(rise > firm) || rise < more * before.force) return null;
  const level = Math.min(1, 0.25 + 0.3 * Math.log10(rise / firm));
  return { level, pitch: Math.min(1200, Math.max(60, 700 / (1 + weight / 500) ** 0.35)) };
}

/** Greatest tension of each line [N]. */
export function tensions(frame: Frame): Map<number, number> {
  const most = new Map<number, number>();
  for (const { id, points } of frame.lines) {
    let high = most.get(id) ?? 0;
    for (let i = 3; i < points.length; i += POINT_FLOATS) high = Math.max(high, points[i]!);
    most.set(id, high);
  }
  return most;
}

/** Part of the greatest tension a line has had, below which it is slack. */
const SLACK = 0.01;
/** Lines that fell slack between two frames, by how much tension each lost; `most` is the greatest tension each has had. */
export function slackened(before: Map<number, number>, now: Map<number, number>, most: Map<number, number>): Blow[] {
  const blows: Blow[] = [];
  for (const [id, tension] of now) {
    const had = before.get(id) ?? 0;
    const limit = SLACK * (most.get(id) ?? 0);
    if (had > limit && tension <= limit) blows.push({ level: Math.min(1, 0.3 + 0.7 * (had / (most.get(id) || 1))), pitch: 180 });
  }
  return blows;
}

/** Weight of the bodies that move [N]: the scale of impacts. */
export function movingWeight(bodies: { kind: string; mass: number }[]): number {
  return 9.81 * bodies.reduce((sum, b) => (b.kind === "dynamic" && Number.isFinite(b.mass) ? sum + b.mass : sum), 0);
}
