/**
 * The browser's Back does not leave the studio by accident: it closes what is open, asks if there is unsaved work, else wants to be
 * pressed twice. An entry of the history is put before the page for that. Browsers skip entries that were made without an act of the
 * user, so it is made at a key or a click, and made again at the next one after it was used.
 */
import * as store from "./store";
import { goingAway, leaveFor, unsaved } from "./work";

/** Time in which a second Back leaves [ms]. */
const TWICE = 4000;

/** Closes what Back would close, the topmost first. True if something was open. */
function closeTopmost(): boolean {
  const open = [store.leaving, store.asking, store.helpOpen, store.leftPanel, store.rightPanel].find((s) => s.value);
  if (open === store.helpOpen) store.helpOpen.value = false;
  else if (open) (open as { value: null }).value = null;
  return !!open;
}

export function guardBack() {
  let guarded = false;
  let warned = 0;
  const guard = () => {
    if (guarded || Date.now() - warned < TWICE) return;
    guarded = true;
    history.replaceState({ windlass: "studio" }, "");
    history.pushState({ windlass: "guard" }, "");
  };
  const leave = () => {
    goingAway.since = Date.now();
    history.go(guarded ? -2 : -1);
  };
  addEventListener("pointerdown", guard, true);
  addEventListener("keydown", guard, true);
  addEventListener("popstate", (event) => {
    if (!guarded || (event.state as { windlass?: string } | null)?.windlass !== "studio") return;
    guarded = false;
    if (closeTopmost()) return;
    if (unsaved.value) return leaveFor("leaving the studio", leave);
    warned = Date.now();
    store.notify("Press Back again to leave the studio.");
  });
}
