/**
 * What tells where things are: numbers along the grid and the axes at the origin, both of constant size on the screen. Before
 * each view is drawn they are laid out for its camera; bodies in front hide them.
 */
import * as THREE from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { apart, inMetres, tickStep, ticks, type Frame } from "./ruler";

export const AXIS_COLOURS = [0xe5484d, 0x2f9e5f, 0x3b82f6] as const;

/** Height of the letters [px], room that a number is given [px], length of the axes at the origin [px]. */
const LETTERS = 12;
const ROOM = 72;
const AXES = 46;
/** Most texts that are kept drawn: more than are seen at once. */
const MOST_TEXTS = 512;
/** Free space around a number [px]. */
const GAP = 6;

/** A view as it is about to be drawn: size in pixels, and the plane of its grid by right, up and a point far enough behind. */
export interface Ruled {
  name: string;
  camera: THREE.PerspectiveCamera | THREE.OrthographicCamera;
  width: number;
  height: number;
  right: THREE.Vector3;
  up: THREE.Vector3;
  back: THREE.Vector3;
  target: THREE.Vector3;
}

interface Label {
  text: string;
  colour: string;
  place: THREE.Vector3;
}

export class Marks {
  readonly group = new THREE.Group();
  /** What the last picture had, by view: for tests. */
  readonly shown = new Map<string, (Frame & { text: string })[]>();
  private axes = new THREE.Group();
  private pool: THREE.Sprite[] = [];
  private textures = new Map<string, { map: THREE.Texture; wide: number }>();
  private ink = "#000";
  private halo = "#fff";

  constructor() {
    const arrows = mergeGeometries(AXIS_COLOURS.map((colour, i) => arrow(i, colour)));
    // once where it is free, and faintly through what stands before it
    for (const through of [false, true]) {
      const mesh = new THREE.Mesh(arrows, new THREE.MeshBasicMaterial({ vertexColors: true, fog: false, depthTest: !through, depthWrite: false, transparent: true, opacity: through ? 0.18 : 1 }));
      mesh.renderOrder = 3;
      this.axes.add(mesh);
    }
    this.group.add(this.axes);
  }

  dress(ink: number, halo: number) {
    this.ink = `#${ink.toString(16).padStart(6, "0")}`;
    this.halo = `#${halo.toString(16).padStart(6, "0")}`;
    for (const { map } of this.textures.values()) map.dispose();
    this.textures.clear();
  }

  /** Metres that a pixel is wide at a place. */
  private perPixel(view: Ruled, place: THREE.Vector3): number {
    const { camera } = view;
    if (camera instanceof THREE.OrthographicCamera) return (camera.top - camera.bottom) / view.height;
    const depth = -place.clone().applyMatrix4(camera.matrixWorldInverse).z;
    return (2 * Math.max(0, depth) * Math.tan(THREE.MathUtils.degToRad(camera.fov) / 2)) / view.height;
  }

  /** Step of the numbers in a view [m]. */
  step(view: Ruled): number {
    return tickStep(1 / Math.max(1e-9, this.perPixel(view, view.target)), ROOM);
  }

  /** Lays numbers and axes out for a view. */
  lay(view: Ruled) {
    view.camera.updateMatrixWorld();
    const origin = new THREE.Vector3();
    const long = this.perPixel(view, origin) * AXES;
    this.axes.visible = long > 0;
    this.axes.scale.setScalar(Math.max(1e-9, long));
    const names: Label[] = AXIS_COLOURS.map((c, i) => ({ text: "xyz"[i]!, colour: `#${c.toString(16)}`, place: new THREE.Vector3().setComponent(i, 1.12 * long) }));
    // an axis along the look is a point; its name would cover the others
    const look = view.camera.getWorldDirection(new THREE.Vector3());
    const seen = names.filter((_, i) => Math.abs(look.getComponent(i)) < 0.97);
    this.draw(view, [...seen, ...this.numbers(view)]);
  }

  /** Numbers along both axes of the grid, or along the edge of the view where an axis is out of sight. */
  private numbers(view: Ruled): Label[] {
    const step = this.step(view);
    const { right, up, back, target, camera } = view;
    const [u, v] = [target.dot(right), target.dot(up)];
    const at = (x: number, y: number) => right.clone().multiplyScalar(x).addScaledVector(up, y).add(back);
    const label = (value: number, x: number, y: number): Label => ({ text: inMetres(value), colour: this.ink, place: at(x, y) });
    if (camera instanceof THREE.OrthographicCamera) {
      const px = this.perPixel(view, target);
      const [w, h] = [(view.width / 2) * px, (view.height / 2) * px];
      const y = Math.min(v + h - 2.4 * LETTERS * px, Math.max(v - h + LETTERS * px, 0));
      const x = Math.min(u + w - 5 * LETTERS * px, Math.max(u - w + LETTERS * px, 0));
      return [...ticks(u - w, u + w, step).map((n) => label(n, n, y)), ...ticks(v - h, v + h, step).filter((n) => n !== 0).map((n) => label(n, x, n))];
    }
    // as far as the grid is well seen
    const reach = 8 * step;
    // far from the origin, along the nearest thick lines
    const line = (n: number) => (Math.abs(n) < 6 * step ? 0 : Math.round(n / (10 * step)) * 10 * step);
    return [...ticks(u - reach, u + reach, step).map((n) => label(n, n, line(v))), ...ticks(v - reach, v + reach, step).filter((n) => n !== line(v)).map((n) => label(n, line(u), n))];
  }

