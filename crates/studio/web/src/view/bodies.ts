/** Bodies as instanced shapes: one mesh for each form and finish, one instance for each solid, so a thousand boxes cost one draw call. */
import * as THREE from "three";
import { toCreasedNormals } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { BODY_FLOATS, type Body, type Shape } from "../protocol";
import { lay, patternOf, type Pattern } from "./ground";
import { CUTS, immerse } from "./immersion";

interface Finish {
  roughness: number;
  metalness: number;
  opacity?: number;
}

/** How common materials take light; looks, not physics. */
const FINISHES: Record<string, Finish> = {
  steel: { roughness: 0.42, metalness: 0.35 },
  aluminium: { roughness: 0.35, metalness: 0.5 },
  wood: { roughness: 0.85, metalness: 0 },
  concrete: { roughness: 0.95, metalness: 0 },
  rubber: { roughness: 0.9, metalness: 0 },
  plastic: { roughness: 0.5, metalness: 0 },
  ice: { roughness: 0.15, metalness: 0, opacity: 0.8 },
  glass: { roughness: 0.1, metalness: 0.1, opacity: 0.55 },
};
const PLAIN: Finish = { roughness: 0.6, metalness: 0.1 };

function finishOf(material: string | null): [string, Finish] {
  const name = material?.toLowerCase() ?? "";
  const known = Object.keys(FINISHES).find((key) => name.includes(key));
  return known ? [known, FINISHES[known]!] : ["plain", PLAIN];
}

/** Half the side of the square that stands for an endless plane [m]. */
const PLANE_REACH = 600;

/** Share of the tone of the surroundings in sand, grass and the like, and in asphalt, which is dark. */
const GROUND_TONE = 0.25;
const ROAD_TONE = 0.08;

/** Distance from the origin of a plane from which on it is drawn around what is looked at, and the step of that [m]. */
const PLANE_FAR = 200;

/** From so many of a form on, each is drawn with fewer faces: a thousand round bodies are small in the picture. */
const CROWD = 200;

/** A solid to draw: a key for those that can share a geometry, the geometry for a number of them, and what makes the solid of it in the shape's axes. */
interface Form {
  key: string;
  make: (count: number) => THREE.BufferGeometry;
  local: THREE.Matrix4;
}

const scaled = (x: number, y = x, z = x) => new THREE.Matrix4().makeScale(x, y, z);

/** What a shape is drawn as. */
function formsOf(shape: Shape): Form[] {
  const part = (count: number) => (count < CROWD ? 1 : 0.5);
  switch (shape.form) {
    case "box":
      return [{ key: "box", make: () => new THREE.BoxGeometry(1, 1, 1), local: scaled(...shape.size) }];
    case "sphere":
      return [{ key: "sphere", make: (count) => new THREE.SphereGeometry(1, 32 * part(count), 20 * part(count)).rotateX(Math.PI / 2), local: scaled(shape.radius) }];
    case "cylinder":
      return [{ key: "cylinder", make: (count) => new THREE.CylinderGeometry(1, 1, 1, 32 * part(count)).rotateX(Math.PI / 2), local: scaled(shape.radius, shape.radius, shape.length) }];
    case "cone":
      return [{ key: "cone", make: (count) => new THREE.ConeGeometry(1, 1, 32 * part(count)).rotateX(Math.PI / 2), local: scaled(shape.radius, shape.radius, shape.length) }];
    case "capsule": {
      // its round ends would not stay round in one stretched solid, and capsules of all proportions can share these
      const cap = (count: number) => new THREE.SphereGeometry(1, 24 * part(count), 10 * part(count), 0, 2 * Math.PI, 0, Math.PI / 2).rotateX(Math.PI / 2);
      const wall = (count: number) => new THREE.CylinderGeometry(1, 1, 1, 24 * part(count), 1, true).rotateX(Math.PI / 2);
      const end = scaled(shape.radius).setPosition(0, 0, shape.length / 2);
      return [
        { key: "capsule wall", make: wall, local: scaled(shape.radius, shape.radius, shape.length) },
        { key: "capsule cap", make: cap, local: end },
        { key: "capsule cap", make: cap, local: new THREE.Matrix4().makeRotationX(Math.PI).multiply(end) },
      ];
    }
    case "plane":
      return [{ key: "plane", make: () => new THREE.PlaneGeometry(2 * PLANE_REACH, 2 * PLANE_REACH), local: new THREE.Matrix4() }];
    case "mesh":
      return [{ key: `mesh ${shape.positions.join()} ${shape.triangles.join()}`, make: () => meshGeometry(shape.positions, shape.triangles), local: new THREE.Matrix4() }];
  }
}

