/** Everything the text says of what is selected, as fields made from the schema of the scene language. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Json, Scene, Table } from "../protocol";
import * as store from "../store";
import * as actions from "../build/actions";
import { edit } from "../build/edit";
import { fieldsOf, schemaAt, type Field } from "../build/fields";
import { fetchSchema, schema, schemaTrouble } from "../build/schema";
import { entryOf } from "../build/make";
import { nameTrouble } from "../build/numbers";
import { chosenIds, nameOf, type Named } from "../build/selection";
import { FieldRow } from "./field";
import { EntryLists, ProbeForm } from "./entries";
import { InputForm, Steps } from "./inputs";
import { RouteForm } from "./route";
import { IconButton } from "./icons";
import { LiveState } from "./livestate";
import { Panel } from "./panel";
import { quantity } from "./units";

/** What is looked for most, in this order; the rest is behind “More”. */
const FIRST: Record<string, string[]> = {
  bodies: ["type", "position", "rotation", "shape", "material", "mass", "color", "velocity"],
  joints: [],
  forces: [],
  cables: ["section", "start", "end", "length", "path", "elements"],
  winches: ["on", "at", "axis", "radius", "motor", "brake", "mass", "wound_length"],
  fluids: ["material", "density", "surface", "depth", "waves", "current", "wind"],
  grounds: ["size", "spacing", "position", "height", "soil", "layers", "piles", "particle", "particles", "material"],
  soils: ["like", "friction", "cohesion", "density", "water", "swell"],
  tools: ["body", "ground", "edge", "face", "height", "end_plates", "thickness", "teeth"],
  inputs: ["label", "range", "rest", "rate", "stop_rate", "self_centering"],
  probes: [],
  cameras: ["position", "target", "angle", "on", "follow"],
  "": ["dt", "gravity", "integrator", "duration", "collide"],
};

/** Keys that have a form of their own. */
const OWN_FORM: Partial<Record<Named["section"], string[]>> = { inputs: ["keys", "gamepad", "drives"], cables: ["route"], grounds: ["mounds"] };

export function InspectorPanel() {
  useEffect(() => void fetchSchema(), []);
  const scene = store.scene.value;
  const named = scene && (nameOf(store.selected.value, scene) ?? { section: "" as const, name: "" });
  const close = () => (store.rightPanel.value = null);
  if (!scene || !named) return <Panel title="Inspector" side="right" onClose={close}><p class="empty">No scene is open.</p></Panel>;
  const many = chosenIds().length;
  if (many > 1) {
    return (
      <Panel title={`${many} bodies`} side="right" onClose={close}>
        <p class="dim">They are moved and rotated together. Duplicate, mirror, array and delete apply to all of them, including the joints between them.</p>
        <ul class="rows">{chosenIds().map((id) => <li key={id}><button type="button" onClick={() => ((store.selected.value = { kind: "body", id }), (store.fellows.value = []))}><span>{scene.bodies.find((b) => b.id === id)?.name}</span></button></li>)}</ul>
      </Panel>
    );
  }
  return (
    <Panel title={named.section ? TITLES[named.section] : "Scene"} side="right" onClose={close}>
      {named.section === "" ? <SceneFields scene={scene} /> : <EntryFields key={`${named.section}.${named.name}`} scene={scene} named={named} />}
    </Panel>
  );
}

const TITLES: Record<Named["section"], string> = { bodies: "Body", joints: "Joint", cables: "Cable", forces: "Force", winches: "Winch", fluids: "Fluid", grounds: "Ground", soils: "Soil", tools: "Tool", inputs: "Lever", probes: "Probe", cameras: "Camera", "": "Scene" };

function SceneFields({ scene }: { scene: Scene }) {
  const tree = scene.tree;
  const root = schema.value;
  if (!tree || !root) return <p class="empty">{schemaTrouble.value ?? "…"}</p>;
  const settings = schemaAt(root, ["settings"]);
  const top = fieldsOf(root, root).filter((f) => f.key === "title" || f.key === "description");
  return (
    <>
      <Rows fields={top} value={tree as Table} path={[]} first={["title", "description"]} />
      <h3>Settings</h3>
      {settings && <Rows fields={fieldsOf(settings, root)} value={(tree.settings as Table) ?? {}} path={["settings"]} first={FIRST[""]!} />}
      {Object.keys((tree.forces as Table) ?? {}).length > 0 && (
        <>
          <h3>Forces</h3>
          <ul class="rows">{Object.keys(tree.forces as Table).map((name) => <li key={name}><button type="button" onClick={() => (store.selected.value = { kind: "force", name })}><span>{name}</span></button></li>)}</ul>
        </>
      )}
      <EntryLists scene={scene} />
    </>
  );
}

