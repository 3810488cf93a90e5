/** Numbers along the grid: which places get one so that they are readable at every zoom, and which of them stand apart. */

/** A frame on the screen, in pixels. */
export interface Frame {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** The least of 1, 2 or 5 times a power of ten metres that is at least `room` pixels long. */
export function tickStep(pixelsPerMetre: number, room: number): number {
  const wish = room / pixelsPerMetre;
  const power = 10 ** Math.floor(Math.log10(wish) + 1e-9);
  const part = wish / power;
  return rounded(power * (part <= 1 + 1e-9 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10));
}

/** Width of the grid's squares for numbers of that step: each number stands at a line, and squares keep a size that can be seen. */
export function gridUnit(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step) + 1e-9);
  return rounded(step / power < 1.5 ? power / 10 : power);
}

/** Multiples of a step from `low` to `high`, the rounder ones first. */
export function ticks(low: number, high: number, step: number): number[] {
  const all: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i <= Math.floor(high / step + 1e-9); i++) all.push(i);
  const round = (i: number) => (i === 0 ? 3 : i % 10 === 0 ? 2 : i % 5 === 0 ? 1 : 0);
  return all.sort((a, b) => round(b) - round(a) || Math.abs(a) - Math.abs(b)).map((i) => rounded(i * step));
}

/** A place of the grid as it is written. */
export function inMetres(value: number): string {
  return value === 0 ? "0" : `${value < 0 ? "−" : ""}${Math.abs(value)} m`;
}

/** For each frame, whether it stays: none may come nearer than `gap` to one before it that stays. */
export function apart(frames: Frame[], gap: number): boolean[] {
  const kept: Frame[] = [];
  return frames.map((f) => {
    const free = kept.every((k) => f.x + f.w + gap <= k.x || k.x + k.w + gap <= f.x || f.y + f.h + gap <= k.y || k.y + k.h + gap <= f.y);
    if (free) kept.push(f);
    return free;
  });
}

function rounded(value: number): number {
  return Number(value.toPrecision(6));
}
