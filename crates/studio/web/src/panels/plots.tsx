/** The plots, at the right or below the picture: what is plotted, of which runs, and over which time. */
import { useSignal } from "@preact/signals";
import { history } from "../history";
import { add, dock, energies, hiddenRuns, open, place, plots, seconds, showRun, stages } from "../plots";
import * as store from "../store";
import { Chart } from "./chart";
import { Grip, remembersSize } from "./grip";
import { IconButton } from "./icons";
import { Panel } from "./panel";

export function PlotsPanel() {
  return (
    <Panel title="Plots" side="right" wide size="plots" onClose={() => open(false)} tools={<Tools />}>
      <Adder />
      <Runs />
      {plots.value.map((plot) => (
        <Chart key={plot.id} plot={plot} />
      ))}
      <Suggestions />
    </Panel>
  );
}

/** The same below the picture, its plots side by side. */
export function PlotsDock() {
  const height = remembersSize("dock");
  return (
    <section class="dock" aria-label="Plots" style={height.value ? { "--size": `${height.value}px` } : {}}>
      <Grip edge="top" size={height} label="Height of the plots" />
      <div class="dock-side">
        <header>
          <h2>Plots</h2>
          <Tools />
          <IconButton icon="close" label="Close plots" onClick={() => open(false)} />
        </header>
        <Adder />
        <Runs />
        <Suggestions />
      </div>
      <div class="dock-charts">
        {plots.value.map((plot) => (
          <Chart key={plot.id} plot={plot} tall />
        ))}
        {plots.value.length === 0 && <p class="empty">Choose a quantity, or click one in the inspector.</p>}
      </div>
    </section>
  );
}

function Tools() {
  const below = place.value === "bottom";
  return (
    <>
      <select aria-label="Time shown in plots" value={String(seconds.value)} onChange={(e) => (seconds.value = Number(e.currentTarget.value))}>
        <option value="10">10 s</option>
        <option value="30">30 s</option>
        <option value="120">2 min</option>
        <option value="Infinity">All</option>
      </select>
      <IconButton icon={below ? "dockRight" : "dockBottom"} label={below ? "Plots at the right" : "Plots below the picture"} onClick={() => dock(below ? "right" : "bottom")} />
    </>
  );
}

/** Whether a field was filled by a choice from its list: a name that is typed may be the beginning of another. */
function isChosen(event: { inputType?: string }): boolean {
  return event.inputType === undefined || event.inputType === "insertReplacementText";
}

/** Adds a quantity, to a new plot or to one that is there. */
function Adder() {
  const choice = useSignal("");
  const target = useSignal("");
  void history.renewed.value;
  const names = [...new Set([...store.probeNames.value, ...history.names()])].sort();
  const take = (name: string) => {
    if (!names.includes(name)) return;
    add([name], target.value ? Number(target.value) : null);
    choice.value = "";
  };
  return (
    <form
      class="add-plot"
      onSubmit={(e) => {
        e.preventDefault();
        take(choice.value);
      }}
    >
      <input
        list="quantities"
        placeholder="Plot a quantity: type to search"
        aria-label="Quantity to plot"
        value={choice.value}
        onInput={(e) => {
          choice.value = e.currentTarget.value;
          if (isChosen(e)) take(choice.value);
        }}
      />
      <select aria-label="Where to plot it" value={target.value} onChange={(e) => (target.value = e.currentTarget.value)}>
        <option value="">New plot</option>
        {plots.value.map((plot) => (
          <option key={plot.id} value={String(plot.id)}>
            In “{plot.title}”
          </option>
        ))}
      </select>
      <datalist id="quantities">
        {names.slice(0, 2000).map((n) => (
          <option key={n} value={n} />
        ))}
      </datalist>
    </form>
  );
}

/** Earlier runs since the scene was opened: shown or not. */
function Runs() {
  const runs = history.earlier.value;
  if (runs.length === 0) return null;
  return (
    <fieldset class="runs">
      <legend>Earlier runs</legend>
      {runs.map((run) => (
        <label key={run.id}>
          <input type="checkbox" checked={!hiddenRuns.value.has(run.id)} onChange={(e) => showRun(run.id, e.currentTarget.checked)} />
          {run.name}
        </label>
      ))}
    </fieldset>
  );
}

function Suggestions() {
  return (
    <div class="plot-suggestions">
      {[energies, stages]
        .filter((p) => !plots.value.some((other) => other.id === p.id))
        .map((p) => (
          <button key={p.id} type="button" onClick={() => (plots.value = [...plots.value, p])}>
            + {p.title}
          </button>
        ))}
    </div>
  );
}
