/** Keys of the studio itself; a scene's own keys go first. */
import * as store from "./store";
import { send } from "./link";
import * as time from "./time";
import { current } from "./view/stage";

interface Shortcut {
  keys: string[];
  what: string;
  act: () => void;
}

const toggle = <T>(s: { value: T }, a: T, b: T) => () => {
  s.value = s.value === a ? b : a;
};

export const SHORTCUTS: Shortcut[] = [
  { keys: ["Space", "P"], what: "Play or pause", act: time.playPause },
  { keys: ["."], what: "One step on", act: time.stepOn },
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
  { keys: ["?"], what: "This help", act: toggle(store.helpOpen, false, true) },
  {
    keys: ["Escape"],
    what: "Close, or select nothing",
    act: () => {
      if (store.helpOpen.value) store.helpOpen.value = false;
      else if (store.selected.value) store.selected.value = null;
      else store.leftPanel.value = store.rightPanel.value = null;
    },
  },
];

export function shortcut(name: string, event: KeyboardEvent) {
  const found = SHORTCUTS.find((s) => s.keys.includes(name));
  if (!found) return;
  // the space bar also presses the button that has the focus
  if (name === "Space" && (event.target as HTMLElement | null)?.closest("button, a, summary")) return;
  event.preventDefault();
  found.act();
}
