import type { ComponentChildren } from "preact";
import { IconButton } from "./icons";

/** A panel at the side of the picture, with its name and a way to close it. */
export function Panel(props: { title: string; side: "left" | "right"; wide?: boolean; tools?: ComponentChildren; onClose: () => void; children: ComponentChildren }) {
  return (
    <aside class={`panel ${props.side} ${props.wide ? "wide" : ""}`} aria-label={props.title}>
      <header>
        <h2>{props.title}</h2>
        {props.tools}
        <IconButton icon="close" label={`Close ${props.title.toLowerCase()}`} onClick={props.onClose} />
      </header>
      <div class="panel-body">{props.children}</div>
    </aside>
  );
}
