/** What server and studio say to each other: text messages as JSON, frames as little-endian binary. */

import type { Cylinder, Ground, Tool } from "./earth/protocol";
import type { Vehicle } from "./vehicle/protocol";

/** Of the protocol. */
export const VERSION = 2;

export type Vec3 = [number, number, number];
/** Unit quaternion w, x, y, z. */
export type Turn = [number, number, number, number];

export type Form =
  | { form: "box"; size: Vec3 }
  | { form: "sphere"; radius: number }
  | { form: "cylinder" | "capsule" | "cone"; radius: number; length: number }
  | { form: "plane" }
  | { form: "mesh"; positions: number[]; triangles: number[] };

export type Shape = Form & { at: Vec3; turn: Turn; color: Vec3; material: string | null };

export interface Body {
  id: number;
  name: string;
  kind: "dynamic" | "static" | "kinematic";
  mass: number;
  /** Of a dynamic body, in its axes: centre of mass, and inertia about it as xx, yy, zz, xy, xz, yz. */
  center?: Vec3;
  inertia?: number[];
  shapes: Shape[];
}

export interface Line {
  id: number;
  name: string;
  /** "cable", "mass-point cable", "rope", "rod", "cylinder" or "drawing"; a hand can pull the first two. */
  kind?: string;
  radius: number;
  color: Vec3;
}

export interface Joint {
  id: number;
  name: string;
  kind: string;
  bodies: number[];
  /** Where it is, and its axis if it has one, in the axes of the first of its bodies. */
  at?: Vec3 | null;
  axis?: Vec3 | null;
}

export interface Input {
  name: string;
  label: string;
  unit: string;
  low: number;
  high: number;
  rest: number;
  /** Springs back to `rest` when let go. */
  self_centering: boolean;
  /** Keys for more and for less. */
  keys: [string, string] | null;
  gamepad: string | null;
}

/** A camera of the scene; with a body, its places are meant in that body's frame or relative to its place. */
export interface SceneCamera {
  name: string;
  mount: string;
  body: number | null;
  position: Vec3;
  target: Vec3;
  up: Vec3;
  /** Vertical field of view [rad]. */
  angle: number;
}

/** A wave component: amplitude [m], frequency [rad/s], wavenumber [1/m], direction x and y, phase [rad]. */
export type WaveComponent = [number, number, number, number, number, number];

/** η = r(t) (Σ a cos θ + stokes cos 2θ), θ = k (d·x) − ω t + ε; in the second term θ is that of the first component. */
export interface Waves {
  components: WaveComponent[];
  /** Duration over which r grows from 0 to 1 by a smooth step [s]; 0 for none. */
  ramp: number;
  /** Amplitude of the second harmonic of a regular Stokes wave [m]. */
  stokes?: number;
}

/** A liquid with a surface at the height `level` [m], horizontal but for its waves. */
export interface Fluid {
  name: string;
  level: number;
  /** From the level down to the bed [m]; deep without it. */
  depth?: number;
  /** sRGB, 0 to 1. */
  color: Vec3;
  waves?: Waves;
}

export interface Scene {
  type: "scene";
  id: string;
  title: string;
  file: string;
  text: string;
  dt: number;
  gravity: Vec3;
  bodies: Body[];
  lines: Line[];
  joints: Joint[];
  inputs: Input[];
  cameras: SceneCamera[];
  bounds: { low: Vec3; high: Vec3 };
  /** Liquids with a surface. */
  fluids?: Fluid[];
  vehicles?: Vehicle[];
  /** Grounds that can be dug, tools that cut them, and hydraulic cylinders. */
  grounds?: Ground[];
  tools?: Tool[];
  cylinders?: Cylinder[];
  /** What the last edit of the running scene means for its ropes and cables. */
  notes?: string[];
  /** The scene's own text as JSON, as written; what is not in it comes from includes, prefabs or patterns. */
  tree?: Tree;
}

/** Values of a scene's text: numbers, texts, lists and tables. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Table = { [key: string]: Json };
/** Sections by name, entries by name. */
export type Tree = { [section: string]: Json };

/** A change of the scene's text. Paths are keys, also numbers of list items; a new entry may have a comment. */
export type Change = { set: string[]; value: Json; comment?: string } | { remove: string[] } | { rename: string[]; to: string };

/** A file that was asked for. */
export interface ExportNews {
  id: number;
  format: string;
  /** Part done, 0 to 1. */
  done: number;
  file: string | null;
  error: string | null;
}

