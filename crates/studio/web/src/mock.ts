/**
 * A stand-in for the server, for tests and for work on the page without an engine: a slewing crane whose load swings as a
 * pendulum on a rope of changing length. It speaks the whole protocol, with one client and its own clock.
 *
 * The load at p hangs from the jib's tip q by an elastic rope: m p̈ = m g + k (|q − p| − L)₊ u − c ṗ, stepped by semi-implicit Euler.
 */
import { Sketch } from "./mock-edit";
import { DRIVEN, driving, LOGIC } from "./mock-drive";
import { digging, Site, SITE } from "./mock-earth";
import { AFLOAT, floating } from "./mock-float";
import { encodeFrame, GHOST_MAGIC, VERSION, type Answer, type Command, type ExportNews, type Frame, type Scene, type ServerMessage, type Shape, type SyncPoint, type Vec3 } from "./protocol";

const DT = 1 / 240;
const STEPS = 4;
const MAST = 12;
const JIB = 10;
const MASS = 2000;
const STIFFNESS = 4e5;
const DAMPING = 150;
const ROPE_POINTS = 24;

interface State {
  time: number;
  slew: number;
  slewRate: number;
  length: number;
  load: Vec3;
  speed: Vec3;
}

const straight: [number, number, number, number] = [1, 0, 0, 0];
const yellow: Vec3 = [0.93, 0.66, 0.11];
const box = (size: Vec3, at: Vec3, color: Vec3, material: string): Shape => ({ form: "box", size, at, turn: straight, color, material });

function jib(): Shape[] {
  const shapes = [
    box([JIB, 0.18, 0.18], [JIB / 2, 0.35, 0], yellow, "steel"),
    box([JIB, 0.18, 0.18], [JIB / 2, -0.35, 0], yellow, "steel"),
    box([JIB, 0.16, 0.16], [JIB / 2, 0, 0.7], yellow, "steel"),
    box([3.2, 0.9, 0.25], [-1.6, 0, 0], yellow, "steel"),
    box([1.2, 1.4, 1.5], [-2.8, 0, -0.6], [0.55, 0.55, 0.53], "concrete"),
    box([1.3, 1.1, 1.5], [0.5, 1.1, -0.6], [0.2, 0.42, 0.5], "glass"),
  ];
  for (let x = 0.5; x < JIB; x += 1) shapes.push(box([0.09, 0.8, 0.09], [x, 0, 0], yellow, "steel"), box([0.09, 0.09, 0.75], [x, 0, 0.35], yellow, "steel"));
  return shapes;
}

const text = `title = "Slewing crane"

[bodies.mast]
fixed = true
shape = { box = ["1 m", "1 m", "12 m"] }

[bodies.load]
mass = "2 t"
position = ["10 m", "0 m", "5 m"]
shape = { box = ["1.6 m", "1.2 m", "1.2 m"] }

[controls.slew]
low = "-0.5 rad/s"
high = "0.5 rad/s"
`;

