/** What the picture shows besides bodies and cables, and the units of numbers, in one menu. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { OVERLAYS } from "../overlays";
import { Icon } from "./icons";
import { unitSystem, type UnitSystem } from "./units";

const SYSTEMS: { system: UnitSystem; label: string }[] = [
  { system: "si", label: "SI units (rad, kg, Pa)" },
  { system: "practical", label: "Practical units (°, rpm, mm, t, bar)" },
];

export function ShowMenu() {
  const open = useSignal(false);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const away = (event: PointerEvent) => {
      if (!root.current?.contains(event.target as Node)) open.value = false;
    };
    addEventListener("pointerdown", away);
    return () => removeEventListener("pointerdown", away);
  }, []);
  return (
    <div class="menu" ref={root}>
      <button type="button" class="icon-button" title="Overlays and units" aria-label="Overlays and units" aria-haspopup="menu" aria-expanded={open.value} onClick={() => (open.value = !open.value)}>
        <Icon name="overlays" />
      </button>
      {open.value && (
        <div class="menu-list checks" role="menu" onKeyDown={(e) => e.key === "Escape" && (open.value = false)}>
          {OVERLAYS.map(({ label, key, on }) => (
            <button key={label} type="button" role="menuitemcheckbox" aria-checked={on.value} onClick={() => (on.value = !on.value)}>
              <span>{label}</span>
              {key && <kbd>{key}</kbd>}
            </button>
          ))}
          <hr />
          {SYSTEMS.map(({ system, label }) => (
            <button key={system} type="button" role="menuitemradio" aria-checked={unitSystem.value === system} onClick={() => (unitSystem.value = system)}>
              <span>{label}</span>
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
