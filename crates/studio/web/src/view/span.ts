/** The ends of the scale of tensions: it widens at once and narrows slowly, so that colours do not flicker. */
import * as store from "../store";
import { takesColour } from "./lines";

export function spanTension(lines: { id: number; points: Float32Array }[]) {
  const coloured = new Set(store.scene.value?.lines.filter(takesColour).map((line) => line.id));
  let low = Infinity;
  let high = -Infinity;
  for (const { id, points } of lines) {
    if (!coloured.has(id)) continue;
    for (let i = 3; i < points.length; i += 4) {
      low = Math.min(low, points[i]!);
      high = Math.max(high, points[i]!);
    }
  }
  if (low > high) return;
  const [a, b] = store.tensionSpan.value;
  const next: [number, number] = [low < a ? low : a + (low - a) * 0.02, high > b ? high : b + (high - b) * 0.02];
  if (Math.abs(next[0] - a) + Math.abs(next[1] - b) > 1e-3 * (b - a)) store.tensionSpan.value = next;
}
