/** Cables and ropes: one mesh for each piece, its arrays kept from frame to frame. */
import * as THREE from "three";
import { POINT_FLOATS, type Line, type LineFrame } from "../protocol";
import { immerse } from "./immersion";
import { emptyTube, fillTube, heat, indexCount, paintTube, SIDES, type Tube } from "./tube";

/** Thinnest a line is drawn, in parts of its distance from the eye: about a pixel and a half at 720 lines. */
const THINNEST = 0.0011;

/** Colours from slack to taut, as light is reckoned, in so many steps. */
const STEPS = 255;
const HEAT = new Float32Array(3 * (STEPS + 1));
for (let i = 0; i <= STEPS; i++) new THREE.Color().setRGB(...heat(i / STEPS), THREE.SRGBColorSpace).toArray(HEAT, 3 * i);

const TOUCHING = new THREE.Color(0xef4444);
const CHOSEN = new THREE.Color(0x14b8a6);

/** Whether a line is coloured by its tension: a hydraulic cylinder carries far more than the ropes, which would then look alike. */
export const takesColour = (line: Line) => line.kind !== "cylinder";

/** A line, with a tube for each of its pieces: one that is cut, or runs over pulleys, has several. */
interface Entry {
  line: Line;
  own: THREE.Color;
  pieces: Piece[];
  /** How many of them the newest frame has. */
  count: number;
}

interface Piece {
  mesh: THREE.Mesh<THREE.BufferGeometry, THREE.Material>;
  tube: Tube;
  /** What it shows: points, and a colour or the span of tensions that is coloured. */
  points: Float32Array | null;
  paint: THREE.Color | [number, number] | null;
}

export class LinesView {
  readonly group = new THREE.Group();
  private entries = new Map<number, Entry>();
  private material: THREE.Material;
  /** From where lines are seen; far ones are drawn thicker. */
  private eye = new THREE.Vector3(NaN, NaN, NaN);

  constructor(lines: Line[], fine: boolean, wet = false) {
    this.material = fine ? new THREE.MeshStandardMaterial({ vertexColors: true, roughness: 0.5, metalness: 0.2 }) : new THREE.MeshLambertMaterial({ vertexColors: true });
    if (wet) immerse(this.material);
    for (const line of lines) this.entries.set(line.id, { line, own: new THREE.Color().setRGB(...line.color, THREE.SRGBColorSpace), pieces: [], count: 0 });
  }

  /** Shows lines as they are; what is as it was is left alone. */
  update(frames: LineFrame[], eye: THREE.Vector3, tension: [number, number] | null, chosen: number | null, touching: Set<number> = new Set()) {
    const isElsewhere = !this.eye.equals(eye);
    this.eye.copy(eye);
    for (const entry of this.entries.values()) entry.count = 0;
    for (const { id, points } of frames) {
      const entry = this.entries.get(id);
      if (!entry || points.length < 2 * POINT_FLOATS) continue;
      const piece = entry.pieces[entry.count] ?? this.addPiece(entry);
      entry.count += 1;
      if (points.length / POINT_FLOATS > piece.tube.room) grow(piece, points.length / POINT_FLOATS);
      const isNew = piece.points !== points;
      if (isNew || isElsewhere) move(piece, points, entry.line.radius, eye);
      const span = takesColour(entry.line) ? tension : null;
      const paint = span ?? (touching.has(id) ? TOUCHING : id === chosen ? CHOSEN : entry.own);
      if (paint !== piece.paint || (isNew && paint === span)) color(piece, points, paint);
    }
    for (const { pieces, count } of this.entries.values()) pieces.forEach(({ mesh }, i) => (mesh.visible = i < count));
  }

  private addPiece(entry: Entry): Piece {
    const mesh = new THREE.Mesh(new THREE.BufferGeometry(), this.material);
    mesh.frustumCulled = false;
    mesh.castShadow = true;
    mesh.userData.line = entry.line.id;
    this.group.add(mesh);
    const piece: Piece = { mesh, tube: emptyTube(0), points: null, paint: null };
    entry.pieces.push(piece);
    return piece;
  }

