/** The text that is being typed → its errors: the server checks it half a second after the last change, without using it. */
import { effect } from "@preact/signals";
import * as store from "../store";
import { send } from "../link";

/** Time after the last change before a text is checked [ms]. */
const PAUSE = 500;

/** Checks what is typed from now on; gives a way to end that. */
export function validateTyped(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const typed = () => store.broken.value?.text ?? store.draft.value;
  const check = () => {
    const toml = typed();
    if (toml === null || !store.mayDrive.peek()) return;
    send({ do: "validate", id: store.broken.peek()?.id ?? null, toml }, (answer) => {
      if (typed() !== toml) return true;
      // another text is being checked: this one in a moment
      if (answer.type !== "errors") timer = setTimeout(check, PAUSE);
      // a list that "Apply" opened stays open while it is the same
      else if (answer.text !== store.errors.peek()?.text) store.errors.value = answer.problems.length > 0 ? { ...answer, live: true } : null;
      return true;
    });
  };
  const stop = effect(() => {
    clearTimeout(timer);
    if (typed() !== null) timer = setTimeout(check, PAUSE);
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}
