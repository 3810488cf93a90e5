/** Can this part be brought to its place? A hand path is recorded, played again, and judged by what the part touches. */
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
    <Panel title="Assembly" wrap_direction="cw" onClose={close}>
      <h3>Part</h3>
      {check ? (
        <Readings check={check} may={may} />
      ) : (
        <p class="empty">Can this part be brought to its place? Click a body or a cable in the picture, record how you move it, and play it again.</p>
      )}
      <h3>Hand paths</h3>
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
          <button type="button" class="primary" onClick={record} disabled={!may || !s} title="Goes to the start of the scene and notes how you drag bodies and cables">
            <Icon name="record" />
            Record
          </button>
        )}
        <IconButton icon="plus" label="Take a path from a file" disabled={!may} onClick={choosePath} />
      </div>
      {s?.recording && <p class="recording-note">Recording: drag the part along its way.</p>}
      {paths.length === 0 && !s?.recording && <p class="empty">No path yet. A path also runs after you have moved an obstacle or changed a part.</p>}
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
        {playing ? "Plays …" : (path.verdict?.text ?? "Not played yet")}
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
          Look at nothing
        </button>
      </div>
      <div class={`clearance ${touching.some((t) => !t.resting) ? "touches" : ""}`}>
        <small>Clearance</small>
        <b>{clearance ? gap(clearance.distance) : "–"}</b>
        <small>{clearance ? `to ${clearance.other.name}` : "nothing to be near to"}</small>
      </div>
      <dl class="facts">
        <div>
          <dt>Nearest so far</dt>
          <dd>{least ? `${gap(least.distance)}, ${least.other.name}` : "–"}</dd>
        </div>
        <div>
          <dt>Greatest force</dt>
          <dd>{largest ? `${force(largest.force) || "not known"}, ${largest.b.name}` : "–"}</dd>
        </div>
        <div>
          <dt>Deepest overlap</dt>
          <dd>{check.deepest > 0 ? gap(check.deepest) : "–"}</dd>
        </div>
      </dl>
      {touching.length > 0 && (
        <ul class="touching" aria-label="Touches now">
          {touching.slice(0, 8).map((touch) => (
            <li key={`${touch.b.kind} ${touch.b.id}`} class={touch.resting ? "resting" : ""}>
              <span>
                {touch.resting ? "Lies on " : "Touches "}
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
            First touches <b>{first.b.name}</b> at {clock(first.time)}
            {first.force !== null && `, ${force(first.force)}`}
          </span>
          <button type="button" class="small" disabled={!may} onClick={() => send({ do: "seek", time: first.time })}>
            Show it
          </button>
        </div>
      )}
    </>
  );
}