const crane: Scene = {
  type: "scene",
  id: "crane",
  title: "Slewing crane",
  file: "crane.toml",
  text,
  dt: 1 / 60,
  gravity: [0, 0, -9.81],
  bodies: [
    { id: 0, name: "ground", kind: "static", mass: 0, shapes: [{ form: "plane", at: [0, 0, 0], turn: straight, color: [0.42, 0.45, 0.44], material: "concrete" }] },
    {
      id: 1,
      name: "mast",
      kind: "static",
      mass: 0,
      shapes: [box([2.6, 2.6, 0.6], [0, 0, 0.3], [0.6, 0.6, 0.58], "concrete"), box([0.9, 0.9, MAST - 0.6], [0, 0, MAST / 2 + 0.3], yellow, "steel")],
    },
    { id: 2, name: "jib", kind: "kinematic", mass: 3500, shapes: jib() },
    {
      id: 3,
      name: "load",
      kind: "dynamic",
      mass: MASS,
      shapes: [box([1.6, 1.2, 1.2], [0, 0, 0], [0.55, 0.36, 0.2], "wood"), box([0.12, 1.26, 1.26], [0.5, 0, 0], [0.3, 0.3, 0.32], "steel"), box([0.12, 1.26, 1.26], [-0.5, 0, 0], [0.3, 0.3, 0.32], "steel")],
    },
    ...[0, 1, 2].map((i) => ({
      id: 4 + i,
      name: `drum ${i + 1}`,
      kind: "static" as const,
      mass: 120,
      shapes: [{ form: "cylinder" as const, radius: 0.5, length: 1.4, at: [0, 0, 0] as Vec3, turn: straight, color: [0.25, 0.45, 0.6] as Vec3, material: "steel" }],
    })),
  ],
  lines: [{ id: 0, name: "hoist rope", radius: 0.02, color: [0.25, 0.26, 0.28] }],
  joints: [
    { id: 0, name: "slew bearing", kind: "hinge", bodies: [1, 2] },
    { id: 1, name: "hook", kind: "ball", bodies: [2, 3] },
  ],
  inputs: [
    { name: "slew", label: "Slew", unit: "rad/s", low: -0.5, high: 0.5, rest: 0, self_centering: true, keys: ["Left", "Right"], gamepad: "left-x" },
    { name: "hoist", label: "Hoist", unit: "m/s", low: -1, high: 1, rest: 0, self_centering: true, keys: ["Up", "Down"], gamepad: "right-y" },
  ],
  cameras: [{ name: "From the gate", mount: "world", body: null, position: [22, -16, 3], target: [2, 0, 6], up: [0, 0, 1], angle: 0.8 }],
  bounds: { low: [-12, -12, 0], high: [12, 12, 13.5] },
};

const start = (): State => ({ time: 0, slew: 0.3, slewRate: 0, length: 6, load: [JIB * 0.9, 4.5, MAST - 6], speed: [0, 0, 0] });

export class MockServer {
  private state = start();
  private past: State[] = [];
  private shown: number | null = null;
  private playing = true;
  private speed = 1;
  private wanted: Record<string, number> = { slew: 0, hoist: 0 };
  private probes: string[] = [];
  /** Controllers and rules that are switched off. */
  private off: string[] = [];
  private points: SyncPoint[] = [];
  private pull: { at: Vec3; to: Vec3 } | null = null;
  private fault: { text: string; time: number } | null = null;
  /** A scene that is being built, in place of the crane. */
  sketch: Sketch | null = null;
  /** A scene in water, or with vehicles, in place of the crane. */
  private afloat: Scene | null = null;
  /** Tiles of the ground that were sent, and those of what is compared. */
  site = new Site();
  private ghostSite = new Site();
  private saved: string[] = [];
  private ghost: SyncPoint | null = null;
  private exports: ExportNews[] = [];
  private req: number | undefined;

  /** The frames that were sent last; another scene begins anew. */
  private last: { run: Uint8Array | null; ghost: Uint8Array | null } = { run: null, ghost: null };

  constructor(
    private tell: (message: ServerMessage) => void,
    private show: (frame: ArrayBuffer) => boolean,
  ) {
    this.say({
      type: "hello",
      version: VERSION,
      role: "driver",
      clients: 1,
      scenes: [
        { id: "crane", title: "Slewing crane", about: "A tower crane with a load of two tonnes: slew, hoist, and keep it from swinging." },
        { id: "crane-again", title: "Slewing crane, once more", about: "The same crane, opened a second time." },
        ...AFLOAT.map(({ id, title }) => ({ id, title, about: "A box, a buoy and a pile in water." })),
        { id: DRIVEN.id, title: DRIVEN.title, about: "A car drives a curve and brakes beside a parked loader." },
        { id: SITE.id, title: SITE.title, about: "A bucket digs a trench." },
      ],
    });
    this.say(crane);
    this.say({ type: "names", probes: ["bodies.load.position.x", "bodies.load.position.z", "lines.hoist rope.tension"] });
  }

