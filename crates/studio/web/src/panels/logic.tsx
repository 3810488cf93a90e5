/** Controllers and rules of the machine with their values, each with a switch; a rule that is active shows its message. */
import * as store from "../store";
import type { Logic } from "../protocol";
import { send } from "../link";
import { digits } from "./units";
import "./logic.css";

/** What a controller or rule does now, in a few characters. */
export function stateOf(item: Logic): string {
  if (!item.enabled) return "off";
  if (item.kind === "rule") return item.active ? "active" : "ready";
  if (!item.active) return "waiting";
  return item.state ?? digits(item.value);
}

export function LogicList() {
  const items = store.status.value?.logic ?? [];
  if (items.length === 0) return null;
  return (
    <section class="logic" aria-label="Controllers and rules">
      {items.map((item) => (
        <label key={item.name} class={`logic-item ${item.kind === "rule" && item.active ? "tripped" : ""}`} title={`${item.name} (${item.kind})`}>
          <input type="checkbox" role="switch" checked={item.enabled} disabled={!store.mayDrive.value} onChange={(e) => send({ do: "switch", name: item.name, on: e.currentTarget.checked })} />
          <span class="logic-name">{item.name}</span>
          <span class="logic-value">{stateOf(item)}</span>
          {item.kind === "rule" && item.active && item.message && <span class="logic-message">{item.message}</span>}
        </label>
      ))}
    </section>
  );
}
