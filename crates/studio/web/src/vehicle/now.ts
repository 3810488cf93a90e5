/** Which vehicle the panels show, and its newest numbers. */
import { computed, effect, signal } from "@preact/signals";
import { remember, remembered } from "../store";
import * as store from "../store";
import type { Frame } from "../protocol";
import { readBlock, type Vehicle, type VehicleState } from "./protocol";

/** Time between two pictures of the panels [ms]. */
const PANELS = 50;
/** Height of the window below which the panel begins as a line [px]. */
const LOW = 520;

export const vehicles = computed<Vehicle[]>(() => store.scene.value?.vehicles ?? []);
const pick = signal(0);
/** Number of the vehicle that is shown. */
export const chosen = computed(() => Math.min(pick.value, Math.max(0, vehicles.value.length - 1)));
export const choose = (number: number) => (pick.value = number);

/** Whether the driver's panel is a line, and whether the drive train is shown. */
export const brief = signal(remembered("dash") ? remembered("dash") === "brief" : globalThis.innerHeight < LOW);
export const trainOpen = signal(false);
export function setBrief(to: boolean) {
  brief.value = to;
  remember("dash", to ? "brief" : "full");
}

let last: { frame: Frame; of: Vehicle[]; states: VehicleState[] } | null = null;

/** The vehicles of a frame; none if it does not tell of them. */
export function statesOf(frame: Frame | null): VehicleState[] {
  const of = vehicles.peek();
  if (!frame?.vehicles || of.length === 0) return [];
  if (last?.frame !== frame || last.of !== of) last = { frame, of, states: readBlock(of, frame.vehicles) };
  return last.states;
}

/** The numbers of all vehicles, some twenty times a second. */
export const states = signal<VehicleState[]>([]);
effect(() => {
  if (vehicles.value.length === 0) {
    states.value = [];
    return;
  }
  const look = () => {
    const next = statesOf(store.newest.frame);
    if (next.length > 0) states.value = next;
  };
  const timer = setInterval(look, PANELS);
  return () => clearInterval(timer);
});
