/**
 * Vehicles for the stand-in server: a car with an engine, a torque converter, a gearbox and a differential, and a loader with a
 * hydrostatic circuit that is parked. Nothing is stepped: all is a function of time, so every moment can be shown.
 *
 * The car accelerates by 4 m/s² for 4 s, drives a curve of 40 m at 16 m/s for 2 s, brakes by 7 m/s² with locked wheels, and stalls.
 */
import type { Body, Logic, Scene, Shape, Turn, Vec3 } from "./protocol";
import { COMMANDS, writeBlock, type Component, type Vehicle, type VehicleState, type WheelState } from "./vehicle/protocol";

const straight: Turn = [1, 0, 0, 0];
const box = (size: Vec3, at: Vec3, color: Vec3, material: string): Shape => ({ form: "box", size, at, turn: straight, color, material });

interface Plan {
  name: string;
  radius: number;
  width: number;
  /** Ahead, and half of the track. */
  axles: [number, number][];
  body: Shape[];
  height: number;
}

const CAR: Plan = {
  name: "car",
  radius: 0.34,
  width: 0.24,
  axles: [
    [1.4, 0.78],
    [-1.4, 0.78],
  ],
  body: [box([4.4, 1.7, 0.6], [0, 0, 0], [0.7, 0.15, 0.12], "steel"), box([2.2, 1.5, 0.55], [-0.3, 0, 0.55], [0.15, 0.17, 0.2], "glass")],
  height: 0.6,
};
const LOADER: Plan = {
  name: "loader",
  radius: 0.7,
  width: 0.55,
  axles: [
    [1.4, 0.95],
    [-1.4, 0.95],
  ],
  body: [box([4.8, 1.5, 1], [0, 0, 0.2], [0.93, 0.66, 0.11], "steel"), box([1.4, 1.3, 1.5], [-0.2, 0, 1.4], [0.2, 0.3, 0.35], "glass")],
  height: 1.1,
};
const WHEELS = ["front_left", "front_right", "rear_left", "rear_right"];

function bodiesOf(plan: Plan, first: number): Body[] {
  const rubber: Vec3 = [0.06, 0.06, 0.07];
  const silver: Vec3 = [0.75, 0.76, 0.78];
  const wheel: Shape[] = [
    { form: "cylinder", radius: plan.radius, length: plan.width, at: [0, 0, 0], turn: straight, color: rubber, material: "rubber" },
    ...[0, 1].map((k) => box([k ? 0.08 : 1.2 * plan.radius, k ? 1.2 * plan.radius : 0.08, plan.width + 0.02], [0, 0, 0], silver, "steel")),
  ];
  const body = (name: string, shapes: Shape[], id: number): Body => ({ id: first + id, name, kind: "dynamic", mass: 1000, shapes });
  return [body(`${plan.name}.body`, plan.body, 0), ...WHEELS.map((name, i) => body(`${plan.name}.${name}`, wheel, i + 1))];
}

const placeOf = (plan: Plan, wheel: number): [number, number] => {
  const [ahead, half] = plan.axles[wheel >> 1]!;
  return [ahead, wheel % 2 === 0 ? half : -half];
};

function vehicleOf(plan: Plan, first: number, shafts: string[], train: Component[]): Vehicle {
  const wheels = WHEELS.map((name, i) => ({ name, body: first + 1 + i, shaft: i, position: placeOf(plan, i), radius: plan.radius, width: plan.width }));
  const brakes = WHEELS.map((name, i): Component => ({ name: `${name}.brake`, kind: "brake", shafts: [i], inputs: 1 }));
  return { name: plan.name, chassis: first, shafts: [...WHEELS, ...shafts], components: [...brakes, ...train], wheels };
}

const RPM = Math.PI / 30;
const car = vehicleOf(CAR, 1, ["crankshaft", "turbine", "propeller"], [
  { name: "engine", kind: "engine", shafts: [4], inputs: 0, max_speed: 6500 * RPM, max_torque: 370 },
  { name: "converter", kind: "torque_converter", shafts: [4, 5], inputs: 1 },
  { name: "gearbox", kind: "gearbox", shafts: [5, 6], inputs: 1, automatic: true },
  { name: "differential", kind: "differential", shafts: [6, 2, 3], inputs: 1 },
]);
const loader = vehicleOf(LOADER, 6, ["crankshaft", "pump", "axles"], [
  { name: "diesel", kind: "engine", shafts: [4], inputs: 0, max_speed: 2200 * RPM, max_torque: 600 },
  { name: "clutch", kind: "clutch", shafts: [4, 5], inputs: 1 },
  { name: "circuit", kind: "hydrostatic", shafts: [5, 6], inputs: 1, relief: 420e5 },
  { name: "front axle", kind: "differential", shafts: [6, 0, 1], inputs: 1 },
  { name: "rear axle", kind: "differential", shafts: [6, 2, 3], inputs: 1 },
]);

