/** Ambient occlusion: the picture is drawn into a buffer, darkened in corners and under bodies by its depth, and shown. */
import * as THREE from "three";
import { EffectComposer } from "three/examples/jsm/postprocessing/EffectComposer.js";
import { GTAOPass } from "three/examples/jsm/postprocessing/GTAOPass.js";
import { OutputPass } from "three/examples/jsm/postprocessing/OutputPass.js";
import { RenderPass } from "three/examples/jsm/postprocessing/RenderPass.js";

/** How far corners reach, relative to the distance to what is looked at. */
const REACH = 0.035;

export class Occlusion {
  private composer: EffectComposer;
  private corners: GTAOPass;

  constructor(renderer: THREE.WebGLRenderer, scene: THREE.Scene, camera: THREE.PerspectiveCamera) {
    const { width, height } = renderer.getDrawingBufferSize(new THREE.Vector2());
    const buffer = new THREE.WebGLRenderTarget(width, height, { type: THREE.HalfFloatType, samples: 4, depthTexture: new THREE.DepthTexture(width, height) });
    this.composer = new EffectComposer(renderer, buffer);
    this.corners = new GTAOPass(scene, camera, width, height);
    // the pass before draws into the second buffer; normals are found from its depth, so that the scene is drawn only once
    this.corners.setGBuffer(this.composer.renderTarget2.depthTexture!, undefined as unknown as THREE.DepthTexture);
    this.composer.addPass(new RenderPass(scene, camera));
    this.composer.addPass(this.corners);
    this.composer.addPass(new OutputPass());
  }

  resize(width: number, height: number, ratio: number) {
    this.composer.setPixelRatio(ratio);
    this.composer.setSize(width, height);
  }

  /** Draws what the camera sees; `distance` is that to what is looked at [m]. */
  draw(distance: number) {
    const radius = REACH * distance;
    this.corners.updateGtaoMaterial({ radius, distanceExponent: 1.5, thickness: radius, scale: 1.2, samples: 16 });
    this.composer.render();
  }

  dispose() {
    this.corners.dispose();
    this.composer.dispose();
  }
}
