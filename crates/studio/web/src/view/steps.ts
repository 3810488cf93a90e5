/** A key → a step of the camera: angles [rad], parts of its distance, or a factor of it. */
export type CameraMove = { kind: "orbit" | "pan"; x: number; y: number } | { kind: "zoom"; factor: number };

const ANGLE = Math.PI / 36;
const PAN = 0.05;
const ZOOM = 1.15;
const WAYS: Record<string, [number, number]> = { Left: [-1, 0], Right: [1, 0], Up: [0, 1], Down: [0, -1] };

/** The eye goes where the arrow points, about the target or, with Shift, along with it. */
export function cameraMoves(name: string, shift: boolean): CameraMove | null {
  const way = WAYS[name];
  if (way) return shift ? { kind: "pan", x: PAN * way[0], y: PAN * way[1] } : { kind: "orbit", x: -ANGLE * way[0], y: ANGLE * way[1] };
  if (name === "+" || name === "=") return { kind: "zoom", factor: 1 / ZOOM };
  if (name === "-" || name === "_") return { kind: "zoom", factor: ZOOM };
  return null;
}