export const DRIVEN: Scene = {
  type: "scene",
  id: "vehicles",
  title: "Two vehicles",
  file: "vehicles.toml",
  text: 'title = "Two vehicles"\n',
  dt: 1 / 60,
  gravity: [0, 0, -9.81],
  bodies: [{ id: 0, name: "road", kind: "static", mass: 0, shapes: [{ form: "plane", at: [0, 0, 0], turn: straight, color: [0.23, 0.23, 0.24], material: "asphalt" }] }, ...bodiesOf(CAR, 1), ...bodiesOf(LOADER, 6)],
  lines: [],
  joints: [],
  inputs: [],
  cameras: [{ name: "chase", mount: "heading", body: 1, position: [-7.5, 0, 2.4], target: [1.5, 0, 0.6], up: [0, 0, 1], angle: 0.87 }],
  bounds: { low: [-4, -3, 0], high: [6, 9, 3] },
  vehicles: [car, loader],
};

/** Times at which the curve, the braking and the rest begin [s]. */
const [CURVE, BRAKES] = [4, 6];
const [GO, STOP, SPEED, YAW] = [4, 7, 16, 0.4];
const RESTS = BRAKES + SPEED / STOP;

/** Where the car is: place, heading, speed, way driven. */
function carAt(t: number): { x: number; y: number; heading: number; speed: number; way: number } {
  const go = Math.min(t, CURVE);
  const turning = Math.min(Math.max(0, t - CURVE), BRAKES - CURVE);
  const braking = Math.min(Math.max(0, t - BRAKES), RESTS - BRAKES);
  const heading = YAW * turning;
  const slide = SPEED * braking - (STOP / 2) * braking ** 2;
  const radius = SPEED / YAW;
  const [x, y] = [(GO / 2) * go ** 2 + radius * Math.sin(heading), radius * (1 - Math.cos(heading))];
  const speed = t < CURVE ? GO * t : t < BRAKES ? SPEED : Math.max(0, SPEED - STOP * (t - BRAKES));
  return { x: x + slide * Math.cos(heading), y: y + slide * Math.sin(heading), heading, speed, way: (GO / 2) * go ** 2 + SPEED * turning + slide };
}

const times = ([a, b, c, d]: Turn, [e, f, g, h]: Turn): Turn => [a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g, a * g - b * h + c * e + d * f, a * h + b * g - c * f + d * e];
const about = (axis: 0 | 1 | 2, angle: number): Turn => {
  const turn: Turn = [Math.cos(angle / 2), 0, 0, 0];
  turn[axis + 1] = Math.sin(angle / 2);
  return turn;
};

/** Places of a vehicle's body and wheels, and the contact points. */
function stand(plan: Plan, { x, y, heading }: { x: number; y: number; heading: number }, rolled: number, steer: number): { places: number[]; points: Vec3[] } {
  const [c, s] = [Math.cos(heading), Math.sin(heading)];
  const at = (i: number, z: number): Vec3 => {
    const [ahead, left] = placeOf(plan, i);
    return [x + ahead * c - left * s, y + ahead * s + left * c, z];
  };
  // z of a wheel is its axle, to the left
  const turn = (i: number) => times(times(about(2, heading + (i < 2 ? steer : 0)), about(0, -Math.PI / 2)), about(2, rolled / plan.radius));
  const wheels = WHEELS.flatMap((_, i) => [...at(i, plan.radius), ...turn(i)]);
  return { places: [x, y, plan.height, ...about(2, heading), ...wheels], points: WHEELS.map((_, i) => at(i, 0)) };
}

const none = Object.fromEntries(COMMANDS.map((name) => [name, NaN])) as VehicleState["commands"];
const idle = { phase: 0, setting: 0, total: 0, slip: 0 };

