/** What lies over the picture: waiting and lost connection, faults, first hints, help, notices, the name under the pointer. */
import type { RefObject } from "preact";
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Input } from "../protocol";
import * as store from "../store";
import { connect, send } from "../link";
import { called, caps, driven, keyCap } from "../drive";
import { CHORDS, SHORTCUTS } from "../shortcuts";
import { Icon, IconButton } from "./icons";
import { clock } from "../time";

/** Covers the picture while there is nothing live to see. */
export function Waiting() {
  const link = store.linkState.value;
  const tick = useSignal(0);
  useEffect(() => {
    const timer = setInterval(() => (tick.value += 1), 500);
    return () => clearInterval(timer);
  }, []);
  if (link.phase === "lost") {
    void tick.value;
    const seconds = Math.max(0, Math.ceil((link.retryAt - Date.now()) / 1000));
    return (
      <div class="cover" role="status">
        <div class="card">
          <Icon name="warn" />
          <h2>{store.scene.value ? "Connection lost" : "No server"}</h2>
          <p>
            {store.scene.value ? "The view shows the last frame received." : "The server does not answer."} Is <code>windlass studio</code> still
            running?
          </p>
          <p class="dim">{seconds > 0 ? `Retrying in ${seconds} s` : "Retrying …"}</p>
          <button type="button" class="primary" onClick={connect}>
            Retry now
          </button>
        </div>
      </div>
    );
  }
  if (store.scene.value) return null;
  if (link.phase === "open" && store.hello.value && store.hello.value.scenes.length > 0) {
    return (
      <div class="cover">
        <div class="card">
          <h2>Choose a scene</h2>
          <p>A scene starts running when it is opened. You can operate its inputs, drag its bodies and edit its text.</p>
          <button type="button" class="primary" onClick={() => (store.leftPanel.value = "scenes")}>
            Open the list of scenes
          </button>
        </div>
      </div>
    );
  }
  return (
    <div class="cover" role="status">
      <div class="card quiet">
        <div class="spinner" />
        <p>{link.phase === "open" ? "Waiting for a scene …" : "Connecting …"}</p>
      </div>
    </div>
  );
}

export function FaultBanner() {
  const s = store.status.value;
  if (!s?.fault) return null;
  const back = Math.max(s.from, s.fault.time - 1);
  return (
    <div class="fault" role="alert">
      <Icon name="warn" />
      <div>
        <strong>The simulation stopped at {clock(s.fault.time)}</strong>
        <p>{s.fault.text}</p>
        <p class="dim">Go back and continue with other inputs, restart, or correct the scene text.</p>
      </div>
      <div class="fault-actions">
        <button type="button" class="primary" onClick={() => send({ do: "seek", time: back })}>
          Back one second
        </button>
        <button type="button" onClick={() => send({ do: "reset" })}>
          Start again
        </button>
        <button type="button" onClick={() => (store.leftPanel.value = "text")}>
          Open the text
        </button>
      </div>
    </div>
  );
}

/** First visit: three lines on what to do; gone once a lever has moved, or by hand. */
export function Hints() {
  const seen = useSignal(store.remembered("hints") === "seen");
  const first = useRef(driven.value);
  const scene = store.scene.value;
  const keys = scene?.inputs.filter((i) => i.keys).slice(0, 3) ?? [];
  const moved = driven.value > first.current + 30;
  useEffect(() => {
    if (moved) store.remember("hints", "seen");
  }, [moved]);
  if (seen.value || moved || !scene || store.linkState.value.phase !== "open") return null;
  const dismiss = () => {
    seen.value = true;
    store.remember("hints", "seen");
  };
  return (
    <section class="hints" aria-label="First steps">
      <header>
        <strong>The simulation is running.</strong>
        <IconButton icon="close" label="Close the hints" onClick={dismiss} />
      </header>
      <ul>
        {store.touch.value ? <TouchHints driven={scene.inputs.length > 0} /> : <MouseHints keys={keys} driven={scene.inputs.length > 0} />}
      </ul>
    </section>
  );
}

function MouseHints({ keys, driven }: { keys: Input[]; driven: boolean }) {
  return (
    <>
      {keys.map((input) => (
        <li key={input.name}>
          {caps(input)?.map((cap) => <kbd key={cap}>{cap}</kbd>)} {called(input)}
        </li>
      ))}
      {keys.length === 0 && driven && <li>Drag the levers below</li>}
      <li>
        <b>Drag a body</b> to pull it, <b>drag the ground</b> to rotate the view, <b>wheel</b> to zoom
      </li>
      <li>
        <kbd>␣</kbd> to pause, then <b>drag the timeline</b> back and continue from there
      </li>
    </>
  );
}

