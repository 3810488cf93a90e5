const STEPS: [number, string][] = [
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
  [1, ""],
  [1e-3, "m"],
  [1e-6, "µ"],
];

/** A number with a fitting prefix and three digits: 19620 N becomes 19.6 kN. */
export function quantity(value: number, unit: string): string {
  if (!Number.isFinite(value)) return `– ${unit}`;
  const size = Math.abs(value);
  if (size < 1e-9) return `0 ${unit}`;
  const [scale, prefix] = STEPS.find(([s]) => size >= s * 0.9995) ?? STEPS[STEPS.length - 1]!;
  return `${(value / scale).toPrecision(3).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "")} ${prefix}${unit}`.replace("-", "−");
}
