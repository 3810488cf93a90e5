/** Keys of the studio itself; a scene's own keys go first. */
import * as store from "./store";
import { inDialog } from "./drive";
import { send } from "./link";
import * as time from "./time";
import { current } from "./view/stage";
import { trainOpen } from "./vehicle/now";
import * as actions from "./build/actions";
import { finishTool, putDown } from "./build/tools";

interface Shortcut {
  keys: string[];
  what: string;
  act: () => void;
  /** Only while building. */
  builds?: boolean;
}

const toggle = <T>(s: { value: T }, a: T, b: T) => () => {
  s.value = s.value === a ? b : a;
};

export const SHORTCUTS: Shortcut[] = [
  { keys: ["Space", "P"], what: "Play or pause", act: time.playPause },
  { keys: ["."], what: "One step forward", act: time.stepOn },
  { keys: [","], what: "One step back", act: time.stepBack },
  { keys: ["["], what: "Slower", act: () => time.changeSpeed(-1) },
  { keys: ["]"], what: "Faster", act: () => time.changeSpeed(1) },
  { keys: ["M"], what: "Set a sync point", act: time.mark },
  { keys: ["L"], what: "Back to live", act: time.toLive },
  { keys: ["Backspace"], what: "Reset to the start", act: () => send({ do: "reset" }) },
  { keys: ["F"], what: "Frame the selection", act: () => current.stage?.frameSelection() },
  { keys: ["Home"], what: "Frame everything", act: () => current.stage?.frameAll() },
  { keys: ["4"], what: "One or four views", act: toggle(store.views, 1 as 1 | 4, 4) },
  { keys: ["T"], what: "Colour by tension", act: toggle(store.byTension, false, true) },
  { keys: ["C"], what: "Contact forces", act: toggle(store.showContacts, false, true) },
  { keys: ["J"], what: "Axes of joints and applied forces", act: toggle(store.showAxes, false, true) },
  { keys: ["D"], what: "Drive train of a vehicle", act: () => (trainOpen.value = !trainOpen.value) },
  { keys: ["A"], what: "Assembly panel", act: toggle<store.RightPanel>(store.rightPanel, null, "assembly") },
  { keys: ["E"], what: "Toggle build mode", act: actions.toggleBuild },
  { keys: ["G"], what: "Move", builds: true, act: () => (store.gizmoMode.value = "translate") },
  { keys: ["R"], what: "Turn", builds: true, act: () => (store.gizmoMode.value = "rotate") },
  { keys: ["S"], what: "Scale", builds: true, act: () => (store.gizmoMode.value = "scale") },
  { keys: ["N"], what: "Toggle snapping to the grid", builds: true, act: toggle(store.snapping, false, true) },
  { keys: ["Delete", "X"], what: "Delete the selection", builds: true, act: actions.removeChosen },
  { keys: ["Enter"], what: "End the cable, or place the shape at the centre", builds: true, act: () => finishTool(current.stage) },
  { keys: ["?", "F1"], what: "This help", act: toggle(store.helpOpen, false, true) },
  {
    keys: ["Escape"],
    what: "Close, or clear the selection",
    act: () => {
      if (store.paletteOpen.value) store.paletteOpen.value = false;
      else if (putDown()) return;
      else if (store.selected.value) actions.selectNothing();
      else if (store.building.value) actions.toggleBuild();
      else store.leftPanel.value = store.rightPanel.value = null;
    },
  },
];

export function shortcut(name: string, event: KeyboardEvent) {
  const found = SHORTCUTS.find((s) => s.keys.includes(name) && (!s.builds || store.building.value));
  if (!found) return;
  // Enter presses the button that has the focus
  if (name === "Enter" && (event.target as HTMLElement | null)?.closest("button, a, summary")) return;
  // the space bar also presses the button that has the focus
  if (name === "Space" && (event.target as HTMLElement | null)?.closest("button, a, summary")) return;
  event.preventDefault();
  // a key that is held down acts once, but for steps
  if (!event.repeat || name === "." || name === ",") found.act();
}

/** Keys with Ctrl (or Command), of the editor. */
export const CHORDS: { keys: string; what: string; shift?: boolean; key: string; act: () => void; builds?: boolean; repeats?: boolean }[] = [
  { keys: "Ctrl Z", key: "z", what: "Undo", act: actions.undo, repeats: true },
  { keys: "Ctrl Shift Z, Ctrl Y", key: "z", shift: true, what: "Redo", act: actions.redo, repeats: true },
  { keys: "", key: "y", what: "", act: actions.redo, repeats: true },
  { keys: "Ctrl S", key: "s", what: "Save", act: actions.save },
  { keys: "Ctrl D", key: "d", what: "Duplicate", builds: true, act: actions.duplicateChosen },
  { keys: "Ctrl C", key: "c", what: "Copy", builds: true, act: () => void actions.copyChosen() },
  { keys: "Ctrl V", key: "v", what: "Paste", builds: true, act: actions.paste },
  { keys: "Ctrl A", key: "a", what: "Select everything", builds: true, act: actions.selectAll },
];

/** Hears the chords; fields in which one types keep theirs, but for saving. */
export function listenChords() {
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || inDialog()) return;
    const typing = (event.target as HTMLElement | null)?.closest?.("input, textarea, select, [contenteditable]");
    const key = event.key.toLowerCase();
    const chord = CHORDS.find((c) => c.key === key && !!c.shift === event.shiftKey && (!c.builds || store.building.value));
    if (!chord || (typing && key !== "s")) return;
    event.preventDefault();
    if (!event.repeat || chord.repeats) chord.act();
  });
}
