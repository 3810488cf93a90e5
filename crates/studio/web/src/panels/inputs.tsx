/** The form of an input: what it drives, its range, its keys and its gamepad axis, bound by pressing and moving them, and its script. */
import { signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Change, Json, Scene, Table } from "../protocol";
import * as store from "../store";
import { keyCap, keyName, stickPlace } from "../drive";
import { edit, editLater } from "../build/edit";
import { bound, rangeOf, targets, type Target } from "../build/drives";
import { entryOf } from "../build/make";
import { shown, typed } from "../build/fields";
import { addStep, changeStep, removeStep, stepsOf } from "../build/script";
import { Entry } from "./field";
import { IconButton } from "./icons";

/** Keys that inputs may have, as the scene language names them. */
const NAMED = /^([A-Z0-9]|F([1-9]|1[0-2])|Up|Down|Left|Right|PageUp|PageDown|Home|End|Insert|Delete|Space|Enter|Tab|Backspace)$/;
const AXES = ["left-x", "left-y", "right-x", "right-y", "left-trigger", "right-trigger", "cross-x", "cross-y"];
/** Part of a stick's way from which it counts as moved on purpose. */
const MOVED = 0.6;

/** What waits to be pressed or moved: one of two keys, or an axis. */
const waiting = signal<{ input: string; for: 0 | 1 | "axis" } | null>(null);

export function InputForm({ scene, name, value }: { scene: Scene; name: string; value: Table }) {
  const set = (key: string, to: Json | undefined) => edit(`Change ${name} ${key}`, [to === undefined ? { remove: ["inputs", name, key] } : { set: ["inputs", name, key], value: to }], { field: `inputs.${name}.${key}` });
  // what is not pressed before another form is shown is not waited for
  useEffect(() => () => void (waiting.value = null), [name]);
  return (
    <div class="fields input-form">
      <Drives scene={scene} name={name} value={value} />
      <Keys scene={scene} name={name} value={value} set={set} />
      <Axis scene={scene} name={name} value={value} set={set} />
    </div>
  );
}

function targetText(t: Target): string {
  return `${t.name} (${t.kind})`;
}

function Drives({ scene, name, value }: { scene: Scene; name: string; value: Table }) {
  const all = targets(scene.tree);
  const drives = (Array.isArray(value.drives) ? value.drives : []) as Table[];
  const put = (next: Table[], more: Change[] = []) => edit(`Change what ${name} drives`, [{ set: ["inputs", name, "drives"], value: next }, ...more], { field: `inputs.${name}.drives` });
  const pick = (i: number, to: string) => {
    const target = all.find((t) => t.name === to);
    if (!target) return;
    const old = all.find((t) => t.name === drives[i]?.[t.key]);
    // another unit needs another range
    const fits = i > 0 || !old || (old.quantity === target.quantity && (old.kind === "winch" || old.kind === "hinge") === (target.kind === "winch" || target.kind === "hinge"));
    const range: Change[] = fits ? [] : Object.entries(rangeOf(scene.tree, target, 1)).map(([key, v]) => ({ set: ["inputs", name, key], value: v }));
    put(drives.map((d, k) => (k === i ? { ...(typeof d.factor === "number" ? { factor: d.factor } : {}), [target.key]: to } : d)), range);
  };
  // of the same unit as the first
  const first = all.find((t) => t.name === drives[0]?.[t.key]);
  const more = all.find((t) => t.quantity === first?.quantity && !drives.some((d) => d[t.key] === t.name));
  return (
    <>
      {drives.map((drive, i) => (
        <div class="field" key={i} title="The drive that this input acts on">
          <span class="field-name">{i === 0 ? "drives" : "and"}</span>
          <span class="entry">
            <select aria-label={`drive ${i + 1}`} disabled={!store.mayDrive.value} value={String(drive.joint ?? drive.cable ?? "")} onChange={(e) => pick(i, e.currentTarget.value)}>
              {!all.some((t) => t.name === drive[t.key]) && <option value={String(drive.joint ?? drive.cable ?? "")}>{String(drive.joint ?? drive.cable ?? "–")}</option>}
              {all.map((t) => <option key={t.name} value={t.name}>{targetText(t)}</option>)}
            </select>
            <Entry value={shown(drive.factor)} placeholder="1" unit="×" name={`factor of drive ${i + 1}`} commit={(t) => put(drives.map((d, k) => (k === i ? withFactor(d, typed(t)) : d)))} />
            {drives.length > 1 && <IconButton icon="close" label={`Remove drive ${i + 1}`} onClick={() => put(drives.filter((_, k) => k !== i))} />}
          </span>
        </div>
      ))}
      {more && (
        <button type="button" class="small" disabled={!store.mayDrive.value} onClick={() => more && put([...drives, { [more.key]: more.name }])}>
          Drive something else as well
        </button>
      )}
    </>
  );
}

