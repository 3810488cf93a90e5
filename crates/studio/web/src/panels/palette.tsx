/** What one can add and connect, at the left of the picture; above the picture, what can be done with the selection. */
import * as store from "../store";
import * as actions from "../build/actions";
import { CONNECTIONS } from "../build/make";
import { chosenNames } from "../build/selection";
import { take } from "../build/tools";
import { Icon, IconButton } from "./icons";
import { SnapSteps } from "./handles";
import { CABLE_BUTTONS, GROUND_BUTTONS, MACHINE_BUTTONS, OBSERVE_BUTTONS, ToolOptions } from "./machine";

const FORMS: [store.FormName, string][] = [
  ["sphere", "Sphere"],
  ["box", "Box"],
  ["cylinder", "Cylinder"],
  ["capsule", "Capsule"],
  ["cone", "Cone"],
  ["compound", "Parts"],
  ["point", "Fixed point"],
  ["plane", "Plane"],
  ["mesh", "Mesh file"],
];

export function Palette() {
  if (!store.building.value) return null;
  const off = !store.mayDrive.value;
  const tool = store.tool.value;
  const button = (icon: string, label: string, about: string, next: store.Tool, on: boolean) => (
    <button key={label} type="button" title={about} aria-pressed={on} disabled={off} onClick={() => ((store.paletteOpen.value = false), on ? take({ kind: "select" }) : next.kind === "add" && next.form === "mesh" ? (store.asking.value = "mesh") : take(next))}>
      <Icon name={icon} />
      <span>{label}</span>
    </button>
  );
  return (
    <section class={`palette ${store.paletteOpen.value ? "open" : ""}`} aria-label="Palette">
      <h2>Add</h2>
      <div>{FORMS.map(([form, label]) => button(form, label, `Add: ${label.toLowerCase()}, then click in the view`, { kind: "add", form }, tool.kind === "add" && tool.form === form))}</div>
      <h2>Machine</h2>
      <div>{MACHINE_BUTTONS.map((m) => button(m.icon, m.label, m.about, m.tool, JSON.stringify(tool.kind === "route" ? { ...tool, next: "pulley" } : tool) === JSON.stringify(m.tool)))}</div>
      <h2>Connect</h2>
      <div>{CONNECTIONS.map((c) => button(c.kind === "cylindrical" ? "cylinder" : c.kind, c.label, c.about, { kind: "connect", joint: c.kind }, tool.kind === "connect" && tool.joint === c.kind))}</div>
      <h2>Load</h2>
      <div>
        {button("force", "Force", "A force on a body: drag from its point of application to the tip of the arrow, or click both", { kind: "force" }, tool.kind === "force")}
        {button("cable", "Cable", "A flexible cable through points; Enter or a double click ends it", { kind: "cable", slack: false }, tool.kind === "cable")}
        {CABLE_BUTTONS.map((m) => button(m.icon, m.label, m.about, m.tool, tool.kind === m.tool.kind))}
      </div>
      {!!store.scene.value?.grounds?.length && (
        <>
          <h2>Ground</h2>
          <div>{GROUND_BUTTONS.map((m) => button(m.icon, m.label, m.about, m.tool, tool.kind === "brush" && m.tool.kind === "brush" && tool.way === m.tool.way))}</div>
        </>
      )}
      <h2>Observe</h2>
      <div>{OBSERVE_BUTTONS.map((m) => button(m.icon, m.label, m.about, m.tool, JSON.stringify(tool) === JSON.stringify(m.tool)))}</div>
    </section>
  );
}

const MODES: [store.GizmoMode, string, string][] = [
  ["translate", "move", "Move (G)"],
  ["rotate", "turn", "Turn (R)"],
  ["scale", "scale", "Scale (S)"],
];

export function BuildBar() {
  if (!store.building.value) return null;
  const s = store.status.value;
  const off = !store.mayDrive.value;
  const some = store.selected.value !== null && store.selected.value.kind !== "scene";
  const bodies = store.scene.value ? chosenNames().length : 0;
  return (
    <div class="buildbar" role="toolbar" aria-label="Build">
      <IconButton class="palette-button" icon="plus" label="Palette" pressed={store.paletteOpen.value} onClick={() => (store.paletteOpen.value = !store.paletteOpen.value)} />
      <IconButton icon="select" label="Select (Escape)" pressed={store.tool.value.kind === "select"} onClick={() => take({ kind: "select" })} />
      {MODES.map(([mode, icon, label]) => (
        <IconButton key={mode} icon={icon} label={label} pressed={store.gizmoMode.value === mode} onClick={() => (store.gizmoMode.value = mode)} />
      ))}
      <SnapSteps />
      <span class="gap" />
      <IconButton icon="undo" label={s?.undo ? `Undo: ${s.undo} (Ctrl Z)` : "Nothing to undo"} disabled={off || !s?.undo} onClick={actions.undo} />
      <IconButton icon="redo" label={s?.redo ? `Redo: ${s.redo} (Ctrl Y)` : "Nothing to redo"} disabled={off || !s?.redo} onClick={actions.redo} />
      <span class="gap" />
      <IconButton icon="copy" label="Duplicate (Ctrl D)" disabled={off || !some} onClick={actions.duplicateChosen} />
      <IconButton icon="mirror" label="Mirror …" disabled={off || bodies === 0} onClick={() => (store.asking.value = "mirror")} />
      <IconButton icon="array" label="Array …" disabled={off || bodies === 0} onClick={() => (store.asking.value = "array")} />
      <IconButton icon="along" label="Copies along a path …" disabled={off || bodies === 0} onClick={() => (store.asking.value = "along")} />
      <IconButton icon="trash" label="Delete (Del)" disabled={off || !some} onClick={actions.removeChosen} />
      <span class="gap" />
      <IconButton icon="disk" label={s?.dirty ? "Save changes (Ctrl S)" : "Save (Ctrl S)"} disabled={off} class={s?.dirty ? "dirty" : ""} onClick={actions.save} />
    </div>
  );
}

/** What comes next with the tool in hand; or why nothing can be moved now. */
export function ToolHint() {
  if (!store.building.value) return null;
  if (!store.editing.value) {
    return (
      <div class="toolhint">
        <span>Bodies can be moved only at the start of the scene.</span>
        <button type="button" disabled={!store.mayDrive.value} onClick={actions.goToStart}>
          Go to the start
        </button>
      </div>
    );
  }
  const many = store.fellows.value.length;
  const text = store.toolHint.value ?? (store.selected.value ? (many > 0 ? `${many + 1} bodies selected; they move together` : null) : "Add a part from the palette, or click a body. Shift-click adds to the selection.");
  return text ? (
    <div class="toolhint" role="status">
      <span>{text}</span>
      <ToolOptions />
    </div>
  ) : null;
}

export function Marquee() {
  const m = store.marquee.value;
  return m ? <div class="marquee" style={{ left: `${m.x}px`, top: `${m.y}px`, width: `${m.w}px`, height: `${m.h}px` }} /> : null;
}
