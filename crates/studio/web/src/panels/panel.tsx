import type { ComponentChildren } from "preact";
import { Grip, remembersSize } from "./grip";
import { IconButton } from "./icons";

/** A panel at the side of the picture, with its name and a way to close it; one with a `size` can be made wider and remembers it. */
export function Panel(props: { title: string; side: "left" | "right"; wide?: boolean; size?: string; tools?: ComponentChildren; onClose: () => void; children: ComponentChildren }) {
  const width = props.size ? remembersSize(props.size) : null;
  return (
    <aside class={`panel ${props.side} ${props.wide ? "wide" : ""}`} aria-label={props.title} style={width?.value ? { "--size": `${width.value}px` } : {}}>
      {width && <Grip edge={props.side === "left" ? "right" : "left"} size={width} label={`Width of ${props.title}`} />}
      <header>
        <h2>{props.title}</h2>
        {props.tools}
        <IconButton icon="close" label={`Close ${props.title.toLowerCase()}`} onClick={props.onClose} />
      </header>
      <div class="panel-body">{props.children}</div>
    </aside>
  );
}