function carState(t: number, points: Vec3[]): VehicleState {
  const { heading, speed, way } = carAt(t);
  const [braking, curve] = [t >= BRAKES && t < RESTS, t >= CURVE && t < BRAKES];
  const pull = t < CURVE ? 1 : curve ? 0.2 : 0;
  const gear = Math.min(5, 1 + Math.floor(speed / 4));
  const ratio = [3.8, 2.1, 1.3, 0.95, 0.78][gear - 1]!;
  const roll = braking ? 0 : speed / CAR.radius;
  const propeller = 3.6 * roll;
  const turbine = ratio * propeller;
  const crank = t > RESTS ? 0 : Math.max(80, turbine * 1.05);
  const torque = 250 * pull;
  const axle = torque * ratio * 3.6;
  const steer = curve ? 0.07 : 0;
  const wheel = (i: number): WheelState => ({
    load: i < 2 ? (braking ? 5200 : 4000) : braking ? 2900 : 4100,
    force: [braking ? -3000 : i < 2 ? 0 : axle / 2 / CAR.radius, curve ? 2600 : 0],
    slip: braking ? -1 : i < 2 ? 0 : 0.03 * pull,
    slipAngle: curve ? 0.05 : 0,
    sliding: braking ? speed : 0,
    steer: i < 2 ? steer : 0,
    point: points[i]!,
    normal: [0, 0, 1],
    ahead: [Math.cos(heading), Math.sin(heading), 0],
  });
  return {
    speed,
    distance: way,
    commands: { ...none, throttle: pull, brake: braking ? 1 : 0, parking_brake: 0, steer: 4 * steer, gear: 1 },
    spins: [roll, roll, roll, roll, crank, turbine, propeller],
    components: [
      ...WHEELS.map((_, i) => ({ ...idle, setting: braking ? 1 : 0, torques: [braking ? (i < 2 ? -1700 : -900) : 0] })),
      { phase: t > RESTS ? 3 : 2, setting: pull, total: 2e-3 * t, slip: crank, torques: [torque] },
      { ...idle, slip: crank - turbine, torques: [-torque, torque] },
      { ...idle, setting: gear, torques: [-torque, torque * ratio] },
      { ...idle, torques: [-torque * ratio, axle / 2, axle / 2] },
    ],
    wheels: WHEELS.map((_, i) => wheel(i)),
  };
}

function loaderState(t: number, points: Vec3[]): VehicleState {
  const wheel = (i: number): WheelState => ({ load: 21000, force: [0, 0], slip: 0, slipAngle: 0, sliding: 0, steer: 0, point: points[i]!, normal: [0, 0, 1], ahead: [1, 0, 0] });
  return {
    speed: 0,
    distance: 0,
    commands: { ...none, throttle: 0.2, brake: 0, parking_brake: 1, stroke: 0 },
    spins: [0, 0, 0, 0, 90, 90, 0],
    components: [...WHEELS.map(() => ({ ...idle, torques: [0] })), { phase: 2, setting: 0.2, total: 1e-3 * t, slip: 90, torques: [20] }, { ...idle, torques: [-20, 20] }, { ...idle, slip: 30e5, torques: [-20, 0] }, { ...idle, torques: [0, 0, 0] }, { ...idle, torques: [0, 0, 0] }],
    wheels: WHEELS.map((_, i) => wheel(i)),
  };
}

/** A controller and two rules, one of which acts. */
export const LOGIC: Logic[] = [
  { name: "cruise", kind: "pid", enabled: true, active: true, value: 0.42, state: null, message: null, count: 0, last: null },
  { name: "overspeed", kind: "rule", enabled: true, active: true, value: 1, state: null, message: "Speed above the limit", count: 1, last: 2 },
  { name: "anti-roll", kind: "rule", enabled: true, active: false, value: 0, state: null, message: null, count: 0, last: null },
];

/** Places of the bodies at a time, and the block of the vehicles. */
export function driving(t: number): { bodies: Float32Array; vehicles: Float32Array } {
  const now = carAt(t);
  // locked wheels do not turn
  const rolled = carAt(Math.min(t, BRAKES)).way;
  const first = stand(CAR, now, rolled, t >= CURVE && t < BRAKES ? 0.07 : 0);
  const second = stand(LOADER, { x: 2, y: 6, heading: 0 }, 0, 0);
  return { bodies: new Float32Array([0, 0, 0, ...straight, ...first.places, ...second.places]), vehicles: writeBlock([carState(t, first.points), loaderState(t, second.points)]) };
}
