import { computed, signal } from "@preact/signals";
import { expect, it } from "vitest";
import { Due } from "../src/view/due";
import { MockServer } from "../src/mock";

/** Pictures drawn in so many turns. */
const turns = (due: Due, count: number, always = false) => Array.from({ length: count }, () => (due.turn(always), due.drew)).filter(Boolean).length;

it("draws nothing while nothing changes, and always where that is wanted", () => {
  const due = new Due(() => {}, () => []);
  expect(turns(due, 10)).toBe(2);
  expect(turns(due, 10)).toBe(0);
  expect(turns(due, 10, true)).toBe(10);
  expect(turns(due, 10)).toBe(0);
});

it("draws again after a change of a signal that a picture has read, and only of those", () => {
  const [read, other, on] = [signal(1), signal(1), signal(true)];
  const seen: number[] = [];
  const due = new Due(() => seen.push(on.value ? read.value : 0), () => []);
  turns(due, 5);
  other.value = 2;
  expect(turns(due, 5)).toBe(0);
  read.value = 2;
  expect(turns(due, 5)).toBeGreaterThan(0);
  expect(seen.at(-1)).toBe(2);
  on.value = false;
  turns(due, 5);
  read.value = 3;
  expect(turns(due, 5)).toBe(0);
});

it("is not stirred by a status that says the same again", () => {
  const status = signal({ playing: false, time: 1 });
  const playing = computed(() => status.value.playing);
  const due = new Due(() => void playing.value, () => []);
  turns(due, 5);
  for (let i = 0; i < 5; i++) status.value = { playing: false, time: 1 };
  expect(turns(due, 5)).toBe(0);
});

it("goes on while the picture itself moves the eye, and while frames come", () => {
  let eye = 0;
  const due = new Due(() => (eye = Math.min(20, eye + 1)), () => [eye]);
  expect(turns(due, 50)).toBe(20 + 1);
  let frame = {};
  const run = new Due(() => {}, () => [frame]);
  turns(run, 5);
  expect(Array.from({ length: 5 }, () => ((frame = {}), turns(run, 1)))).toEqual([1, 1, 1, 1, 1]);
});

it("draws after an event, and when it is stirred", () => {
  const page = new EventTarget();
  const due = new Due(() => {}, () => []);
  due.listen(page);
  turns(due, 5);
  page.dispatchEvent(new Event("pointermove"));
  expect(turns(due, 5)).toBe(2);
  due.stir();
  expect(turns(due, 5)).toBe(2);
});

it("gets no frame from the mock server while that is paused, as from the server", () => {
  let frames = 0;
  const server = new MockServer(() => {}, () => (frames++, true));
  for (let i = 0; i < 5; i++) server.tick();
  expect(frames).toBe(5);
  server.receive({ do: "pause" });
  for (let i = 0; i < 5; i++) server.tick();
  expect(frames).toBe(5);
  server.receive({ do: "step", count: 1 });
  server.tick();
  expect(frames).toBe(6);
  // another scene begins with a frame, also while it is paused
  server.receive({ do: "new" });
  for (let i = 0; i < 5; i++) server.tick();
  expect(frames).toBe(7);
});
