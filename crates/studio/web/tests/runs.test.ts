import { describe, expect, it } from "vitest";
import { columnOf, filled, History } from "../src/history";
import type { Status, SyncPoint } from "../src/protocol";

const status = (time: number, more: Partial<Status> = {}) =>
  ({ time, live: true, points: [], inputs: {}, energy: { kinetic: time, potential: 0, elastic: 0 }, stages: {}, contacts: 0, islands: 1, headroom: 1, fault: null, ...more }) as unknown as Status;
const branch = (id: number, name: string): SyncPoint => ({ id, name, time: 0, kind: "branch" });

/** A run of some seconds. */
function ran(h: History, from: number, to: number, points: SyncPoint[] = []) {
  for (let t = from; t <= to; t++) {
    h.add(t, { x: t });
    h.take(status(t, { points }));
  }
}

describe("runs", () => {
  it("that were left are kept with the name of their branch", () => {
    const h = new History();
    ran(h, 0, 5);
    ran(h, 0, 2, [branch(7, "branch 7")]);
    expect(h.earlier.value).toMatchObject([{ name: "branch 7", branch: 7, from: 0 }]);
    expect(columnOf(h.earlier.value[0]!, "x").times).toEqual([0, 1, 2, 3, 4, 5]);
    expect(columnOf(h.earlier.value[0]!, "energy.kinetic").values).toEqual([0, 1, 2, 3, 4, 5]);
    expect(h.column("x").times).toEqual([0, 1, 2]);
  });

  it("share what lies before the moment they part", () => {
    const h = new History();
    ran(h, 0, 5);
    h.take(status(3, { points: [branch(1, "branch 1")] }));
    h.add(3, { x: 30 });
    expect(h.column("x")).toEqual({ times: [0, 1, 2, 3], values: [0, 1, 2, 30] });
    // from the last value that both have
    expect(columnOf(h.earlier.value[0]!, "x").times).toEqual([2, 3, 4, 5]);
  });

  it("are not made of a past moment that is shown, nor of branches that were there before the page", () => {
    const h = new History();
    h.take(status(4, { points: [branch(1, "old")] }));
    h.take(status(2, { live: false, points: [branch(1, "old")] }));
    h.take(status(5, { points: [branch(1, "old")] }));
    expect(h.earlier.value).toEqual([]);
  });

  it("go on when a branch is taken up again", () => {
    const h = new History();
    ran(h, 0, 5);
    ran(h, 0, 2, [branch(1, "branch 1")]);
    h.take(status(5, { points: [branch(2, "branch 2")] }));
    expect(h.earlier.value.map((r) => r.name)).toEqual(["branch 2"]);
    expect(h.column("x").times).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it("have their faults and contacts, up to where they part", () => {
    const h = new History();
    h.take(status(0, { contacts: 3 }));
    h.take(status(1));
    h.take(status(2, { contacts: 1 }));
    h.take(status(3, { fault: { text: "it broke", time: 3 } }));
    h.take(status(3, { fault: { text: "it broke", time: 3 } }));
    expect(h.events.map((e) => [e.kind, e.time])).toEqual([["contact", 2], ["fault", 3]]);
    h.take(status(2.5));
    expect(h.events).toHaveLength(1);
  });

  it("have gaps where a value does not exist", () => {
    const h = new History();
    h.add(0, { x: 1 });
    h.add(1, { x: null });
    h.add(2, { x: 3 });
    expect(h.column("x").times).toEqual([0, 2]);
  });
});

describe("rows of a plot", () => {
  it("are filled between values that are near, and keep longer gaps", () => {
    expect(filled([0, 0.1, 0.2, 5], [1, null, 2, null])).toEqual([1, 1.5, 2, null]);
    expect(filled([0, 1, 2, 3], [0, null, null, 3])).toEqual([0, null, null, 3]);
    expect(filled([0, 1], [null, null])).toEqual([null, null]);
    expect(filled([], [])).toEqual([]);
  });
});

describe("a long run", () => {
  it("is kept for half an hour: the last two minutes as they came, what is older more coarsely", () => {
    const h = new History();
    const minutes = 35;
    for (let i = 0; i <= minutes * 3600; i++) h.add(i / 60, { x: i });
    const { times, values } = h.column("x");
    expect(times[0]).toBe(0);
    expect(times.length).toBeLessThanOrEqual(30_000);
    expect(values.at(-1)).toBe(minutes * 3600);
    expect(times.filter((t) => t > minutes * 60 - 120).length).toBe(7200);
    expect(Math.max(...times.slice(1).map((t, i) => t - times[i]!))).toBeLessThan(0.11);
  });

  it("tells of new names, and not of each value", () => {
    const h = new History();
    for (let i = 0; i < 10; i++) h.add(i, { x: i });
    expect(h.renewed.value).toBe(1);
    h.add(10, { y: 0 });
    expect(h.renewed.value).toBe(2);
  });
});
