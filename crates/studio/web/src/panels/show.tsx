/** What the picture shows besides bodies and cables, the units of numbers, and how much work the picture may be, in one menu. */
import { OVERLAYS } from "../overlays";
import { EARTH_MODES } from "../earth/colors";
import { earthMode, setEarthMode } from "../earth/now";
import * as store from "../store";
import { CHOICES, choice as quality, choose } from "../view/quality";
import { Menu } from "./menu";
import { unitSystem, type UnitSystem } from "./units";

const SYSTEMS: { system: UnitSystem; label: string }[] = [
  { system: "si", label: "SI units (rad, kg, Pa)" },
  { system: "practical", label: "Practical units (°, rpm, mm, t, bar)" },
];

export function ShowMenu() {
  const radio = (label: string, on: boolean, choose: () => void) => (
    <button key={label} type="button" role="menuitemradio" aria-checked={on} onClick={choose}>
      <span>{label}</span>
    </button>
  );
  return (
    <Menu icon="overlays" label="Display options" list="checks">
      {() => (
        <>
          {OVERLAYS.map(({ label, key, on }) => (
            <button key={label} type="button" role="menuitemcheckbox" aria-checked={on.value} onClick={() => (on.value = !on.value)}>
              <span>{label}</span>
              {key && <kbd>{key}</kbd>}
            </button>
          ))}
          {!!store.scene.value?.grounds?.length && (
            <>
              <hr />
              {EARTH_MODES.map(({ mode, label }) => radio(label, earthMode.value === mode, () => setEarthMode(mode)))}
            </>
          )}
          <hr />
          {SYSTEMS.map(({ system, label }) => radio(label, unitSystem.value === system, () => (unitSystem.value = system)))}
          <hr />
          {CHOICES.map(({ choice, label }) => radio(label, quality.value === choice, () => choose(choice)))}
        </>
      )}
    </Menu>
  );
}