export type ExportFormat = "pov" | "png" | "glb" | "svg" | "csv" | "mp4";
export interface ExportCamera {
  position: Vec3;
  target: Vec3;
  up: Vec3;
  angle: number;
}

export interface SceneEntry {
  id: string;
  title: string;
  about: string;
}

export interface Hello {
  type: "hello";
  version: number;
  role: "driver" | "viewer";
  clients: number;
  /** Number of this client, of the one that has the controls, and of a viewer that asks for them. */
  you?: number;
  driver?: number | null;
  request?: { client: number; /** Until the controls pass without an answer. */ seconds: number } | null;
  /** The request was declined; seconds until one may ask again. */
  again?: number | null;
  scenes: SceneEntry[];
}

export const STAGES = ["force", "collide", "constrain", "partition", "solve", "integrate"] as const;
export type Stage = (typeof STAGES)[number];

export interface SyncPoint {
  id: number;
  name: string;
  time: number;
  /** "branch" for the end of what was left when one continued from an earlier moment. */
  kind?: string;
  /** Not part of the run shown: on a branch, or of an earlier text. */
  elsewhere?: boolean;
}

/** A controller or a rule. */
export interface Logic {
  name: string;
  kind: string;
  enabled: boolean;
  /** It runs; a rule acts. */
  active: boolean;
  value: number;
  /** Of a state machine. */
  state: string | null;
  message: string | null;
  /** How often a rule became active, and when last [s]. */
  count: number;
  last: number | null;
}

export interface Status {
  type: "status";
  playing: boolean;
  time: number;
  step: number;
  speed: number;
  /** Real-time factor achieved. */
  rtf: number;
  /** How many times faster than real time it could run. */
  headroom: number;
  fault: { text: string; time: number } | null;
  from: number;
  to: number;
  points: SyncPoint[];
  /** Wanted and actual value of each input. */
  inputs: Record<string, [number, number]>;
  /** Controllers and rules; none from an older server. */
  logic?: Logic[];
  energy: { kinetic: number; potential: number; elastic: number };
  /** Microseconds of each stage of a step. */
  stages: Record<Stage, number>;
  contacts: number;
  islands: number;
  /** False while a past moment is shown. */
  live: boolean;
  /** What the next undo and redo would do. */
  undo?: string | null;
  redo?: string | null;
  /** The text differs from its file. */
  dirty?: boolean;
  /** Unsaved texts of other scenes, the newest first, and why they cannot be kept on disk. */
  drafts?: Draft[];
  unsafe_work?: string | null;
  /** Bodies stand where the text says. */
  editing?: boolean;
  /** What the hand does is noted. */
  recording?: boolean;
  paths?: HandPath[];
  check?: Check | null;
  /** Files that were asked for, the oldest first. */
  exports?: ExportNews[];
}

/** A body or a cable, by its number in the scene. */
export interface Who {
  kind: "body" | "line" | "other";
  id: number;
  name: string;
}

/** The part that is looked at, and what it touches; the force is not known of cables of mass points. */
export interface Touch {
  a: Who;
  b: Who;
  point: Vec3;
  force: number | null;
  /** The part has lain there since the check began. */
  resting: boolean;
}

export type Moment = Touch & { time: number; step: number };

export interface Clearance {
  /** Metres; below 0 they overlap. */
  distance: number;
  other: Who;
  points: [Vec3, Vec3];
}

export interface Check {
  part: Who;
  /** The path that is played. */
  path: number | null;
  touching: Touch[];
  first: Moment | null;
  largest: Moment | null;
  deepest: number;
  clearance: Clearance | null;
  least: (Clearance & { time: number }) | null;
}

export interface HandPath {
  id: number;
  name: string;
  part: string;
  seconds: number;
  points: number;
  verdict: { free: boolean; text: string } | null;
}

export interface Problem {
  line: number;
  column: number;
  message: string;
  help: string | null;
}

export interface Errors {
  type: "errors";
  text: string;
  problems: Problem[];
  /** The file they are in, if it is not the scene shown. */
  source?: Source | null;
  req?: number | null;
  /** Set by the page: found while one types, so that the editor must not jump. */
  live?: boolean;
}

/** A scene file that is not valid, as it is; with an id, one of the gallery. */
export interface Source {
  id: string | null;
  file: string;
  text: string;
}

export interface Refused {
  type: "refused";
  why: string;
  req?: number | null;
}

export interface Saved {
  type: "saved";
  file: string;
  req?: number | null;
}

/** Messages that answer one command. */
export type Answer = Errors | Refused | Saved;

