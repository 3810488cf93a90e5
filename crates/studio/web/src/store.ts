/** What the studio knows and shows, as signals: the panels and the view read them, the link and the controls write them. */
import { signal, computed } from "@preact/signals";
import type { Errors, ExportNews, Frame, Hello, Names, Scene, Source, Status } from "./protocol";

export type LinkState = { phase: "connecting" | "open" } | { phase: "lost"; attempt: number; retryAt: number };

export const linkState = signal<LinkState>({ phase: "connecting" });
export const hello = signal<Hello | null>(null);
export const scene = signal<Scene | null>(null);
export const status = signal<Status | null>(null);
export const errors = signal<Errors | null>(null);
/** What can be sampled, with units as the server tells them. */
export const names = signal<Names>({ type: "names", probes: [] });
export const probeNames = computed(() => names.value.probes);
/** The names of sampled reactions that are statically indeterminate now, in one text with line breaks. */
export const indeterminate = signal("");
/** The newest numbers sampled, also of a past moment; not a signal, for they come with each frame. */
export const sampled: { time: number; values: Record<string, number | null> } = { time: 0, values: {} };

/** The newest frame; not a signal, since the view reads it once a picture anyway. */
export const newest: { frame: Frame | null } = { frame: null };

/** The newest frame of what the run is compared with, and what that is, with its own scene: a branch may be of another text. */
export const ghost: { frame: Frame | null } = { frame: null };
export const compared = signal<{ id: number; name: string; scene: Scene } | null>(null);
/** Whether both are shown side by side instead of in one picture. */
export const sideBySide = signal(false);
/** Files that were asked for and not put away, the newest last. */
export const exports = signal<ExportNews[]>([]);
/** Numbers of those that were put away. */
export const putAway = new Set<number>();
/** Text that was typed and not yet applied; null when there is none. */
export const draft = signal<string | null>(null);

/** A file with errors that is shown in the text panel instead of the scene's text; `read` is its text on disk. */
export const broken = signal<(Source & { read: string }) | null>(null);
/** Unsaved work is about to be left for something: how that goes on. */
export const leaving = signal<{ what: string; go: (discard: boolean) => void } | null>(null);

export const mayDrive = computed(() => hello.value?.role === "driver" && linkState.value.phase === "open");

/** Sections whose entries are selected by name: they have no place in the picture. */
export type Listed = "fluids" | "grounds" | "soils" | "tools" | "inputs" | "probes" | "cameras";
export type Selected = { kind: "body" | "joint" | "line"; id: number } | { kind: "force"; name: string } | { kind: "entry"; section: Listed; name: string } | { kind: "scene" } | null;
export const selected = signal<Selected>(null);
/** Bodies selected together with the one of `selected`. */
export const fellows = signal<number[]>([]);

/** Whether the page builds, and with what in hand. */
export const building = signal(false);
export type FormName = "sphere" | "box" | "cylinder" | "capsule" | "cone" | "plane" | "point" | "mesh" | "compound" | "foundation" | "hook";
export type Tool =
  | { kind: "select" | "force" | "beam" | "winch" | "lever" | "probe" | "camera" | "cut" | "splice" }
  | { kind: "add"; form: FormName }
  /** A flexible cable, straight or with slack. */
  | { kind: "cable"; slack: boolean }
  | { kind: "connect"; joint: string }
  /** A rope; `next` is what the next click adds. */
  | { kind: "route"; next: "pulley" | "ring" | "attach" }
  | { kind: "insert"; point: "pulley" | "ring" }
  | { kind: "drive"; drive: "motor" | "servo" }
  | { kind: "measure"; what: "distance" | "angle" }
  /** Shapes the ground by painting: so wide, and so much by a stroke [m]. */
  | { kind: "brush"; way: "raise" | "lower" | "level"; radius: number; height: number }
  /** Copies of the selection along a path, so many with the first. */
  | { kind: "along"; count: number; turn: boolean };