  /** A command; its answer repeats its number. */
  receive(command: Command & { req?: number }) {
    const outer = this.req;
    this.req = command.req ?? outer;
    this.follow(command);
    this.req = outer;
    this.tellStatus();
  }

  private follow(command: Command) {
    switch (command.do) {
      case "play":
        this.playing = true;
        break;
      case "pause":
        this.playing = false;
        break;
      case "step":
        this.playing = false;
        for (let i = 0; i < command.count; i++) this.advance();
        break;
      case "reset":
        this.state = start();
        this.past = [];
        this.shown = null;
        this.points = [];
        this.fault = null;
        break;
      case "speed":
        this.speed = command.value;
        break;
      case "input":
        this.wanted[command.name] = command.value;
        break;
      case "new":
        this.sketch = new Sketch();
        this.afloat = null;
        this.receive({ do: "reset" });
        this.playing = false;
        this.say(this.sketch.scene());
        break;
      case "edit": {
        const wrong = this.sketch?.edit(command.label, command.changes);
        if (wrong) this.answer({ type: "errors", text: wrong, problems: [{ line: 1, column: 1, message: wrong, help: null }] });
        else if (this.sketch) this.say(this.sketch.scene());
        else this.answer({ type: "refused", why: "the crane of the mock server cannot be changed" });
        break;
      }
      case "undo":
      case "redo":
        if (command.do === "undo") this.sketch?.back();
        else this.sketch?.on();
        if (this.sketch) this.say(this.sketch.scene());
        break;
      case "save": {
        const file = `${(command.name ?? this.sketch?.saved ?? "scene").replace(/\W+/g, "_")}.toml`;
        this.saved.push(file);
        if (this.sketch) Object.assign(this.sketch, { dirty: false, saved: file.replace(".toml", "") });
        this.answer({ type: "saved", file });
        break;
      }
      case "compare":
        this.ghost = command.id === null ? null : (this.points.find((p) => p.id === command.id) ?? null);
        this.ghostSite = new Site();
        this.say({ type: "ghost", id: this.ghost?.id ?? null, name: this.ghost?.name ?? "", scene: this.ghost && (this.afloat ?? crane) });
        break;
      case "export": {
        const id = this.exports.length + 1;
        this.exports.push({ id, format: command.format, done: 1, file: `/export/${id}/scene.${command.format}`, error: null });
        break;
      }
      case "cancel":
        break;
      case "open":
        this.sketch = null;
        this.afloat = [...AFLOAT, DRIVEN, SITE].find((scene) => scene.id === command.id) ?? null;
        this.receive({ do: "reset" });
        this.site = new Site();
        this.say(this.afloat ?? { ...crane, id: command.id });
        break;
      case "load":
        this.receive({ do: "new" });
        this.applyText(command.toml);
        break;
      case "text":
        this.applyText(command.toml);
        break;
      case "grab":
        this.pull = { at: command.at, to: command.to };
        break;
      case "drag":
        if (this.pull) this.pull.to = command.to;
        break;
      case "release":
        this.pull = null;
        break;
      case "seek":
        this.seek(command.time);
        break;
      case "resume":
        if (this.shown !== null) {
          this.state = structuredClone(this.past[this.shown]!);
          this.past.length = this.shown;
          this.shown = null;
          this.fault = null;
          this.playing = true;
        }
        break;
      case "mark":
        this.points.push({ id: this.points.length, name: command.name, time: this.current().time });
        break;
      case "unmark":
        this.points = this.points.filter((p) => p.id !== command.id);
        break;
      case "jump": {
        const point = this.points.find((p) => p.id === command.id);
        if (point) this.seek(point.time);
        break;
      }
      case "probe":
        this.probes = command.names;
        break;
      case "switch":
        this.off = command.on ? this.off.filter((name) => name !== command.name) : [...this.off, command.name];
        break;
      case "drive":
        break;
    }
  }

