/** The scene as it is written, in step with the selection: change, apply, and see all that is wrong at its lines. */
import { effect, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { redo, save, undo } from "../build/actions";
import { fetchSchema, schema } from "../build/schema";
import { find, nameOf, type Named } from "../build/selection";
import * as store from "../store";
import { send } from "../link";
import type { TextEditor } from "../text/editor";
import { validateTyped } from "../text/validate";
import { keepTyped, leaveFor } from "../work";
import { Panel } from "./panel";

/** Sections whose entries can be selected. */
const SELECTABLE = ["bodies", "joints", "cables", "forces"];

/** Selects what the cursor was put at. */
function selectAt(path: string[]) {
  const scene = store.scene.value;
  const [section, name] = path;
  if (!scene || !section || name === undefined || !SELECTABLE.includes(section)) return;
  const named = { section, name } as Named;
  const now = nameOf(store.selected.value, scene);
  const found = find(named, scene);
  if (!found || (now?.section === section && now.name === name)) return;
  store.fellows.value = [];
  store.selected.value = found;
}

export function TextPanel() {
  const scene = store.scene.value;
  const errors = store.errors.value;
  const broken = store.broken.value;
  const text = broken?.text ?? store.draft.value ?? scene?.text ?? "";
  // the text the typing began with: another one now means that the scene was changed elsewhere meanwhile
  const base = useSignal(scene?.text ?? "");
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<TextEditor | null>(null);
  const trouble = useSignal<string | null>(null);
  /** The text to be saved once the scene has it. */
  const toSave = useRef<string | null>(null);
  useEffect(() => {
    if (scene && store.draft.value === null) base.value = scene.text;
  }, [scene, store.draft.value]);
  useEffect(() => {
    void fetchSchema();
    return load(host.current!, editor, trouble, apply, saveTyped);
  }, []);
  useEffect(() => {
    const wanted = toSave.current;
    toSave.current = null;
    if (wanted !== null && scene?.text === wanted) save();
  }, [scene, errors]);
  const changed = !!scene && !broken && text !== scene.text;
  const overtaken = changed && store.draft.value !== null && base.value !== scene.text;

  function apply() {
    const [file, shown] = [store.broken.value, store.scene.value];
    if (!store.mayDrive.value) return;
    if (!file) {
      if (shown) send({ do: "text", toml: store.draft.value ?? shown.text });
      return;
    }
    // the file is no part of the scene that it would replace: its own text is not what is left
    leaveFor(`opening ${file.file}`, (discard) => send({ do: "load", id: file.id, name: file.file, toml: file.text, discard }), false);
  }
  function saveTyped() {
    const typed = store.draft.value;
    if (store.broken.value) return apply();
    if (typed === null || typed === store.scene.value?.text) return save();
    toSave.current = typed;
    apply();
  }
  const revert = () => scene && editor.current?.replace(scene.text);
  const close = () => {
    if (broken && broken.text !== broken.read) keepTyped();
    store.errors.value = store.broken.value = null;
  };

  return (
    <Panel
      title={broken?.file ?? scene?.file ?? "Scene text"}
      side="left"
      wide
      size="text"
      onClose={() => (store.leftPanel.value = null)}
      tools={
        broken ? (
          <>
            <button type="button" onClick={close} title="Back to the text of the scene that is shown">
              Close file
            </button>
            <button type="button" class="primary" disabled={!store.mayDrive.value} onClick={apply} title="Open this text as a scene (Ctrl Enter)">
              Open
            </button>
          </>
        ) : (
        <>
          <button
            type="button"
            disabled={!changed}
            title="Back to the text of the scene; Ctrl Z in the editor restores what was typed"
            onClick={() => {
              store.errors.value = null;
              revert();
            }}
          >
            Revert
          </button>
          <button type="button" class="primary" disabled={!store.mayDrive.value || !scene} onClick={apply} title="Apply (Ctrl Enter)">
            Apply
          </button>
        </>
        )
      }
    >
      {broken && (
        <div class="overtaken" role="alert">
          <span>
            This file cannot be opened{errors && errors.problems.length > 0 ? `: ${errors.problems.length} ${errors.problems.length === 1 ? "error" : "errors"}` : ""}. {scene?.title ?? "The scene"} keeps running.
          </span>
        </div>
      )}
      {overtaken && (
        <div class="overtaken" role="alert">
          <span>The scene was changed elsewhere while you typed. Apply replaces it with your text; Ctrl Z restores the other text.</span>
          <button type="button" onClick={revert}>
            Discard mine
          </button>
        </div>
      )}
      <div class="editor" ref={host}>{trouble.value && <p class="empty" role="alert">{trouble.value}</p>}</div>
      <Verdict go={(line, column) => editor.current?.goTo(line, column)} />
      {errors && !errors.live && errors.problems.length > 0 && (
        <ul class="problems" role="alert">
          {errors.problems.map((p, i) => (
            <li key={i}>
              <button type="button" onClick={() => editor.current?.goTo(p.line, p.column)}>
                <b>
                  Line {p.line}, column {p.column}
                </b>
                <span>{p.message}</span>
                {p.help && <small>{p.help}</small>}
              </button>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** How many errors the text has, in a line that is always there, so that the text does not move while one types; a click goes to the first. */
function Verdict({ go }: { go: (line: number, column: number) => void }) {
  const problems = store.errors.value?.problems ?? [];
  const [first] = problems;
  if (!first) return <p class="verdict">No errors</p>;
  return (
    <button type="button" class="verdict" title={first.help ? `${first.message}\n${first.help}` : first.message} onClick={() => go(first.line, first.column)}>
      {problems.length === 1 ? "1 error" : `${problems.length} errors`}, line {first.line}: {first.message}
    </button>
  );
}

/** Loads the editor into its place and keeps it in step with scene, errors and selection; gives a way to end that. */
function load(host: HTMLElement, editor: { current: TextEditor | null }, trouble: { value: string | null }, apply: () => void, saveTyped: () => void): () => void {
  let ended = false;
  const stops: (() => void)[] = [];
  // a selection made by the cursor needs no scrolling to it
  let pointing = false;
  let marked: string | undefined;
  void import("../text/editor").then(
    ({ TextEditor }) => {
      if (ended) return;
      const made = new TextEditor(host, store.broken.value?.text ?? store.draft.value ?? store.scene.value?.text ?? "", {
        schema: () => schema.value,
        typed: (text) => {
          if (store.broken.value) store.broken.value = { ...store.broken.value, text };
          else store.draft.value = text === store.scene.value?.text ? null : text;
        },
        pointed: (path) => {
          pointing = true;
          selectAt(path);
          pointing = false;
        },
        apply,
        save: saveTyped,
        undo,
        redo,
      });
      editor.current = made;
      let before = store.scene.value?.text;
      stops.push(
        () => made.destroy(),
        validateTyped(),
        effect(() => {
          const text = store.scene.value?.text;
          const other = store.broken.value?.text ?? store.draft.value;
          if (other !== null && made.text !== other) made.show(other);
          if (text === undefined || other !== null) return;
          if (made.text !== text) made.show(text);
          else if (text !== before) made.forget();
          before = text;
        }),
        effect(() => made.problems(store.errors.value?.problems ?? [])),
        effect(() => {
          const named = store.scene.value && nameOf(store.selected.value, store.scene.value);
          const entry = named?.section ? [named.section, named.name] : null;
          made.mark(entry, !pointing && entry?.join() !== marked);
          marked = entry?.join();
        }),
      );
    },
    (error: Error) => (trouble.value = `The editor could not be loaded: ${error.message}. Reload the page.`),
  );
  return () => {
    ended = true;
    for (const stop of stops) stop();
    editor.current = null;
  };
}
