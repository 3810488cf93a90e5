import * as store from "../store";
import { byBending } from "../overlays";
import { colorOf, cssOf, gradientOf, SCALES } from "../earth/colors";
import { earthMode, earthSpan } from "../earth/now";
import { HEAT_CSS } from "../view/tube";
import { quantity } from "./units";

/** What the colours of the cables and of the ground mean. */
export function Legend() {
  return (
    <>
      <CableLegend />
      <GroundLegend />
    </>
  );
}

function CableLegend() {
  const bending = byBending.value;
  if (!(store.byTension.value || bending) || (store.scene.value?.lines.length ?? 0) === 0) return null;
  const [low, high] = store.tensionSpan.value;
  const unit = bending ? "1/m" : "N";
  return <Scale title={bending ? "Curvature" : "Tension"} bar={`linear-gradient(to right, ${HEAT_CSS})`} ends={[quantity(low, unit), quantity(high, unit)]} />;
}

function Scale({ title, bar, ends }: { title: string; bar: string; ends: string[] }) {
  return (
    <div class="legend">
      <span>{title}</span>
      <div class="legend-bar" style={{ background: bar }} />
      <div class="legend-ends">
        {ends.map((end) => (
          <span key={end}>{end}</span>
        ))}
      </div>
    </div>
  );
}

/** Soils by their colours, or the scale of a number. */
function GroundLegend() {
  const grounds = store.scene.value?.grounds ?? [];
  if (grounds.length === 0) return null;
  const mode = earthMode.value;
  const [low, high] = earthSpan.value;
  if (mode === "height") return <Scale title="Height" bar={gradientOf(SCALES.height)} ends={[quantity(low, "m"), quantity(high, "m")]} />;
  if (mode === "compaction") return <Scale title="Relative density" bar={gradientOf(SCALES.compaction)} ends={["loose", "dense"]} />;
  if (mode === "cut") return <Scale title="Cut and fill" bar={gradientOf(SCALES.cut)} ends={[quantity(low, "m"), "0", `+${quantity(high, "m")}`]} />;
  const soils = new Map(grounds.flatMap((ground) => ground.soils.map((soil) => [soil.name, soil] as const)));
  // one soil needs no explanation
  if (soils.size < 2) return null;
  return (
    <div class="legend">
      <span>Soil</span>
      <ul class="legend-soils">
        {[...soils.values()].map((soil) => (
          <li key={soil.name}>
            <i style={{ background: cssOf(colorOf(soil).bank) }} />
            {soil.name.replaceAll("_", " ")}
          </li>
        ))}
      </ul>
    </div>
  );
}
