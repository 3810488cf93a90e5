/** Flags of sync points and branches on the time line, each with a menu: jump there, or compare it with the run, as a ghost or side by side. */
import { useSignal } from "@preact/signals";
import type { SyncPoint } from "../protocol";
import * as store from "../store";
import { send } from "../link";
import * as time from "../time";
import { splits } from "../view/stage";
import { Icon } from "./icons";
import { useAway } from "./menu";

/** Shows a point or branch with the run, or no longer. */
export function compare(point: SyncPoint | null, sideBySide = false) {
  if (point) store.sideBySide.value = sideBySide;
  send({ do: "compare", id: point?.id ?? null });
}

/** Where each flag goes [%], and how far beside it [rem]: flags outside the recorded span stand side by side at its ends. */
export function flagPlaces(points: SyncPoint[], from: number, to: number): { id: number; at: number; shift: number }[] {
  const span = Math.max(1e-9, to - from);
  let before = 0;
  let after = 0;
  const ahead = points.filter((p) => p.time > to + 1e-9).length;
  return points.map((p) => {
    if (p.time < from - 1e-9) return { id: p.id, at: 0, shift: ASIDE * before++ };
    if (p.time > to + 1e-9) return { id: p.id, at: 100, shift: -ASIDE * (ahead - 1 - after++) };
    return { id: p.id, at: (100 * (p.time - from)) / span, shift: 0 };
  });
}
/** Distance of flags that stand side by side [rem]. */
const ASIDE = 0.7;

export function Flags({ off }: { off: boolean }) {
  // the menu stays where it was opened, though its flag moves as the recording grows
  const open = useSignal<{ id: number; left: string } | null>(null);
  const shut = () => (open.value = null);
  const root = useAway(shut);
  const s = store.status.value;
  const points = s?.points ?? [];
  const places = flagPlaces(points, s?.from ?? 0, s?.to ?? 0);
  return (
    <div ref={root} onKeyDown={(e) => e.key === "Escape" && (shut(), e.stopPropagation())}>
      {points.map((point, i) => {
        const left = `${places[i]!.at}%`;
        const mark = point.kind !== "branch";
        const away = mark && point.elsewhere;
        const ghost = store.compared.value?.id === point.id;
        const here = open.value?.id === point.id ? open.value : null;
        return (
          <div key={point.id}>
            <button
              style={{ left, transform: `translateX(${places[i]!.shift}rem)` }}
              type="button"
              class={`flag ${mark ? "" : "left-branch"} ${away ? "elsewhere" : ""} ${ghost ? "ghost" : ""}`}
              title={`${point.name}, ${time.clock(point.time)}${away ? ", on another branch" : ""}`}
              aria-label={`${point.name} at ${time.clock(point.time)}`}
              aria-haspopup="menu"
              aria-expanded={!!here}
              disabled={off}
              onClick={() => (open.value = here ? null : { id: point.id, left })}
            >
              <Icon name={mark ? "flag" : "branch"} />
            </button>
            {here && (
              <div class={`menu-list up ${parseFloat(here.left) > 60 ? "right" : ""}`} style={{ left: here.left }} role="menu" aria-label={point.name}>
                <strong>
                  {point.name} <small>{time.clock(point.time)}</small>
                </strong>
                <button type="button" role="menuitem" onClick={() => (shut(), send({ do: "jump", id: point.id }))}>
                  <Icon name="flag" /> {!mark ? "Continue this branch" : away ? "Jump there, on its branch" : "Jump there"}
                </button>
                {ghost ? (
                  <button type="button" role="menuitem" onClick={() => (shut(), compare(null))}>
                    <Icon name="ghost" /> End the comparison
                  </button>
                ) : (
                  <>
                    <button type="button" role="menuitem" onClick={() => (shut(), compare(point))}>
                      <Icon name="ghost" /> Compare as a ghost
                    </button>
                    <button type="button" role="menuitem" onClick={() => (shut(), compare(point, true))}>
                      <Icon name="split" /> Compare side by side
                    </button>
                  </>
                )}
                {mark && (
                  <button type="button" role="menuitem" onClick={() => (shut(), send({ do: "unmark", id: point.id }))}>
                    <Icon name="trash" /> Remove this sync point
                  </button>
                )}
              </div>
            )}
          </div>
        );
      })}
    </div>
  );
}

/** Says what the blue shapes are, and changes between one picture and two. */
export function GhostName() {
  const compared = store.compared.value;
  if (!compared) return null;
  const beside = store.sideBySide.value;
  return (
    <div class="ghost-name">
      <Icon name={beside ? "split" : "ghost"} /> {compared.name}
      <button type="button" class="small" onClick={() => (store.sideBySide.value = !beside)}>
        {beside ? "As a ghost" : "Side by side"}
      </button>
      <button type="button" class="small" onClick={() => compare(null)}>
        End
      </button>
    </div>
  );
}

/** Names of the two views of a comparison, each with its own time: a branch may have ended. */
export function SplitNames() {
  const compared = store.compared.value;
  const s = store.status.value;
  if (!compared || !splits()) return null;
  return (
    <div class={`split-names ${store.building.value ? "low" : ""}`} aria-label="Compared side by side">
      <span>
        This run <small>{time.clock(s?.time ?? 0)}</small>
      </span>
      <span>
        {compared.name} <small>{time.clock(store.ghost.frame?.time ?? 0)}</small>
      </span>
    </div>
  );
}
