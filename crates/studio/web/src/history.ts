/** What has been measured so far: a column of time and one of values for each quantity, for the plots. */
import { signal } from "@preact/signals";
import { STAGES, type Status, type SyncPoint } from "./protocol";

/** Longest column kept: a good half hour of 60 values a second, since all but the newest becomes coarser. */
const MOST = 30_000;
/** Time that is kept as it came [s], and least distance of the values before it [s]. */
const RECENT = 120;
const COARSE = 0.09;

/** Most runs that were left, and most events of a run. */
const MOST_RUNS = 8;
const MOST_EVENTS = 200;

export interface Column {
  times: number[];
  values: number[];
}

/** What was measured in a run that was left, by a reset, a branch or an edit. */
export interface Run {
  id: number;
  name: string;
  /** Where the run that followed it began: before, both are the same. */
  from: number;
  columns: Map<string, Column>;
  /** Its number among the branches of the server, if it has one. */
  branch: number | null;
}

/** An event of the present run. */
export interface RunEvent {
  time: number;
  kind: "fault" | "contact";
  name: string;
}

export class History {
  private columns = new Map<string, Column>();
  /** Counts changes, so that plots know when to draw. */
  readonly changes = signal(0);
  /** Counts changes of the names. */
  readonly renewed = signal(0);
  /** Runs that were left, the oldest first. */
  readonly earlier = signal<Run[]>([]);
  events: RunEvent[] = [];
  private count = 0;
  /** Newest times of samples and of statuses, which come by different ways. */
  private last = { sample: -Infinity, status: -Infinity };
  /** Branches that the last status told of. */
  private branches: Set<number> | null = null;
  /** The run that was left last, until a status tells its name. */
  private unnamed: Run | null = null;
  private touching = true;

  /** Adds values at a time. Time running backwards begins another run. A value that does not exist now is null and makes a gap. */
  add(time: number, values: Record<string, number | null>, from: "sample" | "status" = "sample") {
    if (time < this.last[from]) this.unnamed = this.leave(time, null);
    this.last[from] = time;
    for (const [name, value] of Object.entries(values)) {
      let column = this.columns.get(name);
      if (!column) {
        this.columns.set(name, (column = { times: [], values: [] }));
        this.renewed.value += 1;
      }
      const { times } = column;
      while (times.length > 0 && times[times.length - 1]! >= time) {
        times.pop();
        column.values.pop();
      }
      if (value === null) continue;
      times.push(time);
      column.values.push(value);
      if (times.length > MOST) thin(column);
    }
    this.changes.value += 1;
  }

  /** Keeps what was measured as an earlier run; the present one begins with what lies before a time. */
  private leave(time: number, branch: SyncPoint | null): Run | null {
    const run: Run = { id: ++this.count, name: branch?.name ?? `run ${this.count}`, from: time, columns: this.columns, branch: branch?.id ?? null };
    this.columns = new Map([...run.columns].map(([name, column]) => [name, before(column, time)]));
    this.events = this.events.filter((e) => e.time < time);
    this.last = { sample: time, status: time };
    if (endOf(run) <= time) return null;
    this.earlier.value = [...this.earlier.value, run].slice(-MOST_RUNS);
    return run;
  }

  /** Takes what each status carries; a past moment shown is no new measurement. */
  take(status: Status) {
    if (!status.live) return;
    this.followBranches(status);
    this.notice(status);
    const { kinetic, potential, elastic } = status.energy;
    const values: Record<string, number> = {
      "energy.kinetic": kinetic,
      "energy.potential": potential,
      "energy.elastic": elastic,
      "energy.total": kinetic + potential + elastic,
      "solver.headroom": status.headroom,
      "solver.contacts": status.contacts,
      "solver.islands": status.islands,
    };
    for (const stage of STAGES) values[`stage.${stage}`] = status.stages[stage] ?? 0;
    for (const [name, [wanted, actual]] of Object.entries(status.inputs)) {
      values[`input.${name}.wanted`] = wanted;
      values[`input.${name}`] = actual;
    }
    this.add(status.time, values, "status");
  }

  /** A new branch of the server is the run that was just left; one that has gone may be the run that goes on. */
  private followBranches(status: Status) {
    const points = status.points.filter((p) => p.kind === "branch");
    const fresh = this.branches && points.find((p) => !this.branches!.has(p.id));
    this.branches = new Set(points.map((p) => p.id));
    if (fresh) {
      const resumed = this.earlier.value.find((r) => r.branch !== null && !this.branches!.has(r.branch) && Math.abs(endOf(r) - status.time) < 0.5);
      // both parted where the one that goes on was left
      const left = this.unnamed ?? this.leave(resumed?.from ?? status.time, fresh);
      if (left && resumed) left.from = resumed.from;
      if (left) [left.name, left.branch] = [fresh.name, fresh.id];
      if (resumed) {
        this.columns = resumed.columns;
        this.renewed.value += 1;
        this.earlier.value = this.earlier.value.filter((r) => r !== resumed);
      } else this.earlier.value = [...this.earlier.value];
    }
    this.unnamed = null;
  }

