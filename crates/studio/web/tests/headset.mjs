// Two hands in a headset, against the real server. The headset is a stand-in: a WebXR session with one eye and two controllers that the
// test moves by hand; three.js and the page use it as they would a real one.
import assert from "node:assert/strict";
import { withStudio } from "./real.mjs";

const SCENE = `windlass = 2
title = "Two stones"
[settings]
gravity = [0, 0, 0]
[bodies.floor]
type = "static"
[bodies.left]
shape = { box = { size = [0.4, 0.4, 0.4] } }
mass = 2
position = [-1, 3, 1.5]
[bodies.right]
shape = { box = { size = [0.4, 0.4, 0.4] } }
mass = 5
position = [1, 3, 1.5]
`;

/** Runs in the page before everything else. */
function standIn() {
  const place = (x, y, z) => new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1]);
  const lens = () => {
    const [near, far, f] = [0.1, 1000, 1.5];
    return new Float32Array([f, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, (2 * far * near) / (near - far), 0]);
  };
  const pose = (matrix) => ({ transform: { matrix, position: { x: matrix[12], y: matrix[13], z: matrix[14] }, inverse: { matrix: place(-matrix[12], -matrix[13], -matrix[14]) } }, emulatedPosition: false });
  const hands = ["left", "right"].map((handedness) => ({ handedness, targetRayMode: "tracked-pointer", targetRaySpace: { handedness }, gripSpace: null, profiles: [], hand: null, at: place(0, 0, 0) }));
  class Session extends EventTarget {
    renderState = { depthNear: 0.1, depthFar: 1000 };
    inputSources = hands;
    enabledFeatures = [];
    environmentBlendMode = "opaque";
    visibilityState = "visible";
    updateRenderState(state) {
      Object.assign(this.renderState, state);
    }
    requestReferenceSpace = async () => new EventTarget();
    frame = {
      session: this,
      getViewerPose: () => ({ ...pose(place(0, 1.6, 0)), views: [{ eye: "none", projectionMatrix: lens(), ...pose(place(0, 1.6, 0)) }] }),
      getPose: (space) => pose(hands.find((h) => h.targetRaySpace === space)?.at ?? place(0, 0, 0)),
    };
    requestAnimationFrame(draw) {
      return window.requestAnimationFrame((time) => draw(time, this.frame));
    }
    cancelAnimationFrame(id) {
      window.cancelAnimationFrame(id);
    }
    async end() {
      this.dispatchEvent(new Event("end"));
    }
  }
  const session = new Session();
  delete window.XRWebGLBinding;
  window.XRWebGLLayer = class {
    framebuffer = null;
    framebufferWidth = 320;
    framebufferHeight = 240;
    getViewport = () => ({ x: 0, y: 0, width: 320, height: 240 });
  };
  WebGL2RenderingContext.prototype.makeXRCompatible = async () => undefined;
  Object.defineProperty(navigator, "xr", { value: { isSessionSupported: async () => true, requestSession: async () => session } });
  window.headset = {
    /** Puts a controller somewhere in the room, whose y is up; it points along −z. */
    move: (hand, x, y, z) => (hands[hand].at = place(x, y, z)),
    press: (hand, what) => session.dispatchEvent(Object.assign(new Event(what), { inputSource: hands[hand], frame: session.frame })),
    connect: () => session.dispatchEvent(Object.assign(new Event("inputsourceschange"), { added: hands, removed: [], session })),
    end: () => session.end(),
  };
}

await withStudio(
  Number(process.env.PORT ?? 7492),
  async ({ page, openText, until, ask, drawn, picture, step }) => {
    const headset = (name, ...args) => page.evaluate(([n, a]) => window.headset[n](...a), [name, args]);
    const far = async (name, [x, y, z]) => {
      const at = await ask("place", name);
      return Math.hypot(at[0] - x, at[1] - y, at[2] - z);
    };

    step("opens two stones that float");
    await openText(SCENE);
    await until("two stones", async () => !!(await ask("place", "right")));
    await page.getByRole("button", { name: "Play (Space)" }).click();

    step("takes one with each hand: a body follows its own ray");
    await page.getByRole("button", { name: "VR", exact: true }).click();
    await drawn();
    await headset("connect");
    // the world's (x, y, z) is (x, z, −y) in the room
    await headset("move", 0, -1, 1.5, 0);
    await headset("move", 1, 1, 1.5, 0);
    await drawn();
    await headset("press", 0, "selectstart");
    await headset("press", 1, "squeezestart");
    await drawn();
    await headset("move", 0, -1.5, 2.5, 0);
    await headset("move", 1, 2, 1, -1);
    // held by the middle of its near side a stone turns freely: its own middle is 20 cm from the end of the ray, wherever
    const held = 0.25;
    await until("the left one is up", async () => (await far("left", [-1.5, 2.8, 2.5])) < held);
    await until("the right one is off to the right and back", async () => (await far("right", [2, 3.8, 1])) < held);
    await picture("headset");

    step("lets go with one and holds on with the other");
    await headset("press", 0, "selectend");
    await drawn();
    await headset("move", 0, -9, 1, 0);
    await headset("move", 1, 1, 2, 0);
    await until("the right one comes along", async () => (await far("right", [1, 2.8, 2])) < held);
    assert.ok((await far("left", [-9, 3, 1])) > 3, `the left one does not follow: ${await ask("place", "left")}`);

    step("takes the headset off: both hands open, and the page goes on");
    await headset("end");
    await headset("move", 1, 9, 2, 0);
    await page.waitForTimeout(1500);
    assert.ok((await far("right", [9, 3, 2])) > 3, `it does not follow: ${await ask("place", "right")}`);
  },
  { setUp: (page) => page.addInitScript(standIn) },
);