function EntryFields({ scene, named }: { scene: Scene; named: Named }) {
  const root = schema.value;
  const { section, name } = named;
  const value = entryOf(scene.tree, section, name);
  const body = section === "bodies" ? scene.bodies.find((b) => b.name === name) : undefined;
  if (section === "probes") return <><NameRow named={named} note="" /><ProbeForm scene={scene} name={name} /></>;
  if (!value) {
    return (
      <>
        <h3>{name}</h3>
        <p class="dim">It comes from an include, a prefab or a pattern: change it there, in the text.</p>
        <LiveState section={section} name={name} />
        {body && <p>{body.kind === "dynamic" ? `dynamic, ${quantity(body.mass, "kg")}` : body.kind}</p>}
      </>
    );
  }
  if (!root) return <p class="empty">{schemaTrouble.value ?? "…"}</p>;
  // a joint or a force is one table under the name of its kind: show that one
  const kind = section === "joints" || section === "forces" ? Object.keys(value).find((k) => value[k] && typeof value[k] === "object" && !["compliance", "strength"].includes(k)) : undefined;
  const path = kind ? [section, name, kind] : [section, name];
  const inner = kind ? (value[kind] as Table) : value;
  const own = schemaAt(root, path, inner);
  const outer = kind && section === "joints" ? schemaAt(root, [section, name]) : null;
  return (
    <>
      <NameRow named={named} note={kind ?? (body?.kind === "dynamic" ? quantity(body.mass, "kg") : (scene.inputs.find((i) => section === "inputs" && i.name === name)?.unit ?? ""))} />
      <LiveState section={section} name={name} />
      {section === "inputs" && <InputForm scene={scene} name={name} value={value} />}
      {own && <Rows key={kind} fields={fieldsOf(own, root).filter((f) => !(OWN_FORM[section] ?? []).includes(f.key))} value={inner} path={path} first={FIRST[section]!} />}
      {section === "cables" && Array.isArray(value.route) && <RouteForm scene={scene} root={root} name={name} />}
      {section === "grounds" && <MoundsNote name={name} value={value} />}
      {section === "inputs" && <Steps scene={scene} name={name} />}
      {outer && <Rows fields={fieldsOf(outer, root).filter((f) => f.key === "compliance" || f.key === "strength")} value={value} path={[section, name]} first={[]} more="Compliance and strength" />}
    </>
  );
}

/** How many bumps the brush has made, and a way to take them away. */
function MoundsNote({ name, value }: { name: string; value: Table }) {
  const count = Array.isArray(value.mounds) ? value.mounds.length : 0;
  if (count === 0) return <p class="dim">The brush of the palette raises, lowers and levels it.</p>;
  return (
    <p class="row-of-buttons">
      <span>{count === 1 ? "1 mound" : `${count} mounds`} by the brush</span>
      <button type="button" disabled={!store.mayDrive.value} onClick={() => edit(`Remove mounds of ${name}`, [{ remove: ["grounds", name, "mounds"] }])}>
        Remove
      </button>
    </p>
  );
}

/** The name, and what can be done with the whole. */
function NameRow({ named, note }: { named: Named; note: string }) {
  const text = useSignal(named.name);
  const bad = useSignal<string | null>(null);
  const commit = () => {
    if (text.value === named.name) return;
    bad.value = nameTrouble(text.value);
    if (bad.value) return;
    edit(`Rename ${named.name}`, [{ rename: [named.section, named.name], to: text.value }], { select: [{ ...named, name: text.value }], field: "name" });
  };
  const error = bad.value ?? (store.fieldError.value?.path === "name" ? store.fieldError.value.text : null);
  return (
    <div class="name-row">
      <input aria-label="Name" title="Name; a new name also replaces the old one in all references" value={text.value} aria-invalid={!!error} onInput={(e) => (text.value = e.currentTarget.value)} onBlur={commit} onKeyDown={(e) => e.key === "Enter" && e.currentTarget.blur()} />
      <small>{note}</small>
      <IconButton icon="copy" label="Duplicate (Ctrl D)" onClick={actions.duplicateChosen} />
      <IconButton icon="trash" label="Delete (Del)" onClick={actions.removeChosen} />
      {error && <p class="field-error" role="alert">{error}</p>}
    </div>
  );
}

/** Fields in two parts: what is wanted often or written already, and the rest behind a summary. */
function Rows(props: { fields: Field[]; value: Table; path: string[]; first: string[]; more?: string }) {
  const { fields, value, path, first } = props;
  const rank = (f: Field) => (first.includes(f.key) ? first.indexOf(f.key) : 100);
  const front = fields.filter((f) => first.includes(f.key) || f.needed || value[f.key] !== undefined).sort((a, b) => rank(a) - rank(b));
  const rest = fields.filter((f) => !front.includes(f));
  const row = (f: Field) => <FieldRow key={f.key} field={f} value={value[f.key] as Json | undefined} path={[...path, f.key]} />;
  return (
    <div class="fields">
      {front.map(row)}
      {rest.length > 0 && (
        <details>
          <summary>{props.more ?? "More"} <small>{rest.length}</small></summary>
          {rest.map(row)}
        </details>
      )}
    </div>
  );
}
