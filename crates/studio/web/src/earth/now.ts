/** What is known of the grounds of the run and of what it is compared with, and the numbers of the operator's panel. */
import { effect, signal } from "@preact/signals";
import type { Frame } from "../protocol";
import { remember, remembered } from "../store";
import * as store from "../store";
import type { EarthMode } from "./colors";
import { EARTH_MODES } from "./colors";
import { readEarth, type EarthLooks, type EarthState, type Tile } from "./protocol";
import { Grounds } from "./terrain";

/** Time between two pictures of the panel [ms]. */
const PANEL = 100;

/** What the ground is coloured by, and the ends of the scale. */
export const earthMode = signal<EarthMode>(EARTH_MODES.find(({ mode }) => mode === remembered("ground"))?.mode ?? "soil");
export const earthSpan = signal<[number, number]>([0, 1]);
export function setEarthMode(mode: EarthMode) {
  earthMode.value = mode;
  remember("ground", mode);
}

const NONE: EarthLooks = { grounds: [], tools: [], cylinders: [] };
export const looksOf = (scene: { grounds?: EarthLooks["grounds"]; tools?: EarthLooks["tools"]; cylinders?: EarthLooks["cylinders"] } | null): EarthLooks =>
  scene ? { grounds: scene.grounds ?? [], tools: scene.tools ?? [], cylinders: scene.cylinders ?? [] } : NONE;
/** Whether a scene has anything that the block of soil tells of. */
export const hasEarth = (looks: EarthLooks) => looks.grounds.length + looks.tools.length + looks.cylinders.length > 0;

/** Surfaces by run. */
export const surfaces: { run: Grounds; ghost: Grounds } = { run: new Grounds([]), ghost: new Grounds([]) };

/** Another scene: all of its tiles follow. */
export function newSurfaces(of: "run" | "ghost", scene: Parameters<typeof looksOf>[0]) {
  surfaces[of] = new Grounds(looksOf(scene).grounds);
}

export function takeTiles(of: "run" | "ghost", tiles: Tile[]) {
  surfaces[of].take(tiles);
}

const read = new WeakMap<Frame, EarthState | null>();

/** The numbers of a frame of a scene; none if it does not tell of them. */
export function earthOf(frame: Frame | null, scene: Parameters<typeof looksOf>[0]): EarthState | null {
  if (!frame?.earth || !scene) return null;
  if (!read.has(frame)) read.set(frame, readEarth(looksOf(scene), frame.earth));
  return read.get(frame) ?? null;
}

/** For the panel: the state of tools and pressures, loose soil [kg] by ground, and volumes cut and filled. */
export interface Figures {
  state: EarthState;
  volumes: { cut: number; fill: number }[];
}
export const figures = signal<Figures | null>(null);
effect(() => {
  const scene = store.scene.value;
  if (!hasEarth(looksOf(scene))) {
    figures.value = null;
    return;
  }
  let shown: Frame | null = null;
  let version = -1;
  let volumes: Figures["volumes"] = [];
  const look = () => {
    const frame = store.newest.frame;
    const state = frame === shown ? null : earthOf(frame, store.scene.peek());
    if (!state) return;
    shown = frame;
    if (version !== surfaces.run.version) volumes = surfaces.run.list.map((terrain) => terrain.volumes());
    version = surfaces.run.version;
    figures.value = { state, volumes };
  };
  const timer = setInterval(look, PANEL);
  return () => clearInterval(timer);
});
