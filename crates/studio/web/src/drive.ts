/** Levers, keys and gamepads become wanted values of the scene's inputs. */
import { signal } from "@preact/signals";
import type { Input } from "./protocol";
import * as store from "./store";
import { send } from "./link";

/** Time a held key takes to move an input that does not spring back over its whole range [s]. */
const SWEEP = 3;
/** Part of a stick's way that counts as rest: worn sticks do not return to zero. */
const DEAD = 0.12;

/** How long the studio's own word on an input goes before the server's [ms]: a few of its reports, which come late. */
const OWN_WORD = 500;

/** What an input is called: its label, or its name as a sentence begins. */
export function called(input: Input): string {
  if (input.label !== input.name) return input.label;
  const words = input.name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Wanted values as the person set them, and when. */
const wanted = signal<Record<string, { value: number; at: number }>>({});
/** Inputs that a key or a gamepad moves at this moment, for the look of the levers. */
const held = new Set<string>();
/** Counts each time an input is moved, for the first-run hints. */
export const driven = signal(0);

/** The name the protocol gives to a key. */
export function keyName(key: string): string {
  const names: Record<string, string> = { " ": "Space", ArrowUp: "Up", ArrowDown: "Down", ArrowLeft: "Left", ArrowRight: "Right" };
  return names[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}

/** What is printed on a key. */
export function keyCap(name: string): string {
  const caps: Record<string, string> = { Up: "↑", Down: "↓", Left: "←", Right: "→", PageUp: "PgUp", PageDown: "PgDn", Space: "␣" };
  return caps[name] ?? name;
}

/** Whether more is to the left: a crane slews left for a positive angle, and its lever goes the same way. */
export function mirrored(input: Input): boolean {
  return input.keys?.[0] === "Left" || input.keys?.[1] === "Right";
}

/** Direction of an input along its gamepad axis: 1, or −1 if more is to the left. */
export function sense(input: Input): number {
  return input.gamepad?.endsWith("-x") && mirrored(input) ? -1 : 1;
}

/** What is printed on an input's two keys, the left or lower one first. */
export function caps(input: Input): [string, string] | null {
  if (!input.keys) return null;
  const [more, less] = input.keys.map(keyCap) as [string, string];
  return mirrored(input) ? [more, less] : [less, more];
}

/** Value of an input after `seconds` with its keys held or not. */
export function keyed(input: Input, value: number, more: boolean, less: boolean, seconds: number): number {
  const way = (more ? 1 : 0) - (less ? 1 : 0);
  if (input.self_centering) return way > 0 ? input.high : way < 0 ? input.low : input.rest;
  const next = value + (way * (input.high - input.low) * seconds) / SWEEP;
  return Math.min(input.high, Math.max(input.low, next));
}

/** Value of an input for a stick's place in −1 … 1: rest in the middle, also when the range is lopsided. */
export function fromStick(input: Input, place: number): number {
  const size = Math.abs(place);
  if (size < DEAD) return input.rest;
  const part = Math.min(1, (size - DEAD) / (1 - DEAD));
  return input.rest + part * ((place > 0 ? input.high : input.low) - input.rest);
}

/** Place of a named axis on a gamepad of the standard layout; up and right are positive. */
export function stickPlace(pad: Gamepad, axis: string): number {
  const button = (i: number) => pad.buttons[i]?.value ?? 0;
  switch (axis) {
    case "left-x":
      return pad.axes[0] ?? 0;
    case "left-y":
      return -(pad.axes[1] ?? 0);
    case "right-x":
      return pad.axes[2] ?? 0;
    case "right-y":
      return -(pad.axes[3] ?? 0);
    case "left-trigger":
      return button(6);
    case "right-trigger":
      return button(7);
    case "cross-x":
      return button(15) - button(14);
    case "cross-y":
      return button(12) - button(13);
    default:
      return 0;
  }
}

/** What is wanted of an input: what was just set here, else what the server says (another moment, another driver). */
export function wantedOf(input: Input): number {
  const own = wanted.value[input.name];
  if (own && performance.now() - own.at < OWN_WORD) return own.value;
  return store.status.value?.inputs[input.name]?.[0] ?? own?.value ?? input.rest;
}

/** Wants a value; says so to the server only when it changed. */
export function want(input: Input, value: number) {
  if (wantedOf(input) === value) return;
  wanted.value = { ...wanted.value, [input.name]: { value, at: performance.now() } };
  send({ do: "input", name: input.name, value });
  driven.value += 1;
}

export function isHeld(name: string): boolean {
  return held.has(name);
}

const keysDown = new Set<string>();

/** Whether the scene uses the key; the studio's own shortcuts stand back then. */
function isSceneKey(name: string): boolean {
  return store.scene.value?.inputs.some((i) => i.keys?.includes(name)) ?? false;
}

function typing(event: Event): boolean {
  const target = event.target as HTMLElement | null;
  return !!target && (target.tagName === "INPUT" || target.tagName === "TEXTAREA" || target.tagName === "SELECT" || target.isContentEditable);
}

/** Whether a question or the help is open: keys are its own then. */
export function inDialog(): boolean {
  return document.querySelector("dialog[open]") !== null;
}

/** F1 anywhere, and ? wherever one does not write. */
function asksHelp(event: KeyboardEvent): boolean {
  const writes = (event.target as HTMLElement | null)?.closest?.("textarea, input:not([type=radio], [type=checkbox], [type=color], [type=range]), [contenteditable]");
  return event.key === "F1" || (event.key === "?" && !writes);
}

/** Hears the keyboard and, once a picture, the gamepads. `other` gets the keys the scene does not use. */
export function listen(other: (name: string, event: KeyboardEvent) => void) {
  addEventListener("keydown", (event) => {
    if (asksHelp(event)) return other(event.key, event);
    if (inDialog() || typing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const name = keyName(event.key);
    // bodies at the start cannot be driven, so the keys are the editor's
    if (isSceneKey(name) && !(store.building.value && store.editing.value)) {
      if (!store.mayDrive.value && !event.repeat) store.notify("You are a viewer: take control first.");
      keysDown.add(name);
      event.preventDefault();
    } else other(name, event);
  });
  addEventListener("keyup", (event) => keysDown.delete(keyName(event.key)));
  const padLed = new Set<string>();
  // a key let go in another window is never heard of, and a hidden page draws no pictures in which it could be missed
  const letGo = () => {
    keysDown.clear();
    for (const input of store.scene.value?.inputs ?? []) {
      const led = [held.delete(input.name), padLed.delete(input.name)].includes(true);
      if (led && input.self_centering && store.mayDrive.value) want(input, input.rest);
    }
  };
  addEventListener("blur", letGo);
  document.addEventListener("visibilitychange", () => document.hidden && letGo());

  let before = performance.now();
  const turn = (now: number) => {
    const seconds = Math.min(0.1, (now - before) / 1000);
    before = now;
    if (store.mayDrive.value) for (const input of store.scene.value?.inputs ?? []) move(input, seconds, padLed);
    requestAnimationFrame(turn);
  };
  requestAnimationFrame(turn);
}

function move(input: Input, seconds: number, padLed: Set<string>) {
  const more = !!input.keys && keysDown.has(input.keys[0]);
  const less = !!input.keys && keysDown.has(input.keys[1]);
  const value = wantedOf(input);
  if (more || less) {
    held.add(input.name);
    want(input, keyed(input, value, more, less, seconds));
    return;
  }
  if (held.delete(input.name)) want(input, keyed(input, value, false, false, seconds));

  if (!input.gamepad) return;
  const pad = navigator.getGamepads?.().find((p) => p?.connected);
  const place = pad ? sense(input) * stickPlace(pad, input.gamepad) : 0;
  if (Math.abs(place) >= DEAD) {
    padLed.add(input.name);
    if (input.self_centering) want(input, fromStick(input, place));
    else want(input, Math.min(input.high, Math.max(input.low, value + (place * (input.high - input.low) * seconds) / SWEEP)));
  } else if (padLed.delete(input.name) && input.self_centering) want(input, input.rest);
}
