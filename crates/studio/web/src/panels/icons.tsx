/** Line icons on a grid of 24. */
const PATHS: Record<string, string> = {
  scenes: "M4 5h7v6H4zM13 5h7v6h-7zM4 13h7v6H4zM13 13h7v6h-7z",
  tree: "M5 4v14h5M5 9h5M12 7h8v4h-8zM12 16h8v4h-8z",
  text: "M8 7l-5 5 5 5M16 7l5 5-5 5M14 4l-4 16",
  plots: "M4 4v16h16M7 15l4-5 3 3 5-7",
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
  one: "M4 5h16v14H4z",
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
  grid: "M4 4h16v16H4zM4 12h16M12 4v16",
  glasses: "M3 9h7v6H3zM14 9h7v6h-7zM10 11h4",
  close: "M6 6l12 12M18 6L6 18",
  plus: "M12 5v14M5 12h14",
  save: "M12 4v11M7 10l5 5 5-5M4 20h16",
  warn: "M12 4L2 20h20zM12 10v5M12 17.500v.1",
};

export function Icon({ name }: { name: string }) {
  const solid = ["play", "start", "back", "on", "stepBack", "stepOn"].includes(name);
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" fill={solid ? "currentColor" : "none"} stroke="currentColor" stroke-width={name === "pause" ? 4 : 1.8} stroke-linecap="round" stroke-linejoin="round">
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