/** Edges of meshes that are sharper than this stay edges; others are smoothed [rad]. */
const CREASE = Math.PI / 6;

function meshGeometry(positions: number[], triangles: number[]): THREE.BufferGeometry {
  const indexed = new THREE.BufferGeometry();
  indexed.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
  indexed.setIndex(triangles);
  return toCreasedNormals(indexed, CREASE);
}

interface Instance {
  mesh: THREE.InstancedMesh;
  index: number;
  body: number;
  local: THREE.Matrix4;
  /** As it is drawn when nothing marks it, and as the scene names it. */
  color: THREE.Color;
  own: THREE.Color;
  /** Of a ground that is known by its colour: share of the tone of the surroundings in it. */
  natural: number | null;
}

const ACCENT = new THREE.Color(0x14b8a6);
const RED = new THREE.Color(0xef4444);
const WHITE = new THREE.Color(0xffffff);
/** What the run is compared with: blue and translucent on either theme, also in water. */
const GHOSTLY = new THREE.MeshLambertMaterial({ color: 0x3b82f6, transparent: true, opacity: 0.38, depthWrite: false });

/** The island of a body from 1, 0 for none, and whether it sleeps: islands have a hue each, sleeping bodies are dark blue. */
export interface Tint {
  island: number;
  asleep: boolean;
}
/** Hues of numbers that follow each other lie far apart. */
const GOLDEN = 0.618034;
const NIGHT = new THREE.Color(0x1e3a8a);

export class BodiesView {
  readonly group = new THREE.Group();
  /** Place of each body in the world, in the order of the scene. */
  readonly poses: THREE.Matrix4[];
  private instances: Instance[] = [];
  private owners = new Map<THREE.InstancedMesh, number[]>();
  private marked = "";
  private overrides = new Map<number, THREE.Matrix4>();
  private places: Float32Array | null = null;
  private focus = new THREE.Vector3();

  /** With `wet` everything is drawn as seen through water. With `ghost` everything is translucent in one colour, without ground and shadow. */
  constructor(
    readonly bodies: Body[],
    fine: boolean,
    wet = false,
    ghost = false,
  ) {
    this.poses = bodies.map(() => new THREE.Matrix4());
    const piles = new Map<string, { make: (count: number) => THREE.BufferGeometry; finish: Finish; plane: boolean; pattern: Pattern | null; members: { body: number; local: THREE.Matrix4; color: THREE.Color }[] }>();
    bodies.forEach((body, at) => {
      for (const shape of body.shapes) {
        // what never moves is the same in both
        if (ghost && body.kind === "static") continue;
        const [finishName, finish] = finishOf(shape.material);
        const [w, x, y, z] = shape.turn;
        const place = new THREE.Matrix4().compose(new THREE.Vector3(...shape.at), new THREE.Quaternion(x, y, z, w), new THREE.Vector3(1, 1, 1));
        for (const { key, make, local } of formsOf(shape)) {
          const pattern = groundOf(body, shape);
          const pileKey = `${key}/${finishName}/${pattern}`;
          let pile = piles.get(pileKey);
          if (!pile) piles.set(pileKey, (pile = { make, finish, plane: shape.form === "plane", pattern, members: [] }));
          pile.members.push({ body: at, local: place.clone().multiply(local), color: new THREE.Color().setRGB(...shape.color, THREE.SRGBColorSpace) });
        }
      }
    });
    for (const pile of piles.values()) {
      const mesh = new THREE.InstancedMesh(pile.make(pile.members.length), ghost ? GHOSTLY : materialOf(pile.finish, fine, wet, pile.plane, pile.pattern), pile.members.length);
      mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
      // instances move every frame, so bounds taken once would hide them
      mesh.frustumCulled = false;
      mesh.castShadow = !pile.plane && !ghost;
      mesh.receiveShadow = !ghost;
      if (ghost) mesh.renderOrder = 3;
      else if (wet) mesh.layers.enable(CUTS);
      this.group.add(mesh);
      this.owners.set(mesh, pile.members.map((m) => m.body));
      pile.members.forEach((member, index) => {
        mesh.setColorAt(index, ghost ? WHITE : member.color);
        this.instances.push({ mesh, index, ...member, own: member.color.clone(), natural: pile.pattern === null || pile.pattern === "concrete" ? null : pile.pattern === "asphalt" ? ROAD_TONE : GROUND_TONE });
      });
    }
  }

