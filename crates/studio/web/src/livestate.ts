/** Names that can be sampled → rows of the inspector for what is selected: vectors in one row, coordinates with what they are. */

export interface Row {
  label: string;
  /** One name, or those of x, y and z. */
  names: string[];
  unit: string;
}

const LABELS: Record<string, string> = {
  position: "Position",
  velocity: "Velocity",
  speed: "Speed",
  angular_velocity: "Angular velocity",
  contact_force: "Contact force",
  contact_torque: "Contact torque",
  force: "Reaction force",
  torque: "Reaction torque",
  tension: "Tension",
  length: "Length",
  slack: "Slack",
  paid_out: "Paid out",
  max_curvature: "Largest curvature",
};
const ORDER = Object.keys(LABELS);

/** A name as it stands in the names of probes. */
export function quoted(name: string): string {
  if (!/[.,()=*"']/.test(name) && name.trim() === name) return name;
  return name.includes('"') ? `'${name}'` : `"${name}"`;
}

/** A quantity such as bodies."a.b".speed, or its beginning → section, name without quotes, and the rest. */
export function partsOf(quantity: string): { section: string; name: string; rest: string } {
  const [, section = "", name = "", rest = ""] = /^(\w+)\.("[^"]*"|'[^']*'|[^.]*)\.?(.*)$/.exec(quantity) ?? [];
  return { section, name: name.replace(/^(["'])(.*)\1$/, "$2"), rest };
}

/** Rows for an entry such as joints.pin, of the names that begin with one of its prefixes. */
export function rowsFor(section: string, name: string, known: ReadonlyMap<string, string>): Row[] {
  const prefixes = [`${section}.${quoted(name)}.`, `${section}.${name}.`];
  // a rod is a joint; its tension is told as that of a line
  if (section === "joints") prefixes.push(`cables.${quoted(name)}.tension`);
  const groups = new Map<string, Row>();
  for (const [probe, unit] of known) {
    const prefix = prefixes.find((p) => probe.startsWith(p));
    if (prefix === undefined) continue;
    const rest = prefix.endsWith(".tension") ? ["tension"] : probe.slice(prefix.length).split(".");
    const coordinate = /^\d+$/.test(rest[0]!);
    const key = coordinate ? rest.join(".") : rest[0]!;
    const row = groups.get(key);
    if (row) row.names.push(probe);
    else groups.set(key, { label: coordinate ? coordinateLabel(rest, unit) : (LABELS[key] ?? key.replaceAll("_", " ")), names: [probe], unit });
  }
  const several = [...groups.keys()].some((key) => key.startsWith("2."));
  for (const [key, row] of groups) if (several && /^\d/.test(key)) row.label += ` ${key.split(".")[0]}`;
  // coordinates first
  const rank = (key: string) => (/^\d/.test(key) ? -1 : ORDER.indexOf(key));
  return [...groups.entries()].sort(([a], [b]) => rank(a) - rank(b)).map(([, row]) => row);
}

function coordinateLabel([, word]: string[], unit: string): string {
  const turns = unit.startsWith("rad") || unit === "N*m";
  if (word === "value") return turns ? "Angle" : "Displacement";
  if (word === "speed") return turns ? "Angular rate" : "Rate";
  return turns ? "Drive torque" : "Drive force";
}

/** Numbers → the path of a line in a box, newest at the right, over some seconds; the box is filled from its least to its largest value. */
export function sparkline(columns: { times: number[]; values: number[] }[], seconds: number, width: number, height: number): string[] {
  const end = Math.max(-Infinity, ...columns.map((c) => c.times[c.times.length - 1] ?? -Infinity));
  const since = end - seconds;
  const parts = columns.map(({ times, values }) => {
    const start = times.findIndex((t) => t >= since);
    return start < 0 ? { times: [], values: [] } : { times: times.slice(start), values: values.slice(start) };
  });
  const all = parts.flatMap((p) => p.values);
  if (all.length === 0) return columns.map(() => "");
  let [low, high] = [Math.min(...all), Math.max(...all)];
  // what is constant to round-off is drawn as a level line
  const least = 1e-6 * Math.max(Math.abs(low), Math.abs(high), 1e-3);
  if (high - low < least) [low, high] = [low - least, high + least];
  return parts.map(({ times, values }) => {
    // one point per pixel at most
    const stride = Math.max(1, Math.ceil(times.length / width));
    const points: string[] = [];
    for (let i = (times.length - 1) % stride; i < times.length; i += stride) {
      const x = ((times[i]! - since) / seconds) * width;
      const y = height - ((values[i]! - low) / (high - low)) * height;
      points.push(`${x.toFixed(1)} ${y.toFixed(1)}`);
    }
    return points.length > 1 ? `M${points.join("L")}` : "";
  });
}
