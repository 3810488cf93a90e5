/** Fluids of the scene: water with a surface, and air with wind. */
import type { Change, Table, Tree } from "../protocol";
import { namesIn } from "./make";
import { freeName } from "./numbers";
import { addEntry } from "./edit";

export type FluidKind = "water" | "wind";

/** A fluid with usual values, to be changed in its form. */
export function newFluid(tree: Tree | undefined, kind: FluidKind): { name: string; changes: Change[] } {
  const value: Table = kind === "water" ? { material: "water", surface: 0 } : { material: "air", wind: { speed: "10 m/s", profile: "power" } };
  const name = freeName(kind === "water" ? "water" : "air", namesIn(tree, "fluids"));
  return { name, changes: [{ set: ["fluids", name], value }] };
}

export function addFluid(kind: FluidKind) {
  addEntry("fluids", (tree) => newFluid(tree, kind), "fluid ");
}
