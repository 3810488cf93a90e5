/** The driver's panel of a scene with vehicles: gauges, gear, pedals, wheels in plan view, fuel and warnings. */
import { useRef } from "preact/hooks";
import * as store from "../store";
import { engineOf, fuelOf, gearOf, gripOf, RED, RPM, scaleTo, speedUnit, warningsOf, type Grip } from "../vehicle/gauge";
import { brief, choose, chosen, setBrief, states, trainOpen, vehicles } from "../vehicle/now";
import type { Vehicle, VehicleState } from "../vehicle/protocol";
import { Gauge } from "./gauge";
import { Icon, IconButton } from "./icons";
import { hasOperator, Operator, OperatorLine } from "./operator";
import { quantity, unitSystem } from "./units";

/** Ends of the scale of speeds, one after the other as they are passed: 60, 120 km/h and so on, or 20, 40 m/s. */
const SPEEDS = { "km/h": [60, 120, 180, 240, 360], "m/s": [20, 40, 60, 80, 100] } as Record<string, number[]>;

export function Dashboard() {
  const vehicle = vehicles.value[chosen.value];
  const state = states.value[chosen.value];
  const works = hasOperator();
  const short = brief.value;
  if (!vehicle || !state) return works ? <OperatorPanel short={short} /> : null;
  return (
    <section class={`dash ${short ? "brief" : ""}`} aria-label="Driver's panel">
      <header>
        {vehicles.value.length > 1 ? (
          <select aria-label="Vehicle" value={chosen.value} onChange={(e) => choose(Number(e.currentTarget.value))}>
            {vehicles.value.map((v, i) => (
              <option key={v.name} value={i}>
                {v.name}
              </option>
            ))}
          </select>
        ) : (
          !short && <h2>{vehicle.name}</h2>
        )}
        {short && <Line vehicle={vehicle} state={state} />}
        {short && works && <OperatorLine />}
        <IconButton icon="train" label="Drive train (D)" pressed={trainOpen.value} onClick={() => (trainOpen.value = !trainOpen.value)} />
        <IconButton icon={short ? "unfold" : "fold"} label={short ? "Show all gauges" : "Show one line"} onClick={() => setBrief(!short)} />
      </header>
      {!short && <Full vehicle={vehicle} state={state} />}
      {!short && works && <Operator />}
      <Warnings vehicle={vehicle} state={state} />
    </section>
  );
}

/** The panel of a machine that is no vehicle. */
function OperatorPanel({ short }: { short: boolean }) {
  return (
    <section class={`dash ${short ? "brief" : ""}`} aria-label="Operator's panel">
      <header>
        {short ? <OperatorLine /> : <h2>Operator</h2>}
        <IconButton icon={short ? "unfold" : "fold"} label={short ? "Show all gauges" : "Show one line"} onClick={() => setBrief(!short)} />
      </header>
      {!short && <Operator />}
    </section>
  );
}

type Shown = { vehicle: Vehicle; state: VehicleState };

function Warnings({ vehicle, state }: Shown) {
  const warnings = warningsOf(vehicle, state);
  return (
    <p class="dash-warnings" role="status">
      {warnings.map((warning) => (
        <span key={warning}>
          <Icon name="warn" />
          {warning}
        </span>
      ))}
    </p>
  );
}

/** Speed without the noise of a car at rest. */
function speedOf(state: VehicleState): { value: number; text: string; unit: string } {
  const { name, size } = speedUnit(unitSystem.value);
  const value = Math.abs(state.speed / size);
  return { value, text: value < 9.95 ? value.toFixed(1) : value.toFixed(0), unit: name };
}

function Line({ vehicle, state }: Shown) {
  const speed = speedOf(state);
  const gear = gearOf(vehicle, state);
  const engine = engineOf(vehicle);
  return (
    <p class="dash-line">
      <span>
        <b>{speed.text}</b> {speed.unit}
      </span>
      {gear && (
        <span>
          <b>{gear.label}</b> {gear.detail}
        </span>
      )}
      {engine !== null && (
        <span>
          <b>{rpmOf(vehicle, state, engine).toFixed(0)}</b> rpm
        </span>
      )}
    </p>
  );
}

function rpmOf(vehicle: Vehicle, state: VehicleState, engine: number): number {
  return Math.abs(state.spins[vehicle.components[engine]!.shafts[0]!]! / RPM);
}

function Full({ vehicle, state }: Shown) {
  const speed = speedOf(state);
  const engine = engineOf(vehicle);
  const gear = gearOf(vehicle, state);
  const fuel = fuelOf(vehicle, state);
  const { throttle, brake, clutch, retarder } = state.commands;
  // below 0 a motor drives back, and a pedal of an engine is the brake
  const motor = engine !== null && vehicle.components[engine]!.kind === "electric_motor";
  return (
    <div class="dash-body">
      <div class="dash-gauges">
        <SpeedGauge key={`${store.scene.value?.id}/${vehicle.name}/${speed.unit}`} {...speed} />
        {engine !== null && <EngineGauge vehicle={vehicle} state={state} engine={engine} />}
      </div>
      <div class="dash-pedals">
        {gear && (
          <p class="dash-gear" aria-label={`Gear ${gear.label} ${gear.detail}`}>
            <b>{gear.label}</b>
            <small>{gear.detail}</small>
          </p>
        )}
        <Pedal name="Throttle" value={motor ? Math.abs(throttle) : throttle} />
        <Pedal name="Brake" value={brake} bad />
        <Pedal name="Clutch" value={clutch} />
        <Pedal name="Retarder" value={retarder} />
        <dl class="dash-facts">
          {fuel !== null && (
            <div>
              <dt>Fuel used</dt>
              <dd>{quantity(fuel, "kg")}</dd>
            </div>
          )}
          <div>
            <dt>Distance</dt>
            <dd>{quantity(state.distance, "m")}</dd>
          </div>
        </dl>
      </div>
      <Wheels vehicle={vehicle} state={state} />
    </div>
  );
}

