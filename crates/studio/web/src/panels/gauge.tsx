/** A round gauge: scale with numbers, a red range, a needle, the number in the middle. */
import { angleOf, arc, pointAt, SWEEP, type Scale } from "../vehicle/gauge";

export function Gauge(props: { label: string; unit: string; value: number; scale: Scale; /** Numbers on the scale are divided by it. */ per?: number; red?: number; text: string }) {
  const { max, step } = props.scale;
  const ticks = Array.from({ length: Math.round(max / step) + 1 }, (_, i) => i * step);
  const isRed = props.red !== undefined && props.value >= props.red;
  const at = (value: number) => angleOf(value, max);
  return (
    <svg class="gauge" viewBox="-50 -50 100 92" role="meter" aria-label={props.label} aria-valuemin={0} aria-valuemax={max} aria-valuenow={Math.min(max, Math.max(0, props.value))} aria-valuetext={`${props.text} ${props.unit}`}>
      <path class="gauge-arc" d={arc(-SWEEP, SWEEP, 45)} />
      {props.red !== undefined && props.red < max && <path class="gauge-red" d={arc(at(props.red), SWEEP, 45)} />}
      {ticks.map((value) => {
        const [a, b, c] = [42, 47, 34.5].map((r) => pointAt(at(value), r)) as [[number, number], [number, number], [number, number]];
        return (
          <g key={value}>
            <line class="gauge-tick" x1={a[0]} y1={a[1]} x2={b[0]} y2={b[1]} />
            <text class="gauge-number" x={c[0]} y={c[1]}>
              {Number((value / (props.per ?? 1)).toPrecision(6))}
            </text>
          </g>
        );
      })}
      <path class={`gauge-needle ${isRed ? "red" : ""}`} d="M-1.4 6L0 -40L1.4 6Z" transform={`rotate(${at(props.value).toFixed(1)})`} />
      <circle class="gauge-hub" r="4" />
      <text class={`gauge-value ${isRed ? "red" : ""}`} y="27">
        {props.text}
      </text>
      <text class="gauge-unit" y="38">
        {props.unit}
      </text>
    </svg>
  );
}
