/** The picture: owns the renderer, shows the newest frame in one or four views, in stereo or in a headset, and hands out picks. */
import * as THREE from "three";
import { effect } from "@preact/signals";
import { AnaglyphEffect } from "three/examples/jsm/effects/AnaglyphEffect.js";
import { StereoEffect } from "three/examples/jsm/effects/StereoEffect.js";
import * as store from "../store";
import * as overlays from "../overlays";
import type { Scene } from "../protocol";
import { BodiesView } from "./bodies";
import { LinesView } from "./lines";
import { spanTension } from "./span";
import { ForcesView } from "./arrows";
import { ClearanceView } from "./assembly";
import { check, inTouch, placeAlong } from "../assembly";
import { Rig } from "./rig";
import { Aims, aimParallel, FOV, parallel, USUAL_ASPECT } from "./aim";
import { TiresView } from "./tires";
import { FAR, hasGround, Surroundings, type View } from "./surroundings";
import { Gizmo } from "./gizmo";
import { Headset } from "./headset";
import { OverlaysView } from "./overlays";
import { Preview } from "./preview";
import { Twin } from "./twin";
import type { Band, Pane, Viewport } from "./viewport";
import type { Occlusion } from "./occlusion";
import { Due } from "./due";
import { fine, isFine, judge, Pace, pixelRatio, quality, type Quality } from "./quality";
import { dry } from "./immersion";
import { surfaces } from "../earth/now";
import { SoilView } from "./soil";
import { WaterView } from "./water";
import { chosenIds } from "../build/selection";

/** The camera that a scene without one is given. */
const UNWRITTEN = "default";
/** Part of the picture's height that levers stand before, at its foot. */
const LEVERS = 0.12;
/** Part of the picture that all of a scene fills as it stands: the rest is for what moves, and for the levers. */
const ROOM = 0.7;

export class Stage implements Viewport {
  readonly renderer: THREE.WebGLRenderer;
  readonly rig = new Rig();
  readonly eye = new THREE.PerspectiveCamera(FOV, 1, 0.05, FAR);
  private aims = new Aims(this.rig, this.eye);
  bodies: BodiesView | null = null;
  lines: LinesView | null = null;
  water: WaterView | null = null;
  soil: SoilView | null = null;
  /** How deep the eye is below a surface of water with its waves [m]; 0 above it. */
  depth = 0;
  over: number | null = null;
  /** Rubber bands from what a hand holds to where it pulls; the mouse is the first hand. */
  readonly bands: [Band | null, Band | null] = [null, null];

  readonly gizmo = new Gizmo(this);
  readonly preview = new Preview(this);
  private twin: Twin | null = null;

  private scene = new THREE.Scene();
  /** Everything; turned in a headset, whose y is up. */
  private world = new THREE.Group();
  /** What belongs to the run alone. */
  private run = new THREE.Group();
  private surroundings = new Surroundings();
  private forces = new ForcesView();
  readonly tires = new TiresView();
  private clearance = new ClearanceView();
  /** Overlays at bodies and contacts. */
  readonly overlays = new OverlaysView();
  private bandMeshes: THREE.Mesh[];
  private headset: Headset | null = null;
  private occlusion: Occlusion | null = null;
  private pace = new Pace();
  private due = new Due(() => this.draw(), () => this.shows());
  /** The moving picture that is recorded. */
  private film: MediaStream | null = null;
  private flat = { top: parallel(), front: parallel(), right: parallel() };
  private anaglyph: AnaglyphEffect | null = null;
  private side: StereoEffect | null = null;
  private size = { width: 1, height: 1 };
  private sceneSize = 20;
  private shownFrame: unknown = null;
  private lastScene: Scene | null = null;

