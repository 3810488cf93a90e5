/** What the studio knows and shows, as signals: the panels and the view read them, the link and the controls write them. */
import { signal, computed } from "@preact/signals";
import type { Errors, Frame, Hello, Scene, Status } from "./protocol";

export type LinkState = { phase: "connecting" | "open" } | { phase: "lost"; attempt: number; retryAt: number };

export const linkState = signal<LinkState>({ phase: "connecting" });
export const hello = signal<Hello | null>(null);
export const scene = signal<Scene | null>(null);
export const status = signal<Status | null>(null);
export const errors = signal<Errors | null>(null);
export const probeNames = signal<string[]>([]);

/** The newest frame; not a signal, since the view reads it once a picture anyway. */
export const newest: { frame: Frame | null } = { frame: null };

export const mayDrive = computed(() => hello.value?.role === "driver" && linkState.value.phase === "open");

export type Selected = { kind: "body" | "joint" | "line"; id: number } | null;
export const selected = signal<Selected>(null);
export const hovered = signal<{ text: string; x: number; y: number } | null>(null);

export type LeftPanel = "scenes" | "tree" | "text" | null;
export type RightPanel = "plots" | "solver" | null;
export const leftPanel = signal<LeftPanel>(null);
export const rightPanel = signal<RightPanel>(null);
export const helpOpen = signal(false);

export type CameraMode =
  | { kind: "orbit" }
  | { kind: "follow"; body: number }
  | { kind: "mounted"; body: number }
  | { kind: "scene"; index: number };
export const cameraMode = signal<CameraMode>({ kind: "orbit" });

export type Stereo = "off" | "anaglyph" | "side";
export const stereo = signal<Stereo>("off");
export const views = signal<1 | 4>(1);
export const byTension = signal(false);
export const showContacts = signal(false);
export const showGrid = signal(true);
/** Least and greatest tension in sight [N], for the legend. */
export const tensionSpan = signal<[number, number]>([0, 1]);

export type Theme = "light" | "dark";
export const theme = signal<Theme>(
  remembered("theme") === "light" || remembered("theme") === "dark"
    ? (remembered("theme") as Theme)
    : globalThis.matchMedia?.("(prefers-color-scheme: light)").matches
      ? "light"
      : "dark",
);

export interface Notice {
  id: number;
  text: string;
  tone: "info" | "bad";
}
export const notices = signal<Notice[]>([]);
let noticeCount = 0;

/** Shows a line of text for a few seconds. */
export function notify(text: string, tone: Notice["tone"] = "info") {
  const id = ++noticeCount;
  notices.value = [...notices.value.filter((n) => n.text !== text), { id, text, tone }].slice(-4);
  setTimeout(() => (notices.value = notices.value.filter((n) => n.id !== id)), tone === "bad" ? 7000 : 3500);
}

/** Reads what an earlier visit left; storage may be switched off. */
export function remembered(key: string): string | null {
  try {
    return localStorage.getItem(`windlass.${key}`);
  } catch {
    return null;
  }
}

export function remember(key: string, value: string) {
  try {
    localStorage.setItem(`windlass.${key}`, value);
  } catch {
    // private windows refuse: then the next visit starts afresh
  }
}
