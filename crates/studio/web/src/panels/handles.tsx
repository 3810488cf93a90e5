/** Beside the handles of the editor: the steps they snap to, and what a drag amounts to. */
import { effect } from "@preact/signals";
import * as store from "../store";
import { GRID_STEPS, TURN_STEPS } from "../build/numbers";
import { IconButton } from "./icons";

effect(() => void store.remember("grid", String(store.snapGrid.value)));
effect(() => void store.remember("turn", String(store.snapTurn.value)));

/** A length as one says it: 5 mm, 25 cm, 0.1 m. */
function length(metres: number): string {
  return metres < 0.01 ? `${Number((metres * 1000).toPrecision(3))} mm` : metres < 0.1 ? `${Number((metres * 100).toPrecision(3))} cm` : `${metres} m`;
}

/** Snapping on or off, and its two steps. */
export function SnapSteps() {
  const step = (label: string, all: number[], chosen: { value: number }, said: (v: number) => string) => (
    <select class="snap-step" aria-label={label} title={label} disabled={!store.snapping.value} value={String(chosen.value)} onChange={(e) => (chosen.value = Number(e.currentTarget.value))}>
      {[...new Set([...all, chosen.value])].sort((a, b) => a - b).map((v) => (
        <option key={v} value={String(v)}>
          {said(v)}
        </option>
      ))}
    </select>
  );
  return (
    <>
      <IconButton icon="magnet" label="Snap to the grid and to steps of angle; Shift for finer steps (N)" pressed={store.snapping.value} onClick={() => (store.snapping.value = !store.snapping.value)} />
      {step("Grid step", GRID_STEPS, store.snapGrid, length)}
      {step("Angle step", TURN_STEPS, store.snapTurn, (v) => `${v}°`)}
    </>
  );
}

/** Displacement, angle or factors of the drag, beside the pointer; a typed number stands before them. */
export function DragReadout() {
  const r = store.dragReadout.value;
  if (!r) return null;
  return (
    <output class="drag-readout" style={{ left: `${r.x + 18}px`, top: `${r.y + 18}px` }}>
      {r.typed && <b>{r.typed}</b>}
      <span>{r.text}</span>
    </output>
  );
}
