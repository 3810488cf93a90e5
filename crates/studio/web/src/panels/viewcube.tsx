/** The view cube: turns with the eye, and a click on a face looks at the scene from there. */
import * as THREE from "three";
import { useEffect, useRef } from "preact/hooks";
import * as store from "../store";
import { lookFrom } from "../view/look";
import { current, splits } from "../view/stage";
import type { Vec3 } from "../protocol";

interface Face {
  name: string;
  /** Out of the cube, to the right and down on the face. */
  out: Vec3;
  right: Vec3;
  down: Vec3;
  azimuth: number;
  elevation: number;
}
const HALF = Math.PI / 2;
const FACES: Face[] = [
  { name: "Top", out: [0, 0, 1], right: [1, 0, 0], down: [0, -1, 0], azimuth: -HALF, elevation: HALF },
  { name: "Front", out: [0, -1, 0], right: [1, 0, 0], down: [0, 0, -1], azimuth: -HALF, elevation: 0 },
  { name: "Right", out: [1, 0, 0], right: [0, 1, 0], down: [0, 0, -1], azimuth: 0, elevation: 0 },
  { name: "Back", out: [0, 1, 0], right: [-1, 0, 0], down: [0, 0, -1], azimuth: HALF, elevation: 0 },
  { name: "Left", out: [-1, 0, 0], right: [0, -1, 0], down: [0, 0, -1], azimuth: Math.PI, elevation: 0 },
  { name: "Bottom", out: [0, 0, -1], right: [1, 0, 0], down: [0, 1, 0], azimuth: -HALF, elevation: -HALF },
];
/** Half an edge [rem]. */
const EDGE = 1.6;

/** Columns of a rotation and a shift as CSS writes them. */
function matrix3d([ax, ay, az]: Vec3, [bx, by, bz]: Vec3, [cx, cy, cz]: Vec3): string {
  return `matrix3d(${[ax, ay, az, 0, bx, by, bz, 0, cx, cy, cz, 0, 0, 0, 0, 1].map((v) => v.toFixed(5)).join(",")})`;
}

export function ViewCube() {
  const cube = useRef<HTMLDivElement>(null);
  const hidden = store.stereo.value !== "off" || splits() || !store.scene.value;
  useEffect(() => {
    if (hidden) return;
    let frame = 0;
    const last = new THREE.Quaternion(0, 0, 0, 0);
    const turn = () => {
      frame = requestAnimationFrame(turn);
      const eye = current.stage?.eye;
      if (!eye || !cube.current || eye.quaternion.equals(last)) return;
      last.copy(eye.quaternion);
      // axes of the world in the view: x right, y down and z toward the eye, as CSS has them
      const toView = eye.quaternion.clone().invert();
      const seen = (v: Vec3): Vec3 => {
        const p = new THREE.Vector3(...v).applyQuaternion(toView);
        return [p.x, -p.y, p.z];
      };
      cube.current.style.transform = matrix3d(seen([1, 0, 0]), seen([0, 1, 0]), seen([0, 0, 1]));
      // a face that is turned away can be neither seen nor reached
      FACES.forEach((face, i) => ((cube.current!.children[i] as HTMLElement).style.visibility = seen(face.out)[2] > 0.08 ? "visible" : "hidden"));
    };
    turn();
    return () => cancelAnimationFrame(frame);
  }, [hidden]);
  if (hidden) return null;
  return (
    <div class="viewcube" role="group" aria-label="View cube">
      <div ref={cube} class="viewcube-turn">
        {FACES.map((f) => (
          <button
            key={f.name}
            type="button"
            title={`Look from the ${f.name.toLowerCase()}`}
            style={{ transform: `${matrix3d(f.right, f.down, f.out)} translateZ(${EDGE}rem)` }}
            onClick={() => current.stage && lookFrom(current.stage, f.azimuth, f.elevation)}
          >
            {f.name}
          </button>
        ))}
      </div>
    </div>
  );
}