  private draw(view: Ruled, labels: Label[]) {
    const { width, height, camera } = view;
    const laid = labels.flatMap((label) => {
      const p = label.place.clone().project(camera);
      const texture = this.texture(label);
      const [w, h] = [texture.wide, LETTERS * 1.5];
      // its lower left corner is a little off its place
      const frame = { x: ((p.x + 1) / 2) * width + 3, y: ((1 - p.y) / 2) * height - 2 - h, w, h };
      const inside = Math.abs(p.z) <= 1 && frame.x >= 0 && frame.y >= 0 && frame.x + w <= width && frame.y + h <= height;
      return inside ? [{ ...label, frame, texture }] : [];
    });
    const stays = apart(laid.map((l) => l.frame), GAP);
    const kept = laid.filter((_, i) => stays[i]);
    kept.forEach((label, i) => {
      const sprite = (this.pool[i] ??= this.sprite());
      const px = this.perPixel(view, label.place);
      sprite.material.map = label.texture.map;
      sprite.position.copy(label.place);
      sprite.scale.set(label.frame.w * px, label.frame.h * px, 1);
      sprite.center.set(-3 / label.frame.w, -2 / label.frame.h);
      sprite.visible = true;
    });
    for (const sprite of this.pool.slice(kept.length)) sprite.visible = false;
    this.shown.set(view.name, kept.map(({ text, frame }) => ({ text, ...frame })));
  }

  private sprite(): THREE.Sprite {
    const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ map: this.texture({ text: "0", colour: this.ink, place: new THREE.Vector3() }).map, transparent: true, depthWrite: false, fog: false }));
    sprite.renderOrder = 4;
    this.group.add(sprite);
    return sprite;
  }

  /** Letters with a rim in the colour of the background, drawn once for each text. */
  private texture({ text, colour }: Label): { map: THREE.Texture; wide: number } {
    const key = `${colour} ${text}`;
    const known = this.textures.get(key);
    if (known) {
      // the one used last stands last
      this.textures.delete(key);
      this.textures.set(key, known);
      return known;
    }
    const [oldest] = this.textures;
    if (oldest && this.textures.size >= MOST_TEXTS) {
      this.textures.delete(oldest[0]);
      oldest[1].map.dispose();
    }
    const fine = Math.max(2, globalThis.devicePixelRatio ?? 1);
    const canvas = document.createElement("canvas");
    const pen = canvas.getContext("2d")!;
    const font = `600 ${LETTERS * fine}px system-ui, sans-serif`;
    pen.font = font;
    const wide = Math.ceil(pen.measureText(text).width / fine) + 4;
    canvas.width = wide * fine;
    canvas.height = LETTERS * 1.5 * fine;
    pen.font = font;
    pen.textBaseline = "middle";
    pen.lineJoin = "round";
    pen.strokeStyle = this.halo;
    pen.lineWidth = 3 * fine;
    pen.strokeText(text, 2 * fine, canvas.height / 2);
    pen.fillStyle = colour;
    pen.fillText(text, 2 * fine, canvas.height / 2);
    const map = new THREE.CanvasTexture(canvas);
    map.colorSpace = THREE.SRGBColorSpace;
    map.generateMipmaps = false;
    map.minFilter = THREE.LinearFilter;
    const made = { map, wide };
    this.textures.set(key, made);
    return made;
  }
}

/** An arrow of length 1 along an axis, in its colour. */
function arrow(axis: number, colour: number): THREE.BufferGeometry {
  const rod = new THREE.CylinderGeometry(0.022, 0.022, 0.82, 8).translate(0, 0.41, 0);
  const tip = new THREE.ConeGeometry(0.075, 0.2, 12).translate(0, 0.9, 0);
  const both = mergeGeometries([rod, tip]);
  if (axis === 0) both.rotateZ(-Math.PI / 2);
  if (axis === 2) both.rotateX(Math.PI / 2);
  const { r, g, b } = new THREE.Color(colour);
  const count = both.getAttribute("position").count;
  both.setAttribute("color", new THREE.Float32BufferAttribute(Array.from({ length: count }, () => [r, g, b]).flat(), 3));
  return both;
}
