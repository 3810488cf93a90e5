/** Names of quantities that can be plotted, their units, and which of them the server samples: those plotted and those of what is selected. */
import { computed, effect, signal } from "@preact/signals";
import { askProbes } from "./link";
import * as store from "./store";

/** Most that the server samples for one page. */
const MOST = 64;

/** Units of the names that the server lists, in ASCII. */
export const probeUnits = computed(() => {
  const { probes, units, unit } = store.names.value;
  return new Map(probes.map((name, i) => [name, units?.[unit?.[i] ?? -1] ?? ""]));
});

/** The unit of a quantity, in ASCII; also of those that each status carries. */
export function unitOf(name: string): string {
  const told = probeUnits.value.get(name);
  if (told !== undefined) return told;
  if (name.startsWith("energy.")) return "J";
  if (name.startsWith("stage.")) return "us";
  const input = /^input\.(.+?)(\.wanted)?$/.exec(name)?.[1];
  return store.scene.value?.inputs.find((i) => i.name === input)?.unit ?? "";
}

/** Names that plots show, and those that the inspector does. */
export const plotted = signal<string[]>([]);
export const watched = signal<string[]>([]);

effect(() => {
  const known = new Set(store.probeNames.value);
  if (known.size === 0) return;
  const all = new Set([...plotted.value, ...watched.value].filter((name) => known.has(name)));
  askProbes([...all].slice(0, MOST));
});
