/** Sky, light and ground: a gradient dome, a sun with soft shadows that covers the scene, a metre grid with numbers along its axes. */
import * as THREE from "three";
import type { Theme } from "../store";

const SKIES: Record<Theme, { top: number; horizon: number; below: number; sun: number; fill: number; grid: number; plain: number; ground: number }> = {
  light: { top: 0x8fb8d8, horizon: 0xe3ebf0, below: 0xd5dbdc, sun: 2.9, fill: 2.3, grid: 0x1f2d3a, plain: 0xe9eef1, ground: 0xd9e0e3 },
  dark: { top: 0x0d141d, horizon: 0x2c3a48, below: 0x161d25, sun: 2.3, fill: 1.5, grid: 0xc8d6e2, plain: 0x131a22, ground: 0x27313b },
};

/** From where the grid is seen. */
export type Seen = "top" | "front" | "right";

/** How far the grid stands behind the scene in views from the side, in sizes of the scene. */
const BEHIND = 4;

/** Turns of the grid's x and y to what is right and up in each view. */
const basis = (right: [number, number, number], up: [number, number, number]) => {
  const [x, y] = [new THREE.Vector3(...right), new THREE.Vector3(...up)];
  return new THREE.Quaternion().setFromRotationMatrix(new THREE.Matrix4().makeBasis(x, y, x.clone().cross(y)));
};
const WAYS: Record<Seen, THREE.Quaternion> = { top: new THREE.Quaternion(), front: basis([1, 0, 0], [0, 0, 1]), right: basis([0, 1, 0], [0, 0, 1]) };

export class Surroundings {
  readonly group = new THREE.Group();
  readonly sun = new THREE.DirectionalLight(0xfff3e0, 2.5);
  private fill = new THREE.HemisphereLight(0xdfeefc, 0x8a8378, 1);
  private sky: THREE.Mesh<THREE.SphereGeometry, THREE.ShaderMaterial>;
  private grid: THREE.Mesh<THREE.PlaneGeometry, THREE.ShaderMaterial>;
  private marks = new THREE.Group();
  private catcher: THREE.Mesh;
  /** What the ground is tinted with, so that it belongs to the sky. */
  readonly groundTone = new THREE.Color();
  private environment: THREE.Texture | null = null;
  private level = 0;
  private size = 1;
  private seen: Seen | null = null;

  constructor(fine: boolean) {
    this.fill.position.set(0, 0, 1);
    this.sky = new THREE.Mesh(
      new THREE.SphereGeometry(1, 32, 24),
      new THREE.ShaderMaterial({
        side: THREE.BackSide,
        depthWrite: false,
        depthTest: false,
        uniforms: { top: { value: new THREE.Color() }, horizon: { value: new THREE.Color() }, below: { value: new THREE.Color() } },
        vertexShader: "varying vec3 look; void main() { look = position; gl_Position = projectionMatrix * vec4(mat3(modelViewMatrix) * position * 100.0, 1.0); }",
        fragmentShader:
          "varying vec3 look; uniform vec3 top, horizon, below; void main() { float h = normalize(look).z; vec3 c = h > 0.0 ? mix(horizon, top, pow(h, 0.55)) : mix(horizon, below, pow(-h, 0.4)); gl_FragColor = vec4(c, 1.0); \n#include <colorspace_fragment>\n}",
      }),
    );
    this.sky.frustumCulled = false;
    this.sky.renderOrder = -10;
    this.grid = new THREE.Mesh(
      new THREE.PlaneGeometry(1, 1),
      new THREE.ShaderMaterial({
        transparent: true,
        depthWrite: false,
        side: THREE.DoubleSide,
        polygonOffset: true,
        polygonOffsetFactor: -2,
        polygonOffsetUnits: -2,
        uniforms: { ink: { value: new THREE.Color() }, unit: { value: 1 }, reach: { value: 100 }, lies: { value: new THREE.Matrix3() } },
        // `lies` turns the world so that the plane of the grid is that of x and y
        vertexShader: "varying vec2 at; uniform mat3 lies; void main() { vec4 w = modelMatrix * vec4(position, 1.0); at = (lies * w.xyz).xy; gl_Position = projectionMatrix * viewMatrix * w; }",
        fragmentShader: `varying vec2 at; uniform vec3 ink; uniform float unit, reach;
          float rule(float step, float wide) { vec2 p = at / step; vec2 w = fwidth(p); vec2 d = abs(fract(p - 0.5) - 0.5) / max(w, 1e-6); float near = 1.0 - min(min(d.x, d.y) / wide, 1.0); return near * (1.0 - smoothstep(0.15, 0.5, max(w.x, w.y))); }
          void main() { float a = max(rule(unit, 1.1) * 0.16, rule(unit * 10.0, 1.4) * 0.38); float fade = 1.0 - smoothstep(0.3, 1.0, length(at) / reach); gl_FragColor = vec4(ink, a * fade); }`,
      }),
    );
    this.grid.renderOrder = 1;
    this.catcher = new THREE.Mesh(new THREE.PlaneGeometry(1, 1), new THREE.ShadowMaterial({ opacity: 0.28 }));
    this.catcher.receiveShadow = true;
    this.sun.castShadow = fine;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 4;
    this.sun.shadow.normalBias = 0.03;
    this.group.add(this.sky, this.fill, this.sun, this.sun.target, this.catcher, this.grid, this.marks);
  }