  constructor(private canvas: HTMLCanvasElement) {
    judge();
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: fine.value, powerPreference: "high-performance" });
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    // colours as the scene names them, and fog that meets the sky without a seam
    this.renderer.toneMapping = THREE.NoToneMapping;
    this.bandMeshes = this.bands.map(() => {
      const mesh = new THREE.Mesh(new THREE.CylinderGeometry(1, 1, 1, 8).translate(0, 0.5, 0), new THREE.MeshBasicMaterial({ color: 0xf43f5e, depthTest: false, transparent: true, opacity: 0.9 }));
      mesh.renderOrder = 6;
      mesh.frustumCulled = false;
      return mesh;
    });
    this.run.add(this.forces.group, this.tires.group, ...this.bandMeshes, this.clearance.group, this.overlays.group, this.preview.group);
    this.world.add(this.surroundings.group, this.run, this.gizmo.anchor);
    this.scene.add(this.world, this.gizmo.helper);
    this.eye.up.set(0, 0, 1);

    // materials are made for a quality: what is shown is made again when it changes
    this.made(() => this.draws(quality.value));
    this.made(() => this.load(store.scene.value, fine.value));
    this.made(() => this.flood(store.scene.value, quality.value));
    this.made(() => this.till(store.scene.value, quality.value));
    this.made(() => this.haunt(store.compared.value?.scene ?? null, store.sideBySide.value, quality.value));
    this.made(() => this.dress(store.theme.value, fine.value));
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
    this.resize();
    this.due.listen(window);
    canvas.addEventListener("webglcontextrestored", this.stir);
    this.renderer.setAnimationLoop(() => this.turn());
  }

  /** Asks for a picture after a change that is no signal. */
  readonly stir = () => this.due.stir();

  /** Makes a part of the picture, now and whenever a signal it is made of changes. */
  private made(make: () => void) {
    effect(() => {
      make();
      this.stir();
    });
  }

  private turn() {
    this.pace.turn(performance.now(), this.due.drew);
    this.due.turn(this.renderer.xr.isPresenting || !!this.film?.active);
  }

  /** What a picture shows and is no signal; the eye to seven digits, for one that follows comes to rest only in the limit. */
  private shows(): unknown[] {
    const { run, ghost } = surfaces;
    return [store.newest.frame, store.ghost.frame, run, run.version, ghost, ghost.version, ...this.rig.toNumbers().map(Math.fround)];
  }

  private dress(theme: store.Theme, fine: boolean) {
    this.surroundings.dress(theme, this.scene, this.renderer, fine);
    this.bodies?.toneGround(this.surroundings.groundTone);
    this.twin?.toneGround(this.surroundings.groundTone);
    this.water?.dress(this.surroundings.groundTone);
    this.soil?.dress(this.surroundings.groundTone);
  }

  /** Sets the renderer to a quality. What ambient occlusion needs is fetched when it is first wanted. */
  private draws(wanted: Quality) {
    const fine = isFine(wanted);
    this.renderer.setPixelRatio(pixelRatio(wanted));
    this.renderer.shadowMap.enabled = fine;
    this.surroundings.sun.castShadow = fine;
    this.occlusion?.dispose();
    this.occlusion = null;
    if (wanted !== "high") return;
    void import("./occlusion").then(({ Occlusion }) => {
      if (quality.value !== "high" || this.occlusion) return;
      this.occlusion = new Occlusion(this.renderer, this.scene, this.eye);
      this.resize();
    });
  }

  private resize() {
    const { clientWidth, clientHeight } = this.canvas.parentElement!;
    this.size = { width: Math.max(1, clientWidth), height: Math.max(1, clientHeight) };
    this.renderer.setSize(this.size.width, this.size.height, false);
    this.occlusion?.resize(this.size.width, this.size.height, this.renderer.getPixelRatio());
    this.anaglyph?.setSize(this.size.width, this.size.height);
    this.side?.setSize(this.size.width, this.size.height);
    this.stir();
  }

  private load(scene: Scene | null, fine: boolean) {
    this.bodies?.dispose();
    this.lines?.dispose();
    this.bodies = this.lines = null;
    this.tires.marks.clear();
    this.over = null;
    this.bands.fill(null);
    if (!scene) return;
    const wet = !!scene.fluids?.length;
    this.bodies = new BodiesView(scene.bodies, fine, wet);
    this.lines = new LinesView(scene.lines, fine, wet);
    this.bodies.toneGround(this.surroundings.groundTone);
    this.run.add(this.bodies.group, this.lines.group);
    const low = new THREE.Vector3(...scene.bounds.low);
    const high = new THREE.Vector3(...scene.bounds.high);
    this.sceneSize = Math.max(0.5, low.distanceTo(high));
    const ground = hasGround(scene);
    const level = wet ? Math.max(...scene.fluids!.map((f) => f.level)) : Math.min(0, low.z);
    this.surroundings.fit(low, high, ground ? 0 : level, ground, wet, !!scene.grounds?.length);
    // an edit of the same scene, or a new name for it, keeps the eye where it is
    if (this.lastScene?.id !== scene.id && this.lastScene?.text !== scene.text) {
      store.cameraMode.value = { kind: "orbit" };
      this.lookFirst(scene);
    }
    this.lastScene = scene;
    this.shownFrame = null;
  }

  /** Makes or drops the grounds of a scene, and the loose soil on them. */
  private till(scene: Scene | null, wanted: Quality) {
    this.soil?.dispose();
    this.soil = scene?.grounds?.length ? new SoilView(scene, surfaces.run, wanted, this.surroundings.groundTone) : null;
    if (this.soil) this.run.add(this.soil.group);
    else this.surroundings.stand(null);
  }

  /** Makes or drops the water of a scene. */
  private flood(scene: Scene | null, wanted: Quality) {
    this.water?.dispose();
    this.water = scene && this.waterOf(scene, wanted);
    if (this.water) this.run.add(this.water.group);
    else this.wade(null, 0, this.eye);
  }

  private waterOf(scene: Scene, wanted: Quality): WaterView | null {
    if (!scene.fluids?.length) return null;
    const [low, high] = [new THREE.Vector3(...scene.bounds.low), new THREE.Vector3(...scene.bounds.high)];
    const water = new WaterView(scene.fluids, wanted, this.surroundings.skyLook, low, high, hasGround(scene), this.renderer.capabilities.maxVertexUniforms);
    water.dress(this.surroundings.groundTone);
    return water;
  }

  /** Before a picture: the surface as at a time [s] around what is looked at, and colours for an eye above or below it. */
  private wade(water: WaterView | null, time: number, camera: THREE.Camera) {
    const turned = this.renderer.xr.isPresenting;
    const flat = camera instanceof THREE.OrthographicCamera;
    if (!flat) this.depth = 0;
    if (!water) {
      dry();
      return this.surroundings.surface();
    }
    const eye = turned ? this.world.worldToLocal(camera.position.clone()) : camera.position;
    const depth = water.update(time, this.rig.target, this.rig.distance, eye, flat);
    const deep = water.soak(depth, eye, new THREE.Vector3(0, turned ? 1 : 0, turned ? 0 : 1));
    if (flat) return;
    this.depth = Math.max(0, depth);
    this.surroundings.dive(depth, deep);
  }

  /** Makes or drops what the run is compared with. */
  private haunt(scene: Scene | null, beside: boolean, wanted: Quality) {
    this.twin?.dispose();
    this.twin = scene && new Twin(scene, isFine(wanted), !beside, this.surroundings.groundTone, beside ? this.waterOf(scene, wanted) : null, beside && scene.grounds?.length ? new SoilView(scene, surfaces.ghost, wanted, this.surroundings.groundTone) : null);
    if (this.twin) this.world.add(this.twin.group);
  }

  /** The first view: that of the scene's first camera which stands still, for whoever wrote it knows what moves where; else of everything. */
  private lookFirst(scene: Scene) {
    const first = scene.cameras.findIndex((c) => ["world", "heading"].includes(c.mount) && c.name !== UNWRITTEN);
    const own = scene.cameras[first];
    if (own?.mount === "heading") {
      store.cameraMode.value = { kind: "scene", index: first };
      return;
    }
    const fov = THREE.MathUtils.degToRad(FOV);
    if (!own || !this.rig.lookAs(own, fov, this.aspect, USUAL_ASPECT)) {
      this.rig.azimuth = -1.0;
      this.rig.elevation = 0.3;
      this.frameAll();
    } else if (scene.inputs.length > 0) this.rig.freeFoot(LEVERS, fov);
  }

  frameAll() {
    const scene = store.scene.value;
    if (!scene) return;
    const box = new THREE.Box3(new THREE.Vector3(...scene.bounds.low), new THREE.Vector3(...scene.bounds.high));
    this.rig.frame(box, THREE.MathUtils.degToRad(FOV), this.aspect, ROOM);
  }

  frameSelection() {
    const chosen = store.selected.value;
    const scene = store.scene.value;
    if (!chosen || !scene) return this.frameAll();
    const box = new THREE.Box3();
    if (chosen.kind === "line") box.copy(this.lines!.boundsOf(chosen.id));
    else for (const body of this.chosenBodies()) box.union(this.bodies!.boundsOf(body));
    if (box.isEmpty()) return this.frameAll();
    store.cameraMode.value = { kind: "orbit" };
    this.rig.frame(box, THREE.MathUtils.degToRad(FOV), this.aspect, ROOM / 2);
  }

  /** Places in the list of bodies that the selection means. */
  private chosenBodies(): Set<number> {
    const chosen = store.selected.value;
    const scene = store.scene.value;
    if (!chosen || !scene || (chosen.kind !== "body" && chosen.kind !== "joint")) return new Set();
    const ids = chosen.kind === "body" ? chosenIds() : (scene.joints.find((j) => j.id === chosen.id)?.bodies ?? []);
    return new Set(ids.map((id) => scene.bodies.findIndex((b) => b.id === id)).filter((i) => i >= 0));
  }

  /** Whether the run and what it is compared with have a view each. */
  private get split(): boolean {
    return this.twin !== null && splits();
  }

  /** Width per height of the view in perspective. */
  private get aspect(): number {
    return this.size.width / this.size.height / (this.split ? 2 : 1);
  }

  panes(): Pane[] {
    if (this.split) {
      return [
        { name: "", x: 0, y: 0, w: 0.5, h: 1, camera: this.eye },
        { name: "", x: 0.5, y: 0, w: 0.5, h: 1, camera: this.eye, other: true },
      ];
    }
    if (store.views.value === 1 || store.stereo.value !== "off") return [{ name: "", x: 0, y: 0, w: 1, h: 1, camera: this.eye }];
    return [
      { name: "Top", x: 0, y: 0.5, w: 0.5, h: 0.5, camera: this.flat.top },
      { name: "Perspective", x: 0.5, y: 0.5, w: 0.5, h: 0.5, camera: this.eye },
      { name: "Front", x: 0, y: 0, w: 0.5, h: 0.5, camera: this.flat.front },
      { name: "Right", x: 0.5, y: 0, w: 0.5, h: 0.5, camera: this.flat.right },
    ];
  }

  /** The pane under a place of the canvas, and the place in it from −1 to 1. */
  paneAt(x: number, y: number): { pane: Pane; at: THREE.Vector2 } {
    const u = x / this.size.width;
    const v = 1 - y / this.size.height;
    const pane = this.panes().find((p) => u >= p.x && u <= p.x + p.w && v >= p.y && v <= p.y + p.h) ?? this.panes()[0]!;
    return { pane, at: this.placeIn(pane, x, y) };
  }

  private placeIn(pane: Pane, x: number, y: number): THREE.Vector2 {
    return new THREE.Vector2(((x / this.size.width - pane.x) / pane.w) * 2 - 1, ((1 - y / this.size.height - pane.y) / pane.h) * 2 - 1);
  }

  rayIn(pane: Pane, x: number, y: number): THREE.Ray {
    const ray = new THREE.Raycaster();
    ray.setFromCamera(this.placeIn(pane, x, y), pane.camera);
    return ray.ray;
  }

  rayAt(x: number, y: number): { ray: THREE.Raycaster; pane: Pane } {
    const { pane, at } = this.paneAt(x, y);
    const ray = new THREE.Raycaster();
    ray.setFromCamera(at, pane.camera);
    return { ray, pane };
  }

  /** Where a place of the world is on the canvas, in pixels, in the view of that name, else in perspective. */
  onScreen(place: THREE.Vector3, view?: string): { x: number; y: number } {
    const panes = this.panes();
    const pane = panes.find((p) => p.name === view) ?? panes.find((p) => p.camera === this.eye)!;
    const p = place.clone().project(pane.camera);
    return { x: (pane.x + (pane.w * (p.x + 1)) / 2) * this.size.width, y: (1 - pane.y - (pane.h * (p.y + 1)) / 2) * this.size.height };
  }

  /** The eye as exports want it. */
  camera(): { position: [number, number, number]; target: [number, number, number]; up: [number, number, number]; angle: number } {
    const look = this.eye.getWorldDirection(new THREE.Vector3()).multiplyScalar(this.rig.distance).add(this.eye.position);
    return { position: this.eye.position.toArray(), target: look.toArray(), up: this.eye.up.toArray(), angle: THREE.MathUtils.degToRad(this.eye.fov) };
  }

  /** The moving picture, for recording. */
  stream(fps: number): MediaStream {
    return (this.film = this.canvas.captureStream(fps));
  }

  /** Metres that a pixel is wide at the target, for panning. */
  metresPerPixel(pane: Pane): number {
    return (2 * this.rig.distance * Math.tan(THREE.MathUtils.degToRad(FOV) / 2)) / (this.size.height * pane.h);
  }

  private aim() {
    const focus = this.aims.eye(this.bodies, this.aspect, this.shownFrame !== null);
    if (store.scene.value?.vehicles?.length) this.surroundings.light(focus);
    this.bodies?.extend(focus);
  }

  /** Moves the bodies to the newest frame, before the eye that may follow one; true if it was not shown before. */
  private takePoses(): boolean {
    const frame = store.newest.frame;
    if (!frame || !this.bodies || frame === this.shownFrame) return false;
    this.bodies.update(frame.bodies);
    this.shownFrame = frame;
    return true;
  }

  private takeFrame(isNew: boolean) {
    const frame = store.newest.frame;
    if (!frame || !this.bodies || !this.lines) return;
    const lines = overlays.coloredLines(frame);
    const colored = store.byTension.value || (overlays.byBending.value && !!frame.bending);
    const [low, high] = store.tensionSpan.value;
    // a span that was reset is empty; while the run is paused no other frame comes
    if (colored && (isNew || low > high)) spanTension(lines);
    const chosen = store.selected.value;
    const touching = inTouch(check.value);
    this.lines.update(lines, this.eye.position, colored ? store.tensionSpan.value : null, chosen?.kind === "line" ? chosen.id : null, touching.lines);
    this.bodies.mark(this.chosenBodies(), this.over, touching.bodies, overlays.tintsOf(frame));
    if (store.scene.value) this.overlays.update(frame, store.scene.value, this.bodies.poses, this.sceneSize, this.eye.position);
    this.clearance.update(check.value?.clearance ?? null, touching.points, this.eye.position);
    this.tires.update(frame);
    this.forces.update(frame, store.scene.value?.joints ?? [], this.bodies.poses, this.sceneSize);
    if (store.ghost.frame) this.twin?.update(store.ghost.frame, this.eye.position, store.byTension.value ? store.tensionSpan.value : null, this.sceneSize);
  }

  /** The grounds as their tiles came; a new scene has another set of them. */
  private drawGround() {
    if (this.soil && this.soil.grounds !== surfaces.run) this.till(store.scene.value, quality.value);
    this.soil?.update(store.newest.frame, this.bodies?.poses ?? [], true);
    if (this.soil) this.surroundings.stand(this.soil.earth.lots());
  }

  /** Where the hand holds what it pulls, as that moves. */
  private bandStart({ from: held }: Band): THREE.Vector3 | null {
    if ("line" in held) {
      const place = placeAlong(store.newest.frame?.lines.filter((l) => l.id === held.line) ?? [], held.along);
      return place && new THREE.Vector3(...place);
    }
    const pose = this.bodies?.poses[held.body];
    return pose ? held.at.clone().applyMatrix4(pose) : null;
  }

  private drawBand(mesh: THREE.Mesh, band: Band | null) {
    const from = band && this.bandStart(band);
    mesh.visible = !!from;
    if (!band || !from) return;
    const way = band.to.clone().sub(from);
    const length = Math.max(1e-6, way.length());
    const thick = 0.0022 * from.distanceTo(this.eye.position);
    mesh.position.copy(from);
    mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), way.divideScalar(length));
    mesh.scale.set(thick, length, thick);
  }

  draw() {
    const inHeadset = this.renderer.xr.isPresenting;
    this.world.rotation.x = inHeadset ? -Math.PI / 2 : 0;
    const isNew = this.takePoses();
    if (!inHeadset) this.aim();
    this.takeFrame(isNew);
    this.drawGround();
    if (inHeadset) this.headset?.update(performance.now());
    this.bandMeshes.forEach((mesh, i) => this.drawBand(mesh, this.bands[i]!));
    this.gizmo.update();
    this.preview.update();
    if (inHeadset || store.stereo.value !== "off") this.wade(this.water, store.newest.frame?.time ?? 0, this.eye);
    if (inHeadset) {
      this.surroundings.show(store.showGrid.value, this.wholeView);
      this.renderer.render(this.scene, this.eye);
      return;
    }
    if (store.stereo.value !== "off") this.drawStereo();
    else this.drawPanes();
  }

  /** The view over the whole canvas, for the grid; in a headset, which has eyes of its own, that of the page. */
  private get wholeView(): View {
    const camera = this.renderer.xr.isPresenting ? new THREE.PerspectiveCamera(FOV, this.aspect) : this.eye;
    if (camera !== this.eye) this.rig.place(camera);
    return { name: "", camera, width: this.size.width, height: this.size.height, target: this.rig.target, seen: "top" };
  }

  /** Numbers along the grid by view, as they were last drawn. */
  get numbers(): ReadonlyMap<string, readonly { text: string; x: number; y: number; w: number; h: number }[]> {
    return this.surroundings.marks.shown;
  }

  private drawStereo() {
    this.surroundings.show(store.showGrid.value, this.wholeView);
    const { width, height } = this.size;
    const make = <T extends { setSize(w: number, h: number): void }>(effect: T) => (effect.setSize(width, height), effect);
    const distance = this.eye.position.distanceTo(this.rig.target);
    // the base of natural sight, a thirtieth of the distance to what one looks at, held at the screen
    if (store.stereo.value === "anaglyph") {
      this.anaglyph ??= make(new AnaglyphEffect(this.renderer, width, height));
      Object.assign(this.anaglyph, { planeDistance: distance, eyeSep: distance / 40 });
      this.anaglyph.render(this.scene, this.eye);
    } else {
      this.side ??= make(new StereoEffect(this.renderer));
      this.eye.focus = distance;
      this.side.setEyeSeparation(distance / 40);
      this.side.render(this.scene, this.eye);
      this.renderer.setScissorTest(false);
      this.renderer.setViewport(0, 0, width, height);
    }
  }

  private drawPanes() {
    const { width, height } = this.size;
    const panes = this.panes();
    this.renderer.setScissorTest(panes.length > 1);
    for (const pane of panes) {
      if (this.twin && this.split) [this.run.visible, this.twin.group.visible] = [!pane.other, !!pane.other];
      const [x, y, w, h] = [pane.x * width, pane.y * height, pane.w * width, pane.h * height];
      this.renderer.setViewport(x, y, w, h);
      this.renderer.setScissor(x, y, w, h);
      const flat = pane.camera !== this.eye;
      const shape = w / h;
      if (pane.camera === this.flat.top) aimParallel(this.flat.top, this.rig, shape, [0, 0, 1], [0, 1, 0]);
      if (pane.camera === this.flat.front) aimParallel(this.flat.front, this.rig, shape, [0, -1, 0], [0, 0, 1]);
      if (pane.camera === this.flat.right) aimParallel(this.flat.right, this.rig, shape, [1, 0, 0], [0, 0, 1]);
      const seen = pane.camera === this.flat.front ? "front" : pane.camera === this.flat.right ? "right" : "top";
      this.surroundings.show(store.showGrid.value, { name: pane.name, camera: pane.camera, width: w, height: h, target: this.rig.target, seen });
      const fog = this.scene.fog;
      if (flat) this.scene.fog = null;
      this.gizmo.face(pane.camera);
      const water = pane.other ? this.twin!.water : this.water;
      this.wade(water, (pane.other ? store.ghost : store.newest).frame?.time ?? 0, pane.camera);
      if (quality.value === "high") water?.survey(this.renderer, this.scene, pane.camera, new THREE.Vector4(x, y, w, h).multiplyScalar(this.renderer.getPixelRatio()));
      const shaded = this.occlusion && panes.length === 1;
      water?.keepShare(!!shaded);
      if (shaded) this.occlusion!.draw(this.rig.distance);
      else this.renderer.render(this.scene, pane.camera);
      this.scene.fog = fog;
    }
    this.run.visible = true;
    if (this.twin) this.twin.group.visible = true;
    this.renderer.setScissorTest(false);
  }

  /** The picture as a PNG; drawn and read in one turn, since the canvas is cleared afterwards. */
  picture(): Promise<Blob | null> {
    this.draw();
    return new Promise((done) => this.canvas.toBlob(done, "image/png"));
  }

  async enterHeadset() {
    const session = await (navigator as Navigator & { xr: XRSystem }).xr.requestSession("immersive-vr", { optionalFeatures: ["local-floor"] });
    this.renderer.xr.enabled = true;
    await this.renderer.xr.setSession(session as never);
    this.headset ??= new Headset(this, this.renderer, this.world);
    this.scene.add(...this.headset.groups);
    session.addEventListener("end", () => {
      this.headset?.end();
      this.scene.remove(...this.headset!.groups);
      this.renderer.xr.enabled = false;
      this.resize();
    });
  }
}

/** Whether the picture is split for a comparison; while bodies are moved about there is one picture. */
export function splits(): boolean {
  const moves = store.building.value && store.editing.value;
  return store.compared.value !== null && store.sideBySide.value && !moves && store.stereo.value === "off";
}

/** The one stage; set when the page has its canvas. */
export const current: { stage: Stage | null } = { stage: null };
