import { useSignal } from "@preact/signals";
import * as store from "../store";
import { send } from "../link";
import { chooseScene } from "../files";
import { toggleBuild } from "../build/actions";
import { leaveFor } from "../work";
import { Drafts } from "./drafts";
import { Icon } from "./icons";
import { Panel } from "./panel";

/** The gallery. */
export function ScenesPanel() {
  const search = useSignal("");
  const all = store.hello.value?.scenes ?? [];
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = all.filter((s) => words.every((w) => `${s.id} ${s.title} ${s.about}`.toLowerCase().includes(w)));
  const open = (id: string, title: string) =>
    leaveFor(`opening ${title}`, (discard) => {
      send({ do: "open", id, discard });
      store.leftPanel.value = null;
    });
  const fresh = () =>
    leaveFor("beginning a new scene", (discard) => {
      send({ do: "new", discard });
      store.leftPanel.value = null;
      if (!store.building.value) toggleBuild();
    });
  return (
    <Panel title="Scenes" side="left" onClose={() => (store.leftPanel.value = null)}>
      {all.length > 8 && <input class="search" type="search" placeholder="Search scenes" aria-label="Search scenes" value={search.value} onInput={(e) => (search.value = e.currentTarget.value)} />}
      <div class="gallery-tools">
        <button type="button" class="primary" disabled={!store.mayDrive.value} onClick={fresh}>
          <Icon name="plus" /> New scene
        </button>
        <button type="button" disabled={!store.mayDrive.value} onClick={chooseScene} title="Open a scene file from this computer, or drop one on the page">
          Open a file …
        </button>
      </div>
      <Drafts />
      <ul class="gallery">
        {found.map((s) => (
          <li key={s.id}>
            <button type="button" aria-current={store.scene.value?.id === s.id} disabled={!store.mayDrive.value} onClick={() => open(s.id, s.title)}>
              <Thumbnail id={s.id} />
              <strong>{s.title}</strong>
              <span>{s.about}</span>
              <small>{s.id}</small>
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="empty">{all.length === 0 ? "The server lists no scenes. Start it with a file or a folder: windlass studio scenes/" : "No matches."}</p>}
    </Panel>
  );
}

/** The picture kept when the scene was last seen, else a sign of its kind. */
function Thumbnail({ id }: { id: string }) {
  void store.thumbnails.value;
  const kept = store.remembered(`thumb.${id}`);
  if (kept) return <img class="thumb" src={kept} alt="" loading="lazy" />;
  const signs: [RegExp, string][] = [
    [/crane|winch|elevator|robot|anchor|gantry|load/, "contact"],
    [/cable|rope|hang|knot|harness|hoist/, "cable"],
    [/contact|stack|domino|arch|card|terrain|bounc/, "box"],
    [/cradle|pendulum|chain/, "rod"],
    [/gear|gyro|top|governor/, "turn"],
  ];
  return (
    <span class="thumb sign" aria-hidden="true">
      <Icon name={signs.find(([word]) => word.test(id))?.[1] ?? "hinge"} />
    </span>
  );
}
