/** The machine's levers at the foot of the picture: dragged, or moved by keys and gamepad; a mark shows what the machine does. */
import { useRef } from "preact/hooks";
import type { Input } from "../protocol";
import * as store from "../store";
import { send } from "../link";
import { sticksOf, StickPad } from "./sticks";
import { called, caps, isHeld, mirrored, want, wantedOf } from "../drive";
import { digits, unitFor } from "./units";

/** Place of a value on the lever from 0, left, to 1. */
function part(input: Input, value: number): number {
  const u = Math.min(1, Math.max(0, (value - input.low) / (input.high - input.low || 1)));
  return mirrored(input) ? 1 - u : u;
}

export function Levers() {
  const scene = store.scene.value;
  if (!scene || scene.inputs.length === 0) return null;
  const sticks = store.touch.value && store.mayDrive.value ? sticksOf(scene.inputs) : [];
  const rest = scene.inputs.filter((input) => !sticks.some((s) => s.x === input || s.y === input));
  return (
    <section class={`levers ${sticks.length > 0 ? "by-hand" : ""}`} aria-label="Operator levers">
      {sticks.map((stick) => (
        <StickPad key={`${scene.id}/${stick.side}`} stick={stick} />
      ))}
      {rest.map((input) => (
        <Lever key={`${scene.id}/${input.name}`} input={input} />
      ))}
      {!store.mayDrive.value && store.linkState.value.phase === "open" && (
        <button type="button" class="take-over" onClick={() => send({ do: "drive" })}>
          You are a viewer. Take control
        </button>
      )}
    </section>
  );
}

function Lever({ input }: { input: Input }) {
  const track = useRef<HTMLDivElement>(null);
  const now = store.status.value?.inputs[input.name];
  const value = wantedOf(input);
  const actual = now?.[1] ?? value;
  const enabled = store.mayDrive.value;
  const keys = caps(input);
  // one unit for the whole range, so that it does not change under the hand
  const unit = unitFor(input.unit, Math.max(Math.abs(input.low), Math.abs(input.high)));
  const rest = part(input, input.rest);
  const at = part(input, actual);

  const drag = (event: PointerEvent) => {
    if (!enabled || !track.current || event.buttons === 0) return;
    const rect = track.current.getBoundingClientRect();
    const u = Math.min(1, Math.max(0, (event.clientX - rect.left) / rect.width));
    // a little catch at rest, since zero is the value one wants exactly
    const snapped = Math.abs(u - rest) < 0.03 ? rest : u;
    const share = mirrored(input) ? 1 - snapped : snapped;
    want(input, snapped === rest ? input.rest : input.low + share * (input.high - input.low));
  };
  const letGo = () => {
    if (input.self_centering) want(input, input.rest);
  };
  const nudge = (event: KeyboardEvent) => {
    const step = (input.high - input.low) / 20;
    const way = event.key === "ArrowRight" || event.key === "ArrowUp" ? 1 : event.key === "ArrowLeft" || event.key === "ArrowDown" ? -1 : 0;
    if (way === 0 || !enabled || event.defaultPrevented) return;
    // a scene that drives by the arrow keys hears them itself
    if (store.scene.value?.inputs.some((i) => i.keys?.includes(event.key.replace("Arrow", "")))) return;
    event.preventDefault();
    want(input, Math.min(input.high, Math.max(input.low, value + way * step)));
  };

  return (
    <div class={`lever ${isHeld(input.name) ? "held" : ""} ${enabled ? "" : "off"}`} data-input={input.name}>
      <div class="lever-head">
        <span class="lever-name">{called(input)}</span>
        <span class="lever-value">
          {digits(Math.abs(actual) < 1e-9 ? 0 : Number((actual / unit.size).toFixed(Math.abs(actual / unit.size) < 10 ? 2 : 1)))} <small>{unit.name}</small>
        </span>
      </div>
      <div class="lever-row">
        {keys && <kbd>{keys[0]}</kbd>}
        <div
          ref={track}
          class="track"
          role="slider"
          tabIndex={enabled ? 0 : -1}
          aria-label={`${called(input)} in ${input.unit}`}
          aria-valuemin={input.low}
          aria-valuemax={input.high}
          aria-valuenow={value}
          aria-disabled={!enabled}
          onPointerDown={(e) => {
            e.currentTarget.setPointerCapture(e.pointerId);
            drag(e);
          }}
          onPointerMove={drag}
          onPointerUp={letGo}
          onPointerCancel={letGo}
          onKeyDown={nudge}
        >
          <div class="track-fill" style={{ left: `${Math.min(rest, at) * 100}%`, width: `${Math.abs(at - rest) * 100}%` }} />
          <div class="track-rest" style={{ left: `${rest * 100}%` }} />
          <div class="track-thumb" style={{ left: `${part(input, value) * 100}%` }} />
        </div>
        {keys && <kbd>{keys[1]}</kbd>}
      </div>
    </div>
  );
}
