/**
 * Numbers as people read them: in SI units with prefixes, or in practical units (°, rpm, mm, t, bar), by choice. Values are in SI units
 * throughout; what is typed into fields and texts stays as it is written.
 */
import { effect, signal } from "@preact/signals";
import { remember, remembered } from "../store";

export type UnitSystem = "si" | "practical";
export const unitSystem = signal<UnitSystem>(remembered("units") === "practical" ? "practical" : "si");
effect(() => void remember("units", unitSystem.value));

/** A unit and its size in SI units. */
export interface Unit {
  name: string;
  size: number;
}

const PREFIXES: [number, string][] = [
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
  [1, ""],
  [1e-3, "m"],
  [1e-6, "µ"],
];

/** Units that take no prefix. */
const PLAIN = new Set(["", "1", "kg", "rad", "rad/s", "1/m", "rad/m", "%"]);

/** Practical units by SI unit, the largest first; a value is shown in the first that it is not below, or not below `from`. */
const PRACTICAL: Record<string, (Unit & { from?: number })[]> = {
  m: [
    { name: "km", size: 1e3, from: 1e4 },
    { name: "m", size: 1 },
    { name: "mm", size: 1e-3 },
  ],
  kg: [
    { name: "t", size: 1e3 },
    { name: "kg", size: 1 },
    { name: "g", size: 1e-3 },
  ],
  rad: [{ name: "°", size: Math.PI / 180 }],
  "rad/s": [{ name: "rpm", size: Math.PI / 30 }],
  "m/s": [
    { name: "m/s", size: 1, from: 0.1 },
    { name: "mm/s", size: 1e-3 },
  ],
  Pa: [{ name: "bar", size: 1e5 }],
  N: [
    { name: "kN", size: 1e3 },
    { name: "N", size: 1 },
  ],
  "N·m": [
    { name: "kN·m", size: 1e3 },
    { name: "N·m", size: 1 },
  ],
};
/** A unit in ASCII, as probes have it, in print: "N*m" becomes "N·m". */
export function printed(unit: string): string {
  return unit.replaceAll("*", "·").replaceAll("^2", "²").replaceAll("^3", "³").replace(/^us$/, "µs");
}

/** The unit in which values of a size are shown. */
export function unitFor(unit: string, size: number, system: UnitSystem = unitSystem.value): Unit {
  const name = printed(unit);
  const practical = system === "practical" ? PRACTICAL[name] : undefined;
  // a value that rounds to the unit is shown in it
  const fits = (from: number) => Math.abs(size) >= from * 0.9995;
  if (practical) {
    const least = practical[practical.length - 1]!;
    const found = practical.find((u) => (Math.abs(size) < 1e-9 ? u.size === 1 : fits(u.from ?? u.size))) ?? least;
    return { name: found.name, size: found.size };
  }
  if (PLAIN.has(name) || Math.abs(size) < 1e-9 || name.startsWith("µ")) return { name, size: 1 };
  const [scale, prefix] = PREFIXES.find(([s]) => fits(s)) ?? PREFIXES[PREFIXES.length - 1]!;
  return { name: prefix + name, size: scale };
}

/** Three digits, without zeros at the end; numbers of four digits and more in full. */
export function digits(value: number): string {
  if (value === 0) return "0";
  const text = Math.abs(value) >= 1000 && Math.abs(value) < 1e7 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
  return text.replace("-", "−");
}

/** A number with a fitting unit and three digits: 19620 N becomes 19.6 kN. */
export function quantity(value: number, unit: string, system: UnitSystem = unitSystem.value): string {
  if (!Number.isFinite(value)) return `– ${printed(unit)}`.trim();
  const { name, size } = unitFor(unit, value, system);
  const shown = Math.abs(value) < 1e-9 ? "0" : digits(value / size);
  return `${shown} ${name}`.trim();
}