function TouchHints({ driven }: { driven: boolean }) {
  return (
    <>
      {driven && <li>Drag the sticks and levers below</li>}
      <li>
        <b>One finger</b> pulls a body, or rotates the view
      </li>
      <li>
        <b>Two fingers</b> pan and zoom
      </li>
    </>
  );
}

export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  const open = store.helpOpen.value;
  useEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal();
    if (!open) dialog.current?.close();
  }, [open]);
  const scene = store.scene.value;
  return (
    <dialog ref={dialog} class="help" onClose={() => (store.helpOpen.value = false)} aria-label="Help">
      <header>
        <h2>Help</h2>
        <IconButton icon="close" label="Close help" onClick={() => (store.helpOpen.value = false)} />
      </header>
      <div class="help-columns">
        {scene && scene.inputs.some((i) => i.keys) && (
          <section>
            <h3>{scene.title}</h3>
            <dl>
              {scene.inputs
                .filter((i) => i.keys)
                .map((i) => (
                  <div key={i.name}>
                    <dt>
                      {caps(i)?.map((cap) => <kbd key={cap}>{cap}</kbd>)}
                    </dt>
                    <dd>{called(i)}</dd>
                  </div>
                ))}
            </dl>
            <p class="dim">A gamepad can be used for inputs with a `gamepad` axis.</p>
          </section>
        )}
        <section>
          <h3>Mouse and touch</h3>
          <dl>
            {[
              ["Drag a body", "Pull it with a spring"],
              ["Drag elsewhere", "Rotate the view"],
              ["Alt + drag", "Rotate the view, also over a body"],
              ["Right drag", "Pan"],
              ["Wheel", "Zoom at the pointer"],
              ["Click", "Select"],
              ["Double click", "Fit the view to it"],
              ["One finger", "As the left button"],
              ["Two fingers", "Pan and zoom"],
              ["Building: drag a handle", "Move, rotate or scale; Shift for fine steps"],
              ["Building: type while dragging", "A number and Enter; x, y, z for an axis, Shift + x for the plane across it; Escape cancels"],
              ["Building: Shift + click", "Add to or remove from the selection"],
              ["Building: Shift + drag", "Box selection"],
            ].map(([how, what]) => (
              <div key={how}>
                <dt>{how}</dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </section>
        <section>
          <h3>Keys</h3>
          <dl>
            {SHORTCUTS.map((s) => (
              <div key={s.what}>
                <dt>
                  {s.keys.map((k) => (
                    <kbd key={k}>{keyCap(k)}</kbd>
                  ))}
                </dt>
                <dd>{s.builds ? `${s.what} (building)` : s.what}</dd>
              </div>
            ))}
            {[
              ["Arrows, picture focused", "Rotate the view, with Shift pan"],
              ["+ −, picture focused", "Zoom"],
            ].map(([how, what]) => (
              <div key={how}>
                <dt>{how}</dt>
                <dd>{what}</dd>
              </div>
            ))}
            {CHORDS.filter((c) => c.keys).map((c) => (
              <div key={c.keys}>
                <dt>{c.keys}</dt>
                <dd>{c.what}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
    </dialog>
  );
}

export function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {store.notices.value.map((n) => (
        <div key={n.id} class={`notice ${n.tone}`}>
          {n.text}
        </div>
      ))}
    </div>
  );
}

export function Tooltip() {
  const over = store.hovered.value;
  if (!over) return null;
  return (
    <div class="tooltip" style={{ left: `${over.x + 14}px`, top: `${over.y + 16}px` }}>
      {over.text}
    </div>
  );
}

/** The graphics driver may drop its context, after sleep for example. */
export function ContextLost({ canvas }: { canvas: RefObject<HTMLCanvasElement | null> }) {
  const lost = useSignal(false);
  useEffect(() => {
    const on = (event: Event) => {
      event.preventDefault();
      lost.value = true;
    };
    const off = () => (lost.value = false);
    canvas.current?.addEventListener("webglcontextlost", on);
    canvas.current?.addEventListener("webglcontextrestored", off);
  }, []);
  if (!lost.value) return null;
  return (
    <div class="cover" role="alert">
      <div class="card">
        <h2>The WebGL context was lost</h2>
        <p>The simulation continues. Reload the page if the view does not return.</p>
        <button type="button" class="primary" onClick={() => location.reload()}>
          Reload
        </button>
      </div>
    </div>
  );
}
