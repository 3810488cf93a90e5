/** Tools of the top bar that a narrow screen has no room for: one button that opens them as a sheet. On wide screens they stand in the bar. */
import type { ComponentChildren } from "preact";
import { useSignal } from "@preact/signals";
import { Icon } from "./icons";
import { useAway } from "./menu";

export function More({ children }: { children: ComponentChildren }) {
  const open = useSignal(false);
  const root = useAway(() => (open.value = false));
  const escape = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !open.value) return;
    open.value = false;
    event.stopPropagation();
    root.current?.querySelector<HTMLElement>(".more-button")?.focus();
  };
  /** What was chosen is done; a menu within stays. */
  const chosen = (event: MouseEvent) => {
    const button = (event.target as HTMLElement).closest("button");
    if (button && !button.hasAttribute("aria-haspopup")) open.value = false;
  };
  return (
    <div class="more" ref={root} onKeyDown={escape}>
      <button type="button" class="icon-button more-button" title="More tools" aria-label="More tools" aria-expanded={open.value} onClick={() => (open.value = !open.value)}>
        <Icon name="more" />
      </button>
      <div class={`more-tools ${open.value ? "open" : ""}`} onClick={chosen}>
        {children}
      </div>
    </div>
  );
}
