/** Sky, light and ground: a dome with haze and clouds, a sun with soft shadows that covers the scene, a grid with coloured axes and numbers. */
import * as THREE from "three";
import type { Scene } from "../protocol";
import type { Theme } from "../store";
import { AXIS_COLOURS, Marks, type Ruled } from "./marks";
import { immersion, IMMERSION } from "./immersion";
import { NOISE } from "./noise";
import { gridUnit } from "./ruler";
import { SKY } from "./sky";

const SKIES: Record<Theme, { top: number; horizon: number; below: number; sun: number; fill: number; grid: number; plain: number; ground: number; cloud: number; glow: number }> = {
  light: { top: 0x8fb8d8, horizon: 0xe3ebf0, below: 0xd5dbdc, sun: 2.9, fill: 2.3, grid: 0x1f2d3a, plain: 0xe9eef1, ground: 0xd9e0e3, cloud: 0xf6f8f9, glow: 0.35 },
  dark: { top: 0x0d141d, horizon: 0x2c3a48, below: 0x161d25, sun: 2.3, fill: 1.5, grid: 0xc8d6e2, plain: 0x131a22, ground: 0x27313b, cloud: 0x25323f, glow: 0.12 },
};

/** Towards the sun, its distance in sizes of the scene. */
const SUNWARD = new THREE.Vector3(0.55, -0.75, 1.25);

/** Far end of what is drawn [m]. */
export const FAR = 4000;

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
/** Colours of the lines through the origin: the one to the right, and the one up. */
const LINES: Record<Seen, [number, number]> = { top: [AXIS_COLOURS[0], AXIS_COLOURS[1]], front: [AXIS_COLOURS[0], AXIS_COLOURS[2]], right: [AXIS_COLOURS[1], AXIS_COLOURS[2]] };

/** Most grounds that the grid goes around. */
const LOTS = 4;

/** A view that the grid is laid out for. */
export type View = Pick<Ruled, "name" | "camera" | "width" | "height" | "target"> & { seen: Seen };

export class Surroundings {
  readonly group = new THREE.Group();
  readonly sun = new THREE.DirectionalLight(0xfff3e0, 2.5);
  private fill = new THREE.HemisphereLight(0xdfeefc, 0x8a8378, 1);
  private sky: THREE.Mesh<THREE.SphereGeometry, THREE.ShaderMaterial>;
  private grid: THREE.Mesh<THREE.PlaneGeometry, THREE.ShaderMaterial>;
  readonly marks = new Marks();
  private catcher: THREE.Mesh;
  /** What the ground is tinted with, so that it belongs to the sky. */
  readonly groundTone = new THREE.Color();
  private environment: THREE.Texture | null = null;
  private level = 0;
  /** Its level without grounds. */
  private own = 0;
  private size = 1;
  private hasGround = false;
  private isWet = false;

