/** Grounds and the loose soil on them, of the run or of what it is compared with. */
import * as THREE from "three";
import { earthOf } from "../earth/now";
import type { Grounds } from "../earth/terrain";
import type { Frame, Scene } from "../protocol";
import { EarthView } from "./earth";
import { LumpsView } from "./lumps";
import type { Quality } from "./quality";

export class SoilView {
  readonly group = new THREE.Group();
  readonly earth: EarthView;
  readonly lumps: LumpsView;
  private shown: Frame | null = null;

  constructor(
    private scene: Scene,
    readonly grounds: Grounds,
    quality: Quality,
    tone: THREE.Color,
  ) {
    const wet = !!scene.fluids?.length;
    this.earth = new EarthView(grounds, quality, wet);
    this.lumps = new LumpsView(scene.grounds ?? [], quality, wet);
    this.group.add(this.earth.group, this.lumps.group);
    this.dress(tone);
  }

  dress(tone: THREE.Color) {
    this.earth.dress(tone);
    this.lumps.dress(tone);
  }

  /** Draws what has changed, and the loose soil of a frame; bodies are at these poses. `leads` if its heights are those of the legend. */
  update(frame: Frame | null, poses: THREE.Matrix4[], leads: boolean) {
    this.earth.update(poses, leads);
    if (frame === this.shown) return;
    this.shown = frame;
    this.lumps.update(earthOf(frame, this.scene)?.particles ?? []);
  }

  dispose() {
    this.earth.dispose();
    this.lumps.dispose();
    this.group.removeFromParent();
  }
}
