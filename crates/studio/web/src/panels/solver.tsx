import * as store from "../store";
import { STAGES, type Stage } from "../protocol";
import { history } from "../history";
import { Panel } from "./panel";
import { quantity } from "./units";

const NAMES: Record<Stage, string> = { force: "Forces", collide: "Collision", constrain: "Constraints", partition: "Islands", solve: "Solve", integrate: "Integrate" };

/** Values over which the time of a stage is taken: two seconds of them. */
const LATEST = 20;

/** The median of the latest times of a stage [µs]: a single step may have been interrupted by another program. */
export function usualTime(times: number[]): number {
  const sorted = times.slice(-LATEST).sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}

/** Where the energy is, and where the time of a step goes. */
export function SolverPanel() {
  const s = store.status.value;
  const scene = store.scene.value;
  if (!s || !scene) {
    return (
      <Panel title="Energy and solver" side="right" onClose={() => (store.rightPanel.value = null)}>
        <p class="empty">Open a scene to see its energies and the cost of a step.</p>
      </Panel>
    );
  }
  const { kinetic, potential, elastic } = s.energy;
  const energies: [string, number, string][] = [
    ["Kinetic", kinetic, "var(--series-1)"],
    ["Potential", potential, "var(--series-2)"],
    ["Elastic", elastic, "var(--series-3)"],
  ];
  const widest = Math.max(1e-12, ...energies.map(([, v]) => Math.abs(v)));
  const total = kinetic + potential + elastic;
  const totals = history.column("energy.total").values;
  const times = Object.fromEntries(STAGES.map((stage) => [stage, usualTime(history.column(`stage.${stage}`).values)])) as Record<Stage, number>;
  const step = STAGES.reduce((sum, stage) => sum + times[stage], 0);
  const budget = scene.dt * 1e6;
  return (
    <Panel title="Energy and solver" side="right" onClose={() => (store.rightPanel.value = null)}>
      <h3>Energy</h3>
      <dl class="bars">
        {energies.map(([name, value, color]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <span class="bar">
                <i style={{ width: `${(Math.abs(value) / widest) * 100}%`, background: color }} />
              </span>
              <b>{quantity(value, "J")}</b>
            </dd>
          </div>
        ))}
      </dl>
      <dl class="facts">
        <div>
          <dt>Total</dt>
          <dd>{quantity(total, "J")}</dd>
        </div>
        <div>
          <dt>Since the first plot point</dt>
          <dd>{totals.length > 1 ? quantity(total - totals[0]!, "J") : "–"}</dd>
        </div>
      </dl>
      <h3>A step takes {quantity(step * 1e-6, "s")}</h3>
      <div class="stack" role="img" aria-label={STAGES.map((stage) => `${NAMES[stage]} ${times[stage]} µs`).join(", ")}>
        {STAGES.map((stage, i) => (
          <i key={stage} title={`${NAMES[stage]}: ${quantity(times[stage] * 1e-6, "s")}`} style={{ flexGrow: Math.max(0.001, times[stage]), background: `var(--series-${i + 1})` }} />
        ))}
      </div>
      <ul class="stack-key">
        {STAGES.map((stage, i) => (
          <li key={stage}>
            <i style={{ background: `var(--series-${i + 1})` }} />
            <span>{NAMES[stage]}</span>
            <b>{quantity(times[stage] * 1e-6, "s")}</b>
          </li>
        ))}
      </ul>
      <div class="budget" title={`A step advances ${quantity(scene.dt, "s")} of simulated time`}>
        <span class="bar">
          <i style={{ width: `${Math.min(100, (step / budget) * 100)}%` }} />
        </span>
        <small>{((step / budget) * 100).toFixed(1)} % of the time a step stands for</small>
      </div>
      <dl class="facts">
        {[
          ["Step size", quantity(scene.dt, "s")],
          ["Step", s.step.toLocaleString("en").replaceAll(",", " ")],
          ["Bodies", String(scene.bodies.length)],
          ["Joints", String(scene.joints.length)],
          ["Contacts", String(s.contacts)],
          ["Islands", String(s.islands)],
          ["Headroom", `${s.headroom.toFixed(1)}×`],
        ].map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
