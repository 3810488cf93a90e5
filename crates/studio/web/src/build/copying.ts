/** Bodies and the ways from them to their copies → an edit that adds the copies and selects them. */
import type * as THREE from "three";
import * as store from "../store";
import { copiesBy } from "./belongings";
import { editLater } from "./edit";
import type { Posed } from "./placing";

/** Adds copies of bodies, one for each way. `also` are selected with them. */
export function addCopies(label: string, bodies: Posed[], ways: THREE.Matrix4[], also: Posed[] = []) {
  editLater(({ tree }) => {
    const { names, changes, left } = copiesBy(tree, bodies, ways);
    if (left.length > 0) store.notify(`Not copied, since its place is an expression or it has frames: ${left.join(", ")}.`, "bad");
    return { label, changes, select: [...also.map((b) => b.name), ...names].map((name) => ({ section: "bodies", name })) };
  });
}
