/** How many copies are to be made, the first included: the field, and whether the number is one that can be made. */
import type { Signal } from "@preact/signals";

/** Most copies at once; the server takes ten thousand changes. */
export const MOST_COPIES = 1000;

export function isCount(n: number): boolean {
  return n >= 2 && n <= MOST_COPIES;
}

export function CountField({ count }: { count: Signal<number> }) {
  return (
    <label>
      Count, including the first
      <input type="number" min={2} max={MOST_COPIES} value={count.value} onInput={(e) => (count.value = Number(e.currentTarget.value))} />
    </label>
  );
}