/** The scale grows with the speed, and stays. */
function SpeedGauge({ value, text, unit }: { value: number; text: string; unit: string }) {
  const ends = SPEEDS[unit]!;
  const end = useRef(ends[1]!);
  end.current = Math.max(end.current, ends.find((e) => value <= e) ?? ends[ends.length - 1]!);
  return <Gauge label="Speed" unit={unit} value={value} text={text} scale={scaleTo(end.current)} />;
}

function EngineGauge({ vehicle, state, engine }: Shown & { engine: number }) {
  const { max_speed: most, kind } = vehicle.components[engine]!;
  const value = rpmOf(vehicle, state, engine);
  // an engine without a limit has no red range
  const limit = most !== undefined && Number.isFinite(most) && most > 0 ? most / RPM : null;
  const scale = scaleTo(1.08 * (limit ?? Math.max(1000, value)));
  const per = scale.max >= 4000 ? 1000 : 1;
  const label = kind === "engine" ? "Engine speed" : "Motor speed";
  return <Gauge label={label} unit={per > 1 ? "rpm × 1000" : "rpm"} value={value} per={per} text={per > 1 ? (value / per).toFixed(1) : value.toFixed(0)} scale={scale} {...(limit !== null && { red: RED * limit })} />;
}

function Pedal({ name, value, bad }: { name: string; value: number; bad?: boolean }) {
  if (Number.isNaN(value)) return null;
  const part = Math.min(1, Math.max(0, value));
  return (
    <div class="dash-pedal" role="meter" aria-label={name} aria-valuemin={0} aria-valuemax={100} aria-valuenow={Math.round(100 * part)}>
      <span>{name}</span>
      <span class="bar">
        <i class={bad ? "bad" : ""} style={{ width: `${100 * part}%` }} />
      </span>
    </div>
  );
}

const SIGNS: Record<Grip, string> = { grips: "", slides: "slides", spins: "spins", locked: "locked", "in the air": "in the air" };

const percent = (part: number) => `${Math.round(100 * part) || 0} %`.replace("-", "−");

/** The wheels from above, ahead is up: turned as they are steered, filled by their loads, with load and slip beside them. */
function Wheels({ vehicle, state }: Shown) {
  const { wheels } = vehicle;
  if (wheels.length === 0) return null;
  const ahead = wheels.map((w) => w.position[0]);
  const left = wheels.map((w) => w.position[1]);
  const [top, low] = [Math.max(...ahead), Math.min(...ahead)];
  const half = Math.max(0.5, ...left.map(Math.abs));
  // rows of the picture are those of axles, so that labels of close ones have room
  const rows = new Set(ahead.map((x) => x.toFixed(1))).size;
  const height = Math.max(44, 34 * (rows - 1));
  const y = (x: number) => (top > low ? (height * (top - x)) / (top - low) : height / 2);
  const most = Math.max(1, ...state.wheels.map((w) => w.load)) * 1.1;
  const says = wheels.map((w, i) => {
    const now = state.wheels[i]!;
    return `${w.name.replaceAll("_", " ")} ${quantity(now.load, "N")}, slip ${percent(now.slip)}, ${gripOf(now)}`;
  });
  return (
    <svg class="dash-wheels" viewBox={`-68 -18 136 ${height + 36}`} role="img" aria-label={`Wheels: ${says.join("; ")}`}>
      <line class="dash-frame" x1="0" x2="0" y1={y(top)} y2={y(low)} />
      {wheels.map((wheel, i) => {
        const now = state.wheels[i]!;
        const grip = gripOf(now);
        const [x, at] = [(-18 * wheel.position[1]) / half, y(wheel.position[0])];
        const side = x > 0.1 ? 1 : -1;
        const part = now.load / most;
        return (
          <g key={wheel.name} class={`dash-wheel ${grip.replaceAll(" ", "-")}`}>
            <line class="dash-frame" x1="0" x2={x} y1={at} y2={at} />
            <g transform={`translate(${x.toFixed(1)} ${at.toFixed(1)}) rotate(${((-180 * now.steer) / Math.PI).toFixed(1)})`}>
              <rect x="-5.5" y="-13" width="11" height="26" rx="3.5" />
              <rect class="load" x="-5.5" y={13 - 26 * part} width="11" height={26 * part} rx="3.5" />
            </g>
            <text x={x + side * 9} y={at - 3} class={side > 0 ? "" : "end"}>
              {quantity(now.load, "N")}
            </text>
            <text x={x + side * 9} y={at + 9} class={`slip ${side > 0 ? "" : "end"}`}>
              {SIGNS[grip] || percent(now.slip)}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