function withFactor(drive: Table, factor: Json | undefined): Table {
  const { factor: _, ...rest } = drive;
  return factor === undefined || factor === 1 ? rest : { ...rest, factor };
}

type Part = { scene: Scene; name: string; value: Table; set: (key: string, to: Json | undefined) => void };

/** The keys of an input in a table of it, or null without any. */
const keysOf = (value: Table | null) => (Array.isArray(value?.keys) ? value.keys.map(String) : null);

/** Changes one of the two keys. The other one is that of the text when the change is made: an earlier change may still be on its way. */
function setKey(name: string, which: 0 | 1, key: string) {
  const field = `inputs.${name}.keys`;
  editLater(({ tree }) => {
    const keys = keysOf(entryOf(tree, "inputs", name));
    const label = `Change ${name} keys`;
    return { label, field, changes: keys ? [{ set: ["inputs", name, "keys"], value: which === 0 ? [key, keys[1]!] : [keys[0]!, key] }] : [] };
  });
}

function Keys({ scene, name, value, set }: Part) {
  const trouble = useSignal<string | null>(null);
  const keys = keysOf(value);
  // what a key is compared with when it is pressed, which is later than when it began to be listened for
  const shownNow = useRef({ tree: scene.tree, keys });
  shownNow.current = { tree: scene.tree, keys };
  const first = useSignal<string | null>(null);
  const waits = waiting.value?.input === name && waiting.value.for !== "axis" ? waiting.value.for : null;
  useEffect(() => {
    if (waits === null) return;
    const press = (event: KeyboardEvent) => {
      event.preventDefault();
      event.stopImmediatePropagation();
      if (["Shift", "Control", "Alt", "Meta"].includes(event.key)) return;
      const key = keyName(event.key);
      if (key === "Escape") return done(null);
      if (!NAMED.test(key)) return void (trouble.value = `${event.key} cannot be a key of an input: use a letter, a digit or an arrow.`);
      const { tree, keys } = shownNow.current;
      const owner = bound(tree, name).keys.has(key) ? "another lever has it" : (waits === 0 ? keys?.[1] : (first.value ?? keys?.[0])) === key ? "it is the other key" : null;
      if (owner) return void (trouble.value = `${keyCap(key)} is taken: ${owner}.`);
      done(key);
    };
    const done = (key: string | null) => {
      trouble.value = null;
      waiting.value = null;
      if (key === null) return void (first.value = null);
      if (shownNow.current.keys) return setKey(name, waits, key);
      if (waits === 0) {
        first.value = key;
        waiting.value = { input: name, for: 1 };
      } else set("keys", [first.value!, key]);
    };
    // who goes elsewhere no longer means to bind a key
    const leave = (event: Event) => {
      if (!(event.target as Element | null)?.closest?.(".bind")) done(null);
    };
    addEventListener("keydown", press, true);
    addEventListener("pointerdown", leave, true);
    addEventListener("focusin", leave, true);
    return () => {
      removeEventListener("keydown", press, true);
      removeEventListener("pointerdown", leave, true);
      removeEventListener("focusin", leave, true);
    };
  }, [waits]);
  const button = (i: 0 | 1) => (
    <button type="button" class="bind" aria-label={`Key for ${i === 0 ? "more" : "less"}`} aria-pressed={waits === i} disabled={!store.mayDrive.value || (i === 1 && !keys && waits !== 1)} onClick={(e) => (e.currentTarget.blur(), (trouble.value = null), (waiting.value = waits === i ? null : { input: name, for: i }))}>
      {waits === i ? "press a key" : <kbd>{keyCap((i === 0 ? (first.value ?? keys?.[0]) : keys?.[1]) ?? "–")}</kbd>}
      <small>{i === 0 ? "more" : "less"}</small>
    </button>
  );
  return (
    <div class="field" title="Keys for more and for less: click one, then press the key">
      <span class="field-name">keys</span>
      <span class="entry">
        {button(0)}
        {button(1)}
        {keys && <IconButton icon="close" label="No keys" disabled={!store.mayDrive.value} onClick={() => set("keys", undefined)} />}
      </span>
      {trouble.value && <p class="field-error" role="alert">{trouble.value}</p>}
    </div>
  );
}

