import { render } from "preact";
import { effect } from "@preact/signals";
import "./style.css";
import "./screens.css";
import "./vehicle.css";
import { App } from "./panels/app";
import { connect } from "./link";
import * as store from "./store";
import { listen } from "./drive";
import { listenChords, shortcut } from "./shortcuts";
import { cameraKey } from "./view/keys";
import { hook } from "./hook";
import { listenDrops } from "./files";
import { followLink } from "./share";
import { listenSound } from "./sound/player";
import { watchWork } from "./work";
import { guardBack } from "./back";

effect(() => {
  document.documentElement.dataset.theme = store.theme.value;
  store.remember("theme", store.theme.value);
});
effect(() => {
  const title = store.scene.value?.title;
  document.title = title ? `${title} – Windlass studio` : "Windlass studio";
});
render(<App />, document.getElementById("studio")!);
followLink();
listen((name, event) => cameraKey(name, event) || shortcut(name, event));
listenChords();
listenDrops();
listenSound();
hook();
watchWork();
guardBack();
connect();