  constructor() {
    this.fill.position.set(0, 0, 1);
    this.sky = new THREE.Mesh(
      new THREE.SphereGeometry(1, 32, 24),
      new THREE.ShaderMaterial({
        side: THREE.BackSide,
        depthWrite: false,
        depthTest: false,
        uniforms: {
          top: { value: new THREE.Color() },
          horizon: { value: new THREE.Color() },
          below: { value: new THREE.Color() },
          cloud: { value: new THREE.Color() },
          clouds: { value: 0 },
          glow: { value: 0 },
          sunward: { value: SUNWARD.clone().normalize() },
          depth: { value: 0 },
          dip: { value: 0 },
          ...immersion,
        },
        vertexShader: "varying vec3 look; void main() { look = position; gl_Position = projectionMatrix * vec4(mat3(modelViewMatrix) * position * 100.0, 1.0); }",
        // clouds lie in a plane high above; towards the horizon they sink into the haze
        fragmentShader: `varying vec3 look; uniform vec3 cloud, waterDeep, waterDims; uniform float clouds, depth, dip;
          ${NOISE}
          ${SKY}
          void main() {
            vec3 way = normalize(look);
            float h = way.z;
            vec3 c = sky(way);
            if (clouds > 0.0 && h > 0.0) {
              vec2 p = way.xy / (h + 0.12) * 1.3;
              float cover = smoothstep(0.5, 0.78, fbm(p + 0.6 * fbm(2.0 * p))) * smoothstep(0.0, 0.22, h);
              c = mix(c, cloud, clouds * cover);
              c += sunglow(way);
            }
            // deep water below the horizon; an eye under water sees the sky through it
            if (dip > 0.0) c = mix(c, waterDeep, smoothstep(dip, 4.0 * dip, -h));
            if (depth > 0.0) c = mix(waterDeep * (1.0 + 0.7 * h), c, exp(-waterDims * depth / max(h, 1e-4)));
            gl_FragColor = vec4(c, 1.0);
            #include <colorspace_fragment>
          }`,
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
        uniforms: {
          ink: { value: new THREE.Color() },
          along: { value: new THREE.Color() },
          upward: { value: new THREE.Color() },
          unit: { value: 1 },
          reach: { value: 100 },
          middle: { value: new THREE.Vector2() },
          ground: { value: 0 },
          side: { value: 0 },
          flat_: { value: 1 },
          lies: { value: new THREE.Matrix3() },
          wet: { value: 0 },
          lots: { value: Array.from({ length: LOTS }, () => new THREE.Vector4()) },
          built: { value: 0 },
          ...immersion,
        },
        // `lies` turns the world so that the plane of the grid is that of x and y
        vertexShader: "varying vec2 at; varying vec3 room; uniform mat3 lies; void main() { vec4 w = modelMatrix * vec4(position, 1.0); room = w.xyz; at = (lies * w.xyz).xy; gl_Position = projectionMatrix * viewMatrix * w; }",
        // in views from the side the ground is a thick line, and what is below it is tinted
        fragmentShader: `varying vec2 at; varying vec3 room; uniform vec3 ink, along, upward; uniform vec2 middle; uniform vec4 lots[${LOTS}]; uniform int built; uniform float flat_, unit, reach, ground, side, wet;
          ${IMMERSION}
          float rule(float step, vec2 pixel, float wide) { vec2 p = at / step; vec2 w = pixel / step; vec2 d = abs(fract(p - 0.5) - 0.5) / max(w, 1e-6); float near = 1.0 - min(min(d.x, d.y) / wide, 1.0); return near * (1.0 - smoothstep(0.15, 0.5, max(w.x, w.y))); }
          float line(float c, float pixel, float wide) { return 1.0 - min(abs(c) / max(pixel, 1e-9) / wide, 1.0); }
          void main() {
            vec2 pixel = fwidth(at);
            float a = max(rule(unit, pixel, 1.1) * 0.16, rule(unit * 10.0, pixel, 1.4) * 0.38);
            vec3 tone = ink;
            float x = line(at.y, pixel.y, 1.8) * 0.8;
            float y = line(at.x, pixel.x, 1.8) * 0.8;
            if (x > a && side < 0.5) { a = x; tone = along; }
            if (y > a) { a = y; tone = upward; }
            a *= 1.0 - smoothstep(0.3, 1.0, length(at - middle) / reach);
            float g = side * line(at.y - ground, pixel.y, 2.6);
            if (g > a) { a = g; tone = ink; }
            // grounds stand on the grid, and pits in them may be below it
            if (flat_ > 0.5) for (int i = 0; i < built; i++) if (all(lessThan(abs(at - lots[i].xy), lots[i].zw))) discard;
            if (side > 0.5 && at.y < ground) a += (1.0 - a) * 0.09;
            if (wet > 0.5 && side < 0.5) a *= 0.7 * waterKeeps(room).g;
            gl_FragColor = vec4(tone, a);
            #include <colorspace_fragment>
          }`,
      }),
    );
    this.grid.renderOrder = 1;
    this.catcher = new THREE.Mesh(new THREE.PlaneGeometry(1, 1), new THREE.ShadowMaterial({ opacity: 0.28 }));
    this.catcher.receiveShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 4;
    this.sun.shadow.normalBias = 0.03;
    this.group.add(this.sky, this.fill, this.sun, this.sun.target, this.catcher, this.grid, this.marks.group);
  }

  /** Uniforms of the sky, for what mirrors it. */
  get skyLook(): Record<string, THREE.IUniform> {
    const { top, horizon, below, sunward, glow } = this.sky.material.uniforms;
    return { top: top!, horizon: horizon!, below: below!, sunward: sunward!, glow: glow! };
  }

  /** Spreads light, shadow and grid over the scene's bounds; the grid lies at `level`, on the ground or on water. */
  fit(low: THREE.Vector3, high: THREE.Vector3, level: number, hasGround: boolean, isWet: boolean, isDug = false) {
    const size = Math.max(1, high.distanceTo(low));
    const centre = low.clone().add(high).multiplyScalar(0.5);
    // water has a horizon; an endless ground ends in haze
    this.fog.near = Math.max(isWet ? 150 : 60, 3 * size);
    this.fog.far = Math.max(isWet ? 3500 : 480, 12 * size);
    this.light(centre, size);
    const eye = this.sun.shadow.camera;
    const reach = size * 0.75;
    Object.assign(eye, { left: -reach, right: reach, top: reach, bottom: -reach, near: size * 0.2, far: size * 4 });
    eye.updateProjectionMatrix();
    this.level = this.own = level;
    this.size = size;
    this.hasGround = hasGround;
    this.isWet = isWet;
    this.catcher.scale.set(4 * size, 4 * size, 1);
    this.catcher.position.set(centre.x, centre.y, level);
    this.catcher.visible = !hasGround && !isWet && !isDug;
  }

  /** Lays the grid below the slabs of grounds, and leaves them out of it. */
  stand(on: { bottom: number; lots: THREE.Vector4[] } | null) {
    const { lots, built } = this.grid.material.uniforms;
    const taken = on?.lots.slice(0, LOTS) ?? [];
    taken.forEach((lot, i) => (lots!.value as THREE.Vector4[])[i]!.copy(lot));
    built!.value = taken.length;
    this.level = on && !this.hasGround && !this.isWet ? on.bottom : this.own;
  }

