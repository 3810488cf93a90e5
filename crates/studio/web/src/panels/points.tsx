/** Flags of sync points and branches on the time line, each with a menu: jump there, or show it as a ghost beside the run. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { SyncPoint } from "../protocol";
import * as store from "../store";
import { send } from "../link";
import * as time from "../time";
import { Icon } from "./icons";

/** Shows a point or branch beside the run, or no longer. */
export function compare(point: SyncPoint | null) {
  store.ghost.frame = null;
  store.compared.value = point && { id: point.id, name: point.name };
  send({ do: "compare", id: point?.id ?? null });
}

export function Flags({ place, off }: { place: (t: number) => string; off: boolean }) {
  const open = useSignal<number | null>(null);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const away = (event: PointerEvent) => {
      if (!root.current?.contains(event.target as Node)) open.value = null;
    };
    addEventListener("pointerdown", away);
    return () => removeEventListener("pointerdown", away);
  }, []);
  const points = store.status.value?.points ?? [];
  return (
    <div ref={root} onKeyDown={(e) => e.key === "Escape" && ((open.value = null), e.stopPropagation())}>
      {points.map((point) => {
        const ghost = store.compared.value?.id === point.id;
        return (
          <div key={point.id} class={`flag-place ${parseFloat(place(point.time)) > 60 ? "right" : ""}`} style={{ left: place(point.time) }}>
            <button
              type="button"
              class={`flag ${point.kind === "branch" ? "left-branch" : ""} ${ghost ? "ghost" : ""}`}
              title={`${point.name}, ${time.clock(point.time)}`}
              aria-label={`${point.name} at ${time.clock(point.time)}`}
              aria-haspopup="menu"
              aria-expanded={open.value === point.id}
              disabled={off}
              onClick={() => (open.value = open.value === point.id ? null : point.id)}
            >
              <Icon name={point.kind === "branch" ? "branch" : "flag"} />
            </button>
            {open.value === point.id && (
              <div class="menu-list up" role="menu" aria-label={point.name}>
                <strong>
                  {point.name} <small>{time.clock(point.time)}</small>
                </strong>
                <button type="button" role="menuitem" onClick={() => ((open.value = null), send({ do: "jump", id: point.id }))}>
                  <Icon name="flag" /> {point.kind === "branch" ? "Take up this branch" : "Jump there"}
                </button>
                <button type="button" role="menuitem" onClick={() => ((open.value = null), compare(ghost ? null : point))}>
                  <Icon name="ghost" /> {ghost ? "End the comparison" : "Compare as a ghost"}
                </button>
              </div>
            )}
          </div>
        );
      })}
    </div>
  );
}

/** Says what the blue shapes are. */
export function GhostName() {
  const compared = store.compared.value;
  if (!compared) return null;
  return (
    <div class="ghost-name">
      <Icon name="ghost" /> {compared.name}
      <button type="button" class="small" onClick={() => compare(null)}>
        End
      </button>
    </div>
  );
}
