import { useSignal } from "@preact/signals";
import * as store from "../store";
import { current } from "../view/stage";
import { entryOf, namesIn } from "../build/make";
import { LISTS } from "./entries";
import { Panel } from "./panel";
import { quantity } from "./units";

interface Row {
  kind: "body" | "joint" | "line" | "force" | store.Listed;
  id: number;
  name: string;
  note: string;
}

/** Most rows listed in a group; the search narrows the rest. */
const MOST = 300;

function isChosen(row: Row): boolean {
  const chosen = store.selected.value;
  if (chosen?.kind === "entry") return chosen.section === row.kind && chosen.name === row.name;
  if (chosen?.kind !== row.kind) return false;
  return "name" in chosen ? chosen.name === row.name : "id" in chosen && chosen.id === row.id;
}

/** Bodies, joints, cables and forces; a click selects and frames. */
export function TreePanel() {
  const search = useSignal("");
  const scene = store.scene.value;
  const groups: [string, Row[]][] = scene
    ? [
        ["Bodies", scene.bodies.map((b) => ({ kind: "body", id: b.id, name: b.name, note: b.kind === "dynamic" ? quantity(b.mass, "kg") : b.kind }))],
        ["Cables", scene.lines.map((l) => ({ kind: "line", id: l.id, name: l.name, note: `⌀ ${quantity(2 * l.radius, "m")}` }))],
        ["Joints", scene.joints.map((j) => ({ kind: "joint", id: j.id, name: j.name, note: j.kind }))],
        ["Forces", namesIn(scene.tree, "forces").map((name, id) => ({ kind: "force", id, name, note: Object.keys(entryOf(scene.tree, "forces", name) ?? {})[0] ?? "" }))],
        ...LISTS.map(([kind, title]): [string, Row[]] => [title, namesIn(scene.tree, kind).map((name, id) => ({ kind, id, name, note: "" }))]),
      ]
    : [];
  const word = search.value.toLowerCase();
  const pick = (row: Row) => {
    store.fellows.value = [];
    const { kind, id, name } = row;
    if (kind !== "body" && kind !== "joint" && kind !== "line" && kind !== "force") return void (store.selected.value = { kind: "entry", section: kind, name });
    store.selected.value = kind === "force" ? { kind, name } : { kind, id };
    current.stage?.frameSelection();
  };
  return (
    <Panel title="In this scene" side="left" onClose={() => (store.leftPanel.value = null)}>
      <input class="search" type="search" placeholder="Search by name" aria-label="Search by name" value={search.value} onInput={(e) => (search.value = e.currentTarget.value)} />
      {groups.map(([title, rows]) => {
        const found = rows.filter((r) => r.name.toLowerCase().includes(word));
        if (rows.length === 0) return null;
        return (
          <details key={title} open>
            <summary>
              {title} <small>{rows.length}</small>
            </summary>
            <ul class="rows">
              {found.slice(0, MOST).map((row) => (
                <li key={row.id}>
                  <button type="button" aria-pressed={isChosen(row)} onClick={() => pick(row)}>
                    <span>{row.name}</span>
                    <small>{row.note}</small>
                  </button>
                </li>
              ))}
            </ul>
            {found.length > MOST && <p class="empty">and {found.length - MOST} more: search by name</p>}
          </details>
        );
      })}
      {!scene && <p class="empty">No scene is open.</p>}
    </Panel>
  );
}