  /** Notes faults, and contacts after a time without any. */
  private notice(status: Status) {
    const { fault } = status;
    if (fault && !this.events.some((e) => e.kind === "fault" && e.time === fault.time)) this.events.push({ time: fault.time, kind: "fault", name: fault.text });
    if (status.contacts > 0 && !this.touching) this.events.push({ time: status.time, kind: "contact", name: "contact" });
    this.touching = status.contacts > 0;
    if (this.events.length > MOST_EVENTS) this.events.shift();
  }

  names(): string[] {
    return [...this.columns.keys()].sort();
  }

  column(name: string): Column {
    return this.columns.get(name) ?? { times: [], values: [] };
  }

  clear() {
    this.columns.clear();
    this.earlier.value = [];
    this.events = [];
    this.last = { sample: -Infinity, status: -Infinity };
    this.branches = this.unnamed = null;
    this.touching = true;
    this.changes.value += 1;
    this.renewed.value += 1;
  }
}

export const history = new History();

/** Makes room in a column: what is older becomes coarser, and the oldest goes if that is not enough. */
function thin({ times, values }: Column) {
  const recent = times[times.length - 1]! - RECENT;
  let kept = 0;
  times.forEach((time, i) => {
    if (kept > 0 && time < recent && time - times[kept - 1]! < COARSE) return;
    times[kept] = time;
    values[kept] = values[i]!;
    kept += 1;
  });
  const over = Math.max(0, kept - 0.9 * MOST);
  for (const list of [times, values]) {
    list.length = kept;
    list.splice(0, over);
  }
}

/** Place of the first time that is not before one. */
function firstAt(times: number[], time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

function before({ times, values }: Column, time: number): Column {
  const end = firstAt(times, time);
  return { times: times.slice(0, end), values: values.slice(0, end) };
}

function endOf(run: Run): number {
  return Math.max(-Infinity, ...[...run.columns.values()].map((c) => c.times[c.times.length - 1] ?? -Infinity));
}

/** A quantity of a run that was left, from where it differs from the one that followed. */
export function columnOf(run: Run, name: string): Column {
  const { times, values } = run.columns.get(name) ?? { times: [], values: [] };
  const start = firstAt(times, run.from);
  if (start === times.length) return { times: [], values: [] };
  // one value more, so that the curve begins at the fork
  return { times: times.slice(Math.max(0, start - 1)), values: values.slice(Math.max(0, start - 1)) };
}

/** Fills a row between values that are at most some seconds apart, linearly; longer gaps stay. */
export function filled(times: number[], row: (number | null)[], within = 1): (number | null)[] {
  const out = [...row];
  let last = -1;
  row.forEach((value, i) => {
    if (value === null) return;
    const [from, to] = [times[last]!, times[i]!];
    if (last >= 0 && to - from <= within) {
      for (let k = last + 1; k < i; k++) out[k] = row[last]! + ((value - row[last]!) * (times[k]! - from)) / (to - from);
    }
    last = i;
  });
  return out;
}

/** Quantities on one common column of time, as plots and tables want it; null where one has no value. */
export function aligned(columns: Column[], since: number, until = Infinity): { times: number[]; values: (number | null)[][] } {
  const parts = columns.map((column) => {
    const [from, to] = [firstAt(column.times, since), firstAt(column.times, until)];
    // the last one may be at the very end
    const end = column.times[to] === until ? to + 1 : to;
    return { times: column.times.slice(from, end), values: column.values.slice(from, end) };
  });
  const times = [...new Set(parts.flatMap((part) => part.times))].sort((a, b) => a - b);
  const place = new Map(times.map((t, i) => [t, i]));
  const values = parts.map((part) => {
    const row: (number | null)[] = new Array(times.length).fill(null);
    part.times.forEach((t, i) => (row[place.get(t)!] = part.values[i]!));
    return row;
  });
  return { times, values };
}

/** A table with a head line, for spreadsheets. */
export function toCsv(names: string[], columns: Column[]): string {
  const { times, values } = aligned(columns, -Infinity);
  const rows = times.map((t, i) => [t, ...values.map((row) => row[i] ?? "")].join(","));
  return [["time", ...names].join(","), ...rows].join("\n") + "\n";
}
