/** A button that opens a list of choices; it closes by Escape, and by a click elsewhere. */
import type { ComponentChildren, RefObject } from "preact";
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "./icons";

/** Calls `close` when the pointer goes down outside of the element that is given the reference. */
export function useAway(close: () => void): RefObject<HTMLDivElement | null> {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const away = (event: PointerEvent) => {
      if (!root.current?.contains(event.target as Node)) close();
    };
    addEventListener("pointerdown", away);
    return () => removeEventListener("pointerdown", away);
  }, []);
  return root;
}

/** `children` makes the list; it is given what closes the menu. */
export function Menu({ icon, label, look = "", list = "", children }: { icon: string; label: string; look?: string; list?: string; children: (close: () => void) => ComponentChildren }) {
  const open = useSignal(false);
  const close = () => {
    open.value = false;
  };
  const root = useAway(close);
  const escape = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !open.value) return;
    close();
    event.stopPropagation();
    root.current?.querySelector("button")?.focus();
  };
  return (
    <div class="menu" ref={root} onKeyDown={escape}>
      <button type="button" class={`icon-button ${look}`} title={label} aria-label={label} aria-haspopup="menu" aria-expanded={open.value} onClick={() => (open.value = !open.value)}>
        <Icon name={icon} />
      </button>
      {open.value && (
        <div class={`menu-list ${list}`} role="menu">
          {children(close)}
        </div>
      )}
    </div>
  );
}
