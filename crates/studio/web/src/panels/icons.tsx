/** Line icons on a grid of 24. */
const PATHS: Record<string, string> = {
  raise: "M3 19c5 0 5-9 9-9s4 9 9 9M12 7V2M9.500 4.500L12 2l2.500 2.500",
  lower: "M3 8c5 0 5 11 9 11s4-11 9-11M12 3v9M9.500 9.500L12 12l2.500-2.500",
  level: "M3 17h18M6 17c0-5 3-5 4-9M18 17c0-3-2-4-3-7M9 4h6",
  scenes: "M4 5h7v6H4zM13 5h7v6h-7zM4 13h7v6H4zM13 13h7v6h-7z",
  tree: "M5 4v14h5M5 9h5M12 7h8v4h-8zM12 16h8v4h-8z",
  text: "M8 7l-5 5 5 5M16 7l5 5-5 5M14 4l-4 16",
  plots: "M4 4v16h16M7 15l4-5 3 3 5-7",
  dockRight: "M4 5h16v14H4zM14 5v14",
  dockBottom: "M4 5h16v14H4zM4 13h16",
  overlays: "M12 4l9 5-9 5-9-5zM3 13l9 5 9-5",
  train: "M3 9h5v6H3zM16 4h5v5h-5zM16 15h5v5h-5zM8 12h4M12 12l4-5M12 12l4 5",
  fold: "M6 15l6-6 6 6",
  unfold: "M6 9l6 6 6-6",
  solver: "M5 20V10M10 20V4M15 20v-7M20 20V8",
  play: "M7 4l13 8-13 8z",
  pause: "M7 4v16M17 4v16",
  start: "M6 4v16M19 4L9 12l10 8z",
  back: "M12 5l-9 7 9 7zM21 5l-9 7 9 7z",
  on: "M12 5l9 7-9 7zM3 5l9 7-9 7z",
  stepBack: "M17 5L8 12l9 7zM5 5v14",
  stepOn: "M7 5l9 7-9 7zM19 5v14",
  reset: "M4 12a8 8 0 1 0 3-6.200M4 3v5h5",
  flag: "M6 21V4M6 4h12l-3 4 3 4H6",
  branch: "M6 4v16M6 14c8 0 11-3 11-9M13 8l4-4 4 4",
  four: "M4 5h16v14H4zM12 5v14M4 12h16",
  frame: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5M9 12h6M12 9v6",
  camera: "M4 7h11v10H4zM15 11l5-3v8l-5-3",
  picture: "M4 7h4l2-2h4l2 2h4v12H4zM12 10a3 3 0 1 0 .01 0",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  sun: "M12 8a4 4 0 1 0 .01 0M12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M5 19l2-2M17 7l2-2",
  moon: "M20 14a8 8 0 1 1-9-11 7 7 0 0 0 9 11z",
  help: "M9 9a3 3 0 1 1 4 3c-1 .6-1 1-1 2M12 18v.1",
  tension: "M3 17c6 0 5-10 9-10s3 10 9 10",
  contact: "M4 20h16M12 17V5M8 9l4-4 4 4",
  axis: "M4 20L20 4M9 9l6 6M14 4h6v6",
  assembly: "M3 9h6v6H3zM13 5h8v4h-4v6h4v4h-8zM9 12h5",
  stop: "M7 7h10v10H7z",
  grid: "M4 4h16v16H4zM4 12h16M12 4v16",
  glasses: "M3 9h7v6H3zM14 9h7v6h-7zM10 11h4",
  close: "M6 6l12 12M18 6L6 18",
  people: "M8 11a3 3 0 1 0-.01 0M3 20c0-4 2-6 5-6s5 2 5 6M16 11a3 3 0 1 0-.01 0M15 14c4-1 6 2 6 6",
  plus: "M12 5v14M5 12h14",
  save: "M12 4v11M7 10l5 5 5-5M4 20h16",
  build: "M14 4l6 6-3 3-6-6zM12 9L4 17v3h3l8-8M4 4l4 4",
  move: "M12 3v18M3 12h18M12 3l-2.500 2.500M12 3l2.500 2.500M12 21l-2.500-2.500M12 21l2.500-2.500M3 12l2.500-2.500M3 12l2.500 2.500M21 12l-2.500-2.500M21 12l-2.500 2.500",
  turn: "M19 12a7 7 0 1 1-2.500-5.400M20 3v5h-5",
  scale: "M4 20h7v-7H4zM13 11l7-7M15 4h5v5",
  magnet: "M6 4v8a6 6 0 0 0 12 0V4h-4v8a2 2 0 0 1-4 0V4zM6 8h4M14 8h4",
  undo: "M9 6L4 11l5 5M4 11h10a5 5 0 0 1 0 10h-3",
  redo: "M15 6l5 5-5 5M20 11H10a5 5 0 0 0 0 10h3",
  copy: "M8 8h12v12H8zM16 8V4H4v12h4",
  mirror: "M12 3v18M9 7L3 17h6zM15 7l6 10h-6z",
  array: "M3 9h5v6H3zM10 9h5v6h-5zM17 9h4v6h-4z",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v6M14 11v6",
  inspector: "M4 5h16M4 12h16M4 19h16M8 3v4M15 10v4M10 17v4",
  disk: "M5 4h12l3 3v13H4V4zM8 4v5h7V4M7 20v-6h10v6",
  export: "M12 15V4M7 9l5-5 5 5M4 15v5h16v-5",
  sphere: "M12 4a8 8 0 1 0 .01 0M4 12c4 3 12 3 16 0",
  box: "M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8",
  cylinder: "M5 6c0-2.600 14-2.600 14 0v12c0 2.600-14 2.600-14 0zM5 6c0 2.600 14 2.600 14 0",
  capsule: "M7 9a5 5 0 0 1 10 0v6a5 5 0 0 1-10 0zM7 9c2 2 8 2 10 0M7 15c2 2 8 2 10 0",
  cone: "M12 3l7 15c0 2.600-14 2.600-14 0z",
  plane: "M3 15l6-7h12l-6 7z",
  point: "M12 9a3 3 0 1 0 .01 0M12 3v3M12 18v3M3 12h3M18 12h3",
  mesh: "M12 3l9 6-3 11H6L3 9zM3 9h18M12 3L6 20M12 3l6 17",
  compound: "M3 13h12v7H3zM9 4h8v8H9z",
  rod: "M5 19L19 5M3.500 19a1.500 1.500 0 1 0 3 0a1.500 1.500 0 1 0-3 0M17.500 5a1.500 1.500 0 1 0 3 0a1.500 1.500 0 1 0-3 0",
  rope: "M4 6c2 14 14 14 16 0",
  spring: "M3 12h3l1.500-5 3 10 3-10 3 10 1.500-5h3",
  damper: "M3 12h6M9 7v10M7 7h8v10H7M15 12h6",
  weld: "M3 8h8v8H3zM13 8h8v8h-8zM11 5l2 14M13 5l-2 14",
  ball: "M12 9a5 5 0 1 0 .01 0M5 8a9 9 0 0 1 14 0M12 19v3",
  hinge: "M12 12a3 3 0 1 0 .01 0M12 12a3 3 0 1 1-.01 0M3 12h6M15 12h6M12 3v5M12 16v5",
  slider: "M3 8h18M3 16h18M8 10h8v4H8z",
  universal: "M12 3v18M3 12h18M7 7a7 7 0 0 1 10 0M7 17a7 7 0 0 0 10 0",
  screw: "M8 3h8M12 3v18M8 8l8 3M8 12l8 3M8 16l8 3",
  planar: "M3 16l6-8h12l-6 8zM12 12h.1",
  force: "M4 20L18 6M10 5h9v9",
  cable: "M3 6c4 0 3 12 9 12s5-12 9-12",
  along: "M3 18c5 0 4-11 9-11s4 5 9 4M2 16h3v4H2zM10 5h4v4h-4zM19 9h3v4h-3z",
  cut: "M3 8c4 0 5 2 7 4M14 12c2 2 3 4 7 4M10 5l4 14",
  splice: "M3 8c4 0 6 8 9 8s5-8 9-8M3 16c4 0 6-8 9-8s5 8 9 8",
  distance: "M3 12h18M3 8v8M21 8v8M7 10l-2 2 2 2M17 10l2 2-2 2",
  angle: "M4 19L19 5M4 19h16M12 19a8 8 0 0 0-2-5.500",
  foundation: "M3 14h18v6H3zM8 14V8h8v6",
  beam: "M4 20L18 6l2 2L6 22zM3 20h6",
  hook: "M7 3h10v7H7zM12 10v4a3 3 0 1 1-3 3M12 6v.1",
  winch: "M5 6h14v12H5zM9 6v12M12 6v12M15 6v12M2 12h3M19 12h3",
  route: "M4 21V9a4 4 0 0 1 8 0v6a4 4 0 0 0 8 0V4",
  pulley: "M12 5a7 7 0 1 0 .01 0M12 10a2 2 0 1 0 .01 0M5 12v9M19 12v9",
  ring: "M12 4a5 5 0 1 0 .01 0M12 14v7M3 9h18",
  motor: "M4 8h11v9H4zM15 11h5v3h-5M7 5v3M11 5v3M3 20h14",
  servo: "M12 12L18 6M12 12a1 1 0 1 0 .01 0M5 17a9 9 0 1 1 14 0",
  lever: "M12 18L17 5M15 4a2 2 0 1 0 4 1M4 18h16v3H4z",
  record: "M12 7a5 5 0 1 0 .01 0",
  split: "M4 5h16v14H4zM12 5v14",
  ghost: "M6 20V10a6 6 0 0 1 12 0v10l-3-2-3 2-3-2zM10 10v.1M14 10v.1",
  select: "M5 3l14 8-6 2-3 6z",
  more: "M5 12h.1M12 12h.1M19 12h.1",
  sound: "M4 10v4h4l5 4V6l-5 4zM16 9a4 4 0 0 1 0 6M18.500 6.500a8 8 0 0 1 0 11",
  mute: "M4 10v4h4l5 4V6l-5 4zM16 9l5 6M21 9l-5 6",
  warn: "M12 4L2 20h20zM12 10v5M12 17.500v.1",
};

export function Icon({ name }: { name: string }) {
  const solid = ["play", "start", "back", "on", "stepBack", "stepOn"].includes(name);
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" fill={solid ? "currentColor" : "none"} stroke="currentColor" stroke-width={name === "pause" || name === "more" ? 4 : 1.8} stroke-linecap="round" stroke-linejoin="round">
      <path d={PATHS[name]} />
    </svg>
  );
}

export function IconButton(props: { icon: string; label: string; onClick: () => void; pressed?: boolean; disabled?: boolean; class?: string }) {
  return (
    <button
      type="button"
      class={`icon-button ${props.class ?? ""}`}
      title={props.label}
      aria-label={props.label}
      aria-pressed={props.pressed}
      disabled={props.disabled}
      onClick={props.onClick}
    >
      <Icon name={props.icon} />
    </button>
  );
}