function Axis({ scene, name, value, set }: Part) {
  const waits = waiting.value?.input === name && waiting.value.for === "axis";
  useEffect(() => {
    if (!waits) return;
    let frame = 0;
    const look = () => {
      for (const pad of navigator.getGamepads?.() ?? []) {
        const axis = pad && AXES.find((a) => Math.abs(stickPlace(pad, a)) > MOVED);
        if (axis) {
          waiting.value = null;
          return set("gamepad", axis);
        }
      }
      frame = requestAnimationFrame(look);
    };
    frame = requestAnimationFrame(look);
    return () => cancelAnimationFrame(frame);
  }, [waits]);
  const taken = bound(scene.tree, name).axes;
  return (
    <div class="field" title="Axis of a gamepad">
      <span class="field-name">gamepad</span>
      <span class="entry">
        <select aria-label="gamepad axis" disabled={!store.mayDrive.value} value={String(value.gamepad ?? "")} onChange={(e) => set("gamepad", e.currentTarget.value || undefined)}>
          <option value="">none</option>
          {AXES.map((a) => <option key={a} value={a}>{a}{taken.has(a) ? " (used by another lever)" : ""}</option>)}
        </select>
        <button type="button" class="small" aria-pressed={waits} disabled={!store.mayDrive.value} onClick={() => (waiting.value = waits ? null : { input: name, for: "axis" })}>
          {waits ? "move an axis" : "Bind"}
        </button>
      </span>
    </div>
  );
}

/** Time, value and ramp of each step of the script for this input. */
export function Steps({ scene, name }: { scene: Scene; name: string }) {
  const steps = stepsOf(scene.tree, name);
  const unit = scene.inputs.find((i) => i.name === name)?.unit ?? "";
  const field = `inputs.${name}.script`;
  const put = (label: string, changes: Change[]) => edit(`${label} of ${name}`, changes, { field });
  const high = scene.inputs.find((i) => i.name === name)?.high ?? 1;
  const add = () => {
    const last = steps[steps.length - 1];
    const at = typeof last?.at === "number" ? last.at + 2 : steps.length * 2 + 1;
    put("Add step", addStep(scene.tree, name, at, last && last.value !== 0 ? 0 : Number(high.toPrecision(3))));
  };
  const change = (index: number, to: Parameters<typeof changeStep>[3]) => put("Change step", changeStep(scene.tree, name, index, to));
  return (
    <section class="steps" aria-label="Script">
      <h3>Script</h3>
      {steps.length > 0 && (
        <table>
          <thead>
            <tr><th>at <small>s</small></th><th>value <small>{unit}</small></th><th>over <small>s</small></th><th /></tr>
          </thead>
          <tbody>
            {steps.map((s, i) => (
              <tr key={s.index}>
                <td><Entry value={shown(s.at)} name={`time of step ${i + 1}`} commit={(t) => change(s.index, { at: typed(t) ?? 0 })} /></td>
                <td><Entry value={shown(s.value)} name={`value of step ${i + 1}`} commit={(t) => change(s.index, { value: typed(t) ?? 0 })} /></td>
                <td><Entry value={shown(s.over)} placeholder="0" name={`ramp of step ${i + 1}`} commit={(t) => change(s.index, { over: typed(t) ?? null })} /></td>
                <td><IconButton icon="close" label={`Remove step ${i + 1}`} onClick={() => put("Remove step", removeStep(scene.tree, name, s.index))} /></td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {store.fieldError.value?.path === field && <p class="field-error" role="alert">{store.fieldError.value.text}</p>}
      <button type="button" class="small" disabled={!store.mayDrive.value} onClick={add}>Add a step</button>
    </section>
  );
}
