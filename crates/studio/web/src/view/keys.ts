/** The camera by keyboard, while the picture has the focus: arrows orbit, with Shift they pan, + and − zoom. */
import { orbit } from "./look";
import { cameraMoves } from "./steps";
import { current } from "./stage";

/** Whether the key was the camera's. */
export function cameraKey(name: string, event: KeyboardEvent): boolean {
  const stage = current.stage;
  const move = (event.target as HTMLElement | null)?.closest?.(".picture canvas") ? cameraMoves(name, event.shiftKey) : null;
  if (!stage || !move) return false;
  event.preventDefault();
  if (move.kind === "zoom") stage.rig.zoom(move.factor);
  else if (move.kind === "orbit") orbit(stage, move.x, move.y);
  else stage.rig.pan(move.x * stage.rig.distance, move.y * stage.rig.distance, stage.eye);
  return true;
}