  pick(ray: THREE.Raycaster): { line: number; distance: number; point: THREE.Vector3 } | null {
    const shown = this.group.children.filter((mesh) => mesh.visible);
    const hit = ray.intersectObjects(shown, false)[0];
    return hit ? { line: hit.object.userData.line as number, distance: hit.distance, point: hit.point } : null;
  }

  boundsOf(id: number): THREE.Box3 {
    const box = new THREE.Box3();
    const entry = this.entries.get(id);
    for (const { points } of entry?.pieces.slice(0, entry.count) ?? []) if (points) box.union(boxOf(points));
    return box;
  }

  dispose() {
    for (const { pieces } of this.entries.values()) for (const { mesh } of pieces) mesh.geometry.dispose();
    this.material.dispose();
    this.group.removeFromParent();
  }
}

/** Gives a piece room for so many rings, and some more: the number of points changes as a cable bends. */
function grow(piece: Piece, rings: number) {
  piece.tube = emptyTube(Math.ceil(1.25 * rings) + 4);
  piece.points = piece.paint = null;
  piece.mesh.geometry.dispose();
  const geometry = new THREE.BufferGeometry();
  for (const name of ["position", "normal", "color"] as const) {
    geometry.setAttribute(name, new THREE.BufferAttribute(piece.tube[name], 3).setUsage(THREE.DynamicDrawUsage));
  }
  geometry.setIndex(new THREE.BufferAttribute(piece.tube.index, 1));
  geometry.boundingSphere = new THREE.Sphere();
  piece.mesh.geometry = geometry;
}

function move(piece: Piece, points: Float32Array, radius: number, eye: THREE.Vector3) {
  const { geometry } = piece.mesh;
  fillTube(piece.tube, points, radius, THINNEST, eye);
  piece.points = points;
  const rings = points.length / POINT_FLOATS;
  geometry.setDrawRange(0, indexCount(rings));
  renew(geometry, "position", rings);
  renew(geometry, "normal", rings);
  // of the points, which are fewer than the corners of the tube
  const sphere = boxOf(points).getBoundingSphere(geometry.boundingSphere!);
  sphere.radius += Math.max(radius, THINNEST * (sphere.center.distanceTo(eye) + sphere.radius));
}

/** A box around the points of a line. */
function boxOf(points: Float32Array): THREE.Box3 {
  const box = new THREE.Box3();
  const point = new THREE.Vector3();
  for (let i = 0; i < points.length; i += POINT_FLOATS) box.expandByPoint(point.fromArray(points, i));
  return box;
}

function color(piece: Piece, points: Float32Array, paint: THREE.Color | [number, number]) {
  piece.paint = paint;
  const { tube } = piece;
  if (paint instanceof THREE.Color) {
    // also of rings that there are none of yet, for one colour is not put on again when points come
    for (let o = 0; o < tube.color.length; o += 3) paint.toArray(tube.color, o);
    renew(piece.mesh.geometry, "color", tube.room);
  } else {
    const scale = STEPS / (paint[1] - paint[0] || 1);
    paintTube(tube, points, (tension, out) => {
      const at = 3 * Math.round(Math.min(STEPS, Math.max(0, (tension - paint[0]) * scale)));
      for (let k = 0; k < 3; k++) out[k] = HEAT[at + k]!;
    });
    renew(piece.mesh.geometry, "color", points.length / POINT_FLOATS);
  }
}

/** Has the numbers of so many rings sent anew. */
function renew(geometry: THREE.BufferGeometry, name: "position" | "normal" | "color", rings: number) {
  const attribute = geometry.getAttribute(name) as THREE.BufferAttribute;
  attribute.clearUpdateRanges();
  attribute.addUpdateRange(0, rings * SIDES * 3);
  attribute.needsUpdate = true;
}
