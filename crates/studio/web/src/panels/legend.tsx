import * as store from "../store";
import { HEAT_CSS } from "../view/tube";
import { quantity } from "./units";

/** What the colours of the cables mean. */
export function Legend() {
  if (!store.byTension.value || (store.scene.value?.lines.length ?? 0) === 0) return null;
  const [low, high] = store.tensionSpan.value;
  return (
    <div class="legend">
      <span>Tension</span>
      <div class="legend-bar" style={{ background: `linear-gradient(to right, ${HEAT_CSS})` }} />
      <div class="legend-ends">
        <span>{quantity(low, "N")}</span>
        <span>{quantity(high, "N")}</span>
      </div>
    </div>
  );
}
