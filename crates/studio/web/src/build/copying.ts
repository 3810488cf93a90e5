/** Bodies and the ways from them to their copies → an edit that adds the copies and selects them. */
import type * as THREE from "three";
import { editLater } from "./edit";
import { copiesBy, type Posed } from "./placing";

/** Adds copies of bodies, one for each way. `also` are selected with them. */
export function addCopies(label: string, bodies: Posed[], ways: THREE.Matrix4[], also: Posed[] = []) {
  editLater(({ tree }) => {
    const { names, changes } = copiesBy(tree, bodies, ways);
    return { label, changes, select: [...also.map((b) => b.name), ...names].map((name) => ({ section: "bodies", name })) };
  });
}
