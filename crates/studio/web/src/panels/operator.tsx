/** The operator's part of the panel of a scene with tools or cylinders: what the tool carries and meets, soil moved, pressures. */
import * as store from "../store";
import { figures, type Figures } from "../earth/now";
import type { Cylinder, Ground, Tool, ToolState } from "../earth/protocol";
import { fillOf, movedOf, pressureEnd } from "../earth/gauge";
import { quantity } from "./units";

export const hasOperator = () => (store.scene.value?.tools?.length ?? 0) + (store.scene.value?.cylinders?.length ?? 0) > 0;

/** The most important number, for a panel of one line. */
export function OperatorLine() {
  const now = figures.value;
  const tools = store.scene.value?.tools ?? [];
  if (!now || tools.length === 0) return null;
  const load = now.state.tools.reduce((sum, tool) => sum + Math.max(0, tool.load), 0);
  return (
    <p class="dash-line">
      <span>
        Load <b>{quantity(load, "kg")}</b>
      </span>
    </p>
  );
}

export function Operator() {
  const now = figures.value;
  const scene = store.scene.value;
  if (!now || !scene) return null;
  const { tools = [], cylinders = [], grounds = [] } = scene;
  return (
    <div class="dash-earth">
      {tools.map((tool, i) => (
        <ToolRow key={tool.name} tool={tool} now={now.state.tools[i]!} ground={grounds[tool.ground]} />
      ))}
      {tools.length > 0 && grounds.length > 0 && <Moved grounds={grounds} now={now} />}
      {cylinders.length > 0 && <Pressures key={scene.id} cylinders={cylinders} now={now} />}
    </div>
  );
}

function ToolRow({ tool, now, ground }: { tool: Tool; now: ToolState; ground: Ground | undefined }) {
  const load = Math.max(0, now.load);
  const fill = fillOf(tool, now, ground);
  const title = tool.name.replaceAll("_", " ");
  return (
    <section class="dash-tool" aria-label={`Tool ${title}`}>
      <header>
        <h3>{title}</h3>
        <b>{quantity(load, "kg")}</b>
      </header>
      {fill !== null && (
        <div class="dash-fill" role="meter" aria-label={`Fill of ${title}`} aria-valuemin={0} aria-valuemax={100} aria-valuenow={Math.min(100, Math.round(100 * fill))} title={`Of ${tool.capacity!.toFixed(2)} m³ between face and end plates`}>
          <span class="bar">
            <i class={fill > 1.1 ? "heaped" : ""} style={{ width: `${Math.min(100, 100 * fill)}%` }} />
          </span>
          <small>{Math.round(100 * fill)} %</small>
        </div>
      )}
      <dl class="dash-facts wide">
        <Fact name="Draft" value={quantity(Number.isFinite(now.draft) ? now.draft : 0, "N")} />
        <Fact name="Down force" value={quantity(now.down, "N")} />
        <Fact name="Depth" value={quantity(Math.max(0, now.depth), "m")} />
      </dl>
    </section>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** Volumes against the start, and the mass that was cut. */
function Moved({ grounds, now }: { grounds: Ground[]; now: Figures }) {
  const { cut, fill, mass } = movedOf(grounds, now.volumes);
  return (
    <dl class="dash-facts wide" aria-label="Soil moved">
      <Fact name="Soil moved" value={quantity(mass, "kg")} />
      <Fact name="Cut" value={`${cut.toFixed(2)} m³`} />
      <Fact name="Fill" value={`${fill.toFixed(2)} m³`} />
    </dl>
  );
}

/** A bar for each side; the scale is common, and grows with the largest pressure. */
function Pressures({ cylinders, now }: { cylinders: Cylinder[]; now: Figures }) {
  const end = pressureEnd(now.state.pressures.flat());
  return (
    <section class="dash-pressures" aria-label="Pressures">
      {cylinders.map((cylinder, i) => {
        const own = now.state.pressures[i]!;
        const title = cylinder.name.split(".").at(-1)!.replaceAll("_", " ");
        return (
          <div key={cylinder.name} class="dash-pedal" title={cylinder.name}>
            <span>{title}</span>
            <span class="sides">
              {own.map((pressure, side) => (
                <span key={side} class="bar" role="meter" aria-label={`Pressure ${title}${own.length > 1 ? ` ${"AB"[side]}` : ""}`} aria-valuemin={0} aria-valuemax={Math.round(end / 1e5)} aria-valuenow={Math.round(pressure / 1e5)} aria-valuetext={quantity(pressure, "Pa")}>
                  <i style={{ width: `${Math.min(100, (100 * pressure) / end)}%` }} />
                </span>
              ))}
            </span>
            <small>{quantity(own.reduce((a, b) => Math.max(a, b), 0), "Pa")}</small>
          </div>
        );
      })}
    </section>
  );
}
