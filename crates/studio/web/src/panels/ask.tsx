/** Small questions in a box over the page: a name to save by, how to mirror, how many and how far apart. */
import { useSignal } from "@preact/signals";
import * as store from "../store";
import { send } from "../link";
import { arrayChosen, mirrorChosen } from "../build/actions";
import { freeName } from "../build/numbers";
import { take } from "../build/tools";
import { AskAlong, AskProbe } from "./ask-machine";
import { Box } from "./box";
import { CountField, isCount, MOST_COPIES } from "./count";
import type { Vec3 } from "../protocol";

export function Ask() {
  switch (store.asking.value) {
    case "save":
      return <AskSave />;
    case "mirror":
      return <AskMirror />;
    case "array":
      return <AskArray />;
    case "mesh":
      return <AskMesh />;
    case "probe":
      return <AskProbe />;
    case "along":
      return <AskAlong />;
    default:
      return null;
  }
}

function AskSave() {
  const title = store.scene.value?.title ?? "";
  const taken = store.hello.value?.scenes.map((s) => s.id.replace(/\.toml$/, "")) ?? [];
  const name = useSignal(title.toLowerCase() === "untitled" ? freeName("machine", taken) : title);
  const { problem, then } = store.saving.value;
  const done = () => {
    if (!name.value.trim()) return;
    send({ do: "save", name: name.value.trim() }, (answer) => {
      if (answer.type === "refused") store.saving.value = { problem: answer.why, then };
      if (answer.type === "saved") then?.();
      return true;
    });
  };
  return (
    <Box title="Save as" action="Save" onDone={done}>
      <label>
        Name
        <input autofocus required maxLength={80} placeholder="five balls" onFocus={(e) => e.currentTarget.select()} value={name.value} onInput={(e) => (name.value = e.currentTarget.value)} />
      </label>
      {problem && (
        <p class="field-error" role="alert">
          {problem}
        </p>
      )}
      <p class="dim">A scene file of this name is written in the folder the studio was started in.</p>
    </Box>
  );
}

function AskMirror() {
  const mirror = (axis: 0 | 1 | 2) => {
    mirrorChosen(axis);
    store.asking.value = null;
  };
  const axis = useSignal<0 | 1 | 2>(0);
  return (
    <Box title="Mirror" action="Mirror" onDone={() => mirror(axis.value)}>
      <fieldset>
        <legend>A mirrored copy, in the plane through the origin normal to</legend>
        {(["x", "y", "z"] as const).map((name, i) => (
          <label key={name} class="inline">
            <input type="radio" name="axis" checked={axis.value === i} onChange={() => (axis.value = i as 0 | 1 | 2)} /> {name}
          </label>
        ))}
      </fieldset>
    </Box>
  );
}

function AskArray() {
  const count = useSignal(5);
  const offset = useSignal<Vec3>([0.5, 0, 0]);
  const done = () => {
    const n = Math.round(count.value);
    if (!isCount(n) || !offset.value.every(Number.isFinite)) return store.notify(`Enter 2 to ${MOST_COPIES} copies and an offset.`, "bad");
    arrayChosen(n, offset.value);
    store.asking.value = null;
  };
  return (
    <Box title="Array" action="Make" onDone={done}>
      <CountField count={count} />
      <fieldset>
        <legend>Offset of each copy in x, y, z [m]</legend>
        <div class="three">
          {offset.value.map((v, i) => (
            <input key={i} type="number" step="any" aria-label={`Distance along ${"xyz"[i]}`} value={v} onInput={(e) => (offset.value = offset.value.map((o, k) => (k === i ? Number(e.currentTarget.value) : o)) as Vec3)} />
          ))}
        </div>
      </fieldset>
      <p class="dim">Joints between the bodies, and those to static bodies, are copied with them.</p>
    </Box>
  );
}

function AskMesh() {
  const file = useSignal(store.remembered("mesh") ?? "");
  const done = () => {
    store.remember("mesh", file.value.trim());
    store.asking.value = null;
    take({ kind: "add", form: "mesh" });
  };
  return (
    <Box title="Mesh file" action="Place" onDone={done}>
      <label>
        A closed mesh in the scene's folder
        <input autofocus required placeholder="bracket.stl" pattern=".*\.(stl|obj|gltf|glb)" value={file.value} onInput={(e) => (file.value = e.currentTarget.value)} />
      </label>
      <p class="dim">.stl, .obj, .gltf or .glb. Then click its position in the view.</p>
    </Box>
  );
}
