/** The recorder's buttons: what each sends, given what is shown. */
import * as store from "./store";
import { send } from "./link";

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8];

export function playPause() {
  send({ do: store.status.value?.playing ? "pause" : "play" });
}

/** One step on: a new one at the live end, the next recorded one in the past. */
export function stepOn() {
  const s = store.status.value;
  if (!s) return;
  if (s.live) send({ do: "step", count: 1 });
  else send({ do: "seek", time: s.time + dt() });
}

export function stepBack() {
  const s = store.status.value;
  if (!s) return;
  if (s.playing) send({ do: "pause" });
  send({ do: "seek", time: Math.max(s.from, s.time - dt()) });
}

/** Jumps by some seconds within what is recorded. */
export function skip(seconds: number) {
  const s = store.status.value;
  if (s) send({ do: "seek", time: Math.min(s.to, Math.max(s.from, s.time + seconds)) });
}

export function toStart() {
  const s = store.status.value;
  if (s) send({ do: "seek", time: s.from });
}

/** Back to the newest moment, and on from there. */
export function toLive() {
  const s = store.status.value;
  if (!s) return;
  if (!s.live) send({ do: "seek", time: s.to });
  send({ do: "play" });
}

export function mark() {
  const s = store.status.value;
  if (s) send({ do: "mark", name: `Point ${s.points.length + 1}` });
}

/** The next speed in the list, up or down. */
export function changeSpeed(way: 1 | -1) {
  const now = store.status.value?.speed ?? 1;
  const next = way > 0 ? SPEEDS.find((v) => v > now * 1.001) : SPEEDS.findLast((v) => v < now * 0.999);
  if (next !== undefined) send({ do: "speed", value: next });
}

function dt(): number {
  return store.scene.value?.dt ?? 1 / 60;
}

/** Seconds as minutes and seconds with hundredths. */
export function clock(seconds: number): string {
  const sign = seconds < 0 ? "−" : "";
  const hundredths = Math.round(Math.abs(seconds) * 100);
  const minutes = Math.floor(hundredths / 6000);
  return `${sign}${minutes}:${((hundredths % 6000) / 100).toFixed(2).padStart(5, "0")}`;
}
