/** Live plots: each shows some quantities over time; drag to zoom, double click to follow again, export as PNG or CSV. */
import { effect, signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import * as store from "../store";
import { askProbes } from "../link";
import { aligned, history, toCsv } from "../history";
import { save } from "../share";
import { STAGES } from "../protocol";
import { IconButton } from "./icons";
import { Panel } from "./panel";

interface Plot {
  id: number;
  title: string;
  names: string[];
}

let plotCount = 0;
const energies: Plot = { id: ++plotCount, title: "Energy [J]", names: ["energy.kinetic", "energy.potential", "energy.elastic", "energy.total"] };
const stages: Plot = { id: ++plotCount, title: "Stages of a step [µs]", names: STAGES.map((s) => `stage.${s}`) };
export const plots = signal<Plot[]>([energies]);
const seconds = signal(30);

// the server samples exactly the probes that are plotted
effect(() => {
  const known = new Set(store.probeNames.value);
  if (known.size > 0) askProbes(new Set(plots.value.flatMap((p) => p.names).filter((n) => known.has(n))));
});

export function PlotsPanel() {
  const choice = useSignal("");
  void history.changes.value;
  const names = [...new Set([...store.probeNames.value, ...history.names()])].sort();
  const add = (name: string) => {
    if (!names.includes(name)) return;
    plots.value = [...plots.value, { id: ++plotCount, title: name, names: [name] }];
    choice.value = "";
  };
  return (
    <Panel
      title="Plots"
      side="right"
      wide
      onClose={() => (store.rightPanel.value = null)}
      tools={
        <select aria-label="Time shown in plots" value={String(seconds.value)} onChange={(e) => (seconds.value = Number(e.currentTarget.value))}>
          <option value="10">10 s</option>
          <option value="30">30 s</option>
          <option value="120">2 min</option>
          <option value="Infinity">All</option>
        </select>
      }
    >
      <form
        class="add-plot"
        onSubmit={(e) => {
          e.preventDefault();
          add(choice.value);
        }}
      >
        <input
          list="quantities"
          placeholder="Plot a quantity: type to search"
          aria-label="Quantity to plot"
          value={choice.value}
          onInput={(e) => {
            choice.value = e.currentTarget.value;
            add(choice.value);
          }}
        />
        <datalist id="quantities">
          {names.slice(0, 2000).map((n) => (
            <option key={n} value={n} />
          ))}
        </datalist>
      </form>
      {plots.value.map((plot) => (
        <Chart key={plot.id} plot={plot} />
      ))}
      <div class="plot-suggestions">
        {[energies, stages]
          .filter((p) => !plots.value.includes(p))
          .map((p) => (
            <button key={p.id} type="button" onClick={() => (plots.value = [...plots.value, p])}>
              + {p.title}
            </button>
          ))}
      </div>
    </Panel>
  );
}

function css(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function Chart({ plot }: { plot: Plot }) {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | null>(null);
  const theme = store.theme.value;

  useEffect(() => {
    const host = box.current!;
    let zoomed = false;
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const font = `${0.82 * rem}px system-ui, sans-serif`;
    const axis = { stroke: css("--ink-dim"), font, grid: { stroke: css("--line"), width: 1 }, ticks: { stroke: css("--line"), width: 1 } };
    const made = new uPlot(
      {
        width: host.clientWidth,
        height: 12 * rem,
        legend: { live: true },
        cursor: { drag: { x: true, y: false } },
        scales: { x: { time: false } },
        axes: [
          { ...axis, values: (_, ticks) => ticks.map((t) => `${t} s`) },
          { ...axis, size: 4.4 * rem, values: (_, ticks) => ticks.map(short) },
        ],
        series: [
          { label: "Time", value: (_, v) => (v === null ? "–" : `${v.toFixed(2)} s`) },
          ...plot.names.map((name, i) => ({
            label: plot.names.length > 1 ? (name.split(".").pop() ?? name) : name,
            stroke: css(`--series-${(i % 6) + 1}`),
            width: 1.6,
            points: { show: false },
            spanGaps: true,
            value: (_: uPlot, v: number | null) => (v === null ? "–" : short(v)),
          })),
        ],
        hooks: {
          setSelect: [(u) => (zoomed = u.select.width > 0)],
        },
      },
      [[], ...plot.names.map(() => [])],
      host,
    );
    made.over.addEventListener("dblclick", () => (zoomed = false));
    chart.current = made;
    const stop = effect(() => {
      void history.changes.value;
      if (zoomed) return;
      const columns = plot.names.map((n) => history.column(n));
      const last = Math.max(...columns.map((c) => c.times[c.times.length - 1] ?? 0));
      const { times, values } = aligned(columns, last - seconds.value);
      made.setData([times, ...values]);
    });
    const watch = new ResizeObserver(() => made.setSize({ width: host.clientWidth, height: 12 * rem }));
    watch.observe(host);
    return () => {
      stop();
      watch.disconnect();
      made.destroy();
    };
  }, [plot.id, theme]);

  const csv = () => save(new Blob([toCsv(plot.names, plot.names.map((n) => history.column(n)))], { type: "text/csv" }), `${plot.title}.csv`);
  const png = () => chart.current?.ctx.canvas.toBlob((blob) => blob && save(blob, `${plot.title}.png`));
  return (
    <figure class="chart">
      <figcaption>
        <span>{plot.title}</span>
        <button type="button" onClick={csv} title="Save the data">
          CSV
        </button>
        <button type="button" onClick={png} title="Save the figure">
          PNG
        </button>
        <IconButton icon="close" label={`Remove plot ${plot.title}`} onClick={() => (plots.value = plots.value.filter((p) => p.id !== plot.id))} />
      </figcaption>
      <div ref={box} class="chart-box" />
    </figure>
  );
}

/** A number with four digits at most, for axes. */
function short(v: number): string {
  if (v === 0) return "0";
  const size = Math.abs(v);
  if (size >= 1e9) return `${Number((v / 1e9).toPrecision(4))} G`;
  if (size >= 1e6) return `${Number((v / 1e6).toPrecision(4))} M`;
  if (size >= 1e4) return `${Number((v / 1e3).toPrecision(4))} k`;
  return String(Number(v.toPrecision(4)));
}