  /** Spreads light, shadow and grid over the scene's bounds; the grid lies at `level`. */
  fit(low: THREE.Vector3, high: THREE.Vector3, level: number, hasGround: boolean) {
    const size = Math.max(1, high.distanceTo(low));
    const centre = low.clone().add(high).multiplyScalar(0.5);
    this.fog.near = Math.max(60, 3 * size);
    this.fog.far = Math.max(480, 12 * size);
    this.sun.position.copy(centre).add(new THREE.Vector3(0.55, -0.75, 1.25).multiplyScalar(size));
    this.sun.target.position.copy(centre);
    const eye = this.sun.shadow.camera;
    const reach = size * 0.75;
    Object.assign(eye, { left: -reach, right: reach, top: reach, bottom: -reach, near: size * 0.2, far: size * 4 });
    eye.updateProjectionMatrix();
    // one square a metre for machines of some metres; a tenth or ten for what is smaller or larger
    const unit = 10 ** Math.round(Math.log10(size / 25));
    const span = Math.max(60 * unit, size * 4);
    this.grid.scale.set(2 * span, 2 * span, 1);
    this.level = level;
    this.size = size;
    this.grid.material.uniforms.unit!.value = unit;
    this.grid.material.uniforms.reach!.value = span;
    this.catcher.scale.set(4 * size, 4 * size, 1);
    this.catcher.position.set(centre.x, centre.y, level);
    this.catcher.visible = !hasGround;
    this.number(unit);
    this.seen = null;
    this.lay("top");
  }

  /** Lays the grid on the ground, or stands it up behind everything for a view from the front or the right. */
  private lay(seen: Seen) {
    if (seen === this.seen) return;
    this.seen = seen;
    const way = WAYS[seen];
    // depth counts in parallel views too: behind all bodies, before nothing
    const back = seen === "top" ? this.level + 0.0005 * this.size : -BEHIND * this.size;
    for (const part of [this.grid, this.marks]) {
      part.quaternion.copy(way);
      part.position.set(0, 0, back).applyQuaternion(way);
    }
    this.grid.material.uniforms.lies!.value.setFromMatrix4(new THREE.Matrix4().makeRotationFromQuaternion(way.clone().invert()));
  }

  /** Numbers in metres along the two axes of the grid. */
  private number(unit: number) {
    for (const mark of this.marks.children) ((mark as THREE.Mesh).material as THREE.MeshBasicMaterial).dispose();
    this.marks.clear();
    for (const axis of [0, 1]) {
      for (let i = -20; i <= 20; i += 5) {
        if (i === 0 && axis === 1) continue;
        const value = Number((i * unit).toPrecision(3));
        const mark = label(i === 0 ? "0" : `${value} m`, unit);
        mark.position.set(axis === 0 ? i * unit : 0.12 * unit, axis === 1 ? i * unit : 0.12 * unit, 0.0005 * this.size);
        this.marks.add(mark);
      }
    }
    this.paintMarks();
  }

  /** Hides the end of the ground, and begins well behind the scene. */
  private fog = new THREE.Fog(0, 60, 480);
  private ink = new THREE.Color();
  private paintMarks() {
    for (const mark of this.marks.children) ((mark as THREE.Mesh).material as THREE.MeshBasicMaterial).color.copy(this.ink);
  }

  dress(theme: Theme, scene: THREE.Scene, renderer: THREE.WebGLRenderer, fine: boolean) {
    const look = SKIES[theme];
    const { uniforms } = this.sky.material;
    uniforms.top!.value.set(look.top);
    uniforms.horizon!.value.set(look.horizon);
    uniforms.below!.value.set(look.below);
    this.sun.intensity = look.sun;
    this.fill.intensity = fine ? look.fill * 0.75 : look.fill;
    this.ink.set(look.grid);
    this.grid.material.uniforms.ink!.value.set(look.grid);
    this.paintMarks();
    scene.background = new THREE.Color(look.plain);
    this.groundTone.set(look.ground);
    scene.fog = this.fog;
    this.fog.color.set(look.horizon);
    if (fine) {
      // steel shows the sky: a small copy of it lights the glossy materials
      const copy = new THREE.Scene();
      const sky = new THREE.Mesh(new THREE.SphereGeometry(50, 32, 24), this.sky.material.clone());
      copy.add(sky);
      const maker = new THREE.PMREMGenerator(renderer);
      this.environment?.dispose();
      this.environment = maker.fromScene(copy, 0.02).texture;
      scene.environment = this.environment;
      scene.environmentIntensity = theme === "light" ? 0.45 : 0.9;
      maker.dispose();
      sky.material.dispose();
    }
  }

  /** Parallel views show no sky, and the grid in the plane one looks at. */
  show(sky: boolean, grid: boolean, seen: Seen = "top") {
    this.lay(seen);
    this.sky.visible = sky;
    this.grid.visible = grid;
    this.marks.visible = grid;
  }
}

function label(text: string, size: number): THREE.Mesh {
  const canvas = document.createElement("canvas");
  canvas.width = 128;
  canvas.height = 48;
  const pen = canvas.getContext("2d")!;
  pen.font = "600 30px system-ui, sans-serif";
  pen.fillStyle = "#fff";
  pen.textBaseline = "middle";
  pen.fillText(text, 4, 26);
  const texture = new THREE.CanvasTexture(canvas);
  texture.anisotropy = 4;
  const mesh = new THREE.Mesh(labelPlane, new THREE.MeshBasicMaterial({ map: texture, transparent: true, opacity: 0.6, depthWrite: false, side: THREE.DoubleSide }));
  mesh.scale.set(size * 1.9, size * 0.7, 1);
  mesh.renderOrder = 2;
  return mesh;
}
// its lower left corner is its place, so a number begins beside its line
const labelPlane = new THREE.PlaneGeometry(1, 1).translate(0.5, 0.5, 0);
