/** One field of the inspector: shows what the text says, sends one change when it is left or Enter is pressed. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Matrix4 } from "three";
import type { Change, Json, Table, Vec3 } from "../protocol";
import * as store from "../store";
import { edit } from "../build/edit";
import { MATERIALS, shown, typed, type Field } from "../build/fields";
import { namesIn, shapeOf } from "../build/make";
import { asVec } from "../build/numbers";
import { carried } from "../build/placing";

/** Puts a value at a path, or takes it out when nothing was typed. */
function put(path: string[], value: Json | undefined, before: Json | undefined) {
  if (JSON.stringify(value) === JSON.stringify(before)) return;
  const label = `Change ${path.slice(-2).join(" ")}`;
  const field = path.join(".");
  if (path[0] === "bodies" && path.length === 3 && path[2] === "position") return edit(label, shifted(path, value, before), { field });
  if (value === undefined) edit(label, [{ remove: path }], { field });
  else edit(label, [{ set: path, value }], { field });
}

/** A body that goes elsewhere takes along what is fastened to it, as when it is moved by hand. */
function shifted(path: string[], value: Json | undefined, before: Json | undefined): Change[] {
  const own: Change = value === undefined ? { remove: path } : { set: path, value };
  const [from, to] = [before === undefined ? ([0, 0, 0] as Vec3) : asVec(before), value === undefined ? ([0, 0, 0] as Vec3) : asVec(value)];
  if (!from || !to) return [own];
  const way = new Matrix4().makeTranslation(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
  return [own, ...carried(store.scene.value?.tree, new Map([[path[1]!, way]]))];
}

export function FieldRow({ field, value, path }: { field: Field; value: Json | undefined; path: string[] }) {
  const error = store.fieldError.value?.path === path.join(".") ? store.fieldError.value.text : null;
  const about = `${field.about}${field.standard ? `\nDefault: ${field.standard}` : ""}`;
  if (field.kind === "raw" && field.table && value && typeof value === "object" && !Array.isArray(value)) return <Nested field={{ ...field, kind: "table", fields: field.table }} value={value} path={path} about={about} error={error} />;
  if (field.kind === "table" || field.kind === "variant") return <Nested field={field} value={value as Table | undefined} path={path} about={about} error={error} />;
  return (
    <div class={`field ${value === undefined ? "unset" : ""}`} title={about}>
      <span class="field-name">{field.key.replaceAll("_", " ")}</span>
      <Control field={field} value={value} path={path} invalid={!!error} />
      {error && <p class="field-error" role="alert">{error}</p>}
    </div>
  );
}

function Control({ field, value, path, invalid }: { field: Field; value: Json | undefined; path: string[]; invalid: boolean }) {
  const name = path.join(" ");
  const off = !store.mayDrive.value;
  switch (field.kind) {
    case "flag":
      return <input type="checkbox" aria-label={name} disabled={off} checked={typeof value === "boolean" ? value : field.standard === "true"} onChange={(e) => put(path, e.currentTarget.checked, value)} />;
    case "choice":
      return (
        <select aria-label={name} disabled={off} value={shown(value)} onChange={(e) => put(path, e.currentTarget.value || undefined, value)}>
          <option value="">{field.standard ? `${field.standard} (default)` : "–"}</option>
          {field.choices.map((c) => <option key={c.value} value={c.value} title={c.about}>{c.value}</option>)}
        </select>
      );
    case "vector": {
      const list = Array.isArray(value) ? value : [];
      return <Vector length={field.length} list={list} unit={field.unit} placeholder={placeholders(field)} name={name} names={field.key === "bodies"} invalid={invalid} commit={(next) => put(path, next, value)} />;
    }
    case "color":
      return (
        <span class="entry">
          <input type="color" aria-label={`${name} picker`} disabled={off} value={/^#[0-9a-f]{6}$/i.test(shown(value)) ? shown(value) : "#888888"} onChange={(e) => put(path, e.currentTarget.value, value)} />
          <Entry value={shown(value)} placeholder={field.standard} name={name} invalid={invalid} commit={(t) => put(path, t.trim() || undefined, value)} />
        </span>
      );
    case "raw":
      return <Raw value={value} path={path} name={name} invalid={invalid} />;
    default: {
      const list = field.key === "material" ? "materials" : field.key === "body" || field.key === "on" ? "bodies" : undefined;
      const read = field.kind === "text" ? (t: string) => t.trim() || undefined : typed;
      return <Entry value={shown(value)} unit={typeof value === "string" ? "" : field.unit} placeholder={field.standard} name={name} list={list} invalid={invalid} commit={(t) => put(path, read(t), value)} />;
    }
  }
}

function placeholders(field: Field): string[] {
  try {
    const value = JSON.parse(field.standard || "null") as Json;
    if (Array.isArray(value)) return value.map(shown);
    return new Array<string>(4).fill(shown(value));
  } catch {
    return [];
  }
}

/** A line one types in. What is typed stays until the text says something else, also when it was wrong. */
export function Entry(props: { value: string; unit?: string; placeholder?: string; name: string; list?: "materials" | "bodies"; invalid?: boolean; commit: (text: string) => void }) {
  const draft = useSignal<string | null>(null);
  useEffect(() => {
    draft.value = null;
  }, [props.value]);
  const done = () => {
    if (draft.value !== null && draft.value !== props.value) props.commit(draft.value);
  };
  return (
    <span class="entry">
      <input
        aria-label={props.name}
        aria-invalid={props.invalid}
        disabled={!store.mayDrive.value}
        list={props.list && `names-${props.list}`}
        placeholder={props.placeholder}
        spellcheck={false}
        autocomplete="off"
        value={draft.value ?? props.value}
        onInput={(e) => (draft.value = e.currentTarget.value)}
        onBlur={done}
        onKeyDown={(e) => {
          if (e.key === "Enter") e.currentTarget.blur();
          if (e.key === "Escape") {
            draft.value = null;
            e.currentTarget.blur();
          }
        }}
      />
      {props.unit && <small class="unit">{props.unit}</small>}
    </span>
  );
}

function Vector(props: { length: number; list: Json[]; unit: string; placeholder: string[]; name: string; names?: boolean; invalid: boolean; commit: (value: Json | undefined) => void }) {
  const change = (i: number, text: string) => {
    const next = Array.from({ length: props.length }, (_, k) => (k === i ? (typed(text) ?? 0) : (props.list[k] ?? typed(props.placeholder[k] ?? "") ?? 0)));
    props.commit(text.trim() === "" && props.list.length === 0 ? undefined : next);
  };
  return (
    <span class="vector">
      {Array.from({ length: props.length }, (_, i) => (
        <Entry key={i} value={shown(props.list[i])} placeholder={props.placeholder[i]} name={`${props.name} ${i + 1}`} list={props.names ? "bodies" : undefined} invalid={props.invalid} commit={(t) => change(i, t)} />
      ))}
      {props.unit && <small class="unit">{props.unit}</small>}
    </span>
  );
}

/** A list of points as rows of numbers; anything else as JSON. */
function Raw({ value, path, name, invalid }: { value: Json | undefined; path: string[]; name: string; invalid: boolean }) {
  if (Array.isArray(value) && value.length > 0 && value.length <= 12 && value.every((row) => Array.isArray(row) && row.length <= 4)) {
    return (
      <span class="points">
        {value.map((row, i) => (
          <Vector key={i} length={(row as Json[]).length} list={row as Json[]} unit="" placeholder={[]} name={`${name} ${i + 1}`} invalid={invalid} commit={(next) => next !== undefined && put([...path, String(i)], next, row)} />
        ))}
      </span>
    );
  }
  const commit = (text: string) => {
    if (text.trim() === "") return put(path, undefined, value);
    try {
      put(path, JSON.parse(text) as Json, value);
    } catch {
      store.fieldError.value = { path: path.join("."), text: "write it as JSON, such as [1, 2] or {\"key\": 1}, or use the text panel" };
    }
  };
  return <Entry value={shown(value)} placeholder="–" name={name} invalid={invalid} commit={commit} />;
}

/** Fields of a table that are all shown at once. */
const LONG = 6;

/** A table of its own: open when something is written in it. */
function Nested({ field, value, path, about, error }: { field: Field & { kind: "table" | "variant" }; value: Table | undefined; path: string[]; about: string; error: string | null }) {
  const chosen = field.kind === "variant" ? field.variants.find((v) => value && v.name in value) : undefined;
  const inner = field.kind === "table" ? field.fields : chosen?.field.kind === "table" ? chosen.field.fields : [];
  const below = field.kind === "table" ? value : ((chosen && (value?.[chosen.name] as Table)) ?? undefined);
  const way = field.kind === "table" ? path : chosen ? [...path, chosen.name] : path;
  const row = (f: Field) => <FieldRow key={f.key} field={f} value={below?.[f.key]} path={[...way, f.key]} />;
  // of a long table what is written comes first
  const long = inner.length > LONG;
  const front = long ? inner.filter((f) => f.needed || below?.[f.key] !== undefined) : inner;
  const rest = long ? inner.filter((f) => !front.includes(f)) : [];
  const pick = (name: string) => {
    const shapes = ["box", "sphere", "cylinder", "capsule", "cone", "plane"] as const;
    const form = shapes.find((s) => s === name);
    put(path, name === "" ? undefined : form ? shapeOf(form, 0.5).shape : { [name]: name === "constant" ? 0 : {} }, value);
  };
  return (
    <div class="nested-box">
      {field.kind === "variant" && (
        <select class="nested-choice" aria-label={path.join(" ")} value={chosen?.name ?? ""} disabled={!store.mayDrive.value} onChange={(e) => pick(e.currentTarget.value)}>
          <option value="">none</option>
          {field.variants.map((v) => <option key={v.name} value={v.name} title={v.about}>{v.name}</option>)}
        </select>
      )}
      {field.kind === "table" && value !== undefined && !field.needed && (
        <button type="button" class="small nested-choice" onClick={() => put(path, undefined, value)}>
          remove
        </button>
      )}
      <details class="nested" open={value !== undefined}>
        <summary title={about}>
          <span class="field-name">{field.key.replaceAll("_", " ")}</span>
        </summary>
        {error && <p class="field-error" role="alert">{error}</p>}
        {chosen && chosen.field.kind !== "table" && <FieldRow field={chosen.field} value={value?.[chosen.name]} path={way} />}
        {front.map(row)}
        {rest.length > 0 && (
          <details class="nested">
            <summary>
              <span class="field-name dim">more ({rest.length})</span>
            </summary>
            {rest.map(row)}
          </details>
        )}
      </details>
    </div>
  );
}

/** Names that fields offer. */
export function NameLists() {
  const scene = store.scene.value;
  return (
    <>
      <datalist id="names-materials">{[...namesIn(scene?.tree, "materials"), ...MATERIALS].map((m) => <option key={m} value={m} />)}</datalist>
      <datalist id="names-bodies">{scene?.bodies.slice(0, 500).map((b) => <option key={b.id} value={b.name} />)}</datalist>
    </>
  );
}
