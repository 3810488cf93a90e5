/**
 * How much work a picture may be: as chosen, or found from the graphics and from the time that pictures take.
 *
 *   coarse  as low, with a quarter of the pixels
 *   low     diffuse light, no shadows, one pixel per pixel of the page
 *   medium  physically based light, clouds, shadows, patterns of the ground
 *   high    ambient occlusion as well
 */
import { computed, signal } from "@preact/signals";
import * as store from "../store";

export type Quality = "coarse" | "low" | "medium" | "high";
export type Choice = Quality | "auto";
export const CHOICES: { choice: Choice; label: string }[] = [
  { choice: "auto", label: "Picture quality: automatic" },
  { choice: "high", label: "Picture quality: high" },
  { choice: "medium", label: "Picture quality: medium" },
  { choice: "low", label: "Picture quality: low" },
  { choice: "coarse", label: "Picture quality: coarse" },
];

const asChoice = (text: string | null): Choice | null => CHOICES.find(({ choice }) => choice === text)?.choice ?? null;

/** The address decides for this visit, an earlier choice for those after it. */
export const choice = signal<Choice>(asChoice(new URLSearchParams(globalThis.location?.search).get("quality")) ?? asChoice(store.remembered("quality")) ?? "auto");
const found = signal<Quality>("high");
export const quality = computed<Quality>(() => (choice.value === "auto" ? found.value : choice.value));

/** Whether a quality has physically based light, shadows and patterns. */
export const isFine = (quality: Quality) => quality === "medium" || quality === "high";
export const fine = computed(() => isFine(quality.value));

/** Pixels of the picture per pixel of the page, along an edge. */
export function pixelRatio(quality: Quality): number {
  if (isFine(quality)) return Math.min(2, globalThis.devicePixelRatio);
  return quality === "low" ? 1 : 0.5;
}

export function choose(next: Choice) {
  choice.value = next;
  store.remember("quality", next);
}

/** Programs that draw without graphics hardware. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** Begins low where there is no graphics hardware. Asked of a canvas of its own: whether edges are smoothed is decided when the picture's is made. */
export function judge() {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) return;
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  if (SOFTWARE.test(name)) found.value = "low";
  gl.getExtension("WEBGL_lose_context")?.loseContext();
}

/** Pictures per second below which the quality is lowered: 30 is the aim, with a margin so that it is not lowered for a trifle. */
const SLOWEST = 24;
/** Time and pictures after which the quality is judged [ms]. */
const SPAN = 2000;
const PICTURES = 9;
/** A longer pause is not slowness: the page was hidden [ms]. */
const PAUSE = 3000;
/** The next lower quality; there is none below the last. */
const LOWER: Partial<Record<Quality, Quality>> = { high: "medium", medium: "low", low: "coarse" };

/**
 * Watches the time that pictures take, and lowers the quality where that of half of them is too long: a scene that is loaded makes one
 * of them slow. It is not raised again by itself, or it would go up and down.
 */
export class Pace {
  private last = 0;
  private times: number[] = [];

  /** A turn of the page. The time since the last one counts if that one had a picture: a page at rest draws none. */
  turn(now: number, drew: boolean) {
    const time = now - this.last;
    this.last = now;
    if (!drew || choice.value !== "auto" || !LOWER[found.value]) return;
    if (time > PAUSE) this.times = [];
    else this.times.push(time);
    const span = this.times.reduce((sum, t) => sum + t, 0);
    if (this.times.length < PICTURES || span < SPAN) return;
    const median = this.times.sort((a, b) => a - b)[this.times.length >> 1]!;
    this.times = [];
    if (median > 1000 / SLOWEST) found.value = LOWER[found.value]!;
  }
}
