/** What the picture shows besides bodies and cables, by choice; what frames do not carry is asked for only while it is shown. */
import { effect, signal, type Signal } from "@preact/signals";
import { onHello, send } from "./link";
import type { Frame, LineFrame } from "./protocol";
import { hasEarth, looksOf } from "./earth/now";
import * as store from "./store";

export const showPoints = signal(false);
export const showFrames = signal(false);
export const showCenters = signal(false);
export const showInertia = signal(false);
export const showVelocities = signal(false);
export const showIslands = signal(false);
export const showSleeping = signal(false);
export const byBending = signal(false);
export const showTires = signal(false);

/** In the order of the menu. */
export const OVERLAYS: { label: string; key?: string; on: Signal<boolean> }[] = [
  { label: "Contact points", on: showPoints },
  { label: "Contact forces", key: "C", on: store.showContacts },
  { label: "Joint axes and applied forces", key: "J", on: store.showAxes },
  { label: "Tyre forces", on: showTires },
  { label: "Velocities", on: showVelocities },
  { label: "Body frames", on: showFrames },
  { label: "Centres of mass", on: showCenters },
  { label: "Inertia ellipsoids", on: showInertia },
  { label: "Islands", on: showIslands },
  { label: "Sleeping bodies", on: showSleeping },
  { label: "Cables by tension", key: "T", on: store.byTension },
  { label: "Cables by curvature", on: byBending },
  { label: "Ground grid", on: store.showGrid },
];

// a cable has one colour at a time: the one chosen last
effect(() => {
  if (store.byTension.value) byBending.value = false;
});
effect(() => {
  if (byBending.value) store.byTension.value = false;
});
effect(() => {
  void [store.byTension.value, byBending.value];
  store.tensionSpan.value = [Infinity, -Infinity];
});

/** Asks the server for what the overlays need beyond frames. */
const asked = () => ({ motion: showVelocities.value, islands: showIslands.value || showSleeping.value, bending: byBending.value, vehicles: !!store.scene.value?.vehicles?.length, soil: hasEarth(looksOf(store.scene.value)) });
let last = JSON.stringify(asked());
effect(() => {
  const wanted = asked();
  if (JSON.stringify(wanted) === last) return;
  last = JSON.stringify(wanted);
  // before the greeting nobody hears it; after it all is asked for
  if (store.linkState.peek().phase === "open") send({ do: "overlay", ...wanted });
});
onHello(() => {
  const wanted = asked();
  if (Object.values(wanted).includes(true)) send({ do: "overlay", ...wanted });
});

let bent: { frame: Frame; lines: LineFrame[] } | null = null;

/** Lines with the number that colours them in place of the tension: the curvature while that is shown. */
export function coloredLines(frame: Frame): LineFrame[] {
  const { bending } = frame;
  if (!byBending.value || !bending) return frame.lines;
  if (bent?.frame === frame) return bent.lines;
  let at = 0;
  const lines = frame.lines.map(({ id, points }) => {
    const copy = points.slice();
    for (let i = 3; i < copy.length; i += 4) copy[i] = bending[at++] ?? 0;
    return { id, points: copy };
  });
  bent = { frame, lines };
  return lines;
}

/** Bit of a body that sleeps, and the rest, which is its island from 1. */
const ASLEEP = 0x80000000;

/** What bodies are tinted by: the number of their island (0 for none), and whether they sleep. */
export function tintsOf(frame: Frame): { island: number; asleep: boolean }[] | null {
  if (!frame.islands || !(showIslands.value || showSleeping.value)) return null;
  return Array.from(frame.islands, (word) => ({ island: showIslands.value ? word & ~ASLEEP : 0, asleep: showSleeping.value && word >= ASLEEP }));
}
