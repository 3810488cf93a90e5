/** A small window on the page for tests and for the curious: what is shown, and where it is on the screen. */
import * as THREE from "three";
import { BODY_FLOATS, POINT_FLOATS, type Vec3 } from "./protocol";
import * as store from "./store";
import { current } from "./view/stage";
import { quality } from "./view/quality";
import { figures, surfaces } from "./earth/now";
import { statesOf } from "./vehicle/now";
import { player } from "./sound/player";

export function hook() {
  /** Where a body is, in the run or in what it is compared with. */
  const place = (name: string, other = false): Vec3 | null => {
    const scene = other ? store.compared.value?.scene : store.scene.value;
    const at = scene?.bodies.findIndex((b) => b.name === name) ?? -1;
    const bodies = (other ? store.ghost : store.newest).frame?.bodies;
    return at < 0 || !bodies ? null : (Array.from(bodies.slice(at * BODY_FLOATS, at * BODY_FLOATS + 3)) as Vec3);
  };
  const onPage = (point: Vec3, view?: string) => {
    const stage = current.stage;
    const rect = document.querySelector(".picture canvas")?.getBoundingClientRect();
    if (!stage || !rect) return null;
    const { x, y } = stage.onScreen(new THREE.Vector3(...point), view);
    return { x: x + rect.left, y: y + rect.top };
  };
  Object.assign(window, {
    windlass: {
      hello: () => store.hello.value,
      scene: () => store.scene.value,
      quality: () => quality.value,
      status: () => store.status.value,
      selected: () => store.selected.value,
      /** The text in the editor: of a file with errors, typed, or that of the scene. */
      typed: () => store.broken.value?.text ?? store.draft.value ?? store.scene.value?.text,
      place,
      onPage,
      /** Time of the newest frame and places of bodies in it. */
      moment: (names: string[]) => ({ time: store.newest.frame?.time ?? 0, places: names.map((name) => place(name)) }),
      /** Points along a cable or rope, one piece after the other. */
      line: (name: string): Vec3[] => {
        const id = store.scene.value?.lines.find((l) => l.name === name)?.id;
        const pieces = store.newest.frame?.lines.filter((l) => l.id === id) ?? [];
        return pieces.flatMap(({ points }) => Array.from({ length: points.length / POINT_FLOATS }, (_, i) => Array.from(points.slice(i * POINT_FLOATS, i * POINT_FLOATS + 3)) as Vec3));
      },
      ghost: () => store.ghost.frame !== null,
      ghostTime: () => store.ghost.frame?.time ?? null,
      /** How many overlays of each kind are drawn. */
      overlays: () => current.stage?.overlays.counts,
      /** Numbers of the vehicles, and arrows and marks of their tyres. */
      vehicles: () => statesOf(store.newest.frame),
      tires: () => current.stage?.tires.counts(),
      /** Target, azimuth, elevation and distance of the eye. */
      rig: () => current.stage?.rig.toNumbers(),
      /** Height of the surface of water [m] at a place and the moment shown, and how deep the eye is below it. */
      water: (x: number, y: number) => current.stage?.water && { height: current.stage.water.depthOf(new THREE.Vector3(x, y, 0)), eye: current.stage.depth },
      /** Height of the ground at a place, of the run or of what it is compared with; tiles and lumps drawn; numbers of the panel. */
      ground: (x: number, y: number, of: "run" | "ghost" = "run") => surfaces[of].list.map((terrain) => terrain.surface(x, y)).find((h) => h !== null) ?? null,
      earth: () => ({ tiles: current.stage?.soil?.earth.count ?? 0, lumps: current.stage?.soil?.lumps.count ?? 0, figures: figures.value }),
      /** Colours of the bodies as drawn, by name. */
      colors: () => current.stage?.bodies?.colors() ?? {},
      handles: () => current.stage?.gizmo.active ?? false,
      /** Numbers along the grid in the view of that name: text and frame in pixels of the view. */
      numbers: (view = "") => current.stage?.numbers.get(view) ?? [],
      /** Whether there is sound, what has been heard, and how loud it is now. */
      sound: () => ({ on: player.on, ...player.heard, loudness: player.loudness() }),
      eye: (numbers: number[]) => current.stage?.rig.fromNumbers(numbers),
      /** Pictures drawn so far. */
      pictures: () => current.stage?.renderer.info.render.frame ?? 0,
      /** The same, with draw calls and triangles of the last one, its shadows with it; another picture follows, for whoever waits for one. */
      drawn: () => {
        current.stage!.stir();
        const { frame, calls, triangles } = current.stage!.renderer.info.render;
        return { frame, calls, triangles };
      },
    },
  });
}