/** An unsaved text of another scene, or of a studio that has ended. */
export interface Draft {
  id: number;
  title: string;
  file: string;
  /** Seconds since 1970. */
  time: number;
  recovered: boolean;
  hash: number;
}

/** What can be sampled. `unit` has for each name the index of its unit in `units`, which are in ASCII. */
export interface Names {
  type: "names";
  probes: string[];
  units?: string[];
  unit?: number[];
}

export type ServerMessage =
  | Hello
  | Scene
  | Status
  | Errors
  | { type: "sample"; time: number; live?: boolean; values: Record<string, number | null>; indeterminate?: string[] }
  | Names
  | Saved
  | { type: "ghost"; id: number | null; name: string; scene: Scene | null }
  | { type: "path"; id: number; name: string; text: string }
  | Refused;

/** The mouse is the first hand; in a headset there are two. */
export type Hand = 0 | 1;

export type Command =
  | { do: "play" | "pause" | "reset" | "resume" | "undo" | "redo" }
  | { do: "drive" | "withdraw" | "hand_over" | "decline" }
  | { do: "new"; discard?: boolean }
  | { do: "load"; id: string | null; name: string; toml: string; unsaved?: boolean; discard?: boolean }
  | { do: "restore"; id: number; discard?: boolean }
  | { do: "discard"; id: number }
  | { do: "edit"; label: string; changes: Change[] }
  | { do: "save"; name?: string }
  | { do: "compare"; id: number | null }
  | { do: "export"; format: ExportFormat; from?: number; to?: number; fps?: number; camera?: ExportCamera }
  | { do: "cancel"; id: number }
  | { do: "step"; count: number }
  | { do: "speed"; value: number }
  | { do: "input"; name: string; value: number }
  | { do: "switch"; name: string; on: boolean }
  | { do: "open"; id: string; discard?: boolean }
  | { do: "text"; toml: string }
  | { do: "validate"; id: string | null; toml: string }
  | { do: "grab"; hand?: Hand; body: number; at: Vec3; to: Vec3 }
  | { do: "pull"; hand?: Hand; line: number; along: number; to: Vec3 }
  | { do: "drag"; hand?: Hand; to: Vec3 }
  | { do: "release"; hand?: Hand }
  | { do: "path"; action: "record" }
  | { do: "path"; action: "stop"; name: string }
  | { do: "path"; action: "play" | "remove" | "export"; id: number }
  | { do: "path"; action: "import"; text: string }
  | { do: "check"; body?: number; line?: number }
  | { do: "seek"; time: number }
  | { do: "mark"; name: string }
  | { do: "jump" | "unmark"; id: number }
  | { do: "probe"; names: string[] }
  | { do: "overlay"; motion: boolean; islands: boolean; bending: boolean; vehicles: boolean; soil: boolean };

/** Floats of a body in a frame: x y z, w x y z. */
export const BODY_FLOATS = 7;
/** Floats of a point of a line: x y z, tension [N]. */
export const POINT_FLOATS = 4;
/** Floats of an arrow: point, force [N] or torque [N·m]. */
export const ARROW_FLOATS = 6;

export interface LineFrame {
  id: number;
  points: Float32Array;
}

export interface Frame {
  time: number;
  bodies: Float32Array;
  lines: LineFrame[];
  /** Forces between bodies that touch, */
  contacts: Float32Array;
  /** those that the scene applies, and of springs, */
  pushes: Float32Array;
  /** and torques that it applies. */
  torques: Float32Array;
  /** Sent on request: velocity and angular velocity of each body, */
  motion?: Float32Array;
  /** the island of each body from 1, with bit 31 while it sleeps, */
  islands?: Uint32Array;
  /** and the curvature at each point of each line. */
  bending?: Float32Array;
  /** Loose soil, tools and pressures, see `earth/protocol.ts`. */
  earth?: Uint8Array;
  /** Numbers of the vehicles, see `vehicle/protocol.ts`; always the last block. */
  vehicles?: Float32Array;
}

/** Floats of a body's motion: velocity, angular velocity. */
export const MOTION_FLOATS = 6;

/** "WLF1" read as a little-endian number. */
export const FRAME_MAGIC = 0x31464c57;
/** "WLG1": the same for what the run is compared with. */
export const GHOST_MAGIC = 0x31474c57;

/** Whether a frame shows what the run is compared with. */
export function isGhost(buffer: ArrayBuffer): boolean {
  return buffer.byteLength >= 4 && new DataView(buffer).getUint32(0, true) === GHOST_MAGIC;
}

