/**
 * Scenes in water for the stand-in server: a box, a buoy and a pile in a calm sea, in a regular Stokes wave, in an irregular sea of 100
 * components, and in a shallow basin. Bodies follow the surface: z = η at the middle, tilted by the slope of η over the length of the
 * body. Nothing is stepped, so every moment can be shown.
 */
import { elevation } from "./view/waves";
import type { Body, Fluid, Scene, Shape, Turn, Vec3, WaveComponent, Waves } from "./protocol";

const straight: Turn = [1, 0, 0, 0];
const GRAVITY = 9.81;
const BLUE: Vec3 = [0.08, 0.33, 0.4];

const box = (size: Vec3, at: Vec3, color: Vec3, material: string): Shape => ({ form: "box", size, at, turn: straight, color, material });
const rod = (radius: number, length: number, at: Vec3, color: Vec3, material: string): Shape => ({ form: "cylinder", radius, length, at, turn: straight, color, material });

/** Where each body is without waves, and the length over which it feels the slope; null for what does not float. */
const BODIES: { body: Omit<Body, "id">; at: Vec3; length: number | null }[] = [
  {
    body: { name: "box", kind: "dynamic", mass: 9000, shapes: [box([6, 3, 2], [0, 0, 0], [0.78, 0.3, 0.16], "steel"), box([1.6, 1.8, 1.4], [-1.6, 0, 1.7], [0.9, 0.9, 0.86], "steel")] },
    at: [0, 0, 0.1],
    length: 6,
  },
  { body: { name: "buoy", kind: "dynamic", mass: 300, shapes: [{ form: "sphere", radius: 0.8, at: [0, 0, 0], turn: straight, color: [0.95, 0.75, 0.1], material: "plastic" }, rod(0.08, 2.4, [0, 0, 1.2], [0.2, 0.2, 0.2], "steel")] }, at: [7, -5, 0.1], length: 1.6 },
  { body: { name: "pile", kind: "static", mass: 0, shapes: [rod(0.5, 12, [0, 0, 0], [0.55, 0.42, 0.3], "wood")] }, at: [-7, 4, -2], length: null },
  { body: { name: "sunken block", kind: "static", mass: 0, shapes: [box([2, 2, 2], [0, 0, 0], [0.85, 0.8, 0.2], "plastic")] }, at: [5, 4, -2.2], length: null },
];

/** An irregular sea: amplitudes of a spectrum like that of Pierson and Moskowitz, directions within 40° of x, phases in steps of the golden angle. */
function sea(count: number, height: number, peak: number): WaveComponent[] {
  const parts = Array.from({ length: count }, (_, i): WaveComponent => {
    const w = peak * (0.6 + (2.4 * (i + 0.5)) / count);
    const angle = 0.7 * Math.sin(2.399963 * 7 * i);
    return [Math.sqrt(w ** -5 * Math.exp(-1.25 * (peak / w) ** 4)), w, (w * w) / GRAVITY, Math.cos(angle), Math.sin(angle), 2.399963 * i * i];
  });
  const scale = height / 4 / Math.sqrt(parts.reduce((sum, c) => sum + c[0] ** 2 / 2, 0));
  return parts.map(([a, ...rest]) => [a * scale, ...rest]);
}

const K = (2 * Math.PI) / 22;
const regular: Waves = { components: [[0.7, Math.sqrt(GRAVITY * K), K, 1, 0, 0]], ramp: 2, stokes: 0.5 * K * 0.7 ** 2 };

const scene = (id: string, title: string, waves: Waves | undefined, depth?: number): Scene => ({
  type: "scene",
  id,
  title,
  file: `${id}.toml`,
  text: `title = "${title}"\n`,
  dt: 1 / 60,
  gravity: [0, 0, -GRAVITY],
  bodies: BODIES.map(({ body }, i) => ({ ...body, id: i })),
  lines: [],
  joints: [],
  inputs: [],
  cameras: [],
  bounds: { low: [-9, -8, -4], high: [9, 8, 4] },
  fluids: [{ name: "water", level: 0, color: BLUE, ...(depth !== undefined && { depth }), ...(waves && { waves }) }],
});

export const AFLOAT: Scene[] = [
  scene("afloat-calm", "Afloat in calm water", undefined),
  scene("afloat-regular", "Afloat in regular waves", regular),
  scene("afloat-sea", "Afloat in an irregular sea", { components: sea(100, 2, 1), ramp: 2 }),
  scene("afloat-basin", "Afloat in a basin", undefined, 4),
];

/** Places of the bodies at a time: x y z, w x y z. */
export function floating(scene: Scene, time: number): Float32Array {
  const fluid: Fluid = scene.fluids![0]!;
  return new Float32Array(
    BODIES.flatMap(({ at: [x, y, z], length }) => {
      if (length === null) return [x, y, z, ...straight];
      const at = (dx: number, dy: number) => elevation(fluid, x + dx, y + dy, time);
      const half = length / 2;
      const [sx, sy] = [(at(half, 0) - at(-half, 0)) / length, (at(0, half) - at(0, -half)) / length];
      // the turn from z to the normal of the slope, for small angles
      const norm = Math.hypot(1, sx / 2, sy / 2);
      return [x, y, z + fluid.level + at(0, 0), 1 / norm, sy / 2 / norm, -sx / 2 / norm, 0];
    }),
  );
}
