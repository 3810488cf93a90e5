/** Grounds, soils and tools of the scene that are added with usual values. */
import type { Change, Table, Tree } from "../protocol";
import { addEntry } from "./edit";
import { namesIn } from "./make";
import { freeName } from "./numbers";

/** Level ground of topsoil, to be changed in its form and by the brush. */
export function newGround(tree: Tree | undefined): { name: string; changes: Change[] } {
  const value: Table = { size: [20, 20], spacing: "20 cm", soil: "topsoil" };
  const name = freeName("ground", [...namesIn(tree, "grounds"), ...namesIn(tree, "bodies")]);
  return { name, changes: [{ set: ["grounds", name], value }] };
}

export function addGround() {
  addEntry("grounds", newGround, "ground ");
}
