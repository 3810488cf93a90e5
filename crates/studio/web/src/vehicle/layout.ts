/**
 * The graph of a drive train from left to right: components as boxes, shafts as lines from what drives them to what they drive.
 *
 * A box stands one column after the last of those that drive it; wheels are at the right. Rows are those of the wheels: front before
 * rear, left before right. A component is at the mean of what it drives, and boxes of a column are at least a row apart. A brake on
 * the shaft of a wheel is part of the box of the wheel.
 */
import type { Vehicle, VehicleState } from "./protocol";

export interface Box {
  /** Number of its component, or of its wheel. */
  component: number | null;
  wheel: number | null;
  /** Brakes of a wheel, by the numbers of their components. */
  brakes: number[];
  column: number;
  row: number;
}

/** The end of a line at a box; of a wheel the port is 0. */
export interface End {
  box: number;
  port: number;
}

export interface Link {
  shaft: number;
  from: End;
  to: End;
  /** Whether the power is that of the end it comes from: several components drive the shaft, or it drives a wheel. */
  ofSource: boolean;
}

export interface Train {
  boxes: Box[];
  links: Link[];
  columns: number;
  rows: number;
}

export function layoutTrain(vehicle: Vehicle): Train {
  const boxes = boxesOf(vehicle);
  const links = linksOf(vehicle, boxes);
  setColumns(boxes, links);
  setRows(vehicle, boxes, links);
  const columns = 1 + Math.max(0, ...boxes.map((b) => b.column));
  const rows = 1 + Math.max(0, ...boxes.map((b) => b.row));
  return { boxes, links, columns, rows };
}

function boxesOf(vehicle: Vehicle): Box[] {
  const wheelOf = (shaft: number) => vehicle.wheels.findIndex((w) => w.shaft === shaft);
  const brakes = vehicle.components.flatMap((c, component) => (c.kind === "brake" && wheelOf(c.shafts[0]!) >= 0 ? [{ component, wheel: wheelOf(c.shafts[0]!) }] : []));
  const isPart = (component: number) => brakes.some((b) => b.component === component);
  const place = { column: 0, row: 0 };
  const components = vehicle.components.map((_, component): Box => ({ component, wheel: null, brakes: [], ...place }));
  const wheels = vehicle.wheels.map((_, wheel): Box => ({ component: null, wheel, brakes: brakes.filter((b) => b.wheel === wheel).map((b) => b.component), ...place }));
  return [...components.filter((b) => !isPart(b.component!)), ...wheels];
}

function linksOf(vehicle: Vehicle, boxes: Box[]): Link[] {
  return vehicle.shafts.flatMap((_, shaft) => {
    const sources: End[] = [];
    const sinks: End[] = [];
    boxes.forEach((b, box) => {
      if (b.wheel !== null) {
        if (vehicle.wheels[b.wheel]!.shaft === shaft) sinks.push({ box, port: 0 });
        return;
      }
      const { shafts, inputs } = vehicle.components[b.component!]!;
      shafts.forEach((s, port) => s === shaft && (port < inputs ? sinks : sources).push({ box, port }));
    });
    // without one that drives or one that is driven, the first is linked with the others
    if (sources.length === 0) sources.push(...sinks.splice(0, 1));
    else if (sinks.length === 0) sinks.push(...sources.splice(1));
    const several = sources.length > 1;
    return sources.flatMap((from) => sinks.map((to): Link => ({ shaft, from, to, ofSource: several || boxes[to.box]!.wheel !== null })));
  });
}

function setColumns(boxes: Box[], links: Link[]) {
  const known = new Map<number, number>();
  const open = new Set<number>();
  const columnOf = (box: number): number => {
    const done = known.get(box);
    if (done !== undefined) return done;
    open.add(box);
    // a line that closes a circle counts for nothing
    const before = links.filter((l) => l.to.box === box && !open.has(l.from.box)).map((l) => columnOf(l.from.box) + 1);
    open.delete(box);
    const column = Math.max(0, ...before);
    known.set(box, column);
    return column;
  };
  boxes.forEach((box, i) => (box.column = columnOf(i)));
  const last = Math.max(0, ...boxes.filter((b) => b.wheel === null).map((b) => b.column + 1));
  for (const box of boxes) if (box.wheel !== null) box.column = last;
}

function setRows(vehicle: Vehicle, boxes: Box[], links: Link[]) {
  const wheels = boxes.filter((b) => b.wheel !== null);
  const place = (b: Box) => vehicle.wheels[b.wheel!]!.position;
  wheels.sort((a, b) => Math.round(10 * (place(b)[0] - place(a)[0])) || place(b)[1] - place(a)[1]);
  wheels.forEach((box, i) => (box.row = i));
  const mean = (rows: number[]) => rows.reduce((a, b) => a + b, 0) / rows.length;
  const targets = (box: Box) => links.filter((l) => boxes[l.from.box] === box).map((l) => boxes[l.to.box]!);
  const sources = (box: Box) => links.filter((l) => boxes[l.to.box] === box).map((l) => boxes[l.from.box]!);
  const most = Math.max(0, ...boxes.map((b) => b.column));
  const middle = (wheels.length - 1) / 2;
  for (let column = most; column >= 0; column--) {
    for (const box of boxes) {
      const ahead = box.wheel === null && box.column === column ? targets(box).filter((b) => b.column > column && (b.wheel !== null || targets(b).length > 0)) : [];
      if (ahead.length > 0) box.row = mean(ahead.map((b) => b.row));
      else if (box.wheel === null && box.column === column) box.row = middle;
    }
  }
  // what drives nothing stands below what drives it
  for (const box of boxes) if (box.wheel === null && targets(box).length === 0 && sources(box).length > 0) box.row = mean(sources(box).map((b) => b.row)) + 1;
  for (let column = 0; column <= most; column++) spread(boxes.filter((b) => b.column === column && b.wheel === null));
  const low = Math.min(0, ...boxes.map((b) => b.row));
  for (const box of boxes) box.row -= low;
}

/** Moves boxes of a column apart, about their common middle. */
function spread(boxes: Box[]) {
  boxes.sort((a, b) => a.row - b.row);
  let from = 0;
  for (let i = 1; i <= boxes.length; i++) {
    if (i < boxes.length && boxes[i]!.row - boxes[i - 1]!.row < 1) continue;
    const group = boxes.slice(from, i);
    const middle = group.reduce((sum, b) => sum + b.row, 0) / group.length;
    group.forEach((b, k) => (b.row = middle + k - (group.length - 1) / 2));
    from = i;
  }
}

/** Power along a line from left to right [W]. */
export function powerOf(train: Train, link: Link, state: VehicleState): number {
  const spin = state.spins[link.shaft]!;
  const torque = ({ box, port }: End) => {
    const { component } = train.boxes[box]!;
    return component === null ? 0 : (state.components[component]?.torques[port] ?? 0);
  };
  if (link.ofSource) return torque(link.from) * spin;
  return -torque(link.to) * spin;
}

/** Lines thinner than this carry nothing worth a colour [W]. */
export const LEAST_POWER = 50;

/** Direction of a power: with the line, against it, or none. */
export function flowOf(power: number): "ahead" | "back" | "none" {
  return Math.abs(power) < LEAST_POWER ? "none" : power > 0 ? "ahead" : "back";
}

/** Width of a line by its power. */
export function widthOf(power: number): number {
  return Math.abs(power) < LEAST_POWER ? 1.5 : Math.min(7, 2 + 1.2 * Math.log10(Math.abs(power) / LEAST_POWER));
}
