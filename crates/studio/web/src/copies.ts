/** Copies of unsaved work: which are worth an offer, and how they are named. */
import type { Scene } from "./protocol";

/** The text of a scene, and one that was typed and not applied. */
export interface Work {
  /** Of the gallery; null for a file of this machine. */
  id: string | null;
  title: string;
  file: string;
  text: string;
  typed: string | null;
  /** Milliseconds since 1970. */
  at: number;
}

/** A number that differs for texts that do, nearly always; the server computes the same. */
export function hash(text: string): number {
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum = (Math.imul(sum, 31) + text.charCodeAt(i)) | 0;
  return sum;
}

/** The text that a copy is kept for. */
export const textOf = (work: Work): string => work.typed ?? work.text;

const hashes = new WeakMap<Work, number>();

/** The hash of a copy's text, computed once. */
function hashOf(work: Work): number {
  let known = hashes.get(work);
  if (known === undefined) hashes.set(work, (known = hash(textOf(work))));
  return known;
}

/** Of these copies, those that are worth an offer: the server has neither the scene nor a draft of it, given by the hashes of their texts. */
export function worth(copies: Work[], scene: Scene, drafts: number[]): Work[] {
  return copies.filter((w) => scene.text !== textOf(w) && !drafts.includes(hashOf(w)));
}

/** When something was, in words: the time of day, with the date if it is not today's. */
export function when(at: number, now = Date.now()): string {
  const [then, today] = [new Date(at), new Date(now)];
  const time = then.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return then.toDateString() === today.toDateString() ? time : `${then.toLocaleDateString()} ${time}`;
}