  /** Tints endless planes with the tone of the surroundings. Of sand or grass more of the own colour stays, as dark as the surroundings. */
  toneGround(tone: THREE.Color) {
    const dim = Math.min(1, (tone.r + tone.g + tone.b) / 2);
    for (const instance of this.instances) {
      if (instance.mesh.geometry.type !== "PlaneGeometry") continue;
      if (instance.natural !== null) instance.color.copy(instance.own).multiplyScalar(dim).lerp(tone, instance.natural);
      else instance.color.copy(instance.own).lerp(tone, 0.8);
      instance.mesh.setColorAt(instance.index, instance.color);
      instance.mesh.instanceColor!.needsUpdate = true;
    }
  }

  /** Shows bodies where a hand holds them, until it lets go. */
  override(overrides: Map<number, THREE.Matrix4>) {
    if (overrides.size === 0 && this.overrides.size === 0) return;
    this.overrides = overrides;
    if (this.places) this.update(this.places);
  }

  /** Draws endless planes around a place once that is far from their origins. */
  extend(focus: THREE.Vector3) {
    const near = focus.clone().divideScalar(PLANE_FAR).round().multiplyScalar(PLANE_FAR);
    if (near.equals(this.focus)) return;
    this.focus.copy(near);
    if (this.places) this.update(this.places);
  }

  /** Moves everything to a frame's places. */
  update(places: Float32Array) {
    this.places = places;
    const position = new THREE.Vector3();
    const turn = new THREE.Quaternion();
    const one = new THREE.Vector3(1, 1, 1);
    const count = Math.min(this.poses.length, places.length / BODY_FLOATS);
    for (let i = 0; i < count; i++) {
      const o = i * BODY_FLOATS;
      position.set(places[o]!, places[o + 1]!, places[o + 2]!);
      turn.set(places[o + 4]!, places[o + 5]!, places[o + 6]!, places[o + 3]!);
      this.poses[i]!.compose(position, turn, one);
    }
    const matrix = new THREE.Matrix4();
    for (const instance of this.instances) {
      matrix.multiplyMatrices(this.overrides.get(instance.body) ?? this.poses[instance.body]!, instance.local);
      if (instance.mesh.geometry.type === "PlaneGeometry") this.shift(matrix);
      instance.mesh.setMatrixAt(instance.index, matrix);
    }
    for (const mesh of this.owners.keys()) mesh.instanceMatrix.needsUpdate = true;
  }

  /** Moves the square of a plane within it, towards the focus. */
  private shift(matrix: THREE.Matrix4) {
    const { x, y } = this.focus.clone().applyMatrix4(matrix.clone().invert());
    matrix.multiply(new THREE.Matrix4().makeTranslation(x, y, 0));
  }

  /** Tints the selected body, the one under the pointer, and those in touch. */
  mark(chosen: Set<number>, over: number | null, touching: Set<number> = new Set(), tints: Tint[] | null = null) {
    const tinted = tints?.map((t) => `${t.island}${t.asleep ? "z" : ""}`).join() ?? "";
    const key = `${[...chosen].join()}|${over}|${[...touching].join()}|${tinted}`;
    if (key === this.marked) return;
    this.marked = key;
    const color = new THREE.Color();
    for (const instance of this.instances) {
      color.copy(instance.color);
      const tint = tints?.[instance.body];
      if (tint && tint.island > 0) color.setHSL((tint.island * GOLDEN) % 1, 0.65, 0.5);
      if (tint?.asleep) color.lerp(NIGHT, 0.75);
      if (touching.has(instance.body) && instance.mesh.geometry.type !== "PlaneGeometry") color.lerp(RED, 0.7);
      else if (chosen.has(instance.body)) color.lerp(ACCENT, 0.6);
      else if (instance.body === over && this.bodies[over]?.kind === "dynamic") color.lerp(WHITE, 0.25);
      instance.mesh.setColorAt(instance.index, color);
    }
    for (const mesh of this.owners.keys()) if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
  }

