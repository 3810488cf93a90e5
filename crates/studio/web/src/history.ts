/** What has been measured so far: a column of time and one of values for each quantity, for the plots. */
import { signal } from "@preact/signals";
import { STAGES, type Status } from "./protocol";

/** Longest column kept; at 10 values a second a good half hour. */
const MOST = 20_000;

export interface Column {
  times: number[];
  values: number[];
}

export class History {
  private columns = new Map<string, Column>();
  /** Counts changes, so that plots know when to draw. */
  readonly changes = signal(0);

  /** Adds values at a time. Time running backwards (reset, branch) drops what lay after it. */
  add(time: number, values: Record<string, number>) {
    for (const [name, value] of Object.entries(values)) {
      let column = this.columns.get(name);
      if (!column) this.columns.set(name, (column = { times: [], values: [] }));
      const { times } = column;
      while (times.length > 0 && times[times.length - 1]! >= time) {
        times.pop();
        column.values.pop();
      }
      times.push(time);
      column.values.push(value);
      if (times.length > MOST) {
        times.splice(0, MOST / 10);
        column.values.splice(0, MOST / 10);
      }
    }
    this.changes.value += 1;
  }

  /** Takes what each status carries; a past moment shown is no new measurement. */
  take(status: Status) {
    if (!status.live) return;
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
    this.add(status.time, values);
  }

  names(): string[] {
    return [...this.columns.keys()].sort();
  }

  column(name: string): Column {
    return this.columns.get(name) ?? { times: [], values: [] };
  }

  clear() {
    this.columns.clear();
    this.changes.value += 1;
  }
}

export const history = new History();

/** Quantities on one common column of time, as plots and tables want it; null where one has no value. */
export function aligned(columns: Column[], since: number): { times: number[]; values: (number | null)[][] } {
  const all = new Set<number>();
  for (const column of columns) for (const t of column.times) if (t >= since) all.add(t);
  const times = [...all].sort((a, b) => a - b);
  const place = new Map(times.map((t, i) => [t, i]));
  const values = columns.map((column) => {
    const row: (number | null)[] = new Array(times.length).fill(null);
    column.times.forEach((t, i) => {
      const at = place.get(t);
      if (at !== undefined) row[at] = column.values[i]!;
    });
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
