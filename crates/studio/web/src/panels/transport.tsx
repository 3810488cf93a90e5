/** The recorder at the foot of the page: buttons, the recorded span with its flags, speed, and how the machine keeps up. */
import { useSignal } from "@preact/signals";
import * as store from "../store";
import { send } from "../link";
import * as time from "../time";
import { Icon, IconButton } from "./icons";
import { Flags } from "./points";

export function Transport() {
  const s = store.status.value;
  const linked = store.linkState.value.phase === "open";
  const off = !store.mayDrive.value || !store.scene.value;
  return (
    <footer class="transport">
      <div class="buttons" role="toolbar" aria-label="Time">
        <IconButton icon="reset" label="Reset to the start (Backspace)" disabled={off} onClick={() => send({ do: "reset" })} />
        <span class="gap" />
        <IconButton icon="start" label="To the start of the recording" disabled={off} onClick={time.toStart} />
        <IconButton icon="back" label="Back 5 s" disabled={off} onClick={() => time.skip(-5)} />
        <IconButton icon="stepBack" label="One step back (,)" disabled={off} onClick={time.stepBack} />
        <IconButton class="play" icon={s?.playing ? "pause" : "play"} label={s?.playing ? "Pause (Space)" : "Play (Space)"} disabled={off} onClick={time.playPause} />
        <IconButton icon="stepOn" label="One step forward (.)" disabled={off} onClick={time.stepOn} />
        <IconButton icon="on" label="Forward 5 s" disabled={off} onClick={() => time.skip(5)} />
        <IconButton icon="flag" label="Set a sync point (M)" disabled={off} onClick={time.mark} />
      </div>
      <Timeline off={off} />
      <div class="clock" aria-label="Time shown">
        {time.clock(s?.time ?? 0)}
      </div>
      {s && !s.live ? (
        <>
          <button type="button" class="primary branch" disabled={off} onClick={() => send({ do: "resume" })}>
            <Icon name="branch" /> Continue from here
          </button>
          <button type="button" class="live" disabled={off} onClick={time.toLive}>
            Back to live
          </button>
        </>
      ) : (
        <span class={`live-mark ${s?.playing && linked ? "on" : ""}`}>{!linked ? "Offline" : s?.playing ? "Live" : "Paused"}</span>
      )}
      <label class="speed">
        <span class="sr">Speed</span>
        <select value={String(s?.speed ?? 1)} disabled={off} title="Speed" onChange={(e) => send({ do: "speed", value: Number(e.currentTarget.value) })}>
          {[...new Set([...time.SPEEDS, s?.speed ?? 1])].sort((a, b) => a - b).map((v) => (
            <option key={v} value={String(v)}>
              {v}×
            </option>
          ))}
        </select>
      </label>
      <Pace />
    </footer>
  );
}

function Pace() {
  const s = store.status.value;
  if (!s) return <div class="pace" />;
  const behind = s.playing && s.live && s.rtf < 0.9 * s.speed;
  return (
    <div class={`pace ${behind ? "behind" : ""}`} title="Real time: simulated seconds per second of wall time. Headroom: the real-time factor it could reach.">
      <span>
        <small>Real time</small>
        {s.playing ? `${s.rtf.toFixed(2)}×` : "–"}
      </span>
      <span>
        <small>Headroom</small>
        {s.headroom >= 10 ? Math.round(s.headroom) : s.headroom.toFixed(1)}×
      </span>
    </div>
  );
}

function Timeline({ off }: { off: boolean }) {
  const s = store.status.value;
  // while dragging, the knob stays under the pointer and does not wait for the server
  const dragged = useSignal<number | null>(null);
  const span = s ? Math.max(1e-9, s.to - s.from) : 1;
  const shown = dragged.value ?? s?.time ?? 0;
  const place = (t: number) => `${Math.min(1, Math.max(0, (t - (s?.from ?? 0)) / span)) * 100}%`;

  const scrub = (event: PointerEvent) => {
    if (off || !s || event.buttons === 0) return;
    const rect = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const t = s.from + span * Math.min(1, Math.max(0, (event.clientX - rect.left) / rect.width));
    dragged.value = t;
    send({ do: "seek", time: t });
  };
  const keys = (event: KeyboardEvent) => {
    const way = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    if (way === 0 || off || event.defaultPrevented) return;
    event.preventDefault();
    event.stopPropagation();
    time.skip(way * (event.shiftKey ? 5 : 1));
  };

  return (
    <div class="timeline">
      <div
        class="timeline-track"
        role="slider"
        tabIndex={0}
        aria-label="Recorded time"
        aria-valuemin={s?.from ?? 0}
        aria-valuemax={s?.to ?? 0}
        aria-valuenow={shown}
        aria-valuetext={time.clock(shown)}
        onPointerDown={(e) => {
          e.currentTarget.setPointerCapture(e.pointerId);
          if (s?.playing && s.live) send({ do: "pause" });
          scrub(e);
        }}
        onPointerMove={scrub}
        onPointerUp={() => (dragged.value = null)}
        onPointerCancel={() => (dragged.value = null)}
        onKeyDown={keys}
      >
        <div class="timeline-done" style={{ width: place(shown) }} />
        <div class="timeline-knob" style={{ left: place(shown) }} />
      </div>
      <Flags off={off} />
      <div class="timeline-ends">
        <span>{time.clock(s?.from ?? 0)}</span>
        <span>{time.clock(s?.to ?? 0)}</span>
      </div>
    </div>
  );
}
