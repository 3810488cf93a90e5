import { useSignal } from "@preact/signals";
import * as store from "../store";
import { current } from "../view/stage";
import { mass } from "../view/pointer";
import { Panel } from "./panel";

interface Row {
  kind: "body" | "joint" | "line";
  id: number;
  name: string;
  note: string;
}

/** Most rows listed in a group; the search narrows the rest. */
const MOST = 300;

/** Bodies, joints and cables; a click selects and frames. */
export function TreePanel() {
  const search = useSignal("");
  const scene = store.scene.value;
  const groups: [string, Row[]][] = scene
    ? [
        ["Bodies", scene.bodies.map((b) => ({ kind: "body", id: b.id, name: b.name, note: b.kind === "free" ? mass(b.mass) : b.kind }))],
        ["Cables", scene.lines.map((l) => ({ kind: "line", id: l.id, name: l.name, note: `⌀ ${Number((2000 * l.radius).toPrecision(3))} mm` }))],
        ["Joints", scene.joints.map((j) => ({ kind: "joint", id: j.id, name: j.name, note: j.kind }))],
      ]
    : [];
  const word = search.value.toLowerCase();
  const pick = (row: Row) => {
    store.selected.value = { kind: row.kind, id: row.id };
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
                  <button type="button" aria-pressed={store.selected.value?.kind === row.kind && store.selected.value.id === row.id} onClick={() => pick(row)}>
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
