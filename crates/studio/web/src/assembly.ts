/** Can it be assembled? What the panel and the view make of the server's check, and what its buttons send. */
import { computed } from "@preact/signals";
import * as store from "./store";
import { send } from "./link";
import { chooseFile, readText } from "./textfile";
import { POINT_FLOATS, type Check, type LineFrame, type Vec3 } from "./protocol";

/** The check of the part. Its status comes ten times a second; this changes only when the check does. */
const checkText = computed(() => JSON.stringify(store.status.value?.check ?? null));
export const check = computed(() => JSON.parse(checkText.value) as Check | null);

/** The part that the selection means: one body or one cable. */
export function chosenPart(): { body: number } | { line: number } | null {
  const chosen = store.selected.value;
  if (chosen?.kind === "body") return { body: chosen.id };
  return chosen?.kind === "line" ? { line: chosen.id } : null;
}

/** From the start of the scene, so that playing it again meets the same moments. */
export function record() {
  send({ do: "reset" });
  send({ do: "path", action: "record" });
  send({ do: "play" });
}

/** The part, if it has run into something, and the points at which it did; what it rests on is left alone. */
export function inTouch(check: Check | null | undefined): { bodies: Set<number>; lines: Set<number>; points: Vec3[] } {
  const touching = check?.touching.filter((t) => !t.resting) ?? [];
  const ids = (kind: "body" | "line") => new Set(touching.filter((t) => t.a.kind === kind).map((t) => t.a.id));
  return { bodies: ids("body"), lines: ids("line"), points: touching.map((t) => t.point) };
}

/** A distance as one says it: in millimetres below a metre, an overlap as such. */
export function gap(metres: number): string {
  const size = Math.abs(metres);
  if (size < 5e-6) return "0 mm";
  const said = size >= 1 ? `${size.toFixed(2)} m` : `${(1000 * size).toFixed(size < 0.01 ? 2 : 1)} mm`;
  return metres < 0 ? `penetration ${said}` : said;
}

/** Length along the drawn pieces of a line to the place nearest to a point. */
export function lengthAlong(pieces: LineFrame[], point: Vec3): number {
  let best = { away: Infinity, along: 0 };
  let done = 0;
  for (const { points } of pieces) {
    for (let o = POINT_FLOATS; o < points.length; o += POINT_FLOATS) {
      const from = [0, 1, 2].map((k) => points[o - POINT_FLOATS + k]!);
      const way = [0, 1, 2].map((k) => points[o + k]! - from[k]!);
      const length = Math.hypot(...way);
      const dot = way.reduce((sum, w, k) => sum + w * (point[k]! - from[k]!), 0);
      const part = length > 0 ? Math.min(1, Math.max(0, dot / (length * length))) : 0;
      const away = Math.hypot(...way.map((w, k) => from[k]! + part * w - point[k]!));
      if (away < best.away) best = { away, along: done + part * length };
      done += length;
    }
  }
  return best.along;
}

/** The place at a length along the drawn pieces of a line. */
export function placeAlong(pieces: LineFrame[], along: number): Vec3 | null {
  let left = along;
  let last: Vec3 | null = null;
  for (const { points } of pieces) {
    for (let o = POINT_FLOATS; o < points.length; o += POINT_FLOATS) {
      const from = [0, 1, 2].map((k) => points[o - POINT_FLOATS + k]!);
      const to = [0, 1, 2].map((k) => points[o + k]!);
      const length = Math.hypot(...to.map((t, k) => t - from[k]!));
      if (left <= length && length > 0) return from.map((f, k) => f + ((to[k]! - f) * left) / length) as Vec3;
      left -= length;
      last = to as Vec3;
    }
  }
  return last;
}

/** Takes a hand path from a file that one chooses. */
export function choosePath() {
  chooseFile(".json", async (file) => {
    const text = await readText(file);
    if (text !== null) send({ do: "path", action: "import", text });
  });
}
