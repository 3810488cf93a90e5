/** Links that carry scene, moment and eye in the part after #, and pictures to keep. */
import { effect } from "@preact/signals";
import * as store from "./store";
import { onHello, send } from "./link";
import { current } from "./view/stage";
import { download } from "./download";

export interface Place {
  scene: string | null;
  time: number | null;
  eye: number[] | null;
}

export function toHash(place: Place): string {
  const parts = new URLSearchParams();
  if (place.scene) parts.set("scene", place.scene);
  if (place.time !== null) parts.set("t", place.time.toFixed(3));
  if (place.eye) parts.set("eye", place.eye.map((v) => Number(v.toPrecision(5))).join(","));
  return `#${parts}`;
}

export function fromHash(hash: string): Place {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const time = parts.get("t");
  const eye = parts.get("eye")?.split(",").map(Number) ?? null;
  return {
    scene: parts.get("scene"),
    time: time !== null && Number.isFinite(Number(time)) ? Number(time) : null,
    eye: eye && eye.length === 6 && eye.every(Number.isFinite) ? eye : null,
  };
}

/** Goes to what the address names, once: the scene first, then the eye, then the moment when it is recorded. */
export function followLink() {
  const place = fromHash(location.hash);
  if (!place.scene && !place.eye && place.time === null) return;
  let opened = false;
  onHello(() => {
    // a viewer cannot open it; one who reloads the page is a viewer until the server has noticed that the old page is gone
    if (opened || store.hello.value?.role !== "driver") return;
    if (place.scene && store.scene.value?.id !== place.scene && store.hello.value?.scenes.some((s) => s.id === place.scene)) {
      // the server greets before it shows its scene: asked for at once, the right one comes second
      send({ do: "open", id: place.scene });
    }
    opened = true;
  });
  const stop = effect(() => {
    const scene = store.scene.value;
    if (!scene || (place.scene && scene.id !== place.scene)) return;
    const { eye, time } = place;
    queueMicrotask(() => {
      if (eye) current.stage?.rig.fromNumbers(eye);
      const s = store.status.peek();
      if (time !== null && s && time >= s.from && time <= s.to) send({ do: "seek", time });
      stop();
    });
  });
}

export async function copyLink() {
  const url = new URL(location.href);
  url.hash = toHash({
    scene: store.scene.value?.id ?? null,
    time: store.status.value?.time ?? null,
    eye: current.stage?.rig.toNumbers() ?? null,
  });
  history.replaceState(null, "", url);
  try {
    await navigator.clipboard.writeText(url.href);
    store.notify("Link copied: scene, time and camera.");
  } catch {
    store.notify("The address bar now has scene, time and camera.");
  }
}

export async function savePicture() {
  const blob = await current.stage?.picture();
  if (blob) download(blob, `${store.scene.value?.id.replace(/[^\w-]+/g, "-") ?? "windlass"}-${(store.status.value?.time ?? 0).toFixed(2)}s.png`);
}
