/** Colours of grounds: of their soils, or of a number by a scale. */
import { LOOSE, ROCK, type SoilLook } from "./protocol";

export type Rgb = [number, number, number];
export type EarthMode = "soil" | "height" | "compaction" | "cut";
export const EARTH_MODES: { mode: EarthMode; label: string }[] = [
  { mode: "soil", label: "Ground: soil" },
  { mode: "height", label: "Ground: height" },
  { mode: "compaction", label: "Ground: compaction" },
  { mode: "cut", label: "Ground: cut and fill" },
];

/** How a soil looks: colour in the bank and loose, and its pattern: lumps per metre, their contrast, and how rough it is. */
export interface SoilColor {
  bank: Rgb;
  loose: Rgb;
  lumps: number;
  contrast: number;
}

const hex = (n: number): Rgb => [(n >> 16) / 255, ((n >> 8) & 255) / 255, (n & 255) / 255];
const soil = (bank: number, loose: number, lumps: number, contrast: number): SoilColor => ({ bank: hex(bank), loose: hex(loose), lumps, contrast });

/** The known soils. Loose clay and topsoil are moist within, loose sand is dry and light. */
const SOILS: Record<string, SoilColor> = {
  dry_sand: soil(0xc9aa78, 0xd2b688, 34, 0.35),
  wet_sand: soil(0x9c7f57, 0x8d7049, 30, 0.4),
  gravel: soil(0x938c82, 0x9d958a, 16, 1),
  clay: soil(0xa1724c, 0x8a5c3b, 6, 0.7),
  loam: soil(0x7c5f42, 0x6b4f35, 12, 0.8),
  topsoil: soil(0x654c37, 0x54402f, 13, 1),
  snow: soil(0xeaf0f5, 0xf4f8fb, 8, 0.15),
  muskeg: soil(0x4a3d2a, 0x3c3122, 11, 1),
};
const OTHER = SOILS.loam!;
const STONE = soil(0x77746f, 0x77746f, 3, 0.9);
/** Parts of names of soils that are not known. */
const NAMES: [RegExp, keyof typeof SOILS][] = [
  [/wet.*sand|sand.*wet/, "wet_sand"],
  [/sand/, "dry_sand"],
  [/gravel|stone|ballast|rubble|ore|coal|chip/, "gravel"],
  [/clay/, "clay"],
  [/snow/, "snow"],
  [/peat|muskeg|bog|moss/, "muskeg"],
  [/top|humus|garden|forest/, "topsoil"],
];

/** The colours of a soil: known by its name, by that of the soil that it is like, or by a part of its name. */
export function colorOf({ name, like }: Pick<SoilLook, "name" | "like">): SoilColor {
  const part = NAMES.find(([word]) => word.test(name.toLowerCase()))?.[1];
  return SOILS[name] ?? (like ? SOILS[like] : undefined) ?? (part ? SOILS[part] : undefined) ?? OTHER;
}

/** What a byte of a tile looks like. */
export function lookOf(soils: SoilLook[], byte: number): { color: Rgb; lumps: number; contrast: number; loose: boolean } {
  if (byte === ROCK) return { color: STONE.bank, lumps: STONE.lumps, contrast: STONE.contrast, loose: false };
  const known = soils[byte & ~LOOSE];
  const { bank, loose, lumps, contrast } = known ? colorOf(known) : OTHER;
  const isLoose = (byte & LOOSE) !== 0;
  return { color: isLoose ? loose : bank, lumps, contrast: isLoose ? Math.min(1, contrast * 1.4) : contrast, loose: isLoose };
}

/** Colours of numbers from 0 to 1. Compaction is green to blue as in the literature; cut is red, fill is blue. */
export const SCALES: Record<Exclude<EarthMode, "soil">, Rgb[]> = {
  height: [0x27517f, 0x3d8f9a, 0x8fbf86, 0xe3cf83, 0xc9814a, 0x8a4a2f].map(hex),
  compaction: [0xcfe28a, 0x7fc97a, 0x2fa09a, 0x2a6fb0, 0x1c3f86].map(hex),
  cut: [0x8f1d22, 0xd9653b, 0xecc09a, 0xd9d6d0, 0x9cc3e0, 0x3f86c4, 0x163f86].map(hex),
};

/** The colour at a part of a scale. */
export function onScale(scale: Rgb[], part: number): Rgb {
  const u = Math.min(1, Math.max(0, part)) * (scale.length - 1);
  const k = Math.min(scale.length - 2, Math.floor(u));
  return scale[k]!.map((a, c) => a + (u - k) * (scale[k + 1]![c]! - a)) as Rgb;
}

export const cssOf = (color: Rgb) => `rgb(${color.map((c) => Math.round(255 * c)).join(" ")})`;
export const gradientOf = (scale: Rgb[]) => `linear-gradient(to right, ${scale.map(cssOf).join(", ")})`;

/** 1, 2 or 5 times a power of ten, not below a value. */
export function niceEnd(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1e-9)));
  return Number(([1, 2, 5, 10].find((n) => n * power >= value * (1 - 1e-9))! * power).toPrecision(6));
}

/** Round ends of a scale of heights that holds these. */
export function heightSpan(low: number, high: number): [number, number] {
  const step = niceEnd(Math.max(high - low, 0.5) / 5);
  const from = Math.floor(low / step + 1e-6) * step;
  const to = Math.max(from + step, Math.ceil(high / step - 1e-6) * step);
  return [Number(from.toPrecision(6)), Number(to.toPrecision(6))];
}
