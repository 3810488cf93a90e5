/** What the run is compared with: translucent among its bodies, or as it is in a view of its own. */
import * as THREE from "three";
import type { Frame, Scene, Vec3 } from "../protocol";
import { ForcesView } from "./arrows";
import { BodiesView } from "./bodies";
import { LinesView } from "./lines";
import type { SoilView } from "./soil";
import type { WaterView } from "./water";

const BLUE: Vec3 = [0.23, 0.51, 0.96];

export class Twin {
  readonly group = new THREE.Group();
  private bodies: BodiesView;
  private lines: LinesView;
  private forces: ForcesView | null;

  constructor(
    private scene: Scene,
    fine: boolean,
    /** Translucent, and without the forces. */
    ghostly: boolean,
    ground: THREE.Color,
    /** Its own water, in a view of its own. */
    readonly water: WaterView | null,
    /** Its own grounds and loose soil, likewise. */
    private soil: SoilView | null = null,
  ) {
    const wet = !!scene.fluids?.length;
    this.bodies = new BodiesView(scene.bodies, fine, wet, ghostly);
    this.lines = new LinesView(ghostly ? scene.lines.map((l) => ({ ...l, color: BLUE })) : scene.lines, fine, wet);
    this.forces = ghostly ? null : new ForcesView();
    // nothing is known of where it is until its first frame
    this.bodies.group.visible = false;
    this.group.add(this.bodies.group, this.lines.group);
    if (this.forces) this.group.add(this.forces.group);
    if (water) this.group.add(water.group);
    if (soil) this.group.add(soil.group);
    this.toneGround(ground);
  }

  toneGround(tone: THREE.Color) {
    this.bodies.toneGround(tone);
    this.water?.dress(tone);
    this.soil?.dress(tone);
  }

  update(frame: Frame, eye: THREE.Vector3, tension: [number, number] | null, size: number) {
    this.bodies.group.visible = true;
    this.bodies.update(frame.bodies);
    this.soil?.update(frame, this.bodies.poses, false);
    this.lines.update(frame.lines, eye, this.forces ? tension : null, null);
    this.forces?.update(frame, this.scene.joints, this.bodies.poses, size);
  }

  dispose() {
    this.bodies.dispose();
    this.lines.dispose();
    this.forces?.dispose();
    this.water?.dispose();
    this.soil?.dispose();
    this.group.removeFromParent();
  }
}
