/** Who has control: a viewer asks for it, the one who has it hands over or declines, and a countdown tells when silence decides. */
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

/** In the head of the page: how many are there, and for a viewer the way to control. */
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
    <div class="group crew" aria-label="Control">
      {people}
      {mine ? (
        <>
          <span role="status">
            Asked for control<span aria-hidden="true">, {left} s</span>
          </span>
          <button type="button" onClick={() => send({ do: "withdraw" })}>
            Cancel
          </button>
        </>
      ) : hello.again && left > 0 ? (
        <span role="status">
          Declined<span aria-hidden="true">; ask again in {left} s</span>
        </span>
      ) : (
        <button
          type="button"
          class="primary"
          disabled={!!asked}
          title={asked ? "Another viewer has asked" : hello.driver == null ? "Nobody has control" : "Another browser has control: it is asked, and has 15 s to answer"}
          onClick={() => send({ do: "drive" })}
        >
          Take control
        </button>
      )}
    </div>
  );
}

/** Over the picture of the one who has control: somebody asks for it. */
export function ControlRequest() {
  const hello = store.hello.value;
  const asked = hello?.role === "driver" ? hello.request : null;
  const left = useCountdown(asked?.seconds);
  if (!asked) return null;
  return (
    <div class="offer" role="alert">
      <Icon name="people" />
      <span>
        Viewer {asked.client} asks for control. Without an answer, control passes in <strong aria-hidden="true">{left} s</strong>
        <span class="sr">a few seconds</span>.
      </span>
      <button type="button" class="primary" onClick={() => send({ do: "hand_over" })}>
        Hand over
      </button>
      <button type="button" onClick={() => send({ do: "decline" })}>
        Keep control
      </button>
    </div>
  );
}
