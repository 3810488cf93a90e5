/** Unsaved work to be taken up again: of a studio that ended, of this browser, or left for another scene. */
import { signal } from "@preact/signals";
import * as store from "../store";
import { send } from "../link";
import { when } from "../copies";
import { drop, kept, leaveFor, takeUp } from "../work";
import { Icon, IconButton } from "./icons";

interface Offer {
  key: string;
  name: string;
  at: number;
  recovered: boolean;
  restore: () => void;
  discard: () => void;
}

/** The name by which a file is known, or the title of what has none. */
const nameOf = (file: string, title: string) => file.split(/[/\\]/).pop() || title;

function offers(): Offer[] {
  const served = (store.status.value?.drafts ?? []).map((draft) => ({
    key: `draft ${draft.id}`,
    name: nameOf(draft.file, draft.title),
    at: draft.time * 1000,
    recovered: draft.recovered,
    restore: () => leaveFor(`restoring ${draft.title}`, (discard) => send({ do: "restore", id: draft.id, discard })),
    discard: () => send({ do: "discard", id: draft.id }),
  }));
  const own = kept.value.map((work) => ({
    key: `copy ${work.at}`,
    name: nameOf(work.file, work.title),
    at: work.at,
    recovered: true,
    restore: () => takeUp(work),
    discard: () => drop(work),
  }));
  return [...served, ...own];
}

/** Offers that were put off until later; they stay in the list of scenes. */
const later = signal<string[]>([]);

/** Over the picture: the newest of what was lost with a studio or a tab. */
export function Recovered() {
  if (!store.mayDrive.value) return null;
  const lost = offers().filter((o) => o.recovered && !later.value.includes(o.key));
  const first = lost[0];
  if (!first) return null;
  return (
    <div class="offer" role="alert">
      <Icon name="disk" />
      <span>
        Unsaved changes to <strong>{first.name}</strong> from {when(first.at)} were recovered.
        {lost.length > 1 && <small> {lost.length - 1} more under Scenes.</small>}
      </span>
      <button type="button" class="primary" onClick={first.restore}>
        Restore
      </button>
      <button type="button" onClick={first.discard}>
        Discard
      </button>
      <IconButton icon="close" label="Later" onClick={() => (later.value = [...later.value, ...lost.map((o) => o.key)])} />
    </div>
  );
}

/** In the list of scenes: all of them. */
export function Drafts() {
  const all = offers();
  if (all.length === 0) return null;
  const off = !store.mayDrive.value;
  return (
    <section class="drafts" aria-label="Drafts">
      <h3>Drafts</h3>
      <ul>
        {all.map((o) => (
          <li key={o.key}>
            <span>
              {o.name} <small>{when(o.at)}</small>
            </span>
            <button type="button" class="small" disabled={off} onClick={() => (o.restore(), (store.leftPanel.value = null))}>
              Restore
            </button>
            <button type="button" class="small" disabled={off} onClick={o.discard}>
              Discard
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
