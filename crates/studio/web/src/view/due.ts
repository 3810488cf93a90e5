/**
 * When a picture is due: at the first turn of the page after something it shows has changed.
 *
 * A picture is drawn in an effect, so a signal that it read makes the next one due. What is no signal is noticed in one of two ways:
 * it is among the values that are compared at each turn (frames, surfaces of grounds, the eye), or whoever changes it calls `stir`,
 * as every event of the pointer and the keyboard does. A page at rest draws nothing.
 */
import { effect } from "@preact/signals";

/** Pictures after something has happened: what hovers is found after the picture of the same turn, and shown in the next. */
const PICTURES = 2;
/** Events on the page that may change handles, rubber bands and previews. */
const EVENTS = ["pointermove", "pointerdown", "pointerup", "pointercancel", "pointerleave", "dblclick", "wheel", "keydown", "keyup", "drop", "resize", "visibilitychange"];

export class Due {
  /** Whether the last turn had a picture. */
  drew = false;
  private left = PICTURES;
  private shown: readonly unknown[] = [];
  private forget = () => {};

  /** `draw` makes a picture of `shows`, whose length is constant, and of signals. */
  constructor(
    private draw: () => void,
    private shows: () => readonly unknown[],
  ) {}

  /** Something has changed that is neither a signal nor listed by `shows`. */
  stir = () => {
    this.left = PICTURES;
  };

  /** Draws after each event of a window. */
  listen(to: EventTarget) {
    for (const event of EVENTS) to.addEventListener(event, this.stir, { capture: true, passive: true });
  }

  /** A turn of the page, which has a picture if that is due, or `always`. */
  turn(always: boolean) {
    const shows = this.shows();
    const isNew = shows.some((value, i) => !Object.is(value, this.shown[i]));
    this.drew = always || isNew || this.left > 0;
    if (!this.drew) return;
    // taken before the picture is drawn: an eye that goes on by itself differs from this at the next turn
    this.shown = shows;
    this.left = Math.max(0, this.left - 1);
    this.forget();
    let isDrawn = false;
    this.forget = effect(() => {
      if (isDrawn) return this.stir();
      isDrawn = true;
      this.draw();
    });
  }
}
