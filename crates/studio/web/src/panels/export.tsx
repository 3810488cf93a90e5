/** Out of the studio: pictures, video, POV-Ray, glTF, tables and the scene's text; with progress and links. */
import { useSignal } from "@preact/signals";
import type { ExportFormat } from "../protocol";
import * as store from "../store";
import { send } from "../link";
import { download } from "../download";
import { copyLink, savePicture } from "../share";
import { downloadText } from "../files";
import { current } from "../view/stage";
import { Icon } from "./icons";
import { Menu } from "./menu";

/** Pictures a second of a recorded video and of a sequence. */
const FPS = 25;

/** The still formats show the present moment, the others what is recorded. */
const SERVED: { format: ExportFormat; label: string; whole: boolean }[] = [
  { format: "pov", label: "POV-Ray, this moment", whole: false },
  { format: "pov", label: "POV-Ray, the recording", whole: true },
  { format: "png", label: "Ray-traced picture (PNG)", whole: false },
  { format: "glb", label: "glTF model, the recording", whole: true },
  { format: "svg", label: "Drawing (SVG)", whole: false },
  { format: "csv", label: "Table of probes (CSV)", whole: true },
  { format: "mp4", label: "Film of the recording (MP4)", whole: true },
];

export function ExportMenu() {
  const recorder = useSignal<MediaRecorder | null>(null);
  const served = (format: ExportFormat, whole: boolean) => {
    const s = store.status.value;
    const span = whole && s ? { from: s.from, to: s.to, fps: FPS } : {};
    send({ do: "export", format, ...span, camera: current.stage?.camera() });
  };
  return (
    <Menu icon="export" label="Save and export" look={recorder.value ? "recording" : ""}>
      {(close) => {
        const item = (icon: string, label: string, act: () => void, off = false) => (
          <button key={label} type="button" role="menuitem" disabled={off} onClick={() => (close(), act())}>
            <Icon name={icon} /> {label}
          </button>
        );
        return (
          <>
            {item("picture", "Save a picture (PNG)", () => void savePicture())}
            {item("record", recorder.value ? "Stop the video" : "Record a video (WebM)", () => toggleVideo(recorder))}
            {item("link", "Copy a link to this moment", () => void copyLink())}
            {item("text", "Download the scene text", downloadText)}
            <hr />
            {SERVED.map(({ format, label, whole }) => item("save", label, () => served(format, whole), !store.mayDrive.value))}
          </>
        );
      }}
    </Menu>
  );
}

/** Films the canvas until it is pressed again. */
function toggleVideo(recorder: { value: MediaRecorder | null }) {
  if (recorder.value) return recorder.value.stop();
  const stream = current.stage?.stream(FPS);
  if (!stream || typeof MediaRecorder === "undefined") return store.notify("This browser cannot record video.", "bad");
  const type = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"].find((t) => MediaRecorder.isTypeSupported(t));
  const mine = new MediaRecorder(stream, type ? { mimeType: type, videoBitsPerSecond: 8e6 } : undefined);
  const pieces: Blob[] = [];
  mine.ondataavailable = (event) => pieces.push(event.data);
  mine.onstop = () => {
    recorder.value = null;
    for (const track of stream.getTracks()) track.stop();
    download(new Blob(pieces, { type: "video/webm" }), `${store.scene.value?.title.replace(/[^\w-]+/g, "-") ?? "windlass"}.webm`);
  };
  mine.start(1000);
  recorder.value = mine;
  store.notify("Recording video. Stop it with the same menu entry.");
}

/** What is being made, and what is ready to take. */
export function Exports() {
  const all = store.exports.value;
  if (all.length === 0) return null;
  const drop = (id: number) => {
    store.putAway.add(id);
    store.exports.value = store.exports.value.filter((e) => e.id !== id);
  };
  return (
    <section class="exports" aria-label="Exports">
      {all.map((e) => (
        <div key={e.id}>
          <strong>{e.format.toUpperCase()}</strong>
          {e.error ? (
            <span class="field-error">{e.error}</span>
          ) : e.file ? (
            <a href={e.file} download>
              {e.file.split("/").pop()}
            </a>
          ) : (
            <progress max={1} value={e.done} aria-label={`Export of ${e.format}`} />
          )}
          <button type="button" class="small" onClick={() => (e.file || e.error || send({ do: "cancel", id: e.id }), drop(e.id))}>
            {e.file || e.error ? "Close" : "Cancel"}
          </button>
        </div>
      ))}
    </section>
  );
}
