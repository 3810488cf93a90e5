/** Entries that cannot be without others that are taken out: joints of a body, ropes of a winch, levers of a joint, probes of all. */
import type { Change, Json, Table, Tree } from "../protocol";
import { partsOf } from "../livestate";
import { BELONGING, references, SECTIONS } from "./keys";
import { entryOf, namesIn } from "./make";
import { withoutInput } from "./script";

/** Changes that take out bodies and everything that would be left without them. */
export function removal(tree: Tree | undefined, bodies: string[]): Change[] {
  return removalOf(tree, "bodies", bodies);
}

export function removalOf(tree: Tree | undefined, section: string, names: string[]): Change[] {
  const gone = new Map<string, Set<string>>();
  const isGone = (of: string, name: Json | undefined) => typeof name === "string" && !!gone.get(of)?.has(name);
  const take = (of: string, name: string) => {
    if (isGone(of, name)) return false;
    gone.set(of, (gone.get(of) ?? new Set()).add(name));
    return true;
  };
  names.forEach((name) => take(section, name));
  const lost = ({ is, name }: { is: keyof typeof SECTIONS; name: string }) => SECTIONS[is].some((of) => isGone(of, name));
  const noBody = (name: Json | undefined) => typeof name === "string" && lost({ is: "body", name });
  const isLost = (of: string, name: string) => {
    const entry = entryOf(tree, of, name) ?? {};
    const all = references(of, entry);
    // a lever goes with the last of its drives
    return of === "inputs" ? all.length > 0 && all.every(lost) : all.some(lost) || noGround(of, entry);
  };
  // without a name it is that of the only ground
  const noGround = (of: string, { ground }: Table) =>
    ["tools", "bins", "wheels"].includes(of) && (isGone("grounds", ground) || (ground === undefined && namesIn(tree, "grounds").length > 0 && namesIn(tree, "grounds").every((name) => isGone("grounds", name))));

  // what goes may take others along, so until nothing more goes
  for (let more = true; more; ) {
    more = false;
    for (const of of BELONGING) for (const name of namesIn(tree, of)) if (isLost(of, name)) more = take(of, name) || more;
  }
  for (const [name, path] of Object.entries((tree?.probes as Table | undefined) ?? {})) {
    const { section: of, name: who } = partsOf(String(path));
    if (isGone(of, who) || (of === "bodies" || of === "joints" ? isGone("winches", who) : false)) take("probes", name);
  }
  for (const name of namesIn(tree, "cameras")) if (noBody(entryOf(tree, "cameras", name)?.on)) take("cameras", name);

  const order = ["joints", "forces", "cables", "winches", "inputs", "probes", "cameras", "fluids", "tools", "bins", "wheels", "tracks", "grounds", "soils", "bodies"];
  const changes = order.flatMap((of) => [...(gone.get(of) ?? [])].map((name): Change => ({ remove: [of, name] })));
  return [...script(tree, [...(gone.get("inputs") ?? [])]), ...changes, ...dried(tree, gone), ...partial(tree, gone)];
}

/** Bodies and cables that stay without the keys of fluids, if all fluids go. */
function dried(tree: Tree | undefined, gone: Map<string, Set<string>>): Change[] {
  const fluids = namesIn(tree, "fluids");
  if (fluids.length === 0 || !fluids.every((name) => gone.get("fluids")?.has(name))) return [];
  return ["bodies", "cables"].flatMap((of) => namesIn(tree, of).filter((name) => !gone.get(of)?.has(name) && entryOf(tree, of, name)?.fluid !== undefined).map((name): Change => ({ remove: [of, name, "fluid"] })));
}

/** The script without inputs that go. */
function script(tree: Tree | undefined, inputs: string[]): Change[] {
  let now = tree;
  let changes: Change[] = [];
  for (const input of inputs) {
    const next = withoutInput(now, input);
    const [change] = next;
    if (!change) continue;
    changes = next;
    now = { ...now, script: "set" in change ? change.value : [] };
  }
  return changes;
}

/** Inputs that stay, without the drives that go. */
function partial(tree: Tree | undefined, gone: Map<string, Set<string>>): Change[] {
  return namesIn(tree, "inputs").flatMap((name): Change[] => {
    const drives = entryOf(tree, "inputs", name)?.drives;
    if (gone.get("inputs")?.has(name) || !Array.isArray(drives)) return [];
    const left = drives.filter((d) => {
      const joint = String((d as Table).joint);
      return !gone.get("joints")?.has(joint) && !gone.get("winches")?.has(joint) && !gone.get("cables")?.has(String((d as Table).cable));
    });
    return left.length === drives.length ? [] : [{ set: ["inputs", name, "drives"], value: left }];
  });
}
