/** Asks what to do with unsaved work before it is left. */
import { useEffect, useRef } from "preact/hooks";
import * as store from "../store";
import { keepTyped, saveAndGo } from "../work";

export function Leave() {
  const leaving = store.leaving.value;
  return leaving ? <LeaveBox {...leaving} /> : null;
}

function LeaveBox({ what, go }: { what: string; go: (discard: boolean) => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const shut = () => (store.leaving.value = null);
  const then = (act: () => void) => () => {
    shut();
    act();
  };
  const name = store.scene.value?.title ?? "this scene";
  return (
    <dialog ref={dialog} class="ask leave" aria-label="Unsaved changes" onClose={shut}>
      <form onSubmit={(e) => (e.preventDefault(), then(() => saveAndGo(() => go(false)))())}>
        <h2>Save changes to {name}?</h2>
        <p>It has unsaved changes. Choose what to do with them before {what}.</p>
        <p class="dim">A draft is kept under Scenes until it is restored or discarded.</p>
        <footer>
          <button type="button" onClick={shut}>
            Cancel
          </button>
          <span class="stretch" />
          <button type="button" onClick={then(() => go(true))}>
            Discard
          </button>
          <button type="button" onClick={then(() => (keepTyped(), go(false)))}>
            Keep as draft
          </button>
          <button type="submit" class="primary" autofocus>
            Save
          </button>
        </footer>
      </form>
    </dialog>
  );
}
