import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import * as store from "../store";
import { send } from "../link";
import { keepTyped, leaveFor } from "../work";
import { Panel } from "./panel";

/** The scene as it is written: change, apply, and see what is wrong at its line. */
export function TextPanel() {
  const scene = store.scene.value;
  const errors = store.errors.value;
  const broken = store.broken.value;
  const text = broken?.text ?? store.draft.value ?? scene?.text ?? "";
  // the text the typing began with: another one now means that the scene was changed elsewhere meanwhile
  const base = useSignal(scene?.text ?? "");
  const area = useRef<HTMLTextAreaElement>(null);
  const gutter = useRef<HTMLPreElement>(null);
  useEffect(() => {
    if (scene && store.draft.value === null) base.value = scene.text;
  }, [scene, store.draft.value]);
  const changed = !!scene && !broken && text !== scene.text;
  const overtaken = changed && store.draft.value !== null && base.value !== scene.text;
  const bad = new Map(errors?.problems.map((p) => [p.line, p]) ?? []);
  const lines = text.split("\n").length;

  const apply = () => {
    if (!broken) return send({ do: "text", toml: text });
    // the file is no part of the scene that it would replace: its own text is not what is left
    leaveFor(`opening ${broken.file}`, (discard) => send({ do: "load", id: broken.id, name: broken.file, toml: text, discard }), false);
  };
  const type = (value: string) => {
    if (broken) store.broken.value = { ...broken, text: value };
    else store.draft.value = value;
  };
  const close = () => {
    if (broken && broken.text !== broken.read) keepTyped();
    store.errors.value = store.broken.value = null;
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      apply();
    }
  };
  const goTo = (line: number, column: number) => {
    const at = text.split("\n").slice(0, line - 1).reduce((sum, l) => sum + l.length + 1, 0) + column - 1;
    area.current?.focus();
    area.current?.setSelectionRange(at, at);
    if (area.current) area.current.scrollTop = Math.max(0, (line - 4) * parseFloat(getComputedStyle(area.current).lineHeight));
  };

  return (
    <Panel
      title={broken?.file ?? scene?.file ?? "Scene text"}
      side="left"
      wide
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
            onClick={() => {
              store.errors.value = null;
              store.draft.value = null;
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
            This file cannot be opened{errors && errors.problems.length > 0 ? `: ${errors.problems.length} ${errors.problems.length === 1 ? "error" : "errors"}` : ""}. {scene?.title ?? "The scene"} runs on.
          </span>
        </div>
      )}
      {overtaken && (
        <div class="overtaken" role="alert">
          <span>The scene was changed elsewhere while you typed. Apply replaces it by your text; Ctrl Z restores the other text.</span>
          <button type="button" onClick={() => (store.draft.value = null)}>
            Discard mine
          </button>
        </div>
      )}
      <div class="editor">
        <pre class="gutter" ref={gutter} aria-hidden="true">
          {Array.from({ length: lines }, (_, i) => (
            <span key={i} class={bad.has(i + 1) ? "bad" : ""} title={bad.get(i + 1)?.message}>
              {i + 1}
              {"\n"}
            </span>
          ))}
        </pre>
        <textarea
          ref={area}
          aria-label="Scene text in TOML"
          spellcheck={false}
          wrap="off"
          value={text}
          onInput={(e) => type(e.currentTarget.value)}
          onKeyDown={keys}
          onScroll={(e) => {
            if (gutter.current) gutter.current.scrollTop = e.currentTarget.scrollTop;
          }}
        />
      </div>
      {errors && errors.problems.length > 0 && (
        <ul class="problems" role="alert">
          {errors.problems.map((p, i) => (
            <li key={i}>
              <button type="button" onClick={() => goTo(p.line, p.column)}>
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
