/** Buttons of the palette for machines, cables and observation, and what the tool in hand leaves to choose. */
import * as store from "../store";
import { HEIGHTS, RADII } from "../build/brush";

export const MACHINE_BUTTONS: { icon: string; label: string; about: string; tool: store.Tool }[] = [
  { icon: "foundation", label: "Foundation", about: "A block of concrete that does not move", tool: { kind: "add", form: "foundation" } },
  { icon: "beam", label: "Beam", about: "A steel beam between two points, welded to the body it begins on", tool: { kind: "beam" } },
  { icon: "hook", label: "Hook block", about: "A block for a sheave, with a shank below", tool: { kind: "add", form: "hook" } },
  { icon: "winch", label: "Winch", about: "A drum with motor and brake, on a face of a body", tool: { kind: "winch" } },
  { icon: "route", label: "Routed rope", about: "A rope from a winch or a fixed point over pulleys and through rings to another", tool: { kind: "route", next: "pulley" } },
  { icon: "pulley", label: "Pulley", about: "Puts a pulley into a routed rope", tool: { kind: "insert", point: "pulley" } },
  { icon: "ring", label: "Ring", about: "Puts a ring, through which it slides, into a routed rope", tool: { kind: "insert", point: "ring" } },
  { icon: "motor", label: "Motor", about: "Drives the speed of a joint between two bodies; makes a hinge if there is none", tool: { kind: "drive", drive: "motor" } },
  { icon: "servo", label: "Servo", about: "Drives the position of a joint between two bodies; makes a hinge if there is none", tool: { kind: "drive", drive: "servo" } },
  { icon: "lever", label: "Lever", about: "An operator input for a winch, a motor or a servo", tool: { kind: "lever" } },
];

export const CABLE_BUTTONS: { icon: string; label: string; about: string; tool: store.Tool }[] = [
  { icon: "cut", label: "Cut", about: "Cuts a flexible cable where it is clicked", tool: { kind: "cut" } },
  { icon: "splice", label: "Splice", about: "Closes a cut of a cable, or joins the free ends of two", tool: { kind: "splice" } },
];

export const OBSERVE_BUTTONS: { icon: string; label: string; about: string; tool: store.Tool }[] = [
  { icon: "plots", label: "Probe", about: "Logs a quantity of a body, a joint, a winch or a rope", tool: { kind: "probe" } },
  { icon: "camera", label: "Camera", about: "A camera that looks as you do now, fixed to the world or to a body", tool: { kind: "camera" } },
  { icon: "distance", label: "Distance", about: "Distance between two points; it stays on the picture", tool: { kind: "measure", what: "distance" } },
  { icon: "angle", label: "Angle", about: "Angle at a point between two others; it stays on the picture", tool: { kind: "measure", what: "angle" } },
];

const BRUSH = { kind: "brush", radius: 1, height: 0.25 } as const;
export const GROUND_BUTTONS: { icon: string; label: string; about: string; tool: store.Tool }[] = [
  { icon: "raise", label: "Raise", about: "Paints a ridge on the ground", tool: { ...BRUSH, way: "raise" } },
  { icon: "lower", label: "Lower", about: "Paints a ditch into the ground", tool: { ...BRUSH, way: "lower" } },
  { icon: "level", label: "Level", about: "Paints the ground to the height where the stroke begins", tool: { ...BRUSH, way: "level" } },
];

/** Choices for the next click of the tool in hand. */
function choices(tool: store.Tool): { title: string; options: [string, store.Tool][] }[] {
  if (tool.kind === "brush") {
    return [
      { title: "Radius of the brush", options: RADII.map((radius) => [`⌀ ${2 * radius} m`, { ...tool, radius }]) },
      { title: "Height of a stroke", options: HEIGHTS.map((height) => [`${height} m`, { ...tool, height }]) },
    ];
  }
  const one = choice(tool);
  return one ? [one] : [];
}

function choice(tool: store.Tool): { title: string; options: [string, store.Tool][] } | null {
  if (tool.kind === "route") return { title: "Next point", options: [["Pulley", { kind: "route", next: "pulley" }], ["Ring", { kind: "route", next: "ring" }], ["End", { kind: "route", next: "attach" }]] };
  if (tool.kind === "cable") return { title: "Length", options: [["Taut", { kind: "cable", slack: false }], ["Slack", { kind: "cable", slack: true }]] };
  return null;
}

export function ToolOptions() {
  const tool = store.tool.value;
  return <>{choices(tool).map((found) => (
    <span key={found.title} class="segments" role="group" aria-label={found.title}>
      {found.options.map(([label, next]) => (
        <button key={label} type="button" class="small" aria-pressed={JSON.stringify(tool) === JSON.stringify(next)} onClick={(e) => ((store.tool.value = next), e.currentTarget.blur())}>
          {label}
        </button>
      ))}
    </span>
  ))}</>;
}
