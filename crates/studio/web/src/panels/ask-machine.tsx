/** Questions of tools for machines: which quantity to log, how many copies along a path. */
import { useSignal } from "@preact/signals";
import * as store from "../store";
import { take } from "../build/tools";
import { addProbe, furtherQuantities, probed } from "../build/watch-tools";
import { Box } from "./box";
import { CountField, isCount, MOST_COPIES } from "./count";

/** Most quantities listed at once; the search narrows the rest. */
const MOST = 60;

export function AskProbe() {
  const search = useSignal("");
  const chosen = useSignal<string | null>(null);
  const word = search.value.toLowerCase();
  const all = [...new Set(probed.value.flatMap((prefix) => [...store.probeNames.value.filter((name) => name.startsWith(prefix)), ...furtherQuantities(store.scene.value?.tree, prefix)]))];
  const found = all.filter((name) => name.toLowerCase().includes(word));
  const done = () => {
    if (!chosen.value) return store.notify("Choose a quantity.", "bad");
    addProbe(chosen.value);
    store.asking.value = null;
  };
  return (
    <Box title="Probe" action="Add" onDone={done}>
      <label>
        Quantity
        <input type="search" placeholder="Search" aria-label="Search quantities" value={search.value} onInput={(e) => (search.value = e.currentTarget.value)} />
      </label>
      <div class="choices" role="listbox" aria-label="Quantities">
        {found.slice(0, MOST).map((name) => (
          <button key={name} type="button" role="option" aria-selected={chosen.value === name} onClick={() => (chosen.value = name)} onDblClick={done}>
            {name}
          </button>
        ))}
        {found.length > MOST && <p class="dim">and {found.length - MOST} more: search</p>}
        {found.length === 0 && <p class="dim">{all.length === 0 ? "No quantity of it is known." : "None matches."}</p>}
      </div>
      <p class="dim">Probes are logged by runs, and shown in the plots.</p>
    </Box>
  );
}

export function AskAlong() {
  const count = useSignal(5);
  const turn = useSignal(true);
  const done = () => {
    const n = Math.round(count.value);
    if (!isCount(n)) return store.notify(`Enter 2 to ${MOST_COPIES} copies.`, "bad");
    store.asking.value = null;
    take({ kind: "along", count: n, turn: turn.value });
  };
  return (
    <Box title="Copies along a path" action="Draw the path" onDone={done}>
      <CountField count={count} />
      <label class="inline">
        <input type="checkbox" checked={turn.value} onChange={(e) => (turn.value = e.currentTarget.checked)} /> Turn them with the path
      </label>
      <p class="dim">Then click the points of the path: the first stands for the place of the selection. A double click ends it.</p>
    </Box>
  );
}
