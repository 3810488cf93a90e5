/** A question in a box over the page: its fields, a button that cancels and one that does it. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import * as store from "../store";

export function Box(props: { title: string; action: string; onDone: () => void; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="ask" aria-label={props.title} onClose={() => (store.asking.value = null)}>
      <form
        onSubmit={(e) => {
          e.preventDefault();
          props.onDone();
        }}
      >
        <h2>{props.title}</h2>
        {props.children}
        <footer>
          <button type="button" onClick={() => (store.asking.value = null)}>
            Cancel
          </button>
          <button type="submit" class="primary">
            {props.action}
          </button>
        </footer>
      </form>
    </dialog>
  );
}