  /** Turns the light, and with it the part that has shadows, to a place. */
  light(place: THREE.Vector3, size = this.size) {
    this.sun.position.copy(place).add(SUNWARD.clone().multiplyScalar(size));
    this.sun.target.position.copy(place);
  }

  /** Lays the grid on the ground, or stands it up behind everything for a view from the front or the right. */
  private lay(view: View) {
    const way = WAYS[view.seen];
    const [right, up, out] = [new THREE.Vector3(1, 0, 0), new THREE.Vector3(0, 1, 0), new THREE.Vector3(0, 0, 1)].map((v) => v.applyQuaternion(way)) as [THREE.Vector3, THREE.Vector3, THREE.Vector3];
    // depth counts in parallel views too: behind all bodies, before nothing
    const back = out.clone().multiplyScalar(view.seen === "top" ? this.level + 0.0005 * this.size : -BEHIND * this.size);
    const ruled: Ruled = { ...view, right, up, back: back.clone().addScaledVector(out, 0.0005 * this.size) };
    const unit = gridUnit(this.marks.step(ruled));
    const span = Math.max(60 * unit, 4 * this.size);
    const middle = new THREE.Vector2(view.target.dot(right), view.target.dot(up));
    this.grid.quaternion.copy(way);
    this.grid.position.copy(back).addScaledVector(right, middle.x).addScaledVector(up, middle.y);
    this.grid.scale.set(2 * span, 2 * span, 1);
    const { uniforms } = this.grid.material;
    uniforms.unit!.value = unit;
    uniforms.reach!.value = span;
    uniforms.middle!.value.copy(middle);
    uniforms.ground!.value = this.level;
    uniforms.flat_!.value = view.seen === "top" ? 1 : 0;
    uniforms.side!.value = view.seen !== "top" && (this.hasGround || this.isWet) ? 1 : 0;
    uniforms.wet!.value = this.isWet ? 1 : 0;
    uniforms.along!.value.set(LINES[view.seen][0]);
    uniforms.upward!.value.set(LINES[view.seen][1]);
    uniforms.lies!.value.setFromMatrix4(new THREE.Matrix4().makeRotationFromQuaternion(way.clone().invert()));
    this.marks.lay(ruled);
  }

  /** Hides the end of the ground, and begins well behind the scene. */
  private fog = new THREE.Fog(0, 60, 480);
  private haze = new THREE.Color();

  /** Colours sky and haze for an eye so deep below water [m], negative above, of the colour of deep water. */
  dive(depth: number, deep: THREE.Color) {
    const { uniforms } = this.sky.material;
    uniforms.depth!.value = Math.max(0, depth);
    // from the far end of what is drawn down
    uniforms.dip!.value = depth < 0 ? Math.max(0.01, -depth / FAR) : 0;
    this.fog.color.copy(depth > 0 ? deep : this.haze);
  }

  /** Sky and haze without water. */
  surface() {
    this.dive(0, this.haze);
  }

  dress(theme: Theme, scene: THREE.Scene, renderer: THREE.WebGLRenderer, fine: boolean) {
    const look = SKIES[theme];
    const { uniforms } = this.sky.material;
    uniforms.top!.value.set(look.top);
    uniforms.horizon!.value.set(look.horizon);
    uniforms.below!.value.set(look.below);
    uniforms.cloud!.value.set(look.cloud);
    uniforms.clouds!.value = fine ? 0.8 : 0;
    uniforms.glow!.value = look.glow;
    this.sun.intensity = look.sun;
    this.fill.intensity = fine ? look.fill * 0.75 : look.fill;
    this.grid.material.uniforms.ink!.value.set(look.grid);
    this.marks.dress(look.grid, look.plain);
    scene.background = new THREE.Color(look.plain);
    this.groundTone.set(look.ground);
    scene.fog = this.fog;
    this.haze.set(look.horizon);
    this.fog.color.copy(this.haze);
    this.environment?.dispose();
    this.environment = null;
    scene.environment = null;
    if (fine) {
      // steel shows the sky: a small copy of it lights the glossy materials
      const copy = new THREE.Scene();
      const sky = new THREE.Mesh(new THREE.SphereGeometry(50, 32, 24), this.sky.material.clone());
      sky.material.uniforms.depth!.value = sky.material.uniforms.dip!.value = 0;
      copy.add(sky);
      const maker = new THREE.PMREMGenerator(renderer);
      this.environment = maker.fromScene(copy, 0.02).texture;
      scene.environment = this.environment;
      scene.environmentIntensity = theme === "light" ? 0.45 : 0.9;
      maker.dispose();
      sky.material.dispose();
    }
  }

  /** Parallel views show no sky, and the grid in the plane one looks at. */
  show(grid: boolean, view: View) {
    if (grid) this.lay(view);
    else this.marks.shown.set(view.name, []);
    this.sky.visible = view.camera instanceof THREE.PerspectiveCamera;
    this.grid.visible = grid;
    this.marks.group.visible = grid;
  }
}

/** Whether a scene has an endless ground of its own. */
export function hasGround(scene: Scene): boolean {
  return scene.bodies.some((b) => b.kind === "static" && b.shapes.some((s) => s.form === "plane"));
}
