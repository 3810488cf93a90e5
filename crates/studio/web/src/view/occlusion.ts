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
    this.spareWater();
    this.composer.addPass(new RenderPass(scene, camera));
    this.composer.addPass(this.corners);
    this.composer.addPass(new OutputPass());
  }

  /** Darkens a pixel by the share that shines through water there, which is what the water left of its alpha. */
  private spareWater() {
    const { blendMaterial } = this.corners as unknown as { blendMaterial: THREE.ShaderMaterial };
    blendMaterial.uniforms.drawn = { value: this.composer.renderTarget2.texture };
    // and the picture is opaque again
    [blendMaterial.blendSrcAlpha, blendMaterial.blendDstAlpha] = [THREE.OneFactor, THREE.ZeroFactor];
    blendMaterial.fragmentShader = `uniform float intensity; uniform sampler2D tDiffuse, drawn; varying vec2 vUv;
      void main() { gl_FragColor = vec4(mix(vec3(1.0), texture2D(tDiffuse, vUv).rgb, intensity * texture2D(drawn, vUv).a), 1.0); }`;
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