export const tool = signal<Tool>({ kind: "select" });
export type GizmoMode = "translate" | "rotate" | "scale";
export const gizmoMode = signal<GizmoMode>("translate");
export const snapping = signal(true);
/** Steps that handles and tools snap to: positions [m] and angles [°]. */
export const snapGrid = signal(Number(remembered("grid")) || 0.1);
export const snapTurn = signal(Number(remembered("turn")) || 15);
/** What a drag of a handle amounts to, and the number typed in its place, beside the pointer. */
export const dragReadout = signal<{ x: number; y: number; text: string; typed: string } | null>(null);
/** What is to be done next with the tool in hand, in words. */
export const toolHint = signal<string | null>(null);
/** A frame drawn on the picture to select what is in it, in pixels of the canvas. */
export const marquee = signal<{ x: number; y: number; w: number; h: number } | null>(null);
/** Why a change was not taken, and the field it came from. */
export const fieldError = signal<{ path: string; text: string } | null>(null);
export type Asking = "save" | "array" | "mirror" | "mesh" | "probe" | "along" | null;
export const asking = signal<Asking>(null);
/** Of the name to save by: why the last one was not taken, and what is to be done when one is. */
export const saving = signal<{ problem: string | null; then: (() => void) | null }>({ problem: null, then: null });

/** Bodies stand where the text says, so they can be moved. */
export const editing = computed(() => {
  const s = status.value;
  return !!s && (s.editing ?? (s.live && !s.playing && s.time === 0));
});
export const hovered = signal<{ text: string; x: number; y: number } | null>(null);

/** Whether the page is used by fingers: then there are joysticks. */
export const touch = signal(globalThis.matchMedia?.("(pointer: coarse)").matches ?? false);
/** Whether the palette of the editor is open, where the screen has no room for it beside the picture. */
export const paletteOpen = signal(false);

export type LeftPanel = "scenes" | "tree" | "text" | null;
export type RightPanel = "plots" | "solver" | "inspector" | "assembly" | null;
export const leftPanel = signal<LeftPanel>(null);
export const rightPanel = signal<RightPanel>(null);
export const helpOpen = signal(false);

export type CameraMode =
  | { kind: "orbit" }
  | { kind: "follow"; body: number }
  | { kind: "mounted"; body: number }
  | { kind: "chase"; body: number }
  | { kind: "scene"; index: number };
export const cameraMode = signal<CameraMode>({ kind: "orbit" });

export type Stereo = "off" | "anaglyph" | "side";
export const stereo = signal<Stereo>("off");
export const views = signal<1 | 4>(1);
export const byTension = signal(false);
export const showContacts = signal(false);
/** Axes of hinges, sliders and the like. */
export const showAxes = signal(false);
export const showGrid = signal(true);
/** Least and greatest tension in sight [N], for the legend. */
export const tensionSpan = signal<[number, number]>([0, 1]);

/** Counts small pictures of scenes that were kept, so that the gallery shows the newest. */
export const thumbnails = signal(0);

export type Theme = "light" | "dark";
export const theme = signal<Theme>(
  remembered("theme") === "light" || remembered("theme") === "dark"
    ? (remembered("theme") as Theme)
    : globalThis.matchMedia?.("(prefers-color-scheme: light)").matches
      ? "light"
      : "dark",
);

/** Whether the machine is heard. */
export const sound = signal(remembered("sound") === "on");

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

/** Keeps a text for the next visit. False if it could not be kept: storage is switched off, or full even without the small pictures of scenes. */
export function remember(key: string, value: string): boolean {
  try {
    localStorage.setItem(`windlass.${key}`, value);
    return true;
  } catch {
    // pictures can be made again
    const pictures = rememberedKeys("thumb");
    for (const picture of pictures) forget(picture);
    return pictures.length > 0 && remember(key, value);
  }
}

export function forget(key: string) {
  try {
    localStorage.removeItem(`windlass.${key}`);
  } catch {
    // switched off: there is nothing to forget
  }
}

/** Keys of what was kept that begin with a text. */
export function rememberedKeys(prefix: string): string[] {
  try {
    return Object.keys(localStorage).flatMap((key) => (key.startsWith(`windlass.${prefix}`) ? [key.slice("windlass.".length)] : []));
  } catch {
    return [];
  }
}
