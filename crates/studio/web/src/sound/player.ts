/** Sounds of the machine by WebAudio: an oscillator for each motor, bursts for impacts and slack ropes. Off until it is switched on. */
import { effect } from "@preact/signals";
import * as store from "../store";
import type { Frame } from "../protocol";
import { impact, motors, movingWeight, pressing, slackened, tensions, type Blow, type Motor, type Pressing } from "./hear";

/** Loudness of everything; and of one motor at full rate. */
const VOLUME = 0.5;
const MOTOR = 0.12;
/** Least time between two impacts that are heard apart [s]. */
const APART = 0.05;

interface Voice {
  tone: OscillatorNode;
  gain: GainNode;
}

class Player {
  /** What was heard so far, for tests. */
  heard = { motors: [] as Motor[], impacts: 0, slack: 0 };
  private context: AudioContext | null = null;
  private out: GainNode | null = null;
  private meter: AnalyserNode | null = null;
  private noise: AudioBuffer | null = null;
  private voices: Voice[] = [];
  private frame: Frame | null = null;
  private pressed: Pressing = { count: 0, force: 0 };
  private taut = new Map<number, number>();
  private most = new Map<number, number>();
  private inputs: Record<string, [number, number]> = {};
  private inputsAt = 0;
  private lastBlow = 0;

  start() {
    if (this.context) return;
    const context = new AudioContext();
    this.context = context;
    this.out = context.createGain();
    this.out.gain.value = VOLUME;
    this.meter = context.createAnalyser();
    this.out.connect(this.meter).connect(context.destination);
    this.noise = context.createBuffer(1, context.sampleRate / 2, context.sampleRate);
    const samples = this.noise.getChannelData(0);
    for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
    this.wake();
  }

  /** Browsers keep quiet until the person has done something on the page. */
  wake() {
    if (this.context?.state === "suspended") void this.context.resume();
  }

  stop() {
    void this.context?.close();
    this.context = this.out = this.meter = null;
    this.voices = [];
    this.heard.motors = [];
  }

  get on(): boolean {
    return this.context?.state === "running";
  }

  /** Effective value of what is heard now. */
  loudness(): number {
    if (!this.meter) return 0;
    const wave = new Float32Array(this.meter.fftSize);
    this.meter.getFloatTimeDomainData(wave);
    return Math.sqrt(wave.reduce((sum, v) => sum + v * v, 0) / wave.length);
  }

  /** Once a picture. */
  turn() {
    const s = store.status.value;
    const scene = store.scene.value;
    if (!this.context || !s || !scene) return;
    // a moment of the past has its sounds while it is played; what stands still has none
    this.run(s.playing ? this.motorsNow() : []);
    const frame = store.newest.frame;
    if (!frame || frame === this.frame) return;
    const goesOn = s.playing && this.frame !== null && frame.time > this.frame.time && frame.time < this.frame.time + 0.5;
    const [now, tight] = [pressing(frame), tensions(frame)];
    for (const [id, t] of tight) this.most.set(id, Math.max(t, this.most.get(id) ?? 0));
    if (goesOn) {
      const blow = impact(this.pressed, now, movingWeight(scene.bodies));
      if (blow) this.strike(blow);
      for (const slack of slackened(this.taut, tight, this.most)) this.flap(slack);
    }
    [this.frame, this.pressed, this.taut] = [frame, now, tight];
  }

  /** A new scene begins with what it has. */
  forget() {
    this.frame = null;
    this.most.clear();
    this.inputs = {};
  }

  private motorsNow(): Motor[] {
    const s = store.status.value!;
    if (s.inputs !== this.inputs) {
      const seconds = s.time - this.inputsAt;
      this.heard.motors = motors(store.scene.value!.inputs, s.inputs, this.inputs, seconds);
      [this.inputs, this.inputsAt] = [s.inputs, s.time];
    }
    return this.heard.motors;
  }

  private run(all: Motor[]) {
    const context = this.context!;
    while (this.voices.length < all.length) this.voices.push(this.voice());
    this.voices.forEach(({ tone, gain }, i) => {
      const motor = all[i];
      gain.gain.setTargetAtTime(motor ? MOTOR * motor.level : 0, context.currentTime, 0.06);
      if (motor) tone.frequency.setTargetAtTime(motor.pitch, context.currentTime, 0.08);
    });
    if (all.length === 0) this.heard.motors = [];
  }

  private voice(): Voice {
    const context = this.context!;
    const tone = context.createOscillator();
    tone.type = "sawtooth";
    const dull = context.createBiquadFilter();
    dull.type = "lowpass";
    dull.frequency.value = 700;
    const gain = context.createGain();
    gain.gain.value = 0;
    tone.connect(dull).connect(gain).connect(this.out!);
    tone.start();
    return { tone, gain };
  }

  private strike(blow: Blow) {
    if (this.context!.currentTime - this.lastBlow < APART) return;
    this.lastBlow = this.context!.currentTime;
    this.heard.impacts += 1;
    this.burst(blow, 0.25, 1.2, blow.pitch);
  }

  /** A rope that goes slack: a soft flap that falls in pitch. */
  private flap(blow: Blow) {
    this.heard.slack += 1;
    this.burst({ ...blow, level: 0.7 * blow.level }, 0.4, 3, blow.pitch / 3);
  }

  /** Noise through a resonance that moves to `end` [Hz] while it dies away. */
  private burst({ level, pitch }: Blow, seconds: number, sharp: number, end: number) {
    const context = this.context!;
    const t = context.currentTime;
    const source = context.createBufferSource();
    source.buffer = this.noise;
    const tone = context.createBiquadFilter();
    tone.type = "bandpass";
    tone.Q.value = sharp;
    tone.frequency.setValueAtTime(pitch, t);
    tone.frequency.exponentialRampToValueAtTime(Math.max(20, end), t + seconds);
    const gain = context.createGain();
    gain.gain.setValueAtTime(level, t);
    gain.gain.exponentialRampToValueAtTime(1e-3, t + seconds);
    source.connect(tone).connect(gain).connect(this.out!);
    source.start(t, Math.random() * 0.2, seconds);
  }
}

export const player = new Player();

/** Follows the switch, the scene and the pictures. */
export function listenSound() {
  effect(() => {
    store.remember("sound", store.sound.value ? "on" : "off");
    if (store.sound.value) player.start();
    else player.stop();
  });
  effect(() => {
    void store.scene.value;
    player.forget();
  });
  for (const event of ["pointerdown", "keydown"]) addEventListener(event, () => player.wake());
  const turn = () => {
    player.turn();
    requestAnimationFrame(turn);
  };
  requestAnimationFrame(turn);
}
