/** The edge of a panel, to be dragged: the size is remembered, a double click restores the usual one. */
import { effect, signal, type Signal } from "@preact/signals";
import * as store from "../store";

/** Least size of a panel [px]. */
const LEAST = 180;
/** Part of the window that a panel may take. */
const MOST = 0.75;

const sizes = new Map<string, Signal<number>>();

/** The remembered size of a panel [px]; 0 is the usual one. */
export function remembersSize(key: string): Signal<number> {
  let size = sizes.get(key);
  if (!size) {
    const made = signal(Number(store.remembered(`size.${key}`)) || 0);
    effect(() => void store.remember(`size.${key}`, String(made.value)));
    sizes.set(key, (size = made));
  }
  return size;
}

export function Grip({ edge, size, label }: { edge: "left" | "right" | "top"; size: Signal<number>; label: string }) {
  const flat = edge === "top";
  const set = (pixels: number) => (size.value = Math.round(Math.min(MOST * (flat ? innerHeight : innerWidth), Math.max(LEAST, pixels))));
  const panel = (event: Event) => (event.currentTarget as HTMLElement).parentElement!.getBoundingClientRect();
  const drag = (event: PointerEvent) => {
    if (event.buttons === 0) return;
    const box = panel(event);
    set(flat ? box.bottom - event.clientY : edge === "left" ? box.right - event.clientX : event.clientX - box.left);
  };
  const keys = (event: KeyboardEvent) => {
    const way = { ArrowLeft: edge === "left" ? 1 : -1, ArrowRight: edge === "left" ? -1 : 1, ArrowUp: flat ? 1 : 0, ArrowDown: flat ? -1 : 0 }[event.key];
    if (!way || (flat && event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    event.stopPropagation();
    set((flat ? panel(event).height : panel(event).width) + 20 * way);
  };
  return (
    <div
      class={`grip ${edge}`}
      role="separator"
      aria-orientation={flat ? "horizontal" : "vertical"}
      aria-label={label}
      aria-valuenow={size.value}
      aria-valuetext={size.value > 0 ? `${size.value} px` : "usual size"}
      tabIndex={0}
      onPointerDown={(e) => e.currentTarget.setPointerCapture(e.pointerId)}
      onPointerMove={drag}
      onDblClick={() => (size.value = 0)}
      onKeyDown={keys}
    />
  );
}
