/** Joysticks for fingers: inputs on the two axes of one stick of a gamepad share a pad, the others keep their levers. */
import { useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import type { Input } from "../protocol";
import * as store from "../store";
import { called, fromStick, sense, want, wantedOf } from "../drive";

export interface Stick {
  side: "left" | "right";
  x: Input | null;
  y: Input | null;
}

/** Sticks of a scene: each side that has an input on one of its axes. */
export function sticksOf(inputs: Input[]): Stick[] {
  return (["left", "right"] as const).flatMap((side) => {
    const on = (axis: string) => inputs.find((i) => i.gamepad === `${side}-${axis}`) ?? null;
    const stick = { side, x: on("x"), y: on("y") };
    return stick.x || stick.y ? [stick] : [];
  });
}

/** Place of a value on its axis of the stick, from −1 to 1. */
export function stickAt(input: Input | null, value: number): number {
  if (!input) return 0;
  const way = value - input.rest;
  const most = way > 0 ? input.high - input.rest : input.rest - input.low;
  return most > 0 ? Math.max(-1, Math.min(1, way / most)) : 0;
}

/** Part of the pad's half width that the knob's middle can go. */
const REACH = 0.66;

export function StickPad({ stick }: { stick: Stick }) {
  const pad = useRef<HTMLDivElement>(null);
  const held = useSignal(false);
  const both = [stick.x, stick.y].filter((i) => i !== null);
  const drag = (event: PointerEvent) => {
    if (!held.value || !pad.current || !store.mayDrive.value) return;
    const rect = pad.current.getBoundingClientRect();
    const place = (at: number) => Math.max(-1, Math.min(1, at / REACH));
    if (stick.x) want(stick.x, fromStick(stick.x, sense(stick.x) * place((event.clientX - rect.left) / (rect.width / 2) - 1)));
    if (stick.y) want(stick.y, fromStick(stick.y, place(1 - (event.clientY - rect.top) / (rect.height / 2))));
  };
  const letGo = () => {
    held.value = false;
    for (const input of both) if (input.self_centering) want(input, input.rest);
  };
  const [x, y] = [stick.x, stick.y].map((i) => (i ? sense(i) * stickAt(i, wantedOf(i)) : 0)) as [number, number];
  return (
    <div class={`stick ${held.value ? "held" : ""} ${stick.x && stick.y ? "" : stick.x ? "level" : "upright"}`} data-stick={stick.side}>
      <div
        ref={pad}
        class="stick-pad"
        role="group"
        aria-label={`${stick.side === "left" ? "Left" : "Right"} joystick: ${both.map(called).join(", ")}`}
        onPointerDown={(e) => {
          e.currentTarget.setPointerCapture(e.pointerId);
          held.value = true;
          drag(e);
        }}
        onPointerMove={drag}
        onPointerUp={letGo}
        onPointerCancel={letGo}
      >
        <i class="stick-knob" style={{ left: `${50 + 50 * REACH * x}%`, top: `${50 - 50 * REACH * y}%` }} />
      </div>
      <span>{both.map(called).join(", ")}</span>
    </div>
  );
}
