/** Which quantities are plotted, of which runs, and where on the page the plots are. */
import { effect, signal } from "@preact/signals";
import { history, type Run } from "./history";
import { plotted } from "./measured";
import { STAGES } from "./protocol";
import * as store from "./store";

export interface Plot {
  id: number;
  title: string;
  names: string[];
}

let count = 0;
export const energies: Plot = { id: ++count, title: "Energy", names: ["energy.kinetic", "energy.potential", "energy.elastic", "energy.total"] };
export const stages: Plot = { id: ++count, title: "Stages of a step", names: STAGES.map((s) => `stage.${s}`) };
export const plots = signal<Plot[]>([energies]);
/** Seconds of the run that plots show. */
export const seconds = signal(30);
/** Earlier runs that are not shown. */
export const hiddenRuns = signal<ReadonlySet<number>>(new Set());

/** Plots are at the right, in place of another panel, or below the picture, beside all others. */
export const place = signal<"right" | "bottom">(store.remembered("plots.place") === "bottom" ? "bottom" : "right");
const openBelow = signal(false);
effect(() => void store.remember("plots.place", place.value));
effect(() => {
  plotted.value = plots.value.flatMap((p) => p.names);
});

export function isOpen(): boolean {
  return place.value === "bottom" ? openBelow.value : store.rightPanel.value === "plots";
}

export function open(shown: boolean) {
  if (place.value === "bottom") openBelow.value = shown;
  else if (shown) store.rightPanel.value = "plots";
  else if (store.rightPanel.value === "plots") store.rightPanel.value = null;
}

/** Moves the plots to the other place. */
export function dock(where: "right" | "bottom") {
  const shown = isOpen();
  open(false);
  place.value = where;
  open(shown);
}

/** Names of x, y and z are told by what they have in common. */
function titleOf(names: string[]): string {
  return names.length > 1 ? names[0]!.replace(/\.[xyz]$/, "") : names[0]!;
}

/** Plots quantities together, in a new plot or one that is there. */
export function add(names: string[], to: number | null = null) {
  const before = plots.value.find((p) => p.id === to);
  if (before) {
    const fresh = names.filter((n) => !before.names.includes(n));
    plots.value = plots.value.map((p) => (p === before ? { ...p, title: p.title === titleOf(p.names) ? `${p.title}, …` : p.title, names: [...p.names, ...fresh] } : p));
  } else if (!plots.value.some((p) => p.names.join() === names.join())) plots.value = [...plots.value, { id: ++count, title: titleOf(names), names }];
}

/** Plots quantities and keeps the inspector in sight. */
export function plotBeside(names: string[]) {
  add(names);
  if (place.value === "right" && store.rightPanel.value === "inspector") place.value = "bottom";
  open(true);
}

export function remove(id: number) {
  plots.value = plots.value.filter((p) => p.id !== id);
}

/** Runs that are drawn beside the present one. */
export function shownRuns(): Run[] {
  return history.earlier.value.filter((run) => !hiddenRuns.value.has(run.id));
}

export function showRun(id: number, shown: boolean) {
  const next = new Set(hiddenRuns.value);
  if (shown) next.delete(id);
  else next.add(id);
  hiddenRuns.value = next;
}