  /** The colour of each body's first shape as it is drawn, by name. */
  colors(): Record<string, string> {
    const found: Record<string, string> = {};
    const color = new THREE.Color();
    for (const { mesh, index, body } of this.instances) {
      mesh.getColorAt(index, color);
      found[this.bodies[body]!.name] ??= color.getHexString();
    }
    return found;
  }

  /** The nearest body on a ray, where, and the direction out of its surface there. */
  pick(ray: THREE.Raycaster): { body: number; point: THREE.Vector3; normal: THREE.Vector3 } | null {
    const meshes = [...this.owners.keys()];
    // found anew here and not in each picture: drawing needs no bounds
    for (const mesh of meshes) mesh.boundingSphere = null;
    const hit = ray.intersectObjects(meshes, false)[0];
    if (!hit || hit.instanceId === undefined) return null;
    const body = this.owners.get(hit.object as THREE.InstancedMesh)?.[hit.instanceId];
    if (body === undefined) return null;
    const matrix = new THREE.Matrix4();
    (hit.object as THREE.InstancedMesh).getMatrixAt(hit.instanceId, matrix);
    const normal = (hit.face?.normal ?? new THREE.Vector3(0, 0, 1)).clone().applyNormalMatrix(new THREE.Matrix3().getNormalMatrix(matrix));
    if (normal.dot(ray.ray.direction) > 0) normal.negate();
    return { body, point: hit.point, normal };
  }

  /** Box around a body's shapes in the world; planes have none. */
  boundsOf(body: number): THREE.Box3 {
    const box = new THREE.Box3();
    const matrix = new THREE.Matrix4();
    for (const instance of this.instances) {
      if (instance.body !== body || instance.mesh.geometry.type === "PlaneGeometry") continue;
      instance.mesh.geometry.boundingBox ?? instance.mesh.geometry.computeBoundingBox();
      matrix.multiplyMatrices(this.poses[body]!, instance.local);
      box.union(instance.mesh.geometry.boundingBox!.clone().applyMatrix4(matrix));
    }
    return box;
  }

  dispose() {
    for (const mesh of this.owners.keys()) {
      mesh.geometry.dispose();
      if (mesh.material !== GHOSTLY) (mesh.material as THREE.Material).dispose();
      mesh.dispose();
    }
    this.group.removeFromParent();
  }
}

/** Sides of a box from which on it is a ground, a quay or a deck [m]. */
const GROUND = 5;

/** The pattern that a shape is drawn with: endless planes are of concrete unless they are of something else that grounds are made of. */
function groundOf(body: Body, shape: Shape & { material: string | null }): Pattern | null {
  if (shape.form === "plane") return patternOf(shape.material) ?? "concrete";
  const wide = shape.form === "box" && shape.size[0] >= GROUND && shape.size[1] >= GROUND;
  return body.kind === "static" && wide ? patternOf(shape.material) : null;
}

function materialOf(finish: Finish, fine: boolean, wet: boolean, plane: boolean, pattern: Pattern | null): THREE.Material {
  const common = { transparent: finish.opacity !== undefined, opacity: finish.opacity ?? 1, side: plane ? THREE.DoubleSide : THREE.FrontSide };
  if (!fine) return soaked(new THREE.MeshLambertMaterial(common), wet);
  const material = new THREE.MeshStandardMaterial({ ...common, roughness: pattern ? 0.95 : finish.roughness, metalness: pattern ? 0 : finish.metalness });
  if (pattern) lay(material, pattern);
  return soaked(material, wet);
}

const soaked = (material: THREE.Material, wet: boolean) => (wet ? immerse(material) : material);