  private say(message: ServerMessage) {
    if (message.type === "scene") this.last.run = null;
    if (message.type === "ghost") this.last.ghost = null;
    this.tell(message);
  }

  private answer(message: Answer) {
    this.say({ ...message, req: this.req });
  }

  /** A sixtieth of a second of the page's time. */
  tick() {
    if (this.playing) {
      if (this.shown !== null) {
        this.shown += 1;
        if (this.shown >= this.past.length) this.shown = null;
      } else for (let i = 0; i < Math.max(1, Math.round(this.speed)); i++) this.advance();
    }
    const tiles = this.afloat === SITE ? this.site.tiles(this.current().time) : null;
    if (tiles) this.show(tiles);
    this.showNew("run", encodeFrame(this.frame()));
    const then = this.ghost && this.past.find((s) => s.time >= this.ghost!.time - 1e-9);
    const others = then && this.afloat === SITE ? this.ghostSite.tiles(then.time, true) : null;
    if (others) this.show(others);
    if (then) this.showNew("ghost", encodeFrame(this.frame(then), GHOST_MAGIC));
  }

  /** Sends a frame unless it is the one that was sent last: like the server, it is silent while nothing moves. */
  private showNew(of: "run" | "ghost", frame: ArrayBuffer) {
    const bytes = new Uint8Array(frame);
    const last = this.last[of];
    if (last?.length === bytes.length && last.every((byte, i) => byte === bytes[i])) return;
    // a reader that is behind gets none, and the newest one later
    if (this.show(frame)) this.last[of] = bytes;
  }

  tellStatus() {
    const s = this.current();
    const v2 = s.speed[0] ** 2 + s.speed[1] ** 2 + s.speed[2] ** 2;
    const tension = this.tension(s);
    this.say({
      type: "status",
      playing: this.playing,
      time: s.time,
      step: Math.round(s.time * 60),
      speed: this.speed,
      rtf: this.playing ? this.speed : 0,
      headroom: 42,
      fault: this.fault,
      from: this.past[0]?.time ?? 0,
      to: this.state.time,
      points: this.points,
      inputs: { slew: [this.wanted.slew!, s.slewRate], hoist: [this.wanted.hoist!, this.wanted.hoist!] },
      logic: this.afloat === DRIVEN ? LOGIC.map((item) => (this.off.includes(item.name) ? { ...item, enabled: false, active: false } : item)) : [],
      energy: { kinetic: 0.5 * MASS * v2, potential: MASS * 9.81 * s.load[2], elastic: (0.5 * tension ** 2) / STIFFNESS },
      stages: { force: 12, collide: 60, constrain: 25, partition: 8, solve: 110 + 20 * Math.sin(s.time), integrate: 14 },
      contacts: 4,
      islands: 1,
      live: this.shown === null,
      undo: this.sketch?.undo ?? null,
      redo: this.sketch?.redo ?? null,
      dirty: this.sketch?.dirty ?? false,
      editing: !this.playing && this.state.time === 0,
      exports: this.exports,
    });
    if (this.probes.length > 0 && this.shown === null) {
      const all: Record<string, number> = { "bodies.load.position.x": s.load[0], "bodies.load.position.z": s.load[2], "lines.hoist rope.tension": tension };
      this.say({ type: "sample", time: s.time, values: Object.fromEntries(this.probes.filter((p) => p in all).map((p) => [p, all[p]!])) });
    }
  }

  private current(): State {
    return this.shown === null ? this.state : this.past[this.shown]!;
  }

  private applyText(toml: string) {
    const bad = toml.split("\n").findIndex((line) => line.includes("wrong"));
    if (bad >= 0) {
      this.answer({ type: "errors", text: toml, problems: [{ line: bad + 1, column: 1, message: "unknown field `wrong`", help: "remove it, or see the reference for the fields a body has" }] });
    } else {
      this.receive({ do: "reset" });
      this.say({ ...crane, text: toml });
    }
  }

