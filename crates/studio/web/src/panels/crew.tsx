/** Who has the controls: a viewer asks for them, the one who has them hands over or declines, and a countdown tells when silence decides. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import * as store from "../store";
import { send } from "../link";
import { Icon } from "./icons";

/** Seconds left of a span that began when the server told of it; counts down once a second. */
function useCountdown(seconds: number | null | undefined): number {
  const left = useSignal(0);
  useEffect(() => {
    if (seconds == null) return;
    const end = performance.now() + seconds * 1000;
    const look = () => (left.value = Math.max(0, Math.ceil((end - performance.now()) / 1000)));
    look();
    const timer = setInterval(look, 250);
    return () => clearInterval(timer);
  }, [seconds, store.hello.value]);
  return seconds == null ? 0 : left.value;
}

/** In the head of the page: how many are there, and for a viewer the way to the controls. */
export function Crew() {
  const hello = store.hello.value;
  const asked = hello?.request ?? null;
  const mine = !!asked && asked.client === hello?.you;
  const left = useCountdown(mine ? asked.seconds : hello?.again);
  if (!hello || store.linkState.value.phase !== "open") return null;
  const people = hello.clients > 1 && (
    <span class="clients" title="Number of connected browsers">
      <Icon name="people" /> {hello.clients}
    </span>
  );
  if (hello.role === "driver") return <>{people}</>;
  return (
    <div class="group crew" aria-label="Controls">
      {people}
      {mine ? (
        <>
          <span role="status">Asked for the controls, {left} s</span>
          <button type="button" onClick={() => send({ do: "withdraw" })}>
            Cancel
          </button>
        </>
      ) : hello.again && left > 0 ? (
        <span role="status">Declined; ask again in {left} s</span>
      ) : (
        <button
          type="button"
          class="primary"
          disabled={!!asked}
          title={asked ? "Another viewer has asked" : hello.driver == null ? "Nobody has the controls" : "Another browser has the controls: it is asked, and has 15 s to answer"}
          onClick={() => send({ do: "drive" })}
        >
          Take the controls
        </button>
      )}
    </div>
  );
}

/** Over the picture of the one who has the controls: somebody asks for them. */
export function ControlRequest() {
  const hello = store.hello.value;
  const asked = hello?.role === "driver" ? hello.request : null;
  const left = useCountdown(asked?.seconds);
  if (!asked) return null;
  return (
    <div class="offer" role="alert">
      <Icon name="people" />
      <span>
        Viewer {asked.client} asks for the controls. Without an answer they pass in <strong>{left} s</strong>.
      </span>
      <button type="button" class="primary" onClick={() => send({ do: "hand_over" })}>
        Hand over
      </button>
      <button type="button" onClick={() => send({ do: "decline" })}>
        Keep them
      </button>
    </div>
  );
}
