import { useSignal } from "@preact/signals";
import * as store from "../store";
import { send } from "../link";
import { Panel } from "./panel";

/** The gallery. */
export function ScenesPanel() {
  const search = useSignal("");
  const all = store.hello.value?.scenes ?? [];
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = all.filter((s) => words.every((w) => `${s.id} ${s.title} ${s.about}`.toLowerCase().includes(w)));
  const open = (id: string) => {
    send({ do: "open", id });
    store.leftPanel.value = null;
  };
  return (
    <Panel title="Scenes" side="left" onClose={() => (store.leftPanel.value = null)}>
      {all.length > 8 && <input class="search" type="search" placeholder="Search scenes" aria-label="Search scenes" value={search.value} onInput={(e) => (search.value = e.currentTarget.value)} />}
      <ul class="gallery">
        {found.map((s) => (
          <li key={s.id}>
            <button type="button" aria-current={store.scene.value?.id === s.id} disabled={!store.mayDrive.value} onClick={() => open(s.id)}>
              <strong>{s.title}</strong>
              <span>{s.about}</span>
              <small>{s.id}</small>
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="empty">{all.length === 0 ? "The server offers no scenes. Start it with a file or a folder: windlass studio scenes/" : "Nothing by that name."}</p>}
    </Panel>
  );
}
