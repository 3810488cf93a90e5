import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import * as store from "../store";
import * as plots from "../plots";
import { current } from "../view/stage";
import { toggleBuild } from "../build/actions";
import { ExportMenu } from "./export";
import { Crew } from "./crew";
import { Icon, IconButton } from "./icons";
import { More } from "./more";
import { ShowMenu } from "./show";

export function TopBar() {
  const scene = store.scene.value;
  const left = (panel: store.LeftPanel) => () => (store.leftPanel.value = store.leftPanel.value === panel ? null : panel);
  const right = (panel: store.RightPanel) => () => (store.rightPanel.value = store.rightPanel.value === panel ? null : panel);
  return (
    <header class="topbar">
      <div class="brand">
        <img src="/icon.svg" alt="" />
        <h1>Windlass</h1>
      </div>
      <nav class="group" aria-label="Panels at the left">
        <button type="button" class="scene-button" aria-pressed={store.leftPanel.value === "scenes"} onClick={left("scenes")} title={scene ? `${scene.title}: choose another scene` : "Choose a scene"}>
          <Icon name="scenes" />
          <span>{scene?.title ?? "Choose a scene"}</span>
        </button>
        <IconButton icon="tree" label="Bodies, joints and cables" pressed={store.leftPanel.value === "tree"} onClick={left("tree")} />
        <IconButton icon="text" label="Scene text" pressed={store.leftPanel.value === "text"} onClick={left("text")} />
        <button type="button" class="build-button" aria-pressed={store.building.value} disabled={!store.building.value && (!scene || !store.mayDrive.value)} onClick={toggleBuild} title="Build: add, move and connect bodies (E)">
          <Icon name="build" />
          <span>Build</span>
        </button>
      </nav>
      <span class="stretch" />
      <More>
        <div class="group" role="toolbar" aria-label="View">
          <CameraMenu />
          <IconButton icon="frame" label="Frame the selection, or everything (F)" onClick={() => current.stage?.frameSelection()} />
          <IconButton icon="four" label="Four views (4)" pressed={store.views.value === 4} onClick={() => (store.views.value = store.views.value === 4 ? 1 : 4)} />
          <label class="select-icon" title="Stereo">
            <Icon name="glasses" />
            <span class="sr">Stereo</span>
            <select value={store.stereo.value} onChange={(e) => (store.stereo.value = e.currentTarget.value as store.Stereo)} aria-label="Stereo">
              <option value="off">Mono</option>
              <option value="anaglyph">Red–cyan</option>
              <option value="side">Side by side</option>
            </select>
          </label>
          <HeadsetButton />
        </div>
        <div class="group" role="toolbar" aria-label="Show">
          <IconButton icon="tension" label="Colour cables by tension (T)" pressed={store.byTension.value} onClick={() => (store.byTension.value = !store.byTension.value)} />
          <IconButton icon="contact" label="Contact forces (C)" pressed={store.showContacts.value} onClick={() => (store.showContacts.value = !store.showContacts.value)} />
          <IconButton icon="axis" label="Axes of joints and applied forces (J)" pressed={store.showAxes.value} onClick={() => (store.showAxes.value = !store.showAxes.value)} />
          <IconButton icon="grid" label="Ground grid" pressed={store.showGrid.value} onClick={() => (store.showGrid.value = !store.showGrid.value)} />
          <ShowMenu />
        </div>
        <div class="group">
          <IconButton icon="plots" label="Plots" pressed={plots.isOpen()} onClick={() => plots.open(!plots.isOpen())} />
          <IconButton icon="solver" label="Energy and solver" pressed={store.rightPanel.value === "solver"} onClick={right("solver")} />
          <IconButton icon="assembly" label="Assembly (A)" pressed={store.rightPanel.value === "assembly"} onClick={right("assembly")} />
          <IconButton icon="inspector" label="Inspector" pressed={store.rightPanel.value === "inspector"} onClick={right("inspector")} />
        </div>
        <div class="group">
          <ExportMenu />
          <IconButton icon={store.sound.value ? "sound" : "mute"} label="Sound" pressed={store.sound.value} onClick={() => (store.sound.value = !store.sound.value)} />
          <IconButton icon={store.theme.value === "dark" ? "sun" : "moon"} label={store.theme.value === "dark" ? "Light theme" : "Dark theme"} onClick={() => (store.theme.value = store.theme.value === "dark" ? "light" : "dark")} />
          <IconButton icon="help" label="Help (?)" onClick={() => (store.helpOpen.value = true)} />
        </div>
      </More>
      <Crew />
    </header>
  );
}

function CameraMenu() {
  const scene = store.scene.value;
  const mode = store.cameraMode.value;
  const chosen = store.selected.value;
  const movers = scene?.bodies.map((b, i) => ({ ...b, place: i })).filter((b) => b.kind !== "static") ?? [];
  // long scenes list only what is selected and the first few
  const offered = movers.filter((b, i) => i < 12 || (chosen?.kind === "body" && chosen.id === b.id));
  const value = mode.kind === "orbit" ? "orbit" : mode.kind === "scene" ? `scene ${mode.index}` : `${mode.kind} ${mode.body}`;
  const pick = (text: string) => {
    const [kind, n] = text.split(" ");
    const number = Number(n);
    store.cameraMode.value =
      kind === "scene" ? { kind, index: number } : kind === "follow" || kind === "mounted" || kind === "chase" ? { kind, body: number } : { kind: "orbit" };
  };
  return (
    <label class="select-icon" title="Camera">
      <Icon name="camera" />
      <span class="sr">Camera</span>
      <select value={value} aria-label="Camera" onChange={(e) => pick(e.currentTarget.value)}>
        <option value="orbit">Free camera</option>
        {(scene?.cameras.length ?? 0) > 0 && (
          <optgroup label="Scene cameras">
            {scene!.cameras.map((camera, i) => (
              <option key={camera.name} value={`scene ${i}`}>
                {camera.name}
              </option>
            ))}
          </optgroup>
        )}
        {(scene?.vehicles?.length ?? 0) > 0 && (
          <optgroup label="Chase">
            {scene!.vehicles!.map((v) => (
              <option key={v.name} value={`chase ${v.chassis}`}>
                Chase {v.name}
              </option>
            ))}
          </optgroup>
        )}
        <optgroup label="Follow">
          {offered.map((b) => (
            <option key={b.id} value={`follow ${b.place}`}>
              Follow {b.name}
            </option>
          ))}
        </optgroup>
        <optgroup label="Ride on">
          {offered.map((b) => (
            <option key={b.id} value={`mounted ${b.place}`}>
              Ride on {b.name}
            </option>
          ))}
        </optgroup>
      </select>
    </label>
  );
}

/** Shown only where a headset can be used. */
function HeadsetButton() {
  const there = useSignal(false);
  useEffect(() => {
    const xr = (navigator as Navigator & { xr?: XRSystem }).xr;
    xr?.isSessionSupported("immersive-vr").then(
      (yes) => (there.value = yes),
      () => undefined,
    );
  }, []);
  if (!there.value) return null;
  const enter = () => current.stage?.enterHeadset().catch((error: Error) => store.notify(`Cannot start the headset: ${error.message}`, "bad"));
  return (
    <button type="button" class="text-button" onClick={() => void enter()}>
      VR
    </button>
  );
}
