/**
 * How much work a picture may be: as chosen, or found from the graphics and from the time that pictures take.
 *
 *   low     diffuse light, no shadows, one pixel per pixel of the page
 *   medium  physically based light, clouds, shadows, patterns of the ground
 *   high    ambient occlusion as well
 */
import { computed, signal } from "@preact/signals";
import type { WebGLRenderer } from "three";
import * as store from "../store";

export type Quality = "low" | "medium" | "high";
export type Choice = Quality | "auto";
export const CHOICES: { choice: Choice; label: string }[] = [
  { choice: "auto", label: "Picture quality: automatic" },
  { choice: "high", label: "Picture quality: high" },
  { choice: "medium", label: "Picture quality: medium" },
  { choice: "low", label: "Picture quality: low" },
];

const asChoice = (text: string | null): Choice | null => CHOICES.find(({ choice }) => choice === text)?.choice ?? null;

/** The address decides for this visit, an earlier choice for those after it. */
export const choice = signal<Choice>(asChoice(new URLSearchParams(globalThis.location?.search).get("quality")) ?? asChoice(store.remembered("quality")) ?? "auto");
const found = signal<Quality>("high");
export const quality = computed<Quality>(() => (choice.value === "auto" ? found.value : choice.value));

export function choose(next: Choice) {
  choice.value = next;
  store.remember("quality", next);
}

/** Programs that draw without graphics hardware. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** Begins low where there is no graphics hardware. */
export function judge(renderer: WebGLRenderer) {
  const gl = renderer.getContext();
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  if (SOFTWARE.test(name)) found.value = "low";
}

/** Pictures per second below which the quality is lowered: 30 is the aim, with a margin so that it is not lowered for a trifle. */
const SLOWEST = 24;
/** Pictures over which the time is averaged. */
const PICTURES = 45;
/** A longer pause is not slowness: the page was hidden, or a scene was loaded [ms]. */
const PAUSE = 700;

/** Watches the time that pictures take, and lowers the quality where it is too long. It is not raised again by itself, or it would go up and down. */
export class Pace {
  private last = 0;
  private times: number[] = [];

  /** A turn of the page. The time since the last one counts if that one had a picture: a page at rest draws none. */
  turn(now: number, drew: boolean) {
    const time = now - this.last;
    this.last = now;
    if (!drew || choice.value !== "auto" || found.value === "low") return;
    if (time > PAUSE) this.times = [];
    else this.times.push(time);
    if (this.times.length < PICTURES) return;
    const mean = this.times.reduce((sum, t) => sum + t, 0) / PICTURES;
    this.times = [];
    if (mean > 1000 / SLOWEST) found.value = found.value === "high" ? "medium" : "low";
  }
}
