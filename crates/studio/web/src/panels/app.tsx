/** The page: head with tools, the picture in the middle with its overlays, panels at both sides, the recorder at the foot. */
import { useEffect, useRef } from "preact/hooks";
import * as store from "../store";
import * as plots from "../plots";
import { current, splits, Stage } from "../view/stage";
import { attachPointer } from "../view/pointer";
import { TopBar } from "./topbar";
import { Levers } from "./levers";
import { LogicList } from "./logic";
import { Transport } from "./transport";
import { ContextLost, FaultBanner, Help, Hints, Notices, Tooltip, Waiting } from "./overlays";
import { ScenesPanel } from "./scenes";
import { TreePanel } from "./tree";
import { TextPanel } from "./text";
import { PlotsDock, PlotsPanel } from "./plots";
import { SolverPanel } from "./solver";
import { AssemblyPanel } from "./assembly";
import { Legend } from "./legend";
import { InspectorPanel } from "./inspector";
import { BuildBar, Marquee, Palette, ToolHint } from "./palette";
import { DragReadout } from "./handles";
import { ViewCube } from "./viewcube";
import { NameLists } from "./field";
import { Measures } from "./measures";
import { Ask } from "./ask";
import { Dashboard } from "./dashboard";
import { TrainDock } from "./train";
import { Exports } from "./export";
import { GhostName, SplitNames } from "./points";
import { Leave } from "./leave";
import { Recovered } from "./drafts";
import { ControlRequest } from "./crew";
import { keepThumbnail } from "../files";

export function App() {
  return (
    <div class={`page ${store.building.value ? "building" : ""}`}>
      <TopBar />
      <main class="middle">
        {store.leftPanel.value === "scenes" && <ScenesPanel />}
        {store.leftPanel.value === "tree" && <TreePanel />}
        {store.leftPanel.value === "text" && <TextPanel />}
        <Palette />
        <div class="centre">
          <Picture />
          <TrainDock />
          {plotsBelow() && <PlotsDock />}
        </div>
        {plotsAtRight() && <PlotsPanel />}
        {store.rightPanel.value === "solver" && <SolverPanel />}
        {store.rightPanel.value === "assembly" && <AssemblyPanel />}
        {store.rightPanel.value === "inspector" && <InspectorPanel />}
      </main>
      <Transport />
      <Help />
      <Ask />
      <Leave />
      <NameLists />
      <Notices />
      <Tooltip />
    </div>
  );
}

const plotsBelow = () => plots.place.value === "bottom" && plots.isOpen();
const plotsAtRight = () => plots.place.value === "right" && plots.isOpen();

function Picture() {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    try {
      current.stage = new Stage(canvas.current!);
      attachPointer(current.stage, canvas.current!);
    } catch {
      store.notify("WebGL 2 is not available in this browser. Enable hardware acceleration, or use another browser.", "bad");
    }
  }, []);
  const text = store.scene.value?.text;
  const id = store.scene.value?.id;
  useEffect(() => {
    const timer = setTimeout(() => void keepThumbnail(), 2500);
    return () => clearTimeout(timer);
  }, [id, text, store.building.value]);
  const still = store.building.value && store.editing.value;
  const four = store.views.value === 4 && store.stereo.value === "off" && !splits();
  return (
    <div class="picture">
      <canvas ref={canvas} tabIndex={0} role="application" aria-label="The simulated scene. Arrow keys rotate the view, with Shift they pan; plus and minus zoom." />
      {four && (
        <div class={`pane-names ${store.building.value ? "low" : ""}`} aria-hidden="true">
          <span>Top</span>
          <span>Perspective</span>
          <span>Front</span>
          <span>Right</span>
        </div>
      )}
      <SplitNames />
      <FaultBanner />
      <div class="top-right">
        <ViewCube />
        <Legend />
      </div>
      <div class="top-left">
        {!store.building.value && <Dashboard />}
        {!still && <LogicList />}
        {!store.building.value && <Hints />}
      </div>
      {!still && <Levers />}
      <div class="top-middle">
        <ControlRequest />
        <Recovered />
        <BuildBar />
        <GhostName />
        <ToolHint />
      </div>
      <Marquee />
      <DragReadout />
      <Measures />
      <Exports />
      <Waiting />
      <ContextLost canvas={canvas} />
    </div>
  );
}
