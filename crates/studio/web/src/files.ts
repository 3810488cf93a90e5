/** Scene files in and out of the page: dropped, chosen, downloaded; and little pictures of scenes for the gallery. */
import * as store from "./store";
import { send } from "./link";
import { current } from "./view/stage";
import { download } from "./download";
import { chooseFile, readText } from "./textfile";
import { hash } from "./copies";
import { leaveFor } from "./work";

/** Opens a scene file of this machine as a new scene. */
async function openFile(file: File) {
  if (!/\.toml$/i.test(file.name)) return store.notify(`${file.name} is not a scene file: scene files end in .toml.`, "bad");
  if (!store.mayDrive.value) return store.notify("You are a viewer: take control first.", "bad");
  const toml = await readText(file);
  if (toml === null) return;
  leaveFor(`opening ${file.name}`, (discard) => {
    send({ do: "load", id: null, name: file.name, toml, discard });
    store.leftPanel.value = null;
  });
}

export function listenDrops() {
  addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });
  addEventListener("drop", (event) => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    void openFile(file);
  });
}

/** Lets one choose a scene file. */
export const chooseScene = () => chooseFile(".toml", openFile);

export function downloadText() {
  const scene = store.scene.value;
  if (scene) download(new Blob([scene.text], { type: "application/toml" }), /\.toml$/.test(scene.file) ? scene.file.split("/").pop()! : `${scene.title.replace(/[^\w-]+/g, "_")}.toml`);
}

const WIDTH = 192;
const HEIGHT = 108;

/** Keeps a small picture of the scene shown, unless there is one of this text. */
export async function keepThumbnail() {
  const scene = store.scene.value;
  if (!scene || store.building.value) return;
  const { id } = scene;
  const mark = String(hash(scene.text));
  if (store.remembered(`thumb.${id}`) && store.remembered(`thumb-of.${id}`) === mark) return;
  const blob = await current.stage?.picture();
  if (!blob || store.scene.value !== scene) return;
  const image = await createImageBitmap(blob);
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const scale = Math.max(WIDTH / image.width, HEIGHT / image.height);
  const [w, h] = [image.width * scale, image.height * scale];
  canvas.getContext("2d")!.drawImage(image, (WIDTH - w) / 2, (HEIGHT - h) / 2, w, h);
  store.remember(`thumb.${id}`, canvas.toDataURL("image/jpeg", 0.75));
  store.remember(`thumb-of.${id}`, mark);
  store.thumbnails.value += 1;
}