  private seek(time: number) {
    const at = this.past.findIndex((s) => s.time >= time - 1e-9);
    this.shown = at < 0 ? null : at;
    if (this.shown !== null) this.playing = false;
  }

  private tip(s: State): Vec3 {
    return [JIB * Math.cos(s.slew), JIB * Math.sin(s.slew), MAST];
  }

  private tension(s: State): number {
    const tip = this.tip(s);
    const stretch = Math.hypot(tip[0] - s.load[0], tip[1] - s.load[1], tip[2] - s.load[2] - 0.6) - s.length;
    return Math.max(0, STIFFNESS * stretch);
  }

  private advance() {
    this.past.push(structuredClone(this.state));
    if (this.past.length > 36_000) this.past.shift();
    for (let i = 0; i < STEPS; i++) this.substep();
  }

  private substep() {
    const s = this.state;
    s.slewRate += (this.wanted.slew! - s.slewRate) * Math.min(1, DT * 3);
    s.slew += s.slewRate * DT;
    s.length = Math.min(10, Math.max(1.5, s.length - this.wanted.hoist! * DT));
    const tip = this.tip(s);
    const hook: Vec3 = [s.load[0], s.load[1], s.load[2] + 0.6];
    const d = tip.map((t, i) => t - hook[i]!) as Vec3;
    const distance = Math.hypot(...d) || 1;
    const tension = this.tension(s);
    for (let i = 0; i < 3; i++) {
      let force = (tension * d[i]!) / distance - (DAMPING + (tension > 0 ? 1500 * Math.abs(d[i]! / distance) : 0)) * s.speed[i]! + (i === 2 ? -9.81 * MASS : 0);
      if (this.pull) force += 6000 * (this.pull.to[i]! - s.load[i]!);
      s.speed[i] = s.speed[i]! + (force / MASS) * DT;
    }
    for (let i = 0; i < 3; i++) s.load[i] = s.load[i]! + s.speed[i]! * DT;
    if (s.load[2] < 0.6) {
      s.load[2] = 0.6;
      s.speed = [s.speed[0] * 0.9, s.speed[1] * 0.9, Math.max(0, s.speed[2])];
    }
    s.time += DT;
  }

  private frame(s = this.current()): Frame {
    const none = new Float32Array();
    if (this.sketch) return { time: s.time, bodies: this.sketch.places(), lines: [], contacts: none, pushes: none, torques: none };
    if (this.afloat === DRIVEN) return { time: s.time, ...driving(s.time), lines: [], contacts: none, pushes: none, torques: none };
    if (this.afloat === SITE) return { time: s.time, ...digging(s.time), lines: [], contacts: none, pushes: none, torques: none };
    if (this.afloat) return { time: s.time, bodies: floating(this.afloat, s.time), lines: [], contacts: none, pushes: none, torques: none };
    const q = [Math.cos(s.slew / 2), 0, 0, Math.sin(s.slew / 2)];
    const drums = [0, 1, 2].flatMap((i) => [-6 - i * 1.3, 5, 0.7, 1, 0, 0, 0]);
    const bodies = new Float32Array([0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, MAST, ...q, ...s.load, ...q, ...drums]);
    const tip = this.tip(s);
    const tension = this.tension(s);
    const points = new Float32Array(ROPE_POINTS * 4);
    for (let i = 0; i < ROPE_POINTS; i++) {
      const a = i / (ROPE_POINTS - 1);
      points.set([tip[0] + a * (s.load[0] - tip[0]), tip[1] + a * (s.load[1] - tip[1]), tip[2] + a * (s.load[2] + 0.6 - tip[2]), tension + 400 * (1 - a)], i * 4);
    }
    const contacts = [0, 1, 2].flatMap((i) => [-6 - i * 1.3, 5, 0, 0, 0, 1200]);
    return { time: s.time, bodies, lines: [{ id: 0, points }], contacts: new Float32Array(contacts), pushes: none, torques: none };
  }
}
