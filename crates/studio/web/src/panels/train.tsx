/** The drive train as a graph: components with their torques, shafts with their speeds, lines coloured by the flow of power. */
import { computed } from "@preact/signals";
import { chosen, states, trainOpen, vehicles } from "../vehicle/now";
import { flowOf, layoutTrain, powerOf, widthOf, type Box, type End, type Link, type Train } from "../vehicle/layout";
import { gearOf, gripOf, RPM } from "../vehicle/gauge";
import type { Vehicle, VehicleState } from "../vehicle/protocol";
import { IconButton } from "./icons";
import { quantity } from "./units";

/** Size of a box, and what a column and a row take [px]. */
const BOX = { w: 118, h: 46 };
const PITCH = { x: 192, y: 53 };
const MARGIN = 10;

const TITLES: Record<string, string> = { engine: "engine", electric_motor: "electric motor", clutch: "clutch", torque_converter: "torque converter", gearbox: "gearbox", gear: "gears", differential: "differential", brake: "brake", retarder: "retarder", hydrostatic: "hydrostatic circuit" };

const layout = computed(() => {
  const vehicle = vehicles.value[chosen.value];
  return vehicle ? layoutTrain(vehicle) : null;
});

const rpm = (spin: number) => `${Math.round(spin / RPM)} rpm`.replace("-", "−");
const words = (name: string) => name.replaceAll("_", " ");

export function TrainDock() {
  const vehicle = vehicles.value[chosen.value];
  const state = states.value[chosen.value];
  const train = layout.value;
  if (!trainOpen.value || !vehicle || !state || !train) return null;
  const width = (train.columns - 1) * PITCH.x + BOX.w + 2 * MARGIN;
  const height = (train.rows - 1) * PITCH.y + BOX.h + 2 * MARGIN;
  return (
    <section class="train-dock" aria-label="Drive train">
      <header>
        <h2>Drive train{vehicles.value.length > 1 ? ` of ${vehicle.name}` : ""}</h2>
        <span class="train-key ahead">→ driving</span>
        <span class="train-key back">← braking</span>
        <IconButton icon="close" label="Close drive train" onClick={() => (trainOpen.value = false)} />
      </header>
      {/* wider than a phone: it is scrolled, also by keys */}
      <div class="train-scroll" tabIndex={0} role="group" aria-label="Components and shafts">
        <svg viewBox={`0 0 ${width} ${height}`} style={{ width: `${width}px`, height: `${height}px` }} role="img" aria-label={summary(vehicle, train, state)}>
          {train.links.map((link, i) => (
            <Line key={i} train={train} link={link} state={state} vehicle={vehicle} />
          ))}
          {train.boxes.map((box, i) => (
            <Node key={i} box={box} vehicle={vehicle} state={state} />
          ))}
        </svg>
      </div>
    </section>
  );
}

const corner = (box: Box): [number, number] => [MARGIN + box.column * PITCH.x, MARGIN + box.row * PITCH.y];

/** Where a line meets a box: inputs at the left, outputs at the right, one below the other. */
function portAt(vehicle: Vehicle, train: Train, { box: at, port }: End, out: boolean): [number, number] {
  const box = train.boxes[at]!;
  const [x, y] = corner(box);
  const part = box.component === null ? null : vehicle.components[box.component]!;
  const [count, index] = !part ? [1, 0] : out && port >= part.inputs ? [part.shafts.length - part.inputs, port - part.inputs] : [Math.max(1, part.inputs), Math.min(port, Math.max(0, part.inputs - 1))];
  return [x + (out ? BOX.w : 0), y + (BOX.h * (index + 1)) / (count + 1)];
}

function Line({ vehicle, train, link, state }: { vehicle: Vehicle; train: Train; link: Link; state: VehicleState }) {
  const [x0, y0] = portAt(vehicle, train, link.from, true);
  const [x1, y1] = portAt(vehicle, train, link.to, false);
  const power = powerOf(train, link, state);
  const flow = flowOf(power);
  const bend = Math.max(24, (x1 - x0) / 2);
  // an arrow in the direction of the power, at the end where it arrives
  const tip = flow === "back" ? `M${x0 + 1} ${y0}l8 -4v8z` : `M${x1 - 1} ${y1}l-8 -4v8z`;
  return (
    <g class={`train-line ${flow}`}>
      <path d={`M${x0} ${y0}C${x0 + bend} ${y0} ${x1 - bend} ${y1} ${x1} ${y1}`} stroke-width={widthOf(power).toFixed(1)} />
      {flow !== "none" && <path class="tip" d={tip} />}
      {train.boxes[link.to.box]!.wheel === null && (
        <text x={x1 - 10} y={y1 - 8}>
          {rpm(state.spins[link.shaft]!)}
        </text>
      )}
    </g>
  );
}

/** What stands in a box: a title, the torque, and what is special of its kind. */
function linesOf(vehicle: Vehicle, state: VehicleState, box: Box): [string, string, string] {
  if (box.wheel !== null) {
    const wheel = vehicle.wheels[box.wheel]!;
    const now = state.wheels[box.wheel]!;
    const spin = wheel.shaft === null ? null : state.spins[wheel.shaft]!;
    const brake = box.brakes.reduce((sum, k) => sum + Math.abs(state.components[k]!.torques[0]!), 0);
    const last = box.brakes.length > 0 ? `brake ${quantity(brake < 0.5 ? 0 : brake, "N*m")}` : `load ${quantity(now.load, "N")}`;
    const grip = gripOf(now);
    return [words(wheel.name), grip === "grips" && spin !== null ? rpm(spin) : grip, last];
  }
  const component = vehicle.components[box.component!]!;
  const now = state.components[box.component!]!;
  // what a component takes at its input is what it transmits
  const torque = (component.inputs > 0 && component.kind !== "brake" ? -1 : 1) * (now.torques[0] ?? 0);
  const text = quantity(Math.abs(torque) < 0.05 ? 0 : torque, "N*m");
  const name = words(component.name);
  switch (component.kind) {
    case "gearbox": {
      const gear = gearOf(vehicle, state);
      return [name, text, gear ? `gear ${gear.label} ${gear.detail}`.trim() : ""];
    }
    case "hydrostatic":
      return [name, text, quantity(now.slip, "Pa")];
    case "clutch":
    case "torque_converter":
      return [name, text, `slip ${rpm(now.slip)}`];
    case "engine":
      return [name, text, `${quantity(torque * now.slip, "W")}`];
    default:
      return [name, text, component.name === component.kind ? "" : (TITLES[component.kind] ?? "")];
  }
}

function Node({ box, vehicle, state }: { box: Box; vehicle: Vehicle; state: VehicleState }) {
  const [x, y] = corner(box);
  const [title, torque, extra] = linesOf(vehicle, state, box);
  const middle = x + BOX.w / 2;
  return (
    <g class={`train-box ${box.wheel !== null ? "wheel" : ""}`}>
      <rect x={x} y={y} width={BOX.w} height={BOX.h} rx={box.wheel !== null ? 16 : 6} />
      <text class="title" x={middle} y={y + 14}>
        {title}
      </text>
      <text class="torque" x={middle} y={y + 29}>
        {torque}
      </text>
      <text class="extra" x={middle} y={y + 42}>
        {extra}
      </text>
    </g>
  );
}

function summary(vehicle: Vehicle, train: Train, state: VehicleState): string {
  return train.boxes.map((box) => linesOf(vehicle, state, box).filter(Boolean).join(", ")).join("; ");
}
