import * as store from "../store";
import { byBending } from "../overlays";
import { HEAT_CSS } from "../view/tube";
import { quantity } from "./units";

/** What the colours of the cables mean. */
export function Legend() {
  const bending = byBending.value;
  if (!(store.byTension.value || bending) || (store.scene.value?.lines.length ?? 0) === 0) return null;
  const [low, high] = store.tensionSpan.value;
  const unit = bending ? "1/m" : "N";
  return (
    <div class="legend">
      <span>{bending ? "Curvature" : "Tension"}</span>
      <div class="legend-bar" style={{ background: `linear-gradient(to right, ${HEAT_CSS})` }} />
      <div class="legend-ends">
        <span>{quantity(low, unit)}</span>
        <span>{quantity(high, unit)}</span>
      </div>
    </div>
  );
}