/** Reads a frame; throws a plain Error that says where it ends too early or what is wrong with it. */
export function decodeFrame(buffer: ArrayBuffer, mark = FRAME_MAGIC): Frame {
  const view = new DataView(buffer);
  let at = 0;
  const need = (bytes: number, what: string) => {
    if (at + bytes > buffer.byteLength) throw new Error(`frame of ${buffer.byteLength} bytes ends within ${what}`);
  };
  const u32 = (what: string) => {
    need(4, what);
    const value = view.getUint32(at, true);
    at += 4;
    return value;
  };
  // slice copies, which also aligns: the time of 8 bytes leaves no promise on what follows
  const floats = (count: number, what: string) => {
    need(count * 4, what);
    const values = new Float32Array(buffer.slice(at, at + count * 4));
    at += count * 4;
    return values;
  };

  if (u32("its mark") !== mark) throw new Error("not a frame of this version: expected the mark WLF1");
  need(8, "its time");
  const time = view.getFloat64(at, true);
  at += 8;
  const bodies = floats(u32("the number of bodies") * BODY_FLOATS, "the bodies");
  const lineCount = u32("the number of lines");
  const lines: LineFrame[] = [];
  for (let i = 0; i < lineCount; i++) {
    const id = u32("the name of a line");
    lines.push({ id, points: floats(u32("the number of points") * POINT_FLOATS, "the points of a line") });
  }
  const contacts = floats(u32("the number of contacts") * ARROW_FLOATS, "the contacts");
  const pushes = floats(u32("the number of forces") * ARROW_FLOATS, "the forces");
  const torques = floats(u32("the number of torques") * ARROW_FLOATS, "the torques");
  const frame: Frame = { time, bodies, lines, contacts, pushes, torques };
  const count = bodies.length / BODY_FLOATS;
  while (at < buffer.byteLength) {
    const block = u32("the mark of a block");
    if (block === 1) frame.motion = floats(count * MOTION_FLOATS, "the motion");
    else if (block === 2) frame.islands = new Uint32Array(floats(count, "the islands").buffer);
    else if (block === 3) frame.bending = floats(lines.reduce((sum, l) => sum + l.points.length / POINT_FLOATS, 0), "the bending");
    else if (block === 5) {
      const size = u32("the size of the soil");
      need(size, "the soil");
      frame.earth = new Uint8Array(buffer.slice(at, at + size));
      at += size;
    } else if (block === 4) frame.vehicles = floats(Math.floor((buffer.byteLength - at) / 4), "the vehicles");
    else throw new Error(`frame has ${buffer.byteLength - at + 4} bytes more than it says`);
  }
  return frame;
}

/** The inverse of `decodeFrame`, for the mock and the tests. */
export function encodeFrame(frame: Frame, mark = FRAME_MAGIC): ArrayBuffer {
  const linePart = frame.lines.reduce((sum, line) => sum + 8 + line.points.byteLength, 0);
  const arrows = [frame.contacts, frame.pushes, frame.torques];
  const blocks = [frame.motion, frame.islands && new Float32Array(frame.islands.buffer), frame.bending, frame.vehicles];
  const extra = blocks.reduce((sum, b) => sum + (b ? 4 + b.byteLength : 0), 0) + (frame.earth ? 8 + frame.earth.byteLength : 0);
  const buffer = new ArrayBuffer(4 + 8 + 4 + frame.bodies.byteLength + 4 + linePart + arrows.reduce((sum, a) => sum + 4 + a.byteLength, 0) + extra);
  const view = new DataView(buffer);
  let at = 0;
  const u32 = (value: number) => {
    view.setUint32(at, value, true);
    at += 4;
  };
  const floats = (values: Float32Array) => {
    for (const value of values) {
      view.setFloat32(at, value, true);
      at += 4;
    }
  };
  u32(mark);
  view.setFloat64(at, frame.time, true);
  at += 8;
  u32(frame.bodies.length / BODY_FLOATS);
  floats(frame.bodies);
  u32(frame.lines.length);
  for (const line of frame.lines) {
    u32(line.id);
    u32(line.points.length / POINT_FLOATS);
    floats(line.points);
  }
  for (const each of arrows) {
    u32(each.length / ARROW_FLOATS);
    floats(each);
  }
  blocks.forEach((block, i) => {
    // vehicles are last
    if (i === 3 && frame.earth) {
      u32(5);
      u32(frame.earth.byteLength);
      new Uint8Array(buffer, at).set(frame.earth);
      at += frame.earth.byteLength;
    }
    if (!block) return;
    u32(i + 1);
    floats(block);
  });
  return buffer;
}
