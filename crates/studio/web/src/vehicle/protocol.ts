/** Vehicles as the server tells of them: what they consist of with the scene, and their numbers in a block behind each frame. */
import type { Vec3 } from "../protocol";

export interface Component {
  name: string;
  /** As in scene files. */
  kind: "engine" | "electric_motor" | "clutch" | "torque_converter" | "gearbox" | "gear" | "differential" | "brake" | "retarder" | "hydrostatic";
  /** Numbers of its shafts: inputs before outputs, pumps before motors. */
  shafts: number[];
  /** How many of these are inputs. */
  inputs: number;
  /** Of an engine or motor: largest speed by its own torque [rad/s], and largest torque [N·m]. */
  max_speed?: number;
  max_torque?: number;
  /** A gearbox that chooses its gear by itself. */
  automatic?: boolean;
  /** Pressure at which the valves of a hydrostatic circuit open [Pa]. */
  relief?: number;
}

export interface WheelLook {
  name: string;
  /** Its body and the number of its shaft. */
  body: number;
  shaft: number | null;
  /** Ahead and to the left of the chassis [m]. */
  position: [number, number];
  radius: number;
  width: number;
}

export interface Vehicle {
  name: string;
  /** Its body. */
  chassis: number;
  /** Names; a wheel that is driven or braked has a shaft of its name. */
  shafts: string[];
  components: Component[];
  wheels: WheelLook[];
}

/** In the order of the block; NaN without a source. */
export const COMMANDS = ["throttle", "brake", "parking_brake", "clutch", "steer", "gear", "ignition", "lock", "stroke", "retarder", "steering_mode", "power_take_off", "range"] as const;
export type CommandName = (typeof COMMANDS)[number];

export interface ComponentState {
  /** Of an engine 0 off, 1 cranking, 2 running, 3 stalled; of a gearbox 0 engaged, 1 released, 2 synchronising, 3 refused. */
  phase: number;
  /** Throttle of an engine, pedal of a brake, gear of a gearbox. */
  setting: number;
  /** Fuel of an engine [kg], work of a motor or heat of others [J]. */
  total: number;
  /** Difference of speeds [rad/s]; of a hydrostatic circuit its pressure [Pa]. */
  slip: number;
  /** Torque on each of its shafts [N·m]. */
  torques: number[];
}

export interface WheelState {
  /** Vertical load [N]; 0 in the air. */
  load: number;
  /** Forces on the wheel ahead and to the left [N]. */
  force: [number, number];
  slip: number;
  /** [rad] */
  slipAngle: number;
  /** Speed at which the tyre slides, once its force is at its limit [m/s]. */
  sliding: number;
  /** Relative to the chassis, to the left [rad]. */
  steer: number;
  /** Contact point, normal of the road, direction ahead. */
  point: Vec3;
  normal: Vec3;
  ahead: Vec3;
}

export interface VehicleState {
  /** Ahead [m/s]. */
  speed: number;
  /** Driven [m]. */
  distance: number;
  commands: Record<CommandName, number>;
  /** Spins of the shafts [rad/s]. */
  spins: number[];
  components: ComponentState[];
  wheels: WheelState[];
}

const HEAD = 2 + COMMANDS.length;
const WHEEL = 16;

/** Floats of the block of these vehicles. */
export function blockLength(vehicles: Vehicle[]): number {
  const one = (v: Vehicle) => HEAD + v.shafts.length + v.components.reduce((sum, c) => sum + 4 + c.shafts.length, 0) + WHEEL * v.wheels.length;
  return vehicles.reduce((sum, v) => sum + one(v), 0);
}

/** The numbers of a block; none if it is of other vehicles. */
export function readBlock(vehicles: Vehicle[], block: Float32Array): VehicleState[] {
  if (block.length !== blockLength(vehicles)) return [];
  let at = 0;
  const take = (count: number) => Array.from(block.subarray(at, (at += count)));
  const vec = (n: number[], from: number) => n.slice(from, from + 3) as Vec3;
  return vehicles.map((vehicle) => {
    const [speed, distance, ...commands] = take(HEAD) as [number, number, ...number[]];
    const spins = take(vehicle.shafts.length);
    const components = vehicle.components.map(({ shafts }) => {
      const [phase, setting, total, slip, ...torques] = take(4 + shafts.length) as [number, number, number, number, ...number[]];
      return { phase, setting, total, slip, torques };
    });
    const wheels = vehicle.wheels.map((): WheelState => {
      const n = take(WHEEL);
      const [load, x, y, slip, slipAngle, sliding, steer] = n as [number, number, number, number, number, number, number];
      return { load, force: [x, y], slip, slipAngle, sliding, steer, point: vec(n, 7), normal: vec(n, 10), ahead: vec(n, 13) };
    });
    const named = Object.fromEntries(COMMANDS.map((name, i) => [name, commands[i]!])) as Record<CommandName, number>;
    return { speed, distance, commands: named, spins, components, wheels };
  });
}

/** The inverse, for the mock and the tests. */
export function writeBlock(states: VehicleState[]): Float32Array {
  const numbers = states.flatMap((s) => [
    s.speed,
    s.distance,
    ...COMMANDS.map((name) => s.commands[name]),
    ...s.spins,
    ...s.components.flatMap((c) => [c.phase, c.setting, c.total, c.slip, ...c.torques]),
    ...s.wheels.flatMap((w) => [w.load, ...w.force, w.slip, w.slipAngle, w.sliding, w.steer, ...w.point, ...w.normal, ...w.ahead]),
  ]);
  return new Float32Array(numbers);
}
