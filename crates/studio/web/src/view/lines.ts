/** Cables and ropes: one mesh each, its arrays kept from frame to frame. */
import * as THREE from "three";
import type { Line, LineFrame } from "../protocol";
import { emptyTube, fillTube, heat, ringsFor, type Tube } from "./tube";

/** Thinnest a line is drawn, in parts of its distance from the eye: about a pixel and a half at 720 lines. */
const THINNEST = 0.0011;

interface Entry {
  line: Line;
  mesh: THREE.Mesh<THREE.BufferGeometry, THREE.Material>;
  tube: Tube;
}

export class LinesView {
  readonly group = new THREE.Group();
  private entries = new Map<number, Entry>();
  private material: THREE.Material;

  constructor(lines: Line[], fine: boolean) {
    this.material = fine ? new THREE.MeshStandardMaterial({ vertexColors: true, roughness: 0.5, metalness: 0.2 }) : new THREE.MeshLambertMaterial({ vertexColors: true });
    for (const line of lines) {
      const mesh = new THREE.Mesh(new THREE.BufferGeometry(), this.material);
      mesh.frustumCulled = false;
      mesh.castShadow = true;
      mesh.userData.line = line.id;
      this.group.add(mesh);
      this.entries.set(line.id, { line, mesh, tube: emptyTube(0) });
    }
  }

  update(frames: LineFrame[], eye: THREE.Vector3, tension: [number, number] | null, chosen: number | null, touching: Set<number> = new Set()) {
    const seen = new Set<number>();
    for (const { id, points } of frames) {
      const entry = this.entries.get(id);
      if (!entry) continue;
      seen.add(id);
      const rings = ringsFor(points.length / 4);
      if (rings !== entry.tube.rings) this.resize(entry, rings);
      const own = new THREE.Color().setRGB(...entry.line.color, THREE.SRGBColorSpace);
      if (touching.has(id)) own.set(0xef4444);
      else if (id === chosen) own.set(0x14b8a6);
      const linear = new THREE.Color();
      fillTube(
        entry.tube,
        points,
        (x, y, z) => Math.max(entry.line.radius, THINNEST * Math.hypot(x - eye.x, y - eye.y, z - eye.z)),
        (force, out, at) => {
          if (tension) {
            const [r, g, b] = heat((force - tension[0]) / (tension[1] - tension[0] || 1));
            linear.setRGB(r, g, b, THREE.SRGBColorSpace);
          } else linear.copy(own);
          out[at] = linear.r;
          out[at + 1] = linear.g;
          out[at + 2] = linear.b;
        },
      );
      const { geometry } = entry.mesh;
      for (const name of ["position", "normal", "color"]) {
        const attribute = geometry.getAttribute(name);
        if (attribute) (attribute as THREE.BufferAttribute).needsUpdate = true;
      }
      geometry.boundingSphere = null;
    }
    for (const [id, entry] of this.entries) entry.mesh.visible = seen.has(id);
  }

  private resize(entry: Entry, rings: number) {
    entry.tube = emptyTube(rings);
    entry.mesh.geometry.dispose();
    const geometry = new THREE.BufferGeometry();
    for (const name of ["position", "normal", "color"] as const) {
      geometry.setAttribute(name, new THREE.BufferAttribute(entry.tube[name], 3).setUsage(THREE.DynamicDrawUsage));
    }
    geometry.setIndex(new THREE.BufferAttribute(entry.tube.index, 1));
    entry.mesh.geometry = geometry;
  }

  pick(ray: THREE.Raycaster): { line: number; distance: number; point: THREE.Vector3 } | null {
    const hit = ray.intersectObjects(this.group.children, false)[0];
    return hit ? { line: hit.object.userData.line as number, distance: hit.distance, point: hit.point } : null;
  }

  boundsOf(id: number): THREE.Box3 {
    const box = new THREE.Box3();
    const entry = this.entries.get(id);
    if (entry) box.setFromArray(entry.tube.position);
    return box;
  }

  dispose() {
    for (const entry of this.entries.values()) entry.mesh.geometry.dispose();
    this.material.dispose();
    this.group.removeFromParent();
  }
}
