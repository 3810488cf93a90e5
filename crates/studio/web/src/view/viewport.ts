/** What handles, previews and tools need of the stage that they are part of. */
import type * as THREE from "three";
import type { BodiesView } from "./bodies";
import type { LinesView } from "./lines";
import type { Rig } from "./rig";

/** A part of the canvas with its camera; parts from 0 to 1, y from below. */
export interface Pane {
  name: string;
  x: number;
  y: number;
  w: number;
  h: number;
  camera: THREE.PerspectiveCamera | THREE.OrthographicCamera;
  /** Shows what the run is compared with, not the run. */
  other?: boolean;
}

/** From a place of a body or cable to where it is pulled. */
export interface Band {
  from: { body: number; at: THREE.Vector3 } | { line: number; along: number };
  to: THREE.Vector3;
}

/** The canvas with what is drawn on it. */
export interface Viewport {
  readonly eye: THREE.PerspectiveCamera;
  readonly rig: Rig;
  readonly bodies: BodiesView | null;
  readonly lines: LinesView | null;
  /** Rubber bands of the two hands. */
  readonly bands: [Band | null, Band | null];
  /** Asks for a picture after a change that is no signal. */
  stir(): void;
  paneAt(x: number, y: number): { pane: Pane; at: THREE.Vector2 };
  rayAt(x: number, y: number): { ray: THREE.Raycaster; pane: Pane };
  /** The ray of a place of the canvas in that view, also where the view has ended. */
  rayIn(pane: Pane, x: number, y: number): THREE.Ray;
  /** The eye as cameras of scenes are written. */
  camera(): { position: [number, number, number]; target: [number, number, number]; up: [number, number, number]; angle: number };
  onScreen(place: THREE.Vector3, view?: string): { x: number; y: number };
}
