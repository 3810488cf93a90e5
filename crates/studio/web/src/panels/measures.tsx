/** Measures over the picture: lines and their values follow the bodies, once a picture; a click on the cross takes one away. */
import * as THREE from "three";
import { useEffect, useRef } from "preact/hooks";
import type { Vec3 } from "../protocol";
import * as store from "../store";
import { measures, placeOf, removeMeasure, told, type Measure } from "../build/marks";
import { current } from "../view/stage";
import { IconButton } from "./icons";

export function Measures() {
  const list = measures.value;
  const id = store.scene.value?.id;
  // those of another scene mean nothing here; a new name for the same is no other scene
  const text = useRef({ id, text: store.scene.value?.text });
  useEffect(() => {
    const scene = store.scene.value;
    if (text.current.id !== scene?.id && text.current.text !== scene?.text) measures.value = [];
    text.current = { id: scene?.id, text: scene?.text };
  }, [id, store.scene.value?.text]);
  if (list.length === 0) return null;
  return (
    <div class="measures" aria-label="Measures">
      {list.map((m) => <Shown key={m.id} measure={m} />)}
    </div>
  );
}

/** Where the marks of a measure are; null if a body is gone or a point is behind the eye. */
function placesOf(measure: Measure): { places: Vec3[]; screen: { x: number; y: number }[] } | null {
  const [stage, scene] = [current.stage, store.scene.value];
  if (!stage?.bodies || !scene) return null;
  const places = measure.marks.map((m) => placeOf(m, scene, stage.bodies!.poses));
  if (places.some((p) => p === null)) return null;
  const look = stage.eye.getWorldDirection(new THREE.Vector3());
  const vectors = (places as Vec3[]).map((p) => new THREE.Vector3(...p));
  if (vectors.some((v) => v.clone().sub(stage.eye.position).dot(look) <= 0)) return null;
  return { places: places as Vec3[], screen: vectors.map((v) => stage.onScreen(v)) };
}

function Shown({ measure }: { measure: Measure }) {
  const label = useRef<HTMLSpanElement>(null);
  const value = useRef<HTMLElement>(null);
  const drawing = useRef<SVGSVGElement>(null);
  useEffect(() => {
    let frame = 0;
    const turn = () => {
      frame = requestAnimationFrame(turn);
      const now = placesOf(measure);
      const [box, svg] = [label.current, drawing.current];
      if (!box || !svg) return;
      box.style.visibility = svg.style.visibility = now ? "visible" : "hidden";
      if (!now) return;
      const { screen } = now;
      svg.querySelectorAll("line").forEach((line, i) => {
        const [a, b] = [screen[i]!, screen[i + 1]!];
        for (const [key, v] of Object.entries({ x1: a.x, y1: a.y, x2: b.x, y2: b.y })) line.setAttribute(key, v.toFixed(1));
      });
      svg.querySelectorAll("circle").forEach((dot, i) => {
        dot.setAttribute("cx", screen[i]!.x.toFixed(1));
        dot.setAttribute("cy", screen[i]!.y.toFixed(1));
      });
      const at = measure.kind === "angle" ? screen[1]! : { x: (screen[0]!.x + screen[1]!.x) / 2, y: (screen[0]!.y + screen[1]!.y) / 2 };
      box.style.transform = `translate(${(at.x + 10).toFixed(0)}px, ${(at.y - 12).toFixed(0)}px)`;
      const words = told(measure.kind, now.places);
      if (value.current && value.current.textContent !== words.value) value.current.textContent = words.value;
      box.title = words.parts;
    };
    turn();
    return () => cancelAnimationFrame(frame);
  }, [measure.id]);
  return (
    <>
      <svg ref={drawing} aria-hidden="true">
        {measure.marks.slice(1).map((_, i) => <line key={i} />)}
        {measure.marks.map((_, i) => <circle key={i} r="3.5" />)}
      </svg>
      <span ref={label} class="measure" aria-label={measure.kind === "angle" ? "Angle" : "Distance"}>
        <b ref={value} />
        <IconButton icon="close" label="Remove the measure" onClick={() => removeMeasure(measure.id)} />
      </span>
    </>
  );
}
