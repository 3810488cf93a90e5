/**
 * One plot: quantities over time, each unit with an axis of its own, earlier runs dashed in the same colours, and events as vertical
 * lines. Drag to zoom, double click to follow again. The cursor is common to all plots.
 */
import { effect, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { download } from "../download";
import { aligned, columnOf, filled, history, toCsv, type Column, type Run } from "../history";
import { unitOf } from "../measured";
import { remove, seconds, shownRuns, type Plot } from "../plots";
import * as store from "../store";
import { IconButton } from "./icons";
import { unitFor, unitSystem, type Unit } from "./units";

/** Least time between two drawings [ms]. */
const PAUSE = 100;
const DASHES = [[6, 4], [2, 3], [9, 3, 2, 3], [4, 2], [1, 4], [12, 4], [3, 6], [7, 2, 2, 2]];
const SYNC = uPlot.sync("time");

/** A curve: a quantity of a run. */
interface Curve {
  name: string;
  label: string;
  run: Run | null;
  color: string;
  dash: number[];
  /** Unit as the server tells it. */
  unit: string;
}

function curvesOf(plot: Plot, runs: Run[]): Curve[] {
  const short = (name: string) => (plot.names.length > 1 ? name.split(".").slice(plot.names.every((n) => n.split(".")[1] === name.split(".")[1]) ? 2 : 1).join(".") || name : name);
  const indeterminate = new Set(store.indeterminate.value.split("\n"));
  const own = (name: string) => short(name) + (indeterminate.has(name) ? " (indeterminate)" : "");
  return [null, ...runs].flatMap((run, r) =>
    plot.names.map((name, i) => ({ name, label: run ? `${short(name)} · ${run.name}` : own(name), run, color: `--series-${(i % 6) + 1}`, dash: run ? DASHES[(r - 1) % DASHES.length]! : [], unit: unitOf(name) })),
  );
}

const columnsOf = (curves: Curve[]): Column[] => curves.map(({ run, name }) => (run ? columnOf(run, name) : history.column(name)));

/** The time that is shown: the last seconds of the run, and as much of earlier ones. */
function windowOf(curves: Curve[], columns: Column[]): [number, number] {
  const own = columns.filter((_, i) => !curves[i]!.run);
  const last = Math.max(...own.map((c) => c.times[c.times.length - 1] ?? 0));
  const first = Math.min(...columns.map((c) => c.times[0] ?? Infinity));
  const since = Math.max(Number.isFinite(first) ? first : 0, last - seconds.value);
  return [since, since + seconds.value];
}

/** Fitting units of the quantities, by their SI unit. */
function unitsOf(curves: Curve[], columns: Column[]): Map<string, Unit> {
  const sizes = new Map<string, number>();
  curves.forEach(({ unit }, i) => {
    const largest = columns[i]!.values.slice(-2000).reduce((a, v) => Math.max(a, Math.abs(v)), 0);
    sizes.set(unit, Math.max(sizes.get(unit) ?? 0, largest));
  });
  return new Map([...sizes].map(([unit, size]) => [unit, unitFor(unit, size)]));
}

export function Chart({ plot, tall }: { plot: Plot; tall?: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | null>(null);
  /** Counts the times that other units fitted better. */
  const refits = useSignal(0);
  const curves = curvesOf(plot, shownRuns());
  const key = `${curves.map((c) => `${c.label}/${c.unit}`).join()}|${store.theme.value}|${unitSystem.value}|${refits.value}`;
  useEffect(() => {
    const made = draw(box.current!, curves, !!tall, () => (refits.value += 1));
    chart.current = made.chart;
    return made.stop;
  }, [plot.id, key, tall]);

  const csv = () => download(new Blob([toCsv(curves.map((c) => (c.run ? `${c.name} (${c.run.name})` : c.name)), columnsOf(curves))], { type: "text/csv" }), `${plot.title}.csv`);
  const png = () => chart.current?.ctx.canvas.toBlob((blob) => blob && download(blob, `${plot.title}.png`));
  return (
    <figure class="chart" data-plot={plot.title}>
      <figcaption>
        <span title={plot.title}>{plot.title}</span>
        <button type="button" onClick={csv} title="Save the data">
          CSV
        </button>
        <button type="button" onClick={png} title="Save the figure">
          PNG
        </button>
        <IconButton icon="close" label={`Remove plot ${plot.title}`} onClick={() => remove(plot.id)} />
      </figcaption>
      <div ref={box} class="chart-box" />
    </figure>
  );
}

function css(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Makes the plot and keeps it up to date; `refit` is called when other units fit better. */
function draw(host: HTMLElement, curves: Curve[], tall: boolean, refit: () => void): { chart: uPlot; stop: () => void } {
  const units = unitsOf(curves, columnsOf(curves));
  const told = (u: Map<string, Unit>) => [...u.values()].map((unit) => unit.name).join();
  const chart = new uPlot(options(host, curves, units, tall), [[], ...curves.map(() => [])], host);
  let zoom: [number, number] | null = null;
  chart.hooks.setSelect = [
    (u) => {
      if (u.select.width > 0) zoom = [u.posToVal(u.select.left, "x"), u.posToVal(u.select.left + u.select.width, "x")];
    },
  ];
  const refresh = () => {
    const columns = columnsOf(curves);
    const fitting = unitsOf(curves, columns);
    if (!zoom && told(fitting) !== told(units)) return refit();
    const [since, until] = zoom ?? windowOf(curves, columns);
    const { times, values } = aligned(columns, since, until);
    const scaled = values.map((row, i) => filled(times, row).map((v) => (v === null ? null : v / units.get(curves[i]!.unit)!.size)));
    chart.setData([times, ...scaled], !zoom);
    if (zoom) chart.redraw();
  };
  chart.over.addEventListener("dblclick", () => {
    zoom = null;
    refresh();
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = effect(() => {
    void [history.changes.value, seconds.value];
    timer ??= setTimeout(() => {
      timer = undefined;
      refresh();
    }, PAUSE);
  });
  refresh();
  const watch = new ResizeObserver(() => chart.setSize(sizeOf(host, tall)));
  watch.observe(host);
  return {
    chart,
    stop: () => {
      stop();
      clearTimeout(timer);
      watch.disconnect();
      chart.destroy();
    },
  };
}

const rem = () => parseFloat(getComputedStyle(document.documentElement).fontSize);

/** A plot at the side has a height of its own, one below the picture fills what the panel has beside the legend. */
function sizeOf(host: HTMLElement, tall: boolean): { width: number; height: number } {
  const legend = host.querySelector<HTMLElement>(".u-legend")?.offsetHeight ?? 2 * rem();
  return { width: Math.max(100, host.clientWidth), height: tall ? Math.max(6 * rem(), host.clientHeight - legend) : 12 * rem() };
}

function options(host: HTMLElement, curves: Curve[], units: Map<string, Unit>, tall: boolean): uPlot.Options {
  const font = `${0.82 * rem()}px system-ui, sans-serif`;
  const axis = { stroke: css("--ink-dim"), font, grid: { stroke: css("--line"), width: 1 }, ticks: { stroke: css("--line"), width: 1 } };
  const scaleOf = (unit: string) => `of ${unit}`;
  const axes = [...units].map(([unit, { name }], i): uPlot.Axis => ({
    ...axis,
    scale: scaleOf(unit),
    side: i % 2 === 0 ? 3 : 1,
    grid: { ...axis.grid, show: i === 0 },
    size: 3.8 * rem(),
    label: name,
    labelFont: font,
    labelSize: name ? 1.3 * rem() : 0,
    labelGap: 0,
    values: (_, ticks) => ticks.map(short),
  }));
  return {
    ...sizeOf(host, tall),
    legend: { live: true },
    cursor: { drag: { x: true, y: false }, sync: { key: SYNC.key, setSeries: false } },
    scales: { x: { time: false } },
    axes: [{ ...axis, size: 2.2 * rem(), values: (_, ticks) => ticks.map((t) => `${Number(t.toPrecision(6))} s`) }, ...axes],
    series: [
      { label: "Time", value: (_, v) => (v === null ? "–" : `${v.toFixed(2)} s`) },
      ...curves.map((curve): uPlot.Series => ({
        label: curve.label,
        scale: scaleOf(curve.unit),
        stroke: css(curve.color),
        width: curve.run ? 1.2 : 1.6,
        dash: curve.dash,
        points: { show: false },
        value: (_, v: number | null) => (v === null ? "–" : `${short(v)} ${units.get(curve.unit)!.name}`.trim()),
      })),
    ],
    hooks: { draw: [drawEvents], setScale: [(u, key) => key === "x" && Object.assign(host.dataset, { from: u.scales.x?.min, to: u.scales.x?.max })] },
  };
}

/** Sync points, faults and contacts as vertical lines; those with a name have it at the top. */
function drawEvents(u: uPlot) {
  const { ctx, bbox } = u;
  const marks = (store.status.value?.points ?? []).filter((p) => p.kind !== "branch").map((p) => ({ time: p.time, kind: "mark" as const, name: p.name }));
  const [low, high] = [u.scales.x?.min ?? 0, u.scales.x?.max ?? 0];
  const colors = { mark: css("--accent"), fault: css("--bad"), contact: css("--ink-dim") };
  ctx.save();
  ctx.font = `${0.75 * rem() * devicePixelRatio}px system-ui, sans-serif`;
  for (const { time, kind, name } of [...marks, ...history.events]) {
    if (time < low || time > high) continue;
    const x = Math.round(u.valToPos(time, "x", true));
    ctx.strokeStyle = ctx.fillStyle = colors[kind];
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash(kind === "contact" ? [2, 4] : [5, 3]);
    ctx.beginPath();
    ctx.moveTo(x, kind === "contact" ? bbox.top + 0.85 * bbox.height : bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    if (kind !== "contact") ctx.fillText(kind === "fault" ? "Fault" : name.slice(0, 18), x + 3, bbox.top + 0.8 * rem() * devicePixelRatio);
  }
  ctx.restore();
}

/** A number with four digits at most, for axes. */
function short(v: number): string {
  const size = Math.abs(v);
  if (size < 1e-12) return "0";
  if (size >= 1e6 || size < 1e-4) return v.toExponential(2).replace("-", "−");
  return String(Number(v.toPrecision(4))).replace("-", "−");
}
