/** Assembly check: a drag path is recorded, played again, and judged by the contacts and clearance of the part. */
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import * as store from "../store";
import { send } from "../link";
import { choosePath, chosenPart, gap, record } from "../assembly";
import type { Check, HandPath } from "../protocol";
import { clock } from "../time";
import { Icon, IconButton } from "./icons";
import { Panel } from "./panel";
import { quantity } from "./units";

const force = (newtons: number | null) => (newtons === null ? "" : quantity(newtons, "N"));

export function AssemblyPanel() {
  const name = useSignal("");
  const s = store.status.value;
  const may = store.mayDrive.value;
  const chosen = chosenPart();
  const key = chosen ? JSON.stringify(chosen) : null;
  // what is selected while the panel is open is the part
  useEffect(() => {
    if (chosen && may) send({ do: "check", ...chosen });
  }, [key, may]);
  const close = () => {
    store.rightPanel.value = null;
    if (may && store.status.value?.check) send({ do: "check" });
  };
  const check = s?.check ?? null;
  const paths = s?.paths ?? [];
  const stop = () => {
    send({ do: "path", action: "stop", name: name.value });
    name.value = "";
  };
  return (
    <Panel title="Assembly" side="right" onClose={close}>
      <h3>Part</h3>
      {check ? (
        <Readings check={check} may={may} />
      ) : (
        <p class="empty">Can this part be assembled without collision? Click a body or a cable in the view, record a drag path, and play it.</p>
      )}
      <h3>Drag paths</h3>
      <div class="record-row">
        {s?.recording ? (
          <>
            <input aria-label="Name of the path" placeholder={`path ${paths.length + 1}`} maxLength={80} value={name.value} onInput={(e) => (name.value = e.currentTarget.value)} onKeyDown={(e) => e.key === "Enter" && stop()} />
            <button type="button" class="stop" onClick={stop} disabled={!may}>
              <Icon name="stop" />
              Stop
            </button>
          </>
        ) : (
          <button type="button" class="primary" onClick={record} disabled={!may || !s} title="Resets the scene to its start and records how you drag bodies and cables">
            <Icon name="record" />
            Record
          </button>
        )}
        <IconButton icon="plus" label="Load a path from a file" disabled={!may} onClick={choosePath} />
      </div>
      {s?.recording && <p class="recording-note">Recording: drag the part along its path.</p>}
      {paths.length === 0 && !s?.recording && <p class="empty">No paths. A path can be played again after an obstacle or a part has been changed.</p>}
      <ul class="paths">
        {paths.map((path) => (
          <PathRow key={path.id} path={path} playing={check?.path === path.id} may={may} />
        ))}
      </ul>
    </Panel>
  );
}

function PathRow({ path, playing, may }: { path: HandPath; playing: boolean; may: boolean }) {
  const tone = playing ? "runs" : path.verdict ? (path.verdict.free ? "free" : "touches") : "";
  return (
    <li class={`path ${tone}`}>
      <div class="path-head">
        <strong>{path.name}</strong>
        <IconButton icon="play" label={`Play ${path.name}`} disabled={!may} onClick={() => send({ do: "path", action: "play", id: path.id })} />
        <IconButton icon="save" label={`Download ${path.name}`} disabled={!may} onClick={() => send({ do: "path", action: "export", id: path.id })} />
        <IconButton icon="trash" label={`Remove ${path.name}`} disabled={!may} onClick={() => send({ do: "path", action: "remove", id: path.id })} />
      </div>
      <small>
        {path.part}, {path.seconds.toFixed(1)} s, {path.points} moves
      </small>
      <p class="verdict" role="status">
        {playing ? "Playing …" : (path.verdict?.text ?? "Not played yet")}
      </p>
    </li>
  );
}

function Readings({ check, may }: { check: Check; may: boolean }) {
  const { clearance, least, first, largest, touching } = check;
  return (
    <>
      <div class="part-row">
        <strong>{check.part.name}</strong>
        <button type="button" class="small" disabled={!may} onClick={() => send({ do: "check" })}>
          End check
        </button>
      </div>
      <div class={`clearance ${touching.some((t) => !t.resting) ? "touches" : ""}`}>
        <small>Clearance</small>
        <b>{clearance ? gap(clearance.distance) : "–"}</b>
        <small>{clearance ? `to ${clearance.other.name}` : "no other body"}</small>
      </div>
      <dl class="facts">
        <div>
          <dt>Smallest clearance</dt>
          <dd>{least ? `${gap(least.distance)}, ${least.other.name}` : "–"}</dd>
        </div>
        <div>
          <dt>Largest contact force</dt>
          <dd>{largest ? `${force(largest.force) || "unknown"}, ${largest.b.name}` : "–"}</dd>
        </div>
        <div>
          <dt>Largest penetration</dt>
          <dd>{check.deepest > 0 ? gap(check.deepest) : "–"}</dd>
        </div>
      </dl>
      {touching.length > 0 && (
        <ul class="touching" aria-label="Present contacts">
          {touching.slice(0, 8).map((touch) => (
            <li key={`${touch.b.kind} ${touch.b.id}`} class={touch.resting ? "resting" : ""}>
              <span>
                {touch.resting ? "Rests on " : "Contact with "}
                {touch.b.name}
              </span>
              <b>{force(touch.force)}</b>
            </li>
          ))}
        </ul>
      )}
      {first && (
        <div class="first-contact" role="status">
          <span>
            First contact with <b>{first.b.name}</b> at {clock(first.time)}
            {first.force !== null && `, ${force(first.force)}`}
          </span>
          <button type="button" class="small" disabled={!may} onClick={() => send({ do: "seek", time: first.time })}>
            Show
          </button>
        </div>
      )}
    </>
  );
}
