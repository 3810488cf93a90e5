/** The state of what is selected, as the server samples it: a number and a small curve for each quantity; a click plots it. */
import { useEffect } from "preact/hooks";
import { history } from "../history";
import { rowsFor, sparkline, type Row } from "../livestate";
import { probeUnits, watched } from "../measured";
import { plotBeside } from "../plots";
import * as store from "../store";
import { digits, unitFor } from "./units";

/** Seconds that a small curve shows, and its size. */
const SECONDS = 8;
const [WIDTH, HEIGHT] = [84, 24];
/** Forces and torques below this are residuals of the solver [N, N·m]. */
const ROUND_OFF = 1e-5;
const FORCES = new Set(["N", "N*m"]);

export function LiveState({ section, name }: { section: string; name: string }) {
  const rows = rowsFor(section, name, probeUnits.value);
  const names = rows.flatMap((row) => row.names);
  useEffect(() => {
    watched.value = names;
    return () => {
      // what was selected next may be watched already
      if (watched.value === names) watched.value = [];
    };
  }, [names.join("\n")]);
  // numbers come with each frame; they are shown as often as the status comes
  void store.status.value;
  if (rows.length === 0) return null;
  return (
    <details class="now" open>
      <summary>State</summary>
      <ul>
        {rows.map((row) => (
          <li key={row.names[0]}>
            <StateRow row={row} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function StateRow({ row }: { row: Row }) {
  const values = row.names.map((name) => store.sampled.values[name] ?? null);
  const largest = Math.max(...values.map((v) => Math.abs(v ?? 0)));
  // the residual of the solver is shown as 0
  const size = FORCES.has(row.unit) && largest < ROUND_OFF ? 0 : largest;
  const unit = unitFor(row.unit, size);
  const shown = (v: number | null) => (v === null ? "–" : digits(size < 1e-9 || Math.abs(v) < 1e-4 * size ? 0 : v / unit.size));
  const paths = sparkline(row.names.map((name) => history.column(name)), SECONDS, WIDTH, HEIGHT);
  return (
    <button type="button" class={`now-row ${row.names.length > 1 ? "triple" : ""}`} title={`Plot ${row.label.toLowerCase()}`} data-quantity={row.names[0]} onClick={() => plotBeside(row.names)}>
      <span class="now-label">
        {row.label} <small>{unit.name}</small>
      </span>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
        {paths.map((path, i) => (
          <path key={i} d={path} style={{ stroke: `var(--series-${row.names.length > 1 ? [5, 4, 1][i] : 1})` }} />
        ))}
      </svg>
      <span class="now-values">
        {values.map((v, i) => (
          <b key={i}>{shown(v)}</b>
        ))}
      </span>
    </button>
  );
}
